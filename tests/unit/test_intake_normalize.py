from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model_queue.intake.normalize import normalize


@pytest.mark.parametrize(
    ("message", "form"),
    [
        pytest.param("Retry T-003", "retry t-003", id="lower case"),
        pytest.param("取消\u3000Ｔ－００３", "取消 t-003", id="full width"),
        pytest.param("re\u200btry T\u2011003", "retry t-003", id="zero width and dash"),
        pytest.param("a\r\nb\rc", "a\nb\nc", id="line ends"),
        pytest.param("\u2067x\u2069", "x", id="bidi marks"),
        pytest.param("①发票 ②周报", "①发票 ②周报", id="circled markers stay"),
        pytest.param("that\u2019s", "that's", id="apostrophe"),
        pytest.param("cafe\u0301", "café", id="combining mark"),
        pytest.param("❤\ufe0f", "❤", id="variation selector"),
        pytest.param("，：；？！（）", ",:;?!()", id="full-width punctuation"),
        pytest.param("a — b", "a — b", id="long dash is no hyphen"),
    ],
)
def test_normal_form(message: str, form: str) -> None:
    normal = normalize(message)

    assert normal.text == form


@pytest.mark.parametrize("message", ["", " ", "\u200b", "\r\n", "\ufe0f"])
def test_a_message_of_nothing_has_a_form(message: str) -> None:
    assert normalize(message).text.strip() == ""


@given(st.text(max_size=200))
def test_every_span_of_the_form_is_a_span_of_the_message(message: str) -> None:
    normal = normalize(message)

    for start in range(0, len(normal.text), 3):
        for end in (start + 1, len(normal.text)):
            assert normal.verbatim(start, end) in message


@given(st.text(max_size=200))
def test_the_whole_form_covers_every_visible_character(message: str) -> None:
    normal = normalize(message)

    whole = normal.verbatim(0, len(normal.text))

    assert normalize(whole).text == normal.text
