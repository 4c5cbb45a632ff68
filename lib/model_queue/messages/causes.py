"""What keeps a task from running -> one reason each, with its code and its words."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from model_queue.messages import explanation_texts as own
from model_queue.messages import texts
from model_queue.messages.questions import explained
from model_queue.messages.wording import (
    LINE_COLUMNS,
    ago,
    counted,
    duration,
    listed,
    moment,
    one_line,
    reason,
    say,
    told,
)
from model_queue.model import ErrorClass, Status, Task
from model_queue.settings import SourceSettings
from model_queue.store import QueueMeta
from model_queue.transitions import failed_attempts

_NAMED = 5
"""Ids that one reason names; more help nobody."""
_LIMITS = frozenset({"quota", "rate_limited"})
_TENS = range(11, 14)


class Code(StrEnum):
    """The kinds of reasons; the values are the words of ``explain --json``. SPEC 10."""

    DEPENDENCY_OPEN = "dependency_open"
    DEPENDENCY_FAILED = "dependency_failed"
    QUEUE_PAUSED = "queue_paused"
    RATE_LIMITED = "rate_limited"
    BEHIND = "behind"
    QUEUE_BROKEN = "queue_broken"
    NOT_DUE = "not_due"
    NO_SLOT = "no_slot"
    HOST_ONLY = "host_only"
    STOPPING = "stopping"


class Reason(NamedTuple):
    """One thing that has to change before a task runs, or is done."""

    code: Code | None
    """None: none of the codes fits, and the text alone tells it."""
    ref: str | None
    """The task or the queue that it is about; with ``behind`` the first in line."""
    until: dt.datetime | None
    """When it ends by itself, where that is known."""
    text: str
    """What it is, and what to do about it; no full stop."""


class Reader(NamedTuple):
    """Who is told, and when."""

    now: dt.datetime
    lang: str = "en"
    zone: dt.tzinfo = dt.UTC

    def say(self, text: texts.Text, /, **facts: object) -> str:
        """Fill in one text."""
        return say(text, self.lang, **facts)

    def ago(self, when: dt.datetime | None) -> str:
        """Return how long ago something was."""
        return ago(self.now - (when or self.now), lang=self.lang)

    def due(self, until: dt.datetime) -> dict[str, str]:
        """Return a moment to come, as the facts ``when`` and ``span``."""
        span = duration(until - self.now, lang=self.lang)
        return {"when": moment(until, zone=self.zone), "span": span}

    def error(self, task: Task) -> str:
        """Return what a task's latest attempt failed with."""
        return told(task.error_message or texts.NO_ERROR[0], lang=self.lang)

    def attempts(self, task: Task) -> str:
        """Return how often a task was tried."""
        n = failed_attempts(task)
        tries = counted(n, texts.ONE_ATTEMPT, texts.MANY_ATTEMPTS, lang=self.lang)
        if not task.losses:
            return tries
        losses = counted(task.losses, texts.ONE_LOSS, texts.MANY_LOSSES, lang=self.lang)
        return self.say(texts.AND_LOSSES, attempts=tries, losses=losses)

    def few(self, ids: Sequence[str]) -> str:
        """Return ids in one line, the first few of many."""
        shown = listed(ids[:_NAMED], lang=self.lang)
        n = len(ids) - _NAMED
        if n <= 0:
            return shown
        return self.say(own.AND_MORE, ids=shown, n=n)


# What holds up a whole queue.


def unconfigured(to: Reader, task: Task) -> Reason:
    """A queue whose source is gone; none of the codes fits."""
    name = task.queue.upper().replace("-", "_")
    line = one_line(f"MODEL_SOURCE_{name}={task.model}", LINE_COLUMNS)
    text = to.say(own.UNCONFIGURED, source=task.queue, line=line)
    return Reason(None, task.queue, None, text)


def broken(to: Reader, meta: QueueMeta) -> Reason:
    """A queue whose file stops it, with the command that brings it back."""
    why, hint = meta.broken or "", ""
    if meta.fault is not None:
        why, hint = explained(meta.fault, lang=to.lang)
    text = to.say(own.BROKEN, source=meta.source, why=why, hint=hint)
    return Reason(Code.QUEUE_BROKEN, meta.source, None, text.rstrip(" .。"))


