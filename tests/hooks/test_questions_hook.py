"""A question and its answer through the real on-intake, as a host sees them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from chat import Chat
from model_queue.model import JsonObject

ASK = "Use llama3 to list the open invoices"


def objects(answer: JsonObject, name: str) -> list[JsonObject]:
    found = answer[name]
    assert isinstance(found, list)
    return [each for each in found if isinstance(each, dict)]


@pytest.fixture
def chat(tmp_path: Path) -> Chat:
    return Chat.open(tmp_path)


def test_the_action_names_the_choices_and_the_answer_starts_the_task(
    chat: Chat,
) -> None:
    asked = chat.say(ASK, session_id="s-1", message_id="m-1")
    [action] = [each for each in objects(asked, "actions") if each["type"] == "ask"]
    assert action["choices"] == ["ollama/llama3", "nvidia/llama3"]

    told = chat.say("1", session_id="s-1", message_id="m-2")

    assert [task["model"] for task in objects(told, "tasks")] == ["ollama/llama3"]
    origin = chat.wait_for("T-001")["origin"]
    assert isinstance(origin, dict)
    assert origin["message_id"] == "m-1"
    chat.wait_for_sessions()


def test_an_answer_that_is_delivered_again_adds_nothing(chat: Chat) -> None:
    chat.say(ASK, session_id="s-1", message_id="m-1")
    first = chat.say("1", session_id="s-1", message_id="m-2")

    again = chat.say("1", session_id="s-1", message_id="m-2")

    assert [task["id"] for task in objects(again, "tasks")] == ["T-001"]
    assert str(first["reply"]).splitlines()[0] == str(again["reply"]).splitlines()[0]
    assert len(objects(chat.queue(), "tasks")) == 1
    chat.wait_for("T-001")
    chat.wait_for_sessions()


def test_in_ambient_scope_what_is_no_answer_passes_unremarked(chat: Chat) -> None:
    chat.say(f"/mq {ASK}", scope="ambient", session_id="s-1")

    passed = chat.say("what is a monad?", scope="ambient", session_id="s-1")

    assert (passed["mode"], passed["reply"], passed["actions"]) == ("none", "", [])
    late = chat.say("1", scope="ambient", session_id="s-1")
    assert (late["mode"], late["reply"]) == ("none", "")


def test_undo_through_the_hook(chat: Chat) -> None:
    chat.say("pause ollama-local", session_id="s-1")
    chat.say("Use qwen2.5 to list the invoices", session_id="s-1")

    told = chat.say("undo", session_id="s-1")

    assert told["reply"] == "↩️ Taken back:\n🛑 T-001 cancelled"
    assert told["control"] == [
        {"command": "undo", "ids": [], "all": False, "queue": None, "value": None}
    ]


def test_answers_that_race_add_once(chat: Chat) -> None:
    chat.say(ASK, session_id="s-1", message_id="m-1")

    with ThreadPoolExecutor(4) as pool:
        told = list(
            pool.map(
                lambda n: chat.say("1", session_id="s-1", message_id=f"m-{n}"),
                range(2, 6),
            )
        )

    assert len(objects(chat.queue(), "tasks")) == 1
    heads = {str(answer["reply"]).splitlines()[0] for answer in told}
    late = "No question is open here: one waits 10 minutes for its answer."
    assert heads <= {"📋 Added T-001 to queue [ollama-local]", late}
    chat.wait_for("T-001")
    chat.wait_for_sessions()


def test_undos_that_race_take_back_once(chat: Chat) -> None:
    chat.say("Use glm5 to list the invoices tomorrow at 9am", session_id="s-1")

    with ThreadPoolExecutor(4) as pool:
        told = list(pool.map(lambda _: chat.say("undo", session_id="s-1"), range(4)))

    assert chat.task("T-001")["status"] == "cancelled"
    replies = [str(answer["reply"]) for answer in told]
    assert sum("🛑 T-001 cancelled" in reply for reply in replies) == 1
