"""What is no file is refused at once where a file is read: a pipe would be waited for."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from model_queue import waker
from model_queue.atomic import append_line, locked, read_file, read_lines
from model_queue.commands import misplaced
from model_queue.errors import StoreError
from model_queue.guard import sidecar
from model_queue.stores import _events
from model_queue.wiring import Surroundings, read_settings


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
@pytest.mark.parametrize(
    "read", [read_file, read_lines, _events.whole, lambda path: append_line(path, b"x")]
)
def test_reader_refuses_what_is_no_file(
    tmp_path: Path, make: Callable[[Path], None], read: Callable[[str], object]
) -> None:
    make(tmp_path / "outbox")

    with pytest.raises(StoreError, match="outbox"):
        read(str(tmp_path / "outbox"))


def test_log_of_an_earlier_month_is_not_looked_for_in_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "events.jsonl")

    with pytest.raises(StoreError, match=r"events\.jsonl is no file"):
        _events.newest(str(tmp_path), 1)


def test_lock_can_be_taken_on_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "lock")

    with locked(str(tmp_path / "lock"), timeout_s=1.0):
        held = True

    assert held


def test_pipe_is_no_due_moment(tmp_path: Path) -> None:
    (tmp_path / ".state").mkdir()
    os.mkfifo(tmp_path / ".state" / "due")

    assert waker.read_due(str(tmp_path)) is None


def test_pipe_is_no_sidecar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "sidecar")
    path = str(tmp_path / "sidecar")
    monkeypatch.setattr("model_queue.guard.sidecar_path", lambda _: path)

    assert sidecar("idle", 0.0) is None


@pytest.mark.parametrize("name", ["TOOLS.md", "task-queue.toml"])
def test_settings_file_that_is_no_file_is_skipped_and_told(
    tmp_path: Path, name: str
) -> None:
    tools = "MODEL_SOURCE_OLLAMA_LOCAL=ollama/llama3\n"
    (tmp_path / "TOOLS.md").write_text(tools, encoding="utf-8")
    (tmp_path / name).unlink(missing_ok=True)
    os.mkfifo(tmp_path / name)
    environment = {
        "HOME": str(tmp_path),
        "MODEL_QUEUE_TOOLS_MD": str(tmp_path / "TOOLS.md"),
        "MODEL_QUEUE_TOML": str(tmp_path / "task-queue.toml"),
    }

    settings = read_settings(Surroundings(environment, str(tmp_path), {}))

    told = [problem.text for problem in settings.problems]
    assert any(f"{name} is no file" in text for text in told)


@pytest.mark.parametrize("name", ["events.jsonl", ".state/seen", "results/T-001.md"])
def test_doctor_names_what_is_no_file(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir(parents=True)

    [problem] = misplaced.found_in(str(tmp_path))

    assert f"{name} is no file" in problem.text


def test_doctor_names_an_archive_month_that_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "archive" / "ollama-local").mkdir(parents=True)
    os.mkfifo(tmp_path / "archive" / "ollama-local" / "2026-03.json")

    [problem] = misplaced.found_in(str(tmp_path))

    assert "2026-03.json is no file" in problem.text


@pytest.mark.parametrize("name", ["results", "sessions", ".state"])
def test_doctor_names_what_is_no_directory(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("x", encoding="utf-8")

    [problem] = misplaced.found_in(str(tmp_path))

    assert f"{name} is no directory" in problem.text


def test_doctor_names_nothing_in_a_whole_directory(tmp_path: Path) -> None:
    for name in ("results", "archive/ollama-local", ".state"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "results" / "T-001.md").write_text("x", encoding="utf-8")

    assert list(misplaced.found_in(str(tmp_path))) == []
