"""Real sessions: small programs, each under a supervisor of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from contract.launcher_contract import LauncherContract, a_launch
from model_queue import detached, processes
from model_queue.errors import LaunchError
from model_queue.launchers.command import CommandProgram
from model_queue.launchers.orphans import read_session_process
from model_queue.launchers.supervised import SupervisedLauncher
from model_queue.model import ErrorClass, Outcome
from model_queue.ports import Launcher, SessionState, SystemClock
from model_queue.settings import SourceSettings
from waiting import eventually

pytestmark = pytest.mark.slow

LABEL = "mq-t-001-a1-00000001"
LIB = Path(processes.__file__).parent.parent


class Site:
    """A queue directory in which sessions run until the test is over."""

    def __init__(self, tmp_path: Path) -> None:
        self.path = tmp_path
        self.sessions = tmp_path / "sessions"
        self.folder = self.sessions / LABEL
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(tmp_path),
            "MODEL_QUEUES_DIR": str(tmp_path),
            "MODEL_QUEUE_WAKER": "off",
        }

    def launcher(
        self,
        *command: str,
        grace_s: float = 0.2,
        environment: Mapping[str, str] | None = None,
    ) -> SupervisedLauncher:
        source = SourceSettings(
            name="ollama-local",
            models=("ollama/qwen2.5",),
            launcher="command",
            command=command or ("cat",),
        )
        return SupervisedLauncher(
            source,
            CommandProgram(),
            sessions_dir=str(self.sessions),
            config_cwd=str(self.path),
            environment={**self.environment, **(environment or {})},
            clock=SystemClock(),
            grace_s=grace_s,
        )

    def run(self, launcher: Launcher, **fields: object) -> Outcome:
        """Run one session to its end."""
        launcher.start(a_launch(self.path, **fields))
        return self.end_of(launcher)

    def end_of(self, launcher: Launcher) -> Outcome:
        def ended() -> Outcome | None:
            found = launcher.find(LABEL)
            assert found.state is not SessionState.ABSENT
            return found.outcome

        return eventually(ended)

    def pid_in(self, name: str) -> int:
        """Return the pid that a session wrote into a file of its cwd."""

        def read() -> str:
            path = self.path / name
            return path.read_text() if path.exists() else ""

        return int(eventually(lambda: read() if read().endswith("\n") else ""))

    def supervisor_pid(self) -> int:
        path = self.folder / "process.json"
        eventually(path.exists)
        return int(json.loads(path.read_text())["supervisor"]["pid"])

    def close(self) -> None:
        """End every session, and wait for its supervisor's last act."""
        for folder in self.sessions.glob("*"):
            self.launcher().stop(folder.name, None)
            lock = str(folder / "lock")

            def is_over(label: str = folder.name, path: str = lock) -> bool:
                is_gone = self.launcher().find(label).state is not SessionState.LIVE
                return is_gone and is_free(path)

            eventually(is_over)
        eventually(lambda: detached.reap() == 0)


def is_free(lock: str) -> bool:
    descriptor = detached.try_lock(lock)
    if descriptor is None:
        return False
    os.close(descriptor)
    return True


def is_gone(pid: int) -> bool:
    found = processes.find_process(pid)
    return found is None or found.is_dead


def python(program: str) -> tuple[str, ...]:
    return (sys.executable, "-I", "-S", "-c", program)


def shell(program: str) -> tuple[str, ...]:
    return ("sh", "-c", program)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    site = Site(tmp_path)
    yield site
    site.close()


class TestSupervisedLauncher(LauncherContract):
    @pytest.fixture(autouse=True)
    def _ended_afterwards(self, site: Site) -> None:
        self.site = site

    def make_launcher(self, folder: Path) -> Launcher:  # noqa: ARG002 - the site's
        return self.site.launcher(*shell("sleep 60"))


def test_session_reads_the_prompt_and_its_output_is_the_report(site: Site) -> None:
    outcome = site.run(
        site.launcher("cat"), prompt="Six percent more.\nStatus: success"
    )

    assert outcome.result_status == "success"
    assert outcome.result == "Six percent more.\nStatus: success"
    assert outcome.summary == "Six percent more."
    assert outcome.error_class is None


