"""The launchers without processes of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from contract.launcher_contract import LauncherContract, a_launch
from fakes import FakeClock, RecordingLauncher
from model_queue.errors import LaunchError
from model_queue.launchers import open_launchers
from model_queue.launchers.host import HostLauncher
from model_queue.launchers.local import MissingLauncher
from model_queue.launchers.supervised import SupervisedLauncher
from model_queue.ports import Launcher, SessionState
from model_queue.settings import Settings, SourceSettings

HOST = SourceSettings(name="ollama-local", models=("ollama/qwen2.5",))
NOWHERE = "/nonexistent/sessions"


class TestHostLauncher(LauncherContract):
    def make_launcher(self, folder: Path) -> Launcher:
        return HostLauncher(HOST, sessions_dir=str(folder))


class TestRecordingLauncher(LauncherContract):
    """The fake of the use case tests is held to the same rules."""

    def make_launcher(self, folder: Path) -> Launcher:  # noqa: ARG002 - the contract's
        return RecordingLauncher()


class TestRecordingHostLauncher(LauncherContract):
    def make_launcher(self, folder: Path) -> Launcher:  # noqa: ARG002 - the contract's
        return RecordingLauncher(is_host=True)


def test_spawn_has_every_field_of_the_hook_contract(tmp_path: Path) -> None:
    started = HostLauncher(HOST, sessions_dir=NOWHERE).start(a_launch(tmp_path))

    assert list(started.actions) == [
        {
            "type": "spawn",
            "key": "mq-t-001-a1-00000001",
            "task_id": "T-001",
            "queue": "ollama-local",
            "attempt": 1,
            "label": "mq-t-001-a1-00000001",
            "model": "ollama/qwen2.5",
            "prompt": "Analyze the sales data",
            "cwd": str(tmp_path),
            "timeout_seconds": 60,
        }
    ]


def test_stop_names_the_label_and_the_runtimes_own_id() -> None:
    launcher = HostLauncher(HOST, sessions_dir=NOWHERE)

    actions = launcher.stop("mq-t-001-a1-00000001", "agent:main:7")

    assert list(actions) == [
        {
            "type": "stop",
            "key": "stop:mq-t-001-a1-00000001",
            "label": "mq-t-001-a1-00000001",
            "session_id": "agent:main:7",
        }
    ]


def test_host_gets_the_model_name_that_the_settings_map_it_to(tmp_path: Path) -> None:
    source = SourceSettings(
        name="ollama-local",
        models=("ollama/qwen2.5",),
        model_names={"ollama/qwen2.5": "ollama/qwen2.5:7b"},
    )

    started = HostLauncher(source, sessions_dir=NOWHERE).start(a_launch(tmp_path))

    assert started.actions[0]["model"] == "ollama/qwen2.5:7b"


def test_host_sessions_are_live_to_us_until_the_host_says_otherwise() -> None:
    launcher = HostLauncher(HOST, sessions_dir=NOWHERE)

    assert launcher.find("anything").state is SessionState.LIVE


def open_all(tmp_path: Path, *sources: SourceSettings) -> dict[str, Launcher]:
    settings = Settings(
        queues_dir=str(tmp_path), sources={source.name: source for source in sources}
    )
    return dict(
        open_launchers(
            settings,
            sessions_dir=str(tmp_path / "sessions"),
            environment={},
            config_cwd=str(tmp_path),
            clock=FakeClock(),
        )
    )


def a_source(launcher: str) -> SourceSettings:
    return SourceSettings(name=launcher, models=("x/y",), launcher=launcher)


def test_each_source_gets_the_launcher_that_it_names(tmp_path: Path) -> None:
    names = ["host", "openai", "command", "claude"]

    launchers = open_all(tmp_path, *(a_source(name) for name in names))

    assert {name: type(launcher) for name, launcher in launchers.items()} == {
        "host": HostLauncher,
        "openai": SupervisedLauncher,
        "command": SupervisedLauncher,
        "claude": MissingLauncher,
    }


def test_a_launcher_of_a_later_version_says_which_ones_there_are(
    tmp_path: Path,
) -> None:
    launcher = open_all(tmp_path, a_source("claude"))["claude"]

    with pytest.raises(LaunchError) as refused:
        launcher.start(a_launch(tmp_path))

    assert str(refused.value) == (
        "the session mq-t-001-a1-00000001 could not be started: "
        "this version cannot start claude sessions"
    )
    assert refused.value.hint == (
        "It has the launchers host, command, openai; "
        "set launcher under [sources.claude] in task-queue.toml."
    )
    assert refused.value.is_fatal


def test_a_launcher_of_a_later_version_knows_no_session(tmp_path: Path) -> None:
    launcher = open_all(tmp_path, a_source("codex"))["codex"]

    assert launcher.find("mq-t-001-a1-00000001").state is SessionState.ABSENT
    assert list(launcher.stop("mq-t-001-a1-00000001", None)) == []


@pytest.mark.parametrize(
    ("launcher", "missing"),
    [
        pytest.param("command", "no command", id="command"),
        pytest.param("openai", "no endpoint", id="openai"),
    ],
)
def test_a_source_without_what_its_launcher_needs_is_refused_for_good(
    tmp_path: Path, launcher: str, missing: str
) -> None:
    launchers = open_all(tmp_path, a_source(launcher))

    with pytest.raises(LaunchError, match=missing) as refused:
        launchers[launcher].start(a_launch(tmp_path))

    assert refused.value.is_fatal
    assert f"[sources.{launcher}]" in refused.value.hint
    assert launchers[launcher].find(refused.value.label).state is SessionState.ABSENT
