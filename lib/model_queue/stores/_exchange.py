"""One file that a person may edit, replaced without ever writing over an edit.

The new text is written beside. Then the file is taken away by a rename, so that
whatever lay there at that moment is kept; it is compared; and the new text gets the
name by a hard link, which fails where an editor made a file in between. An editor that
was writing into the taken file is found by a last look at it. Two names beside the
file, ``.NAME.new.tmp`` and ``.NAME.taken``, tell after a crash how far this came.

For some microseconds the name is missing. Our own readers wait for the lock; others
see no file. Swapping two names in one act (``renameat2``) would spare them that, but
it is Linux's alone and a bare Python cannot call it.

What it cannot promise: on a file system without hard links a file that an editor makes
in the microseconds between look and rename is lost; an editor that opened the file
before the commit and writes into it after its end writes into the backup.
"""

from __future__ import annotations

import errno
import os
import stat
import zlib
from collections.abc import Iterable
from contextlib import suppress

from model_queue.atomic import (
    FILE_MODE,
    explained,
    make_directory,
    remove_file,
    sync_directory,
    write_atomic,
    write_new,
)

BACKUP = ".state/backup"
LATEST = ".state/backup/latest"
"""Per queue file a copy of what was written last: whoever replaces the file by garbage,
or writes garbage into it, leaves this one whole. It is not flushed: a power cut may
leave it torn, and then the older text is the newest that parses."""

_TAKEN = ".taken"
_NO_LINKS = {
    errno.EPERM,
    errno.EOPNOTSUPP,
    errno.ENOTSUP,
    errno.ENOSYS,
    errno.EMLINK,
}
"""What a file system answers that has no hard links, or none for this file."""


class HandEdit(Exception):  # noqa: N818 - a signal to start over, not an error
    """A file is not what it was when the commit was computed; it is as it was left."""


def fingerprint(data: bytes | None) -> str:
    """Return what tells a file's content from its neighbours in time; "" for no file.

    Length and CRC-32 see every edit of one place and miss a chance one in four
    billion. Nobody attacks here: who could forge a collision may write the file. A
    cryptographic hash would cost every hook the 5 ms of ``import hashlib``.
    """
    return "" if data is None else f"{len(data)}-{zlib.crc32(data):08x}"


