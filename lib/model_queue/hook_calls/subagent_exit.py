"""on-subagent-exit: how a session ended is stored, and what can start now starts."""

from __future__ import annotations

from model_queue.codec import encode_task
from model_queue.core import Core
from model_queue.errors import TaskNotFound, TaskRefError
from model_queue.guard import is_worker
from model_queue.hearsay import hear
from model_queue.hook_calls.call import Call, Done
from model_queue.hook_calls.passing import run_pass
from model_queue.hosts.generic import Payload, answer
from model_queue.hosts.session_ends import ENDS, outcome_of
from model_queue.labels import latest_label
from model_queue.model import Outcome, Task, TaskRef


def on_subagent_exit(call: Call) -> Done:
    """Store the outcome and run the dispatcher; a session of others is ignored."""
    payload = call.payload
    payload.needs("label", "session_id", "task_id")
    payload.needs("status")
    outcome = outcome_of(payload, payload.word("status", ENDS), now=call.now)
    payload.check()
    settings = call.settings()
    core = call.open(settings)
    first = call.first_answer(core)
    if first is not None:
        return first
    task = _task(core, payload)
    if task is None:
        return call.done(core, answer(task=None, dispatched=[]))
    label = _label(task, payload, outcome)
    heard = hear(core, task, outcome, label=label, is_announced=True, now=call.now)
    tick = run_pass(call, core)
    notices = call.notices(core)
    told = answer(
        "\n\n".join(notice.text for notice in notices),
        notices=notices,
        actions=[*heard.actions, *tick.actions],
        task=encode_task(core.store.get(task.ref)),
        dispatched=[task.id for task in tick.dispatched],
    )
    return call.done(core, told, notices)


def _task(core: Core, payload: Payload) -> Task | None:
    """Return the task of the session that ended, None for a session of others.

    Raises:
        TaskNotFound, TaskRefError: it is named by an id that no task has.
    """
    label, session = payload.text("label"), payload.text("session_id")
    task = core.store.find(label=label) if label else None
    if task is None and session:
        task = core.store.find(session=session)
    ref = payload.text("task_id")
    if task is not None or not ref:
        return task
    try:
        return core.store.get(TaskRef.parse(ref))
    except (TaskNotFound, TaskRefError):
        # A session that we started may start sessions of its own.
        if is_worker():
            return None
        raise


def _label(task: Task, payload: Payload, outcome: Outcome) -> str:
    """Return which attempt ended: the one that is named, else the latest.

    A host may have started an attempt twice against its key. Whichever session does the
    work may report it, but the end of the other one, by its own id, ends no attempt.
    """
    label, session = payload.text("label"), payload.text("session_id")
    is_other = bool(session) and session != task.subagent_session
    if not label:
        return session if is_other else task.label or latest_label(task)
    is_attached = task.subagent_session not in {None, label}
    is_good = outcome.result_status in {"success", "partial"}
    return session if is_other and is_attached and not is_good else label
