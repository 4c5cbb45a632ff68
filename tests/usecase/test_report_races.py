"""Several reporters of one attempt, and reporters that die: the report stays the one."""

from __future__ import annotations

import datetime as dt
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Barrier
from typing import NamedTuple

import pytest

import model_queue
from cores import a_core, add, get, tick
from fakes import START, SequentialIds, a_task
from model_queue import completion, watching
from model_queue.atomic import locked
from model_queue.core import Core
from model_queue.errors import StoreBusy, StoreError
from model_queue.model import ErrorClass, Outcome, Status, Task
from model_queue.store import Batch, Committed
from model_queue.stores.files import FilesStore
from model_queue.transitions import Event

pytestmark = pytest.mark.slow

PATHS = [str(Path(model_queue.__file__).parents[1]), str(Path(__file__).parents[1])]


def says(text: str) -> Outcome:
    return Outcome(result_status="success", result=text, summary=text)


class Site(NamedTuple):
    """A queue directory on the disk, with one task that runs."""

    path: Path
    core: Core
    task: Task

    @property
    def label(self) -> str:
        return str(self.task.label)

    @property
    def report(self) -> str | None:
        """The text under the task's own name."""
        path = self.path / "results" / "T-001.md"
        return path.read_text() if path.exists() else None

    def late(self) -> list[str]:
        """Return the texts kept beside."""
        found = (self.path / "results").glob("*.late*.md")
        return sorted(path.read_text() for path in found)

    def reports(self, text: str) -> completion.Completion:
        """Let somebody report the end who saw the task when it began to run."""
        return completion.complete(
            on_disk(self.path), self.task, says(text), label=self.label, now=START
        )


def on_disk(path: Path) -> Core:
    core = a_core(path, open_queues=False)
    return core._replace(store=FilesStore(str(path), ids=SequentialIds()))


@pytest.fixture
def site(tmp_path: Path) -> Site:
    core = on_disk(tmp_path)
    core.store.open_queues(a_core(tmp_path).store.queues(), now=START)
    add(core, a_task(""))
    tick(core)
    return Site(tmp_path, core, get(core, "T-001"))


def test_of_two_reporters_the_accepted_one_has_the_report(site: Site) -> None:
    first = site.reports("first")

    second = site.reports("second")

    assert (first.is_late, second.is_late) == (False, True)
    assert get(site.core, "T-001").result == "first"
    assert site.report == "first"
    assert site.late() == ["second"]


def test_reporters_in_a_race_leave_the_accepted_text_and_lose_none(site: Site) -> None:
    texts = [f"report {n}" for n in range(8)]
    start = Barrier(len(texts))

    def report(text: str) -> bool:
        start.wait()
        return site.reports(text).is_late

    with ThreadPoolExecutor(len(texts)) as pool:
        are_late = list(pool.map(report, texts))

    accepted = texts[are_late.index(False)]
    assert are_late.count(False) == 1
    assert get(site.core, "T-001").result == accepted
    assert site.report == accepted
    assert site.late() == sorted(set(texts) - {accepted})


def test_each_late_text_is_kept_once(site: Site) -> None:
    for text in ("accepted", "late", "later", "late", "accepted", "later"):
        site.reports(text)

    assert site.report == "accepted"
    names = sorted(path.name for path in (site.path / "results").iterdir())
    assert names == ["T-001.a1.late-2.md", "T-001.a1.late.md", "T-001.md"]
    assert site.late() == ["late", "later"]


DIE = """
import os, signal, sys
sys.path[:0] = {paths!r}
from pathlib import Path
from usecase import test_report_races as races
site_path, when = Path(sys.argv[1]), sys.argv[2]
core = races.on_disk(site_path)
task = races.get(core, "T-001")
class Dying(races.FilesStore):
    def commit(self, batch, *, now):
        if when == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        super().commit(batch, now=now)
        os.kill(os.getpid(), signal.SIGKILL)
core = core._replace(store=Dying(str(site_path), ids=races.SequentialIds()))
races.completion.complete(
    core, task, races.says("of the dead"), label=str(task.label), now=races.START
)
"""


def die(site: Site, when: str) -> None:
    """Let a reporter be killed before, or right after, its commit."""
    argv = [sys.executable, "-c", DIE.format(paths=PATHS), str(site.path), when]
    done = subprocess.run(argv, check=False, timeout=30)
    assert done.returncode == -signal.SIGKILL


def test_a_reporter_killed_before_its_commit_leaves_a_report_without_a_status(
    site: Site,
) -> None:
    die(site, "before")

    assert site.report == "of the dead"
    assert get(site.core, "T-001").status is Status.RUNNING


