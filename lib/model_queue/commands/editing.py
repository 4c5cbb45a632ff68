"""The command edit: another text, model, source or wish for a task that does not run."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from model_queue import editing
from model_queue.commands import wishes
from model_queue.commands.call import Call, Command, Reply, one_task
from model_queue.commands.steering import CHAT, answer
from model_queue.core import Core
from model_queue.errors import InputError
from model_queue.model import JsonObject, JsonValue, Task
from model_queue.orders import Order, Result
from model_queue.trails import Trail

_FLAGS = (
    *("text", "model", "source", "priority", "at", "goal", "budget"),
    *("depends_on", "on_fail", "timeout", "retries"),
)


def _flags(parser: argparse.ArgumentParser) -> None:
    parser.usage = "%(prog)s TASK [FLAGS]"
    one_task(parser)
    parser.add_argument("--text", metavar="TEXT", help="what to do, or - for stdin")
    wishes.add_flags(parser)


def edit(call: Call) -> Reply:
    """Change a task that does not run, and say what it was.

    Raises:
        InputError: no flag is given, or one has no usable value.
        IllegalTransition: the task runs or has ended.
    """
    if all(getattr(call.args, name) is None for name in _FLAGS):
        sentence = "edit needs a flag that says what to change"
        raise InputError(sentence, hint=f"Like: {COMMANDS[0].example}")
    core = call.open()
    task = call.find(core)
    wanted = _wanted(call, core, task)
    order = Order(
        core=core,
        now=call.now,
        lang=call.lang,
        chat=CHAT,
        trail=Trail(CHAT),
        zone=call.zone,
    )
    result = Result()
    editing.edit(order, task, wanted, result)
    return answer(call, core, result)


def _wanted(call: Call, core: Core, task: Task) -> JsonObject:
    """Return the new values by wire name; None for one that is taken away."""
    args = call.args
    wanted: JsonObject = {}
    if args.text is not None:
        wanted["description"] = wishes.text_of(args.text, name="--text")
    if args.model is not None or args.source is not None:
        wanted["queue"], wanted["model"] = _route(call, core, task)
    if args.priority is not None:
        wanted["priority"] = wishes.priority_of(args.priority)
    if args.at is not None:
        wanted["not_before"] = _due(call)
    if args.goal is not None:
        is_none = wishes.is_none(args.goal)
        wanted["goal"] = None if is_none else wishes.text_of(args.goal, name="--goal")
    if args.budget is not None:
        wanted["cost_ceiling"] = _ceiling(task, args.budget)
    return {**wanted, **_limits(call, core, task)}


def _limits(call: Call, core: Core, task: Task) -> JsonObject:
    args = call.args
    wanted: JsonObject = {}
    if args.depends_on is not None:
        wanted["depends_on"] = _dependencies(core, args.depends_on)
    if args.on_fail is not None:
        wanted["on_depends_fail"] = args.on_fail
    if args.timeout is not None:
        is_none = wishes.is_none(args.timeout)
        wanted["timeout_seconds"] = None if is_none else wishes.seconds(args.timeout)
    if args.retries is not None:
        n_retries = wishes.retries(args.retries)
        if n_retries < task.retries:
            sentence = (
                f"--retries is {args.retries!r}, but {task.id} has used {task.retries}"
            )
            raise InputError(sentence)
        wanted["maxRetries"] = n_retries
    return wanted


def _route(call: Call, core: Core, task: Task) -> tuple[str, str]:
    """Return queue and model: the model stays where the new source has it too."""
    args = call.args
    queue, model = wishes.routed(core, args.model, args.source, likely=task.queue)
    models = core.source(queue).models
    if model is None:
        model = task.model if task.model in models else models[0]
    return queue, model


def _due(call: Call) -> str | None:
    words = call.args.at
    if wishes.is_none(words):
        return None
    return wishes.due(wishes.when(words, call))


def _ceiling(task: Task, words: str) -> JsonValue:
    """Return the task's limits with another one in US dollars."""
    others = {k: v for k, v in (task.cost_ceiling or {}).items() if k != "usd"}
    if wishes.is_none(words):
        return others or None
    return {"usd": wishes.usd(words), **others}


def _dependencies(core: Core, words: Sequence[str]) -> JsonValue:
    """Return what a task shall wait for in the wire form. Source: SPEC 2.1."""
    refs = () if wishes.is_none(words) else wishes.dependencies(core, words)
    if len(refs) == 1:
        return refs[0]
    return [*refs] or None


COMMANDS: Sequence[Command] = (
    Command(
        name="edit",
        help="change text, model, source or wishes of a task that does not run",
        example='model-queue edit T-003 --model qwen2.5 --at "tomorrow 9am"',
        run=edit,
        flags=_flags,
    ),
)
