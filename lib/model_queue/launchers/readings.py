"""What a session left behind, read into an ``Outcome``; the same for all programs."""

from __future__ import annotations

import datetime as dt

from model_queue import failures, reports
from model_queue.failures import Failure
from model_queue.launchers.finished import Finished
from model_queue.launchers.session_files import STDERR, STDOUT
from model_queue.model import JsonObject, Outcome


def report(
    text: str,
    *,
    is_partial: bool = False,
    model: str | None = None,
    session_id: str | None = None,
    spent: JsonObject | None = None,
) -> Outcome:
    """Return the outcome of a session that ended well and wrote ``text``.

    Its own report may still say that it failed, and an empty one says nothing.
    Source: SPEC 2.3, 2.4.
    """
    known = Outcome(
        result_status="partial" if is_partial else "success",
        model=model,
        session_id=session_id,
        spent=spent,
    )
    return reports.outcome_of(text, known)


def failure(
    found: Failure,
    *,
    model: str | None = None,
    session_id: str | None = None,
    spent: JsonObject | None = None,
) -> Outcome:
    """Return the outcome of a classified failure."""
    return Outcome(
        result_status="failed",
        error_class=found.error_class,
        error_message=found.message,
        hint=found.hint or None,
        until=found.until,
        model=model,
        session_id=session_id,
        spent=spent,
    )


def failed_exit(finished: Finished, *, spent: JsonObject | None = None) -> Outcome:
    """Return the outcome of a program that ended with a failing exit code.

    The reason is what it said last on stderr, else on stdout.
    """
    found = failures.classify(
        exit_code=finished.exit_code,
        body=finished.tail(STDERR) or finished.tail(STDOUT),
        model=finished.plan.model,
        now=finished.ended_at,
        # A program tells a reset in the zone of the machine that it runs on.
        zone=finished.ended_at.astimezone().tzinfo or dt.UTC,
    )
    return failure(found, spent=spent)
