"""Use case: what a session reports (outcome, checkpoint, id) becomes a transition."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from model_queue import backoff, holds, messages
from model_queue.atomic import locked
from model_queue.core import (
    NO_EXTRAS,
    TRIES,
    Core,
    Extras,
    launcher_of,
    move,
    notice_for,
    notice_text,
    reread,
    stop_actions,
)
from model_queue.errors import StaleTask, TaskNotFound
from model_queue.labels import attempt_of
from model_queue.model import Checkpoint, JsonObject, Outcome, Task
from model_queue.outcomes import checked, event_of, is_other_model
from model_queue.reports import clip_result
from model_queue.store import Batch, Change, Notice
from model_queue.transitions import Effect, Event, Facts, Step, session_gone

REPORTS_LOCK_S = 3.0
"""Longest wait for another report: a hook has 10 s, the store's lock included."""
_RECORDS = 1000
"""Records of the log that are looked at: those of a day, or of a busy hour."""
_ACCEPTED = frozenset({Event.SUCCEED, Event.FAIL_OVER_BUDGET})
"""The ends of which a task keeps the report as its result."""


class Completion(NamedTuple):
    """What a report did."""

    task: Task
    """As stored now."""
    is_late: bool
    """The attempt no longer held the task: the result was kept beside, nothing moved."""
    actions: Sequence[JsonObject] = ()


def complete(
    core: Core,
    task: Task,
    outcome: Outcome,
    *,
    label: str,
    is_gone: bool = True,
    now: dt.datetime,
) -> Completion:
    """Store how the attempt ``label`` of a task ended. Safe to repeat.

    One report at a time: of several reporters of an attempt one is accepted, and
    ``results/T-001.md`` holds its text. That is written before the status moves, so
    that a crash between the two leaves a report without a status and never the reverse.
    An outcome of an attempt that does not hold the task is kept as ``….late.md`` and
    moves nothing.

    ``is_gone`` says that the session is known to have ended, so that its slot is free
    at once; else it is asked to stop and keeps the slot until it is seen gone.

    Raises:
        StoreBusy: others reported for all of ``REPORTS_LOCK_S``.
    """
    # Before the lock: the task's own checks may take minutes.
    outcome = checked(core, task, outcome)
    with locked(core.folder.reports_lock, timeout_s=REPORTS_LOCK_S):
        present = _present(core, task, label=label)
        return _complete(core, present, outcome, label=label, is_gone=is_gone, now=now)


def _present(core: Core, task: Task, *, label: str) -> Task:
    """Return a task as it is stored now, wherever it has moved to meanwhile."""
    try:
        return reread(core, task)
    except TaskNotFound:
        # Another report of the attempt has moved it to the fallback source.
        found = core.store.find(label=label)
        if found is None:
            raise
        return found


def _complete(
    core: Core,
    task: Task,
    outcome: Outcome,
    *,
    label: str,
    is_gone: bool,
    now: dt.datetime,
) -> Completion:
    if label != task.label or task.is_stopping:
        return _late(core, task, outcome, label=label, is_gone=is_gone, now=now)
    event = event_of(outcome)
    path = _keep_report(core, task, outcome, event, label=label)

    # The queue file is read and written whole by every call.
    kept = _clipped(outcome, path)

    def facts(current: Task) -> Facts:
        return _facts(core, current, kept, label=label, path=path, now=now)

    def extras(step: Step) -> Extras:
        return _extras(core, step, outcome, event, now=now)

    step = move(core, task, event, facts, now=now, extras_of=extras)
    if step.is_late:
        # Cancelled or lost meanwhile: what was to be the report is none.
        if event in _ACCEPTED:
            core.folder.drop_result(step.after)
        return _late(core, step.after, outcome, label=label, is_gone=is_gone, now=now)
    actions = () if is_gone else stop_actions(core, step)
    stored = reread(core, step.after)
    if is_gone:
        stored = free_slot(core, stored, now=now)
    return Completion(task=stored, is_late=False, actions=actions)


def _keep_report(
    core: Core, task: Task, outcome: Outcome, event: Event, *, label: str
) -> str | None:
    """Keep what the session wrote; return the path of the report, None without one."""
    if not outcome.result:
        return None
    if event in _ACCEPTED:
        return core.folder.write_result(task, outcome.result)
    core.folder.write_failed_result(task, outcome.result, label=label)
    return None


def _clipped(outcome: Outcome, path: str | None) -> Outcome:
    if path is None or outcome.result is None:
        return outcome
    return replace(outcome, result=clip_result(outcome.result, path))


def free_slot(core: Core, task: Task, *, now: dt.datetime) -> Task:
    """Store that the stopped session of a task was seen gone; return the task.

    Only the session that was looked at: a newer attempt keeps its slot.
    """
    label = task.label
    for _ in range(TRIES):
        freed = session_gone(task)
        if freed == task or task.label != label:
            return task
        change = Change(before=task, after=freed)
        try:
            core.store.commit(Batch(changes=[change]), now=now)
        except StaleTask:
            task = reread(core, task)
            continue
        return reread(core, task)
    raise StaleTask(ref=str(task.ref))


