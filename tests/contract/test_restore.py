"""A queue whose file stops it is brought back, and no text is thrown away."""

from __future__ import annotations

import datetime as dt
import json
import os
import shlex
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from contract.store_contract import (
    CLOUD,
    LOCAL,
    QUEUES,
    a_draft,
    add,
    claim,
    finished,
    ids_of,
    meta_of,
    put,
)
from fakes import START, SequentialIds
from model_queue.errors import (
    CorruptQueueFile,
    MissingQueueFile,
    NoEarlierVersion,
    NothingToRestore,
    StateError,
    UnknownSource,
    UnsettledFile,
    UnusableQueueFile,
    restore_command,
)
from model_queue.model import JsonObject, Status, TaskRef
from model_queue.store import Query, Store
from model_queue.stores.files import FilesStore
from model_queue.stores.memory import MemoryStore

NAME = "ollama-local.json"
GARBAGE = {
    "nothing": b"",
    "a truncated file": b'{"version": "1.0", "tasks": [{"id": "T-00',
    "binary": bytes(range(256)),
    "zeros": b"\0" * 512,
    "a list": b"[]",
    "null": b"null",
    "wrong types": b'{"tasks": {"T-001": 1}}',
    "a mark and nonsense": b"\xef\xbb\xbf<html>",
    "another encoding": '{"tasks": []}'.encode("utf-16"),
    "a deep nest": b'{"tasks": ' + b"[" * 100_000,
    "a number without end": b'{"maxConcurrent": ' + b"9" * 5000 + b"}",
}


@pytest.fixture(autouse=True)
def _no_flush(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a power cut shows whether the disk was flushed; here it costs the time."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "queues"


@pytest.fixture
def store(folder: Path) -> FilesStore:
    """Two queues; the local one has T-001 and, since its last commit, T-002."""
    store = a_store(folder)
    store.open_queues(QUEUES, now=START)
    add(store)
    add(store)
    return store


def a_store(folder: Path, **options: object) -> FilesStore:
    return FilesStore(str(folder), ids=SequentialIds(), **options)  # type: ignore[arg-type] # the test's


def spoil(folder: Path, garbage: bytes) -> None:
    """Put garbage into the file, where a power cut has left no copy of the last text."""
    (folder / NAME).write_bytes(garbage)
    (folder / ".state/backup/latest" / NAME).unlink(missing_ok=True)


class Crash(BaseException):
    """The process is gone: nothing after it runs."""


def crash_at(step: str, nth: int = 1) -> Callable[[str], None]:
    left = [nth]

    def at(now: str) -> None:
        if now == step:
            left[0] -= 1
            if left[0] == 0:
                raise Crash

    return at


def edit(path: Path, **fields: object) -> bytes:
    """Change a queue file by hand, and lay it out as an editor does."""
    wire: JsonObject = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(wire | fields, indent=4), encoding="utf-8")
    return path.read_bytes()


def kept(folder: Path) -> list[bytes]:
    """Return every text that was kept aside."""
    return [path.read_bytes() for path in sorted(folder.glob(".state/broken/*"))]


def unsettled(folder: Path) -> FilesStore:
    """Crash after the first of two queue files, and edit the second one by hand.

    The edit has T-001, the commit had T-001 and T-003.
    """
    store = a_store(folder)
    store.open_queues(QUEUES, now=START)
    add(store)
    dying = a_store(folder, at=crash_at("replaced"))
    with pytest.raises(Crash):
        add(dying, a_draft(queue=CLOUD), a_draft())
    edit(folder / NAME, maxConcurrent=7)
    store = a_store(folder)
    # Whoever looks first finishes the commit, and finds the edit.
    store.queues()
    return store


@pytest.fixture(params=["files", "memory"])
def any_store(request: pytest.FixtureRequest, folder: Path) -> Store:
    if request.param == "memory":
        return MemoryStore(ids=SequentialIds())
    return a_store(folder)


