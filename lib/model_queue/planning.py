"""What the queues hold, and when a pass must run although nobody calls."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from model_queue.core import Core
from model_queue.model import LIVE_STATUSES, Status, Task
from model_queue.store import Query, QueueMeta

TELL_AGAIN = dt.timedelta(minutes=1)
"""After which a notice that nobody has taken is offered to the notifier again; each
further time after twice as long."""
TELL_FOR = dt.timedelta(days=1)
"""How long a notice is a reason for a pass of its own. One that the notifier would not
take for so long waits for a pass that runs anyway, so that the waker can end."""
LOOK_AGAIN = dt.timedelta(seconds=30)
"""How soon a pass looks again at sessions whose end nobody may report."""
STOPPING_AGAIN = dt.timedelta(seconds=2)
"""The same for a session that was told to stop: its slot is wanted."""


def counts(core: Core) -> dict[str, dict[str, int]]:
    """Return how many tasks each queue has, by source and status."""
    found: dict[str, dict[str, int]] = {m.source: {} for m in core.store.queues()}
    for task in core.store.select(Query()):
        per_status = found.setdefault(task.queue, {})
        per_status[task.status.value] = per_status.get(task.status.value, 0) + 1
    return found


def next_due(core: Core, *, since: dt.datetime, now: dt.datetime) -> dt.datetime | None:
    """Return when a pass must run although nobody calls, None when never.

    Never later than a task's ``not_before``, the end of a queue's hold, the next look
    at a session whose end nobody may report, or the next try to get a notice to the
    notifier.

    ``since`` is the moment of the latest pass: what was due by then it has seen, and
    what waits since waits for a slot. What has become due while it ran is due now.
    """
    metas = {meta.source: meta for meta in core.store.queues()}
    dues = [m.paused.until for m in metas.values() if m.paused and m.paused.until]
    for task in core.store.select(Query(statuses=LIVE_STATUSES)):
        due = _due_of(core, task, metas.get(task.queue), since=since, now=now)
        if due is not None:
            dues.append(due)
    for task in core.store.select(Query(stopping=True)):
        launcher = core.launchers.get(task.queue)
        if launcher is not None and not launcher.is_host:
            dues.append(now + STOPPING_AGAIN)
    dues.extend(_tries_to_tell(core, now=now))
    later = [due for due in dues if due > since]
    return min(later) if later else None


def _tries_to_tell(core: Core, *, now: dt.datetime) -> Iterator[dt.datetime]:
    """Yield when each notice is offered to the notifier next.

    Reckoned from when it was made, so that passes in between put nothing off.
    """
    if not core.settings.notify_command:
        return
    for notice in core.store.undelivered():
        wait = TELL_AGAIN
        while wait <= TELL_FOR and notice.created_at + wait <= now:
            wait *= 2
        if wait <= TELL_FOR:
            yield notice.created_at + wait


def _due_of(
    core: Core,
    task: Task,
    meta: QueueMeta | None,
    *,
    since: dt.datetime,
    now: dt.datetime,
) -> dt.datetime | None:
    """Return when a task needs a pass although nobody calls, None when never.

    A task of a host source needs its host, not a pass.
    """
    launcher = core.launchers.get(task.queue)
    if launcher is None or launcher.is_host or meta is None:
        return None
    if task.status is Status.RUNNING:
        return now + LOOK_AGAIN
    if task.status is not Status.PENDING or meta.is_held(now):
        return None
    if not core.folder.has_room():
        # Nobody tells when there is space again.
        return max(task.not_before or now, now + LOOK_AGAIN)
    if task.updated_at is not None and task.updated_at > since:
        # Whoever has changed it since the pass may be dead by now.
        return max(task.not_before or task.updated_at, task.updated_at)
    return task.not_before
