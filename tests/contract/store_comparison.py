"""What a store holds beside what a model says it should: the first difference."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import asdict
from itertools import groupby
from typing import Any

from contract.store_model import Fields, Model
from model_queue.model import Task
from model_queue.store import Notice, Query, QueueMeta, Record, Store

FIELDS = tuple(Task.__dataclass_fields__)


def plain(value: object) -> Any:  # noqa: ANN401 - values of any field
    """Return a value of the store's as the model writes it down."""
    if isinstance(value, Task):
        # As asdict, which copies all that is inside as well, and takes its time.
        found = {name: getattr(value, name) for name in FIELDS}
        return found | {"claim": value.claim and asdict(value.claim)}
    if isinstance(value, QueueMeta):
        paused = value.paused and value.paused._asdict()
        fields = value._replace(extra=dict(value.extra))._asdict()
        assert (fields.pop("broken"), fields.pop("fault")) == (None, None)
        return {**fields, "paused": paused}
    if isinstance(value, Record | Notice):
        return value._asdict()
    return value


def without_uuid(fields: Fields) -> Fields:
    return {**fields, "uuid": None}


def without_stamp(fields: Fields) -> Fields:
    return {**fields, "updated_at": None}


def difference(store: Store, model: Model, now: dt.datetime) -> object:
    """Return the first thing in which store and model differ, None where they agree."""
    pairs: list[tuple[str, object, object]] = []
    records = store.events(limit=9999)
    lines = [task for source in sorted(model.queues) for task in model.line(source)]
    tasks = store.select(Query())
    for task, fields in zip(tasks, lines, strict=False):
        uuid = fields["uuid"] or task.uuid
        pairs.append((task.id, plain(task), {**fields, "uuid": uuid}))
    queues = [model.queues[source] for source in sorted(model.queues)]
    pairs += [
        ("tasks", [t.id for t in tasks], [t["id"] for t in lines]),
        ("queues", [plain(meta) for meta in store.queues()], queues),
        ("notices", [plain(n) for n in store.undelivered()], model.waiting()),
        ("n_notices", store.waiting_notices(), len(model.notices)),
        ("n_events", len(records), len(model.records)),
        ("events", tidied(map(plain, records)), tidied(model.records)),
    ]
    for key, entry in model.seen.items():
        is_known = model.is_known(key, now)
        if is_known is not None:
            expected = entry["answer"] if is_known else None
            pairs.append((key, store.recall(key, now=now), expected))
    return next((pair for pair in pairs if pair[1] != pair[2]), None)


def tidied(records: Iterable[Fields]) -> list[Fields]:
    """Return the records with those of one archiving by id: their order says nothing."""
    found: list[Fields] = []
    for (event, _), group in groupby(records, key=lambda r: (r["event"], r["ts"])):
        same = list(group)
        if event == "archive":
            same.sort(key=lambda record: str(record["task_id"]))
        found += same
    return found
