"""Slips of the keyboard in commands, and words that are none."""

from __future__ import annotations

import pytest

from intake_samples import read
from model_queue.intake.slips import mended


@pytest.mark.parametrize(
    ("message", "command", "ids"),
    [
        ("retyr t3", "retry", ("T-003",)),
        ("please retyr t3", "retry", ("T-003",)),
        ("canel T-004", "cancel", ("T-004",)),
        ("cancl T-004 and T-005", "cancel", ("T-004", "T-005")),
        ("unblcok T-004", "unblock", ("T-004",)),
        ("rseume T-004", "resume", ("T-004",)),
        ("prioritze T-004", "priority", ("T-004",)),
        ("hey, skiip T-004", "skip", ("T-004",)),
    ],
)
def test_a_slip_in_the_verb_is_forgiven_where_an_id_follows(
    message: str, command: str, ids: tuple[str, ...]
) -> None:
    (found,) = read(message).commands

    assert (found.command, found.ids) == (command, ids)


@pytest.mark.parametrize(
    ("message", "command", "queue"),
    [
        ("resmue ollama-local", "resume", "ollama-local"),
        ("pasue the cloud queue", "pause", "cloud-nvidia"),
        ("stauts", "status", None),
        ("show satus", "status", None),
        ("udno", "undo", None),
    ],
)
def test_a_slip_is_forgiven_where_the_rest_leaves_no_doubt(
    message: str, command: str, queue: str | None
) -> None:
    (found,) = read(message).commands

    assert (found.command, found.queue) == (command, queue)


@pytest.mark.parametrize(
    "message", ["ship T-003", "parse T-003", "skim T-003", "return T-003"]
)
def test_another_word_is_no_slip(message: str) -> None:
    parsed = read(message)

    assert parsed.commands == ()
    assert [task.text for task in parsed.tasks] == [message]


@pytest.mark.parametrize("word", ["cancels", "paused", "skipper", "states", "statue"])
def test_a_form_of_a_verb_is_no_slip(word: str) -> None:
    assert mended(f"{word} t-003", 0, len(word) + 6) is None


@pytest.mark.parametrize("message", ["retyr the build", "udno", "stauts"])
def test_a_slip_needs_an_id_in_an_ambient_message(message: str) -> None:
    assert read(message, scope="ambient").mode == "none"
