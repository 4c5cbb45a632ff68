"""Sessions whose supervisor is killed: ended before the next attempt, five times at most."""

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
for earlier in $(cat {home}/starts 2>/dev/null); do
    # A zombie has ended; only its parent has not looked yet.
    case "$(cut -d' ' -f3 /proc/$earlier/stat 2>/dev/null)" in
        '' | [ZX]*) ;;
        *) echo $earlier >> {home}/overlaps ;;
    esac
done
trap '' TERM HUP
echo $$ >> {home}/starts
sleep 60 & wait
"""
TOML = """
[sources.here]
launcher = "command"
command = ["sh", "{home}/session"]
"""


@pytest.fixture
def programs(tmp_path: Path) -> Iterator[Programs]:
    programs = Programs(tmp_path)
    (tmp_path / "session").write_text(SESSION.replace("{home}", str(tmp_path)))
    programs.configure("MODEL_SOURCE_HERE=x/y", TOML.replace("{home}", str(tmp_path)))
    yield programs
    programs.cli("cancel", "T-001")
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


def kill_supervisor(programs: Programs, attempt: int) -> None:
    """Kill the supervisor of an attempt whose session has started."""
    eventually(lambda: len(started(programs)) == attempt)
    [record] = programs.queues.glob(f"sessions/*-a{attempt}-*/process.json")
    pid = int(json.loads(record.read_text())["supervisor"]["pid"])
    os.kill(pid, signal.SIGKILL)
    eventually(lambda: is_gone(pid))


def test_a_killed_supervisors_session_is_ended_before_the_next_attempt_starts(
    programs: Programs,
) -> None:
    programs.cli("intake", "count the rows of a.csv")
    kill_supervisor(programs, 1)

    programs.cli("tick")

    eventually(lambda: len(started(programs)) == 2)
    first, second = started(programs)
    assert is_gone(first)
    assert not is_gone(second)
    assert not (programs.home / "overlaps").exists()
    assert (task(programs)["losses"], task(programs)["retries"]) == (1, 0)


def test_the_fifth_loss_fails_the_task_and_no_session_is_left(
    programs: Programs,
) -> None:
    programs.cli("intake", "count the rows of a.csv")

    for attempt in range(1, 6):
        kill_supervisor(programs, attempt)
        programs.cli("tick")

    failed = task(programs)
    assert (failed["status"], failed["failure_reason"]) == ("failed", "lost")
    assert (failed["losses"], failed["attempt"]) == (5, 5)
    assert all(is_gone(pid) for pid in started(programs))
    assert not (programs.home / "overlaps").exists()
