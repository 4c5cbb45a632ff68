"""What ``doctor`` finds beside the settings' own problems, and what it brings back."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import suppress

from model_queue import messages, wiring
from model_queue.codec import format_time
from model_queue.commands import findings, misplaced
from model_queue.commands.call import (
    Call,
    Reply,
    not_configured,
    refuse_inside_session,
)
from model_queue.errors import ModelQueueError
from model_queue.launchers.local import PROGRAMS
from model_queue.settings import Problem, Settings, SourceSettings


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
    if settings.notify_command and not _is_startable(settings.notify_command, path):
        yield Problem(
            code="notifier_missing",
            text=f"[notify] has the command {settings.notify_command[0]!r}, which is no "
            "program that can be started: what no chat shows is not told",
            hint="Install it, make it executable, or write its absolute path there.",
        )
    folder = list(_folder_problems(settings.queues_dir))
    yield from folder
    if not folder:
        yield from misplaced.found_in(settings.queues_dir)
    if not folder and not any(problem.fatal for problem in settings.problems):
        yield from findings.in_store(call, settings)


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
