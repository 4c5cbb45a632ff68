"""Use case: compare running tasks with their sessions; what was seen gone is settled.

A live local process is never expired by a clock; a host's session is judged by what the
host says. Source: seed 003 dispatcher, Step 2; SPEC 4.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import NamedTuple

from model_queue import completion
from model_queue.budgets import attempt_limit_s
from model_queue.core import Core, Extras, move, notice_for, notice_text
from model_queue.model import ErrorClass, JsonObject, Outcome, Status, Task
from model_queue.ports import SessionState
from model_queue.store import Query
from model_queue.transitions import Event, Facts, Step


class HostSession(NamedTuple):
    """What a host says of one of its sessions."""

    key: str
    """Session id or label."""
    is_ended: bool
    session_id: str = ""
    """The runtime's own id, "" when it told the label only."""
    outcome: Outcome | None = None


class Listing(NamedTuple):
    """What a host says of its sessions."""

    sessions: Sequence[HostSession] = ()
    is_complete: bool = False
    """A session that is not listed is gone."""

    def find(self, task: Task) -> HostSession | None:
        """Return what is said of the session that holds a task."""
        keys = {task.subagent_session, task.label} - {None}
        for session in self.sessions:
            if session.key in keys:
                return session
        return None


SILENT = Listing()


def watch(core: Core, listing: Listing, *, now: dt.datetime) -> list[JsonObject]:
    """Look at every session that holds a task; return actions for the host."""
    actions: list[JsonObject] = []
    for task in core.store.select(Query(statuses=(Status.RUNNING,))):
        launcher = core.launchers.get(task.queue)
        if launcher is None or task.claim is None or task.is_stopping:
            continue
        if launcher.is_host:
            actions.extend(_check_host(core, task, listing, now=now))
        else:
            _check_local(core, task, now=now)
    for task in core.store.select(Query(stopping=True)):
        actions.extend(_check_stopping(core, task, listing, now=now))
    return actions


def _check_local(core: Core, task: Task, *, now: dt.datetime) -> None:
    label = str(task.label)
    session = core.launchers[task.queue].find(label)
    if session.state is SessionState.ENDED and session.outcome is not None:
        completion.complete(core, task, session.outcome, label=label, now=now)
    elif session.state is SessionState.ABSENT and _start_window_over(task, now):
        # A starter that was suspended past its lease must not start it after all.
        core.launchers[task.queue].stop(label, None)
        lose(core, task, now=now)


def _start_window_over(task: Task, now: dt.datetime) -> bool:
    """Report whether an absent session can no longer be on its way.

    One that was attached and is gone is lost at once; one that was never attached may
    still start until its lease ends.
    """
    if task.claim is None or task.subagent_session is not None:
        return True
    return task.claim.lease_until <= now


def lose(core: Core, task: Task, *, now: dt.datetime) -> Step:
    """Count an attempt whose session vanished without an outcome.

    The attempt that was looked at, and no other: when somebody else has lost it already
    and started the next one, this word is late.
    """
    label = task.label
    outcome = Outcome(
        result_status="lost",
        error_class=ErrorClass.LOST,
        error_message="the session vanished without an outcome",
    )

    def facts(current: Task) -> Facts:
        return Facts(
            now=now,
            label=label,
            outcome=outcome,
            reason=outcome.error_message,
            until_terminal=core.slot_policy(current.queue),
        )

    def extras(step: Step) -> Extras:
        text = notice_text(step)
        if text is None:
            return Extras()
        kind = str(step.notice)
        return Extras(notices=[notice_for(core, step.after, kind, text, now=now)])

    return move(core, task, Event.LOST, facts, now=now, extras_of=extras)


def _check_host(
    core: Core, task: Task, listing: Listing, *, now: dt.datetime
) -> Sequence[JsonObject]:
    """Judge a host's session by what the host says; silence alone is no loss."""
    label = str(task.label)
    said = listing.find(task)
    if said is not None and said.is_ended and said.outcome is not None:
        done = completion.complete(core, task, said.outcome, label=label, now=now)
        return done.actions
    if said is not None:
        return _adopt(core, task, said, now=now)
    if task.subagent_session is None or task.claim is None:
        return ()
    silent_for = now - (task.started_at or now)
    if listing.is_complete or silent_for >= _longest(core, task):
        # Asked to stop before it counts as lost: the host may only be slow to tell.
        stop = core.launchers[task.queue].stop(label, task.subagent_session)
        lose(core, task, now=now)
        return stop
    if task.claim.lease_until <= now:
        return [{"type": "poll", "key": f"poll:{label}", "labels": [label]}]
    return ()


def _adopt(
    core: Core, task: Task, said: HostSession, *, now: dt.datetime
) -> Sequence[JsonObject]:
    """Extend the lease of a session that runs; keep its id if nobody told it before."""
    if task.subagent_session is not None:
        renew(core, task, now=now)
        return ()
    label = str(task.label)
    found = said.session_id or label
    return completion.attach(core, task, found, label=label, now=now).actions


def renew(core: Core, task: Task, *, now: dt.datetime) -> None:
    """Extend the lease of an attempt that was heard of."""
    lease = dt.timedelta(seconds=core.settings.sources[task.queue].lease_s)
    label = task.label

    def facts(_: Task) -> Facts:
        return Facts(now=now, label=label, lease=lease)

    move(core, task, Event.RENEW, facts, now=now)


def _check_stopping(
    core: Core, task: Task, listing: Listing, *, now: dt.datetime
) -> Sequence[JsonObject]:
    """Free the slot of a stopped session once it is seen gone, else ask again."""
    launcher, claim = core.launchers.get(task.queue), task.claim
    if launcher is None or claim is None or claim.stopping is None:
        return ()
    if launcher.is_host:
        said = listing.find(task)
        is_gone = said.is_ended if said else listing.is_complete
        is_gone = is_gone or now - claim.stopping >= _longest(core, task)
    else:
        is_gone = launcher.find(claim.label).state is not SessionState.LIVE
    if is_gone:
        completion.free_slot(core, task, now=now)
        return ()
    return launcher.stop(claim.label, task.subagent_session)


def _longest(core: Core, task: Task) -> dt.timedelta:
    """Return how long a host session may be silent: its time limit plus one lease."""
    source = core.settings.sources[task.queue]
    return dt.timedelta(seconds=attempt_limit_s(task, source) + source.lease_s)
