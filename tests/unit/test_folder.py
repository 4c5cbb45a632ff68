"""Reports, checkpoints and names of files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fakes import START, a_task
from model_queue.folder import Folder, safe_name
from model_queue.labels import attempt_of
from model_queue.model import Checkpoint

SAVED = Checkpoint(
    task_id="T-001",
    percent_complete=45,
    last_action="read 读",
    next_action="write",
    agent_id="a",
    written_at=START,
)


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(str(tmp_path))


def test_report_lies_under_the_task_s_id(folder: Folder, tmp_path: Path) -> None:
    path = folder.write_result(a_task(), "结果")

    assert path == "results/T-001.md"
    assert folder.read_result(path) == "结果"
    assert folder.absolute(path) == str(tmp_path / "results" / "T-001.md")
    assert (tmp_path / path).stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "results").stat().st_mode & 0o777 == 0o700


def test_what_a_killed_writer_of_a_report_leaves_lies_where_it_is_swept(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(source: str, _: str) -> None:
        raise SystemExit(source)

    monkeypatch.setattr(os, "replace", die)
    with pytest.raises(SystemExit) as death:
        folder.write_result(a_task(), "text")

    left = Path(str(death.value))
    assert left.parent == tmp_path / ".state"
    assert left.match(".*.tmp")


def test_report_with_half_a_surrogate_pair_is_kept(folder: Folder) -> None:
    path = folder.write_result(a_task(), "a\ud83db")

    assert folder.read_result(path) == "a?b"


def test_report_of_a_doubled_id_carries_the_source(tmp_path: Path) -> None:
    folder = Folder(str(tmp_path), is_doubled=lambda task_id: task_id == "T-001")

    assert folder.write_result(a_task(), "x") == "results/T-001.ollama-local.md"
    assert folder.write_result(a_task("T-002"), "x") == "results/T-002.md"


def test_earlier_report_is_kept_under_its_attempt(folder: Folder) -> None:
    path = folder.write_result(a_task(), "first")
    task = a_task(attempt=1, result_path=path)

    folder.keep_old_result(task)
    folder.keep_old_result(task)
    folder.write_result(task, "second")

    assert folder.read_result("results/T-001.a1.md") == "first"
    assert folder.read_result(path) == "second"


def test_late_report_lies_beside_under_its_own_attempt(folder: Folder) -> None:
    task = a_task(attempt=2)

    path = folder.write_late_result(task, "late", label="mq-t-001-a1-00000001")

    assert path == "results/T-001.a1.late.md"
    assert folder.read_result(path) == "late"


def test_late_report_of_a_strange_label_gets_a_safe_name(folder: Folder) -> None:
    path = folder.write_late_result(a_task(), "late", label="../../x")

    assert path.startswith("results/T-001.")
    assert path.count("/") == 1


@pytest.mark.parametrize(
    "path",
    ["../secret", "/etc/hostname", "results/../../secret", "", ".", "a\0b", "a\ud83d"],
)
def test_path_out_of_the_directory_finds_nothing(tmp_path: Path, path: str) -> None:
    (tmp_path / "secret").write_text("secret")
    folder = Folder(str(tmp_path / "queues"))

    assert folder.read_result(path) is None
    folder.keep_old_result(a_task(result_path=path))
    assert (tmp_path / "secret").exists()


def test_checkpoint_comes_back_as_it_was(folder: Folder) -> None:
    path = folder.write_checkpoint(a_task(), SAVED)

    assert path == "checkpoints/T-001.json"
    assert folder.read_checkpoint(a_task()) == SAVED
    assert folder.read_checkpoint(a_task(checkpoint_path=path)) == SAVED


@pytest.mark.parametrize("text", ["", "{", "[]", '{"task_id": "T-001"}', "\ufeff[]"])
def test_checkpoint_that_cannot_be_read_is_none(
    folder: Folder, tmp_path: Path, text: str
) -> None:
    (tmp_path / "checkpoints").mkdir()
    (tmp_path / "checkpoints" / "T-001.json").write_text(text)

    assert folder.read_checkpoint(a_task()) is None


def test_checkpoint_that_was_never_written_is_none(folder: Folder) -> None:
    assert folder.read_checkpoint(a_task()) is None


def test_session_folder_is_named_by_its_label(folder: Folder, tmp_path: Path) -> None:
    label = "mq-t-001-a1-00000001"

    assert folder.session_dir(label) == str(tmp_path / "sessions" / label)
    assert folder.state_dir == str(tmp_path / ".state")


@pytest.mark.parametrize(
    "text",
    ["", ".", "..", "../x", "a/b", "A", "a b", "模型", ".hidden", "x" * 500, "\ud83d"],
)
def test_safe_name_allows_few_marks_and_bounds_the_length(text: str) -> None:
    name = safe_name(text)

    assert name.isascii()
    assert name == name.lower()
    assert set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789._-")
    assert name[0] != "."
    assert len(name) <= 120


@pytest.mark.parametrize("text", ["ollama-local", "mq-t-001-a1-1f3c9a7e", "v1.0_x"])
def test_safe_name_leaves_a_good_name(text: str) -> None:
    assert safe_name(text) == text


def test_safe_name_keeps_names_apart() -> None:
    names = ["a/b", "a_b", "A/B", "a\\b", "_a/b", *("x" * n for n in range(99, 110))]

    assert len({safe_name(name) for name in names}) == len(names)


@pytest.mark.parametrize(
    ("label", "attempt"),
    [
        ("mq-t-001-a1-00000001", 1),
        ("mq-t-001-a12-00000001", 12),
        ("mq-t-001-a1-00000002", None),
        ("mq-t-0011-a1-00000001", None),
        ("mq-t-001-a-00000001", None),
        ("mq-t-001-ax-00000001", None),
        ("mq-t-001-a1-00000001x", None),
        ("", None),
    ],
)
def test_label_names_an_attempt_of_its_own_task_only(
    label: str, attempt: int | None
) -> None:
    assert attempt_of(a_task(attempt=1), label) == attempt
