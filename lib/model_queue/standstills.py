"""Use case: what stands still until a person acts is said once, or once a day.

Source: SPEC 4 (all tasks of a queue blocked), SPEC 5 (a queue file that does not parse),
SPEC 1 (a source that was removed).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from model_queue import budgets, messages
from model_queue.core import Core, notice_for, parents_of
from model_queue.dependencies import roots_of
from model_queue.model import LIVE_STATUSES, Status, Task, TaskRef
from model_queue.store import Batch, Notice, Query, QueueMeta, Record, Seen, is_for

BROKEN_AGAIN = dt.timedelta(days=1)
"""How long a queue file that stays broken is not mentioned again."""
FULL_AGAIN = dt.timedelta(days=1)
"""How long a disk that stays full is not mentioned again."""
BLOCKED_AGAIN = dt.timedelta(days=1)
"""How long tasks that stay blocked are not mentioned again. Source: SPEC 4."""


def tell(core: Core, *, now: dt.datetime) -> None:
    """Leave a notice for each queue that nothing but a person gets going again."""
    metas = core.store.queues()
    for meta in metas:
        if meta.broken is not None:
            text = messages.corrupt(meta)
            notice = Notice(
                id=core.ids.uuid4(),
                kind="corrupt",
                task_id=None,
                text=text,
                created_at=now,
            )
            until = now + BROKEN_AGAIN
            # One that was restored and breaks in the same way again is told again.
            which = f"{meta.broken} {meta.fault.occasion if meta.fault else ''}"
            _say_once(core, notice, meta.source, which, until=until, now=now)
    for source, tasks in _all_blocked(core).items():
        newest = max(tasks, key=lambda task: task.updated_at or task.added_at)
        lang = messages.language_of(newest.description)
        text = messages.all_blocked(
            source, tasks, failed=_held_up_by(core, tasks), lang=lang
        )
        notice = notice_for(core, newest, "all_blocked", text, now=now)
        # A task that was freed and is blocked again makes it another standstill.
        which = " ".join(f"{task.id} {task.updated_at}" for task in tasks)
        _say_once(core, notice, source, which, until=now + BLOCKED_AGAIN, now=now)
    for source, tasks in _without_source(core, metas).items():
        newest = max(tasks, key=lambda task: task.added_at)
        lang = messages.language_of(newest.description)
        text = messages.no_source(source, tasks, lang=lang)
        notice = notice_for(core, newest, "source_removed", text, now=now)
        which = " ".join(task.id for task in tasks)
        _say_once(core, notice, source, which, until=None, now=now)
    for task in unheard(core, now=now):
        if now - (task.started_at or now) >= _limit(core, task):
            lang = messages.language_of(task.description)
            text = messages.unheard(task, now=now, lang=lang)
            notice = notice_for(core, task, "unheard", text, now=now)
            which = str(task.label)
            _say_once(core, notice, task.queue, which, until=None, now=now)
    _tell_of_disk(core, now=now)


def _tell_of_disk(core: Core, *, now: dt.datetime) -> None:
    """Say that the disk holds work up; a disk too full for a notice fails the pass."""
    held_up = core.store.select(Query(statuses=LIVE_STATUSES))
    if core.folder.has_room() or not held_up:
        return
    newest = max(held_up, key=lambda task: task.updated_at or task.added_at)
    text = messages.disk_full(lang=messages.language_of(newest.description))
    notice = notice_for(core, newest, "disk_full", text, now=now)
    _say_once(core, notice, "disk", "", until=now + FULL_AGAIN, now=now)


def unheard(core: Core, *, now: dt.datetime) -> Sequence[Task]:
    """Return the tasks that the agent runtime should have begun by now, and is silent of.

    It was handed each of them, has told no session id, no progress and no end. That is
    no loss: the same spawn is offered again, and a runtime may speak at the end only.
    """
    hosted = [name for name, found in core.launchers.items() if found.is_host]
    if not hosted:
        return []
    running = core.store.select(Query(sources=hosted, statuses=(Status.RUNNING,)))
    return [task for task in running if _is_unheard(core, task, now=now)]


def _is_unheard(core: Core, task: Task, *, now: dt.datetime) -> bool:
    if task.subagent_session or task.checkpoint_path or task.is_stopping:
        return False
    start_s = core.settings.sources[task.queue].start_timeout_s
    return now - (task.started_at or now) >= dt.timedelta(seconds=start_s)


def _limit(core: Core, task: Task) -> dt.timedelta:
    """Return after which silence something is wrong, not only late."""
    source = core.settings.sources[task.queue]
    limit_s = budgets.attempt_limit_s(task, source) + source.lease_s
    return dt.timedelta(seconds=limit_s)


def outlook(
    core: Core, *, chat: tuple[str, str, str] | None = None, now: dt.datetime
) -> messages.Outlook:
    """Return what a status table has to add to the tasks themselves.

    ``chat`` gets its own notices with the same answer: they do not count as waiting.
    """
    configured = core.settings.sources
    # What a wrong setting was meant to say is not known.
    is_known = not any(problem.fatal for problem in core.settings.problems)
    return messages.Outlook(
        unconfigured=[
            meta.source
            for meta in core.store.queues()
            if is_known and meta.source not in configured
        ],
        waits_for_host=_waiting_for_host(core, now=now) if is_known else (),
        unheard=[task.ref for task in unheard(core, now=now)],
        untold=[
            notice.task_id
            for notice in core.store.undelivered()
            if chat is None or not is_for(notice, chat)
        ],
        progress=_progress(core),
        is_disk_full=not core.folder.has_room(),
    )


def _progress(core: Core) -> dict[TaskRef, int]:
    """Return how far the running tasks are whose sessions said so."""
    found: dict[TaskRef, int] = {}
    for task in core.store.select(Query(statuses=(Status.RUNNING,))):
        saved = core.folder.read_checkpoint(task) if task.checkpoint_path else None
        if saved is not None:
            found[task.ref] = saved.percent_complete
    return found


def _waiting_for_host(core: Core, *, now: dt.datetime) -> Sequence[str]:
    """Return the queues with due tasks and no session, which only a host can start."""
    found: list[str] = []
    for meta in core.store.queues():
        launcher = core.launchers.get(meta.source)
        if launcher is None or not launcher.is_host or meta.is_held(now):
            continue
        tasks = core.store.select(Query(sources=(meta.source,)))
        is_due = any(
            task.status is Status.PENDING
            and (task.not_before is None or task.not_before <= now)
            for task in tasks
        )
        if is_due and not any(task.claim for task in tasks):
            found.append(meta.source)
    return found


def _without_source(
    core: Core, metas: Sequence[QueueMeta]
) -> dict[str, Sequence[Task]]:
    """Return the unfinished tasks of the queues whose source is not configured."""
    found: dict[str, Sequence[Task]] = {}
    for source in (meta.source for meta in metas):
        if source in core.settings.sources:
            continue
        tasks = core.store.select(Query(statuses=LIVE_STATUSES, sources=(source,)))
        if tasks:
            found[source] = tasks
    return found


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


def _held_up_by(core: Core, tasks: Sequence[Task]) -> list[str]:
    """Return the ids with which a person runs again what holds the tasks up."""
    lookup = parents_of(core)
    roots = roots_of(tasks, lookup)
    return [root.id if lookup(root.id) else str(root.ref) for root in roots]


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
