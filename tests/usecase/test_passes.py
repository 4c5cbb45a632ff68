"""Around a pass: what fails after it does not take its answer away."""

from __future__ import annotations

from pathlib import Path

import pytest

from cores import a_core, add
from fakes import START, FakeClock, a_task
from model_queue import passes, planning, waker
from model_queue.errors import StoreError
from model_queue.model import Status
from model_queue.wiring import Surroundings

SEEN = Surroundings(environment={}, cwd="/", flags={})


def refuse(*_: object, **__: object) -> None:
    sentence = "the disk is full"
    raise StoreError(sentence)


def deny(*_: object, **__: object) -> None:
    raise PermissionError


@pytest.fixture
def ensured(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Queue directories for which a waker was asked for."""
    asked: list[str] = []

    def ensure(queues_dir: str, **_: object) -> bool:
        asked.append(queues_dir)
        return True

    monkeypatch.setattr(waker, "ensure", ensure)
    return asked


@pytest.mark.parametrize("failure", [refuse, deny])
@pytest.mark.parametrize("place", ["write_atomic", "locked"])
def test_a_plan_that_cannot_be_written_does_not_lose_the_pass(
    tmp_path: Path,
    ensured: list[str],
    monkeypatch: pytest.MonkeyPatch,
    failure: object,
    place: str,
) -> None:
    core = a_core(tmp_path)
    [task] = add(core, a_task())
    monkeypatch.setattr(passes, place, failure)

    passes.run_pass(core, SEEN, clock=FakeClock(), carries_actions=True)

    assert core.store.get(task.ref).status is Status.RUNNING
    assert ensured == [str(tmp_path)]


def test_a_due_moment_that_cannot_be_computed_does_not_lose_the_pass(
    tmp_path: Path, ensured: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    core = a_core(tmp_path)
    monkeypatch.setattr(planning, "next_due", refuse)

    passes.run_pass(core, SEEN, clock=FakeClock(), carries_actions=True)

    assert ensured == [str(tmp_path)]


def test_notices_that_cannot_be_taken_do_not_lose_the_pass(
    tmp_path: Path, ensured: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    core = a_core(tmp_path)
    [task] = add(core, a_task())
    monkeypatch.setattr(passes, "notify", refuse)

    passes.run_pass(core, SEEN, clock=FakeClock(), carries_actions=False)

    assert core.store.get(task.ref).status is Status.RUNNING
    assert ensured == [str(tmp_path)]


def test_no_waker_is_asked_for_when_nothing_is_due(
    tmp_path: Path, ensured: list[str]
) -> None:
    core = a_core(tmp_path)

    due = passes.plan_next(core, SEEN, since=START, clock=FakeClock())

    assert due is None
    assert ensured == []
