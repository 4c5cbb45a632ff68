"""The store of the queue directory: one JSON file per source, edited by hand if need be.

Readers share the directory's lock, a writer has it alone. A commit goes through the
journal (``_journal``), so that several files change together; what was read is compared
right before it is replaced, so that an edit made meanwhile is never written over.
"""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TypeVar

from model_queue.atomic import explained, locked, remove_file
from model_queue.dependencies import nearest_ids
from model_queue.errors import (
    ConfigError,
    CorruptQueueFile,
    StoreBusy,
    StoreError,
    TaskNotFound,
    TaskUnreadable,
    UnknownSource,
)
from model_queue.folder import safe_name
from model_queue.model import JsonObject, Task, TaskRef
from model_queue.ports import IdSource
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
from model_queue.stores import _lookup, _outbox
from model_queue.stores._disk import Cache, Disk
from model_queue.stores._exchange import HandEdit, put_back
from model_queue.stores._journal import Journal
from model_queue.stores._work import (
    Work,
    archive_record,
    claim_record,
    submit_record,
)

_T = TypeVar("_T")

_PASSES = 20
"""Times that a commit starts over because files were edited meanwhile. A person needs
seconds for each edit, a pass milliseconds; more is a program that fights us."""
_LITTER_AGE_S = 600.0
"""Age from which a file that is to be renamed has no writer any more: writing one takes
milliseconds, on the slowest disk seconds."""


def _go_on(step: str) -> None:
    """Take note of a step of a commit; tests that crash there pass their own."""


