"""What ``doctor`` finds in the queue directory."""

from __future__ import annotations

import os
from collections.abc import Iterator

from model_queue import inspection, wiring
from model_queue.commands.call import Call
from model_queue.core import Core, parents_of
from model_queue.errors import ModelQueueError, TaskNotFound, TaskRefError
from model_queue.model import TaskRef
from model_queue.settings import Problem, Settings
from model_queue.store import Query
from model_queue.stores import broken_archives

_RECORDS = 20_000
"""Newest audit records that are looked through for tasks that are gone."""
_MANY = 20


def in_store(call: Call, settings: Settings) -> Iterator[Problem]:
    """Yield what is wrong with queues, tasks, archive and disk; nothing is written."""
    try:
        core = wiring.open_core(call.seen, settings)
        # Reading a folder that is not there yet would be its first use.
        is_there = os.path.isdir(settings.queues_dir)
        metas = core.store.queues() if is_there else ()
        tasks = core.store.select(Query()) if is_there else ()
    except ModelQueueError as error:
        yield Problem(code=error.code, text=str(error), hint=error.hint, fatal=True)
        return
    for meta in metas:
        if meta.broken is not None:
            fault = meta.fault
            code = fault.code if fault else "corrupt_queue_file"
            hint = fault.hint if fault else ""
            yield Problem(code=code, text=meta.broken, hint=hint, fatal=True)
        elif meta.source not in settings.sources:
            yield Problem(
                code="source_removed",
                text=f"the queue {meta.source} has a file, but its source is not configured",
                hint="Its tasks stay where they are and do not run.",
            )
    yield from inspection.found_in(tasks, parents_of(core, tasks))
    yield from _archive_problems(settings.queues_dir)
    if is_there:
        yield from _disk_problems(core)
        yield from _untold(core)
        yield from _taken_out(core)


def _archive_problems(queues_dir: str) -> Iterator[Problem]:
    try:
        faults = list(broken_archives(queues_dir))
    except ModelQueueError as error:
        yield Problem(code=error.code, text=str(error), hint=error.hint)
        return
    for fault in faults:
        yield Problem(
            code="corrupt_archive_file",
            text=f"{fault.path} does not parse at line {fault.line}, column "
            f"{fault.column} ({fault.why}): its finished tasks are not found, and those "
            "of its month stay in their queue; no queue stands still for it",
            hint="Mend the file; it is never written over, and no copy of it is kept.",
        )


def _disk_problems(core: Core) -> Iterator[Problem]:
    if not core.folder.has_room():
        yield Problem(
            code="disk_full",
            text=f"the disk with {core.folder.path} has less than 1 MiB of free space: "
            "nothing new is started, and sessions that have ended wait with their reports",
            hint="Free some space; everything goes on by itself then.",
        )


def _untold(core: Core) -> Iterator[Problem]:
    waiting = core.store.undelivered()
    if waiting and core.settings.notify_command:
        yield Problem(
            code="notices_undelivered",
            text=f"{len(waiting)} notices have not reached anybody: the command of "
            "[notify] has not taken them",
            hint="Run it by hand with a text on its standard input; it must end with 0. "
            "The notices are offered again by themselves, or shown by `model-queue tick` "
            "to the chat that they are for.",
        )


def _taken_out(core: Core) -> Iterator[Problem]:
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
        report = f"results/{task_id}.md"
        has_report = os.path.isfile(core.folder.absolute(report))
        kept = f" Its report is {core.folder.absolute(report)}." if has_report else ""
        yield Problem(
            code="task_taken_out",
            text=f"{task_id} was added to {queue} and is in no queue and no archive any "
            "more: its line was taken out of the file, as by saving an older text",
            hint=f"Ask for the work again if it was not meant.{kept}",
        )