LOOK_AROUND = """
import json, os, signal
def is_open(number):
    try:
        os.fstat(number)
    except OSError:
        return False
    return True
names = ("SIGTERM", "SIGHUP", "SIGQUIT", "SIGCHLD", "SIGUSR1")
print(json.dumps({
    "environment": dict(os.environ),
    "cwd": os.getcwd(),
    "open": [number for number in range(64) if is_open(number)],
    "changed": [
        name for name in names
        if signal.getsignal(getattr(signal, name)) is not signal.SIG_DFL
    ],
    "blocked": len(signal.pthread_sigmask(signal.SIG_BLOCK, [])),
    "leads its group": os.getpgid(0) == os.getpid(),
}))
"""
OUTER = {
    "CLAUDECODE": "1",
    "CLAUDE_CODE_SESSION_ID": "outer",
    "CLAUDE_PLUGIN_ROOT": "/plugin",
    "CODEX_SANDBOX": "seatbelt",
    "GEMINI_CLI": "1",
    "OPENCODE": "1",
    "OPENCLAW_SHELL": "exec",
    "MODEL_QUEUE_WORKER": "1",
    "MODEL_QUEUE_TASK": "T-777",
    "MODEL_QUEUE_LABEL": "outer",
    "PWD": "/outer",
}
"""What a starter has around it that is itself inside a session of a runtime."""


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """What one session saw of the world; its starter had closed ears and open files."""
    site = Site(tmp_path_factory.mktemp("site"))
    work = site.path / "work"
    work.mkdir()
    around = {**OUTER, "CODEX_HOME": "/mine"}
    launcher = site.launcher(*python(LOOK_AROUND), environment=around)
    inherited = os.open(os.devnull, os.O_RDONLY)
    os.set_inheritable(inherited, True)
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        outcome = site.run(launcher, cwd=str(work))
    finally:
        signal.signal(signal.SIGHUP, before)
        os.close(inherited)
    yield {"work": str(work), **json.loads(str(outcome.result))}
    site.close()


def test_session_runs_in_the_tasks_folder(seen: dict[str, Any]) -> None:
    assert seen["cwd"] == seen["work"]
    assert seen["environment"]["PWD"] == seen["work"]


def test_session_knows_its_own_task(seen: dict[str, Any]) -> None:
    assert seen["environment"]["MODEL_QUEUE_WORKER"] == "1"
    assert seen["environment"]["MODEL_QUEUE_TASK"] == "T-001"
    assert seen["environment"]["MODEL_QUEUE_LABEL"] == LABEL


def test_session_knows_nothing_of_the_outer_runtime(seen: dict[str, Any]) -> None:
    own = {"MODEL_QUEUE_WORKER", "MODEL_QUEUE_TASK", "MODEL_QUEUE_LABEL", "PWD"}

    assert set(seen["environment"]) & (set(OUTER) - own) == set()


def test_session_keeps_what_a_person_set(seen: dict[str, Any]) -> None:
    assert seen["environment"]["CODEX_HOME"] == "/mine"


def test_session_has_no_descriptor_but_the_three(seen: dict[str, Any]) -> None:
    assert seen["open"] == [0, 1, 2]


def test_session_hears_every_signal(seen: dict[str, Any]) -> None:
    assert seen["changed"] == []
    assert seen["blocked"] == 0


def test_session_leads_a_process_group_of_its_own(seen: dict[str, Any]) -> None:
    assert seen["leads its group"]


def test_a_prompt_larger_than_a_pipe_reaches_the_session_whole(site: Site) -> None:
    prompt = "数" * 100_000

    outcome = site.run(site.launcher("wc", "-c"), prompt=prompt)

    assert outcome.result == "300000"


def test_a_session_that_does_not_read_its_large_prompt_is_not_held_up(
    site: Site,
) -> None:
    outcome = site.run(site.launcher("echo", "done"), prompt="x" * 200_000)

    assert outcome.result == "done"


def test_words_in_braces_of_the_command_are_filled_in(site: Site) -> None:
    launcher = site.launcher(
        "echo", "{model}", "{task_id}", "{label}", "{prompt_file}", "{session_dir}"
    )

    outcome = site.run(launcher)

    prompt = site.folder / "prompt.md"
    assert outcome.result == f"qwen2.5 T-001 {LABEL} {prompt} {site.folder}"
    assert prompt.read_text() == "Analyze the sales data"


