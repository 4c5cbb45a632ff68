"""One look at a queue directory under its lock, and what is to be written to it."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress

from model_queue import jsontext
from model_queue.atomic import explained, read_file
from model_queue.errors import (
    CorruptQueueFile,
    ModelQueueError,
    StoreError,
    UnknownSource,
    UnsettledFile,
    UnusableQueueFile,
)
from model_queue.model import JsonObject, Task, TaskRef
from model_queue.queuefile import (
    Queue,
    as_written,
    decode_queue,
    encode_queue,
    highest_number,
)
from model_queue.store import QueueMeta, Record, Seen
from model_queue.stores import _events, _outbox, _seen, _traces
from model_queue.stores._archive import Archive, highest, month_of
from model_queue.stores._earlier import Versions
from model_queue.stores._exchange import BACKUP, LATEST, fingerprint
from model_queue.stores._journal import Append, Journal, Part, Replace
from model_queue.stores._work import Highest

Cache = dict[str, tuple[bytes, Queue | StoreError]]
"""Per path the bytes last read and what they hold. Compared with the bytes that are
there now, never with times: an edit within one tick of the clock must be seen."""

_OUTBOX = ".state/outbox"
_SEEN = ".state/seen"
_COUNTER = ".state/counter"


class Disk:
    """The contents of the directory; each file is read once.

    Changes are collected, and written by ``commit``, all or none.
    """

    def __init__(
        self,
        root: str,
        journal: Journal,
        cache: Cache,
        *,
        pending: Mapping[str, bytes] | None = None,
    ) -> None:
        """Take the directory; ``pending`` stands for files that cannot be written."""
        self._root = root
        self._journal = journal
        self._cache = cache
        self._names: list[str] | None = None
        self._bytes: dict[str, bytes | None] = {**(pending or {})}
        self._pending = [path for path in self._bytes if os.sep not in path]
        self._numbers: JsonObject = {}
        self._parts: list[Part] = []
        self._written: Cache = {}
        self._archive = Archive(root, self._parsed)
        self.versions = Versions(root, self._version)

    def names(self) -> Sequence[str]:
        """Return the names of the queues that have a file, or should; sorted."""
        if self._names is None:
            present = [
                name.removesuffix(".json")
                for name in sorted({*_entries(self._root), *self._pending})
                if name.endswith(".json")
                and not name.startswith(".")
                # What is there but no file stands in a queue's place. A link that
                # leads nowhere does not: the file that it names can be created.
                and (name in self._pending or os.path.exists(self._path(name)))
            ]
            self._names = sorted([*present, *self.versions.missing(present)])
        return self._names

    def queue(self, source: str) -> Queue:
        """Return a queue that has a file.

        Raises:
            CorruptQueueFile: it does not parse.
            UnsettledFile: it was edited in the middle of a commit.
            MissingQueueFile: it is gone, and unfinished tasks were in it.
            UnusableQueueFile: it cannot be read.
        """
        try:
            return self._whole_queue(source)
        except StoreError as error:
            raise self.versions.told(error, source) from error

    def _whole_queue(self, source: str) -> Queue:
        path = self._path(f"{source}.json")
        if os.path.exists(path) and not os.path.isfile(path):
            # Not even opened: a pipe would wait for its writer.
            raise UnusableQueueFile(path=path, why="is no file")
        is_pending = f"{source}.json" in self._pending
        gone = None if is_pending else self.versions.gone(source)
        if gone is not None:
            raise gone
        unsettled = self._journal.unsettled(source)
        if unsettled is not None:
            raise UnsettledFile(path=self._path(unsettled[0]), kept=unsettled[1])
        return self._parsed(f"{source}.json", source)

    def queues(self) -> list[Queue]:
        """Return the queues that can be read, sorted by name."""
        return [queue for queue in self.all_queues() if queue.meta.broken is None]

    def all_queues(self) -> list[Queue]:
        """Return every queue; one that cannot be read is empty and says why."""
        found: list[Queue] = []
        for name in self.names():
            try:
                found.append(self.queue(name))
            except StoreError as error:
                meta = QueueMeta(source=name, broken=str(error), fault=error)
                found.append(Queue(meta))
        return found

    def archived(self, ref: TaskRef) -> list[Task]:
        """Return the archived tasks that a reference names."""
        return self._archive.find(ref)

    def stopped(self, ref: TaskRef) -> ModelQueueError | None:
        """Return why a queue stands still that holds a task, None when none does."""
        mark = f'"{ref.id}"'.encode()
        for queue in self.all_queues():
            name, fault = f"{queue.meta.source}.json", queue.meta.fault
            if fault is not None and ref.source in {None, queue.meta.source}:
                for path in (f"{BACKUP}/{name}", f"{LATEST}/{name}", name):
                    full = self._path(path)
                    if os.path.isfile(full) and mark in (read_file(full) or b""):
                        return fault
        return None

    def unreadable(self, ref: TaskRef) -> CorruptQueueFile | None:
        """Return what is wrong with an archive file that may hold a task, None if none."""
        return next(self._archive.unreadable(ref), None)

    def highest_number(self) -> Highest:
        """Return the highest number in any queue, the archive or ``.state/``.

        Where the counter is lost, what else tells of old tasks is looked through.
        """
        counter = self._counter()
        known = counter.get("archive")
        self._numbers = self._archive.numbers(known if isinstance(known, dict) else {})
        live = self._live_numbers()
        number = counter.get("number")
        if isinstance(number, int):
            found = {_COUNTER: number, **_traces.backups(self._root, but=live)}
        else:
            found = {_COUNTER: 0, **_traces.backups(self._root, but=())}
            found.update(_traces.numbers(self._root))
        # Where several hold it, the file that a person edits is the one to name.
        found = {**live, **highest(self._numbers), **found}
        path = max(found, key=lambda each: found[each])
        return Highest(found[path], held_by=self._path(path))

    def _live_numbers(self) -> dict[str, int]:
        """Return per queue file that can be read its highest number."""
        found: dict[str, int] = {}
        for path in (f"{name}.json" for name in self.names()):
            # Of one that cannot be read, backup and counter tell the number.
            with suppress(StoreError):
                if os.path.isfile(self._path(path)):
                    found[path] = highest_number(self._read(path) or b"")
        return found

    def outbox(self) -> list[_outbox.Waiting]:
        """Return the notices that wait."""
        return _outbox.decode((self._read(_OUTBOX) or b"").split(b"\n")[:-1])

    def answer(self, key: str, *, now: dt.datetime) -> JsonObject | None:
        """Return the answer under a seen key, None when there is none."""
        return _seen.find(self._read(_SEEN) or b"", key, now=now)

    def events(self, limit: int) -> list[Record]:
        """Return the newest audit records, oldest first."""
        return _events.newest(self._root, limit)

    def fits_archive(self, task: Task) -> bool:
        """Report whether the file of the task's month can take it."""
        try:
            self._archive.queue(task.queue, month_of(task), QueueMeta(source="-"))
        except StoreError:
            return False
        return True

    def put_queue(self, queue: Queue) -> None:
        """Write a queue's file."""
        self._put_parsed(f"{queue.meta.source}.json", queue)

    def raw(self, path: str) -> bytes | None:
        """Return the bytes of a file, None when there is none."""
        return self._read(path)

    def put_raw(self, path: str, data: bytes) -> None:
        """Write a file as it is given."""
        self._put(path, data)

    def all_archived(self) -> list[Task]:
        """Return every archived task of every source."""
        files = self._archive.files()
        return [task for each in files for task in self._archive.tasks(*each)]

    def put_archived(self, tasks: Sequence[Task]) -> None:
        """Add tasks to the archive."""
        for source, month in sorted({(task.queue, month_of(task)) for task in tasks}):
            meta = self.queue(source).meta._replace(last_id=None, paused=None, extra={})
            path, old = self._archive.queue(source, month, meta)
            new = [t for t in tasks if (t.queue, month_of(t)) == (source, month)]
            self._put_parsed(path, old.changed(old.meta, [*old.tasks, *new]))

    def take_archived(self, tasks: Sequence[Task]) -> None:
        """Take tasks that were found there out of the archive."""
        gone = {id(task) for task in tasks}
        for source in {task.queue for task in tasks}:
            for _, path in self._archive.files(source):
                old = self._archive.tasks(source, path)
                kept = [task for task in old if id(task) not in gone]
                if len(kept) < len(old):
                    queue = self._parsed(path, source)
                    self._put_parsed(path, queue.changed(queue.meta, kept))

    def put_outbox(self, rows: Sequence[_outbox.Waiting]) -> None:
        """Write the notices that wait."""
        data = _outbox.encode(rows)
        if data != (self._read(_OUTBOX) or b""):
            self._put(_OUTBOX, data)

    def put_answers(
        self, answers: Sequence[tuple[Seen, JsonObject]], *, now: dt.datetime
    ) -> None:
        """Write the answers under their keys; the last one of a key holds."""
        if not answers:
            return
        lines = [
            _seen.line(seen.key, answer, until=seen.until, now=now)
            for seen, answer in answers
        ]
        text = b"".join(line + b"\n" for line in lines)
        data = self._read(_SEEN) or b""
        if _seen.is_tidied(data, now=now):
            at = data.rfind(b"\n") + 1
            self._parts.append(Append(_SEEN, at=at, text=text))
        else:
            self._put(_SEEN, _seen.tidied(data, now=now) + text)

    def put_counter(self, number: int) -> None:
        """Write the highest number; ``highest_number`` was asked before."""
        wire: JsonObject = {"number": number, "archive": self._numbers}
        self._put(_COUNTER, jsontext.dumps(wire).encode() + b"\n")

    def append_events(self, records: Sequence[Record], *, now: dt.datetime) -> None:
        """Add to the audit log."""
        if records:
            _events.rotate(self._root, now=now)
            at, torn = _events.whole(self._path(_events.NAME))
            if torn:
                # What a disk or another program did is told, not just mended.
                records = [_events.torn_record(torn, now=now), *records]
            text = _events.encode(records)
            self._parts.append(Append(_events.NAME, at=at, text=text))

    def commit(self) -> None:
        """Write what was put.

        Raises:
            HandEdit: a file is not what was read; nothing was written.
        """
        self._journal.commit(self._parts)
        self._cache.update(self._written)

    def _parsed(self, path: str, source: str) -> Queue:
        """Return what a queue file holds, from the cache where the bytes are known."""
        return self._remembered(path, source, key=path)

    def _version(self, path: str, source: str) -> Queue:
        """Return what a file holds, taken for a version of a source's queue."""
        # Of one file it can be asked whether it is this queue's or another's.
        return self._remembered(path, source, key=f"{path} of {source}")

    def _remembered(self, path: str, source: str, *, key: str) -> Queue:
        data = self._read(path)
        if data is None:
            raise UnknownSource(name=source, known=self._names or ())
        cached = self._cache.get(key)
        if cached is None or cached[0] != data:
            cached = (data, _decoded(data, source, self._path(path)))
            self._cache[key] = cached
        if isinstance(cached[1], StoreError):
            raise cached[1]
        return cached[1]

    def _put_parsed(self, path: str, queue: Queue) -> None:
        queue = as_written(queue)
        data = encode_queue(queue)
        self._put(path, data)
        self._written[path] = (data, queue)

    def _put(self, path: str, data: bytes) -> None:
        # What was read, not what is there now: an edit in between must show when the
        # commit compares.
        before = fingerprint(self._read(path))
        self._parts.append(Replace(path, before=before, after=data))

    def _counter(self) -> JsonObject:
        try:
            wire = jsontext.loads((self._read(_COUNTER) or b"").decode())
        except ValueError:
            # It only spares work: queues and archive are looked through as well.
            return {}
        return wire if isinstance(wire, dict) else {}

    def _read(self, path: str) -> bytes | None:
        if path not in self._bytes:
            self._bytes[path] = read_file(self._path(path))
        return self._bytes[path]

    def _path(self, relative: str) -> str:
        return os.path.join(self._root, relative)


def _decoded(data: bytes, source: str, path: str) -> Queue | StoreError:
    try:
        return decode_queue(data, source=source, path=path)
    except StoreError as error:
        return error


def _entries(path: str) -> list[str]:
    with explained(path):
        try:
            return sorted(os.listdir(path))
        except FileNotFoundError:
            return []
