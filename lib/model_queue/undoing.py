"""Use case: what a chat did last is taken back, within ten minutes.

Source: SPEC 3 "Control".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from model_queue import codec, messages, trails, transitions
from model_queue.acting import set_priority, step_task
from model_queue.editing import put_back
from model_queue.errors import ModelQueueError
from model_queue.messages import changes
from model_queue.model import JsonObject, JsonValue, Status, Task, TaskRef
from model_queue.orders import Order, Result
from model_queue.store import Batch, Record, Seen
from model_queue.transitions import Event


def undo(order: Order, result: Result) -> None:
    """Take back what the chat did last; say what is, and what cannot be."""
    key = trails.key_of(order.chat or ("", "", ""))
    memory = order.core.store.recall(key, now=order.now) or {}
    effects = memory.get("effects")
    left: list[JsonValue] = list(effects) if isinstance(effects, list) else []
    if not left:
        result.decline(changes.nothing_to_undo(lang=order.lang))
        return
    done, own = Result(), Result()
    while left:
        effect = left.pop()
        # What is left to take back is stored with each step: a crash loses none of it.
        latest = [trails.memory(key, left, now=order.now)]
        if isinstance(effect, dict):
            _take_back(order, effect, latest, done, own)
    # Where a step was refused, nothing was stored with it.
    forgotten = Batch(latest=[trails.memory(key, [], now=order.now)])
    order.core.store.commit(forgotten, now=order.now)
    if done.texts:
        done.texts.insert(0, changes.undone(lang=order.lang))
    result.take(done)
    result.take(own)


def _take_back(
    order: Order,
    effect: JsonObject,
    latest: Sequence[Seen],
    done: Result,
    refused: Result,
) -> None:
    """Take one effect back into ``done``, or say in ``refused`` why it stays."""
    verb = str(effect.get("verb"))
    own = Result()
    try:
        if "queue" in effect:
            _give_hold_back(order, effect, latest, own)
        elif verb in _TAKES_BACK:
            task = order.core.store.get(TaskRef.parse(str(effect.get("ref"))))
            _TAKES_BACK[verb](order.part(str(task.ref)), effect, task, latest, own)
        else:
            own.decline(changes.cannot_undo(verb, lang=order.lang))
    except ModelQueueError as error:
        own.refuse(error, lang=order.lang)
    (refused if own.is_refused else done).take(own)


def _give_hold_back(
    order: Order, effect: JsonObject, latest: Sequence[Seen], own: Result
) -> None:
    """Give a queue the hold that it had, or none."""
    source, hold = str(effect["queue"]), trails.hold_of(effect)
    if hold is not None and hold.until is not None and hold.until <= order.now:
        # A limit that was over, or has ended meanwhile, holds nothing.
        hold = None
    record = Record(ts=order.now, event="queue_undo", queue=source)
    batch = Batch(
        holds={source: hold},
        records=[record],
        seen=order.part(f"queue {source}").seen(""),
        latest=latest,
    )
    order.core.store.commit(batch, now=order.now)
    said = messages.queue_paused if hold else messages.queue_resumed
    own.texts.append(said(source, lang=order.lang))


def _cancel_again(
    order: Order, effect: JsonObject, task: Task, latest: Sequence[Seen], own: Result
) -> None:
    """Take back an added, retried or rerun task; one that was added and runs stays."""
    if task.status.is_terminal:
        own.decline(changes.undo_changed(task, lang=order.lang))
    elif effect["verb"] == "add" and transitions.started(task):
        own.decline(changes.undo_started(task, lang=order.lang))
    else:
        step_task(order, task, Event.CANCEL, "cancel", own, latest=latest)


def _queue_again(
    order: Order, effect: JsonObject, task: Task, latest: Sequence[Seen], own: Result
) -> None:
    """Bring a cancelled or skipped task back, with the counts and the time it had."""
    ended = Status.SKIPPED if effect["verb"] == "skip" else Status.CANCELLED
    if task.status is not ended:
        own.decline(changes.undo_changed(task, lang=order.lang))
        return
    due = effect.get("not_before")

    def as_it_was(after: Task) -> Task:
        return replace(
            after,
            retries=_number(effect, "retries"),
            losses=_number(effect, "losses"),
            not_before=codec.parse_time(due) if isinstance(due, str) else None,
        )

    step_task(order, task, Event.RETRY, "retry", own, latest=latest, amend=as_it_was)
    if effect.get("status") == Status.PAUSED:
        task = own.tasks.pop()
        own.texts.clear()
        step_task(order.part("pause"), task, Event.PAUSE, "pause", own)


def _resume(
    order: Order, effect: JsonObject, task: Task, latest: Sequence[Seen], own: Result
) -> None:
    del effect
    if task.status is not Status.PAUSED:
        own.decline(changes.undo_changed(task, lang=order.lang))
        return
    step_task(order, task, Event.RESUME, "resume", own, latest=latest)


def _pause(
    order: Order, effect: JsonObject, task: Task, latest: Sequence[Seen], own: Result
) -> None:
    del effect
    if task.status.is_terminal:
        own.decline(changes.undo_changed(task, lang=order.lang))
        return
    step_task(order, task, Event.PAUSE, "pause", own, latest=latest)


def _priority_back(
    order: Order, effect: JsonObject, task: Task, latest: Sequence[Seen], own: Result
) -> None:
    if task.priority != effect.get("value"):
        own.decline(changes.undo_changed(task, lang=order.lang))
        return
    set_priority(order, task, _number(effect, "priority"), own, latest=latest)


def _edit_back(
    order: Order, effect: JsonObject, task: Task, latest: Sequence[Seen], own: Result
) -> None:
    before, after = effect.get("before"), effect.get("after")
    if not isinstance(before, dict) or not isinstance(after, dict):
        own.decline(changes.cannot_undo("edit", lang=order.lang))
        return
    put_back(order, task, before=before, after=after, latest=latest, result=own)


def _number(effect: JsonObject, name: str) -> int:
    value = effect.get(name)
    return value if isinstance(value, int) else 0


_TAKES_BACK: dict[
    str, Callable[[Order, JsonObject, Task, Sequence[Seen], Result], None]
] = {
    "add": _cancel_again,
    "retry": _cancel_again,
    "rerun": _cancel_again,
    "cancel": _queue_again,
    "clear": _queue_again,
    "skip": _queue_again,
    "pause": _resume,
    "resume": _pause,
    "priority": _priority_back,
    "edit": _edit_back,
}
"""By the verb that had the effect. What is not here cannot be taken back."""
