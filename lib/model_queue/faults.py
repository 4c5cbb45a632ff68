"""Our own faults: a traceback in the log, one sentence for the person."""

from __future__ import annotations

import os
import traceback

from model_queue import wiring
from model_queue.ports import SystemClock

LOG_LIMIT = 1 << 20
"""Bytes of the log above which it starts afresh; the old one is kept as ``log.1``."""


def log_fault(error: BaseException) -> str:
    """Write an error of ours to the log, with its traceback; return what to say.

    Never fails: where no log can be written, the sentence has to do.
    """
    text = "".join(traceback.format_exception(error))
    path = log(text)
    where = f"; the details are in {path}" if path else ""
    return f"model-queue failed: {type(error).__name__}: {error}{where}"


def log(text: str) -> str | None:
    """Append to ``.state/log`` of the queue directory; return its path.

    None when it cannot be written, or there is no queue directory yet.
    """
    try:
        queues_dir = wiring.read_settings(wiring.surroundings()).queues_dir
        state = os.path.join(queues_dir, ".state")
        path = os.path.join(state, "log")
        if not os.path.isdir(queues_dir):
            return None
        os.makedirs(state, mode=0o700, exist_ok=True)
        if os.path.exists(path) and os.path.getsize(path) > LOG_LIMIT:
            os.replace(path, path + ".1")
        _append(path, f"{SystemClock().now().isoformat()} {text.rstrip()}\n")
    except Exception:  # noqa: BLE001 - a log that fails must not hide what it is for
        return None
    return path


def _append(path: str, text: str) -> None:
    # A pipe in its place must not be waited for.
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC
    with open(os.open(path, flags, 0o600), "ab") as file:
        file.write(text.encode("utf-8", "backslashreplace"))
