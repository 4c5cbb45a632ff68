"""The notebook of a configuration being read: values kept, problems found."""

from __future__ import annotations

import os.path
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from model_queue.errors import ConfigError
from model_queue.settings import Problem, Setting

_SHOWN = 80
"""Characters of a refused value that a sentence quotes: enough to find it again."""
_MAX_DIGITS = 9
_PLACES = {"environment": "the environment", "flag": "the command line"}


class Given(NamedTuple):
    """One ``NAME=value`` that won over the others of its name."""

    name: str
    """As written: ``MODEL_SOURCE_OLLAMA_LOCAL``."""
    value: str
    origin: str
    """``flag``, ``environment`` or the path of the file."""
    trusted: bool = True
    """False: from a file of the current directory, so a bad value only gets ignored."""


class Findings:
    """Values and problems, in the order found."""

    def __init__(self) -> None:
        self.values: dict[str, Setting] = {}
        self.problems: list[Problem] = []

    def keep(self, name: str, value: str, origin: str) -> None:
        """Remember the value in force and where it came from; the last word counts."""
        self.values[name] = Setting(name, value, origin)

    def note(self, code: str, text: str, *, hint: str = "") -> None:
        """Report something that does not stop the work."""
        self.problems.append(Problem(code=code, text=text, hint=hint))

    def refuse(
        self,
        given: Given,
        *,
        allowed: str,
        hint: str = "",
    ) -> None:
        """Report a value of the wrong kind or range, with key, value and place.

        It is fatal unless it stands in a file of the current directory: a repository
        must not be able to stop its user's queue.
        """
        value = given.value
        shown = value if len(value) <= _SHOWN else value[:_SHOWN] + "…"
        place = _PLACES.get(given.origin, given.origin)
        error = ConfigError(
            key=given.name, value=shown, allowed=allowed, origin=place, hint=hint
        )
        self.problems.append(
            Problem(
                code=ConfigError.code,
                text=str(error),
                hint=hint or (f"{given.name} was ignored" if not given.trusted else ""),
                fatal=given.trusted,
                key=given.name,
                value=shown,
                allowed=allowed,
                origin=place,
            )
        )

    def unknown(
        self, code: str, *, name: str, origin: str, known: Sequence[str]
    ) -> None:
        """Report a name that nothing reads, with the nearest one that is read.

        The value stays out of the sentence: people put keys under names of their own.
        """
        place = _PLACES.get(origin, origin)
        self.note(
            code,
            f"{name[:_SHOWN]} in {place} is not known and was ignored",
            hint=f"did you mean {nearest(name, known)}?",
        )


def nearest(name: str, known: Iterable[str]) -> str:
    """Return the known name that is most like the one seen; empty if there is none.

    >>> nearest("MODEL_QUEUE_DIR", ["MODEL_QUEUES_DIR", "MODEL_QUEUE_STORE"])
    'MODEL_QUEUES_DIR'
    """
    import difflib  # noqa: PLC0415 - only when something is wrong; it brings in re

    close = difflib.get_close_matches(name[:_SHOWN], list(known), n=1, cutoff=0.0)
    return close[0] if close else ""


def source_name(text: str) -> str:
    """Return the one spelling of a source's name.

    >>> source_name("OLLAMA_LOCAL")
    'ollama-local'
    """
    return "-".join(part for part in text.lower().replace("_", "-").split("-") if part)


def expand_path(text: str, home: str) -> str:
    """Return a path with ``~`` or ``$HOME`` at its start expanded, and normalised.

    >>> expand_path("$HOME/queues/", "/home/ann")
    '/home/ann/queues'
    """
    for short in ("~", "$HOME", "${HOME}"):
        if text == short or text.startswith(short + "/"):
            text = home + text[len(short) :]
            break
    return os.path.normpath(text) if text else ""


def is_usable_path(path: str) -> bool:
    """Report whether a path means the same in every working directory."""
    return os.path.isabs(path) and "\0" not in path


def whole_number(text: str) -> int | None:
    """Return the number that up to nine digits say, None for any other text."""
    is_number = text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS
    return int(text) if is_number else None
