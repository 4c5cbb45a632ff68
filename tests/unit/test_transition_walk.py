"""Random lives of one task: whatever happens, the laws of the state machine hold."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace

from hypothesis import given, settings
from hypothesis import strategies as st

from fakes import START, a_task
from model_queue.errors import IllegalTransition
from model_queue.model import (
    LOSS_LIMIT,
    DependencyPolicy,
    ErrorClass,
    Outcome,
    Status,
    Task,
)
from model_queue.transitions import (
    LATE,
    TABLE,
    DependencyState,
    Event,
    Facts,
    Step,
    failed_attempts,
    holds_slot,
    session_gone,
    step,
)

MOVES = {(row.before, row.event, row.after) for row in TABLE}
CLASSES = {
    Event.FAIL_REPORTED: ErrorClass.REPORTED,
    Event.FAIL_TRANSIENT: ErrorClass.TRANSIENT,
    Event.FAIL_TIMEOUT: ErrorClass.TIMEOUT,
    Event.FAIL_INVALID: ErrorClass.INVALID_REPORT,
    Event.FAIL_RATE_LIMITED: ErrorClass.RATE_LIMITED,
    Event.FAIL_QUOTA: ErrorClass.QUOTA,
    Event.FAIL_FATAL: ErrorClass.MODEL_NOT_FOUND,
    Event.FAIL_OVER_BUDGET: ErrorClass.OVER_BUDGET,
}


@dataclass(frozen=True)
class Happening:
    """An event as it could come in; ``event`` None: the stopped session is gone."""

    event: Event | None
    is_late: bool
    may_claim: bool
    dependency: DependencyState
    fallback: tuple[str, str] | None
    checkpoint_fresh: bool


happenings = st.builds(
    Happening,
    event=st.sampled_from([None, *Event, *[Event.CLAIM] * 12]),
    is_late=st.sampled_from([False, False, False, True]),
    may_claim=st.sampled_from([True, True, False]),
    dependency=st.sampled_from(DependencyState),
    fallback=st.sampled_from([None, ("cloud", "nvidia/glm")]),
    checkpoint_fresh=st.booleans(),
)
policies = st.sampled_from([(False, False), (True, False), (True, True)])


def facts_of(
    task: Task, what: Happening, *, now: dt.datetime, policy: tuple[bool, bool]
) -> Facts:
    until_terminal, workspace = policy
    outcome = Outcome(result_status="success", spent={"tokens": 1})
    if what.event in CLASSES:
        outcome = replace(
            outcome, result_status="failed", error_class=CLASSES[what.event]
        )
    return Facts(
        now=now,
        label="mq-t-001-a0-00000001" if what.is_late else task.label,
        until_terminal=until_terminal,
        workspace=workspace,
        dependency=what.dependency,
        may_claim=what.may_claim,
        until=now + dt.timedelta(seconds=1),
        outcome=outcome if what.event in LATE else None,
        fallback=None if workspace else what.fallback,
        checkpoint_fresh=what.checkpoint_fresh,
    )


def check_value(task: Task) -> None:
    """The laws that hold of a task at any time."""
    is_ended = task.status.is_terminal
    is_undone = is_ended and task.status is not Status.DONE
    assert 0 <= task.retries <= task.max_retries
    assert 0 <= task.losses <= LOSS_LIMIT
    assert (task.claim is not None) == (
        task.status is Status.RUNNING or task.is_stopping
    )
    assert not (task.status is Status.RUNNING and task.is_stopping)
    assert (task.completed_at is not None) == is_ended
    assert (task.failure_reason is not None) == is_undone
    assert (task.paused_from is not None) == (task.status is Status.PAUSED)
    assert (task.blocked_reason is not None) == (task.status is Status.BLOCKED)
    assert (task.skipped_reason is not None) == (task.status is Status.SKIPPED)
    assert task.status is not Status.RUNNING or task.started_at is not None
    assert task.status is not Status.WAITING or task.started_at is None
    assert task.status is not Status.DONE or task.error_class is None
    assert failed_attempts(task) <= task.max_retries + 1
    assert not is_ended or not holds_slot(session_gone(task), until_terminal=True)


def check_step(found: Step, event: Event) -> None:
    """The laws that hold between a task and the same task after one event."""
    before, after = found.before, found.after
    is_started_anew = after.claim is not None and after.label != before.label
    assert after.attempt == before.attempt + is_started_anew
    if is_started_anew:
        # Two sessions of one task never run, and a label never comes twice.
        assert before.claim is None or event is Event.LOST
        assert after.label == before.next_label
    if before.is_stopping:
        assert after.claim == before.claim
    if found.is_late:
        assert after == before
        return
    assert (before.status, event, after.status) in MOVES
    if before.status.is_terminal:
        way_out = {Event.RETRY, Event.RERUN, Event.ARCHIVE}
        assert event in way_out
    assert (before.uuid, before.id, before.description, before.added_at) == (
        after.uuid,
        after.id,
        after.description,
        after.added_at,
    )


@settings(max_examples=150, deadline=None)
@given(
    st.lists(happenings, min_size=10, max_size=60), policies, st.sampled_from([0, 1, 3])
)
def test_no_life_of_a_task_leaves_the_table(
    life: list[Happening], policy: tuple[bool, bool], max_retries: int
) -> None:
    task = a_task(
        status=Status.WAITING,
        depends_on=("T-009",),
        max_retries=max_retries,
        on_depends_fail=list(DependencyPolicy)[len(life) % 3],
    )
    now = START
    for what in life:
        now += dt.timedelta(seconds=10)
        if what.event is None:
            task = session_gone(task)
            check_value(task)
            continue
        facts = facts_of(task, what, now=now, policy=policy)
        try:
            found = step(task, what.event, facts)
        except IllegalTransition:
            continue
        check_step(found, what.event)
        check_value(found.after)
        task = found.after
