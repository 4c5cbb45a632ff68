"""Audit records: the newest that are wanted, then each one as it is written."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Callable, Sequence
from typing import TypeAlias

from model_queue.core import Core
from model_queue.model import Task
from model_queue.store import Record
from model_queue.terminal import stamp

READ_FIRST = 2_000
"""Newest records among which those asked for are looked for first."""
_LOOK_BACK = 64
_MORE = 8
_TAIL = 3
"""Last records by which it is known again what was seen: two may be the same."""
Wanted: TypeAlias = Callable[[Record], bool]


def about(task: Task | None, source: str | None) -> Wanted:
    """Return what picks the records of one task, one queue, both, or all."""

    def is_wanted(record: Record) -> bool:
        if task is not None and (
            record.task_id != task.id or record.queue not in {None, task.queue}
        ):
            return False
        return source is None or record.queue == source

    return is_wanted


def newest(
    core: Core,
    wanted: Wanted,
    *,
    limit: int | None = None,
    since: dt.datetime | None = None,
) -> list[Record]:
    """Return the last ``limit`` wanted records from ``since`` on, oldest first.

    Reads no more of the log than it must: all months of a year are long.
    """
    n_read, n_before = READ_FIRST, -1
    while True:
        records = core.store.events(limit=n_read)
        found = [r for r in records if wanted(r) and (since is None or r.ts >= since)]
        is_whole = _is_whole(len(records), n_before, n_read)
        has_all = since is not None and not is_whole and records[0].ts < since
        if is_whole or has_all or (limit is not None and len(found) >= limit):
            return found if limit is None else found[max(0, len(found) - limit) :]
        n_read, n_before = n_read * _MORE, len(records)


def _is_whole(n_records: int, n_before: int, n_read: int) -> bool:
    """Report whether there are no older records; a line that cannot be read is none."""
    return n_records == n_before or n_records < n_read // 2


class Happenings:
    """The records that are written from now on.

    Survives a new month, which begins a new file, and torn lines, which are no records.
    """

    def __init__(self, core: Core) -> None:
        self._core = core
        self._path = os.path.join(core.folder.path, "events.jsonl")
        # Before the first look: what is written in between is seen by the next one.
        self._stamp = stamp(self._path)
        self._seen = list(core.store.events(limit=_TAIL))

    def new(self) -> Sequence[Record]:
        """Return the records that were written since the last call, oldest first."""
        now = stamp(self._path)
        if now == self._stamp:
            return ()
        self._stamp = now
        found = self._after_seen()
        self._seen = [*self._seen, *found][-_TAIL:]
        return found

    def _after_seen(self) -> Sequence[Record]:
        n_read, n_before, seen = _LOOK_BACK, -1, self._seen
        while True:
            records = list(self._core.store.events(limit=n_read))
            for end in range(len(records) if seen else 0, 0, -1):
                if records[max(0, end - len(seen)) : end] == seen:
                    return records[end:]
            if _is_whole(len(records), n_before, n_read):
                # Nothing was there before; or somebody has put the log away since.
                return [r for r in records if not seen or r.ts > seen[-1].ts]
            n_read, n_before = n_read * _MORE, len(records)
