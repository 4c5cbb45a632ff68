"""The generic form of the hooks: fields of the input checked, the answer's members.

Unknown fields are ignored, null counts as absent, and all problems are told at once.
Source: SPEC 7.
"""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Callable, Sequence
from typing import TypeVar

from model_queue import jsontext
from model_queue.errors import HookInputError, ModelQueueError
from model_queue.fields import FieldError, Reader
from model_queue.model import JsonObject, JsonValue
from model_queue.ports import Clock, FixedClock, SystemClock
from model_queue.store import Notice
from model_queue.zones import LocalZone, zone_named

YEARS = range(1970, 3000)
"""Times outside cannot be reckoned with: a lease or a backoff would leave the calendar."""
MOST_AMOUNT = 10**12
"""Dollars that a session can have cost at most; more is a slip."""
VERSION = 1
T = TypeVar("T")

_EXAMPLES = {
    "on-intake": '{"version": 1, "message": "add task: …"}',
    "on-heartbeat": '{"version": 1}',
    "on-subagent-exit": '{"version": 1, "label": "mq-…", "status": "done", "result": "…"}',
    "on-checkpoint": '{"version": 1, "task_id": "T-001", "percent_complete": 40}',
}


class Payload:
    """The fields of one hook call, taken out by type; problems are collected.

    A method returns a harmless value where the field is absent or wrong; ``check``
    raises for all that were wrong.
    """

    def __init__(self, wire: JsonObject, *, where: str = "") -> None:
        self._wire = wire
        self._read = Reader(wire)
        self._where = where
        self.problems: list[str] = []

    def has(self, name: str) -> bool:
        """Report whether a field is there and not null."""
        return self._wire.get(name) is not None

    def needs(self, *names: str) -> None:
        """Note a problem unless at least one of the fields is there."""
        if not any(self.has(name) for name in names):
            self._note(f"{' or '.join(names)} is missing")

    def text(self, name: str) -> str:
        """Return a text, "" without one."""
        return self._take(lambda: self._read.text_or_none(name)) or ""

    def word(self, name: str, words: Sequence[str]) -> str:
        """Return one of some words; the first without the field."""
        word = self.text(name) or words[0]
        if word not in words:
            allowed = "one of " + ", ".join(words)
            self._refuse(name, word, allowed)
        return word

    def whole(self, name: str, *, most: int | None = None) -> int | None:
        """Return a whole number from 0 to ``most``, both included."""
        number = self._take(lambda: self._read.whole_or_none(name))
        if number is not None and most is not None and number > most:
            self._refuse(name, number, f"a whole number from 0 to {most}")
        return number

    def amount(self, name: str) -> float | None:
        """Return a number from 0 to ``MOST_AMOUNT``."""
        value = self._wire.get(name)
        if value is None:
            return None
        # In this form NaN is refused as well.
        if (
            isinstance(value, int | float)
            and not isinstance(value, bool)
            and 0 <= value <= MOST_AMOUNT
        ):
            return float(value)
        self._refuse(name, value, f"a number from 0 to {MOST_AMOUNT}")
        return None

    def counts(self, name: str) -> dict[str, int]:
        """Return numbers by name; one number for all is told as ``all``."""
        value = self._wire.get(name)
        if isinstance(value, dict):
            inner = self._inner(value, name)
            found = {key: inner.whole(key) for key in value}
        else:
            found = {"all": self.whole(name)}
        return {key: n for key, n in found.items() if n is not None}

    def switch(self, name: str) -> bool:
        """Return true or false; false without the field."""
        value = self._wire.get(name)
        if value is not None and not isinstance(value, bool):
            self._refuse(name, value, "true or false")
        return value is True

    def moment(self, name: str) -> dt.datetime | None:
        """Return an RFC 3339 time, UTC, within ``YEARS``."""
        moment = self._take(lambda: self._read.time_or_none(name))
        if moment is not None and moment.year not in YEARS:
            allowed = f"a time from {YEARS.start} to {YEARS.stop - 1}"
            self._refuse(name, moment.isoformat(), allowed)
            return None
        return moment

    def directory(self, name: str) -> str | None:
        """Return an absolute path."""
        path = self.text(name)
        if path and not os.path.isabs(path):
            self._refuse(name, path, "an absolute path")
        return path or None

    def zone(self, name: str) -> dt.tzinfo:
        """Return a time zone, the machine's own without the field."""
        text = self.text(name)
        zone = zone_named(text) if text else LocalZone()
        if zone is None:
            self._refuse(name, text, "a zone like Europe/Paris or +08:00")
        return zone or dt.UTC

    def part(self, name: str) -> Payload:
        """Return the fields of an object, of an empty one without the field."""
        wire = self._take(lambda: self._read.mapping_or_none(name)) or {}
        return self._inner(wire, name)

    def parts(self, name: str) -> list[Payload]:
        """Return the fields of each object of a list."""
        found: list[Payload] = []
        for index, value in enumerate(
            self._take(lambda: self._read.sequence(name)) or []
        ):
            where = f"{name}[{index}]"
            if isinstance(value, dict):
                found.append(self._inner(value, where))
            else:
                self._refuse(where, value, "an object")
        return found

    def check(self) -> None:
        """Refuse the input when a field was wrong.

        Raises:
            HookInputError: with one sentence for each problem.
        """
        if self.problems:
            raise HookInputError(problems=self.problems)

    def _inner(self, wire: JsonObject, name: str) -> Payload:
        inner = Payload(wire, where=f"{self._where}{name}.")
        inner.problems = self.problems
        return inner

    def _take(self, read: Callable[[], T]) -> T | None:
        try:
            return read()
        except FieldError as error:
            self._note(error.why)
            return None

    def _refuse(self, name: str, seen: JsonValue, allowed: str) -> None:
        self._note(FieldError(field=name, seen=seen, allowed=allowed).why)

    def _note(self, sentence: str) -> None:
        self.problems.append(self._where + sentence)


