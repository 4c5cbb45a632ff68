"""Which tasks are in a state, asked in a chat: the words people use for the states."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cores import a_core, add
from fakes import START, a_task
from model_queue import adding, submit
from model_queue.core import Core
from model_queue.model import Status

ALL = (
    Status.PENDING,
    Status.WAITING,
    Status.PAUSED,
    Status.BLOCKED,
    Status.FAILED,
    Status.DONE,
    Status.SKIPPED,
    Status.CANCELLED,
)


@pytest.fixture
def core(tmp_path: Path) -> Core:
    """One task in each state, numbered as in ``ALL``; nothing can run."""
    core = a_core(tmp_path)
    for status in ALL:
        add(core, a_task("", status=status, uuid=f"{status}"))
    return core


def asked(core: Core, text: str) -> set[Status]:
    """Return the states of the tasks that the answer lists."""
    message = adding.Message(text=text, session="s-1")
    answer = submit.intake(core, message, now=START).text
    numbers = re.findall(r"^T-(\d{3}) ", answer, re.MULTILINE)
    return {ALL[int(number) - 1] for number in numbers}


OPEN = {Status.PENDING, Status.WAITING, Status.PAUSED, Status.BLOCKED}


@pytest.mark.parametrize(
    ("message", "statuses"),
    [
        ("取消的任务有哪些", {Status.CANCELLED}),
        ("失败的任务有哪些", {Status.FAILED}),
        ("报错的有哪些", {Status.FAILED}),
        ("哪些任务挂了", {Status.FAILED}),
        ("挂起的任务有哪些", {Status.PAUSED}),
        ("暂停的任务有哪些", {Status.PAUSED}),
        ("有卡住的吗", {Status.BLOCKED}),
        ("哪些任务被阻塞了", {Status.BLOCKED}),
        ("排队的有哪些", {Status.PENDING, Status.WAITING}),
        ("等待中的任务", {Status.PENDING, Status.WAITING}),
        ("跳过的任务有哪些", {Status.SKIPPED}),
        ("已完成的任务", {Status.DONE}),
        ("哪些做完了", {Status.DONE}),
        ("哪些跑完了", {Status.DONE}),
        ("未完成的任务有哪些", OPEN),
        ("没跑完的有哪些", OPEN),
        ("剩下的任务有哪些", OPEN),
        ("在跑的有哪些", set()),
    ],
)
def test_a_question_lists_the_tasks_of_that_state(
    core: Core, message: str, statuses: set[Status]
) -> None:
    assert asked(core, message) == statuses


@pytest.mark.parametrize(
    ("message", "answer"),
    [
        ("在跑的有哪些", "没有运行中的任务。"),
        ("失败的任务有哪些", "没有失败的任务。"),
    ],
)
def test_none_is_said_in_words(tmp_path: Path, message: str, answer: str) -> None:
    core = a_core(tmp_path)
    told = submit.intake(core, adding.Message(text=message), now=START).text

    assert told == answer