def test_restore_refuses_a_queue_that_is_whole(any_store: Store) -> None:
    any_store.open_queues(QUEUES, now=START)

    with pytest.raises(NothingToRestore) as refused:
        any_store.restore(LOCAL, now=START)

    assert str(refused.value) == "ollama-local is whole; nothing to restore"
    assert refused.value.exit_code == 5


def test_restore_names_the_queue_that_a_wrong_name_may_mean(any_store: Store) -> None:
    any_store.open_queues(QUEUES, now=START)

    with pytest.raises(UnknownSource, match="one of ollama-local"):
        any_store.restore("olama-local", now=START)


@pytest.mark.parametrize("name", ["", ".", "../ollama-local", "a/b", ".state/seen"])
def test_restore_takes_no_path_for_a_name(store: FilesStore, name: str) -> None:
    with pytest.raises(UnknownSource):
        store.restore(name, now=START)


def test_restore_creates_nothing_where_no_queues_are(folder: Path) -> None:
    with pytest.raises(UnknownSource):
        a_store(folder).restore(LOCAL, now=START)

    assert not folder.exists()


@pytest.mark.parametrize("garbage", GARBAGE.values(), ids=GARBAGE)
def test_garbage_is_kept_beside_and_the_version_before_it_is_back(
    store: FilesStore, folder: Path, garbage: bytes
) -> None:
    spoil(folder, garbage)
    fault = meta_of(store, LOCAL).fault
    assert isinstance(fault, CorruptQueueFile)
    assert fault.earlier is not None

    done = store.restore(LOCAL, now=START)

    assert (done.kind, done.version) == ("earlier", fault.earlier)
    assert (done.version.n_tasks, done.version.n_open) == (1, 1)
    assert done.aside == [
        str(folder / ".state/broken/ollama-local-20260304T165100Z.json")
    ]
    assert kept(folder) == [garbage]
    assert ids_of(store.select(Query())) == ["T-001"]
    assert meta_of(store, LOCAL).broken is None


@pytest.mark.parametrize("garbage", GARBAGE.values(), ids=GARBAGE)
def test_what_was_written_last_is_back_after_garbage_was_written_over_it(
    store: FilesStore, folder: Path, garbage: bytes
) -> None:
    (folder / NAME).write_bytes(garbage)

    done = store.restore(LOCAL, now=START)

    assert done.version.path == str(folder / ".state/backup/latest" / NAME)
    assert ids_of(store.select(Query())) == ["T-001", "T-002"]


def test_a_copy_that_a_power_cut_tore_is_passed_over(
    store: FilesStore, folder: Path
) -> None:
    (folder / NAME).write_bytes(b"{")
    (folder / ".state/backup/latest" / NAME).write_bytes(b"")

    store.restore(LOCAL, now=START)

    assert ids_of(store.select(Query())) == ["T-001"]


def test_hint_says_what_the_command_would_bring_back(
    store: FilesStore, folder: Path
) -> None:
    os.utime(folder / ".state/backup" / NAME, (1772621520, 1772621520))
    spoil(folder, b"{")

    fault = meta_of(store, LOCAL).fault

    assert fault is not None
    assert fault.hint == (
        "Mend the file, or run `model-queue doctor --restore ollama-local`, which would "
        "bring back 1 task (1 open) as of 2026-03-04 10:52 UTC."
    )


def test_the_error_of_a_refused_commit_names_the_command(
    store: FilesStore, folder: Path
) -> None:
    spoil(folder, b"{")

    with pytest.raises(CorruptQueueFile) as refused:
        add(store)

    assert "`model-queue doctor --restore ollama-local`" in refused.value.hint


def test_a_task_that_the_version_lacks_is_named(
    store: FilesStore, folder: Path
) -> None:
    spoil(folder, b'{"tasks": [{"id": "T-009", ')

    # The log knows of T-002, the text itself of T-009.
    os.utime(folder / ".state/backup" / NAME, (START.timestamp(), START.timestamp()))
    done = store.restore(LOCAL, now=START)

    assert done.left_out == ["T-002", "T-009"]


