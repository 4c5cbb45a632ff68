"""A check that cannot be made does not hold, and says why; it is no fault of ours."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fakes import a_task
from model_queue.acceptance import failed_checks
from model_queue.model import JsonObject


@pytest.mark.parametrize(
    ("check", "says"),
    [
        ({"file": "a\0b"}, "is no name of a file"),
        ({"command": ["a\0b"]}, "did not run"),
        ({"command": ["echo", "\ud800"]}, "did not run"),
        ({"regex": "a{99999999999}"}, "is no regular expression"),
        ({"schema": "a\0b"}, "is no file"),
        ({"schema": "bad.json"}, "could not be checked"),
        ({"schema": "pipe.json"}, "is no file"),
    ],
)
def test_check_that_cannot_be_made_fails_with_a_sentence(
    tmp_path: Path, check: JsonObject, says: str
) -> None:
    (tmp_path / "bad.json").write_text('{"type": "nonsense"}', encoding="utf-8")
    os.mkfifo(tmp_path / "pipe.json")
    task = a_task(cwd=str(tmp_path), accept=(check,))

    [sentence] = failed_checks(task, "{}")

    assert says in sentence


def test_check_in_a_folder_that_no_system_call_takes_fails_with_a_sentence() -> None:
    task = a_task(cwd="/tmp/a\0b", accept=({"command": ["true"]},))  # noqa: S108 - no folder

    [sentence] = failed_checks(task, "")

    assert "did not run" in sentence
