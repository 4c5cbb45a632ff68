"""An ``Outcome`` as the JSON object of ``outcome.json``, and back."""

from __future__ import annotations

import datetime as dt
import json
import os

from model_queue.launchers.session_files import OUTCOME
from model_queue.model import ErrorClass, JsonObject, JsonValue, Outcome


def encode_outcome(outcome: Outcome) -> JsonObject:
    """Return the JSON object of an outcome; fields that are not set are left out."""
    fields: JsonObject = {
        "result_status": outcome.result_status,
        "result": outcome.result,
        "summary": outcome.summary,
        "error_class": outcome.error_class.value if outcome.error_class else None,
        "error_message": outcome.error_message,
        "hint": outcome.hint,
        "until": outcome.until.isoformat() if outcome.until else None,
        "model": outcome.model,
        "session_id": outcome.session_id,
        "spent": outcome.spent,
    }
    return {key: value for key, value in fields.items() if value is not None}


def decode_outcome(stored: JsonObject) -> Outcome:
    """Return the outcome of a JSON object; fields that it does not know are ignored.

    Raises:
        KeyError, ValueError: it is no outcome.
    """
    error_class, until = _text(stored, "error_class"), _text(stored, "until")
    spent = stored.get("spent")
    return Outcome(
        result_status=str(stored["result_status"]),
        result=_text(stored, "result"),
        summary=_text(stored, "summary"),
        error_class=ErrorClass(error_class) if error_class else None,
        error_message=_text(stored, "error_message"),
        hint=_text(stored, "hint"),
        until=dt.datetime.fromisoformat(until) if until else None,
        model=_text(stored, "model"),
        session_id=_text(stored, "session_id"),
        spent=spent if isinstance(spent, dict) else None,
    )


def _text(stored: JsonObject, key: str) -> str | None:
    value = stored.get(key)
    return value if isinstance(value, str) else None


def read_outcome(session_dir: str) -> Outcome | None:
    """Return the outcome in a session's folder, None when there is none yet."""
    try:
        with open(os.path.join(session_dir, OUTCOME), encoding="utf-8") as file:
            stored: JsonValue = json.load(file)
    except (OSError, ValueError):
        return None
    if not isinstance(stored, dict):
        return None
    try:
        return decode_outcome(stored)
    except (KeyError, ValueError):
        return None