def test_numbers_of_the_broken_text_are_not_given_again(
    store: FilesStore, folder: Path
) -> None:
    spoil(folder, b'{"tasks": [{"id": "T-009", ')
    store.restore(LOCAL, now=START)

    [task] = add(store)

    assert task.id == "T-010"


def test_numbers_of_the_broken_text_outlive_the_counter(
    store: FilesStore, folder: Path
) -> None:
    spoil(folder, b'{"tasks": [{"id": "T-009", ')
    store.restore(LOCAL, now=START)
    (folder / ".state/counter").unlink()

    [task] = add(store)

    assert task.id == "T-010"


def test_restore_is_logged(store: FilesStore, folder: Path) -> None:
    spoil(folder, b"{")

    store.restore(LOCAL, now=START)

    [record] = store.events(limit=1)
    aside = ".state/broken/ollama-local-20260304T165100Z.json"
    assert (record.event, record.queue) == ("restore", LOCAL)
    assert record.detail == f"earlier; kept beside: {aside}"


def test_restoring_again_and_again_keeps_every_text(
    store: FilesStore, folder: Path
) -> None:
    for garbage in (b"one", b"two", b"three"):
        spoil(folder, garbage)
        store.restore(LOCAL, now=START)

    assert sorted(kept(folder)) == [b"one", b"three", b"two"]
    assert ids_of(store.select(Query())) == ["T-001"]


def test_the_newest_version_that_parses_is_taken(
    store: FilesStore, folder: Path
) -> None:
    whole = (folder / NAME).read_bytes()
    backup = folder / ".state/backup"
    for name, data, age in [
        ("ollama-local.second.json", whole, 10),
        ("ollama-local.third.json", b"{", 0),
        ("ollama-local-1.json", b'{"tasks": []}', 0),
        # Another queue's, though its name begins in the same way.
        (
            "ollama-local-2.json",
            whole.replace(b'"ollama-local"', b'"ollama-local-2"'),
            0,
        ),
    ]:
        (backup / name).write_bytes(data)
        os.utime(backup / name, (2e9 - age, 2e9 - age))
    spoil(folder, b"{")

    done = store.restore(LOCAL, now=START)

    assert done.version.path == str(backup / "ollama-local.second.json")
    assert ids_of(store.select(Query())) == ["T-001", "T-002"]


def test_without_a_version_that_parses_nothing_is_touched(folder: Path) -> None:
    store = a_store(folder)
    store.open_queues(QUEUES, now=START)
    spoil(folder, b"{")

    with pytest.raises(NoEarlierVersion, match="line 1, column 2") as refused:
        store.restore(LOCAL, now=START)

    assert "Mend the file" in refused.value.hint
    assert (folder / NAME).read_bytes() == b"{"
    assert kept(folder) == []
    hint = getattr(meta_of(store, LOCAL).fault, "hint", "")
    assert hint == "Mend the file, or move it away; no earlier version of it parses."


def test_a_queue_file_that_is_gone_with_open_tasks_stops_its_queue_only(
    store: FilesStore, folder: Path
) -> None:
    (folder / NAME).unlink()
    created = store.open_queues(QUEUES, now=START)

    fault = meta_of(store, LOCAL).fault

    assert isinstance(fault, MissingQueueFile)
    assert "2 tasks (2 open)" in str(fault)
    assert list(created) == []
    assert not (folder / NAME).exists()
    assert list(claim(store)) == []
    assert ids_of(add(store, a_draft(queue=CLOUD))) == ["T-003"]
    with pytest.raises(MissingQueueFile):
        add(store)


def test_a_queue_file_that_is_gone_is_brought_back(
    store: FilesStore, folder: Path
) -> None:
    (folder / NAME).unlink()

    done = store.restore(LOCAL, now=START)

    assert (list(done.aside), list(done.left_out)) == ([], [])
    assert ids_of(store.select(Query())) == ["T-001", "T-002"]


