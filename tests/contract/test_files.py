"""The files store keeps the contract, and what only files can break.

The helpers write under the store's back, as a person, an older version or a crash
would. Torture (kill tests, stateful runs) has its own module.
"""

from __future__ import annotations

import datetime as dt
import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from contract.store_contract import (
    ANY_CHAT,
    CLOUD,
    LEASE,
    LOCAL,
    QUEUES,
    StoreContract,
    a_draft,
    a_notice,
    add,
    answer_of_ids,
    claim,
    finished,
    ids_of,
    meta_of,
    put,
)
from fakes import START, SequentialIds
from model_queue.errors import (
    ConfigError,
    CorruptQueueFile,
    NumbersUsedUp,
    StoreBusy,
    StoreError,
    TaskNotFound,
    TaskRefError,
    TaskUnreadable,
    UnsettledFile,
)
from model_queue.model import JsonObject, Status, TaskRef
from model_queue.store import Batch, Change, Query, QueueMeta, Record, Seen, Store
from model_queue.stores import open_store
from model_queue.stores.files import FilesStore

SEED_TASK = """\
{
  "id": "T-001",
  "queue": "ollama-local",
  "model": "ollama/qwen2.5",
  "description": "Analyze the sales data",
  "goal": "Generate a summary of Q1 sales performance",
  "status": "pending",
  "priority": 0,
  "depends_on": null,
  "on_depends_fail": "block",
  "context_input": null,
  "result": null,
  "result_status": null,
  "result_summary": null,
  "retries": 0,
  "maxRetries": 3,
  "subagent_session": null,
  "added_at": "2026-03-04T16:51:00Z",
  "started_at": null,
  "completed_at": null
}"""
SEED_FILE = f"""\
{{
  "version": "1.0",
  "source": "ollama-local",
  "models": ["ollama/llama3", "ollama/qwen2.5"],
  "maxConcurrent": 1,
  "maxRetries": 3,
  "lastId": "T-005",
  "tasks": [{SEED_TASK}]
}}
"""


