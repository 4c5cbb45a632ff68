"""The rules of the table as a whole, and the ones that stand beside its rows."""

from __future__ import annotations

import ast
import datetime as dt
import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from fakes import START, a_task
from model_queue.errors import IllegalTransition
from model_queue.model import (
    Claim,
    DependencyPolicy,
    ErrorClass,
    JsonObject,
    Outcome,
    Status,
    Task,
)
from model_queue.transitions import (
    EFFECTS,
    GUARDS,
    LATE,
    TABLE,
    DependencyState,
    Effect,
    Event,
    Facts,
    Guard,
    Row,
    Step,
    failed_attempts,
    holds_slot,
    session_gone,
    started,
    step,
)

NOW = START + dt.timedelta(hours=1)
LATER = NOW + dt.timedelta(minutes=5)
LABEL = "mq-t-001-a1-00000001"
CLAIM = Claim(label=LABEL, lease_until=NOW)
STOPPING = replace(CLAIM, stopping=START)
LIVE = [status for status in Status if not status.is_terminal]
PAIRS = list(itertools.product(Status, Event))
LIB = Path(__file__).parent.parent.parent / "lib" / "model_queue"


def running(**given: object) -> Task:
    fields: dict[str, object] = {
        "status": Status.RUNNING,
        "attempt": 1,
        "claim": CLAIM,
        "started_at": START,
    }
    return a_task(**{**fields, **given})  # type: ignore[arg-type] # the test's


def suspended(status: Status, claim: Claim | None) -> Task:
    """A task that was running, and is paused or blocked now."""
    paused_from = Status.RUNNING if status is Status.PAUSED else None
    return running(status=status, claim=claim, paused_from=paused_from)


def facts(**given: object) -> Facts:
    return Facts(now=NOW, label=LABEL, **given)  # type: ignore[arg-type] # the test's


def failure(error_class: ErrorClass, **given: object) -> Outcome:
    fields: dict[str, object] = {"error_message": "what went wrong", **given}
    return Outcome(
        result_status="failed",
        error_class=error_class,
        **fields,  # type: ignore[arg-type] # fields are the test's
    )


def refusal(task: Task, event: Event, known: Facts) -> IllegalTransition:
    with pytest.raises(IllegalTransition) as caught:
        step(task, event, known)
    return caught.value


def test_no_row_comes_twice() -> None:
    times = Counter((row.before, row.event, row.guard) for row in TABLE)

    assert [cell for cell, n in times.items() if n > 1] == []


def test_each_status_is_reached_from_a_new_task() -> None:
    reached: set[Status | None] = {None}
    while more := {row.after for row in TABLE if row.before in reached} - reached:
        reached |= more

    assert reached >= set(Status)


def test_each_guard_and_each_effect_has_a_function() -> None:
    assert set(GUARDS) == set(Guard)
    assert set(EFFECTS) == set(Effect)


def test_each_guard_and_each_effect_is_used() -> None:
    told = {Effect.DIRECTIVE_STOP, Effect.KEEP_LATE_RESULT}

    assert {row.guard for row in TABLE} == set(Guard)
    assert {effect for row in TABLE for effect in row.effects} == set(Effect) - told
    assert told <= set(LATE.values())


def contexts() -> Iterator[tuple[Task, Facts]]:
    """Yield values on both sides of every boundary that a guard knows."""
    tasks = [
        a_task(
            started_at=started_at,
            paused_from=paused_from,
            retries=retries,
            losses=losses,
            error_class=error_class,
            type=task_type,
            claim=claim,
            on_depends_fail=policy,
            depends_on=("T-009",) if losses else (),
        )
        for started_at, paused_from, retries, (losses, task_type), error_class, claim, (
            policy
        ) in itertools.product(
            (None, START),
            (None, Status.PENDING, Status.WAITING, Status.RUNNING),
            (0, 2, 3, 4),
            ((0, None), (3, "feature"), (4, "feature"), (3, "bug")),
            (None, ErrorClass.INVALID_REPORT),
            (None, STOPPING),
            DependencyPolicy,
        )
    ]
    known = [
        facts(
            until_terminal=until_terminal,
            workspace=workspace,
            dependency=dependency,
            bad_dependency=flag,
            may_claim=flag,
            fallback=("cloud", "nvidia/glm") if flag else None,
            checkpoint_fresh=flag,
            unneeded=flag,
        )
        for (until_terminal, workspace), dependency, flag in itertools.product(
            ((False, False), (True, False), (True, True)),
            DependencyState,
            (False, True),
        )
    ]
    yield from itertools.product(tasks, known)