def test_garbage_that_an_editor_renames_into_place_costs_no_commit(
    store: FilesStore, folder: Path
) -> None:
    beside = folder / ".edited"
    beside.write_bytes(b"{")
    beside.replace(folder / NAME)

    done = store.restore(LOCAL, now=START)

    assert done.version.path == str(folder / ".state/backup/latest" / NAME)
    assert ids_of(store.select(Query())) == ["T-001", "T-002"]


def test_a_queue_file_that_is_gone_with_nothing_open_begins_anew(
    folder: Path,
) -> None:
    store = a_store(folder)
    store.open_queues(QUEUES, now=START)
    put(store, finished(store), priority=5)
    (folder / NAME).unlink()

    assert list(store.open_queues(QUEUES, now=START)) == [LOCAL]
    assert ids_of(add(store)) == ["T-002"]


def make_directory(path: Path) -> None:
    path.mkdir()
    (path / "inside").write_text("mine", encoding="utf-8")


def make_pipe(path: Path) -> None:
    os.mkfifo(path)


@pytest.mark.parametrize("make", [make_directory, make_pipe])
def test_what_is_no_file_is_moved_beside(
    store: FilesStore, folder: Path, make: Callable[[Path], None]
) -> None:
    (folder / NAME).unlink()
    make(folder / NAME)
    assert isinstance(meta_of(store, LOCAL).fault, UnusableQueueFile)

    done = store.restore(LOCAL, now=START)

    [aside] = map(Path, done.aside)
    assert aside.parent == folder / ".state/broken"
    assert aside.is_dir() == (make is make_directory)
    assert not aside.is_file()
    assert ids_of(store.select(Query())) == ["T-001", "T-002"]
    assert not (folder / ".state/unsettled" / NAME).exists()


@pytest.mark.parametrize("step", ["kept", "moved", "checked", "replaced", "dropped"])
@pytest.mark.parametrize("is_open", [True, False])
def test_a_crash_while_a_directory_is_moved_beside_loses_nothing(
    folder: Path, step: str, *, is_open: bool
) -> None:
    store = a_store(folder)
    store.open_queues(QUEUES, now=START)
    if is_open:
        add(store)
    else:
        finished(store)
    put(store, store.get(TaskRef.parse("T-001")), priority=5)
    (folder / NAME).unlink()
    make_directory(folder / NAME)
    with pytest.raises(Crash):
        a_store(folder, at=crash_at(step)).restore(LOCAL, now=START)

    store = a_store(folder)
    store.open_queues(QUEUES, now=START)
    if meta_of(store, LOCAL).broken is not None:
        store.restore(LOCAL, now=START)

    assert ids_of(store.select(Query())) == ["T-001"]
    asides = [path for path in folder.glob(".state/broken/*") if path.is_dir()]
    assert [(path / "inside").read_text() for path in asides] == ["mine"]
    assert meta_of(store, LOCAL).broken is None


def crash_after(n: int) -> Callable[[str], None]:
    """Return what crashes at the n-th step of any kind."""
    left = [n]

    def at(_: str) -> None:
        left[0] -= 1
        if left[0] == 0:
            raise Crash

    return at


N_STEPS = 9
"""Of a restore: checked, journal, four files, the log, the backup, dropped."""


def test_a_restore_has_as_many_steps_as_are_crashed_at(
    store: FilesStore, folder: Path
) -> None:
    spoil(folder, b"garbage")
    seen: list[str] = []

    a_store(folder, at=seen.append).restore(LOCAL, now=START)

    assert meta_of(store, LOCAL).broken is None
    assert len(seen) == N_STEPS


