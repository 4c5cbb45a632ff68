"""What a store should hold, kept by hand in plain dicts of dicts.

Nothing of the code under test is used but the names of fields: each expectation is
reckoned here once more, so that store and model cannot be wrong together.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

Fields: TypeAlias = dict[str, Any]
"""A task, queue, notice, key or record: its fields by name."""
Said: TypeAlias = Mapping[str, Any]
"""What came with an event: ``now``, ``label``, ``lease``, ``delay``, …"""

ENDED = ("done", "failed", "skipped", "cancelled")
LIVE = ("pending", "waiting", "running", "paused", "blocked")
NEW_TASK: Fields = {
    "id": "",
    "queue": "",
    "model": "",
    "description": "",
    "added_at": None,
    "uuid": None,
    "goal": None,
    "status": "pending",
    "priority": 0,
    "depends_on": (),
    "on_depends_fail": "block",
    "context_input": None,
    "result": None,
    "result_status": None,
    "result_summary": None,
    "retries": 0,
    "max_retries": 3,
    "subagent_session": None,
    "started_at": None,
    "completed_at": None,
    "type": None,
    "not_before": None,
    "timeout_seconds": None,
    "cost_ceiling": None,
    "spent": None,
    "attempt": 0,
    "losses": 0,
    "claim": None,
    "cwd": None,
    "session_model": None,
    "result_path": None,
    "error_message": None,
    "error_class": None,
    "failure_reason": None,
    "blocked_reason": None,
    "skipped_reason": None,
    "paused_from": None,
    "checkpoint_path": None,
    "agent_id": None,
    "accept": (),
    "origin": None,
    "updated_at": None,
    "extra": {},
}
"""A task as it is added; ``uuid`` None: the store has not said yet which one it gave."""
FORGOTTEN = (
    "error_class",
    "error_message",
    "failure_reason",
    "blocked_reason",
    "skipped_reason",
    "result",
    "result_status",
    "result_summary",
    "result_path",
    "started_at",
    "completed_at",
    "not_before",
)
"""What a retry clears."""


def label_of(task: Fields, attempt: int) -> str:
    return f"mq-{task['id'].lower()}-a{attempt}-{task['uuid'][:8]}"


def is_stopping(task: Fields) -> bool:
    return task["claim"] is not None and task["claim"]["stopping"] is not None


def is_past(entry: Fields, now: dt.datetime) -> bool:
    """Report whether a key's time is past, or not there yet by more than its time."""
    span = entry["until"] - entry["at"]
    return bool(entry["until"] <= now or entry["at"] - now > span)


def in_line(task: Fields) -> tuple[int, dt.datetime, int]:
    return -task["priority"], task["added_at"], int(task["id"][2:])