@pytest.fixture(autouse=True)
def _no_flush(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a power cut shows whether the disk was flushed; here it costs the time."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "queues"


def a_store(folder: Path, **options: object) -> FilesStore:
    return FilesStore(str(folder), ids=SequentialIds(), **options)  # type: ignore[arg-type] # the test's


@pytest.fixture
def store(folder: Path) -> FilesStore:
    store = a_store(folder)
    store.open_queues(QUEUES, now=START)
    return store


def write_file(folder: Path, text: str, name: str = "ollama-local.json") -> Path:
    """Write a file of the directory as a person would, directories included."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def edit(path: Path, change: Callable[[JsonObject], None]) -> str:
    """Change a queue file by hand, in an editor that lays JSON out its own way."""
    wire: JsonObject = json.loads(path.read_text(encoding="utf-8"))
    change(wire)
    text = json.dumps(wire, indent=4)
    path.write_text(text, encoding="utf-8")
    return text


def lines_of(path: Path) -> list[JsonObject]:
    """Return the tasks of a file, from the lines that hold one each."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [json.loads(line.strip(" ,")) for line in lines if line.startswith("    {")]


class TestFilesStore(StoreContract):
    @pytest.fixture
    def bare_store(self, folder: Path) -> Store:
        return a_store(folder)


class TestReopenedFilesStore(StoreContract):
    """Every call by a process of its own, as hooks are."""

    @pytest.fixture
    def bare_store(self, folder: Path) -> Store:
        ids = SequentialIds()

        class Reopened:
            def __getattr__(self, name: str) -> object:
                return getattr(FilesStore(str(folder), ids=ids), name)

        return Reopened()  # type: ignore[return-value] # passes every call on


def test_seed_form_is_taken_over_and_worked_off(folder: Path) -> None:
    write_file(folder, SEED_FILE)
    store = a_store(folder)

    [task] = claim(store)

    assert (task.id, task.uuid[:8]) == ("T-001", "00000001")
    assert task.label == "mq-t-001-a1-00000001"


def test_seed_form_stays_readable_to_a_reader_of_the_seed(folder: Path) -> None:
    path = write_file(folder, SEED_FILE)

    claim(a_store(folder))

    wire = json.loads(path.read_text(encoding="utf-8"))
    seed = json.loads(SEED_FILE)
    assert list(wire) == list(seed)
    assert list(wire["tasks"][0])[: len(seed["tasks"][0])] == list(seed["tasks"][0])
    assert wire["tasks"][0]["status"] == "running"


def test_seed_form_without_uuids_gets_them_at_the_first_write(folder: Path) -> None:
    second = SEED_TASK.replace("T-001", "T-002")
    path = write_file(folder, SEED_FILE.replace(SEED_TASK, f"{SEED_TASK}, {second}"))

    claim(a_store(folder))

    assert all(task["uuid"] for task in lines_of(path))


def test_numbers_go_on_above_last_id(folder: Path) -> None:
    write_file(folder, SEED_FILE)

    [task] = add(a_store(folder))

    assert task.id == "T-006"


def test_numbers_go_on_above_tasks_archive_and_broken_files(folder: Path) -> None:
    write_file(folder, SEED_FILE)
    archived = SEED_FILE.replace("T-001", "T-041").replace("ollama-local", "gone")
    write_file(folder, archived, "archive/gone/2026-03.json")
    store = a_store(folder)
    first = add(store)
    broken = SEED_FILE.replace("T-001", "T-077").replace('"models"', "models")
    write_file(folder, broken, "broken.json")
    later = archived.replace("T-041", "T-090")
    write_file(folder, later, "archive/gone/2026-04.json")

    second = add(store)

    assert (ids_of(first), ids_of(second)) == (["T-042"], ["T-091"])


def test_numbers_are_not_reused_when_a_queue_file_is_deleted(
    store: FilesStore, folder: Path
) -> None:
    add(store)
    (folder / "ollama-local.json").unlink()
    store.open_queues(QUEUES, now=START)

    [task] = add(store, a_draft(queue=CLOUD))

    assert task.id == "T-002"


def test_numbers_are_not_reused_when_queue_file_and_counter_are_deleted(
    store: FilesStore, folder: Path
) -> None:
    add(store)
    (folder / "ollama-local.json").unlink()
    (folder / ".state/counter").unlink()
    store.open_queues(QUEUES, now=START)

    [task] = add(store, a_draft(queue=CLOUD))

    assert task.id == "T-002"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (".state/backup/ollama-local.json", SEED_FILE.replace("T-005", "T-041")),
        (".state/backup/gone.json", SEED_FILE.replace("T-005", "T-041")),
        (".state/unsettled/gone.json", SEED_FILE.replace("T-005", "T-041")),
        ("results/T-041.md", ""),
        ("results/T-041.a1.late.md", ""),
        ("checkpoints/T-041.json", ""),
        ("sessions/mq-t-041-a1-1f3c9a7e/outcome.json", ""),
        ("events.jsonl", '{"event": "submit", "task_id": "T-041"}\n'),
        ("events-2026-02.jsonl", '{"event": "submit", "task_id": "T-041"}\n'),
    ],
)
@pytest.mark.parametrize("counter", [None, "nonsense", '{"number": "7"}'])
def test_numbers_go_on_above_every_trace_when_the_counter_is_lost(
    folder: Path, name: str, text: str, counter: str | None
) -> None:
    write_file(folder, SEED_FILE)
    write_file(folder, text, name)
    if counter is not None:
        write_file(folder, counter, ".state/counter")

    [task] = add(a_store(folder))

    assert task.id == "T-042"


def test_numbers_go_on_above_the_backup_of_a_queue_file_that_is_gone(
    store: FilesStore, folder: Path
) -> None:
    write_file(
        folder, SEED_FILE.replace("T-005", "T-041"), ".state/backup/ollama-local.json"
    )
    write_file(folder, '{"number": 5}', ".state/counter")
    (folder / "ollama-local.json").unlink()

    [task] = add(store, a_draft(queue=CLOUD))

    assert task.id == "T-042"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("ollama-local.json", SEED_FILE.replace("T-001", "T-9999999")),
        ("ollama-local.json", SEED_FILE.replace("T-005", "T-9999999")),
        ("archive/gone/2026-03.json", SEED_FILE.replace("T-001", "T-9999999")),
        (".state/counter", '{"number": 9999999}'),
        (".state/counter", '{"number": 123456789012}'),
        ("results/T-9999999.md", ""),
    ],
)
def test_a_file_that_holds_the_last_number_is_named_and_nothing_is_written(
    folder: Path, name: str, text: str
) -> None:
    write_file(folder, SEED_FILE)
    path = write_file(folder, text, name)
    store = a_store(folder)
    before = list(store.select(Query()))

    with pytest.raises(NumbersUsedUp, match="nothing was added") as caught:
        add(store)

    assert str(path) in str(caught.value)
    assert str(path) in caught.value.hint
    assert list(store.select(Query())) == before


def test_the_last_number_is_given(folder: Path) -> None:
    write_file(folder, SEED_FILE.replace("T-005", "T-9999998"))

    [task] = add(a_store(folder))

    assert task.id == "T-9999999"


