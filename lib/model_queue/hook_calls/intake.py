"""on-intake: a person's message becomes stored tasks, carried-out commands, a reply."""

from __future__ import annotations

import os

from model_queue import adding, config, first_run, submit, wiring
from model_queue.codec import encode_task
from model_queue.core import Core
from model_queue.errors import StateError, TaskRefError
from model_queue.hook_calls.call import Call, Done
from model_queue.hook_calls.passing import run_pass
from model_queue.hosts.generic import answer
from model_queue.model import JsonObject, Task
from model_queue.settings import Settings

DISPATCH_EVENT = "MODEL_QUEUE_DISPATCH:"
"""What a message begins with when a host's timer sent it. Source: SPEC 3."""


def on_intake(call: Call) -> Done:
    """Carry out one message and run the dispatcher; a timer's message is one pass."""
    message = _message(call)
    if message.text.lstrip().startswith(DISPATCH_EVENT):
        # Imported here: few messages are a timer's.
        from model_queue.hook_calls.heartbeat import one_pass  # noqa: PLC0415

        return one_pass(call, mode="none", tasks=[], control=[])
    settings = wiring.read_settings(call.seen)
    parsed = submit.understand(settings, message, now=call.now)
    if not submit.is_for_us(settings, parsed, now=call.now):
        is_ambient = message.scope == "ambient"
        reply = submit.unasked(settings, parsed, message)
        if reply and settings.sources and os.path.isdir(settings.queues_dir):
            # A bare number has no language; its chat has one.
            core = call.open(settings)
            reply = submit.intake(core, message, parsed=parsed, now=call.now).text
        told = _not_ours(reply)
        return Done(told, (lambda: _remember(call, settings)) if is_ambient else None)
    # Not earlier: what is not for the queue passes, whatever the settings look like.
    if parsed.mode != "none":
        config.require_valid(settings)
    if not settings.sources:
        said = submit.unconfigured(parsed, message)
        return Done(answer(said.text, mode=said.mode, tasks=[], control=[]))
    core = call.open(settings)
    first = call.first_answer(core)
    if first is not None:
        return first
    said = submit.intake(core, message, parsed=parsed, now=call.now)
    # What might have been the answer to an open question, and is none, passes.
    is_ours = said.mode != "none"
    return _say(call, core, said) if is_ours else Done(_not_ours(said.text))


def _not_ours(reply: str) -> JsonObject:
    return answer(reply, mode="none", tasks=[], control=[])


def _remember(call: Call, settings: Settings) -> None:
    """Let the guard answer the next messages that are not for the queue."""
    # Imported here: the host has its answer already.
    from model_queue.sidecars import keep_words  # noqa: PLC0415

    keep_words(call, settings)


def _message(call: Call) -> adding.Message:
    payload, caller = call.payload, call.caller
    payload.needs("message")
    text = payload.text("message")
    scope = payload.word("scope", ("addressed", "ambient"))
    message_id = payload.text("message_id") or caller.delivery_id
    payload.check()
    host, channel, session = caller.chat
    return adding.Message(
        text=text,
        scope=scope,
        host=host,
        channel=channel,
        session=session,
        message_id=message_id,
        cwd=caller.cwd,
        lang=caller.lang,
        zone=caller.zone,
    )


def _say(call: Call, core: Core, said: submit.Answer) -> Done:
    """Run the dispatcher at once, and tell what came of both."""
    call.so_far = answer(
        said.text,
        actions=[*said.actions],
        mode=said.mode,
        tasks=[encode_task(task) for task in said.tasks],
        control=[*said.control],
    )
    tick = run_pass(call, core)
    notices = call.notices(core)
    texts = [said.text, *(notice.text for notice in notices)]
    told = answer(
        "\n\n".join(text for text in texts if text),
        notices=notices,
        actions=[*said.actions, *tick.actions],
        mode=said.mode,
        tasks=[encode_task(_as_stored(core, task)) for task in said.tasks],
        control=[*said.control],
    )
    done = call.done(core, told, notices)
    return done.then(lambda: first_run.finish(core)) if said.is_first_run else done


def _as_stored(core: Core, task: Task) -> Task:
    """Return a task as the pass has left it, or as it was added.

    Somebody may have saved an older text of its file since; it was added all the same.
    """
    try:
        return core.store.get(task.ref)
    except (StateError, TaskRefError):
        return task
