"""A full disk never costs the outcome of a session that has ended."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from model_queue import detached, patience, supervisor
from model_queue.launchers.outcomes import read_outcome
from model_queue.launchers.session_writing import FolderLostError
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

    def replace(self, source: str, target: str, **directories: int) -> None:
        if self.refusals:
            self.refusals -= 1
            raise OSError(self.number, os.strerror(self.number))
        self._replace(source, target, **directories)

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


@pytest.fixture
def lock(tmp_path: Path) -> Iterator[int]:
    """Return the lock of the session whose folder ``tmp_path`` is."""
    taken = detached.try_lock(str(tmp_path / "lock"))
    assert taken is not None
    yield taken
    os.close(taken)


@pytest.mark.usefixtures("_full_log")
def test_a_log_on_a_full_disk_is_no_fault() -> None:
    detached.log("outcome.json: \udcff")


@pytest.mark.usefixtures("_full_log")
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_an_outcome_is_kept_until_a_full_disk_has_space(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, lock: int, number: int
) -> None:
    disk = a_disk(monkeypatch, refusals=1000, number=number)

    supervisor.write_outcome(str(tmp_path), OUTCOME, lock=lock)

    assert read_outcome(str(tmp_path)) == OUTCOME
    assert disk.now > 10 * patience.DISK_PATIENCE_S


def test_a_disk_that_fails_otherwise_is_given_up(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, lock: int
) -> None:
    disk = a_disk(monkeypatch, refusals=1000, number=errno.EIO)

    with pytest.raises(OSError, match="Input/output error"):
        supervisor.write_outcome(str(tmp_path), OUTCOME, lock=lock)

    waited = disk.now - patience.DISK_PATIENCE_S
    assert 0 <= waited <= patience.LONGEST_DISK_WAIT_S


def test_an_outcome_whose_folder_is_gone_is_given_up(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, lock: int
) -> None:
    disk = a_disk(monkeypatch, refusals=1000, number=errno.ENOSPC)

    with pytest.raises(FileNotFoundError):
        supervisor.write_outcome(str(tmp_path / "gone"), OUTCOME, lock=lock)

    assert disk.now == 0


def test_an_outcome_is_never_written_into_another_sessions_folder(
    tmp_path: Path, lock: int
) -> None:
    (tmp_path / "lock").rename(tmp_path / "moved")
    (tmp_path / "lock").touch()

    with pytest.raises(FolderLostError, match="is another session's by now"):
        supervisor.write_outcome(str(tmp_path), OUTCOME, lock=lock)

    assert {path.name for path in tmp_path.iterdir()} == {"lock", "moved"}


@pytest.mark.parametrize("name", ["outcome.json", "outcome.json.new"])
def test_an_outcome_takes_the_place_of_whatever_a_session_has_put_there(
    tmp_path: Path, lock: int, name: str
) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / name / "mine").write_text("7")

    supervisor.write_outcome(str(tmp_path), OUTCOME, lock=lock)

    assert read_outcome(str(tmp_path)) == OUTCOME
    assert [path.read_text() for path in tmp_path.glob("outcome.json*/mine")] == ["7"]


def test_an_outcome_does_not_follow_a_link_that_a_session_has_put_there(
    tmp_path: Path, lock: int
) -> None:
    (tmp_path / "precious").write_text("7")
    (tmp_path / "outcome.json.new").symlink_to("precious")

    supervisor.write_outcome(str(tmp_path), OUTCOME, lock=lock)

    assert (tmp_path / "precious").read_text() == "7"
    assert read_outcome(str(tmp_path)) == OUTCOME
