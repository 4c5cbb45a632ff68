"""Supervisors that are killed at every step, records that are damaged, sessions that flee."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from contract.launcher_contract import a_launch
from contract.test_supervised import (
    LABEL,
    LIB,
    Site,
    is_free,
    is_gone,
    python,
    shell,
)
from model_queue import detached, processes
from model_queue.launchers import local_sessions
from model_queue.launchers.host import HostLauncher
from model_queue.launchers.local import MissingLauncher
from model_queue.launchers.local_sessions import LocalSessions
from model_queue.launchers.orphans import left_over
from model_queue.launchers.supervised import SupervisedLauncher
from model_queue.ports import SessionState
from model_queue.settings import SourceSettings
from waiting import eventually

pytestmark = pytest.mark.slow

FLEE = "import os, time; os.fork() and os._exit(0); os.setsid(); "
NOTE = "open('fled', 'w').write(f'{os.getpid()}\\n'); "
HIDE = "os.chdir('/'); time.sleep(60)"
FLEEING = '"$0" -I -S -c "$1"; until [ -s fled ]; do sleep 0.02; done; echo $$ > pid; sleep 60'


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    site = Site(tmp_path)
    yield site
    site.close()


def start_fleeing(site: Site, then: str = HIDE, end: str = "sleep 60") -> int:
    """Start a session one of whose processes leaves its group and its terminal session."""
    program = FLEEING.replace("sleep 60", end)
    launcher = site.launcher(*shell(program), sys.executable, FLEE + NOTE + then)
    launcher.start(a_launch(site.path))
    return site.pid_in("fled")


def run_without_outcome(site: Site) -> SupervisedLauncher:
    """Let a session and its supervisor end; take the outcome away."""
    launcher = site.launcher("cat")
    site.run(launcher)
    eventually(lambda: is_free(str(site.folder / "lock")))
    (site.folder / "outcome.json").unlink()
    return launcher


def kill_supervisor(site: Site) -> None:
    supervisor = site.supervisor_pid()
    os.kill(supervisor, signal.SIGKILL)
    eventually(lambda: is_gone(supervisor))


def test_stop_ends_what_has_left_the_group_too(site: Site) -> None:
    fled = start_fleeing(site)
    site.pid_in("pid")
    launcher = site.launcher()

    launcher.stop(LABEL, LABEL)

    assert site.end_of(launcher).result_status == "cancelled"
    assert is_gone(fled)


def test_what_has_left_the_group_and_hears_no_request_is_killed(site: Site) -> None:
    deaf = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); "
    fled = start_fleeing(site, deaf + "open('deaf', 'w').write('1\\n'); " + HIDE)
    site.pid_in("deaf")
    site.pid_in("pid")

    site.launcher().stop(LABEL, LABEL)

    assert site.end_of(site.launcher()).result_status == "cancelled"
    assert is_gone(fled)


def test_a_timeout_ends_what_has_left_the_group_too(site: Site) -> None:
    program = FLEE + NOTE + HIDE
    launcher = site.launcher(*shell(FLEEING), sys.executable, program)

    outcome = site.run(launcher, timeout_s=1)

    assert outcome.error_message == "it had no result within 1 s"
    assert is_gone(site.pid_in("fled"))


def test_a_killed_supervisors_session_is_absent_only_when_what_fled_is_gone(
    site: Site,
) -> None:
    fled, pid = start_fleeing(site), site.pid_in("pid")
    kill_supervisor(site)

    eventually(lambda: site.launcher().find(LABEL).state is SessionState.ABSENT)

    assert is_gone(fled)
    assert is_gone(pid)


def test_a_process_that_a_session_left_behind_on_purpose_lives_on(site: Site) -> None:
    fled = start_fleeing(site, end="echo done")

    outcome = site.end_of(site.launcher())

    assert outcome.result == "done"
    assert not is_gone(fled)
    os.kill(fled, signal.SIGKILL)


@pytest.mark.parametrize("text", [None, "", "{", '{"session": null}'])
def test_a_session_without_a_usable_record_is_found_by_its_environment(
    site: Site, text: str | None
) -> None:
    launcher = site.launcher(*shell("echo $$ > pid; sleep 60"))
    launcher.start(a_launch(site.path))
    pid = site.pid_in("pid")
    kill_supervisor(site)
    record = site.folder / "process.json"
    record.unlink() if text is None else record.write_text(text)

    eventually(lambda: launcher.find(LABEL).state is SessionState.ABSENT)

    assert is_gone(pid)


def test_a_session_whose_plan_is_gone_too_is_not_taken_for_gone(site: Site) -> None:
    launcher = site.launcher(*shell("echo $$ > pid; sleep 60"))
    launcher.start(a_launch(site.path))
    site.pid_in("pid")

    (site.folder / "session.json").unlink()

    assert launcher.find(LABEL).state is SessionState.LIVE


def test_a_session_of_the_same_label_in_another_directory_is_a_strangers(
    site: Site, tmp_path: Path
) -> None:
    other = Site(tmp_path / "other")
    other.path.mkdir()
    other.launcher(*shell("echo $$ > pid; sleep 60")).start(a_launch(other.path))
    stranger = other.pid_in("pid")
    site.launcher(*shell("echo $$ > pid; sleep 60")).start(a_launch(site.path))
    site.pid_in("pid")
    kill_supervisor(site)

    eventually(lambda: site.launcher().find(LABEL).state is SessionState.ABSENT)

    assert not is_gone(stranger)
    assert other.launcher().find(LABEL).state is SessionState.LIVE
    other.close()


@pytest.fixture
def _tells_no_environments(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system without /proc."""
    monkeypatch.setattr(processes, "has_environments", lambda: False)
    monkeypatch.setattr(processes, "with_variable", lambda *_: [])


