"""What still tells of numbers that were given, once the file that held them is gone."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
from contextlib import suppress

from model_queue.atomic import read_file
from model_queue.errors import StoreError
from model_queue.queuefile import highest_number

_NAME = re.compile(r"(?:mq-t|T)-(\d{3,7})(?!\d)")
"""At the start of a name: ``T-001.a1.md``, ``mq-t-001-a1-1f3c9a7e``."""
_RECORD = re.compile(rb'"task_id"\s*:\s*"T-(\d{3,7})"')


def backups(root: str, *, but: Collection[str]) -> dict[str, int]:
    """Return per earlier version of a queue file its highest number.

    Args:
        root: the queue directory.
        but: names of queue files that were read themselves.
    """
    found: dict[str, int] = {}
    for directory in (".state/backup", ".state/backup/latest", ".state/unsettled"):
        for name in _names(root, directory):
            if name.endswith(".json") and name not in but:
                path = f"{directory}/{name}"
                found[path] = highest_number(_bytes(root, path))
    return found


def numbers(root: str) -> dict[str, int]:
    """Return the numbers in the audit log and in the names of tasks' own files.

    Takes as long as the log is; only for a directory whose counter is lost.
    """
    found: dict[str, int] = {}
    for name in _names(root, ""):
        if name.startswith("events") and name.endswith(".jsonl"):
            given = map(int, _RECORD.findall(_bytes(root, name)))
            found[name] = max(given, default=0)
    for name in _names(root, ".state/broken"):
        path = f".state/broken/{name}"
        found[path] = highest_number(_bytes(root, path))
    for directory in ("results", "checkpoints", "sessions"):
        for name in _names(root, directory):
            match = _NAME.match(name)
            if match is not None:
                found[f"{directory}/{name}"] = int(match[1])
    return found


def _names(root: str, directory: str) -> Iterator[str]:
    # A trace that cannot be read tells nothing; it must not keep a task from its queue.
    with suppress(OSError):
        yield from os.listdir(os.path.join(root, directory))


def _bytes(root: str, path: str) -> bytes:
    full = os.path.join(root, path)
    with suppress(StoreError):
        return (read_file(full) if os.path.isfile(full) else None) or b""
    return b""
