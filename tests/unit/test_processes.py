"""Which process is which, and who still lives."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from model_queue import detached, processes
from model_queue.processes import Identity, Process
from waiting import eventually


@pytest.fixture
def sleeper() -> Iterator[Identity]:
    """A process in a group of its own, which nobody waits for before the end."""
    pid = os.posix_spawn("/bin/sleep", ["sleep", "60"], {}, setpgroup=0)
    identity = eventually(lambda: processes.identify(pid))
    yield identity
    os.killpg(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


def test_identity_names_pid_group_and_session(sleeper: Identity) -> None:
    assert sleeper.group == sleeper.pid
    assert sleeper.session == os.getsid(0)
    assert processes.group_is_alive(sleeper)


def test_a_zombie_is_dead(sleeper: Identity) -> None:
    os.kill(sleeper.pid, signal.SIGKILL)

    eventually(lambda: not processes.group_is_alive(sleeper))

    found = processes.find_process(sleeper.pid)
    assert found is not None
    assert found.is_dead


def test_kill_ends_the_group(sleeper: Identity) -> None:
    was_alive = processes.kill_group(sleeper, signal.SIGKILL)

    eventually(lambda: not processes.group_is_alive(sleeper))
    assert was_alive
    assert not processes.kill_group(sleeper, signal.SIGKILL)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda it: it._replace(started="0"), id="another start"),
        pytest.param(lambda it: it._replace(boot="another"), id="another boot"),
    ],
)
def test_a_process_under_a_used_again_number_is_neither_alive_nor_killed(
    sleeper: Identity, change: Callable[[Identity], Identity]
) -> None:
    stranger = change(sleeper)

    was_alive = processes.kill_group(stranger, signal.SIGKILL)

    assert not was_alive
    assert processes.group_is_alive(sleeper)


def test_a_group_lives_on_in_a_member_whose_leader_is_gone(tmp_path: Path) -> None:
    program = f"sleep 60 & echo $! > {tmp_path}/member; read line"
    argv = ["sh", "-c", program]
    with subprocess.Popen(argv, process_group=0, stdin=subprocess.PIPE) as leader:
        written = tmp_path / "member"
        eventually(lambda: written.exists() and written.read_text())
        member = int(written.read_text())
        identity = processes.identify(leader.pid)
    assert identity is not None

    is_alive = processes.group_is_alive(identity)
    processes.kill_group(identity, signal.SIGKILL)

    assert is_alive
    eventually(lambda: not processes.group_is_alive(identity))
    found = processes.find_process(member)
    assert found is None or found.is_dead


def test_a_group_under_the_same_number_in_another_session_is_a_strangers(
    sleeper: Identity,
) -> None:
    gone = sleeper._replace(pid=2**22 + 1, session=1)

    assert not processes.group_is_alive(gone)


@pytest.mark.parametrize("number", [-1, 0, 1])
@pytest.mark.parametrize("name", ["pid", "group"])
def test_nobody_is_signalled_by_a_number_that_is_no_process_of_ours(
    sleeper: Identity, monkeypatch: pytest.MonkeyPatch, name: str, number: int
) -> None:
    """``killpg(0)`` would end the caller's own group."""
    killed: list[int] = []
    monkeypatch.setattr(
        "model_queue.processes.os.killpg", lambda group, _: killed.append(group)
    )
    all_alike = Identity(number, number, 0, sleeper.started, sleeper.boot)
    one = sleeper._replace(pid=number, group=sleeper.group)
    other = sleeper._replace(group=number)

    was_alive = [
        processes.kill_group(each, signal.SIGKILL)
        for each in (all_alike, one if name == "pid" else other)
    ]

    monkeypatch.undo()
    assert was_alive == [False, False]
    assert killed == []


def test_a_group_that_the_leader_is_not_in_is_a_strangers(sleeper: Identity) -> None:
    elsewhere = sleeper._replace(group=os.getpgrp())

    assert not processes.group_is_alive(elsewhere)
    assert not processes.kill_group(elsewhere, signal.SIGTERM)


needs_environments = pytest.mark.skipif(
    not processes.has_environments(), reason="the system tells no environments"
)