def test_of_each_status_and_event_exactly_one_guard_holds() -> None:
    cells: dict[tuple[Status | None, Event], list[Guard]] = {}
    for row in TABLE:
        cells.setdefault((row.before, row.event), []).append(row.guard)
    sets = {tuple(guards) for guards in cells.values() if guards != [Guard.ALWAYS]}
    wrong = [
        (guards, task, known)
        for task, known in contexts()
        for guards in sets
        if sum(GUARDS[guard](task, known) for guard in guards) != 1
    ]

    assert wrong[:1] == []


@pytest.mark.parametrize(("status", "event"), PAIRS)
def test_each_cell_is_a_row_or_late_or_refused(status: Status, event: Event) -> None:
    task = a_task(status=status)
    afters = {row.after for row in TABLE if (row.before, row.event) == (status, event)}

    if event in LATE:
        assert step(task, event, facts()).is_late
    elif afters:
        assert step(task, event, facts()).after.status in afters
    else:
        error = refusal(task, event, facts())
        assert (error.ref, error.status, error.event) == ("T-001", status, event)
        assert error.hint


def test_a_refused_event_leaves_the_task_to_the_caller() -> None:
    task = a_task(status=Status.DONE)

    error = refusal(task, Event.CANCEL, facts())

    assert error.hint == "`rerun T-001` runs it again"
    assert task == a_task(status=Status.DONE)


@pytest.mark.parametrize("row", [r for r in TABLE if r.before and r.before.is_terminal])
def test_only_retry_and_rerun_lead_out_of_a_terminal_status(row: Row) -> None:
    stays = row.after in {row.before, None}

    assert stays or row.event in {Event.RETRY, Event.RERUN}


def test_a_draft_takes_nothing_but_submit() -> None:
    draft = a_task("")

    refused = [event for event in Event if event is not Event.SUBMIT]

    for event in refused:
        error = refusal(draft, event, facts())
        assert (error.ref, error.status, error.hint) == (
            "the new task",
            "not added",
            "",
        )


@pytest.mark.parametrize("event", LATE)
@pytest.mark.parametrize("status", Status)
@pytest.mark.parametrize("claim", [None, replace(CLAIM, label="mq-t-001-a2-00000001")])
def test_a_session_that_does_not_hold_the_task_is_late_in_every_status(
    status: Status, event: Event, claim: Claim | None
) -> None:
    task = a_task(status=status, claim=claim, started_at=START)

    found = step(task, event, facts(outcome=failure(ErrorClass.REPORTED)))

    assert found == Step(
        before=task,
        after=task,
        notice=None,
        effects=frozenset({LATE[event].value}),
        is_late=True,
    )


@pytest.mark.parametrize("event", LATE)
@pytest.mark.parametrize("status", [s for s in Status if s is not Status.PAUSED])
def test_a_session_that_was_told_to_stop_is_late(status: Status, event: Event) -> None:
    task = running(status=status, claim=STOPPING)

    found = step(task, event, facts(outcome=Outcome(result_status="success")))

    assert found.is_late
    assert found.after == task


def test_a_result_is_late_even_while_its_session_is_being_paused() -> None:
    task = suspended(Status.PAUSED, STOPPING)

    found = step(task, Event.SUCCEED, facts(outcome=Outcome(result_status="success")))

    assert found.is_late
    assert found.effects == {"keep late result"}


def test_a_session_that_is_being_paused_may_save_one_more_checkpoint() -> None:
    task = suspended(Status.PAUSED, STOPPING)

    found = step(
        task, Event.CHECKPOINT, facts(checkpoint_path="checkpoints/T-001.json")
    )

    assert found.after == replace(task, checkpoint_path="checkpoints/T-001.json")
    assert "directive pause" in found.effects
    assert not found.is_late


def test_a_paused_task_in_backoff_owes_its_timed_out_session_no_checkpoint() -> None:
    task = running(
        status=Status.PAUSED, paused_from=Status.PENDING, claim=STOPPING, retries=1
    )

    found = step(
        task, Event.CHECKPOINT, facts(checkpoint_path="checkpoints/T-001.json")
    )

    assert found.is_late
    assert found.effects == {"directive stop"}


