"""The waker's process: waits for one queue directory until nothing is due in it."""

from __future__ import annotations

import functools
import os
import time

from model_queue import detached, passes, waker
from model_queue.ports import SystemClock
from model_queue.waker import Waker


def _wake(config_cwd: str) -> None:
    detached.reap()
    passes.wake(config_cwd=config_cwd)


def main(argv: list[str]) -> int:
    """Wait for the queue directory that is named, until nothing is due in it."""
    queues_dir, config_cwd = argv
    path = waker.lock_path(queues_dir)
    waits = Waker(
        queues_dir,
        wake=functools.partial(_wake, config_cwd),
        clock=SystemClock(),
        sleep=time.sleep,  # noqa: TID251 - the process that exists to wait
        awake_s=time.monotonic,
    )
    lock = _handed_over(path)
    while lock is not None:
        waits.run(may_go_on=functools.partial(detached.is_same_file, lock, path))
        os.close(lock)
        # A moment written since the last look found this waker still there, and
        # started no other. Moment first, lock second: the order on both sides.
        if waker.read_due(queues_dir) is None:
            break
        lock = _take(path)
    return 0


def _handed_over(path: str) -> int | None:
    """Return the lock that the starter took; take it when nobody did."""
    if not detached.is_same_file(detached.KEPT_FD, path):
        return _take(path)
    os.set_inheritable(detached.KEPT_FD, False)
    return detached.KEPT_FD


def _take(path: str) -> int | None:
    """Return the lock; None when another waker has it, or the directory is gone."""
    try:
        return detached.try_lock(path)
    except OSError:
        return None
