"""Whole conversations with the queue, each answer as a person reads it.

Source: issue "Everything a person wants to ask and say", bar 2.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from transcripts.driver import WRITE, called, difference, opened, play, read, started

TRANSCRIPTS = sorted(Path(__file__).parent.glob("*.txt"))
FEWEST = 60
"""Turns of a conversation."""


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_each_answer_is_as_written(path: Path, tmp_path: Path) -> None:
    programs = opened(tmp_path)

    written, played = play(path, programs, called(programs))

    assert WRITE or difference(written, played) == ""


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_a_conversation_is_long_enough(path: Path) -> None:
    turns = list(read(path.read_text(encoding="utf-8")))

    assert sum(turn.who in {"you", "chat"} for turn in turns) >= FEWEST


@pytest.mark.slow
@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_the_real_hooks_answer_alike(path: Path, tmp_path: Path) -> None:
    programs = opened(tmp_path)

    written, played = play(path, programs, started(programs))

    assert difference(written, played) == ""
