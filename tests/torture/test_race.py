"""The race in short, and a judge that sees what it is there to see."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from fakes import START, SequentialIds, a_task
from model_queue.model import JsonObject, JsonValue
from model_queue.store import Batch, Draft, QueueMeta
from model_queue.stores.files import FilesStore
from programs import Ran
from torture import race, race_judge
from torture.race_actors import Call
from torture.race_judge import Found
from torture.race_reader import Log, Reader

LABEL = "mq-t-001-a1-1f3c9a7e"
TASK: JsonObject = {
    "id": "T-001",
    "status": "done",
    "attempt": 1,
    "description": "summarize file m1-1p0of1",
}
EVENTS: tuple[JsonObject, ...] = (
    {"event": "submit", "task_id": "T-001", "after": "pending"},
    {
        "event": "claim",
        "task_id": "T-001",
        "before": "pending",
        "after": "running",
        "label": LABEL,
    },
    {
        "event": "succeed",
        "task_id": "T-001",
        "before": "running",
        "after": "done",
        "label": LABEL,
    },
)
CANCELLED: JsonObject = {
    "event": "cancel",
    "task_id": "T-001",
    "before": "running",
    "after": "cancelled",
    "label": LABEL,
}
LATE: JsonObject = {**EVENTS[2], "before": "done"}


@pytest.mark.slow
def test_eight_processes_on_one_directory_lose_nothing(tmp_path: Path) -> None:
    ran = race.run(tmp_path, seed=1, seconds=8.0)

    assert ran.violations == []
    assert {call.name for call in ran.calls} == {
        "on-intake",
        "on-subagent-exit",
        "cancel",
        "retry",
        "status",
        "tick",
    }
    assert ran.n_looks > 10


def a_call(name: str, about: str, answer: Mapping[str, object], code: int = 0) -> Call:
    return Call(name, about, Ran(code, json.dumps(answer), ""), took_s=0.1)


INTAKE = a_call("on-intake", "1-1", {"ok": True, "tasks": [{"id": "T-001"}]})
EXIT = a_call("on-subagent-exit", LABEL, {"ok": True})


def found(
    *events: JsonObject,
    sessions: tuple[str, ...] = (),
    report: str = "",
    **task: JsonValue,
) -> Found:
    """Return what a race left: one task that is done, but for what is named."""
    return Found(
        tasks={"T-001": {**TASK, **task}},
        events=events or EVENTS,
        sessions=sessions,
        reports={"T-001": report or f"Said by {LABEL}."},
    )


def test_a_race_without_a_fault_is_judged_so() -> None:
    left = found(*EVENTS, LATE, sessions=(f"start src-a T-001 {LABEL}",))

    assert race_judge.judge([INTAKE, INTAKE, EXIT], left) == []


@pytest.mark.parametrize(
    ("left", "said"),
    [
        pytest.param(found(status="running"), "by the log done", id="status"),
        pytest.param(found(claim={"label": LABEL}), "with claim", id="stuck"),
        pytest.param(found(attempt=2), "attempt 2 after 1 claims", id="attempt"),
        pytest.param(found(report="Said by x."), "not the report of", id="report"),
        pytest.param(found(*EVENTS[:2]), "is done, by the log running", id="event"),
        pytest.param(found(*EVENTS, EVENTS[2]), "ended 2 times", id="two ends"),
        pytest.param(found(EVENTS[0], EVENTS[2]), "when it went on", id="no claim"),
        pytest.param(
            found(*EVENTS[:2], EVENTS[1], EVENTS[2]), "claimed 2 times", id="two claims"
        ),
        pytest.param(
            found(*EVENTS[:2], CANCELLED), "times cancel T-001 in the log", id="cancel"
        ),
        pytest.param(
            found(description="summarize file m1-1p0of2"), "1 of 2 tasks", id="half"
        ),
        pytest.param(found(description="x"), "T-001 of message 1-1", id="message"),
        pytest.param(found(sessions=("TWICE src-a T-001",)), "TWICE", id="overlap"),
        pytest.param(
            found(sessions=("start src-a T-001 x",) * 2), "2 times: start", id="again"
        ),
    ],
)
def test_a_difference_between_told_and_stored_is_a_violation(
    left: Found, said: str
) -> None:
    violations = race_judge.judge([INTAKE, EXIT], left)

    assert any(said in violation for violation in violations), violations


@pytest.mark.parametrize(
    ("call", "said"),
    [
        pytest.param(
            a_call("status", "", {"error": {"code": "store"}}, 7),
            "ended with 7",
            id="error",
        ),
        pytest.param(
            a_call("retry", "T-001", {"error": {"code": "stale_task"}}, 6),
            "ended with 6",
            id="no busy",
        ),
        pytest.param(
            Call("tick", "", Ran(0, "{}", "Traceback"), 0.1), "said", id="stderr"
        ),
        pytest.param(EXIT._replace(took_s=11.0), "took 11.0 s", id="slow"),
        pytest.param(
            a_call("on-intake", "1-1", {"tasks": [{"id": "T-002"}]}),
            "answered with",
            id="twice",
        ),
        pytest.param(
            a_call("cancel", "T-001", {"ok": True}), "0 times cancel", id="lost"
        ),
    ],
)
def test_an_answer_that_must_not_be_is_a_violation(call: Call, said: str) -> None:
    violations = race_judge.judge([INTAKE, call], found())

    assert any(said in violation for violation in violations), violations


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(
            a_call("cancel", "T-001", {"error": {"code": "state"}}, 5), id="refused"
        ),
        pytest.param(
            a_call("on-intake", "1-2", {"error": {"code": "busy"}}, 6), id="busy"
        ),
    ],
)
def test_a_refusal_and_a_wait_that_was_too_long_are_none(call: Call) -> None:
    assert race_judge.judge([INTAKE, call], found()) == []


def looked(tmp_path: Path, description: str) -> tuple[Reader, FilesStore]:
    """Return a reader that has looked once at a queue with one task."""
    store = FilesStore(str(tmp_path), ids=SequentialIds())
    store.open_queues([QueueMeta(source="src-a")], now=START)
    task = a_task(queue="src-a", description=description)
    store.commit(Batch(drafts=[Draft(task)]), now=START)
    reader = Reader(Log(tmp_path / "events.jsonl"))
    reader.look(store)
    reader.look_raw(tmp_path)
    return reader, store


def test_a_reader_accepts_what_fits(tmp_path: Path) -> None:
    reader, store = looked(tmp_path, "summarize m1-1p0of1")

    reader.look(store)

    assert reader.violations == []
    assert (reader.n_looks, reader.n_files) == (2, 2)


def test_a_reader_sees_half_a_message(tmp_path: Path) -> None:
    reader, _ = looked(tmp_path, "summarize m1-1p0of2")

    assert reader.violations == ["1 of 2 tasks of message 1-1"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        pytest.param(b'"pending"', b'"waiting"', "is waiting, by the log", id="log"),
        pytest.param(b'"pending"', b'"paused"', "is paused, by the log", id="status"),
        pytest.param(b"T-001", b"T-002", "T-001 was taken back", id="vanished"),
    ],
)
def test_a_reader_sees_what_the_log_does_not_tell(
    tmp_path: Path, old: bytes, new: bytes, said: str
) -> None:
    reader, store = looked(tmp_path, "summarize m1-1p0of1")
    path = tmp_path / "src-a.json"

    path.write_bytes(path.read_bytes().replace(old, new))
    reader.look(store)

    assert any(said in violation for violation in reader.violations)


def test_a_reader_sees_a_file_that_is_half_written(tmp_path: Path) -> None:
    reader, _ = looked(tmp_path, "summarize m1-1p0of1")
    path = tmp_path / "src-a.json"

    path.write_bytes(path.read_bytes()[:-9])
    reader.look_raw(tmp_path)

    assert "src-a.json does not parse" in reader.violations[0]
