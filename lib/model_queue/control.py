"""Use case: commands on tasks and queues, in a person's words.

Every answer is text: what was done, or what was refused and what to say instead.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from model_queue import dependencies, messages, transitions
from model_queue.core import Core, move, parents_of, stop_actions
from model_queue.errors import ModelQueueError, StaleTask
from model_queue.intake import Command
from model_queue.intake.corpus import command_object
from model_queue.model import LIVE_STATUSES, JsonObject, Status, Task, TaskRef
from model_queue.store import Batch, Change, Hold, Query, Record
from model_queue.transitions import DependencyState, Event, Facts

EVENTS = {
    "cancel": Event.CANCEL,
    "clear": Event.CANCEL,
    "skip": Event.SKIP,
    "retry": Event.RETRY,
    "rerun": Event.RERUN,
    "pause": Event.PAUSE,
    "resume": Event.RESUME,
    "unblock": Event.UNBLOCK,
}
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


@dataclass(slots=True, kw_only=True)
class Result:
    """What commands led to; filled while they run."""

    texts: list[str] = field(default_factory=list[str])
    control: list[JsonObject] = field(default_factory=list[JsonObject])
    actions: list[JsonObject] = field(default_factory=list[JsonObject])
    tasks: list[Task] = field(default_factory=list[Task])
    is_refused: bool = False

    @property
    def text(self) -> str:
        """The whole answer for the chat."""
        return "\n".join(self.texts)

    def refuse(self, error: ModelQueueError, *, lang: str) -> None:
        """Add a refusal: what was refused and the next step."""
        self.decline(messages.refused(error, lang=lang))

    def decline(self, text: str) -> None:
        """Add a sentence that says what was not done."""
        self.texts.append(text)
        self.is_refused = True


def execute_all(
    core: Core, commands: Sequence[Command], *, lang: str, now: dt.datetime
) -> Result:
    """Carry out commands in order; a refused one does not stop the others."""
    result = Result()
    for command in commands:
        result.control.append(command_object(command))
        try:
            _execute(core, command, result, lang=lang, now=now)
        except ModelQueueError as error:
            result.refuse(error, lang=lang)
    return result


def _execute(
    core: Core, command: Command, result: Result, *, lang: str, now: dt.datetime
) -> None:
    if command.command in {"status", "show", "list"}:
        _show(core, command, result, lang=lang, now=now)
        return
    if command.command not in _TARGETS:
        result.decline(messages.unknown_command(command.verb, lang=lang))
        return
    is_hold = command.command in {"pause", "resume"} and not command.ids
    if is_hold and (command.queue or command.all) and not command.word:
        _hold(core, command, result, lang=lang, now=now)
        return
    tasks = _targets(core, command, result, lang=lang)
    if not tasks and command.ids:
        return
    if not tasks:
        is_wide = command.all or command.queue is not None
        text = messages.nothing_to if is_wide else messages.ask_target
        result.decline(text(command.command, lang=lang))
        return
    running = [task for task in tasks if task.status is Status.RUNNING]
    is_stop = command.command in {"cancel", "skip", "pause"}
    if is_stop and len(running) > 1 and not command.ids:
        ids = [task.id for task in tasks]
        say_this = f"{command.command} {', '.join(ids)}"
        stopped = [task.id for task in running]
        result.decline(messages.ask_stop(stopped, say_this=say_this, lang=lang))
        return
    for task in tasks:
        try:
            _act(core, command, task, result, lang=lang, now=now)
        except ModelQueueError as error:
            result.refuse(error, lang=lang)


def _targets(
    core: Core, command: Command, result: Result, *, lang: str
) -> Sequence[Task]:
    """Return the tasks a command names; ids that name none or several are refused."""
    if command.ids:
        return _named(core, command.ids, result, lang=lang)
    if not command.all and command.queue is None:
        return []
    sources = (core.source(command.queue).name,) if command.queue else ()
    statuses = _TARGETS.get(command.verb, _TARGETS[command.command])
    if command.word:
        statuses = _statuses_of(command.word)
    if not statuses:
        # A narrowing that is not understood must not become everything.
        return []
    return core.store.select(Query(statuses=statuses, sources=sources))


def _named(
    core: Core, ids: Sequence[str], result: Result, *, lang: str
) -> Sequence[Task]:
    """Return the tasks of ids; one that is wrong does not stop the others."""
    found: list[Task] = []
    for ref in ids:
        try:
            found.append(core.store.get(TaskRef.parse(ref)))
        except ModelQueueError as error:
            result.refuse(error, lang=lang)
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


def _act(
    core: Core,
    command: Command,
    task: Task,
    result: Result,
    *,
    lang: str,
    now: dt.datetime,
) -> None:
    if command.command == "priority":
        task = _set_priority(core, task, command.value or 0, now=now)
        result.texts.append(messages.priority_set(task, lang=lang))
        result.tasks.append(task)
        return
    verb = command.verb if command.verb in EVENTS else command.command
    if verb == "retry" and task.status is Status.DONE:
        result.decline(messages.ask_rerun(task, lang=lang))
        return
    task = act(core, verb, task, result, now=now)
    result.tasks.append(task)
    result.texts.append(_said(core, verb, task, lang=lang))


def act(core: Core, verb: str, task: Task, result: Result, *, now: dt.datetime) -> Task:
    """Take the step that a command's verb asks for; return the task as stored.

    Raises:
        IllegalTransition: the task's status does not allow it; the hint says what does.
    """
    event = EVENTS[verb]
    if verb == "rerun" and task.status is not Status.DONE:
        event = Event.RETRY
    if event in {Event.RETRY, Event.RERUN}:
        # Refused before anything is touched: the old report stays where it is then.
        transitions.step(task, event, _facts(core, task, now=now))
        core.folder.keep_old_result(task)
    step = move(core, task, event, lambda t: _facts(core, t, now=now), now=now)
    result.actions.extend(stop_actions(core, step))
    return core.store.get(step.after.ref)


def _facts(core: Core, task: Task, *, now: dt.datetime) -> Facts:
    lookup = parents_of(core)
    verdict = dependencies.state_of(task, lookup)
    is_done = verdict.state is DependencyState.DONE
    return Facts(
        now=now,
        label=task.label,
        until_terminal=core.slot_policy(task.queue),
        dependency=verdict.state,
        failed_dependency=verdict.failed,
        context_input=dependencies.context_of(task, lookup, now) if is_done else None,
    )


def _set_priority(core: Core, task: Task, value: int, *, now: dt.datetime) -> Task:
    while True:
        change = Change(before=task, after=replace(task, priority=value))
        record = Record(
            ts=now,
            event="priority",
            task_id=task.id,
            queue=task.queue,
            detail=str(value),
        )
        try:
            core.store.commit(Batch(changes=[change], records=[record]), now=now)
        except StaleTask:
            task = core.store.get(task.ref)
            continue
        return core.store.get(task.ref)


def _said(core: Core, verb: str, task: Task, *, lang: str) -> str:
    texts: dict[str, Callable[..., str]] = {
        "cancel": messages.cancelled,
        "clear": messages.cancelled,
        "skip": messages.skipped,
        "pause": messages.paused,
        "resume": messages.resumed,
        "unblock": messages.unblocked,
    }
    if verb in texts:
        return texts[verb](task, lang=lang)
    lookup = parents_of(core)
    verdict = dependencies.state_of(task, lookup)
    waiting_on = list(verdict.open)
    if verdict.failed is not None:
        parent = lookup(verdict.failed)
        word = parent.status.value if parent else "unknown"
        waiting_on.insert(0, f"{verdict.failed} ({word})")
    skipped = [
        other.id
        for other in core.store.select(Query(statuses=(Status.SKIPPED,)))
        if task.id in other.depends_on or str(task.ref) in other.depends_on
    ]
    return messages.requeued(
        task, waiting_on=waiting_on, still_skipped=skipped, lang=lang
    )


def _hold(
    core: Core, command: Command, result: Result, *, lang: str, now: dt.datetime
) -> None:
    """Pause or resume whole queues: a flag on the queue, no task moves."""
    names = [core.source(command.queue).name] if command.queue else []
    names = names or [meta.source for meta in core.store.queues()]
    is_pause = command.command == "pause"
    hold = Hold(at=now, by="user", reason="paused by you") if is_pause else None
    records = [
        Record(ts=now, event=f"queue_{command.command}", queue=name) for name in names
    ]
    core.store.commit(Batch(holds=dict.fromkeys(names, hold), records=records), now=now)
    said = messages.queue_paused if is_pause else messages.queue_resumed
    result.texts.extend(said(name, lang=lang) for name in names)
    if command.command == "resume" and command.all:
        for task in core.store.select(Query(statuses=(Status.PAUSED,))):
            _act(core, command, task, result, lang=lang, now=now)


def _show(
    core: Core, command: Command, result: Result, *, lang: str, now: dt.datetime
) -> None:
    if not command.ids:
        source = core.source(command.queue).name if command.queue else None
        result.texts.append(status_text(core, source=source, lang=lang, now=now))
        return
    for task in _named(core, command.ids, result, lang=lang):
        result.tasks.append(task)
        result.texts.append(messages.show(task, lang=lang, now=now))


def status_text(core: Core, *, source: str | None, lang: str, now: dt.datetime) -> str:
    """Return the status table of all queues or one. Source: seed 003, Queue Status."""
    metas = [m for m in core.store.queues() if source in {None, m.source}]
    tasks: dict[str, list[Task]] = {meta.source: [] for meta in metas}
    for task in core.store.select(Query(sources=(source,) if source else ())):
        tasks.setdefault(task.queue, []).append(task)
    return messages.status(metas, tasks, lang=lang, now=now)
