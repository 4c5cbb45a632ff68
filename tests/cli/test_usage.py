"""Wrong use of the command line is one plain sentence; help is there in every form."""

from __future__ import annotations

from pathlib import Path

import pytest

from model_queue.cli import COMMANDS
from programs import InProcess, Programs

NAMES = [command.name for command in COMMANDS]


@pytest.fixture
def mq(tmp_path: Path) -> Programs:
    programs = InProcess(home=tmp_path)
    programs.configure("MODEL_SOURCE_HERE=cloud/writer\n")
    return programs


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["nonsense"], "there is no command 'nonsense'"),
        (["help", "nonsense"], "there is no command 'nonsense'"),
        (["--foo"], "the command comes before --foo, like: model-queue status --foo"),
        (["show"], "show needs TASK"),
        (["attach"], "attach needs TASK and SESSION"),
        (["status", "--nonsense"], "status has no flag --nonsense"),
        (["list", "--souce", "x"], "list has no flag --souce; did you mean --source?"),
        (["list", "--sttus=x"], "list has no flag --sttus; did you mean --status?"),
        (["list", "--status"], "--status needs a value"),
        (["status", "a", "b"], "status has no use for 'b'; put a text in quotes"),
        (["logs", "T-001", "-n", "x"], "--lines is 'x', but must be a whole number"),
        (
            ["list", "--status", "odd"],
            (
                "--status is 'odd', but must be one of pending, waiting, running, "
                "paused, blocked, done, failed, skipped, cancelled"
            ),
        ),
    ],
)
def test_wrong_use_is_one_sentence(
    mq: Programs, words: list[str], sentence: str
) -> None:
    refused = mq.cli(*words)

    assert (refused.code, refused.out) == (3, "")
    said, hint = refused.err.splitlines()
    assert said == sentence
    assert "model-queue" in hint


def test_mistyped_command_is_told_the_nearest(mq: Programs) -> None:
    assert "Did you mean cancel" in mq.cli("cancle", "T-001").err


def test_refusal_shows_right_use(mq: Programs) -> None:
    assert "Like: model-queue show T-003" in mq.cli("show").err


@pytest.mark.parametrize("words", [[], ["help"], ["--help"], ["-h"]])
def test_overview_has_every_command_in_its_group(
    mq: Programs, words: list[str]
) -> None:
    shown = mq.cli(*words)

    assert (shown.code, shown.err) == (0, "")
    rows = [line.split()[0] for line in shown.out.splitlines() if line[:2] == "  "]
    assert sorted(rows) == sorted(NAMES)
    groups = [line for line in shown.out.splitlines() if line.endswith(":")]
    assert groups == ["add:", "look:", "steer:", "sessions:", "machine:"]


def test_overview_is_an_object_with_json(mq: Programs) -> None:
    shown = mq.cli("--json")

    assert shown.json["ok"] is True
    assert [each["name"] for each in shown.objects("commands")] == NAMES


def test_help_of_one_command_is_its_own(mq: Programs) -> None:
    shown = mq.cli("help", "cancel")

    assert (shown.code, shown.err) == (0, "")
    assert "example:\n  model-queue cancel T-003..T-007" in shown.out
    assert shown.out == mq.cli("cancel", "--help").out


@pytest.mark.parametrize("message", ["help", "which models are there?"])
def test_what_is_asked_in_chat_words_is_answered(mq: Programs, message: str) -> None:
    assert mq.cli("intake", message).code == 0
