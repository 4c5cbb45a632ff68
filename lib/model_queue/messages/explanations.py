"""Why a task does not run -> the whole answer: what it is, then reason by reason."""

from __future__ import annotations

from collections.abc import Sequence

from model_queue.messages import explanation_texts as own
from model_queue.messages import texts
from model_queue.messages.causes import Reader, Reason
from model_queue.messages.wording import hint_for, moment, one_line, reason
from model_queue.model import Checkpoint, Status, Task

_SHOWN = 12
"""Reasons that an answer shows; ``reasons`` has them all."""


def is_clear(to: Reader, status: Status) -> str:
    """Say that nothing keeps a pending or waiting task."""
    return to.say(own.READY if status is Status.PENDING else own.SETTLES)


def runs(to: Reader, task: Task, saved: Checkpoint | None) -> Sequence[str]:
    """Say since when and where a task runs, and how far it is."""
    started = task.started_at or to.now
    lines = [
        to.say(
            own.RUNS,
            when=moment(started, zone=to.zone),
            ago=to.ago(started),
            attempt=task.attempt,
            session=one_line(task.subagent_session or task.label or "?"),
        )
    ]
    if saved is not None:
        lines.append(
            to.say(
                own.CHECKPOINT,
                ago=to.ago(saved.written_at),
                percent=saved.percent_complete,
                last=one_line(saved.last_action) or "?",
                next=one_line(saved.next_action) or "?",
            )
        )
    return lines


def ended(to: Reader, task: Task, name: str) -> Sequence[str]:
    """Say how a task ended, by whom, and what runs it again."""
    since = to.ago(task.completed_at)
    if task.status is Status.DONE:
        return [to.say(own.DONE, ago=since, id=name)]
    if task.status is Status.FAILED:
        tries, error = to.attempts(task), to.error(task).rstrip(".。")
        lines = [to.say(own.FAILED, ago=since, attempts=tries, error=error, id=name)]
        hint = hint_for(task.error_class, task.model, lang=to.lang)
        return [*lines, to.say(texts.FAILED_HINT, hint=hint)] if hint else lines
    is_skip = task.status is Status.SKIPPED
    why = task.skipped_reason if is_skip else task.error_message
    is_own = task.failure_reason in {"user_skip", "user_cancel"}
    if is_own and (is_skip or not why):
        form = own.SKIPPED_BY_YOU if is_skip else own.CANCELLED_BY_YOU
    else:
        form = own.SKIPPED_OTHERWISE if is_skip else own.CANCELLED_OTHERWISE
    said = reason(why, lang=to.lang) if why else to.say(own.NO_WHY)
    return [to.say(form, ago=since, id=name, why=said)]


def answer(
    to: Reader,
    task: Task,
    name: str,
    reasons: Sequence[Reason],
    *,
    lines: Sequence[str] = (),
    without: bool = False,
) -> str:
    """Return the whole answer about one task: what it is, then why, outermost first.

    ``lines`` stand before the reasons; ``without``: it can be run without waiting for
    what is told.
    """
    head = to.say(
        texts.ROW,
        id=name,
        marker=texts.MARKERS[task.status],
        word=to.say(texts.STATUS_WORDS[task.status]),
        description=one_line(task.description),
        tail="",
    )
    last = [to.say(own.WITHOUT, id=name)] if without else []
    return "\n".join([head, *lines, *_bullets(to, reasons), *last])


def unreadable(to: Reader, name: str, reasons: Sequence[Reason]) -> str:
    """Return the whole answer about a task whose queue stands still."""
    return "\n".join([to.say(own.BROKEN_HEAD, id=name), *_bullets(to, reasons)])


def _bullets(to: Reader, reasons: Sequence[Reason]) -> list[str]:
    """Return one line a reason; of very many the outermost and the last."""
    lines = [to.say(own.BULLET, text=each.text) for each in reasons]
    hidden = len(lines) - _SHOWN
    if hidden <= 0:
        return lines
    more = to.say(own.MORE, n=hidden)
    return [*lines[: _SHOWN - 1], more, lines[-1]]
