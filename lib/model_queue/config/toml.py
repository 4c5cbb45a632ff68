"""The tables of task-queue.toml, each key checked when it is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias, TypeVar, cast

from model_queue.config.checks import Findings, Given, source_name

RawTable: TypeAlias = Mapping[str, object]
T = TypeVar("T")
D = TypeVar("D")
ARGV = 'a program with its arguments as a list: ["…", "…"]'
"""What ``Table.argv`` allows."""


def parse_toml(text: str, *, path: str, findings: Findings) -> RawTable:
    """Return the tables of a TOML text, none of them when it does not parse.

    A syntax error is a fatal problem that names line, column and the line's text.
    """
    import tomllib  # noqa: PLC0415 - 35 ms, for those who have the file

    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    # ValueError is TOMLDecodeError and numbers too long for int(); deeply nested
    # brackets overflow the parser's recursion.
    except (ValueError, RecursionError) as error:
        why, line, column = _position(str(error), text)
        given = Given(f"line {line}, column {column}", _line_of(text, line), path)
        findings.refuse(given, allowed=f"valid TOML ({why})")
        return {}


def _position(message: str, text: str) -> tuple[str, int, int]:
    """Take a parser's message apart: ``Invalid value (at line 1, column 5)``."""
    why, found, place = message.rpartition(" (at ")
    if not found:
        return "a number is too long or brackets are nested too deep", 1, 1
    digits = "".join(char if char.isdigit() else " " for char in place).split()
    if len(digits) == 2:  # noqa: PLR2004 - line and column
        return why, int(digits[0]), int(digits[1])
    lines = text.split("\n")
    return why, len(lines), len(lines[-1]) + 1


def _line_of(text: str, line: int) -> str:
    """Return a line to be found again by; what follows ``=`` may be a secret."""
    lines = text.split("\n")
    key, equals, _ = lines[line - 1].strip().partition("=")
    return f"{key}= …" if equals else key


