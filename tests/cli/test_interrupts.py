"""Ctrl-C, once or twice, at any moment: nothing stays locked, sessions go on."""

from __future__ import annotations

import functools
import json
import os
import random
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from model_queue import detached
from programs import Programs
from waiting import eventually

pytestmark = pytest.mark.slow

TOML = """
[sources.here]
launcher = "command"
command = ["sh", "-c", "echo $$ >> {home}/starts; until [ -e {home}/go ]; do sleep 0.05; done; echo done"]
max_concurrent = 8
"""
SIGNALLED = {0, 130, -signal.SIGINT}


@pytest.fixture
def programs(tmp_path: Path) -> Iterator[Programs]:
    programs = Programs(tmp_path)
    programs.configure("MODEL_SOURCE_HERE=x/y", TOML.replace("{home}", str(tmp_path)))
    yield programs
    (tmp_path / "go").touch()
    for lock in tmp_path.glob("queues/sessions/*/lock"):
        eventually(functools.partial(is_free, str(lock)))


def is_free(path: str) -> bool:
    descriptor = detached.try_lock(path)
    if descriptor is None:
        return False
    os.close(descriptor)
    return True


def interrupt(programs: Programs, *words: str, after_s: float, times: int) -> None:
    """Start a command in a foreground group of its own and press Ctrl-C there."""
    script = str(programs.root / "scripts" / "model-queue")
    with subprocess.Popen(
        [script, *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        cwd=programs.home,
        env=programs.surroundings(),
        process_group=0,
    ) as command:
        for _ in range(times):
            try:
                command.wait(after_s)
            except subprocess.TimeoutExpired:
                os.killpg(command.pid, signal.SIGINT)
        _, said = command.communicate(timeout=20)
    # While the interpreter itself starts, it has its own word and its own exit code.
    is_started = b"Fatal Python error" not in said
    assert b"/model_queue/" not in said, said.decode()
    assert command.returncode in SIGNALLED or not is_started, said.decode()


@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("command", ["tick", "intake"])
def test_an_interrupt_at_any_moment_leaves_everything_usable(
    programs: Programs, command: str, times: int
) -> None:
    chance = random.Random(f"{command} {times}")  # noqa: S311 - moments, not secrets
    programs.cli("intake", "count the rows of a.csv")

    for number in range(12):
        words = (
            ["tick"]
            if command == "tick"
            else ["intake", f"count column {number} of a.csv"]
        )
        moment_s = chance.uniform(0.01, 0.3)
        interrupt(programs, *words, after_s=moment_s, times=times)

    status = programs.cli("tick", "--json")
    assert status.code == 0, status.err


def test_a_session_goes_on_when_the_command_that_started_it_is_interrupted(
    programs: Programs,
) -> None:
    words = ["intake", "count the rows of a.csv"]
    while not (programs.home / "starts").exists():
        interrupt(programs, *words, after_s=0.3, times=2)
    eventually((programs.home / "starts").exists)

    (programs.home / "go").touch()

    def is_done() -> bool:
        shown = json.loads(programs.cli("show", "T-001", "--json").out)
        return bool(shown["task"]["status"] == "done")

    eventually(is_done)
    assert len((programs.home / "starts").read_text().splitlines()) == 1
