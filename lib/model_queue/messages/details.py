"""One task -> everything that a person may want to know of it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from model_queue.messages import texts
from model_queue.messages.overview import row
from model_queue.messages.wording import (
    LINE_COLUMNS,
    ago,
    amount,
    listed,
    moment,
    one_line,
    reason,
    say,
    told,
)
from model_queue.model import Status, Task


def show(
    task: Task,
    *,
    now: dt.datetime,
    lang: str = "en",
    zone: dt.tzinfo = dt.UTC,
    report: str | None = None,
) -> str:
    """Return everything that a person may want to know of one task.

    ``report`` is the full text, put below; a start time is shown in ``zone``.
    """
    lines = [
        row(texts.ROW, task, now, lang, columns=LINE_COLUMNS),
        say(texts.SHOW_QUEUE, lang, queue=task.queue, model=task.model),
        *_attributes(task, lang, zone),
        *_history(task, now, lang),
        *_ending(task, lang),
    ]
    text = "\n".join(lines)
    return f"{text}\n\n{report}" if report else text


def result(task: Task, *, lang: str = "en", report: str | None = None) -> str:
    """Return a task's report under the line that says what it is.

    ``report`` is the full text; None falls back on what the queue file keeps.
    """
    text = report if report is not None else task.result
    if not text:
        word = say(texts.STATUS_WORDS[task.status], lang)
        return say(texts.NO_RESULT, lang, id=task.id, word=word)
    head = f"{texts.MARKERS[task.status]} {task.id}: {one_line(task.description)}"
    return f"{head}\n\n{text}"


def _attributes(task: Task, lang: str, zone: dt.tzinfo) -> Iterable[str]:
    """Yield what was asked for."""
    if task.goal:
        yield say(texts.SHOW_GOAL, lang, goal=one_line(task.goal, LINE_COLUMNS))
    if task.depends_on:
        policy = say(texts.POLICY_WORDS[task.on_depends_fail], lang)
        ids = listed(task.depends_on, lang=lang)
        yield say(texts.ADDED_DEPENDS, lang, ids=ids, policy=policy)
    if task.priority:
        yield say(texts.ADDED_PRIORITY, lang, priority=task.priority)
    usd = (task.cost_ceiling or {}).get("usd")
    if usd is not None:
        yield say(texts.ADDED_BUDGET, lang, usd=amount(usd))
    if task.not_before is not None and task.started_at is None:
        yield say(texts.ADDED_START, lang, when=moment(task.not_before, zone=zone))


def _history(task: Task, now: dt.datetime, lang: str) -> Iterable[str]:
    yield say(texts.SHOW_ADDED, lang, ago=ago(now - task.added_at, lang=lang))
    if task.attempt:
        yield say(
            texts.SHOW_ATTEMPTS,
            lang,
            attempt=task.attempt,
            retries=task.retries,
            limit=task.max_retries,
        )
    if task.started_at is not None:
        yield say(texts.SHOW_STARTED, lang, ago=ago(now - task.started_at, lang=lang))
    if task.completed_at is not None:
        since = ago(now - task.completed_at, lang=lang)
        yield say(texts.SHOW_FINISHED, lang, ago=since)


def _ending(task: Task, lang: str) -> Iterable[str]:
    """Yield what came of it so far."""
    if task.session_model and task.session_model != task.model:
        yield say(texts.SHOW_RAN_ON, lang, model=one_line(task.session_model))
    why = task.skipped_reason if task.status is Status.SKIPPED else None
    if why:
        yield say(texts.SHOW_REASON, lang, reason=reason(why, lang=lang))
    if task.error_message:
        error = told(task.error_message, lang=lang)
        yield say(texts.FAILED_ERROR, lang, error=error)
    if task.result_summary:
        summary = one_line(task.result_summary, LINE_COLUMNS)
        yield say(texts.SHOW_SUMMARY, lang, summary=summary)
    if task.result_path:
        yield say(texts.SHOW_RESULT, lang, path=task.result_path)
