"""Time, ids, chance and sessions as small protocols, with the real small ones.

The only module that reads the wall clock. Use cases take these keyword-only and
without a default; ``wiring`` builds the real ones.
"""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple, Protocol

from model_queue.model import JsonObject, Outcome


class Clock(Protocol):
    """The wall clock."""

    def now(self) -> dt.datetime:
        """Return the present time, aware, UTC."""
        ...


class IdSource(Protocol):
    """Unique ids of tasks; numbers are given by the store."""

    def uuid4(self) -> str:
        """Return a fresh version 4 UUID in its 36-character form."""
        ...


class Rng(Protocol):
    """Chance, for jitter; ``random.Random`` fits."""

    def uniform(self, low: float, high: float) -> float:
        """Return a number between ``low`` and ``high``, both included."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> dt.datetime:
        """Return the present time, aware, UTC."""
        return dt.datetime.now(dt.UTC)  # noqa: TID251 - the one real clock


class FixedClock:
    """One moment: the ``now`` of a hook's input stands for the wall clock."""

    def __init__(self, moment: dt.datetime) -> None:
        self._moment = moment

    def now(self) -> dt.datetime:
        """Return the moment given."""
        return self._moment


class RandomIds:
    """Version 4 UUIDs from the operating system; ``import uuid`` costs a hook 14 ms."""

    def uuid4(self) -> str:
        """Return a fresh version 4 UUID in its 36-character form."""
        raw = bytearray(os.urandom(16))
        raw[6] = raw[6] & 0x0F | 0x40
        raw[8] = raw[8] & 0x3F | 0x80
        text = raw.hex()
        return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


class SystemRng:
    """Chance from the operating system; jitter needs no better."""

    def uniform(self, low: float, high: float) -> float:
        """Return a number between ``low`` and ``high``, both included."""
        return low + (high - low) * int.from_bytes(os.urandom(7), "big") / (2**56 - 1)


class SessionState(StrEnum):
    """What a launcher knows of one attempt."""

    ABSENT = "absent"
    """Nothing was ever started under this label, or it vanished without an outcome."""
    LIVE = "live"
    """It runs, or may run: never started twice, never taken for lost."""
    ENDED = "ended"
    """It is gone for good and its outcome is known."""


class Launch(NamedTuple):
    """Everything a launcher needs to start one attempt."""

    label: str
    task_id: str
    queue: str
    attempt: int
    model: str
    """``provider/name`` as configured; the launcher maps it to the runtime's name."""
    prompt: str
    cwd: str
    """Absolute; where the session works."""
    timeout_s: int
    """Wall clock of the attempt."""
    budget_usd: float | None = None
    max_tokens: int | None = None


class Started(NamedTuple):
    """The answer of ``Launcher.start``."""

    session_id: str | None
    """The runtime's id; None when a host is to start the session and report it."""
    actions: Sequence[JsonObject] = ()
    """What the agent runtime must carry out, in the hooks' form."""


class Session(NamedTuple):
    """The answer of ``Launcher.find``."""

    state: SessionState
    session_id: str | None = None
    outcome: Outcome | None = None
    """Set when ``state`` is ENDED."""


class Launcher(Protocol):
    """Starts, finds and stops the sessions of one source.

    - ``start`` under a label that was started before starts nothing and returns the
      first answer.
    - ``find`` never blocks on the network and never raises for an unknown label.
    - ``stop`` asks the session to end and returns at once; ``find`` tells when it has.
    - ``give_up`` decides between a start that is on its way and an attempt that is lost:
      whichever comes first holds.
    """

    is_host: bool
    """The agent runtime carries out the start; waker, cron and CLI leave such tasks."""

    def start(self, launch: Launch) -> Started:
        """Start the session of one attempt, detached from this process.

        Raises:
            LaunchError: it cannot be started; nothing runs under the label.
        """
        ...

    def find(self, label: str) -> Session:
        """Return what is known of the attempt's session."""
        ...

    def stop(self, label: str, session_id: str | None) -> Sequence[JsonObject]:
        """Ask the session to end; return actions for a host, else nothing."""
        ...

    def give_up(self, label: str) -> Session:
        """Forbid the start of an absent session; return what is known of it then.

        ABSENT is final. A session that is there after all is not asked to end.
        """
        ...
