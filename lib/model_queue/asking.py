"""Use case: a question that a chat was asked, until it is answered or ten minutes old.

It lies in the store under the chat's key; a file beside it says, without the store being
opened, that some chat has one. Source: SPEC 3, seed 003 Steps 3 and 4.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from model_queue import asked, codec, messages
from model_queue.adding import Message
from model_queue.asked import MOST_CHOICES, Pick, Question
from model_queue.core import Core
from model_queue.folder import QUESTION_FOR_S
from model_queue.intake import Parsed, ParsedTask
from model_queue.model import JsonObject, Task
from model_queue.store import Batch, Query, Seen
from model_queue.trails import Chat

OPEN_FOR = dt.timedelta(seconds=QUESTION_FOR_S)
"""How long a question waits for its answer."""


_TEXTS = ("text", "scope", "host", "channel", "session", "message_id", "lang")


def put(core: Core, chat: Chat, question: Question, *, now: dt.datetime) -> None:
    """Store what a chat is asked, in the place of an earlier question."""
    keyed = question._replace(key=question.key or core.ids.uuid4())
    wire = asked.encode(keyed, now=now)
    seen = Seen(key=_key_of(chat), answer=lambda _: wire, until=now + OPEN_FOR)
    core.store.commit(Batch(latest=[seen]), now=now)
    core.folder.note_question(now + OPEN_FOR)


def find(core: Core, chat: Chat, *, now: dt.datetime) -> Question | None:
    """Return the open question of a chat, None without one."""
    wire = core.store.recall(_key_of(chat), now=now)
    return asked.decode(wire) if wire is not None else None


def closed(chat: Chat, *, now: dt.datetime) -> Seen:
    """Return what makes a chat's question forgotten, for a commit."""
    return Seen(key=_key_of(chat), answer=lambda _: {}, until=now)


def _key_of(chat: Chat) -> str:
    return "\x1f".join(("asked", *chat))


def about_task(
    core: Core,
    message: Message,
    parsed: Parsed,
    picks: Sequence[Pick],
    *,
    lang: str,
    now: dt.datetime,
) -> Question:
    """Return the first question that a message leaves open.

    ``now`` is when it was said: its times are reckoned from then.
    """
    place, task = next((i, t) for i, t in enumerate(parsed.tasks) if t.ask)
    choices = _choices(core, message, task, lang=lang)
    several = task.text if len(parsed.tasks) > 1 else ""
    match task.ask:
        case "model":
            text = messages.ask_model(
                task.asked_name,
                choices,
                is_known=bool(task.candidates),
                task_text=several,
                lang=lang,
            )
        case "source":
            text = messages.ask_source(choices, task_text=several, lang=lang)
        case "dependency":
            text = messages.ask_dependency(choices, task_text=several, lang=lang)
        case _:
            seen = task.not_before_text or task.text
            text = messages.ask_date(seen, task_text=several, lang=lang)
    return Question(
        kind=str(task.ask),
        text=text,
        choices=choices,
        values=[choice.partition(" ")[0].rstrip(":") for choice in choices],
        asked_at=now,
        lang=lang,
        message=message_fields(message),
        place=place,
        picks=picks,
    )


def _choices(
    core: Core, message: Message, task: ParsedTask, *, lang: str
) -> Sequence[str]:
    sources = core.settings.sources
    match task.ask:
        case "model":
            models = [m for source in sources.values() for m in source.models]
            return task.candidates or models
        case "source":
            return list(sources)
        case "dependency":
            tasks = core.store.select(Query())
            chat = (message.host, message.channel, message.session)
            own = [each for each in tasks if _said_in(each) == chat]
            return named(sorted(own or tasks, key=_newest_first), lang=lang)
        case _:
            return []


def named(tasks: Sequence[Task], *, lang: str) -> list[str]:
    """Return tasks as the choices of a question, as many as one shows."""
    return [messages.choice(task, lang=lang) for task in tasks[:MOST_CHOICES]]


def latest_of(core: Core, chat: Chat) -> Task | None:
    """Return the task that a chat added last, None when it added none."""
    own = [task for task in core.store.select(Query()) if _said_in(task) == chat]
    return min(own, key=_newest_first, default=None)


def _newest_first(task: Task) -> int:
    return -task.ref.number


def _said_in(task: Task) -> Chat:
    origin = task.origin or {}
    names = ("host", "channel", "session")
    host, channel, session = (str(origin.get(name) or "") for name in names)
    return host, channel, session


def message_fields(message: Message) -> JsonObject:
    """Return a message as a question keeps it: all but its zone."""
    fields: JsonObject = {name: getattr(message, name) for name in _TEXTS}
    fields["cwd"] = message.cwd
    return fields


def message_of(question: Question, *, zone: dt.tzinfo) -> Message | None:
    """Return the message that led to a question, None when it was a command."""
    fields = question.message
    if fields is None:
        return None
    cwd = fields.get("cwd")
    text, scope, host, channel, session, message_id, lang = (
        str(fields.get(name) or "") for name in _TEXTS
    )
    return Message(
        text=text,
        scope=scope,
        host=host,
        channel=channel,
        session=session,
        message_id=message_id,
        cwd=cwd if isinstance(cwd, str) else None,
        lang=lang,
        zone=zone,
    )


def settled(core: Core, parsed: Parsed, picks: Sequence[Pick]) -> Parsed:
    """Return a parsed message with the answers to its questions in their places."""
    tasks = list(parsed.tasks)
    for pick in picks:
        if pick.place >= len(tasks):
            continue
        question = tasks[pick.place]
        for place, task in enumerate(tasks):
            if place == pick.place or _is_same_question(task, question):
                tasks[place] = _picked(core, task, pick)
    is_open = any(task.ask for task in tasks)
    return parsed._replace(tasks=tuple(tasks), mode="ask" if is_open else "intake")


def _is_same_question(task: ParsedTask, other: ParsedTask) -> bool:
    """Report whether one answer serves both: the same name, or no name at all."""
    if task.ask != other.ask or task.ask not in {"model", "source"}:
        return False
    return (task.asked_name, task.candidates) == (other.asked_name, other.candidates)


def _picked(core: Core, task: ParsedTask, pick: Pick) -> ParsedTask:
    rest = task.also_ask
    task = task._replace(ask=rest[0] if rest else None, also_ask=rest[1:])
    match pick.ask:
        case "model":
            owners = (
                name
                for name, source in core.settings.sources.items()
                if pick.value in source.models
            )
            return task._replace(model=pick.value, queue=next(owners, None))
        case "source":
            return task._replace(queue=pick.value)
        case "dependency":
            return task._replace(depends_on=(*task.depends_on, pick.value))
        case _:
            return task._replace(not_before=codec.parse_time(pick.value))
