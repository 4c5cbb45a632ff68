"""The command that says why a task does not run: explain."""

from __future__ import annotations

from collections.abc import Sequence

from model_queue import codec, explaining
from model_queue.commands.call import Call, Command, Reply, one_task
from model_queue.messages.causes import Reason
from model_queue.model import JsonObject


def explain(call: Call) -> Reply:
    """Say what keeps a task from running, outermost first, and what to do about it.

    Raises:
        TaskNotFound: no task has the id.
        TaskRefError: it is no id, or several tasks have it.
    """
    found = explaining.explain(
        call.open(),
        call.ref(),
        lang=call.lang,
        zone=call.zone,
        now=call.now,
    )
    coded = [each for each in found.reasons if each.code is not None]
    payload: JsonObject = {
        "task": codec.encode_task(found.task) if found.task else None,
        "reasons": [_reason_object(each) for each in coded],
    }
    return Reply(text=found.text, payload=payload)


def _reason_object(reason: Reason) -> JsonObject:
    return {
        "code": reason.code,
        "ref": reason.ref,
        "until": codec.format_time(reason.until) if reason.until else None,
        "text": reason.text,
    }


COMMANDS: Sequence[Command] = (
    Command(
        name="explain",
        help="say why a task does not run, and what to do about it",
        example="model-queue explain T-003",
        run=explain,
        flags=one_task,
    ),
)
