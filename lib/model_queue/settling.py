"""Use case: decide waiting tasks from their dependencies, until nothing changes.

One pass computes all moves on a snapshot and stores their net effect in one commit, so
that a task blocked and reopened within the pass says nothing. Source: seed 003
dispatcher, Step 3; transitions.md D9, D30, D31.
"""

from __future__ import annotations

import datetime as dt
from collections import deque
from collections.abc import Sequence

from model_queue import dependencies, transitions
from model_queue.core import (
    TRIES,
    Core,
    Troubles,
    notice_for,
    notice_text,
    parents_of,
    record_of,
)
from model_queue.errors import StaleTask
from model_queue.model import Status, Task
from model_queue.store import Batch, Change, Notice, Query, Record
from model_queue.transitions import DependencyState, Event, Facts, Step

_UNSETTLED = (Status.WAITING, Status.BLOCKED, Status.PENDING)


class _Pass:
    """The snapshot that one pass works on, and what becomes of it."""

    def __init__(
        self, core: Core, tasks: Sequence[Task], troubles: Troubles | None = None
    ) -> None:
        self.troubles = troubles or Troubles()
        self.before = [task for task in tasks if task.status in _UNSETTLED]
        self.now_is = list(self.before)
        self.records: list[Record] = []
        self.last: dict[int, Step] = {}
        """By place in the snapshot."""
        self._places = {id(task): at for at, task in enumerate(self.before)}
        self._first = parents_of(core, tasks)
        self.circles = dependencies.Circles(self.lookup)

    def lookup(self, ref: str) -> Task | None:
        """Return a dependency as it is by now: the moves of this pass count at once."""
        found = self._first(ref)
        at = self._places.get(id(found))
        return found if at is None else self.now_is[at]

    def dependents(self) -> dict[int, list[int]]:
        """Return the places of those that depend on each task, by its place."""
        found: dict[int, list[int]] = {}
        for at, task in enumerate(self.before):
            for ref in task.depends_on:
                parent = dependencies.parent_of(task, ref, self._first)
                place = self._places.get(id(parent))
                if place is not None:
                    found.setdefault(place, []).append(at)
        return found


def settle(core: Core, troubles: Troubles | None = None, *, now: dt.datetime) -> int:
    """Settle every task that can be settled; return how many moved.

    - ``waiting``: released, blocked, skipped or left, by its policy.
    - ``blocked`` before its first start: back to waiting once no dependency counts as
      failed.
    - ``pending`` above a limit that was lowered meanwhile: failed.

    The work grows with the number of tasks, not with the length of their chains.
    """
    for _ in range(TRIES):
        work = _Pass(core, core.store.select(Query()), troubles)
        if not work.now_is:
            return 0
        while _round(work, now=now):
            pass
        try:
            return _store(core, work, now=now)
        except StaleTask:
            continue
    return 0


def _round(work: _Pass, *, now: dt.datetime) -> bool:
    """Take each step that is enabled now; report whether there was one.

    Whoever depends on a task that moved is looked at next, so that a chain is settled
    in one round whatever the order of its tasks.
    """
    dependents: dict[int, list[int]] | None = None
    places = deque(range(len(work.now_is)))
    while places:
        at = places.popleft()
        is_moved = False
        with work.troubles.passed_over():
            is_moved = _settle_one(work, at, now=now)
        if not is_moved:
            continue
        if dependents is None:
            dependents = work.dependents()
        places.extend(dependents.get(at, ()))
    return dependents is not None


def _settle_one(work: _Pass, at: int, *, now: dt.datetime) -> bool:
    """Take the step that is enabled for one task; report whether there was one."""
    task = work.now_is[at]
    event, facts = _decide(task, work, now=now)
    if event is None:
        return False
    step = transitions.step(task, event, facts)
    if step.after == task:
        return False
    work.now_is[at] = step.after
    work.last[at] = step
    work.records.append(record_of(step, event, now=now))
    if step.after.status not in {Status.WAITING, Status.BLOCKED}:
        work.circles.forget(task)
    return True


def _decide(task: Task, work: _Pass, *, now: dt.datetime) -> tuple[Event | None, Facts]:
    idle = Facts(now=now)
    if task.status is Status.PENDING:
        over = task.retries > task.max_retries
        return (Event.CLAIM if over else None), idle
    is_settled_later = task.status is Status.BLOCKED and (
        task.started_at is not None or not task.depends_on
    )
    if task.status.is_terminal or is_settled_later:
        return None, idle
    verdict = dependencies.state_of(task, work.lookup, work.circles)
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
        reason=dependencies.reason_of(verdict),
        context_input=dependencies.context_of(task, work.lookup, now),
    )
    return (Event.DEPENDENCY_FAILED if is_failed else Event.DEPENDENCY_DONE), facts


def _store(core: Core, work: _Pass, *, now: dt.datetime) -> int:
    """Store the net change of the pass, with a notice for each net change."""
    changes: list[Change] = []
    notices: list[Notice] = []
    for at, (before, after) in enumerate(zip(work.before, work.now_is, strict=True)):
        if after == before:
            continue
        changes.append(Change(before=before, after=after))
        text = notice_text(work.last[at])
        if text is not None and after.status is not before.status:
            kind = str(work.last[at].notice)
            notices.append(notice_for(core, after, kind, text, now=now))
    if changes:
        batch = Batch(changes=changes, notices=notices, records=work.records)
        core.store.commit(batch, now=now)
    return len(changes)
