"""Use case: one command on one task.

Source: seed 003 "Task Control", transitions.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import replace

from model_queue import dependencies, messages, trails, transitions
from model_queue.asked import Question
from model_queue.core import (
    Core,
    Extras,
    move,
    parents_of,
    reread,
    stop_actions,
)
from model_queue.dispatch import begin
from model_queue.errors import StaleTask
from model_queue.intake import Command
from model_queue.model import JsonObject, Status, Task
from model_queue.orders import Order, Result
from model_queue.store import Batch, Change, Query, Record, Seen
from model_queue.transitions import DependencyState, Event, Facts, Step

EVENTS = {
    "cancel": Event.CANCEL,
    "clear": Event.CANCEL,
    "skip": Event.SKIP,
    "retry": Event.RETRY,
    "rerun": Event.RERUN,
    "pause": Event.PAUSE,
    "resume": Event.RESUME,
    "unblock": Event.UNBLOCK,
}


def act(order: Order, command: Command, task: Task, result: Result) -> None:
    """Carry out a command on a task, and say what came of it.

    Under a key it is done once: the key is stored in the commit of the change itself.

    Raises:
        IllegalTransition: the task's status does not allow it; the hint says what does.
    """
    first = order.first_answer()
    if first is not None:
        result.repeat(first)
        return
    if command.command == "priority":
        value = command.value or 0
        effect = trails.on_priority(task, value)
        set_priority(order, task, value, result, latest=_with(order, effect))
        _note(order, effect)
        return
    verb = command.verb if command.verb in EVENTS else command.command
    if verb == "retry" and task.status is Status.DONE:
        again = Command(command="retry", ids=(str(task.ref),), verb="rerun")
        text = messages.ask_rerun(task, lang=order.lang)
        result.ask(Question(kind="yes", text=text, lang=order.lang, command=again))
        return
    event = EVENTS[verb]
    if verb == "rerun" and task.status is not Status.DONE:
        event = Event.RETRY
    effect = trails.on_task(verb, task)
    step_task(order, task, event, verb, result, latest=_with(order, effect))
    _note(order, effect)


def _with(order: Order, effect: JsonObject) -> Sequence[Seen]:
    return order.trail.with_effect(effect, now=order.now) if order.trail else ()


def _note(order: Order, effect: JsonObject) -> None:
    if order.trail:
        order.trail.add(effect)


def step_task(
    order: Order,
    task: Task,
    event: Event,
    verb: str,
    result: Result,
    *,
    latest: Sequence[Seen] = (),
    amend: Callable[[Task], Task] | None = None,
) -> None:
    """Take one step with a task, and say it in the words of a verb.

    ``latest`` is stored with it; ``amend`` as ``core.move`` has it.

    Raises:
        IllegalTransition: the task's status does not allow it.
    """
    core, now = order.core, order.now
    if event in {Event.RETRY, Event.RERUN}:
        # Refused before anything is touched: the old report stays where it is then.
        transitions.step(task, event, facts_of(core, task, now=now))
        core.folder.keep_old_result(task)

    def extras(step: Step) -> Extras:
        # Without a key nobody reads it, and it looks at every task.
        text = said(order, verb, step.after) if order.key else ""
        return Extras(seen=order.seen(text), latest=latest)

    def facts(current: Task) -> Facts:
        return facts_of(core, current, now=now)

    step = move(core, task, event, facts, now=now, extras_of=extras, amend=amend)
    result.actions.extend(stop_actions(core, step))
    if step.after.status is Status.RUNNING and step.after.label != step.before.label:
        result.actions.extend(begin(core, step.after, now=now))
    result.tasks.append(reread(core, step.after))
    result.texts.append(said(order, verb, step.after))


def facts_of(core: Core, task: Task, *, now: dt.datetime) -> Facts:
    """Return what a command's step with a task needs to know."""
    lookup = parents_of(core)
    verdict = dependencies.state_of(task, lookup)
    is_done = verdict.state is DependencyState.DONE
    roots = dependencies.roots_of([task], lookup) if verdict.failed else []
    source = core.settings.sources.get(task.queue)
    return Facts(
        now=now,
        label=task.label,
        lease=dt.timedelta(seconds=source.lease_s if source else 120),
        until_terminal=core.slot_policy(task.queue),
        dependency=verdict.state,
        # For the hint of a refusal: what a retry would set the task free by.
        failed_dependency=next((root.id for root in roots if root != task), None),
        context_input=dependencies.context_of(task, lookup, now) if is_done else None,
    )


def set_priority(
    order: Order,
    task: Task,
    value: int,
    result: Result,
    *,
    latest: Sequence[Seen] = (),
) -> None:
    """Give a task a priority, and say so; ``latest`` is stored with it."""
    store = order.core.store
    while True:
        change = Change(before=task, after=replace(task, priority=value))
        text = messages.priority_set(change.after, lang=order.lang)
        record = Record(
            ts=order.now,
            event="priority",
            task_id=task.id,
            queue=task.queue,
            detail=str(value),
        )
        batch = Batch(
            changes=[change],
            records=[record],
            seen=order.seen(text),
            latest=latest,
        )
        try:
            store.commit(batch, now=order.now)
        except StaleTask:
            task = reread(order.core, task)
            continue
        result.tasks.append(reread(order.core, task))
        result.texts.append(text)
        return


def said(order: Order, verb: str, task: Task) -> str:
    """Return what a person is told of a task that a command has moved."""
    core, lang = order.core, order.lang
    texts: dict[str, Callable[..., str]] = {
        "cancel": messages.cancelled,
        "clear": messages.cancelled,
        "skip": messages.skipped,
        "pause": messages.paused,
        "resume": messages.resumed,
        "unblock": messages.unblocked,
    }
    if verb in texts:
        return texts[verb](task, lang=lang)
    lookup = parents_of(core)
    verdict = dependencies.state_of(task, lookup)
    waiting_on = list(verdict.open)
    if verdict.failed is not None:
        parent = dependencies.parent_of(task, verdict.failed, lookup)
        status = parent.status if parent else None
        waiting_on.insert(0, messages.in_state(verdict.failed, status, lang=lang))
    skipped = [
        other.id
        for other in core.store.select(Query(statuses=(Status.SKIPPED,)))
        if dependencies.depends_on(other, task, lookup)
    ]
    return messages.requeued(
        task, waiting_on=waiting_on, still_skipped=skipped, lang=lang
    )
