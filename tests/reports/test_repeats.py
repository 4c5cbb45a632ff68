"""Public reports of messages that were taken twice, not at all, or over others."""

from __future__ import annotations

import json

import pytest

from hosting import Host, seed_task, tasks_of
from model_queue.model import JsonObject

TASK = "add task: use glm5 to translate the page"


def ids(answer: JsonObject) -> list[object]:
    return [task["id"] for task in tasks_of(answer)]


def stored(host: Host, source: str = "cloud-nvidia") -> list[object]:
    path = host.queues / f"{source}.json"
    return [task["id"] for task in json.loads(path.read_text())["tasks"]]


def test_message_that_arrives_thrice_minutes_apart_is_taken_once(host: Host) -> None:
    """B124, openclaw/openclaw#59951: one message came three times, and each was done."""
    found: list[JsonObject] = []
    for _ in range(3):
        found.append(host.say(TASK, message_id="m-1", channel="telegram"))
        host.wait(90)

    assert [ids(answer) for answer in found] == [["T-001"]] * 3
    assert stored(host) == ["T-001"]


@pytest.mark.slow
def test_message_without_an_id_is_taken_once_within_two_minutes(host: Host) -> None:
    """B124, openclaw/openclaw#59951: without an id, its content in a window tells."""
    host.say(TASK)
    host.wait(59)
    soon = host.say(f"  {TASK} ")
    host.wait(62)
    later = host.say(TASK)

    assert ids(soon) == ["T-001"]
    assert ids(later) == ["T-002"]


@pytest.mark.slow
def test_command_that_arrives_thrice_has_its_effect_once(host: Host) -> None:
    """B124, openclaw/openclaw#59951: what is repeated need not be a task."""
    host.say(TASK)
    host.end("T-001", result="Bonjour.")
    for _ in range(3):
        host.say("rerun T-001", message_id="m-2")
        host.end("T-001", result="Bonsoir.")
        host.wait(60)

    assert host.task("T-001")["attempt"] == 2


@pytest.mark.slow
@pytest.mark.parametrize("name", ["message_id", "delivery_id"])
@pytest.mark.parametrize("part", ["host", "channel", "session_id"])
def test_same_id_of_another_account_or_chat_is_another_message(
    host: Host, part: str, name: str
) -> None:
    """B126, dimagi/open-chat-studio#4288: id 5 of bot A kept out id 5 of bot B."""
    chat = {"host": "openclaw", "channel": "telegram:bot-a", "session_id": "s-1"}

    first = host.say(TASK, **{**chat, name: "5"})
    second = host.say(TASK, **{**chat, part: "another", name: "5"})

    assert [ids(first), ids(second)] == [["T-001"], ["T-002"]]


def test_second_list_is_added_and_replaces_nothing(host: Host) -> None:
    """B127, eyaltoledano/claude-task-master#410: an import asked to overwrite tasks."""
    listed = "add tasks:\n1. use glm5 to read {0}\n2. use glm5 to translate {0}"
    host.say(listed.format("page one"))
    before = [host.task("T-001"), host.task("T-002")]

    host.say(listed.format("page two"))

    assert stored(host) == ["T-001", "T-002", "T-003", "T-004"]
    assert [host.task("T-001"), host.task("T-002")] == before


@pytest.mark.slow
def test_first_run_in_a_directory_with_tasks_keeps_them(host: Host) -> None:
    """B127, eyaltoledano/claude-task-master#410: setting up is no reason to overwrite."""
    done: JsonObject = {"id": "T-007", "status": "done", "note": "of another program"}
    host.put("cloud-nvidia", {**seed_task("T-007"), **done}, team="blue")

    host.say(TASK)

    assert stored(host) == ["T-007", "T-008"]
    assert host.task("T-007")["note"] == "of another program"
    queue = json.loads((host.queues / "cloud-nvidia.json").read_text())
    assert queue["team"] == "blue"
