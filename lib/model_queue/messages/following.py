"""Events and endings -> the lines of a command that goes on looking."""

from __future__ import annotations

from collections.abc import Sequence

from model_queue.codec import format_time
from model_queue.messages import following_texts, texts
from model_queue.messages.wording import LIST_COLUMNS, listed, one_line, reason, say
from model_queue.model import Status, Task
from model_queue.store import Record


def event_line(record: Record) -> str:
    """Return an audit record on one line; its words are the same in every language."""
    when = format_time(record.ts.replace(microsecond=0))
    about = " ".join(part for part in (record.queue, record.task_id) if part)
    moved = f" {record.before or '-'} -> {record.after}" if _has_moved(record) else ""
    detail = f" ({one_line(record.detail)})" if record.detail else ""
    return f"{when} {about + ' ' if about else ''}{record.event}{moved}{detail}"


def _has_moved(record: Record) -> bool:
    return record.after is not None and record.before != record.after


def ended(task: Task, *, lang: str = "en") -> str:
    """Return the line of a task that has ended, or needs a person."""
    why = task.result_summary or ""
    if task.status is Status.BLOCKED:
        why = reason(task.blocked_reason or "", lang=lang)
    elif task.status is not Status.DONE:
        why = task.error_message or ""
    tail = f"{texts.DASH}{one_line(why, LIST_COLUMNS)}" if why else ""
    return say(
        following_texts.ENDED,
        lang,
        marker=texts.MARKERS[task.status],
        id=task.id,
        word=_word(task, lang),
        description=one_line(task.description),
        tail=tail,
    )


def still_open(tasks: Sequence[Task], *, lang: str = "en") -> str:
    """Say that the time is over, and what has not ended by then."""
    ids = listed([task.id for task in tasks], lang=lang)
    form = following_texts.ONE_IS if len(tasks) == 1 else following_texts.SEVERAL_ARE
    subject = say(form, lang, ids=ids)
    return say(
        following_texts.STILL_OPEN, lang, ids=subject, states=_states(tasks, lang)
    )


def ended_badly(tasks: Sequence[Task], *, lang: str = "en") -> str:
    """Say which tasks have ended otherwise than done, "" when none has."""
    if not tasks:
        return ""
    states = _states(tasks, lang)
    return say(following_texts.NOT_DONE, lang, states=states, first=tasks[0].id)


def _states(tasks: Sequence[Task], lang: str) -> str:
    states = [
        say(following_texts.STATE, lang, id=task.id, word=_word(task, lang))
        for task in tasks
    ]
    return listed(states, lang=lang)


def _word(task: Task, lang: str) -> str:
    return say(texts.STATUS_WORDS[task.status], lang)
