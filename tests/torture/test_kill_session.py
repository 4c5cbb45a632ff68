"""The locks of the kill rounds' sessions: they tell exactly who lives."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from torture import kill_diary as diary
from torture import kill_session as session
from torture.kill_deaths import Found, at_work, kill, processes_of
from waiting import eventually

A1, A2, B1 = "mq-t-001-a1-0000000a", "mq-t-001-a2-0000000a", "mq-t-002-a1-0000000b"


class Sessions:
    """Sessions of one source that run until their stdin is closed, or longer."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self._running: list[subprocess.Popen[bytes]] = []
        (home / session.LOCKS).mkdir()

    def start(self, label: str, *, limit: int = 1) -> subprocess.Popen[bytes]:
        """Start one; return once it is in the log."""
        task = f"T-{label.split('-')[2]}"
        argv = [sys.executable, "-I", "-S", session.__file__, str(self.home)]
        argv += ["src-a", str(limit), "1", "no", task, label]
        process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._running.append(process)
        eventually(lambda: process.pid in {line.pid for line in self.lines()})
        eventually(lambda: "start" in self.said(process.pid))
        return process

    def lines(self) -> list[diary.Line]:
        """Return the log so far."""
        return diary.read(self.home)

    def said(self, pid: int) -> list[str]:
        """Return what one has written."""
        return [line.what for line in self.lines() if line.pid == pid]

    def end(self) -> None:
        """End all."""
        for process in self._running:
            process.kill()
            process.communicate()


@pytest.fixture
def sessions(tmp_path: Path) -> Iterator[Sessions]:
    (tmp_path / "seed-1").mkdir()
    started = Sessions(tmp_path / "seed-1")
    yield started
    started.end()


def test_a_second_session_of_a_task_is_noticed(sessions: Sessions) -> None:
    sessions.start(A1, limit=2)

    second = sessions.start(A2, limit=2)

    assert sessions.said(second.pid) == ["overlap", "start"]


def test_a_session_more_than_the_limit_is_noticed(sessions: Sessions) -> None:
    sessions.start(A1)

    second = sessions.start(B1)

    assert sessions.said(second.pid) == ["crowd", "start"]


def test_a_killed_session_holds_nothing(sessions: Sessions) -> None:
    first = sessions.start(A1)
    os.kill(first.pid, signal.SIGKILL)
    first.wait()

    second = sessions.start(A2)

    assert sessions.said(second.pid) == ["start"]


def test_a_session_ends_with_its_own_line(sessions: Sessions) -> None:
    only = sessions.start(A1)

    only.communicate()

    assert sessions.said(only.pid) == ["start", "end"]


def test_the_plan_of_an_attempt_follows_from_seed_task_and_attempt() -> None:
    def plan(label: str, seed: str = "1") -> session.Plan:
        return session.plan_of(seed, "T-001", label, hangs=True)

    assert plan(A1) == plan("mq-t-001-a1-ffffffff")
    assert len({plan(A1), plan(A2), plan(A1, seed="2")}) == 3


def test_the_plans_of_many_attempts_hold_every_ending() -> None:
    plans = [
        session.plan_of("1", f"T-{task:03d}", A1, hangs=True) for task in range(400)
    ]

    assert {plan.ending for plan in plans} == {name for name, _ in session.ENDINGS}
    assert min(plan.lasts_s for plan in plans) >= 0.05
    assert max(plan.lasts_s for plan in plans) <= 3


def test_a_round_finds_its_own_processes_and_no_others(sessions: Sessions) -> None:
    only = sessions.start(A1)

    assert processes_of(sessions.home) == [Found(only.pid, "session", A1)]
    assert processes_of(sessions.home.with_name("seed-10")) == []
    assert processes_of(sessions.home.with_name("seed")) == []


def test_a_process_is_killed_once_and_only_when_it_is_the_one_found(
    sessions: Sessions,
) -> None:
    only = sessions.start(A1)
    (found,) = processes_of(sessions.home)
    stranger = found._replace(label=B1)

    spared, death = kill(stranger, sessions.home), kill(found, sessions.home)
    only.wait()

    assert spared is None
    assert death is not None
    assert (death.pid, only.returncode) == (only.pid, -signal.SIGKILL)
    assert kill(found, sessions.home) is None


def test_a_supervisor_is_at_work_while_its_session_runs() -> None:
    guard, idle = Found(1, "supervisor", A1), Found(2, "supervisor", B1)

    assert at_work([guard, idle, Found(3, "session", A1)]) == [guard]