@pytest.fixture
def marked() -> Iterator[Identity]:
    """A process that was started with a variable."""
    argv, environment = ["sleep", "60"], {"OTHER": "x", "MARK_OF_TEST": "a=b"}
    pid = os.posix_spawn("/bin/sleep", argv, environment, setpgroup=0)
    yield eventually(lambda: processes.identify(pid))
    os.killpg(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


def values(name: str) -> list[str]:
    """Return the values of a variable in all processes."""
    seen: list[str] = []

    def note(value: str) -> bool:
        seen.append(value)
        return False

    processes.with_variable(name, note)
    return seen


@needs_environments
def test_a_process_is_found_by_a_variable_that_it_was_started_with(
    marked: Identity,
) -> None:
    eventually(lambda: values("MARK_OF_TEST") == ["a=b"])

    found = processes.with_variable("MARK_OF_TEST", lambda value: value == "a=b")

    assert [each.pid for each in found] == [marked.pid]
    assert values("MARK_OF") == []
    assert processes.with_variable("MARK_OF_TEST", lambda _: False) == []


@needs_environments
def test_a_process_never_finds_itself_by_a_variable() -> None:
    program = (
        "import os; from model_queue import processes; "
        "print(processes.with_variable('MARK_OF_TEST', lambda _: True))"
    )
    environment = {"PYTHONPATH": os.pathsep.join(sys.path), "MARK_OF_TEST": "itself"}

    said = subprocess.check_output(
        [sys.executable, "-c", program], env=environment, text=True
    )

    assert said == "[]\n"


def test_a_system_without_proc_finds_nothing_by_a_variable(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(processes, "_PROC", str(tmp_path))

    assert not processes.has_environments()
    assert processes.with_variable("PATH", lambda _: True) == []


def test_single_processes_are_killed_unless_their_number_is_used_again(
    sleeper: Identity,
) -> None:
    found = processes.find_process(sleeper.pid)
    assert found is not None

    processes.kill_each([found._replace(started="0")], signal.SIGKILL)
    is_spared = processes.group_is_alive(sleeper)
    processes.kill_each([found], signal.SIGKILL)

    assert is_spared
    eventually(lambda: not processes.group_is_alive(sleeper))


def test_no_process_has_no_identity() -> None:
    assert processes.identify(2**22 + 1) is None


def test_boot_is_one_and_the_same_while_the_machine_runs() -> None:
    assert processes.boot_id() == processes.boot_id() != ""


def test_stat_of_a_process_with_brackets_in_its_name_is_read() -> None:
    line = b"7 (a) R 9 (b) S 1 5 3 " + b"0 " * 15 + b"4711 0 0"

    assert processes.parse_stat(line) == Process(7, 5, 3, "S", "4711")


def test_lines_of_ps_are_read() -> None:
    text = "  70  69 Ss   Wed Mar  4 16:51:00 2026\n  71  69 Z+   Thu Mar  5 06:01:10 2026\n"

    assert processes.parse_ps(text) == [
        Process(70, 69, 0, "Ss", "Wed Mar 4 16:51:00 2026"),
        Process(71, 69, 0, "Z+", "Thu Mar 5 06:01:10 2026"),
    ]
    assert [each.is_dead for each in processes.parse_ps(text)] == [False, True]


def test_a_system_without_proc_tells_the_same(
    sleeper: Identity, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(processes, "_PROC", str(tmp_path))

    found = processes.find_process(sleeper.pid)

    assert found is not None
    assert found.group == sleeper.group
    assert found in processes.group_members(sleeper.group)
    assert processes.find_process(2**22 + 1) is None


def test_a_lock_is_held_by_one_and_free_after_it_is_closed(tmp_path: Path) -> None:
    path = str(tmp_path / "lock")
    first = detached.try_lock(path)
    assert first is not None

    second = detached.try_lock(path)
    third = detached.try_lock(path, shared=True)
    os.close(first)
    fourth = detached.try_lock(path)

    assert (second, third) == (None, None)
    assert fourth is not None
    os.close(fourth)


def test_a_detached_process_holds_the_lock_that_its_starter_took(
    tmp_path: Path,
) -> None:
    lock = detached.try_lock(str(tmp_path / "lock"))
    assert lock is not None
    program = "import os; [line for line in open('go')]; print(os.environ, flush=True)"
    os.mkfifo(tmp_path / "go")
    program = f"import os; os.chdir({str(tmp_path)!r}); {program}"

    detached.detach(
        [sys.executable, "-I", "-S", "-c", program],
        environment={"MODEL_QUEUE_WORKER": "1", "MODEL_QUEUE_TASK": "T-1", "A": "b"},
        log_path=str(tmp_path / "log"),
        lock=lock,
    )
    os.close(lock)

    assert detached.try_lock(str(tmp_path / "lock"), shared=True) is None
    (tmp_path / "go").write_text("on")
    free = eventually(lambda: detached.try_lock(str(tmp_path / "lock")))
    os.close(free)
    said = (tmp_path / "log").read_text()
    assert "'A': 'b'" in said
    assert "MODEL_QUEUE" not in said
    eventually(lambda: detached.reap() == 0)


def test_a_process_that_cannot_be_started_is_an_error(tmp_path: Path) -> None:
    lock = detached.try_lock(str(tmp_path / "lock"))
    assert lock is not None

    with pytest.raises(FileNotFoundError):
        detached.detach(
            ["/no/such/python"],
            environment={},
            log_path=str(tmp_path / "log"),
            lock=lock,
        )

    os.close(lock)
