"""Use case: why a task does not run, and what to do about it.

Judged by the functions that settle and claim tasks, never by a second opinion; nothing is
changed. Source: SPEC 10.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from model_queue import dependencies, lineups
from model_queue.core import Core
from model_queue.dependencies import Failing
from model_queue.errors import ModelQueueError, StoreError
from model_queue.lineups import View, key_of
from model_queue.messages import causes, explanations
from model_queue.messages.causes import Reader, Reason
from model_queue.model import Checkpoint, DependencyPolicy, Status, Task, TaskRef
from model_queue.orders import Order, Result


class Explanation(NamedTuple):
    """What is to be told of one task."""

    task: Task | None
    """None: its queue stands still, so that it cannot be read."""
    reasons: Sequence[Reason]
    """Outermost first: what must be lifted first, or is the cause of those behind it."""
    text: str
    """The whole answer for a person."""


class _Link(NamedTuple):
    """One dependency of a task that keeps it."""

    ref: str
    """As the task names it."""
    parent: Task | None
    why: Failing | None
    """What is wrong with it; None: it may still be done."""


def explain(
    core: Core,
    ref: TaskRef,
    *,
    lang: str = "en",
    zone: dt.tzinfo = dt.UTC,
    now: dt.datetime,
) -> Explanation:
    """Explain what keeps one task, live or archived.

    Raises:
        TaskNotFound: with the nearest ids.
        TaskRefError: a bare id names several tasks; candidates are listed.
        StoreError: its archive cannot be read.
    """
    to = Reader(now, lang, zone)
    try:
        task = core.store.get(ref)
    except StoreError:
        found = _in_broken_queue(core, ref, to)
        if not found:
            raise
        return Explanation(None, found, explanations.unreadable(to, str(ref), found))
    view = View(core, to)
    found = _reasons(view, task)
    return Explanation(task, found, _told(view, task, found))


def reasons(
    core: Core,
    task: Task,
    *,
    lang: str = "en",
    zone: dt.tzinfo = dt.UTC,
    now: dt.datetime,
) -> Sequence[Reason]:
    """Return what keeps a task from running or going on, outermost first.

    [] when nothing does: it runs, has ended, or moves on with the next pass. A reason
    without a code is none of SPEC 10's kinds.
    """
    return _reasons(View(core, Reader(now, lang, zone)), task)


def answer(order: Order, refs: Sequence[str], result: Result) -> None:
    """Answer a chat why tasks do not run; one that is unknown stops no other."""
    for ref in refs:
        try:
            found = explain(
                order.core,
                TaskRef.parse(ref),
                lang=order.lang,
                zone=order.zone,
                now=order.now,
            )
        except ModelQueueError as error:
            result.refuse(error, lang=order.lang)
            continue
        if found.task is not None:
            result.tasks.append(found.task)
        result.texts.append(found.text)


def _in_broken_queue(core: Core, ref: TaskRef, to: Reader) -> Sequence[Reason]:
    """Return the queues that stand still, in one of which the task must be."""
    return [
        causes.broken(to, meta)
        for meta in core.store.queues()
        if meta.broken is not None and ref.source in {None, meta.source}
    ]


def _reasons(view: View, task: Task) -> Sequence[Reason]:
    found = [*_of_dependencies(view, task), *_of_itself(view, task)]
    once: dict[tuple[str | None, str | None, str], Reason] = {}
    for each in found:
        # One queue or session may hold up several of those that are in the way.
        once.setdefault((each.code, each.ref, "" if each.code else each.text), each)
    return list(once.values())


def _of_itself(view: View, task: Task) -> Iterator[Reason]:
    """Yield what keeps a task, apart from its dependencies."""
    name = view.name_of(task)
    match task.status:
        case Status.PENDING:
            yield from lineups.before_start(view, task)
        case Status.RUNNING:
            if task.is_stopping:
                yield view.stopping(task)
            elif view.is_unheard(task):
                yield causes.host_silent(view.to, task, name)
        case Status.WAITING | Status.PAUSED | Status.BLOCKED:
            yield from _of_suspended(view, task, name)
        case _:
            if task.is_stopping:
                yield view.stopping(task)


def _of_suspended(view: View, task: Task, name: str) -> Iterator[Reason]:
    if task.is_stopping:
        yield view.stopping(task)
    if task.status is Status.PAUSED:
        yield causes.paused(view.to, name)
    elif task.status is Status.BLOCKED and not _is_held_up(task):
        yield causes.blocked(view.to, task, name)
    yield from lineups.of_whole_queue(view, task)
    late = lineups.not_due(view, task)
    if late is not None:
        yield late


def _is_held_up(task: Task) -> bool:
    """Report whether dependencies are what blocks a task."""
    return bool(task.depends_on) and dependencies.still_waits(task)


def _of_dependencies(view: View, task: Task) -> Sequence[Reason]:
    """Return what keeps the dependencies of a task, each behind its own causes.

    Walks without recursion: a chain may be as long as the queues.
    """
    found: list[Reason] = []
    seen = {key_of(task)}
    path: list[tuple[Task, _Link | None, Iterator[_Link]]] = [
        (task, None, _links(view, task))
    ]
    while path:
        here, _, links = path[-1]
        link = next(links, None)
        if link is None:
            _, arrived_by, _ = path.pop()
            if arrived_by is not None:
                found += _of_link(view, path[-1][0], arrived_by)
        elif link.parent is None or link.why is Failing.CIRCULAR:
            found += _of_link(view, here, link)
        elif key_of(link.parent) not in seen:
            seen.add(key_of(link.parent))
            path.append((link.parent, link, _links(view, link.parent)))
    return found


def _links(view: View, task: Task) -> Iterator[_Link]:
    """Yield the dependencies that keep a task: the failed ones, then the open ones."""
    is_skipped = task.failure_reason == "dependency_failed"
    if not (dependencies.still_waits(task) or is_skipped):
        return
    # First with all of them: the circles are those of the whole task.
    dependencies.state_of(task, view.lookup, view.circles)
    open_ones: list[_Link] = []
    goes_on = task.on_depends_fail is DependencyPolicy.CONTINUE
    for ref in task.depends_on:
        alone = replace(task, depends_on=(ref,))
        verdict = dependencies.state_of(alone, view.lookup, view.circles)
        parent = dependencies.parent_of(task, ref, view.lookup)
        if verdict.open and not is_skipped:
            open_ones.append(_Link(ref, parent, None))
        elif verdict.failed and (not goes_on or task.status is Status.BLOCKED):
            yield _Link(ref, parent, verdict.why)
    yield from open_ones


def _of_link(view: View, task: Task, link: _Link) -> Iterator[Reason]:
    """Yield what keeps a dependency, apart from its own ones, then the dependency."""
    to, name, parent = view.to, view.name_of(task), link.parent
    if parent is None:
        yield causes.dependency_unknown(to, name, link.ref, _nearest(view, link.ref))
        return
    its_name = view.name_of(parent)
    if link.why is Failing.CIRCULAR:
        circle = _circle(view, task, parent)
        yield causes.dependency_circle(to, name, its_name, circle)
    elif link.why is not None:
        is_held_up = _is_held_up(parent)
        yield causes.dependency_failed(
            to, name, parent, its_name, is_held_up=is_held_up
        )
    elif not parent.model and not parent.uuid:
        # The stand-in for one that cannot be read, which ``find_task`` gives.
        yield from _in_broken_queue(view.core, TaskRef.parse(link.ref), to)
        yield causes.dependency_unreadable(to, name, link.ref)
    else:
        if parent.status is not Status.PAUSED:
            yield from _of_itself(view, parent)
        yield causes.dependency_open(to, name, parent, its_name)


def _circle(view: View, task: Task, parent: Task) -> Sequence[str]:
    """Return the names around a circle, from a task back to itself."""
    path, here = [task], parent
    while key_of(here) not in {key_of(each) for each in path}:
        path.append(here)
        parents = [
            dependencies.parent_of(here, ref, view.lookup) for ref in here.depends_on
        ]
        around = [each for each in parents if each and view.circles.joins(here, each)]
        here = next(iter(around), task)
    return [view.name_of(each) for each in [*path, here]]


def _nearest(view: View, ref: str) -> Sequence[str]:
    """Return the ids that a wrong one may mean."""
    return dependencies.nearest_ids(ref, dict.fromkeys(t.id for t in view.tasks))


def _checkpoint_of(core: Core, task: Task) -> Checkpoint | None:
    # One that cannot be read keeps nothing of the rest back.
    with suppress(StoreError):
        return core.folder.read_checkpoint(task) if task.checkpoint_path else None
    return None


def _told(view: View, task: Task, found: Sequence[Reason]) -> str:
    """Return the whole answer about a task."""
    to, name = view.to, view.name_of(task)
    lines: Sequence[str] = ()
    if task.status.is_terminal:
        lines = explanations.ended(to, task, name)
    elif task.status is Status.RUNNING:
        lines = explanations.runs(to, task, _checkpoint_of(view.core, task))
    elif not found:
        lines = [explanations.is_clear(to, task.status)]
    can_go_on = task.status is Status.BLOCKED and _is_held_up(task)
    return explanations.answer(to, task, name, found, lines=lines, without=can_go_on)
