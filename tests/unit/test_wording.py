"""Counts, spans, moments and cuts as a person reads them."""

from __future__ import annotations

import datetime as dt
import unicodedata
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model_queue.messages import texts
from model_queue.messages.wording import (
    ago,
    counted,
    cut,
    duration,
    hint_for,
    language_of,
    listed,
    moment,
    one_line,
    reason,
    say,
)
from model_queue.model import ErrorClass

FAMILY = "👨\u200d👩\u200d👧"
THUMB = "👍🏽"
FLAG = "🇫🇷"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        pytest.param("Analyze the sales data", "en", id="english"),
        pytest.param("", "en", id="nothing"),
        pytest.param("用 qwen2.5 分析销售数据，然后写一份报告", "zh", id="chinese"),
        pytest.param("帮我 review 一下 auth 模块", "zh", id="mixed"),
        pytest.param("分析𠮷", "zh", id="rare ideograph"),
        pytest.param("豈更", "zh", id="compatibility ideographs"),
        pytest.param("㐀㐁", "zh", id="extension A"),
        pytest.param("ひらがな", "en", id="kana alone"),
        pytest.param("売上データを分析してください", "en", id="japanese"),
        pytest.param("ｶﾀｶﾅ", "en", id="half-width kana"),
        pytest.param("판매 데이터를 분석해 주세요", "en", id="korean"),
        pytest.param("ᄒᆞᆫ", "en", id="jamo"),
        pytest.param("Übersicht über die Verkäufe", "en", id="german"),
        pytest.param("📊 status", "en", id="emoji"),
    ],
)
def test_language_is_chinese_only_with_ideographs(text: str, language: str) -> None:
    assert language_of(text) == language


@pytest.mark.parametrize(
    ("lang", "expected"),
    [
        ("en", "Task"),
        ("zh", "任务"),
        ("zh-CN", "任务"),
        ("ZH_tw", "任务"),
        ("zh-Hant", "任务"),
        ("fr", "Task"),
        ("de", "Task"),
        ("fr-FR", "Task"),
        ("zz", "Task"),
        ("", "Task"),
    ],
)
def test_an_unknown_language_gets_english(lang: str, expected: str) -> None:
    assert say(("Task", "任务"), lang) == expected


@pytest.mark.parametrize(
    ("n", "expected"), [(0, "0 tasks"), (1, "1 task"), (2, "2 tasks")]
)
def test_a_number_agrees_with_its_noun(n: int, expected: str) -> None:
    assert counted(n, texts.ONE_TASK, texts.MANY_TASKS) == expected


def test_ids_are_listed_in_one_line() -> None:
    assert listed(("T-001", "T-002")) == "T-001, T-002"
    assert listed(("T-001", "T-002"), lang="zh") == "T-001、T-002"


@pytest.mark.parametrize(
    ("seconds", "english", "chinese"),
    [
        pytest.param(-5, "0s", "0秒", id="a clock that went back"),
        pytest.param(0, "0s", "0秒", id="nothing"),
        pytest.param(0.9, "0s", "0秒", id="rounded down"),
        pytest.param(45, "45s", "45秒", id="seconds"),
        pytest.param(120, "2m", "2分钟", id="no empty second unit"),
        pytest.param(125, "2m 5s", "2分5秒", id="minutes and seconds"),
        pytest.param(3_600, "1h", "1小时", id="an hour"),
        pytest.param(3_601, "1h", "1小时", id="two units at most"),
        pytest.param(3_780, "1h 3m", "1小时3分钟", id="hours and minutes"),
        pytest.param(187_200, "2d 4h", "2天4小时", id="days and hours"),
    ],
)
def test_duration_shows_the_two_largest_units(
    seconds: float, english: str, chinese: str
) -> None:
    span = dt.timedelta(seconds=seconds)

    assert duration(span) == english
    assert duration(span, lang="zh") == chinese


def test_ago_says_that_a_span_is_past() -> None:
    assert ago(dt.timedelta(minutes=5)) == "5m ago"
    assert ago(dt.timedelta(minutes=5), lang="zh") == "5分钟前"


def test_a_moment_is_shown_in_the_persons_zone() -> None:
    when = dt.datetime(2026, 12, 1, 9, 0, tzinfo=dt.UTC)

    assert moment(when) == "2026-12-01 09:00 UTC"
    assert moment(when, zone=ZoneInfo("Europe/Paris")) == "2026-12-01 10:00 CET"


@pytest.mark.parametrize(
    ("sentence", "lang", "expected"),
    [
        ("Dependency T-001 failed", "en", "Dependency T-001 failed"),
        ("Dependency T-001 failed", "zh", "依赖 T-001 失败"),
        ("Dependency T-404 does not exist", "zh", "依赖 T-404 不存在"),
        (
            "Dependency T-002 waits for this task itself",
            "zh",
            "依赖 T-002 反过来在等待本任务",
        ),
        ("Dependency on the moon failed", "zh", "Dependency on the moon failed"),
        ("The build failed", "zh", "The build failed"),
        ("needs\na key", "en", "needs a key"),
    ],
)
def test_a_stored_reason_is_translated_where_it_is_ours(
    sentence: str, lang: str, expected: str
) -> None:
    assert reason(sentence, lang=lang) == expected


