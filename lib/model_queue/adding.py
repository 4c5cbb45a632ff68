"""Use case: parsed tasks become stored ones, in one commit over all their queues, once.

The same message is taken once. Source: seed 003 "Mode 1: INTAKE", SPEC 3.
"""

from __future__ import annotations

import datetime as dt
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from model_queue import messages, transitions
from model_queue.core import Core
from model_queue.errors import ModelQueueError, TaskNotFound, UnknownDependency
from model_queue.intake import ParsedTask
from model_queue.model import (
    LIVE_STATUSES,
    DependencyPolicy,
    JsonObject,
    Status,
    Task,
    TaskRef,
)
from model_queue.ordering import claim_order
from model_queue.store import Batch, Draft, Query, Record, Seen
from model_queue.trails import Trail, on_task
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
    has_timer: bool = True
    """Whether who brings it carries actions out, such as the request for a timer."""


class Once(NamedTuple):
    """Under which keys tasks are stored once, where they are not the message's own."""

    key: str
    """Known already: nothing is stored, and the first answer is repeated."""
    also: Sequence[str] = ()
    """Keys under which the answer is found besides."""
    latest: Sequence[Seen] = ()
    """What is stored with it."""


class Added(NamedTuple):
    """What became of the tasks of a message."""

    text: str
    """For the chat."""
    tasks: Sequence[Task] = ()
    """As stored."""
    is_refused: bool = False
    """Nothing was added; ``text`` says why."""


def add(
    core: Core,
    message: Message,
    tasks: Sequence[ParsedTask],
    *,
    once: Once | None = None,
    trail: Trail | None = None,
    amend: Callable[[Task], Task] | None = None,
    lang: str,
    now: dt.datetime,
) -> Added:
    """Store the tasks of a message, once; all of them or none.

    ``trail`` is where it is noted, so that the chat can take it back. ``amend`` gives
    each task what no words of chat can say.
    """
    try:
        drafts = [_draft(core, message, task, now=now) for task in tasks]
        if amend is not None:
            drafts = [draft._replace(task=amend(draft.task)) for draft in drafts]
    except ModelQueueError as error:
        text = messages.refused(error, lang=lang)
        return Added(text, is_refused=True)
    text = _broken(core, drafts, lang=lang)
    if text:
        return Added(text, is_refused=True)
    in_line = core.store.select(Query(statuses=LIVE_STATUSES))

    def first_answer(stored: Sequence[Task]) -> JsonObject:
        text = messages.added(
            stored, positions(in_line, stored), lang=lang, zone=message.zone
        )
        said = [text, *_shifts(stored, tasks, lang=lang, zone=message.zone)]
        return {"reply": "\n\n".join(said), "ids": [str(task.ref) for task in stored]}

    origin = origin_of(message)
    seen = _seen(message, first_answer, now=now)
    latest = [*trail.with_added(now=now)] if trail else []
    if once is not None:
        seen = Seen(key=once.key, answer=first_answer)
        latest += [Seen(key=key, answer=first_answer) for key in once.also]
        latest += once.latest
    done = core.store.commit(
        Batch(
            drafts=drafts,
            seen=seen,
            records=[Record(ts=now, event="intake", detail=str(origin or ""))],
            latest=latest,
        ),
        now=now,
    )
    answer = done.answer or {}
    ids = answer.get("ids")
    stored = done.tasks
    if done.repeated and isinstance(ids, list):
        stored = [core.store.get(TaskRef.parse(str(ref))) for ref in ids]
    if trail and not done.repeated:
        trail.add(*(on_task("add", task) for task in stored))
    text = str(answer.get("reply", ""))
    if done.repeated and not (message.message_id or once):
        # Without an id it is a guess that the message came twice: say so, for a person
        # who meant it twice.
        text += f"\n\n{messages.repeated(lang=lang)}"
    return Added(text, stored)


def _shifts(
    stored: Sequence[Task], tasks: Sequence[ParsedTask], *, lang: str, zone: dt.tzinfo
) -> Iterator[str]:
    """Say of which start times a change of the clocks makes something else."""
    for task, parsed in zip(stored, tasks, strict=True):
        if parsed.shift:
            is_twice = parsed.shift == "twice"
            yield messages.shifted(task, is_twice=is_twice, lang=lang, zone=zone)


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
    key = id_key(message)
    if key:
        return Seen(key=key, answer=answer)
    text = " ".join(message.text.split())
    key = f"text:{_key(_chat(message), message.cwd or '', text)}"
    return Seen(key=key, answer=answer, until=now + REPEAT_WINDOW)


def id_key(message: Message) -> str:
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
