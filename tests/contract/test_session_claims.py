"""A start and a loss of one attempt at the same moment, and records that were copied."""

from __future__ import annotations

import json
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from contract.launcher_contract import a_launch
from contract.test_supervised import LABEL, Site, is_free, is_gone, shell
from model_queue import processes
from model_queue.errors import LaunchError
from model_queue.launchers.local_sessions import LocalSessions
from model_queue.ports import Session, SessionState
from waiting import eventually

pytestmark = pytest.mark.slow

SLEEP = "echo $$ > pid; sleep 60 & wait"


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    site = Site(tmp_path)
    yield site
    site.close()


@pytest.fixture
def after_look(
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[[Callable[[], object]], None]:
    """Let something happen once, right after somebody looked for a session."""
    look = LocalSessions.find

    def arrange(then: Callable[[], object]) -> None:
        def find(sessions: LocalSessions, label: str) -> Session:
            found = look(sessions, label)
            monkeypatch.setattr(LocalSessions, "find", look)
            then()
            return found

        monkeypatch.setattr(LocalSessions, "find", find)

    return arrange


def test_a_session_that_starts_just_before_it_is_given_up_goes_on(
    site: Site, after_look: Callable[[Callable[[], object]], None]
) -> None:
    launcher = site.launcher(*shell(SLEEP))
    after_look(lambda: launcher.start(a_launch(site.path)))

    found = launcher.give_up(LABEL)

    assert found.state is SessionState.LIVE
    assert not (site.folder / "stop").exists()
    assert not is_gone(site.pid_in("pid"))


def test_a_session_that_ends_just_before_it_is_given_up_has_its_outcome(
    site: Site, after_look: Callable[[Callable[[], object]], None]
) -> None:
    launcher = site.launcher(*shell("echo done"))

    def run() -> None:
        site.run(launcher)
        eventually(lambda: is_free(str(site.folder / "lock")))

    after_look(run)

    found = launcher.give_up(LABEL)

    assert found.outcome is not None
    assert found.outcome.result == "done"
    assert not (site.folder / "stop").exists()


def test_an_attempt_that_was_given_up_is_never_started(site: Site) -> None:
    launcher = site.launcher(*shell(SLEEP))

    assert launcher.give_up(LABEL).state is SessionState.ABSENT

    with pytest.raises(LaunchError, match="asked to stop before it started"):
        launcher.start(a_launch(site.path))
    assert launcher.find(LABEL).state is SessionState.ABSENT


def kill_supervisor(site: Site) -> None:
    supervisor = site.supervisor_pid()
    os.kill(supervisor, signal.SIGKILL)
    eventually(lambda: is_gone(supervisor))


def test_a_session_that_loses_its_supervisor_before_it_is_given_up_is_ended(
    site: Site, after_look: Callable[[Callable[[], object]], None]
) -> None:
    launcher = site.launcher(*shell(SLEEP))

    def start_alone() -> None:
        launcher.start(a_launch(site.path))
        site.pid_in("pid")
        kill_supervisor(site)

    after_look(start_alone)

    found = launcher.give_up(LABEL)

    assert found.state is SessionState.ABSENT
    eventually(lambda: is_gone(site.pid_in("pid")))


@pytest.mark.parametrize("knows_environments", [True, False])
def test_a_copied_record_gets_nobody_killed(
    site: Site, monkeypatch: pytest.MonkeyPatch, *, knows_environments: bool
) -> None:
    site.launcher(*shell(SLEEP)).start(a_launch(site.path))
    pid = site.pid_in("pid")
    copy = site.path / "copy"
    shutil.copytree(site.sessions, copy)
    if not knows_environments:
        monkeypatch.setattr(processes, "variable_of", lambda *_: None)

    found = LocalSessions(str(copy)).find(LABEL)

    assert found.state is SessionState.ABSENT
    assert not is_gone(pid)


def test_a_record_is_still_its_folders_where_no_environment_is_told(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    launcher = site.launcher(*shell(SLEEP))
    launcher.start(a_launch(site.path))
    pid = site.pid_in("pid")
    kill_supervisor(site)
    monkeypatch.setattr(processes, "variable_of", lambda *_: None)
    monkeypatch.setattr(processes, "with_variable", lambda *_: [])

    eventually(lambda: launcher.find(LABEL).state is SessionState.ABSENT)

    assert is_gone(pid)


def test_a_removed_folders_session_is_killed_though_its_supervisor_is_dead(
    site: Site,
) -> None:
    launcher = site.launcher(*shell(SLEEP))
    launcher.start(a_launch(site.path))
    pid = site.pid_in("pid")
    kill_supervisor(site)
    shutil.rmtree(site.sessions)

    eventually(lambda: launcher.find(LABEL).state is SessionState.ABSENT)

    # Its environment goes a moment before it does.
    eventually(lambda: is_gone(pid))


def test_a_label_is_not_started_while_a_session_of_a_moved_folder_runs(
    site: Site,
) -> None:
    launcher = site.launcher(*shell("trap '' TERM; echo $$ >> pids; sleep 60"))
    launcher.start(a_launch(site.path))
    eventually(
        lambda: (site.path / "pids").exists() and (site.path / "pids").read_text()
    )
    site.sessions.rename(site.path / "moved")

    launcher.start(a_launch(site.path))

    first, _ = eventually(lambda: two_lines(site.path / "pids"))
    record = json.loads((site.path / "moved" / LABEL / "process.json").read_text())
    eventually(lambda: is_gone(first))
    eventually(lambda: is_gone(record["supervisor"]["pid"]))
    assert launcher.find(LABEL).state is SessionState.LIVE


def two_lines(path: Path) -> list[int]:
    lines = path.read_text().split()
    return [int(line) for line in lines] if len(lines) == 2 else []
