"""Folders of sessions go with their task to the archive, and no sooner."""

from __future__ import annotations

import datetime as dt
import json
import os
from pathlib import Path

import pytest

from cores import a_core, add, end, get, tick
from fakes import START, a_task
from model_queue import detached, session_folders
from model_queue.core import Core
from model_queue.launchers.outcomes import encode_outcome
from model_queue.model import Outcome, Task

LATER = START + dt.timedelta(days=8)
SUCCESS = Outcome(result_status="success", result="42 rows", summary="42 rows")


def a_session(core: Core, label: str, outcome: Outcome | None = SUCCESS) -> Path:
    """Write the folder of an ended session."""
    folder = Path(core.folder.session_dir(label))
    folder.mkdir(parents=True)
    (folder / "session.json").write_text("{}")
    (folder / "work").mkdir()
    (folder / "work" / "notes").write_text("x")
    if outcome is not None:
        (folder / "outcome.json").write_text(json.dumps(encode_outcome(outcome)))
    return folder


def done(core: Core) -> Task:
    """Run a task to its end."""
    [added] = add(core, a_task(""))
    tick(core)
    end(core, added.id, SUCCESS)
    return get(core, added.id)


def label_of(task: Task, attempt: int = 1) -> str:
    return f"mq-{task.id.lower()}-a{attempt}-{task.uuid[:8]}"


def archived(core: Core) -> Task:
    task = done(core)
    assert core.store.archive(before=LATER, now=LATER) == [task.id]
    return task


def test_the_folders_of_an_archived_task_are_removed(tmp_path: Path) -> None:
    core = a_core(tmp_path)
    task = archived(core)
    folders = [a_session(core, label_of(task, n)) for n in (1, 2)]

    n_removed = session_folders.remove_archived(core, now=LATER)

    assert n_removed == 2
    assert [folder.exists() for folder in folders] == [False, False]


def test_a_finished_task_that_is_not_archived_keeps_its_folders(tmp_path: Path) -> None:
    core = a_core(tmp_path)
    folder = a_session(core, label_of(done(core)))

    assert session_folders.remove_archived(core, now=LATER) == 0
    assert folder.exists()


@pytest.mark.parametrize(
    "label", ["mq-t-999-a1-00000001", "mq-t-001-a1-ffffffff", "notes", ".DS_Store"]
)
def test_a_folder_that_belongs_to_no_archived_task_is_left(
    tmp_path: Path, label: str
) -> None:
    core = a_core(tmp_path)
    archived(core)
    folder = Path(core.folder.sessions_dir, label)
    folder.mkdir(parents=True)

    assert session_folders.remove_archived(core, now=LATER) == 0
    assert folder.exists()


def test_a_folder_in_which_something_may_run_is_left(tmp_path: Path) -> None:
    core = a_core(tmp_path)
    folder = a_session(core, label_of(archived(core)))
    lock = detached.try_lock(str(folder / "lock"))
    assert lock is not None

    n_removed = session_folders.remove_archived(core, now=LATER)

    os.close(lock)
    assert n_removed == 0
    assert (folder / "outcome.json").exists()


def test_what_nobody_has_read_is_kept_as_a_late_result(tmp_path: Path) -> None:
    core = a_core(tmp_path)
    task = archived(core)
    unread = Outcome(result_status="success", result="another text")
    a_session(core, label_of(task), unread)

    session_folders.remove_archived(core, now=LATER)

    kept = tmp_path / "results" / "T-001.a1.late.md"
    assert kept.read_text() == "another text"
    assert (tmp_path / "results" / "T-001.md").read_text() == "42 rows"


def test_what_was_read_is_not_kept_again(tmp_path: Path) -> None:
    core = a_core(tmp_path)
    a_session(core, label_of(archived(core)))

    session_folders.remove_archived(core, now=LATER)

    assert [path.name for path in (tmp_path / "results").iterdir()] == ["T-001.md"]


def test_a_folder_that_a_crash_left_half_removed_goes_at_the_next_call(
    tmp_path: Path,
) -> None:
    core = a_core(tmp_path)
    folder = a_session(core, label_of(archived(core)))
    (folder / "session.json").unlink()
    (folder / "outcome.json").unlink()

    assert session_folders.remove_archived(core, now=LATER) == 1
    assert not folder.exists()


def test_one_folder_that_cannot_be_removed_keeps_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    core = a_core(tmp_path)
    task = archived(core)
    first, second = (a_session(core, label_of(task, n)) for n in (1, 2))
    remove, refused = os.unlink, list[str]()

    def refuse_once(path: str, **options: int) -> None:
        if path == "session.json" and not refused:
            refused.append(path)
            raise PermissionError
        remove(path, **options)

    monkeypatch.setattr("os.unlink", refuse_once)
    session_folders.remove_archived(core, now=LATER)

    assert [folder.exists() for folder in (first, second)] == [True, False]


def test_nothing_to_remove_is_no_error(tmp_path: Path) -> None:
    assert session_folders.remove_archived(a_core(tmp_path), now=LATER) == 0