class Exchange:
    """The exchange of one file; the directory's lock is held all the time."""

    def __init__(self, root: str, name: str, *, before: str, after: bytes) -> None:
        """Take the file's relative path, the old fingerprint and the new content."""
        self.name = name
        self.after = after
        self._before = before
        self._will_be = fingerprint(after)
        path = os.path.join(root, name)
        # A symbolic link stays one: the file that it names is exchanged.
        self._path = os.path.realpath(path) if os.path.islink(path) else path
        self.directory, last = os.path.split(self._path)
        self._new = os.path.join(self.directory, f".{last}.new.tmp")
        self._taken = os.path.join(self.directory, f".{last}{_TAKEN}")
        self._is_queue = os.sep not in name
        self._backup = os.path.join(root, BACKUP, name)
        self._latest = os.path.join(root, LATEST, name)

    def prepare(self) -> None:
        """Put the new text beside the file, on the disk.

        Raises:
            StoreError: it cannot be written; the file is as it was.
        """
        make_directory(self.directory)
        if os.path.lexists(self._taken):
            # A power cut brought the name back after its commit had ended.
            self._put_away()
            sync_directory(self.directory)
        self._forget_twin()
        self._write_new()

    def discard(self) -> None:
        """Remove the new text; the file was not touched."""
        with suppress(OSError):
            os.unlink(self._new)

    def swap(self) -> None:
        """Take the file away and put the new text in its place.

        Raises:
            HandEdit: it is not what it was; what the person wrote is in its place.
            StoreError: it cannot be done; ``resume`` goes on.
        """
        with explained(self._path):
            if self._before:
                self._take()
            if not _place(self._new, self._path):
                if self._before:
                    self._put_away()
                raise HandEdit

    def resume(self) -> bool:
        """Go on after a crash; False when a person's text is in the file's place.

        Then it stays there, and the caller keeps the new one elsewhere.
        """
        with explained(self._path):
            if _are_same(self._path, self._taken):
                # The crash cut off a giving back.
                os.unlink(self._taken)
            now, taken = fingerprint(_look(self._path)), _look(self._taken)
            if now == self._will_be:
                return not self.is_disturbed()
            is_edited = now not in {"", self._before}
            if (is_edited or not now) and self._was_placed(is_deleted=not now):
                # Edited or deleted after the new text had its place: that stands.
                return True
            if taken is not None and not now:
                return self._complete(taken)
            return now == self._before and self._swap_anew()

    def is_disturbed(self) -> bool:
        """Report whether someone wrote into the file after it was taken away."""
        taken = _look(self._taken)
        return taken is not None and fingerprint(taken) != self._before

    def give_way(self) -> None:
        """Put what someone wrote into the taken file back in its place.

        The new text is kept elsewhere before. Where the file was edited once more,
        the later edit stays, and the earlier one is its backup.
        """
        aside = f"{self._taken}.new"
        with explained(self._path):
            is_ours = fingerprint(_look(self._path)) == self._will_be
            if not is_ours or not os.path.lexists(self._taken):
                return
            os.rename(self._path, aside)
            if fingerprint(_look(aside)) == self._will_be:
                if _place(self._taken, self._path):
                    remove_file(self._taken)
            elif not _place(aside, self._path):
                # Three edits within a moment: each stays, under one of the names.
                return
            remove_file(aside)

    def keep_copy(self) -> None:
        """Keep a copy of the new text, if the disk lets us, once that has its place.

        From then on it proves that the new text had it, see ``resume``. To be called
        before the last look at the old text: whatever takes time comes before that.
        """
        if not self._is_queue or not _are_same(self._new, self._path):
            return
        directory, name = os.path.split(self._latest)
        make_directory(directory)
        # A name that a crash leaves is taken by the next commit.
        beside = os.path.join(directory, f".{name}.tmp")
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
        with suppress(OSError):
            fd = os.open(beside, flags, FILE_MODE)
            try:
                rest = memoryview(self.after)
                while rest:
                    rest = rest[os.write(fd, rest) :]
            finally:
                os.close(fd)
            os.rename(beside, self._latest)

    def finish(self, *, has_backup: bool) -> None:
        """Leave the old text as the backup, if the disk lets us.

        Args:
            has_backup: the commit itself says what the backup is.
        """
        with explained(self._path):
            if has_backup:
                remove_file(self._taken)
            elif os.path.lexists(self._taken):
                self._put_away()
            remove_file(self._new)

    def _take(self) -> None:
        try:
            os.rename(self._path, self._taken)
        except FileNotFoundError:
            raise HandEdit from None
        if fingerprint(_look(self._taken)) != self._before:
            self._give_back()
            raise HandEdit

    def _give_back(self) -> None:
        # Where the person has saved once more, the later text stays.
        if _place(self._taken, self._path):
            remove_file(self._taken)
        else:
            self._put_away()

    def _swap_anew(self) -> bool:
        try:
            self.prepare()
            self.swap()
        except HandEdit:
            return False
        return True

    def _complete(self, taken: bytes) -> bool:
        """Put something where nothing is: the new text, or an edit that was taken."""
        if fingerprint(taken) != self._before:
            self._give_back()
            return False
        self._write_new()
        # A person who deleted the file between the crash and now gets it back with
        # the committed text: nothing tells that from a crash right after the taking.
        return _place(self._new, self._path)

    def _was_placed(self, *, is_deleted: bool) -> bool:
        """Report whether the new text had its place already, whatever is there now.

        A copy of it is written only then, and an older copy that was the same is
        removed before: see ``_forget_twin``.
        """
        if is_deleted and os.path.lexists(self._taken):
            # Nothing tells a person who deletes from a crash right after the taking.
            return False
        is_copied = self._is_queue and fingerprint(_look(self._latest)) == self._will_be
        return is_copied or _are_same(self._path, self._new)

    def _write_new(self) -> None:
        if os.path.lexists(self._new):
            # Never written into: it may be the file itself, under its second name.
            remove_file(self._new)
        with explained(self._path):
            write_new(self._new, self.after)

    def _forget_twin(self) -> None:
        """Remove a latest version that could be mistaken for the one to be written."""
        with suppress(OSError):
            if self._is_queue and os.stat(self._latest).st_size == len(self.after):
                os.unlink(self._latest)

    def _put_away(self) -> None:
        """Make what was taken the backup; the archive's old texts are in its new ones."""
        if not self._is_queue and not self.is_disturbed():
            remove_file(self._taken)
            return
        make_directory(os.path.dirname(self._backup))
        try:
            os.rename(self._taken, self._backup)
        except OSError:
            # A link may have led to another file system.
            write_atomic(self._backup, _look(self._taken) or b"")
            remove_file(self._taken)


def put_back(directory: str, names: Iterable[str]) -> None:
    """Give files their names back that were taken by a commit which nobody can redo.

    Its journal was moved away. Where something has the name, the taken text stays
    beside it until the next commit makes it the backup.
    """
    for name in names:
        if name.startswith(".") and name.endswith(_TAKEN):
            taken = os.path.join(directory, name)
            path = os.path.join(directory, name[1 : -len(_TAKEN)])
            with explained(path):
                if _place(taken, path):
                    remove_file(taken)


def _place(source: str, target: str) -> bool:
    """Give a file a name that nothing has; False when something has it.

    ``source`` keeps its own name too where the file system has hard links.
    """
    try:
        os.link(source, target)
    except FileExistsError:
        return False
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        if os.path.lexists(target):
            return False
        os.rename(source, target)
    return True


def _look(path: str) -> bytes | None:
    """Return what a file holds, None when there is none; b"" for what is no file."""
    try:
        # A pipe that someone put there must not be waited for.
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    try:
        seen = os.fstat(fd)
        chunks: list[bytes] = []
        while stat.S_ISREG(seen.st_mode) and (chunk := os.read(fd, seen.st_size + 1)):
            chunks.append(chunk)
        return b"".join(chunks)
    finally:
        os.close(fd)


def _are_same(one: str, other: str) -> bool:
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False
