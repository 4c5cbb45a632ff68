"""Files that were cut short or written over: what was lost elsewhere, and is kept here.

Each docstring names the case and the public report that it comes from.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from chat import Chat, error_of
from fakes import START, SequentialIds, a_task
from hosting import Host, seed_task, tasks_of
from model_queue.fields import format_time
from model_queue.model import JsonObject
from model_queue.store import Batch, Draft, QueueMeta
from model_queue.stores.files import FilesStore
from programs import ROOT, Ran

LOCAL, CLOUD = "ollama-local", "cloud-nvidia"
TORN = '{"ts":"2026-03-04T16:50:00Z","event":"in'
BLOCK = 512
"""Bytes of what ``ulimit -f`` counts."""
SPACE = 40 * BLOCK
ADD_TEN = """
import sys
sys.path[:0] = sys.argv[2:]
from fakes import START, a_task
from model_queue.ports import RandomIds
from model_queue.store import Batch, Draft
from model_queue.stores.files import FilesStore

for _ in range(10):
    store = FilesStore(sys.argv[1], ids=RandomIds(), lock_timeout_s=60)
    store.commit(Batch(drafts=[Draft(a_task(""))]), now=START)
"""


def a_store(folder: Path, **options: object) -> FilesStore:
    store = FilesStore(str(folder), ids=SequentialIds(), **options)  # type: ignore[arg-type] # the test's
    store.open_queues([QueueMeta(source=LOCAL, models=("m/1",))], now=START)
    return store


def add(store: FilesStore) -> str:
    [task] = store.commit(Batch(drafts=[Draft(a_task(""))]), now=START).tasks
    return task.id


def whole(path: Path) -> int | None:
    """Return how many tasks a queue file holds, which must be whole.

    None in the moment of a commit in which the name is not there: whatever a person
    saves then must not be written over.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    return len(json.loads(text)["tasks"])


def lines(path: Path) -> list[JsonObject]:
    """Return the objects of a file of lines, each of which must be whole."""
    text = path.read_text(encoding="utf-8")
    assert text.endswith("\n")
    return [json.loads(line) for line in text.splitlines()]


def test_a_reader_sees_a_whole_file_at_each_step_of_a_commit(tmp_path: Path) -> None:
    """B035, anthropics/claude-code#28973: parallel writers left truncated files."""
    path = tmp_path / f"{LOCAL}.json"
    seen: list[int] = []

    def look(_: str) -> None:
        n = whole(path)
        if n is not None:
            seen.append(n)

    store = a_store(tmp_path, at=look)
    for _ in range(3):
        add(store)

    assert sorted(set(seen)) == [0, 1, 2, 3]
    assert seen == sorted(seen)


@pytest.mark.slow
def test_eight_processes_that_rewrite_one_file_leave_it_whole(tmp_path: Path) -> None:
    """B035, anthropics/claude-code#28973: 20 corrupt copies in ten minutes."""
    path = tmp_path / f"{LOCAL}.json"
    a_store(tmp_path)
    folders = [str(tmp_path), str(ROOT / "lib"), str(ROOT / "tests")]
    argv = [sys.executable, "-c", ADD_TEN, *folders]

    seen: list[int | None] = []
    writers = [subprocess.Popen(argv) for _ in range(8)]
    try:
        while any(writer.poll() is None for writer in writers):
            seen.append(whole(path))
    finally:
        for writer in writers:
            writer.kill()
            writer.wait()

    counts = [n for n in seen if n is not None]
    assert [writer.returncode for writer in writers] == [0] * 8
    assert counts == sorted(counts)
    assert whole(path) == 80