def attach(
    core: Core, task: Task, session_id: str, *, label: str, now: dt.datetime
) -> Completion:
    """Store the runtime's id of the session that carries out an attempt.

    An attach of an attempt that no longer holds the task stops that session.
    """

    def facts(_: Task) -> Facts:
        return Facts(
            now=now, label=label, session_id=session_id, lease=_lease(core, task)
        )

    step = move(core, task, Event.ATTACH, facts, now=now)
    actions: Sequence[JsonObject] = ()
    launcher = launcher_of(core, task, label=label)
    if Effect.STOP_SESSION.value in step.effects and launcher is not None:
        actions = launcher.stop(label, session_id)
    return Completion(
        task=reread(core, step.after), is_late=step.is_late, actions=actions
    )


def checkpoint(
    core: Core, task: Task, saved: Checkpoint, *, label: str, now: dt.datetime
) -> tuple[Completion, str]:
    """Keep a session's progress and renew its lease.

    The latest attempt's is kept, also when it has lost the task: the next attempt goes
    on from there. What an older one says would take the place of newer progress.

    Returns:
        What it did, and the directive: ``continue``, ``pause`` or ``stop``.
    """
    path = None
    if attempt_of(task, label) == task.attempt:
        path = core.folder.write_checkpoint(task, saved)

    def facts(_: Task) -> Facts:
        return Facts(
            now=now, label=label, checkpoint_path=path, lease=_lease(core, task)
        )

    step = move(core, task, Event.CHECKPOINT, facts, now=now)
    done = Completion(task=reread(core, step.after), is_late=step.is_late)
    if Effect.DIRECTIVE_CONTINUE.value in step.effects:
        return done, "continue"
    if Effect.DIRECTIVE_PAUSE.value in step.effects:
        return done, "pause"
    return done, "stop"


def _lease(core: Core, task: Task) -> dt.timedelta:
    source = core.settings.sources.get(task.queue)
    return dt.timedelta(seconds=source.lease_s if source else 120)


def _facts(
    core: Core,
    task: Task,
    outcome: Outcome,
    *,
    label: str,
    path: str | None,
    now: dt.datetime,
) -> Facts:
    source = core.settings.sources.get(task.queue)
    delay = backoff.delay_before(
        task.retries + 1,
        schedule=source.backoff_s if source else (5.0, 15.0, 45.0),
        jitter=source.jitter if source else 0.0,
        rng=core.rng,
    )
    return Facts(
        now=now,
        label=label,
        until_terminal=core.slot_policy(task.queue),
        delay=delay,
        until=holds.limit_ends(task, outcome, now=now),
        outcome=outcome,
        result_path=path,
        reason=outcome.error_message or outcome.summary,
        fallback=holds.fallback_for(core, task, now=now),
        lease=_lease(core, task),
    )


def _extras(
    core: Core, step: Step, outcome: Outcome, event: Event, *, now: dt.datetime
) -> Extras:
    """Return the notices and holds that go with a step."""
    if step.is_late:
        return NO_EXTRAS
    task, lang = step.after, messages.language_of(step.after.description)
    notices: list[Notice] = []
    text = notice_text(step, hint=outcome.hint or "")
    if text is not None:
        notices.append(notice_for(core, task, str(step.notice), text, now=now))
    if event is Event.SUCCEED and is_other_model(core, task, outcome):
        said = messages.model_mismatch(task, lang=lang)
        notices.append(notice_for(core, task, "model", said, now=now))
    more = NO_EXTRAS
    if event is Event.FAIL_QUOTA:
        more = holds.hold_for_quota(core, step, outcome, now=now)
    elif event is Event.FAIL_FATAL:
        more = holds.pause_after_fatal(core, step, now=now)
    return Extras(notices=[*notices, *more.notices], holds=more.holds)


def _late(
    core: Core,
    task: Task,
    outcome: Outcome,
    *,
    label: str,
    is_gone: bool,
    now: dt.datetime,
) -> Completion:
    """Keep a late result beside, log it, and free the slot of a stopped session."""
    text, event = outcome.result, event_of(outcome)
    is_news = bool(text) and not core.folder.has_report(task, text or "", label=label)
    if text and is_news:
        core.folder.write_late_result(task, text, label=label)
    is_an_end = event not in {Event.CANCEL, Event.LOST}
    if is_an_end and (is_news or not _is_logged(core, task, event, label=label)):
        move(core, task, event, lambda _: Facts(now=now, label=label), now=now)
    if is_gone and task.label == label:
        task = free_slot(core, reread(core, task), now=now)
    return Completion(task=task, is_late=True)


def _is_logged(core: Core, task: Task, event: Event, *, label: str) -> bool:
    """Report whether the log says already that the attempt ended so.

    That a text is kept does not tell: its writer may have been killed, or have met a
    full disk, before the commit of the log. Only the repeat of a late end pays for the
    look, and one of long ago is logged once more.
    """
    return any(
        (record.task_id, record.label, record.event) == (task.id, label, event.value)
        for record in core.store.events(limit=_RECORDS)
    )
