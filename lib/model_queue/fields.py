"""Fields of a JSON object, taken out with their types checked."""

from __future__ import annotations

import datetime as dt
from enum import StrEnum
from typing import TypeVar

from model_queue import jsontext
from model_queue.errors import TaskRefError
from model_queue.model import JsonObject, JsonValue, TaskRef

_E = TypeVar("_E", bound=StrEnum)

LAST_YEAR = 9000
"""From which a moment leaves no room for the spans that are added to it."""
MOST_SECONDS = 10**9
"""Some thirty years: the longest limit of time."""
MOST_OF_AN_AMOUNT = 10**15
"""More money, tokens or seconds than anything can take."""
_A_TIME = "a time like 2026-03-04T16:51:00Z"
_SHOWN = 60
"""Characters of a refused value that the sentence shows."""


class FieldError(ValueError):
    """A field has a value that it cannot have.

    Attributes:
        field: its name in the file. why: the value seen, and what it must be.
    """

    def __init__(self, *, field: str, seen: JsonValue, allowed: str) -> None:
        shown = jsontext.dumps(seen)
        if len(shown) > _SHOWN:
            shown = shown[:_SHOWN] + "…"
        self.field = field
        self.why = f"{field} is {shown}, but must be {allowed}"
        super().__init__(self.why)


def format_time(moment: dt.datetime) -> str:
    """Return an aware time as RFC 3339 UTC, with a fraction only when it is not zero.

    >>> format_time(dt.datetime(2026, 3, 4, 16, 51, tzinfo=dt.UTC))
    '2026-03-04T16:51:00Z'
    """
    if moment.tzinfo is None:
        raise FieldError(field="time", seen=moment.isoformat(), allowed="aware")
    return moment.astimezone(dt.UTC).isoformat().removesuffix("+00:00") + "Z"


def parse_time(text: str) -> dt.datetime:
    """Read an RFC 3339 time with ``Z`` or any offset, as UTC.

    Raises:
        FieldError: it is none, or has no offset.
    """
    moment = None
    # fromisoformat takes more than RFC 3339: week dates and the forms without dashes.
    if text[4:5] == "-" and text[7:8] == "-" and text[10:11] in {"T", "t", " "}:
        try:
            moment = dt.datetime.fromisoformat(text.upper()).astimezone(dt.UTC)
        except (ValueError, OverflowError):
            moment = None
    if moment is None or not (text[-1:] in {"Z", "z"} or text[-6:-5] in {"+", "-"}):
        raise FieldError(field="time", seen=text, allowed=_A_TIME)
    return moment


class Reader:
    """Takes fields out of a JSON object; null and absent are the same.

    Every method raises FieldError for a value of another type than its name says.
    """

    def __init__(self, wire: JsonObject) -> None:
        self._wire = wire

    def get(self, name: str) -> JsonValue:
        """Return any value, None when there is none."""
        return self._wire.get(name)

    def text(self, name: str) -> str:
        """Return a text that must be there."""
        value = self._wire.get(name)
        if not isinstance(value, str):
            raise FieldError(field=name, seen=value, allowed="a text")
        return value

    def text_or_none(self, name: str) -> str | None:
        """Return a text."""
        return None if self._wire.get(name) is None else self.text(name)

    def task_id(self, name: str) -> str:
        """Return a task id that must be there, in its one form: ids become file names."""
        text = self.text(name)
        try:
            is_id = TaskRef.parse(text).id == text
        except TaskRefError:
            is_id = False
        if not is_id:
            raise FieldError(field=name, seen=text, allowed="an id like T-001")
        return text

    def task_id_or_none(self, name: str) -> str | None:
        """Return a task id."""
        return None if self._wire.get(name) is None else self.task_id(name)

    def whole(
        self,
        name: str,
        default: int,
        *,
        least: int | None = None,
        most: int | None = None,
    ) -> int:
        """Return a whole number, ``least`` or more and ``most`` or less."""
        value = self._wire.get(name)
        if value is None:
            return default
        # bool is an int to Python, but true is no number in the file.
        number = None if isinstance(value, bool) else value
        if isinstance(number, int) and _is_between(number, least, most):
            return number
        allowed = "a whole number" + ("" if least is None else f", {least} or more")
        allowed += "" if most is None else f", {most} or less"
        raise FieldError(field=name, seen=value, allowed=allowed)

    def whole_or_none(self, name: str) -> int | None:
        """Return a whole number, 0 or more."""
        return None if self._wire.get(name) is None else self.whole(name, 0, least=0)

    def seconds_or_none(self, name: str) -> int | None:
        """Return a limit of time in whole seconds."""
        if self._wire.get(name) is None:
            return None
        return self.whole(name, 0, least=0, most=MOST_SECONDS)

    def time(self, name: str) -> dt.datetime:
        """Return a time that must be there, UTC."""
        text = self.text(name)
        try:
            return parse_time(text)
        except FieldError as error:
            raise FieldError(field=name, seen=text, allowed=_A_TIME) from error

    def time_or_none(self, name: str) -> dt.datetime | None:
        """Return a time, UTC."""
        return None if self._wire.get(name) is None else self.time(name)

    def moment(self, name: str) -> dt.datetime:
        """Return a time that must be there, and that spans are reckoned from, UTC."""
        moment = self.time(name)
        if moment.year >= LAST_YEAR:
            seen, allowed = self._wire.get(name), f"before the year {LAST_YEAR}"
            raise FieldError(field=name, seen=seen, allowed=allowed)
        return moment

    def moment_or_none(self, name: str) -> dt.datetime | None:
        """Return a time that spans are reckoned from, UTC."""
        return None if self._wire.get(name) is None else self.moment(name)

    def choice(self, name: str, words: type[_E], default: _E) -> _E:
        """Return one of an enum's words."""
        value = self._wire.get(name)
        if value is None:
            return default
        try:
            return words(value if isinstance(value, str) else "")
        except ValueError as error:
            allowed = "one of " + ", ".join(map(str, words))
            raise FieldError(field=name, seen=value, allowed=allowed) from error

    def choice_or_none(self, name: str, words: type[_E]) -> _E | None:
        """Return one of an enum's words."""
        if self._wire.get(name) is None:
            return None
        return self.choice(name, words, next(iter(words)))

    def mapping_or_none(self, name: str) -> JsonObject | None:
        """Return an object."""
        value = self._wire.get(name)
        if value is None or isinstance(value, dict):
            return value
        raise FieldError(field=name, seen=value, allowed="an object")

    def amounts_or_none(self, name: str) -> JsonObject | None:
        """Return an object whose numbers can be reckoned with."""
        value = self.mapping_or_none(name)
        for key, amount in (value or {}).items():
            # Not the other way round: NaN is beyond every comparison.
            if isinstance(amount, int | float) and not abs(amount) <= MOST_OF_AN_AMOUNT:
                allowed = f"{MOST_OF_AN_AMOUNT:,} or less in {key!r}"
                raise FieldError(field=name, seen=str(amount)[:_SHOWN], allowed=allowed)
        return value

    def sequence(self, name: str) -> list[JsonValue]:
        """Return a list, empty when there is none."""
        value = self._wire.get(name)
        if value is None:
            return []
        if not isinstance(value, list):
            raise FieldError(field=name, seen=value, allowed="a list")
        return value

    def unknown(self, known: frozenset[str]) -> dict[str, JsonValue]:
        """Return what has none of the known names, in its order."""
        return {name: self._wire[name] for name in self._wire if name not in known}


def _is_between(number: int, least: int | None, most: int | None) -> bool:
    return (least is None or number >= least) and (most is None or number <= most)