def test_parallel_writes_of_one_process_are_all_kept(tmp_path: Path) -> None:
    """B038, modelcontextprotocol/servers#1819: parallel calls garbled the store."""
    store = a_store(tmp_path)
    given: list[str] = []

    def add_five() -> None:
        given.extend(add(store) for _ in range(5))

    threads = [threading.Thread(target=add_five) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(given) == [f"T-{n:03d}" for n in range(1, 21)]
    assert whole(tmp_path / f"{LOCAL}.json") == 20


@pytest.mark.slow
@pytest.mark.parametrize(
    "message",
    [
        "cancel T-001",
        "set priority of T-001 to 10",
        "use qwen2.5: write a poem",
        "pause ollama-local",
    ],
)
def test_a_write_touches_nothing_but_what_it_names(host: Host, message: str) -> None:
    """B039, eyaltoledano/claude-task-master#931: an edit overwrote another tag's tasks."""
    later = "2030-01-01T00:00:00Z"
    first, second, third = (
        seed_task(f"T-00{n}", not_before=later, note="mine") for n in (1, 2, 3)
    )
    host.put(LOCAL, first, second)
    host.put(CLOUD, third, shelf="top")
    # The first write gives the tasks of others their uuid.
    host.say("set priority of T-002 to 1")
    before = host.chat.task("T-002")
    elsewhere = (host.queues / f"{CLOUD}.json").read_bytes()

    host.say(message)

    assert host.chat.task("T-002") == before
    assert (host.queues / f"{CLOUD}.json").read_bytes() == elsewhere


def stored(host: Host) -> list[JsonObject]:
    """Return the tasks of the first queue."""
    tasks = host.chat.queue(LOCAL)["tasks"]
    assert isinstance(tasks, list)
    return [task for task in tasks if isinstance(task, dict)]


def tear(host: Host, name: str) -> Path:
    """Leave half a line at the end of a file of lines, as a crash does."""
    path = host.queues / name
    with path.open("a", encoding="utf-8") as file:
        file.write(TORN)
    return path


@pytest.mark.slow
@pytest.mark.parametrize("name", ["events.jsonl", ".state/seen"])
def test_what_follows_a_torn_line_is_not_glued_to_it(host: Host, name: str) -> None:
    """B042, elizaOS/eliza#30878: the next good record was lost with the torn one."""
    host.say("use qwen2.5: write a poem", message_id="m-1")
    before = lines(host.queues / name)
    path = tear(host, name)

    host.say("use qwen2.5: write a song", message_id="m-2")
    host.say("use qwen2.5: write a tale", message_id="m-2")

    after = lines(path)
    assert after[: len(before)] == before
    assert len(after) > len(before)
    assert [task["id"] for task in stored(host)] == ["T-001", "T-002"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["events.jsonl", ".state/seen", ".state/outbox"])
def test_a_torn_last_line_stops_nothing(host: Host, name: str) -> None:
    """B043, spoj/tg-bot2#46: the service failed at every start."""
    host.say("use qwen2.5: write a poem", message_id="m-1")
    (host.queues / ".state" / "outbox").touch()
    tear(host, name)

    beat = host.beat()
    again = host.say("use qwen2.5: write a poem", message_id="m-1")
    logs = host.chat.programs.cli("logs", "T-001")

    assert beat["ok"] is True
    # The whole lines before it count as they did.
    assert [task["id"] for task in tasks_of(again)] == ["T-001"]
    assert (logs.code, logs.err) == (0, "")
    assert "submit" in logs.out


def with_little_space(chat: Chat, hook: str, payload: JsonObject) -> Ran:
    """Call a hook whose files cannot grow beyond ``SPACE``."""
    script = f"ulimit -f {SPACE // BLOCK}; exec {ROOT / 'hooks' / hook}"
    return chat.programs.run(["sh", "-c", script], json.dumps(payload))


@pytest.fixture
def full(host: Host) -> Host:
    """A host whose event log leaves room for half a record."""
    host.put(LOCAL)
    host.put(CLOUD, seed_task("T-001"))
    record = {"ts": format_time(START), "event": "note", "detail": ""}
    room = SPACE - 60 - len(json.dumps(record)) - 1
    with (host.queues / "events.jsonl").open("w", encoding="utf-8") as file:
        file.write(json.dumps(record | {"detail": "x" * room}) + "\n")
    return host


@pytest.mark.slow
def test_a_disk_that_is_full_in_mid_record_costs_no_record(full: Host) -> None:
    """B045, earendil-works/pi#8575: a prefix stayed, and a bad line cost two entries."""
    log = full.queues / "events.jsonl"
    before = lines(log)
    payload: JsonObject = {
        "message": "use qwen2.5: write a poem",
        "message_id": "m-1",
        "now": format_time(full.now),
    }

    ran = with_little_space(full.chat, "on-intake", payload)
    in_between = lines(log)
    answer = full.say(str(payload["message"]), message_id="m-1")

    assert error_of("on-intake", ran)["code"] == "store"
    assert ran.json["actions"] == []
    assert in_between == before
    assert lines(log)[:1] == before
    # The person is told to repeat it, and has the task once.
    assert [task["id"] for task in tasks_of(answer)] == ["T-002"]
    assert len(stored(full)) == 1


@pytest.mark.slow
def test_nothing_is_started_that_could_not_be_written_down(full: Host) -> None:
    """B045, earendil-works/pi#8575: nothing may be claimed while the disk is full."""
    ran = with_little_space(full.chat, "on-heartbeat", {"now": format_time(full.now)})
    full.beat()
    full.wait(121)
    full.beat()

    assert error_of("on-heartbeat", ran)["code"] == "store"
    assert ran.json["actions"] == []
    # Once there is space it is started, one time.
    assert "T-001" in full.spawned
    assert (full.task("T-001")["status"], full.task("T-001")["attempt"]) == (
        "running",
        1,
    )
