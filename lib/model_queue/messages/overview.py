"""Queues and tasks -> the tables that a person asks for."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from model_queue.messages import texts
from model_queue.messages.questions import explained
from model_queue.messages.wording import (
    LIST_COLUMNS,
    ago,
    counted,
    duration,
    listed,
    one_line,
    reason,
    say,
    told,
    width_of,
)
from model_queue.model import Status, Task, TaskRef
from model_queue.store import QueueMeta

ROWS_PER_STATUS = 10
"""Tasks of one status that a queue's table names; a thousand lines help nobody."""

_INDENT = "  "
_SHORTEST = 16
"""Columns of a description that a narrow screen leaves: enough to know the task by."""
_COUNTED_ONLY = (Status.DONE, Status.SKIPPED, Status.CANCELLED)
_LONG_WAIT = dt.timedelta(hours=1)
"""After which a table tells since when a task is there."""
_WAITS_FOR_LIMIT = frozenset({"quota", "rate_limited"})


class Outlook(NamedTuple):
    """What the status table has to add to the tasks themselves."""

    unconfigured: Collection[str] = ()
    """Queues whose source is not configured: nothing of them runs."""
    waits_for_host: Collection[str] = ()
    """Queues that have a free slot and due tasks, which only the agent runtime starts."""
    unheard: Collection[TaskRef] = ()
    """Tasks that the agent runtime was handed, and has not spoken of since."""
    untold: Sequence[str | None] = ()
    """The tasks of notices that nobody has got yet; None for one about no task."""
    progress: Mapping[TaskRef, int] = MappingProxyType({})
    """How far running tasks are, in percent, as their sessions said."""
    is_disk_full: bool = False
    """There is too little space to start anything new."""


NOTHING_AMISS = Outlook()


def status(
    queues: Sequence[QueueMeta],
    tasks: Mapping[str, Sequence[Task]],
    *,
    now: dt.datetime,
    lang: str = "en",
    rows: int | None = ROWS_PER_STATUS,
    columns: int | None = None,
    outlook: Outlook = NOTHING_AMISS,
) -> str:
    """Return the seed's status table, one paragraph a queue, in the order given.

    Running, pending, waiting and blocked tasks are listed as the seed does, paused and
    failed ones besides; of the other finished ones only the number is told, but one
    whose session is still being stopped is listed, since it holds its slot.

    ``tasks`` are the live ones by source, in claim order. Beyond ``rows`` tasks of one
    queue and status only their number is told; None lists all. ``columns`` is how wide
    a screen is, where there is one: descriptions give way to what is told of them.
    ``outlook`` is told where there is something to tell.

    Source: seed 003 "Queue Status", SPEC 4.
    """
    paragraphs = [say(texts.STATUS_HEAD, lang)]
    for queue in queues:
        own = tasks.get(queue.source, ())
        paragraphs.append(
            "\n".join(
                (
                    _head(queue, own, now, lang) + _outlook(queue, outlook, lang),
                    *_body(
                        queue, own, now, lang, rows, columns=columns, outlook=outlook
                    ),
                )
            )
        )
    if not queues:
        paragraphs.append(say(texts.STATUS_NO_QUEUES, lang))
    if outlook.is_disk_full:
        paragraphs.append(say(texts.DISK_FULL, lang))
    if outlook.untold:
        paragraphs.append(_untold(outlook.untold, lang))
    return "\n\n".join(paragraphs)


def host_only(source: str, ids: Sequence[str], *, lang: str = "en") -> str:
    """Say that new tasks wait for a caller that starts their sessions."""
    head = say(texts.HOST_ONLY, lang, ids=listed(ids, lang=lang), source=source)
    return f"{head}\n{say(texts.HOST_ONLY_HELP, lang, source=source)}"


