"""A full disk never costs the outcome of a session that has ended."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from model_queue import detached, patience, supervisor
from model_queue.launchers.outcomes import read_outcome
from model_queue.model import Outcome

pytestmark = pytest.mark.slow

OUTCOME = Outcome(result_status="success", result="Six percent more.")


class Disk:
    """Refuses a number of writes; its time passes only while somebody waits."""

    def __init__(self, *, refusals: int, number: int) -> None:
        self.refusals = refusals
        self.number = number
        self.now = 0.0
        self._replace = os.replace

    def replace(self, source: str, target: str) -> None:
        if self.refusals:
            self.refusals -= 1
            raise OSError(self.number, os.strerror(self.number))
        self._replace(source, target)

    def wait(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def _full_log() -> Iterator[None]:
    """Let ``supervisor.log`` lie on a full disk."""
    kept, full = os.dup(2), os.open("/dev/full", os.O_WRONLY)
    os.dup2(full, 2)
    yield
    os.dup2(kept, 2)
    os.close(kept)
    os.close(full)


def a_disk(monkeypatch: pytest.MonkeyPatch, *, refusals: int, number: int) -> Disk:
    disk = Disk(refusals=refusals, number=number)
    monkeypatch.setattr("model_queue.supervisor.os.replace", disk.replace)
    monkeypatch.setattr("model_queue.patience.time.sleep", disk.wait)
    monkeypatch.setattr("model_queue.patience.time.monotonic", lambda: disk.now)
    return disk


@pytest.mark.usefixtures("_full_log")
def test_a_log_on_a_full_disk_is_no_fault() -> None:
    detached.log("outcome.json: \udcff")


@pytest.mark.usefixtures("_full_log")
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_an_outcome_is_kept_until_a_full_disk_has_space(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, number: int
) -> None:
    disk = a_disk(monkeypatch, refusals=1000, number=number)

    supervisor.write_outcome(str(tmp_path), OUTCOME)

    assert read_outcome(str(tmp_path)) == OUTCOME
    assert disk.now > 10 * patience.DISK_PATIENCE_S


def test_a_disk_that_fails_otherwise_is_given_up(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    disk = a_disk(monkeypatch, refusals=1000, number=errno.EIO)

    with pytest.raises(OSError, match="Input/output error"):
        supervisor.write_outcome(str(tmp_path), OUTCOME)

    waited = disk.now - patience.DISK_PATIENCE_S
    assert 0 <= waited <= patience.LONGEST_DISK_WAIT_S


def test_an_outcome_whose_folder_is_gone_is_given_up(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    disk = a_disk(monkeypatch, refusals=1000, number=errno.ENOSPC)

    with pytest.raises(FileNotFoundError):
        supervisor.write_outcome(str(tmp_path / "gone"), OUTCOME)

    assert disk.now == 0
