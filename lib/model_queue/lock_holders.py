"""Which process holds a lock, for a person who waits for it."""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress

_LOCKS = "/proc/locks"
_PID, _FILE = 4, 5
"""Places in a line: ``1: FLOCK  ADVISORY  WRITE 42 08:01:1234 0 EOF``."""


def is_held(path: str) -> bool:
    """Report whether a process holds the lock of a file; nothing is created.

    Raises:
        OSError: it is there and cannot be looked at.
    """
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(fd)
    return False


def holder_of(path: str) -> int | None:
    """Return the pid of a process that holds the lock of a file.

    The system names the one that took it, which may have handed it on to a child and
    be gone: so only one that has the file open counts. None when nobody has it, and on
    a system that does not tell.
    """
    try:
        taken_by = _taken_by(os.stat(path).st_ino)
    except OSError:
        return None
    place = os.path.realpath(path)
    able = [pid for pid in _pids() if _has_open(pid, place)]
    if taken_by in able:
        return taken_by
    return able[0] if able and taken_by is not None else None


def _taken_by(inode: int) -> int | None:
    """Return the pid that took the lock of a file, as the system has it."""
    try:
        with open(_LOCKS, encoding="ascii", errors="replace") as file:
            lines = file.read().splitlines()
    except OSError:
        return None
    for line in lines:
        words = line.split()
        if len(words) <= _FILE or words[1] != "FLOCK":
            # A line of a process that waits has an arrow in it.
            continue
        # The device is not compared: an overlay shows another one here.
        if words[_FILE].rpartition(":")[2] == str(inode):
            return int(words[_PID])
    return None


def _pids() -> list[int]:
    try:
        return sorted(int(name) for name in os.listdir("/proc") if name.isdigit())
    except OSError:
        return []


def _has_open(pid: int, place: str) -> bool:
    folder = f"/proc/{pid}/fd"
    try:
        names = os.listdir(folder)
    except OSError:
        # Somebody else's, or gone.
        return False
    for name in names:
        # The link is read, the file not looked at: it may lie on a disk that hangs.
        with suppress(OSError):
            if os.readlink(os.path.join(folder, name)) == place:
                return True
    return False


def name_of(pid: int) -> str:
    """Return what a process calls itself, "" when it is gone or hidden."""
    try:
        with open(f"/proc/{pid}/comm", encoding="utf-8", errors="replace") as file:
            return file.read().strip()
    except OSError:
        return ""
