"""What an attempt was to be, and what it left behind: the supervisor's side."""

from __future__ import annotations

import datetime as dt
import json
import os
from collections.abc import Sequence
from typing import NamedTuple

from model_queue.model import JsonObject

TAIL = 4000
"""Bytes of stderr that are looked at for the reason of a failure."""


class SessionPlan(NamedTuple):
    """Everything that the supervisor needs to know: ``session.json``, read.

    ``SupervisedLauncher`` writes it, key by key the fields here.
    """

    label: str
    task_id: str
    queue: str
    attempt: int
    model: str
    """``provider/name`` as configured."""
    runtime_model: str
    """The name under which the runtime knows it."""
    program: str
    argv: Sequence[str]
    reads_prompt: bool
    """The prompt is on stdin; else stdin is empty."""
    cwd: str
    timeout_s: float
    """Wall clock of the attempt."""
    grace_s: float
    """Between the request to end and the kill."""
    config_cwd: str
    """Where configuration is looked for, for the pass after the end."""
    started_at: str
    """RFC 3339; for people, nothing is decided by it."""
    facts: JsonObject
    """What the program itself wants to find again."""

    @classmethod
    def from_json(cls, text: str) -> SessionPlan:
        """Read the text of ``session.json``."""
        return cls(**json.loads(text))


class Finished(NamedTuple):
    """What a session left behind when its last process was gone."""

    plan: SessionPlan
    session_dir: str
    exit_code: int | None
    """Minus the signal's number when one ended it; None when it was never started."""
    duration_s: float
    ended_at: dt.datetime

    def text(self, name: str) -> str:
        """Return a text file of the session's folder, "" when there is none."""
        return self._read(name).decode("utf-8", "replace")

    def tail(self, name: str) -> str:
        """Return the last ``TAIL`` bytes of a text file of the session's folder."""
        return self._read(name)[-TAIL:].decode("utf-8", "replace").strip()

    def _read(self, name: str) -> bytes:
        try:
            with open(os.path.join(self.session_dir, name), "rb") as file:
                return file.read()
        except OSError:
            return b""