@pytest.mark.parametrize("nth", range(1, N_STEPS + 1))
def test_a_crash_in_the_middle_of_a_restore_is_mended_by_the_next(
    store: FilesStore, folder: Path, nth: int
) -> None:
    spoil(folder, b"garbage")
    with pytest.raises(Crash):
        a_store(folder, at=crash_after(nth)).restore(LOCAL, now=START)

    store = a_store(folder)
    if meta_of(store, LOCAL).broken is not None:
        store.restore(LOCAL, now=START)

    assert kept(folder) == [b"garbage"]
    assert ids_of(store.select(Query())) == ["T-001"]
    # The broken text has not become what the next restore would take.
    spoil(folder, b"more")
    assert ids_of(add(store, a_draft(queue=CLOUD))) == ["T-003"]
    assert store.restore(LOCAL, now=START).version.n_tasks == 1


@pytest.mark.usefixtures("store")
def test_an_edit_in_the_middle_of_a_restore_is_not_written_over(folder: Path) -> None:
    mended = (folder / NAME).read_bytes()
    spoil(folder, b"{")

    def mend(step: str) -> None:
        if step == "checked":
            (folder / NAME).write_bytes(mended)

    with pytest.raises(NothingToRestore):
        a_store(folder, at=mend).restore(LOCAL, now=START)

    assert (folder / NAME).read_bytes() == mended
    assert kept(folder) == []


def test_writers_of_other_queues_go_on_while_one_is_restored(
    store: FilesStore, folder: Path
) -> None:
    def write(_: int) -> str:
        [task] = add(a_store(folder), a_draft(queue=CLOUD))
        return task.id

    def restore(n: int) -> None:
        spoil(folder, b"garbage %d" % n)
        a_store(folder).restore(LOCAL, now=START)

    with ThreadPoolExecutor(4) as pool:
        given = pool.map(write, range(30))
        for n in range(10):
            restore(n)
        ids = list(given)

    assert len(set(ids)) == 30
    assert sorted(ids) == sorted(ids_of(store.select(Query(sources=[CLOUD]))))
    assert len(kept(folder)) == 10
    assert meta_of(store, LOCAL).broken is None


def test_several_restores_at_the_same_time_are_one(
    store: FilesStore, folder: Path
) -> None:
    spoil(folder, b"garbage")

    def restore(_: int) -> str:
        try:
            return a_store(folder).restore(LOCAL, now=START).kind
        except NothingToRestore:
            return "whole"

    with ThreadPoolExecutor(4) as pool:
        said = list(pool.map(restore, range(8)))

    assert sorted(said) == ["earlier", *["whole"] * 7]
    assert kept(folder) == [b"garbage"]
    assert ids_of(store.select(Query())) == ["T-001"]


def test_a_link_to_a_queue_file_stays_a_link(store: FilesStore, folder: Path) -> None:
    real = folder.parent / "elsewhere.json"
    (folder / NAME).replace(real)
    (folder / NAME).symlink_to(real)
    real.write_bytes(b"{")

    store.restore(LOCAL, now=START)

    assert (folder / NAME).is_symlink()
    assert kept(folder) == [b"{"]
    assert ids_of(store.select(Query())) == ["T-001", "T-002"]


def test_hint_of_an_unsettled_file_tells_both_texts_apart(folder: Path) -> None:
    fault = meta_of(unsettled(folder), LOCAL).fault

    assert isinstance(fault, UnsettledFile)
    assert fault.hint == (
        "Run `model-queue doctor --restore ollama-local` to go on with the edit, 1 task "
        "(1 open), or `model-queue doctor --restore ollama-local --take commit` to take "
        "the other text, 2 tasks (2 open); the one that is not taken is kept."
    )


def test_the_edit_of_an_unsettled_file_stays(folder: Path) -> None:
    store = unsettled(folder)
    edited = (folder / NAME).read_bytes()
    commit = (folder / ".state/unsettled" / NAME).read_bytes()

    done = store.restore(LOCAL, now=START)

    assert (done.kind, done.left_out) == ("edit", ["T-003"])
    assert (folder / NAME).read_bytes() == edited
    assert kept(folder) == [commit]
    assert meta_of(store, LOCAL).max_concurrent == 7
    assert ids_of(add(store)) == ["T-004"]


