"""What a message of a chat has done, as ``undo`` will need it.

Each effect is stored in the commit of the effect itself, over what the chat did before.
Source: SPEC 3 "Control".
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from model_queue import codec
from model_queue.model import JsonObject, JsonValue, Task
from model_queue.store import Hold, Seen

WINDOW = dt.timedelta(minutes=10)
"""How long a chat can take back what it did last."""
Chat: TypeAlias = tuple[str, str, str]
"""Host, channel and session."""


class Trail:
    """The effects of one message, in their order."""

    def __init__(self, chat: Chat) -> None:
        self._key = key_of(chat)
        self._effects: list[JsonValue] = []

    def with_effect(self, *effects: JsonObject, now: dt.datetime) -> Sequence[Seen]:
        """Return what to store with effects: they, and all before them."""
        return [memory(self._key, [*self._effects, *effects], now=now)]

    def with_added(self, *, now: dt.datetime) -> Sequence[Seen]:
        """Return what to store with the tasks of the message, its first effect."""

        def answer(stored: Sequence[Task]) -> JsonObject:
            return {"effects": [on_task("add", task) for task in stored]}

        return [Seen(key=self._key, answer=answer, until=now + WINDOW)]

    def add(self, *effects: JsonObject) -> None:
        """Note that effects are stored."""
        self._effects.extend(effects)


def key_of(chat: Chat) -> str:
    """Return the key of what a chat did last."""
    return "\x1f".join(("undo", *chat))


def memory(key: str, effects: Sequence[JsonValue], *, now: dt.datetime) -> Seen:
    """Return what a chat can take back from now on; forgotten when that is nothing."""
    answer: JsonObject = {"effects": list(effects)}
    until = now + WINDOW if effects else now
    return Seen(key=key, answer=lambda _: answer, until=until)


def on_task(verb: str, task: Task) -> JsonObject:
    """Return what a command on a task will need to be taken back.

    ``task`` is the one before it, for ``add`` the stored one.
    """
    due = codec.format_time(task.not_before) if task.not_before else None
    return {
        "verb": verb,
        "ref": str(task.ref),
        "status": task.status.value,
        "retries": task.retries,
        "losses": task.losses,
        "priority": task.priority,
        "not_before": due,
    }


def on_priority(task: Task, value: int) -> JsonObject:
    """Return the same of a change of priority to ``value``."""
    return {**on_task("priority", task), "value": value}


def on_queue(verb: str, source: str, hold: Hold | None) -> JsonObject:
    """Return the same of a command on a queue; ``hold`` is the one before it."""
    return {"verb": verb, "queue": source, "hold": _encoded(hold)}


def on_edit(
    task: Task, before: Mapping[str, JsonValue], after: Mapping[str, JsonValue]
) -> JsonObject:
    """Return the same of an edit: its fields by wire name, and ``queue`` after a move."""
    effect = on_task("edit", task)
    effect["before"], effect["after"] = dict(before), dict(after)
    return effect


def hold_of(effect: JsonObject) -> Hold | None:
    """Return the hold that a queue had before a command on it."""
    wire = effect.get("hold")
    if not isinstance(wire, dict):
        return None
    until = wire.get("until")
    return Hold(
        at=codec.parse_time(str(wire.get("at"))),
        by=str(wire.get("by")),
        reason=str(wire.get("reason")),
        until=codec.parse_time(until) if isinstance(until, str) else None,
    )


def _encoded(hold: Hold | None) -> JsonObject | None:
    if hold is None:
        return None
    return {
        "at": codec.format_time(hold.at),
        "by": hold.by,
        "reason": hold.reason,
        "until": codec.format_time(hold.until) if hold.until else None,
    }
