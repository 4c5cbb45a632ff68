"""What a row does to a task besides its status."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from model_queue.model import (
    Claim,
    DependencyPolicy,
    ErrorClass,
    JsonObject,
    JsonValue,
    Outcome,
    Task,
)
from model_queue.transitions.values import Effect, Event, Facts


def _nothing(task: Task, _facts: Facts, _event: Event) -> Task:
    """Leave the task as it is: the caller carries the effect out."""
    return task


def _stamp_added_at(task: Task, facts: Facts, _event: Event) -> Task:
    return replace(task, added_at=facts.now)


def _set_context(task: Task, facts: Facts, _event: Event) -> Task:
    # A task without dependencies keeps what its writer put there.
    if facts.context_input is None:
        return task
    return replace(task, context_input=facts.context_input)


def _set_blocked_reason(task: Task, facts: Facts, event: Event) -> Task:
    by_parent = event is Event.DEPENDENCY_FAILED
    said = _parent_failed(facts) if by_parent else event.replace("_", " ")
    return replace(task, blocked_reason=facts.reason or said)


def _parent_failed(facts: Facts) -> str:
    """Return the seed's sentence about the dependency that failed."""
    if facts.failed_dependency is None:
        return "A dependency failed"
    return f"Dependency {facts.failed_dependency} failed"


def _set_paused_from(task: Task, _facts: Facts, _event: Event) -> Task:
    return replace(task, paused_from=task.status)


def _clear_suspension(task: Task, _facts: Facts, _event: Event) -> Task:
    return replace(task, paused_from=None, blocked_reason=None)


def _start(task: Task, facts: Facts, _event: Event) -> Task:
    """Begin an attempt: it is written before anything is spawned."""
    return replace(
        task,
        attempt=task.attempt + 1,
        claim=Claim(label=task.next_label, lease_until=facts.now + facts.lease),
        started_at=facts.now,
        not_before=None,
        subagent_session=None,
        session_model=None,
    )


def _set_session(task: Task, facts: Facts, _event: Event) -> Task:
    return replace(task, subagent_session=facts.session_id or task.subagent_session)


def _renew_lease(task: Task, facts: Facts, _event: Event) -> Task:
    lease_until = facts.now + facts.lease
    claim = task.claim and replace(task.claim, lease_until=lease_until)
    return replace(task, claim=claim)


def _save_checkpoint(task: Task, facts: Facts, _event: Event) -> Task:
    return replace(task, checkpoint_path=facts.checkpoint_path or task.checkpoint_path)


def _forget_checkpoint(task: Task, _facts: Facts, _event: Event) -> Task:
    # The last checkpoint of a finished task says that nothing is left to do.
    return replace(task, checkpoint_path=None)


def _store_result(task: Task, facts: Facts, _event: Event) -> Task:
    outcome = facts.outcome
    if outcome is None:
        return replace(task, result_path=facts.result_path)
    return replace(
        task,
        result=outcome.result,
        result_status=outcome.result_status,
        result_summary=outcome.summary,
        result_path=facts.result_path,
    )


def _keep_partial_result(task: Task, facts: Facts, event: Event) -> Task:
    has_result = facts.outcome is not None and facts.outcome.result is not None
    return _store_result(task, facts, event) if has_result else task


_CLASSES: Mapping[Event, ErrorClass] = {
    Event.FAIL_REPORTED: ErrorClass.REPORTED,
    Event.FAIL_TRANSIENT: ErrorClass.TRANSIENT,
    Event.FAIL_TIMEOUT: ErrorClass.TIMEOUT,
    Event.FAIL_INVALID: ErrorClass.INVALID_REPORT,
    Event.FAIL_RATE_LIMITED: ErrorClass.RATE_LIMITED,
    Event.FAIL_QUOTA: ErrorClass.QUOTA,
    Event.FAIL_FATAL: ErrorClass.BAD_REQUEST,
    Event.FAIL_OVER_BUDGET: ErrorClass.OVER_BUDGET,
    Event.LOST: ErrorClass.LOST,
}
"""Class of a failure whose outcome names none."""


