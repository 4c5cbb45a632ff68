"""Random lives of a whole store beside a model of plain dicts.

Each rule does one thing to the store, as the use cases do it, and reckons in the model
what must come of it; after each rule the two are compared, whole. Whatever is written
may be cut short by a crash, after which the old or the new state must be there.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import groupby
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from contract import store_model
from contract.store_contract import CLOUD, LOCAL, QUEUES, a_notice
from contract.store_model import Fields, Model
from fakes import START, a_task
from model_queue.errors import IllegalTransition, StaleTask, UnknownSource
from model_queue.model import (
    DependencyPolicy,
    ErrorClass,
    JsonObject,
    Outcome,
    Status,
    Task,
    TaskRef,
)
from model_queue.store import (
    Batch,
    Change,
    Draft,
    Hold,
    Notice,
    Query,
    QueueMeta,
    Record,
    Seen,
    Store,
)
from model_queue.transitions import DependencyState, Event, Facts, session_gone, step

T = TypeVar("T")
Edit = Callable[[JsonObject], None]

LEASE = dt.timedelta(seconds=120)
SLOTS = 3
"""No rule allows a queue more at once."""
SOURCES = (LOCAL, CLOUD)
FALLBACK = (CLOUD, "nvidia/llama3")
CHATS = (
    ("", "", ""),
    ("openclaw", "telegram", "s-1"),
    ("openclaw", "telegram", ""),
    ("openclaw", "", ""),
    ("codex", "", ""),
)
CLASSES = {
    "fail_reported": ErrorClass.REPORTED,
    "fail_transient": ErrorClass.TRANSIENT,
    "fail_timeout": ErrorClass.TIMEOUT,
    "fail_rate_limited": ErrorClass.RATE_LIMITED,
    "fail_quota": ErrorClass.QUOTA,
    "fail_fatal": ErrorClass.AUTH,
}
RESULTS = ("succeed", *CLASSES, "agent_blocked")
ENDS = (*["succeed"] * 3, *RESULTS, "fail_reported", "fail_quota", "cancel", "lost")
STATUSES = tuple(status.value for status in Status)

picks = st.integers(0, 11)
"""The place of a task among all there are, counted round."""
spans = st.sampled_from([1, 5, 60, 3_600, 86_400, 40 * 86_400]).map(
    lambda seconds: dt.timedelta(seconds=seconds)
)
sources = st.sampled_from(SOURCES)

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


class Crash(Exception):  # noqa: N818 - the process is gone, nothing handles it
    """The process ended here."""


class Backend:
    """One store to be tried; a subclass opens it, and names what it alone can do."""

    name: ClassVar[str]
    steps: ClassVar[Sequence[str]] = ()
    """Points of a write at which its process can be made to end."""

    def __init__(self, folder: Path, at: Callable[[str], None]) -> None:
        """Take an empty folder, and what is to be called at each of ``steps``."""
        self.folder = folder
        self.at = at

    def open(self) -> Store:
        """Return the store as a new process would open it."""
        raise NotImplementedError

    def edit(self, source: str, change: Edit, *, indent: int | None) -> None:
        """Change a queue under the store's back (capability ``hand_edits``)."""
        raise NotImplementedError

    def lose_counter(self) -> None:
        """Lose what can be found again: the highest number (``hand_edits``)."""
        raise NotImplementedError


