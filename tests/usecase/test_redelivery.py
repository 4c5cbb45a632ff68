"""Whatever a host says twice, late or out of order has its effect once."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from cores import a_core, add, get, tick
from fakes import START, a_task
from model_queue import completion
from model_queue.core import Core
from model_queue.model import Checkpoint, ErrorClass, Outcome, Task
from model_queue.store import Draft, Query

N_TASKS = 3
WORDS = ("done", "failed", "lost", "limited", "checkpoint", "attach")


class Delivery(NamedTuple):
    """One thing that a host says of an attempt."""

    task_id: str
    label: str
    word: str
    number: int
    """Tells it from every other delivery."""


def outcome_of(word: str, number: int) -> Outcome:
    match word:
        case "done":
            return Outcome(result_status="success", result=f"report {number}")
        case "failed":
            return Outcome(
                result_status="failed",
                error_class=ErrorClass.TRANSIENT,
                error_message=f"fault {number}",
            )
        case "limited":
            return Outcome(
                result_status="failed",
                error_class=ErrorClass.RATE_LIMITED,
                error_message="HTTP 429",
                until=START,
            )
        case _:
            return Outcome(result_status="lost", error_class=ErrorClass.LOST)


def deliver(core: Core, said: Delivery) -> None:
    task = get(core, said.task_id)
    match said.word:
        case "checkpoint":
            saved = Checkpoint(
                task_id=said.task_id,
                percent_complete=said.number % 100,
                last_action=f"step {said.number}",
                next_action="",
                agent_id=said.label,
                written_at=START,
            )
            completion.checkpoint(core, task, saved, label=said.label, now=START)
        case "attach":
            session = f"session of {said.label}"
            completion.attach(core, task, session, label=said.label, now=START)
        case word:
            outcome = outcome_of(word, said.number)
            completion.complete(core, task, outcome, label=said.label, now=START)


def a_core_with_work(home: str) -> Core:
    core = a_core(
        Path(home),
        host=True,
        ollama_local={"max_concurrent": 2, "backoff_s": (0.0,), "jitter": 0.0},
    )
    add(core, a_task(""), a_task(""), Draft(task=a_task(""), after=(0,)))
    return core


def play(core: Core, words: Sequence[tuple[int, str]]) -> list[Delivery]:
    """Let each word be said of the attempt that holds its task; return what was said."""
    said: list[Delivery] = []
    for number, (task_number, word) in enumerate(words):
        tick(core, carries_actions=True)
        task = get(core, f"T-{task_number:03}")
        if task.label is not None:
            delivery = Delivery(task.id, task.label, word, number)
            deliver(core, delivery)
            said.append(delivery)
    return said


def is_news(said: Sequence[Delivery], place: int) -> bool:
    """Report whether to say it once more would be new: nothing was, or progress since.

    A checkpoint has no number of its own, so that an older one of the same attempt,
    said again after a newer, is the latest word.
    """
    if place >= len(said):
        return True
    this = said[place]
    return this.word == "checkpoint" and any(
        (later.label, later.word) == (this.label, "checkpoint")
        for later in said[place + 1 :]
    )


def picture(core: Core) -> list[tuple[Task, Checkpoint | None, str | None]]:
    """Return everything that a delivery could have changed."""
    found: list[tuple[Task, Checkpoint | None, str | None]] = []
    for task in core.store.select(Query()):
        report = core.folder.read_result(task.result_path or "-")
        found.append((task, core.folder.read_checkpoint(task), report))
    return sorted(found, key=lambda each: each[0].id)


@given(
    words=st.lists(
        st.tuples(st.integers(1, N_TASKS), st.sampled_from(WORDS)), max_size=12
    ),
    again=st.lists(
        st.tuples(st.integers(0, 20), st.integers(0, 11)), min_size=1, max_size=12
    ),
)
def test_repeated_deliveries_change_nothing(
    words: list[tuple[int, str]], again: list[tuple[int, int]]
) -> None:
    """``again``: after which delivery an earlier one comes once more."""
    with tempfile.TemporaryDirectory() as once, tempfile.TemporaryDirectory() as often:
        first = a_core_with_work(once)
        said = play(first, words)
        second = a_core_with_work(often)
        tick(second, carries_actions=True)

        for place, delivery in enumerate(said):
            deliver(second, delivery)
            for after, earlier in again:
                if after == place and not is_news(said[: place + 1], earlier):
                    deliver(second, said[earlier])
            tick(second, carries_actions=True)
        tick(first, carries_actions=True)

        assert picture(second) == picture(first)


def test_checkpoint_of_an_older_attempt_replaces_no_newer_one(tmp_path: Path) -> None:
    core = a_core_with_work(str(tmp_path))
    said = play(core, [(1, "checkpoint"), (1, "failed"), (1, "checkpoint")])
    before = picture(core)

    deliver(core, said[0])

    assert said[0].label != said[2].label
    assert picture(core) == before