def _set_error(task: Task, facts: Facts, event: Event) -> Task:
    outcome = facts.outcome
    return replace(
        task,
        error_class=(outcome.error_class if outcome else None) or _CLASSES[event],
        error_message=(outcome.error_message if outcome else None) or facts.reason,
        result_path=facts.result_path or task.result_path,
    )


def _clear_error(task: Task, _facts: Facts, _event: Event) -> Task:
    return replace(task, error_class=None, error_message=None)


def _add_retry(task: Task, _facts: Facts, _event: Event) -> Task:
    return replace(task, retries=task.retries + 1)


def _take_retry_back(task: Task, _facts: Facts, _event: Event) -> Task:
    return replace(task, retries=task.retries - 1)


def _add_loss(task: Task, _facts: Facts, _event: Event) -> Task:
    return replace(task, losses=task.losses + 1)


def _reset_counters(task: Task, _facts: Facts, _event: Event) -> Task:
    """Forget how the task ended; ``attempt`` stays, so that no label comes twice."""
    return replace(
        task,
        retries=0,
        losses=0,
        error_class=None,
        error_message=None,
        failure_reason=None,
        blocked_reason=None,
        skipped_reason=None,
        result=None,
        result_status=None,
        result_summary=None,
        result_path=None,
        started_at=None,
        completed_at=None,
        not_before=None,
    )


def _back_off(task: Task, facts: Facts, _event: Event) -> Task:
    return replace(task, not_before=facts.now + facts.delay)


def _wait_until(task: Task, facts: Facts, _event: Event) -> Task:
    return replace(task, not_before=facts.until or facts.now + facts.delay)


def _run_now(task: Task, _facts: Facts, _event: Event) -> Task:
    return replace(task, not_before=None)


def _drop_claim(task: Task, _facts: Facts, _event: Event) -> Task:
    return replace(task, claim=None)


def _stop_session(task: Task, facts: Facts, _event: Event) -> Task:
    """Ask the session to end, once; the claim stays until it is seen gone."""
    if task.claim is None or task.is_stopping:
        return task
    return replace(task, claim=replace(task.claim, stopping=facts.now))


def _move_to_fallback(task: Task, facts: Facts, _event: Event) -> Task:
    # Without ``started_at`` it takes no slot there before it is claimed there.
    queue, model = facts.fallback or (task.queue, task.model)
    return replace(task, queue=queue, model=model, started_at=None)


def _policy_to_continue(task: Task, _facts: Facts, _event: Event) -> Task:
    # Else the next pass would block it again.
    return replace(task, on_depends_fail=DependencyPolicy.CONTINUE)


def _policy_skip_to_block(task: Task, _facts: Facts, _event: Event) -> Task:
    # A person who asks for a task must not get "skipped" back.
    if task.on_depends_fail is not DependencyPolicy.SKIP:
        return task
    return replace(task, on_depends_fail=DependencyPolicy.BLOCK)


def _failure(word: str) -> Callable[[Task, Facts, Event], Task]:
    """Return the effect that sets one failure reason, a bare word."""

    def effect(task: Task, _facts: Facts, _event: Event) -> Task:
        return replace(task, failure_reason=word)

    return effect


def _failure_dependency(task: Task, facts: Facts, _event: Event) -> Task:
    return replace(
        task,
        failure_reason="dependency_failed",
        skipped_reason=facts.reason or _parent_failed(facts),
    )


def _failure_user_cancel(task: Task, facts: Facts, _event: Event) -> Task:
    # A host that reports its session as cancelled: a person killed it there.
    by_host = "session cancelled in the host" if facts.outcome else task.error_message
    return replace(
        task,
        failure_reason="user_cancel",
        error_message=facts.reason or by_host,
    )


def _failure_user_skip(task: Task, facts: Facts, _event: Event) -> Task:
    return replace(
        task,
        failure_reason="user_skip",
        skipped_reason=facts.reason or "skipped by the user",
    )


