"""Real processes on one queue directory: nothing is lost, nothing happens twice."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from contract.store_contract import LOCAL, a_draft, add, ids_of
from fakes import START, SequentialIds
from model_queue.model import Status
from model_queue.store import Query, QueueMeta
from model_queue.stores.files import FilesStore

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PRELUDE = """
import datetime as dt, json, os, sys
from contract.store_contract import LEASE, LOCAL, a_draft, add
from fakes import START
from model_queue.ports import RandomIds
from model_queue.store import Batch, Record
from model_queue.stores.files import FilesStore

def a_store(**options):
    return FilesStore(sys.argv[1], ids=RandomIds(), lock_timeout_s=120, **options)
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
DIE_AT = """
def at(step):
    if step == sys.argv[2]:
        os._exit(9)

drafts = [a_draft(), a_draft()]
records = [Record(ts=START, event="intake")]
a_store(at=at).commit(Batch(drafts=drafts, records=records), now=START)
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


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "queues"
    wide = QueueMeta(source=LOCAL, models=("ollama/llama3",), max_concurrent=200)
    a_store(folder).open_queues([wide], now=START)
    return folder


def a_store(folder: Path) -> FilesStore:
    return FilesStore(str(folder), ids=SequentialIds())


def test_four_workers_claim_each_of_200_tasks_once(folder: Path) -> None:
    add(a_store(folder), *(a_draft() for _ in range(200)))

    claimed = answers([start(CLAIM_ALL, str(folder)) for _ in range(4)])

    running = a_store(folder).select(Query(statuses=[Status.RUNNING]))
    assert len(claimed) == 200
    assert sorted(claimed) == sorted(ids_of(running))


def test_eight_writers_lose_no_task_and_share_no_number(folder: Path) -> None:
    added = answers([start(ADD_25, str(folder)) for _ in range(8)])

    stored = ids_of(a_store(folder).select(Query()))
    assert len(set(stored)) == 200
    assert sorted(added) == sorted(stored)


@pytest.mark.parametrize(
    ("step", "n_tasks"),
    [("checked", 0), ("journal", 2), ("backup", 2), ("replaced", 2), ("appended", 2)],
)
def test_a_killed_writer_leaves_the_old_or_the_new_value(
    folder: Path, step: str, n_tasks: int
) -> None:
    dying = start(DIE_AT, str(folder), step)

    dying.communicate(timeout=120)

    assert len(a_store(folder).select(Query())) == n_tasks
