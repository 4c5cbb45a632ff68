"""Public reports of tasks that nothing runs, or that count as running for ever."""

from __future__ import annotations

import datetime as dt
import json
import os
import signal
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from chat import Chat
from cores import a_core, add, get, tick
from fakes import START, a_task
from hosting import Host, actions
from model_queue.launchers import orphans
from model_queue.model import Status
from model_queue.processes import find_process
from waiting import eventually

HANGS_ONCE = (
    "cat >/dev/null; case {label} in *-a1-*) echo $$ > {session_dir}/here; "
    "exec sleep 60;; esac; printf 'All of it.\\n\\nSummary: did {task_id}'"
)
LOCAL = "ollama-local"
SPAWNED = "add task: use glm5 to translate the page"


@pytest.fixture
def hanging(tmp_path: Path) -> Iterator[Chat]:
    """Three sessions that hang, and would report at once when they are run again."""
    argv = json.dumps(["sh", "-c", HANGS_ONCE])
    toml = f'[sources.{LOCAL}]\nlauncher = "command"\nmax_concurrent = 3\n'
    chat = Chat.open(tmp_path, toml=f"{toml}lease_s = 600\ncommand = {argv}\n")
    for n in range(3):
        chat.say(f"add task: use qwen2.5 to summarize chapter {n}")
    sessions = chat.programs.queues / "sessions"
    eventually(lambda: len(list(sessions.glob("*-a1-*/here"))) == 3)
    yield chat
    for folder in sessions.iterdir():
        orphans.kill(str(folder))
    chat.wait_for_sessions()


def processes(chat: Chat, who: str) -> list[int]:
    """Return the pids of all sessions, or of their supervisors."""
    folders = (chat.programs.queues / "sessions").glob("*-a1-*")
    records = [json.loads((path / "process.json").read_text()) for path in folders]
    return [int(record[who]["pid"]) for record in records]


def kill(pids: Iterable[int], number: signal.Signals = signal.SIGKILL) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


def is_gone(pid: int) -> bool:
    found = find_process(pid)
    return found is None or found.is_dead


def attempts(chat: Chat) -> list[object]:
    return [chat.task(f"T-00{n}")["attempt"] for n in (1, 2, 3)]


@pytest.mark.slow
@pytest.mark.parametrize("who", [("supervisor",), ("supervisor", "session")])
def test_runs_of_a_killed_dispatcher_are_found_and_run_again(
    hanging: Chat, who: tuple[str, ...]
) -> None:
    """B025, openclaw/openclaw#75307: runs in flight at a crash stayed running for ever."""
    for each in who:
        kill(processes(hanging, each))
    hanging.wait_for_sessions()

    # A loaded machine may need more than one pass until the orphans are seen gone.
    eventually(lambda: hanging.heartbeat() and attempts(hanging) == [2, 2, 2])

    for n in (1, 2, 3):
        hanging.wait_for(f"T-00{n}")
    hanging.wait_for_sessions()
    assert attempts(hanging) == [2, 2, 2]
    assert [hanging.task(f"T-00{n}")["losses"] for n in (1, 2, 3)] == [1, 1, 1]


@pytest.mark.slow
def test_first_call_after_a_restart_sweeps_by_itself(hanging: Chat) -> None:
    """B026, openclaw/openclaw#78463: a restart left its tasks to a manual clean-up."""
    pids = [*processes(hanging, "supervisor"), *processes(hanging, "session")]
    kill(pids)
    hanging.wait_for_sessions()
    eventually(lambda: all(map(is_gone, pids)))

    hanging.say("show status")

    for n in (1, 2, 3):
        hanging.wait_for(f"T-00{n}")
    hanging.wait_for_sessions()
    assert attempts(hanging) == [2, 2, 2]


@pytest.mark.slow
def test_interrupted_run_is_released_at_once_and_not_after_its_lease(
    hanging: Chat,
) -> None:
    """B032, graphile/worker#204: Ctrl-C left locked jobs until a long time-out."""
    supervisors = processes(hanging, "supervisor")
    kill(supervisors, signal.SIGINT)
    kill(supervisors, signal.SIGINT)
    hanging.wait_for_sessions()

    hanging.heartbeat()

    sessions = processes(hanging, "session")
    assert all(map(is_gone, sessions))
    for n in (1, 2, 3):
        hanging.wait_for(f"T-00{n}")
    hanging.wait_for_sessions()
    assert attempts(hanging) == [2, 2, 2]
    assert [hanging.task(f"T-00{n}")["losses"] for n in (1, 2, 3)] == [1, 1, 1]