class Caller:
    """What every hook's input says: who calls, from where, when."""

    def __init__(self, payload: Payload, *, has_chat: bool) -> None:
        """Read the common fields.

        ``has_chat`` says that ``session_id`` names the chat; in on-subagent-exit it
        names the session that has ended.
        """
        version = payload.whole("version")
        if version not in {None, VERSION}:
            payload.problems.append(
                f"version is {version}, but this model-queue speaks version {VERSION}"
            )
        moment = payload.moment("now")
        self.clock: Clock = FixedClock(moment) if moment else SystemClock()
        session = payload.text("session_id")
        self.chat = (
            payload.text("host"),
            payload.text("channel"),
            session if has_chat else "",
        )
        self.delivery_id = payload.text("delivery_id")
        self.cwd = payload.directory("cwd")
        self.lang = language(payload.text("locale"))
        self.zone = payload.zone("timezone")


def language(locale: str) -> str:
    """Return the language of the answer for a locale; "" without one.

    >>> language("zh-CN"), language("pt_BR"), language("")
    ('zh', 'en', '')
    """
    if not locale:
        return ""
    return "zh" if locale.lower().startswith("zh") else "en"


def payload_of(hook: str, data: bytes | None) -> Payload:
    """Return the fields of what a host sent; None stands for stdin that stays open.

    Raises:
        HookInputError: it is not one JSON object.
    """
    if data is None:
        raise _unreadable(hook, "stdin was not closed")
    if not data.strip():
        raise _unreadable(hook, "stdin is empty")
    try:
        wire = jsontext.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise _unreadable(hook, f"stdin is not UTF-8 (byte {error.start})") from error
    except jsontext.JsonTextError as error:
        raise _unreadable(hook, f"stdin is not JSON: {error}") from error
    if not isinstance(wire, dict):
        raise _unreadable(hook, "stdin holds JSON, but not an object")
    return Payload(wire)


def _unreadable(hook: str, problem: str) -> HookInputError:
    hint = f"Send one JSON object, such as {_EXAMPLES[hook]}, and close the pipe."
    return HookInputError(problems=[problem], hint=hint)


def answer(
    reply: str = "",
    *,
    notices: Sequence[Notice] = (),
    actions: Sequence[JsonObject] = (),
    **members: JsonValue,
) -> JsonObject:
    """Return a hook's answer; ``members`` are those of its own."""
    return {
        "version": VERSION,
        "ok": True,
        "reply": reply,
        "notices": [_notice(notice) for notice in notices],
        # Whoever asks for the same twice within one call means it once.
        "actions": list({str(action["key"]): action for action in actions}.values()),
        **members,
    }


def error_answer(error: ModelQueueError) -> JsonObject:
    """Return the answer that tells why a call was not handled."""
    return refusal(error.code, str(error), hint=error.hint)


def refusal(code: str, message: str, *, hint: str = "") -> JsonObject:
    """Return the answer to a call that was not handled."""
    found: JsonObject = {"code": code, "message": message, "hint": hint}
    return {**answer(), "ok": False, "error": found}


def _notice(notice: Notice) -> JsonObject:
    return {
        "id": notice.id,
        "kind": notice.kind,
        "task_id": notice.task_id,
        "text": notice.text,
    }
