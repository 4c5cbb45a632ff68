"""The judge of the kill rounds can fail: each law finds a history that breaks it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from torture import kill_laws as laws
from torture.kill_calls import Call
from torture.kill_deaths import Death
from torture.kill_diary import Line
from torture.kill_evidence import Evidence, Happened, Stored
from torture.kill_load import Asked

A1, A2 = "mq-t-001-a1-0000000a", "mq-t-001-a2-0000000a"
B1 = "mq-t-002-a1-0000000b"
REPORT = f"Report of {A2}.\n\nSummary: done\n"


def a_line(what: str, label: str, at: float, *, pid: int = 1) -> Line:
    task = f"T-{label.split('-')[2]}"
    return Line(what, "src-a", task, label, pid, at)


def a_call(code: int = 0, *, err: str = "", took_s: float = 0.2) -> Call:
    return Call("tick", code, "{}", err, took_s, was_killed=False)


def a_claim(label: str) -> Happened:
    task = f"T-{label.split('-')[2]}"
    return Happened("claim", task, "pending", "running", label)


FIRST = Stored(
    "T-001",
    "done",
    "use alpha1 to summarize file m1p0",
    attempt=2,
    losses=1,
    result=REPORT,
)
SECOND = Stored(
    "T-002", "failed", "file m1p1", ["T-001"], attempt=1, failure_reason="lost"
)
HISTORY: Sequence[Happened] = (
    Happened("submit", "T-001", None, "pending"),
    Happened("submit", "T-002", None, "waiting"),
    a_claim(A1),
    Happened("lost", "T-001", "running", "pending", A1),
    a_claim(A2),
    Happened("succeed", "T-001", "running", "done", A2),
    Happened("succeed", "T-001", "done", "done", A1),
    Happened("dependency_done", "T-002", "waiting", "pending"),
    a_claim(B1),
    Happened("lost", "T-002", "running", "failed", B1),
)
DIARY: Sequence[Line] = (
    a_line("start", A1, 1.0, pid=11),
    a_line("start", A2, 2.0, pid=12),
    a_line("end", A2, 3.0, pid=12),
    a_line("start", B1, 4.0, pid=13),
)
LAWFUL = Evidence(
    tasks=[FIRST, SECOND],
    events=HISTORY,
    reports={"T-001": REPORT},
    diary=DIARY,
    limits={"src-a": 1},
    deaths=[Death("session", 11, A1, 1.5), Death("session", 13, B1, 5.0)],
    calls=[a_call(), a_call(5), a_call(6), Call("tick", -9, "", "", 0.1, True)],
    asked=[Asked("m1", 2, ["T-001", "T-002"]), Asked("m2", 3, None)],
)
"""Two tasks with a death, a late result, a refusal: all as it may be."""


def with_task(task: Stored) -> Evidence:
    tasks = [task if each.id == task.id else each for each in LAWFUL.tasks]
    return replace(LAWFUL, tasks=tasks)


def without_event(place: int) -> Evidence:
    events = [*HISTORY[:place], *HISTORY[place + 1 :]]
    return replace(LAWFUL, events=events)


def resumed(into: str) -> Evidence:
    """Return a history in which a resume stands in the place of the second claim."""
    resume = Happened("resume", "T-001", "paused", into, A2)
    return replace(LAWFUL, events=[*HISTORY[:4], resume, *HISTORY[5:]])


def with_lines(*lines: Line) -> Evidence:
    return replace(LAWFUL, diary=[*DIARY, *lines])


BROKEN = {
    "an answered task is lost": (
        laws.answered_tasks_exist,
        replace(LAWFUL, tasks=[FIRST]),
    ),
    "fewer tasks are answered than asked for": (
        laws.answered_tasks_exist,
        replace(LAWFUL, asked=[Asked("m1", 3, ["T-001", "T-002"])]),
    ),
    "an unanswered message is there in part": (
        laws.messages_are_whole,
        replace(LAWFUL, asked=[Asked("m1", 3, None)]),
    ),
    "a message was added twice": (
        laws.messages_are_whole,
        replace(LAWFUL, tasks=[FIRST, SECOND, FIRST._replace(id="T-003")]),
    ),
    "an id is given twice": (
        laws.ids_are_given_once,
        replace(LAWFUL, tasks=[FIRST, FIRST]),
    ),
    "a label starts twice": (
        laws.labels_start_once,
        with_lines(a_line("start", A1, 9.0, pid=19)),
    ),
    "a session runs that nobody claimed": (
        laws.labels_start_once,
        without_event(2),
    ),
    "a session runs of a task that was resumed into its line": (
        laws.labels_start_once,
        resumed(into="pending"),
    ),
    "a session meets the lock of another": (
        laws.one_session_per_task,
        with_lines(a_line("overlap", A2, 2.0)),
    ),
    "a session starts before the end line of another": (
        laws.one_session_per_task,
        with_lines(a_line("start", "mq-t-001-a3-0000000a", 2.5)),
    ),
    "a session starts before another was killed": (
        laws.one_session_per_task,
        with_lines(a_line("start", "mq-t-001-a3-0000000a", 1.2)),
    ),
    "a session finds every slot taken": (
        laws.slots_are_kept,
        with_lines(a_line("crowd", B1, 4.0)),
    ),
    "two sessions of a source with one slot": (
        laws.slots_are_kept,
        with_lines(a_line("start", "mq-t-003-a1-0000000c", 4.5)),
    ),
    "a task is stuck": (
        laws.every_task_ends,
        with_task(FIRST._replace(status="pending")),
    ),
    "a claim is left": (
        laws.every_task_ends,
        with_task(FIRST._replace(has_claim=True)),
    ),
    "a task is blocked without a reason": (
        laws.every_task_ends,
        with_task(SECOND._replace(status="blocked")),
    ),
    "a task is blocked by one that is done": (
        laws.every_task_ends,
        with_task(SECOND._replace(status="blocked", blocked_reason="T-001 failed")),
    ),
    "a task failed without a reason": (
        laws.every_task_ends,
        with_task(SECOND._replace(failure_reason="")),
    ),
    "two results are accepted": (
        laws.one_result_is_accepted,
        replace(
            LAWFUL,
            events=[*HISTORY, Happened("succeed", "T-001", "running", "done", A1)],
        ),
    ),
    "the report is another attempt's": (
        laws.results_are_the_accepted_ones,
        replace(LAWFUL, reports={"T-001": f"Report of {A1}.\n"}),
    ),
    "the report is missing": (
        laws.results_are_the_accepted_ones,
        replace(LAWFUL, reports={}),
    ),
    "the task holds another text": (
        laws.results_are_the_accepted_ones,
        with_task(FIRST._replace(result="Report of somebody.")),
    ),
    "a change is written over": (
        laws.events_tell_the_whole_story,
        without_event(3),
    ),
    "the last event is missing": (
        laws.events_tell_the_whole_story,
        without_event(9),
    ),
    "an attempt is not counted": (
        laws.events_tell_the_whole_story,
        with_task(FIRST._replace(attempt=1)),
    ),
    "too many retries": (
        laws.counters_keep_their_limits,
        with_task(FIRST._replace(retries=4)),
    ),
    "too many losses": (
        laws.counters_keep_their_limits,
        with_task(FIRST._replace(losses=6)),
    ),
    "a dependent starts too early": (
        laws.dependents_come_after,
        replace(LAWFUL, events=[*HISTORY[:5], HISTORY[8], *HISTORY[5:8]]),
    ),
    "a supervisor is left": (
        laws.nothing_is_left_running,
        replace(LAWFUL, left_running=["supervisor 7"]),
    ),
    "a call fails": (laws.calls_end_well, replace(LAWFUL, calls=[a_call(7)])),
    "a call that was not killed dies": (
        laws.calls_end_well,
        replace(LAWFUL, calls=[a_call(-9)]),
    ),
    "a call takes too long": (
        laws.calls_end_well,
        replace(LAWFUL, calls=[a_call(took_s=10.1)]),
    ),
    "a call prints a traceback": (
        laws.calls_end_well,
        replace(LAWFUL, calls=[a_call(err="Traceback (most recent call last):")]),
    ),
    "a supervisor logs a traceback": (
        laws.detached_processes_log_no_fault,
        replace(LAWFUL, logs={"supervisor.log": "Traceback (most recent call last):"}),
    ),
    "litter is not swept": (
        laws.nothing_is_left_lying,
        replace(LAWFUL, litter=[".state/.due.1.tmp"]),
    ),
    "a notice cannot be delivered": (
        laws.nothing_is_left_lying,
        replace(LAWFUL, undelivered=['{"id": "n"}']),
    ),
}


def test_a_lawful_history_breaks_no_law() -> None:
    assert laws.judge(LAWFUL) == []


@pytest.mark.parametrize(
    ("law", "seen"), [pytest.param(*each, id=name) for name, each in BROKEN.items()]
)
def test_a_law_finds_a_history_that_breaks_it(law: laws.Law, seen: Evidence) -> None:
    found = list(law(seen))

    assert len(found) == 1


def test_every_law_has_a_history_that_breaks_it() -> None:
    tried = {law for law, _ in BROKEN.values()}

    assert tried == set(laws.LAWS)


def test_the_judge_names_the_law_that_is_broken() -> None:
    found = laws.judge(replace(LAWFUL, left_running=["waker 7"]))

    assert found == ["nothing_is_left_running: waker 7 still runs"]


def _retried() -> Iterator[Happened]:
    yield from HISTORY
    yield Happened("rerun", "T-001", "done", "pending")
    yield a_claim("mq-t-001-a3-0000000a")
    yield Happened("succeed", "T-001", "running", "done", "mq-t-001-a3-0000000a")


def test_a_result_after_a_rerun_is_no_second_one() -> None:
    seen = replace(LAWFUL, events=[*_retried()])

    assert list(laws.one_result_is_accepted(seen)) == []


def test_a_session_whose_end_is_unknown_overlaps_with_none() -> None:
    """The locks tell of those; the judge makes nothing up."""
    third = a_line("start", "mq-t-001-a3-0000000a", 2.5, pid=14)
    lines = [line for line in DIARY if line.what != "end"]
    seen = replace(LAWFUL, diary=[*lines, third])

    assert list(laws.one_session_per_task(seen)) == []


def test_a_task_that_kept_its_slot_is_begun_by_its_resume() -> None:
    assert not list(laws.labels_start_once(resumed(into="running")))
