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


@pytest.mark.parametrize(
    ("message", "topic"),
    [
        ("which models are there?", "models"),
        ("what models do you have?", "models"),
        ("list models", "models"),
        ("what sources are there?", "models"),
        ("which models can I use?", "models"),
        ("有哪些模型？", "models"),
        ("clear finished tasks", "archive"),
        ("delete all done tasks please", "archive"),
        ("clear the failed and finished tasks", "archive"),
        ("archive T-003", "archive"),
        ("清理已完成的任务", "archive"),
    ],
)
def test_what_the_queue_knows_is_asked_for(message: str, topic: str) -> None:
    parsed = read(message)

    assert (parsed.mode, parsed.topic, parsed.commands) == ("none", topic, ())


@pytest.mark.parametrize(
    "message",
    [
        "compare the available models",
        "delete the old files",
        "remove failed logins from the report",
        "list the models in the catalogue of Tesla",
    ],
)
def test_work_on_such_things_is_work(message: str) -> None:
    assert [task.text for task in read(message).tasks] == [message]


def test_the_models_of_each_source_are_told() -> None:
    sources = {"quick": ("ollama/llama3", "ollama/mistral"), "deep": ("nvidia/glm5",)}

    english = topics.on_models(sources, "deep")
    chinese = topics.on_models(sources, "deep", lang="zh")

    assert english.splitlines() == [
        "• quick: ollama/llama3, ollama/mistral",
        "• deep: nvidia/glm5 (where no other is named)",
        'To choose one, name it with the work: "use ollama/llama3 to summarize report.md".',
    ]
    assert chinese.splitlines()[0] == "• quick：ollama/llama3、ollama/mistral"


def test_help_is_asked_for_behind_the_prefix_alone_in_an_ambient_chat() -> None:
    assert read("/mq help", scope="ambient").topic == "help"
    assert read("help", scope="ambient").topic == ""


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_each_example_of_the_answer_is_understood(lang: str) -> None:
    examples = re.findall(r"[\"“]([^\"”]+)[\"”]", topics.on_topic("help", lang=lang))

    understood = [read(example) for example in examples]

    assert [parsed.mode for parsed in understood].count("intake") == 2
    assert [parsed.topic for parsed in understood].count("models") == 1
    assert {parsed.mode for parsed in understood if not parsed.topic} == {
        "intake",
        "control",
        "status",
    }


def test_the_advice_on_a_command_that_would_wait_is_work_that_waits() -> None:
    for lang, half in zip(("en", "zh"), topic_texts.LATER, strict=True):
        (example,) = re.findall(r"[\"“]([^\"”]+)[\"”]", half)

        (task,) = read(example).tasks

        assert (task.depends_on, task.on_depends_fail) == (("T-004",), "skip"), lang
