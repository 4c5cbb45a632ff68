"""Use case: a chat answers the question that it was asked.

Source: SPEC 3; the answers themselves are read by ``intake.answers``.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import NamedTuple

from model_queue import asking, codec, messages
from model_queue.adding import Message, Once, id_key
from model_queue.asked import Pick, Question
from model_queue.core import Core
from model_queue.errors import StateError, TaskRefError
from model_queue.intake import Parsed
from model_queue.intake.answers import Said, read, time_of
from model_queue.model import JsonObject, Task, TaskRef
from model_queue.orders import Result
from model_queue.store import Batch, Seen
from model_queue.trails import Chat


class Answered(NamedTuple):
    """What an answer led to."""

    text: str
    message: Message | None = None
    """The message that is to be carried out now, with ``parsed``."""
    parsed: Parsed | None = None
    picks: tuple[Pick, ...] = ()
    """The answers so far, where ``parsed`` leaves another question open."""
    once: Once | None = None
    """Under which the message has its effect once."""
    asked_at: dt.datetime | None = None
    result: Result | None = None
    """What a command led to."""
    is_refused: bool = False
    is_dropped: bool = False
    """The question is not open any more, and nothing was done."""


def answered(
    core: Core,
    message: Message,
    parsed: Parsed,
    *,
    understand: Callable[[Message, dt.datetime], Parsed],
    now: dt.datetime,
) -> Answered | None:
    """Return what a message means as an answer, None when it is none.

    New work takes the place of a question; in ambient scope so does whatever is no
    answer. A command leaves the question open. ``understand`` reads the message
    that led to the question.
    """
    chat = (message.host, message.channel, message.session)
    first = _first_answer(core, message, now=now)
    if first is not None:
        return first
    question = asking.find(core, chat, now=now)
    if question is None:
        return None
    said = _said(message, question, now=now)
    if said is None:
        if message.scope == "ambient" or parsed.tasks:
            core.store.commit(Batch(latest=[asking.closed(chat, now=now)]), now=now)
        return None
    return _carried_out(core, message, question, said, understand=understand, now=now)


def _first_answer(core: Core, message: Message, *, now: dt.datetime) -> Answered | None:
    """Return what the same message was answered before."""
    key = id_key(message)
    first = core.store.recall(key, now=now) if key else None
    if first is None:
        return None
    tasks: list[Task] = []
    ids = first.get("ids")
    for ref in ids if isinstance(ids, list) else []:
        try:
            tasks.append(core.store.get(TaskRef.parse(str(ref))))
        except (StateError, TaskRefError):
            # It was taken out by hand since; it was added all the same.
            continue
    return Answered(str(first.get("reply", "")), result=Result(tasks=tasks))


def _said(message: Message, question: Question, *, now: dt.datetime) -> Said | None:
    """Return what the message says to the question; a time is a ``choice``."""
    said = read(message.text, question.choices)
    if question.kind == "date" and (said is None or said.kind == "number"):
        when = time_of(message.text, now=now, zone=message.zone)
        return Said("choice") if when is not None else None
    if question.kind == "yes" and said is not None and said.kind == "number":
        words = {1: "yes", 2: "no"}
        return Said(words[said.place]) if said.place in words else said
    is_meant = question.kind == "yes" or (said is not None and said.kind != "yes")
    return said if is_meant else None


def _carried_out(
    core: Core,
    message: Message,
    question: Question,
    said: Said,
    *,
    understand: Callable[[Message, dt.datetime], Parsed],
    now: dt.datetime,
) -> Answered:
    chat = (message.host, message.channel, message.session)
    if said.kind == "number":
        text = messages.no_such_choice(said.place, question.text, lang=question.lang)
        return Answered(text, is_refused=True)
    if said.kind == "no":
        text = messages.question_dropped(lang=question.lang)
        _close(core, message, chat, text, now=now)
        return Answered(text, is_dropped=True)
    if question.command is not None:
        return _command(core, message, question, said, chat, now=now)
    original = asking.message_of(question, zone=message.zone)
    if original is None:
        return Answered("", is_dropped=True)
    value = question.values[said.place] if question.kind != "date" else ""
    if question.kind == "date":
        when = time_of(message.text, now=now, zone=message.zone)
        value = codec.format_time(when or now)
    picks = (*question.picks, Pick(question.place, question.kind, value))
    asked_at = question.asked_at or now
    parsed = asking.settled(core, understand(original, asked_at), picks)
    once = Once(
        key=f"answered:{question.key}",
        also=[key for key in (id_key(original), id_key(message)) if key],
        latest=[asking.closed(chat, now=now)],
    )
    return Answered(
        "",
        message=original._replace(lang=question.lang),
        parsed=parsed,
        picks=picks,
        once=once,
        asked_at=asked_at,
    )


def _command(
    core: Core,
    message: Message,
    question: Question,
    said: Said,
    chat: Chat,
    *,
    now: dt.datetime,
) -> Answered:
    """Carry out the command in question, once."""
    # Imported here: few answers are about a command.
    from model_queue.control import execute_all  # noqa: PLC0415

    command = question.command
    if command is None:
        return Answered("", is_dropped=True)
    if question.kind == "target":
        command = command._replace(ids=(question.values[said.place],))
    result = execute_all(
        core,
        [command],
        key=f"answered:{question.key}",
        chat=chat,
        lang=question.lang,
        zone=message.zone,
        now=now,
    )
    # What a broken or busy store kept from it can be tried again.
    if result.fault is None:
        _close(core, message, chat, result.text, now=now)
    if result.question is not None:
        asking.put(core, chat, result.question, now=now)
    return Answered(result.text, result=result, is_refused=result.is_refused)


def _close(
    core: Core, message: Message, chat: Chat, text: str, *, now: dt.datetime
) -> None:
    """Forget the question, and remember what its answer was answered."""
    key = id_key(message)
    answer: JsonObject = {"reply": text, "ids": []}
    latest = [asking.closed(chat, now=now)]
    if key:
        latest.append(Seen(key=key, answer=lambda _: answer))
    core.store.commit(Batch(latest=latest), now=now)
