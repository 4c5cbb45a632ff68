"""Tasks and the other values come back from their JSON objects as they were."""

from __future__ import annotations

import datetime as dt
from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes import START, a_task
from model_queue import jsontext
from model_queue.codec import (
    FieldError,
    as_stored,
    decode_checkpoint,
    decode_notice,
    decode_record,
    decode_task,
    encode_checkpoint,
    encode_notice,
    encode_record,
    encode_task,
    format_time,
    parse_time,
)
from model_queue.fields import LAST_YEAR
from model_queue.model import (
    Checkpoint,
    Claim,
    DependencyPolicy,
    ErrorClass,
    JsonObject,
    JsonValue,
    Status,
    Task,
    TaskRef,
)
from model_queue.store import Notice, Record

SEED_NAMES = [
    "id",
    "queue",
    "model",
    "description",
    "goal",
    "status",
    "priority",
    "depends_on",
    "on_depends_fail",
    "context_input",
    "result",
    "result_status",
    "result_summary",
    "retries",
    "maxRetries",
    "subagent_session",
    "added_at",
    "started_at",
    "completed_at",
]
SEED_TASK: JsonObject = {
    "id": "T-001",
    "queue": "ollama-local",
    "model": "ollama/qwen2.5",
    "description": "Analyze the sales data",
    "goal": "Generate a summary of Q1 sales performance",
    "status": "pending",
    "priority": 0,
    "depends_on": None,
    "on_depends_fail": "block",
    "context_input": None,
    "result": None,
    "result_status": None,
    "result_summary": None,
    "retries": 0,
    "maxRetries": 3,
    "subagent_session": None,
    "added_at": "2026-03-04T16:51:00Z",
    "started_at": None,
    "completed_at": None,
}

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
times = st.datetimes(timezones=st.just(dt.UTC))
moments = times.filter(lambda moment: moment.year < LAST_YEAR)
"""Those that the queue itself sets, and reckons from."""
floats = st.floats(allow_nan=False, allow_infinity=False)
json_values: st.SearchStrategy[JsonValue] = st.recursive(
    st.none() | st.booleans() | st.integers() | texts | floats,
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(texts, inner, max_size=2)
    ),
    max_leaves=3,
)
json_objects = st.dictionaries(texts, json_values, max_size=3)
amounts = st.dictionaries(
    texts,
    st.none() | texts | st.integers(0, 10**15) | st.floats(0, 1e15),
    max_size=3,
)
refs = st.builds(
    lambda number, source: str(TaskRef(number, source)),
    st.integers(1, 9_999_999),
    st.none() | st.sampled_from(["ollama-local", "cloud"]),
)
counts = st.integers(0, 10**9)
wire_names = {field.name for field in fields(Task)} - {"extra", "max_retries"}
wire_names.add("maxRetries")
tasks = st.builds(
    Task,
    id=st.integers(1, 9_999_999).map(lambda number: TaskRef(number).id),
    queue=st.just("ollama-local"),
    model=texts,
    description=texts,
    added_at=times,
    uuid=texts,
    goal=st.none() | texts,
    status=st.sampled_from(Status),
    priority=st.integers(),
    depends_on=st.lists(refs, max_size=3).map(tuple),
    on_depends_fail=st.sampled_from(DependencyPolicy),
    context_input=json_values,
    result=st.none() | texts,
    result_status=st.none() | texts,
    result_summary=st.none() | texts,
    retries=counts,
    max_retries=counts,
    subagent_session=st.none() | texts,
    started_at=st.none() | moments,
    completed_at=st.none() | times,
    type=st.none() | texts,
    not_before=st.none() | times,
    timeout_seconds=st.none() | counts,
    cost_ceiling=st.none() | amounts,
    spent=st.none() | amounts,
    attempt=counts,
    losses=counts,
    claim=st.none() | st.builds(Claim, texts, moments, st.none() | moments),
    cwd=st.none() | texts,
    session_model=st.none() | texts,
    result_path=st.none() | texts,
    error_message=st.none() | texts,
    error_class=st.none() | st.sampled_from(ErrorClass),
    failure_reason=st.none() | texts,
    blocked_reason=st.none() | texts,
    skipped_reason=st.none() | texts,
    paused_from=st.none() | st.sampled_from(Status),
    checkpoint_path=st.none() | texts,
    agent_id=st.none() | texts,
    accept=st.lists(json_objects, max_size=2).map(tuple),
    origin=st.none() | json_objects,
    updated_at=st.none() | moments,
    extra=json_objects.map(
        lambda extra: {k: v for k, v in extra.items() if k not in wire_names}
    ),
).filter(lambda task: task.status is not Status.RUNNING or task.claim is not None)
"""As the code leaves them: a claim holds every task that runs."""


@given(tasks)
def test_task_comes_back_as_it_was(task: Task) -> None:
    wire = encode_task(task)

    assert decode_task(wire, task.queue) == task
    assert jsontext.loads(jsontext.dumps(wire)) == wire
    assert as_stored(task) == task
    assert "\n" not in jsontext.dumps(wire)


