"""Use case: a person's message becomes stored tasks, carried-out commands, a reply.

A message is added whole, in one commit over all its queues, or not at all; the same
message is taken once. Source: seed 003 "Mode 1: INTAKE", SPEC 3.
"""

from __future__ import annotations

import datetime as dt
import zlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from model_queue import first_run, messages, transitions
from model_queue.core import Core, Troubles
from model_queue.errors import (
    ModelQueueError,
    TaskNotFound,
    UnknownDependency,
)
from model_queue.intake import Catalog, Parsed, ParsedTask, parse
from model_queue.model import (
    LIVE_STATUSES,
    DependencyPolicy,
    JsonObject,
    Status,
    Task,
    TaskRef,
)
from model_queue.ordering import claim_order
from model_queue.settings import Settings
from model_queue.store import Batch, Draft, Query, Record, Seen
from model_queue.transitions import Event, Facts

REPEAT_WINDOW = dt.timedelta(minutes=2)
"""How long a message without an id counts as the same when its text is the same."""
_LONGEST_KEY = 200
"""Bytes of a message that its key repeats."""


class Message(NamedTuple):
    """What a person typed, and where."""

    text: str
    scope: str = "addressed"
    """``addressed`` or ``ambient``."""
    host: str = ""
    channel: str = ""
    session: str = ""
    message_id: str = ""
    cwd: str | None = None
    """Where the sessions of its tasks work; absolute."""
    lang: str = ""
    """Language of the answer; empty: the message's own."""
    zone: dt.tzinfo = dt.UTC


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
        added = _add(core, message, parsed, lang=lang, now=now)
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
        key=_id_key(message),
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


def _add(
    core: Core, message: Message, parsed: Parsed, *, lang: str, now: dt.datetime
) -> Answer:
    """Store the tasks of a message, once."""
    try:
        drafts = [_draft(core, message, task, now=now) for task in parsed.tasks]
    except ModelQueueError as error:
        text = messages.refused(error, lang=lang)
        return Answer(mode=parsed.mode, text=text, is_refused=True, lang=lang)
    text = _broken(core, drafts, lang=lang)
    if text:
        return Answer(mode=parsed.mode, text=text, is_refused=True, lang=lang)
    in_line = core.store.select(Query(statuses=LIVE_STATUSES))

    def first_answer(stored: Sequence[Task]) -> JsonObject:
        text = messages.added(
            stored, positions(in_line, stored), lang=lang, zone=message.zone
        )
        return {"reply": text, "ids": [str(task.ref) for task in stored]}

    origin = origin_of(message)
    done = core.store.commit(
        Batch(
            drafts=drafts,
            seen=_seen(message, first_answer, now=now),
            records=[Record(ts=now, event="intake", detail=str(origin or ""))],
        ),
        now=now,
    )
    answer = done.answer or {}
    ids = answer.get("ids")
    stored = done.tasks
    if done.repeated and isinstance(ids, list):
        stored = [core.store.get(TaskRef.parse(str(ref))) for ref in ids]
    text = str(answer.get("reply", ""))
    if done.repeated and not message.message_id:
        # Without an id it is a guess that the message came twice: say so, for a person
        # who meant it twice.
        text += f"\n\n{messages.repeated(lang=lang)}"
    return Answer(mode=parsed.mode, text=text, tasks=stored, lang=lang)


def _broken(core: Core, drafts: Sequence[Draft], *, lang: str) -> str:
    """Say that a queue that is needed does not parse, "" when all do."""
    wanted = {draft.task.queue for draft in drafts}
    for meta in core.store.queues():
        if meta.broken is not None and meta.source in wanted:
            return messages.corrupt(meta, lang=lang)
    return ""


def positions(in_line: Sequence[Task], added: Sequence[Task]) -> dict[str, int]:
    """Return each added task's place in its queue, by id; the first place is 1.

    The place is among the tasks that are not terminal, running ones first.
    """
    places: dict[str, int] = {}
    for queue in {task.queue for task in added}:
        line = [task for task in (*in_line, *added) if task.queue == queue]
        line.sort(key=lambda t: (t.status is not Status.RUNNING, claim_order(t)))
        places |= {task.id: place for place, task in enumerate(line, start=1)}
    return {task.id: places[task.id] for task in added}


def origin_of(message: Message) -> JsonObject | None:
    """Return where a message came from in the task's form, None when nothing is known."""
    parts = {
        "host": message.host,
        "channel": message.channel,
        "session": message.session,
        "message_id": message.message_id,
    }
    known: JsonObject = {name: value for name, value in parts.items() if value}
    return known or None


def _draft(
    core: Core, message: Message, parsed: ParsedTask, *, now: dt.datetime
) -> Draft:
    source = core.source(parsed.queue or "")
    after = tuple(ref for ref in parsed.depends_on if isinstance(ref, int))
    refs = tuple(
        _known_ref(core, ref) for ref in parsed.depends_on if isinstance(ref, str)
    )
    metas = {meta.source: meta for meta in core.store.queues()}
    task = Task(
        id="",
        queue=source.name,
        model=parsed.model or source.models[0],
        description=parsed.text,
        goal=parsed.goal,
        priority=parsed.priority,
        # The drafts it follows have no ids yet; their places count as dependencies.
        depends_on=(*("T-000" for _ in after), *refs),
        on_depends_fail=DependencyPolicy(parsed.on_depends_fail),
        max_retries=core.settings.retries_for(metas[source.name].max_retries),
        added_at=now,
        uuid=core.ids.uuid4(),
        not_before=parsed.not_before,
        cost_ceiling=(
            {"usd": parsed.budget_usd} if parsed.budget_usd is not None else None
        ),
        cwd=message.cwd,
        origin=origin_of(message),
    )
    submitted = transitions.step(task, Event.SUBMIT, Facts(now=now)).after
    return Draft(task=replace(submitted, depends_on=refs), after=after)


def _known_ref(core: Core, ref: str) -> str:
    """Return a dependency as it is stored: bare where that is unique."""
    wanted = TaskRef.parse(ref)
    try:
        found = core.store.get(wanted)
    except TaskNotFound as error:
        raise UnknownDependency(ref=wanted.id, nearest=error.nearest) from error
    return str(found.ref) if wanted.source else found.id


def _seen(
    message: Message,
    answer: Callable[[Sequence[Task]], JsonObject],
    *,
    now: dt.datetime,
) -> Seen:
    """Return the key under which a message is taken once.

    With an id it is the message's own; without one, the same text in the same chat and
    folder counts as the same message for two minutes.
    """
    key = _id_key(message)
    if key:
        return Seen(key=key, answer=answer)
    text = " ".join(message.text.split())
    key = f"text:{_key(_chat(message), message.cwd or '', text)}"
    return Seen(key=key, answer=answer, until=now + REPEAT_WINDOW)


def _id_key(message: Message) -> str:
    """Return the key of a message that has an id of its own, "" for one without."""
    if not message.message_id:
        return ""
    return f"message:{_key(_chat(message), message.message_id)}"


def _chat(message: Message) -> str:
    return f"{message.host}\x1f{message.channel}\x1f{message.session}"


def _key(*parts: str) -> str:
    """Return what tells messages apart: the parts themselves, when they are short.

    Of long ones length, checksum and beginning: within two minutes of one chat they
    meet by no chance, and a cryptographic hash would cost every intake 5 ms of imports.
    """
    data = "\x1e".join(parts).encode("utf-8", "backslashreplace")
    if len(data) > _LONGEST_KEY:
        data = b"%d %08x %s" % (len(data), zlib.crc32(data), data[:_LONGEST_KEY])
    return data.decode("utf-8", "replace")
