"""Use case: old finished tasks leave their queue, and their sessions' folders go.

Source: SPEC 4, "Archive".
"""

from __future__ import annotations

import datetime as dt

from model_queue.core import Core
from model_queue.model import Status
from model_queue.session_folders import remove_archived
from model_queue.store import Query

_ENDED = tuple(status for status in Status if status.is_terminal)


def put_away(core: Core, *, days: int | None = None, now: dt.datetime) -> list[str]:
    """Archive what ended more than some days ago; return the ids.

    ``days`` is ``MODEL_QUEUE_ARCHIVE_DAYS`` unless told otherwise. A task that a live one depends on stays. Cheap when there is nothing to do: it is
    part of every pass.
    """
    limit = core.settings.archive_days if days is None else days
    before = now - dt.timedelta(days=limit)
    if not any(
        task.completed_at is not None and task.completed_at < before
        for task in core.store.select(Query(statuses=_ENDED))
    ):
        return []
    moved = list(core.store.archive(before=before, now=now))
    if moved:
        remove_archived(core, now=now)
    return moved
