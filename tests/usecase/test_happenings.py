"""Audit records: the newest that are wanted, then each one as it is written."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from cores import a_core
from fakes import START, SequentialIds
from model_queue.commands import happenings
from model_queue.commands.happenings import Happenings, newest
from model_queue.core import Core
from model_queue.store import Batch, QueueMeta, Record
from model_queue.stores.files import FilesStore

MINUTE = dt.timedelta(minutes=1)
NEXT_MONTH = dt.datetime(2026, 4, 1, 9, tzinfo=dt.UTC)


@pytest.fixture
def core(tmp_path: Path) -> Core:
    store = FilesStore(str(tmp_path), ids=SequentialIds())
    store.open_queues([QueueMeta(source="ollama-local")], now=START)
    return a_core(tmp_path, open_queues=False)._replace(store=store)


def note(core: Core, *names: str, now: dt.datetime = START) -> None:
    for name in names:
        record = Record(ts=now, event=name, queue="ollama-local")
        core.store.commit(Batch(records=[record]), now=now)


def names(records: list[Record] | tuple[Record, ...]) -> list[str]:
    return [record.event for record in records]


def test_each_record_is_told_once_as_it_is_written(core: Core) -> None:
    note(core, "before")
    later = Happenings(core)

    assert names([*later.new()]) == []
    note(core, "one", "two")
    assert names([*later.new()]) == ["one", "two"]
    assert names([*later.new()]) == []
    note(core, "three")
    assert names([*later.new()]) == ["three"]


def test_the_first_record_of_all_is_told(core: Core) -> None:
    later = Happenings(core)

    note(core, "first")

    assert names([*later.new()]) == ["first"]


def test_a_new_month_and_a_torn_line_lose_and_repeat_nothing(
    core: Core, tmp_path: Path
) -> None:
    note(core, "march")
    later = Happenings(core)
    log = tmp_path / "events.jsonl"
    with log.open("a", encoding="utf-8") as file:
        file.write('{"ts": "2026-03-04T16:51:00Z", "event": "to')

    assert names([*later.new()]) == []
    note(core, "after the tear")
    seen = names([*later.new()])
    note(core, "april", now=NEXT_MONTH)
    seen += names([*later.new()])

    assert seen == ["torn_line", "after the tear", "april"]
    assert sorted(path.name for path in tmp_path.glob("events*")) == [
        "events-2026-03.jsonl",
        "events.jsonl",
    ]


def test_a_log_that_was_put_away_is_followed_anew(core: Core, tmp_path: Path) -> None:
    note(core, "old")
    later = Happenings(core)
    (tmp_path / "events.jsonl").unlink()

    note(core, "new", now=START + MINUTE)

    assert names([*later.new()]) == ["new"]


def test_more_at_once_than_one_look_reads(
    core: Core, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(happenings, "_LOOK_BACK", 4)
    note(core, "before")
    later = Happenings(core)
    written = [f"e{number}" for number in range(40)]

    note(core, *written)

    assert names([*later.new()]) == written


@pytest.mark.parametrize("n_read_first", [2, 2_000])
def test_the_newest_are_found_however_far_back_they_are(
    core: Core, n_read_first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(happenings, "READ_FIRST", n_read_first)
    for number in range(30):
        kind = "wanted" if number % 10 == 0 else "other"
        note(core, f"{kind}{number}", now=START + number * MINUTE)

    def is_wanted(record: Record) -> bool:
        return record.event.startswith("wanted")

    since = START + 10 * MINUTE
    assert names(newest(core, is_wanted)) == ["wanted0", "wanted10", "wanted20"]
    assert names(newest(core, is_wanted, limit=2)) == ["wanted10", "wanted20"]
    assert names(newest(core, is_wanted, limit=0)) == []
    assert names(newest(core, is_wanted, since=since)) == ["wanted10", "wanted20"]
    assert names(newest(core, is_wanted, since=since + MINUTE)) == ["wanted20"]
