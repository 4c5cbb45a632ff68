"""What becomes of a task that a provider's limit stopped, and of those behind it."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from pathlib import Path

import pytest

from cores import a_core, add, end, get, tick
from fakes import START, a_task
from model_queue import control, settling
from model_queue.core import Core
from model_queue.intake import Command
from model_queue.model import DependencyPolicy, ErrorClass, Outcome, Status, Task
from model_queue.store import Draft

HOUR = dt.timedelta(hours=1)
DONE = Outcome(result_status="success", result="42 rows", summary="42 rows")
QUOTA = Outcome(
    result_status="failed", error_class=ErrorClass.QUOTA, error_message="used up"
)
RATE_LIMITED = replace(QUOTA, error_class=ErrorClass.RATE_LIMITED)


def first(**fields: object) -> Task:
    return replace(a_task(""), **fields)  # type: ignore[arg-type] # fields are the test's


def after(ref: str, **fields: object) -> Draft:
    task = first(depends_on=(ref,), status=Status.WAITING, queue="cloud-nvidia")
    return Draft(task=replace(task, **fields))  # type: ignore[arg-type] # fields are the test's


def goes_on_at(core: Core, limit: Outcome) -> dt.datetime:
    """Return when T-001 may be tried again after a limit."""
    if limit is RATE_LIMITED:
        until = get(core, "T-001").not_before
    else:
        [paused] = [meta.paused for meta in core.store.queues() if meta.paused]
        until = paused.until
    assert until is not None
    return until


@pytest.mark.parametrize("limit", [RATE_LIMITED, QUOTA], ids=["rate limit", "quota"])
def test_a_limit_without_a_named_end_waits_longer_each_time(
    tmp_path: Path, limit: Outcome
) -> None:
    """Nothing else goes round without a person: see "livelock" in the table's laws."""
    core = a_core(tmp_path)
    add(core, first())
    now, waits = START, list[float]()

    for _ in range(8):
        tick(core, now)
        end(core, "T-001", limit, now)
        until = goes_on_at(core, limit)
        waits.append((until - now) / dt.timedelta(minutes=1))
        now = until

    assert waits == [1, 2, 4, 8, 16, 32, 60, 60]
    assert get(core, "T-001").retries == 0


@pytest.mark.parametrize("limit", [RATE_LIMITED, QUOTA], ids=["rate limit", "quota"])
def test_a_named_end_is_when_it_goes_on(tmp_path: Path, limit: Outcome) -> None:
    core = a_core(tmp_path)
    add(core, first())
    named = {RATE_LIMITED: RATE_LIMITED, QUOTA: QUOTA}[limit]
    tick(core)

    end(core, "T-001", replace(named, until=START + 5 * HOUR))

    assert goes_on_at(core, limit) == START + 5 * HOUR


@pytest.fixture
def moved(tmp_path: Path) -> Core:
    """T-001 was moved to cloud-nvidia; others still name it by its first queue."""
    core = a_core(tmp_path, ollama_local={"fallback": "cloud-nvidia"})
    add(core, first(max_retries=0))
    add(
        core,
        after("ollama-local/T-001"),
        after("ollama-local/T-001", on_depends_fail=DependencyPolicy.SKIP),
    )
    tick(core)
    end(core, "T-001", QUOTA)
    assert get(core, "T-001").queue == "cloud-nvidia"
    return core


def statuses(core: Core, *ids: str) -> list[str]:
    return [get(core, task_id).status.value for task_id in ids]


def test_those_behind_a_task_that_moved_wait_for_it_where_it_is(moved: Core) -> None:
    settling.settle(moved, now=START)
    before = statuses(moved, "T-002", "T-003")

    tick(moved)
    end(moved, "T-001", DONE)
    settling.settle(moved, now=START)

    assert before == ["waiting", "waiting"]
    assert statuses(moved, "T-002", "T-003") == ["pending", "pending"]
    context = get(moved, "T-002").context_input
    assert isinstance(context, dict)
    assert context["result_summary"] == "42 rows"


def test_those_behind_a_task_that_moved_hear_of_its_failure_and_its_retry(
    moved: Core,
) -> None:
    tick(moved)
    end(moved, "T-001", replace(QUOTA, error_class=ErrorClass.TRANSIENT))
    settling.settle(moved, now=START)
    before = statuses(moved, "T-001", "T-002", "T-003")

    retry = Command(command="retry", ids=("T-001",), verb="retry")
    said = control.execute_all(moved, [retry], lang="en", now=START)
    settling.settle(moved, now=START)

    assert before == ["failed", "blocked", "skipped"]
    assert statuses(moved, "T-001", "T-002", "T-003") == [
        "pending",
        "waiting",
        "skipped",
    ]
    assert "still skipped: T-003" in "\n".join(said.texts)
