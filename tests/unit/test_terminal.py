"""What a terminal shows: cut to its width, in colours where it has any."""

from __future__ import annotations

import io

import pytest

from model_queue.terminal import Terminal

TABLE = (
    "📊 Queue Status\n\n[ollama-local] 1 pending, 1 running, 0 done\n"
    "  T-001 🔄 running: 分析销售数据并写一份很长很长的报告给所有人看 (started 5m ago)\n"
    "  T-002 ❌ failed: count the files — no such folder anywhere on this disk"
)


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _forty_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "44")
    monkeypatch.setenv("LINES", "20")


def test_a_file_gets_the_text_as_it_is() -> None:
    assert Terminal(io.StringIO(), {"TERM": "xterm"}).shown(TABLE) == TABLE


def test_lines_are_cut_to_the_width_and_wide_characters_count_two() -> None:
    lines = Terminal(Screen(), {"TERM": "dumb"}).shown(TABLE).split("\n")

    assert lines[2] == "[ollama-local] 1 pending, 1 running, 0 done"
    assert lines[3] == "  T-001 🔄 running: 分析销售数据并写一份很…"
    assert lines[4] == "  T-002 ❌ failed: count the files — no suc…"


def test_colours_mark_heads_and_states() -> None:
    lines = Terminal(Screen(), {"TERM": "xterm"}).shown(TABLE).split("\n")

    assert lines[0] == "\x1b[1m📊 Queue Status\x1b[0m"
    assert lines[3].startswith("\x1b[32m  T-001 🔄")
    assert lines[4].startswith("\x1b[31m  T-002 ❌")


@pytest.mark.parametrize(
    "environment", [{"TERM": "xterm", "NO_COLOR": "1"}, {"TERM": "dumb"}, {}]
)
def test_no_colour_where_none_is_wanted(environment: dict[str, str]) -> None:
    assert "\x1b" not in Terminal(Screen(), environment).shown(TABLE)


def test_a_narrow_terminal_still_gets_forty_columns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "10")

    assert Terminal(Screen(), {}).columns == 40


def test_a_picture_is_drawn_over_the_one_before() -> None:
    assert Terminal(Screen(), {"TERM": "xterm"}).picture("x") == "\x1b[H\x1b[2Jx"
    assert Terminal(Screen(), {"TERM": "dumb"}).picture("x") == "\nx"


def test_a_picture_is_no_longer_than_the_screen() -> None:
    table = "\n".join(f"line {number}" for number in range(1, 41))

    picture = Terminal(Screen(), {"TERM": "xterm"}).picture(table)
    printed = Terminal(Screen(), {"TERM": "dumb"}).picture(table)

    assert picture.endswith("line 17\nline 18\n… (+22)")
    assert picture.count("\n") == 18
    assert printed.endswith("line 40")


@pytest.mark.parametrize(
    "command",
    [
        pytest.param("\x1b[2J", id="clear"),
        pytest.param("\x1b[38;5;9m", id="colour"),
        pytest.param("\x1b]0;title\x07", id="title"),
        pytest.param("\x1b]8;;http://x\x1b\\", id="link"),
        pytest.param("\x1bP1;2q\x1b\\", id="device"),
        pytest.param("\x1bc", id="reset"),
        pytest.param("\x1b(0", id="character set"),
        pytest.param("\x9b2J", id="one byte"),
        pytest.param("\x07\x08\x7f\r", id="control"),
        pytest.param("\x1b", id="alone"),
    ],
)
def test_foreign_text_commands_no_terminal(command: str) -> None:
    text = f"a\tb {command}\n 分析 é 👨\u200d👩 [1]"
    screen = Terminal(Screen(), {"TERM": "xterm"})

    shown = screen.harmless(text)

    assert "\x1b" not in shown
    assert not set(shown) & set(map(chr, (*range(9), *range(11, 32), *range(127, 160))))
    assert screen.harmless("a\tb\n 分析 é 👨\u200d👩 [1]") == (
        "a\tb\n 分析 é 👨\u200d👩 [1]"
    )
    assert Terminal(io.StringIO(), {"TERM": "xterm"}).harmless(text) == text
