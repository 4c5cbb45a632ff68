"""The process of a session: on record, and found again when its supervisor is gone."""

from __future__ import annotations

import json
import os
import select
import signal

from model_queue import processes
from model_queue.launchers.session_files import PROCESS
from model_queue.processes import Identity

_LOOKS, _PAUSE_S = 20, 0.002


def read_session_process(folder: str) -> Identity | None:
    """Return the recorded process of a session, None when none was recorded."""
    try:
        with open(os.path.join(folder, PROCESS), encoding="utf-8") as file:
            stored = json.load(file)["session"]
    except (OSError, ValueError, KeyError):
        return None
    return Identity(**stored) if stored else None


def kill(folder: str) -> bool:
    """Kill the process group of a session; report whether any of it still runs.

    A kill works within a millisecond where it works at all. It is waited for, at most
    40 ms, so that the pass that found the orphan can go on with the task.
    """
    session = read_session_process(folder)
    if session is None:
        return False
    for _ in range(_LOOKS):
        if not processes.kill_group(session, signal.SIGKILL):
            return False
        select.select([], [], [], _PAUSE_S)
    return True
