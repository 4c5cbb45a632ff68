"""What a round leaves behind, read without the code that it judges."""

from __future__ import annotations

import fcntl
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from torture.kill_calls import Call
from torture.kill_deaths import Death
from torture.kill_diary import Line
from torture.kill_load import Asked

TERMINAL = frozenset({"done", "failed", "skipped", "cancelled"})
COUNTS_AS_FAILED = frozenset({"failed", "skipped", "cancelled", "blocked"})
"""Statuses of a dependency that will not be done by itself."""


class Stored(NamedTuple):
    """A task as it lies in a queue file or in the archive."""

    id: str
    status: str
    description: str = ""
    depends_on: Sequence[str] = ()
    policy: str = "block"
    attempt: int = 0
    retries: int = 0
    max_retries: int = 3
    losses: int = 0
    has_claim: bool = False
    blocked_reason: str = ""
    failure_reason: str = ""
    result: str = ""

    @property
    def is_over(self) -> bool:
        """It has ended, or waits for a person who is told why; nothing holds it."""
        is_blocked = self.status == "blocked" and bool(self.blocked_reason)
        return (self.status in TERMINAL or is_blocked) and not self.has_claim


class Happened(NamedTuple):
    """One line of the event log that is about a task."""

    event: str
    task: str
    before: str | None
    after: str | None
    label: str | None = None

    @property
    def moved_to(self) -> str | None:
        """The status that the task came to, None when it stayed as it was."""
        return self.after if self.after != self.before else None


@dataclass(frozen=True)
class Evidence:
    """All that the laws look at."""

    tasks: Sequence[Stored] = ()
    """In the order of the files; one that lies there twice is there twice."""
    events: Sequence[Happened] = ()
    """In the order of the log, which is that of the commits."""
    reports: Mapping[str, str] = field(default_factory=dict[str, str])
    """The text of ``results/T-001.md``, by task."""
    diary: Sequence[Line] = ()
    limits: Mapping[str, int] = field(default_factory=dict[str, int])
    """``maxConcurrent`` by source."""
    deaths: Sequence[Death] = ()
    calls: Sequence[Call] = ()
    asked: Sequence[Asked] = ()
    waited_s: float = 0.0
    """How long the tasks were given to end after the last kill."""
    left_running: Sequence[str] = ()
    """Processes of the round after its end."""
    litter: Sequence[str] = ()
    """Half-written files that an open of the queues left although they were old."""
    undelivered: Sequence[str] = ()
    """Notices that no chat could be given."""
    logs: Mapping[str, str] = field(default_factory=dict[str, str])
    """What supervisors and wakers logged, by file; only what is not empty."""


def read_tasks(queues: Path) -> list[Stored]:
    """Return every task of the queue files and of the archive."""
    with _among_readers(queues):
        archived = sorted(queues.glob("archive/*/*.json"))
        return [
            _stored(wire)
            for path in (*sorted(queues.glob("*.json")), *archived)
            for wire in json.loads(path.read_text(encoding="utf-8"))["tasks"]
        ]


@contextmanager
def _among_readers(queues: Path) -> Iterator[None]:
    """Share the lock of the directory, as all its readers do: nobody writes meanwhile."""
    lock = queues / ".state" / "lock"
    if not lock.exists():
        yield
        return
    with lock.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_SH)
        yield


def is_in_mid_commit(queues: Path) -> bool:
    """Report whether a commit was cut off that nobody has finished yet."""
    return (queues / ".state" / "journal").exists()


def _stored(wire: dict[str, Any]) -> Stored:
    depends_on = wire["depends_on"] or []
    return Stored(
        id=wire["id"],
        status=wire["status"],
        description=wire["description"],
        depends_on=[depends_on] if isinstance(depends_on, str) else depends_on,
        policy=wire["on_depends_fail"],
        attempt=wire.get("attempt", 0),
        retries=wire["retries"],
        max_retries=wire["maxRetries"],
        losses=wire.get("losses", 0),
        has_claim=wire.get("claim") is not None,
        blocked_reason=wire.get("blocked_reason") or "",
        failure_reason=wire.get("failure_reason") or "",
        result=wire.get("result") or "",
    )


def read_events(queues: Path) -> list[Happened]:
    """Return the lines of the event log that are about a task, oldest first."""
    paths = [*sorted(queues.glob("events-*.jsonl")), queues / "events.jsonl"]
    return [
        Happened(
            wire["event"],
            wire["task_id"],
            wire.get("before"),
            wire.get("after"),
            wire.get("label"),
        )
        for wire in _lines(path for path in paths if path.exists())
        if "task_id" in wire
    ]


def _lines(paths: Iterator[Path]) -> Iterator[dict[str, Any]]:
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            yield json.loads(line)


def read_reports(queues: Path) -> dict[str, str]:
    """Return the accepted reports, by task."""
    paths = queues.glob("results/T-*.md")
    return {
        path.stem: path.read_text(encoding="utf-8")
        for path in paths
        if "." not in path.stem
    }


def read_undelivered(queues: Path) -> list[str]:
    """Return the notices of the outbox."""
    path = queues / ".state" / "outbox"
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def read_logs(queues: Path) -> dict[str, str]:
    """Return what the detached processes logged."""
    paths = [*queues.glob("sessions/*/supervisor.log"), queues / ".state" / "waker.log"]
    texts = {
        str(path.relative_to(queues)): path.read_text("utf-8", "replace")
        for path in paths
        if path.exists()
    }
    return {name: text for name, text in texts.items() if text}


def half_written(queues: Path) -> list[Path]:
    """Return the files that were to be renamed and were not."""
    folders = (".", ".state", "results", "checkpoints", "archive/*")
    return [path for folder in folders for path in queues.glob(f"{folder}/.*.tmp")]
