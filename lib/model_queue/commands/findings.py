"""What ``doctor`` finds in the queue directory."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from model_queue import inspection, wiring
from model_queue.commands import leftovers, places, timekeeping
from model_queue.commands.call import Call
from model_queue.commands.timekeeping import Timer
from model_queue.core import Core, parents_of
from model_queue.errors import ModelQueueError, StoreBusy, TaskNotFound, TaskRefError
from model_queue.messages import checkup_texts as texts
from model_queue.messages.checkups import problem
from model_queue.messages.texts import COMMA, COUNTED, STATUS_WORDS
from model_queue.messages.wording import say
from model_queue.model import Status, Task, TaskRef
from model_queue.settings import Problem, Settings
from model_queue.store import Query, QueueMeta
from model_queue.stores import broken_archives

_NO_TIMER = Timer()
_RECORDS = 20_000
"""Newest audit records that are looked through for tasks that are gone."""
_MANY = 20


class Queues(NamedTuple):
    """One look at the queue directory."""

    core: Core | None = None
    """None: it could not be looked at."""
    fault: Problem | None = None
    """Why not."""
    is_there: bool = False
    """Before the first message there is no directory, and nothing in it."""
    metas: Sequence[QueueMeta] = ()
    tasks: Sequence[Task] = ()
    timer: Timer = _NO_TIMER


def look(call: Call, settings: Settings) -> Queues:
    """Open the queues and read them; nothing is written."""
    core: Core | None = None
    try:
        core = wiring.open_core(call.seen, settings)
        # Reading a folder that is not there yet would be its first use.
        is_there = os.path.isdir(settings.queues_dir)
        metas = core.store.queues() if is_there else ()
        tasks = core.store.select(Query()) if is_there else ()
    except StoreBusy as error:
        fault = _problem(error)
        return Queues(fault=places.of_lock(core, error, call.lang) if core else fault)
    except ModelQueueError as error:
        return Queues(fault=_problem(error))
    timer = timekeeping.look(call, core)
    return Queues(core, None, is_there, metas, tasks, timer)


def _problem(error: ModelQueueError) -> Problem:
    return Problem(code=error.code, text=str(error), hint=error.hint, fatal=True)


def in_store(call: Call, queues: Queues) -> Iterator[Problem]:
    """Yield what is wrong with queues, tasks, archive, sessions, timer and disk."""
    if queues.fault is not None:
        yield queues.fault
    core = queues.core
    if core is None:
        return
    yield from _of_queues(core, queues.metas, call.lang)
    yield from inspection.found_in(queues.tasks, parents_of(core, queues.tasks))
    yield from _archive_problems(core.folder.path, call.lang)
    if queues.is_there:
        yield from _of_folder(call, core, queues)
        yield from _untold(core, call.lang)
        yield from _taken_out(core, call.lang)


def _of_queues(core: Core, metas: Sequence[QueueMeta], lang: str) -> Iterator[Problem]:
    for meta in metas:
        if meta.broken is not None:
            fault = meta.fault
            code = fault.code if fault else "corrupt_queue_file"
            hint = fault.hint if fault else ""
            yield Problem(code=code, text=meta.broken, hint=hint, fatal=True)
        elif meta.source not in core.settings.sources:
            yield problem("source_removed", lang, {"source": meta.source})


def _of_folder(call: Call, core: Core, queues: Queues) -> Iterator[Problem]:
    lang, now = call.lang, call.now
    tasks, timer = queues.tasks, queues.timer
    yield from leftovers.found_in(core, tasks, lang=lang, now=now)
    yield from timekeeping.problems_of(timer, tasks, queues.metas, lang=lang, now=now)
    yield from places.of_permissions(core.folder.path, lang)
    yield from places.of_litter(core, lang, now=now)
    yield from places.of_clock(tasks, timer.last_at, lang=lang, now=now)
    if not core.folder.has_room():
        yield problem("disk_full", lang, {"path": core.folder.path})


def lines_of(call: Call, settings: Settings, queues: Queues) -> list[str]:
    """Return the lines about the queues for a person."""
    lines = [places.line_of(settings.queues_dir, call.lang)]
    for meta in queues.metas:
        counts: dict[Status, int] = {}
        for task in queues.tasks:
            if task.queue == meta.source:
                counts[task.status] = counts.get(task.status, 0) + 1
        lines.append(_line_of(meta, counts, call))
    if queues.is_there:
        lines += timekeeping.lines_of(
            queues.timer, lang=call.lang, now=call.now, zone=call.zone
        )
    return lines


def _line_of(meta: QueueMeta, counts: Mapping[Status, int], call: Call) -> str:
    words = [
        say(COUNTED, call.lang, n=counts[status], word=say(word, call.lang))
        for status, word in STATUS_WORDS.items()
        if status in counts
    ]
    if not words:
        words = [say(texts.QUEUE_EMPTY, call.lang)]
    if meta.broken is not None:
        words = [say(texts.QUEUE_BROKEN, call.lang)]
    elif meta.is_held(call.now):
        words.append(say(texts.QUEUE_HELD, call.lang))
    return f"{meta.source}: {say(COMMA, call.lang).join(words)}"


def _archive_problems(queues_dir: str, lang: str) -> Iterator[Problem]:
    try:
        faults = list(broken_archives(queues_dir))
    except ModelQueueError as error:
        yield Problem(code=error.code, text=str(error), hint=error.hint)
        return
    for fault in faults:
        facts = {
            "path": fault.path,
            "line": fault.line,
            "column": fault.column,
            "why": fault.why,
        }
        yield problem("corrupt_archive_file", lang, facts)


def _untold(core: Core, lang: str) -> Iterator[Problem]:
    waiting = core.store.undelivered()
    if waiting and core.settings.notify_command:
        yield problem("notices_undelivered", lang, {"n": len(waiting)})


def _taken_out(core: Core, lang: str) -> Iterator[Problem]:
    """Yield the tasks that were added, and that no queue and no archive holds any more."""
    added = [
        each for each in core.store.events(limit=_RECORDS) if each.event == "submit"
    ]
    gone: dict[str, str] = {}
    for record in added:
        if record.task_id and record.task_id not in gone:
            try:
                core.store.get(TaskRef.parse(record.task_id))
            except TaskRefError:
                continue
            except TaskNotFound:
                gone[record.task_id] = record.queue or ""
            except ModelQueueError:
                # Its queue stands still, which is told as such.
                continue
    for task_id, queue in list(gone.items())[:_MANY]:
        report = core.folder.absolute(f"results/{task_id}.md")
        has_report = os.path.isfile(report)
        kept = say(texts.REPORT_KEPT, lang, path=report) if has_report else ""
        facts = {"task": task_id, "queue": queue, "kept": kept}
        yield problem("task_taken_out", lang, facts)
