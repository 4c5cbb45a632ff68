"""Use case: the queues, the heartbeat entry and the backup timer, once.

Source: seed 003 "Step 0 - First Run Setup", SPEC 3.
"""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Sequence
from dataclasses import dataclass

from model_queue import messages
from model_queue.atomic import make_directory, read_file, remove_file, write_atomic
from model_queue.core import Core
from model_queue.model import JsonObject
from model_queue.store import QueueMeta

HEARTBEAT_MARK = "Model Queue Dispatcher"
CRON_KEY = "model-queue:tick"
CRON_EVERY_MS = 900_000
_CALL_LIMIT_S = 10.0
"""A call that began longer ago has ended, whatever became of it. Source: SPEC 7."""
DISPATCH_EVENT = "MODEL_QUEUE_DISPATCH: check queues and run pending tasks"


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstRun:
    """What was set up by this call; empty on every later one."""

    text: str = ""
    actions: Sequence[JsonObject] = ()
    is_first: bool = False
    """``finish`` must be called once the answer is out."""


def set_up(core: Core, *, lang: str, now: dt.datetime) -> FirstRun:
    """Create the queues that are missing; on the first run also ask for the timer.

    Runs before every intake: a source added later gets its file here.
    """
    is_first = not core.store.queues() or _was_cut_off(core, now=now)
    metas = [
        QueueMeta(
            source=source.name,
            models=source.models,
            max_concurrent=source.max_concurrent,
            max_retries=core.settings.max_retries,
        )
        for source in core.settings.sources.values()
    ]
    if is_first:
        # Before the queues exist: a kill in between leaves a first run to be repeated.
        _begin(core, now=now)
        for path in core.settings.heartbeat_paths:
            register_heartbeat(path, core.settings.queues_dir)
    core.store.open_queues(metas, now=now)
    if not is_first:
        return FirstRun()
    return FirstRun(
        text=messages.initialized(len(metas), lang=lang),
        actions=[cron_action()],
        is_first=True,
    )


def _marker(core: Core) -> str:
    return os.path.join(core.folder.state_dir, "first-run")


def _begin(core: Core, *, now: dt.datetime) -> None:
    """Note that a first run is under way, until its answer is out.

    Without the note a call that dies after it has made the queues would leave a host
    that was never asked for its timer.
    """
    make_directory(core.folder.state_dir)
    write_atomic(_marker(core), f"{now.timestamp():.3f}\n".encode())


def _was_cut_off(core: Core, *, now: dt.datetime) -> bool:
    """Report whether a first run began and its answer never came out."""
    noted = read_file(_marker(core))
    if noted is None:
        return False
    try:
        began = float(noted)
    except ValueError:
        return True
    return abs(now.timestamp() - began) > _CALL_LIMIT_S


def finish(core: Core) -> None:
    """Note that the answer of the first run is out."""
    remove_file(_marker(core))


def heartbeat_entry(queues_dir: str) -> str:
    """Return the entry of HEARTBEAT.md. Source: seed 003, A6."""
    return (
        f"## {HEARTBEAT_MARK}\n\n"
        f"Every heartbeat: check {queues_dir} for pending/running tasks\n"
        "- If tasks exist → run DISPATCHER mode (model-queue skill): "
        "`scripts/model-queue tick --actions --json`\n"
        "- If nothing pending → HEARTBEAT_OK\n"
    )


def register_heartbeat(path: str, queues_dir: str) -> bool:
    """Append the entry to an existing HEARTBEAT.md once; report whether it did.

    Text around it stays byte for byte; a file that is missing is not created.
    """
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        before = file.read()
    if HEARTBEAT_MARK.encode() in before:
        return False
    gap = b"" if not before else b"\n" if before.endswith(b"\n") else b"\n\n"
    entry = heartbeat_entry(queues_dir).encode()
    write_atomic(path, before + gap + entry, keep_mode=True)
    return True


def cron_action() -> JsonObject:
    """Return the request for the host's timer; its key makes a second one harmless."""
    return {
        "type": "cron",
        "key": CRON_KEY,
        "job": {
            "name": HEARTBEAT_MARK,
            "schedule": {"kind": "every", "everyMs": CRON_EVERY_MS},
            "payload": {"kind": "systemEvent", "text": DISPATCH_EVENT},
            "sessionTarget": "main",
            "enabled": True,
        },
    }
