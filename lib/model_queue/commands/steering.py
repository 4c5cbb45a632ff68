"""Commands that move tasks on: retry, cancel, tick."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence

from model_queue import codec, control, dispatch, planning
from model_queue.commands.call import (
    HOST,
    Call,
    Command,
    Reply,
    notice_objects,
    refusal_of,
    refuse_inside_session,
    waiting_notices,
)
from model_queue.intake import Command as ChatCommand
from model_queue.model import JsonObject, TaskRef


def _task_ids(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "tasks", nargs="+", metavar="TASK", help="T-001, t1 or ollama-local/T-001"
    )


def _acting(verb: str) -> Callable[[Call], Reply]:
    """Return the command that does what the word does in chat."""

    def run(call: Call) -> Reply:
        ids = tuple(str(TaskRef.parse(ref)) for ref in call.args.tasks)
        command = ChatCommand(
            command=verb, ids=ids, all=False, queue=None, value=None, verb=verb
        )
        core = call.open()
        result = control.execute_all(core, [command], lang=call.lang, now=call.now)
        done = call.run_pass(core)
        exit_code, code = refusal_of(result.fault, is_refused=result.is_refused)
        return Reply(
            text=result.text,
            payload={
                "tasks": [
                    codec.encode_task(core.store.get(t.ref)) for t in result.tasks
                ],
                "control": [*result.control],
                "actions": [*result.actions, *done.actions],
            },
            exit_code=exit_code,
            code=code,
        )

    return run


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
    queues: JsonObject = {
        source: {**counts} for source, counts in planning.counts(core).items()
    }
    return Reply(
        text=dispatch.report(done, notices, lang=call.lang),
        payload={
            "dispatched": [task.id for task in done.dispatched],
            "queues": queues,
            "notices": [*notice_objects(notices)],
            "actions": [*done.actions],
        },
        # Without them a claimed task would wait for a session that nobody starts.
        trailer=done.actions if carries_actions else (),
        after=seen,
    )


COMMANDS: Sequence[Command] = (
    Command(
        name="retry",
        help="run failed, skipped or cancelled tasks again",
        example="model-queue retry T-003 T-005",
        run=_acting("retry"),
        flags=_task_ids,
    ),
    Command(
        name="cancel",
        help="cancel tasks; a running session is stopped",
        example="model-queue cancel T-003",
        run=_acting("cancel"),
        flags=_task_ids,
    ),
    Command(
        name="tick",
        help="run one pass: check what runs, settle what waits, start what may",
        example="model-queue tick --actions --json",
        run=tick,
        flags=_tick_flags,
    ),
)
