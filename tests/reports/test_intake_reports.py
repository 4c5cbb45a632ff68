"""Reports of messages that were torn apart, garbled or misread by their day."""

from __future__ import annotations

import json
import subprocess

import pytest

from chat import Chat
from hosting import tasks_of


@pytest.fixture
def chat(tmp_path_factory: pytest.TempPathFactory) -> Chat:
    """A chat on a directory of its own."""
    return Chat.open(tmp_path_factory.mktemp("chat"))


def descriptions(chat: Chat, message: str) -> list[str]:
    """Return the texts of the tasks that a message adds."""
    return [str(task["description"]) for task in tasks_of(chat.say(message))]


def test_b115_a_version_and_a_clause_do_not_tear_a_task(chat: Chat) -> None:
    message = "Deploy the Node.js app v2.0; works on Chrome."

    assert descriptions(chat, message) == [message.rstrip(".")]


@pytest.mark.parametrize(
    "message",
    [
        "1: sort a\n2: sort b",
        "1. sort a\n2. sort b",
        "1) sort a\n2) sort b",
        "1、sort a\n2、sort b",
        "(1) sort a\n(2) sort b",
        "① sort a\n② sort b",
        "一、sort a\n二、sort b",
        "第一步 sort a\n第二步 sort b",
    ],
)
def test_b117_every_common_marker_begins_an_item(chat: Chat, message: str) -> None:
    assert descriptions(chat, message) == ["sort a", "sort b"]


def test_b119_a_full_width_sign_behind_a_number_is_read_and_kept(chat: Chat) -> None:
    assert descriptions(chat, "用３个模型；２、写报告。") == ["用３个模型；２、写报告"]


def test_b041_a_stray_surrogate_becomes_text_that_can_be_read_again(chat: Chat) -> None:
    (added,) = tasks_of(chat.say("add task: sort the \ud83d mail"))
    queue = chat.programs.queues / f"{added['queue']}.json"

    stored = json.loads(queue.read_bytes().decode("utf-8"))

    assert stored["tasks"][0]["description"] == "sort the \ufffd mail"


@pytest.mark.parametrize(
    "garbled", [b"\xd7", "写报告".encode("gbk")], ids=["B041", "B122"]
)
@pytest.mark.parametrize("command", ["intake", "parse"])
def test_b041_b122_bytes_that_are_not_utf8_are_refused(
    chat: Chat, command: str, garbled: bytes
) -> None:
    programs = chat.programs
    done = subprocess.run(
        [str(programs.root / "scripts" / "model-queue"), command, "-"],
        input=b"add task: " + garbled,
        capture_output=True,
        cwd=programs.home,
        env=programs.surroundings(),
        check=False,
    )

    assert done.returncode == 3
    assert done.stderr.decode().startswith("stdin is not UTF-8 (byte 1")
    assert not programs.queues.exists()
