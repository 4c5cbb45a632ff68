"""Files that are written whole or not at all, and the lock that keeps writers apart.

Everything here belongs to the person alone: files 0600, directories 0700.
"""

from __future__ import annotations

import errno
import fcntl
import os
import select
import stat
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress

from model_queue.errors import StoreBusy, StoreError

FILE_MODE = 0o600
DIRECTORY_MODE = 0o700

_RETRY_S = 0.002
"""Pause between two tries for a lock: far below the few milliseconds of a commit, so
that a queue of writers moves on as soon as it can."""

_READ_ONLY = {errno.EROFS, errno.EACCES, errno.EPERM, errno.ENOENT}
"""What making a lock answers where nothing can be made; without a lock to open, that
there is none."""

_WHY = {
    errno.ENOSPC: ("the disk is full", "Free some space, then repeat."),
    errno.EDQUOT: ("the disk quota is used up", "Free some space, then repeat."),
    errno.EROFS: ("the disk is read-only", "Set MODEL_QUEUES_DIR to another place."),
    errno.EACCES: ("permission is missing", "Let this user write there."),
    errno.EPERM: ("permission is missing", "Let this user write there."),
    errno.ENOTDIR: (
        "a part of the path is a file, not a directory",
        "Set MODEL_QUEUES_DIR to a directory.",
    ),
    errno.ENOLCK: (
        "this file system has no locks",
        "Set MODEL_QUEUES_DIR to a local disk.",
    ),
}
_ON_WRITING = {errno.ENOSPC, errno.EDQUOT, errno.EROFS}
"""What only a write is refused with: the file itself can still be read."""


@contextmanager
def explained(path: str) -> Generator[None, None, None]:
    """Turn an operating system's error about a path into one sentence.

    Raises:
        StoreError: the work inside failed; ``__cause__`` is the system's own error.
    """
    try:
        yield
    except OSError as error:
        why, hint = _WHY.get(error.errno or 0, (error.strerror or str(error), ""))
        done = (
            "could not be written" if error.errno in _ON_WRITING else "cannot be used"
        )
        sentence = f"{error.filename2 or error.filename or path} {done}: {why}"
        raise StoreError(sentence, hint=hint) from error


def make_directory(path: str) -> None:
    """Create a directory with its missing parents; nothing when it is there.

    Raises:
        StoreError: it cannot be created.
    """
    missing: list[str] = []
    with explained(path):
        while not os.path.isdir(path):
            missing.append(path)
            path = os.path.dirname(path) or os.curdir
        for each in reversed(missing):
            # Another process may be faster; what counts is that it is there.
            with suppress(FileExistsError):
                os.mkdir(each, DIRECTORY_MODE)
            sync_directory(os.path.dirname(each))


def open_file(path: str) -> int:
    """Open a file for reading; return its descriptor.

    Raises:
        StoreError: it is a directory, a pipe or another thing that is no file. A pipe
            would wait for its writer, for longer than any hook has.
        OSError: it cannot be opened.
    """
    fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    _require_file(fd, path)
    return fd


def _require_file(fd: int, path: str) -> None:
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        sentence = f"{path} is no file"
        raise StoreError(sentence, hint="Move it away, then repeat.")


def read_file(path: str) -> bytes | None:
    """Return the bytes of a file, None when there is none.

    Raises:
        StoreError: it cannot be read, or is no file.
    """
    with explained(path):
        try:
            with open(open_file(path), "rb") as file:
                return file.read()
        except FileNotFoundError:
            return None


def write_atomic(
    path: str, data: bytes, *, keep_mode: bool = False, aside: str = ""
) -> None:
    """Replace a file, so that a crash at any point leaves the old or the new one.

    Written beside, flushed to the disk, then renamed. A symbolic link stays one: the
    file that it names is replaced. The file is 0600 afterwards; with ``keep_mode`` an
    existing one keeps its permissions, for files that are not ours. What a crash leaves
    of the writing lies in the directory ``aside``, where that is on the same disk.

    Raises:
        StoreError: it cannot be written; the old file is as it was.
    """
    sync_directory(replace_file(path, data, keep_mode=keep_mode, aside=aside))


def replace_file(
    path: str, data: bytes, *, keep_mode: bool = False, aside: str = ""
) -> str:
    """Do the same, but leave it open whether a crash shows the new name already.

    Returns:
        The directory that ``sync_directory`` must be called for, once for many files.

    Raises:
        StoreError: it cannot be written; the old file is as it was.
    """
    if os.path.islink(path):
        path = os.path.realpath(path)
    directory, name = os.path.split(path)
    # A name of its own: two processes may write the same file at the same time.
    beside = f".{name}.{os.urandom(4).hex()}.tmp"
    with explained(path):
        beside = os.path.join(_near(directory, aside) or directory, beside)
        mode = FILE_MODE
        if keep_mode and os.path.exists(path):
            mode = os.stat(path).st_mode & 0o777
        try:
            write_new(beside, data, mode)
            os.replace(beside, path)
        except BaseException:
            with suppress(OSError):
                os.unlink(beside)
            raise
    return directory


def _near(directory: str, aside: str) -> str:
    """Return ``aside``, "" where a rename into the directory would cross disks."""
    is_near = bool(aside) and os.stat(aside).st_dev == os.stat(directory).st_dev
    return aside if is_near else ""


