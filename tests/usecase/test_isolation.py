"""What fails for one task or queue keeps no other one back, and is told."""

from __future__ import annotations

import datetime as dt
import errno
import os
from pathlib import Path

import pytest

from cores import a_core, add, get, launcher_of, tick
from fakes import START, FakeClock, RecordingLauncher, a_task
from model_queue import passes, waker
from model_queue.core import Core, Troubles
from model_queue.errors import LaunchError, StoreBusy, StoreError
from model_queue.model import Claim, Outcome, Status
from model_queue.ports import Launch, Session, SessionState, Started
from model_queue.store import Batch, Change
from model_queue.wiring import Surroundings

SEEN = Surroundings(environment={}, cwd="/", flags={})
DONE = Outcome(result_status="success", result="All of it.", summary="done")


@pytest.fixture(autouse=True)
def no_waker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start no process that would outlive its test."""

    def ensure(*_: object, **__: object) -> bool:
        return False

    monkeypatch.setattr(waker, "ensure", ensure)


def with_ended_session(tmp_path: Path, *, host: bool = False) -> Core:
    """One task whose session has ended, and one on another queue that may start."""
    core = a_core(tmp_path, host=host)
    add(core, a_task())
    tick(core, carries_actions=host)
    label = str(get(core, "T-001").label)
    launcher_of(core, "ollama-local").sessions[label] = Session(
        state=SessionState.ENDED, session_id=label, outcome=DONE
    )
    add(core, a_task(queue="cloud-nvidia", model="nvidia/llama3", uuid=""))
    return core


def put_in_the_way(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    if name == "results":
        path.write_text("x", encoding="utf-8")
    else:
        path.mkdir(parents=True)


@pytest.mark.parametrize("name", ["results/T-001.md", "results", ".state/reports.lock"])
def test_report_that_cannot_be_kept_keeps_no_other_queue_back(
    tmp_path: Path, name: str
) -> None:
    core = with_ended_session(tmp_path)
    put_in_the_way(tmp_path, name)

    done = tick(core)

    assert [task.id for task in done.dispatched] == ["T-002"]
    assert get(core, "T-001").status is Status.RUNNING
    assert isinstance(done.troubles.worst, StoreError)


def test_pass_tells_what_it_could_not_store_after_all_else_is_done(
    tmp_path: Path,
) -> None:
    core = with_ended_session(tmp_path)
    put_in_the_way(tmp_path, "results")

    with pytest.raises(StoreError, match="results"):
        passes.run_pass(core, SEEN, clock=FakeClock(), carries_actions=False)

    assert get(core, "T-002").status is Status.RUNNING
    assert (tmp_path / ".state" / "due").read_text("utf-8")


def test_pass_with_actions_for_the_host_hands_them_on_before_it_tells(
    tmp_path: Path,
) -> None:
    core = a_core(tmp_path, host=True)
    add(core, a_task())
    core.store.open_queues([], now=START)
    broken = core._replace(launchers={**core.launchers, "ollama-remote": Refusing()})
    remote = a_task(queue="ollama-remote", model="ollama-remote/llama3:70b", uuid="")
    add(core, remote)

    done = passes.run_pass(broken, SEEN, clock=FakeClock(), carries_actions=True)

    assert [action["type"] for action in done.actions] == ["spawn"]
    assert done.troubles.worst is not None


class Refusing(RecordingLauncher):
    """A launcher that cannot write what it has to."""

    def start(self, launch: Launch) -> Started:
        raise StoreError(launch.label)


class Failing(RecordingLauncher):
    """A launcher whose starts meet one error of the system."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self._number = number

    def start(self, launch: Launch) -> Started:
        cause = OSError(self._number, os.strerror(self._number))
        raise LaunchError(label=launch.label, why=str(cause)) from cause


@pytest.mark.parametrize(
    "number",
    [
        errno.EACCES,
        errno.EEXIST,
        errno.EISDIR,
        errno.ENOENT,
        errno.ENOSPC,
        errno.ENOTDIR,
        errno.EPERM,
        errno.EROFS,
        errno.ESTALE,
    ],
    ids=errno.errorcode.__getitem__,
)
def test_start_that_the_machine_cannot_make_uses_no_retry(
    tmp_path: Path, number: int
) -> None:
    core = a_core(tmp_path)
    add(core, a_task())
    core = core._replace(launchers={"ollama-local": Failing(number)})

    tick(core)

    task = get(core, "T-001")
    assert (task.status, task.retries, task.losses) == (Status.PENDING, 0, 0)


def test_start_that_no_machine_could_make_uses_a_retry(tmp_path: Path) -> None:
    core = a_core(tmp_path)
    add(core, a_task())
    core = core._replace(launchers={"ollama-local": Failing(errno.EBADF)})

    tick(core)

    assert get(core, "T-001").retries == 1


def test_task_starts_without_the_report_that_cannot_be_read(tmp_path: Path) -> None:
    core = a_core(tmp_path)
    os.mkdir(tmp_path / "results")  # noqa: PTH102 - beside the next line
    os.mkfifo(tmp_path / "results" / "T-001.md")
    add(core, a_task(status=Status.DONE, result_path="results/T-001.md", uuid=""))
    add(core, a_task(depends_on=("T-001",), uuid=""))

    done = tick(core)

    assert [task.id for task in done.dispatched] == ["T-002"]


def test_stamp_of_a_far_future_clock_stops_no_pass(tmp_path: Path) -> None:
    core = a_core(tmp_path)
    [task] = add(core, a_task())
    first = dt.datetime(1, 1, 1, tzinfo=dt.UTC)
    claim = Claim(label="mq-t-001-a1-00000001", lease_until=first, stopping=first)
    after = a_task(started_at=first, claim=claim, status=Status.RUNNING, attempt=1)
    far = dt.datetime(8999, 1, 1, tzinfo=dt.UTC)
    core.store.commit(Batch(changes=[Change(before=task, after=after)]), now=far)
    add(core, a_task(queue="cloud-nvidia", model="nvidia/llama3", uuid=""))

    done = tick(core)

    assert [task.id for task in done.dispatched] == ["T-002"]
    assert done.troubles.worst is None


def test_a_locked_directory_ends_the_pass() -> None:
    troubles = Troubles()

    with pytest.raises(StoreBusy), troubles.passed_over():
        raise StoreBusy(path="/q", waited_s=5.0)
