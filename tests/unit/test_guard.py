"""The guard reads its input as JSON is read, and knows what a word may hide behind."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model_queue.guard import ANSWERS, flat_fields, is_ours
from model_queue.hosts.generic import answer
from model_queue.intake import Catalog
from model_queue.intake.ambient import may_be_ours
from model_queue.intake.normalize import normalize
from model_queue.intake.words import guard_texts
from model_queue.jsontext import dumps

TEXTS = st.text(max_size=8) | st.sampled_from(['"', "\\", '\\"', ":", ",", "{", "\n"])
VALUES = TEXTS | st.none() | st.integers(0, 12) | st.booleans() | st.lists(TEXTS)
OBJECTS = st.dictionaries(
    TEXTS | st.sampled_from(["version", "message", "scope"]), VALUES, max_size=4
)
SCRAPS = st.lists(
    st.sampled_from(
        ["{", "}", '"', ":", ",", " ", "\\", "scope", "1", "null", "[", "]", "T", "m"]
    ),
    max_size=12,
)


def without_marks(text: str) -> bytes:
    """A text as the guard has it, but for the marks in place of quotes."""
    return text.replace('"', "").replace("\\", "").encode()


def json_fields(data: bytes) -> dict[str, object] | None:
    """The members by a JSON reader; None for what is no object with distinct names."""
    try:
        pairs = json.loads(data, object_pairs_hook=list)
    except (ValueError, RecursionError):
        return None
    is_object = data.strip()[:1] == b"{" and isinstance(pairs, list)
    if not is_object or len({name for name, _ in pairs}) < len(pairs):
        return None
    return dict(pairs)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        pytest.param('{"message": "hi"}', {"message": "hi"}, id="one text"),
        pytest.param('{"version":1,"message":"hi"}', {"message": "hi"}, id="version"),
        pytest.param(' { "a" : "b" , "c" : null } ', {"a": "b"}, id="space and null"),
        pytest.param('{"a": "x\\ny\\/z"}', {"a": "x y/z"}, id="escapes"),
        pytest.param('{"a": "用 qwen2.5"}', {"a": "用 qwen2.5"}, id="chinese"),
        pytest.param('{"a": "{b: [1]}"}', {"a": "{b: [1]}"}, id="brackets in a text"),
        pytest.param("{}", {}, id="empty object"),
    ],
)
def test_texts_of_a_flat_object_are_read(data: str, expected: dict[str, str]) -> None:
    found = flat_fields(data.encode())

    assert found == {name.encode(): text.encode() for name, text in expected.items()}


@pytest.mark.parametrize(
    "data",
    [
        pytest.param('{"a": {"scope": "ambient"}}', id="nested"),
        pytest.param('{"a": ["scope"]}', id="list"),
        pytest.param('{"scope": "x", "scope": "ambient"}', id="name twice"),
        pytest.param('{"a": null, "a": "b"}', id="name twice, once null"),
        pytest.param('{"host": 1}', id="number"),
        pytest.param('{"version": 11}', id="other version"),
        pytest.param('{"version": "1"}', id="version as text"),
        pytest.param('{"a": true}', id="boolean"),
        pytest.param('{"a": "b"', id="unfinished"),
        pytest.param('{"a": "b"}"', id="quote behind"),
        pytest.param('{"a": "b"} {}', id="second object"),
        pytest.param('{"a" "b"}', id="no colon"),
        pytest.param('{T:T,"a":"b"}', id="the marks of the check itself"),
        pytest.param('{"a": "\\x"}', id="unknown escape"),
        pytest.param('{"a": "\\u0071"}', id="unicode escape"),
        pytest.param('{"a": "x\ny"}', id="raw line break"),
        pytest.param("", id="nothing"),
        pytest.param("[]", id="no object"),
    ],
)
def test_anything_else_goes_the_full_way(data: str) -> None:
    assert flat_fields(data.encode()) is None


def test_input_that_is_not_utf8_goes_the_full_way() -> None:
    assert flat_fields(b'{"a": "\xff"}') is None


def test_escaped_quote_makes_no_name() -> None:
    found = flat_fields(b'{"message": "x", "sco\\"pe": "ambient"}')

    assert found is not None
    assert b"scope" not in found


@given(
    OBJECTS, st.booleans(), st.sampled_from([(",", ":"), (", ", ": "), (" ,\n", ":")])
)
def test_what_is_read_is_what_json_says(
    wire: dict[str, object], is_ascii: bool, separators: tuple[str, str]
) -> None:
    text = json.dumps(wire, ensure_ascii=is_ascii, separators=separators)
    data = text.encode("utf-8", "surrogatepass")

    found = flat_fields(data)

    if found is not None:
        texts = {n: v for n, v in wire.items() if isinstance(v, str)}
        assert sorted(v.replace(b"\xff", b"") for v in found.values()) == sorted(
            without_marks(v.translate(dict.fromkeys(range(32), " ")))
            for v in texts.values()
        )


@given(SCRAPS)
def test_what_is_read_is_json(scraps: list[str]) -> None:
    data = "".join(scraps).encode()

    found = flat_fields(data)

    assert found is None or json_fields(data) is not None


@pytest.mark.parametrize(
    ("hook", "members"),
    [
        ("on-intake", {"mode": "none", "tasks": [], "control": []}),
        ("on-heartbeat", {"dispatched": [], "queues": {}}),
    ],
)
def test_empty_answer_is_what_the_full_way_prints(
    hook: str, members: dict[str, object]
) -> None:
    assert ANSWERS[hook] == dumps(answer(**members))  # type: ignore[arg-type] # JSON


CATALOG = Catalog(
    sources={"ollama-local": ("ollama/qwen2.5",), "cloud": ("nvidia/z-ai/glm5",)},
    aliases={"ollama-local": ("本地",), "cloud": ("云端",)},
    default=None,
)
WORDS = list(guard_texts(CATALOG))
ODD = "\u200b\u00ad\ufe0f\u2011\u2019\u3164\u2028\r\u0301\u0130\u212a\uff34\uff0c\u2026"
PIECES = st.sampled_from([*WORDS, *ODD, "TASK", "ｔａｓｋ", "ta", "sk", "①", "é", "😀"])


@given(st.lists(PIECES | st.text(max_size=3), max_size=6))
def test_message_that_is_let_pass_has_no_word_in_its_scanning_form(
    pieces: list[str],
) -> None:
    message = "".join(pieces)
    data = message.encode("utf-8", "replace")

    if not is_ours(data, WORDS):
        assert not may_be_ours(normalize(data.decode()).text, CATALOG)


@pytest.mark.parametrize(
    "message",
    [
        pytest.param(
            "Please fix the failing build, it waits for the email.", id="english"
        ),
        pytest.param("帮我看看这个函数为什么报错（见下面），谢谢！", id="chinese"),
        pytest.param("C’est déjà réparé — merci… 😀", id="french"),
    ],
)
def test_ordinary_message_is_let_pass(message: str) -> None:
    assert not is_ours(message.encode(), WORDS)


@pytest.mark.parametrize(
    "message",
    [
        pytest.param("加个任务：翻译这一页", id="trigger"),
        pytest.param("用 QWEN 翻译这一页", id="model"),
        pytest.param("ｔａｓｋ", id="full-width letters"),
        pytest.param("ta\u200bsk", id="zero-width space"),
        pytest.param("t\u20113", id="non-breaking hyphen"),
        pytest.param("队列状态", id="queue"),
    ],
)
def test_message_that_may_be_ours_is_kept(message: str) -> None:
    assert is_ours(message.encode(), WORDS)
