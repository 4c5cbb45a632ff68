"""Commands with which a session or its host reports: attach, complete, fail, checkpoint."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from model_queue import codec, completion, hook_calls, messages, passes
from model_queue.commands.call import HOST, Call, Command, Reply, one_task, read_text
from model_queue.core import Core
from model_queue.errors import IllegalTransition, InputError, LostClaim
from model_queue.hearsay import Heard, hear
from model_queue.hook_calls.call import Call as HookCall
from model_queue.hosts.generic import Payload
from model_queue.hosts.session_ends import outcome_of
from model_queue.labels import attempt_of
from model_queue.model import JsonObject, Status, Task
from model_queue.store import Batch, Notice

TASK_VARIABLE = "MODEL_QUEUE_TASK"
LABEL_VARIABLE = "MODEL_QUEUE_LABEL"


def _label_flag(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--label", default="", help="the attempt; default: yours, else the current one"
    )


def _attempt(call: Call, task: Task, verb: str) -> str:
    """Return the label under which a report is made: flag, environment, current.

    Raises:
        IllegalTransition: none is named, and no attempt holds the task.
    """
    own = ""
    if call.seen.environment.get(TASK_VARIABLE, task.id) in {task.id, task.uuid}:
        own = call.seen.environment.get(LABEL_VARIABLE, "")
    label = call.args.label or own or task.label
    if label is None:
        hint = "Only a task that a session holds can be reported on."
        raise IllegalTransition(
            ref=task.id, status=task.status.value, event=verb, hint=hint
        )
    return str(label)


def _end(
    call: Call, core: Core, task: Task, label: str, *, status: str, said: JsonObject
) -> Reply:
    """Store what is reported of an attempt, as on-subagent-exit does, and run a pass."""
    outcome = outcome_of(Payload(said), status, now=call.now)
    heard = hear(core, task, outcome, label=label, now=call.now)
    _refuse_late(heard, label)
    passed = call.run_pass(core, shows_notices=True)
    told = _told_here(call, core, task)

    def said_here() -> None:
        if told:
            ids = [notice.id for notice in told]
            core.store.commit(Batch(delivered=ids), now=call.now)
        passes.hand_to_notifier(core, call.seen, since=passed.at, clock=call.clock)

    text = "\n\n".join(notice.text for notice in told)
    return Reply(
        text=text or _answer(heard, call.lang),
        after=said_here,
        payload={
            "task": codec.encode_task(core.store.get(task.ref)),
            "dispatched": [each.id for each in passed.dispatched],
            "actions": [*heard.actions, *passed.actions],
        },
    )


def _told_here(call: Call, core: Core, task: Task) -> Sequence[Notice]:
    """Return the notices about a task that this answer tells, so that no other does.

    Those for this shell only, and not inside a session: nobody reads its output.
    """
    if call.seen.environment.get("MODEL_QUEUE_WORKER") == "1":
        return []
    here = (HOST, "", "")
    return [
        notice
        for notice in core.store.undelivered()
        if notice.task_id == task.id and notice.chat == here
    ]


def _refuse_late(heard: Heard, label: str) -> None:
    """Refuse a report of an older attempt; the repeat of the last one is no fault.

    Raises:
        LostClaim: another attempt, or none, holds the task. Its report was kept.
    """
    task = heard.task
    is_repeat = task.claim is None and attempt_of(task, label) == task.attempt
    if heard.is_late and not (is_repeat and task.status.is_terminal):
        raise LostClaim(ref=task.id, label=label)


def _attach_flags(parser: argparse.ArgumentParser) -> None:
    one_task(parser)
    parser.add_argument("session", metavar="SESSION", help="the runtime's own id")
    _label_flag(parser)


def attach(call: Call) -> Reply:
    """Note the id of the session that carries out a task."""
    core = call.open()
    task = call.find(core)
    label = _attempt(call, task, "attach")
    session = str(call.args.session)
    done = completion.attach(core, task, session, label=label, now=call.now)
    if done.is_late:
        raise LostClaim(ref=task.id, label=label)
    payload: JsonObject = {
        "task": codec.encode_task(done.task),
        "actions": [*done.actions],
    }
    return Reply(text=f"{task.id} runs as {session}", payload=payload)


def _complete_flags(parser: argparse.ArgumentParser) -> None:
    one_task(parser)
    parser.add_argument(
        "--result-file", metavar="F", help="the full report, - for stdin"
    )
    parser.add_argument("--summary", metavar="S", help="one or two sentences")
    _label_flag(parser)


def complete(call: Call) -> Reply:
    """Report that a task's session ended well."""
    args = call.args
    if not args.result_file and not args.summary:
        sentence = "say what came out: --result-file F, --summary S, or both"
        raise InputError(sentence)
    report = read_text(args.result_file) if args.result_file else None
    core = call.open()
    task = call.find(core)
    label = _attempt(call, task, "complete")
    said: JsonObject = {"result": report, "summary": args.summary}
    return _end(call, core, task, label, status="done", said=said)