def test_a_word_of_the_command_is_never_read_by_a_shell(site: Site) -> None:
    outcome = site.run(site.launcher("echo", "$(id)", "; exit 3"))

    assert outcome.result == "$(id) ; exit 3"


def test_files_of_a_session_are_its_owners_alone(site: Site) -> None:
    site.run(site.launcher("cat"))

    modes = {path.stat().st_mode & 0o777 for path in site.folder.iterdir()}
    assert modes == {0o600}
    assert site.folder.stat().st_mode & 0o777 == 0o700
    assert site.sessions.stat().st_mode & 0o777 == 0o700


def test_a_failing_exit_fails_with_what_the_session_said_last(site: Site) -> None:
    outcome = site.run(site.launcher(*shell("echo thinking; echo oops >&2; exit 3")))

    assert outcome.result_status == "failed"
    assert outcome.error_class is ErrorClass.TRANSIENT
    assert outcome.error_message == "exit code 3: oops"


@pytest.mark.parametrize(
    ("command", "cwd", "message"),
    [
        pytest.param(
            ("no-such-program",),
            ".",
            "no-such-program cannot be run: No such file or directory; "
            "check the settings of source ollama-local",
            id="not found",
        ),
        pytest.param(
            ("./not-executable",),
            ".",
            "./not-executable cannot be run: Permission denied; "
            "check the settings of source ollama-local",
            id="not executable",
        ),
        pytest.param(
            ("cat",),
            "gone",
            "the folder {} cannot be entered: No such file or directory",
            id="no cwd",
        ),
    ],
)
def test_a_program_that_cannot_be_run_fails_for_good_and_says_why(
    site: Site, command: Sequence[str], cwd: str, message: str
) -> None:
    (site.path / "not-executable").write_text("#!/bin/sh\n")

    outcome = site.run(site.launcher(*command), cwd=str(site.path / cwd))

    assert outcome.result_status == "failed"
    assert outcome.error_class is ErrorClass.BAD_REQUEST
    assert outcome.error_message == message.format(site.path / cwd)


def test_twenty_mebibytes_keep_their_beginning_and_their_end(site: Site) -> None:
    program = (
        "import sys; w = sys.stdout.write; w('first\\n')\n"
        "[w('x' * 1023 + '\\n') for _ in range(20 * 1024)]; w('out of memory\\n')\n"
        "sys.exit(1)"
    )

    outcome = site.run(site.launcher(*python(program)))

    kept = (site.folder / "stdout").read_bytes()
    assert outcome.result_status == "failed"
    assert "out of memory" in str(outcome.error_message)
    assert kept.startswith(b"first\nxxx")
    assert kept.endswith(b"xxx\nout of memory\n")
    assert b"\n[model-queue: 12582932 bytes of output were dropped here]\n" in kept
    assert len(kept) < 8 * 1024 * 1024 + 100


def test_a_session_over_its_wall_clock_is_ended_as_timeout(site: Site) -> None:
    launcher = site.launcher(*shell("echo $$ > pid; sleep 60"))

    outcome = site.run(launcher, timeout_s=1)

    assert outcome.result_status == "failed"
    assert outcome.error_class is ErrorClass.TIMEOUT
    assert outcome.error_message == "it had no result within 1 s"
    assert is_gone(site.pid_in("pid"))


def test_stop_ends_the_session_and_its_children(site: Site) -> None:
    launcher = site.launcher(*shell("sleep 60 & echo $! > child; echo $$ > pid; wait"))
    launcher.start(a_launch(site.path))
    pids = [site.pid_in("pid"), site.pid_in("child")]

    launcher.stop(LABEL, LABEL)

    outcome = site.end_of(launcher)
    assert outcome.result_status == "cancelled"
    assert outcome.error_message == "it was stopped"
    assert [is_gone(pid) for pid in pids] == [True, True]


def test_stop_lets_a_session_tidy_up(site: Site) -> None:
    launcher = site.launcher(
        *shell(
            "trap 'echo tidy > tidied; exit 0' TERM; echo $$ > pid; sleep 60 & wait"
        ),
        grace_s=20,
    )
    launcher.start(a_launch(site.path))
    site.pid_in("pid")

    launcher.stop(LABEL, LABEL)

    assert site.end_of(launcher).result_status == "cancelled"
    assert (site.path / "tidied").exists()