def test_a_batch_with_more_tasks_than_numbers_is_refused_whole(folder: Path) -> None:
    path = write_file(folder, SEED_FILE.replace("T-005", "T-9999998"))
    before = path.read_text(encoding="utf-8")

    with pytest.raises(NumbersUsedUp):
        add(a_store(folder), a_draft(), a_draft())

    assert path.read_text(encoding="utf-8") == before


def test_file_is_ordinary_json_with_one_task_per_line(
    store: FilesStore, folder: Path
) -> None:
    add(store, a_draft(description="用 qwen2.5\n分析"), a_draft())

    path = folder / "ollama-local.json"
    assert [task["id"] for task in lines_of(path)] == ["T-001", "T-002"]
    assert json.loads(path.read_text(encoding="utf-8"))["tasks"] == lines_of(path)
    assert "用 qwen2.5" in path.read_text(encoding="utf-8")


def test_unknown_fields_are_kept_in_place(folder: Path) -> None:
    text = SEED_FILE.replace('"models"', '"x_owner": {"name": "Ada"}, "models"')
    path = write_file(folder, text.replace('"goal"', '"x_team": ["a"], "goal"'))

    claim(a_store(folder))

    wire = json.loads(path.read_text(encoding="utf-8"))
    assert list(wire)[:4] == ["version", "source", "x_owner", "models"]
    assert wire["x_owner"] == {"name": "Ada"}
    assert wire["tasks"][0]["x_team"] == ["a"]


def test_version_of_a_later_form_1_is_kept(folder: Path) -> None:
    path = write_file(folder, SEED_FILE.replace('"1.0"', '"1.7"'))

    claim(a_store(folder))

    assert json.loads(path.read_text(encoding="utf-8"))["version"] == "1.7"


def test_tasks_that_a_commit_does_not_name_keep_their_very_text(
    store: FilesStore, folder: Path
) -> None:
    [first, _] = add(store, a_draft(), a_draft())
    path = folder / "ollama-local.json"
    line = next(x for x in path.read_text().splitlines() if '"T-002"' in x)
    odd = line.replace('"priority": 0', '"priority":   0')
    path.write_text(path.read_text().replace(line, odd))

    put(store, first, priority=5)

    assert odd in path.read_text()


def test_files_and_directories_are_private(store: FilesStore, folder: Path) -> None:
    finished(store)
    store.archive(before=START, now=START)
    store.commit(
        Batch(notices=[a_notice()], seen=Seen(key="k", answer=answer_of_ids)), now=START
    )

    modes = {
        (path.is_dir(), path.stat().st_mode & 0o777)
        for path in [folder, *folder.rglob("*")]
    }

    assert modes == {(True, 0o700), (False, 0o600)}


def test_a_queue_file_that_is_a_link_stays_one(folder: Path, tmp_path: Path) -> None:
    target = write_file(tmp_path / "synced", SEED_FILE)
    folder.mkdir()
    (folder / "ollama-local.json").symlink_to(target)

    claim(a_store(folder))

    assert (folder / "ollama-local.json").is_symlink()
    assert lines_of(target)[0]["status"] == "running"


def test_archive_has_the_form_of_a_queue_file(store: FilesStore, folder: Path) -> None:
    finished(store, completed_at=dt.datetime(2026, 2, 28, tzinfo=dt.UTC))
    finished(store)

    store.archive(before=START, now=START)

    files = sorted(path.name for path in (folder / "archive" / LOCAL).iterdir())
    wire = json.loads((folder / "archive" / LOCAL / "2026-03.json").read_text())
    assert files == ["2026-02.json", "2026-03.json"]
    assert (wire["version"], wire["source"]) == ("1.0", LOCAL)
    assert [task["id"] for task in wire["tasks"]] == ["T-002"]


def test_the_version_before_a_write_lies_in_backup(
    store: FilesStore, folder: Path
) -> None:
    add(store)
    before = (folder / "ollama-local.json").read_bytes()

    add(store)

    assert (folder / ".state/backup/ollama-local.json").read_bytes() == before


def test_a_file_that_a_commit_leaves_as_it_is_keeps_its_backup(
    store: FilesStore, folder: Path
) -> None:
    [task] = add(store)
    put(store, task, priority=1)
    backup = folder / ".state/backup/ollama-local.json"
    before = backup.read_bytes()

    put(store, store.get(task.ref), priority=1)

    assert backup.read_bytes() == before


