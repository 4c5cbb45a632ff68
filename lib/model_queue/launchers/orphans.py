"""The process of a session: on record, and found again when its supervisor is gone."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal

from model_queue import processes
from model_queue.detached import FOLDER_VARIABLE
from model_queue.launchers.session_files import LOCK, LOG, PROCESS
from model_queue.model import JsonObject, JsonValue
from model_queue.processes import Identity, Process

_LOOKS, _PAUSE_S = 20, 0.002


def read_session_process(folder: str) -> Identity | None:
    """Return the recorded process of a session, None when none was recorded.

    A damaged record is none: it names nobody who may be signalled.
    """
    stored = _record(folder).get("session")
    return _identity(stored) if isinstance(stored, dict) else None


def _record(folder: str) -> JsonObject:
    try:
        with open(os.path.join(folder, PROCESS), encoding="utf-8") as file:
            record: JsonValue = json.load(file)
    except (OSError, ValueError, RecursionError):
        return {}
    return record if isinstance(record, dict) else {}


def _identity(stored: JsonObject) -> Identity | None:
    numbers = [stored.get(name) for name in ("pid", "group", "session")]
    # bool is an int to Python, but true is no pid.
    pid, group, session = (each if type(each) is int else -1 for each in numbers)
    started, boot = stored.get("started"), stored.get("boot")
    if not isinstance(started, str) or not isinstance(boot, str) or session < 0:
        return None
    identity = Identity(pid, group, session, started, boot)
    return identity if identity.is_usable else None


def left_over(folder: str) -> list[Process]:
    """Return the living processes that a session started, wherever they went.

    One that left the session's process group is found by its environment, also when
    the folder was removed. [] on a system that does not tell environments.
    """

    def is_meant(path: str) -> bool:
        return _leads_to(path, folder)

    return processes.with_variable(FOLDER_VARIABLE, is_meant)


def _leads_to(path: str, folder: str) -> bool:
    """Report whether a path is that of a folder; by its words where nothing lies there."""
    try:
        return os.path.samefile(path, folder)
    except (OSError, ValueError):
        is_removed = not os.path.lexists(folder)
    return is_removed and os.path.realpath(path) == os.path.realpath(folder)


def kill(folder: str) -> bool:
    """Kill what runs of a session without a supervisor; report whether any still may.

    A kill works within a millisecond where it works at all. It is waited for, at most
    40 ms and the looks, so that the pass that found the orphan can go on with the task.
    """
    session = read_session_process(folder)
    if session is None and _is_hidden(folder):
        return True
    if session is not None and not _is_own(folder, session):
        session = None
    for _ in range(_LOOKS):
        is_alive = session is not None and processes.kill_group(session, signal.SIGKILL)
        rest = left_over(folder)
        processes.kill_each(rest, signal.SIGKILL)
        if not is_alive and not rest:
            return False
        select.select([], [], [], _PAUSE_S)
    return True


def _is_own(folder: str, session: Identity) -> bool:
    """Report whether a recorded process is this folder's, and not that of a copy of it.

    A copied record names the session of the folder that it was copied from. The
    environment tells; where it does not, the file of the lock that stood beside the
    record when it was written.
    """
    members = (each.pid for each in processes.group_members(session.group))
    for pid in (session.pid, *members):
        path = processes.variable_of(pid, FOLDER_VARIABLE)
        if path is not None:
            return _leads_to(path, folder)
    recorded = _record(folder).get(LOCK)
    return recorded is None or recorded == lock_mark(os.path.join(folder, LOCK))


def lock_mark(lock: int | str) -> list[JsonValue] | None:
    """Return which file a lock is, for the record beside it; None without one."""
    try:
        found = os.stat(lock)
    except OSError:
        return None
    return [found.st_dev, found.st_ino]


def _is_hidden(folder: str) -> bool:
    """Report whether a session may run that nothing here can find.

    Its record is damaged, and the system tells no environments. Until the machine is
    started again, or somebody removes the folder, it counts as running: a slot that is
    not free is better than a task that runs twice.
    """
    is_damaged = os.path.exists(os.path.join(folder, PROCESS))
    if not is_damaged or processes.has_environments():
        return False
    try:
        with open(os.path.join(folder, LOCK), encoding="utf-8") as file:
            boot = file.read()
    except (OSError, ValueError):
        boot = ""
    if boot and boot != processes.boot_id():
        return False
    _say(folder, f"{PROCESS} is damaged: {_COUNTS_AS_RUNNING}\n")
    return True


_COUNTS_AS_RUNNING = (
    "the session counts as running until this machine is started again. "
    "Once you know that it has ended, remove this folder."
)


def _say(folder: str, sentence: str) -> None:
    """Write a sentence to the session's log, once."""
    path = os.path.join(folder, LOG)
    with contextlib.suppress(OSError), open(path, "a+", encoding="latin-1") as file:
        os.fchmod(file.fileno(), 0o600)
        file.seek(0)
        if sentence not in file.read():
            file.write(sentence)
