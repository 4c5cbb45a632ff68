"""What a task holds: a slot, a session, attempts behind it."""

from __future__ import annotations

from dataclasses import replace

from model_queue.model import Status, Task


def started(task: Task) -> bool:
    """Report whether an attempt was begun since the task was added or retried."""
    return task.started_at is not None


def holds_slot(task: Task, *, until_terminal: bool) -> bool:
    """Report whether the task takes one of its queue's slots.

    Counted, never stored. A session that was told to stop keeps the slot in every
    status, until it is seen gone. ``until_terminal`` is the queue's slot policy: held
    from the first start to the end, instead of only while running.
    """
    if task.is_stopping or task.status is Status.RUNNING:
        return True
    return until_terminal and started(task) and not task.status.is_terminal


def session_gone(task: Task) -> Task:
    """Return the task after its stopped session was seen gone: the slot is free.

    A task whose claim is not stopping is returned as it is.
    """
    return replace(task, claim=None) if task.is_stopping else task


def failed_attempts(task: Task) -> int:
    """Return the N of "failed after N attempts".

    Attempts that vanished or met a limit are not among them.
    """
    last_one_failed = task.status is Status.FAILED and task.failure_reason != "lost"
    return task.retries + 1 if last_one_failed else task.retries