def held(to: Reader, meta: QueueMeta) -> Reason:
    """A queue that a person, a limit or failures hold."""
    hold, source = meta.paused, meta.source
    if hold is None:
        return broken(to, meta)
    until = hold.until
    if hold.by in _LIMITS:
        text = to.say(own.QUEUE_LIMITED_OPEN, source=source)
        if until is not None:
            text = to.say(own.QUEUE_LIMITED, source=source, **to.due(until))
        return Reason(Code.RATE_LIMITED, source, until, text)
    since = to.ago(hold.at)
    if hold.by == "user" or not hold.reason:
        text = to.say(own.QUEUE_PAUSED_BY_YOU, source=source, ago=since)
    else:
        why = told(hold.reason, lang=to.lang)
        text = to.say(own.QUEUE_PAUSED, source=source, ago=since, why=why)
    if until is not None:
        text = to.say(own.QUEUE_PAUSED_UNTIL, paused=text, **to.due(until))
    return Reason(Code.QUEUE_PAUSED, source, until, text)


def disk_full(to: Reader) -> Reason:
    """Too little space for anything new; none of the codes fits."""
    return Reason(None, None, None, to.say(own.DISK_FULL))


def budget_spent(to: Reader, source: SourceSettings, until: dt.datetime) -> Reason:
    """A source that may spend no more today: a limit that ends by itself."""
    usd = f"{source.budget_usd_per_day:g}"
    text = to.say(own.BUDGET_SPENT, source=source.name, usd=usd, **to.due(until))
    return Reason(Code.RATE_LIMITED, source.name, until, text)


# What holds up one task in its queue.


def not_due(to: Reader, task: Task, until: dt.datetime) -> Reason:
    """A task that is to start later: as asked, after a limit or a failure."""
    due = to.due(until)
    error = to.error(task)
    if task.error_class in {ErrorClass.RATE_LIMITED, ErrorClass.QUOTA}:
        text = to.say(own.TASK_LIMITED, id=task.id, error=error, **due)
        return Reason(Code.RATE_LIMITED, task.id, until, text)
    if task.started_at is None or not task.error_message:
        text = to.say(own.NOT_DUE, id=task.id, **due)
    elif task.retries:
        n, limit = task.retries, task.max_retries
        text = to.say(own.BACKOFF, id=task.id, n=n, limit=limit, error=error, **due)
    else:
        text = to.say(own.NOT_STARTED, id=task.id, error=error, **due)
    return Reason(Code.NOT_DUE, task.id, until, text)


def stopping(to: Reader, task: Task, name: str, *, in_host: bool) -> Reason:
    """A session that was told to stop and is not seen gone."""
    since = task.claim.stopping if task.claim else None
    session = task.subagent_session or task.label or "?"
    text = to.say(
        own.STOPPING_IN_HOST if in_host else own.STOPPING,
        id=name,
        ago=to.ago(since),
        session=one_line(session),
    )
    return Reason(Code.STOPPING, name, None, text)


def no_slot(
    to: Reader, source: str, holders: Sequence[tuple[str, Task]], n: int
) -> Reason:
    """A queue whose ``n`` slots are taken, by tasks with the names they go by."""
    ids = to.few([_holder(to, name, task) for name, task in holders])
    form = own.NO_SLOT_ONE if n == 1 else own.NO_SLOT_MANY
    text = to.say(form, source=source, n=n, ids=ids)
    first = next((name for name, task in holders if not task.is_stopping), None)
    if first is not None:
        text = to.say(own.FREE_SLOT, text=text, first=first)
    return Reason(Code.NO_SLOT, source, None, text)


def _holder(to: Reader, name: str, task: Task) -> str:
    if task.is_stopping:
        return to.say(own.HOLDER_STOPPING, id=name)
    word = to.say(texts.STATUS_WORDS[task.status])
    if task.started_at is None:
        return to.say(own.HOLDER, id=name, word=word)
    since = to.ago(task.started_at)
    return to.say(own.HOLDER_SINCE, id=name, word=word, ago=since)


def behind(
    to: Reader, task: Task, name: str, ahead: Sequence[tuple[str, Task]]
) -> Reason:
    """A task with others before it in line, the first one first."""
    ids = [each for each, _ in ahead]
    n = len(ids) + 1
    value = max(other.priority for _, other in ahead) + 1
    text = to.say(
        own.BEHIND,
        id=name,
        nth=f"{n}{_suffix(n)}",
        n=n,
        ids=to.few(ids),
        value=max(value, task.priority),
    )
    return Reason(Code.BEHIND, ids[0], None, text)


