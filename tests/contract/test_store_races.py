"""Real processes on one store: nothing is lost, nothing happens twice."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from contract.shared_stores import SHARED
from contract.store_contract import (
    LOCAL,
    QUEUES,
    TICK,
    a_draft,
    a_notice,
    add,
    exercised,
    ids_of,
)
from fakes import START
from model_queue.model import Status
from model_queue.store import Batch, Query, QueueMeta, Store

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PRELUDE = """
import datetime as dt, json, os, sys
from contract.shared_stores import SHARED
from contract.store_contract import LEASE, LOCAL, a_draft, add
from fakes import START
from model_queue.store import Batch, Record

def a_store():
    return SHARED[sys.argv[1]](sys.argv[2])
"""
CLAIM_ALL = """
ids = []
while claimed := a_store().claim(LOCAL, limit=1, lease=LEASE, now=START):
    ids += [task.id for task in claimed]
print(json.dumps(ids))
"""
ADD_25 = """
print(json.dumps([add(a_store(), a_draft())[0].id for _ in range(25)]))
"""
TAKE_NOTICES = """
store, taken = a_store(), []
while notices := store.take_notices(chat=("", "", ""), limit=3, now=START):
    taken += [notice.id for notice in notices]
print(json.dumps(taken))
"""
RETRY_ARCHIVED = """
from dataclasses import replace
from model_queue.errors import StaleTask
from model_queue.model import Status, TaskRef
from model_queue.store import Change

retried = []
for number in range(1, 41):
    store = a_store()
    task = store.get(TaskRef(number))
    if task.status is not Status.DONE:
        continue
    back = replace(task, status=Status.PENDING, completed_at=None)
    try:
        store.commit(Batch(changes=[Change(before=task, after=back)]), now=START)
    except StaleTask:
        continue
    retried.append(task.id)
print(json.dumps(retried))
"""
ARCHIVE = """
moved = []
for _ in range(20):
    moved += a_store().archive(before=START, now=START)
print(json.dumps(moved))
"""
ADD_ONCE = """
from contract.store_contract import answer_of_ids
from model_queue.store import Seen

answers = []
for n in range(25):
    seen = Seen(key=f"m-{n}", answer=answer_of_ids)
    batch = Batch(drafts=[a_draft()], seen=seen)
    answers += a_store().commit(batch, now=START).answer["ids"]
print(json.dumps(answers))
"""
OPEN_QUEUES = """
from contract.store_contract import QUEUES

print(json.dumps(list(a_store().open_queues(QUEUES, now=START))))
"""
DIE_AT = """
from model_queue.ports import RandomIds
from model_queue.stores.files import FilesStore

def at(step):
    if step == sys.argv[3]:
        os._exit(9)

drafts = [a_draft(), a_draft()]
records = [Record(ts=START, event="intake")]
store = FilesStore(sys.argv[2], ids=RandomIds(), at=at)
store.commit(Batch(drafts=drafts, records=records), now=START)
"""


def start(script: str, *args: str) -> subprocess.Popen[bytes]:
    paths = f"import sys; sys.path[:0] = {[str(ROOT / 'lib'), str(ROOT / 'tests')]}"
    argv = [sys.executable, "-c", f"{paths}\n{PRELUDE}\n{script}", *args]
    return subprocess.Popen(argv, stdout=subprocess.PIPE)


def answers(processes: list[subprocess.Popen[bytes]]) -> list[str]:
    found: list[str] = []
    for process in processes:
        out, _ = process.communicate(timeout=120)
        assert process.returncode == 0
        found += json.loads(out)
    return found


class Place(NamedTuple):
    """A store of one kind that each process opens for itself."""

    kind: str
    folder: str

    def open(self) -> Store:
        return SHARED[self.kind](self.folder)


@pytest.fixture(params=SHARED)
def empty(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> Place:
    place = Place(request.param, str(tmp_path / "new" / "queues"))
    record_property("store", exercised(place.open()))
    return place


@pytest.fixture
def place(empty: Place) -> Place:
    wide = QueueMeta(source=LOCAL, models=("ollama/llama3",), max_concurrent=200)
    empty.open().open_queues([wide], now=START)
    return empty


def test_four_workers_claim_each_of_200_tasks_once(place: Place) -> None:
    add(place.open(), *(a_draft() for _ in range(200)))

    claimed = answers([start(CLAIM_ALL, *place) for _ in range(4)])

    running = place.open().select(Query(statuses=[Status.RUNNING]))
    assert len(claimed) == 200
    assert sorted(claimed) == sorted(ids_of(running))


def test_eight_writers_lose_no_task_and_share_no_number(place: Place) -> None:
    added = answers([start(ADD_25, *place) for _ in range(8)])

    stored = ids_of(place.open().select(Query()))
    assert len(set(stored)) == 200
    assert sorted(added) == sorted(stored)


@pytest.mark.parametrize("empty", ["files"], indirect=True)
@pytest.mark.parametrize(
    ("step", "n_tasks"),
    [("checked", 0), ("journal", 2), ("backup", 2), ("replaced", 2), ("appended", 2)],
)
def test_a_killed_writer_leaves_the_old_or_the_new_value(
    place: Place, step: str, n_tasks: int
) -> None:
    dying = start(DIE_AT, *place, step)

    dying.communicate(timeout=120)

    assert len(place.open().select(Query())) == n_tasks


def test_four_takers_get_each_notice_once(place: Place) -> None:
    names = [f"n-{n:03d}" for n in range(60)]
    notices = [a_notice(name) for name in names]
    place.open().commit(Batch(notices=notices), now=START)

    taken = answers([start(TAKE_NOTICES, *place) for _ in range(4)])

    assert sorted(taken) == names
    assert place.open().waiting_notices() == 60


def test_archive_retry_and_add_at_once_lose_and_double_nothing(place: Place) -> None:
    """Each task is retried once, from the queue or the archive, and ids stay its own."""
    ended = a_draft(status=Status.DONE, completed_at=START - TICK)
    add(place.open(), *[ended] * 40)
    scripts = [RETRY_ARCHIVED, RETRY_ARCHIVED, ARCHIVE, ADD_25]

    processes = [start(script, *place) for script in scripts]
    retried = answers(processes[:2])
    answers(processes[2:3])
    added = answers(processes[3:])

    store = place.open()
    known = [f"T-{n:03d}" for n in range(1, 41)]
    assert sorted(retried) == known
    assert sorted(added) == [f"T-{n:03d}" for n in range(41, 66)]
    assert sorted(ids_of(store.select(Query()))) == sorted([*known, *added])
    assert {task.status for task in store.select(Query())} == {Status.PENDING}
    assert list(store.archive(before=START, now=START)) == []
    assert ids_of(add(store)) == ["T-066"]


def test_four_hearers_of_one_message_give_it_one_effect(place: Place) -> None:
    answered = answers([start(ADD_ONCE, *place) for _ in range(4)])

    stored = ids_of(place.open().select(Query()))
    assert len(stored) == 25
    assert sorted(answered) == sorted(stored * 4)


def test_eight_openers_of_an_empty_directory_create_each_queue_once(
    empty: Place,
) -> None:
    created = answers([start(OPEN_QUEUES, *empty) for _ in range(8)])

    assert sorted(created) == sorted(meta.source for meta in QUEUES)
    assert sorted(empty.open().queues()) == sorted(QUEUES)
