"""The process of a session: on record, and found again when its supervisor is gone."""

from __future__ import annotations

import json
import os
import select
import signal

from model_queue import processes
from model_queue.launchers.session_files import PROCESS
from model_queue.model import JsonObject, JsonValue
from model_queue.processes import Identity

_LOOKS, _PAUSE_S = 20, 0.002


def read_session_process(folder: str) -> Identity | None:
    """Return the recorded process of a session, None when none was recorded.

    A damaged record is none: it names nobody who may be signalled.
    """
    try:
        with open(os.path.join(folder, PROCESS), encoding="utf-8") as file:
            record: JsonValue = json.load(file)
    except (OSError, ValueError, RecursionError):
        return None
    stored = record.get("session") if isinstance(record, dict) else None
    return _identity(stored) if isinstance(stored, dict) else None


def _identity(stored: JsonObject) -> Identity | None:
    numbers = [stored.get(name) for name in ("pid", "group", "session")]
    # bool is an int to Python, but true is no pid.
    pid, group, session = (each if type(each) is int else -1 for each in numbers)
    started, boot = stored.get("started"), stored.get("boot")
    if not isinstance(started, str) or not isinstance(boot, str) or session < 0:
        return None
    identity = Identity(pid, group, session, started, boot)
    return identity if identity.is_usable else None


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