def test_task_that_runs_without_a_claim_gets_one_that_has_run_out() -> None:
    started = "2026-03-04T16:51:30Z"
    wire = SEED_TASK | {"status": "running", "started_at": started}

    task = decode_task(wire, "ollama-local")

    assert (task.attempt, task.claim) == (
        1,
        Claim(label="mq-t-001-a1-", lease_until=parse_time(started)),
    )


def test_seed_task_is_read_and_written_as_it_is() -> None:
    task = decode_task(SEED_TASK, "ollama-local")

    assert encode_task(task) == SEED_TASK
    assert list(encode_task(task)) == SEED_NAMES


def test_added_fields_appear_only_when_set() -> None:
    task = a_task(uuid="u-1", attempt=2, error_class=ErrorClass.QUOTA)

    added = list(encode_task(task))[len(SEED_NAMES) :]

    assert added == ["uuid", "attempt", "error_class"]


def test_unknown_fields_follow_and_never_hide_a_known_one() -> None:
    task = a_task(uuid="", extra={"x_team": "a", "claim": "no claim", "status": "done"})

    wire = encode_task(task)

    assert list(wire)[len(SEED_NAMES) :] == ["x_team"]
    assert wire["status"] == "pending"


def test_the_file_that_holds_a_task_decides_its_queue() -> None:
    assert decode_task(SEED_TASK, "cloud").queue == "cloud"


@pytest.mark.parametrize(
    ("refs", "wire"),
    [
        pytest.param((), None, id="none"),
        pytest.param(("T-001",), "T-001", id="one is a string"),
        pytest.param(("T-001", "cloud/T-002"), ["T-001", "cloud/T-002"], id="several"),
    ],
)
def test_depends_on_is_null_one_id_or_a_list(
    refs: tuple[str, ...], wire: JsonValue
) -> None:
    task = a_task(depends_on=refs)

    assert encode_task(task)["depends_on"] == wire
    assert decode_task({**SEED_TASK, "depends_on": wire}, "q").depends_on == refs


@pytest.mark.parametrize("wire", [[], ["T-001"]], ids=["empty list", "list of one"])
def test_depends_on_is_read_from_a_list_of_any_length(wire: JsonValue) -> None:
    assert isinstance(wire, list)
    task = decode_task({**SEED_TASK, "depends_on": wire}, "q")

    assert task.depends_on == tuple(wire)


def test_depends_on_is_read_in_a_loose_form() -> None:
    assert decode_task({**SEED_TASK, "depends_on": "t1"}, "q").depends_on == ("T-001",)


@pytest.mark.parametrize("absent", [True, False], ids=["absent", "null"])
def test_optional_fields_may_be_absent_or_null(*, absent: bool) -> None:
    required = {"id", "model", "description", "added_at"}
    wire: JsonObject = {name: SEED_TASK[name] for name in SEED_TASK if name in required}
    if not absent:
        wire = {**dict.fromkeys(wire_names), **wire}

    task = decode_task(wire, "ollama-local")

    assert task == replace(a_task(), uuid="")


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("id", None, "id is null, but must be a text"),
        ("id", "T-1", 'id is "T-1", but must be an id like T-001'),
        ("id", "T-00000001", "but must be an id like T-001"),
        ("description", 5, "description is 5, but must be a text"),
        (
            "status",
            "runing",
            'status is "runing", but must be one of pending, waiting,',
        ),
        ("status", ["done"], 'status is ["done"], but must be one of'),
        ("priority", "high", 'priority is "high", but must be a whole number'),
        ("priority", True, "priority is true, but must be a whole number"),
        ("priority", 1.5, "priority is 1.5, but must be a whole number"),
        ("retries", -1, "retries is -1, but must be a whole number, 0 or more"),
        ("depends_on", 7, "depends_on is 7, but must be null, an id like T-001, or a"),
        ("depends_on", ["T-001", None], 'depends_on is ["T-001", null], but must be'),
        ("on_depends_fail", "stop", "but must be one of block, skip, continue"),
        ("added_at", "yesterday", "but must be a time like 2026-03-04T16:51:00Z"),
        ("added_at", "2026-03-04T16:51:00", "but must be a time like"),
        ("claim", "mq-t-001-a1-x", "but must be an object"),
        ("claim", {"label": "x"}, "lease_until is null, but must be a text"),
        ("accept", ["file"], 'accept is "file", but must be a list of objects'),
        ("accept", {"file": "a"}, 'accept is {"file": "a"}, but must be a list'),
        ("goal", "x" * 100, None),
    ],
)
def test_wrong_values_are_refused_with_what_was_seen(
    field: str, value: JsonValue, sentence: str | None
) -> None:
    wire = {**SEED_TASK, field: value}

    if sentence is None:
        assert decode_task(wire, "q").goal == value
        return
    with pytest.raises(FieldError) as caught:
        decode_task(wire, "q")
    assert sentence in str(caught.value)


def test_a_long_value_is_cut_in_the_sentence() -> None:
    with pytest.raises(FieldError) as caught:
        decode_task({**SEED_TASK, "status": "x" * 1000}, "q")

    assert len(str(caught.value)) < 250


