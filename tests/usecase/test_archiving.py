from __future__ import annotations

import datetime as dt
from pathlib import Path

from cores import a_core, add, end, get, tick
from fakes import START, a_task
from model_queue.core import Core
from model_queue.model import Outcome, Status
from model_queue.store import Draft, Query

WEEK = dt.timedelta(days=7)
MOMENT = dt.timedelta(microseconds=1)
DONE = Outcome(result_status="success", result="All of it.")


def a_core_with_a_done_task(tmp_path: Path, *others: Draft) -> Core:
    core = a_core(tmp_path)
    add(core, a_task(""), *others)
    tick(core)
    end(core, "T-001", DONE)
    return core


def live_ids(core: Core) -> list[str]:
    return [task.id for task in core.store.select(Query())]


def test_a_pass_archives_what_ended_a_week_ago_and_it_is_still_found(
    tmp_path: Path,
) -> None:
    core = a_core_with_a_done_task(tmp_path)

    tick(core, now=START + WEEK)
    before = live_ids(core)
    tick(core, now=START + WEEK + MOMENT)

    assert before == ["T-001"]
    assert live_ids(core) == []
    assert get(core, "T-001").status is Status.DONE


def test_a_task_that_a_live_one_depends_on_stays(tmp_path: Path) -> None:
    other = Draft(task=a_task("", status=Status.WAITING, queue="cloud-nvidia"))
    waiting = Draft(task=a_task("", status=Status.WAITING), after=(0, 1))
    core = a_core(tmp_path)
    add(core, a_task(""), other, waiting)
    tick(core)
    end(core, "T-001", DONE)
    tick(core)
    assert get(core, "T-002").status is Status.RUNNING

    tick(core, now=START + 2 * WEEK)

    assert "T-001" in live_ids(core)
