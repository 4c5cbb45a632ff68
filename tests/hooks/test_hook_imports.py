"""What a hook imports is what every call pays for. PERF.md goal 9."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from chat import Chat
from programs import ROOT

pytestmark = pytest.mark.slow

HEAVY = (
    "re",
    "json",
    "argparse",
    "typing",
    "dataclasses",
    "pathlib",
    "logging",
    "enum",
)
"""Not on the guard's path."""
HEAVIER = (
    "argparse",
    "asyncio",
    "http",
    "logging",
    "pathlib",
    "subprocess",
    "tempfile",
    "tomllib",
    "urllib",
    "uuid",
    "zoneinfo",
)
"""Not on the path of a call that is ours."""
SPY = f"""
import os, sys
hook = sys.argv.pop()
leave = os._exit
def spy(code):
    sys.stderr.write("\\n".join(sorted(sys.modules)))
    sys.stderr.flush()
    leave(code)
os._exit = spy
sys.path.append({str(ROOT / "lib")!r})
from model_queue.guard import let_through
call = let_through(hook)
from model_queue.hooks import main
main(hook, *call)
"""
"""A hook that tells which modules it had imported when it ended."""
PAYLOADS = {
    "on-intake": {"message": "add task: count the files, then write a report"},
    "on-heartbeat": {},
    "on-subagent-exit": {"task_id": "T-001", "status": "done", "result": "Hi."},
    "on-checkpoint": {"task_id": "T-001", "percent_complete": 40},
}


def imported(chat: Chat, hook: str, payload: object, **environment: str) -> set[str]:
    """Return the modules that a call has imported at its end."""
    argv = [sys.executable, "-I", "-S", "-c", SPY, hook]
    ran = chat.programs.run(argv, json.dumps(payload), **environment)
    assert ran.code == 0, ran
    return set(ran.err.splitlines())


@pytest.fixture
def ready(tmp_path: Path) -> Chat:
    """A chat whose only source is the host's, configured without TOML."""
    chat = Chat.open(tmp_path, tools="MODEL_SOURCE_CLOUD=nvidia/glm5\n")
    (tmp_path / "task-queue.toml").unlink()
    chat.say("add task: translate the page")
    return chat


@pytest.mark.parametrize("hook", ["on-intake", "on-heartbeat"])
def test_guard_imports_nothing_heavy(ready: Chat, hook: str) -> None:
    found = imported(ready, hook, PAYLOADS[hook], MODEL_QUEUE_WORKER="1")

    assert found.intersection(HEAVY) == set()
    assert {name for name in found if name.startswith("model_queue")} == {
        "model_queue",
        "model_queue.guard",
    }


@pytest.mark.parametrize("hook", PAYLOADS)
def test_call_of_ours_imports_no_package_of_others(ready: Chat, hook: str) -> None:
    found = imported(ready, hook, PAYLOADS[hook])

    ours = {"__main__", "model_queue"}
    packages = {name.partition(".")[0] for name in found}
    assert packages - sys.stdlib_module_names == ours


@pytest.mark.parametrize("hook", PAYLOADS)
def test_call_of_ours_leaves_out_what_is_slow_to_import(ready: Chat, hook: str) -> None:
    found = imported(ready, hook, PAYLOADS[hook])

    assert found.intersection(HEAVIER) == set()