def write_new(path: str, data: bytes, mode: int = FILE_MODE) -> None:
    """Create a file that does not exist, with its content on the disk; not its name.

    Raises:
        OSError: it exists, or cannot be written; a part of it may be there.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    fd = os.open(path, flags, mode)
    try:
        if mode != FILE_MODE:
            os.fchmod(fd, mode)
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(fd, rest) :]
        os.fsync(fd)
    finally:
        os.close(fd)


def sync_directory(path: str) -> None:
    """Put the names in a directory on the disk: a rename is not there before that.

    Raises:
        StoreError: the disk fails.
    """
    with explained(path):
        fd = os.open(path or os.curdir, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)


def remove_file(path: str) -> None:
    """Remove a file; nothing when there is none. A crash may bring it back.

    Raises:
        StoreError: it cannot be removed.
    """
    with explained(path), suppress(FileNotFoundError):
        os.unlink(path)


def append_line(path: str, line: bytes) -> None:
    """Append one line to a file of lines; cut an unterminated last one off before.

    Such a rest is a write that never ended, and glued to the next line it would spoil
    both. On a full disk the file is as long as before. Two writers must not append at
    the same time: hold a lock.

    Raises:
        StoreError: it cannot be written.
    """
    with explained(path), open_lines(path) as fd:
        write_at(fd, whole_length(fd), line + b"\n")


@contextmanager
def open_lines(path: str) -> Generator[int, None, None]:
    """Open a file of lines for reading and writing; it is created when missing."""
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC, FILE_MODE)
    _require_file(fd, path)
    try:
        yield fd
    finally:
        os.close(fd)


def read_lines(path: str) -> list[bytes]:
    """Return the terminated lines of a file, without their ends; [] without a file.

    Raises:
        StoreError: it cannot be read.
    """
    return (read_file(path) or b"").split(b"\n")[:-1]


def whole_length(fd: int) -> int:
    """Return how long a file of lines is without an unterminated last line."""
    end = os.fstat(fd).st_size
    while end > 0:
        start = max(end - 4096, 0)
        block = os.pread(fd, end - start, start)
        at = block.rfind(b"\n")
        if at >= 0:
            return start + at + 1
        end = start
    return 0


def write_at(fd: int, at: int, data: bytes) -> None:
    """Let ``data`` follow the first ``at`` bytes of a file, on the disk.

    What cannot be written whole is taken back; the OSError goes on.
    """
    os.ftruncate(fd, at)
    try:
        done = 0
        while done < len(data):
            done += os.pwrite(fd, data[done:], at + done)
        os.fsync(fd)
    except OSError:
        with suppress(OSError):
            os.ftruncate(fd, at)
        raise


@contextmanager
def locked(
    path: str, *, timeout_s: float, shared: bool = False
) -> Generator[None, None, None]:
    """Hold the lock that a file stands for; its directory is created when missing.

    The system frees it when the process ends, however it ends. Several may hold it
    ``shared`` at the same time, readers, but then no writer. Where nothing can be
    written, a reader takes what is there, and needs no lock where there is none.

    Raises:
        StoreBusy: others held it for all of ``timeout_s``.
        StoreError: the file cannot be opened.
    """
    try:
        make_directory(os.path.dirname(path) or os.curdir)
        fd = _wait(path, timeout_s, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)
    except StoreError as error:
        # Who may only look where no writer ever was meets none.
        if not shared or os.path.exists(path) or not _is_read_only(error):
            raise
        yield
        return
    try:
        yield
    finally:
        os.close(fd)


def _is_read_only(error: StoreError) -> bool:
    cause = error.__cause__
    return isinstance(cause, OSError) and cause.errno in _READ_ONLY


def _wait(path: str, timeout_s: float, kind: int) -> int:
    """Return a file descriptor that holds the lock."""
    until = time.monotonic() + timeout_s
    while True:
        fd = _lock(path, kind)
        if fd is not None:
            return fd
        if time.monotonic() >= until:
            raise StoreBusy(path=os.path.dirname(path), waited_s=timeout_s)
        # flock has no limit of its own, and an alarm signal would reach the main
        # thread of a program that uses the library. Waiting for no file at all is a
        # pause that holds nothing and that the line above bounds.
        select.select([], [], [], _RETRY_S)


def _lock(path: str, kind: int) -> int | None:
    """Return a file descriptor that holds the lock, None when others hold it."""
    with explained(path):
        fd = _open_lock(path, kind)
        try:
            fcntl.flock(fd, kind | fcntl.LOCK_NB)
            # Someone may have removed the file: a lock on what nobody can open any
            # more keeps nobody out.
            if os.path.samestat(os.fstat(fd), os.stat(path)):
                return fd
        except (BlockingIOError, FileNotFoundError):
            pass
        except BaseException:
            os.close(fd)
            raise
        os.close(fd)
        return None


def _open_lock(path: str, kind: int) -> int:
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, FILE_MODE)
    except OSError as error:
        # Whoever may only look can still keep writers out for as long as that takes.
        if kind != fcntl.LOCK_SH or error.errno not in {errno.EROFS, errno.EACCES}:
            raise
        return os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
