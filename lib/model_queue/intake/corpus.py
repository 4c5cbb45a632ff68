"""The corpus form of a parsed message, as the labelling guide defines it."""

from __future__ import annotations

import datetime as dt

from model_queue.intake.parse import parse
from model_queue.intake.values import Catalog, Command, Parsed, ParsedTask
from model_queue.model import JsonObject, JsonValue

NOW = dt.datetime(2026, 11, 30, 20, 0, tzinfo=dt.UTC)
"""The moment at which corpus lines are judged, unless a line says otherwise."""


def to_corpus(parsed: Parsed) -> JsonObject:
    """Return ``mode``, ``tasks`` and ``control`` in corpus form.

    ``control`` is the first command or null; list stays list, explain is ``show``,
    "run again" is ``retry``.
    """
    tasks: list[JsonValue] = [_task(task) for task in parsed.tasks]
    control = command_object(parsed.commands[0]) if parsed.commands else None
    return {"mode": parsed.mode, "tasks": tasks, "control": control}


def _task(task: ParsedTask) -> JsonObject:
    depends: list[JsonValue] = list(task.depends_on)
    return {
        "text": task.text,
        "queue": task.queue,
        "model": task.model,
        "depends_on": depends,
        "on_depends_fail": task.on_depends_fail,
        "priority": task.priority,
        "not_before": task.not_before_text,
        "ask": task.ask,
        "candidates": list(task.candidates),
    }


def command_object(command: Command) -> JsonObject:
    """Return one command in corpus form."""
    return {
        "command": "list" if command.verb == "list" else command.command,
        "ids": list(command.ids),
        "all": command.all,
        "queue": command.queue,
        "value": command.value,
    }


def predict_line(row: JsonObject, *, catalog: Catalog) -> JsonObject:
    """Return the prediction for one corpus line.

    Reads ``id``, ``message``, and optionally ``scope``, ``now`` (RFC 3339) and
    ``timezone`` (IANA name).
    """
    # Imported here: it costs a hook 7 ms, and no hook needs it.
    import zoneinfo  # noqa: PLC0415

    scope = "ambient" if row.get("scope") == "ambient" else "addressed"
    now = row.get("now")
    zone = row.get("timezone")
    parsed = parse(
        str(row.get("message", "")),
        catalog=catalog,
        scope="ambient" if scope == "ambient" else "addressed",
        now=dt.datetime.fromisoformat(now) if isinstance(now, str) else NOW,
        zone=zoneinfo.ZoneInfo(zone) if isinstance(zone, str) else dt.UTC,
    )
    return {"id": row.get("id"), **to_corpus(parsed)}
