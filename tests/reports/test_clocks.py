"""Public reports of clocks that differ or jump: no live session is given up for one."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from pathlib import Path

import pytest

from cores import a_core, add, end, get, launcher_of, notices, tick
from fakes import START, a_task
from model_queue import adding, completion, dispatch, submit
from model_queue.core import Core
from model_queue.model import ErrorClass, Outcome, Status, Task
from model_queue.store import Batch, Hold
from model_queue.watching import HostSession, Listing

SECOND = dt.timedelta(seconds=1)
MINUTE = dt.timedelta(minutes=1)
DAY = dt.timedelta(days=1)
BROKEN = Outcome(
    result_status="failed",
    error_class=ErrorClass.TRANSIENT,
    error_message="exit code 1",
)
IDS = ("T-001", "T-002", "T-003")


def draft(**fields: object) -> Task:
    return replace(a_task(""), **fields)  # type: ignore[arg-type] # fields are the test's


def attached(core: Core) -> None:
    """Let the host run three tasks, whose session ids it has told."""
    add(core, *(draft() for _ in IDS))
    tick(core, carries_actions=True)
    for task_id in IDS:
        task = get(core, task_id)
        completion.attach(
            core, task, f"session {task_id}", label=str(task.label), now=START
        )


@pytest.fixture
def hosted(tmp_path: Path) -> Core:
    """Three sessions that an agent runtime runs."""
    core = a_core(tmp_path, host=True, ollama_local={"max_concurrent": 3})
    attached(core)
    return core


def types(done: dispatch.Tick) -> list[object]:
    return [action["type"] for action in done.actions]


def is_running(core: Core, losses: int = 0) -> bool:
    found = [get(core, task_id) for task_id in IDS]
    return all(
        task.status is Status.RUNNING and task.losses == losses for task in found
    )


def test_clock_ten_minutes_ahead_takes_over_no_session_of_the_host(
    hosted: Core,
) -> None:
    """B095, mlflow/mlflow#25199: a replica with a fast clock takes over a live lease."""
    done = tick(hosted, START + 10 * MINUTE, carries_actions=True)

    assert types(done) == ["poll"] * 3
    assert is_running(hosted)


@pytest.mark.parametrize("ahead", [10 * MINUTE, DAY], ids=["ten minutes", "a day"])
def test_clock_that_is_ahead_ends_no_session_of_our_own(
    tmp_path: Path, ahead: dt.timedelta
) -> None:
    """B095, mlflow/mlflow#25199 and B097, apache/jackrabbit-oak#453: no clock decides."""
    core = a_core(tmp_path, ollama_local={"max_concurrent": 3})
    add(core, *(draft() for _ in IDS))
    tick(core)

    tick(core, START + ahead)

    assert is_running(core)
    assert launcher_of(core, "ollama-local").stopped == []


def test_clock_that_is_ahead_forbids_the_start_that_it_does_not_wait_for(
    tmp_path: Path,
) -> None:
    """B095, mlflow/mlflow#25199: a start under way is never doubled by a fast clock."""
    core = a_core(tmp_path)
    add(core, draft())
    lease = dt.timedelta(seconds=120)
    [claimed] = core.store.claim("ollama-local", limit=1, lease=lease, now=START)

    tick(core, START + 10 * MINUTE)

    launcher = launcher_of(core, "ollama-local")
    assert launcher.given_up == [claimed.label]
    assert [launch.attempt for launch in launcher.launches] == [2]


def test_jump_of_a_day_loses_no_session_before_the_host_was_asked(
    hosted: Core,
) -> None:
    """B097, apache/jackrabbit-oak#453: the clock jumps and live nodes are recovered."""
    done = tick(hosted, START + DAY, carries_actions=True)

    assert types(done) == ["poll"] * 3
    assert is_running(hosted)


def test_session_that_answers_after_the_jump_goes_on(hosted: Core) -> None:
    """B097, apache/jackrabbit-oak#453: what still lives after a jump is left alone."""
    tick(hosted, START + DAY, carries_actions=True)
    listing = Listing(
        sessions=[HostSession(f"session {i}", is_ended=False) for i in IDS]
    )

    for minutes in (1, 5, 60):
        dispatch.tick(
            hosted,
            now=START + DAY + minutes * MINUTE,
            carries_actions=True,
            listing=listing,
        )

    assert is_running(hosted)


def test_session_that_does_not_answer_within_one_lease_is_lost(hosted: Core) -> None:
    """B097, apache/jackrabbit-oak#453: the wait after a jump has an end."""
    jumped = START + DAY
    tick(hosted, jumped, carries_actions=True)

    before = tick(hosted, jumped + 119 * SECOND, carries_actions=True)
    still = is_running(hosted)
    after = tick(hosted, jumped + 120 * SECOND, carries_actions=True)

    assert (types(before), still) == ([], True)
    assert types(after) == ["stop"] * 3 + ["spawn"] * 3
    assert is_running(hosted, losses=1)


