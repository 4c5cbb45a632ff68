"""Use case: a person's message becomes stored tasks, carried-out commands, a reply.

A message is added whole, in one commit over all its queues, or not at all; the same
message is taken once. Source: seed 003 "Mode 1: INTAKE", SPEC 3.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from model_queue import adding, first_run, messages
from model_queue.adding import Message, Once
from model_queue.asked import Pick, Question
from model_queue.core import Core, Troubles
from model_queue.errors import (
    ModelQueueError,
)
from model_queue.folder import Folder
from model_queue.intake import Catalog, Parsed, parse
from model_queue.model import (
    JsonObject,
    Task,
)
from model_queue.settings import Settings
from model_queue.trails import Chat, Trail

_LONGEST_NUMBER = 20
"""Characters of a message that is no more than the number of a choice."""


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
        triggers=settings.triggers,
    )


def understand(settings: Settings, message: Message, *, now: dt.datetime) -> Parsed:
    """Return what a message asks for; mode ``none`` when it is not for the queue.

    Needs no store, so that a message that is not for the queue opens none.
    """
    if _is_number(message):
        # The choice of a question, open or not; no work.
        return Parsed(mode="none", language=messages.language_of(message.text))
    return parse(
        message.text,
        catalog=catalog_of(settings),
        scope="ambient" if message.scope == "ambient" else "addressed",
        now=now,
        zone=message.zone,
    )


def is_for_us(settings: Settings, parsed: Parsed, *, now: dt.datetime) -> bool:
    """Report whether a message must be looked at: it is ours, or may be an answer."""
    return parsed.mode != "none" or Folder(settings.queues_dir).has_question(now=now)


def unasked(settings: Settings, parsed: Parsed, message: Message) -> str:
    """Return the answer to a message without work: "" where it expects none."""
    lang = message.lang or parsed.language
    if parsed.topic:
        # Imported here: few messages ask about the queue itself.
        from model_queue.messages import topics  # noqa: PLC0415

        if parsed.topic != "models":
            return topics.on_topic(parsed.topic, lang=lang)
        catalog = catalog_of(settings)
        if not catalog.sources:
            return messages.not_configured(lang=lang)
        return topics.on_models(catalog.sources, catalog.default, lang=lang)
    if parsed.chosen:
        return messages.ask_work(parsed.chosen, lang=lang)
    return messages.no_question(lang=lang) if _is_number(message) else ""


def _is_number(message: Message) -> bool:
    """Report whether a message is no more than the number of a choice."""
    if message.scope == "ambient" or len(message.text) > _LONGEST_NUMBER:
        return False
    # Imported here: few messages are as short.
    from model_queue.intake.answers import read  # noqa: PLC0415

    said = read(message.text, ())
    return said is not None and said.kind == "number"


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
    lang = message.lang or _language(core, message, parsed)
    if core.folder.has_question(now=now):
        answer = _answer(core, message, parsed, now=now)
        if answer is not None:
            return answer
    if parsed.mode == "none":
        told = unasked(core.settings, parsed, message._replace(lang=lang))
        return Answer(text=told, lang=lang)
    if not core.settings.sources:
        return unconfigured(parsed, message)
    started = first_run.set_up(core, lang=lang, now=now, has_timer=message.has_timer)
    answer = _carry_out(core, message, parsed, lang=lang, now=now)
    # What else it says and cannot be carried out is told, too.
    rest = unasked(core.settings, parsed, message._replace(lang=lang))
    parts = (started.text, answer.text, rest if parsed.topic else "")
    texts = [text for text in parts if text]
    return answer._replace(
        text="\n\n".join(texts),
        actions=[*started.actions, *answer.actions],
        is_first_run=started.is_first,
    )


def _language(core: Core, message: Message, parsed: Parsed) -> str:
    """Return the language of a message; of its chat's latest work for a bare id."""
    if parsed.language != "en" or _has_words(message.text):
        return parsed.language
    # Imported here: few messages are as short.
    from model_queue.asking import latest_of  # noqa: PLC0415

    newest = latest_of(core, (message.host, message.channel, message.session))
    return messages.language_of(newest.description) if newest else parsed.language


