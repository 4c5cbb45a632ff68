"""Use case: what is reported of a session, by itself, a person or a host.

The session may still run. Then its task does too, since a slot is free only when the
session is seen gone: a session of this machine that was reported keeps the word in its
folder, and whoever sees its end takes that for its outcome. Source: SPEC 2.3.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from model_queue import completion, watching
from model_queue.atomic import locked
from model_queue.core import Core, launcher_of
from model_queue.model import ErrorClass, JsonObject, Outcome, Task
from model_queue.ports import Session, SessionState
from model_queue.store import Batch, Record

EVENT = "report"
"""In the audit log: a session that still ran was reported."""
_NO_WORDS = frozenset({ErrorClass.TIMEOUT, ErrorClass.INVALID_REPORT})
"""What a time limit did, and an end of which nothing was told: no word on the work."""


class _Local(Protocol):
    """What is needed of ``LocalSessions``."""

    def find(self, label: str) -> Session: ...
    def said(self, label: str) -> Outcome | None: ...
    def keep_said(self, label: str, outcome: Outcome) -> None: ...


class Heard(NamedTuple):
    """What became of a report."""

    task: Task
    """As stored now."""
    is_late: bool = False
    """It came after the end, or the attempt did not hold the task: kept beside."""
    waits: bool = False
    """The session still runs: it counts when that ends."""
    is_second: bool = False
    """The session still runs and was reported before: that counts, this is kept beside."""
    actions: Sequence[JsonObject] = ()


def hear(
    core: Core,
    task: Task,
    said: Outcome,
    *,
    label: str,
    is_announced: bool = False,
    now: dt.datetime,
) -> Heard:
    """Store what is reported of the attempt ``label`` of a task. Safe to repeat.

    What is seen of a session outranks what is reported after its end; what is reported
    before is its outcome, and of several reports the first one. That a session which is
    seen alive was cancelled, lost or out of time is no word on its work: nothing is done.
    Nor is what a runtime has ``is_announced`` of it, which may be a stub: the session's
    own end tells more.

    Raises:
        StoreBusy: others reported for all of ``completion.REPORTS_LOCK_S``.
        StoreError: it cannot be kept.
    """
    session = _look(core, task, label)
    if session is None:
        return _stored(core, task, said, label=label, now=now)
    if session.state is SessionState.LIVE:
        if is_announced or not _is_word(said):
            return Heard(task)
        if label != task.label or task.is_stopping:
            return _stored(core, task, said, label=label, is_gone=False, now=now)
        is_second = _keep(core, task, said, label=label, now=now)
        session = _look(core, task, label)
        if session is None or session.state is SessionState.LIVE:
            return Heard(task, waits=not is_second, is_second=is_second)
    if session.outcome is None:
        return _stored(core, task, said, label=label, now=now)
    seen = _stored(core, task, session.outcome, label=label, now=now)
    if _is_word(said):
        _stored(core, seen.task, said, label=label, now=now)
    return seen


def _stored(
    core: Core,
    task: Task,
    outcome: Outcome,
    *,
    label: str,
    is_gone: bool = True,
    now: dt.datetime,
) -> Heard:
    done = completion.complete(
        core, task, outcome, label=label, is_gone=is_gone, now=now
    )
    return Heard(done.task, is_late=done.is_late, actions=done.actions)


def _look(core: Core, task: Task, label: str) -> Session | None:
    """Return what is seen of an attempt's session, None for one that a host has.

    One that is on its way is kept from starting: its task ends before it came.
    """
    launcher = launcher_of(core, task, label=label)
    is_current, is_local = label == task.label, core.folder.has_session(label)
    if launcher is None:
        return None
    if not is_local and (not is_current or watching.is_hosts(core, task, launcher)):
        return None
    found = launcher.find(label)
    if found.state is SessionState.ABSENT and is_current:
        return launcher.give_up(label)
    return found


def _local(core: Core) -> _Local:
    # Imported here: where the host starts every session, no call needs it.
    from model_queue.launchers.local_sessions import LocalSessions  # noqa: PLC0415

    return LocalSessions(core.folder.sessions_dir)


def _is_word(said: Outcome) -> bool:
    if said.result_status == "failed":
        return said.error_class not in _NO_WORDS
    return said.result_status in {"success", "partial", "blocked"}


def _keep(
    core: Core, task: Task, said: Outcome, *, label: str, now: dt.datetime
) -> bool:
    """Keep a report until the session's end; True when another one came first."""
    sessions = _local(core)
    with locked(core.folder.reports_lock, timeout_s=completion.REPORTS_LOCK_S):
        first = sessions.said(label)
        if first is not None and _gist(first) == _gist(said):
            return False
        # Logged before it is kept: the repeat of one that could not be kept does both.
        detail = "kept until its session ends" if first is None else "late"
        core.store.commit(Batch(records=[_record(task, detail, now=now)]), now=now)
        if first is None:
            sessions.keep_said(label, said)
        elif said.result and not core.folder.has_report(task, said.result, label=label):
            core.folder.write_late_result(task, said.result, label=label)
        return first is not None


def _gist(said: Outcome) -> tuple[str | None, ...]:
    """Return what makes two reports the same."""
    return said.result_status, said.result, said.summary, said.error_message


def _record(task: Task, detail: str, *, now: dt.datetime) -> Record:
    return Record(
        ts=now,
        event=EVENT,
        task_id=task.id,
        queue=task.queue,
        before=task.status.value,
        after=task.status.value,
        label=task.label,
        detail=detail,
    )
