"""What ``parse --explain`` tells a person and a program."""

from __future__ import annotations

from pathlib import Path

import pytest

from chat import TOOLS
from programs import InProcess

MESSAGE = "In this order: 1. use glm5 to count the files 2. list them tomorrow at 9am"


@pytest.fixture
def programs(tmp_path: Path) -> InProcess:
    """A configured command line with no queue yet."""
    made = InProcess(home=tmp_path)
    made.configure(TOOLS)
    return made


def test_each_task_says_why_it_is_as_it_is(programs: InProcess) -> None:
    ran = programs.cli(
        "parse",
        "--explain",
        "--timezone",
        "UTC",
        "--now",
        "2026-11-30T20:00:00Z",
        MESSAGE,
    )

    assert ran.out.splitlines() == [
        "mode: intake",
        "task 0: count the files",
        '  split: "1." begins an item of the list',
        '  model: nvidia/z-ai/glm5: "use glm5" says so',
        "task 1: list them",
        '  split: "2." begins an item of the list',
        "  model: ollama-local: no words choose one",
        '  depends on: 0: "In this order" puts the tasks in order',
        '  starts: 2026-12-01T09:00:00Z: "tomorrow at 9am" says so',
    ]
    assert not programs.queues.exists()


def test_a_program_gets_the_same_as_data(programs: InProcess) -> None:
    (first, second) = programs.cli("parse", "--explain", "--json", MESSAGE).objects(
        "tasks"
    )

    assert first["why"] == [
        {"what": "split", "how": "item", "phrase": "1."},
        {"what": "model", "how": "phrase", "phrase": "use glm5"},
    ]
    assert {"what": "depends_on", "how": "order", "phrase": "In this order"} in second[
        "why"
    ]  # type: ignore[operator] # it is a list


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("thanks", "nothing in it is work or a command for the queue"),
        ("cancel T-003 to T-005", "command: cancel T-003 T-004 T-005"),
        ("pause ollama-local", "command: pause ollama-local"),
        ("T-003 to priority 7", "command: priority T-003 to 7"),
        ("clear everything", "command: clear all"),
    ],
)
def test_what_is_no_work_is_told_too(
    programs: InProcess, message: str, said: str
) -> None:
    assert said in programs.cli("parse", "--explain", message).out
