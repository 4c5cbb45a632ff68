"""What holds of any text at all."""

from __future__ import annotations

import datetime as dt
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from intake_samples import CATALOG, MONDAY_EVENING, read
from model_queue.intake import Parsed, parse
from model_queue.intake.normalize import SCAN_LIMIT, Normal, normalize
from model_queue.intake.values import Scope

SCOPES: st.SearchStrategy[Scope] = st.sampled_from(["addressed", "ambient"])
ANY_TEXT = st.text(
    st.characters(codec=None)
    | st.sampled_from("\u200b\u202e\ufeff\u0301\U0001f468\u200d\ud83d\udc00"),
    max_size=60,
)
WORDS = st.sampled_from(
    [
        *("add task: ", "1. ", "- ", "① ", "第一步：", "然后", ", then ", " and also "),
        *(
            "use glm5 to ",
            "用本地",
            " (urgent)",
            "after T-003, ",
            "取消 T-005",
            "tomorrow at 9",
        ),
        *(
            "danach ",
            "その後、",
            "그 다음 ",
            "luego ",
            "puis ",
            "\r\n",
            "\n\n",
            "“",
            '"',
            "`",
        ),
        *(
            "count the files",
            "写报告",
            "プレゼンを作る",
            "보고서 작성",
            "Bericht schreiben",
            "T-004 bitte",
        ),
        *(
            "/mq ",
            "model-queue: ",
            "the text above",
            "这个日志：",
            "max $2",
            "so that it works",
        ),
    ]
)
MESSAGES = st.lists(WORDS | ANY_TEXT, max_size=8).map("".join)


def read_any(message: str, scope: Scope) -> Parsed:
    """Read a message on that Monday evening, with reasons."""
    return parse(
        message,
        catalog=CATALOG,
        scope=scope,
        now=MONDAY_EVENING,
        zone=dt.UTC,
        explains=True,
    )


@settings(max_examples=400, deadline=None)
@given(MESSAGES, SCOPES)
def test_any_text_is_read_and_each_task_is_a_part_of_it(
    message: str, scope: Scope
) -> None:
    parsed = read_any(message, scope)

    begin = 0
    for index, task in enumerate(parsed.tasks):
        assert task.text
        begin = message.index(task.text, begin)
        assert all(i < index for i in task.depends_on if isinstance(i, int))
        assert all(why.phrase in message for why in task.why)
    assert (parsed.mode == "none") == (not parsed.tasks and not parsed.commands)


@settings(max_examples=100, deadline=None)
@given(ANY_TEXT)
def test_a_task_behind_a_trigger_loses_no_character(text: str) -> None:
    """Only what is said about the task may go: here there is nothing."""
    kept = "".join(c for c in text if c.isalnum() and unicodedata.category(c) != "No")
    message = f"add task: describe x{kept}zq"

    parsed = read_any(message, "addressed")

    assert [task.text for task in parsed.tasks] == [f"describe x{kept}zq"]


@settings(max_examples=300, deadline=None)
@given(MESSAGES)
def test_the_way_back_to_the_message_is_whole(message: str) -> None:
    normal: Normal = normalize(message)

    n = len(normal.text)
    spans = [(normal.starts[i], normal.ends[i]) for i in range(n)]
    assert all(a <= b <= len(message) for a, b in spans)
    assert spans == sorted(spans)
    assert normal.verbatim(0, n) in message


@settings(max_examples=300, deadline=None)
@given(
    st.text(
        st.sampled_from("aZ é，。！（）：ｔ３　中文請後らリ한글→😀–’“x\n,.-t3 "),
        max_size=30,
    )
)
def test_the_short_way_to_the_scanning_form_is_the_long_one(message: str) -> None:
    """A character outside the plain ones sends the same text the long way."""
    short, long = normalize(message).text, normalize(message + "①").text

    assert short + "①" == long


PROTECTED = [
    ('"', '"', "abcz 然后then1.T-003usglm5"),
    ("“", "”", "abcz 然后then1.T-003usglm5"),
    ("「", "」", "abcz 然后then1.T-003usglm5"),
    ("《", "》", "abcz 然后then1.T-003usglm5"),
    ("`", "`", "abcz 然后then1.T-003usglm5"),
    ("```\n", "\n```", "abcz 然后then1.T-003usglm5\n-"),
    ("https://a.example/", " ", "abcz/then-1.cancel-t-003"),
    ("<log>", "</log>", "abcz 然后then1.T-003usglm5\n-"),
]
FRAMES = [
    "Translate {} into Polish, then send it",
    "1. read {}\n2. then sum {} up (urgent)",
    "用 glm5 翻译 {}，然后写摘要",
    "cancel T-004 and rename {} to it",
    "add task: {} tomorrow at 9am",
    "What does {} mean?",
    "{}",
    "Fix {}; also run the tests with qwen2.5",
]


@pytest.mark.parametrize(("opening", "closing", "letters"), PROTECTED)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_the_inside_of_what_is_protected_changes_nothing(
    opening: str, closing: str, letters: str, data: st.DataObject
) -> None:
    frame = data.draw(st.sampled_from(FRAMES))
    scope = data.draw(SCOPES)
    inside = st.text(st.sampled_from(letters), min_size=1, max_size=50).map(
        lambda text: "x" + text.strip() + "x"
    )
    one, other = data.draw(inside), data.draw(inside)

    def shape(text: str) -> object:
        whole = opening + text + closing
        parsed = read(frame.replace("{}", whole), scope=scope)
        return [
            task._replace(text=task.text.replace(text, "…")) for task in parsed.tasks
        ], parsed._replace(tasks=(), language="")

    assert shape(one) == shape(other)


def test_what_lies_behind_the_scanned_part_is_kept_whole() -> None:
    message = "Sort this: " + "x" * (SCAN_LIMIT + 10)

    (task,) = read(message).tasks

    assert task.text == message