@pytest.mark.parametrize("status", [Status.PENDING, Status.PAUSED, Status.CANCELLED])
@pytest.mark.parametrize("event", [Event.CANCEL, Event.LOST])
def test_an_end_that_a_host_reports_of_an_older_session_is_late(
    status: Status, event: Event
) -> None:
    """Our own stop makes the host report ``cancelled``: no failure, no new cancel."""
    task = a_task(status=status, paused_from=Status.PENDING)
    outcome = Outcome(result_status="cancelled")

    found = step(task, event, facts(outcome=outcome))

    assert found.is_late
    assert found.effects == {"keep late result"}


def test_a_session_that_a_person_killed_in_the_host_is_a_cancel() -> None:
    outcome = Outcome(result_status="cancelled", spent={"usd": 0.25})

    found = step(running(), Event.CANCEL, facts(outcome=outcome)).after

    assert found.status is Status.CANCELLED
    assert found.failure_reason == "user_cancel"
    assert found.error_message == "session cancelled in the host"
    assert found.spent == {"usd": 0.25}


def test_a_persons_cancel_keeps_the_error_of_the_attempt_before() -> None:
    task = a_task(started_at=START, retries=1, error_message="HTTP 503")

    found = step(task, Event.CANCEL, facts()).after

    assert found.error_message == "HTTP 503"
    assert found.failure_reason == "user_cancel"


def test_a_claim_starts_a_new_attempt_under_a_new_label() -> None:
    task = a_task(
        attempt=1, not_before=NOW, subagent_session="old", session_model="ollama/old"
    )

    found = step(
        task, Event.CLAIM, facts(may_claim=True, lease=dt.timedelta(seconds=90))
    ).after

    assert found == replace(
        task,
        status=Status.RUNNING,
        attempt=2,
        claim=Claim(
            label="mq-t-001-a2-00000001", lease_until=NOW + dt.timedelta(seconds=90)
        ),
        started_at=NOW,
        not_before=None,
        subagent_session=None,
        session_model=None,
    )


@pytest.mark.parametrize(
    ("fields", "is_claimed"),
    [
        pytest.param({}, True, id="due at once"),
        pytest.param({"not_before": NOW}, True, id="due now"),
        pytest.param(
            {"not_before": NOW + dt.timedelta(microseconds=1)}, False, id="due later"
        ),
        pytest.param({"claim": STOPPING}, False, id="a session is still stopping"),
        pytest.param({"retries": 3}, True, id="the last retry"),
    ],
)
def test_a_task_is_claimed_when_it_is_due_and_no_session_is_left(
    fields: dict[str, object], is_claimed: bool
) -> None:
    task = a_task(**fields)  # type: ignore[arg-type] # the test's

    found = step(task, Event.CLAIM, facts(may_claim=True))

    assert (found.after.status is Status.RUNNING) == is_claimed
    assert is_claimed or found.after == found.before


def test_a_task_above_a_lowered_limit_fails_although_no_slot_is_free() -> None:
    task = a_task(retries=3, max_retries=1, started_at=START, not_before=LATER)

    found = step(task, Event.CLAIM, facts(may_claim=False))

    assert found.after.status is Status.FAILED
    assert found.after.failure_reason == "max_retries_exceeded"
    assert (found.after.retries, failed_attempts(found.after)) == (2, 3)
    assert found.notice == "failed"


def test_a_success_clears_the_error_of_earlier_attempts() -> None:
    task = running(
        error_class=ErrorClass.TRANSIENT, error_message="HTTP 503", retries=1
    )
    outcome = Outcome(result_status="partial", result="Some text.", summary="Some.")

    found = step(
        task, Event.SUCCEED, facts(outcome=outcome, result_path="results/T-001.md")
    )

    assert found.after == replace(
        task,
        status=Status.DONE,
        claim=None,
        result="Some text.",
        result_status="partial",
        result_summary="Some.",
        result_path="results/T-001.md",
        error_class=None,
        error_message=None,
        completed_at=NOW,
    )
    assert found.notice == "done"