def test_the_commit_s_text_is_taken_when_the_person_says_so(folder: Path) -> None:
    store = unsettled(folder)
    edited = (folder / NAME).read_bytes()

    done = store.restore(LOCAL, take="commit", now=START)

    assert (done.kind, done.left_out) == ("commit", [])
    assert kept(folder) == [edited]
    assert ids_of(store.select(Query(sources=[LOCAL]))) == ["T-001", "T-003"]
    assert meta_of(store, LOCAL).broken is None


def test_an_edit_that_does_not_parse_gives_way_to_the_commit_s_text(
    folder: Path,
) -> None:
    store = unsettled(folder)
    spoil(folder, b"{")
    hint = getattr(meta_of(store, LOCAL).fault, "hint", "")

    done = store.restore(LOCAL, now=START)

    assert "takes the other text, 2 tasks (2 open)" in hint
    assert done.kind == "commit"
    assert kept(folder) == [b"{"]
    assert ids_of(store.select(Query(sources=[LOCAL]))) == ["T-001", "T-003"]


def test_both_texts_are_kept_when_neither_parses(folder: Path) -> None:
    store = unsettled(folder)
    spoil(folder, b"{")
    (folder / ".state/unsettled" / NAME).write_bytes(b"}")

    done = store.restore(LOCAL, now=START)

    assert done.kind == "earlier"
    assert sorted(kept(folder)) == [b"{", b"}"]
    assert meta_of(store, LOCAL).broken is None


def test_taking_a_commit_s_text_that_is_not_there_is_refused(
    store: FilesStore, folder: Path
) -> None:
    spoil(folder, b"{")

    with pytest.raises(StateError, match="leave --take commit away"):
        store.restore(LOCAL, take="commit", now=START)

    assert (folder / NAME).read_bytes() == b"{"


@pytest.mark.parametrize(
    "step", ["checked", "journal", "replaced", "dropped", "settled"]
)
@pytest.mark.parametrize("take", ["", "commit"])
def test_a_crash_while_a_text_is_chosen_loses_neither(
    folder: Path, step: str, take: str
) -> None:
    unsettled(folder)
    texts = {
        (folder / name).read_bytes() for name in (NAME, f".state/unsettled/{NAME}")
    }
    with pytest.raises(Crash):
        a_store(folder, at=crash_at(step)).restore(LOCAL, take=take, now=START)

    store = a_store(folder)
    if meta_of(store, LOCAL).broken is not None:
        store.restore(LOCAL, take=take, now=START)

    assert meta_of(store, LOCAL).broken is None
    assert {(folder / NAME).read_bytes(), *kept(folder)} == texts


@pytest.fixture
def with_month(folder: Path) -> Path:
    """An archived month that was edited while a second task was moved there."""
    store = a_store(folder)
    store.open_queues(QUEUES, now=START)
    finished(store)
    store.archive(before=START, now=START)
    finished(store)
    with pytest.raises(Crash):
        a_store(folder, at=crash_at("journal")).archive(before=START, now=START)
    path = folder / "archive/ollama-local/2026-03.json"
    edit(path, x_note="mine")
    return path


def test_the_edit_of_an_archived_month_stays(folder: Path, with_month: Path) -> None:
    store = a_store(folder)
    assert isinstance(meta_of(store, LOCAL).fault, UnsettledFile)
    edited = with_month.read_bytes()

    done = store.restore(LOCAL, now=START)

    assert with_month.read_bytes() == edited
    assert (done.kind, done.version.path) == ("edit", str(with_month))
    assert done.left_out == ["T-002"]
    [aside] = map(Path, done.aside)
    assert aside.name == "ollama-local-2026-03-20260304T165100Z.json"
    assert meta_of(store, LOCAL).broken is None


