"""Rules of what people and programs commit: tasks, changes, holds, notices."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from contract.store_comparison import plain, without_stamp
from contract.store_contract import LOCAL, QUEUES, answer_of_ids
from contract.store_life import CHATS, SOURCES, Crash, Life, picks, sources, spans
from contract.store_model import Fields, Model
from fakes import a_task
from model_queue.errors import StaleTask, UnknownSource
from model_queue.model import DependencyPolicy, Status
from model_queue.store import (
    Batch,
    Change,
    Draft,
    Hold,
    Notice,
    QueueMeta,
    Record,
    Seen,
)

wishes = st.fixed_dictionaries(
    {
        "queue": sources,
        "priority": st.sampled_from([0, 0, 5, -5]),
        "max_retries": st.sampled_from([0, 1, 3]),
        "on_depends_fail": st.sampled_from(list(DependencyPolicy)),
        "wait": st.sampled_from([None, None, None, 60]),
        "after": st.sampled_from([False, False, True]),
        "parent": st.none() | st.tuples(picks, st.booleans()),
    }
)
"""Tasks to be added; ``wait`` in seconds, ``after``: the one before, or an old one."""
A_WISH: Fields = {
    "queue": LOCAL,
    "priority": 0,
    "max_retries": 3,
    "on_depends_fail": DependencyPolicy.BLOCK,
    "wait": None,
    "after": False,
    "parent": None,
}
"""A task of no importance."""


class CommitRules(Life):
    """Batches, whole, repeated, refused or stale; the notices; holds."""

    @initialize(
        drafts=st.lists(wishes, min_size=2, max_size=4),
        is_kept=st.tuples(st.booleans(), st.booleans()),
    )
    def begin(self, drafts: list[Fields], is_kept: tuple[bool, bool]) -> None:
        """Open the queues; each has one slot policy for the whole life."""
        self.policy = dict(zip(SOURCES, is_kept, strict=True))
        self.open_queues(QUEUES)
        self.add(drafts, CHATS[1])

    @rule(
        drafts=st.lists(wishes, min_size=1, max_size=3),
        chat=st.none() | st.sampled_from(CHATS),
    )
    def add(self, drafts: list[Fields], chat: tuple[str, str, str] | None) -> None:
        given = [self._draft(at, wish) for at, wish in enumerate(drafts)]
        notices = self.notices_for(chat)
        self.commit(
            Batch(drafts=[as_draft(fields) for fields in given], notices=notices),
            lambda model: model.add(given, now=self.now),
        )

    def _draft(self, at: int, wish: Fields) -> Fields:
        after = (at - 1,) if wish["after"] and at > 0 else ()
        refs = self._refs(wish["parent"])
        wait = wish["wait"]
        return {
            "queue": wish["queue"],
            "model": "ollama/qwen2.5",
            "description": f"第{at}件 of {self.now}",
            "priority": wish["priority"],
            "max_retries": wish["max_retries"],
            "on_depends_fail": wish["on_depends_fail"].value,
            "status": "waiting" if after or refs else "pending",
            "not_before": wait and self.now + dt.timedelta(seconds=wait),
            "depends_on": refs,
            "after": after,
        }

    def _refs(self, parent: tuple[int, bool] | None) -> tuple[str, ...]:
        known = self.ids(with_archive=True)
        if parent is None or not known:
            return ()
        pick, with_source = parent
        task_id = known[pick % len(known)]
        task = {**self.model.tasks, **self.model.away}[task_id]
        return (f"{task['queue']}/{task_id}" if with_source else task_id,)

    @rule(
        key=st.sampled_from(["m-1", 'm-"2', "m"]),
        until=st.none() | spans,
        source=sources,
    )
    def add_once(self, key: str, until: dt.timedelta | None, source: str) -> None:
        """The same message again gets the first answer and has no effect."""
        is_known = self.model.is_known(key, self.now)
        if is_known is None:
            key = f"{key} at {self.now} of {len(self.model.seen)}"
        end = None if until is None else self.now + until
        seen = Seen(key=key, answer=answer_of_ids, until=end)
        fields = self._draft(0, {**A_WISH, "queue": source})
        batch = Batch(drafts=[as_draft(fields)], seen=seen)
        if is_known:
            first = self.model.seen[key]["answer"]
            done = self.store.commit(batch, now=self.now)
            self.crash_at = None
            assert (done.repeated, done.answer, list(done.tasks)) == (True, first, [])
            return

        def expect(model: Model) -> list[str]:
            ids = model.add([fields], now=self.now)
            model.remember(key, {"ids": ids}, until=end, now=self.now)
            return ids

        self.commit(batch, expect)

    add_once_more = add_once

    @rule(
        key=st.sampled_from(["m-1", 'm-"2', "m"]),
        until=st.none() | st.just(dt.timedelta()) | spans,
    )
    def write_over_a_key(self, key: str, until: dt.timedelta | None) -> None:
        """The latest word takes the place of what is known, or makes it forgotten."""
        end = None if until is None else self.now + until
        word: Fields = {"word": f"{self.now} {end}"}
        batch = Batch(latest=[Seen(key=key, answer=lambda _: word, until=end)])

        def expect(model: Model) -> list[str]:
            model.remember(key, word, until=end, now=self.now)
            return []

        self.commit(batch, expect)
        known = self.model.is_known(key, self.now)
        if known is not None:
            seen = self.store.recall(key, now=self.now)
            assert seen == (self.model.seen[key]["answer"] if known else None)

    @rule(
        part=st.sampled_from(["draft", "hold", "change"]),
        pick=picks,
        is_last=st.booleans(),
    )
    def refuse_a_batch_whole(self, part: str, pick: int, *, is_last: bool) -> None:
        """One part is refused, so that none of the others may have an effect."""
        drafts = [as_draft(self._draft(0, {**A_WISH, "queue": q})) for q in SOURCES]
        changes = [self._priority(task_id) for task_id in self.ids()[:2]]
        holds: dict[str, Hold | None] = {LOCAL: self._hold(None)}
        if part == "draft":
            strange = as_draft(self._draft(0, {**A_WISH, "queue": "nobody"}))
            drafts.insert(len(drafts) if is_last else pick % 2, strange)
        elif part == "hold":
            holds["nobody"] = None
        else:
            ghost = a_task("T-9999")
            stale = Change(before=ghost, after=ghost)
            changes.insert(len(changes) if is_last else 0, stale)
        batch = Batch(
            drafts=drafts,
            changes=changes,
            holds=holds,
            notices=self.notices_for(CHATS[0]),
            delivered=[notice["id"] for notice in self.model.notices],
            records=[Record(ts=self.now, event="note")],
            seen=Seen(key=f"refused {self.now}", answer=answer_of_ids),
        )
        with pytest.raises((UnknownSource, StaleTask)):
            self.store.commit(batch, now=self.now)
        self.crash_at = None
        assert self.store.recall(f"refused {self.now}", now=self.now) is None

    @precondition(lambda self: len(self.model.tasks) > 1)
    @rule(chosen=st.lists(picks, min_size=1, max_size=3, unique=True))
    def change_priorities(self, chosen: list[int]) -> None:
        """Several tasks at once, over both queues."""
        ids = self.ids()
        names = list(dict.fromkeys(ids[pick % len(ids)] for pick in chosen))
        changes = [self._priority(task_id) for task_id in names]

        def expect(model: Model) -> None:
            for name in names:
                priority = model.tasks[name]["priority"] + 1
                model.change(name, {"priority": priority}, now=self.now)

        self.commit(Batch(changes=changes), expect)

    def _priority(self, task_id: str) -> Change:
        before = self.read(task_id)
        return Change(
            before=before, after=replace(before, priority=before.priority + 1)
        )

    @precondition(lambda self: self.history)
    @rule(back=st.integers(0, 7), source=sources)
    def commit_from_an_older_look(self, back: int, source: str) -> None:
        """A change of a task that is not as it was seen is refused, with all beside it."""
        before = self.history[-1 - back % len(self.history)]
        now_there = {**self.model.tasks, **self.model.away}[before.id]
        change = Change(before=before, after=replace(before, goal=f"by {self.now}"))
        fields = self._draft(0, {**A_WISH, "queue": source})
        batch = Batch(drafts=[as_draft(fields)], changes=[change])
        if without_stamp(plain(before)) == without_stamp(now_there):
            goal = {"goal": change.after.goal}

            def expect(model: Model) -> list[str]:
                model.change(before.id, goal, now=self.now)
                return model.add([fields], now=self.now)

            self.commit(batch, expect)
        else:
            with pytest.raises(StaleTask):
                self.store.commit(batch, now=self.now)
            self.crash_at = None

    def _hold(self, span: dt.timedelta | None) -> Hold:
        until = None if span is None else self.now + span
        return Hold(at=self.now, by="user", reason="午饭", until=until)

    @rule(
        source=sources,
        span=st.none() | spans,
        is_lifted=st.sampled_from([True, True, False]),
    )
    def hold(self, source: str, span: dt.timedelta | None, *, is_lifted: bool) -> None:
        hold = None if is_lifted else self._hold(span)

        def expect(model: Model) -> None:
            model.queues[source]["paused"] = hold and hold._asdict()

        self.commit(Batch(holds={source: hold}), expect)

    @rule(
        models=st.sampled_from([("ollama/a",), ("ollama/b", "ollama/c")]),
        source=sources,
    )
    def configure(self, models: tuple[str, ...], source: str) -> None:
        """Models follow the configuration, limits stay as they are."""
        meta = QueueMeta(source=source, models=models, max_concurrent=9, max_retries=9)
        self.open_queues([meta])

    # Notices.

    @rule(chat=st.sampled_from(CHATS), limit=st.sampled_from([9, 1, 0]))
    def take_notices(self, chat: tuple[str, str, str], limit: int) -> None:
        try:
            taken = self.store.take_notices(chat=chat, limit=limit, now=self.now)
        except Crash:
            # Whether they are out cannot be seen, but by waiting until nobody has them.
            self.store = self.backend.open()
            self.now += dt.timedelta(minutes=2)
            self.take_notices(CHATS[0], 99)
            return
        finally:
            self.crash_at = None
        expected = self.model.take_notices(chat=chat, limit=limit, now=self.now)
        assert [notice.id for notice in taken] == expected
        texts = {notice["id"]: notice for notice in self.model.notices}
        assert all({**plain(n), "out_at": self.now} == texts[n.id] for n in taken)

    take_more_notices = take_notices

    @precondition(lambda self: self.model.notices)
    @rule(pick=picks, is_seen=st.booleans())
    def acknowledge_or_say_again(self, pick: int, *, is_seen: bool) -> None:
        """What waits already is not doubled by that, nor taken from who has it."""
        said = dict(self.model.notices[pick % len(self.model.notices)])
        said.pop("out_at")
        notice = Notice(**said)
        batch = Batch(notices=[notice])
        if is_seen:
            batch = Batch(delivered=[notice.id, "unknown"])
        self.commit(batch, lambda _: None)


def as_draft(fields: Fields) -> Draft:
    given = {**fields, "uuid": ""}
    after = given.pop("after")
    given["status"] = Status(given["status"])
    given["on_depends_fail"] = DependencyPolicy(given["on_depends_fail"])
    return Draft(task=a_task("", **given), after=after)
