"""What the sessions of a round wrote about themselves."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from torture import kill_session as session
from torture.kill_deaths import Death


class Line(NamedTuple):
    """One line of a session."""

    what: str
    """``start``, ``end``, ``overlap`` (its task had another session), ``crowd``."""
    source: str
    task: str
    label: str
    pid: int
    at: float
    """Monotonic seconds, the same clock for all processes of the machine."""
    wall: float = 0.0


def read(home: Path) -> list[Line]:
    """Return the lines of a round so far, in the order of their writing."""
    try:
        text = (home / session.DIARY).read_text(encoding="utf-8")
    except FileNotFoundError:
        return []
    # What follows the last line's end is being written just now.
    lines, _, _ = text.rpartition("\n")
    return [Line(**json.loads(line)) for line in lines.splitlines()]


class Life(NamedTuple):
    """A span of time in which a session surely lived."""

    line: Line
    """Its start."""
    until: float
    """The last moment that is known; it may have lived on a little."""

    def lived_at(self, moment: float) -> bool:
        """Report whether it surely lived then."""
        return self.line.at <= moment < self.until


def lives(lines: Sequence[Line], deaths: Sequence[Death]) -> list[Life]:
    """Return how long each session surely lived.

    Until its own end line, else until right before it was killed. One that ended
    otherwise is only known to have lived at its start: nothing is made up for it, and
    the locks that it held tell the rest.
    """
    known: Mapping[tuple[str, int], float] = {
        **{(death.label, death.pid): death.alive_at for death in deaths},
        **{(line.label, line.pid): line.at for line in lines if line.what == "end"},
    }
    return [
        Life(line, known.get((line.label, line.pid), line.at))
        for line in lines
        if line.what == "start"
    ]