def test_start_that_never_came_is_made_after_the_lease(tmp_path: Path) -> None:
    """B029, ruvnet/ruflo#1863: in progress at 0 percent, and nothing consumes it."""
    core = a_core(tmp_path)
    add(core, replace(a_task(""), id=""))
    lease = dt.timedelta(minutes=2)
    core.store.claim(LOCAL, limit=1, lease=lease, now=START)

    tick(core, START + lease)

    task = get(core, "T-001")
    assert (task.status, task.attempt, task.losses) == (Status.RUNNING, 2, 1)
    assert task.error_message == "the session vanished without an outcome"


def test_host_that_starts_nothing_is_told_of_and_asked_again(host: Host) -> None:
    """B029, ruvnet/ruflo#1863: assigned, but there is no worker."""
    host.say(SPAWNED)
    host.wait(300)

    answer = host.say("show status")
    again = host.beat()

    assert "(handed to the agent runtime 5m ago, no word yet)" in str(answer["reply"])
    [spawn] = [*actions(answer, "spawn"), *actions(again, "spawn")]
    assert spawn["key"] == host.spawned["T-001"]["label"]


@pytest.mark.slow
def test_host_that_has_started_nothing_within_the_limit_is_complained_of_once(
    host: Host,
) -> None:
    """B029, ruvnet/ruflo#1863: a start that is overdue is said, with what helps."""
    host.say(SPAWNED)
    host.wait(1800 + 120)

    first = host.beat()
    host.wait(3600)
    second = host.beat()

    reply = str(first["reply"])
    assert "⚠️ T-001 was handed to the agent runtime 32m ago, and nothing" in reply
    assert '"cancel T-001"' in reply
    assert second["reply"] == "HEARTBEAT_OK"


@pytest.mark.slow
@pytest.mark.parametrize(
    "word",
    [
        pytest.param({"session_id": "session-7"}, id="its session id"),
        pytest.param({"percent_complete": 10}, id="a checkpoint"),
    ],
)
def test_host_that_has_spoken_of_its_session_is_not_complained_of(
    host: Host, word: dict[str, object]
) -> None:
    """B029, ruvnet/ruflo#1863: only what never began counts as never begun."""
    host.say(SPAWNED)
    label = host.spawned["T-001"]["label"]
    if "session_id" in word:
        host.beat(sessions=[{"label": label, "status": "running", **word}])
    else:
        host.chat.checkpoint(
            task_id="T-001", label=label, now="2026-03-04T16:52:00Z", **word
        )
    host.wait(600)

    answer = host.say("show status")

    assert "running: translate the page (started 10m ago" in str(answer["reply"])


def test_task_that_only_an_agent_runtime_starts_says_so_where_none_is(
    tmp_path: Path,
) -> None:
    """B030, ruvnet/ruflo#1423: tasks were mere records, and no engine ran them."""
    programs = Chat.open(tmp_path).programs

    added = programs.cli("intake", "use glm5 to translate the page")
    status = programs.cli("status")

    assert "sessions of [cloud-nvidia] are started by the agent runtime" in added.out
    assert "`model-queue tick --actions`" in added.out
    head = "[cloud-nvidia] 1 pending, 0 running, 0 done"
    assert f"{head} • waits for the agent runtime to start it\n" in status.out


@pytest.mark.slow
def test_task_behind_a_running_one_is_not_said_to_wait_for_the_runtime(
    host: Host,
) -> None:
    """B030, ruvnet/ruflo#1423: no such words where an engine runs them."""
    host.say(SPAWNED)
    host.say("add task: use glm5 to translate the other page")

    answer = host.say("show status")

    assert "[cloud-nvidia] 1 pending, 1 running, 0 done\n" in str(answer["reply"])


@pytest.mark.slow
def test_tasks_of_a_source_that_was_removed_are_said_to_stand_still(
    host: Host,
) -> None:
    """B030, ruvnet/ruflo#1423: no worker is attached to them any more."""
    host.say("pause cloud-nvidia")
    host.say(SPAWNED)
    tools = host.chat.programs.home / "TOOLS.md"
    lines = tools.read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines if "CLOUD_NVIDIA" not in line]
    tools.write_text("\n".join(kept), encoding="utf-8")
    toml = host.chat.programs.home / "task-queue.toml"
    toml.write_text("", encoding="utf-8")

    first = host.beat()
    second = host.beat()
    status = host.say("show status")

    reply = str(first["reply"])
    assert "⚠️ Queue [cloud-nvidia] has 1 task, but its source is not config" in reply
    assert "`MODEL_SOURCE_CLOUD_NVIDIA=nvidia/z-ai/glm5`" in reply
    assert '"cancel T-001"' in reply
    assert second["reply"] == "HEARTBEAT_OK"
    head = "[cloud-nvidia] 1 pending, 0 running, 0 done • paused"
    assert f"{head} • its source is not configured, nothing runs" in str(
        status["reply"]
    )
    host.say("cancel T-001")
    assert host.statuses("T-001") == ["cancelled"]
