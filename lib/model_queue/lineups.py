"""What stands between a task and its start in its own queue, as a claim judges it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence

from model_queue import budgets, transitions
from model_queue.core import Core, parents_of
from model_queue.dependencies import Circles
from model_queue.messages import causes
from model_queue.messages.causes import Code, Reader, Reason
from model_queue.model import Status, Task
from model_queue.ordering import claim_order
from model_queue.standstills import unheard
from model_queue.store import Query, QueueMeta
from model_queue.transitions import Facts, Guard
from model_queue.watching import is_hosts


class View:
    """One look at all queues, and who is told of it."""

    def __init__(self, core: Core, to: Reader) -> None:
        self.core = core
        self.to = to
        self.metas: dict[str, QueueMeta] = {
            meta.source: meta for meta in core.store.queues()
        }
        self.tasks: Sequence[Task] = core.store.select(Query())
        self.lookup = parents_of(core, self.tasks)
        self.circles = Circles(self.lookup)
        self._unheard = {key_of(task) for task in unheard(core, now=to.now)}

    def of_queue(self, source: str) -> list[Task]:
        """Return the live tasks of a queue, in claim order."""
        return [task for task in self.tasks if task.queue == source]

    def name_of(self, task: Task) -> str:
        """Return the id of a task, with its queue where others have the same id."""
        return task.id if self.lookup(task.id) else str(task.ref)

    def is_unheard(self, task: Task) -> bool:
        """Report whether the host was handed the task and is silent of it."""
        return key_of(task) in self._unheard

    def is_host(self, source: str) -> bool:
        """Report whether only the host starts the sessions of a source."""
        launcher = self.core.launchers.get(source)
        return launcher is not None and launcher.is_host

    def stopping(self, task: Task) -> Reason:
        """Return the reason that a task's session was told to stop and has not ended."""
        launcher = self.core.launchers.get(task.queue)
        in_host = launcher is not None and is_hosts(self.core, task, launcher)
        name = self.name_of(task)
        return causes.stopping(self.to, task, name, in_host=in_host)


def key_of(task: Task) -> tuple[str, str, str]:
    """Return what tells a task from every other, doubled ids included."""
    return task.queue, task.id, task.uuid


def before_start(view: View, task: Task) -> Sequence[Reason]:
    """Return what keeps a pending task from being claimed, outermost first.

    [] when the next pass claims it.
    """
    if transitions.GUARDS[Guard.OVER_LIMIT](task, Facts(now=view.to.now)):
        return [causes.over_limit(view.to, task)]
    found = [*of_whole_queue(view, task), *_of_today(view, task)]
    late = not_due(view, task)
    if task.is_stopping:
        found.append(view.stopping(task))
    if late is not None:
        return [*found, late]
    line = list(_of_line(view, task))
    is_full = any(each.code is Code.NO_SLOT for each in line)
    if view.is_host(task.queue) and not found and not is_full:
        # The next thing to happen in this queue, for those behind the first as well.
        found.append(causes.host_only(view.to, task))
    return [*found, *line]


def of_whole_queue(view: View, task: Task) -> Iterator[Reason]:
    """Yield what keeps the queue of a task from starting anything, however long."""
    meta = view.metas.get(task.queue)
    if task.queue not in view.core.settings.sources:
        yield causes.unconfigured(view.to, task)
    if meta is not None and meta.broken is not None:
        yield causes.broken(view.to, meta)
    elif meta is not None and meta.is_held(view.to.now):
        yield causes.held(view.to, meta)


def _of_today(view: View, task: Task) -> Iterator[Reason]:
    """Yield what keeps the queue of a task from starting anything for lack of means."""
    if not view.core.folder.has_room():
        yield causes.disk_full(view.to)
    source = view.core.settings.sources.get(task.queue)
    now = view.to.now
    if source is None:
        return
    if budgets.is_day_spent(source, view.of_queue(source.name), now=now):
        midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
        until = midnight + dt.timedelta(days=1)
        yield causes.budget_spent(view.to, source, until)


def not_due(view: View, task: Task) -> Reason | None:
    """Return the reason that a task is to start later, None when it is due."""
    until = task.not_before
    if until is None or until <= view.to.now:
        return None
    return causes.not_due(view.to, task, until)


def _of_line(view: View, task: Task) -> Iterator[Reason]:
    """Yield that no slot is free, or that others take it first."""
    until_terminal = view.core.slot_policy(task.queue)

    def holds(other: Task) -> bool:
        return transitions.holds_slot(other, until_terminal=until_terminal)

    others = [
        each for each in view.of_queue(task.queue) if key_of(each) != key_of(task)
    ]
    holders = [each for each in others if holds(each)]
    # One that is stopping itself gives its slot up before it can start.
    if holds(task) and not task.is_stopping:
        return
    ahead = [
        each
        for each in others
        if claim_order(each) < claim_order(task) and _is_claimable(view, each)
    ]
    meta = view.metas.get(task.queue)
    n = view.core.settings.slots_for(task.queue, meta.max_concurrent if meta else None)
    free = n - len(holders)
    if free > sum(not holds(each) for each in ahead):
        return
    if free <= 0:
        yield from (view.stopping(each) for each in holders if each.is_stopping)
        yield causes.no_slot(view.to, task.queue, _named(view, holders), n)
    if ahead:
        name = view.name_of(task)
        yield causes.behind(view.to, task, name, _named(view, ahead))


def _is_claimable(view: View, task: Task) -> bool:
    facts = Facts(now=view.to.now, may_claim=True)
    is_claimable = transitions.GUARDS[Guard.CLAIMABLE](task, facts)
    return task.status is Status.PENDING and is_claimable


def _named(view: View, tasks: Sequence[Task]) -> Sequence[tuple[str, Task]]:
    return [(view.name_of(task), task) for task in tasks]
