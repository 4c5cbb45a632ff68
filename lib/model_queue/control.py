"""Use case: commands on tasks and queues, in a person's words.

Every answer is text: what was done, or what was refused and what to say instead.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from model_queue import messages, standstills
from model_queue.acting import act
from model_queue.core import Core
from model_queue.errors import ModelQueueError
from model_queue.intake import Command
from model_queue.intake.corpus import command_object
from model_queue.model import LIVE_STATUSES, Status, Task, TaskRef
from model_queue.orders import Order, Result
from model_queue.store import Batch, Hold, Query, Record

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
    ("fail 失败 出错 报错", (Status.FAILED,)),
    ("pend queue wait 排队 等 待 未", _QUEUED),
    ("block stuck 阻 卡 受阻", (Status.BLOCKED,)),
    ("paus 暂停 挂", (Status.PAUSED,)),
    ("run activ 运行 执行 进行", (Status.RUNNING,)),
    ("skip 跳", (Status.SKIPPED,)),
    ("cancel 取消", (Status.CANCELLED,)),
    ("done finish 完成", (Status.DONE,)),
    ("remain open left 剩", LIVE_STATUSES),
)
"""Beginnings of the words that narrow "all" to some statuses; the first that fits."""
_LOOKS = frozenset({"status", "show", "list"})
"""Commands that change nothing: their answer is the present one each time."""


def execute_all(
    core: Core,
    commands: Sequence[Command],
    *,
    key: str = "",
    chat: tuple[str, str, str] | None = None,
    lang: str,
    now: dt.datetime,
) -> Result:
    """Carry out commands in order; a refused one does not stop the others.

    ``key`` tells the message that holds them from every other, "" when nothing does.
    Delivered again under the same key, each command repeats its answer and does
    nothing. ``chat`` is where they were given, None when in none.
    """
    result = Result()
    whole = Order(core=core, now=now, lang=lang, key=key, chat=chat)
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
    if command.command not in _TARGETS:
        result.decline(messages.unknown_command(command.verb, lang=order.lang))
        return
    is_hold = command.command in {"pause", "resume"} and not command.ids
    if is_hold and (command.queue or command.all) and not command.word:
        _hold(order, command, result)
        return
    tasks = _targets(order, command, result)
    if not tasks and command.ids:
        return
    if not tasks:
        is_wide = command.all or command.queue is not None
        text = messages.nothing_to if is_wide else messages.ask_target
        result.decline(text(command.command, lang=order.lang))
        return
    running = [task for task in tasks if task.status is Status.RUNNING]
    is_stop = command.command in {"cancel", "skip", "pause"}
    if is_stop and len(running) > 1 and not command.ids:
        ids = [task.id for task in tasks]
        say_this = f"{command.command} {', '.join(ids)}"
        stopped = [task.id for task in running]
        result.decline(messages.ask_stop(stopped, say_this=say_this, lang=order.lang))
        return
    for task in tasks:
        try:
            act(order.part(str(task.ref)), command, task, result)
        except ModelQueueError as error:
            result.refuse(error, lang=order.lang)


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
    names = names or [meta.source for meta in order.core.store.queues()]
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
    order.core.store.commit(batch, now=order.now)
    said = messages.queue_paused if is_pause else messages.queue_resumed
    result.texts.extend(said(name, lang=order.lang) for name in names)
    if command.command == "resume" and command.all:
        for task in order.core.store.select(Query(statuses=(Status.PAUSED,))):
            act(order.part(str(task.ref)), command, task, result)


def _show(order: Order, command: Command, result: Result) -> None:
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
    for task in _named(order, command.ids, result):
        result.tasks.append(task)
        result.texts.append(messages.show(task, lang=order.lang, now=order.now))


def status_text(
    core: Core,
    *,
    source: str | None,
    chat: tuple[str, str, str] | None = None,
    lang: str,
    now: dt.datetime,
) -> str:
    """Return the status table of all queues or one. Source: seed 003, Queue Status.

    ``chat`` gets its own notices with the same answer; None: nobody does.
    """
    metas = [m for m in core.store.queues() if source in {None, m.source}]
    tasks: dict[str, list[Task]] = {meta.source: [] for meta in metas}
    for task in core.store.select(Query(sources=(source,) if source else ())):
        tasks.setdefault(task.queue, []).append(task)
    outlook = standstills.outlook(core, chat=chat, now=now)
    if source is not None:
        outlook = outlook._replace(untold=())
    return messages.status(metas, tasks, lang=lang, now=now, outlook=outlook)
