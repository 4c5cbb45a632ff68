"""The commits of a queue directory that are crashed, and what can be seen of one."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from contract.store_contract import (
    ANY_CHAT,
    CLOUD,
    LOCAL,
    QUEUES,
    a_draft,
    a_notice,
    add,
    answer_of_ids,
    claim,
    finished,
)
from crashing import Point, crash, steps_of
from fakes import START, SequentialIds
from model_queue.errors import ModelQueueError, StoreError
from model_queue.model import JsonObject, Status, TaskRef
from model_queue.store import Batch, Change, Query, Record, Seen
from model_queue.stores.files import FilesStore

APRIL = dt.datetime(2026, 4, 1, tzinfo=dt.UTC)


class Commit(NamedTuple):
    """A directory as it was, and one thing that is done to it."""

    before: Callable[[Path], object]
    act: Callable[[Path], object]


def a_store(folder: Path) -> FilesStore:
    return FilesStore(str(folder), ids=SequentialIds())


def a_directory(folder: Path) -> FilesStore:
    """Make a directory in which everything is that a commit can touch."""
    store = a_store(folder)
    store.open_queues(QUEUES, now=START)
    finished(store)
    store.archive(before=START, now=START)
    finished(store)
    add(store, a_draft(), a_draft(queue=CLOUD))
    store.commit(
        Batch(
            notices=[a_notice("n-old")],
            records=[Record(ts=START, event="old")],
            seen=Seen(key="old", answer=answer_of_ids),
        ),
        now=START,
    )
    return store


def _running(folder: Path) -> None:
    claim(a_directory(folder))


def _take_in(folder: Path) -> None:
    a_store(folder).commit(
        Batch(
            drafts=[a_draft(queue=CLOUD), a_draft()],
            notices=[a_notice("n-new")],
            records=[Record(ts=START, event="intake")],
            seen=Seen(key="new", answer=answer_of_ids),
        ),
        now=START,
    )


def _complete(folder: Path) -> None:
    store = a_store(folder)
    [task] = store.select(Query(statuses=[Status.RUNNING]))
    report = "A report\nof several lines. " * 40
    done = replace(
        task, status=Status.DONE, completed_at=START, claim=None, result=report
    )
    store.commit(
        Batch(
            changes=[Change(before=task, after=done)],
            notices=[a_notice("n-done")],
            delivered=["n-old"],
            records=[Record(ts=START, event="succeed", task_id=task.id)],
        ),
        now=START,
    )


def _bring_back(folder: Path) -> None:
    store = a_store(folder)
    archived = store.get(TaskRef.parse("T-001"))
    again = replace(archived, status=Status.PENDING, completed_at=None)
    store.commit(
        Batch(
            changes=[Change(before=archived, after=again)],
            records=[Record(ts=START, event="retry", task_id="T-001")],
        ),
        now=START,
    )


def _note(folder: Path) -> None:
    record = Record(ts=APRIL, event="april")
    a_store(folder).commit(Batch(records=[record]), now=APRIL)


def _edited_in_mid_commit(folder: Path) -> None:
    """Crash an intake after its first queue file, and edit the second one by hand."""
    a_directory(folder)
    copy = folder.with_name("taken-in")
    a_directory(copy)
    steps = steps_of(copy, lambda: _take_in(copy))
    placed = [
        n for n, s in enumerate(steps) if s.kind == "link" and s.to == f"{CLOUD}.json"
    ]
    crash(folder, lambda: _take_in(folder), Point(placed[0] + 1))
    path = folder / f"{LOCAL}.json"
    wire = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(wire | {"x_note": "mine"}), encoding="utf-8")


COMMITS = {
    "first run": Commit(
        Path.mkdir, lambda f: a_store(f).open_queues(QUEUES, now=START)
    ),
    "intake": Commit(a_directory, _take_in),
    "claim": Commit(a_directory, lambda f: claim(a_store(f))),
    "completion": Commit(_running, _complete),
    "archive": Commit(
        a_directory, lambda f: a_store(f).archive(before=START, now=START)
    ),
    "back from the archive": Commit(a_directory, _bring_back),
    "notices": Commit(
        a_directory,
        lambda f: a_store(f).take_notices(chat=ANY_CHAT, limit=9, now=START),
    ),
    "first record": Commit(lambda f: a_store(f).open_queues(QUEUES, now=START), _note),
    "a new month": Commit(a_directory, _note),
    "edited in mid-commit": Commit(
        _edited_in_mid_commit, lambda f: list(a_store(f).queues())
    ),
}


def recover(folder: Path) -> None:
    """Do what the next process does first."""
    list(a_store(folder).queues())


def picture(folder: Path) -> JsonObject:
    """Return everything that a caller can see of a directory; a task is added to it."""
    store = a_store(folder)
    known: JsonObject = {
        "queues": str([meta._replace(fault=None) for meta in store.queues()]),
        "tasks": str(store.select(Query())),
        "archive": str([_archived(store, number) for number in range(1, 4)]),
        "outbox": str(store.undelivered()),
        "handed out": str(store.take_notices(chat=ANY_CHAT, limit=9, now=START)),
        "answers": [store.recall(key, now=START) for key in ("old", "new")],
        "events": str([record._replace(ts=START) for record in store.events(limit=99)]),
        "log": _whole_lines(folder),
        "next": _next_number(store),
    }
    return {name: _without(folder, text) for name, text in known.items()}


def _archived(store: FilesStore, number: int) -> str:
    try:
        return str(store.get(TaskRef(number)))
    except ModelQueueError as error:
        # That it is not there is part of the picture.
        return str(error)


def _next_number(store: FilesStore) -> str:
    store.open_queues(QUEUES, now=START)
    try:
        return add(store, a_draft(queue=CLOUD))[0].id
    except StoreError as error:
        return str(error)


def _whole_lines(folder: Path) -> bool:
    logs = list(folder.glob("events*.jsonl"))
    texts = [log.read_text(encoding="utf-8") for log in logs]
    lines = [line for text in texts for line in text.splitlines()]
    return all(text.endswith("\n") or not text for text in texts) and all(
        json.loads(line) for line in lines
    )


def _without(folder: Path, value: object) -> str:
    return str(value).replace(str(folder), "…")
