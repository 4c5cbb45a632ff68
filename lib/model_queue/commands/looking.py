"""Commands that only look: status, list, show, result, logs."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

from model_queue import codec, control
from model_queue.atomic import open_file
from model_queue.commands.call import Call, Command, Reply, one_task
from model_queue.core import Core
from model_queue.errors import StateError, StoreError, UnknownSource
from model_queue.labels import latest_label
from model_queue.messages import overview
from model_queue.model import JsonObject, Status, Task
from model_queue.store import Query, QueueMeta, Record

LOG_LINES = 40
TAIL_BYTES = 1_000_000
EVENTS_READ = 20_000
"""Newest audit records among which those of a task are looked for."""


def status(call: Call) -> Reply:
    """Show every queue, or one."""
    core = call.open()
    source = _source(core, call.args.source)
    text = control.status_text(core, source=source, lang=call.lang, now=call.now)
    queues: JsonObject = {
        meta.source: _queue_object(core, meta)
        for meta in core.store.queues()
        if source in {None, meta.source}
    }
    return Reply(text=text, payload={"queues": queues})


def _source(core: Core, name: str | None) -> str | None:
    """Return a source by the name a person gives it, None for all.

    Raises:
        UnknownSource: no queue has that name.
    """
    if name is None:
        return None
    wanted = name.lower().replace("_", "-")
    known = [meta.source for meta in core.store.queues()]
    known += [each for each in core.settings.sources if each not in known]
    if wanted not in known:
        raise UnknownSource(name=name, known=known)
    return wanted


def _queue_object(core: Core, meta: QueueMeta) -> JsonObject:
    tasks = core.store.select(Query(sources=(meta.source,)))
    counts: dict[str, int] = {}
    for task in tasks:
        counts[task.status.value] = counts.get(task.status.value, 0) + 1
    hold = meta.paused
    paused: JsonObject | None = None
    if hold is not None:
        paused = {
            "at": codec.format_time(hold.at),
            "by": hold.by,
            "reason": hold.reason,
        }
        if hold.until is not None:
            paused["until"] = codec.format_time(hold.until)
    return {
        "models": list(meta.models),
        "max_concurrent": core.settings.slots_for(meta.source, meta.max_concurrent),
        "paused": paused,
        "broken": meta.broken,
        "counts": {**counts},
        "tasks": [codec.encode_task(task) for task in tasks],
    }


def _list_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--source", help="only tasks of this source")
    parser.add_argument(
        "--status",
        action="append",
        choices=[status.value for status in Status],
        metavar="STATUS",
        help="only tasks in this status; may be given again",
    )
    parser.add_argument(
        "--dead", action="store_true", help="only failed tasks with no attempt left"
    )


def list_tasks(call: Call) -> Reply:
    """List tasks, one a line."""
    core = call.open()
    source = _source(core, call.args.source)
    wanted = {Status(word) for word in call.args.status or ()}
    if call.args.dead:
        wanted.add(Status.FAILED)
    tasks = core.store.select(
        Query(
            sources=(source,) if source else (),
            statuses=tuple(s for s in Status if s in wanted),
        )
    )
    text = overview.listing(tasks, now=call.now, lang=call.lang)
    return Reply(
        text=text, payload={"tasks": [codec.encode_task(task) for task in tasks]}
    )


def show(call: Call) -> Reply:
    """Show one task with everything that is known of it."""
    core = call.open()
    task = call.find(core)
    text = overview.show(task, now=call.now, lang=call.lang, zone=call.zone)
    return Reply(text=text, payload={"task": codec.encode_task(task)})


def result(call: Call) -> Reply:
    """Print the full report of a task.

    Raises:
        StateError: it has none.
    """
    core = call.open()
    task = call.find(core)
    report = _report_of(core, task)
    if report is None:
        # An error, so that nothing lands in the file that the report is sent to.
        raise StateError(overview.result(task, lang=call.lang))
    payload: JsonObject = {"task": codec.encode_task(task), "report": report}
    return Reply(text=report, payload=payload)


def _report_of(core: Core, task: Task) -> str | None:
    full = core.folder.read_result(task.result_path) if task.result_path else None
    return full or task.result or None


def _logs_flags(parser: argparse.ArgumentParser) -> None:
    one_task(parser)
    parser.add_argument(
        "-n",
        "--lines",
        type=int,
        default=LOG_LINES,
        metavar="N",
        help=f"last lines of each part (default {LOG_LINES})",
    )


def logs(call: Call) -> Reply:
    """Show what the latest session of a task printed, and what happened to the task."""
    core = call.open()
    task = call.find(core)
    folder = core.folder.session_dir(latest_label(task))
    n_lines = max(1, int(call.args.lines))
    output = {
        name: _tail(os.path.join(folder, name), n_lines)
        for name in ("stdout", "stderr")
    }
    events = [
        record
        for record in core.store.events(limit=EVENTS_READ)
        if record.task_id == task.id and record.queue in {None, task.queue}
    ][-n_lines:]
    parts = [f"{task.id}: {latest_label(task)}"] if task.attempt else [task.id]
    parts += [f"--- {name}\n{text}" for name, text in output.items() if text]
    parts += ["--- events", *(_event_line(event) for event in events)]
    payload: JsonObject = {
        "task": codec.encode_task(task),
        **output,
        "events": [codec.encode_record(event) for event in events],
    }
    return Reply(text="\n".join(parts), payload=payload)


def _tail(path: str, n_lines: int) -> str:
    try:
        with open(open_file(path), "rb") as file:
            file.seek(max(0, os.path.getsize(path) - TAIL_BYTES))
            data = file.read()
    except (OSError, StoreError):
        return ""
    return "\n".join(data.decode("utf-8", "replace").splitlines()[-n_lines:])


def _event_line(record: Record) -> str:
    when = codec.format_time(record.ts.replace(microsecond=0))
    moved = ""
    if record.before != record.after:
        moved = f" {record.before} -> {record.after}"
    detail = f" ({record.detail})" if record.detail else ""
    return f"{when} {record.event}{moved}{detail}"


COMMANDS: Sequence[Command] = (
    Command(
        name="status",
        help="show every queue, or one, with what runs and waits",
        example="model-queue status ollama-local",
        run=status,
        flags=lambda parser: parser.add_argument(
            "source", nargs="?", metavar="SOURCE", help="only this queue"
        ),
    ),
    Command(
        name="list",
        help="list tasks, one a line",
        example="model-queue list --status failed --source ollama-local",
        run=list_tasks,
        flags=_list_flags,
    ),
    Command(
        name="show",
        help="show everything known of one task",
        example="model-queue show T-003",
        run=show,
        flags=one_task,
    ),
    Command(
        name="result",
        help="print the full report of a task",
        example="model-queue result T-003 > report.md",
        run=result,
        flags=one_task,
    ),
    Command(
        name="logs",
        help="show a task's latest session output and its events",
        example="model-queue logs T-003 -n 20",
        run=logs,
        flags=_logs_flags,
    ),
)
