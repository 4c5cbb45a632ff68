"""Waiting for a disk that takes nothing for now: what a session did is worth it."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable
from typing import TypeVar

from model_queue.detached import log

DISK_PATIENCE_S = 300.0
"""How long a disk that fails is waited for before a write is given up.

A full one is waited for without end: a finished session's work is worth a process.
"""
LONGEST_DISK_WAIT_S = 15.0
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})

_T = TypeVar("_T")


def until_written(folder: str, name: str, write: Callable[[], _T]) -> _T:
    """Call ``write`` until the disk takes what it writes; return its answer.

    Args:
        folder: of the session; without it nothing is waited for.
        name: what is written there, for the log.
        write: may be called again after an ``OSError``.

    Raises:
        OSError: the folder is gone, or its disk failed for ``DISK_PATIENCE_S``.
    """
    give_up_at = time.monotonic() + DISK_PATIENCE_S
    wait_s = 0.5
    while True:
        try:
            return write()
        except OSError as error:
            log(f"{name}: {error}")
            is_late = error.errno not in _FULL and time.monotonic() >= give_up_at
            if is_late or not os.path.isdir(folder):
                raise
        time.sleep(wait_s)  # noqa: TID251 - a process of its own may wait
        wait_s = min(2 * wait_s, LONGEST_DISK_WAIT_S)
