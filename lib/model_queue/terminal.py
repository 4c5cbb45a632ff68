"""What a person's terminal can show: its width, colours, a picture drawn anew."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping
from typing import TextIO

from model_queue.messages.wording import cut_to

_NARROWEST = 40
_LOWEST = 10
"""Columns and rows that a terminal is taken to have at least."""
_CLEAR = "\x1b[H\x1b[2J"
_PLAIN = "\x1b[0m"
_COLOURS = {
    "🔄": "\x1b[32m",
    "✅": "\x1b[32m",
    "❌": "\x1b[31m",
    "🚫": "\x1b[33m",
    "⚠️": "\x1b[33m",
    "⏸️": "\x1b[36m",
    "🛑": "\x1b[2m",
    "⏭️": "\x1b[2m",
}
"""By the marker that a line has."""
_BOLD = "\x1b[1m"
_COMMANDS = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*[0-~]?)"
    r"|[\x00-\x08\x0b-\x1f\x7f-\x9f]"
)
"""What a terminal would carry out instead of showing it; tab and line feed stay."""


class Terminal:
    """A stream that a person looks at, or a file that programs read."""

    def __init__(self, stream: TextIO, environment: Mapping[str, str]) -> None:
        self.is_one = stream.isatty()
        """Whether somebody looks: only then colours, cuts and pictures."""
        is_dumb = environment.get("TERM", "") in {"", "dumb"}
        self.has_colours = (
            self.is_one and not is_dumb and not environment.get("NO_COLOR")
        )
        self._can_clear = self.is_one and not is_dumb

    @property
    def columns(self) -> int | None:
        """How wide a line may be; None where nothing is cut."""
        if not self.is_one:
            return None
        return max(shutil.get_terminal_size().columns, _NARROWEST)

    def shown(self, text: str) -> str:
        """Return a text as the terminal shows it: each line cut, and in its colour."""
        columns = self.columns
        if columns is None:
            return text
        lines = [cut_to(line, columns) for line in text.split("\n")]
        return (
            "\n".join(map(self._coloured, lines))
            if self.has_colours
            else "\n".join(lines)
        )

    def harmless(self, text: str) -> str:
        """Return foreign text without what a terminal would carry out."""
        return _COMMANDS.sub("", text) if self.is_one else text

    def picture(self, text: str) -> str:
        """Return what draws a text in the place of the one before.

        What is longer than the screen is cut below, else its head would scroll away.
        """
        lines = text.split("\n")
        height = max(shutil.get_terminal_size().lines - 1, _LOWEST)
        if self._can_clear and len(lines) > height:
            lines = [*lines[: height - 1], f"… (+{len(lines) - height + 1})"]
        return (_CLEAR if self._can_clear else "\n") + self.shown("\n".join(lines))

    @staticmethod
    def _coloured(line: str) -> str:
        if line.startswith(("[", "📊")):
            return f"{_BOLD}{line}{_PLAIN}"
        for marker, colour in _COLOURS.items():
            if f" {marker} " in line or line.startswith(marker):
                return f"{colour}{line}{_PLAIN}"
        return line


def pause(seconds: float) -> None:
    """Wait; an interrupt ends it at once."""
    # Imported here: nothing else needs it.
    import threading  # noqa: PLC0415

    threading.Event().wait(seconds)


def stamp(path: str) -> str:
    """Return what changes whenever a file or directory does."""
    try:
        seen = os.stat(path)
    except OSError:
        return "-"
    return f"{seen.st_ino}.{seen.st_size}.{seen.st_mtime_ns}"
