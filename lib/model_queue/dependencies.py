"""What a task's dependencies amount to, and what they hand over to it.

A look-up resolves a reference as it is stored (``T-001`` or ``source/T-001``), archive
included, and returns None for one that names no task.

Source: seed 003 dispatcher, "Step 3 - Check Waiting Tasks"; SPEC 2.3.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
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


class DependencyVerdict(NamedTuple):
    """What ``state_of`` found."""

    state: DependencyState
    failed: str | None
    """The first dependency that counts as failed, as the task names it; set in every
    state, None when none does."""
    open: tuple[str, ...]
    """Those that may still be done, as the task names them, in its order."""


def state_of(task: Task, lookup: Lookup) -> DependencyVerdict:
    """Return what the task's dependencies amount to under its policy.

    - Failed: failed, blocked, skipped, cancelled, unknown, or waiting for the task
      itself, else the members of a circle would wait for ever.
    - A paused dependency is open: a person will resume it.
    - Policies ``block`` and ``skip`` act at the first failed one, ``continue`` when
      none is open any more.
    """
    failed: str | None = None
    open_ones: list[str] = []
    for ref in task.depends_on:
        parent = lookup(ref)
        if _counts_as_failed(task, parent, lookup):
            failed = failed or ref
        elif parent is not None and parent.status is not Status.DONE:
            open_ones.append(ref)
    waits_for_others = task.on_depends_fail is DependencyPolicy.CONTINUE and open_ones
    if failed is not None and not waits_for_others:
        state = DependencyState.FAILED
    else:
        state = DependencyState.OPEN if open_ones else DependencyState.DONE
    return DependencyVerdict(state, failed, tuple(open_ones))


def _counts_as_failed(task: Task, parent: Task | None, lookup: Lookup) -> bool:
    if parent is None or parent.status.counts_as_failed:
        return True
    return _still_waits(parent) and _leads_to(parent, task, lookup)


def _still_waits(task: Task) -> bool:
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


def _leads_to(start: Task, goal: Task, lookup: Lookup) -> bool:
    """Report whether ``start`` waits for ``goal``, over any number of tasks."""
    seen = {str(start.ref)}
    to_visit = [start]
    while to_visit:
        here = to_visit.pop()
        if here.ref == goal.ref:
            return True
        for ref in here.depends_on:
            parent = lookup(ref)
            is_next = parent is not None and _still_waits(parent)
            if parent is not None and is_next and str(parent.ref) not in seen:
                seen.add(str(parent.ref))
                to_visit.append(parent)
    return False


def context_of(task: Task, lookup: Lookup, now: dt.datetime) -> JsonValue:
    """Return the ``context_input`` that the task's dependencies hand over.

    One dependency gives the seed's object, several a list of them in ``depends_on``
    order, none None. One that is not done is put as a warning.
    """
    parts = [_part(ref, lookup(ref), now) for ref in task.depends_on]
    if len(parts) == 1:
        return parts[0]
    return [*parts] or None


def _part(ref: str, parent: Task | None, now: dt.datetime) -> JsonObject:
    if parent is None or parent.status is not Status.DONE:
        return {
            "warning": f"Dependency {ref} failed",
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
