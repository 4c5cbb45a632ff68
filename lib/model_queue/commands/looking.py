"""Commands that only look: status, list, show, result."""

from __future__ import annotations

import argparse
import datetime as dt
import sys
from collections.abc import Iterator, Sequence

from model_queue import codec, control
from model_queue.commands.bounds import count_of, seconds_of, since_of
from model_queue.commands.call import Call, Command, Reply, one_task
from model_queue.core import Core
from model_queue.errors import InputError, StateError, UnknownSource
from model_queue.messages import details, following_texts, overview
from model_queue.messages.wording import say
from model_queue.model import JsonObject, Status, Task
from model_queue.reporting import report_of
from model_queue.store import Query, QueueMeta
from model_queue.terminal import Terminal, pause

WATCH_S = 2.0
SHORTEST_WATCH_S = 0.2


def _status_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", nargs="?", metavar="SOURCE", help="only this queue")
    parser.add_argument(
        "--watch",
        nargs="?",
        type=float,
        const=WATCH_S,
        metavar="SECONDS",
        help=f"draw it anew every so often (default {WATCH_S:g}) until Ctrl-C",
    )


def status(call: Call) -> Reply:
    """Show every queue, or one; draw it again and again with ``--watch``.

    Raises:
        InputError: ``--watch`` where nobody looks, or with a span that is none.
    """
    core = call.open()
    source = source_of(core, call.args.source)
    if call.args.watch is not None:
        return Reply(stream=_pictures(call, core, source))
    text = _table(call, core, source)
    queues: JsonObject = {
        meta.source: _queue_object(core, meta)
        for meta in core.store.queues()
        if source in {None, meta.source}
    }
    return Reply(text=call.shown(text), payload={"queues": queues})


def _table(call: Call, core: Core, source: str | None) -> str:
    return control.status_text(
        core, source=source, columns=call.columns, lang=call.lang, now=call.now
    )


def _pictures(call: Call, core: Core, source: str | None) -> Iterator[str]:
    """Return the table, drawn over the one before, again and again."""
    screen = Terminal(sys.stdout, call.seen.environment)
    seconds = float(call.args.watch)
    if not screen.is_one or call.args.json:
        raise InputError(say(following_texts.NO_TERMINAL, call.lang))
    seconds = seconds_of(seconds, "--watch", least=SHORTEST_WATCH_S)
    note = call.note()

    def draw() -> Iterator[str]:
        while True:
            text = _table(call, core, source)
            yield screen.picture("\n\n".join(filter(None, (text, note))))
            pause(seconds)

    return draw()


def source_of(core: Core, name: str | None) -> str | None:
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
    parser.add_argument(
        "--since",
        metavar="TIME",
        help="only those added, started or ended since: 2h, 3d, today, RFC 3339",
    )
    parser.add_argument(
        "--archived", action="store_true", help="those in the archive instead"
    )
    parser.add_argument(
        "--limit", type=int, metavar="N", help="only the last N of them"
    )


def list_tasks(call: Call) -> Reply:
    """List tasks, one a line.

    Raises:
        InputError: a number or a time that is none.
    """
    core = call.open()
    args = call.args
    source = source_of(core, args.source)
    wanted = {Status(word) for word in args.status or ()}
    if args.dead:
        wanted.add(Status.FAILED)
    tasks = core.store.select(
        Query(
            sources=(source,) if source else (),
            statuses=tuple(s for s in Status if s in wanted),
            archived=args.archived,
        )
    )
    if args.since is not None:
        since = since_of(args.since, now=call.now, zone=call.zone)
        tasks = [task for task in tasks if _latest(task) >= since]
    if args.limit is not None:
        tasks = tasks[max(0, len(tasks) - count_of(args.limit, "--limit")) :]
    text = overview.listing(tasks, now=call.now, lang=call.lang, columns=call.columns)
    return Reply(
        text=call.shown(text),
        payload={"tasks": [codec.encode_task(task) for task in tasks]},
    )


def _latest(task: Task) -> dt.datetime:
    """Return when a task was added, started or ended, whichever was last."""
    times = (task.added_at, task.started_at, task.completed_at)
    return max(each for each in times if each is not None)


def show(call: Call) -> Reply:
    """Show one task with everything that is known of it."""
    core = call.open()
    task = call.find(core)
    text = details.show(task, now=call.now, lang=call.lang, zone=call.zone)
    return Reply(text=text, payload={"task": codec.encode_task(task)})


def result(call: Call) -> Reply:
    """Print the full report of a task.

    Raises:
        StateError: it has none.
    """
    core = call.open()
    task = call.find(core)
    report = report_of(core, task)
    if report is None:
        # An error, so that nothing lands in the file that the report is sent to.
        raise StateError(details.result(task, lang=call.lang))
    payload: JsonObject = {"task": codec.encode_task(task), "report": report}
    return Reply(text=call.harmless(report), payload=payload)


COMMANDS: Sequence[Command] = (
    Command(
        name="status",
        help="show every queue, or one, with what runs and waits",
        example="model-queue status ollama-local",
        run=status,
        flags=_status_flags,
        only_looks=True,
    ),
    Command(
        name="list",
        help="list tasks, one a line",
        example="model-queue list --status failed --source ollama-local",
        run=list_tasks,
        flags=_list_flags,
        only_looks=True,
    ),
    Command(
        name="show",
        help="show everything known of one task",
        example="model-queue show T-003",
        run=show,
        flags=one_task,
        only_looks=True,
    ),
    Command(
        name="result",
        help="print the full report of a task",
        example="model-queue result T-003 > report.md",
        run=result,
        flags=one_task,
        only_looks=True,
    ),
)