def listing(
    tasks: Sequence[Task],
    *,
    now: dt.datetime,
    lang: str = "en",
    columns: int | None = None,
) -> str:
    """Return one line a task, each with its queue, in the order given.

    ``columns`` is how wide a screen is, as in ``status``.
    """
    lines = [
        row(texts.ROW_WITH_QUEUE, task, now, lang, screen=columns) for task in tasks
    ]
    return "\n".join(lines) or say(texts.NO_TASKS, lang)


def _head(queue: QueueMeta, tasks: Sequence[Task], now: dt.datetime, lang: str) -> str:
    if queue.broken is not None:
        return say(texts.STATUS_BROKEN, lang, source=queue.source)
    counts = dict.fromkeys(Status, 0)
    for task in tasks:
        counts[task.status] += 1
    line = say(
        texts.STATUS_QUEUE,
        lang,
        source=queue.source,
        pending=counts[Status.PENDING],
        running=counts[Status.RUNNING],
        done=counts[Status.DONE],
    )
    for status in (Status.SKIPPED, Status.CANCELLED):
        if counts[status]:
            word = say(texts.STATUS_WORDS[status], lang)
            more = say(texts.COUNTED, lang, n=counts[status], word=word)
            line += say(texts.COMMA, lang) + more
    return line + _hold(queue, now, lang)


def _hold(queue: QueueMeta, now: dt.datetime, lang: str) -> str:
    hold = queue.paused
    if hold is None or not queue.is_held(now):
        return ""
    if hold.until is not None and hold.by in _WAITS_FOR_LIMIT:
        return say(texts.HELD_LIMIT, lang, span=duration(hold.until - now, lang=lang))
    if hold.by == "user" or not hold.reason:
        return say(texts.HELD_PAUSED, lang)
    return say(
        texts.HELD_REASON,
        lang,
        reason=told(hold.reason, lang=lang, columns=LIST_COLUMNS),
    )


def _outlook(queue: QueueMeta, outlook: Outlook, lang: str) -> str:
    if queue.source in outlook.unconfigured:
        return say(texts.NOT_CONFIGURED_ANY_MORE, lang)
    if queue.source in outlook.waits_for_host:
        return say(texts.WAITS_FOR_HOST, lang)
    return ""


def _untold(about: Sequence[str | None], lang: str) -> str:
    text = counted(len(about), texts.UNTOLD_ONE, texts.UNTOLD_MANY, lang=lang)
    ids = list(dict.fromkeys(each for each in about if each))
    if not ids:
        return text
    shown = listed(ids[:ROWS_PER_STATUS], lang=lang)
    return say(texts.UNTOLD_IDS, lang, untold=text, ids=shown)


def _body(
    queue: QueueMeta,
    tasks: Sequence[Task],
    now: dt.datetime,
    lang: str,
    rows: int | None,
    *,
    columns: int | None,
    outlook: Outlook,
) -> Iterable[str]:
    """Yield the lines below a queue's head."""
    if queue.broken is not None:
        why, hint = queue.broken, ""
        if queue.fault is not None:
            why, hint = explained(queue.fault, lang=lang)
        yield say(texts.BROKEN, lang, why=why)
        if hint:
            yield f"  {hint}"
        return
    is_empty = True
    screen = None if columns is None else columns - len(_INDENT)
    line = [each.ref for each in tasks if _is_in_line(each, now)]
    for status in texts.MARKERS:
        those = [task for task in tasks if task.status is status and _is_listed(task)]
        if status is Status.FAILED:
            those.reverse()
        for task in those[:rows]:
            is_empty = False
            known = _Known(
                is_unheard=task.ref in outlook.unheard,
                percent=outlook.progress.get(task.ref),
                place=line.index(task.ref) + 1 if task.ref in line else None,
                has_age=True,
            )
            yield _INDENT + row(texts.ROW, task, now, lang, screen=screen, known=known)
        hidden = 0 if rows is None else len(those) - rows
        if hidden > 0:
            word = say(texts.STATUS_WORDS[status], lang)
            yield say(texts.MORE, lang, n=hidden, word=word)
    if is_empty:
        yield say(texts.STATUS_EMPTY, lang)