@pytest.mark.parametrize(
    ("text", "line", "column", "why"),
    [
        pytest.param("", 1, 1, "'{' is missing", id="empty"),
        pytest.param(
            SEED_FILE[:200], 10, 3, "a text has no closing quote", id="truncated"
        ),
        pytest.param("[1]", 1, 1, "'{' is missing", id="not an object"),
        pytest.param(
            SEED_FILE + "x", 30, 1, "more text follows the end", id="something follows"
        ),
        pytest.param(
            SEED_FILE.replace('"pending"', '"runing"'),
            14,
            3,
            'status is "runing", but must be one of pending,',
            id="unknown status",
        ),
        pytest.param(
            SEED_FILE.replace('"priority": 0', '"priority": "high"'),
            15,
            3,
            'priority is "high", but must be a whole number',
            id="wrong type",
        ),
        pytest.param(
            SEED_FILE.replace('"id": "T-001"', '"id": "../victim"'),
            9,
            3,
            'id is "../victim", but must be an id like T-001',
            id="an id that is a path",
        ),
        pytest.param(
            SEED_FILE.replace('"1.0"', '"2.0"'),
            2,
            14,
            'version is "2.0", but must be 1.x',
            id="a version to come",
        ),
        pytest.param(
            SEED_FILE.replace('"maxConcurrent": 1', '"maxConcurrent": 0'),
            5,
            20,
            "maxConcurrent is 0, but must be a whole number, 1 or more",
            id="no slot",
        ),
        pytest.param(
            SEED_FILE.replace('"source": "ollama-local"', '"source": "cloud"'),
            3,
            13,
            "like the file's name",
            id="a copy of another queue's file",
        ),
    ],
)
def test_a_broken_file_is_reported_with_its_place(
    folder: Path, text: str, line: int, column: int, why: str
) -> None:
    path = write_file(folder, text)

    broken = meta_of(a_store(folder), LOCAL).broken

    assert broken is not None
    assert f"{path} does not parse at line {line}, column {column}" in broken
    assert why in broken


def test_a_broken_file_is_never_written_over(folder: Path) -> None:
    path = write_file(folder, SEED_FILE[:-20])
    store = a_store(folder)
    store.open_queues(QUEUES, now=START)

    assert list(claim(store)) == []
    with pytest.raises(CorruptQueueFile):
        add(store)
    store.archive(before=START, now=START)
    assert path.read_text(encoding="utf-8") == SEED_FILE[:-20]


def test_a_broken_file_stops_its_own_queue_only(folder: Path) -> None:
    write_file(folder, "{")
    store = a_store(folder)
    store.open_queues(QUEUES, now=START)

    [task] = add(store, a_draft(queue=CLOUD))

    assert list(store.claim(CLOUD, limit=1, lease=LEASE, now=START)) != []
    assert store.get(task.ref).status is Status.RUNNING


def test_a_batch_that_touches_a_broken_queue_writes_nothing(folder: Path) -> None:
    write_file(folder, "{")
    store = a_store(folder)
    store.open_queues(QUEUES, now=START)

    with pytest.raises(CorruptQueueFile):
        add(store, a_draft(queue=CLOUD), a_draft())

    assert list(store.select(Query())) == []


def test_a_mended_file_goes_on(folder: Path) -> None:
    path = write_file(folder, SEED_FILE[:-20])
    store = a_store(folder)
    list(store.queues())

    path.write_text(SEED_FILE, encoding="utf-8")

    assert ids_of(claim(store)) == ["T-001"]


def test_a_file_that_is_not_utf8_is_broken_at_that_byte(folder: Path) -> None:
    path = write_file(folder, SEED_FILE)
    path.write_bytes(path.read_bytes().replace(b"Analyze", b"\xd7nalyze"))

    broken = meta_of(a_store(folder), LOCAL).broken

    assert "line 12, column 19 (Not UTF-8)" in str(broken)


def test_a_byte_order_mark_is_no_error(folder: Path) -> None:
    path = write_file(folder, SEED_FILE)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())

    assert ids_of(claim(a_store(folder))) == ["T-001"]


def test_a_broken_archive_file_is_left_and_its_tasks_stay(folder: Path) -> None:
    path = write_file(folder, "{", "archive/ollama-local/2026-03.json")
    store = a_store(folder)
    store.open_queues(QUEUES, now=START)
    finished(store)

    moved = store.archive(before=START, now=START)

    assert list(moved) == []
    assert path.read_text(encoding="utf-8") == "{"
    with pytest.raises(TaskNotFound):
        store.get(TaskRef.parse("T-002"))


def test_a_task_of_a_broken_archive_file_is_told_from_one_that_is_not_there(
    folder: Path,
) -> None:
    text = '{"tasks": [{"id": "T-007"},\n ]}'
    path = write_file(folder, text, "archive/ollama-local/2026-03.json")
    store = a_store(folder)

    with pytest.raises(TaskUnreadable) as refused:
        store.get(TaskRef.parse("T-007"))
    with pytest.raises(TaskNotFound) as missing:
        store.get(TaskRef.parse("T-008"))

    assert str(refused.value).startswith(f"T-007 cannot be read: {path}, its archive, ")
    assert (refused.value.line, refused.value.code) == (1, "task_unreadable")
    assert missing.value.code == "task_not_found"


