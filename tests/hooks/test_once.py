"""A host may deliver anything again, also after a crash of ours: it has its effect once."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from chat import Chat, answer_of
from model_queue.model import JsonObject
from programs import ROOT

pytestmark = pytest.mark.slow

SPAWNED = "add task: use glm5 to translate the page"


def forget(chat: Chat, *words: str) -> None:
    """Drop the seen keys that hold all words, as if a crash had come before them."""
    seen = chat.programs.queues / ".state" / "seen"
    lines = seen.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines if not all(word in line for word in words)]
    assert len(kept) < len(lines)
    seen.write_text("".join(kept), encoding="utf-8")


def the_label(chat: Chat, task_id: str = "T-001") -> str:
    claim = chat.task(task_id)["claim"]
    assert isinstance(claim, dict)
    return str(claim["label"])


def end(chat: Chat, task_id: str = "T-001") -> None:
    chat.exit(the_label(chat, task_id), result="Bonjour.")


def kinds(answer: JsonObject) -> list[object]:
    actions = answer["actions"]
    assert isinstance(actions, list)
    return [action["type"] for action in actions if isinstance(action, dict)]


def test_command_with_the_same_message_id_is_carried_out_once(chat: Chat) -> None:
    chat.say(SPAWNED)
    end(chat)
    first = chat.say("rerun T-001", message_id="m-1")
    end(chat)

    again = chat.say("rerun T-001", message_id="m-1")

    assert (chat.task("T-001")["status"], chat.task("T-001")["attempt"]) == ("done", 2)
    assert str(again["reply"]).startswith(str(first["reply"]))


def test_command_on_all_tasks_reaches_none_that_came_later(chat: Chat) -> None:
    chat.say("pause cloud-nvidia")
    chat.say(SPAWNED)
    chat.say("cancel all tasks", message_id="m-1")
    chat.say("add task: use glm5 to translate the other page")

    chat.say("cancel all tasks", message_id="m-1")

    assert chat.task("T-001")["status"] == "cancelled"
    assert chat.task("T-002")["status"] == "pending"


def test_refused_command_is_not_carried_out_when_it_comes_again(chat: Chat) -> None:
    chat.say(SPAWNED)
    first = chat.say("rerun T-001", message_id="m-1")
    end(chat)

    again = chat.say("rerun T-001", message_id="m-1")

    assert chat.task("T-001")["status"] == "done"
    assert str(first["reply"]) in str(again["reply"])


def test_command_that_was_cut_off_after_its_effect_is_not_repeated(chat: Chat) -> None:
    chat.say(SPAWNED)
    end(chat)
    chat.say("rerun T-001", message_id="m-1")
    end(chat)
    forget(chat, "m-1", 'u001f0"')

    again = chat.say("rerun T-001", message_id="m-1")

    assert (chat.task("T-001")["status"], chat.task("T-001")["attempt"]) == ("done", 2)
    assert "T-001" in str(again["reply"])


def test_command_that_was_cut_off_between_two_tasks_does_the_rest(chat: Chat) -> None:
    chat.say(SPAWNED)
    chat.say("add task: use glm5 to translate the other page")
    end(chat, "T-001")
    end(chat, "T-002")
    chat.say("rerun T-001, T-002", message_id="m-1")
    end(chat, "T-001")
    forget(chat, "m-1", 'u001f0"')
    forget(chat, "m-1", "T-002")
    chat.say("cancel T-002")

    chat.say("rerun T-001, T-002", message_id="m-1")

    assert (chat.task("T-001")["status"], chat.task("T-001")["attempt"]) == ("done", 2)
    assert chat.task("T-002")["status"] in {"pending", "running"}


def test_priority_and_holds_are_set_once(chat: Chat) -> None:
    chat.say("pause cloud-nvidia", message_id="m-1")
    chat.say(SPAWNED)
    chat.say("priority T-001 5", message_id="m-2")
    chat.say("priority T-001 1")
    chat.say("resume cloud-nvidia")

    chat.say("pause cloud-nvidia", message_id="m-1")
    chat.say("priority T-001 5", message_id="m-2")

    assert chat.queue("cloud-nvidia").get("paused") is None
    assert chat.task("T-001")["priority"] == 1


def test_command_without_an_id_is_carried_out_each_time(chat: Chat) -> None:
    chat.say(SPAWNED)
    end(chat)
    chat.say("rerun T-001")
    end(chat)

    chat.say("rerun T-001")

    assert (chat.task("T-001")["status"], chat.task("T-001")["attempt"]) == (
        "running",
        3,
    )


def test_command_of_another_chat_with_the_same_id_is_another_one(chat: Chat) -> None:
    chat.say(SPAWNED)
    chat.say("priority T-001 5", message_id="1", channel="telegram")

    chat.say("priority T-001 1", message_id="1", channel="webchat")

    assert chat.task("T-001")["priority"] == 1


@pytest.mark.parametrize("n_times", [2, 4])
def test_exit_that_comes_again_moves_nothing(chat: Chat, n_times: int) -> None:
    chat.say(SPAWNED + "; then use glm5 to write a report")
    label = the_label(chat)

    answers = [chat.exit(label, result="Bonjour.") for _ in range(n_times)]

    told = [notice for answer in answers for notice in notices(answer)]
    assert [answer["dispatched"] for answer in answers] == [
        ["T-002"],
        *[[]] * (n_times - 1),
    ]
    assert (chat.task("T-001")["status"], chat.task("T-001")["attempt"]) == ("done", 1)
    assert len(told) == 1
    assert not list((chat.programs.queues / "results").glob("*.late*"))


def test_exit_and_checkpoint_of_an_older_attempt_move_nothing(chat: Chat) -> None:
    chat.say(SPAWNED)
    old = the_label(chat)
    chat.exit(old, "failed", error="HTTP 429 Too Many Requests, retry-after: 0")
    chat.heartbeat(now="2199-01-01T00:00:00Z")
    before = chat.task("T-001")

    for _ in range(2):
        chat.exit(old, "failed", error="the page is gone")
        told = chat.checkpoint(label=old, percent_complete=99, last_action="old")
        assert told["directive"] == "stop"

    after = chat.task("T-001")
    assert before["attempt"] == 2
    assert (after["status"], after["attempt"]) == ("running", 2)
    assert the_label(chat) != old
    assert not (chat.programs.queues / "checkpoints" / "T-001.json").exists()


def notices(answer: JsonObject) -> list[object]:
    found = answer["notices"]
    assert isinstance(found, list)
    return [*found]


def test_first_run_whose_answer_never_came_out_is_told_again(chat: Chat) -> None:
    """A host that was never asked for its timer would have no backup."""
    reading, writing = os.pipe()
    os.close(reading)
    subprocess.run(
        [ROOT / "hooks" / "on-intake"],
        input=b'{"message": "add task: use glm5 to translate the page"}',
        stdout=writing,
        stderr=subprocess.DEVNULL,
        env=chat.programs.surroundings(),
        cwd=chat.programs.home,
        check=False,
    )
    os.close(writing)

    at_once = chat.say("show status")
    later = chat.say("show status", now="2199-01-01T00:00:00Z")
    latest = chat.say("show status", now="2199-01-01T00:01:00Z")

    assert kinds(at_once) == []
    assert str(later["reply"]).startswith("⚙️ Model Queue initialized. 3 queues ready.")
    assert "cron" in kinds(later)
    assert "cron" not in kinds(latest)
    assert not (chat.programs.queues / ".state" / "first-run").exists()


@pytest.mark.parametrize(
    ("trouble", "said"),
    [
        pytest.param("raise StoreError('the disk is full')", "the disk is full", id="a store that fails"),
        pytest.param("raise ValueError('odd')", ".state/log", id="a fault of ours"),
        pytest.param("time.sleep(30)", "was given up", id="too slow"),
    ],
)  # fmt: skip
def test_tasks_that_were_added_are_told_whatever_the_pass_after_it_meets(
    chat: Chat, trouble: str, said: str
) -> None:
    """A person who is told of an error asks again, and has the work done twice."""
    chat.say("show status")
    code = f"""
import sys, time
sys.path.append({str(ROOT / "lib")!r})
from model_queue import dispatch, hooks
from model_queue.errors import StoreError

def tick(*_, **__):
    {trouble}

dispatch.tick = tick
hooks.LIMIT_S = 6
payload = b'{{"message": "add task: use glm5 to translate the page"}}'
hooks.main("on-intake", payload, [], time.time())
"""

    ran = chat.programs.run([sys.executable, "-I", "-S", "-c", code])

    told = answer_of("on-intake", ran)
    assert "Added T-001" in str(told["reply"])
    assert said in str(told["reply"])
    assert chat.task("T-001")["status"] == "pending"
