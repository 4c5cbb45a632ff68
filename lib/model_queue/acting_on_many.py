"""Use case: one command on several tasks; on many at once where no session holds them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from model_queue import trails, transitions
from model_queue.acting import EVENTS, act, facts_of, said
from model_queue.core import record_of, reread
from model_queue.errors import IllegalTransition, ModelQueueError, StaleTask
from model_queue.intake import Command
from model_queue.model import Status, Task
from model_queue.orders import Order, Result
from model_queue.store import Batch, Change

_AT_ONCE = frozenset(("cancel", "clear", "skip", "pause"))
"""Commands whose step with one task decides nothing about another's."""
_FEW = 10
"""Tasks that go one by one, each in a commit of its own."""
_CHUNK = 100
"""Tasks of one commit."""


def act_on_all(
    order: Order, command: Command, tasks: Sequence[Task], result: Result
) -> None:
    """Carry out a command on tasks, and say of each what came of it.

    Each task is stored with its own part of the order's key, so that a call that was cut
    off can come again.
    """
    verb = command.verb if command.verb in EVENTS else command.command
    idle = [task for task in tasks if task.status is not Status.RUNNING]
    if verb not in _AT_ONCE or len(idle) <= _FEW:
        idle = []
    for chunk in _chunks(idle):
        if not _act_at_once(order, verb, chunk, result):
            _act_singly(order, command, chunk, result)
    done = {id(task) for task in idle}
    rest = [task for task in tasks if id(task) not in done]
    _act_singly(order, command, rest, result)


def _chunks(tasks: Sequence[Task]) -> Iterator[Sequence[Task]]:
    for start in range(0, len(tasks), _CHUNK):
        yield tasks[start : start + _CHUNK]


def _act_singly(
    order: Order, command: Command, tasks: Sequence[Task], result: Result
) -> None:
    for task in tasks:
        try:
            act(order.part(str(task.ref)), command, task, result)
        except ModelQueueError as error:
            result.refuse(error, lang=order.lang)


def _act_at_once(
    order: Order, verb: str, tasks: Sequence[Task], result: Result
) -> bool:
    """Take one step with each task in one commit; False when they have to go singly."""
    core, now, event = order.core, order.now, EVENTS[verb]
    parts = [order.part(str(task.ref)) for task in tasks]
    if any(part.first_answer() is not None for part in parts):
        return False
    try:
        steps = [
            transitions.step(task, event, facts_of(core, task, now=now))
            for task in tasks
        ]
    except IllegalTransition:
        return False
    texts = [said(order, verb, step.after) for step in steps]
    effects = [trails.on_task(verb, task) for task in tasks]
    seen = [part.seen(text) for part, text in zip(parts, texts, strict=True)]
    trail = order.trail.with_effect(*effects, now=now) if order.trail else ()
    batch = Batch(
        changes=[Change(before=step.before, after=step.after) for step in steps],
        records=[record_of(step, event, now=now) for step in steps],
        latest=[*trail, *(each for each in seen if each)],
    )
    try:
        core.store.commit(batch, now=now)
    except StaleTask:
        return False
    if order.trail:
        order.trail.add(*effects)
    result.tasks.extend(reread(core, step.after) for step in steps)
    result.texts.extend(texts)
    return True
