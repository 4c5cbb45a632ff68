"""Use case: the text, model, source and other wishes of a task that does not run.

Source: SPEC 10.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from model_queue import codec, dependencies, trails, transitions
from model_queue.core import TRIES, parents_of, reread
from model_queue.errors import IllegalTransition, StaleTask
from model_queue.messages import changes
from model_queue.model import JsonObject, JsonValue, Status, Task
from model_queue.orders import Order, Result
from model_queue.store import Batch, Change, Record, Seen
from model_queue.transitions import Event, Facts, started

FIELDS = (
    "description",
    "queue",
    "model",
    "priority",
    "not_before",
    "goal",
    "cost_ceiling",
    "depends_on",
    "on_depends_fail",
    "timeout_seconds",
    "maxRetries",
)
"""The wire names that an edit may set, in the order in which it is told."""


def edit(
    order: Order, task: Task, wanted: Mapping[str, JsonValue], result: Result
) -> None:
    """Set fields of a task, and say what they were.

    ``wanted`` has the new values by wire name; None takes one away. A ``queue`` and a
    ``model`` fit together; ``depends_on`` names tasks that there are.

    Raises:
        IllegalTransition: it runs, has ended, or its session is still being stopped.
    """
    for _ in range(TRIES):
        _refuse_unless_open(task, lang=order.lang)
        before = _values_of(task, wanted)
        changed = {
            name: value for name, value in wanted.items() if before[name] != value
        }
        if not changed:
            result.texts.append(changes.edited(task, {}, {}, lang=order.lang))
            result.tasks.append(task)
            return
        why_not = _why_not(order, task, changed)
        if why_not:
            result.decline(why_not)
            return
        old = {name: before[name] for name in changed}
        effect = trails.on_edit(_with(task, changed), old, changed)
        latest = order.trail.with_effect(effect, now=order.now) if order.trail else ()
        if _store(order, task, changed, latest, result, was=old):
            if order.trail:
                order.trail.add(effect)
            return
        task = reread(order.core, task)
    raise StaleTask(ref=str(task.ref))


def put_back(
    order: Order,
    task: Task,
    *,
    before: JsonObject,
    after: JsonObject,
    latest: Sequence[Seen],
    result: Result,
) -> None:
    """Give a task the values that it had before an edit, unless they changed since.

    Raises:
        IllegalTransition: it runs or has ended by now.
    """
    _refuse_unless_open(task, lang=order.lang)
    is_late = "depends_on" in before and started(task)
    if is_late or _values_of(task, after) != after:
        result.decline(changes.undo_changed(task, lang=order.lang))
        return
    if not _store(order, task, before, latest, result, was=after):
        result.decline(changes.undo_changed(task, lang=order.lang))


def _store(
    order: Order,
    task: Task,
    values: Mapping[str, JsonValue],
    latest: Sequence[Seen],
    result: Result,
    *,
    was: Mapping[str, JsonValue],
) -> bool:
    """Store the task with new values; report whether it was as it is told here."""
    after = _with(task, values)
    text = changes.edited(after, was, values, lang=order.lang)
    record = Record(
        ts=order.now,
        event="edit",
        task_id=task.id,
        queue=after.queue,
        detail=", ".join(name for name in FIELDS if name in values),
    )
    batch = Batch(
        changes=[Change(before=task, after=after)],
        records=[record],
        seen=order.seen(text),
        latest=latest,
    )
    try:
        order.core.store.commit(batch, now=order.now)
    except StaleTask:
        return False
    result.tasks.append(order.core.store.get(after.ref))
    result.texts.append(text)
    return True


def _refuse_unless_open(task: Task, *, lang: str) -> None:
    is_open = not task.status.is_terminal and task.status is not Status.RUNNING
    if not is_open or task.claim is not None:
        hint = changes.hint_for_edit(task, lang=lang)
        raise IllegalTransition(
            ref=task.id, status=task.status.value, event="edit", hint=hint
        )


def _values_of(task: Task, names: Mapping[str, JsonValue]) -> JsonObject:
    wire = codec.encode_task(task)
    return {name: wire.get(name) for name in names}


def _with(task: Task, values: Mapping[str, JsonValue]) -> Task:
    wire = {**codec.encode_task(task), **values}
    # A field of ours that is null is one that is not set.
    kept = {k: v for k, v in wire.items() if v is not None or k in task.extra}
    after = codec.decode_task(kept, str(wire["queue"]))
    is_held_up = task.status is Status.BLOCKED and not started(task)
    is_settled_anew = is_held_up and "on_depends_fail" in values
    return _anew(after) if "depends_on" in values or is_settled_anew else after


def _anew(task: Task) -> Task:
    """Return a task, not started yet, that has its dependencies before it again."""
    if task.status is Status.PAUSED:
        # Where it goes when it is resumed; one without dependencies goes on at once.
        return replace(task, paused_from=Status.WAITING, context_input=None)
    draft = replace(task, id="", context_input=None, blocked_reason=None)
    facts = Facts(now=task.added_at)
    return replace(transitions.step(draft, Event.SUBMIT, facts).after, id=task.id)


def _why_not(order: Order, task: Task, changed: Mapping[str, JsonValue]) -> str:
    """Say why the task cannot get its new dependencies, "" when it can."""
    if "depends_on" not in changed:
        return ""
    if started(task):
        return changes.edit_started(task, lang=order.lang)
    circle = _circle(order, _with(task, changed))
    return changes.edit_circle(circle, lang=order.lang) if circle else ""


def _circle(order: Order, task: Task) -> Sequence[str]:
    """Return the ids on a way from a task over its dependencies back to it, or none."""
    lookup = parents_of(order.core)
    paths: list[tuple[Task, tuple[str, ...]]] = [(task, (task.id,))]
    seen: set[str] = set()
    while paths:
        here, path = paths.pop()
        for ref in here.depends_on:
            parent = dependencies.parent_of(here, ref, lookup)
            if parent is None or str(parent.ref) in seen:
                continue
            if parent.id == task.id and parent.uuid == task.uuid:
                return (*path, task.id)
            seen.add(str(parent.ref))
            if dependencies.still_waits(parent):
                paths.append((parent, (*path, parent.id)))
    return ()