def a_double(folder: Path, *, status: str = "pending") -> FilesStore:
    second = SEED_TASK.replace('"pending"', f'"{status}"')
    write_file(folder, SEED_FILE.replace(SEED_TASK, f"{second}, {SEED_TASK}"))
    return a_store(folder)


def test_a_doubled_id_in_two_files_is_asked_back(folder: Path) -> None:
    write_file(folder, SEED_FILE)
    other = SEED_FILE.replace("ollama-local", "cloud-nvidia")
    write_file(folder, other, "cloud-nvidia.json")
    store = a_store(folder)

    with pytest.raises(TaskRefError) as caught:
        store.get(TaskRef.parse("T-001"))

    assert caught.value.candidates == ("cloud-nvidia/T-001", "ollama-local/T-001")


def test_a_doubled_id_in_one_file_keeps_the_queue_going(folder: Path) -> None:
    store = a_double(folder)

    [task] = claim(store)
    put(store, task, status=Status.DONE, completed_at=START, claim=None)

    assert len(claim(store)) == 1


def test_a_doubled_id_with_its_source_means_the_one_that_is_open(folder: Path) -> None:
    store = a_double(folder, status="done")

    with pytest.raises(TaskRefError):
        store.get(TaskRef.parse("T-001"))
    task = store.get(TaskRef.parse("ollama-local/T-001"))
    assert task.status is Status.PENDING


def test_an_edit_by_hand_is_seen_by_the_next_call(
    store: FilesStore, folder: Path
) -> None:
    add(store)

    edit(folder / "ollama-local.json", lambda w: w.update(maxConcurrent=7))

    assert meta_of(store, LOCAL).max_concurrent == 7


def test_an_edit_of_the_same_length_and_time_is_seen(
    store: FilesStore, folder: Path
) -> None:
    add(store)
    path = folder / "ollama-local.json"
    stat = path.stat()

    path.write_text(path.read_text().replace('"priority": 0', '"priority": 9'))
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))

    assert store.get(TaskRef.parse("T-001")).priority == 9


@pytest.mark.parametrize("step", ["checked", "journal"])
def test_an_edit_between_read_and_write_makes_the_pass_start_over(
    folder: Path, step: str
) -> None:
    done: list[str] = []

    def edit_once(now: str) -> None:
        if now == step and not done:
            done.append(now)
            edit(folder / "ollama-local.json", lambda w: w.update(maxConcurrent=7))

    write_file(folder, SEED_FILE)
    store = a_store(folder, at=edit_once)

    [task] = claim(store)

    assert task.status is Status.RUNNING
    assert meta_of(store, LOCAL).max_concurrent == 7
    assert not (folder / ".state/unsettled").exists()


def test_a_program_that_edits_without_end_does_not_hang_the_commit(
    folder: Path,
) -> None:
    counter = iter(range(1, 1000))

    def edit_always(step: str) -> None:
        if step == "checked":
            n = next(counter)
            edit(folder / "ollama-local.json", lambda w: w.update(maxConcurrent=n))

    write_file(folder, SEED_FILE)

    with pytest.raises(StoreBusy):
        claim(a_store(folder, at=edit_always))


def test_a_queue_file_deleted_by_hand_comes_back_with_open_queues_only(
    store: FilesStore, folder: Path
) -> None:
    (folder / "ollama-local.json").unlink()

    assert [meta.source for meta in store.queues()] == [CLOUD]
    assert list(claim(store)) == []
    assert list(store.open_queues(QUEUES, now=START)) == [LOCAL]


def test_files_that_are_no_queues_are_left_alone(folder: Path) -> None:
    write_file(folder, SEED_FILE)
    write_file(folder, "{", ".hidden.json")
    write_file(folder, "notes", "notes.txt")

    assert [meta.source for meta in a_store(folder).queues()] == [LOCAL]


def test_a_directory_in_a_queue_s_place_stops_its_own_queue_only(
    store: FilesStore, folder: Path
) -> None:
    add(store)
    (folder / "ollama-local.json").unlink()
    (folder / "ollama-local.json").mkdir()
    store.open_queues(QUEUES, now=START)

    [task] = add(store, a_draft(queue=CLOUD))

    assert task.id == "T-002"
    assert "ollama-local.json is no file" in str(meta_of(store, LOCAL).broken)
    assert meta_of(store, CLOUD).broken is None
    assert list(claim(store)) == []


