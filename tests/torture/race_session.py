"""The session of a race: says when it runs, and notices who else does.

``python -I -S race_session.py LOGS SOURCE LIMIT TASK LABEL``, the prompt on stdin. It
stands alone: nothing of the project is on its path. Locks show what must not be: the
one of its task is held when another session of the task lives, all of its source's are
when more sessions live than the source may have.
"""

from __future__ import annotations

import fcntl
import os
import sys
import time
import zlib


def note(logs: str, *words: object) -> None:
    """Append one line to the log that all sessions share."""
    fd = os.open(f"{logs}/sessions.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.write(fd, (" ".join(map(str, words)) + "\n").encode())
    os.close(fd)


def is_mine(path: str) -> bool:
    """Take a lock for the life of this process; report whether it was free."""
    fd = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(fd)
        return False
    return True


def main(logs: str, source: str, limit: str, task: str, label: str) -> int:
    """Run one session; how long and how it ends follows from its label."""
    if not is_mine(f"{logs}/task-{task}"):
        note(logs, "TWICE", source, task, label)
    if not any(is_mine(f"{logs}/slot-{source}-{n}") for n in range(int(limit))):
        note(logs, "TOO-MANY", source, task, label)
    note(logs, "start", source, task, label)
    sys.stdin.read()
    chance = zlib.crc32(label.encode())
    time.sleep(0.02 + chance % 100 * 0.003)  # noqa: TID251 - a session's own time
    note(logs, "end", source, task, label)
    match chance // 100 % 8:
        case 0:
            return 1
        case 1:
            print(f"Said by {label}.\n\nStatus: failed\nSummary: no")
        case _:
            print(f"Said by {label}.\n\nSummary: done {task}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
