"""Commands that would have to wait for what happens to a task."""

from __future__ import annotations

import pytest

from intake_samples import read, texts


@pytest.mark.parametrize(
    "message",
    [
        "When T-004 fails, cancel T-005",
        "if T-004 fails, cancel T-005",
        "once T-004 is done, then cancel T-005.",
        "as soon as T-004 and T-006 are finished, resume T-005",
        "cancel T-005 when T-004 fails",
        "retry T-004 if it fails",
        "cancel T-003 after T-002",
        "cancel T-003 unless it is running",
        "cancel T-004 if it's still running",
        "pause after T-002",
        "- when T-004 fails, cancel T-005",
    ],
)
def test_such_a_command_is_neither_carried_out_nor_work(message: str) -> None:
    parsed = read(message)

    assert (parsed.mode, parsed.topic) == ("none", "later")
    assert (parsed.commands, parsed.tasks) == ((), ())


@pytest.mark.parametrize("message", ["once T-004 is done, cancel T-005"])
def test_such_a_command_passes_in_an_ambient_chat(message: str) -> None:
    parsed = read(message, scope="ambient")

    assert (parsed.mode, parsed.topic) == ("none", "")


@pytest.mark.parametrize(
    ("message", "text", "ids"),
    [
        ("once T-004 is done, publish the changelog", "publish the changelog", "T-004"),
        ("check the list after T-002", "check the list", "T-002"),
        ("check the logs once T-002 is done", "check the logs", "T-002"),
    ],
)
def test_work_that_waits_for_a_task_is_work(message: str, text: str, ids: str) -> None:
    parsed = read(message)

    assert texts(parsed) == [text]
    assert parsed.tasks[0].depends_on == (ids,)


def test_a_fact_about_one_task_lets_a_command_on_another_act() -> None:
    parsed = read("T-003 failed, so skip T-004")

    assert [(c.command, c.ids) for c in parsed.commands] == [("skip", ("T-004",))]


def test_the_rest_of_the_message_is_carried_out() -> None:
    parsed = read("Write a poem. When T-004 fails, cancel T-005.")

    assert (parsed.mode, parsed.topic, texts(parsed)) == (
        "intake",
        "later",
        ["Write a poem"],
    )
