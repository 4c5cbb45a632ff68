"""What a session wrote, read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model_queue.reports import LABELLED_LIMIT, clip_result, read_report

ECHOED = """\
Execute this task. When complete, report:
1. The result (full output)
2. A brief summary (1-2 sentences)
3. Status: success, partial, or failed
4. If failed, explain why and suggest what might help

Focus only on this task. Do not start other tasks."""


@pytest.mark.parametrize(
    ("line", "status"),
    [
        pytest.param("Status: success", "success", id="success"),
        pytest.param("Status: partial", "partial", id="partial"),
        pytest.param("Status: failed", "failed", id="failed"),
        pytest.param("状态：成功", "success", id="成功"),
        pytest.param("状态：部分", "partial", id="部分"),
        pytest.param("状态：部分完成", "partial", id="部分完成"),
        pytest.param("状态: 失败", "failed", id="失败, plain colon"),
        pytest.param("status:SUCCESS", "success", id="case"),
        pytest.param("3. **Status:** success", "success", id="numbered, bold label"),
        pytest.param("**Status**: failed", "failed", id="bold word"),
        pytest.param("- Status: **partial**.", "partial", id="bullet, bold value"),
        pytest.param("### Status: success", "success", id="heading"),
        pytest.param("3) Status: `success`", "success", id="code"),
        pytest.param("Status: ✅ success", "success", id="emoji"),
        pytest.param("Status: [success]", "success", id="brackets"),
    ],
)
def test_a_status_alone_on_its_line_counts(line: str, status: str) -> None:
    report = read_report(f"The work is described here.\n{line}\n")

    assert report.status == status


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("3. Status: success, partial, or failed", id="echo"),
        pytest.param("Status: success/partial/failed", id="echo with slashes"),
        pytest.param("状态：成功、部分或失败", id="echo in Chinese"),
        pytest.param("Status: success or failed", id="two words"),
        pytest.param("Status: success since all is well", id="words after it"),
        pytest.param("The status: success", id="words before it"),
        pytest.param("Final Status: failed", id="another label"),
        pytest.param("HTTP status: 200", id="another status"),
        pytest.param("Status: completed", id="another word"),
        pytest.param("Status:", id="nothing"),
        pytest.param("Status success", id="no colon"),
        pytest.param("It failed. Status: failed", id="within a sentence"),
        pytest.param("Status: successful", id="a longer word"),
    ],
)
def test_anything_else_is_no_status(line: str) -> None:
    assert read_report(f"The work is described here.\n{line}\n").status is None


def test_the_last_valid_status_wins() -> None:
    text = "Status: failed\nI tried again.\nStatus: success\nStatus: success or failed"

    assert read_report(text).status == "success"


def test_a_status_in_a_fenced_block_is_material() -> None:
    text = "The log says:\n```\nStatus: failed\n```\nThe log was mended."

    assert read_report(text).status is None


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "```markdown\nAll is well.\nStatus: success\n```", id="all fenced"
        ),
        pytest.param("```\nAll is well.\nStatus: success", id="fence never closed"),
    ],
)
def test_a_fence_around_the_report_does_not_hide_it(text: str) -> None:
    assert read_report(text).status == "success"


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        pytest.param("Summary: Sales rose.", "Sales rose.", id="english"),
        pytest.param("摘要：销售上升。", "销售上升。", id="chinese"),
        pytest.param(
            "2. Summary: Sales rose. A lot.", "Sales rose. A lot.", id="number"
        ),
        pytest.param("**Summary:** Sales rose.", "Sales rose.", id="bold"),
        pytest.param(
            "## Summary:\n\nSales rose.\nMore.", "Sales rose.", id="next line"
        ),
        pytest.param("摘要：\n销售上升。", "销售上升。", id="next line, chinese"),
        pytest.param(
            "2. A brief summary: It rose.", "It rose.", id="the prompt's words"
        ),
        pytest.param(
            "2. A brief summary (1-2 sentences): It rose.", "It rose.", id="whole label"
        ),
        pytest.param("Summary: old\nSummary: new", "new", id="the last one"),
        pytest.param(
            "Summary: new\nSummary:\n\n\n\n\nfar", "new", id="text too far off"
        ),
    ],
)
def test_a_labelled_summary_is_taken(text: str, summary: str) -> None:
    report = read_report(f"The whole result stands here. It is long. Really.\n{text}")

    assert report.summary == summary


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("2. A brief summary (1-2 sentences)", id="echo"),
        pytest.param("Summary: A brief summary (1-2 sentences)", id="echo as value"),
        pytest.param("Summary: (1-2 sentences)", id="part of the echo"),
        pytest.param("2. Summary:\n3. Status: success", id="nothing, then the status"),
        pytest.param("Executive summary: big words", id="another label"),
        pytest.param("In summary it went well", id="no colon"),
    ],
)
def test_anything_else_is_no_labelled_summary(line: str) -> None:
    report = read_report(f"Sales rose by 5%. Profit fell.\n\nMore text.\n{line}")

    assert report.summary == "Sales rose by 5%. Profit fell."


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        pytest.param("One. Two. Three.", "One. Two.", id="english"),
        pytest.param("一。二！三？", "一。二！", id="chinese"),
        pytest.param("他说“好。”然后走了。完。", "他说“好。”然后走了。", id="quote"),
        pytest.param("Only one", "Only one", id="no full stop"),
        pytest.param("Uses v2.0 now. Good. End.", "Uses v2.0 now. Good.", id="version"),
        pytest.param(
            "Use fruit, e.g. Apples. Or none. End.",
            "Use fruit, e.g. Apples. Or none.",
            id="e.g.",
        ),
        pytest.param(
            "It costs approx. five euros. Good. End.",
            "It costs approx. five euros. Good.",
            id="small letter after the stop",
        ),
        pytest.param(
            "Dr. Who met J. Doe. Yes. End.", "Dr. Who met J. Doe. Yes.", id="dr"
        ),
        pytest.param("Wait... what?! Yes. End.", "Wait... what?! Yes.", id="marks"),
        pytest.param(
            "One\nand two. Three.\nFour.", "One and two. Three.", id="wrapped"
        ),
        pytest.param("- first\n- second\n- third", "first; second", id="list"),
        pytest.param("Steps:\n1. a\n2. b", "Steps: a", id="list after a colon"),
        pytest.param("# Report\n\nOne. Two.", "One. Two.", id="heading"),
        pytest.param("# Report\n## Sales", "Report; Sales", id="headings alone"),
        pytest.param("Result: One. Two. Three.", "One. Two.", id="result label"),
        pytest.param("1. The result (full output): One.", "One.", id="echoed label"),
        pytest.param("```\ncode\n```\nOne. Two.", "One. Two.", id="code first"),
        pytest.param("One.\nStatus: success", "One.", id="status line"),
        pytest.param(f"{ECHOED}\n\nOne. Two.", "One. Two.", id="echoed prompt"),
        pytest.param("Status: success", "", id="a label alone"),
        pytest.param(ECHOED, "", id="an echo alone"),
        pytest.param("", "", id="nothing"),
    ],
)
def test_without_a_label_the_first_two_sentences_are_the_summary(
    text: str, summary: str
) -> None:
    assert read_report(text).summary == summary


def test_a_made_summary_is_cut_between_characters_at_280() -> None:
    made = read_report("分" * 300).summary

    assert made == "分" * 279 + "…"


def test_a_labelled_summary_may_be_longer() -> None:
    summary = read_report("Summary: " + "x" * 2_000).summary

    assert len(summary) == LABELLED_LIMIT


@pytest.mark.parametrize(
    ("text", "result"),
    [
        pytest.param("<think>Status: failed</think>\nYes.", "Yes.", id="closed"),
        pytest.param("<THINKING>x</THINKING>Yes.", "Yes.", id="another spelling"),
        pytest.param("a <think>b</think> c", "a  c", id="in the middle"),
        pytest.param("<think>a</think>b<think>c</think>", "b", id="two"),
        pytest.param("Yes. <think>never ends", "Yes.", id="unclosed"),
        pytest.param("<think>never ends\nStatus: success", "", id="nothing but"),
        pytest.param("thinking…</think>\nYes.", "Yes.", id="unopened"),
        pytest.param("The `<think>` tag.", "The `<think>` tag.", id="talked about"),
        pytest.param("I think so.", "I think so.", id="the word"),
    ],
)
def test_think_blocks_are_dropped(text: str, result: str) -> None:
    report = read_report(text)

    assert report.result == result
    assert report.status is None


def test_the_result_is_the_whole_text() -> None:
    text = "One.\r\n\r\nSummary: Two.\rStatus: success\n"

    report = read_report(text)

    assert report.result == "One.\n\nSummary: Two.\nStatus: success"


def test_an_empty_text_says_nothing() -> None:
    report = read_report(" \n ")

    assert (report.result, report.status, report.summary) == ("", None, "")


@given(st.text())
def test_reading_never_raises_and_bounds_the_summary(text: str) -> None:
    report = read_report(text)

    report.result.encode()
    assert len(report.summary) <= LABELLED_LIMIT
    assert "\n" not in report.summary


@given(
    st.lists(
        st.sampled_from(
            [
                "Status: ",
                "success",
                "failed",
                "Summary:",
                "<think>",
                "</think>",
                "\n",
                "```",
                "1. ",
                "**",
                "。",
                ". ",
                "A",
                "e.g. ",
                "# ",
                "- ",
                "摘要：",
                "\ud800",
            ]
        )
    ).map("".join)
)
def test_reading_never_raises_on_pieces_of_reports(text: str) -> None:
    report = read_report(text)

    assert report.status in {None, "success", "failed"}
    assert "\n" not in report.summary


def test_a_short_report_is_kept_whole() -> None:
    text = "分" * 5_461

    assert clip_result(text, "results/T-001.md") == text


def test_a_long_report_is_cut_between_characters_and_names_the_file() -> None:
    clipped = clip_result("分" * 5_462, "results/T-001.md")

    assert len(clipped.encode()) <= 16 * 1024
    head, _, last = clipped.rpartition("\n")
    assert set(head) == {"分"}
    assert last == "… cut here; the whole text is in results/T-001.md"


@given(st.text(max_size=300), st.integers(min_value=100, max_value=300))
def test_a_clipped_report_fits_its_limit(text: str, limit: int) -> None:
    clipped = clip_result(text, "results/T-001.md", limit_bytes=limit)

    assert clipped == text or len(clipped.encode()) <= limit