def _suffix(n: int) -> str:
    """Return the ending of an English ordinal.

    >>> [_suffix(n) for n in (1, 2, 3, 4, 11, 22)]
    ['st', 'nd', 'rd', 'th', 'th', 'nd']
    """
    if n % 100 in _TENS:
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")


def over_limit(to: Reader, task: Task) -> Reason:
    """A task that fails with the next pass, since its limit was lowered."""
    text = to.say(
        own.OVER_LIMIT, id=task.id, retries=task.retries, limit=task.max_retries
    )
    return Reason(None, task.id, None, text)


def host_only(to: Reader, task: Task) -> Reason:
    """A task that only the agent runtime starts."""
    text = to.say(own.HOST_ONLY, source=task.queue)
    return Reason(Code.HOST_ONLY, task.queue, None, text)


def host_silent(to: Reader, task: Task, name: str) -> Reason:
    """A task that the agent runtime was handed, and has not spoken of."""
    text = to.say(own.HOST_SILENT, id=name, ago=to.ago(task.started_at))
    return Reason(Code.HOST_ONLY, task.queue, None, text)


def paused(to: Reader, name: str) -> Reason:
    """A task that a person paused; none of the codes fits."""
    return Reason(None, name, None, to.say(own.PAUSED, id=name))


def blocked(to: Reader, task: Task, name: str) -> Reason:
    """A task that needs a person; none of the codes fits."""
    text = to.say(own.BLOCKED, id=name, why=_why_blocked(to, task))
    return Reason(None, name, None, text)


def _why_blocked(to: Reader, task: Task) -> str:
    if not task.blocked_reason:
        return to.say(own.NO_WHY)
    return reason(task.blocked_reason, lang=to.lang)


# What a task depends on.


def dependency_open(to: Reader, task: str, parent: Task, name: str) -> Reason:
    """A dependency that may still be done."""
    word = to.say(texts.STATUS_WORDS[parent.status])
    since = to.ago(parent.started_at)
    form = {
        Status.RUNNING: own.OPEN_RUNNING,
        Status.PAUSED: own.OPEN_PAUSED,
    }.get(parent.status, own.OPEN_QUEUED)
    text = to.say(form, task=task, id=name, word=word, ago=since)
    return Reason(Code.DEPENDENCY_OPEN, name, None, text)


def dependency_unreadable(to: Reader, task: str, name: str) -> Reason:
    """A dependency in a queue that stands still."""
    text = to.say(own.OPEN_UNREADABLE, task=task, id=name)
    return Reason(Code.DEPENDENCY_OPEN, name, None, text)


def dependency_failed(
    to: Reader, task: str, parent: Task, name: str, *, is_held_up: bool
) -> Reason:
    """A dependency that will not be done by itself.

    ``is_held_up``: its own dependencies are why, and told before it.
    """
    facts: dict[str, str] = {"task": task, "id": name}
    if parent.status is Status.FAILED:
        facts |= {"attempts": to.attempts(parent), "error": to.error(parent)}
        form = own.PARENT_FAILED
    elif parent.status is Status.SKIPPED:
        why = parent.skipped_reason
        facts["why"] = reason(why, lang=to.lang) if why else to.say(own.NO_WHY)
        form = own.PARENT_SKIPPED
    elif parent.status is Status.CANCELLED:
        form = own.PARENT_CANCELLED
    elif is_held_up:
        form = own.PARENT_HELD_UP
    else:
        facts["why"] = _why_blocked(to, parent)
        form = own.PARENT_BLOCKED
    return Reason(Code.DEPENDENCY_FAILED, name, None, to.say(form, **facts))


def dependency_unknown(
    to: Reader, task: str, ref: str, nearest: Sequence[str]
) -> Reason:
    """A dependency that no queue and no archive has."""
    near = ""
    if nearest:
        near = to.say(own.NEAREST, ids=listed(nearest, lang=to.lang))
    parent = one_line(ref)
    text = to.say(own.UNKNOWN, id=task, parent=parent, nearest=near)
    return Reason(Code.DEPENDENCY_FAILED, parent, None, text)


def dependency_circle(to: Reader, task: str, ref: str, path: Sequence[str]) -> Reason:
    """A dependency that waits for the task itself, along ``path``."""
    text = to.say(own.CIRCLE, path=" → ".join(path), id=task)
    return Reason(Code.DEPENDENCY_FAILED, ref, None, text)
