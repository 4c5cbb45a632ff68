"""on-intake: a typed message becomes tasks, commands and a reply."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from chat import TOML, Chat
from model_queue.model import JsonObject
from programs import Programs


def kinds(answer: JsonObject) -> list[str]:
    actions = answer["actions"]
    assert isinstance(actions, list)
    return [str(action["type"]) for action in actions if isinstance(action, dict)]


def ids(answer: JsonObject) -> list[str]:
    tasks = answer["tasks"]
    assert isinstance(tasks, list)
    return [str(task["id"]) for task in tasks if isinstance(task, dict)]


def test_first_message_sets_up_the_queues_and_starts_the_task(chat: Chat) -> None:
    answer = chat.say("add task: analyze the sales data")

    reply = str(answer["reply"])
    assert reply.startswith(
        "⚙️ Model Queue initialized. 3 queues ready.\n\n📋 Added T-001"
    )
    assert answer["mode"] == "intake"
    assert ids(answer) == ["T-001"]
    assert kinds(answer) == ["cron"]
    assert chat.task("T-001")["attempt"] == 1


def test_second_message_sets_up_nothing(chat: Chat) -> None:
    chat.say("add task: analyze the sales data")

    answer = chat.say("add task: write the report")

    assert str(answer["reply"]).startswith("📋 Added T-002 to queue [ollama-local]")
    assert kinds(answer) == []


def test_task_of_a_host_source_comes_as_a_spawn_action(chat: Chat) -> None:
    answer = chat.say("add task: use glm5 to translate the page", cwd="/srv/site")

    actions = answer["actions"]
    assert isinstance(actions, list)
    spawn = actions[-1]
    assert isinstance(spawn, dict)
    assert spawn["type"] == "spawn"
    assert spawn["key"] == spawn["label"]
    assert (spawn["task_id"], spawn["attempt"]) == ("T-001", 1)
    assert (spawn["queue"], spawn["model"]) == ("cloud-nvidia", "nvidia/z-ai/glm5")
    assert spawn["cwd"] == "/srv/site"
    assert "You are executing task T-001 for model-queue." in str(spawn["prompt"])


def test_origin_of_a_task_is_kept(chat: Chat) -> None:
    chat.say(
        "add task: count the files",
        host="openclaw", channel="telegram", session_id="s-1", message_id="m-1",
    )  # fmt: skip

    assert chat.task("T-001")["origin"] == {
        "host": "openclaw", "channel": "telegram", "session": "s-1", "message_id": "m-1",
    }  # fmt: skip


def test_message_that_is_not_for_the_queue_leaves_no_trace(chat: Chat) -> None:
    answer = chat.say("What is the capital of France?", scope="ambient")

    assert (answer["mode"], answer["reply"], answer["tasks"]) == ("none", "", [])
    assert not chat.programs.queues.exists()


def test_message_that_is_not_for_the_queue_passes_a_bad_setting(tmp_path: Path) -> None:
    chat = Chat.open(tmp_path, tools="MODEL_QUEUE_MAX_RETRIES=many\n")

    answer = chat.say("What is the capital of France?", scope="ambient")

    assert (answer["mode"], answer["reply"]) == ("none", "")


def test_same_message_id_is_taken_once_and_answered_the_same(chat: Chat) -> None:
    first = chat.say("add task: count the files", message_id="m-1")

    second = chat.say("add task: count the files", message_id="m-1")

    added = str(first["reply"]).partition("\n\n")[2]
    assert added in str(second["reply"])
    assert ids(second) == ["T-001"]
    assert len(list_of(chat.queue()["tasks"])) == 1


def list_of(value: object) -> list[object]:
    assert isinstance(value, list)
    return value


def test_same_delivery_id_repeats_the_first_answer(chat: Chat) -> None:
    first = chat.say("show status", delivery_id="d-1")
    chat.say("add task: count the files")

    second = chat.say("show status", delivery_id="d-1")

    assert second == first


def test_delivery_id_of_another_channel_is_another_delivery(chat: Chat) -> None:
    chat.say("add task: count the files", delivery_id="1", channel="telegram")

    answer = chat.say("show status", delivery_id="1", channel="webchat")

    assert answer["mode"] == "status"


def test_delivery_that_was_cut_off_before_its_answer_adds_once(chat: Chat) -> None:
    """The answer is stored after it was printed, the tasks before: a crash in between."""
    chat.say("add task: count the files", delivery_id="d-1")
    seen = chat.programs.queues / ".state" / "seen"
    lines = seen.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines if "delivery" not in line]
    seen.write_text("".join(kept), encoding="utf-8")

    again = chat.say("add task: count the files", delivery_id="d-1")

    assert ids(again) == ["T-001"]


def test_what_is_refused_is_an_answer(chat: Chat) -> None:
    answer = chat.say("retry T-999")

    assert (answer["ok"], answer["mode"]) == (True, "control")
    assert "T-999" in str(answer["reply"])
    assert answer["control"] == [
        {
            "command": "retry",
            "ids": ["T-999"],
            "all": False,
            "queue": None,
            "value": None,
        }
    ]


def test_what_cannot_be_routed_is_asked_back(chat: Chat) -> None:
    answer = chat.say("add task: use llama3 to count the files", scope="addressed")

    assert answer["mode"] == "ask"
    assert kinds(answer)[-1] == "ask"
    assert answer["tasks"] == []


def test_without_sources_the_lines_to_add_are_told(tmp_path: Path) -> None:
    chat = Chat.open(tmp_path, tools="", toml="")

    answer = chat.say("add task: count the files")

    assert "MODEL_SOURCE_" in str(answer["reply"])
    assert answer["tasks"] == []
    assert not chat.programs.queues.exists()


@pytest.mark.parametrize("scope", ["addressed", "ambient"])
def test_timer_event_is_one_pass_and_no_task(chat: Chat, scope: str) -> None:
    event = "MODEL_QUEUE_DISPATCH: check queues and run pending tasks"

    answer = chat.say(event, scope=scope)

    assert answer["reply"] == "HEARTBEAT_OK"
    assert (answer["mode"], answer["tasks"], answer["dispatched"]) == ("none", [], [])
    assert isinstance(answer["queues"], dict)


def test_answer_is_in_the_language_of_the_locale(chat: Chat) -> None:
    chinese = chat.say("add task: count the files", locale="zh-CN")
    english = chat.say("加个任务：数一下文件", locale="en-US")

    assert re.search(r"[一-鿿]", str(chinese["reply"]).replace("count the files", ""))
    assert "📋 Added T-002" in str(english["reply"])


def test_notices_come_with_the_next_answer_of_their_chat_once(chat: Chat) -> None:
    chat.say("add task: count the files", channel="telegram", session_id="a")
    chat.wait_for("T-001")

    other = chat.say("show status", channel="telegram", session_id="b")
    own = chat.say("show status", channel="telegram", session_id="a")
    again = chat.say("show status", channel="telegram", session_id="a")

    assert "✅ T-001 done" not in str(other["reply"])
    assert "✅ T-001 done — done with T-001" in str(own["reply"])
    assert [n["kind"] for n in list_of(own["notices"]) if isinstance(n, dict)] == [
        "done"
    ]
    assert again["notices"] == []


def test_text_that_tries_to_close_the_quoting_stays_text(tmp_path: Path) -> None:
    """The prompt goes to the session on stdin; nothing of it is ever a command."""
    toml = TOML.replace("cat >/dev/null", "cat >$HOME/prompt")
    chat = Chat.open(tmp_path, toml=toml)
    message = "add task: print '\"; touch $HOME/owned; `touch $HOME/owned` $(touch owned) {x} now"

    chat.say(message)

    chat.wait_for("T-001")
    chat.wait_for_sessions()
    assert message.removeprefix("add task: ") in (tmp_path / "prompt").read_text()
    assert not (tmp_path / "owned").exists()


def test_now_stands_for_the_clock(chat: Chat) -> None:
    chat.say("add task: count the files", now="2026-03-04T16:51:00+01:00")

    assert chat.task("T-001")["added_at"] == "2026-03-04T15:51:00Z"


def test_source_added_later_gets_its_queue_at_the_next_intake(tmp_path: Path) -> None:
    programs = Programs(home=tmp_path)
    programs.configure("MODEL_SOURCE_HERE=a/b\n", "")
    chat = Chat(programs)
    chat.say("add task: count the files")
    programs.configure("MODEL_SOURCE_HERE=a/b\nMODEL_SOURCE_THERE=c/d\n", "")

    chat.say("add task: use d to sort the files")

    assert json.dumps(chat.queue("there")["models"]) == '["c/d"]'