class Model:
    """A queue directory: its queues, tasks, notices, keys and audit log."""

    def __init__(self) -> None:
        self.queues: dict[str, Fields] = {}
        self.tasks: dict[str, Fields] = {}
        self.away: dict[str, Fields] = {}
        self.notices: list[Fields] = []
        self.seen: dict[str, Fields] = {}
        self.records: list[Fields] = []
        self.number = 0

    def copied(self) -> Model:
        """Return another model of the same; what lies in a field is never changed."""
        new = Model()
        for name, value in vars(self).items():
            match value:
                case dict():
                    copied: object = {key: dict(row) for key, row in value.items()}
                case list():
                    copied = [dict(row) for row in value]
                case _:
                    copied = value
            setattr(new, name, copied)
        return new

    def open_queues(self, wanted: Iterable[Fields]) -> list[str]:
        created: list[str] = []
        for queue in wanted:
            if queue["source"] in self.queues:
                self.queues[queue["source"]]["models"] = queue["models"]
            else:
                self.queues[queue["source"]] = dict(queue)
                created.append(queue["source"])
        return created

    def add(self, drafts: Sequence[Fields], *, now: dt.datetime) -> list[str]:
        """Add tasks; ``after`` of a draft are places of earlier ones it depends on."""
        added: list[str] = []
        for given in drafts:
            fields = dict(given)
            first = tuple(added[place] for place in fields.pop("after", ()))
            self.number += 1
            task_id = f"T-{self.number:03d}"
            assert task_id not in {**self.tasks, **self.away}
            task = {**NEW_TASK, **fields, "id": task_id}
            task |= {
                "depends_on": first + task["depends_on"],
                "added_at": now,
                "updated_at": now,
            }
            self.tasks[task_id] = task
            self.queues[task["queue"]]["last_id"] = task_id
            added.append(task_id)
        for task_id in added:
            task = self.tasks[task_id]
            self.note(now, "submit", task, after=task["status"])
        return added

    def change(self, task_id: str, fields: Fields, *, now: dt.datetime) -> None:
        """Give a task other fields; one of the archive comes back."""
        if task_id in self.away:
            self.tasks[task_id] = self.away.pop(task_id)
        self.tasks[task_id] = {**self.tasks[task_id], **fields, "updated_at": now}

    def note(self, now: dt.datetime, event: str, task: Fields, **more: object) -> None:
        record = {"before": None, "after": None, "label": None, "detail": None, **more}
        record |= {"ts": now, "event": event}
        record |= {"task_id": task["id"], "queue": task["queue"]}
        self.records.append(record)

    def holders(self, source: str, *, until_terminal: bool) -> int:
        return sum(
            task["queue"] == source and holds_slot(task, until_terminal=until_terminal)
            for task in self.tasks.values()
        )

    def claim(
        self,
        source: str,
        *,
        limit: int,
        slots: int,
        until_terminal: bool,
        lease: dt.timedelta,
        now: dt.datetime,
    ) -> list[str]:
        hold = self.queues[source]["paused"]
        if hold is not None and (hold["until"] is None or now < hold["until"]):
            return []
        free = slots - self.holders(source, until_terminal=until_terminal)
        chosen: list[Fields] = []
        for task in self.line(source):
            if not is_claimable(task, now):
                continue
            if not holds_slot(task, until_terminal=until_terminal):
                if free <= 0:
                    continue
                free -= 1
            chosen.append(task)
        for task in chosen[:limit]:
            task.update(started_anew(task, {"now": now, "lease": lease}))
            task["updated_at"] = now
            label = task["claim"]["label"]
            words = {"before": "pending", "after": "running", "label": label}
            self.note(now, "claim", task, **words)
        return [task["id"] for task in chosen[:limit]]

    def line(self, source: str) -> list[Fields]:
        """Return the tasks of a queue in claim order."""
        found = [task for task in self.tasks.values() if task["queue"] == source]
        return sorted(found, key=in_line)

    def put_notices(self, notices: Iterable[Fields]) -> None:
        for notice in notices:
            if notice["id"] not in {waiting["id"] for waiting in self.notices}:
                self.notices.append({**notice, "out_at": None})

    def take_notices(
        self, *, chat: Sequence[str], limit: int, now: dt.datetime
    ) -> list[str]:
        minute = dt.timedelta(seconds=60)
        fitting = [
            notice
            for notice in self.notices
            if all(a == b or "" in {a, b} for a, b in zip(notice["chat"], chat))  # noqa: B905 - of one length
            and (notice["out_at"] is None or abs(now - notice["out_at"]) >= minute)
        ]
        fitting.sort(key=lambda notice: notice["created_at"])
        for notice in fitting[:limit]:
            notice["out_at"] = now
        return [notice["id"] for notice in fitting[:limit]]

    def waiting(self) -> list[Fields]:
        """Return the notices that wait, oldest first, without who has them."""
        notices = sorted(self.notices, key=lambda notice: notice["created_at"])
        return [
            {name: notice[name] for name in notice if name != "out_at"}
            for notice in notices
        ]

    def acknowledge(self, ids: Iterable[str]) -> None:
        gone = set(ids)
        self.notices = [each for each in self.notices if each["id"] not in gone]

    def remember(
        self, key: str, answer: Fields, *, until: dt.datetime | None, now: dt.datetime
    ) -> None:
        end = until or now + dt.timedelta(days=30)
        self.seen[key] = {"answer": answer, "at": now, "until": end, "is_past": False}

    def is_known(self, key: str, now: dt.datetime) -> bool | None:
        """Report whether a key is seen; None: both are right.

        A key whose time was past once may be forgotten: a clock that is set back does
        not bring it again.
        """
        entry = self.seen.get(key)
        if entry is None or is_past(entry, now):
            return False
        return None if entry["is_past"] else True

    def time_is(self, now: dt.datetime) -> None:
        for entry in self.seen.values():
            entry["is_past"] |= is_past(entry, now)

    def archive(self, *, before: dt.datetime, now: dt.datetime) -> list[str]:
        # A task may have left the queue that a reference names.
        needed = {
            ref.rpartition("/")[2]
            for task in self.tasks.values()
            if task["status"] in LIVE
            for ref in task["depends_on"]
        }
        away = [
            task
            for task in self.tasks.values()
            if task["status"] in ENDED
            and task["claim"] is None
            and task["completed_at"] < before
            and task["id"] not in needed
        ]
        for task in away:
            self.away[task["id"]] = self.tasks.pop(task["id"])
            self.note(now, "archive", task, before=task["status"])
        return [task["id"] for task in away]


def is_claimable(task: Fields, now: dt.datetime) -> bool:
    return (
        task["status"] == "pending"
        and task["claim"] is None
        and (task["not_before"] is None or task["not_before"] <= now)
        and task["retries"] <= task["max_retries"]
    )


