"""What is reported of a session of this machine, before and after it was seen to end."""

from __future__ import annotations

import datetime as dt
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from cores import a_core, a_source, add, get, tick
from fakes import START, a_task
from model_queue import completion, control, detached, hearsay
from model_queue.core import Core
from model_queue.intake import Command
from model_queue.launchers.local import MissingLauncher
from model_queue.launchers.local_sessions import LocalSessions
from model_queue.launchers.outcomes import encode_outcome
from model_queue.model import ErrorClass, Outcome, Status, Task
from model_queue.ports import SessionState

QUEUE = "ollama-local"
REPORT = Outcome(result_status="success", result="42 rows", summary="42 rows")
OTHER = Outcome(result_status="success", result="43 rows", summary="43 rows")
FAILURE = Outcome(
    result_status="failed",
    error_class=ErrorClass.REPORTED,
    error_message="the file is missing",
)
WRITTEN = Outcome(
    result_status="success",
    result="chatter",
    summary="chatter",
    model="ollama/qwen2.5",
    spent={"usd": 0.25},
)
TIMEOUT = replace(
    FAILURE, error_class=ErrorClass.TIMEOUT, error_message="no result within 1 s"
)
STOPPED = Outcome(result_status="cancelled", error_message="it was stopped")
SHUT_DOWN = Outcome(result_status="lost", error_class=ErrorClass.LOST)


class Site:
    """A task whose session runs, as far as anybody can see from its folder."""

    def __init__(self, path: Path, *, is_started: bool = True) -> None:
        self.core = a_core(path)
        add(self.core, a_task(""), a_task(""))
        if is_started:
            tick(self.core)
        else:
            lease = dt.timedelta(seconds=120)
            self.core.store.claim(QUEUE, limit=1, lease=lease, now=START)
        self.sessions = LocalSessions(self.core.folder.sessions_dir)
        launcher = MissingLauncher(a_source(QUEUE), self.sessions)
        self.core = self.core._replace(launchers={QUEUE: launcher})
        self.label = str(self.task.label)
        self.folder = Path(self.core.folder.session_dir(self.label))
        self._lock: int | None = None
        if is_started:
            self.folder.mkdir(parents=True)
            (self.folder / "session.json").write_text("{}")
            self._lock = detached.try_lock(str(self.folder / "lock"))

    @property
    def task(self) -> Task:
        return get(self.core, "T-001")

    def end(self, outcome: Outcome | None) -> None:
        """End the session; None: its supervisor was killed before it told anything."""
        if outcome is not None:
            text = json.dumps(encode_outcome(outcome))
            (self.folder / "outcome.json").write_text(text)
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def hear(self, said: Outcome, label: str = "") -> hearsay.Heard:
        label = label or self.label
        return hearsay.hear(self.core, self.task, said, label=label, now=START)

    def cancel(self) -> None:
        command = Command(command="cancel", ids=("T-001",), verb="cancel")
        control.execute_all(self.core, [command], lang="en", now=START)

    def late(self) -> list[str]:
        found = Path(self.core.folder.path, "results").glob("*.late*.md")
        return sorted(path.read_text() for path in found)

    def told(self, event: str) -> list[str | None]:
        events = self.core.store.events(limit=100)
        return [each.detail for each in events if each.event == event]


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    site = Site(tmp_path)
    yield site
    site.end(None)


@pytest.mark.parametrize("said", [REPORT, FAILURE], ids=["good", "failure"])
def test_a_report_of_a_session_that_lives_neither_ends_its_task_nor_frees_its_slot(
    site: Site, said: Outcome
) -> None:
    before = site.task

    heard = site.hear(said)
    tick(site.core)

    assert (heard.waits, heard.is_late, heard.is_second) == (True, False, False)
    assert site.task == before
    assert get(site.core, "T-002").status is Status.PENDING
    assert site.sessions.said(site.label) == said
    assert (site.folder / "said.json").stat().st_mode & 0o777 == 0o600
    assert site.told("report") == ["kept until its session ends"]


@pytest.mark.parametrize(
    "seen",
    [
        pytest.param(WRITTEN, id="good end"),
        pytest.param(FAILURE, id="failure"),
        pytest.param(TIMEOUT, id="out of time"),
        pytest.param(STOPPED, id="stopped"),
        pytest.param(SHUT_DOWN, id="shut down"),
        pytest.param(None, id="supervisor killed"),
    ],
)
def test_what_was_reported_of_a_session_is_its_outcome_however_it_ends(
    site: Site, seen: Outcome | None
) -> None:
    site.hear(REPORT)
    site.end(seen)

    tick(site.core)

    task = site.task
    assert (task.status, task.result) == (Status.DONE, "42 rows")
    assert (task.result_summary, task.claim) == ("42 rows", None)
    assert (task.losses, task.retries) == (0, 0)


def test_model_and_cost_are_taken_from_what_the_program_wrote(site: Site) -> None:
    site.hear(replace(REPORT, model="ollama/llama3", spent={"usd": 9.0}))
    site.end(WRITTEN)

    tick(site.core)

    assert site.task.spent == {"usd": 0.25}
    assert site.task.session_model == "ollama/qwen2.5"


