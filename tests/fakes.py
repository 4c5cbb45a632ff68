"""Stand-ins for time, ids, chance and sessions, and builders of tasks."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace

from model_queue.model import JsonObject, Task
from model_queue.ports import Launch, Session, SessionState, Started

START = dt.datetime(2026, 3, 4, 16, 51, tzinfo=dt.UTC)


class FakeClock:
    """A clock that moves only when told."""

    def __init__(self, start: dt.datetime = START) -> None:
        self._now = start

    def now(self) -> dt.datetime:
        return self._now

    def advance(self, span: dt.timedelta) -> None:
        self._now += span


class SequentialIds:
    """Ids that count: 00000000-0000-4000-8000-000000000001 and so on, first 8 too."""

    def __init__(self) -> None:
        self._n = 0

    def uuid4(self) -> str:
        self._n += 1
        return f"{self._n:08x}-0000-4000-8000-{self._n:012x}"


class FixedRng:
    """Chance that always lies at one share of the span."""

    def __init__(self, share: float = 0.5) -> None:
        self._share = share

    def uniform(self, low: float, high: float) -> float:
        return low + (high - low) * self._share


class RecordingLauncher:
    """A launcher whose sessions live in memory and end when the test says so."""

    def __init__(self, *, is_host: bool = False) -> None:
        self.is_host = is_host
        self.launches: list[Launch] = []
        self.stopped: list[str] = []
        self.given_up: list[str] = []
        self.sessions: dict[str, Session] = {}

    def start(self, launch: Launch) -> Started:
        if launch.label not in self.sessions:
            self.launches.append(launch)
            self.sessions[launch.label] = Session(
                state=SessionState.LIVE, session_id=launch.label
            )
        if self.is_host:
            return Started(
                session_id=None, actions=[{"type": "spawn", "key": launch.label}]
            )
        return Started(session_id=launch.label)

    def find(self, label: str) -> Session:
        return self.sessions.get(label, Session(state=SessionState.ABSENT))

    def give_up(self, label: str) -> Session:
        found = self.find(label)
        if found.state is SessionState.ABSENT:
            self.given_up.append(label)
        return found

    def stop(self, label: str, session_id: str | None) -> Sequence[JsonObject]:
        self.stopped.append(label)
        if self.is_host:
            return [
                {"type": "stop", "key": label, "label": label, "session_id": session_id}
            ]
        return []


def a_task(task_id: str = "T-001", **fields: object) -> Task:
    """A pending task of queue ollama-local; a test names only what matters to it."""
    number = int(task_id[2:] or "0")
    task = Task(
        id=task_id,
        queue="ollama-local",
        model="ollama/qwen2.5",
        description="Analyze the sales data",
        added_at=START,
        uuid=f"{number:08x}-0000-4000-8000-{number:012x}",
    )
    return replace(task, **fields)  # type: ignore[arg-type] # fields are the test's
