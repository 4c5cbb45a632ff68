"""on-heartbeat: one pass over the queues, with what the host says of its sessions."""

from __future__ import annotations

from collections.abc import Sequence

from model_queue import dispatch, messages, planning
from model_queue.core import Core
from model_queue.hook_calls.call import Call, Done
from model_queue.hook_calls.passing import run_pass
from model_queue.hosts.generic import Payload, answer
from model_queue.model import JsonObject, JsonValue
from model_queue.settings import Settings
from model_queue.store import Notice
from model_queue.watching import HostSession, Listing

GOING_ON = ("running", "pending")
"""What a host may say of a session that has not ended."""


def on_heartbeat(call: Call) -> Done:
    """Run one pass and tell what there is to tell."""
    return one_pass(call)


def one_pass(call: Call, **members: JsonValue) -> Done:
    """Run one pass; ``members`` of another hook's answer come into it besides."""
    listing = _listing(call)
    call.payload.check()
    settings = call.settings()
    if not settings.sources:
        told = answer(messages.HEARTBEAT_OK, dispatched=[], queues={}) | members
        return Done(told, lambda: _remember(call, settings, None, told))
    core = call.open(settings)
    first = call.first_answer(core)
    if first is not None:
        return first
    tick = run_pass(call, core, listing)
    notices = call.notices(core)
    told = answer(
        dispatch.report(tick, notices, lang=call.caller.lang or _spoken(tick, notices)),
        notices=notices,
        actions=tick.actions,
        dispatched=[task.id for task in tick.dispatched],
        queues={name: {**n} for name, n in planning.counts(core).items()},
    )
    told |= members
    done = call.done(core, told, notices)
    if not (done.afterwards or tick.actions):
        done.afterwards = lambda: _remember(call, settings, core, told)
    return done


def _spoken(tick: dispatch.Tick, notices: Sequence[Notice]) -> str:
    """Return the language of what is told where the host names none."""
    told = [notice.text for notice in notices]
    work = [task.description for task in tick.dispatched]
    return messages.language_of(next(iter((*told, *work)), ""))


def _remember(
    call: Call, settings: Settings, core: Core | None, told: JsonObject
) -> None:
    """Let the guard answer the next heartbeats while nothing changes."""
    if call.hook == "on-heartbeat":
        # Imported here: the host has its answer already.
        from model_queue.sidecars import keep_idle  # noqa: PLC0415

        keep_idle(call, settings, core, told)


def _listing(call: Call) -> Listing:
    sessions: list[HostSession] = []
    for part in call.payload.parts("sessions"):
        part.needs("session_id", "label")
        sessions += _said(part, call)
    is_complete = call.payload.switch("sessions_complete")
    return Listing(sessions=sessions, is_complete=is_complete)


def _said(part: Payload, call: Call) -> list[HostSession]:
    """Return what is said of one session, under each of its two names."""
    # Imported here: most heartbeats bring no sessions.
    from model_queue.hosts.session_ends import ENDS, outcome_of  # noqa: PLC0415

    part.needs("status")
    status = part.word("status", (*GOING_ON, *ENDS))
    outcome = None if status in GOING_ON else outcome_of(part, status, now=call.now)
    session_id = part.text("session_id")
    return [
        HostSession(
            key=key,
            session_id=session_id,
            is_ended=outcome is not None,
            outcome=outcome,
        )
        for key in (session_id, part.text("label"))
        if key
    ]