def test_a_session_that_ignores_the_request_to_end_is_killed(site: Site) -> None:
    launcher = site.launcher(*shell("trap '' TERM; echo $$ > pid; sleep 60; sleep 60"))
    launcher.start(a_launch(site.path))
    pid = site.pid_in("pid")

    launcher.stop(LABEL, LABEL)

    assert site.end_of(launcher).result_status == "cancelled"
    assert is_gone(pid)


def test_what_a_session_leaves_running_in_its_group_is_ended(site: Site) -> None:
    launcher = site.launcher(
        *shell("(trap '' TERM; sleep 60; sleep 60) & echo $! > child; echo done")
    )

    outcome = site.run(launcher)

    assert outcome.result == "done"
    assert is_gone(site.pid_in("child"))


def test_a_daemon_that_left_the_group_does_not_hold_the_session_up(site: Site) -> None:
    daemon = "import os; os.fork() and os._exit(0); os.setsid(); "
    wait = "open('pid', 'w').write(f'{os.getpid()}\\n'); import time; time.sleep(60)"
    launcher = site.launcher(
        *shell('"$0" -I -S -c "$1"; until [ -s pid ]; do sleep 0.02; done; echo done'),
        sys.executable,
        daemon + wait,
    )

    outcome = site.run(launcher)

    os.kill(site.pid_in("pid"), signal.SIGKILL)
    assert outcome.result == "done"


def test_a_session_survives_its_starter_and_holds_none_of_its_pipes(site: Site) -> None:
    """The agent runtime waits until nobody has the hook's stdout open any more."""
    program = f"""
import sys
sys.path[:0] = {[str(LIB), str(Path(__file__).parent.parent)]!r}
from pathlib import Path
from contract.launcher_contract import a_launch
from contract.test_supervised import Site, shell
site = Site(Path(sys.argv[1]))
site.launcher(*shell("echo $$ > pid; until [ -e go ]; do sleep 0.02; done; echo done"))\\
    .start(a_launch(site.path))
"""
    starter = [sys.executable, "-c", program, str(site.path)]
    subprocess.run(starter, check=True, stdout=subprocess.PIPE, timeout=30)
    launcher = site.launcher()

    is_live = launcher.find(LABEL).state is SessionState.LIVE
    site.pid_in("pid")
    (site.path / "go").touch()

    assert is_live
    assert site.end_of(launcher).result == "done"


def test_a_killed_supervisors_session_is_killed_before_it_is_absent(site: Site) -> None:
    launcher = site.launcher(*shell("trap '' TERM HUP PIPE; echo $$ > pid; sleep 60"))
    launcher.start(a_launch(site.path))
    pid = site.pid_in("pid")
    supervisor = site.supervisor_pid()

    os.kill(supervisor, signal.SIGKILL)
    eventually(lambda: is_gone(supervisor))
    eventually(lambda: launcher.find(LABEL).state is SessionState.ABSENT)

    assert is_gone(pid)


def test_an_attempt_whose_supervisor_was_killed_is_not_started_again(
    site: Site,
) -> None:
    launcher = site.launcher(*shell("echo $$ >> starts; echo $$ > pid; sleep 60"))
    launcher.start(a_launch(site.path))
    site.pid_in("pid")
    os.kill(site.supervisor_pid(), signal.SIGKILL)
    eventually(lambda: launcher.find(LABEL).state is SessionState.ABSENT)

    launcher.start(a_launch(site.path))

    assert launcher.find(LABEL).state is SessionState.ABSENT
    assert len((site.path / "starts").read_text().splitlines()) == 1


def test_stop_ends_a_session_whose_supervisor_was_killed(site: Site) -> None:
    launcher = site.launcher(*shell("echo $$ > pid; sleep 60"))
    launcher.start(a_launch(site.path))
    pid = site.pid_in("pid")
    supervisor = site.supervisor_pid()
    os.kill(supervisor, signal.SIGKILL)
    eventually(lambda: is_gone(supervisor))

    launcher.stop(LABEL, LABEL)

    eventually(lambda: is_gone(pid))
    assert launcher.find(LABEL).state is SessionState.ABSENT