def test_a_task_for_a_queue_whose_file_is_a_directory_is_refused(folder: Path) -> None:
    (folder / "ollama-local.json").mkdir(parents=True)

    with pytest.raises(StoreError, match=r"ollama-local\.json is no file"):
        add(a_store(folder))


def test_a_pipe_in_a_queue_s_place_is_not_waited_for(folder: Path) -> None:
    folder.mkdir()
    os.mkfifo(folder / "ollama-local.json")

    broken = meta_of(a_store(folder), LOCAL).broken

    assert "is no file" in str(broken)


class Crash(BaseException):
    """The process is gone: nothing after it runs."""


def crash_at(step: str, nth: int) -> Callable[[str], None]:
    left = [nth]

    def at(now: str) -> None:
        if now == step:
            left[0] -= 1
            if left[0] == 0:
                raise Crash

    return at


def a_wide_batch(store: FilesStore) -> Batch:
    """Touch both queues, the archive, the outbox, the log, a key and the counter."""
    archived = store.get(TaskRef.parse("T-001"))
    live = store.get(TaskRef.parse("T-002"))
    return Batch(
        drafts=[a_draft(queue=CLOUD)],
        changes=[
            Change(before=archived, after=replace(archived, status=Status.PENDING)),
            Change(before=live, after=replace(live, priority=5)),
        ],
        notices=[a_notice("n-new")],
        records=[Record(ts=START, event="new")],
        seen=Seen(key="new", answer=answer_of_ids),
    )


def a_wide_store(folder: Path) -> FilesStore:
    store = a_store(folder)
    store.open_queues(QUEUES, now=START)
    finished(store)
    store.archive(before=START, now=START)
    add(store)
    store.commit(Batch(records=[Record(ts=START, event="old")]), now=START)
    return store


def picture(store: FilesStore) -> list[object]:
    """Everything that a caller can see of what the batch touches."""
    return [
        ids_of(store.select(Query())),
        [task.priority for task in store.select(Query())],
        store.get(TaskRef.parse("T-001")).status,
        store.waiting_notices(),
        [record.event for record in store.events(limit=9)],
        store.recall("new", now=START),
        ids_of(add(store, a_draft(queue=CLOUD))),
    ]


BEFORE = [
    ["T-002"],
    [0],
    Status.DONE,
    0,
    ["submit", "archive", "submit", "old"],
    None,
    ["T-003"],
]
AFTER = [
    ["T-003", "T-002", "T-001"],
    [0, 5, 0],
    Status.PENDING,
    1,
    ["submit", "archive", "submit", "old", "new", "submit"],
    {"ids": ["T-003"]},
    ["T-004"],
]
CRASHES = [
    pytest.param("checked", 1, BEFORE, id="before the journal"),
    pytest.param("journal", 1, AFTER, id="after the journal"),
    pytest.param("backup", 1, AFTER, id="after the first backup"),
    *(
        pytest.param("replaced", nth, AFTER, id=f"after {nth} replaced files")
        for nth in range(1, 6)
    ),
    pytest.param("appended", 1, AFTER, id="after the first appended line"),
    pytest.param("appended", 2, AFTER, id="after the second appended line"),
    pytest.param("dropped", 1, AFTER, id="after the journal is dropped"),
]


@pytest.mark.parametrize(("step", "nth", "expected"), CRASHES)
def test_a_crash_leaves_the_old_or_the_new_value(
    folder: Path, step: str, nth: int, expected: list[object]
) -> None:
    a_wide_store(folder)
    dying = a_store(folder, at=crash_at(step, nth))

    with pytest.raises(Crash):
        dying.commit(a_wide_batch(dying), now=START)

    assert picture(a_store(folder)) == expected


@pytest.mark.parametrize(("step", "nth"), [("replaced", n) for n in range(1, 6)])
def test_a_crash_while_a_crash_is_mended_changes_nothing(
    folder: Path, step: str, nth: int
) -> None:
    a_wide_store(folder)
    dying = a_store(folder, at=crash_at("journal", 1))
    with pytest.raises(Crash):
        dying.commit(a_wide_batch(dying), now=START)

    with pytest.raises(Crash):
        list(a_store(folder, at=crash_at(step, nth)).queues())

    assert picture(a_store(folder)) == AFTER


def test_a_torn_line_of_a_crash_is_written_anew(folder: Path) -> None:
    a_wide_store(folder)
    dying = a_store(folder, at=crash_at("journal", 1))
    with pytest.raises(Crash):
        dying.commit(a_wide_batch(dying), now=START)
    with (folder / "events.jsonl").open("ab") as file:
        file.write(b'{"ts": "2026-03')

    assert picture(a_store(folder)) == AFTER


