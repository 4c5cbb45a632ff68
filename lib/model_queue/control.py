"""Use case: commands on tasks and queues, in a person's words.

Every answer is text: what was done, or what was refused and what to say instead.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from model_queue import messages, standstills
from model_queue.acting import act
from model_queue.acting_on_many import act_on_all
from model_queue.asked import MOST_CHOICES, Question
from model_queue.core import Core
from model_queue.errors import ModelQueueError
from model_queue.intake import Command
from model_queue.intake.corpus import command_object
from model_queue.model import LIVE_STATUSES, Status, Task, TaskRef
from model_queue.orders import Order, Result
from model_queue.store import Batch, Hold, Query, Record
from model_queue.trails import Chat, Trail, on_queue

_TARGETS: dict[str, tuple[Status, ...]] = {
    "cancel": LIVE_STATUSES,
    "clear": tuple(status for status in LIVE_STATUSES if status is not Status.RUNNING),
    "skip": tuple(status for status in LIVE_STATUSES if status is not Status.RUNNING),
    "retry": (Status.FAILED,),
    "rerun": (Status.DONE,),
    "pause": (Status.PENDING, Status.WAITING, Status.RUNNING),
    "resume": (Status.PAUSED,),
    "unblock": (Status.BLOCKED,),
    "priority": LIVE_STATUSES,
}
"""What "all" means for each command."""
_QUEUED = (Status.PENDING, Status.WAITING)
_STATUS_WORDS: tuple[tuple[str, tuple[Status, ...]], ...] = (
    ("paus hold held 暂停 挂起", (Status.PAUSED,)),
    ("fail error 失败 出错 报错 挂", (Status.FAILED,)),
    ("pend queue wait 排 等 待", _QUEUED),
    ("block stuck 阻 卡 受阻", (Status.BLOCKED,)),
    ("done finish complet 完成 做完 跑完 做好 跑好", (Status.DONE,)),
    ("run activ 运行 执行 进行 跑", (Status.RUNNING,)),
    ("skip 跳", (Status.SKIPPED,)),
    ("cancel 取消", (Status.CANCELLED,)),
    ("remain open left unfinished 剩 没 未", LIVE_STATUSES),
)
"""Beginnings of the words that narrow "all" to some statuses; the first that fits."""
_LOOKS = frozenset({"status", "show", "list"})
"""Commands that change nothing: their answer is the present one each time."""


def execute_all(
    core: Core,
    commands: Sequence[Command],
    *,
    key: str = "",
    chat: Chat | None = None,
    trail: Trail | None = None,
    lang: str,
    zone: dt.tzinfo = dt.UTC,
    now: dt.datetime,
) -> Result:
    """Carry out commands in order; a refused one does not stop the others.

    ``key`` tells the message that holds them from every other, "" when nothing does.
    Delivered again under the same key, each command repeats its answer and does
    nothing. ``chat`` is where they were given, None when in none; what it did last, and
    can take back, is what they do from now on. ``trail`` has what their message did
    before them.
    """
    result = Result()
    if trail is None and chat is not None:
        trail = Trail(chat)
    whole = Order(
        core=core, now=now, lang=lang, key=key, chat=chat, trail=trail, zone=zone
    )
    for place, command in enumerate(commands):
        result.control.append(command_object(command))
        if command.command in _LOOKS:
            _answer(whole._replace(key=""), command, result)
        else:
            _answer(whole.part(str(place)), command, result)
    return result


def _answer(order: Order, command: Command, result: Result) -> None:
    first = order.first_answer()
    if first is not None:
        result.repeat(first)
        return
    own = Result()
    try:
        _execute(order, command, own)
    except ModelQueueError as error:
        own.refuse(error, lang=order.lang)
    # A refusal is an answer too: the same message must not succeed later. What a busy
    # or broken store kept from it is none.
    seen = order.seen(own.text, is_refused=own.is_refused)
    if seen is not None and own.fault is None:
        order.core.store.commit(Batch(seen=seen), now=order.now)
    result.take(own)


def _execute(order: Order, command: Command, result: Result) -> None:
    if command.command in _LOOKS:
        _show(order, command, result)
        return
    if command.command == "undo":
        # Imported here: few messages take something back.
        from model_queue.undoing import undo  # noqa: PLC0415

        undo(order, result)
        return
    if command.command not in _TARGETS:
        result.decline(messages.unknown_command(command.verb, lang=order.lang))
        return
    _act_on_targets(order, command, result)


def _act_on_targets(order: Order, command: Command, result: Result) -> None:
    is_hold = command.command in {"pause", "resume"} and not command.ids
    if is_hold and (command.queue or command.all) and not command.word:
        _hold(order, command, result)
        return
    tasks = _targets(order, command, result)
    if not tasks and command.ids:
        return
    if not tasks:
        is_wide = command.all or command.queue is not None
        if is_wide:
            result.decline(messages.nothing_to(command.command, lang=order.lang))
        else:
            _ask_target(order, command, result)
        return
    running = [task for task in tasks if task.status is Status.RUNNING]
    is_stop = command.command in {"cancel", "skip", "pause"}
    if is_stop and len(running) > 1 and not command.ids:
        ids = [task.id for task in tasks]
        say_this = messages.order_of(command.command, ids, lang=order.lang)
        stopped = [task.id for task in running]
        text = messages.ask_stop(stopped, say_this=say_this, lang=order.lang)
        refs = tuple(str(task.ref) for task in tasks)
        exact = command._replace(ids=refs, all=False, queue=None, word="")
        result.ask(Question(kind="yes", text=text, lang=order.lang, command=exact))
        return
    act_on_all(order, command, tasks, result)


def _ask_target(order: Order, command: Command, result: Result) -> None:
    """Ask which task is meant, with those that the command could act on."""
    statuses = _TARGETS.get(command.verb, _TARGETS[command.command])
    tasks = sorted(
        order.core.store.select(Query(statuses=statuses)),
        key=lambda task: (task.status is not Status.RUNNING, -task.ref.number),
    )[:MOST_CHOICES]
    if not tasks:
        _without_target(order, command, result)
        return
    choices = [messages.choice(task, lang=order.lang) for task in tasks]
    text = messages.ask_target(command.command, choices, lang=order.lang)
    values = [str(task.ref) for task in tasks]
    question = Question(
        kind="target",
        text=text,
        choices=choices,
        values=values,
        lang=order.lang,
        command=command,
    )
    result.ask(question)


def _without_target(order: Order, command: Command, result: Result) -> None:
    """Let paused queues go on where no task is paused; else there is nothing to do."""
    held = [meta for meta in order.core.store.queues() if meta.is_held(order.now)]
    paused = [meta.source for meta in held if meta.paused and meta.paused.by == "user"]
    if command.command != "resume" or not paused:
        result.decline(messages.nothing_to(command.command, lang=order.lang))
        return
    for source in paused:
        _hold(order.part(source), command._replace(queue=source), result)


def _targets(order: Order, command: Command, result: Result) -> Sequence[Task]:
    """Return the tasks a command names; ids that name none or several are refused."""
    if command.ids:
        return _named(order, command.ids, result)
    if not command.all and command.queue is None:
        return []
    sources = (order.core.source(command.queue).name,) if command.queue else ()
    statuses = _TARGETS.get(command.verb, _TARGETS[command.command])
    if command.word:
        statuses = _statuses_of(command.word)
    if not statuses:
        # A narrowing that is not understood must not become everything.
        return []
    return order.core.store.select(Query(statuses=statuses, sources=sources))


def _named(order: Order, ids: Sequence[str], result: Result) -> Sequence[Task]:
    """Return the tasks of ids; one that is wrong does not stop the others."""
    found: list[Task] = []
    for ref in ids:
        try:
            found.append(order.core.store.get(TaskRef.parse(ref)))
        except ModelQueueError as error:
            result.refuse(error, lang=order.lang)
    return found


def _statuses_of(word: str) -> tuple[Status, ...]:
    """Return the statuses that a word means, () when it means none.

    >>> [status.value for status in _statuses_of("queued")]
    ['pending', 'waiting']
    """
    folded = word.casefold()
    for beginnings, statuses in _STATUS_WORDS:
        if folded.startswith(tuple(beginnings.split())):
            return statuses
    return ()


def _hold(order: Order, command: Command, result: Result) -> None:
    """Pause or resume whole queues: a flag on the queue, no task moves."""
    names = [order.core.source(command.queue).name] if command.queue else []
    metas = {meta.source: meta for meta in order.core.store.queues()}
    names = names or list(metas)
    is_pause = command.command == "pause"
    hold = Hold(at=order.now, by="user", reason="paused by you") if is_pause else None
    records = [
        Record(ts=order.now, event=f"queue_{command.command}", queue=name)
        for name in names
    ]
    batch = Batch(
        holds=dict.fromkeys(names, hold),
        records=records,
        seen=order.part("queues").seen(""),
    )
    if order.trail:
        was = {name: metas[name].paused if name in metas else None for name in names}
        effects = [on_queue(command.command, name, was[name]) for name in names]
        batch = batch._replace(latest=order.trail.with_effect(*effects, now=order.now))
        order.trail.add(*effects)
    order.core.store.commit(batch, now=order.now)
    said = messages.queue_paused if is_pause else messages.queue_resumed
    result.texts.extend(said(name, lang=order.lang) for name in names)
    if command.command == "resume" and command.all:
        for task in order.core.store.select(Query(statuses=(Status.PAUSED,))):
            act(order.part(str(task.ref)), command, task, result)


def _list(order: Order, command: Command, result: Result) -> None:
    """Answer which tasks are in a state: failed, cancelled, not finished."""
    # Imported here: few messages ask for it.
    from model_queue.messages import listings  # noqa: PLC0415

    sources = (order.core.source(command.queue).name,) if command.queue else ()
    statuses = _statuses_of(command.word)
    tasks = order.core.store.select(Query(statuses=statuses, sources=sources))
    text = listings.of_statuses(statuses, tasks, lang=order.lang, now=order.now)
    result.tasks.extend(tasks)
    result.texts.append(text)


def _show(order: Order, command: Command, result: Result) -> None:
    if not command.ids and _statuses_of(command.word):
        _list(order, command, result)
        return
    if not command.ids:
        source = order.core.source(command.queue).name if command.queue else None
        result.texts.append(
            status_text(
                order.core,
                source=source,
                chat=order.chat,
                lang=order.lang,
                now=order.now,
            )
        )
        return
    if command.verb == "explain":
        # Imported here: few messages ask why.
        from model_queue.explaining import answer  # noqa: PLC0415

        answer(order, command.ids, result)
        return
    for task in _named(order, command.ids, result):
        result.tasks.append(task)
        result.texts.append(_shown(order, command, task))


def _shown(order: Order, command: Command, task: Task) -> str:
    """Return what there is to tell of a task, with its report if that was asked for."""
    report = None
    if command.word == "report":
        # Imported here: few messages ask for a report.
        from model_queue.reporting import shown_report  # noqa: PLC0415

        report = shown_report(order.core, task)
    # Imported here: few messages ask for one task.
    from model_queue.messages import details  # noqa: PLC0415

    text = details.show(
        task, lang=order.lang, zone=order.zone, now=order.now, report=report
    )
    if command.word != "log":
        return text
    # Imported here: few messages ask for a log.
    from model_queue.messages.topics import on_log  # noqa: PLC0415

    return f"{text}\n{on_log(task.id, lang=order.lang)}"


def status_text(
    core: Core,
    *,
    source: str | None,
    chat: tuple[str, str, str] | None = None,
    columns: int | None = None,
    lang: str,
    now: dt.datetime,
) -> str:
    """Return the status table of all queues or one. Source: seed 003, Queue Status.

    ``chat`` gets its own notices with the same answer; None: nobody does. ``columns``
    is how wide a screen is, None for no screen.
    """
    metas = [m for m in core.store.queues() if source in {None, m.source}]
    tasks: dict[str, list[Task]] = {meta.source: [] for meta in metas}
    for task in core.store.select(Query(sources=(source,) if source else ())):
        tasks.setdefault(task.queue, []).append(task)
    outlook = standstills.outlook(core, chat=chat, now=now)
    if source is not None:
        outlook = outlook._replace(untold=())
    return messages.status(
        metas, tasks, columns=columns, lang=lang, now=now, outlook=outlook
    )