def test_a_supervisor_told_to_end_ends_its_session_as_lost(site: Site) -> None:
    """A shutdown is no wish of the person's: the attempt counts as lost."""
    launcher = site.launcher(*shell("echo $$ > pid; sleep 60"))
    launcher.start(a_launch(site.path))
    pid = site.pid_in("pid")

    os.kill(site.supervisor_pid(), signal.SIGTERM)

    outcome = site.end_of(launcher)
    assert outcome.result_status == "lost"
    assert outcome.error_class is ErrorClass.LOST
    assert is_gone(pid)


def test_a_session_whose_folder_is_gone_does_not_go_on(site: Site) -> None:
    launcher = site.launcher(*shell("echo $$ > pid; sleep 60"))
    launcher.start(a_launch(site.path))
    pid = site.pid_in("pid")

    site.folder.rename(site.path / "elsewhere")

    eventually(lambda: is_gone(pid))


def test_starters_in_a_race_start_one_session(site: Site) -> None:
    launcher = site.launcher(*shell("echo $$ >> starts; sleep 0.2; echo done"))

    with ThreadPoolExecutor(8) as pool:
        launches = [a_launch(site.path)] * 16
        started = list(pool.map(launcher.start, launches))

    assert {each.session_id for each in started} == {LABEL}
    assert site.end_of(launcher).result == "done"
    assert len((site.path / "starts").read_text().splitlines()) == 1


def test_an_attempt_whose_starter_died_early_is_started_after_all(site: Site) -> None:
    site.folder.mkdir(parents=True)
    (site.folder / "lock").touch()
    (site.folder / "session.json").write_text('{"label": "half wri')
    launcher = site.launcher("cat")
    before = launcher.find(LABEL).state

    outcome = site.run(launcher)

    assert before is SessionState.ABSENT
    assert outcome.result == "Analyze the sales data"


def test_an_ended_session_is_not_started_again(site: Site) -> None:
    launcher = site.launcher(*shell("echo $$ >> starts; echo done"))
    first = site.run(launcher)

    second = site.run(launcher)

    assert second == first
    assert len((site.path / "starts").read_text().splitlines()) == 1


def test_a_stop_before_the_start_forbids_the_start(site: Site) -> None:
    launcher = site.launcher("cat")
    launcher.stop(LABEL, None)

    with pytest.raises(LaunchError, match="asked to stop before it started"):
        launcher.start(a_launch(site.path))

    assert launcher.find(LABEL).state is SessionState.ABSENT


def test_stop_of_an_ended_session_changes_nothing(site: Site) -> None:
    launcher = site.launcher("cat")
    outcome = site.run(launcher)

    launcher.stop(LABEL, LABEL)

    assert launcher.find(LABEL).outcome == outcome
    assert not (site.folder / "stop").exists()


@pytest.mark.parametrize("label", ["", "..", "../x", "a/b", "-rf", "A", "x" * 200])
def test_a_label_that_is_no_file_name_reaches_no_file(site: Site, label: str) -> None:
    launcher = site.launcher("cat")

    launcher.stop(label, None)
    with pytest.raises(LaunchError, match="no file name"):
        launcher.start(a_launch(site.path, label=label))

    assert launcher.find(label).state is SessionState.ABSENT
    assert not site.sessions.exists()


def test_a_folder_that_cannot_be_made_is_a_launch_error(site: Site) -> None:
    site.sessions.write_text("a file")

    with pytest.raises(LaunchError, match=r"File exists: .*/sessions$"):
        site.launcher("cat").start(a_launch(site.path))

    site.sessions.unlink()


def test_a_supervisor_cannot_be_started_beside_another(site: Site) -> None:
    launcher = site.launcher(*shell("echo $$ > pid; sleep 60"))
    launcher.start(a_launch(site.path))
    site.pid_in("pid")
    recorded = read_session_process(str(site.folder))

    argv = detached.own_argv("supervisor", str(site.folder))
    subprocess.run(argv, check=False, timeout=30, stderr=subprocess.DEVNULL)

    assert read_session_process(str(site.folder)) == recorded
    assert launcher.find(LABEL).state is SessionState.LIVE
