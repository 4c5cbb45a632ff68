"""Use case: compare running tasks with their sessions; what was seen gone is settled.

A live local process is never expired by a clock; a host's session is judged by what the
host says. Source: seed 003 dispatcher, Step 2; SPEC 4.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from model_queue import completion
from model_queue.budgets import attempt_limit_s
from model_queue.core import (
    Core,
    Extras,
    Troubles,
    launcher_of,
    move,
    notice_for,
    notice_text,
)
from model_queue.errors import StaleTask
from model_queue.model import ErrorClass, JsonObject, Outcome, Status, Task
from model_queue.ports import Launcher, SessionState
from model_queue.store import Batch, Change, Query
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


def watch(
    core: Core, listing: Listing, troubles: Troubles, *, now: dt.datetime
) -> list[JsonObject]:
    """Look at every session that holds a task; return actions for the host."""
    actions: list[JsonObject] = []
    for task in core.store.select(Query(statuses=(Status.RUNNING,))):
        launcher = launcher_of(core, task, label=str(task.label))
        if launcher is None or task.claim is None or task.is_stopping:
            continue
        with troubles.passed_over():
            if is_hosts(core, task, launcher):
                actions.extend(_check_host(core, task, listing, now=now))
            else:
                _check_local(core, task, launcher, now=now)
    for task in core.store.select(Query(stopping=True)):
        with troubles.passed_over():
            actions.extend(_check_stopping(core, task, listing, now=now))
    return actions


def is_hosts(core: Core, task: Task, launcher: Launcher) -> bool:
    """Report whether the attempt that holds a task is run by the host.

    A source may have been given another launcher since the attempt was started: then
    its session goes on where it is. Only a host gives ids of its own.
    """
    label = str(task.label)
    if core.folder.has_session(label):
        return False
    return launcher.is_host or task.subagent_session not in {None, label}


def _check_local(
    core: Core, task: Task, launcher: Launcher, *, now: dt.datetime
) -> None:
    label = str(task.label)
    session = launcher.find(label)
    if session.state is SessionState.ABSENT and _start_window_over(task, now):
        # A starter that was suspended past its lease must not start it after all; or
        # has done so just now, and then it is no loss.
        session = launcher.give_up(label)
        if session.state is SessionState.ABSENT:
            lose(core, task, now=now)
            return
    if session.state is SessionState.ENDED and session.outcome is not None:
        completion.complete(core, task, session.outcome, label=label, now=now)
    elif session.state is SessionState.LIVE and task.subagent_session is None:
        # Its starter died, or is about to say the same.
        found = session.session_id or label
        completion.attach(core, task, found, label=label, now=now)


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
    over_at = (task.started_at or now) + _longest(core, task)
    is_answerless = task.claim.lease_until <= now and task.claim.lease_until > over_at
    if listing.is_complete or is_answerless:
        # Asked to stop before it counts as lost: the host may only be slow to tell.
        stop = core.launchers[task.queue].stop(label, task.subagent_session)
        lose(core, task, now=now)
        return stop
    if task.claim.lease_until <= now and over_at <= now:
        # Nobody may have looked since the limit: the machine slept, or the clock was
        # set. The host gets one lease to answer before all of its sessions are lost.
        renew(core, task, now=now)
    elif task.claim.lease_until > now:
        return ()
    return [{"type": "poll", "key": f"poll:{label}", "labels": [label]}]


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
    """Free the slot of a stopped session once it is seen gone, else ask again.

    What a local one had to say by then is kept, as any late result.
    """
    claim = task.claim
    if claim is None or claim.stopping is None:
        return ()
    launcher = launcher_of(core, task, label=claim.label)
    if launcher is None:
        return ()
    if is_hosts(core, task, launcher):
        said = listing.find(task)
        is_gone = said.is_ended if said else listing.is_complete
        is_gone = is_gone or _is_given_up(core, task, claim.stopping, now=now)
    else:
        found = launcher.find(claim.label)
        if found.outcome is not None:
            completion.complete(core, task, found.outcome, label=claim.label, now=now)
            return ()
        is_gone = found.state is not SessionState.LIVE
    if is_gone:
        completion.free_slot(core, task, now=now)
        return ()
    return launcher.stop(claim.label, task.subagent_session)


def _is_given_up(
    core: Core, task: Task, stopping: dt.datetime, *, now: dt.datetime
) -> bool:
    """Report whether a host was silent for so long that its session counts as gone.

    After its limit the host gets one lease more to answer, as in ``_check_host``.
    """
    over_at = stopping + _longest(core, task)
    claim = task.claim
    if claim is None or now < over_at:
        return False
    if claim.lease_until > over_at:
        return claim.lease_until <= now
    lease = dt.timedelta(seconds=core.settings.sources[task.queue].lease_s)
    asked = replace(task, claim=replace(claim, lease_until=now + lease))
    # Whoever was faster has looked at it as well: the next pass looks again.
    with suppress(StaleTask):
        core.store.commit(Batch(changes=[Change(before=task, after=asked)]), now=now)
    return False


def _longest(core: Core, task: Task) -> dt.timedelta:
    """Return how long a host session may be silent: its time limit plus one lease."""
    source = core.settings.sources[task.queue]
    return dt.timedelta(seconds=attempt_limit_s(task, source) + source.lease_s)
