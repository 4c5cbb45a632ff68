"""A queue whose file cannot be read stands still, and nobody speaks as if it was empty."""

from __future__ import annotations

from pathlib import Path

import pytest

from chat import Chat
from model_queue.model import JsonObject

TOML = """\
[sources.ollama-local]
launcher = "host"
[sources.ollama-remote]
launcher = "host"
[sources.cloud-nvidia]
launcher = "host"
"""


@pytest.fixture
def chat(tmp_path: Path) -> Chat:
    """A task runs in one queue, and one in another waits for it; then the file breaks."""
    chat = Chat.open(tmp_path, toml=TOML)
    chat.say("use qwen2.5 to read the report, then use glm5 to translate it")
    broken = chat.programs.queues / "ollama-local.json"
    broken.unlink()
    broken.write_text("{ not JSON", encoding="utf-8")
    return chat


def task_of(chat: Chat, source: str) -> JsonObject:
    tasks = chat.queue(source)["tasks"]
    assert isinstance(tasks, list)
    task = tasks[0]
    assert isinstance(task, dict)
    return task


def test_dependent_of_a_task_in_a_stopped_queue_waits(chat: Chat) -> None:
    """Blocked or skipped for a file that somebody mends would be lost work."""
    chat.heartbeat()

    assert task_of(chat, "cloud-nvidia")["status"] == "waiting"


@pytest.mark.parametrize("message", ["show T-001", "cancel T-001"])
def test_task_of_a_stopped_queue_is_not_said_to_be_unknown(
    chat: Chat, message: str
) -> None:
    reply = str(chat.say(message)["reply"])

    assert "no task T-001" not in reply
    assert "ollama-local.json does not parse at line 1" in reply
    assert "model-queue doctor --restore ollama-local" in reply


def test_status_names_the_command_that_brings_the_queue_back(chat: Chat) -> None:
    reply = str(chat.say("show status")["reply"])

    assert reply.count("model-queue doctor --restore ollama-local") >= 1


def test_dependent_goes_on_once_the_queue_is_back(chat: Chat) -> None:
    chat.heartbeat()
    chat.programs.cli("doctor", "--restore", "ollama-local")

    label = str(task_of(chat, "ollama-local")["claim"]["label"])  # type: ignore[index,call-overload] # a running task has one
    chat.exit(label, result="Up by 4%.")

    assert task_of(chat, "cloud-nvidia")["status"] == "running"
