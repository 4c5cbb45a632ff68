"""Use case: what stands still until a person acts is said, once.

Source: SPEC 4 (all tasks of a queue blocked), SPEC 5 (a queue file that does not parse).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from model_queue import messages
from model_queue.core import Core, notice_for
from model_queue.model import LIVE_STATUSES, Status, Task
from model_queue.store import Batch, Notice, Query, Record, Seen

BROKEN_AGAIN = dt.timedelta(days=1)
"""How long a queue file that stays broken is not mentioned again."""


def tell(core: Core, *, now: dt.datetime) -> None:
    """Leave a notice for each queue that nothing but a person gets going again."""
    for meta in core.store.queues():
        if meta.broken is not None:
            text = messages.corrupt(meta.source, meta.broken)
            notice = Notice(
                id=core.ids.uuid4(),
                kind="corrupt",
                task_id=None,
                text=text,
                created_at=now,
            )
            until = now + BROKEN_AGAIN
            _say_once(core, notice, meta.source, meta.broken, until=until, now=now)
    for source, tasks in _all_blocked(core).items():
        newest = max(tasks, key=lambda task: task.updated_at or task.added_at)
        lang = messages.language_of(newest.description)
        text = messages.all_blocked(source, tasks, lang=lang)
        notice = notice_for(core, newest, "all_blocked", text, now=now)
        # A task that was freed and is blocked again makes it another standstill.
        which = " ".join(f"{task.id} {task.updated_at}" for task in tasks)
        _say_once(core, notice, source, which, until=None, now=now)


def _all_blocked(core: Core) -> dict[str, Sequence[Task]]:
    """Return the blocked tasks of the queues that have no other unfinished ones."""
    found: dict[str, Sequence[Task]] = {}
    blocked = core.store.select(Query(statuses=(Status.BLOCKED,)))
    for source in dict.fromkeys(task.queue for task in blocked):
        query = Query(statuses=LIVE_STATUSES, sources=(source,))
        tasks = core.store.select(query)
        if all(task.status is Status.BLOCKED for task in tasks):
            found[source] = tasks
    return found


def _say_once(
    core: Core,
    notice: Notice,
    source: str,
    which: str,
    *,
    until: dt.datetime | None,
    now: dt.datetime,
) -> None:
    """Store the notice unless the same standstill was told before."""
    # Imported here: only a standstill pays for it.
    import hashlib  # noqa: PLC0415

    digest = hashlib.sha256(which.encode("utf-8", "surrogateescape")).hexdigest()[:32]
    key = f"{notice.kind}:{source}:{digest}"
    if core.store.recall(key, now=now) is not None:
        return
    seen = Seen(key=key, answer=lambda _: {"notice": notice.id}, until=until)
    record = Record(ts=now, event=notice.kind, queue=source, task_id=notice.task_id)
    core.store.commit(Batch(notices=[notice], records=[record], seen=seen), now=now)
