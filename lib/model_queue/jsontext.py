"""JSON text read with positions, and written so that every reader can read it.

``json`` alone tells where text is not JSON, but not where a well-formed value is that
means nothing to us; a person who mended a file by hand needs both.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import cast

from model_queue.model import JsonValue

_SPACE = " \t\r\n"


class JsonTextError(ValueError):
    """The text is not the JSON that was expected.

    Attributes:
        at: offset of the first bad character. why: what was expected there.
    """

    def __init__(self, *, at: int, why: str) -> None:
        super().__init__(f"{why} at offset {at}")
        self.at = at
        self.why = why


def _refuse_constant(name: str) -> JsonValue:
    # NaN and Infinity are an extension of Python's that no other reader takes.
    raise ValueError(name)


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)
_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False)


_PLAIN = {
    "Expecting value": "a value is missing",
    "Extra data": "more text follows the end",
    "Unterminated string starting at": "a text has no closing quote",
    "Expecting property name enclosed in double quotes": (
        "a name in double quotes is missing"
    ),
    "Illegal trailing comma before end of object": "a comma too many",
    "Illegal trailing comma before end of array": "a comma too many",
    "Expecting ':' delimiter": "':' is missing",
    "Expecting ',' delimiter": "',' is missing",
    "Invalid control character at": "a line break inside a text",
}
"""What the parser says, for a person who mends a file."""


def _plain(message: str) -> str:
    """Return what the parser says in plain words; the rest is about a backslash."""
    return _PLAIN.get(message, "a backslash in a text with nothing JSON knows after it")


class Scanner:
    """Walks through one JSON document and knows where it is."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self._skip()

    def value(self) -> JsonValue:
        """Take the value that starts here.

        Raises:
            JsonTextError: none does.
        """
        try:
            value, self.at = _DECODER.raw_decode(self.text, self.at)
        except json.JSONDecodeError as error:
            raise JsonTextError(at=error.pos, why=_plain(error.msg)) from error
        except RecursionError as error:
            raise JsonTextError(at=self.at, why="nested too deep") from error
        except ValueError as error:
            raise JsonTextError(at=self.at, why=f"no such number: {error}") from error
        self._skip()
        return cast("JsonValue", value)

    def members(self) -> Iterator[str]:
        """Yield each name of the object that starts here; the caller takes its value.

        Raises:
            JsonTextError: the object is malformed.
        """
        self._expect("{")
        if self._has("}"):
            return
        while True:
            at = self.at
            name = self.value()
            if not isinstance(name, str):
                raise JsonTextError(at=at, why="a name in double quotes is missing")
            self._expect(":")
            yield name
            if not self._has(","):
                break
        self._expect("}")

    def elements(self) -> Iterator[int]:
        """Yield where each element of the array starts; the caller takes its value.

        Raises:
            JsonTextError: the array is malformed.
        """
        self._expect("[")
        if self._has("]"):
            return
        while True:
            yield self.at
            if not self._has(","):
                break
        self._expect("]")

    def end(self) -> None:
        """Check that nothing follows.

        Raises:
            JsonTextError: something does.
        """
        if self.at != len(self.text):
            raise JsonTextError(at=self.at, why="more text follows the end")

    def _has(self, mark: str) -> bool:
        if not self.text.startswith(mark, self.at):
            return False
        self.at += 1
        self._skip()
        return True

    def _expect(self, mark: str) -> None:
        if not self._has(mark):
            raise JsonTextError(at=self.at, why=f"{mark!r} is missing")

    def _skip(self) -> None:
        text, at, end = self.text, self.at, len(self.text)
        while at < end and text[at] in _SPACE:
            at += 1
        self.at = at


def position(text: str, at: int) -> tuple[int, int]:
    r"""Return line and column of an offset, both from 1.

    >>> position("ab\ncd", 4)
    (2, 2)
    """
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


def loads(text: str) -> JsonValue:
    """Return the one value that a text holds.

    Raises:
        JsonTextError: it is not JSON.
    """
    scan = Scanner(text)
    value = scan.value()
    scan.end()
    return value


def dumps(value: JsonValue) -> str:
    """Return the value on one line, not ASCII-escaped.

    What cannot be written as UTF-8 JSON is replaced, so that no stray character of a
    message stops the queue: half a surrogate pair becomes U+FFFD, NaN and the
    infinities become null.
    """
    try:
        text = _ENCODER.encode(value)
        text.encode()
    except ValueError:
        text = _ENCODER.encode(_writable(value))
    return text


def _writable(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        # Through UTF-16 two halves that belong together become the one character.
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_writable(item) for item in value]
    if isinstance(value, dict):
        return {str(_writable(name)): _writable(item) for name, item in value.items()}
    if isinstance(value, float) and not abs(value) < float("inf"):
        return None
    return value
