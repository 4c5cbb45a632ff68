"""Use case: the queues, the heartbeat entry and the backup timer, once.

Source: seed 003 "Step 0 - First Run Setup", SPEC 3.
"""

from __future__ import annotations

import datetime as dt
import errno
import os
from collections.abc import Sequence
from dataclasses import dataclass

from model_queue import messages
from model_queue.atomic import (
    locked,
    make_directory,
    read_file,
    remove_file,
    write_atomic,
)
from model_queue.core import Core
from model_queue.errors import StoreBusy, StoreError
from model_queue.model import JsonObject
from model_queue.store import QueueMeta

HEARTBEAT_MARK = "Model Queue Dispatcher"
CRON_KEY = "model-queue:tick"
CRON_EVERY_MS = 900_000
_CALL_LIMIT_S = 10.0
"""A call that began longer ago has ended, whatever became of it. Source: SPEC 7."""
_LOCK = "first-run.lock"
_FORBIDDEN = {errno.EACCES, errno.EPERM, errno.EROFS, errno.ETXTBSY}
"""What the system answers where this user may not write, whatever the disk could."""
DISPATCH_EVENT = "MODEL_QUEUE_DISPATCH: check queues and run pending tasks"


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstRun:
    """What was set up by this call; nothing on nearly every later one."""

    text: str = ""
    actions: Sequence[JsonObject] = ()
    is_first: bool = False
    """``finish`` must be called once the answer is out."""


def set_up(
    core: Core, *, lang: str, now: dt.datetime, has_timer: bool = True
) -> FirstRun:
    """Create the queues that are missing; on the first run also ask for the timer.

    Runs before every intake: a source added later gets its file here. Of several calls
    at the same time one has the first run, the others wait until its queues are there.

    A caller who carries no actions out, such as a person's shell, has no timer: it is
    greeted once, and the first run stays open for a host.
    """
    if _is_done(core, now=now) or (core.store.queues() and not has_timer):
        core.store.open_queues(_configured(core), now=now)
        return FirstRun()
    with locked(os.path.join(core.folder.state_dir, _LOCK), timeout_s=_CALL_LIMIT_S):
        if _is_done(core, now=now):
            core.store.open_queues(_configured(core), now=now)
            return FirstRun()
        # Before the queues exist: a kill in between leaves a first run to be repeated.
        _begin(core, now=now)
        told = register(core, lang=lang)
        metas = _configured(core)
        core.store.open_queues(metas, now=now)
    texts = [messages.initialized(len(metas), lang=lang), *told]
    return FirstRun(text="\n".join(texts), actions=[cron_action()], is_first=True)


def _is_done(core: Core, *, now: dt.datetime) -> bool:
    """Report whether the queues are there, and somebody was told so."""
    return bool(core.store.queues()) and not _was_cut_off(core, now=now)


def _configured(core: Core) -> list[QueueMeta]:
    return [
        QueueMeta(
            source=source.name,
            models=source.models,
            max_concurrent=source.max_concurrent,
            max_retries=core.settings.max_retries,
        )
        for source in core.settings.sources.values()
    ]


def register(core: Core, *, lang: str) -> list[str]:
    """Add the heartbeat entry where there is a file for it; return what went wrong.

    A file that may not be written is no reason to take no work: the timer that the host
    is asked for does the same. A disk that fails is one.
    """
    told: list[str] = []
    for path in core.settings.heartbeat_paths:
        try:
            register_heartbeat(path, core.settings.queues_dir)
        except (StoreError, StoreBusy) as error:
            if isinstance(error, StoreError) and not _is_forbidden(error):
                raise
            # Imported here: such a file is rare.
            from model_queue.messages.first_run import no_entry  # noqa: PLC0415

            told.append(no_entry(path, lang=lang))
    return told


def _is_forbidden(error: StoreError) -> bool:
    cause = error.__cause__
    return isinstance(cause, OSError) and cause.errno in _FORBIDDEN


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


def is_open(core: Core) -> bool:
    """Report whether no host was asked for its timer yet."""
    return read_file(_marker(core)) is not None


def leave_open(core: Core) -> None:
    """Let the next message have the answer of the first run again.

    For a caller who cannot carry actions out: the host that comes later is asked for
    its timer.
    """
    write_atomic(_marker(core), b"0\n")


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

    Raises:
        StoreError: it cannot be read or written.
        StoreBusy: another process held it all the time.
    """
    # Imported here: a first run comes once.
    from model_queue.appending import append_text  # noqa: PLC0415

    def choose(text: str) -> str:
        return "" if HEARTBEAT_MARK in text else heartbeat_entry(queues_dir)

    return append_text(path, choose)


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