def holds_slot(task: Fields, *, until_terminal: bool) -> bool:
    if is_stopping(task) or task["status"] == "running":
        return True
    is_begun = task["started_at"] is not None and task["status"] in LIVE
    return until_terminal and is_begun


def started_anew(task: Fields, said: Said) -> Fields:
    attempt = task["attempt"] + 1
    return {
        "status": "running",
        "attempt": attempt,
        "claim": {
            "label": label_of(task, attempt),
            "lease_until": said["now"] + said["lease"],
            "stopping": None,
        },
        "started_at": said["now"],
        "not_before": None,
        "subagent_session": None,
        "session_model": None,
    }


def stopped(task: Fields, said: Said) -> Fields:
    """Ask the session to stop: the claim stays until it is seen gone."""
    if task["claim"] is None or is_stopping(task):
        return {}
    return {"claim": {**task["claim"], "stopping": said["now"]}}


def renewed(task: Fields, said: Said) -> Fields:
    lease_until = said["now"] + said["lease"]
    return {"claim": {**task["claim"], "lease_until": lease_until}}


def attach(task: Fields, said: Said) -> Fields:
    is_running = task["status"] == "running"
    lease = renewed(task, said) if is_running else {}
    return {"subagent_session": said["session"], **lease}


def renew(task: Fields, said: Said) -> Fields:
    return renewed(task, said) if task["status"] == "running" else {}


def checkpoint(task: Fields, said: Said) -> Fields:
    return {"checkpoint_path": said["path"], **renew(task, said)}


def spent(task: Fields, said: Said) -> Fields:
    old = task["spent"] or {"tokens": 0}
    return {"spent": {"tokens": old["tokens"] + said["tokens"]}}


def succeed(task: Fields, said: Said) -> Fields:
    return {
        **spent(task, said),
        "status": "done",
        "result": said["result"],
        "result_status": "success",
        "result_summary": said["reason"],
        "result_path": said["result_path"],
        "error_class": None,
        "error_message": None,
        "claim": None,
        "completed_at": said["now"],
    }


def fail(word: str, *, is_stopped: bool = False) -> Callable[[Fields, Said], Fields]:
    """Return the event that uses up a retry, or ends the task when none is left."""

    def event(task: Fields, said: Said) -> Fields:
        changes = {
            **spent(task, said),
            "error_class": word,
            "error_message": said["reason"],
            "result_path": said["result_path"] or task["result_path"],
            "claim": None,
        }
        if is_stopped:
            changes |= stopped(task, said)
        if task["retries"] < task["max_retries"]:
            retries = task["retries"] + 1
            not_before = said["now"] + said["delay"]
            again = {"status": "pending", "retries": retries, "not_before": not_before}
            return changes | again
        return changes | ended("failed", "max_retries_exceeded", said)

    return event


def fail_rate_limited(task: Fields, said: Said) -> Fields:
    return {
        **fail("rate_limited")(task, said),
        "status": "pending",
        "retries": task["retries"],
        "not_before": said["until"],
        "failure_reason": task["failure_reason"],
        "completed_at": task["completed_at"],
    }


def fail_quota(task: Fields, said: Said) -> Fields:
    changes = {**fail_rate_limited(task, said), "error_class": "quota"}
    changes["not_before"] = task["not_before"]
    if said["fallback"] is not None:
        queue, model = said["fallback"]
        changes |= {"queue": queue, "model": model, "started_at": None}
    return changes


def fail_fatal(task: Fields, said: Said) -> Fields:
    last = {**task, "retries": task["max_retries"]}
    changes = fail("auth")(last, said)
    return {**changes, "failure_reason": "not_retryable"}


def agent_blocked(task: Fields, said: Said) -> Fields:
    return {
        **spent(task, said),
        **stopped(task, said),
        "status": "blocked",
        "blocked_reason": said["reason"],
    }


def ended(status: str, reason: str, said: Said) -> Fields:
    return {"status": status, "failure_reason": reason, "completed_at": said["now"]}


def lost(task: Fields, said: Said) -> Fields | None:
    if task["status"] != "running":
        return None
    changes = {
        "losses": task["losses"] + 1,
        "error_class": "lost",
        "error_message": said["reason"],
        "claim": None,
    }
    if changes["losses"] == 5:
        return changes | ended("failed", "lost", said)
    return {**changes, "status": "pending", "not_before": None}


def pause(task: Fields, said: Said) -> Fields | None:
    if task["status"] not in {"pending", "waiting", "running"}:
        return None
    was = task["status"]
    asked = stopped(task, said) if was == "running" else {}
    return {**asked, "status": "paused", "paused_from": was}


