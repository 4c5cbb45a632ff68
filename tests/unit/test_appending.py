"""A text is added behind a file's own bytes, whole or not at all."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from model_queue.appending import append_text
from model_queue.errors import StoreError


def test_missing_file_is_created_only_on_demand(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "TOOLS.md"

    assert not append_text(str(path), lambda _: "x\n")
    assert not path.parent.exists()
    assert append_text(str(path), lambda _: "x\n", create=True)
    assert path.read_bytes() == b"x\n"
    assert path.stat().st_mode & 0o777 == 0o600


def test_nothing_chosen_writes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "TOOLS.md"
    path.write_bytes(b"# Mine")

    assert not append_text(str(path), lambda _: "")
    assert path.read_bytes() == b"# Mine"


@pytest.mark.parametrize("data", [b"\xef\xbb\xbfone", "\ufeffone".encode("utf-16-be")])
def test_choice_sees_the_text_without_its_mark(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "TOOLS.md"
    path.write_bytes(data)
    seen: list[str] = []

    def choose(text: str) -> str:
        seen.append(text)
        return ""

    append_text(str(path), choose)

    assert seen == ["one"]


def test_refusal_of_the_choice_writes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "TOOLS.md"
    path.write_bytes(b"# Mine\n")

    def refuse(text: str) -> str:
        raise ValueError(text)

    with pytest.raises(ValueError, match="# Mine"):
        append_text(str(path), refuse)

    assert path.read_bytes() == b"# Mine\n"


def test_write_that_fails_half_way_is_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "TOOLS.md"
    path.write_bytes(b"# Mine\n")
    write, left = os.write, [3]

    def full(fd: int, data: bytes) -> int:
        if not left:
            raise OSError(errno.ENOSPC, "full")
        return write(fd, data[: left.pop()])

    monkeypatch.setattr("model_queue.appending.os.write", full)
    with pytest.raises(StoreError, match="the disk is full"):
        append_text(str(path), lambda _: "more\n")

    assert path.read_bytes() == b"# Mine\n"
