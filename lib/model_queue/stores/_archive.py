"""Finished tasks by source and month: ``archive/ollama-local/2026-03.json``."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import TypeAlias

from model_queue.atomic import explained, read_file
from model_queue.errors import CorruptQueueFile
from model_queue.model import JsonObject, JsonValue, Task, TaskRef
from model_queue.queuefile import Queue, highest_number
from model_queue.store import QueueMeta

ReadQueue: TypeAlias = Callable[[str, str], Queue]
"""Takes a relative path and the source; returns what the file holds."""


class Archive:
    """The archive of one queue directory, read and never written.

    A file that does not parse is passed over here; it is never written over, since the
    tasks of its month stay in their queue.
    """

    def __init__(self, root: str, read: ReadQueue) -> None:
        self._root = root
        self._read = read

    def files(self, source: str | None = None) -> Iterator[tuple[str, str]]:
        """Yield source and relative path of each file, sorted.

        A directory or a pipe that has such a name is none; ``doctor`` tells of it.
        """
        for name in _entries(self._path("archive")):
            if source in {None, name}:
                for file in _entries(self._path(f"archive/{name}")):
                    path = f"archive/{name}/{file}"
                    is_ours = file.endswith(".json") and not file.startswith(".")
                    if is_ours and os.path.isfile(self._path(path)):
                        yield name, path

    def find(self, ref: TaskRef) -> list[Task]:
        """Return the archived tasks that a reference names."""
        mark = f'"{ref.id}"'.encode()
        found: list[Task] = []
        for source, path in self.files(ref.source):
            # A file of thousands of tasks is parsed only where the id occurs.
            if mark in (read_file(self._path(path)) or b""):
                tasks = self.tasks(source, path)
                found.extend(task for task in tasks if task.id == ref.id)
        return found

    def unreadable(self, ref: TaskRef | None = None) -> Iterator[CorruptQueueFile]:
        """Yield what is wrong with each file that does not parse.

        Only with those in whose text an id occurs, where one is given.
        """
        mark = b"" if ref is None else f'"{ref.id}"'.encode()
        for source, path in self.files(ref.source if ref else None):
            if mark in (read_file(self._path(path)) or b""):
                try:
                    self._read(path, source)
                except CorruptQueueFile as error:
                    yield error

    def queue(self, source: str, month: str, meta: QueueMeta) -> tuple[str, Queue]:
        """Return path and content of a month's file; a new one takes ``meta``.

        Raises:
            CorruptQueueFile: it does not parse.
        """
        path = f"archive/{source}/{month}.json"
        if os.path.exists(self._path(path)):
            return path, self._read(path, source)
        return path, Queue(meta)

    def numbers(self, known: JsonObject) -> JsonObject:
        """Return per file its stat and its highest number.

        Only files that changed since ``known``, the answer of last time, are read.
        """
        now: JsonObject = {}
        for _, path in self.files():
            with explained(path):
                stat = os.stat(self._path(path))
            stamp: list[JsonValue] = [stat.st_mtime_ns, stat.st_size]
            last = known.get(path)
            if isinstance(last, list) and last[:2] == stamp:
                now[path] = last
            else:
                data = read_file(self._path(path)) or b""
                now[path] = [*stamp, highest_number(data)]
        return now

    def tasks(self, source: str, path: str) -> tuple[Task, ...]:
        """Return the tasks of a file, none when it does not parse."""
        try:
            return self._read(path, source).tasks
        except CorruptQueueFile:
            return ()

    def _path(self, relative: str) -> str:
        return os.path.join(self._root, relative)


def highest(numbers: JsonObject) -> dict[str, int]:
    """Return per file its highest number."""
    found: dict[str, int] = {}
    for path, entry in numbers.items():
        match entry:
            case [_, _, int(number)]:
                found[path] = number
            case _:
                pass
    return found


def month_of(task: Task) -> str:
    """Return the month that a finished task is filed under, UTC."""
    ended = task.completed_at or task.updated_at or task.added_at
    return f"{ended:%Y-%m}"


def _entries(path: str) -> list[str]:
    with explained(path):
        try:
            return sorted(os.listdir(path))
        except (FileNotFoundError, NotADirectoryError):
            return []
