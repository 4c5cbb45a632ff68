"""What ``doctor`` finds beside the settings' own problems, and what it brings back."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import suppress

from model_queue import inspection, messages, wiring
from model_queue.codec import format_time
from model_queue.commands.call import (
    Call,
    Reply,
    not_configured,
    refuse_inside_session,
)
from model_queue.core import parents_of
from model_queue.errors import ModelQueueError
from model_queue.launchers.local import PROGRAMS
from model_queue.settings import Problem, Settings, SourceSettings
from model_queue.store import Query


def restore(call: Call) -> Reply:
    """Get a queue going again whose file stops it, and run a pass.

    Raises:
        UnknownSource, NothingToRestore, NoEarlierVersion: nothing was changed.
    """
    refuse_inside_session(call)
    core = wiring.open_core(call.seen)
    done = core.store.restore(call.args.restore, take=call.args.take, now=call.now)

    def go_on() -> None:
        # The queue is restored whatever comes of this pass; the next one is the same.
        with suppress(ModelQueueError):
            call.run_pass(core)

    version = done.version
    return Reply(
        text=messages.restored(done, zone=call.zone, lang=call.lang),
        payload={
            "restored": {
                "source": done.source,
                "kind": done.kind,
                "path": version.path,
                "tasks": version.n_tasks,
                "open": version.n_open,
                "as_of": format_time(version.as_of),
                "aside": list(done.aside),
                "left_out": list(done.left_out),
            }
        },
        after=go_on,
    )


def found(call: Call, settings: Settings) -> Iterator[Problem]:
    """Yield what the configuration alone does not tell; nothing is written."""
    if not settings.sources:
        refusal = not_configured(call.lang)
        yield Problem(
            code="not_configured",
            text=str(refusal),
            hint=refusal.hint,
            fatal=True,
        )
    path = call.seen.environment.get("PATH", os.defpath)
    for source in settings.sources.values():
        yield from _launcher_problems(source, path)
    folder = list(_folder_problems(settings.queues_dir))
    yield from folder
    if not folder and not any(problem.fatal for problem in settings.problems):
        yield from _store_problems(call, settings)


def _launcher_problems(source: SourceSettings, path: str) -> Iterator[Problem]:
    if source.launcher != "host" and source.launcher not in PROGRAMS:
        have = ", ".join(["host", *sorted(PROGRAMS)])
        yield Problem(
            code="launcher_missing",
            text=f"source {source.name} has launcher {source.launcher}, "
            "which this version cannot start: its tasks will fail",
            hint=f"It has the launchers {have}; set launcher under "
            f"[sources.{source.name}] in task-queue.toml.",
        )
    if source.launcher == "command" and not _is_startable(source.command, path):
        yield Problem(
            code="program_missing",
            text=f"source {source.name} has the command {source.command[0]!r}, "
            "which is no program that can be started: its tasks will fail",
            hint="Install it, make it executable, or write its absolute path into command "
            f"under [sources.{source.name}] in task-queue.toml.",
        )


def _is_startable(command: tuple[str, ...], path: str) -> bool:
    """Report whether the program is there, True where only a task's start can tell.

    A relative path is looked for from the task's own directory, a placeholder is filled
    in then, and a missing command is a problem of the settings.
    """
    word = command[0] if command else ""
    is_relative = os.sep in word and not os.path.isabs(word)
    if not word or "{" in word or is_relative:
        return True
    return shutil.which(word, path=path) is not None


def _folder_problems(queues_dir: str) -> Iterator[Problem]:
    """Yield why the queues cannot lie there."""
    place = queues_dir
    while not os.path.lexists(place) and place != os.path.dirname(place):
        place = os.path.dirname(place)
    if not os.path.isdir(place):
        why = f"{place} is no directory"
    elif not os.access(place, os.R_OK | os.W_OK | os.X_OK):
        why = f"{place} cannot be written"
    else:
        return
    yield Problem(
        code="queues_dir",
        text=f"the queues cannot lie in {queues_dir}: {why}",
        hint="Mend that, or set MODEL_QUEUES_DIR to another directory.",
        fatal=True,
    )


def _store_problems(call: Call, settings: Settings) -> Iterator[Problem]:
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