class FilesStore:
    """A ``Store`` on the files of one directory.

    Any number of processes and threads may use the directory. It is created by
    ``open_queues`` or the first commit, with a queue file for each source.
    """

    name = "files"
    capabilities = frozenset({"durable", "shared", "hand_edits"})

    def __init__(
        self,
        queues_dir: str,
        *,
        ids: IdSource,
        lock_timeout_s: float = 5.0,
        at: Callable[[str], None] = _go_on,
    ) -> None:
        """Take the queue directory, absolute. Nothing is read or created yet."""
        self._root = queues_dir
        self._ids = ids
        self._timeout_s = lock_timeout_s
        self._at = at
        self._lock = os.path.join(queues_dir, ".state", "lock")
        self._journal = Journal(queues_dir, at=at)
        self._cache: Cache = {}

    def open_queues(
        self, queues: Sequence[QueueMeta], *, now: dt.datetime
    ) -> Sequence[str]:
        """Create missing queues and refresh models, as ``Store.open_queues`` says."""
        for meta in queues:
            if safe_name(meta.source) != meta.source:
                allowed = "of small letters, digits and . _ - only"
                raise ConfigError(key="source", value=meta.source, allowed=allowed)

        def act(disk: Disk) -> list[str]:
            _sweep(self._root, self._lock)
            work = Work(disk, now=now, ids=self._ids)
            created = work.open_queues(queues)
            for queue in work.changed():
                disk.put_queue(queue)
            return created

        return self._write(act)

    def queues(self) -> Sequence[QueueMeta]:
        """Return every queue, as ``Store.queues`` says."""
        return self._read(lambda disk: [queue.meta for queue in disk.all_queues()])

    def get(self, ref: TaskRef) -> Task:
        """Return one task, as ``Store.get`` says."""

        def act(disk: Disk) -> Task:
            queues = disk.queues()
            task = _lookup.the_one(_lookup.named(queues, ref), ref)
            task = task or _lookup.the_one(disk.archived(ref), ref)
            if task is None:
                stopped = disk.stopped(ref)
                if stopped is not None:
                    raise stopped
                fault = disk.unreadable(ref)
                if fault is not None:
                    raise _unreadable(ref, fault)
                known = [task.id for queue in queues for task in queue.tasks]
                raise TaskNotFound(ref=str(ref), nearest=nearest_ids(ref.id, known))
            return task

        return self._read(act)

    def find(self, *, label: str = "", session: str = "") -> Task | None:
        """Return the task of a label or session, as ``Store.find`` says."""
        return self._read(
            lambda disk: _lookup.holder(disk.queues(), label=label, session=session)
        )

    def select(self, query: Query) -> Sequence[Task]:
        """Return live or archived tasks, as ``Store.select`` says."""
        if query.archived:
            return self._read(lambda disk: _lookup.ended(disk.all_archived(), query))
        return self._read(lambda disk: _lookup.selected(disk.queues(), query))

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

        def act(disk: Disk) -> list[Task]:
            if source not in disk.names():
                return []
            work = Work(disk, now=now, ids=self._ids)
            try:
                claimed = work.claim(
                    source,
                    limit=limit,
                    slots=slots,
                    until_terminal=until_terminal,
                    lease=lease,
                )
            except StoreError:
                # A broken queue stands still; ``queues`` says why.
                return []
            if claimed:
                self._put(disk, work)
                records = [claim_record(task, now=now) for task in claimed]
                disk.append_events(records, now=now)
            return claimed

        return self._write(act) if self._exists() else []

    def commit(self, batch: Batch, *, now: dt.datetime) -> Committed:
        """Write the whole batch or nothing, as ``Store.commit`` says."""

        def act(disk: Disk) -> Committed:
            answer = disk.answer(batch.seen.key, now=now) if batch.seen else None
            if answer is not None:
                return Committed(answer=answer, repeated=True)
            work = Work(disk, now=now, ids=self._ids)
            tasks = work.apply(batch)
            self._put(disk, work)
            disk.put_outbox(
                _outbox.changed(
                    disk.outbox(), new=batch.notices, delivered=batch.delivered
                )
            )
            submitted = [submit_record(task, now=now) for task in tasks]
            disk.append_events([*batch.records, *submitted], now=now)
            answers = [(seen, seen.answer(tasks)) for seen in _keys_of(batch)]
            disk.put_answers(answers, now=now)
            answer = answers[0][1] if batch.seen else None
            return Committed(tasks=tasks, answer=answer)

        return self._write(act)

    def take_notices(
        self, *, chat: tuple[str, str, str], limit: int, now: dt.datetime
    ) -> Sequence[Notice]:
        """Hand out notices, as ``Store.take_notices`` says."""

        def act(disk: Disk) -> list[Notice]:
            taken, rows = _outbox.hand_out(
                disk.outbox(), chat=chat, limit=limit, now=now
            )
            disk.put_outbox(rows)
            return taken

        return self._write(act) if self._exists() else []

    def waiting_notices(self) -> int:
        """Return how many notices are not acknowledged yet."""
        return self._read(lambda disk: len(disk.outbox()))

    def undelivered(self) -> Sequence[Notice]:
        """Return the notices that wait, as ``Store.undelivered`` says."""
        return self._read(lambda disk: _outbox.waiting(disk.outbox()))

    def recall(self, key: str, *, now: dt.datetime) -> JsonObject | None:
        """Return the answer stored under a seen key, None when there is none."""
        return self._read(lambda disk: disk.answer(key, now=now))

    def events(self, *, limit: int) -> Sequence[Record]:
        """Return the newest ``limit`` audit records, oldest first."""
        return self._read(lambda disk: disk.events(limit))

    def archive(self, *, before: dt.datetime, now: dt.datetime) -> Sequence[str]:
        """Move old finished tasks to the archive, as ``Store.archive`` says."""

        def act(disk: Disk) -> list[str]:
            work = Work(disk, now=now, ids=self._ids)
            away = work.put_away(before=before, fits=disk.fits_archive)
            if away:
                disk.put_archived(away)
                self._put(disk, work)
                records = [archive_record(task, now=now) for task in away]
                disk.append_events(records, now=now)
            return [task.id for task in away]

        return self._write(act) if self._exists() else []

    def restore(self, source: str, *, take: str = "", now: dt.datetime) -> Restored:
        """Get a queue going again whose file stops it, as ``Store.restore`` says."""
        # Imported here: a hook that restores nothing does not pay for it.
        from model_queue.stores._restoring import Restore  # noqa: PLC0415

        if not self._exists():
            raise UnknownSource(name=source, known=())
        one = Restore(
            self._root, source, take=take, now=now, ids=self._ids, at=self._at
        )
        return self._write(one.plan, then=one.settle)

    @staticmethod
    def _put(disk: Disk, work: Work) -> None:
        for queue in work.changed():
            disk.put_queue(queue)
        if work.restored:
            disk.take_archived(work.restored)
        if work.number is not None:
            disk.put_counter(work.number)

    def _exists(self) -> bool:
        return os.path.lexists(self._root)

    def _read(self, act: Callable[[Disk], _T]) -> _T:
        """Let ``act`` look at the directory; a commit left half done is finished first."""
        if not self._exists():
            # Looking must not create anything.
            return act(self._disk())
        while True:
            with locked(self._lock, timeout_s=self._timeout_s, shared=True):
                if not self._journal.is_left:
                    return act(self._disk())
            # The lock is let go in between: whoever comes first finishes the commit.
            try:
                with locked(self._lock, timeout_s=self._timeout_s):
                    self._journal.redo()
            except StoreError:
                # Nothing can be written now; what is committed can be told all the same.
                with locked(self._lock, timeout_s=self._timeout_s, shared=True):
                    return act(self._disk(self._journal.pending()))

    def _write(
        self, act: Callable[[Disk], _T], *, then: Callable[[], None] | None = None
    ) -> _T:
        """Let ``act`` compute a commit, write it, and start over after a hand edit.

        ``then`` is called once it is written, before others may go on.
        """
        with locked(self._lock, timeout_s=self._timeout_s):
            self._journal.redo()
            for _ in range(_PASSES):
                disk = self._disk()
                done = act(disk)
                try:
                    disk.commit()
                except HandEdit:
                    continue
                if then is not None:
                    then()
                return done
        raise StoreBusy(path=self._root, waited_s=self._timeout_s)

    def _disk(self, pending: Mapping[str, bytes] | None = None) -> Disk:
        return Disk(self._root, self._journal, self._cache, pending=pending)


