"""The command add: one task by flags, where intake reads one from words."""

from __future__ import annotations

import argparse
import functools
import os
from collections.abc import Sequence
from dataclasses import replace

from model_queue import adding, codec, first_run, messages, wiring
from model_queue.commands import checks, wishes
from model_queue.commands.asking import not_from_here
from model_queue.commands.call import (
    Call,
    Command,
    Reply,
    absolute,
    not_configured,
    notice_objects,
    refusal_of,
    refuse_inside_session,
    waiting_notices,
)
from model_queue.commands.steering import CHAT
from model_queue.core import Core
from model_queue.errors import InputError
from model_queue.intake import ParsedTask
from model_queue.model import JsonObject, Task
from model_queue.trails import Trail


def _flags(parser: argparse.ArgumentParser) -> None:
    parser.usage = "%(prog)s TEXT [FLAGS]"
    parser.add_argument(
        "text", nargs="?", metavar="TEXT", help="what to do, or - for stdin"
    )
    wishes.add_flags(parser)
    checks.add_flags(parser)
    parser.add_argument("--cwd", metavar="DIR", help="where its sessions work")
    parser.add_argument(
        "--message-id", default="", metavar="ID", help="taken once per id"
    )


def add(call: Call) -> Reply:
    """Add one task, and let the dispatcher start it.

    Raises:
        InputError: a flag has no usable value.
        ConfigError: no source is configured, or none as asked for.
        StateError: called inside a session.
    """
    refuse_inside_session(call)
    args = call.args
    if args.text is None:
        sentence = "add needs a text, before the flags"
        hint = 'Like: model-queue add "count the files" --depends-on T-003'
        raise InputError(sentence, hint=hint)
    text = wishes.text_of(str(args.text))
    lang = messages.language_of(text)
    settings = call.settings()
    if not settings.sources:
        raise not_configured(lang)
    core = wiring.open_core(call.seen, settings)
    cwd = _folder(call)
    parsed = _parsed(call, core, text)
    amend = _amendment(args, cwd)
    started = first_run.set_up(core, lang=lang, now=call.now, has_timer=bool(args.json))
    stored = adding.add(
        core,
        _message(call, parsed, cwd),
        [parsed],
        trail=Trail(CHAT),
        amend=amend,
        lang=lang,
        now=call.now,
    )
    return _answer(call, core, started, stored, lang=lang)


def _folder(call: Call) -> str:
    cwd = absolute(call.args.cwd)
    if cwd is not None and not os.path.isdir(cwd):
        sentence = f"--cwd is {call.args.cwd!r}, but there is no directory {cwd}"
        raise InputError(sentence)
    return cwd or call.seen.cwd


def _parsed(call: Call, core: Core, text: str) -> ParsedTask:
    """Return what the flags ask for, in the form that intake has for it."""
    args = call.args
    queue, model = wishes.routed(core, args.model, args.source)
    after = wishes.dependencies(core, args.depends_on or ())
    return ParsedTask(
        text=text,
        goal=wishes.text_of(args.goal, name="--goal") if args.goal else None,
        queue=queue,
        model=model,
        depends_on=after,
        on_depends_fail=args.on_fail or "block",
        priority=wishes.priority_of(args.priority) if args.priority else 0,
        not_before=wishes.when(args.at, call) if args.at is not None else None,
        budget_usd=wishes.usd(args.budget) if args.budget is not None else None,
    )


def _amend(
    task: Task,
    *,
    timeout: int | None,
    retries: int | None,
    accept: Sequence[JsonObject],
) -> Task:
    return replace(
        task,
        timeout_seconds=timeout,
        max_retries=task.max_retries if retries is None else retries,
        accept=tuple(accept),
    )


def _amendment(args: argparse.Namespace, cwd: str) -> functools.partial[Task]:
    timeout, retries = args.timeout, args.retries
    return functools.partial(
        _amend,
        timeout=None if timeout is None else wishes.seconds(timeout),
        retries=None if retries is None else wishes.retries(retries),
        accept=checks.read(args, cwd),
    )


def _message(call: Call, parsed: ParsedTask, cwd: str) -> adding.Message:
    """Return the call as a message of its chat, which is taken once.

    Its text holds the flags: the same work on another source is other work.
    """
    args = call.args
    given = {name: value for name, value in vars(args).items() if value}
    for name in ("run", "parser", "text", "json", "queues_dir"):
        given.pop(name, None)
    host, channel, session = CHAT
    return adding.Message(
        text=f"{parsed.text}\n{given}" if given else parsed.text,
        host=host,
        channel=channel,
        session=session,
        message_id=args.message_id,
        cwd=cwd,
        zone=call.zone,
    )


def _answer(
    call: Call,
    core: Core,
    started: first_run.FirstRun,
    stored: adding.Added,
    *,
    lang: str,
) -> Reply:
    done = call.run_pass(core, shows_notices=True)
    notices, seen = waiting_notices(core, call, CHAT, done)
    here = not_from_here(core, stored.tasks, lang=lang)
    texts = [started.text, stored.text, *here, *(notice.text for notice in notices)]

    def said() -> None:
        seen()
        if started.is_first:
            close = first_run.finish if call.args.json else first_run.leave_open
            close(core)

    exit_code, code = refusal_of(None, is_refused=stored.is_refused)
    return Reply(
        text="\n\n".join(text for text in texts if text),
        payload={
            "mode": "intake",
            "tasks": [codec.encode_task(core.store.get(t.ref)) for t in stored.tasks],
            "control": [],
            "notices": [*notice_objects(notices)],
            "actions": [*started.actions, *done.actions],
        },
        exit_code=exit_code,
        code=code,
        after=said,
    )


COMMANDS: Sequence[Command] = (
    Command(
        name="add",
        help="add one task by flags, without reading its text for wishes",
        example='model-queue add "sum up notes.md" --model qwen2.5 --at "tomorrow 9am"',
        run=add,
        flags=_flags,
    ),
)