def test_a_success_without_an_outcome_is_done_without_a_report() -> None:
    found = step(running(), Event.SUCCEED, facts()).after

    assert (found.status, found.result) == (Status.DONE, None)


@pytest.mark.parametrize(
    ("event", "error_class"),
    [
        (Event.FAIL_REPORTED, ErrorClass.REPORTED),
        (Event.FAIL_TRANSIENT, ErrorClass.TRANSIENT),
        (Event.FAIL_TIMEOUT, ErrorClass.TIMEOUT),
        (Event.FAIL_INVALID, ErrorClass.INVALID_REPORT),
        (Event.FAIL_RATE_LIMITED, ErrorClass.RATE_LIMITED),
        (Event.FAIL_QUOTA, ErrorClass.QUOTA),
        (Event.FAIL_FATAL, ErrorClass.BAD_REQUEST),
        (Event.FAIL_OVER_BUDGET, ErrorClass.OVER_BUDGET),
        (Event.LOST, ErrorClass.LOST),
    ],
)
def test_a_failure_that_names_no_class_gets_the_one_of_its_event(
    event: Event, error_class: ErrorClass
) -> None:
    found = step(running(), event, facts(reason="it broke")).after

    assert (found.error_class, found.error_message) == (error_class, "it broke")


def test_a_retry_waits_and_says_nothing() -> None:
    outcome = failure(ErrorClass.TRANSIENT)

    found = step(
        running(),
        Event.FAIL_TRANSIENT,
        facts(outcome=outcome, delay=dt.timedelta(seconds=5)),
    )

    assert found.after.status is Status.PENDING
    assert found.after.not_before == NOW + dt.timedelta(seconds=5)
    assert (found.after.retries, found.after.claim) == (1, None)
    assert found.notice is None


def test_with_three_retries_the_fourth_failure_is_the_last() -> None:
    task = running(retries=3, attempt=4)
    outcome = failure(ErrorClass.REPORTED)

    found = step(task, Event.FAIL_REPORTED, facts(outcome=outcome)).after

    assert found.status is Status.FAILED
    assert (found.retries, failed_attempts(found)) == (3, 4)


def test_two_invalid_reports_in_a_row_are_enough() -> None:
    first = step(running(), Event.FAIL_INVALID, facts()).after
    again = step(first, Event.CLAIM, facts(may_claim=True)).after

    found = step(again, Event.FAIL_INVALID, facts()._replace(label=again.label)).after

    assert first.status is Status.PENDING
    assert found.status is Status.FAILED
    assert found.failure_reason == "max_retries_exceeded"


@pytest.mark.parametrize(
    ("task_type", "is_workspace", "after"),
    [
        ("feature", True, Status.FAILED),
        ("deploy-request", True, Status.FAILED),
        ("bug", True, Status.PENDING),
        (None, True, Status.PENDING),
        ("feature", False, Status.PENDING),
    ],
)
def test_some_task_types_of_a_workspace_are_never_retried(
    task_type: str | None, is_workspace: bool, after: Status
) -> None:
    task = running(type=task_type)

    found = step(
        task, Event.FAIL_TIMEOUT, facts(workspace=is_workspace, until_terminal=True)
    ).after

    assert found.status is after
    assert (found.failure_reason == "not_retryable") == (after is Status.FAILED)


def test_a_rate_limit_uses_no_retry_and_waits_for_its_end() -> None:
    outcome = failure(ErrorClass.RATE_LIMITED)

    found = step(
        running(), Event.FAIL_RATE_LIMITED, facts(outcome=outcome, until=LATER)
    ).after

    assert (found.status, found.retries) == (Status.PENDING, 0)
    assert found.not_before == LATER


def test_a_quota_without_a_fallback_waits_with_its_source() -> None:
    found = step(running(), Event.FAIL_QUOTA, facts(until=LATER))

    assert (found.after.status, found.after.not_before) == (Status.PENDING, None)
    assert "source wait until" in found.effects
    assert found.notice == "quota"


def test_a_fallback_takes_the_task_over_without_a_slot() -> None:
    task = running(retries=1)

    found = step(
        task, Event.FAIL_QUOTA, facts(until=LATER, fallback=("cloud", "nvidia/glm"))
    )

    assert (found.after.queue, found.after.model) == ("cloud", "nvidia/glm")
    assert not holds_slot(found.after, until_terminal=True)
    assert (found.after.retries, found.after.attempt) == (1, 1)
    assert found.notice == "fallback"