def _unreadable(ref: TaskRef, fault: CorruptQueueFile) -> TaskUnreadable:
    return TaskUnreadable(
        ref=str(ref),
        path=fault.path,
        line=fault.line,
        column=fault.column,
        why=fault.why,
    )


def _keys_of(batch: Batch) -> list[Seen]:
    return [*([batch.seen] if batch.seen else []), *batch.latest]


def _sweep(root: str, lock: str) -> None:
    """Remove what writers that were killed left beside the files.

    Only what is old: the lock that is held keeps the store's writers out, but others
    write into the same directories, and a file that they have just written must stay
    until they have renamed it.
    """
    litter: list[str] = []
    for directory in (root, os.path.join(root, ".state")):
        with explained(directory):
            names = os.listdir(directory)
        put_back(directory, names)
        litter += [
            os.path.join(directory, name)
            for name in names
            if name.startswith(".") and name.endswith(".tmp")
        ]
    for path in _old_ones(litter, lock) if litter else ():
        remove_file(path)


def _old_ones(paths: Sequence[str], lock: str) -> list[str]:
    """Return the files that no living writer can still be busy with."""
    found: list[str] = []
    # The file system's own clock, which may differ from ours, says what time it is.
    # Where it cannot be asked, nothing is old.
    with suppress(OSError):
        os.utime(lock)
        now = os.stat(lock).st_mtime
        for path in paths:
            # Its writer may rename it meanwhile.
            with suppress(FileNotFoundError):
                if os.stat(path).st_mtime < now - _LITTER_AGE_S:
                    found.append(path)
    return found
