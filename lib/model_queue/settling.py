"""Use case: decide waiting tasks from their dependencies, until nothing changes.

One pass computes all moves on a snapshot and stores their net effect in one commit, so
that a task blocked and reopened within the pass says nothing. Source: seed 003
dispatcher, Step 3; transitions.md D9, D30, D31.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping

from model_queue import dependencies, transitions
from model_queue.core import (
    TRIES,
    Core,
    find_task,
    notice_for,
    notice_text,
    record_of,
)
from model_queue.errors import StaleTask
from model_queue.model import Status, Task
from model_queue.store import Batch, Change, Notice, Query, Record
from model_queue.transitions import DependencyState, Event, Facts, Step

_UNSETTLED = (Status.WAITING, Status.BLOCKED, Status.PENDING)


class _Pass:
    """The snapshot that one pass works on."""

    def __init__(self, tasks: Mapping[str, Task]) -> None:
        self.before = tasks
        self.now_is = dict(tasks)
        self.records: list[Record] = []
        self.last: dict[str, Step] = {}


def settle(core: Core, *, now: dt.datetime) -> int:
    """Settle every task that can be settled; return how many moved.

    - ``waiting``: released, blocked, skipped or left, by its policy.
    - ``blocked`` before its first start: back to waiting once no dependency counts as
      failed.
    - ``pending`` above a limit that was lowered meanwhile: failed.
    """
    for _ in range(TRIES):
        work = _snapshot(core)
        if not work.now_is:
            return 0
        lookup = _lookup(core, work)
        while _round(work, lookup, now=now):
            pass
        try:
            return _store(core, work, now=now)
        except StaleTask:
            continue
    return 0


def _snapshot(core: Core) -> _Pass:
    tasks = core.store.select(Query(statuses=_UNSETTLED))
    return _Pass({str(task.ref): task for task in tasks})


def _lookup(core: Core, work: _Pass) -> Callable[[str], Task | None]:
    """Look a dependency up in the snapshot first: its moves of this pass count at once.

    So a chain of a hundred tasks is settled in one round, not in a hundred.
    """
    keys: dict[str, str | None] = {}
    for key, task in work.now_is.items():
        keys[key] = key
        keys[task.id] = None if task.id in keys else key
    others: dict[str, Task | None] = {}

    def lookup(ref: str) -> Task | None:
        key = keys.get(ref)
        if key is not None:
            return work.now_is[key]
        if ref not in others:
            others[ref] = find_task(core, ref)
        return others[ref]

    return lookup


def _round(
    work: _Pass, lookup: Callable[[str], Task | None], *, now: dt.datetime
) -> bool:
    """Take each step that is enabled now; report whether there was one."""
    has_moved = False
    for key, task in list(work.now_is.items()):
        event, facts = _decide(task, lookup, now=now)
        if event is None:
            continue
        step = transitions.step(task, event, facts)
        if step.after == task:
            continue
        work.now_is[key] = step.after
        work.last[key] = step
        work.records.append(record_of(step, event, now=now))
        has_moved = True
    return has_moved


def _decide(
    task: Task, lookup: Callable[[str], Task | None], *, now: dt.datetime
) -> tuple[Event | None, Facts]:
    idle = Facts(now=now)
    if task.status is Status.PENDING:
        over = task.retries > task.max_retries
        return (Event.CLAIM if over else None), idle
    is_settled_later = task.status is Status.BLOCKED and (
        task.started_at is not None or not task.depends_on
    )
    if task.status.is_terminal or is_settled_later:
        return None, idle
    verdict = dependencies.state_of(task, lookup)
    if task.status is Status.BLOCKED:
        is_open = verdict.state is not DependencyState.FAILED
        return (Event.DEPENDENCY_REOPENED if is_open else None), idle
    if task.status is not Status.WAITING or verdict.state is DependencyState.OPEN:
        return None, idle
    is_failed = verdict.state is DependencyState.FAILED
    facts = Facts(
        now=now,
        dependency=verdict.state,
        failed_dependency=verdict.failed,
        reason=f"Dependency {verdict.failed} failed" if is_failed else None,
        context_input=dependencies.context_of(task, lookup, now),
    )
    return (Event.DEPENDENCY_FAILED if is_failed else Event.DEPENDENCY_DONE), facts


def _store(core: Core, work: _Pass, *, now: dt.datetime) -> int:
    """Store the net change of the pass, with a notice for each net change."""
    changes: list[Change] = []
    notices: list[Notice] = []
    for key, after in work.now_is.items():
        before = work.before[key]
        if after == before:
            continue
        changes.append(Change(before=before, after=after))
        text = notice_text(work.last[key])
        if text is not None and after.status is not before.status:
            kind = str(work.last[key].notice)
            notices.append(notice_for(core, after, kind, text, now=now))
    if changes:
        batch = Batch(changes=changes, notices=notices, records=work.records)
        core.store.commit(batch, now=now)
    return len(changes)
