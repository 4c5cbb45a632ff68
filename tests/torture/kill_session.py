"""The session of a kill round: a program that keeps a log of its own.

``kill_session.py HOME SOURCE LIMIT SEED HANGS TASK LABEL``, the prompt on stdin. What it
does follows from the seed and from which attempt of which task it is.

It holds two kernel locks while it lives, one of its task and one of ``LIMIT`` of its
source. The kernel drops a lock with the last process that holds it, however that one
ends, so that a lock that cannot be had proves that another session lives, and one that
can be had proves that none does: no clock and no end line is needed. A process that the
session starts shares its locks, since it belongs to the session.
"""

from __future__ import annotations

import fcntl
import json
import os
import signal
import sys
import time
import zlib
from typing import NamedTuple

DIARY = "diary.jsonl"
LOCKS = "locks"
CHILD_LIFE_S = 0.4
HANG_S = 60.0
STUBBORN = 3
"""One attempt of so many is deaf, and goes on for longer than the next start takes."""
OUTLASTS_A_START_S = 3.0


class Plan(NamedTuple):
    """What one attempt does."""

    ending: str
    """``success``, ``partial``, ``failed``, ``empty``, ``exit``, ``limited``, ``hang``."""
    lasts_s: float
    """0.05 to 3; most are short."""
    has_child: bool
    """It leaves a process behind, which ends later than it does."""
    is_deaf: bool
    """It does not hear SIGTERM."""


ENDINGS = (
    ("exit", 10),
    ("limited", 3),
    ("empty", 5),
    ("failed", 8),
    ("partial", 8),
    ("hang", 4),
    ("success", 62),
)
"""The endings with their shares in hundred."""


def plan_of(seed: str, task: str, label: str, *, hangs: bool) -> Plan:
    """Return the plan of an attempt; the same seed, task and attempt give the same."""
    attempt = label.split("-")[3]
    number = zlib.crc32(f"{seed}:{task}:{attempt}".encode())
    number, share = divmod(number, 100)
    number, length = divmod(number, 1000)
    number, child = divmod(number, 5)
    number, stubborn = divmod(number, STUBBORN)
    ending = _ending_of(share)
    if ending == "hang" and not hangs:
        ending = "success"
    is_stubborn = stubborn == 0 and ending != "hang"
    lasts_s = 0.05 + 2.95 * (length / 1000) ** 3
    return Plan(
        ending=ending,
        lasts_s=max(lasts_s, OUTLASTS_A_START_S) if is_stubborn else lasts_s,
        has_child=child == 0,
        # Only one that ends soon anyway: else each stop would take the grace time.
        is_deaf=is_stubborn or (number % 2 == 0 and ending != "hang"),
    )


def _ending_of(share: int) -> str:
    for ending, width in ENDINGS:
        if share < width:
            return ending
        share -= width
    return "success"


class Diary:
    """The log that all sessions of a round share: one whole line per write."""

    def __init__(self, home: str, *, source: str, task: str, label: str) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        self._file = os.open(f"{home}/{DIARY}", flags, 0o600)
        self._facts = {"source": source, "task": task, "label": label}

    def note(self, what: str) -> None:
        """Write that something happened now."""
        line = {
            "what": what,
            **self._facts,
            "pid": os.getpid(),
            "at": time.monotonic(),
            "wall": time.time(),  # noqa: TID251 - a program of its own has no Clock
        }
        os.write(self._file, json.dumps(line).encode() + b"\n")


def take_task(locks: str, task: str) -> bool:
    """Take the lock of a task; report whether no other session of it lives."""
    return _try_lock(f"{locks}/{task}")


def take_slot(locks: str, source: str, limit: int) -> bool:
    """Take one of a source's locks; report whether there was a free one.

    They are taken by one session at a time. So whoever holds one while all are tried
    held it when that began: "none is free" means ``limit`` others lived at one moment.
    """
    gate = _open(f"{locks}/{source}.gate")
    fcntl.flock(gate, fcntl.LOCK_EX)
    try:
        slots = (f"{locks}/{source}.{n}" for n in range(limit))
        return any(_try_lock(slot) for slot in slots)
    finally:
        os.close(gate)


def _open(path: str) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)


def _try_lock(path: str) -> bool:
    """Take a lock for the rest of this process's life, and of its children's."""
    descriptor = _open(path)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return False
    return True


def _leave_child() -> None:
    if os.fork() == 0:
        time.sleep(CHILD_LIFE_S)  # noqa: TID251 - it is there to last
        os._exit(0)


def _end(plan: Plan, task: str, label: str) -> int:
    """Say what the plan wants said; return the exit code."""
    report = f"Report of {label}.\n\nSummary: {task} by {label}\n"
    match plan.ending:
        case "exit":
            return 1
        case "limited":
            print("429 rate limit, retry after 1 seconds", file=sys.stderr)
            return 1
        case "empty":
            return 0
        case "failed":
            report += "Status: failed\n"
        case "partial":
            report += "Status: partial\n"
        case _:
            pass
    print(report, end="")
    return 0


def main(argv: list[str]) -> int:
    """Run one attempt by its plan."""
    home, source, limit, seed, hangs, task, label = argv
    plan = plan_of(seed, task, label, hangs=hangs == "yes")
    diary = Diary(home, source=source, task=task, label=label)
    locks = f"{home}/{LOCKS}"
    if not take_task(locks, task):
        diary.note("overlap")
    if not take_slot(locks, source, int(limit)):
        diary.note("crowd")
    diary.note("start")
    if plan.is_deaf:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.stdin.read()
    if plan.has_child:
        _leave_child()
    wait_s = HANG_S if plan.ending == "hang" else plan.lasts_s
    time.sleep(wait_s)  # noqa: TID251 - it is there to last
    code = _end(plan, task, label)
    sys.stdout.flush()
    diary.note("end")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