def test_the_commit_s_month_is_taken_when_the_person_says_so(
    folder: Path, with_month: Path
) -> None:
    edited = with_month.read_bytes()
    store = a_store(folder)

    done = store.restore(LOCAL, take="commit", now=START)

    assert (done.kind, done.version.path) == ("commit", str(with_month))
    assert done.left_out == []
    assert kept(folder) == [edited]
    assert store.get(TaskRef.parse("T-002")).status is Status.DONE
    assert meta_of(store, LOCAL).broken is None


def test_a_month_that_does_not_parse_gives_way_to_the_commit_s(
    folder: Path, with_month: Path
) -> None:
    with_month.write_bytes(b"{")
    store = a_store(folder)

    store.restore(LOCAL, now=START)

    assert kept(folder) == [b"{"]
    assert store.get(TaskRef.parse("T-002")).status is Status.DONE


def test_a_task_that_was_archived_since_is_not_brought_back_twice(
    folder: Path,
) -> None:
    store = a_store(folder)
    store.open_queues(QUEUES, now=START)
    finished(store)
    store.archive(before=START, now=START)
    spoil(folder, b"{")

    done = store.restore(LOCAL, now=START)

    assert done.version.n_tasks == 0
    assert list(store.select(Query())) == []
    assert store.get(TaskRef.parse("T-001")).status is Status.DONE


def test_a_task_that_moved_to_another_queue_since_is_not_brought_back(
    folder: Path,
) -> None:
    store = a_store(folder)
    store.open_queues(QUEUES, now=START)
    [task] = add(store)
    put(store, task, queue=CLOUD)
    spoil(folder, b"{")

    store.restore(LOCAL, now=START)

    assert [task.queue for task in store.select(Query())] == [CLOUD]


def started(folder: Path, label: str, queue: str = LOCAL) -> None:
    """Leave what the start of a session leaves."""
    session = folder / "sessions" / label
    session.mkdir(parents=True)
    (session / "session.json").write_text(json.dumps({"queue": queue}), "utf-8")


def test_a_task_whose_session_was_started_since_is_running_in_it(
    store: FilesStore, folder: Path
) -> None:
    [task] = claim(store)
    started(folder, str(task.label))
    spoil(folder, b"{")

    store.restore(LOCAL, now=START)

    found = store.get(task.ref)
    assert (found.status, found.label) == (Status.RUNNING, task.label)
    assert found.attempt == 1
    # Its slot is taken: nothing else starts beside it.
    assert list(claim(store)) == []


def test_a_task_that_had_no_uuid_gets_the_one_of_its_session(folder: Path) -> None:
    store = a_store(folder)
    store.open_queues(QUEUES, now=START)
    add(store)
    wire = json.loads((folder / NAME).read_text(encoding="utf-8"))
    del wire["tasks"][0]["uuid"]
    (folder / NAME).write_text(json.dumps(wire), encoding="utf-8")
    [task] = claim(store)
    started(folder, str(task.label))
    started(folder, "mq-t-001-a7-deadbeef", queue=CLOUD)
    spoil(folder, b"{")

    store.restore(LOCAL, now=START)

    assert store.get(task.ref).label == task.label


def test_a_label_that_was_only_asked_to_stop_is_no_session(
    store: FilesStore, folder: Path
) -> None:
    [task] = claim(store)
    (folder / "sessions" / str(task.label)).mkdir(parents=True)
    spoil(folder, b"{")

    store.restore(LOCAL, now=START)

    assert store.get(task.ref).status is Status.PENDING


@pytest.mark.parametrize(
    "source",
    ["ollama-local", "my queue", "it's", "-x", "$(reboot)", "a;b", "`x`", "中文", ""],
)
def test_command_means_the_source_to_a_shell(source: str) -> None:
    words = shlex.split(restore_command(source))

    head = ["model-queue", "doctor"]
    flag = [f"--restore={source}"] if source == "-x" else ["--restore", source]
    assert words == head + flag


def test_restored_times_are_utc(store: FilesStore, folder: Path) -> None:
    spoil(folder, b"{")

    done = store.restore(LOCAL, now=START)

    assert done.version.as_of.tzinfo is dt.UTC