def test_backoff_does_not_become_a_day_when_the_clock_is_set_back(
    tmp_path: Path,
) -> None:
    """B097, apache/jackrabbit-oak#453: the same jump the other way keeps nothing waiting."""
    core = a_core(tmp_path)
    add(core, draft(), now=START + DAY)
    tick(core, START + DAY)
    end(core, "T-001", BROKEN, START + DAY)

    tick(core, START)
    too_early = get(core, "T-001").status
    tick(core, START + 6 * SECOND)

    assert too_early is Status.PENDING
    assert get(core, "T-001").status is Status.RUNNING


def test_time_that_a_person_named_stays_when_the_clock_is_set_back(
    tmp_path: Path,
) -> None:
    """B097, apache/jackrabbit-oak#453: only what was reckoned is reckoned anew."""
    core = a_core(tmp_path)
    named = START + 2 * DAY
    add(core, draft(not_before=named), now=START + DAY)

    tick(core, START)

    assert get(core, "T-001").not_before == named


def test_start_that_never_came_is_not_waited_for_a_day(tmp_path: Path) -> None:
    """B097, apache/jackrabbit-oak#453: a lease from a clock that was ahead ends as meant."""
    core = a_core(tmp_path)
    add(core, draft(), now=START + DAY)
    lease = dt.timedelta(seconds=120)
    core.store.claim("ollama-local", limit=1, lease=lease, now=START + DAY)

    tick(core, START)
    tick(core, START + 121 * SECOND)

    task = get(core, "T-001")
    assert (task.status, task.attempt, task.losses) == (Status.RUNNING, 2, 1)


def test_host_is_offered_its_task_again_after_the_clock_was_set_back(
    tmp_path: Path,
) -> None:
    """B097, apache/jackrabbit-oak#453: a spawn that was not carried out is not forgotten."""
    core = a_core(tmp_path, host=True)
    add(core, draft(), now=START + DAY)
    tick(core, START + DAY, carries_actions=True)

    tick(core, START, carries_actions=True)
    again = tick(core, START + 121 * SECOND, carries_actions=True)

    assert types(again) == ["spawn"]


def test_limit_of_a_source_is_not_waited_for_a_day_longer(tmp_path: Path) -> None:
    """B097, apache/jackrabbit-oak#453: a hold from a clock that was ahead ends as meant."""
    core = a_core(tmp_path)
    add(core, draft())
    hold = Hold(
        at=START + DAY, by="quota", reason="used up", until=START + DAY + MINUTE
    )
    core.store.commit(Batch(holds={"ollama-local": hold}), now=START + DAY)

    tick(core, START)
    too_early = get(core, "T-001").status
    tick(core, START + 2 * MINUTE)

    assert too_early is Status.PENDING
    assert get(core, "T-001").status is Status.RUNNING


def test_pause_of_a_person_stays_when_the_clock_is_set_back(tmp_path: Path) -> None:
    """B097, apache/jackrabbit-oak#453: a jump resumes nothing that a person has stopped."""
    core = a_core(tmp_path)
    add(core, draft())
    named = START + 2 * DAY
    hold = Hold(at=START + DAY, by="user", reason="paused by you", until=named)
    core.store.commit(Batch(holds={"ollama-local": hold}), now=START + DAY)

    tick(core, START)

    [held] = [meta.paused for meta in core.store.queues() if meta.paused]
    assert held == hold


def test_notice_is_not_kept_back_for_a_day(tmp_path: Path) -> None:
    """B097, apache/jackrabbit-oak#453: what was handed out by a late clock comes again."""
    core = a_core(tmp_path)
    add(core, draft(), now=START + DAY)
    tick(core, START + DAY)
    end(core, "T-001", Outcome(result_status="success", result="42"), START + DAY)
    core.store.take_notices(chat=("", "", ""), limit=9, now=START + DAY)

    assert len(notices(core, START)) == 1


def test_message_is_new_after_the_clock_was_set_back(tmp_path: Path) -> None:
    """B097, apache/jackrabbit-oak#453: two minutes of likeness do not become a day."""
    core = a_core(tmp_path)
    message = adding.Message(text="add task: use qwen2.5 to count the files")
    submit.intake(core, message, now=START + DAY)

    again = submit.intake(core, message, now=START + 10 * MINUTE)

    assert [task.id for task in again.tasks] == ["T-002"]


def test_few_minutes_between_two_clocks_move_nothing(tmp_path: Path) -> None:
    """B095, mlflow/mlflow#25199: clocks that differ a little do not push leases around."""
    core = a_core(tmp_path)
    add(core, draft())
    tick(core, START + MINUTE)
    claimed = get(core, "T-001")

    tick(core, START)

    assert get(core, "T-001") == claimed
