"""What a task's dependencies amount to, and what they hand over to it.

A look-up resolves a reference as it is stored (``T-001`` or ``source/T-001``), archive
included, and returns None for one that names no task.

Source: seed 003 dispatcher, "Step 3 - Check Waiting Tasks"; SPEC 2.3.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from model_queue.errors import TaskRefError
from model_queue.fields import format_time
from model_queue.model import (
    DependencyPolicy,
    JsonObject,
    JsonValue,
    Status,
    Task,
    TaskRef,
)
from model_queue.transitions import DependencyState, started

Lookup: TypeAlias = Callable[[str], Task | None]

NEAREST = 3
"""Ids named beside one that does not exist: enough to spot a slip of the finger."""


class Failing(StrEnum):
    """Why a dependency counts as failed."""

    ENDED = "ended"
    """It failed or is blocked, which the seed calls failed as well."""
    SKIPPED = "skipped"
    CANCELLED = "cancelled"
    UNKNOWN = "unknown"
    """No queue and no archive has it."""
    CIRCULAR = "circular"
    """It waits for the task that depends on it."""


_BY_PERSON = {
    Status.SKIPPED: Failing.SKIPPED,
    Status.CANCELLED: Failing.CANCELLED,
}


class DependencyVerdict(NamedTuple):
    """What ``state_of`` found."""

    state: DependencyState
    failed: str | None
    """The first dependency that counts as failed, as the task names it; set in every
    state, None when none does."""
    open: tuple[str, ...]
    """Those that may still be done, as the task names them, in its order."""
    why: Failing | None = None
    """What is wrong with the failed one."""


class Circles:
    """Which tasks wait for themselves over others, found once for many questions.

    Every task is looked at once, however long the chains are. Call ``forget`` for a
    task that waits no longer.
    """

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup
        self._of: dict[_Key, int] = {}
        self._sizes: dict[int, int] = {}

    def joins(self, task: Task, parent: Task) -> bool:
        """Report whether the dependency waits for the task that depends on it."""
        if not still_waits(parent):
            return False
        here, there = _key(task), _key(parent)
        if here not in self._of:
            self._search(task)
        # The task itself may not wait; then nothing leads on from it.
        return there == here or self._of[here] == self._of.get(there)

    def forget(self, task: Task) -> None:
        """Take note that a task waits no longer: its circle may be broken."""
        number = self._of.get(_key(task))
        if number is not None and self._sizes[number] > 1:
            self._of.clear()
            self._sizes.clear()

    def _search(self, start: Task) -> None:
        """Number the circles of all that the task waits for; Tarjan, without recursion."""
        order: dict[_Key, int] = {}
        lowest: dict[_Key, int] = {}
        undecided: list[_Key] = []
        path: list[tuple[_Key, Iterator[Task]]] = []

        def enter(task: Task) -> None:
            key = _key(task)
            order[key] = lowest[key] = len(order)
            undecided.append(key)
            path.append((key, self._waited_for(task)))

        enter(start)
        while path:
            here, parents = path[-1]
            parent = next(parents, None)
            if parent is not None:
                key = _key(parent)
                if key not in order and key not in self._of:
                    enter(parent)
                elif key not in self._of:
                    lowest[here] = min(lowest[here], order[key])
                continue
            path.pop()
            if path:
                below = path[-1][0]
                lowest[below] = min(lowest[below], lowest[here])
            if lowest[here] == order[here]:
                self._number(undecided, here)

    def _number(self, undecided: list[_Key], last: _Key) -> None:
        """Take the members of a circle off the end of the list, down to the last."""
        number, size, member = len(self._of), 0, None
        while member != last:
            member = undecided.pop()
            self._of[member] = number
            size += 1
        self._sizes[number] = size

    def _waited_for(self, task: Task) -> Iterator[Task]:
        for ref in task.depends_on:
            parent = parent_of(task, ref, self._lookup)
            if parent is not None and still_waits(parent):
                yield parent


_Key: TypeAlias = tuple[str, str, str]
"""What tells a task from every other, one of the same id in the same file included."""


def _key(task: Task) -> _Key:
    return task.queue, task.id, task.uuid


def state_of(
    task: Task, lookup: Lookup, circles: Circles | None = None
) -> DependencyVerdict:
    """Return what the task's dependencies amount to under its policy.

    - Failed: failed, blocked, skipped, cancelled, unknown, or waiting for the task
      itself, else the members of a circle would wait for ever.
    - A paused dependency is open: a person will resume it.
    - Policies ``block`` and ``skip`` act at the first failed one, ``continue`` when
      none is open any more.

    ``circles`` spares a caller with many tasks that each of them is walked again.
    """
    failed: str | None = None
    why: Failing | None = None
    open_ones: list[str] = []
    circles = circles or Circles(lookup)
    for ref in task.depends_on:
        parent = parent_of(task, ref, lookup)
        failing = _failing(task, parent, circles)
        if failing is not None and failed is None:
            failed, why = ref, failing
        elif failing is None and parent is not None and not _is_done(parent):
            open_ones.append(ref)
    waits_for_others = task.on_depends_fail is DependencyPolicy.CONTINUE and open_ones
    if failed is not None and not waits_for_others:
        state = DependencyState.FAILED
    else:
        state = DependencyState.OPEN if open_ones else DependencyState.DONE
    return DependencyVerdict(state, failed, tuple(open_ones), why)


def reason_of(verdict: DependencyVerdict) -> str | None:
    """Return the sentence that says which dependency counts as failed, None without.

    Source: seed 003 dispatcher, Step 3, for one that ended.
    """
    match verdict.why:
        case None:
            return None
        case Failing.ENDED:
            return f"Dependency {verdict.failed} failed"
        case Failing.SKIPPED | Failing.CANCELLED:
            return f"Dependency {verdict.failed} was {verdict.why.value}"
        case Failing.UNKNOWN:
            return f"Dependency {verdict.failed} does not exist"
        case Failing.CIRCULAR:
            return f"Dependency {verdict.failed} waits for this task itself"


def parent_of(task: Task, ref: str, lookup: Lookup) -> Task | None:
    """Return the task that one of a task's dependencies names, None when none is meant.

    - Where files written by others hold an id twice, a bare one means the task of the
      dependent's own queue: ids counted per queue there.
    - One with a source names the task still when that has moved to another queue: an
      id is one task's, and the source only tells doubled ones apart.
    """
    found = lookup(ref)
    if found is not None:
        return found
    source, _, bare = ref.rpartition("/")
    return lookup(bare if source else f"{task.queue}/{ref}")


def depends_on(task: Task, parent: Task, lookup: Lookup) -> bool:
    """Report whether one of a task's dependencies names the other, in any form."""
    named = (parent_of(task, ref, lookup) for ref in task.depends_on)
    return any(each is not None and each.ref == parent.ref for each in named)