def test_a_failure_that_was_reported_counts_when_the_session_has_ended(
    site: Site,
) -> None:
    site.hear(FAILURE)
    site.end(WRITTEN)

    tick(site.core)

    task = site.task
    assert (task.status, task.retries) == (Status.PENDING, 1)
    assert task.error_message == "the file is missing"


def test_of_two_reports_the_first_one_counts_and_the_second_is_kept_beside(
    site: Site,
) -> None:
    site.hear(REPORT)

    again, second = site.hear(REPORT), site.hear(OTHER)
    site.hear(OTHER)
    site.end(WRITTEN)
    tick(site.core)

    assert (again.waits, second.waits, second.is_second) == (True, False, True)
    assert site.task.result == "42 rows"
    assert site.late() == ["43 rows"]


def test_a_report_that_comes_after_the_end_is_kept_beside(site: Site) -> None:
    site.end(WRITTEN)

    heard = site.hear(REPORT)

    assert not heard.is_late
    assert (site.task.status, site.task.result) == (Status.DONE, "chatter")
    assert site.late() == ["42 rows"]


def test_a_report_of_a_session_that_is_gone_without_an_outcome_counts_at_once(
    site: Site,
) -> None:
    site.end(None)

    heard = site.hear(REPORT)

    assert (heard.waits, heard.task.status) == (False, Status.DONE)


def test_a_report_of_a_session_that_was_told_to_stop_frees_no_slot(site: Site) -> None:
    site.cancel()

    heard = site.hear(REPORT)

    assert heard.is_late
    assert site.task.is_stopping
    assert site.late() == ["42 rows"]


def test_what_was_reported_before_a_cancel_is_kept_beside(site: Site) -> None:
    site.hear(REPORT)
    site.cancel()
    site.end(STOPPED)

    tick(site.core)

    assert (site.task.status, site.task.claim) == (Status.CANCELLED, None)
    assert site.late() == ["42 rows"]


@pytest.mark.parametrize(
    "said",
    [TIMEOUT, STOPPED, SHUT_DOWN, replace(FAILURE, error_class=ErrorClass.INVALID_REPORT)],
    ids=["out of time", "cancelled", "lost", "nothing told"],
)  # fmt: skip
def test_what_is_no_word_on_the_work_is_ignored_as_long_as_the_session_is_seen(
    site: Site, said: Outcome
) -> None:
    before = site.task

    heard = site.hear(said)

    assert heard == hearsay.Heard(before)
    assert site.sessions.said(site.label) is None


def test_a_report_of_an_older_attempt_is_late(site: Site) -> None:
    heard = site.hear(REPORT, label=site.label.replace("-a1-", "-a0-"))

    assert heard.is_late
    assert site.task.status is Status.RUNNING
    assert site.sessions.said(site.label) is None


def test_a_task_reported_before_its_session_came_keeps_that_from_starting(
    tmp_path: Path,
) -> None:
    site = Site(tmp_path, is_started=False)

    heard = site.hear(REPORT)

    assert heard.task.status is Status.DONE
    assert (site.folder / "stop").exists()


def settle(site: Site, outcome: Outcome) -> None:
    """Let somebody settle the task who saw the end before the report was kept."""
    completion.complete(site.core, site.task, outcome, label=site.label, now=START)


@pytest.mark.parametrize("is_settled", [False, True], ids=["unsettled", "settled"])
def test_a_report_that_meets_the_end_of_its_session_is_not_lost(
    site: Site, monkeypatch: pytest.MonkeyPatch, *, is_settled: bool
) -> None:
    keep: Callable[[LocalSessions, str, Outcome], None] = LocalSessions.keep_said

    def keep_at_the_end(of: LocalSessions, label: str, said: Outcome) -> None:
        site.end(WRITTEN)
        keep(of, label, said)

    monkeypatch.setattr(LocalSessions, "keep_said", keep_at_the_end)
    if is_settled:
        complete = hearsay._stored  # noqa: SLF001 - the moment after the report was kept

        def after_another(core: Core, task: Task, *args: Outcome, **more: object) -> object:  # fmt: skip
            monkeypatch.setattr(hearsay, "_stored", complete)
            settle(site, WRITTEN)
            return complete(core, task, *args, **more)  # type: ignore[arg-type] # passed on

        monkeypatch.setattr(hearsay, "_stored", after_another)

    heard = site.hear(REPORT)

    task = site.task
    assert (task.status, heard.waits) == (Status.DONE, False)
    assert task.result == ("chatter" if is_settled else "42 rows")
    assert site.late() == (["42 rows"] if is_settled else [])


def test_a_damaged_report_is_none(site: Site) -> None:
    (site.folder / "said.json").write_text('{"result_status": ')
    site.end(WRITTEN)

    assert site.sessions.find(site.label).state is SessionState.ENDED
    assert site.sessions.find(site.label).outcome == WRITTEN
