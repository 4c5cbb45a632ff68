"""When a whole queue must stand still, or hand a task to another source."""

from __future__ import annotations

import datetime as dt

from model_queue import messages
from model_queue.core import NO_EXTRAS, Core, Extras, notice_for
from model_queue.model import Outcome, Status, Task
from model_queue.store import Hold, Query, QueueMeta
from model_queue.transitions import Step

FATAL_IN_A_ROW = 3
"""Fatal failures of a queue's latest attempts after which it is paused: the access or
the model is wrong, and each further task would fail the same way."""
UNNAMED_WAIT = dt.timedelta(minutes=1)
"""First wait for a limit whose end the provider did not name; it doubles with each
attempt, up to ``LONGEST_WAIT``."""
LONGEST_WAIT = dt.timedelta(hours=1)


def limit_ends(task: Task, outcome: Outcome, *, now: dt.datetime) -> dt.datetime:
    """Return when a rate limit or quota ends: as the provider said, else a guess.

    The guess grows with each attempt, so that a limit without an end cannot loop fast.
    """
    doublings = min(max(task.attempt - 1, 0), 10)
    return outcome.until or now + min(UNNAMED_WAIT * 2**doublings, LONGEST_WAIT)


def fallback_for(core: Core, task: Task, *, now: dt.datetime) -> tuple[str, str] | None:
    """Return the source and model to move to, when one is set and not itself waiting."""
    source = core.settings.sources.get(task.queue)
    other = core.settings.sources.get(source.fallback or "") if source else None
    meta = _meta(core, other.name) if other else None
    if other is None or meta is None or meta.is_held(now):
        return None
    return other.name, other.models[0]


def hold_for_quota(
    core: Core, step: Step, outcome: Outcome, *, now: dt.datetime
) -> Extras:
    """Hold the whole source until the reset; say so once per source and reset."""
    source = step.before.queue
    until = limit_ends(step.before, outcome, now=now)
    meta = _meta(core, source)
    held = meta.paused if meta else None
    is_said = held is not None and held.by == "quota" and not _is_over(held, now)
    if is_said and held and held.until is not None and held.until >= until:
        return NO_EXTRAS
    reason = outcome.error_message or "quota used up"
    lang = messages.language_of(step.after.description)
    text = messages.quota(source, until, lang=lang)
    return Extras(
        notices=[notice_for(core, step.after, "quota", text, now=now)],
        holds={source: Hold(at=now, by="quota", reason=reason, until=until)},
    )


def pause_after_fatal(core: Core, step: Step, *, now: dt.datetime) -> Extras:
    """Pause the queue when its latest ended tasks all failed for good alike.

    Derived from the tasks instead of counted: nothing to reset, nothing to lose.
    """
    queue = step.after.queue
    ended = [
        task
        for task in core.store.select(
            Query(sources=(queue,), statuses=(Status.DONE, Status.FAILED))
        )
        if task.completed_at is not None and task.id != step.after.id
    ]
    ended.sort(key=lambda task: task.completed_at or now)
    latest = [*ended, step.after][-FATAL_IN_A_ROW:]
    is_fatal = [t.error_class is not None and t.error_class.is_fatal for t in latest]
    if len(latest) < FATAL_IN_A_ROW or not all(is_fatal):
        return NO_EXTRAS
    reason = step.after.error_message or "failed for good"
    lang = messages.language_of(step.after.description)
    text = messages.queue_paused(queue, reason, lang=lang)
    return Extras(
        notices=[notice_for(core, step.after, "queue_paused", text, now=now)],
        holds={queue: Hold(at=now, by="failures", reason=reason)},
    )


def _meta(core: Core, source: str) -> QueueMeta | None:
    for meta in core.store.queues():
        if meta.source == source:
            return meta
    return None


def _is_over(hold: Hold, now: dt.datetime) -> bool:
    return hold.until is not None and hold.until <= now