def test_the_partial_result_of_a_task_over_budget_is_kept() -> None:
    outcome = failure(ErrorClass.OVER_BUDGET, result="half of it", summary="Half.")

    found = step(
        running(),
        Event.FAIL_OVER_BUDGET,
        facts(outcome=outcome, result_path="results/T-001.md"),
    ).after

    assert (found.status, found.failure_reason) == (Status.FAILED, "over_budget")
    assert (found.result, found.result_summary) == ("half of it", "Half.")
    assert found.is_stopping


def test_the_report_of_a_failed_attempt_can_be_found() -> None:
    outcome = failure(ErrorClass.REPORTED, result="I could not do it.")

    found = step(
        running(retries=3),
        Event.FAIL_REPORTED,
        facts(outcome=outcome, result_path="results/T-001.md"),
    ).after

    assert (found.result, found.result_path) == (None, "results/T-001.md")


@pytest.mark.parametrize(
    ("losses", "after", "reason"),
    [(0, Status.PENDING, None), (3, Status.PENDING, None), (4, Status.FAILED, "lost")],
)
def test_the_fifth_loss_is_the_last(
    losses: int, after: Status, reason: str | None
) -> None:
    task = running(losses=losses, retries=2)

    found = step(task, Event.LOST, facts()).after

    assert (found.status, found.failure_reason) == (after, reason)
    assert (found.losses, found.retries) == (losses + 1, 2)
    assert failed_attempts(found) == 2


@pytest.mark.parametrize(
    ("task_type", "is_fresh", "after"),
    [
        ("bug", True, Status.RUNNING),
        ("feature", True, Status.RUNNING),
        ("bug", False, Status.PENDING),
        ("feature", False, Status.BLOCKED),
    ],
)
def test_a_lost_session_of_a_workspace_goes_on_from_a_fresh_checkpoint(
    task_type: str, is_fresh: bool, after: Status
) -> None:
    known = facts(workspace=True, until_terminal=True, checkpoint_fresh=is_fresh)

    found = step(running(type=task_type), Event.LOST, known).after

    assert (found.status, found.losses) == (after, 1)
    assert found.attempt == (2 if after is Status.RUNNING else 1)


STOPPING_EVENTS = [
    (event, outcome)
    for event, outcome in [
        (Event.CANCEL, None),
        (Event.SKIP, None),
        (Event.PAUSE, None),
        (Event.FAIL_TIMEOUT, failure(ErrorClass.TIMEOUT)),
        (Event.FAIL_OVER_BUDGET, failure(ErrorClass.OVER_BUDGET)),
        (Event.AGENT_BLOCKED, Outcome(result_status="blocked")),
    ]
]


@pytest.mark.parametrize(("event", "outcome"), STOPPING_EVENTS)
@pytest.mark.parametrize("until_terminal", [False, True])
def test_a_stopped_session_keeps_its_slot_until_it_is_seen_gone(
    event: Event, outcome: Outcome | None, until_terminal: bool
) -> None:
    found = step(running(), event, facts(outcome=outcome))
    gone = session_gone(found.after)

    assert found.after.claim == replace(CLAIM, stopping=NOW)
    assert "stop session" in found.effects
    assert holds_slot(found.after, until_terminal=until_terminal)
    assert gone == replace(found.after, claim=None)
    assert not holds_slot(gone, until_terminal=False)


def test_a_session_that_was_asked_to_stop_is_not_asked_again() -> None:
    paused = suspended(Status.PAUSED, STOPPING)

    found = step(paused, Event.CANCEL, facts()).after

    assert found.claim == STOPPING


def test_seeing_a_session_gone_changes_no_other_task() -> None:
    task = running()

    assert session_gone(task) is task


def test_a_retry_leaves_a_stopping_claim_in_place() -> None:
    task = running(status=Status.CANCELLED, claim=STOPPING, completed_at=START)

    found = step(task, Event.RETRY, facts())
    refused = step(found.after, Event.CLAIM, facts(may_claim=True))
    claimed = step(session_gone(found.after), Event.CLAIM, facts(may_claim=True))

    assert found.after.claim == STOPPING
    assert refused.after.status is Status.PENDING
    assert claimed.after.status is Status.RUNNING


