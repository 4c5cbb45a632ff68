"""One command on many tasks is stored in few commits, and can be taken back."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from cores import a_core, add, get, tick
from fakes import START, a_task
from model_queue import adding, submit
from model_queue.core import Core
from model_queue.model import Status
from model_queue.store import Query

N_TASKS = 150


def say(core: Core, text: str, minute: int, message_id: str = "") -> str:
    """Say something in a chat some minutes after the start; return the answer."""
    message = adding.Message(text=text, session="s-1", message_id=message_id)
    now = START + dt.timedelta(minutes=minute)
    return submit.intake(core, message, now=now).text


@pytest.fixture
def core(tmp_path: Path) -> Core:
    """A queue with one running task and many that wait."""
    made = a_core(tmp_path)
    add(made, *(a_task("") for _ in range(N_TASKS)))
    tick(made)
    return made


def statuses(core: Core) -> dict[Status, int]:
    """Count the tasks by status."""
    found: dict[Status, int] = {}
    for task in core.store.select(Query()):
        found[task.status] = found.get(task.status, 0) + 1
    return found


@pytest.mark.parametrize(
    ("command", "status", "back"),
    [
        ("clear the queue", Status.CANCELLED, Status.PENDING),
        ("cancel T-002 to T-150", Status.CANCELLED, Status.PENDING),
        ("skip T-002 to T-150", Status.SKIPPED, Status.PENDING),
        ("pause T-002 to T-150", Status.PAUSED, Status.PENDING),
    ],
)
def test_a_command_on_many_reaches_each_and_undo_brings_each_back(
    core: Core, command: str, status: Status, back: Status
) -> None:
    written = list(core.store.events(limit=10_000))

    said = say(core, command, 1)

    assert statuses(core) == {Status.RUNNING: 1, status: N_TASKS - 1}
    assert said.count("T-") == N_TASKS - 1
    told = list(core.store.events(limit=10_000))[len(written) :]
    assert len([each for each in told if each.task_id]) == N_TASKS - 1

    assert say(core, "undo", 2).startswith("↩️ Taken back:")
    assert statuses(core) == {Status.RUNNING: 1, back: N_TASKS - 1}


def test_a_command_that_comes_again_says_the_same_and_does_nothing(core: Core) -> None:
    first = say(core, "clear the queue", 1, message_id="m-1")
    records = len(list(core.store.events(limit=10_000)))

    again = say(core, "clear the queue", 2, message_id="m-1")

    assert again == first
    assert len(list(core.store.events(limit=10_000))) == records


def test_a_task_that_does_not_allow_it_holds_up_no_other(core: Core) -> None:
    say(core, "cancel T-100", 1)

    said = say(core, "pause T-002 to T-150", 2)

    assert statuses(core)[Status.PAUSED] == N_TASKS - 2
    assert get(core, "T-100").status is Status.CANCELLED
    assert "T-100" in said
