"""The question that a chat was asked, as a value and as the store keeps it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from model_queue import codec
from model_queue.intake import Command
from model_queue.model import JsonObject, JsonValue

MOST_CHOICES = 9
"""Choices that a question shows; more help nobody."""


class Pick(NamedTuple):
    """One answer to a question about a task of a message."""

    place: int
    """Of the task in its message."""
    ask: str
    """``model``, ``source``, ``dependency`` or ``date``."""
    value: str
    """A model, a source, an id, or a time in RFC 3339."""


class Question(NamedTuple):
    """What a chat was asked."""

    kind: str
    """``model``, ``source``, ``dependency``, ``date``: about a task that is to be added;
    ``target``: which task a command is for; ``yes``: whether to carry a command out."""
    text: str
    """As it was put."""
    choices: Sequence[str] = ()
    """As they were shown; for ``yes`` none: it is answered yes or no."""
    values: Sequence[str] = ()
    """What each choice stands for."""
    key: str = ""
    """Tells it from every other question."""
    asked_at: dt.datetime | None = None
    lang: str = "en"
    """In which it was asked."""
    message: JsonObject | None = None
    """The message that led to it, to be carried out once it is answered: its fields."""
    place: int = 0
    """Of the task in question."""
    picks: Sequence[Pick] = ()
    """Earlier answers to questions about the same message."""
    command: Command | None = None
    """The command in question."""


def encode(question: Question, *, now: dt.datetime) -> JsonObject:
    """Return a question as the store keeps it."""
    command = question.command
    picks: list[JsonValue] = [[p.place, p.ask, p.value] for p in question.picks]
    return {
        "kind": question.kind,
        "text": question.text,
        "choices": list(question.choices),
        "values": list(question.values),
        "key": question.key,
        "asked_at": codec.format_time(question.asked_at or now),
        "place": question.place,
        "picks": picks,
        "lang": question.lang,
        "message": question.message,
        "command": _encode_command(command) if command else None,
    }


def _encode_command(command: Command) -> JsonObject:
    return {
        "command": command.command,
        "ids": list(command.ids),
        "value": command.value,
        "verb": command.verb,
    }


def decode(wire: Mapping[str, JsonValue]) -> Question | None:
    """Return a stored question, None for one that another version wrote otherwise."""
    try:
        message, command = wire["message"], wire["command"]
        return Question(
            kind=str(wire["kind"]),
            text=str(wire["text"]),
            choices=_texts(wire["choices"]),
            values=_texts(wire["values"]),
            key=str(wire["key"]),
            asked_at=codec.parse_time(str(wire["asked_at"])),
            place=_number(wire["place"]),
            picks=[
                Pick(_number(p), str(a), str(v)) for p, a, v in _rows(wire["picks"])
            ],
            lang=str(wire["lang"]),
            message=message if isinstance(message, dict) else None,
            command=_decode_command(command) if isinstance(command, dict) else None,
        )
    except (KeyError, ValueError, TypeError):
        return None


def _decode_command(wire: JsonObject) -> Command:
    value = wire["value"]
    return Command(
        command=str(wire["command"]),
        ids=tuple(_texts(wire["ids"])),
        value=value if isinstance(value, int) else None,
        verb=str(wire["verb"]),
    )


def _texts(value: JsonValue) -> list[str]:
    return [str(each) for each in value] if isinstance(value, list) else []


def _rows(value: JsonValue) -> list[list[JsonValue]]:
    rows = value if isinstance(value, list) else []
    return [row for row in rows if isinstance(row, list)]


def _number(value: JsonValue) -> int:
    return value if isinstance(value, int) else 0