SUSPENDED = [(Status.PAUSED, Event.RESUME), (Status.BLOCKED, Event.UNBLOCK)]


@pytest.mark.parametrize(("status", "event"), SUSPENDED)
@pytest.mark.parametrize(
    ("known", "claim", "after"),
    [
        pytest.param({}, None, Status.PENDING, id="slot given back"),
        pytest.param({}, STOPPING, Status.PENDING, id="slot not yet given back"),
        pytest.param(
            {"until_terminal": True}, None, Status.RUNNING, id="slot kept: at once"
        ),
        pytest.param(
            {"until_terminal": True}, STOPPING, Status.PENDING, id="two must not run"
        ),
        pytest.param(
            {"until_terminal": True, "workspace": True},
            None,
            Status.RUNNING,
            id="workspace",
        ),
    ],
)
def test_a_started_task_goes_on_where_its_slot_is(
    status: Status,
    event: Event,
    known: dict[str, object],
    claim: Claim | None,
    after: Status,
) -> None:
    task = suspended(status, claim)

    found = step(task, event, facts(**known)).after

    assert found.status is after
    assert (found.paused_from, found.blocked_reason) == (None, None)
    assert found.attempt == (2 if after is Status.RUNNING else 1)
    assert found.claim == claim or after is Status.RUNNING


@pytest.mark.parametrize(("status", "event"), SUSPENDED)
def test_a_workspace_task_does_not_go_on_before_its_session_is_gone(
    status: Status, event: Event
) -> None:
    """It knows no way from paused or blocked back to the queue."""
    task = suspended(status, STOPPING)

    error = refusal(task, event, facts(until_terminal=True, workspace=True))

    assert error.hint == (
        f"its session is still stopping; say `{event} T-001` again then"
    )


def test_a_task_paused_by_hand_goes_back_to_the_queue_and_its_session_stops() -> None:
    by_hand = running(status=Status.PAUSED, paused_from=Status.RUNNING)
    without_origin = a_task(status=Status.PAUSED)

    resumed = step(by_hand, Event.RESUME, facts()).after
    queued = step(without_origin, Event.RESUME, facts()).after

    assert (resumed.status, resumed.is_stopping) == (Status.PENDING, True)
    assert queued.status is Status.PENDING


def test_unblocking_a_dependent_goes_on_without_its_dependency() -> None:
    task = a_task(
        status=Status.BLOCKED, depends_on=("T-009",), blocked_reason="T-009 failed"
    )

    found = step(task, Event.UNBLOCK, facts()).after

    assert found.status is Status.WAITING
    assert found.on_depends_fail is DependencyPolicy.CONTINUE
    assert found.blocked_reason is None


def test_a_blocked_task_says_what_failed() -> None:
    task = a_task(status=Status.WAITING, depends_on=("T-009",))

    found = step(
        task,
        Event.DEPENDENCY_FAILED,
        facts(dependency=DependencyState.FAILED, failed_dependency="T-009"),
    ).after

    assert found.blocked_reason == "Dependency T-009 failed"


def test_a_skipped_dependent_says_what_failed() -> None:
    task = a_task(
        status=Status.WAITING,
        depends_on=("T-009",),
        on_depends_fail=DependencyPolicy.SKIP,
    )

    found = step(task, Event.DEPENDENCY_FAILED, facts(failed_dependency="T-009")).after

    assert found.skipped_reason == "Dependency T-009 failed"
    assert found.failure_reason == "dependency_failed"
    assert found.completed_at == NOW


def test_a_skip_by_a_person_is_not_put_down_to_a_dependency() -> None:
    task = a_task(status=Status.WAITING, depends_on=("T-009",))

    found = step(task, Event.SKIP, facts(failed_dependency="T-009")).after

    assert found.skipped_reason == "skipped by the user"
    assert found.failure_reason == "user_skip"


def test_a_block_without_a_reason_names_what_happened() -> None:
    found = step(
        running(),
        Event.CHECKPOINT_STALE,
        facts(workspace=True, until_terminal=True),
    ).after

    assert found.blocked_reason == "checkpoint stale"


def test_a_stale_checkpoint_blocks_nothing_in_a_model_queue() -> None:
    task = running()

    assert step(task, Event.CHECKPOINT_STALE, facts()).after == task


