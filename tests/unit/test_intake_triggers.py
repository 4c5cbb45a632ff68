"""Trigger words of the user's own, and the words without which nothing is ours."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from intake_samples import CATALOG, read, texts
from model_queue.intake import words
from model_queue.intake.lexicon import SLOTS
from model_queue.intake.normalize import normalize, simplified
from model_queue.intake.phrases import CONTAINERS, LANGUAGES, tables

OWN = CATALOG._replace(triggers=("zur Erledigung", "mq!", "夜班處理"))


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("zur Erledigung: prüfe das", "prüfe das"),
        ("Zur Erledigung prüfe das", "prüfe das"),
        ("mq! count the files", "count the files"),
        ("夜班处理：整理日志", "整理日志"),
        ("夜班處理整理日誌", "整理日誌"),
    ],
)
@pytest.mark.parametrize("scope", ["ambient", "addressed"])
def test_a_trigger_of_the_user_puts_work_on_the_queue(
    message: str, text: str, scope: str
) -> None:
    parsed = read(
        message,
        scope="ambient" if scope == "ambient" else "addressed",
        catalog=OWN,
    )

    assert texts(parsed) == [text]


@pytest.mark.parametrize(
    "message",
    ["we saw it: zur Erledigung", "mq!", "count the files", "zur Erledigungs"],
)
def test_elsewhere_its_words_are_ordinary(message: str) -> None:
    assert read(message, scope="ambient", catalog=OWN).mode == "none"


def test_without_the_setting_its_words_are_ordinary() -> None:
    assert read("mq! count the files", scope="ambient").mode == "none"


def _ambient_phrases() -> list[tuple[str, str]]:
    return [
        (language, phrase)
        for language in LANGUAGES
        for table in tables(language)
        for purpose in ("ambient_trigger", "ambient_tail")
        for phrases in table.get(purpose, {}).values()
        for phrase in phrases
    ]


def _without_look_around(pattern: str) -> str:
    kept, position = "", 0
    while position < len(pattern):
        if pattern.startswith(("(?=", "(?!", "(?<=", "(?<!"), position):
            position = _behind_group(pattern, position)
        else:
            width = 2 if pattern[position] == "\\" else 1
            kept += pattern[position : position + width]
            position += width
    return kept


def _behind_group(pattern: str, position: int) -> int:
    """Return where the group that opens at a position has closed."""
    depth, in_class = 0, False
    while True:
        char = pattern[position]
        if char == "\\":
            position += 1
        elif in_class:
            in_class = char != "]"
        elif char == "[":
            in_class = True
        elif char in "()":
            depth += 1 if char == "(" else -1
            if depth == 0:
                return position + 1
        position += 1


def _pattern(phrase: str) -> str:
    """Return a phrase as a pattern that can be drawn from: no look-around, bounded."""
    pattern = phrase.rpartition("=>")[2]
    for slot, inner in SLOTS.items():
        pattern = pattern.replace(slot, inner)
    pattern = _without_look_around(pattern)
    return re.sub(r"\)\*", "){0,2}", pattern)


@pytest.mark.parametrize(("language", "phrase"), _ambient_phrases())
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_whatever_an_ambient_phrase_matches_has_a_word_of_the_guard(
    language: str, phrase: str, data: st.DataObject
) -> None:
    """The guard lets a message pass unread only where no phrase can be in it."""
    drawn = data.draw(st.from_regex(_pattern(phrase), fullmatch=True))

    text = normalize(drawn).text
    known = [simplified(word) for each in CONTAINERS.values() for word in each]
    assert any(word in text for word in known), language


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(
        [
            "add task: {}",
            "加个任务：{}",
            "neue aufgabe: {}",
            "タスク追加：{}",
            "use {} to count",
            "用 {} 总结",
            "/mq {}",
            "model-queue: {}",
            "cancel {}",
            "{} now",
        ]
    ),
    st.sampled_from(
        [
            "qwen2.5",
            "glm5",
            "ollama-local",
            "T-003",
            "t3",
            "本地模型",
            "x",
            "队列",
            "ローカル",
        ]
    ),
)
def test_a_message_that_is_taken_has_a_word_of_the_guard(frame: str, word: str) -> None:
    message = frame.format(word)

    taken = read(message, scope="ambient").mode != "none"

    text = normalize(message).text
    guarded = any(known in text for known in words.guard_texts(CATALOG))
    assert guarded or not taken
