"""Changes of a task that a chat cannot make, and work that only looks like one."""

from __future__ import annotations

import pytest

from intake_samples import read


@pytest.mark.parametrize(
    "message",
    [
        "move T-003 to the cloud",
        "please run T-003 on cloud-nvidia",
        "change T-003 to use qwen2.5",
        "change the model of T-003 to qwen2.5",
        "change T-003's model to qwen2.5",
        "make T-003 wait for T-002",
        "T-003 depends on T-002",
        "reschedule T-003 to tomorrow 9am",
        "delay T-003 by 2 hours",
        "edit T-003",
        "rename task 3 to daily report",
    ],
)
def test_such_a_change_is_neither_a_command_nor_work(message: str) -> None:
    parsed = read(message)

    assert (parsed.mode, parsed.topic) == ("none", "edit")
    assert (parsed.commands, parsed.tasks) == ((), ())


@pytest.mark.parametrize(
    "message",
    [
        "send T-003 to the team",
        "run T-003 with the new data",
        "change the model in config.yaml",
    ],
)
def test_work_that_names_a_task_is_work(message: str) -> None:
    assert [task.text for task in read(message).tasks] == [message]


@pytest.mark.parametrize("message", ["run T-003 now", "do T-003 next", "T-003 first"])
def test_a_task_that_shall_run_now_goes_to_the_front(message: str) -> None:
    (found,) = read(message).commands

    assert (found.command, found.ids, found.value) == ("priority", ("T-003",), 10)


@pytest.mark.parametrize("message", ["move T-003 to the cloud", "edit T-003"])
def test_such_a_change_passes_in_an_ambient_chat(message: str) -> None:
    assert read(message, scope="ambient").mode == "none"
