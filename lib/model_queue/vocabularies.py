"""The words that other systems have for a task's status, read off the task.

Nothing of it is stored: the seven states of the workspace queue and the PEWS words are
functions of the task. Source: SPEC 2.2.
"""

from __future__ import annotations

from collections.abc import Mapping

from model_queue.model import Status, Task
from model_queue.transitions import started

_PEWS: Mapping[str, str] = {
    "claimed": "pending",
    "active": "open",
    "blocked": "blocked",
    "done": "done",
    "cancelled": "failed",
}


def workspace_word(task: Task) -> str:
    """Return the workspace queue's state of a task.

    One of ``claimed``, ``active``, ``paused``, ``blocked``, ``done``, ``retry`` and
    ``cancelled``. A task paused while it queued keeps the word it had, and one blocked
    before its first start is ``claimed``.
    """
    match task.status:
        case Status.RUNNING:
            return "active"
        case Status.PAUSED if task.paused_from is Status.RUNNING:
            return "paused"
        case Status.PENDING | Status.WAITING | Status.PAUSED:
            return "retry" if started(task) else "claimed"
        case Status.BLOCKED:
            return "blocked" if started(task) else "claimed"
        case Status.DONE:
            return "done"
        case _:
            return "cancelled"


def pews_word(task: Task) -> str | None:
    """Return the PEWS status of a task, None where PEWS has no word for it."""
    return _PEWS.get(workspace_word(task))
