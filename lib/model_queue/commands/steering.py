"""Commands that move tasks on, each as its word does in chat; undo, archive, tick."""

from __future__ import annotations

import argparse
import functools
from collections.abc import Callable, Sequence

from model_queue import (
    archiving,
    codec,
    control,
    dispatch,
    first_run,
    messages,
    planning,
)
from model_queue.commands import targets
from model_queue.commands.call import (
    HOST,
    Call,
    Command,
    Reply,
    no_flags,
    notice_objects,
    refusal_of,
    refuse_inside_session,
    waiting_notices,
)
from model_queue.commands.wishes import priority_of
from model_queue.core import Core, Troubles
from model_queue.errors import InputError
from model_queue.intake import Command as ChatCommand
from model_queue.messages import steering as said
from model_queue.model import JsonObject
from model_queue.orders import Result
from model_queue.trails import Trail
from model_queue.watching import SILENT, watch

CHAT = (HOST, "", "")
"""The chat of the command line, whose last command ``undo`` takes back."""
MOST_DAYS = 36_500


def _acting(verb: str) -> Callable[[Call], Reply]:
    """Return the command that does what the word does in chat."""

    def run(call: Call) -> Reply:
        core = call.open()
        commands = targets.commands_of(core, call.args, verb, call.args.tasks)
        return _carried_out(call, core, verb, commands)

    return run


def _set_priority(call: Call) -> Reply:
    """Give tasks a priority: the last word is the level.

    Raises:
        InputError: no level is given, or no task.
    """
    given = [str(word) for word in call.args.tasks]
    if not given:
        sentence = "priority needs tasks and a level, like: priority T-003 high"
        raise InputError(sentence)
    if len(given) == 1 and not targets.is_wide(call.args):
        sentence = f"priority needs a level too, like: priority {given[0]} high"
        raise InputError(sentence)
    level = priority_of(given.pop())
    core = call.open()
    commands = targets.commands_of(core, call.args, "priority", given)
    valued = [command._replace(value=level) for command in commands]
    return _carried_out(call, core, "priority", valued)


def _clear(call: Call) -> Reply:
    """Cancel all that is not running, of one source or of all."""
    core = call.open()
    name = call.args.source
    source = targets.source_named(core, name) if name else None
    command = ChatCommand(
        command="clear", all=source is None, queue=source, verb="clear"
    )
    return _carried_out(call, core, "clear", [command])


def _undo(call: Call) -> Reply:
    """Take back what the command line did last."""
    core = call.open()
    command = ChatCommand(command="undo", verb="undo")
    return _carried_out(call, core, "undo", [command])


def _carried_out(
    call: Call, core: Core, verb: str, commands: Sequence[ChatCommand]
) -> Reply:
    # What ended meanwhile must not be told, or told to stop, as if it ran.
    looked = watch(core, SILENT, Troubles(), now=call.now)
    is_sure = bool(getattr(call.args, "yes", False))
    result = execute(call, core, commands, is_sure=is_sure)
    if not commands:
        result.decline(messages.nothing_to(verb, lang=call.lang))
    return answer(call, core, result, looked)


def execute(
    call: Call, core: Core, commands: Sequence[ChatCommand], *, is_sure: bool
) -> Result:
    """Carry out commands; one who is sure has answered yes to what chat would ask."""
    trail = Trail(CHAT)

    def carry_out(some: Sequence[ChatCommand]) -> Result:
        return control.execute_all(
            core,
            some,
            chat=CHAT,
            trail=trail,
            lang=call.lang,
            zone=call.zone,
            now=call.now,
        )

    whole = Result()
    for command in commands:
        result = carry_out([command])
        exact = result.question.command if result.question else None
        if exact is not None and is_sure:
            result = carry_out([exact])
        elif exact is not None:
            result.texts.append(said.or_yes(lang=call.lang))
        whole.take(result)
    return whole


def answer(
    call: Call, core: Core, result: Result, looked: Sequence[JsonObject] = ()
) -> Reply:
    """Run the pass that a command has made possible, and say what came of it all."""
    done = call.run_pass(core)
    exit_code, code = refusal_of(result.fault, is_refused=result.is_refused)
    return Reply(
        text=result.text,
        payload={
            "tasks": [codec.encode_task(core.store.get(t.ref)) for t in result.tasks],
            "control": [*result.control],
            "actions": [*looked, *result.actions, *done.actions],
        },
        exit_code=exit_code,
        code=code,
    )


