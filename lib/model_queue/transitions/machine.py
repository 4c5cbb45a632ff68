"""Find the one row that applies, and take the step. The only place that moves a status."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from model_queue.errors import IllegalTransition
from model_queue.model import Status, Task
from model_queue.transitions.effects import EFFECTS, with_spending
from model_queue.transitions.guards import GUARDS
from model_queue.transitions.slots import started
from model_queue.transitions.table import LATE, TABLE, Row
from model_queue.transitions.values import Effect, Event, Facts, Step

_WHILE_PAUSED = frozenset({Event.ATTACH, Event.RENEW, Event.CHECKPOINT})
"""What the paused session may still say; its result is late even then."""


def step(task: Task, event: Event, facts: Facts) -> Step:
    """Return the task after the event.

    A late event returns the same task and ``is_late``. A draft (no id yet) takes
    ``submit`` only.

    Raises:
        IllegalTransition: the table has no row, or the row refuses. The hint says what
            a person can do instead.
    """
    if _is_late(task, event, facts):
        effect = LATE.get(event, Effect.KEEP_LATE_RESULT)
        return Step(
            before=task,
            after=task,
            notice=None,
            effects=frozenset({effect.value}),
            is_late=True,
        )
    row, status = _row_of(task, event, facts)
    after = with_spending(task, facts.outcome)
    for effect in row.effects:
        after = EFFECTS[effect](after, facts, event)
    return Step(
        before=task,
        after=replace(after, status=status),
        notice=row.notice,
        effects=frozenset(effect.value for effect in row.effects),
    )


def _is_late(task: Task, event: Event, facts: Facts) -> bool:
    is_from_session = event in LATE or facts.outcome is not None
    return bool(task.id) and is_from_session and not _holds(task, event, facts.label)


def _holds(task: Task, event: Event, label: str | None) -> bool:
    """Report whether the attempt ``label`` may still say this about the task."""
    if task.claim is None or task.claim.label != label:
        return False
    if task.status is Status.RUNNING:
        return not task.is_stopping
    is_suspended = task.status is Status.PAUSED and task.paused_from is Status.RUNNING
    return is_suspended and event in _WHILE_PAUSED


def _by_cell() -> Mapping[tuple[Status | None, Event], tuple[Row, ...]]:
    cells: dict[tuple[Status | None, Event], tuple[Row, ...]] = {}
    for row in TABLE:
        cell = (row.before, row.event)
        cells[cell] = (*cells.get(cell, ()), row)
    return cells


_CELLS = _by_cell()


def _row_of(task: Task, event: Event, facts: Facts) -> tuple[Row, Status]:
    """Return the row that applies and its status after."""
    before = task.status if task.id else None
    for row in _CELLS.get((before, event), ()):
        if row.after is not None and GUARDS[row.guard](task, facts):
            return row, row.after
    raise IllegalTransition(
        ref=task.id or "the new task",
        status=before or "not added",
        event=event,
        hint=_hint(task, event, facts),
    )


_HINTS: Mapping[Status, str] = {
    Status.PENDING: "it runs by itself as soon as a slot is free",
    Status.WAITING: "it runs by itself once its dependencies are done",
    Status.RUNNING: "it is at work; `cancel {id}` stops it",
    Status.PAUSED: "say `resume {id}` to let it go on",
    Status.BLOCKED: "say `unblock {id}` to let it go on",
    Status.DONE: "`rerun {id}` runs it again",
    Status.FAILED: "`retry {id}` runs it again",
    Status.SKIPPED: "`retry {id}` runs it again",
    Status.CANCELLED: "`retry {id}` runs it again",
}


_STOPPING_ONLY = {(Status.PAUSED, Event.RESUME), (Status.BLOCKED, Event.UNBLOCK)}
"""What is refused for one reason only: the session is still stopping."""


def _hint(task: Task, event: Event, facts: Facts) -> str:
    """Say what a person can do instead; "" for a draft."""
    if not task.id:
        return ""
    if facts.workspace and task.status.is_terminal:
        return "dispatch it again"
    if (task.status, event) in _STOPPING_ONLY:
        return f"its session is still stopping; say `{event} {task.id}` again then"
    if task.status is Status.BLOCKED and not started(task):
        return _hint_for_dependent(task, facts.failed_dependency)
    return _HINTS[task.status].format(id=task.id)


def _hint_for_dependent(task: Task, parent: str | None) -> str:
    hint = f"say `unblock {task.id}` to go on without it"
    return f"{hint}, or `retry {parent}`" if parent else hint
