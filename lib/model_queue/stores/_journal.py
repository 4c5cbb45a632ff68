"""Several files replaced together: all of them, or none, whatever happens.

The journal holds what each file will be, with a fingerprint of what it was and will
be. Once it is on the disk the commit has happened; whoever comes after a crash writes
what is missing. All of it runs under the directory's lock. Source: SPEC 5.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TypeAlias

from model_queue import jsontext
from model_queue.atomic import (
    explained,
    make_directory,
    open_lines,
    read_file,
    remove_file,
    replace_file,
    sync_directory,
    whole_length,
    write_at,
    write_atomic,
)
from model_queue.errors import StoreError
from model_queue.model import JsonObject
from model_queue.stores._exchange import BACKUP, Exchange, HandEdit, fingerprint

STEPS = ("checked", "journal", "replaced", "appended", "backup", "dropped")
"""Points at which a crash leaves a different picture, for tests that make one."""


class Replace:
    """A file that gets new content as a whole."""

    __slots__ = ("after", "before", "path")

    def __init__(self, path: str, *, before: str, after: bytes) -> None:
        """Take the path, relative; the old content's fingerprint; the new content."""
        self.path = path
        self.before = before
        self.after = after


class Append:
    """Lines that follow the first ``at`` bytes of a file."""

    __slots__ = ("at", "path", "text")

    def __init__(self, path: str, *, at: int, text: bytes) -> None:
        self.path = path
        self.at = at
        self.text = text


Part: TypeAlias = Replace | Append


class Journal:
    """The one commit of a queue directory that may be half done."""

    def __init__(self, root: str, *, at: Callable[[str], None]) -> None:
        """Take the queue directory, and what is called after each of ``STEPS``."""
        self._root = root
        self._path = os.path.join(root, ".state", "journal")
        self._at = at

    @property
    def is_left(self) -> bool:
        """A commit was not finished; ``redo`` must run before anything is read."""
        return os.path.exists(self._path)

    def commit(self, parts: Sequence[Part]) -> None:
        """Write all parts.

        Raises:
            HandEdit: a file changed since it was read.
            StoreError: the journal could not be written: nothing was changed; or a
                file could not: the next ``redo`` goes on.
        """
        if not parts:
            return
        self._check(parts)
        self._at("checked")
        files = self._exchanges(parts)
        try:
            for file in files:
                file.prepare()
            self._write(parts)
        except StoreError:
            for file in files:
                file.discard()
            raise
        self._at("journal")
        try:
            # All that took its time: as long as no file was touched, an edit of these
            # milliseconds can still be respected by starting over.
            self._check(parts)
            swapped = self._swap(files)
        except HandEdit:
            for file in files:
                file.discard()
            self._drop()
            # This one must not come back: the next pass may decide something else.
            sync_directory(os.path.dirname(self._path))
            raise
        self._end(parts, swapped)

    def redo(self) -> None:
        """Finish the commit that was left, if one was. Safe to repeat.

        Raises:
            StoreError: the journal cannot be read, or a file cannot be written.
        """
        data = read_file(self._path)
        if data is None:
            return
        parts = _decode(data, self._path)
        # The crash may have come before the journal's name was on the disk, and a
        # power cut must not take back what is half redone.
        sync_directory(os.path.dirname(self._path))
        swapped: list[Exchange] = []
        for file in self._exchanges(parts):
            if not file.resume():
                self._keep(file)
            swapped.append(file)
            self._at("replaced")
        self._end(parts, swapped)

    def pending(self) -> dict[str, bytes]:
        """Return what the files will be once the commit that was left is finished.

        By relative path; {} without one. For readers, where nothing can be written. A
        file that was edited meanwhile is left out.

        Raises:
            StoreError: the journal cannot be read.
        """
        data = read_file(self._path)
        found: dict[str, bytes] = {}
        for part in _decode(data, self._path) if data is not None else ():
            now = read_file(os.path.join(self._root, part.path))
            if isinstance(part, Append):
                old = now or b""
                if part.text.startswith(old[part.at :]):
                    found[part.path] = old[: part.at] + part.text
            elif fingerprint(now) in {"", part.before} or _is_ours(part.path):
                found[part.path] = part.after
        return found

    def unsettled(self, source: str) -> tuple[str, str] | None:
        """Return a file of a source that was edited in mid-commit, None without one.

        Returns:
            Its relative path, and where the text lies that was kept out of it.
        """
        if not os.path.isdir(self._kept("")):
            return None
        path = f"{source}.json"
        months = self._kept(f"archive/{source}")
        if os.path.isdir(months):
            for name in os.listdir(months):
                if name.startswith("."):
                    # A writer that was killed left it; the text itself is not there.
                    continue
                return f"archive/{source}/{name}", os.path.join(months, name)
        return (path, self._kept(path)) if os.path.exists(self._kept(path)) else None

    def _kept(self, path: str) -> str:
        return os.path.join(self._root, ".state", "unsettled", path)

    def _check(self, parts: Sequence[Part]) -> None:
        for part in parts:
            if isinstance(part, Replace) and not _is_ours(part.path):
                now = read_file(os.path.join(self._root, part.path))
                if fingerprint(now) != part.before:
                    raise HandEdit

    def _exchanges(self, parts: Sequence[Part]) -> list[Exchange]:
        """Return the exchange of each file that a person may edit."""
        return [
            Exchange(self._root, part.path, before=part.before, after=part.after)
            for part in parts
            if isinstance(part, Replace)
            and not _is_ours(part.path)
            # What stays as it is keeps its backup too.
            and part.before != fingerprint(part.after)
        ]

    def _write(self, parts: Sequence[Part]) -> None:
        make_directory(os.path.dirname(self._path))
        try:
            write_atomic(self._path, _encode(parts))
        except StoreError:
            # The caller is told that nothing was changed: nothing must be, later.
            with suppress(StoreError):
                self._drop()
            raise

    def _swap(self, files: Sequence[Exchange]) -> list[Exchange]:
        """Exchange the files.

        Raises:
            HandEdit: the first one was edited; nothing was changed.
        """
        swapped: list[Exchange] = []
        for file in files:
            try:
                file.swap()
            except HandEdit:
                if not swapped:
                    raise
                self._keep(file)
            swapped.append(file)
            self._at("replaced")
        return swapped

    def _keep(self, file: Exchange) -> None:
        """Keep a text that a person's edit leaves no place; its queue stands still."""
        path = self._kept(file.name)
        make_directory(os.path.dirname(path))
        write_atomic(path, file.after)
        file.give_way()

    def _end(self, parts: Sequence[Part], swapped: Sequence[Exchange]) -> None:
        """Write what is the store's own, once the exchanged files are on the disk."""
        touched = {file.directory for file in swapped}
        for part in parts:
            if isinstance(part, Append):
                touched |= self._append(part)
                self._at("appended")
            elif _is_ours(part.path):
                touched |= self._replace(part)
                self._at("replaced")
        for directory in sorted(touched):
            sync_directory(directory)
        ours = {part.path for part in parts}
        for file in swapped:
            file.keep_copy()
            if file.is_disturbed():
                self._keep(file)
                sync_directory(file.directory)
            file.finish(has_backup=f"{BACKUP}/{file.name}" in ours)
            self._at("backup")
        self._drop()
        self._at("dropped")

    def _drop(self) -> None:
        # A power cut may bring the journal back: each file then is what it says, and
        # nothing is left to do. The next commit's own journal takes its place.
        remove_file(self._path)

    def _replace(self, part: Replace) -> set[str]:
        """Write a file that nobody edits; return the directory whose names changed."""
        path = os.path.join(self._root, part.path)
        if fingerprint(read_file(path)) == fingerprint(part.after):
            # The crash may have come between the rename and its way to the disk.
            return {os.path.dirname(path)}
        make_directory(os.path.dirname(path))
        return {replace_file(path, part.after)}

    def _append(self, part: Append) -> set[str]:
        """Write lines; return the directory whose names changed."""
        path = os.path.join(self._root, part.path)
        directory = os.path.dirname(path)
        make_directory(directory)
        with explained(path), open_lines(path) as fd:
            size = os.fstat(fd).st_size
            rest = os.pread(fd, size, part.at)
            if rest.startswith(part.text):
                # The crash may have come before they were on the disk.
                os.fsync(fd)
            else:
                # A beginning of our own text is written anew; whole lines that others
                # appended in the meantime stay.
                is_ours = size >= part.at and part.text.startswith(rest)
                write_at(fd, part.at if is_ours else whole_length(fd), part.text)
        return set() if part.at and size else {directory}


