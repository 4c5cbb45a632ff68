"""Several files replaced together: all of them, or none, whatever happens.

The journal holds what each file will be, with a fingerprint of what it was and will
be. Once it is on the disk the commit has happened; whoever comes after a crash writes
what is missing. All of it runs under the directory's lock. Source: SPEC 5.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Sequence
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

STEPS = ("checked", "journal", "backup", "replaced", "appended", "dropped")
"""Points at which a crash leaves a different picture, for tests that make one."""


class HandEdit(Exception):  # noqa: N818 - a signal to start over, not an error
    """A file is not what it was when the commit was computed; nothing was written."""


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


def fingerprint(data: bytes | None) -> str:
    """Return what tells a file's content from its neighbours in time; "" for no file.

    Length and CRC-32 see every edit of one place and miss a chance one in four
    billion. Nobody attacks here: who could forge a collision may write the file. A
    cryptographic hash would cost every hook the 5 ms of ``import hashlib``.
    """
    return "" if data is None else f"{len(data)}-{zlib.crc32(data):08x}"


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
        make_directory(os.path.dirname(self._path))
        write_atomic(self._path, _encode(parts))
        self._at("journal")
        try:
            # Writing the journal took its time. As long as no file was touched, an
            # edit of these milliseconds can still be respected by starting over.
            self._check(parts)
        except HandEdit:
            self._drop()
            # This one must not come back: the next pass may decide something else.
            sync_directory(os.path.dirname(self._path))
            raise
        self._apply(parts)

    def redo(self) -> None:
        """Finish the commit that was left, if one was. Safe to repeat.

        Raises:
            StoreError: the journal cannot be read, or a file cannot be written.
        """
        data = read_file(self._path)
        if data is not None:
            self._apply(_decode(data, self._path))

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

    def _apply(self, parts: Sequence[Part]) -> None:
        touched: set[str] = set()
        for part in parts:
            if isinstance(part, Replace):
                touched |= self._replace(part)
                self._at("replaced")
            else:
                self._append(part)
                self._at("appended")
        for directory in sorted(touched):
            sync_directory(directory)
        self._drop()
        self._at("dropped")

    def _drop(self) -> None:
        # A power cut may bring the journal back: each file then is what it says, and
        # nothing is left to do. The next commit's own journal takes its place.
        remove_file(self._path)

    def _replace(self, part: Replace) -> set[str]:
        """Write one file; return the directories whose names changed."""
        path = os.path.join(self._root, part.path)
        now = fingerprint(read_file(path))
        if now == fingerprint(part.after):
            # The crash may have come between the rename and its way to the disk.
            return {os.path.dirname(path)}
        if now != part.before and not _is_ours(part.path):
            path = self._kept(part.path)
        elif os.sep not in part.path:
            self._keep_old(path, part.path)
            self._at("backup")
        make_directory(os.path.dirname(path))
        return {replace_file(path, part.after)}

    def _keep_old(self, path: str, name: str) -> None:
        """Link the version that is about to be replaced into the backup folder."""
        backup = os.path.join(self._root, ".state", "backup", name)
        make_directory(os.path.dirname(backup))
        beside = f"{backup}.new"
        if not os.path.exists(path):
            return
        remove_file(beside)
        try:
            os.link(os.path.realpath(path), beside)
            os.replace(beside, backup)
        except OSError:
            # Some file systems have no hard links.
            write_atomic(backup, read_file(path) or b"")

    def _append(self, part: Append) -> None:
        path = os.path.join(self._root, part.path)
        make_directory(os.path.dirname(path))
        with explained(path), open_lines(path) as fd:
            size = os.fstat(fd).st_size
            rest = os.pread(fd, size, part.at)
            if rest.startswith(part.text):
                return
            # A beginning of our own text is written anew; whole lines that others
            # appended in the meantime stay.
            is_ours = size >= part.at and part.text.startswith(rest)
            write_at(fd, part.at if is_ours else whole_length(fd), part.text)


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
