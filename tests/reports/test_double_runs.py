"""Public reports of work that was done twice: here one attempt holds a task at a time."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from chat import Chat
from cores import a_core, add, end, get, launcher_of, tick
from fakes import START, RecordingLauncher, a_task
from hosting import Host, actions, tasks_of
from model_queue.core import Core
from model_queue.model import Outcome, Status, Task
from model_queue.ports import Launch, Started
from model_queue.store import QueueMeta
from programs import ROOT
from stamps import command, stamps, write_session

SUCCESS = Outcome(result_status="success", result="42 rows", summary="42 rows")


def draft() -> Task:
    return replace(a_task(""), id="")


class Interrupted(RecordingLauncher):
    """A launcher during whose start another pass runs."""

    def __init__(self, meanwhile: Callable[[], object]) -> None:
        super().__init__()
        self._meanwhile = meanwhile

    def start(self, launch: Launch) -> Started:
        self._meanwhile()
        return super().start(launch)


def launched(core: Core) -> list[str]:
    return [launch.task_id for launch in launcher_of(core, "ollama-local").launches]


@pytest.mark.slow
def test_three_workers_on_six_tasks_do_each_once(tmp_path: Path) -> None:
    """B017, anthropics/claude-code#22239: two of three workers did the same task."""
    write_session(tmp_path)
    toml = '[sources.ollama-local]\nlauncher = "command"\nmax_concurrent = 6\n'
    toml += command(tmp_path, "ollama-local", seconds=0.2)
    chat = Chat.open(tmp_path, toml=toml)
    chat.say("pause ollama-local")
    for n in range(6):
        chat.say(f"add task: use qwen2.5 to summarize chapter {n}")
    path = chat.programs.queues / "ollama-local.json"
    path.write_text(json.dumps(dict(chat.queue(), paused=None)), encoding="utf-8")

    workers = [
        subprocess.Popen(
            [str(ROOT / "hooks" / "on-heartbeat")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=tmp_path,
            env=chat.programs.surroundings(),
        )
        for _ in range(3)
    ]
    answers = [json.loads(worker.communicate(b"{}")[0]) for worker in workers]

    chat.wait_for_sessions()
    dispatched = [task_id for answer in answers for task_id in answer["dispatched"]]
    starts = [s.task_id for s in stamps(tmp_path, "ollama-local") if s.word == "start"]
    assert sorted(dispatched) == sorted(starts) == [f"T-00{n}" for n in range(1, 7)]


def test_pass_in_the_midst_of_another_starts_nothing_twice(tmp_path: Path) -> None:
    """B019, greeves89/AI-Employee#548: a second tick came between the look and the claim."""
    core = a_core(tmp_path, ollama_local={"max_concurrent": 2})
    passes: list[int] = []

    def meanwhile() -> None:
        passes.append(1)
        tick(core)

    launcher = Interrupted(meanwhile)
    core = core._replace(launchers={**core.launchers, "ollama-local": launcher})
    add(core, *(draft() for _ in range(4)))

    tick(core)

    assert len(passes) == 2
    assert sorted(launched(core)) == ["T-001", "T-002"]


def test_pass_between_a_look_at_the_queues_and_the_claim_takes_no_slot_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B019, greeves89/AI-Employee#548: queue length and status were read apart."""
    core = a_core(tmp_path)
    add(core, draft(), draft())
    look = core.store.queues
    is_nested: list[int] = []

    def then_another_pass() -> list[QueueMeta]:
        found = list(look())
        if not is_nested:
            is_nested.append(1)
            tick(core)
        return found

    monkeypatch.setattr(core.store, "queues", then_another_pass)

    tick(core)

    assert launched(core) == ["T-001"]


def test_second_heartbeat_beside_a_live_session_does_nothing(tmp_path: Path) -> None:
    """B021, paperclipai/paperclip#11165: a second run began beside the live one."""
    core = a_core(tmp_path)
    add(core, draft())
    tick(core)
    held = get(core, "T-001")

    second = tick(core)

    assert (second.dispatched, second.actions) == ([], [])
    assert launched(core) == ["T-001"]
    assert get(core, "T-001") == held


def test_second_spawn_of_a_live_host_session_has_the_same_key(host: Host) -> None:
    """B021, paperclipai/paperclip#11165: what is offered again is no second run."""
    host.say("add task: use glm5 to translate the page")
    first = host.spawned["T-001"]
    host.wait(130)

    again = host.beat()

    assert [spawn["key"] for spawn in actions(again, "spawn")] == [first["key"]]
    assert host.task("T-001")["attempt"] == 1


@pytest.mark.slow
def test_same_work_for_the_same_source_is_queued_once(host: Host) -> None:
    """B022, justinchuby/flightdeck#24: the same work was queued twice and done twice."""
    host.say("add task: use glm5 to translate the page")
    host.wait(60)

    again = host.say("add task: use glm5 to translate the page")

    assert [task["id"] for task in tasks_of(again)] == ["T-001"]
    assert "nothing was added twice" in str(again["reply"])


@pytest.mark.slow
def test_queued_copy_for_another_source_can_be_cancelled_and_never_runs(
    host: Host,
) -> None:
    """B022, justinchuby/flightdeck#24: a queued copy could not be cancelled.

    Two sources that were named on purpose are two answers to compare: both are queued.
    """
    host.say("add task: use mistral to name the trees")
    host.say("add task: use mistral to translate the page")
    host.say("add task: use glm5 to translate the page")
    host.end("T-003", result="Bonjour.")

    cancelled = host.say("cancel T-002")
    host.end("T-001", result="Oak.")

    assert "T-002 cancelled" in str(cancelled["reply"])
    assert host.statuses("T-001", "T-002", "T-003") == ["done", "cancelled", "done"]
    assert "T-002" not in host.spawned


def test_finished_task_is_never_taken_up_again(tmp_path: Path) -> None:
    """B112, HKUDS/nanobot#2797: a done task was redone at each heartbeat."""
    core = a_core(tmp_path)
    add(core, draft())
    tick(core)
    end(core, "T-001", SUCCESS)
    done = get(core, "T-001")

    for _ in range(5):
        tick(core, START)

    assert done.status is Status.DONE
    assert get(core, "T-001") == done
    assert launched(core) == ["T-001"]