def _set_completed_at(task: Task, facts: Facts, _event: Event) -> Task:
    return replace(task, completed_at=facts.now)


EFFECTS: Mapping[Effect, Callable[[Task, Facts, Event], Task]] = {
    Effect.STAMP_ADDED_AT: _stamp_added_at,
    Effect.SET_CONTEXT: _set_context,
    Effect.SET_BLOCKED_REASON: _set_blocked_reason,
    Effect.SET_PAUSED_FROM: _set_paused_from,
    Effect.CLEAR_SUSPENSION: _clear_suspension,
    Effect.START: _start,
    Effect.SET_SESSION: _set_session,
    Effect.RENEW_LEASE: _renew_lease,
    Effect.SAVE_CHECKPOINT: _save_checkpoint,
    Effect.FORGET_CHECKPOINT: _forget_checkpoint,
    Effect.STORE_RESULT: _store_result,
    Effect.KEEP_PARTIAL_RESULT: _keep_partial_result,
    Effect.SET_ERROR: _set_error,
    Effect.CLEAR_ERROR: _clear_error,
    Effect.ADD_RETRY: _add_retry,
    Effect.TAKE_RETRY_BACK: _take_retry_back,
    Effect.ADD_LOSS: _add_loss,
    Effect.RESET_COUNTERS: _reset_counters,
    Effect.BACK_OFF: _back_off,
    Effect.WAIT_UNTIL: _wait_until,
    Effect.RUN_NOW: _run_now,
    Effect.DROP_CLAIM: _drop_claim,
    Effect.STOP_SESSION: _stop_session,
    Effect.MOVE_TO_FALLBACK: _move_to_fallback,
    Effect.POLICY_TO_CONTINUE: _policy_to_continue,
    Effect.POLICY_SKIP_TO_BLOCK: _policy_skip_to_block,
    Effect.FAILURE_MAX_RETRIES: _failure("max_retries_exceeded"),
    Effect.FAILURE_NOT_RETRYABLE: _failure("not_retryable"),
    Effect.FAILURE_OVER_BUDGET: _failure("over_budget"),
    Effect.FAILURE_LOST: _failure("lost"),
    Effect.FAILURE_DEPENDENCY: _failure_dependency,
    Effect.FAILURE_USER_CANCEL: _failure_user_cancel,
    Effect.FAILURE_USER_SKIP: _failure_user_skip,
    Effect.SET_COMPLETED_AT: _set_completed_at,
    Effect.HOLD_SOURCE: _nothing,
    Effect.DIRECTIVE_CONTINUE: _nothing,
    Effect.DIRECTIVE_PAUSE: _nothing,
    Effect.DIRECTIVE_STOP: _nothing,
    Effect.KEEP_LATE_RESULT: _nothing,
    Effect.MOVE_TO_ARCHIVE: _nothing,
}
"""What each effect makes of a task."""


def with_spending(task: Task, outcome: Outcome | None) -> Task:
    """Return the task with what an outcome says of its session put down."""
    if outcome is None:
        return task
    return replace(
        task,
        spent=_sum(task.spent, outcome.spent),
        session_model=outcome.model or task.session_model,
        subagent_session=outcome.session_id or task.subagent_session,
    )


def _sum(old: JsonObject | None, new: JsonObject | None) -> JsonObject | None:
    """Add two records of spending, figure by figure."""
    if not old or not new:
        return new or old
    total = dict(old)
    for name, figure in new.items():
        total[name] = _added(total.get(name), figure)
    return total


def _added(old: JsonValue, new: JsonValue) -> JsonValue:
    if isinstance(old, dict) and isinstance(new, dict):
        return _sum(old, new)
    if isinstance(old, int) and isinstance(new, int):
        return old + new
    if isinstance(old, int | float) and isinstance(new, int | float):
        # 0.1 + 0.2 is written as 0.3.
        return round(old + new, 9)
    return new