def index_of(tasks: Iterable[Task]) -> dict[str, Task | None]:
    """Return the tasks by both forms of their reference, as stores understand them.

    A bare id that several have leads to None; the form with the source leads to the
    first that is not finished, else the first.
    """
    found: dict[str, Task | None] = {}
    for task in tasks:
        found[task.id] = None if task.id in found else task
        full = f"{task.queue}/{task.id}"
        known = found.get(full)
        if known is None or (known.status.is_terminal and not task.status.is_terminal):
            found[full] = task
    return found


def roots_of(tasks: Iterable[Task], lookup: Lookup) -> list[Task]:
    """Return the ended tasks that hold others up, over any number of blocked ones.

    Each once, in the order found: what a person can run again to set the others free.
    """
    found: dict[_Key, Task] = {}
    seen: set[_Key] = set()
    to_visit = list(tasks)[::-1]
    while to_visit:
        task = to_visit.pop()
        if _key(task) in seen:
            continue
        seen.add(_key(task))
        if task.status.is_terminal:
            found[_key(task)] = task
            continue
        parents = [parent_of(task, ref, lookup) for ref in task.depends_on]
        to_visit += [
            parent
            for parent in reversed(parents)
            if parent is not None and parent.status.counts_as_failed
        ]
    return list(found.values())


def _is_done(task: Task) -> bool:
    return task.status is Status.DONE


def _failing(task: Task, parent: Task | None, circles: Circles) -> Failing | None:
    if parent is None:
        return Failing.UNKNOWN
    # A member of a circle is blocked because of the circle, and says so.
    if circles.joins(task, parent):
        return Failing.CIRCULAR
    if not parent.status.counts_as_failed:
        return None
    return _BY_PERSON.get(parent.status, Failing.ENDED)


def still_waits(task: Task) -> bool:
    """Report whether the task's own dependencies are still to be looked at."""
    match task.status:
        case Status.WAITING:
            return True
        case Status.PAUSED:
            return task.paused_from is Status.WAITING
        case Status.BLOCKED:
            return not started(task)
        case _:
            return False


def context_of(task: Task, lookup: Lookup, now: dt.datetime) -> JsonValue:
    """Return the ``context_input`` that the task's dependencies hand over.

    One dependency gives the seed's object, several a list of them in ``depends_on``
    order, none None. One that is not done is put as a warning.
    """
    parts = [_part(ref, parent_of(task, ref, lookup), now) for ref in task.depends_on]
    if len(parts) == 1:
        return parts[0]
    return [*parts] or None


def _part(ref: str, parent: Task | None, now: dt.datetime) -> JsonObject:
    if parent is None or parent.status is not Status.DONE:
        why = _BY_PERSON.get(parent.status) if parent else None
        ended = f"was {why.value}" if why else "failed"
        return {
            "warning": f"Dependency {ref} {ended}",
            "included_at": format_time(now),
        }
    return {
        "source_task": parent.id,
        "result_summary": parent.result_summary,
        "result_status": parent.result_status,
        "included_at": format_time(now),
    }


def find_cycle(edges: Mapping[str, Sequence[str]]) -> tuple[str, ...] | None:
    """Return the ids along one circle, first and last the same, None when there is none.

    Args:
        edges: each id with those it depends on; the others may be left out.

    >>> find_cycle({"T-001": ["T-002"], "T-002": ["T-003"], "T-003": ["T-001"]})
    ('T-001', 'T-002', 'T-003', 'T-001')
    """
    finished: set[str] = set()
    for start in edges:
        # Nodes of the path with the dependencies not yet followed, in path order.
        path = {} if start in finished else {start: iter(edges[start])}
        while path:
            here = next(reversed(path))
            following = next(path[here], None)
            if following is None:
                del path[here]
                finished.add(here)
            elif following in path:
                ids = list(path)
                return (*ids[ids.index(following) :], following)
            elif following not in finished:
                path[following] = iter(edges.get(following, ()))
    return None


def nearest_ids(ref: str, known: Iterable[str]) -> tuple[str, ...]:
    """Return the known ids whose numbers lie nearest to a reference's, nearest first.

    Empty when the reference or all known ids have no number.

    >>> nearest_ids("T-012", ["T-001", "T-010", "T-011"])
    ('T-011', 'T-010', 'T-001')
    """
    wanted = _number(ref)
    if wanted is None:
        return ()
    distances = {
        other: abs(number - wanted)
        for other in known
        if (number := _number(other)) is not None
    }
    return tuple(
        sorted(distances, key=lambda other: (distances[other], other))[:NEAREST]
    )


def _number(ref: str) -> int | None:
    try:
        return TaskRef.parse(ref).number
    except TaskRefError:
        return None