@pytest.mark.parametrize("n_whole", [0, 1])
def test_lines_that_a_crash_cut_short_are_written_anew(
    folder: Path, n_whole: int
) -> None:
    """Those of them that were written whole are not doubled."""
    log = folder / "events.jsonl"
    a_wide_store(folder)
    before = log.read_bytes()
    dying = a_store(folder, at=crash_at("appended", 1))
    with pytest.raises(Crash):
        dying.commit(a_wide_batch(dying), now=START)
    lines = log.read_bytes().removeprefix(before).splitlines(keepends=True)

    log.write_bytes(before + b"".join(lines[:n_whole]) + lines[n_whole][:9])

    assert picture(a_store(folder)) == AFTER


def unsettled(folder: Path) -> FilesStore:
    """Crash after the first of two queue files, and edit the second one by hand."""
    store = a_store(folder)
    store.open_queues(QUEUES, now=START)
    dying = a_store(folder, at=crash_at("replaced", 1))
    with pytest.raises(Crash):
        add(dying, a_draft(queue=CLOUD), a_draft())
    edit(folder / "ollama-local.json", lambda w: w.update(maxConcurrent=7))
    return a_store(folder)


def test_a_hand_edit_after_a_crash_stops_its_queue_and_stays(folder: Path) -> None:
    store = unsettled(folder)
    edited = (folder / "ollama-local.json").read_text()

    broken = meta_of(store, LOCAL).broken

    assert "was edited in the middle of a commit" in str(broken)
    assert (folder / "ollama-local.json").read_text() == edited
    assert ids_of(store.select(Query())) == ["T-001"]
    with pytest.raises(UnsettledFile):
        add(store)


def test_a_hand_edit_after_a_crash_goes_on_once_one_text_is_chosen(
    folder: Path,
) -> None:
    store = unsettled(folder)
    list(store.queues())
    kept = folder / ".state/unsettled/ollama-local.json"

    assert [task["id"] for task in lines_of(kept)] == ["T-002"]
    kept.replace(folder / "ollama-local.json")

    assert ids_of(store.select(Query())) == ["T-001", "T-002"]


def test_a_hand_edit_of_the_archive_after_a_crash_stops_its_queue(folder: Path) -> None:
    store = a_store(folder)
    store.open_queues(QUEUES, now=START)
    finished(store)
    store.archive(before=START, now=START)
    finished(store)
    with pytest.raises(Crash):
        a_store(folder, at=crash_at("journal", 1)).archive(before=START, now=START)
    path = folder / "archive/ollama-local/2026-03.json"
    edited = edit(path, lambda w: w.update(x_note="mine"))

    broken = meta_of(a_store(folder), LOCAL).broken

    assert f"{path} was edited in the middle of a commit" in str(broken)
    assert path.read_text(encoding="utf-8") == edited
    assert meta_of(a_store(folder), CLOUD).broken is None


def test_what_a_killed_writer_left_of_an_unsettled_text_stops_no_queue(
    store: FilesStore, folder: Path
) -> None:
    directory = ".state/unsettled/archive/ollama-local"
    write_file(folder, "{", f"{directory}/.2026-03.json.12345678.tmp")

    assert meta_of(store, LOCAL).broken is None


def test_a_journal_that_cannot_be_read_is_named_and_left(
    store: FilesStore, folder: Path
) -> None:
    write_file(folder, "nonsense", ".state/journal")

    with pytest.raises(StoreError, match="journal"):
        store.queues()

    assert (folder / ".state/journal").read_text() == "nonsense"


def test_a_file_that_was_taken_comes_back_when_its_journal_was_moved_away(
    store: FilesStore, folder: Path
) -> None:
    add(store)
    (folder / "ollama-local.json").rename(folder / ".ollama-local.json.taken")

    store.open_queues(QUEUES, now=START)

    assert ids_of(store.select(Query())) == ["T-001"]
    assert not (folder / ".ollama-local.json.taken").exists()


def test_files_that_a_killed_writer_left_are_swept(
    store: FilesStore, folder: Path
) -> None:
    litter = [
        write_file(folder, "x", ".ollama-local.json.12345678.tmp"),
        write_file(folder, "x", ".state/.due.12345678.tmp"),
    ]
    for path in litter:
        os.utime(path, (1e9, 1e9))

    store.open_queues(QUEUES, now=START)

    assert [path.exists() for path in litter] == [False, False]


@pytest.mark.parametrize("name", [".ollama-local.json.1.tmp", ".state/.due.1.tmp"])
def test_a_file_that_another_writer_is_about_to_rename_is_not_swept(
    store: FilesStore, folder: Path, name: str
) -> None:
    fresh = write_file(folder, "x", name)

    store.open_queues(QUEUES, now=START)

    assert fresh.exists()


