"""The store of use-case tests: the whole contract, in one process's memory."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from threading import Lock

from model_queue.dependencies import nearest_ids
from model_queue.errors import NothingToRestore, TaskNotFound, UnknownSource
from model_queue.model import JsonObject, Task, TaskRef
from model_queue.ports import IdSource
from model_queue.queuefile import Queue
from model_queue.store import (
    Batch,
    Committed,
    Notice,
    Query,
    QueueMeta,
    Record,
    Restored,
    Seen,
)
from model_queue.stores import _lookup, _outbox, _seen
from model_queue.stores._work import (
    Highest,
    Work,
    archive_record,
    claim_record,
    submit_record,
)


class _Contents:
    """What the store holds, as a commit reads it."""

    def __init__(self) -> None:
        self.by_source: dict[str, Queue] = {}
        self.away: list[Task] = []
        self.number = 0

    def names(self) -> Sequence[str]:
        return sorted(self.by_source)

    def queue(self, source: str) -> Queue:
        return self.by_source[source]

    def queues(self) -> Sequence[Queue]:
        return [self.by_source[name] for name in self.names()]

    def archived(self, ref: TaskRef) -> Sequence[Task]:
        return [
            task
            for task in self.away
            if task.id == ref.id and ref.source in {None, task.queue}
        ]

    def highest_number(self) -> Highest:
        return Highest(self.number, held_by="the store in memory")


class MemoryStore:
    """A ``Store`` without files: nothing outlives the process, nothing is shared."""

    name = "memory"
    capabilities: frozenset[str] = frozenset()

    def __init__(self, *, ids: IdSource) -> None:
        self._ids = ids
        self._lock = Lock()
        self._contents = _Contents()
        self._outbox: list[_outbox.Waiting] = []
        self._seen: dict[str, bytes] = {}
        self._records: list[Record] = []

    def open_queues(
        self, queues: Sequence[QueueMeta], *, now: dt.datetime
    ) -> Sequence[str]:
        """Create missing queues and refresh models, as ``Store.open_queues`` says."""
        with self._lock:
            work = self._work(now)
            created = work.open_queues(queues)
            self._keep(work)
        return created

    def queues(self) -> Sequence[QueueMeta]:
        """Return every queue, as ``Store.queues`` says."""
        return [queue.meta for queue in self._contents.queues()]

    def get(self, ref: TaskRef) -> Task:
        """Return one task, as ``Store.get`` says."""
        queues = self._contents.queues()
        task = _lookup.the_one(_lookup.named(queues, ref), ref)
        task = task or _lookup.the_one(self._contents.archived(ref), ref)
        if task is None:
            known = [task.id for queue in queues for task in queue.tasks]
            raise TaskNotFound(ref=str(ref), nearest=nearest_ids(ref.id, known))
        return task

    def find(self, *, label: str = "", session: str = "") -> Task | None:
        """Return the task of a label or session, as ``Store.find`` says."""
        return _lookup.holder(self._contents.queues(), label=label, session=session)

    def select(self, query: Query) -> Sequence[Task]:
        """Return live or archived tasks, as ``Store.select`` says."""
        if query.archived:
            return _lookup.ended(self._contents.away, query)
        return _lookup.selected(self._contents.queues(), query)

    def claim(
        self,
        source: str,
        *,
        limit: int,
        slots: int | None = None,
        until_terminal: bool = False,
        lease: dt.timedelta,
        now: dt.datetime,
    ) -> Sequence[Task]:
        """Take tasks of one queue, as ``Store.claim`` says."""
        with self._lock:
            if source not in self._contents.names():
                return []
            work = self._work(now)
            claimed = work.claim(
                source,
                limit=limit,
                slots=slots,
                until_terminal=until_terminal,
                lease=lease,
            )
            self._keep(work)
            self._records += [claim_record(task, now=now) for task in claimed]
        return claimed

    def commit(self, batch: Batch, *, now: dt.datetime) -> Committed:
        """Write the whole batch or nothing, as ``Store.commit`` says."""
        with self._lock:
            answer = self.recall(batch.seen.key, now=now) if batch.seen else None
            if answer is not None:
                return Committed(answer=answer, repeated=True)
            work = self._work(now)
            tasks = work.apply(batch)
            answer = self._answer(batch.seen, tasks, now=now)
            for seen in batch.latest:
                self._answer(seen, tasks, now=now)
            self._keep(work)
            self._outbox = _outbox.changed(
                self._outbox, new=batch.notices, delivered=batch.delivered
            )
            self._records += batch.records
            self._records += [submit_record(task, now=now) for task in tasks]
        return Committed(tasks=tasks, answer=answer)

    def take_notices(
        self, *, chat: tuple[str, str, str], limit: int, now: dt.datetime
    ) -> Sequence[Notice]:
        """Hand out notices, as ``Store.take_notices`` says."""
        with self._lock:
            taken, self._outbox = _outbox.hand_out(
                self._outbox, chat=chat, limit=limit, now=now
            )
        return taken

    def waiting_notices(self) -> int:
        """Return how many notices are not acknowledged yet."""
        return len(self._outbox)

    def undelivered(self) -> Sequence[Notice]:
        """Return the notices that wait, as ``Store.undelivered`` says."""
        return _outbox.waiting(self._outbox)

    def recall(self, key: str, *, now: dt.datetime) -> JsonObject | None:
        """Return the answer stored under a seen key, None when there is none."""
        return _seen.find(self._seen.get(key, b""), key, now=now)

    def events(self, *, limit: int) -> Sequence[Record]:
        """Return the newest ``limit`` audit records, oldest first."""
        return self._records[-limit:] if limit > 0 else []

    def archive(self, *, before: dt.datetime, now: dt.datetime) -> Sequence[str]:
        """Move old finished tasks to the archive, as ``Store.archive`` says."""
        with self._lock:
            work = self._work(now)
            away = work.put_away(before=before, fits=lambda _: True)
            self._keep(work)
            self._contents.away += away
            self._records += [archive_record(task, now=now) for task in away]
        return [task.id for task in away]

    def restore(
        self,
        source: str,
        *,
        take: str = "",  # noqa: ARG002 - the protocol's name
        now: dt.datetime,  # noqa: ARG002 - the protocol's name
    ) -> Restored:
        """Refuse, as ``Store.restore`` says: nothing here can be broken."""
        names = self._contents.names()
        if source not in names:
            raise UnknownSource(name=source, known=_lookup.nearest_names(source, names))
        raise NothingToRestore(source=source)

    def _work(self, now: dt.datetime) -> Work:
        return Work(self._contents, now=now, ids=self._ids)

    def _keep(self, work: Work) -> None:
        for queue in work.changed():
            self._contents.by_source[queue.meta.source] = queue
        gone = {id(task) for task in work.restored}
        self._contents.away = [t for t in self._contents.away if id(t) not in gone]
        if work.number is not None:
            self._contents.number = work.number

    def _answer(
        self, seen: Seen | None, tasks: Sequence[Task], *, now: dt.datetime
    ) -> JsonObject | None:
        if seen is None:
            return None
        answer = seen.answer(tasks)
        line = _seen.line(seen.key, answer, until=seen.until, now=now)
        self._seen[seen.key] = line + b"\n"
        return answer
