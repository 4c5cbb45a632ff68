"""When a row holds. For one status and event exactly one guard does."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from model_queue.model import LOSS_LIMIT, DependencyPolicy, ErrorClass, Status, Task
from model_queue.transitions.slots import started
from model_queue.transitions.values import DependencyState, Facts, Guard

NEVER_RETRIED = frozenset(
    {"info", "resolution", "feature", "enhancement", "idea", "deploy-request"}
)
"""Task types of a workspace queue whose failed attempt is never repeated. SPEC 2.4."""


def _always(_task: Task, _facts: Facts) -> bool:
    return True


def _no_dependency(task: Task, facts: Facts) -> bool:
    return not facts.bad_dependency and not task.depends_on


def _known_dependencies(task: Task, facts: Facts) -> bool:
    return not facts.bad_dependency and bool(task.depends_on)


def _bad_dependency(_task: Task, facts: Facts) -> bool:
    return facts.bad_dependency


def _policy_block(task: Task, _facts: Facts) -> bool:
    return task.on_depends_fail is DependencyPolicy.BLOCK


def _policy_skip(task: Task, _facts: Facts) -> bool:
    return task.on_depends_fail is DependencyPolicy.SKIP


def _policy_continue(task: Task, _facts: Facts) -> bool:
    return task.on_depends_fail is DependencyPolicy.CONTINUE


def _never_started(task: Task, _facts: Facts) -> bool:
    return not started(task)


def _has_started(task: Task, _facts: Facts) -> bool:
    return started(task)


def _over_limit(task: Task, _facts: Facts) -> bool:
    # Only after the limit was lowered while the task was in backoff: it can fail at
    # once, so that this is looked at before due time and slots.
    return task.retries > task.max_retries


def _can_start(task: Task, facts: Facts) -> bool:
    is_due = task.not_before is None or task.not_before <= facts.now
    return facts.may_claim and is_due and task.claim is None


def _claimable(task: Task, facts: Facts) -> bool:
    return not _over_limit(task, facts) and _can_start(task, facts)


def _not_claimable(task: Task, facts: Facts) -> bool:
    return not _over_limit(task, facts) and not _can_start(task, facts)


def _never_retried(task: Task, facts: Facts) -> bool:
    return facts.workspace and task.type in NEVER_RETRIED


def _retry_left(task: Task, facts: Facts) -> bool:
    return not _never_retried(task, facts) and task.retries < task.max_retries


def _retries_spent(task: Task, facts: Facts) -> bool:
    return not _never_retried(task, facts) and task.retries >= task.max_retries


def _first_invalid(task: Task, facts: Facts) -> bool:
    # ``error_class`` is still the one of the failed attempt before this one.
    is_first = task.error_class is not ErrorClass.INVALID_REPORT
    return _retry_left(task, facts) and is_first


def _second_invalid(task: Task, facts: Facts) -> bool:
    return _retry_left(task, facts) and not _first_invalid(task, facts)


def _fallback_open(_task: Task, facts: Facts) -> bool:
    return facts.fallback is not None


def _no_fallback(_task: Task, facts: Facts) -> bool:
    return facts.fallback is None


def _workspace_queue(_task: Task, facts: Facts) -> bool:
    return facts.workspace


def _model_queue(_task: Task, facts: Facts) -> bool:
    return not facts.workspace


def _losses_spent(task: Task, _facts: Facts) -> bool:
    return task.losses + 1 >= LOSS_LIMIT


def _lost_fresh(task: Task, facts: Facts) -> bool:
    can_go_on = facts.workspace and facts.checkpoint_fresh
    return not _losses_spent(task, facts) and can_go_on


def _lost_never_retried(task: Task, facts: Facts) -> bool:
    is_stale = not facts.checkpoint_fresh
    return not _losses_spent(task, facts) and is_stale and _never_retried(task, facts)


def _lost_run_again(task: Task, facts: Facts) -> bool:
    others = (_losses_spent, _lost_fresh, _lost_never_retried)
    return not any(guard(task, facts) for guard in others)


def _from_waiting(task: Task, _facts: Facts) -> bool:
    return task.paused_from is Status.WAITING


def _from_running(task: Task) -> bool:
    return task.paused_from is Status.RUNNING


def _from_pending(task: Task, facts: Facts) -> bool:
    # A task that a person paused by hand in the file says nothing; it queues again.
    return not _from_running(task) and not _from_waiting(task, facts)


def _slot_held(task: Task, facts: Facts) -> bool:
    return facts.until_terminal and not task.is_stopping


def _still_stopping(task: Task, facts: Facts) -> bool:
    # Two sessions must not run, and a workspace task knows no way from paused or
    # blocked back to the queue: it has to be said again.
    return facts.workspace and task.is_stopping


def _slot_released(task: Task, facts: Facts) -> bool:
    return not _slot_held(task, facts) and not _still_stopping(task, facts)


def _from_running_slot_held(task: Task, facts: Facts) -> bool:
    return _from_running(task) and _slot_held(task, facts)


def _from_running_slot_released(task: Task, facts: Facts) -> bool:
    return _from_running(task) and _slot_released(task, facts)


def _from_running_still_stopping(task: Task, facts: Facts) -> bool:
    return _from_running(task) and _still_stopping(task, facts)


def _started_slot_held(task: Task, facts: Facts) -> bool:
    return started(task) and _slot_held(task, facts)


def _started_slot_released(task: Task, facts: Facts) -> bool:
    return started(task) and _slot_released(task, facts)


def _started_still_stopping(task: Task, facts: Facts) -> bool:
    return started(task) and _still_stopping(task, facts)


def _parents_done(_task: Task, facts: Facts) -> bool:
    return not facts.workspace and facts.dependency is DependencyState.DONE


def _parents_not_done(_task: Task, facts: Facts) -> bool:
    return not facts.workspace and facts.dependency is not DependencyState.DONE


def _unneeded(_task: Task, facts: Facts) -> bool:
    return facts.unneeded


def _needed(_task: Task, facts: Facts) -> bool:
    return not facts.unneeded


GUARDS: Mapping[Guard, Callable[[Task, Facts], bool]] = {
    Guard.ALWAYS: _always,
    Guard.NO_DEPENDENCY: _no_dependency,
    Guard.KNOWN_DEPENDENCIES: _known_dependencies,
    Guard.BAD_DEPENDENCY: _bad_dependency,
    Guard.POLICY_BLOCK: _policy_block,
    Guard.POLICY_SKIP: _policy_skip,
    Guard.POLICY_CONTINUE: _policy_continue,
    Guard.NEVER_STARTED: _never_started,
    Guard.HAS_STARTED: _has_started,
    Guard.CLAIMABLE: _claimable,
    Guard.NOT_CLAIMABLE: _not_claimable,
    Guard.OVER_LIMIT: _over_limit,
    Guard.RETRY_LEFT: _retry_left,
    Guard.RETRY_LEFT_FIRST_INVALID: _first_invalid,
    Guard.RETRY_LEFT_SECOND_INVALID: _second_invalid,
    Guard.RETRIES_SPENT: _retries_spent,
    Guard.NEVER_RETRIED: _never_retried,
    Guard.FALLBACK_OPEN: _fallback_open,
    Guard.NO_FALLBACK: _no_fallback,
    Guard.CHECKPOINTS_REQUIRED: _workspace_queue,
    Guard.CHECKPOINTS_NOT_REQUIRED: _model_queue,
    Guard.LOSSES_SPENT: _losses_spent,
    Guard.LOSSES_LEFT_RUN_AGAIN: _lost_run_again,
    Guard.LOSSES_LEFT_CHECKPOINT_FRESH: _lost_fresh,
    Guard.LOSSES_LEFT_NEVER_RETRIED: _lost_never_retried,
    Guard.FROM_PENDING: _from_pending,
    Guard.FROM_WAITING: _from_waiting,
    Guard.FROM_RUNNING_SLOT_HELD: _from_running_slot_held,
    Guard.FROM_RUNNING_SLOT_RELEASED: _from_running_slot_released,
    Guard.FROM_RUNNING_STILL_STOPPING: _from_running_still_stopping,
    Guard.STARTED_SLOT_HELD: _started_slot_held,
    Guard.STARTED_SLOT_RELEASED: _started_slot_released,
    Guard.STARTED_STILL_STOPPING: _started_still_stopping,
    Guard.WORKSPACE_QUEUE: _workspace_queue,
    Guard.PARENTS_DONE: _parents_done,
    Guard.PARENTS_NOT_DONE: _parents_not_done,
    Guard.OLD_AND_UNNEEDED: _unneeded,
    Guard.YOUNG_OR_NEEDED: _needed,
}
"""What each guard reads. Sessions of another attempt never come this far."""
