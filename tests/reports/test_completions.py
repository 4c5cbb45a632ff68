"""Public reports of ends that nobody noticed: each pass looks for itself."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from chat import TOOLS, Chat
from cores import a_core, add, launcher_of, notices, tick
from fakes import START, a_task
from hosting import Host, actions
from model_queue import adding, submit
from model_queue.core import Core
from model_queue.model import Outcome, Status, Task
from model_queue.ports import Session, SessionState

SUCCESS = Outcome(result_status="success", result="42 rows", summary="42 rows")


def ended_unseen(core: Core, label: str) -> None:
    """End a session without any word to the queue."""
    launcher_of(core, "ollama-local").sessions[label] = Session(
        state=SessionState.ENDED, session_id=label, outcome=SUCCESS
    )


@pytest.fixture
def unseen(tmp_path: Path) -> Core:
    """One task whose session has ended, which nobody has told."""
    core = a_core(tmp_path)
    add(core, replace(a_task(""), id=""))
    tick(core)
    [task] = running(core)
    ended_unseen(core, str(task.label))
    return core


def running(core: Core) -> list[Task]:
    tasks = [core.store.get(a_task("T-001").ref)]
    return [task for task in tasks if task.status is Status.RUNNING]


@pytest.mark.slow
def test_end_whose_hand_off_failed_is_found_by_the_next_heartbeat(
    tmp_path: Path,
) -> None:
    """B001, openclaw/openclaw#77480: the push of the completion raised, and that was all."""
    tools = tmp_path / "TOOLS.md"
    breaks = f"cat >/dev/null; echo MODEL_QUEUE_MAX_RETRIES=no >> {tools}; "
    argv = ["sh", "-c", breaks + "printf 'All 42 rows.\\n\\nSummary: read it'"]
    toml = (
        f'[sources.ollama-local]\nlauncher = "command"\ncommand = {json.dumps(argv)}\n'
    )
    chat = Chat.open(tmp_path, toml=toml)
    whole = tools.read_text(encoding="utf-8")
    chat.say("add task: use qwen2.5 to read the table")
    chat.wait_for_sessions()
    before = chat.task("T-001")["status"]
    tools.write_text(whole, encoding="utf-8")

    answer = chat.heartbeat()

    assert before == "running"
    assert str(answer["reply"]).startswith("✅ T-001 done — read it")
    assert "All 42 rows." in str(chat.task("T-001")["result"])


def test_end_that_a_host_only_lists_is_taken_and_the_next_task_starts(
    host: Host,
) -> None:
    """B001, openclaw/openclaw#77480: a parent waits for ever for a child that has ended."""
    host.say("用 glm5 分析销售数据，然后写一份报告")
    label = host.spawned["T-001"]["label"]

    answer = host.beat(
        sessions=[{"label": label, "status": "done", "result": "All of it."}]
    )

    assert host.statuses("T-001", "T-002") == ["done", "running"]
    [spawn] = actions(answer, "spawn")
    assert "All of it." in str(spawn["prompt"])


@pytest.mark.slow
def test_host_that_says_nothing_is_asked(host: Host) -> None:
    """B001, openclaw/openclaw#77480: never rely on one way of hearing of an end."""
    host.say("add task: use glm5 to translate the page")
    label = host.spawned["T-001"]["label"]
    said = {"label": label, "session_id": "session-7", "status": "running"}
    host.beat(sessions=[said])
    host.wait(300)

    [poll] = actions(host.beat(), "poll")

    assert poll["labels"] == [label]


def test_question_about_the_state_looks_at_the_sessions_first(unseen: Core) -> None:
    """B003, openclaw/openclaw#84839: woken, the parent took the child for running."""
    asked = adding.Message(text="show status")

    answer = submit.intake(unseen, asked, now=START)

    assert "[ollama-local] 0 pending, 0 running, 1 done" in answer.text
    assert [text[:12] for text in notices(unseen)] == ["✅ T-001 done"]


def test_command_is_judged_by_what_is_so_and_not_by_what_was_written(
    unseen: Core,
) -> None:
    """B003, openclaw/openclaw#84839: a task that has ended is not stopped any more."""
    order = adding.Message(text="cancel T-001")

    answer = submit.intake(unseen, order, now=START)

    task = unseen.store.get(a_task("T-001").ref)
    assert (task.status, task.result) == (Status.DONE, "42 rows")
    assert answer.is_refused
    assert launcher_of(unseen, "ollama-local").stopped == []


@pytest.mark.slow
def test_session_that_runs_out_of_time_is_said_to_have(tmp_path: Path) -> None:
    """B006, openclaw/openclaw#84159: the time-out of a child gave silence."""
    argv = ["sh", "-c", "exec sleep 60"]
    toml = '[sources.ollama-local]\nlauncher = "command"\ntimeout_s = 1\n'
    toml += f"backoff_s = [0]\ncommand = {json.dumps(argv)}\n"
    tools = TOOLS + "MODEL_QUEUE_MAX_RETRIES=1\n"
    chat = Chat.open(tmp_path, tools=tools, toml=toml)
    chat.say("add task: use qwen2.5 to read the table")

    chat.wait_for("T-001", "failed")
    chat.wait_for_sessions()

    answer = chat.heartbeat()
    assert "❌ T-001 failed after 2 attempts" in str(answer["reply"])
    assert chat.task("T-001")["error_class"] == "timeout"
    log = (chat.programs.queues / "events.jsonl").read_text(encoding="utf-8")
    events = [json.loads(line)["event"] for line in log.splitlines()]
    assert events.count("fail_timeout") == 2


@pytest.mark.slow
def test_time_out_that_the_host_tells_is_tried_again_and_then_said(
    host: Host,
) -> None:
    """B006, openclaw/openclaw#84159: an explicit time-out follows the retry rules."""
    host.say("add task: use glm5 to translate the page")

    for _ in range(3):
        host.end("T-001", "timeout")
    last = host.end("T-001", "timeout")

    assert "❌ T-001 failed after 4 attempts" in str(last["reply"])
    assert "ran out of time" in str(last["reply"])
