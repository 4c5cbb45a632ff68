"""Thousands of labelled messages on one queue, in one process."""

from __future__ import annotations

import datetime as dt
import itertools
import json
from pathlib import Path

import pytest

from cores import a_core
from crashing import IS_WHOLE
from fakes import START
from model_queue import submit
from model_queue.adding import Message
from model_queue.model import Task
from model_queue.store import Query

DATA = Path(__file__).parent.parent / "data"
N_MESSAGES = 10_000 if IS_WHOLE else 1_000


def rows() -> list[dict[str, str]]:
    """Return the labelled messages of both scopes, mixed."""
    both = [
        [json.loads(line) for line in (DATA / name).read_text("utf-8").splitlines()]
        for name in ("intake-a.jsonl", "ambient-a.jsonl")
    ]
    mixed = itertools.chain.from_iterable(itertools.zip_longest(*both))
    return [row for row in mixed if row is not None]


@pytest.mark.slow
def test_no_task_is_lost_or_doubled_and_the_order_is_kept(tmp_path: Path) -> None:
    core = a_core(tmp_path)
    added: list[Task] = []

    for n, row in enumerate(itertools.islice(itertools.cycle(rows()), N_MESSAGES)):
        # Each in a chat of its own, so that none is the answer of another's question.
        message = Message(
            text=row["message"],
            scope=row.get("scope", "addressed"),
            session=f"chat-{n}",
            message_id=str(n),
        )
        now = START + dt.timedelta(seconds=n)
        parsed = submit.understand(core.settings, message, now=now)
        answer = submit.intake(core, message, parsed=parsed, now=now)
        added += answer.tasks
        is_taken = parsed.mode == "intake" and not answer.is_refused
        wanted = {len(parsed.tasks)} if is_taken else {0, len(parsed.tasks)}
        assert len(answer.tasks) in wanted, row["id"]

    ids = [task.id for task in added]
    stored = core.store.select(Query())
    assert len(ids) > N_MESSAGES / 2
    assert ids == [f"T-{n:03d}" for n in range(1, len(ids) + 1)]
    assert {task.id: task.description for task in stored} == {
        task.id: task.description for task in added
    }
    by_number = sorted(stored, key=lambda task: int(task.id[2:]))
    assert [t.added_at for t in by_number] == sorted(t.added_at for t in stored)