def test_a_reason_is_a_clause_in_a_notice() -> None:
    clause = reason("Dependency T-001 failed", is_clause=True)

    assert clause == "dependency T-001 failed"


@pytest.mark.parametrize(
    ("error_class", "model", "expected"),
    [
        (ErrorClass.MODEL_NOT_FOUND, "ollama/qwen2.5", "ollama pull qwen2.5"),
        (ErrorClass.MODEL_NOT_FOUND, "ollama-remote/qwen3.5:27b", "pull qwen3.5:27b"),
        (ErrorClass.MODEL_NOT_FOUND, "ollama", "ollama pull ollama"),
        (ErrorClass.MODEL_NOT_FOUND, "nvidia/z-ai/glm5", "the name nvidia/z-ai/glm5"),
        (ErrorClass.AUTH, "nvidia/z-ai/glm5", "api_key_env"),
        (ErrorClass.TIMEOUT, "ollama/qwen2.5", "timeout_s"),
    ],
)
def test_a_hint_names_what_helps(
    error_class: ErrorClass, model: str, expected: str
) -> None:
    assert expected in hint_for(error_class, model)


@pytest.mark.parametrize("error_class", [None, ErrorClass.TRANSIENT, ErrorClass.LOST])
def test_no_hint_where_trying_again_is_all(error_class: ErrorClass | None) -> None:
    assert hint_for(error_class, "ollama/qwen2.5") == ""


@pytest.mark.parametrize(
    ("text", "columns", "expected"),
    [
        pytest.param("short", 10, "short", id="fits"),
        pytest.param("two\n\n  lines\tone", 72, "two lines one", id="white space"),
        pytest.param("abcdefghij", 10, "abcdefghij", id="just fits"),
        pytest.param("abcdefghijk", 10, "abcdefghi…", id="one too many"),
        pytest.param("分析销售数据", 12, "分析销售数据", id="wide, just fits"),
        pytest.param("分析销售数据库", 12, "分析销售数…", id="wide counts two"),
        pytest.param("e\u0301" * 5, 5, "e\u0301" * 5, id="marks have no width"),
        pytest.param("\x1b[31mred\x00\u202e\x9f\ud800", 72, "[31mred", id="controls"),
        pytest.param("\u2066a\x7f", 72, "a", id="isolates and delete"),
    ],
)
def test_one_line_fits_its_columns(text: str, columns: int, expected: str) -> None:
    assert one_line(text, columns) == expected


@pytest.mark.parametrize(
    "text", ["分析销售数据" * 20, "fix 登录页面的 bug " * 12, "📊" * 90]
)
def test_a_line_of_a_list_is_as_wide_in_every_script(text: str) -> None:
    """Cut to the same columns, of which a wide character takes two."""
    line = one_line(text, 72)
    columns = sum(
        2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in line
    )

    assert line.endswith("…")
    assert 70 <= columns <= 72


def test_one_line_of_a_huge_text_is_cut() -> None:
    assert one_line("x " * 1_000_000, 10) == "x x x x x…"
    assert one_line(" " * 1_000_000, 10) == "…"


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        pytest.param("Analyze the data", 16, "Analyze the data", id="fits"),
        pytest.param("Analyze the data", 12, "Analyze the…", id="no blank at the end"),
        pytest.param("abe\u0301d", 4, "ab…", id="combining mark"),
        pytest.param(f"ab{FAMILY}c", 5, "ab…", id="joined emoji"),
        pytest.param(f"ab{FAMILY}c", 4, "ab…", id="before a joiner"),
        pytest.param(f"ab{THUMB}c", 4, "ab…", id="skin tone"),
        pytest.param(f"{FLAG}{FLAG}c", 4, f"{FLAG}…", id="second flag"),
        pytest.param(f"{FLAG}{FLAG}c", 3, f"{FLAG}…", id="between flags"),
        pytest.param("한\u1112\u1161\u11ab글", 3, "한…", id="hangul jamo"),
        pytest.param("🏴\U000e0067\U000e007fx", 2, "…", id="tag sequence"),
        pytest.param("ab\u200ccd", 3, "a…", id="before a non-joiner"),
        pytest.param("分析数据库", 4, "分析数…", id="between ideographs"),
    ],
)
def test_cut_keeps_characters_whole(text: str, limit: int, expected: str) -> None:
    assert cut(text, limit) == expected


@given(st.text(), st.integers(min_value=1, max_value=40))
def test_cut_gives_a_beginning_within_the_limit(text: str, limit: int) -> None:
    result = cut(text, limit)

    assert len(result) <= limit
    assert result == text or text.startswith(result.removesuffix("…"))


@given(st.text(alphabet="aé\u0301\u200d👍🏽🇫🇷한", max_size=30), st.integers(1, 20))
def test_cut_never_leaves_a_mark_behind(text: str, limit: int) -> None:
    result = cut(text, limit)

    kept = len(result.removesuffix("…"))
    left = text[kept:].lstrip()
    is_mark = kept > 0 and bool(left) and unicodedata.category(left[0])[0] == "M"
    assert result == text or not is_mark


@given(st.text(max_size=200), st.integers(min_value=2, max_value=30))
def test_one_line_never_breaks_the_line(text: str, columns: int) -> None:
    result = one_line(text, columns)

    assert "\n" not in result
    assert len(result.splitlines()) <= 1
