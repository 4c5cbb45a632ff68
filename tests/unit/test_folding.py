"""Long lines become several of a width, in English and Chinese."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model_queue.messages.folding import fold, width_of

WORDS = st.text(alphabet="ab /，。队列中运 ", max_size=60)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", [">"]),
        ("short", [">short"]),
        ("one two three", [">one two", ".three"]),
        ("a-path-that-is-too-long b", [">a-path-that-is-too-long", ".b"]),
        ("队列中没有任务", [">队列中没", ".有任务"]),
        ("队列，中没。有", [">队列，中", ".没。有"]),
        ("用 qwen 分析", [">用 qwen", ".分析"]),
    ],
)
def test_line_is_cut_at_blanks_and_between_ideographs(
    text: str, lines: list[str]
) -> None:
    assert fold(text, 9, first=">", later=".") == lines


@given(text=WORDS, columns=st.integers(4, 40))
def test_nothing_is_lost_and_only_a_word_may_be_too_wide(
    text: str, columns: int
) -> None:
    lines = fold(text, columns)

    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    for line in lines:
        assert width_of(line) <= columns or " " not in line.strip()


def test_line_never_begins_with_a_closing_mark() -> None:
    lines = fold("队列中没有任务，也没有命令。" * 3, 12)

    assert [line for line in lines if line[0] in "，。"] == []
