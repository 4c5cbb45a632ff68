"""Processes that outlive their starter, and the locks that prove that they live.

A lock (``flock``) that a process holds for its whole life tells whether it lives
without any number that could be used again: the kernel drops it with the last process
that has it open. A detached process gets its lock with its birth.
"""

from __future__ import annotations

import fcntl
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress

KEPT_FD = 3
"""Where a detached process finds the lock that its starter took for it."""
ENTRY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "entry.py")
"""The script that every process of ours starts with."""
FOLDER_VARIABLE = "MODEL_QUEUE_SESSION"
"""The folder of the session that a process belongs to."""
SESSION_VARIABLES = (
    "MODEL_QUEUE_WORKER",
    "MODEL_QUEUE_TASK",
    "MODEL_QUEUE_LABEL",
    FOLDER_VARIABLE,
)
"""By which a process knows that it is part of a session, and of which one."""

STDERR = 2
"""The log of a detached process."""
_FIRST_FREE_FD = 10
"""A lock is copied above the numbers that a detached process uses."""
_starters: list[int] = []
"""Children of ours that only pass the work on; they end within milliseconds."""


def try_lock(path: str, *, shared: bool = False) -> int | None:
    """Take the lock of a file, created if need be; return its descriptor.

    Returns: None when another process holds it. Closing the descriptor frees the lock,
        unless a process that inherited it lives on.

    Raises:
        OSError: the file cannot be opened, or its file system has no locks.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def is_same_file(descriptor: int, path: str) -> bool:
    """Report whether an open descriptor is the file that lies at ``path`` now."""
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(path))
    except OSError:
        return False


def own_argv(name: str, *arguments: str) -> list[str]:
    """Return the command line of a process of ours; ``entry`` lists the names."""
    return [sys.executable, "-I", "-S", ENTRY, name, *arguments]


def detach(
    argv: Sequence[str], *, environment: Mapping[str, str], log_path: str, lock: int
) -> None:
    """Start a process that lives on when this one ends, and return at once.

    - It gets the lock with its birth: there is no moment in which neither this process
      nor the new one holds it.
    - Its stdin is empty, its output goes to the log, and it is part of no session, also
      when this process is.

    ``posix_spawn`` instead of ``fork``: three times as fast, and safe beside threads.

    Raises:
        OSError: it could not be started; nothing runs.
    """
    reap()
    inherited = {
        name: value
        for name, value in environment.items()
        if name not in SESSION_VARIABLES
    }
    copy = fcntl.fcntl(lock, fcntl.F_DUPFD_CLOEXEC, _FIRST_FREE_FD)
    log = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NONBLOCK
    try:
        pid = os.posix_spawn(
            argv[0],
            list(argv),
            inherited,
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                (os.POSIX_SPAWN_OPEN, 1, log_path, log, 0o600),
                (os.POSIX_SPAWN_DUP2, 1, 2),
                (os.POSIX_SPAWN_DUP2, copy, KEPT_FD),
            ],
            setpgroup=0,
        )
    finally:
        os.close(copy)
    _starters.append(pid)


def log(text: str) -> None:
    """Write to the log of a detached process, its stderr. Never fails.

    The log lies on the disk whose faults it tells. Written without a buffer: what a
    full disk refused would be kept there, and tried again at every later line.
    """
    with suppress(OSError):
        os.write(STDERR, (text.rstrip() + "\n").encode("utf-8", "backslashreplace"))


def reap() -> int:
    """Take note of our children that ended, so that they do not stay as zombies.

    Returns: how many have not ended yet.
    """
    _starters[:] = [pid for pid in _starters if not _has_ended(pid)]
    return len(_starters)


def _has_ended(pid: int) -> bool:
    try:
        return os.waitpid(pid, os.WNOHANG)[0] == pid
    except ChildProcessError:
        return True