def test_a_retry_forgets_how_the_task_ended_but_not_its_attempts() -> None:
    task = running(
        status=Status.FAILED,
        claim=None,
        attempt=4,
        retries=3,
        losses=2,
        error_class=ErrorClass.REPORTED,
        error_message="what went wrong",
        failure_reason="max_retries_exceeded",
        completed_at=START,
        checkpoint_path="checkpoints/T-001.json",
        spent={"usd": 0.5},
    )

    found = step(task, Event.RETRY, facts()).after

    assert found == a_task(
        attempt=4, checkpoint_path="checkpoints/T-001.json", spent={"usd": 0.5}
    )
    assert found.next_label == "mq-t-001-a5-00000001"


def test_a_rerun_does_not_continue_from_the_last_checkpoint() -> None:
    task = running(
        status=Status.DONE, claim=None, checkpoint_path="checkpoints/T-001.json"
    )

    found = step(task, Event.RERUN, facts()).after

    assert (found.status, found.checkpoint_path) == (Status.PENDING, None)


def test_retrying_a_skipped_task_with_a_failed_dependency_blocks_it_next_time() -> None:
    task = a_task(
        status=Status.SKIPPED,
        depends_on=("T-009",),
        on_depends_fail=DependencyPolicy.SKIP,
    )

    found = step(task, Event.RETRY, facts(dependency=DependencyState.FAILED)).after

    assert found.status is Status.WAITING
    assert found.on_depends_fail is DependencyPolicy.BLOCK


def test_a_context_that_nobody_hands_over_is_left_alone() -> None:
    task = a_task(status=Status.FAILED, context_input={"note": "by hand"})

    found = step(task, Event.RETRY, facts(context_input=None)).after

    assert found.context_input == {"note": "by hand"}


@pytest.mark.parametrize(
    ("task", "event", "known", "hint"),
    [
        pytest.param(
            a_task("T-002", status=Status.BLOCKED),
            Event.RETRY,
            {"failed_dependency": "T-001"},
            "say `unblock T-002` to go on without it, or `retry T-001`",
            id="blocked by a dependency that failed",
        ),
        pytest.param(
            a_task("T-002", status=Status.BLOCKED),
            Event.RETRY,
            {},
            "say `unblock T-002` to go on without it",
            id="blocked by a dependency",
        ),
        pytest.param(
            suspended(Status.BLOCKED, None),
            Event.RETRY,
            {},
            "say `unblock T-001` to let it go on",
            id="blocked by its agent",
        ),
        pytest.param(
            a_task(status=Status.DONE),
            Event.RETRY,
            {},
            "`rerun T-001` runs it again",
            id="done",
        ),
        pytest.param(
            a_task(status=Status.CANCELLED),
            Event.CANCEL,
            {},
            "`retry T-001` runs it again",
            id="cancelled already",
        ),
        pytest.param(
            a_task(status=Status.FAILED),
            Event.RETRY,
            {"workspace": True},
            "dispatch it again",
            id="workspace",
        ),
        pytest.param(
            a_task(status=Status.PAUSED),
            Event.PAUSE,
            {},
            "say `resume T-001` to let it go on",
            id="paused already",
        ),
        pytest.param(
            a_task(),
            Event.RETRY,
            {},
            "it runs by itself as soon as a slot is free",
            id="pending",
        ),
        pytest.param(
            a_task(status=Status.WAITING),
            Event.RESUME,
            {},
            "it runs by itself once its dependencies are done",
            id="waiting",
        ),
        pytest.param(
            running(),
            Event.RETRY,
            {},
            "it is at work; `cancel T-001` stops it",
            id="running",
        ),
    ],
)
def test_a_refusal_says_what_to_do_instead(
    task: Task, event: Event, known: dict[str, object], hint: str
) -> None:
    assert refusal(task, event, facts(**known)).hint == hint