def _has_words(text: str) -> bool:
    """Report whether a text holds more than ids and numbers."""
    return any(one.isalpha() and two.isalpha() for one, two in pairwise(text))


def _answer(
    core: Core, message: Message, parsed: Parsed, *, now: dt.datetime
) -> Answer | None:
    """Take a message as the answer to its chat's question; None when it is none."""
    # Imported here: only while a question is open.
    from model_queue.answering import answered  # noqa: PLC0415

    def read(original: Message, said_at: dt.datetime) -> Parsed:
        return understand(core.settings, original, now=said_at)

    done = answered(core, message, parsed, understand=read, now=now)
    if done is None:
        return None
    lang = message.lang or parsed.language
    if done.message is not None and done.parsed is not None:
        return _carry_out(
            core,
            done.message,
            done.parsed,
            picks=done.picks,
            once=done.once,
            said_at=done.asked_at,
            lang=done.message.lang,
            now=now,
        )
    result = done.result
    is_added = bool(result and result.tasks and not result.control)
    mode = "intake" if is_added else "control"
    return Answer(
        mode="ask" if done.is_refused else mode,
        text=done.text,
        tasks=result.tasks if result else (),
        control=result.control if result else (),
        actions=result.actions if result else (),
        is_refused=done.is_refused,
        fault=result.fault if result else None,
        lang=lang,
    )


def _carry_out(
    core: Core,
    message: Message,
    parsed: Parsed,
    *,
    picks: Sequence[Pick] = (),
    once: Once | None = None,
    said_at: dt.datetime | None = None,
    lang: str,
    now: dt.datetime,
) -> Answer:
    """Add the tasks of a message and carry its commands out, or ask back.

    ``picks`` are the answers to earlier questions about it, ``said_at`` is when it was
    said, and ``once`` under what it has its effect once, where it is not now's.
    """
    if any(task.ask for task in parsed.tasks):
        return _ask(
            core, message, parsed, picks, lang=lang, said_at=said_at or now, now=now
        )
    added = Answer(mode=parsed.mode, lang=lang)
    chat = _chat_of(message)
    trail = Trail(chat)
    if parsed.tasks:
        stored = adding.add(
            core,
            message,
            parsed.tasks,
            once=once,
            trail=trail,
            lang=lang,
            now=now,
        )
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
        chat=chat,
        trail=trail,
        lang=lang,
        zone=message.zone,
        now=now,
    )
    actions = [*looked, *commands.actions]
    if commands.question is not None:
        from model_queue import asking  # noqa: PLC0415 - few commands ask back

        asking.put(core, chat, commands.question, now=now)
        actions.append(_ask_action(commands.question))
    texts = [text for text in (added.text, commands.text) if text]
    return added._replace(
        text="\n\n".join(texts),
        control=commands.control,
        actions=actions,
        is_refused=commands.is_refused,
        fault=commands.fault,
    )


def _ask(
    core: Core,
    message: Message,
    parsed: Parsed,
    picks: Sequence[Pick],
    *,
    lang: str,
    said_at: dt.datetime,
    now: dt.datetime,
) -> Answer:
    """Ask back; nothing is added."""
    # Imported here: few messages leave a question open.
    from model_queue import asking  # noqa: PLC0415

    question = asking.about_task(core, message, parsed, picks, lang=lang, now=said_at)
    asking.put(core, _chat_of(message), question, now=now)
    return Answer(
        mode="ask",
        text=question.text,
        actions=[_ask_action(question)],
        is_refused=True,
        lang=lang,
    )


def _ask_action(question: Question) -> JsonObject:
    return {
        "type": "ask",
        "key": f"ask:{question.kind}",
        "question": question.text,
        "choices": list(question.choices),
    }


def _chat_of(message: Message) -> Chat:
    return message.host, message.channel, message.session
