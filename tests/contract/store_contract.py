"""What every store promises; a module per store subclasses it and gives the store.

Nothing private is imported and nothing is skipped: a new backend costs one small
module. The names of the tests say which method they hold to its contract.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from fakes import START, a_task
from model_queue.errors import (
    StaleTask,
    TaskNotFound,
    TaskRefError,
    UnknownSource,
)
from model_queue.model import Claim, JsonObject, Status, Task, TaskRef
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

LOCAL = "ollama-local"
CLOUD = "cloud-nvidia"
LEASE = dt.timedelta(seconds=120)
TICK = dt.timedelta(microseconds=1)
ANY_CHAT = ("", "", "")
QUEUES = (
    QueueMeta(source=LOCAL, models=("ollama/llama3", "ollama/qwen2.5")),
    QueueMeta(source=CLOUD, models=("nvidia/llama3",), max_concurrent=2, max_retries=1),
)


def a_draft(*, after: tuple[int, ...] = (), **fields: object) -> Draft:
    return Draft(task=a_task("", **{"uuid": "", **fields}), after=after)


def a_notice(notice_id: str = "n-1", **fields: object) -> Notice:
    notice = Notice(
        id=notice_id,
        kind="done",
        task_id="T-001",
        text="✅ T-001 done — 完成",
        created_at=START,
    )
    return notice._replace(**fields)  # type: ignore[arg-type] # fields are the test's


def add(store: Store, *drafts: Draft, now: dt.datetime = START) -> Sequence[Task]:
    return store.commit(Batch(drafts=drafts or [a_draft()]), now=now).tasks


def put(store: Store, before: Task, **fields: object) -> Task:
    """Store the task with other fields and return it as stored."""
    after = replace(before, **fields)  # type: ignore[arg-type] # fields are the test's
    store.commit(Batch(changes=[Change(before=before, after=after)]), now=START)
    return store.get(after.ref)


def claim(
    store: Store,
    *,
    limit: int = 1,
    slots: int | None = None,
    until_terminal: bool = False,
    now: dt.datetime = START,
) -> Sequence[Task]:
    return store.claim(
        LOCAL,
        limit=limit,
        slots=slots,
        until_terminal=until_terminal,
        lease=LEASE,
        now=now,
    )


def exercised(store: Store) -> str:
    """Return how the last line of a test run names a store that it exercised."""
    words = sorted(store.capabilities)
    return f"{store.name} ({', '.join(words)})" if words else store.name


def ids_of(tasks: Sequence[Task]) -> list[str]:
    return [task.id for task in tasks]


def meta_of(store: Store, source: str) -> QueueMeta:
    return next(meta for meta in store.queues() if meta.source == source)


def a_word(key: str, n: int, *, until: dt.datetime | None = None) -> Seen:
    return Seen(key=key, answer=lambda _: {"n": n}, until=until)


def answer_of_ids(tasks: Sequence[Task]) -> JsonObject:
    return {"ids": [task.id for task in tasks]}


def finished(store: Store, **fields: object) -> Task:
    """Store a task that ended a day before START."""
    ended = START - dt.timedelta(days=1)
    [task] = add(store)
    return put(store, task, **{"status": Status.DONE, "completed_at": ended, **fields})


class StoreContract:
    """The tests; ``store`` has the two queues of ``QUEUES`` and no task."""

    @pytest.fixture
    def bare_store(self) -> Store:
        """Return a store without a queue."""
        raise NotImplementedError

    @pytest.fixture
    def store(self, bare_store: Store) -> Store:
        bare_store.open_queues(QUEUES, now=START)
        return bare_store

    @pytest.fixture(autouse=True)
    def _is_exercised(
        self, bare_store: Store, record_property: Callable[[str, object], None]
    ) -> None:
        record_property("store", exercised(bare_store))

    def test_open_queues_creates_what_is_missing_and_names_it(
        self, bare_store: Store
    ) -> None:
        created = bare_store.open_queues(QUEUES, now=START)

        assert list(created) == [LOCAL, CLOUD]
        assert meta_of(bare_store, CLOUD) == QUEUES[1]

    def test_open_queues_creates_nothing_that_exists(self, store: Store) -> None:
        add(store)

        created = store.open_queues(QUEUES, now=START)

        assert list(created) == []
        assert len(store.select(Query())) == 1

    def test_open_queues_adds_a_source_that_is_configured_later(
        self, store: Store
    ) -> None:
        late = QueueMeta(source="ollama-remote", models=("ollama-remote/llama3:70b",))

        created = store.open_queues([*QUEUES, late], now=START)

        assert list(created) == ["ollama-remote"]

    def test_open_queues_refreshes_models_and_leaves_limits(self, store: Store) -> None:
        changed = QUEUES[1]._replace(
            models=("nvidia/new",), max_concurrent=9, max_retries=9
        )

        store.open_queues([changed], now=START)

        meta = meta_of(store, CLOUD)
        assert (meta.models, meta.max_concurrent, meta.max_retries) == (
            ("nvidia/new",),
            2,
            1,
        )

    def test_open_queues_leaves_a_queue_that_is_not_configured_any_more(
        self, store: Store
    ) -> None:
        store.open_queues([QUEUES[0]], now=START)

        assert [meta.source for meta in store.queues()] == [CLOUD, LOCAL]

    def test_queues_is_empty_before_the_first_run(self, bare_store: Store) -> None:
        assert list(bare_store.queues()) == []

    def test_queues_are_sorted_by_name(self, store: Store) -> None:
        assert [meta.source for meta in store.queues()] == [CLOUD, LOCAL]

    def test_get_returns_the_task_with_every_field(self, store: Store) -> None:
        moment = dt.datetime(2026, 3, 5, 1, 2, 3, 456789, tzinfo=dt.UTC)
        [task] = add(
            store,
            a_draft(
                description="用 qwen2.5 分析销售数据",
                not_before=moment,
                origin={"host": "openclaw", "message_id": "5"},
                extra={"x_team": {"name": "growth"}},
            ),
        )

        stored = store.get(TaskRef.parse("T-001"))

        assert stored == task
        assert stored.not_before == moment
        assert stored.extra == {"x_team": {"name": "growth"}}

    def test_get_takes_the_form_with_the_source(self, store: Store) -> None:
        [task] = add(store)

        assert store.get(TaskRef.parse("ollama-local/T-001")) == task

    def test_get_names_the_nearest_ids_of_one_that_does_not_exist(
        self, store: Store
    ) -> None:
        add(store)

        with pytest.raises(TaskNotFound) as caught:
            store.get(TaskRef.parse("T-002"))

        assert caught.value.nearest == ("T-001",)

    def test_get_refuses_an_id_under_another_source(self, store: Store) -> None:
        add(store)

        with pytest.raises(TaskNotFound):
            store.get(TaskRef.parse("cloud-nvidia/T-001"))

    def test_get_finds_an_archived_task(self, store: Store) -> None:
        task = finished(store)
        store.archive(before=START, now=START)

        assert store.get(task.ref) == task
        assert store.get(TaskRef(task.ref.number)) == task

    def test_get_asks_which_of_several_tasks_is_meant(self, store: Store) -> None:
        [task] = add(store)
        put(store, task, id="T-007")
        [other] = add(store, a_draft(queue=CLOUD))
        put(store, other, id="T-007")

        with pytest.raises(TaskRefError) as caught:
            store.get(TaskRef.parse("T-007"))

        assert caught.value.candidates == ("cloud-nvidia/T-007", "ollama-local/T-007")
        assert store.get(TaskRef.parse("cloud-nvidia/T-007")).queue == CLOUD

    def test_find_returns_the_task_of_the_current_label(self, store: Store) -> None:
        add(store)
        [task] = claim(store)

        assert store.find(label=str(task.label)) == task

    def test_find_returns_the_task_of_an_older_label(self, store: Store) -> None:
        add(store)
        [first] = claim(store)
        old = str(first.label)
        put(store, first, status=Status.PENDING, claim=None)
        [second] = claim(store)

        assert second.label != old
        assert store.find(label=old) == second

    def test_find_refuses_a_label_with_another_uuid(self, store: Store) -> None:
        add(store)
        claim(store)

        assert store.find(label="mq-t-001-a1-ffffffff") is None

    def test_find_returns_the_task_of_a_session_id(self, store: Store) -> None:
        [task] = add(store)
        task = put(store, task, subagent_session="agent:main:subagent:42")

        assert store.find(session="agent:main:subagent:42") == task

    def test_find_returns_none_for_what_it_does_not_know(self, store: Store) -> None:
        add(store)

        assert store.find(label="T-001") is None
        assert store.find(session="nobody") is None
        assert store.find() is None

    def test_select_goes_by_queue_then_in_claim_order(self, store: Store) -> None:
        add(store, a_draft(), a_draft(priority=5), a_draft(queue=CLOUD))
        add(store, a_draft(priority=5), now=START - TICK)

        tasks = store.select(Query())

        assert ids_of(tasks) == ["T-003", "T-004", "T-002", "T-001"]

    def test_select_narrows_by_status_and_source(self, store: Store) -> None:
        add(
            store,
            a_draft(),
            a_draft(status=Status.WAITING),
            a_draft(status=Status.WAITING, queue=CLOUD),
        )

        waiting = Query(statuses=[Status.WAITING], sources=[LOCAL])

        assert ids_of(store.select(waiting)) == ["T-002"]

    def test_select_narrows_to_claims_that_are_stopping(self, store: Store) -> None:
        stopping = Claim(label="mq-t-001-a1-x", lease_until=START, stopping=START)
        [first, _] = add(store, a_draft(), a_draft())
        put(store, first, status=Status.CANCELLED, claim=stopping)

        assert ids_of(store.select(Query(stopping=True))) == ["T-001"]

    def test_select_leaves_the_archive_out(self, store: Store) -> None:
        finished(store)
        store.archive(before=START, now=START)

        assert list(store.select(Query())) == []

    def test_select_finds_the_archive_alone_where_it_is_asked_for(
        self, store: Store
    ) -> None:
        finished(store)
        store.archive(before=START, now=START)
        add(store, a_draft())

        assert ids_of(store.select(Query(archived=True))) == ["T-001"]
        assert ids_of(store.select(Query())) == ["T-002"]
        done = Query(archived=True, statuses=[Status.DONE], sources=[LOCAL])
        assert ids_of(store.select(done)) == ["T-001"]
        assert not store.select(Query(archived=True, sources=["elsewhere"]))
        assert not store.select(Query(archived=True, statuses=[Status.FAILED]))

    def test_select_gives_archived_tasks_as_they_ended(self, store: Store) -> None:
        [first, second] = add(store, a_draft(), a_draft())
        for task, hours in ((first, 1), (second, 2)):
            ended_at = START - dt.timedelta(hours=hours)
            put(store, task, status=Status.DONE, completed_at=ended_at)
        store.archive(before=START, now=START)

        assert ids_of(store.select(Query(archived=True))) == ["T-002", "T-001"]

    def test_claim_starts_an_attempt_that_its_label_names(self, store: Store) -> None:
        [task] = add(store)

        [claimed] = claim(store)

        assert claimed.status is Status.RUNNING
        assert claimed.attempt == 1
        assert claimed.claim == Claim(label=task.next_label, lease_until=START + LEASE)
        assert claimed.started_at == claimed.updated_at == START
        assert store.get(task.ref) == claimed

    def test_claim_gives_each_copy_of_a_line_labels_of_its_own(
        self, store: Store
    ) -> None:
        [task] = add(store)
        [other, third] = add(store, a_draft(), a_draft(queue=CLOUD))
        put(store, other, id=task.id, uuid=task.uuid, description="a copy")
        put(store, third, uuid=task.uuid.upper(), priority=1)

        claimed = claim(store, limit=2, slots=2)

        uuids = {each.uuid.lower() for each in store.select(Query())}
        assert len(claimed) == len({each.label for each in claimed}) == 2
        assert len(uuids) == 3

    def test_claim_gives_a_copy_of_an_archived_line_a_uuid_of_its_own(
        self, store: Store
    ) -> None:
        old = finished(store, attempt=1)
        store.archive(before=START, now=START)
        [task] = add(store)
        put(store, task, id=old.id, uuid=old.uuid)

        [claimed] = claim(store)

        assert claimed.uuid != old.uuid
        assert claimed.label == "mq-t-001-a1-" + claimed.uuid[:8]

    def test_claim_keeps_the_uuid_that_no_other_task_has(self, store: Store) -> None:
        [task, _] = add(store, a_draft(), a_draft())

        [claimed] = claim(store)

        assert claimed.uuid == task.uuid

    def test_claim_writes_one_audit_record(self, store: Store) -> None:
        add(store)

        [task] = claim(store)

        [_, record] = store.events(limit=9)
        assert record == Record(
            ts=START,
            event="claim",
            task_id="T-001",
            queue=LOCAL,
            before="pending",
            after="running",
            label=task.label,
        )

    def test_claim_takes_priority_then_age_then_number(self, bare_store: Store) -> None:
        wide = QUEUES[0]._replace(max_concurrent=9)
        bare_store.open_queues([wide], now=START)
        add(bare_store, a_draft(), a_draft(), a_draft(priority=1))
        add(bare_store, a_draft(), now=START - TICK)

        claimed = claim(bare_store, limit=9)

        assert ids_of(claimed) == ["T-003", "T-004", "T-001", "T-002"]

    @pytest.mark.parametrize(
        "status", [status for status in Status if status is not Status.PENDING]
    )
    def test_claim_takes_pending_tasks_only(self, store: Store, status: Status) -> None:
        add(store, a_draft(status=status))

        assert list(claim(store)) == []

    def test_claim_waits_for_not_before(self, store: Store) -> None:
        due = START + dt.timedelta(seconds=5)
        add(store, a_draft(not_before=due))

        assert list(claim(store, now=due - TICK)) == []
        [task] = claim(store, now=due)
        assert task.not_before is None

    def test_claim_skips_a_task_whose_stopped_session_may_still_run(
        self, bare_store: Store
    ) -> None:
        bare_store.open_queues([QUEUES[0]._replace(max_concurrent=9)], now=START)
        stopping = Claim(label="mq-t-001-a1-x", lease_until=START, stopping=START)
        [task] = add(bare_store)
        put(bare_store, task, claim=stopping)

        assert list(claim(bare_store)) == []

    def test_claim_counts_a_stopping_session_as_a_taken_slot(
        self, store: Store
    ) -> None:
        stopping = Claim(label="mq-t-001-a1-x", lease_until=START, stopping=START)
        [task, _] = add(store, a_draft(), a_draft())
        put(store, task, status=Status.CANCELLED, claim=stopping)

        assert list(claim(store)) == []

    def test_claim_skips_a_task_over_its_retry_limit(self, store: Store) -> None:
        add(store, a_draft(retries=2, max_retries=1), a_draft(retries=1, max_retries=1))

        assert ids_of(claim(store, limit=9)) == ["T-002"]

    def test_claim_never_exceeds_the_slots(self, store: Store) -> None:
        add(store, a_draft(), a_draft())

        first, second = claim(store, limit=9), claim(store, limit=9)

        assert ids_of(first) == ["T-001"]
        assert list(second) == []

    def test_claim_takes_the_slots_of_a_configuration_that_outranks_the_queue(
        self, store: Store
    ) -> None:
        add(store, a_draft(), a_draft(), a_draft())

        assert ids_of(claim(store, limit=9, slots=2)) == ["T-001", "T-002"]

    def test_claim_until_terminal_lets_a_task_keep_its_slot_through_its_backoff(
        self, store: Store
    ) -> None:
        [first, _] = add(store, a_draft(), a_draft(priority=5))
        put(store, first, started_at=START, attempt=1, retries=1)

        claimed = claim(store, limit=9, until_terminal=True)

        assert ids_of(claimed) == ["T-001"]

    def test_claim_applies_the_slots_before_the_limit(self, store: Store) -> None:
        """A task that is first in line but has no slot must not use the limit up."""
        [first, _] = add(store, a_draft(), a_draft(priority=5))
        put(store, first, started_at=START, attempt=1, retries=1)

        claimed = claim(store, limit=1, until_terminal=True)

        assert ids_of(claimed) == ["T-001"]

    def test_claim_takes_limit_tasks_at_most(self, bare_store: Store) -> None:
        bare_store.open_queues([QUEUES[0]._replace(max_concurrent=9)], now=START)
        add(bare_store, a_draft(), a_draft(), a_draft())

        assert ids_of(claim(bare_store, limit=2)) == ["T-001", "T-002"]
        assert ids_of(claim(bare_store, limit=0)) == []

    def test_claim_takes_nothing_from_a_held_queue(self, store: Store) -> None:
        until = START + dt.timedelta(hours=1)
        hold = Hold(at=START, by="quota", reason="usage limit", until=until)
        add(store)
        store.commit(Batch(holds={LOCAL: hold}), now=START)

        assert list(claim(store, now=until - TICK)) == []
        assert ids_of(claim(store, now=until)) == ["T-001"]

    def test_claim_of_an_unknown_source_takes_nothing(self, store: Store) -> None:
        assert list(store.claim("nobody", limit=1, lease=LEASE, now=START)) == []

    def test_commit_numbers_drafts_from_one_counter_for_all_queues(
        self, store: Store
    ) -> None:
        tasks = add(store, a_draft(), a_draft(queue=CLOUD), a_draft())

        assert ids_of(tasks) == ["T-001", "T-002", "T-003"]
        assert meta_of(store, LOCAL).last_id == "T-003"
        assert meta_of(store, CLOUD).last_id == "T-002"

    def test_commit_never_gives_a_number_twice(self, store: Store) -> None:
        finished(store)
        store.archive(before=START, now=START)

        [task] = add(store, a_draft(queue=CLOUD))

        assert task.id == "T-002"

    def test_commit_stamps_drafts_with_its_own_time(self, store: Store) -> None:
        later = START + TICK

        [task] = add(store, a_draft(), now=later)

        assert task.added_at == task.updated_at == later

    def test_commit_gives_a_uuid_and_keeps_one(self, store: Store) -> None:
        [fresh, known] = add(store, a_draft(), a_draft(uuid="u-1"))

        assert fresh.uuid
        assert known.uuid == "u-1"

    def test_commit_puts_earlier_drafts_in_front_of_known_dependencies(
        self, store: Store
    ) -> None:
        add(store)

        tasks = add(
            store,
            a_draft(),
            a_draft(queue=CLOUD),
            a_draft(after=(1, 0), depends_on=("T-001",)),
        )

        assert tasks[2].depends_on == ("T-003", "T-002", "T-001")

    def test_commit_adds_nothing_when_one_draft_names_an_unknown_queue(
        self, store: Store
    ) -> None:
        with pytest.raises(UnknownSource):
            add(store, a_draft(), a_draft(queue="nobody"))

        assert list(store.select(Query())) == []
        assert meta_of(store, LOCAL).last_id is None

    def test_commit_keeps_text_that_utf8_cannot_hold_readable(
        self, store: Store
    ) -> None:
        [task] = add(store, a_draft(description="half a pair \ud83d here"))

        assert task.description == "half a pair \ufffd here"
        assert store.get(task.ref) == task

    def test_commit_stamps_a_changed_task(self, store: Store) -> None:
        [task] = add(store)
        after = replace(task, priority=5)
        later = START + dt.timedelta(seconds=1)

        store.commit(Batch(changes=[Change(before=task, after=after)]), now=later)

        assert store.get(task.ref) == replace(after, updated_at=later)

    def test_commit_refuses_a_change_of_a_task_that_changed_meanwhile(
        self, store: Store
    ) -> None:
        [task, other] = add(store, a_draft(), a_draft())
        put(store, task, priority=1)
        stale = Change(before=task, after=replace(task, priority=2))
        fine = Change(before=other, after=replace(other, priority=2))
        batch = Batch(
            drafts=[a_draft()],
            changes=[fine, stale],
            holds={CLOUD: Hold(at=START, by="user", reason="lunch")},
            notices=[a_notice()],
            records=[Record(ts=START, event="edit")],
            seen=Seen(key="k", answer=answer_of_ids),
        )

        with pytest.raises(StaleTask):
            store.commit(batch, now=START)

        assert store.get(other.ref) == other
        assert len(store.select(Query())) == 2
        assert meta_of(store, CLOUD).paused is None
        assert store.waiting_notices() == 0
        assert "edit" not in {record.event for record in store.events(limit=9)}
        assert store.recall("k", now=START) is None

    def test_commit_refuses_a_change_of_a_task_that_is_gone(self, store: Store) -> None:
        ghost = a_task("T-009")

        with pytest.raises(StaleTask):
            store.commit(Batch(changes=[Change(before=ghost, after=ghost)]), now=START)

    def test_commit_takes_a_task_that_went_there_and_back_for_the_same(
        self, store: Store
    ) -> None:
        [task] = add(store)
        put(store, put(store, task, priority=1), priority=0)

        assert put(store, task, priority=5).priority == 5

    def test_commit_goes_on_from_the_value_that_was_committed_before(
        self, store: Store
    ) -> None:
        [task] = add(store)
        first = replace(task, priority=1)
        later = START + dt.timedelta(seconds=1)
        store.commit(Batch(changes=[Change(before=task, after=first)]), now=later)
        second = Change(before=first, after=replace(first, priority=2))

        store.commit(Batch(changes=[second]), now=later)

        assert store.get(task.ref).priority == 2

    def test_commit_applies_changes_of_one_task_in_order(self, store: Store) -> None:
        [task] = add(store)
        first = replace(task, priority=1)
        second = replace(first, goal="why")
        changes = [Change(before=task, after=first), Change(before=first, after=second)]

        store.commit(Batch(changes=changes), now=START)

        assert store.get(task.ref) == second

    def test_commit_moves_a_task_to_another_queue(self, store: Store) -> None:
        [task] = add(store)

        moved = put(store, task, queue=CLOUD, model="nvidia/llama3")

        assert [t.queue for t in store.select(Query())] == [CLOUD]
        assert moved.id == task.id

    def test_commit_brings_a_task_back_from_the_archive(self, store: Store) -> None:
        task = finished(store)
        store.archive(before=START, now=START)

        back = put(store, task, status=Status.PENDING, completed_at=None)

        assert list(store.select(Query())) == [back]
        assert list(store.archive(before=START, now=START)) == []
        assert store.get(task.ref) == back

    def test_commit_holds_a_queue_and_lifts_the_hold(self, store: Store) -> None:
        hold = Hold(at=START, by="user", reason="lunch")

        store.commit(Batch(holds={LOCAL: hold}), now=START)
        held = meta_of(store, LOCAL).paused
        store.commit(Batch(holds={LOCAL: None}), now=START)

        assert held == hold
        assert meta_of(store, LOCAL).paused is None

    def test_commit_refuses_to_hold_an_unknown_queue(self, store: Store) -> None:
        hold = Hold(at=START, by="user", reason="lunch")

        with pytest.raises(UnknownSource):
            store.commit(Batch(holds={"nobody": hold}), now=START)

    def test_commit_of_a_seen_key_repeats_the_first_answer(self, store: Store) -> None:
        batch = Batch(drafts=[a_draft()], seen=Seen(key="m-1", answer=answer_of_ids))

        first = store.commit(batch, now=START)
        second = store.commit(batch, now=START)

        assert first.answer == second.answer == {"ids": ["T-001"]}
        assert (first.repeated, second.repeated) == (False, True)
        assert list(second.tasks) == []
        assert len(store.select(Query())) == 1

    @pytest.mark.parametrize(
        ("until", "end"),
        [
            pytest.param(None, START + dt.timedelta(days=30), id="default"),
            pytest.param(*[START + dt.timedelta(minutes=2)] * 2, id="its own"),
        ],
    )
    def test_commit_forgets_a_seen_key_when_its_time_is_past(
        self, store: Store, until: dt.datetime | None, end: dt.datetime
    ) -> None:
        seen = Seen(key="m-1", answer=answer_of_ids, until=until)
        batch = Batch(drafts=[a_draft()], seen=seen)
        store.commit(batch, now=START)

        still_known = store.commit(batch, now=end - TICK)
        forgotten = store.commit(batch, now=end)

        assert still_known.repeated
        assert forgotten.answer == {"ids": ["T-002"]}

    def test_commit_tells_keys_apart_that_contain_each_other(
        self, store: Store
    ) -> None:
        for key in ('a", "b', "a", 'a"', "按键", "a\\"):
            answer: JsonObject = {"is": key}
            seen = Seen(key=key, answer=lambda _, answer=answer: answer)  # type: ignore[misc] # bound now
            store.commit(Batch(seen=seen), now=START)

        assert store.recall("a", now=START) == {"is": "a"}
        assert store.recall("按键", now=START) == {"is": "按键"}
        assert store.recall("b", now=START) is None

    def test_commit_writes_the_latest_word_over_the_one_before(
        self, store: Store
    ) -> None:
        for n in range(3):
            store.commit(Batch(latest=[a_word("chat", n)]), now=START + n * TICK)

        assert store.recall("chat", now=START + 2 * TICK) == {"n": 2}

    def test_commit_of_a_latest_word_whose_time_is_over_makes_its_key_forgotten(
        self, store: Store
    ) -> None:
        store.commit(Batch(latest=[a_word("chat", 1), a_word("other", 2)]), now=START)

        gone = Batch(latest=[a_word("chat", 3, until=START + TICK)])
        store.commit(gone, now=START + TICK)

        assert store.recall("chat", now=START + TICK) is None
        assert store.recall("other", now=START + TICK) == {"n": 2}

    def test_commit_that_is_repeated_writes_no_latest_word(self, store: Store) -> None:
        seen = Seen(key="m-1", answer=answer_of_ids)
        store.commit(Batch(seen=seen, latest=[a_word("chat", 1)]), now=START)
        store.commit(Batch(latest=[a_word("chat", 2)]), now=START)

        store.commit(Batch(seen=seen, latest=[a_word("chat", 3)]), now=START)

        assert store.recall("chat", now=START) == {"n": 2}

    def test_latest_word_is_given_the_stored_drafts(self, store: Store) -> None:
        word = Seen(key="chat", answer=answer_of_ids)

        store.commit(Batch(drafts=[a_draft(), a_draft()], latest=[word]), now=START)

        assert store.recall("chat", now=START) == {"ids": ["T-001", "T-002"]}

    def test_recall_returns_the_latest_word_after_words_of_later_days(
        self, store: Store
    ) -> None:
        day = dt.timedelta(days=1)
        for n in range(3):
            words = [a_word("chat", n), a_word(f"other-{n}", n)]
            store.commit(Batch(latest=words), now=START + n * day)

        assert store.recall("chat", now=START + 2 * day) == {"n": 2}
        assert store.recall("other-0", now=START + 2 * day) == {"n": 0}

    def test_commit_of_nothing_changes_nothing(self, store: Store) -> None:
        done = store.commit(Batch(), now=START)

        assert (list(done.tasks), done.answer, done.repeated) == ([], None, False)

    def test_take_notices_hands_out_the_oldest_first(self, store: Store) -> None:
        newer = a_notice("n-1", created_at=START + TICK)
        older = a_notice("n-2", created_at=START)
        store.commit(Batch(notices=[newer, older]), now=START)

        taken = store.take_notices(chat=ANY_CHAT, limit=9, now=START)

        assert list(taken) == [older, newer]

    def test_take_notices_hands_out_limit_at_most(self, store: Store) -> None:
        store.commit(Batch(notices=[a_notice("n-1"), a_notice("n-2")]), now=START)

        assert len(store.take_notices(chat=ANY_CHAT, limit=1, now=START)) == 1
        assert len(store.take_notices(chat=ANY_CHAT, limit=9, now=START)) == 1

    @pytest.mark.parametrize(
        ("chat", "is_for_it"),
        [
            pytest.param(("openclaw", "telegram", "s-1"), True, id="the chat itself"),
            pytest.param(ANY_CHAT, True, id="a caller that takes any"),
            pytest.param(("openclaw", "", ""), True, id="a caller that knows the host"),
            pytest.param(("openclaw", "discord", "s-1"), False, id="another channel"),
        ],
    )
    def test_take_notices_matches_the_chat(
        self, store: Store, chat: tuple[str, str, str], *, is_for_it: bool
    ) -> None:
        notice = a_notice(chat=("openclaw", "telegram", ""))
        store.commit(Batch(notices=[notice]), now=START)

        taken = store.take_notices(chat=chat, limit=9, now=START)

        assert list(taken) == ([notice] if is_for_it else [])

    def test_take_notices_hands_out_again_what_was_not_acknowledged(
        self, store: Store
    ) -> None:
        store.commit(Batch(notices=[a_notice()]), now=START)
        again_at = START + dt.timedelta(seconds=60)

        first = store.take_notices(chat=ANY_CHAT, limit=9, now=START)
        early = store.take_notices(chat=ANY_CHAT, limit=9, now=again_at - TICK)
        again = store.take_notices(chat=ANY_CHAT, limit=9, now=again_at)

        assert list(first) == list(again) == [a_notice()]
        assert list(early) == []

    def test_take_notices_never_returns_what_was_delivered(self, store: Store) -> None:
        store.commit(Batch(notices=[a_notice("n-1"), a_notice("n-2")]), now=START)
        later = START + dt.timedelta(days=1)

        store.commit(Batch(delivered=["n-1", "unknown"]), now=START)

        assert store.waiting_notices() == 1
        assert [
            n.id for n in store.take_notices(chat=ANY_CHAT, limit=9, now=later)
        ] == ["n-2"]

    def test_take_notices_keeps_one_of_a_notice_that_is_committed_twice(
        self, store: Store
    ) -> None:
        store.commit(Batch(notices=[a_notice()]), now=START)
        store.commit(Batch(notices=[a_notice()]), now=START)

        assert store.waiting_notices() == 1

    def test_take_notices_takes_none_from_who_has_it_when_it_is_committed_again(
        self, store: Store
    ) -> None:
        store.commit(Batch(notices=[a_notice()]), now=START)
        store.take_notices(chat=ANY_CHAT, limit=9, now=START)

        store.commit(Batch(notices=[a_notice()]), now=START)

        assert list(store.take_notices(chat=ANY_CHAT, limit=9, now=START)) == []

    def test_undelivered_returns_what_waits_oldest_first_and_hands_nothing_out(
        self, store: Store
    ) -> None:
        older = a_notice("n-1", created_at=START - dt.timedelta(minutes=1))
        notices = [a_notice("n-2"), older, a_notice("n-3")]
        store.commit(Batch(notices=notices, delivered=[]), now=START)
        store.commit(Batch(delivered=["n-3"]), now=START)
        store.take_notices(chat=ANY_CHAT, limit=1, now=START)

        waiting = store.undelivered()

        assert [notice.id for notice in waiting] == ["n-1", "n-2"]
        left = store.take_notices(chat=ANY_CHAT, limit=9, now=START)
        assert [notice.id for notice in left] == ["n-2"]

    def test_recall_forgets_a_key_when_the_clock_is_set_back_by_more_than_its_time(
        self, store: Store
    ) -> None:
        until = START + dt.timedelta(minutes=2)
        seen = Seen(key="m-1", answer=answer_of_ids, until=until)
        store.commit(Batch(seen=seen), now=START)

        soon = store.recall("m-1", now=START - dt.timedelta(minutes=2))
        far = store.recall("m-1", now=START - dt.timedelta(minutes=2) - TICK)

        assert (soon, far) == ({"ids": []}, None)

    def test_commit_has_its_effect_again_once_a_clock_set_back_made_it_forget_the_key(
        self, store: Store
    ) -> None:
        until = START + dt.timedelta(minutes=2)
        seen = Seen(key="m-1", answer=answer_of_ids, until=until)
        batch = Batch(drafts=[a_draft()], seen=seen)
        store.commit(batch, now=START)

        soon = store.commit(batch, now=START - dt.timedelta(minutes=2))
        far = store.commit(batch, now=START - dt.timedelta(minutes=2) - TICK)

        assert (soon.repeated, soon.answer) == (True, {"ids": ["T-001"]})
        assert (far.repeated, far.answer) == (False, {"ids": ["T-002"]})

    def test_recall_returns_a_key_after_others_were_stored_on_later_days(
        self, store: Store
    ) -> None:
        days = [START + dt.timedelta(days=n) for n in (0, 1, 29)]
        for n, day in enumerate(days):
            seen = Seen(key=f"m-{n}", answer=answer_of_ids)
            store.commit(Batch(drafts=[a_draft()], seen=seen), now=day)

        known = [store.recall(f"m-{n}", now=days[-1]) for n in range(3)]

        assert known == [{"ids": [f"T-00{n}"]} for n in (1, 2, 3)]

    def test_recall_returns_the_answer_until_its_time_is_past(
        self, store: Store
    ) -> None:
        until = START + dt.timedelta(minutes=2)
        seen = Seen(key="m-1", answer=answer_of_ids, until=until)
        store.commit(Batch(seen=seen), now=START)

        assert store.recall("m-1", now=until - TICK) == {"ids": []}
        assert store.recall("m-1", now=until) is None
        assert store.recall("m-2", now=START) is None

    def test_events_returns_the_newest_oldest_first(self, store: Store) -> None:
        records = [
            Record(ts=START + n * TICK, event="note", detail=f"第{n}条")
            for n in range(4)
        ]
        store.commit(Batch(records=records[:2]), now=START)
        store.commit(Batch(records=records[2:]), now=START)

        assert list(store.events(limit=3)) == records[1:]
        assert list(store.events(limit=0)) == []
        assert list(store.events(limit=9)) == records

    def test_archive_moves_what_ended_before_the_limit(self, store: Store) -> None:
        old = finished(store)
        finished(store, completed_at=START)

        moved = store.archive(before=START, now=START)

        assert list(moved) == [old.id]
        assert ids_of(store.select(Query())) == ["T-002"]

    def test_archive_leaves_what_ended_at_the_very_limit(self, store: Store) -> None:
        finished(store, completed_at=START)

        assert list(store.archive(before=START, now=START)) == []
        assert list(store.archive(before=START + TICK, now=START)) == ["T-001"]

    @pytest.mark.parametrize(
        "status", [status for status in Status if not status.is_terminal]
    )
    def test_archive_leaves_a_task_that_is_not_terminal(
        self, store: Store, status: Status
    ) -> None:
        finished(store, status=status)

        assert list(store.archive(before=START, now=START)) == []

    @pytest.mark.parametrize("ref", ["T-001", "ollama-local/T-001"])
    def test_archive_leaves_what_a_live_task_depends_on(
        self, store: Store, ref: str
    ) -> None:
        finished(store)
        add(store, a_draft(queue=CLOUD, status=Status.WAITING, depends_on=(ref,)))

        assert list(store.archive(before=START, now=START)) == []

    def test_archive_leaves_a_task_that_moved_away_from_where_others_name_it(
        self, store: Store
    ) -> None:
        moved = put(store, finished(store), queue=CLOUD)
        add(store, a_draft(status=Status.WAITING, depends_on=("ollama-local/T-001",)))

        assert list(store.archive(before=START, now=START)) == []
        assert store.get(moved.ref) == moved

    def test_archive_moves_what_only_finished_tasks_depended_on(
        self, store: Store
    ) -> None:
        finished(store)
        finished(store, depends_on=("T-001",))

        assert list(store.archive(before=START, now=START)) == ["T-001", "T-002"]

    def test_archive_leaves_a_task_whose_session_was_not_seen_gone(
        self, store: Store
    ) -> None:
        stopping = Claim(label="mq-t-001-a1-x", lease_until=START, stopping=START)
        finished(store, status=Status.CANCELLED, claim=stopping)

        assert list(store.archive(before=START, now=START)) == []

    def test_archive_keeps_one_of_a_task_that_came_back_and_ended_again(
        self, store: Store
    ) -> None:
        task = finished(store)
        store.archive(before=START, now=START)
        back = put(store, task, status=Status.PENDING, completed_at=None)
        ended = START - TICK
        again = put(store, back, status=Status.FAILED, completed_at=ended)

        store.archive(before=START, now=START)

        assert store.get(TaskRef(task.ref.number)) == again
        assert store.get(task.ref) == again

    def test_archive_writes_a_record_per_task(self, store: Store) -> None:
        finished(store)

        store.archive(before=START, now=START)

        [_, record] = store.events(limit=9)
        assert (record.event, record.task_id, record.before, record.after) == (
            "archive",
            "T-001",
            "done",
            None,
        )
