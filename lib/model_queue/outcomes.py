"""What the end of an attempt amounts to, after the rules that hold whatever it says."""

from __future__ import annotations

from dataclasses import replace

from model_queue import acceptance, budgets
from model_queue.core import Core
from model_queue.model import ErrorClass, Outcome, Task
from model_queue.transitions import Event

_EVENTS = {
    ErrorClass.REPORTED: Event.FAIL_REPORTED,
    ErrorClass.TRANSIENT: Event.FAIL_TRANSIENT,
    ErrorClass.RATE_LIMITED: Event.FAIL_RATE_LIMITED,
    ErrorClass.QUOTA: Event.FAIL_QUOTA,
    ErrorClass.AUTH: Event.FAIL_FATAL,
    ErrorClass.MODEL_NOT_FOUND: Event.FAIL_FATAL,
    ErrorClass.BAD_REQUEST: Event.FAIL_FATAL,
    ErrorClass.TIMEOUT: Event.FAIL_TIMEOUT,
    ErrorClass.OVER_BUDGET: Event.FAIL_OVER_BUDGET,
    ErrorClass.LOST: Event.LOST,
    ErrorClass.INVALID_REPORT: Event.FAIL_INVALID,
}


def event_of(outcome: Outcome) -> Event:
    """Return the event that an outcome amounts to."""
    match outcome.result_status:
        case "success" | "partial":
            return Event.SUCCEED
        case "blocked":
            return Event.AGENT_BLOCKED
        case "cancelled":
            return Event.CANCEL
        case "lost":
            return Event.LOST
        case _:
            return _EVENTS[outcome.error_class or ErrorClass.REPORTED]


def checked(core: Core, task: Task, outcome: Outcome) -> Outcome:
    """Return the outcome after the rules that apply whatever the session says."""
    if outcome.result_status in {"success", "partial"}:
        source = core.settings.sources.get(task.queue)
        if source and source.strict_model and is_other_model(core, task, outcome):
            return replace(
                outcome,
                result_status="failed",
                error_class=ErrorClass.REPORTED,
                error_message=f"{outcome.model} ran instead of {task.model}",
            )
        return _accepted(task, outcome)
    if outcome.result_status == "failed" and budgets.is_over(task, outcome.spent):
        return replace(
            outcome,
            error_class=ErrorClass.OVER_BUDGET,
            error_message=f"the budget of ${budgets.usd_of(task.cost_ceiling):.2f} is used up",
        )
    return outcome


def _accepted(task: Task, outcome: Outcome) -> Outcome:
    """Return the outcome after the task's own accept checks."""
    if not task.accept:
        return outcome
    missing = acceptance.failed_checks(task, outcome.result or "")
    if not missing:
        return outcome
    return replace(
        outcome,
        result_status="failed",
        error_class=ErrorClass.REPORTED,
        error_message="; ".join(missing),
    )


def is_other_model(core: Core, task: Task, outcome: Outcome) -> bool:
    """Report whether another model ran than the one asked for.

    Compared without provider and ``:latest``; unknown counts as the right one.
    """
    if not outcome.model:
        return False
    source = core.settings.sources.get(task.queue)
    wanted = {task.model}
    if source is not None:
        wanted.add(source.runtime_model(task.model))
    return bare_name(outcome.model) not in {bare_name(name) for name in wanted}


def bare_name(model: str) -> str:
    """Return what two names of one model have in common: no provider, no ``:latest``."""
    return model.rpartition("/")[2].removesuffix(":latest").casefold()
