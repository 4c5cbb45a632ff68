"""A session that still runs is reported: its task goes on until it has ended."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from model_queue import processes
from model_queue.model import JsonObject
from programs import Programs
from waiting import eventually

pytestmark = pytest.mark.slow

SESSION = """\
echo $$ >> {home}/starts
until [ -e {home}/go ]; do sleep 0.02; done
echo chatter
"""
TOML = """
[sources.here]
launcher = "command"
command = ["sh", "{home}/session"]
"""
WAITS = (
    "T-001 still runs; its report is kept and counts when its session ends; "
    "`cancel T-001` stops it\n"
)


@pytest.fixture
def programs(tmp_path: Path) -> Iterator[Programs]:
    programs = Programs(tmp_path)
    (tmp_path / "session").write_text(SESSION.replace("{home}", str(tmp_path)))
    programs.configure("MODEL_SOURCE_HERE=x/y", TOML.replace("{home}", str(tmp_path)))
    programs.cli("intake", "count the rows of a.csv")
    eventually(lambda: started(programs))
    yield programs
    programs.cli("cancel", "T-001")
    programs.cli("cancel", "T-002")
    eventually(lambda: all(is_gone(pid) for pid in started(programs)))


def started(programs: Programs) -> list[int]:
    path = programs.home / "starts"
    return [int(line) for line in path.read_text().split()] if path.exists() else []


def is_gone(pid: int) -> bool:
    found = processes.find_process(pid)
    return found is None or found.is_dead


def task(programs: Programs) -> JsonObject:
    shown = programs.cli("show", "T-001", "--json").json["task"]
    assert isinstance(shown, dict)
    return shown


def end(programs: Programs) -> JsonObject:
    """Let the session end by itself; return the task as its supervisor left it."""
    (programs.home / "go").touch()
    eventually(lambda: task(programs)["status"] != "running")
    return task(programs)


def test_a_task_that_is_completed_while_its_session_runs_ends_with_that(
    programs: Programs,
) -> None:
    programs.cli("intake", "count the rows of b.csv")

    done = programs.cli("complete", "T-001", "--summary", "six rows")
    meanwhile = task(programs)
    n_started = len(started(programs))

    assert (done.code, done.out) == (0, WAITS)
    assert meanwhile["status"] == "running"
    assert n_started == 1
    ended = end(programs)
    assert (ended["status"], ended["result_summary"]) == ("done", "six rows")


def test_a_task_that_is_failed_while_its_session_runs_fails_with_its_end(
    programs: Programs,
) -> None:
    failed = programs.cli("fail", "T-001", "--error", "no such file", "--json")

    assert failed.code == 0
    assert failed.json["reply"] == WAITS.strip()
    ended = end(programs)
    assert (ended["status"], ended["error_message"]) == ("pending", "no such file")


def test_a_second_report_is_answered_as_one(programs: Programs) -> None:
    programs.cli("complete", "T-001", "--summary", "six rows")

    second = programs.cli("complete", "T-001", "--summary", "seven rows")

    assert second.code == 0
    assert "was reported before; the first report counts" in second.out
    assert end(programs)["result_summary"] == "six rows"


def test_what_a_hook_tells_too_early_ends_nothing_and_is_no_result(
    programs: Programs,
) -> None:
    [folder] = programs.queues.glob("sessions/*")

    told = programs.hook(
        "on-subagent-exit", label=folder.name, status="done", result="Six rows."
    )

    assert told.code == 0
    answered = told.json["task"]
    assert isinstance(answered, dict)
    assert answered["status"] == "running"
    assert "chatter" in str(end(programs)["result"])


def test_what_was_reported_counts_when_the_supervisor_was_killed(
    programs: Programs,
) -> None:
    programs.cli("complete", "T-001", "--summary", "six rows")
    [record] = programs.queues.glob("sessions/*/process.json")
    supervisor = int(json.loads(record.read_text())["supervisor"]["pid"])
    os.kill(supervisor, signal.SIGKILL)
    eventually(lambda: is_gone(supervisor))

    programs.cli("tick")

    ended = task(programs)
    assert (ended["status"], ended["result_summary"]) == ("done", "six rows")
    assert "losses" not in ended
    assert all(is_gone(pid) for pid in started(programs))