def _is_ours(path: str) -> bool:
    """Report whether a file is the store's own, which nobody edits."""
    return path.startswith(f".state{os.sep}")


def _encode(parts: Sequence[Part]) -> bytes:
    """Return the journal: for each part a line that describes it, then its bytes."""
    pieces: list[bytes] = []
    for part in parts:
        head: JsonObject
        if isinstance(part, Replace):
            data = part.after
            head = {"replace": part.path, "before": part.before}
        else:
            data = part.text
            head = {"append": part.path, "at": part.at}
        head |= {"size": len(data), "after": fingerprint(data)}
        pieces += [jsontext.dumps(head).encode(), b"\n", data, b"\n"]
    return b"".join(pieces)


def _decode(data: bytes, path: str) -> list[Part]:
    parts: list[Part] = []
    at = 0
    while at < len(data):
        start = data.find(b"\n", at) + 1
        part, size = _read_part(data[at:start], data, start)
        if part is None:
            sentence = f"the journal {path} does not parse at byte {at}"
            hint = "A commit was not finished; move the file away to go on without it."
            raise StoreError(sentence, hint=hint)
        parts.append(part)
        at = start + size + 1
    return parts


def _read_part(head: bytes, data: bytes, start: int) -> tuple[Part | None, int]:
    try:
        wire = jsontext.loads(head.decode())
    except ValueError:
        return None, 0
    size = wire.get("size") if isinstance(wire, dict) else None
    text = data[start : start + size] if isinstance(size, int) else b""
    match wire:
        case {"after": str(after)} if after != fingerprint(text):
            return None, 0
        case {"replace": str(path), "before": str(before)}:
            return Replace(path, before=before, after=text), len(text)
        case {"append": str(path), "at": int(at)}:
            return Append(path, at=at, text=text), len(text)
        case _:
            return None, 0
