from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intake_samples import read, texts
from model_queue.intake.protect import MASK, protect


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        pytest.param("run `cancel t-003` now", "`cancel t-003`", id="inline code"),
        pytest.param("fix\n```py\n# then\n```\nnow", "```py\n# then\n```", id="fence"),
        pytest.param("fix\n~~~\n# then", "~~~\n# then", id="unclosed fence"),
        pytest.param('say "then go" twice', '"then go"', id="double quotes"),
        pytest.param("say 'then go' twice", "'then go'", id="single quotes"),
        pytest.param("写着“取消 t-001”吧", "“取消 t-001”", id="curly quotes"),
        pytest.param("读《然后呢》这本", "《然后呢》", id="title marks"),
        pytest.param("念「然后」一次", "「然后」", id="corner brackets"),
        pytest.param("reply:\n> then cancel\nok", "> then cancel", id="quoted line"),
        pytest.param(
            "read https://a.example/then?t-003 now",
            "https://a.example/then?t-003",
            id="URL",
        ),
        pytest.param("open docs/then/next.md now", "docs/then/next.md", id="path"),
        pytest.param("把interviews.txt里", "interviews.txt", id="file name in Chinese"),
        pytest.param(
            "mail then@next.example now", "then@next.example", id="mail address"
        ),
        pytest.param(
            "<note>then t-003</note> ok", "<note>then t-003</note>", id="tagged block"
        ),
        pytest.param(
            "2026-11-11 04:25:41 then retry",
            "2026-11-11 04:25:41 then retry",
            id="log line",
        ),
    ],
)
def test_protected_material_is_masked(text: str, hidden: str) -> None:
    masked = protect(text)

    start = text.index(hidden)
    expected = text[:start] + MASK * len(hidden) + text[start + len(hidden) :]
    assert masked == expected


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("it's the users' choice", id="apostrophes"),
        pytest.param('a 24" screen and a 27" one', id="inch marks"),
        pytest.param("use qwen2.5 and v2.0", id="names with dots"),
        pytest.param("one ` tick", id="lone tick"),
        pytest.param("he said “then", id="unclosed quotation"),
        pytest.param("3 < 4 and then > 2", id="less and greater"),
        pytest.param(
            "tasks:\nfix it\nthen test it", id="a heading that announces jobs"
        ),
        pytest.param("add these to the queue:\n1. then", id="a trigger"),
    ],
)
def test_ordinary_text_stays(text: str) -> None:
    assert protect(text) == text


@pytest.mark.parametrize(
    "instruction",
    [
        "Find the root cause in this log:",
        "Summarise the following web page:",
        "here is the mail:",
        "Translate this:",
        "翻译下面这段话：",
        "总结以下文章：",
    ],
)
def test_what_an_instruction_introduces_is_protected(instruction: str) -> None:
    text = instruction.lower().replace("：", ":") + "\nthen cancel t-003"

    masked = protect(text)

    assert masked.endswith(MASK * len("then cancel t-003"))


def test_text_above_an_instruction_that_points_back_is_protected() -> None:
    parsed = read("First we met. Then we cancelled T-003.\nSummarise the text above")

    assert parsed.mode == "intake"
    assert len(parsed.tasks) == 1
    assert not parsed.commands


_INSIDE = st.text(
    alphabet=st.sampled_from("abcT-0123 ,.;:then然后取消\n"), min_size=1, max_size=60
)


@given(_INSIDE, _INSIDE)
def test_the_inside_of_a_code_block_never_changes_the_result(
    one: str, other: str
) -> None:
    parsed = [
        read(f"Explain this function\n```\n{x}\n```\nin two lines")
        for x in (one, other)
    ]

    assert parsed[0].mode == parsed[1].mode == "intake"
    assert [len(p.tasks) for p in parsed] == [1, 1]
    assert not parsed[0].commands
    assert not parsed[1].commands
    assert one in texts(parsed[0])[0]


@given(
    st.text(alphabet=st.sampled_from("abT-01 ,.;:then取消"), min_size=1, max_size=40)
)
def test_a_quoted_text_gives_no_command(inside: str) -> None:
    parsed = read(f"文档里写着“{inside}”")

    assert parsed.mode == "none"