def test_events_are_lines_of_json(store: FilesStore, folder: Path) -> None:
    store.commit(Batch(records=[Record(ts=START, event="note")]), now=START)

    line = (folder / "events.jsonl").read_text()

    assert line == '{"ts": "2026-03-04T16:51:00Z", "event": "note"}\n'


def test_events_drop_an_unterminated_line_and_repair_it_at_the_next_append(
    store: FilesStore, folder: Path
) -> None:
    store.commit(Batch(records=[Record(ts=START, event="one")]), now=START)
    with (folder / "events.jsonl").open("ab") as file:
        file.write(b'{"ts": "2026-03-04T16:51:00Z", "event": "to')

    torn = [record.event for record in store.events(limit=9)]
    store.commit(Batch(records=[Record(ts=START, event="two")]), now=START)

    assert torn == ["one"]
    one, cut_off, two = store.events(limit=9)
    assert [one.event, two.event] == ["one", "two"]
    assert cut_off.event == "torn_line"
    assert cut_off.detail == '{"ts": "2026-03-04T16:51:00Z", "event": "to'
    assert len((folder / "events.jsonl").read_text().splitlines()) == 3


def test_a_log_of_a_month_that_was_put_away_before_is_not_written_over(
    store: FilesStore, folder: Path
) -> None:
    april = dt.datetime(2026, 4, 1, tzinfo=dt.UTC)
    for event, now in [("one", START), ("two", april), ("late", START), ("end", april)]:
        store.commit(Batch(records=[Record(ts=now, event=event)]), now=now)

    assert "one" in (folder / "events-2026-03.jsonl").read_text()
    assert "late" in (folder / "events-2026-03.2.jsonl").read_text()
    assert [record.event for record in store.events(limit=2)] == ["late", "end"]


def test_events_are_put_away_by_month(store: FilesStore, folder: Path) -> None:
    april = dt.datetime(2026, 4, 1, tzinfo=dt.UTC)
    store.commit(Batch(records=[Record(ts=START, event="march")]), now=START)

    store.commit(Batch(records=[Record(ts=april, event="april")]), now=april)

    assert "march" in (folder / "events-2026-03.jsonl").read_text()
    assert [record.event for record in store.events(limit=9)] == ["march", "april"]


def test_past_keys_are_dropped_from_the_file_once_a_day(
    store: FilesStore, folder: Path
) -> None:
    later = START + dt.timedelta(days=31)
    for key, now in (("old", START), ("new", later), ("newer", later)):
        store.commit(Batch(seen=Seen(key=key, answer=answer_of_ids)), now=now)

    keys = [
        json.loads(line)["key"]
        for line in (folder / ".state/seen").read_text().splitlines()
    ]

    assert keys == ["new", "newer"]


def test_a_broken_counter_or_outbox_does_not_stop_the_queues(
    store: FilesStore, folder: Path
) -> None:
    add(store)
    store.commit(Batch(notices=[a_notice()]), now=START)
    for name in ("counter", "outbox"):
        with (folder / ".state" / name).open("a") as file:
            file.write("nonsense\n")

    [task] = add(store)

    assert task.id == "T-002"
    assert len(store.take_notices(chat=ANY_CHAT, limit=9, now=START)) == 1


def test_looking_at_a_directory_that_does_not_exist_creates_nothing(
    folder: Path,
) -> None:
    store = a_store(folder)

    assert list(store.queues()) == []
    assert list(store.select(Query())) == []
    assert store.find(label="mq-t-001-a1-x") is None
    assert store.recall("k", now=START) is None
    assert list(store.events(limit=9)) == []
    assert list(claim(store)) == []
    assert list(store.take_notices(chat=ANY_CHAT, limit=9, now=START)) == []
    assert list(store.archive(before=START, now=START)) == []
    assert not folder.exists()


def test_a_file_in_the_directory_s_place_is_named(folder: Path) -> None:
    folder.write_text("not a directory")

    with pytest.raises(StoreError, match="not a directory") as caught:
        a_store(folder).queues()

    assert str(folder) in str(caught.value)


def test_a_source_that_is_no_file_name_is_refused(folder: Path) -> None:
    with pytest.raises(ConfigError, match=r"source is '\.\./victim'"):
        a_store(folder).open_queues([QueueMeta(source="../victim")], now=START)

    assert not folder.exists()


def test_open_store_names_the_stores_that_work(folder: Path) -> None:
    assert open_store("files", str(folder), ids=SequentialIds()).name == "files"
    with pytest.raises(ConfigError, match="MODEL_QUEUE_STORE is 'sqlite:///"):
        open_store("sqlite:///a.db", str(folder), ids=SequentialIds())