class StoreMachine(RuleBasedStateMachine):
    """The rules. ``backend`` and ``folders`` are set by ``exercise``."""

    backend_class: type[Backend]
    folders: Iterator[Path]

    def __init__(self) -> None:
        super().__init__()
        self.backend = self.backend_class(next(self.folders), self._at)
        self.now = START
        self.policy = dict.fromkeys(SOURCES, False)
        self.crash_at: tuple[str, int] | None = None
        self.edit_at: tuple[str, Callable[[], None]] | None = None
        self.model = Model()
        self.labels: set[str] = set()
        self.uuids: set[str] = set()
        self.sessions = 0
        self.n_notices = 0
        self.history: list[Task] = []
        self.newest: dict[str, Fields] = {}
        self.store = self.backend.open()

    # What every rule is made of.

    def _at(self, name: str) -> None:
        if self.edit_at is not None and self.edit_at[0] == name:
            edit, self.edit_at = self.edit_at[1], None
            edit()
        if self.crash_at is not None and self.crash_at[0] == name:
            self.crash_at = (name, self.crash_at[1] - 1)
            if self.crash_at[1] == 0:
                self.crash_at = None
                raise Crash

    def write(
        self, act: Callable[[Store], T], expect: Callable[[Model], object]
    ) -> T | None:
        """Let the store and the model do the same; None when the process ended in it."""
        after = self.model.copied()
        expected = expect(after)
        try:
            done = act(self.store)
        except Crash:
            self._rise_again(after)
            return None
        finally:
            self.crash_at = None
        self.model = after
        assert plain(done) == expected
        return done

    def _rise_again(self, after: Model) -> None:
        """Open the store anew; it must hold what it held before, or all of the new."""
        self.store = self.backend.open()
        found = difference(self.store, after, self.now)
        if found is None:
            self.model = after
        else:
            was = difference(self.store, self.model, self.now)
            assert was is None, f"neither new ({found}) nor old ({was})"

    def ids(self, *statuses: str, with_archive: bool = False) -> list[str]:
        tasks = {**self.model.tasks, **(self.model.away if with_archive else {})}
        wanted = statuses or STATUSES
        return sorted(id_ for id_, task in tasks.items() if task["status"] in wanted)

    def read(self, task_id: str) -> Task:
        task = self.store.get(TaskRef.parse(task_id))
        self.history.append(task)
        return task

    def _open_queues(self, queues: Sequence[QueueMeta]) -> None:
        self.write(
            lambda store: store.open_queues(queues, now=self.now),
            lambda model: model.open_queues(map(plain, queues)),
        )

    def commit(
        self,
        batch: Batch,
        expect: Callable[[Model], Sequence[str] | None],
    ) -> None:
        """Commit a batch; ``expect`` returns the ids of its drafts."""
        now = self.now

        def in_model(model: Model) -> Fields:
            # The batch's own records come before those of its drafts.
            model.records.extend(map(plain, batch.records))
            model.put_notices(map(plain, batch.notices))
            model.acknowledge(batch.delivered)
            return {"ids": list(expect(model) or ())}

        def act(store: Store) -> Fields:
            return {"ids": [task.id for task in store.commit(batch, now=now).tasks]}

        self.write(act, in_model)

    # People and programs add work.

    @initialize(
        drafts=st.lists(wishes, min_size=2, max_size=4),
        is_kept=st.tuples(st.booleans(), st.booleans()),
    )
    def begin(self, drafts: list[Fields], is_kept: tuple[bool, bool]) -> None:
        """Open the queues; each has one slot policy for the whole life."""
        self.policy = dict(zip(SOURCES, is_kept, strict=True))
        self._open_queues(QUEUES)
        self.add(drafts, CHATS[1])

    @rule(
        drafts=st.lists(wishes, min_size=1, max_size=3),
        chat=st.none() | st.sampled_from(CHATS),
    )
    def add(self, drafts: list[Fields], chat: tuple[str, str, str] | None) -> None:
        given = [self._draft(at, wish) for at, wish in enumerate(drafts)]
        notices = self._notices(chat)
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

    def _notices(self, chat: tuple[str, str, str] | None) -> list[Notice]:
        if chat is None:
            return []
        self.n_notices += 1
        return [a_notice(f"n-{self.n_notices}", chat=chat, created_at=self.now)]

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
        seen = Seen(key=key, answer=ids_of, until=end)
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
            notices=self._notices(CHATS[0]),
            delivered=[notice["id"] for notice in self.model.notices],
            records=[Record(ts=self.now, event="note")],
            seen=Seen(key=f"refused {self.now}", answer=ids_of),
        )
        with pytest.raises((UnknownSource, StaleTask)):
            self.store.commit(batch, now=self.now)
        self.crash_at = None
        assert self.store.recall(f"refused {self.now}", now=self.now) is None

    # The dispatcher and the sessions.

    @rule(
        source=sources,
        limit=st.sampled_from([9, 1, 2, 0]),
        slots=st.sampled_from([None, 1, 2, SLOTS]),
    )
    def claim(self, source: str, limit: int, slots: int | None) -> None:
        until_terminal = self.policy[source]
        allowed = slots or self.model.queues[source]["max_concurrent"]
        before = self.model.holders(source, until_terminal=until_terminal)

        def act(store: Store) -> list[str]:
            taken = store.claim(
                source,
                limit=limit,
                slots=slots,
                until_terminal=until_terminal,
                lease=LEASE,
                now=self.now,
            )
            return [task.id for task in taken]

        self.write(
            act,
            lambda model: model.claim(
                source,
                limit=limit,
                slots=allowed,
                until_terminal=until_terminal,
                lease=LEASE,
                now=self.now,
            ),
        )
        held = self.model.holders(source, until_terminal=until_terminal)
        assert held <= max(allowed, before)

    @rule(
        slots=st.sampled_from([None, SLOTS]),
        limit=st.sampled_from([9, 9, 1]),
        span=st.sampled_from([0, 5, 60]),
        ends=st.lists(st.sampled_from(ENDS), max_size=4),
    )
    def work(self, slots: int | None, limit: int, span: int, ends: list[str]) -> None:
        """Let some sessions end, and after a while others begin, in both queues."""
        for event, task_id in zip(ends, self.ids("running"), strict=False):
            self._event(event, [task_id], 0, chat=CHATS[len(self.history) % 5])
        self.now += dt.timedelta(seconds=span)
        for source in SOURCES:
            self.claim(source, limit, slots)

    # Rules are chosen evenly; most of a queue's life is this one.
    work_on = work_more = work_still = work_again = work

    @precondition(lambda self: self.ids("running"))
    @rule(pick=picks, event=st.sampled_from(RESULTS), chat=st.sampled_from(CHATS))
    def session_ends(self, pick: int, event: str, chat: tuple[str, str, str]) -> None:
        self._event(event, self.ids("running"), pick, chat=chat)

    @precondition(lambda self: self.ids("running"))
    @rule(
        pick=picks, event=st.sampled_from(["lost", "cancel", "pause", "fail_timeout"])
    )
    def session_is_stopped(self, pick: int, event: str) -> None:
        self._event(event, self.ids("running"), pick)

    @precondition(lambda self: self.ids("running", "paused"))
    @rule(
        pick=picks,
        event=st.sampled_from(["attach", "renew", "checkpoint", "succeed"]),
        label=st.sampled_from(["own", "own", "old", "none"]),
    )
    def session_speaks(self, pick: int, event: str, label: str) -> None:
        """Of an attempt that does not hold the task nothing is taken."""
        label = "old" if label == "own" and event == "succeed" else label
        self._event(event, self.ids("running", "paused"), pick, label=label)

    @rule(pick=picks)
    @precondition(
        lambda self: any(map(store_model.is_stopping, self.model.tasks.values()))
    )
    def stopped_session_is_gone(self, pick: int) -> None:
        tasks = self.model.tasks
        stopping = [id_ for id_ in self.ids() if store_model.is_stopping(tasks[id_])]
        before = self.read(stopping[pick % len(stopping)])
        self._change(before, session_gone(before), {"claim": None})

    @precondition(lambda self: self.ids("waiting", "blocked"))
    @rule(
        pick=picks,
        event=st.sampled_from(
            ["dependency_done", "dependency_failed", "dependency_reopened"]
        ),
    )
    def dependency_settles(self, pick: int, event: str) -> None:
        self._event(event, self.ids("waiting", "blocked"), pick)

    # A person's commands.

    @precondition(lambda self: self.model.tasks)
    @rule(
        pick=picks,
        event=st.sampled_from(["pause", "resume", "unblock", "cancel", "skip"]),
    )
    def command(self, pick: int, event: str) -> None:
        self._event(event, self.ids(), pick)

    @precondition(lambda self: self.ids(*store_model.ENDED, with_archive=True))
    @rule(
        pick=picks,
        event=st.sampled_from(["retry", "retry", "rerun"]),
        is_open=st.booleans(),
    )
    def run_again(self, pick: int, event: str, *, is_open: bool) -> None:
        """Also a task of the archive, which comes back."""
        ids = self.ids(*store_model.ENDED, with_archive=True)
        self._event(event, ids, pick, dependency="open" if is_open else "done")

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
        self._open_queues([meta])

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

    # Time, the archive, processes that end, people who edit files.

    @rule(span=spans, is_back=st.sampled_from([False, False, False, True]))
    def time_passes(self, span: dt.timedelta, *, is_back: bool) -> None:
        self.now += -span if is_back else span
        self.model.time_is(self.now)

    @precondition(lambda self: self.ids(*store_model.ENDED))
    @rule(
        pick=picks,
        span=st.sampled_from([0, 1, 3_600_000_000]).map(
            lambda n: dt.timedelta(microseconds=n)
        ),
    )
    def archive(self, pick: int, span: dt.timedelta) -> None:
        """Everything that ended before, or with, one of those that have."""
        ids = self.ids(*store_model.ENDED)
        before = self.model.tasks[ids[pick % len(ids)]]["completed_at"] + span
        self.write(
            lambda store: sorted(store.archive(before=before, now=self.now)),
            lambda model: sorted(model.archive(before=before, now=self.now)),
        )

    @precondition(lambda self: "durable" in self.store.capabilities)
    @rule()
    def process_ends(self) -> None:
        self.store = self.backend.open()

    @precondition(lambda self: self.backend.steps)
    @rule(place=st.integers(0, 9), nth=st.integers(1, 4))
    def next_write_crashes(self, place: int, nth: int) -> None:
        steps = self.backend.steps
        self.crash_at, self.edit_at = (steps[place % len(steps)], nth), None

    @precondition(lambda self: "hand_edits" in self.store.capabilities)
    @rule(
        source=sources,
        pick=picks,
        what=st.sampled_from(["unknown field", "priority", "order", "slots"]),
        indent=st.sampled_from([None, 4]),
    )
    def person_edits(
        self, source: str, pick: int, what: str, *, indent: int | None
    ) -> None:
        ids = [task["id"] for task in self.model.line(source)]
        task_id = ids[pick % len(ids)] if ids else ""

        def change(wire: Fields) -> None:
            here: Fields = next((t for t in wire["tasks"] if t["id"] == task_id), {})
            queue = self.model.queues[source]
            task = self.model.tasks.get(task_id, {})
            if what == "unknown field":
                wire["x_note"] = here["x_note"] = f"第{pick}"
                queue["extra"] = {**queue["extra"], "x_note": f"第{pick}"}
                task["extra"] = {**task.get("extra", {}), "x_note": f"第{pick}"}
            elif what == "priority":
                here["priority"] = task["priority"] = pick
            elif what == "order":
                wire["tasks"].reverse()
            else:
                wire["maxConcurrent"] = queue["max_concurrent"] = 1 + pick % SLOTS

        self.backend.edit(source, change, indent=indent)

    @precondition(lambda self: "hand_edits" in self.store.capabilities)
    @rule(source=sources, place=st.integers(0, 1), note=picks)
    def person_edits_during_the_next_write(
        self, source: str, place: int, note: int
    ) -> None:
        """Or after a write that does not come so far."""
        done: list[bool] = []

        def edit() -> None:
            def change(wire: Fields) -> None:
                wire["x_during"] = note

            if not done:
                self.backend.edit(source, change, indent=None)
                done.append(True)

        self.crash_at, self.edit_at = None, (self.backend.steps[place], edit)
        queue = self.model.queues[source]
        queue["extra"] = {**queue["extra"], "x_during": note}
        self.add([A_WISH, {**A_WISH, "queue": CLOUD}], CHATS[0])
        self.edit_at = None
        edit()

    @precondition(lambda self: "hand_edits" in self.store.capabilities)
    @rule()
    def counter_is_lost(self) -> None:
        self.backend.lose_counter()

    # Steps of one task.

    def _event(
        self,
        name: str,
        ids: Sequence[str],
        pick: int,
        *,
        label: str = "own",
        dependency: str = "done",
        chat: tuple[str, str, str] | None = None,
    ) -> None:
        """Take the table's step as a use case does, and the model's beside it."""
        before = self.read(ids[pick % len(ids)])
        fields = {**self.model.tasks, **self.model.away}[before.id]
        said = self._said(name, before, label=label, dependency=dependency)
        expected = store_model.changes_by(name, fields, said)
        try:
            after = step(before, Event(name), facts_of(name, said)).after
        except IllegalTransition:
            assert expected is None
            return
        assert expected is not None
        self._change(before, after, expected, event=name, chat=chat)

    def _said(
        self, name: str, task: Task, *, label: str, dependency: str
    ) -> Mapping[str, Any]:
        labels = {"own": task.label, "none": None}
        old = f"mq-{task.id.lower()}-a0-{task.uuid[:8]}"
        self.sessions += name == "attach"
        return {
            "now": self.now,
            "label": labels.get(label, old),
            "lease": LEASE,
            "until_terminal": self.policy[task.queue],
            "delay": dt.timedelta(seconds=5),
            "until": self.now + dt.timedelta(seconds=60),
            "session": f"s-{self.sessions}",
            "reason": f"because of {name}",
            "result": f"完成 {self.now}",
            "result_path": f"results/{task.id}.md" if name in RESULTS else None,
            "path": f"checkpoints/{task.id}.json",
            "context": {"source_task": "T-001"},
            "tokens": 7,
            "fallback": FALLBACK if task.queue == LOCAL else None,
            "dependency": dependency,
        }

    def _change(
        self,
        before: Task,
        after: Task,
        expected: Fields,
        *,
        event: str = "session_gone",
        chat: tuple[str, str, str] | None = None,
    ) -> None:
        record = Record(
            ts=self.now,
            event=event,
            task_id=before.id,
            queue=before.queue,
            before=before.status.value,
            after=after.status.value,
        )
        batch = Batch(
            changes=[Change(before=before, after=after)],
            records=[record],
            notices=self._notices(chat),
        )

        def expect(model: Model) -> None:
            model.change(before.id, expected, now=self.now)

        self.commit(batch, expect)

    # What always holds.

    @invariant()
    def all_laws_hold(self) -> None:
        # The model learns the uuids of new tasks first.
        self._store_equals_model()
        self._nothing_goes_back()
        self._no_queue_runs_more_than_its_slots()
        self._every_task_is_found()

    def _store_equals_model(self) -> None:
        self.model.time_is(self.now)
        found = difference(self.store, self.model, self.now)
        assert found is None, f"store and model differ: {found}"
        for task in self.store.select(Query()):
            fields = self.model.tasks[task.id]
            if fields["uuid"] is None:
                assert task.uuid not in self.uuids
                fields["uuid"] = task.uuid
                self.uuids.add(task.uuid)

    def _nothing_goes_back(self) -> None:
        tasks = {**self.model.tasks, **self.model.away}
        for task_id, old in self.newest.items():
            new = tasks[task_id]
            assert new["uuid"] == old["uuid"]
            assert new["attempt"] >= old["attempt"]
            if old["status"] in store_model.ENDED and new["completed_at"]:
                assert new["status"] == old["status"]
        assert self.model.number == len(tasks)
        for task in tasks.values():
            label = task["claim"] and task["claim"]["label"]
            was = self.newest.get(task["id"], NOBODY)
            if label and label != (was["claim"] and was["claim"]["label"]):
                assert label not in self.labels
                self.labels.add(label)
        self.newest = {task_id: dict(task) for task_id, task in tasks.items()}

    def _no_queue_runs_more_than_its_slots(self) -> None:
        for source in SOURCES:
            running = self.store.select(
                Query(statuses=[Status.RUNNING], sources=[source])
            )
            assert len(running) <= SLOTS

    def _every_task_is_found(self) -> None:
        for task_id, fields in {**self.model.tasks, **self.model.away}.items():
            is_live = task_id in self.model.tasks
            if (self.now.toordinal() + int(task_id[2:])) % 3 == 0:
                task = self.store.get(TaskRef.parse(f"{fields['queue']}/{task_id}"))
                assert without_uuid(plain(task)) == without_uuid(fields)
                assert self.store.get(task.ref) == task
            if fields["claim"] and is_live:
                found = self.store.find(label=fields["claim"]["label"])
                assert found is not None
                assert found.id == task_id

    @precondition(lambda self: self.labels)
    @rule(pick=picks, back=st.integers(0, 5))
    def look_up(self, pick: int, back: int) -> None:
        """By labels of any attempt, and by the session of the latest."""
        tasks = {**self.model.tasks, **self.model.away}
        labels = sorted(self.labels)
        label = labels[pick % len(labels)]
        parts = label.split("-")
        task_id = f"T-{parts[2]}"
        found = self.store.find(label=label)
        is_live = task_id in self.model.tasks
        assert (found and found.id) == (task_id if is_live else None)
        assert self.store.find(label="-".join([*parts[:4], "ffffffff"])) is None
        session = f"s-{self.sessions + 1 - back}"
        holders = [
            id_ for id_ in self.model.tasks if tasks[id_]["subagent_session"] == session
        ]
        by_session = self.store.find(session=session)
        assert (by_session and by_session.id) == (holders[0] if holders else None)


