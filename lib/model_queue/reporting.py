"""Use case: what a finished task reported, for somebody who asks for it."""

from __future__ import annotations

from model_queue.core import Core
from model_queue.model import Task

CHAT_LIMIT = 4_000
"""Characters of a report that a chat is shown; the whole is in its file."""


def report_of(core: Core, task: Task) -> str | None:
    """Return the full report of a task, else what its record keeps, None without one."""
    full = core.folder.read_result(task.result_path) if task.result_path else None
    return full or task.result or None


def shown_report(core: Core, task: Task) -> str | None:
    """Return what a chat is shown of a report below its summary.

    None where the report says no more than the summary does.
    """
    report = (report_of(core, task) or "").strip()
    if not report or report == (task.result_summary or "").strip():
        return None
    return report if len(report) <= CHAT_LIMIT else report[: CHAT_LIMIT - 1] + "…"
