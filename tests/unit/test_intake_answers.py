"""A short message names a choice, says yes or no, or is no answer at all."""

from __future__ import annotations

import datetime as dt

import pytest

from model_queue.intake.answers import Said, read, time_of

MODELS = ["ollama/qwen2.5", "ollama/mistral", "nvidia/z-ai/glm5"]
TASKS = ["T-003: list the invoices", "T-011: draft a reminder", "T-001: draft a letter"]
NOW = dt.datetime(2026, 12, 1, 9, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    "message",
    [
        "2",
        "２",
        "#2",
        "2.",
        "2)",
        "number 2",
        "no. 2",
        "option 2",
        "the second",
        "the second one",
        "the 2nd one, please",
        "I'd like the second",
        "two",
        "第二个",
        "第2个",
        "二",
        "选2",
        "就第二个吧",
        "用第2个",
        "2号",
        "mistral",
        "Mistral!",
        "ollama/mistral",
        "use mistral please",
        "用 mistral 吧",
        "“mistral”",
    ],
)
def test_the_second_is_named(message: str) -> None:
    assert read(message, MODELS) == Said("choice", 1)


@pytest.mark.parametrize(
    "message", ["last", "the last one", "最后一个", "glm5", "z-ai"]
)
def test_the_last_is_named(message: str) -> None:
    assert read(message, MODELS) == Said("choice", 2)


@pytest.mark.parametrize(
    "message", ["T-011", "t11", "T11", "the reminder", "2", "T-011 please"]
)
def test_a_task_is_named(message: str) -> None:
    assert read(message, TASKS) == Said("choice", 1)


@pytest.mark.parametrize(
    "message",
    [
        "ollama",
        "draft",
        "use qwen2.5 to list the invoices",
        "2 invoices are missing",
        "show status",
        "cancel T-003",
        "is it 2?",
        "1\n2",
        "x" * 500,
        "",
        "!!",
        "thanks",
        "谢谢",
        "第二个任务怎么样了",
        "把第二个取消",
    ],
)
@pytest.mark.parametrize("choices", [MODELS, TASKS])
def test_what_names_no_one_choice_is_no_answer(
    message: str, choices: list[str]
) -> None:
    assert read(message, choices) is None


@pytest.mark.parametrize(
    "message", ["yes", "Yes please!", "ok", "go ahead", "是的", "好的。", "确认"]
)
def test_yes(message: str) -> None:
    assert read(message, ["yes", "no"][:0]) == Said("yes")


@pytest.mark.parametrize(
    "message",
    ["no", "never mind", "cancel that", "none of them", "算了", "不用了", "都不是"],
)
def test_no(message: str) -> None:
    assert read(message, MODELS) == Said("no")


@pytest.mark.parametrize(
    ("message", "number"), [("7", 7), ("option 0", 0), ("第9个", 9), ("nine", 9)]
)
def test_a_number_that_no_choice_has_is_told_as_such(message: str, number: int) -> None:
    assert read(message, MODELS) == Said("number", number)


@pytest.mark.parametrize(
    ("message", "hours"),
    [
        ("in 2 hours", 2),
        ("tomorrow at 9am", 24),
        ("at 5pm", 8),
        ("两小时后", 2),
        ("明天上午9点", 24),
        ("2026-12-01 17:00", 8),
    ],
)
def test_time(message: str, hours: float) -> None:
    assert time_of(message, now=NOW, zone=dt.UTC) == NOW + dt.timedelta(hours=hours)


@pytest.mark.parametrize(
    "message", ["soon enough", "2", "list the invoices", "", "明白"]
)
def test_what_names_no_time(message: str) -> None:
    assert time_of(message, now=NOW, zone=dt.UTC) is None


@pytest.mark.parametrize(
    "message", ["open ai", "the open ai one", "OpenAI", "open_ai", "用 open ai 吧"]
)
def test_a_name_may_be_written_apart(message: str) -> None:
    assert read(message, ["cloud-nvidia", "open-ai"]) == Said("choice", 1)
