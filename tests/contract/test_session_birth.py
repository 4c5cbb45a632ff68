"""The moment between a session's fork and its first instruction."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from contract.launcher_contract import a_launch
from contract.test_supervised import LIB, Site, is_free
from model_queue import detached
from model_queue.model import ErrorClass
from waiting import eventually

pytestmark = pytest.mark.slow

KILLING_NEWBORNS = """
import os, signal, sys
sys.path[:0] = [sys.argv[1]]
from model_queue import supervision, supervisor
record = supervision.Supervision._record
def kill_newborn(self, born):
    record(self, born)
    os.kill(born.pid, signal.SIGKILL)
    os.waitid(os.P_PID, born.pid, os.WEXITED | os.WNOWAIT)
supervision.Supervision._record = kill_newborn
supervisor.finish = lambda *_: None
supervisor.main([sys.argv[2]])
"""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    site = Site(tmp_path)
    yield site
    site.close()


def test_a_session_killed_at_its_gate_ends_as_one_that_is_killed_later(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    def argv(_: str, folder: str) -> list[str]:
        return [sys.executable, "-I", "-S", "-c", KILLING_NEWBORNS, str(LIB), folder]

    monkeypatch.setattr(detached, "own_argv", argv)
    launcher = site.launcher("cat")

    launcher.start(a_launch(site.path))

    outcome = site.end_of(launcher)
    eventually(lambda: is_free(str(site.folder / "lock")))
    assert outcome.error_class is ErrorClass.TRANSIENT
    assert outcome.error_message == "killed by signal 9"
    assert (site.folder / "supervisor.log").read_text() == ""
