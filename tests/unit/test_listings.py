"""Tasks of some states, as the answer to "which tasks failed?"."""

from __future__ import annotations

import datetime as dt

import pytest

from fakes import START, a_task
from model_queue.messages.listings import of_statuses
from model_queue.messages.overview import ROWS_PER_STATUS
from model_queue.model import LIVE_STATUSES, Status, Task

NOW = START + dt.timedelta(hours=1)
QUEUED = (Status.PENDING, Status.WAITING)


def _failed(number: int) -> Task:
    return a_task(
        f"T-{number:03d}",
        description="画趋势图",
        status=Status.FAILED,
        error_message="exit code 1",
        completed_at=START + dt.timedelta(minutes=number),
    )


def test_the_latest_to_end_stand_first() -> None:
    text = of_statuses((Status.FAILED,), [_failed(1), _failed(2)], now=NOW, lang="zh")

    assert text == (
        "失败的任务有 2 个：\n"
        "T-002 [ollama-local] ❌ 失败：画趋势图 — 退出码 1\n"
        "T-001 [ollama-local] ❌ 失败：画趋势图 — 退出码 1"
    )


def test_what_has_not_ended_keeps_its_order() -> None:
    tasks = [a_task("T-004"), a_task("T-002")]

    english = of_statuses(QUEUED, tasks, now=NOW)
    chinese = of_statuses(QUEUED, tasks[:1], now=NOW, lang="zh")

    assert english == (
        "2 tasks queued:\n"
        "T-004 [ollama-local] ⏳ pending: Analyze the sales data\n"
        "T-002 [ollama-local] ⏳ pending: Analyze the sales data"
    )
    assert chinese.splitlines()[0] == "排队中的任务有 1 个："


def test_a_long_list_is_cut_and_says_so() -> None:
    tasks = [_failed(number) for number in range(1, ROWS_PER_STATUS + 4)]

    lines = of_statuses((Status.FAILED,), tasks, now=NOW).splitlines()

    assert lines[0] == f"{ROWS_PER_STATUS + 3} tasks failed:"
    assert len(lines) == ROWS_PER_STATUS + 2
    assert lines[-1] == "… 3 more"


@pytest.mark.parametrize(
    ("statuses", "english", "chinese"),
    [
        ((Status.CANCELLED,), "No task is cancelled.", "没有已取消的任务。"),
        ((Status.RUNNING,), "No task is running.", "没有运行中的任务。"),
        (QUEUED, "No task is queued.", "没有排队中的任务。"),
        (LIVE_STATUSES, "No task is left.", "没有未完成的任务。"),
    ],
)
def test_none_is_said(statuses: tuple[Status, ...], english: str, chinese: str) -> None:
    assert of_statuses(statuses, [], now=NOW) == english
    assert of_statuses(statuses, [], now=NOW, lang="zh") == chinese
