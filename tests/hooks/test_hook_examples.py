"""The executables take what their input schema allows, and refuse the rest."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chat import SCHEMAS, Chat, checked, error_of

pytestmark = pytest.mark.slow

INPUTS = sorted((SCHEMAS / "examples" / "hooks").glob("*.input.*.json"))
VALID = [path for path in INPUTS if ".valid-" in path.name]
INVALID = [path for path in INPUTS if ".invalid-" in path.name]


@pytest.mark.parametrize("path", VALID, ids=lambda path: path.stem)
def test_valid_example_is_taken(chat: Chat, path: Path) -> None:
    hook = path.name.partition(".")[0]
    program = str(chat.programs.root / "hooks" / hook)

    ran = chat.programs.run(
        [program], path.read_text(encoding="utf-8"), MODEL_QUEUE_TASK="T-001"
    )

    # An empty queue knows no T-001; that is said of a well-formed call.
    assert ran.code == 0 or checked(hook, ran)["error"] == {
        "code": "task_not_found",
        "message": f"there is no task {json.loads(path.read_text()).get('task_id', 'T-001')}",
        "hint": "",
    }


@pytest.mark.parametrize("path", INVALID, ids=lambda path: path.stem)
def test_invalid_example_is_refused(chat: Chat, path: Path) -> None:
    hook = path.name.partition(".")[0]
    program = str(chat.programs.root / "hooks" / hook)

    ran = chat.programs.run([program], path.read_text(encoding="utf-8"))

    assert (ran.code, error_of(hook, ran)["code"]) == (3, "hook_input")