@pytest.mark.parametrize(
    ("moment", "text"),
    [
        pytest.param(START, "2026-03-04T16:51:00Z", id="no fraction when it is zero"),
        pytest.param(
            START.replace(microsecond=500), "2026-03-04T16:51:00.000500Z", id="fraction"
        ),
        pytest.param(
            dt.datetime(
                2026, 3, 5, 0, 51, tzinfo=dt.timezone(dt.timedelta(hours=8), "CST")
            ),
            "2026-03-04T16:51:00Z",
            id="another zone",
        ),
    ],
)
def test_times_are_written_as_utc(moment: dt.datetime, text: str) -> None:
    assert format_time(moment) == text


def test_a_time_without_a_zone_is_a_fault_of_the_caller() -> None:
    with pytest.raises(FieldError):
        format_time(START.replace(tzinfo=None))


@pytest.mark.parametrize(
    "text",
    [
        "2026-03-04T16:51:00Z",
        "2026-03-04t16:51:00z",
        "2026-03-04 16:51:00+00:00",
        "2026-03-05T00:51:00+08:00",
        "2026-03-04T11:51:00-05:00",
        "2026-03-04T16:51:00.000000000Z",
    ],
)
def test_times_are_read_with_any_offset(text: str) -> None:
    moment = parse_time(text)

    assert moment == START
    assert moment.tzinfo is dt.UTC


@pytest.mark.parametrize(
    "text",
    [
        "",
        "now",
        "2026-03-04",
        "2026-03-04T16:51:00",
        "20260304T165100Z",
        "2026-W10-3T16:51:00Z",
        "2026-02-30T16:51:00Z",
        "0001-01-01T00:00:00+08:00",
    ],
)
def test_what_is_no_rfc_3339_time_is_refused(text: str) -> None:
    with pytest.raises(FieldError):
        parse_time(text)


@given(times)
def test_time_comes_back_as_it_was(moment: dt.datetime) -> None:
    assert parse_time(format_time(moment)) == moment


def test_half_a_surrogate_pair_does_not_break_writing() -> None:
    task = a_task(
        description="a\ud83d", goal="\ud83d\ude00", extra={"x\udc00": ["\udc00"]}
    )

    stored = as_stored(task)

    assert stored.description == "a\ufffd"
    assert stored.goal == "\U0001f600"
    assert stored.extra == {"x\ufffd": ["\ufffd"]}


def test_numbers_that_json_has_not_become_null() -> None:
    task = a_task(spent={"usd": float("nan"), "tokens": float("inf"), "ok": 1.5})

    assert as_stored(task).spent == {"usd": None, "tokens": None, "ok": 1.5}


def test_checkpoint_has_the_seed_s_form() -> None:
    wire: JsonObject = {
        "task_id": "550e8400-e29b-41d4-a716-446655440000",
        "percent_complete": 45,
        "last_action": "Analyzed stack trace; identified root cause in "
        "cli/internal/trust/ports_macos.go",
        "next_action": "Write fix for the identified race condition",
        "agent_id": "claude-sonnet-4-6:a1b2c3",
        "written_at": "2026-06-01T12:35:00Z",
    }

    saved = decode_checkpoint(wire)

    assert encode_checkpoint(saved) == wire
    assert list(encode_checkpoint(saved)) == list(wire)


def test_checkpoint_of_an_agent_may_leave_texts_out() -> None:
    saved = decode_checkpoint(
        {"task_id": "T-001", "percent_complete": 120, "written_at": format_time(START)}
    )

    assert saved == Checkpoint(
        task_id="T-001",
        percent_complete=100,
        last_action="",
        next_action="",
        agent_id="",
        written_at=START,
    )


@given(
    st.builds(
        Record,
        ts=times,
        event=texts,
        task_id=st.none() | texts,
        queue=st.none() | texts,
        before=st.none() | texts,
        after=st.none() | texts,
        label=st.none() | texts,
        detail=st.none() | texts,
    )
)
def test_record_comes_back_as_it_was(record: Record) -> None:
    assert decode_record(encode_record(record)) == record


def test_record_is_written_with_what_is_set() -> None:
    record = Record(ts=START, event="claim", task_id="T-001")

    assert encode_record(record) == {
        "ts": "2026-03-04T16:51:00Z",
        "event": "claim",
        "task_id": "T-001",
    }


@given(
    st.builds(
        Notice,
        id=texts,
        kind=texts,
        task_id=st.none() | texts,
        text=texts,
        chat=st.tuples(texts, texts, texts),
        created_at=times,
    ),
    st.none() | times,
)
def test_notice_comes_back_as_it_was(
    notice: Notice, handed_out_at: dt.datetime | None
) -> None:
    wire = encode_notice(notice, handed_out_at)

    assert decode_notice(wire) == (notice, handed_out_at)


def test_notice_without_a_chat_is_for_any() -> None:
    wire: JsonObject = {
        "id": "n-1",
        "kind": "done",
        "text": "x",
        "created_at": format_time(START),
    }

    assert decode_notice(wire)[0].chat == ("", "", "")