def _archive_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--days",
        type=int,
        metavar="N",
        help="those that ended more than N days ago; default MODEL_QUEUE_ARCHIVE_DAYS",
    )


def _archive(call: Call) -> Reply:
    """Move finished tasks out of their queues now.

    Raises:
        InputError: the number of days is negative.
    """
    days = call.args.days
    if days is not None and not 0 <= days <= MOST_DAYS:
        sentence = f"--days is {days}, but must be a number from 0 to {MOST_DAYS}"
        raise InputError(sentence)
    core = call.open()
    moved = archiving.put_away(core, days=days, now=call.now)
    text = said.archived(moved, lang=call.lang)
    return Reply(text=text, payload={"archived": [*moved]})


def _tick_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--actions",
        action="store_true",
        help="you carry out the actions of the answer: host sources are served too",
    )
    parser.add_argument("--session", default="", help="chat session that reads this")
    parser.add_argument("--channel", default="", help="channel that reads this")
    parser.add_argument("--host", default=HOST, help="agent runtime that reads this")


def tick(call: Call) -> Reply:
    """Run one pass over the queues and print what there is to tell.

    Raises:
        StateError: called inside a session.
    """
    refuse_inside_session(call)
    return one_pass(call, carries_actions=call.args.actions)


def one_pass(call: Call, *, carries_actions: bool) -> Reply:
    """Run one pass for the chat that the flags name; return what there is to tell."""
    core = call.open()
    done = call.run_pass(core, carries_actions=carries_actions, shows_notices=True)
    chat = (call.args.host, call.args.channel, call.args.session)
    notices, seen = waiting_notices(core, call, chat, done)
    asks_for_timer = carries_actions and first_run.is_open(core)
    actions = [*([first_run.cron_action()] if asks_for_timer else ()), *done.actions]

    def printed() -> None:
        seen()
        if asks_for_timer:
            first_run.finish(core)

    queues: JsonObject = {
        source: {**counts} for source, counts in planning.counts(core).items()
    }
    return Reply(
        text=dispatch.report(done, notices, lang=call.lang),
        payload={
            "dispatched": [task.id for task in done.dispatched],
            "queues": queues,
            "notices": [*notice_objects(notices)],
            "actions": [*actions],
        },
        # Without them a claimed task would wait for a session that nobody starts.
        trailer=actions if carries_actions else (),
        after=printed,
    )


COMMANDS: Sequence[Command] = (
    *(
        Command(
            name=verb,
            help=text,
            example=f"model-queue {example}",
            run=_acting(verb),
            flags=functools.partial(targets.add_flags, verb=verb),
        )
        for verb, text, example in (
            (
                "retry",
                "run failed, skipped or cancelled tasks again",
                "retry T-003 T-005",
            ),
            ("rerun", "run tasks again, also done ones", "rerun T-003"),
            (
                "cancel",
                "cancel tasks; a running session is stopped",
                "cancel T-003..T-007",
            ),
            ("skip", "skip tasks; what depends on them goes on", "skip T-003"),
            (
                "pause",
                "hold tasks, or the whole queue of a source",
                "pause ollama-local",
            ),
            (
                "resume",
                "let held tasks or a source's queue go on",
                "resume T-003 T-004",
            ),
            (
                "unblock",
                "let blocked tasks run although a dependency failed",
                "unblock T-004",
            ),
        )
    ),
    Command(
        name="priority",
        help="give tasks a priority: high, 5, P0; larger runs earlier",
        example="model-queue priority T-003 high",
        run=_set_priority,
        flags=functools.partial(targets.add_flags, verb="priority"),
    ),
    Command(
        name="clear",
        help="cancel everything that is not running, of one source or of all",
        example="model-queue clear ollama-local",
        run=_clear,
        flags=lambda parser: parser.add_argument(
            "source", nargs="?", metavar="SOURCE", help="only this queue"
        ),
    ),
    Command(
        name="undo",
        help="take back what the command line did last, within 10 minutes",
        example="model-queue undo",
        run=_undo,
        flags=no_flags,
    ),
    Command(
        name="archive",
        help="move finished tasks out of their queues now",
        example="model-queue archive --days 2",
        run=_archive,
        flags=_archive_flags,
    ),
    Command(
        name="tick",
        help="run one pass: check what runs, settle what waits, start what may",
        example="model-queue tick --actions --json",
        run=tick,
        flags=_tick_flags,
    ),
)