def test_the_next_report_replaces_that_of_a_reporter_killed_before_its_commit(
    site: Site,
) -> None:
    die(site, "before")

    done = site.reports("accepted")

    assert not done.is_late
    assert get(site.core, "T-001").result == "accepted"
    assert site.report == "accepted"


def test_an_attempt_lost_after_its_reporter_was_killed_has_its_text_kept_when_told_again(
    site: Site,
) -> None:
    die(site, "before")
    watching.lose(site.core, site.task, now=START)

    done = site.reports("of the dead")

    assert done.is_late
    assert site.late() == ["of the dead"]


def test_a_reporter_killed_after_its_commit_has_been_accepted(site: Site) -> None:
    die(site, "after")

    done = site.reports("too late")

    assert done.is_late
    assert get(site.core, "T-001").result == "of the dead"
    assert site.report == "of the dead"
    assert site.late() == ["too late"]


class Overtaken(FilesStore):
    """Somebody else loses the attempt just before the report is stored."""

    path: Path
    is_overtaken = False

    def commit(self, batch: Batch, *, now: dt.datetime) -> Committed:
        if not self.is_overtaken:
            self.is_overtaken = True
            other = on_disk(self.path)
            watching.lose(other, get(other, "T-001"), now=now)
        return super().commit(batch, now=now)


def test_a_report_overtaken_by_a_loss_is_late_and_no_result(site: Site) -> None:
    store = Overtaken(str(site.path), ids=SequentialIds())
    store.path = site.path
    core = site.core._replace(store=store)

    done = completion.complete(
        core, site.task, says("overtaken"), label=site.label, now=START
    )

    assert done.is_late
    assert get(site.core, "T-001").status is Status.PENDING
    assert site.report is None
    assert site.late() == ["overtaken"]


class Full(FilesStore):
    """The disk takes no more commits."""

    def commit(self, batch: Batch, *, now: dt.datetime) -> Committed:
        raise StoreError(str((batch, now)))


def logged(site: Site, event: Event) -> list[tuple[str | None, str | None]]:
    """Return label and detail of what the log says of such an end."""
    events = site.core.store.events(limit=100)
    return [(each.label, each.detail) for each in events if each.event == event]


def meets_a_full_disk(site: Site, outcome: Outcome) -> None:
    core = site.core._replace(store=Full(str(site.path), ids=SequentialIds()))
    with pytest.raises(StoreError):
        completion.complete(core, site.task, outcome, label=site.label, now=START)


def test_a_late_text_whose_log_line_met_a_full_disk_is_logged_when_told_again(
    site: Site,
) -> None:
    watching.lose(site.core, site.task, now=START)
    meets_a_full_disk(site, says("late"))
    before = logged(site, Event.SUCCEED)

    for _ in range(2):
        site.reports("late")

    assert before == []
    assert logged(site, Event.SUCCEED) == [(site.label, "late")]
    assert site.late() == ["late"]


@pytest.mark.parametrize("text", ["broke off", None])
def test_a_failure_that_met_a_full_disk_and_then_a_loss_is_logged_when_told_again(
    site: Site, text: str | None
) -> None:
    outcome = Outcome(
        result_status="failed", result=text, error_class=ErrorClass.REPORTED
    )
    meets_a_full_disk(site, outcome)
    watching.lose(site.core, site.task, now=START)

    for _ in range(2):
        completion.complete(site.core, site.task, outcome, label=site.label, now=START)

    assert logged(site, Event.FAIL_REPORTED) == [(site.label, "late")]


def test_a_late_end_is_logged_under_its_own_attempt(site: Site) -> None:
    watching.lose(site.core, site.task, now=START)
    tick(site.core)

    site.reports("late")

    assert get(site.core, "T-001").attempt == 2
    assert logged(site, Event.SUCCEED) == [(site.label, "late")]


def test_the_report_of_a_failed_attempt_lies_under_its_attempt(site: Site) -> None:
    outcome = replace(
        says("broke off"), result_status="failed", error_class=ErrorClass.REPORTED
    )

    completion.complete(site.core, site.task, outcome, label=site.label, now=START)

    assert site.report is None
    assert (site.path / "results" / "T-001.a1.md").read_text() == "broke off"


def test_a_reporter_does_not_wait_for_ever(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(completion, "REPORTS_LOCK_S", 0.05)

    with (
        locked(site.core.folder.reports_lock, timeout_s=1),
        pytest.raises(StoreBusy),
    ):
        site.reports("hurried")

    assert get(site.core, "T-001").status is Status.RUNNING
