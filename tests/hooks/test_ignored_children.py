"""A caller that ignores SIGCHLD, as daemons do, hides no exit code of what we run."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from programs import Programs, Ran
from waiting import eventually

pytestmark = pytest.mark.slow

IGNORING = (
    "import os, signal, sys; signal.signal(signal.SIGCHLD, signal.SIG_IGN); "
    "os.execv(sys.argv[1], sys.argv[1:])"
)
TOOLS = "MODEL_SOURCE_OLLAMA_LOCAL=ollama/llama3\nDEFAULT_MODEL_SOURCE=ollama-local\n"
HOST = '[sources.ollama-local]\nlauncher = "host"\n'
REPORT = ["sh", "-c", "cat >/dev/null; printf 'All of it.\\n\\nSummary: done\\n'"]
LOCAL = (
    f'[sources.ollama-local]\nlauncher = "command"\ncommand = {json.dumps(REPORT)}\n'
)
FALSE_NOTIFIER = '[notify]\ncommand = ["false"]\n'


def call(programs: Programs, *argv: str, stdin: str = "") -> Ran:
    return programs.run([sys.executable, "-c", IGNORING, *argv], stdin)


def hook(programs: Programs, name: str, **fields: object) -> Ran:
    path = str(programs.root / "hooks" / name)
    return call(programs, path, stdin=json.dumps({"version": 1, **fields}))


def task_of(programs: Programs) -> dict[str, object]:
    text = (programs.queues / "ollama-local.json").read_text("utf-8")
    task = json.loads(text)["tasks"][0]
    assert isinstance(task, dict)
    return task


def with_false_check(home: Path, toml: str) -> Programs:
    programs = Programs(home=home)
    programs.configure(TOOLS, toml)
    programs.queues.mkdir()
    task = {
        "id": "T-001",
        "model": "ollama/llama3",
        "description": "count the sheep",
        "maxRetries": 0,
        "added_at": "2026-03-04T16:00:00Z",
        "accept": [{"command": ["false"]}],
    }
    path = programs.queues / "ollama-local.json"
    path.write_text(json.dumps({"tasks": [task]}), encoding="utf-8")
    return programs


def test_check_that_fails_fails_the_task_in_a_hook(tmp_path: Path) -> None:
    programs = with_false_check(tmp_path, HOST)
    hook(programs, "on-heartbeat")

    hook(programs, "on-subagent-exit", task_id="T-001", status="done", result="Fine.")

    assert task_of(programs)["status"] == "failed"


def test_check_that_fails_fails_the_task_in_its_supervisor(tmp_path: Path) -> None:
    programs = with_false_check(tmp_path, LOCAL)

    hook(programs, "on-heartbeat")

    eventually(lambda: task_of(programs)["status"] in {"done", "failed"})
    assert task_of(programs)["status"] == "failed"


def test_notice_that_the_notifier_refuses_waits_on(tmp_path: Path) -> None:
    programs = with_false_check(tmp_path, HOST + FALSE_NOTIFIER)
    hook(programs, "on-heartbeat")
    script = str(programs.root / "scripts" / "model-queue")

    call(programs, script, "fail", "T-001", "--error", "no sheep")

    waiting = (programs.queues / ".state" / "outbox").read_text("utf-8")
    assert "no sheep" in waiting