A_WISH: Fields = {
    "queue": LOCAL,
    "priority": 0,
    "max_retries": 3,
    "on_depends_fail": DependencyPolicy.BLOCK,
    "wait": None,
    "after": False,
    "parent": None,
}
FIELDS = tuple(Task.__dataclass_fields__)
NOBODY: Fields = {"claim": None}


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


def ids_of(tasks: Sequence[Task]) -> JsonObject:
    return {"ids": [task.id for task in tasks]}


def as_draft(fields: Fields) -> Draft:
    given = {**fields, "uuid": ""}
    after = given.pop("after")
    given["status"] = Status(given["status"])
    given["on_depends_fail"] = DependencyPolicy(given["on_depends_fail"])
    return Draft(task=a_task("", **given), after=after)


def facts_of(name: str, said: Mapping[str, Any]) -> Facts:
    outcome = Outcome(
        result_status="success",
        result=said["result"],
        summary=said["reason"],
        error_class=CLASSES.get(name),
        error_message=said["reason"] if name in CLASSES else None,
        spent={"tokens": said["tokens"]},
    )
    return Facts(
        now=said["now"],
        label=said["label"],
        until_terminal=said["until_terminal"],
        dependency=DependencyState(said["dependency"]),
        lease=said["lease"],
        delay=said["delay"],
        until=said["until"],
        session_id=said["session"] if name == "attach" else None,
        outcome=outcome if name in RESULTS else None,
        result_path=said["result_path"],
        context_input=said["context"],
        reason=said["reason"],
        fallback=said["fallback"],
        checkpoint_path=said["path"],
    )