class Table:
    """One table. Reading a key checks it and records the value with its origin.

    A value of the wrong kind or range is refused and its default returned, so that the
    caller always has a usable one.
    """

    def __init__(
        self, raw: RawTable, *, prefix: str, origin: str, findings: Findings
    ) -> None:
        self._raw = raw
        self._prefix = prefix
        self._origin = origin
        self._findings = findings

    def __contains__(self, key: str) -> bool:
        return key in self._raw

    def refuse(self, key: str, *, allowed: str, shown: str | None = None) -> None:
        """Report a key's value as wrong; ``shown`` stands in for one to keep secret."""
        value = _shown(self._raw.get(key, "")) if shown is None else shown
        given = Given(self._prefix + key, value, self._origin)
        self._findings.refuse(given, allowed=allowed)

    def note(self, code: str, key: str, text: str, *, hint: str = "") -> None:
        """Report something about a key that does not stop the work."""
        place = f" in {self._origin}" if self._origin else ""
        self._findings.note(code, f"{self._prefix}{key}{place} {text}", hint=hint)

    def keep(self, key: str, value: object, *, origin: str = "") -> None:
        """Record the value in force; nothing when there is none."""
        if value is None or value in ((), {}):
            return
        place = origin or (self._origin if key in self._raw else "default")
        self._findings.keep(self._prefix + key, _shown(value), place)

    def check_keys(self, known: Sequence[str]) -> None:
        """Report every key that nothing reads."""
        for key in self._raw:
            if key not in known:
                self._findings.unknown(
                    "unknown_key",
                    name=self._prefix + key,
                    origin=self._origin,
                    known=[self._prefix + name for name in known],
                )

    def tables(self, spelling: Callable[[str], str]) -> dict[str, Table]:
        """Return the tables in this one by the one spelling of their keys."""
        return {spelling(key): self.table(key, spelling(key)) for key in self._raw}

    def table(self, key: str, name: str = "") -> Table:
        """Return one table of this one, an empty one when it is missing or wrong.

        Args:
            key: as written in the file.
            name: under which its values are recorded; empty: the key.
        """
        value = self._raw.get(key, {})
        if not isinstance(value, dict):
            self.refuse(key, allowed=f"a table: [{self._prefix}{key}]")
            value = {}
        return Table(
            cast("RawTable", value),
            prefix=f"{self._prefix}{name or key}.",
            origin=self._origin,
            findings=self._findings,
        )

    def whole(self, key: str, default: int, *, low: int, high: int) -> int:
        """Return a whole number from ``low`` to ``high``, both included."""

        def check(value: object) -> int | None:
            if not isinstance(value, int) or isinstance(value, bool):
                return None
            return value if low <= value <= high else None

        return self.read(key, default, check, f"a whole number from {low} to {high}")

    def number(self, key: str, default: D, *, high: float) -> float | D:
        """Return a number from 0 to ``high``, both included."""

        def check(value: object) -> float | None:
            return _number(value, high)

        return self.read(key, default, check, f"a number from 0 to {high:g}")

    def numbers(
        self, key: str, default: tuple[float, ...], *, high: float
    ) -> tuple[float, ...]:
        """Return a list of numbers from 0 to ``high``, at least one."""

        def check(value: object) -> tuple[float, ...] | None:
            return _each(value, lambda item: _number(item, high)) or None

        allowed = f"a list of numbers from 0 to {high:g}, such as [5, 15]"
        return self.read(key, default, check, allowed)

    def truth(self, key: str, *, default: bool) -> bool:
        """Return a truth value."""

        def check(value: object) -> bool | None:
            return value if isinstance(value, bool) else None

        return self.read(key, default, check, "true or false, without quotation marks")

    def text(self, key: str) -> str | None:
        """Return a text, None when the key is missing."""
        return self.read(key, None, _text, "a text in quotation marks")

    def choice(self, key: str, default: str, allowed: Sequence[str]) -> str:
        """Return one of the allowed words."""

        def check(value: object) -> str | None:
            return value if isinstance(value, str) and value in allowed else None

        return self.read(key, default, check, "one of " + ", ".join(allowed))

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of texts, empty when the key is missing."""

        def check(value: object) -> tuple[str, ...] | None:
            return _each(value, _text)

        return self.read(key, (), check, 'a list of texts: ["…", "…"]')

    def argv(self, key: str) -> tuple[str, ...]:
        """Return a program with its arguments, empty when the key is missing."""

        def check(value: object) -> tuple[str, ...] | None:
            argv = _each(value, _argument)
            return argv if argv and argv[0].strip() else None

        return self.read(key, (), check, ARGV)

    def source(self, key: str, known: Sequence[str]) -> str | None:
        """Return one of the sources, in its one spelling; None when the key is missing."""

        def check(value: object) -> str | None:
            name = source_name(value) if isinstance(value, str) else ""
            return name if name in known else None

        choice = ", ".join(known)
        allowed = f"one of {choice}" if known else "left out: there is no such source"
        return self.read(key, None, check, allowed)

    def mapping(self, key: str) -> Mapping[str, str]:
        """Return a table of texts, empty when the key is missing."""

        def check(value: object) -> Mapping[str, str] | None:
            if not isinstance(value, dict):
                return None
            pairs = cast("dict[str, object]", value).items()
            good = {name: text for name, item in pairs if (text := _text(item))}
            return good if len(good) == len(pairs) else None

        none: Mapping[str, str] = {}
        return self.read(key, none, check, 'a table of texts: { "…" = "…" }')

    def read(
        self,
        key: str,
        default: D,
        check: Callable[[object], T | None],
        allowed: str,
        *,
        show: Callable[[object], str | None] = lambda _: None,
    ) -> T | D:
        """Return what ``check`` makes of a key's value; it returns None to refuse.

        ``show`` gives what the refusal quotes in place of a value that may be secret.
        """
        if key not in self._raw:
            self.keep(key, default)
            return default
        found = check(self._raw[key])
        if found is None:
            self.refuse(key, allowed=allowed, shown=show(self._raw[key]))
            self.keep(key, default, origin="default")
            return default
        self.keep(key, found)
        return found


def _number(value: object, high: float) -> float | None:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    # The comparison refuses TOML's nan and inf too.
    return float(value) if 0 <= value <= high else None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value.strip() else None


def _argument(value: object) -> str | None:
    """An argument may be empty; only the program may not."""
    return value if isinstance(value, str) else None


def _each(value: object, check: Callable[[object], T | None]) -> tuple[T, ...] | None:
    """Return the checked items of a list, None when it is no list of such items."""
    if not isinstance(value, list):
        return None
    checked = [check(item) for item in cast("list[object]", value)]
    good = tuple(item for item in checked if item is not None)
    return good if len(good) == len(checked) else None


def _shown(value: object) -> str:
    """Return a value as ``doctor`` prints it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return ",".join(_shown(item) for item in cast("Sequence[object]", value))
    if isinstance(value, dict):
        pairs = cast("dict[str, object]", value).items()
        return ",".join(f"{key}={_shown(item)}" for key, item in pairs)
    return str(value).removesuffix(".0")
