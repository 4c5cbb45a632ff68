"""A person's edit at any step of a commit, or of a recovery, is never written over.

Afterwards the person's text is in the queue file; or the queue stands still, both
texts are on the disk, and the message names them. What was committed is in one of the
two as well.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TextIO

import pytest

from commits import COMMITS, a_store, recover
from contract.store_contract import CLOUD, LOCAL, meta_of
from crashing import (
    Point,
    Step,
    Steps,
    copy_tree,
    crash,
    points_of,
    sampled,
    steps_of,
    tree_of,
)
from model_queue.errors import ModelQueueError

ADDED = '"id": "T-006"'
"""What the intake puts into the queue that is edited, the second one that it writes."""
COMMIT = COMMITS["intake"]


@pytest.fixture(autouse=True)
def _no_flush(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a power cut shows whether the disk was flushed; here it costs the time."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


@pytest.fixture
def start(tmp_path: Path) -> Path:
    COMMIT.before(tmp_path / "start")
    return tmp_path / "start"


class Editor:
    """A person with the file in an editor since before the commit."""

    def __init__(self, folder: Path, source: str) -> None:
        self.path = folder / f"{source}.json"
        self._seen = self.path.read_text("utf-8") if self.path.exists() else ""
        self.is_done = False

    def save(self) -> str:
        """Return what is in the file now, or was last, with a note in it."""
        with suppress(FileNotFoundError):
            self._seen = self.path.read_text("utf-8")
        self.is_done = True
        return noted(self._seen)

    def in_place(self) -> None:
        self.path.write_text(self.save(), "utf-8")

    def by_rename(self) -> None:
        beside = self.path.with_name("edited.swp")
        beside.write_text(self.save(), "utf-8")
        beside.replace(self.path)

    def delete(self) -> None:
        self.is_done = True
        self.path.unlink(missing_ok=True)


def write_over(file: TextIO, text: str) -> None:
    file.seek(0)
    file.truncate()
    file.write(text)
    file.flush()


def noted(text: str) -> str:
    return json.dumps(json.loads(text) | {"x_note": "mine"}, indent=1)


EDITS: dict[str, Callable[[Editor], None]] = {
    "in place": Editor.in_place,
    "by rename": Editor.by_rename,
    "delete": Editor.delete,
}


def at_step(n: int, edit: Callable[[], None]) -> Callable[[Step], None]:
    """Return what meets steps and edits before the n-th one."""
    left = [n]

    def meet(_: Step) -> None:
        if left[0] == 0:
            edit()
        left[0] -= 1

    return meet


def check(folder: Path, source: str, *, how: str, committed: bool, told: str) -> None:
    """Hold a directory to the law; the next process has come."""
    recover(folder)
    path = folder / f"{source}.json"
    kept = folder / ".state" / "unsettled" / path.name
    text = path.read_text("utf-8") if path.exists() else ""
    texts = [text, kept.read_text("utf-8") if kept.exists() else ""]
    if how != "delete":
        assert json.loads(text).get("x_note") == "mine", told
    if committed and text:
        assert any(ADDED in each for each in texts), told
    if kept.exists() and text:
        broken = str(meta_of(a_store(folder), source).broken)
        assert str(path) in broken, told
        assert str(kept) in broken, told
    if not kept.exists() and text:
        assert meta_of(a_store(folder), source).broken is None, told
    litter = [p.name for p in folder.iterdir() if p.name.startswith(f".{source}")]
    assert litter == [], told


def commit_with_edit(
    folder: Path, n: int, edit: Callable[[], None], act: Callable[[], object]
) -> bool:
    """Carry a commit out with an edit at one step; True when it was written."""
    try:
        with Steps(folder, at_step(n, edit)):
            act()
    except ModelQueueError:
        return False
    return True


def edit_at(start: Path, n: int, how: str, source: str) -> None:
    folder = copy_tree(start, start.with_name(f"{how}-{source}-{n}"))
    person = Editor(folder, source)

    is_written = commit_with_edit(
        folder, n, partial(EDITS[how], person), lambda: COMMIT.act(folder)
    )

    assert person.is_done
    is_counted = is_written and source == LOCAL
    told = f"{how}, before step {n}"
    check(folder, source, how=how, committed=is_counted, told=told)


def n_steps(start: Path, act: Callable[[Path], object]) -> int:
    folder = copy_tree(start, start.with_name("counted"))
    return len(steps_of(folder, lambda: act(folder)))


@pytest.mark.parametrize("how", EDITS)
def test_an_edit_around_an_exchange_is_not_written_over(start: Path, how: str) -> None:
    folder = copy_tree(start, start.with_name("counted"))
    steps = steps_of(folder, partial(COMMIT.act, folder))
    first = next(n for n, s in enumerate(steps) if s.to == f".{LOCAL}.json.taken")

    for n in range(first - 1, first + 3):
        edit_at(start, n, how, LOCAL)


@pytest.mark.parametrize("how", ["in place", "by rename"])
def test_an_edit_before_the_first_file_has_its_place_makes_the_pass_start_over(
    start: Path, how: str
) -> None:
    act = COMMITS["claim"].act
    copy = copy_tree(start, start.with_name("counted"))
    steps = steps_of(copy, partial(act, copy))
    placed = next(n for n, s in enumerate(steps) if s.to == f"{LOCAL}.json")

    for n in range(placed + 1):
        folder = copy_tree(start, start.with_name(f"early-{n}"))
        person = Editor(folder, LOCAL)
        with Steps(folder, at_step(n, partial(EDITS[how], person))):
            act(folder)

        assert meta_of(a_store(folder), LOCAL).broken is None
        text = person.path.read_text("utf-8")
        assert json.loads(text).get("x_note") == "mine"
        assert '"running"' in text


@pytest.mark.slow
@pytest.mark.parametrize("source", [LOCAL, CLOUD])
@pytest.mark.parametrize("how", EDITS)
def test_an_edit_at_any_step_of_a_commit_is_not_written_over(
    start: Path, how: str, source: str
) -> None:
    for n in range(n_steps(start, COMMIT.act)):
        edit_at(start, n, how, source)


@pytest.mark.parametrize("source", [LOCAL, pytest.param(CLOUD, marks=pytest.mark.slow)])
def test_an_editor_that_writes_into_the_file_that_was_taken_is_seen(
    start: Path, source: str
) -> None:
    folder = copy_tree(start, start.with_name("counted"))
    steps = steps_of(folder, partial(COMMIT.act, folder))
    ends = next(
        n for n, s in enumerate(steps) if s.to == f".state/backup/{source}.json"
    )

    for n in range(ends):
        folder = copy_tree(start, start.with_name(f"open-{n}"))
        path = folder / f"{source}.json"
        with path.open("r+", encoding="utf-8") as file:
            text = noted(file.read())
            write = partial(write_over, file, text)
            is_written = commit_with_edit(folder, n, write, partial(COMMIT.act, folder))

        is_counted = is_written and source == LOCAL
        told = f"written before step {n}"
        check(folder, source, how="in place", committed=is_counted, told=told)


@pytest.mark.slow
@pytest.mark.parametrize("how", EDITS)
def test_an_edit_at_any_step_of_a_recovery_is_not_written_over(
    start: Path, how: str
) -> None:
    points = points_of(
        steps_of(
            copy := copy_tree(start, start.with_name("counted")),
            partial(COMMIT.act, copy),
        )
    )
    known: set[object] = set()
    for i, point in enumerate(points):
        crashed = copy_tree(start, start.with_name(f"crashed-{i}"))
        crash(crashed, partial(COMMIT.act, crashed), point)
        tree = tree_of(crashed)
        is_left = (crashed / ".state/journal").exists()
        if is_left and tree not in known:
            known.add(tree)
            edits_of_a_recovery(crashed, how, nth=len(known))


def edits_of_a_recovery(crashed: Path, how: str, *, nth: int) -> None:
    whole = copy_tree(crashed, crashed.with_name(f"{crashed.name}-whole"))
    steps = range(len(steps_of(whole, partial(recover, whole))))
    for n in sampled(steps, 8, nth=nth):
        folder = copy_tree(crashed, crashed.with_name(f"{crashed.name}-{n}"))
        person = Editor(folder, LOCAL)
        if not person.path.exists():
            # The crash came between taking and placing; it was in the editor before.
            person = Editor(crashed.with_name("start"), LOCAL)
            person.path = folder / f"{LOCAL}.json"

        commit_with_edit(
            folder, n, partial(EDITS[how], person), partial(recover, folder)
        )

        told = f"{how} in the recovery of {crashed.name}, before step {n}"
        check(folder, LOCAL, how=how, committed=True, told=told)


def crashed_after(start: Path, to: str) -> Path:
    """Let a commit die right after a rename or link to a name."""
    copy = copy_tree(start, start.with_name("counted"))
    steps = steps_of(copy, partial(COMMIT.act, copy))
    n = next(n for n, step in enumerate(steps) if step.to == to)
    folder = copy_tree(start, start.with_name("crashed"))
    crash(folder, partial(COMMIT.act, folder), Point(n + 1))
    return folder


@pytest.mark.parametrize(
    ("to", "how"),
    [
        (f"{LOCAL}.json", "in place"),
        (f".state/backup/latest/{LOCAL}.json", "in place"),
        (f".state/backup/latest/{LOCAL}.json", "by rename"),
        (f".state/backup/{LOCAL}.json", "in place"),
        (f".state/backup/{LOCAL}.json", "by rename"),
    ],
)
def test_an_edit_of_what_a_crashed_commit_had_written_stops_no_queue(
    start: Path, to: str, how: str
) -> None:
    folder = crashed_after(start, to)

    EDITS[how](Editor(folder, LOCAL))

    check(folder, LOCAL, how=how, committed=True, told=to)
    assert not (folder / ".state" / "unsettled").exists()


def test_a_file_that_was_deleted_after_a_crashed_commit_had_written_it_stays_deleted(
    start: Path,
) -> None:
    folder = crashed_after(start, f".state/backup/{LOCAL}.json")

    (folder / f"{LOCAL}.json").unlink()

    recover(folder)
    assert not (folder / f"{LOCAL}.json").exists()


def test_a_file_without_hard_links_is_exchanged_all_the_same(
    start: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "link", refuse)

    COMMIT.act(start)

    [broken] = {meta.broken for meta in a_store(start).queues()}
    assert broken is None
    assert ADDED in (start / f"{LOCAL}.json").read_text("utf-8")
    assert ADDED not in (start / f".state/backup/{LOCAL}.json").read_text("utf-8")


def spoil_by_rename(path: Path) -> None:
    path.with_name("garbage").write_text("{")
    path.with_name("garbage").replace(path)


def spoil_in_place(path: Path) -> None:
    path.write_text("{")


@pytest.mark.parametrize("spoil", [spoil_by_rename, spoil_in_place])
def test_what_was_written_last_outlives_a_file_replaced_by_garbage(
    start: Path, spoil: Callable[[Path], None]
) -> None:
    COMMIT.act(start)
    written = (start / f"{LOCAL}.json").read_bytes()

    spoil(start / f"{LOCAL}.json")

    assert (start / f".state/backup/latest/{LOCAL}.json").read_bytes() == written


def test_a_link_to_another_file_system_is_exchanged_where_it_leads(
    start: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    away = tmp_path / "away.json"
    path = start / f"{LOCAL}.json"
    before = path.read_bytes()
    away.write_bytes(before)
    path.unlink()
    path.symlink_to(away)
    rename = os.rename

    def within(source: str, target: str) -> None:
        if Path(source).parent == tmp_path != Path(target).parent:
            raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))
        rename(source, target)

    monkeypatch.setattr(os, "rename", within)

    COMMIT.act(start)

    assert path.is_symlink()
    assert ADDED in away.read_text("utf-8")
    assert (start / f".state/backup/{LOCAL}.json").read_bytes() == before
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith(".")] == []
