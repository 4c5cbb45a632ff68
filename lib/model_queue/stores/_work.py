"""A commit in the making: what every store does the same, on values.

A store opens a ``Work`` on what it holds, lets the batch act on it, and then keeps
what changed, by its own means.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple, Protocol

from model_queue import transitions
from model_queue.codec import as_stored
from model_queue.errors import NumbersUsedUp, StaleTask, StoreError, UnknownSource
from model_queue.model import MAX_NUMBER, Status, Task, TaskRef
from model_queue.ordering import claim_order
from model_queue.ports import IdSource
from model_queue.queuefile import Queue
from model_queue.store import Batch, Change, Draft, Hold, QueueMeta, Record
from model_queue.transitions import Event, Facts, Guard


class Highest(NamedTuple):
    """The highest number that was ever given."""

    number: int
    """0 when none was."""
    held_by: str
    """What says so, for a person: the path of a file."""


class Contents(Protocol):
    """What a store holds, as a commit reads it."""

    def names(self) -> Sequence[str]:
        """Return the names of the queues, sorted."""
        ...

    def queue(self, source: str) -> Queue:
        """Return a queue that exists.

        Raises:
            StoreError: it cannot be read.
        """
        ...

    def queues(self) -> Sequence[Queue]:
        """Return the queues that can be read."""
        ...

    def archived(self, ref: TaskRef) -> Sequence[Task]:
        """Return the archived tasks of an id."""
        ...

    def highest_number(self) -> Highest:
        """Return the highest number that was ever given."""
        ...


class Work:
    """The queues as they will be when the commit is written."""

    def __init__(self, contents: Contents, *, now: dt.datetime, ids: IdSource) -> None:
        self._contents = contents
        self._now = now
        self._ids = ids
        self._before: dict[str, Queue] = {}
        self._metas: dict[str, QueueMeta] = {}
        self._tasks: dict[str, list[Task]] = {}
        self.number: int | None = None
        """The highest number, once a draft was added."""
        self.restored: list[Task] = []
        """Tasks that were brought back from the archive."""

    def open_queues(self, wanted: Sequence[QueueMeta]) -> list[str]:
        """Create the queues that are missing, refresh the models of the others."""
        readable = {queue.meta.source for queue in self._contents.queues()}
        created: list[str] = []
        for meta in wanted:
            source = meta.source
            if source in readable:
                # The limits of a queue that exists are its own.
                self._open(source)
                self._metas[source] = self._metas[source]._replace(models=meta.models)
            elif source not in self._contents.names():
                self._before[source] = Queue(meta)
                self._metas[source] = meta
                self._tasks[source] = []
                created.append(source)
        return created

    def apply(self, batch: Batch) -> list[Task]:
        """Do all that a batch says to tasks and queues; return the stored drafts."""
        tasks = self.add(batch.drafts)
        for change in batch.changes:
            self.change(change)
        for source, hold in batch.holds.items():
            self.hold(source, hold)
        return tasks

    def add(self, drafts: Sequence[Draft]) -> list[Task]:
        """Give the drafts their numbers and append them to their queues.

        Raises:
            NumbersUsedUp: too few are left.
        """
        added: list[Task] = []
        if drafts:
            highest = self._contents.highest_number()
            self.number = highest.number
            if self.number + len(drafts) > MAX_NUMBER:
                raise NumbersUsedUp(
                    number=self.number, last=MAX_NUMBER, held_by=highest.held_by
                )
        for draft in drafts:
            tasks = self._open(draft.task.queue)
            task = self._numbered(draft, added)
            source = task.queue
            tasks.append(task)
            added.append(task)
            self._metas[source] = self._metas[source]._replace(last_id=task.id)
        return added

    def _numbered(self, draft: Draft, added: Sequence[Task]) -> Task:
        self.number = (self.number or 0) + 1
        before = tuple(added[at].id for at in draft.after)
        task = replace(
            draft.task,
            id=TaskRef(self.number).id,
            uuid=draft.task.uuid or self._ids.uuid4(),
            depends_on=before + draft.task.depends_on,
            added_at=self._now,
            updated_at=self._now,
        )
        return as_stored(task)

    def change(self, change: Change) -> None:
        """Put ``after`` in the place of ``before``.

        Raises:
            StaleTask: no stored task is ``before`` any more.
        """
        before = change.before
        tasks = self._open(before.queue)
        at = _place(tasks, before)
        stored = tasks[at] if at is not None else self._in_archive(before)
        after = as_stored(
            replace(
                change.after,
                uuid=change.after.uuid or stored.uuid or self._ids.uuid4(),
                updated_at=self._now,
            )
        )
        if at is None:
            self.restored.append(stored)
            self._open(after.queue).append(after)
        elif after.queue == before.queue:
            tasks[at] = after
        else:
            self._open(after.queue).append(after)
            del tasks[at]

    def _in_archive(self, before: Task) -> Task:
        for task in self._contents.archived(before.ref):
            if _is_same(task, before):
                return task
        raise StaleTask(ref=str(before.ref))

    def hold(self, source: str, hold: Hold | None) -> None:
        """Hold a queue, or lift its hold."""
        self._open(source)
        self._metas[source] = self._metas[source]._replace(paused=hold)

    def claim(
        self,
        source: str,
        *,
        limit: int,
        slots: int | None,
        until_terminal: bool,
        lease: dt.timedelta,
    ) -> list[Task]:
        """Take the next tasks of a queue, as ``Store.claim`` promises."""

        def holds(task: Task) -> bool:
            return transitions.holds_slot(task, until_terminal=until_terminal)

        tasks = self._open(source)
        meta = self._metas[source]
        if meta.is_held(self._now):
            return []
        free = (slots or meta.max_concurrent) - sum(map(holds, tasks))
        chosen: list[Task] = []
        for task in sorted(filter(self._is_due, tasks), key=claim_order):
            if holds(task) or free > 0:
                free -= not holds(task)
                chosen.append(task)
        return [self._claimed(tasks, task, lease) for task in chosen[:limit]]

    def _is_due(self, task: Task) -> bool:
        """Ask the table whether the task may be claimed, given a slot."""
        facts = Facts(now=self._now, may_claim=True)
        is_claimable = transitions.GUARDS[Guard.CLAIMABLE](task, facts)
        return task.status is Status.PENDING and is_claimable

    def _claimed(self, tasks: list[Task], task: Task, lease: dt.timedelta) -> Task:
        at = next(at for at, other in enumerate(tasks) if other is task)
        # The label is made from the uuid, which a task written by others lacks, and
        # which a line that was copied by hand shares with another task.
        if not task.uuid or self._is_copy(task):
            task = replace(task, uuid=self._ids.uuid4())
        facts = Facts(now=self._now, may_claim=True, lease=lease)
        after = transitions.step(task, Event.CLAIM, facts).after
        tasks[at] = as_stored(replace(after, updated_at=self._now))
        return tasks[at]

    def _is_copy(self, task: Task) -> bool:
        """Report whether another task has the uuid, or its labels would be the same."""
        others = [
            other
            for queue in self._contents.queues()
            for other in self._tasks.get(queue.meta.source, queue.tasks)
        ]
        # One that cannot be read holds nothing up.
        with suppress(StoreError):
            others += self._contents.archived(TaskRef(task.ref.number))
        return any(
            other is not task
            and (
                other.uuid.lower() == task.uuid.lower()
                or other.next_label == replace(task, attempt=other.attempt).next_label
            )
            for other in others
        )

    def put_away(
        self, *, before: dt.datetime, fits: Callable[[Task], bool]
    ) -> list[Task]:
        """Take the tasks that belong to the archive, and fit there, out of the queues."""
        queues = self._contents.queues()
        needed = _needed(task for queue in queues for task in queue.tasks)
        away: list[Task] = []
        for queue in queues:
            old = [
                task
                for task in queue.tasks
                if _is_over(task, before) and not _refs(task) & needed and fits(task)
            ]
            gone = {id(task) for task in old}
            tasks = self._open(queue.meta.source)
            tasks[:] = [task for task in tasks if id(task) not in gone]
            away.extend(old)
        return away

    def changed(self) -> list[Queue]:
        """Return the queues that differ from what the store holds."""
        return [
            self._result(source)
            for source, queue in self._before.items()
            if self._differs(source, queue)
        ]

    def _differs(self, source: str, queue: Queue) -> bool:
        tasks = self._tasks[source]
        is_same = len(tasks) == len(queue.tasks) and all(
            new is old for new, old in zip(tasks, queue.tasks, strict=True)
        )
        is_new = source not in self._contents.names()
        return is_new or not is_same or self._metas[source] != queue.meta

    def _result(self, source: str) -> Queue:
        """Return a queue as it will be; tasks that have no uuid yet get theirs."""
        tasks = [
            task if task.uuid else replace(task, uuid=self._ids.uuid4())
            for task in self._tasks[source]
        ]
        return self._before[source].changed(self._metas[source], tasks)

    def _open(self, source: str) -> list[Task]:
        if source not in self._tasks:
            names = self._contents.names()
            if source not in names:
                raise UnknownSource(name=source, known=names)
            queue = self._contents.queue(source)
            self._before[source] = queue
            self._metas[source] = queue.meta
            self._tasks[source] = list(queue.tasks)
        return self._tasks[source]


def submit_record(task: Task, *, now: dt.datetime) -> Record:
    """Return the audit record of a task that was added."""
    return Record(
        ts=now,
        event=Event.SUBMIT.value,
        task_id=task.id,
        queue=task.queue,
        after=task.status.value,
    )


def claim_record(task: Task, *, now: dt.datetime) -> Record:
    """Return the audit record of a claim."""
    return Record(
        ts=now,
        event=Event.CLAIM.value,
        task_id=task.id,
        queue=task.queue,
        before=Status.PENDING.value,
        after=task.status.value,
        label=task.label,
    )


def archive_record(task: Task, *, now: dt.datetime) -> Record:
    """Return the audit record of a move to the archive; no status follows it."""
    return Record(
        ts=now,
        event=Event.ARCHIVE.value,
        task_id=task.id,
        queue=task.queue,
        before=task.status.value,
    )


def _place(tasks: Sequence[Task], wanted: Task) -> int | None:
    for at, task in enumerate(tasks):
        if task.id == wanted.id and _is_same(task, wanted):
            return at
    return None


def _is_same(stored: Task, seen: Task) -> bool:
    """Report whether a task is still what a caller saw.

    The stamps that a commit itself sets do not count: a caller may go on from the value
    that it committed, and a task that went there and back again is the same task.
    """
    return stored == replace(
        seen, updated_at=stored.updated_at, uuid=seen.uuid or stored.uuid
    )


def _is_over(task: Task, before: dt.datetime) -> bool:
    """Report whether a task is finished since long and its session seen gone."""
    ended = task.completed_at or task.updated_at or task.added_at
    return task.status.is_terminal and task.claim is None and ended < before


def _needed(tasks: Iterable[Task]) -> set[TaskRef]:
    """Return what tasks that can still move depend on, in the form that they use.

    Bare where the task has left the queue that they name, as ``dependencies.parent_of``
    finds it.
    """
    known: set[TaskRef] = set()
    needed: set[TaskRef] = set()
    for task in tasks:
        known.add(task.ref)
        if not task.status.is_terminal:
            needed.update(map(TaskRef.parse, task.depends_on))
    return {ref if ref in known else TaskRef(ref.number) for ref in needed}


def _refs(task: Task) -> set[TaskRef]:
    """Return both forms in which others can name a task."""
    return {task.ref, TaskRef(task.ref.number)}
