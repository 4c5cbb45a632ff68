"""Questions about what can be said, and the examples that answer them."""

from __future__ import annotations

import re

import pytest

from intake_samples import read
from model_queue.messages import topic_texts, topics


@pytest.mark.parametrize(
    "message",
    [
        "help",
        "Help!",
        "?",
        "hi, help me please",
        "what can you do?",
        "what can I say here?",
        "what commands are there?",
        "show me the commands",
        "how does this work?",
        "how do I cancel a task?",
        "how can I retry T-003?",
        "帮助",
        "你能帮我做什么",
        "怎么取消任务",
        "有哪些命令？",
    ],
)
def test_help_is_asked_for(message: str) -> None:
    parsed = read(message)

    assert (parsed.mode, parsed.topic, parsed.tasks) == ("none", "help", ())


@pytest.mark.parametrize(
    "message",
    [
        "help the team with the slides",
        "what can you say about the sales data?",
        "how do I list the files in this folder?",
        "show the commands that changed the file",
        "thanks!",
        "帮我写一份报告",
    ],
)
def test_other_messages_do_not_ask_for_help(message: str) -> None:
    assert read(message).topic == ""


def test_help_is_asked_for_behind_the_prefix_alone_in_an_ambient_chat() -> None:
    assert read("/mq help", scope="ambient").topic == "help"
    assert read("help", scope="ambient").topic == ""


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_each_example_of_the_answer_is_understood(lang: str) -> None:
    examples = re.findall(r"[\"“]([^\"”]+)[\"”]", topics.on_topic("help", lang=lang))

    modes = {example: read(example).mode for example in examples}

    assert len(examples) == 18
    assert [example for example, mode in modes.items() if mode in {"none", "ask"}] == []
    assert list(modes.values()).count("intake") == 2


def test_the_advice_on_a_command_that_would_wait_is_work_that_waits() -> None:
    for lang, half in zip(("en", "zh"), topic_texts.LATER, strict=True):
        (example,) = re.findall(r"[\"“]([^\"”]+)[\"”]", half)

        (task,) = read(example).tasks

        assert (task.depends_on, task.on_depends_fail) == (("T-004",), "skip"), lang
