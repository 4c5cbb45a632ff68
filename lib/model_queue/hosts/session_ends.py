"""What a host says of a session's end -> Outcome. Source: SPEC 7, on-subagent-exit."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

from model_queue.failures import classify
from model_queue.hosts.generic import Payload
from model_queue.model import ErrorClass, JsonObject, Outcome
from model_queue.reports import outcome_of as outcome_of_report

ENDS = ("done", "failed", "timeout", "cancelled", "lost", "blocked")
"""How a session can have ended."""


def outcome_of(payload: Payload, status: str, *, now: dt.datetime) -> Outcome:
    """Return what the words of a host amount to; ``status`` is one of ``ENDS``.

    A good end is judged by the session's own report, a failure by its error text.
    """
    known = Outcome(
        result_status=status,
        result=payload.text("result") or None,
        summary=payload.text("summary") or None,
        error_message=payload.text("error") or None,
        model=payload.text("model") or None,
        session_id=payload.text("session_id") or None,
        spent=spent_of(payload),
    )
    match status:
        case "done":
            report = known.result or known.summary or ""
            return outcome_of_report(report, replace(known, result_status="success"))
        case "failed":
            return _failed(known, now=now)
        case "timeout":
            said = known.error_message or "the session ran out of time"
            return _failed_as(known, ErrorClass.TIMEOUT, said)
        case "lost":
            return replace(known, error_class=ErrorClass.LOST)
        case "cancelled":
            return replace(known, error_message="session cancelled in the host")
        case _:
            return replace(known, error_message=known.error_message or known.summary)


def _failed(known: Outcome, *, now: dt.datetime) -> Outcome:
    """Judge a failure by its words; one that says nothing special was reported."""
    said = known.error_message or known.summary or "the session failed"
    failure = classify(body=said, now=now)
    if failure.error_class is ErrorClass.TRANSIENT:
        return _failed_as(known, ErrorClass.REPORTED, said)
    judged = _failed_as(known, failure.error_class, failure.message)
    return replace(judged, until=failure.until)


def _failed_as(known: Outcome, error_class: ErrorClass, said: str) -> Outcome:
    return replace(
        known, result_status="failed", error_class=error_class, error_message=said
    )


def spent_of(payload: Payload) -> JsonObject | None:
    """Return the host's ``usage`` as a task keeps it, None when nothing is known."""
    usage = payload.part("usage")
    usd = usage.amount("cost_usd")
    tokens = [usage.whole(name) for name in ("input_tokens", "output_tokens")]
    spent: JsonObject = {}
    if usd is not None:
        spent["usd"] = usd
    if tokens != [None, None]:
        spent["tokens"] = sum(n or 0 for n in tokens)
    tools = usage.counts("tool_calls")
    if tools:
        spent["tool_calls"] = {**tools}
    return spent or None
