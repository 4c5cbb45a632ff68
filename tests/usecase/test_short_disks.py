"""A machine that lacks something for now is no fault of the tasks that wait."""

from __future__ import annotations

import datetime as dt
import errno
import os
from dataclasses import dataclass
from pathlib import Path

import pytest

from cores import a_core, add, get, launcher_of, notices, tick
from fakes import START, a_task
from model_queue import control, dispatch, planning
from model_queue.core import Core
from model_queue.errors import LaunchError
from model_queue.model import Status
from model_queue.ports import Launch, Started

LATER = START + dispatch.SHORT_FOR
HOUR = dt.timedelta(hours=1)


def tick_and_read(core: Core, now: dt.datetime) -> list[str]:
    tick(core, now)
    return notices(core, now)


@dataclass
class Disk:
    """What ``statvfs`` says; plenty of all, where a test says nothing else."""

    f_bavail: int = 1 << 20
    f_frsize: int = 4096
    f_files: int = 1 << 20
    f_favail: int = 1 << 20


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    found = Disk()
    monkeypatch.setattr("model_queue.folder.os.statvfs", lambda _: found)
    return found


def a_short_core(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> Core:
    """Return a core whose machine refuses every start."""

    def start(launch: Launch) -> Started:
        cause = OSError(number, os.strerror(number))
        raise LaunchError(label=launch.label, why=str(cause)) from cause

    core = a_core(tmp_path)
    monkeypatch.setattr(launcher_of(core, "ollama-local"), "start", start)
    return core


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EAGAIN])
def test_a_start_that_the_machine_cannot_make_uses_no_retry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    core = a_short_core(tmp_path, monkeypatch, number)
    add(core, a_task())

    for turn in range(10):
        tick(core, START + turn * dispatch.SHORT_FOR)

    task = get(core, "T-001")
    assert (task.status, task.retries, task.losses) == (Status.PENDING, 0, 0)
    assert task.attempt == 10
    assert os.strerror(number) in str(task.error_message)


def test_a_start_that_was_given_back_is_tried_after_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    core = a_short_core(tmp_path, monkeypatch, errno.ENOSPC)
    add(core, a_task())

    tick(core)
    tick(core, LATER - dt.timedelta(microseconds=1))

    assert get(core, "T-001").attempt == 1
    assert planning.next_due(core, since=START, now=START) == LATER


def test_a_start_that_fails_for_its_own_reason_uses_a_retry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    core = a_short_core(tmp_path, monkeypatch, errno.E2BIG)
    add(core, a_task())

    tick(core)

    assert get(core, "T-001").retries == 1


@pytest.mark.parametrize(
    ("field", "value"),
    [
        pytest.param("f_bavail", 255, id="space"),
        pytest.param("f_favail", 31, id="file names"),
    ],
)
def test_nothing_is_claimed_while_the_disk_is_low(
    tmp_path: Path, disk: Disk, field: str, value: int
) -> None:
    core = a_core(tmp_path)
    add(core, a_task())

    setattr(disk, field, value)
    tick(core)

    assert get(core, "T-001").attempt == 0
    assert (
        planning.next_due(core, since=START, now=START) == START + planning.LOOK_AGAIN
    )

    setattr(disk, field, value + 1)
    tick(core)

    assert get(core, "T-001").status is Status.RUNNING


def test_a_file_system_that_counts_no_files_has_room(
    tmp_path: Path, disk: Disk
) -> None:
    core = a_core(tmp_path)
    add(core, a_task())

    disk.f_files = disk.f_favail = 0
    tick(core)

    assert get(core, "T-001").status is Status.RUNNING


def test_a_disk_that_holds_work_up_is_told_once_a_day(
    tmp_path: Path, disk: Disk
) -> None:
    core = a_core(tmp_path)
    add(core, a_task())
    disk.f_bavail = 10

    told = [tick_and_read(core, START + hours * HOUR) for hours in (0, 1, 25)]

    assert ["disk is full" in "".join(texts) for texts in told] == [True, False, True]


def test_a_disk_that_is_full_is_told_with_the_status(
    tmp_path: Path, disk: Disk
) -> None:
    core = a_core(tmp_path)
    disk.f_bavail = 10

    text = control.status_text(core, source=None, lang="en", now=START)

    assert "The disk is full: nothing new starts until 1 MiB is free" in text


def test_a_full_disk_without_work_is_nobodys_trouble(
    tmp_path: Path, disk: Disk
) -> None:
    core = a_core(tmp_path)
    disk.f_bavail = 10

    assert tick_and_read(core, START) == []
