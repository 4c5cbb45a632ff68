"""An ``Outcome`` as the JSON object of ``outcome.json`` or ``said.json``, and back."""

from __future__ import annotations

import json
import os
import stat
from dataclasses import replace

from model_queue.fields import Reader
from model_queue.launchers.session_files import OUTCOME, SAID
from model_queue.model import ErrorClass, JsonObject, JsonValue, Outcome

_STATUSES = frozenset({"success", "partial", "failed", "blocked", "cancelled", "lost"})
_YEARS = range(1970, 9999)
"""Of a time that can be shown in every zone and added to."""
_LARGEST_FIGURE = 1e15
_WRITER, _OURS = "written_by", "model-queue"
"""Tells the files apart from what a session puts into its folder under their names."""


def encode_outcome(outcome: Outcome) -> JsonObject:
    """Return the JSON object of an outcome; fields that are not set are left out."""
    until = outcome.until if outcome.until and outcome.until.year in _YEARS else None
    fields: JsonObject = {
        _WRITER: _OURS,
        "result_status": outcome.result_status,
        "result": outcome.result,
        "summary": outcome.summary,
        "error_class": outcome.error_class.value if outcome.error_class else None,
        "error_message": outcome.error_message,
        "hint": outcome.hint,
        "until": until.isoformat() if until else None,
        "model": outcome.model,
        "session_id": outcome.session_id,
        "spent": outcome.spent,
    }
    return {key: value for key, value in fields.items() if value is not None}


def decode_outcome(stored: JsonObject) -> Outcome:
    """Return the outcome of a JSON object; fields that it does not know are ignored.

    Raises:
        ValueError: it is no outcome.
    """
    read = Reader(stored)
    result_status, until = read.text("result_status"), read.time_or_none("until")
    if result_status not in _STATUSES:
        sentence = f"no result_status: {result_status}"
        raise ValueError(sentence)
    if until is not None and until.year not in _YEARS:
        sentence = f"no time that a limit ends at: {until}"
        raise ValueError(sentence)
    return Outcome(
        result_status=result_status,
        result=_text(stored, "result"),
        summary=_text(stored, "summary"),
        error_class=read.choice_or_none("error_class", ErrorClass),
        error_message=_text(stored, "error_message"),
        hint=_text(stored, "hint"),
        until=until,
        model=_text(stored, "model"),
        session_id=_text(stored, "session_id"),
        spent=_spent(stored.get("spent")),
    )


def _spent(stored: JsonValue) -> JsonObject | None:
    """Return the figures that can be added up, also those of one object within."""
    if not isinstance(stored, dict):
        return None
    spent: JsonObject = {}
    for name, value in stored.items():
        if isinstance(value, dict):
            spent[name] = {k: v for k, v in value.items() if _is_figure(v)}
        elif _is_figure(value):
            spent[name] = value
    return spent


def _is_figure(value: JsonValue) -> bool:
    return isinstance(value, int | float) and abs(value) <= _LARGEST_FIGURE


def _text(stored: JsonObject, key: str) -> str | None:
    value = stored.get(key)
    return value if isinstance(value, str) else None


def read_outcome(session_dir: str) -> Outcome | None:
    """Return the outcome in a session's folder, None when there is no usable one."""
    return _read(session_dir, OUTCOME)


def read_said(session_dir: str) -> Outcome | None:
    """Return what was reported of a session while it ran, None when nothing was."""
    return _read(session_dir, SAID)


def with_said(seen: Outcome | None, said: Outcome | None) -> Outcome | None:
    """Return how a session ended that was reported before, None when nothing tells.

    A report that was made in time is the outcome, also where the session was stopped,
    timed out or lost with its supervisor afterwards: the work was done by then. What
    only the program knows, its model, id and spending, is taken from what it wrote.
    """
    if said is None or seen is None:
        return said or seen
    return replace(
        said,
        model=seen.model or said.model,
        session_id=seen.session_id or said.session_id,
        spent=seen.spent or said.spent,
    )


def _read(session_dir: str, name: str) -> Outcome | None:
    try:
        path = os.path.join(session_dir, name)
        with open(path, encoding="utf-8", opener=_open_regular) as file:
            stored: JsonValue = json.load(file)
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(stored, dict) or stored.get(_WRITER) != _OURS:
        return None
    try:
        return decode_outcome(stored)
    except ValueError:
        return None


def _open_regular(path: str, flags: int) -> int:
    """Open a file; a pipe that a session put there would be waited for without end."""
    descriptor = os.open(path, flags | os.O_NONBLOCK)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        sentence = f"{path} is no file"
        raise OSError(sentence)
    return descriptor