def resume(task: Fields, said: Said) -> Fields | None:
    if task["status"] != "paused":
        return None
    cleared = {"paused_from": None, "blocked_reason": None}
    if task["paused_from"] != "running":
        return {**cleared, "status": task["paused_from"]}
    return {**cleared, **going_on(task, said)}


def going_on(task: Fields, said: Said) -> Fields:
    """Let a started task go on where its slot is."""
    if said["until_terminal"] and not is_stopping(task):
        return started_anew(task, said)
    return {"status": "pending", "not_before": None}


def unblock(task: Fields, said: Said) -> Fields | None:
    if task["status"] != "blocked":
        return None
    cleared = {"paused_from": None, "blocked_reason": None}
    if task["started_at"] is None:
        return {**cleared, "status": "waiting", "on_depends_fail": "continue"}
    return {**cleared, **going_on(task, said)}


def cancel(task: Fields, said: Said) -> Fields | None:
    if task["status"] not in LIVE:
        return None
    return {
        **stopped(task, said),
        **ended("cancelled", "user_cancel", said),
        "paused_from": None,
        "blocked_reason": None,
        "error_message": said["reason"],
    }


def skip(task: Fields, said: Said) -> Fields | None:
    if task["status"] not in LIVE:
        return None
    return {
        **stopped(task, said),
        **ended("skipped", "user_skip", said),
        "paused_from": None,
        "blocked_reason": None,
        "skipped_reason": said["reason"],
    }


def again(*statuses: str) -> Callable[[Fields, Said], Fields | None]:
    """Return the event that a person begins a finished task anew with."""

    def event(task: Fields, said: Said) -> Fields | None:
        if task["status"] not in statuses:
            return None
        changes: Fields = dict.fromkeys(FORGOTTEN)
        changes |= {"retries": 0, "losses": 0}
        if "done" in statuses:
            changes["checkpoint_path"] = None
        if said["dependency"] == "done":
            return changes | {"status": "pending", "context_input": said["context"]}
        policy = task["on_depends_fail"]
        policy = "block" if policy == "skip" else policy
        return changes | {"status": "waiting", "on_depends_fail": policy}

    return event


def dependency_done(task: Fields, said: Said) -> Fields | None:
    if task["status"] != "waiting":
        return None
    return {"status": "pending", "context_input": said["context"]}


def dependency_failed(task: Fields, said: Said) -> Fields | None:
    if task["status"] != "waiting":
        return None
    if task["on_depends_fail"] == "continue":
        return {"status": "pending", "context_input": said["context"]}
    if task["on_depends_fail"] == "block":
        return {"status": "blocked", "blocked_reason": said["reason"]}
    changes = ended("skipped", "dependency_failed", said)
    return {**changes, "skipped_reason": said["reason"]}


def dependency_reopened(task: Fields, said: Said) -> Fields | None:
    del said
    if task["status"] != "blocked":
        return None
    if task["started_at"] is not None:
        return {}
    return {"status": "waiting", "paused_from": None, "blocked_reason": None}


BY_SESSIONS: Mapping[str, Callable[[Fields, Said], Fields]] = {
    "attach": attach,
    "renew": renew,
    "checkpoint": checkpoint,
    "succeed": succeed,
    "fail_reported": fail("reported"),
    "fail_transient": fail("transient"),
    "fail_timeout": fail("timeout", is_stopped=True),
    "fail_rate_limited": fail_rate_limited,
    "fail_quota": fail_quota,
    "fail_fatal": fail_fatal,
    "agent_blocked": agent_blocked,
}
"""What a session says; from one that does not hold the task it is late."""
BY_OTHERS: Mapping[str, Callable[[Fields, Said], Fields | None]] = {
    "lost": lost,
    "pause": pause,
    "resume": resume,
    "unblock": unblock,
    "cancel": cancel,
    "skip": skip,
    "retry": again("failed", "skipped", "cancelled"),
    "rerun": again("done"),
    "dependency_done": dependency_done,
    "dependency_failed": dependency_failed,
    "dependency_reopened": dependency_reopened,
}
MAY_STILL_SAY = ("attach", "renew", "checkpoint")
"""What is taken from a session while it is being paused."""


def changes_by(event: str, task: Fields, said: Said) -> Fields | None:
    """Return the fields that an event changes: {} when late, None when refused."""
    if event in BY_OTHERS:
        return BY_OTHERS[event](task, said)
    if task["claim"] is None or task["claim"]["label"] != said["label"]:
        return {}
    is_running = task["status"] == "running" and not is_stopping(task)
    is_paused = task["status"] == "paused" and task["paused_from"] == "running"
    if is_running or (is_paused and event in MAY_STILL_SAY):
        return BY_SESSIONS[event](task, said)
    return {}
