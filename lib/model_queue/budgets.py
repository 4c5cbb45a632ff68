"""Ceilings of time and money: what one attempt may take, what was spent."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from model_queue.model import JsonObject, Task
from model_queue.settings import SourceSettings


def attempt_limit_s(task: Task, source: SourceSettings) -> int:
    """Return the wall clock of one attempt: the lowest of the limits that are set."""
    ceiling = (task.cost_ceiling or {}).get("wall_clock_s")
    limits = [task.timeout_seconds or source.timeout_s]
    if isinstance(ceiling, int | float) and ceiling > 0:
        limits.append(max(1, int(ceiling)))
    return min(limits)


def usd_of(amounts: JsonObject | None) -> float | None:
    """Return the ``usd`` of a ceiling or of what was spent, None when it has none."""
    usd = (amounts or {}).get("usd")
    return float(usd) if isinstance(usd, int | float) else None


def is_over(task: Task, more: JsonObject | None) -> bool:
    """Report whether a task with ``more`` spent has used up its ceiling."""
    ceiling = usd_of(task.cost_ceiling)
    if ceiling is None:
        return False
    return (usd_of(task.spent) or 0.0) + (usd_of(more) or 0.0) >= ceiling


def is_day_spent(
    source: SourceSettings, tasks: Iterable[Task], *, now: dt.datetime
) -> bool:
    """Report whether the tasks started since midnight UTC used up the day's budget."""
    if source.budget_usd_per_day is None:
        return False
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    total = sum(
        usd_of(task.spent) or 0.0
        for task in tasks
        if task.started_at is not None and task.started_at >= midnight
    )
    return total >= source.budget_usd_per_day
