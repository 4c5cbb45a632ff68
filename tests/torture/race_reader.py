"""Looks at a queue directory all the time while others change it.

``python -m torture.race_reader QUEUES STOP``: looks until the file STOP is there, then
prints one JSON object. Every look is compared with the audit log before and after it.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from model_queue.model import JsonObject, Task
from model_queue.ports import RandomIds
from model_queue.store import Query
from model_queue.stores.files import FilesStore
from model_queue.transitions import holds_slot

MARK = re.compile(r"\bm(\d+-\d+)p\d+of(\d+)\b")
"""In each task's description: its message, and how many tasks that has."""
LIMITS = {"src-a": 1, "src-b": 2, "src-h": 2}
PAUSE_S = 0.005
"""Between two looks: those who race need the processors more."""
MOST = 20
"""Violations that are told; more of them say nothing new."""


def marks_of(texts: Iterable[str]) -> Counter[tuple[str, int]]:
    """Count the tasks of each message, named with how many it has."""
    found = (MARK.search(text) for text in texts)
    return Counter((mark[1], int(mark[2])) for mark in found if mark)


def halves(texts: Iterable[str]) -> list[str]:
    """Return the messages of which some tasks are there and some are not."""
    counted = marks_of(texts).items()
    return [f"{n} of {of} tasks of message {m}" for (m, of), n in counted if n != of]


class Log:
    """The audit log as it grows, read without any lock."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._at = 0
        self.statuses: dict[str, str] = {}
        """Of each task, by the log so far."""

    def news(self) -> list[JsonObject]:
        """Return the events since the last call; a line without its end is none yet."""
        if not self._path.exists():
            return []
        with self._path.open("rb") as file:
            file.seek(self._at)
            text = file.read()
        text = text[: text.rfind(b"\n") + 1]
        self._at += len(text)
        found = [json.loads(line) for line in text.splitlines()]
        for event in found:
            if "after" in event:
                self.statuses[event["task_id"]] = event["after"]
        return found


@dataclass
class Reader:
    """What was seen so far."""

    log: Log
    n_looks: int = 0
    n_files: int = 0
    n_gaps: int = 0
    attempts: dict[str, int] = field(default_factory=dict[str, int])
    violations: list[str] = field(default_factory=list[str])
    _paths: set[Path] = field(default_factory=set[Path])
    """Every file that was there once."""

    def look(self, store: FilesStore) -> None:
        """Look at all tasks at once, and compare."""
        self.log.news()
        before = dict(self.log.statuses)
        tasks = store.select(Query())
        self.n_looks += 1
        self._compare(tasks, before, self.log.news())
        self.violations += halves(task.description for task in tasks)
        self._count_slots(tasks)
        self._watch_ids(tasks)

    def _compare(
        self,
        tasks: Iterable[Task],
        before: Mapping[str, str],
        news: Iterable[JsonObject],
    ) -> None:
        """Check that each status is one that the log knows of during the look."""
        possible = {task_id: {status} for task_id, status in before.items()}
        for event in news:
            if "after" in event:
                names = possible.setdefault(str(event["task_id"]), set())
                names.add(str(event["after"]))
        for task in tasks:
            known = possible.get(task.id, set())
            if task.status.value not in known:
                seen = f"{task.id} is {task.status.value}"
                self.violations.append(f"{seen}, by the log one of {sorted(known)}")

    def _count_slots(self, tasks: Iterable[Task]) -> None:
        held = Counter(t.queue for t in tasks if holds_slot(t, until_terminal=False))
        for source, n in held.items():
            if n > LIMITS[source]:
                self.violations.append(f"{n} tasks hold a slot of {source}")

    def _watch_ids(self, tasks: Iterable[Task]) -> None:
        now = {task.id: task.attempt for task in tasks}
        for task in tasks:
            if set(task.depends_on) - now.keys():
                self.violations.append(f"{task.id} is there without its parents")
        for task_id, attempt in self.attempts.items():
            if now.get(task_id, -1) < attempt:
                self.violations.append(f"attempt {attempt} of {task_id} was taken back")
        self.attempts = now

    def look_raw(self, queues: Path) -> None:
        """Read every file without the lock: each by itself is always whole."""
        self._paths.update(queues.glob("*.json"), queues.glob(".state/counter"))
        for path in self._paths:
            try:
                json.loads(path.read_bytes())
                self.n_files += 1
            except FileNotFoundError:
                # Between old and new text a queue file has no name for a moment.
                self.n_gaps += 1
            except ValueError as error:
                self.violations.append(f"{path.name} does not parse: {error}")


def main(queues: str, stop: str) -> int:
    """Look until the file ``stop`` is there; print what was seen."""
    root = Path(queues)
    reader = Reader(Log(root / "events.jsonl"))
    store = FilesStore(queues, ids=RandomIds())
    while not Path(stop).exists() and len(reader.violations) < MOST:
        reader.look(store)
        reader.look_raw(root)
        time.sleep(PAUSE_S)  # noqa: TID251 - a reader's own pace
    seen = {
        "looks": reader.n_looks,
        "files": reader.n_files,
        "gaps": reader.n_gaps,
        "violations": reader.violations,
    }
    print(json.dumps(seen))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
