"""The language of an answer: the host's locale, else the message's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from model_queue.model import JsonObject
from transcripts.driver import Hook, called, opened

ENGLISH = "use qwen2.5 to sort the mail"
CHINESE = "用 qwen2.5 整理邮件"


@pytest.fixture
def hook(tmp_path: Path) -> Hook:
    return called(opened(tmp_path))


def _reply(answer: JsonObject) -> str:
    return str(answer["reply"])


@pytest.mark.parametrize("message", [ENGLISH, CHINESE])
@pytest.mark.parametrize(
    "locale", ["zh", "zh-CN", "zh_CN", "ZH-tw", "zh-Hant", "zh-HK"]
)
def test_every_chinese_locale_gets_chinese(
    hook: Hook, locale: str, message: str
) -> None:
    reply = _reply(hook("on-intake", {"message": message, "locale": locale}))

    assert "📋 已将 T-001 加入队列 [ollama-local]" in reply
    assert "Added" not in reply


@pytest.mark.parametrize("message", [ENGLISH, CHINESE])
@pytest.mark.parametrize("locale", ["en", "de", "fr-FR", "ja-JP", "zz", "C"])
def test_every_other_locale_gets_english(hook: Hook, locale: str, message: str) -> None:
    reply = _reply(hook("on-intake", {"message": message, "locale": locale}))

    assert "📋 Added T-001 to queue [ollama-local]" in reply
    assert "已将" not in reply


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (ENGLISH, "📋 Added T-001"),
        (CHINESE, "📋 已将 T-001"),
        ("帮我 review 一下 auth module", "📋 已将 T-001"),
        (
            "add task: translate 你好 into English, with a note on tone",
            "📋 Added T-001",
        ),
    ],
)
@pytest.mark.parametrize("locale", [{}, {"locale": ""}], ids=["absent", "empty"])
def test_without_a_locale_the_message_decides(
    hook: Hook, locale: JsonObject, message: str, expected: str
) -> None:
    reply = _reply(hook("on-intake", {"message": message, **locale}))

    assert expected in reply


@pytest.mark.parametrize("message", ["取消 T-404", "cancel T-404"])
def test_a_refusal_follows_the_locale_too(hook: Hook, message: str) -> None:
    hook("on-intake", {"message": ENGLISH})

    chinese = _reply(hook("on-intake", {"message": message, "locale": "zh-CN"}))
    english = _reply(hook("on-intake", {"message": message, "locale": "en-GB"}))

    assert chinese == "⚠️ 没有任务 T-404；最接近的是 T-001。"
    assert english == "⚠️ There is no task T-404; the nearest are T-001."


@pytest.mark.parametrize(
    ("message", "locale", "expected"),
    [
        ("两小时后整理邮件", {}, "已派发 1 个任务，涉及 1 个队列。"),
        ("in 2 hours, sort the mail", {}, "Dispatched 1 task across 1 queue."),
        (
            "两小时后整理邮件",
            {"locale": "en"},
            "Dispatched 1 task across 1 queue.",
        ),
    ],
)
def test_a_heartbeat_without_a_locale_speaks_as_the_work_does(
    hook: Hook, message: str, locale: JsonObject, expected: str
) -> None:
    hook("on-intake", {"message": message, "now": "2026-12-01T09:00:00Z"})

    reply = _reply(hook("on-heartbeat", {"now": "2026-12-01T11:00:00Z", **locale}))

    assert reply == expected


def test_a_heartbeat_with_nothing_to_tell_has_no_language(hook: Hook) -> None:
    assert _reply(hook("on-heartbeat", {"locale": "zh-CN"})) == "HEARTBEAT_OK"
