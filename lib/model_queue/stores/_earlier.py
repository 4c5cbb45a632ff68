"""Versions of queues that lie beside the files: what a restore can choose from."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Collection, Iterator
from contextlib import suppress
from typing import NamedTuple

from model_queue.atomic import explained
from model_queue.errors import (
    CorruptQueueFile,
    Earlier,
    MissingQueueFile,
    ModelQueueError,
    StoreError,
    UnsettledFile,
    UnusableQueueFile,
)
from model_queue.queuefile import Queue
from model_queue.stores._archive import ReadQueue
from model_queue.stores._exchange import BACKUP, LATEST

UNSETTLED = ".state/unsettled"
_DIRECTORIES = (BACKUP, LATEST, UNSETTLED)
_LAST_SECOND = 253402300799
"""Of the year 9999: a file's time can be anything."""


class Version(NamedTuple):
    """A text of a queue that parses."""

    path: str
    """Relative."""
    queue: Queue
    earlier: Earlier


class Versions:
    """The versions of one queue directory, read and never written."""

    def __init__(self, root: str, read: ReadQueue) -> None:
        self._root = root
        self._read = read

    def missing(self, present: Collection[str]) -> list[str]:
        """Return the queues that should have a file: unfinished tasks were in the last.

        A file that is deleted when nothing is left to do is nobody's loss: its queue
        begins anew.

        Args:
            present: names of the queues that have a file.
        """
        found: list[str] = []
        names = {name for each in _DIRECTORIES for name in self._names(each)}
        for name in sorted(names):
            source = name.removesuffix(".json")
            if source not in present and self._last(source) is not None:
                found.append(source)
        return found

    def _last(self, source: str) -> Version | None:
        """Return the version that a queue without a file must not lose, if there is one."""
        last = self.newest(source)
        # A restore that was not finished: see ``_restoring``.
        is_begun = os.path.exists(self._path(f"{UNSETTLED}/{source}.json"))
        return last if last and (last.earlier.n_open or is_begun) else None

    def newest(self, source: str) -> Version | None:
        """Return the newest version of a queue that parses, None without one."""
        found: list[tuple[int, Version]] = []
        for path in self._candidates(source):
            version = self.at(path, source)
            if version is None:
                continue
            is_own = os.path.basename(path) == f"{source}.json"
            # Under another name it counts when the text itself says whose it is.
            if is_own or "source" in version.queue.names:
                with suppress(OSError):
                    found.append((os.stat(self._path(path)).st_mtime_ns, version))
        return max(found, key=lambda each: each[0])[1] if found else None

    def at(self, path: str, source: str) -> Version | None:
        """Return what a file holds, None when it does not parse or is not there."""
        full = self._path(path)
        if not os.path.isfile(full):
            return None
        try:
            queue = self._read(path, source)
            with explained(full):
                written = os.stat(full).st_mtime
        except ModelQueueError:
            return None
        return Version(path, queue, _earlier(full, queue, written))

    def unsettled(self, source: str) -> dict[str, str]:
        """Return per file that was edited in mid-commit where the commit's text lies.

        Both paths are relative; the queue's own file is the first.
        """
        found: dict[str, str] = {}
        name = f"{source}.json"
        if name in self._names(UNSETTLED):
            found[name] = f"{UNSETTLED}/{name}"
        months = f"archive/{source}"
        for name in sorted(self._names(f"{UNSETTLED}/{months}")):
            found[f"{months}/{name}"] = f"{UNSETTLED}/{months}/{name}"
        return found

    def told(self, error: StoreError, source: str) -> StoreError:
        """Return an error about a queue's file with what would bring the queue back."""
        path = self._path(f"{source}.json")
        if isinstance(error, MissingQueueFile):
            return error
        if isinstance(error, UnsettledFile):
            relative = os.path.relpath(error.path, self._root)
            kept = os.path.relpath(error.kept, self._root)
            edit, commit = self.at(relative, source), self.at(kept, source)
            return UnsettledFile(
                path=error.path,
                kept=error.kept,
                source=source,
                edit=edit.earlier if edit else None,
                commit=commit.earlier if commit else None,
            )
        last = self.newest(source)
        earlier = last.earlier if last else None
        if isinstance(error, CorruptQueueFile):
            return CorruptQueueFile(
                path=error.path,
                line=error.line,
                column=error.column,
                why=error.why,
                source=source,
                earlier=earlier,
            )
        why = error.why if isinstance(error, UnusableQueueFile) else str(error)
        why = why.removeprefix(path).strip()
        return UnusableQueueFile(path=path, why=why, source=source, earlier=earlier)

    def gone(self, source: str) -> StoreError | None:
        """Return why a queue without a file stands still, None when it does not."""
        path = self._path(f"{source}.json")
        last = None if os.path.exists(path) else self._last(source)
        if last is None:
            return None
        return MissingQueueFile(path=path, source=source, earlier=last.earlier)

    def _candidates(self, source: str) -> Iterator[str]:
        for directory in _DIRECTORIES:
            for name in self._names(directory):
                if name.startswith(source):
                    yield f"{directory}/{name}"

    def _names(self, directory: str) -> list[str]:
        # What cannot be listed brings nothing back; it must not stop the other queues.
        with suppress(OSError):
            names = os.listdir(self._path(directory))
            return [n for n in names if n.endswith(".json") and not n.startswith(".")]
        return []

    def _path(self, relative: str) -> str:
        return os.path.join(self._root, relative)


def _earlier(path: str, queue: Queue, written: float) -> Earlier:
    seconds = min(max(written, 0.0), _LAST_SECOND)
    return Earlier(
        path=path,
        n_tasks=len(queue.tasks),
        n_open=sum(not task.status.is_terminal for task in queue.tasks),
        as_of=dt.datetime.fromtimestamp(seconds, dt.UTC),
    )
