"""Use case: the folders of sessions go when their task has gone to the archive."""

from __future__ import annotations

import datetime as dt
import os

from model_queue import completion
from model_queue.core import Core, find_task
from model_queue.errors import ConflictError, StoreError
from model_queue.labels import attempt_of, task_id_of
from model_queue.launchers.local_sessions import LocalSessions
from model_queue.model import Task
from model_queue.store import Query


def remove_archived(core: Core, *, now: dt.datetime) -> int:
    """Remove the folders of archived tasks' attempts; return how many are gone.

    One that anything may still run in stays, and so does one whose task is not in the
    archive for sure: live, retried, unknown, or one of several with its id. What a
    session had to say and nobody has read is kept as a late result before. What cannot
    be removed is left to the next call.
    """
    sessions = LocalSessions(core.folder.sessions_dir)
    live = {task.id for task in core.store.select(Query())}
    archived: dict[str, Task | None] = {}
    n_removed = 0
    for label in _labels(core.folder.sessions_dir):
        task_id = task_id_of(label)
        if task_id is None or task_id in live:
            continue
        if task_id not in archived:
            archived[task_id] = find_task(core, task_id)
        task = archived[task_id]
        if task is None or attempt_of(task, label) is None:
            continue
        try:
            _keep_unread(core, task, sessions, label=label, now=now)
            n_removed += sessions.remove(label)
        except (StoreError, ConflictError):
            continue
    return n_removed


def _labels(sessions_dir: str) -> list[str]:
    try:
        return sorted(os.listdir(sessions_dir))
    except OSError:
        return []


def _keep_unread(
    core: Core, task: Task, sessions: LocalSessions, *, label: str, now: dt.datetime
) -> None:
    outcome = sessions.find(label).outcome
    if outcome is None or not outcome.result:
        return
    if not core.folder.has_report(task, outcome.result, label=label):
        completion.complete(core, task, outcome, label=label, now=now)
