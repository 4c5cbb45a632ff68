"""What every launcher keeps to; a test module per launcher subclasses it."""

from __future__ import annotations

import abc
from pathlib import Path

import pytest

from model_queue.ports import Launch, Launcher, SessionState

UNKNOWN = "mq-t-999-a1-ffffffff"


def a_launch(folder: Path, **fields: object) -> Launch:
    """The first attempt of T-001; a test names only what matters to it."""
    known: dict[str, object] = {
        "label": "mq-t-001-a1-00000001",
        "task_id": "T-001",
        "queue": "ollama-local",
        "attempt": 1,
        "model": "ollama/qwen2.5",
        "prompt": "Analyze the sales data",
        "cwd": str(folder),
        "timeout_s": 60,
    }
    return Launch(**(known | fields))  # type: ignore[arg-type] # fields are the test's


class LauncherContract(abc.ABC):
    @abc.abstractmethod
    def make_launcher(self, folder: Path) -> Launcher:
        """Return a launcher that never started anything."""

    @pytest.fixture
    def launcher(self, tmp_path: Path) -> Launcher:
        return self.make_launcher(tmp_path)

    def test_start_twice_under_one_label_gives_the_first_answer(
        self, launcher: Launcher, tmp_path: Path
    ) -> None:
        first = launcher.start(a_launch(tmp_path))

        second = launcher.start(a_launch(tmp_path))

        assert second.session_id == first.session_id
        assert [action["key"] for action in second.actions] == [
            action["key"] for action in first.actions
        ]

    def test_start_returns_a_spawn_action_for_a_host_and_an_id_for_all_others(
        self, launcher: Launcher, tmp_path: Path
    ) -> None:
        started = launcher.start(a_launch(tmp_path))

        assert (started.session_id is None) == launcher.is_host
        expected = ["spawn"] if launcher.is_host else []
        assert [action["type"] for action in started.actions] == expected

    def test_find_after_start_is_never_absent(
        self, launcher: Launcher, tmp_path: Path
    ) -> None:
        launcher.start(a_launch(tmp_path))

        found = launcher.find(a_launch(tmp_path).label)

        assert found.state is not SessionState.ABSENT

    def test_find_has_an_outcome_exactly_when_the_session_has_ended(
        self, launcher: Launcher, tmp_path: Path
    ) -> None:
        launcher.start(a_launch(tmp_path))

        found = launcher.find(a_launch(tmp_path).label)

        assert (found.outcome is not None) == (found.state is SessionState.ENDED)

    def test_find_of_an_unknown_label_knows_no_outcome(
        self, launcher: Launcher
    ) -> None:
        found = launcher.find(UNKNOWN)

        assert found.state is not SessionState.ENDED
        assert found.outcome is None

    def test_stop_returns_an_action_for_a_host_only(
        self, launcher: Launcher, tmp_path: Path
    ) -> None:
        started = launcher.start(a_launch(tmp_path))

        actions = launcher.stop(a_launch(tmp_path).label, started.session_id)

        expected = ["stop"] if launcher.is_host else []
        assert [action["type"] for action in actions] == expected
        assert all(action["key"] for action in actions)

    def test_stop_of_an_unknown_label_is_no_error(self, launcher: Launcher) -> None:
        launcher.stop(UNKNOWN, None)

        assert launcher.find(UNKNOWN).outcome is None