def tidied(records: Iterable[Fields]) -> list[Fields]:
    """Return the records with those of one archiving by id: their order says nothing."""
    found: list[Fields] = []
    for (event, _), group in groupby(records, key=lambda r: (r["event"], r["ts"])):
        same = list(group)
        if event == "archive":
            same.sort(key=lambda record: str(record["task_id"]))
        found += same
    return found


def difference(store: Store, model: Model, now: dt.datetime) -> object:
    """Return the first thing in which store and model differ, None where they agree."""
    pairs: list[tuple[str, object, object]] = []
    records = store.events(limit=9999)
    lines = [task for source in sorted(model.queues) for task in model.line(source)]
    for task, fields in zip(store.select(Query()), lines, strict=False):
        uuid = fields["uuid"] or task.uuid
        pairs.append((task.id, plain(task), {**fields, "uuid": uuid}))
    queues = [model.queues[source] for source in sorted(model.queues)]
    pairs += [
        ("tasks", [t.id for t in store.select(Query())], [t["id"] for t in lines]),
        ("queues", [plain(meta) for meta in store.queues()], queues),
        ("notices", [n.id for n in store.undelivered()], model.waiting()),
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


def exercise(
    backend: type[Backend], folder: Path, *, n_lives: int, n_steps: int
) -> None:
    """Let the store of a backend live many random lives beside the model."""

    def folders() -> Iterator[Path]:
        n = 0
        while True:
            n += 1
            yield folder / f"life-{n}"

    machine = type(
        f"{backend.__name__}Machine",
        (StoreMachine,),
        {"backend_class": backend, "folders": folders()},
    )
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=n_lives,
            stateful_step_count=n_steps,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
