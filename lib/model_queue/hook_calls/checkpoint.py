"""on-checkpoint: the progress of a session is kept, and it is told whether to go on."""

from __future__ import annotations

import os
from collections.abc import Sequence

from model_queue.completion import Completion, checkpoint, complete
from model_queue.core import Core
from model_queue.errors import HookInputError, TaskNotFound
from model_queue.hook_calls.call import Call, Done
from model_queue.hosts.generic import Payload, answer
from model_queue.labels import latest_label
from model_queue.model import Checkpoint, JsonObject, Outcome, Status, Task, TaskRef
from model_queue.store import Query

UUID_LENGTH = 36


def on_checkpoint(call: Call) -> Done:
    """Store the progress; the directive says go on, pause or stop.

    Takes no notices: what a chat should see is not for a session's shell.
    """
    payload = call.payload
    ref = payload.text("task_id") or os.environ.get("MODEL_QUEUE_TASK", "")
    label = payload.text("label") or os.environ.get("MODEL_QUEUE_LABEL", "")
    progress = Progress(payload)
    payload.check()
    if not ref and not label:
        hint = "Send it, or call the hook inside a session that model-queue started."
        raise HookInputError(problems=["task_id is missing"], hint=hint)
    core = call.open(call.settings())
    first = call.first_answer(core)
    if first is not None:
        return first
    task = _task(core, ref, label)
    label = label or task.label or latest_label(task)
    saved = progress.checkpoint(call, core, task, label)
    kept, directive = checkpoint(core, task, saved, label=label, now=call.now)
    actions: Sequence[JsonObject] = kept.actions
    if progress.blocked and directive != "stop":
        kept = _block(call, core, kept.task, progress.blocked, label)
        directive, actions = "stop", [*actions, *kept.actions]
    told = answer(
        actions=actions, directive=directive, reason=_reason(kept.task, directive)
    )
    return call.done(core, told)


class Progress:
    """What a session says of its progress; what it leaves out keeps its last value."""

    def __init__(self, payload: Payload) -> None:
        self.percent = payload.whole("percent_complete", most=100)
        self.last_action = payload.text("last_action")
        self.next_action = payload.text("next_action")
        self.agent_id = payload.text("agent_id")
        self.blocked = payload.text("blocked_reason")

    def checkpoint(self, call: Call, core: Core, task: Task, label: str) -> Checkpoint:
        """Return the whole checkpoint."""
        last = core.folder.read_checkpoint(task) or Checkpoint(
            task_id=task.id,
            percent_complete=0,
            last_action="",
            next_action="",
            agent_id=label,
            written_at=call.now,
        )
        return Checkpoint(
            task_id=task.id,
            percent_complete=(
                last.percent_complete if self.percent is None else self.percent
            ),
            last_action=self.last_action or last.last_action,
            next_action=self.next_action or last.next_action,
            agent_id=self.agent_id or last.agent_id,
            written_at=call.now,
        )


def _task(core: Core, ref: str, label: str) -> Task:
    """Return the task that a session works on, by id, UUID or label.

    Raises:
        TaskNotFound, TaskRefError: there is none.
    """
    if not ref:
        task = core.store.find(label=label)
    elif len(ref) == UUID_LENGTH:
        tasks = core.store.select(Query())
        task = next((task for task in tasks if task.uuid == ref.lower()), None)
    else:
        task = core.store.get(TaskRef.parse(ref))
    if task is None:
        raise TaskNotFound(ref=ref or label)
    return task


def _block(call: Call, core: Core, task: Task, reason: str, label: str) -> Completion:
    outcome = Outcome(result_status="blocked", error_message=reason)
    return complete(core, task, outcome, label=label, is_gone=False, now=call.now)


def _reason(task: Task, directive: str) -> str:
    """Return why a session must not go on, "" when it may."""
    if directive == "continue":
        return ""
    if directive == "pause":
        return f"{task.id} is paused; end the session, it is resumed from here"
    if task.status is Status.RUNNING:
        return f"another attempt holds {task.id}; end the session"
    return f"{task.id} is {task.status.value}; end the session"