@pytest.mark.parametrize(
    ("before", "more", "after"),
    [
        pytest.param(None, None, None, id="nothing"),
        pytest.param(None, {"usd": 0.1}, {"usd": 0.1}, id="first"),
        pytest.param({"usd": 0.1}, None, {"usd": 0.1}, id="nothing more"),
        pytest.param({"usd": 0.1}, {"usd": 0.2}, {"usd": 0.3}, id="no rounding error"),
        pytest.param({"tokens": 5}, {"tokens": 7}, {"tokens": 12}, id="whole numbers"),
        pytest.param(
            {"tool_calls": {"bash": 1, "read": 2}},
            {"tool_calls": {"bash": 3, "edit": 1}},
            {"tool_calls": {"bash": 4, "read": 2, "edit": 1}},
            id="by tool",
        ),
        pytest.param({"usd": "?"}, {"usd": 1}, {"usd": 1}, id="not a figure"),
    ],
)
def test_spending_adds_up_over_all_attempts(
    before: JsonObject | None, more: JsonObject | None, after: JsonObject | None
) -> None:
    outcome = failure(ErrorClass.TRANSIENT, spent=more)

    found = step(running(spent=before), Event.FAIL_TRANSIENT, facts(outcome=outcome))

    assert found.after.spent == after


def test_an_outcome_names_the_session_and_the_model_that_ran() -> None:
    outcome = Outcome(
        result_status="success", model="ollama/qwen2.5:7b", session_id="session-9"
    )

    found = step(running(), Event.SUCCEED, facts(outcome=outcome)).after

    assert found.session_model == "ollama/qwen2.5:7b"
    assert found.subagent_session == "session-9"


@pytest.mark.parametrize("status", Status)
@pytest.mark.parametrize("started_at", [None, START])
def test_slots_follow_the_policy(
    status: Status, started_at: dt.datetime | None
) -> None:
    task = a_task(status=status, started_at=started_at)
    is_running = status is Status.RUNNING
    is_kept = started(task) and status in LIVE

    assert holds_slot(task, until_terminal=False) == is_running
    assert holds_slot(task, until_terminal=True) == (is_running or is_kept)


@pytest.mark.parametrize(
    ("fields", "n"),
    [
        ({"status": Status.FAILED, "retries": 0}, 1),
        ({"status": Status.FAILED, "retries": 3}, 4),
        ({"status": Status.FAILED, "retries": 3, "failure_reason": "lost"}, 3),
        ({"status": Status.PENDING, "retries": 2}, 2),
        ({"status": Status.DONE, "retries": 1}, 1),
    ],
)
def test_failed_attempts_are_the_retries_and_the_last_one(
    fields: dict[str, object], n: int
) -> None:
    task = a_task(**fields)  # type: ignore[arg-type] # the test's

    assert failed_attempts(task) == n


def test_the_table_alone_gives_a_task_its_status() -> None:
    """A codec reads a status, a builder of drafts leaves it alone."""
    modules = [path for path in LIB.rglob("*.py") if path.parent.name != "transitions"]

    found = {
        str(path.relative_to(LIB)): statuses_set(path.read_text(encoding="utf-8"))
        for path in modules
    }

    assert {name: lines for name, lines in found.items() if lines} == {}


def statuses_set(source: str) -> list[str]:
    """Return each ``replace(…, status=…)`` and ``….status = …`` of a module."""
    return [
        ast.unparse(node)
        for node in ast.walk(ast.parse(source))
        if (isinstance(node, ast.Call) and is_replaced(node))
        or (isinstance(node, ast.Assign) and any(map(is_status, node.targets)))
    ]


def is_replaced(call: ast.Call) -> bool:
    name = getattr(call.func, "id", None) or getattr(call.func, "attr", None)
    is_set = any(keyword.arg == "status" for keyword in call.keywords)
    return name in {"replace", "__replace__"} and is_set


def is_status(target: ast.expr) -> bool:
    """An error that remembers the status it was refused in assigns to itself."""
    is_named = isinstance(target, ast.Attribute) and target.attr == "status"
    return is_named and ast.unparse(target) != "self.status"


@pytest.mark.parametrize(
    ("source", "is_found"),
    [
        ("replace(task, status=Status.DONE)", True),
        ("dataclasses.replace(task, status=after, retries=0)", True),
        ("task.status = Status.DONE", True),
        ("replace(task, priority=1)", False),
        ("Query(statuses=(Status.DONE,))", False),
        ("Task(status=Status(raw['status']))", False),
        ("status = task.status", False),
    ],
)
def test_the_search_for_assignments_finds_them(source: str, is_found: bool) -> None:
    assert bool(statuses_set(source)) == is_found
