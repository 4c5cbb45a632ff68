"""Use case: a person's message becomes stored tasks, carried-out commands, a reply.

A message is added whole, in one commit over all its queues, or not at all; the same
message is taken once. Source: seed 003 "Mode 1: INTAKE", SPEC 3.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import NamedTuple

from model_queue import adding, first_run, messages
from model_queue.adding import Message
from model_queue.core import Core, Troubles
from model_queue.errors import (
    ModelQueueError,
)
from model_queue.intake import Catalog, Parsed, ParsedTask, parse
from model_queue.model import (
    JsonObject,
    Task,
)
from model_queue.settings import Settings


class Answer(NamedTuple):
    """What a message led to."""

    mode: str = "none"
    text: str = ""
    """For the chat; empty when the message is not for the queue."""
    tasks: Sequence[Task] = ()
    """As stored."""
    control: Sequence[JsonObject] = ()
    """The commands, in corpus form."""
    actions: Sequence[JsonObject] = ()
    is_refused: bool = False
    """A person's request was refused or must be asked back; nothing was added."""
    fault: ModelQueueError | None = None
    """Why a command could not be carried out now, where the store is to blame."""
    is_first_run: bool = False
    """``first_run.finish`` must be called once the answer is out."""
    lang: str = "en"


def catalog_of(settings: Settings) -> Catalog:
    """Return what the parser must know of the configuration."""
    sources = settings.sources
    return Catalog(
        sources={name: source.models for name, source in sources.items()},
        aliases={name: source.aliases for name, source in sources.items()},
        default=settings.default_source,
    )


def understand(settings: Settings, message: Message, *, now: dt.datetime) -> Parsed:
    """Return what a message asks for; mode ``none`` when it is not for the queue.

    Needs no store, so that a message that is not for the queue opens none.
    """
    return parse(
        message.text,
        catalog=catalog_of(settings),
        scope="ambient" if message.scope == "ambient" else "addressed",
        now=now,
        zone=message.zone,
    )


def unconfigured(parsed: Parsed, message: Message) -> Answer:
    """Return the answer as long as there is no source: the lines to add."""
    lang = message.lang or parsed.language
    text = messages.not_configured(lang=lang)
    return Answer(mode=parsed.mode, text=text, is_refused=True, lang=lang)


def intake(
    core: Core, message: Message, *, parsed: Parsed | None = None, now: dt.datetime
) -> Answer:
    """Carry out one message; the caller then runs a pass of the dispatcher.

    What is refused, asked back or cannot be routed is an answer, not an error; errors
    are broken stores and our own faults. ``parsed`` is the message as ``understand``
    read it, when the caller has asked already.
    """
    parsed = parsed or understand(core.settings, message, now=now)
    lang = message.lang or parsed.language
    if parsed.mode == "none":
        return Answer(lang=lang)
    if not core.settings.sources:
        return unconfigured(parsed, message)
    started = first_run.set_up(core, lang=lang, now=now)
    answer = _carry_out(core, message, parsed, lang=lang, now=now)
    texts = [text for text in (started.text, answer.text) if text]
    return answer._replace(
        text="\n\n".join(texts),
        actions=[*started.actions, *answer.actions],
        is_first_run=started.is_first,
    )


def _carry_out(
    core: Core, message: Message, parsed: Parsed, *, lang: str, now: dt.datetime
) -> Answer:
    asking = [task for task in parsed.tasks if task.ask]
    if asking:
        return _ask(core, parsed, asking[0], lang=lang)
    added = Answer(mode=parsed.mode, lang=lang)
    if parsed.tasks:
        stored = adding.add(core, message, parsed.tasks, lang=lang, now=now)
        added = added._replace(
            text=stored.text, tasks=stored.tasks, is_refused=stored.is_refused
        )
        if added.is_refused:
            return added
    if not parsed.commands:
        return added
    # Imported here: few messages that add tasks hold a command as well.
    from model_queue import control  # noqa: PLC0415
    from model_queue.watching import SILENT, watch  # noqa: PLC0415

    # What ended meanwhile must not be told, or told to stop, as if it ran.
    # What goes wrong there keeps no command back; the pass that follows tells it.
    looked = watch(core, SILENT, Troubles(), now=now)
    commands = control.execute_all(
        core,
        parsed.commands,
        key=adding.id_key(message),
        chat=(message.host, message.channel, message.session),
        lang=lang,
        now=now,
    )
    texts = [text for text in (added.text, commands.text) if text]
    return added._replace(
        text="\n\n".join(texts),
        control=commands.control,
        actions=[*looked, *commands.actions],
        is_refused=commands.is_refused,
        fault=commands.fault,
    )


def _ask(core: Core, parsed: Parsed, task: ParsedTask, *, lang: str) -> Answer:
    """Ask back; nothing is added."""
    several = task.text if len(parsed.tasks) > 1 else ""
    sources = core.settings.sources
    choices: Sequence[str] = task.candidates
    match task.ask:
        case "model":
            is_known = bool(choices)
            choices = choices or [m for s in sources.values() for m in s.models]
            question = messages.ask_model(
                task.asked_name,
                choices,
                is_known=is_known,
                task_text=several,
                lang=lang,
            )
        case "source":
            choices = list(sources)
            question = messages.ask_source(choices, task_text=several, lang=lang)
        case "dependency":
            question = messages.ask_dependency(task_text=several, lang=lang)
        case _:
            seen = task.not_before_text or task.text
            question = messages.ask_date(seen, task_text=several, lang=lang)
    ask: JsonObject = {
        "type": "ask",
        "key": f"ask:{task.ask}",
        "question": question,
        "choices": list(choices),
    }
    return Answer(
        mode=parsed.mode, text=question, actions=[ask], is_refused=True, lang=lang
    )
