"""on-checkpoint: progress is kept, and the session is told whether to go on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chat import Chat, answer_of, error_of
from model_queue.model import JsonObject

HOOK = "on-checkpoint"


@pytest.fixture
def label(chat: Chat) -> str:
    """The attempt of T-001, which a host session holds."""
    chat.say("add task: use glm5 to translate the page")
    claim = chat.task("T-001")["claim"]
    assert isinstance(claim, dict)
    return str(claim["label"])


def saved(chat: Chat) -> JsonObject:
    path = chat.programs.queues / "checkpoints" / "T-001.json"
    wire = json.loads(path.read_text(encoding="utf-8"))
    assert isinstance(wire, dict)
    return wire


def program(chat: Chat) -> str:
    return str(chat.programs.root / "hooks" / HOOK)


def test_progress_is_kept_and_the_session_goes_on(chat: Chat, label: str) -> None:
    answer = chat.checkpoint(
        task_id="T-001", label=label, percent_complete=40,
        last_action="read 3 files", next_action="compare them",
        agent_id="a-1", now="2026-03-04T17:00:00Z",
    )  # fmt: skip

    assert (answer["directive"], answer["reason"]) == ("continue", "")
    assert saved(chat) == {
        "task_id": "T-001",
        "percent_complete": 40,
        "last_action": "read 3 files",
        "next_action": "compare them",
        "agent_id": "a-1",
        "written_at": "2026-03-04T17:00:00Z",
    }


def test_what_is_left_out_keeps_its_last_value(chat: Chat, label: str) -> None:
    chat.checkpoint(task_id="T-001", percent_complete=40, last_action="read")

    chat.checkpoint(task_id="T-001", label=label, next_action="compare")

    found = saved(chat)
    assert (found["percent_complete"], found["last_action"]) == (40, "read")
    assert found["next_action"] == "compare"


def test_flags_stand_for_the_input(chat: Chat, label: str) -> None:
    flags = ["--task", "T-001", f"--label={label}", "--percent", "70"]
    flags += ["--last", "did this", "--next=do that", "--agent", "a-2"]

    ran = chat.programs.run([program(chat), *flags])

    assert answer_of(HOOK, ran)["directive"] == "continue"
    found = saved(chat)
    assert (found["percent_complete"], found["agent_id"]) == (70, "a-2")
    assert (found["last_action"], found["next_action"]) == ("did this", "do that")


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        pytest.param(["--percent", "101"], "percent_complete is 101", id="above 100"),
        pytest.param(["--percent", "half"], 'percent_complete is "half"', id="word"),
        pytest.param(["--percent", "-1"], 'percent_complete is "-1"', id="negative"),
        pytest.param(["--next"], "--next has no value", id="no value"),
    ],
)
def test_flag_with_a_bad_value_is_refused(
    chat: Chat, flags: list[str], told: str
) -> None:
    ran = chat.programs.run([program(chat), "--task", "T-001", *flags])

    assert ran.code == 3
    assert told in str(error_of(HOOK, ran)["message"])


def test_task_and_label_default_to_the_session_around(chat: Chat, label: str) -> None:
    ran = chat.programs.run(
        [program(chat), "--percent", "10"],
        MODEL_QUEUE_WORKER="1", MODEL_QUEUE_TASK="T-001", MODEL_QUEUE_LABEL=label,
    )  # fmt: skip

    assert answer_of(HOOK, ran)["directive"] == "continue"
    assert saved(chat)["percent_complete"] == 10


def test_label_alone_finds_the_task(chat: Chat, label: str) -> None:
    answer = chat.checkpoint(label=label, percent_complete=20)

    assert answer["directive"] == "continue"


def test_uuid_names_the_task(chat: Chat, label: str) -> None:
    uuid = chat.task("T-001")["uuid"]

    answer = chat.checkpoint(task_id=uuid, label=label, percent_complete=20)

    assert answer["directive"] == "continue"


def test_without_a_task_it_is_refused(chat: Chat) -> None:
    ran = chat.programs.hook(HOOK, percent_complete=20)

    error = error_of(HOOK, ran)
    assert (ran.code, error["code"]) == (3, "hook_input")
    assert "task_id" in str(error["message"])


@pytest.mark.parametrize("task_id", ["T-999", "1f3c9a7e-0000-4000-8000-000000000001"])
def test_task_that_nobody_has_is_an_error(chat: Chat, task_id: str) -> None:
    ran = chat.programs.hook(HOOK, task_id=task_id)

    assert (ran.code, error_of(HOOK, ran)["code"]) == (5, "task_not_found")


def test_paused_task_answers_pause(chat: Chat, label: str) -> None:
    chat.say("pause T-001")

    answer = chat.checkpoint(task_id="T-001", label=label, percent_complete=50)

    assert answer["directive"] == "pause"
    assert "T-001 is paused" in str(answer["reason"])


def test_cancelled_task_answers_stop(chat: Chat, label: str) -> None:
    chat.say("cancel T-001")

    answer = chat.checkpoint(task_id="T-001", label=label, percent_complete=50)

    assert answer["directive"] == "stop"
    assert "T-001 is cancelled" in str(answer["reason"])


def test_older_attempt_is_told_to_stop(chat: Chat, label: str) -> None:
    chat.exit(label, "failed", error="the page is gone")
    chat.heartbeat(now="2199-01-01T00:00:00Z")

    answer = chat.checkpoint(task_id="T-001", label=label, percent_complete=50)

    assert answer["directive"] == "stop"
    assert "another attempt holds T-001" in str(answer["reason"])


def test_blocked_session_blocks_its_task_and_stops(chat: Chat, label: str) -> None:
    answer = chat.checkpoint(
        task_id="T-001", label=label, blocked_reason="the password is missing"
    )

    assert answer["directive"] == "stop"
    task = chat.task("T-001")
    assert (task["status"], task["blocked_reason"]) == (
        "blocked",
        "the password is missing",
    )
    assert isinstance(answer["actions"], list)
    assert [a["type"] for a in answer["actions"] if isinstance(a, dict)] == ["stop"]


def test_notices_of_the_chat_are_not_taken_by_a_session(chat: Chat, label: str) -> None:
    chat.say("add task: count the files")
    chat.wait_for("T-002")

    answer = chat.checkpoint(task_id="T-001", label=label, percent_complete=50)

    assert (answer["notices"], answer["reply"]) == ([], "")
    assert "✅ T-002 done" in str(chat.heartbeat()["reply"])


def test_command_in_the_prompt_works_as_it_stands(tmp_path: Path) -> None:
    """A session is told how to save its progress; it runs that line in its shell."""
    script = (
        'line=$(grep on-checkpoint | sed "s/--percent N/--percent 33/"); '
        'eval "$line" >/dev/null; echo Done.'
    )
    toml = (
        '[sources.ollama-local]\nlauncher = "command"\n'
        f'command = ["sh", "-c", {json.dumps(script)}]\n'
    )
    chat = Chat.open(tmp_path, toml=toml)
    chat.say("add task: count the files")

    chat.wait_for("T-001")

    chat.wait_for_sessions()
    assert saved(chat)["percent_complete"] == 33