class _Known(NamedTuple):
    """What a table knows of a task beside the task itself."""

    is_unheard: bool = False
    percent: int | None = None
    place: int | None = None
    """Among the tasks that wait for a slot; None when it waits for something else."""
    has_age: bool = False
    """Since when it waits is told, where that is long."""


_NOTHING = _Known()


def _is_in_line(task: Task, now: dt.datetime) -> bool:
    return task.status is Status.PENDING and not _is_scheduled(task, now)


def _is_listed(task: Task) -> bool:
    return task.status not in _COUNTED_ONLY or task.is_stopping


def row(
    form: texts.Text,
    task: Task,
    now: dt.datetime,
    lang: str,
    *,
    columns: int = LIST_COLUMNS,
    screen: int | None = None,
    known: _Known = _NOTHING,
) -> str:
    """Return one task on one line, as ``form`` cuts it.

    The description has at most ``columns``, and fewer where the line would be wider
    than the ``screen``.
    """
    description = one_line(task.description, columns)
    filled = partial(
        say,
        form,
        lang,
        id=task.id,
        queue=task.queue,
        marker=texts.MARKERS[task.status],
        word=say(texts.STATUS_WORDS[task.status], lang),
        tail=_tail(task, now, lang, known),
    )
    line = filled(description=description)
    excess = 0 if screen is None else width_of(line) - screen
    if excess <= 0:
        return line
    room = max(width_of(description) - excess, _SHORTEST)
    return filled(description=one_line(description, room))


def _tail(task: Task, now: dt.datetime, lang: str, known: _Known) -> str:
    """Return what stands behind a task's description: notes, then the reason."""
    notes = list(_notes(task, now, lang, known))
    joined = say(texts.COMMA, lang).join(notes)
    tail = say(texts.TAIL, lang, notes=joined) if notes else ""
    if task.status is Status.BLOCKED and task.blocked_reason:
        tail += texts.DASH + reason(task.blocked_reason, lang=lang)
    elif task.status is Status.FAILED and task.error_message:
        error = told(task.error_message, lang=lang, columns=LIST_COLUMNS)
        tail += texts.DASH + error
    return tail


def _notes(task: Task, now: dt.datetime, lang: str, known: _Known) -> Iterable[str]:
    if task.status is Status.RUNNING and task.started_at is not None:
        since = ago(now - task.started_at, lang=lang)
        note = texts.NOTE_UNHEARD if known.is_unheard else texts.NOTE_STARTED
        yield say(note, lang, ago=since)
        if known.percent is not None:
            yield say(texts.NOTE_PROGRESS, lang, percent=known.percent)
    if known.place is not None and known.place > 1:
        yield say(texts.NOTE_PLACE, lang, n=known.place)
    if task.status is Status.WAITING:
        yield say(texts.NOTE_DEPENDS, lang, ids=listed(task.depends_on, lang=lang))
    if _is_scheduled(task, now):
        yield _due(task, now, lang)
    elif known.has_age and _waits_long(task, now):
        yield say(texts.NOTE_ADDED, lang, ago=ago(now - task.added_at, lang=lang))
    if task.is_stopping:
        yield say(texts.NOTE_STOPPING, lang)


def _waits_long(task: Task, now: dt.datetime) -> bool:
    waits = {Status.PENDING, Status.WAITING, Status.PAUSED, Status.BLOCKED}
    return task.status in waits and now - task.added_at >= _LONG_WAIT


def _is_scheduled(task: Task, now: dt.datetime) -> bool:
    may_start = task.status in {Status.PENDING, Status.WAITING, Status.PAUSED}
    return may_start and task.not_before is not None and now < task.not_before


def _due(task: Task, now: dt.datetime, lang: str) -> str:
    span = duration((task.not_before or now) - now, lang=lang)
    if task.retries and task.started_at is not None:
        return say(
            texts.NOTE_RETRY, lang, n=task.retries, limit=task.max_retries, span=span
        )
    return say(texts.NOTE_DUE, lang, span=span)
