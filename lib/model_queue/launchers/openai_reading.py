"""What an ``openai`` session left behind, read into an ``Outcome``."""

from __future__ import annotations

import json
from dataclasses import replace

from model_queue import failures
from model_queue.failures import Failure
from model_queue.launchers import readings
from model_queue.launchers.finished import Finished
from model_queue.launchers.session_files import RECEIPT, STDOUT
from model_queue.model import ErrorClass, JsonObject, JsonValue, Outcome

_REDIRECTS, _ERRORS = 300, 400
"""Where these kinds of HTTP status begin."""
_CUT_SHORT = frozenset({"length", "content_filter"})
"""Reasons to end that leave an answer unfinished."""


def read(finished: Finished) -> Outcome:
    """Return what the receipt and the text on stdout amount to.

    - Without a receipt the session process itself failed.
    - An answer that did not come to its end is a failure, however much of it came.
    - One that ran into ``max_tokens`` is partial.
    """
    receipt = _receipt(finished)
    spent = _spent(receipt, finished)
    if receipt is None:
        return readings.failed_exit(finished, spent=spent)
    model = _text(receipt, "model") or None
    if not receipt.get("is_complete"):
        return _failed(receipt, finished, model=model, spent=spent)
    reason = _text(receipt, "finish_reason")
    outcome = readings.report(
        finished.text(STDOUT),
        is_partial=reason in _CUT_SHORT,
        model=model,
        spent=spent,
    )
    why = _why_empty(reason, finished)
    if outcome.error_class is ErrorClass.INVALID_REPORT and why:
        return replace(outcome, error_message=why)
    return outcome


def _failed(
    receipt: JsonObject, finished: Finished, *, model: str | None, spent: JsonObject
) -> Outcome:
    status, headers = receipt.get("status"), _headers(receipt)
    if isinstance(status, int) and _REDIRECTS <= status < _ERRORS:
        endpoint, place = finished.plan.facts["endpoint"], headers.get("location")
        message = f"{endpoint} is not there (HTTP {status}); it points to {place}"
        moved = Failure(error_class=ErrorClass.BAD_REQUEST, message=message)
        return readings.failure(moved, spent=spent)
    found = failures.classify(
        http_status=status if isinstance(status, int) else None,
        headers=headers,
        body=_text(receipt, "body"),
        exception=_text(receipt, "error"),
        model=finished.plan.model,
        now=finished.ended_at,
    )
    outcome = readings.failure(found, model=model, spent=spent)
    variable = finished.plan.facts.get("api_key_env")
    if (
        outcome.error_class is ErrorClass.AUTH
        and variable
        and not receipt.get("has_key")
    ):
        message = f"{outcome.error_message} (the variable {variable} is not set)"
        return replace(outcome, error_message=message)
    return outcome


def _headers(receipt: JsonObject) -> dict[str, str]:
    found = receipt.get("headers")
    if not isinstance(found, dict):
        return {}
    return {name: str(value) for name, value in found.items()}


def _why_empty(reason: str, finished: Finished) -> str:
    limit = finished.plan.facts.get("max_tokens")
    return {
        "length": f"all {limit} tokens (max_tokens) were used up before an answer came",
        "content_filter": "the provider's filter held the answer back",
        "tool_calls": "the model called a tool instead of answering",
    }.get(reason, "")


def _receipt(finished: Finished) -> JsonObject | None:
    try:
        found: JsonValue = json.loads(finished.text(RECEIPT))
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _text(stored: JsonObject, key: str) -> str:
    value = stored.get(key)
    return value if isinstance(value, str) else ""


def _spent(receipt: JsonObject | None, finished: Finished) -> JsonObject:
    """Return tokens and time; what the tokens cost is not said by such endpoints."""
    spent: JsonObject = {"wall_clock_s": finished.duration_s}
    usage = receipt.get("usage") if receipt else None
    if isinstance(usage, dict):
        counts = [usage.get("prompt_tokens"), usage.get("completion_tokens")]
        spent["tokens"] = sum(count for count in counts if isinstance(count, int))
    return spent
