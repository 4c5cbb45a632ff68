"""Compares what the racers were told with what the queue directory holds."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from model_queue.model import JsonObject
from torture.race_actors import Call
from torture.race_reader import LIMITS, halves

BUSY = "busy"
LONGEST_CALL_S = 10.0
TERMINAL = frozenset({"done", "failed", "skipped", "cancelled"})
RESTS = TERMINAL | {"blocked"}
REOPENING = frozenset({"retry", "rerun"})


class Found(NamedTuple):
    """What a race has left behind."""

    tasks: Mapping[str, JsonObject]
    """By id."""
    events: Sequence[JsonObject]
    """Oldest first."""
    sessions: Sequence[str]
    """The lines of the sessions' own log."""
    reports: Mapping[str, str]
    """By task."""

    def of(self, name: str) -> Iterator[JsonObject]:
        """Yield the events of a name that moved a task."""
        for event in self.events:
            if event["event"] == name and event.get("before") != event.get("after"):
                yield event


def read(queues: Path, logs: Path) -> Found:
    """Read it all."""
    tasks = [
        task
        for source in LIMITS
        for task in json.loads((queues / f"{source}.json").read_bytes())["tasks"]
    ]
    lines = (queues / "events.jsonl").read_bytes().splitlines()
    log = logs / "sessions.log"
    return Found(
        tasks={task["id"]: task for task in tasks},
        events=[json.loads(line) for line in lines],
        sessions=log.read_text("utf-8").splitlines() if log.exists() else [],
        reports={
            path.stem: path.read_text("utf-8")
            for path in (queues / "results").glob("T-*.md")
        },
    )


def judge(calls: Sequence[Call], found: Found) -> list[str]:
    """Return every way in which told and stored differ."""
    return [
        *_errors(calls),
        *_intakes(calls, found),
        *_commands(calls, found),
        *_histories(found),
        *_attempts(found),
        *_exits(calls, found),
        *_reports(found),
        *_sessions(found),
        *_rest(found),
    ]


def _errors(calls: Iterable[Call]) -> Iterator[str]:
    """No call fails, but for one that had to wait too long for its turn."""
    for call in calls:
        what = f"{call.name} {call.about}"
        refused = call.name in {"cancel", "retry"} and call.ran.code == 5
        handled = call.ran.code == 0 or refused
        if not handled and call.error_code != BUSY:
            yield f"{what} ended with {call.ran.code}: {call.ran.out}{call.ran.err}"
        if handled and (call.ran.err or not call.answer):
            yield f"{what} said {call.ran.err or call.ran.out!r}"
        if call.took_s > LONGEST_CALL_S and call.name.startswith("on-"):
            yield f"{what} took {call.took_s:.1f} s"


def _intakes(calls: Iterable[Call], found: Found) -> Iterator[str]:
    """Each message was added once and whole; what was told of it is there."""
    told: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for call in calls:
        tasks = call.answer.get("tasks")
        if call.name != "on-intake" or call.ran.code or not isinstance(tasks, list):
            continue
        ids = tuple(str(task["id"]) for task in tasks if isinstance(task, dict))
        told[call.about].add(ids)
        for task_id in ids:
            text = str(found.tasks.get(task_id, {}).get("description"))
            if f"m{call.about}p" not in text:
                yield f"{task_id} of message {call.about} is {text!r}"
    for mark, answers in told.items():
        if len(answers) != 1 or () in answers:
            yield f"message {mark} was answered with {sorted(answers)}"
    yield from halves(str(task["description"]) for task in found.tasks.values())
    added = Counter(str(event["task_id"]) for event in found.of("submit"))
    if added != Counter(found.tasks.keys()):
        yield f"the log has other tasks than the queues: {added}"


def _commands(calls: Sequence[Call], found: Found) -> Iterator[str]:
    """Each command that was carried out has one event, and no event has none.

    One that was told ``busy`` may have come so far before.
    """
    for verb in ("cancel", "retry"):
        own = [call for call in calls if call.name == verb]
        done = Counter(call.about for call in own if call.ran.code == 0)
        busy = Counter(call.about for call in own if call.error_code == BUSY)
        moved = Counter(str(event["task_id"]) for event in found.of(verb))
        for task_id in done | moved:
            least, most = done[task_id], done[task_id] + busy[task_id]
            if not least <= moved[task_id] <= most:
                n = moved[task_id]
                yield f"{n} times {verb} {task_id} in the log, {least} to {most} told"


def _histories(found: Found) -> Iterator[str]:
    """Each task's events follow on each other, up to the status that it has."""
    statuses: dict[str, object] = {}
    for event in found.events:
        before, after = event.get("before"), event.get("after")
        if before == after:
            continue
        task_id = str(event["task_id"])
        if statuses.get(task_id) != before:
            yield f"{task_id} was {statuses.get(task_id)} when it went on: {event}"
        if before in TERMINAL and event["event"] not in REOPENING:
            yield f"{task_id} left its end: {event}"
        statuses[task_id] = after
    for task_id, task in found.tasks.items():
        if statuses.get(task_id) != task["status"]:
            stored = task["status"]
            yield f"{task_id} is {stored}, by the log {statuses.get(task_id)}"


def _attempts(found: Found) -> Iterator[str]:
    """Each start is one claim under a label of its own, and each is counted."""
    claims = list(found.of("claim"))
    labels = Counter(str(event["label"]) for event in claims)
    yield from (
        f"{label} was claimed {n} times" for label, n in labels.items() if n > 1
    )
    starts = Counter(str(event["task_id"]) for event in claims)
    for task_id, task in found.tasks.items():
        if task.get("attempt", 0) != starts[task_id]:
            counted = task.get("attempt", 0)
            yield f"{task_id} has attempt {counted} after {starts[task_id]} claims"


def _exits(calls: Iterable[Call], found: Found) -> Iterator[str]:
    """Each attempt ended once, and each end that was told and handled is one."""
    ends = Counter(
        str(event["label"])
        for event in found.events
        if event.get("before") == "running" and event.get("after") != "running"
    )
    yield from (f"{label} ended {n} times" for label, n in ends.items() if n > 1)
    claimed = {str(event["label"]) for event in found.of("claim")}
    told = {c.about for c in calls if c.name == "on-subagent-exit" and not c.ran.code}
    for label in told & claimed - ends.keys():
        yield f"the end of {label} was told and is lost"


def _reports(found: Found) -> Iterator[str]:
    """Each done task has the report of the attempt that was accepted."""
    accepted = {str(e["task_id"]): str(e["label"]) for e in found.of("succeed")}
    for task_id, task in found.tasks.items():
        if task["status"] == "done":
            label = accepted.get(task_id, "nobody")
            if f"Said by {label}." not in found.reports.get(task_id, ""):
                yield f"{task_id} has not the report of {label}"


def _sessions(found: Found) -> Iterator[str]:
    """No session ran twice, beside another of its task, or beyond its source's limit."""
    yield from (line for line in found.sessions if line.startswith(("TWICE", "TOO-")))
    starts = Counter(line for line in found.sessions if line.startswith("start"))
    yield from (f"{n} times: {line}" for line, n in starts.items() if n > 1)


def _rest(found: Found) -> Iterator[str]:
    """Nothing is stuck."""
    for task_id, task in found.tasks.items():
        if task["status"] not in RESTS or "claim" in task:
            yield f"{task_id} is {task['status']} with claim {task.get('claim')}"