@pytest.mark.usefixtures("_tells_no_environments")
def test_where_nothing_can_be_seen_a_damaged_record_keeps_the_slot_and_says_so(
    site: Site,
) -> None:
    launcher = run_without_outcome(site)
    (site.folder / "process.json").write_text("{")

    states = {launcher.find(LABEL).state for _ in range(3)}

    said = (site.folder / "supervisor.log").read_text()
    assert states == {SessionState.LIVE}
    assert said.count("counts as running until this machine is started again") == 1
    (site.folder / "process.json").unlink()


@pytest.mark.usefixtures("_tells_no_environments")
def test_where_nothing_can_be_seen_another_boot_ends_the_doubt(site: Site) -> None:
    launcher = run_without_outcome(site)
    (site.folder / "process.json").write_text("{")
    (site.folder / "lock").write_text("another boot")

    assert launcher.find(LABEL).state is SessionState.ABSENT


def edit_record(site: Site, **fields: object) -> None:
    path = site.folder / "process.json"
    record = json.loads(path.read_text())
    record["session"] |= fields
    path.write_text(json.dumps(record))


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"boot": "another boot"}, id="boot"),
        pytest.param({"started": "1"}, id="start time"),
    ],
)
def test_a_stranger_under_a_sessions_old_number_is_never_signalled(
    site: Site, fields: dict[str, object]
) -> None:
    launcher = run_without_outcome(site)
    pid = os.posix_spawn("/bin/sleep", ["sleep", "60"], {}, setpgroup=0)
    stranger = eventually(lambda: processes.identify(pid))
    edit_record(site, **{**stranger._asdict(), **fields})

    state = launcher.find(LABEL).state
    is_alive = processes.group_is_alive(stranger)
    os.killpg(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    assert state is SessionState.ABSENT
    assert is_alive


DYING = """
import os, signal, sys
sys.path[:0] = [sys.argv[1]]
folder, when = sys.argv[2:]
from model_queue import session_birth, supervision, supervisor
def die(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)
def then_die(function):
    def both(*args, **kwargs):
        function(*args, **kwargs)
        die()
    return both
if when == "before the session":
    supervision.bear = die
elif when == "before the record":
    supervision.Supervision._record = die
elif when == "before the gate":
    supervision.Supervision._record = then_die(supervision.Supervision._record)
elif when == "before the outcome":
    supervisor.write_outcome = die
elif when == "before the completion":
    supervisor.finish = die
supervisor.main([folder])
"""
ENTRY = [sys.executable, "-I", "-S", "-c", DYING, str(LIB)]


def start_dying(site: Site, when: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Start a session whose supervisor kills itself at a certain step."""

    def argv(_: str, folder: str) -> list[str]:
        return [*ENTRY, folder, when]

    monkeypatch.setattr(detached, "own_argv", argv)
    launcher = site.launcher(*shell("echo $$ >> starts; echo done"))
    launcher.start(a_launch(site.path))
    monkeypatch.undo()
    eventually(lambda: detached.reap() == 0)


def starts(site: Site) -> int:
    path = site.path / "starts"
    return len(path.read_text().splitlines()) if path.exists() else 0


@pytest.mark.parametrize(
    "when", ["before the session", "before the record", "before the gate"]
)
def test_a_supervisor_killed_before_the_gate_opens_leaves_nothing_running(
    site: Site, when: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    start_dying(site, when, monkeypatch)

    eventually(lambda: site.launcher().find(LABEL).state is SessionState.ABSENT)

    assert starts(site) == 0
    assert left_over(str(site.folder)) == []


def test_a_supervisor_killed_before_the_outcome_leaves_a_session_that_is_absent(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    start_dying(site, "before the outcome", monkeypatch)

    eventually(lambda: site.launcher().find(LABEL).state is SessionState.ABSENT)

    assert starts(site) == 1


def test_a_supervisor_killed_before_the_completion_leaves_the_outcome(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    start_dying(site, "before the completion", monkeypatch)

    assert site.end_of(site.launcher()).result == "done"
    assert starts(site) == 1


def test_an_attempt_whose_supervisor_died_before_the_record_is_started_after_all(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    start_dying(site, "before the record", monkeypatch)
    launcher = site.launcher(*shell("echo $$ >> starts; echo done"))
    eventually(lambda: launcher.find(LABEL).state is SessionState.ABSENT)

    outcome = site.run(launcher)

    assert outcome.result == "done"
    assert starts(site) == 1


@pytest.mark.parametrize("kind", ["host", "missing"])
def test_a_session_goes_on_under_its_label_when_its_source_gets_another_launcher(
    site: Site, kind: str
) -> None:
    started = site.launcher(*shell("echo $$ > pid; sleep 60"))
    started.start(a_launch(site.path))
    pid = site.pid_in("pid")
    source = SourceSettings(name="ollama-local", models=("ollama/qwen2.5",))
    sessions = str(site.sessions)
    later = (
        HostLauncher(source, sessions_dir=sessions)
        if kind == "host"
        else MissingLauncher(source, LocalSessions(sessions))
    )

    before = later.find(LABEL)
    actions = later.stop(LABEL, LABEL)

    assert before.session_id == LABEL
    assert list(actions) == []
    assert site.end_of(later).result_status == "cancelled"
    assert is_gone(pid)


def test_an_interrupt_of_the_starter_does_not_reach_the_session(site: Site) -> None:
    """Ctrl-C in a terminal goes to the whole foreground group."""
    program = f"""
import os, signal, sys
sys.path[:0] = {[str(LIB), str(Path(__file__).parent.parent)]!r}
from pathlib import Path
from contract.launcher_contract import a_launch
from contract.test_supervised import Site, shell
site = Site(Path(sys.argv[1]))
site.launcher(*shell("echo $$ > pid; until [ -e go ]; do sleep 0.02; done; echo done"))\\
    .start(a_launch(site.path))
os.killpg(0, signal.SIGINT)
"""
    argv = [sys.executable, "-c", program, str(site.path)]
    with subprocess.Popen(argv, process_group=0, stderr=subprocess.DEVNULL) as starter:
        starter.wait(timeout=30)
    site.pid_in("pid")
    (site.path / "go").touch()

    assert site.end_of(site.launcher()).result == "done"


def test_a_session_of_python_sees_its_own_folder(site: Site) -> None:
    program = "import os; print(os.environ['MODEL_QUEUE_SESSION'])"

    outcome = site.run(site.launcher(*python(program)))

    assert outcome.result == str(site.folder)
    assert local_sessions.exists(str(outcome.result), "process.json")