def _answer(heard: Heard, lang: str) -> str:
    task = heard.task
    if heard.waits or heard.is_second:
        return messages.still_runs(task, is_second=heard.is_second, lang=lang)
    if task.status is Status.DONE:
        return messages.done(task, lang=lang)
    return f"{task.id} is {task.status.value}: {task.error_message or ''}".rstrip(": ")


def _fail_flags(parser: argparse.ArgumentParser) -> None:
    one_task(parser)
    parser.add_argument(
        "--error", required=True, metavar="TEXT", help="what went wrong"
    )
    _label_flag(parser)


def fail(call: Call) -> Reply:
    """Report that a task's session failed."""
    core = call.open()
    task = call.find(core)
    label = _attempt(call, task, "fail")
    said: JsonObject = {"error": str(call.args.error)}
    return _end(call, core, task, label, status="failed", said=said)


def _checkpoint_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--task", metavar="TASK", help="default: the session's own")
    _label_flag(parser)
    parser.add_argument("--percent", type=int, metavar="N", help="0 to 100")
    parser.add_argument("--last", metavar="TEXT", help="what was done last")
    parser.add_argument("--next", metavar="TEXT", help="what comes next")
    parser.add_argument(
        "--blocked-reason",
        metavar="TEXT",
        help="what a person must do before it can go on",
    )


def _task_id(call: Call) -> str | None:
    """Return the task in the form of the hook, which takes a UUID as well."""
    word = call.args.task
    is_number = bool(word) and word.removeprefix("#").isdecimal()
    return str(call.ref(word)) if is_number else word


def checkpoint(call: Call) -> Reply:
    """Save the progress of a session, and learn whether it should go on."""
    args = call.args
    own = [call.seen.environment.get(name) for name in (TASK_VARIABLE, LABEL_VARIABLE)]
    if not any([args.task, args.label, *own]):
        sentence = f"name the task: --task T-001, or set {TASK_VARIABLE}"
        raise InputError(sentence)
    given: JsonObject = {
        "task_id": _task_id(call),
        "label": args.label or None,
        "percent_complete": args.percent,
        "last_action": args.last,
        "next_action": args.next,
        "blocked_reason": args.blocked_reason,
    }
    hook = HookCall("on-checkpoint", Payload(given), began=call.now.timestamp())
    done = hook_calls.carry_out(hook)
    if done.afterwards is not None:
        done.afterwards()
    directive, reason = str(done.answer["directive"]), str(done.answer["reason"])
    text = f"{directive}: {reason}" if reason else directive
    return Reply(text=text, payload={"directive": directive, "reason": reason})


COMMANDS: Sequence[Command] = (
    Command(
        name="attach",
        help="note the id of the session that carries out a task",
        example="model-queue attach T-003 agent:main:7f3a --label mq-t-003-a1-1f3c9a7e",
        run=attach,
        flags=_attach_flags,
    ),
    Command(
        name="complete",
        help="report that a task's session ended well",
        example='model-queue complete T-003 --result-file out.md --summary "12 rows"',
        run=complete,
        flags=_complete_flags,
    ),
    Command(
        name="fail",
        help="report that a task's session failed",
        example='model-queue fail T-003 --error "the file is missing"',
        run=fail,
        flags=_fail_flags,
    ),
    Command(
        name="checkpoint",
        help="save a session's progress; prints continue, pause or stop",
        example='model-queue checkpoint --task T-003 --percent 40 --next "chapter 3"',
        run=checkpoint,
        flags=_checkpoint_flags,
    ),
)
