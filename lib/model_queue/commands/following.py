"""Commands that go on looking: events, wait."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterator, Sequence

from model_queue import codec, waker
from model_queue.commands.bounds import count_of, seconds_of, since_of
from model_queue.commands.call import Call, Command, Reply
from model_queue.commands.happenings import Happenings, Wanted, about, newest
from model_queue.commands.looking import source_of
from model_queue.commands.targets import refs_of, split
from model_queue.core import Core
from model_queue.errors import InputError, ModelQueueError
from model_queue.messages import following
from model_queue.model import LIVE_STATUSES, JsonObject, Status, Task, TaskRef
from model_queue.store import Query, Record
from model_queue.terminal import pause, stamp

LOOK_S = 0.3
EVENTS_SHOWN = 20
PASS_AGAIN_S = 5.0
"""After which a moment that a pass left in the past is a reason for another pass."""
_TIMED_OUT = 6
_NOT_ALL_DONE = 5


def _events_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--task", metavar="TASK", help="only those of one task")
    parser.add_argument("--source", metavar="SOURCE", help="only those of one queue")
    parser.add_argument(
        "--since", metavar="TIME", help="from then on: 2h, 3d, today, RFC 3339"
    )
    parser.add_argument(
        "-n",
        "--lines",
        type=int,
        metavar="N",
        help=f"newest to begin with (default {EVENTS_SHOWN}; all with --since)",
    )
    parser.add_argument(
        "-f", "--follow", action="store_true", help="go on until Ctrl-C"
    )


def events(call: Call) -> Reply:
    """Show what happened to tasks and queues, oldest first.

    Raises:
        InputError: a number or a time that is none.
    """
    core = call.open()
    args = call.args
    task = call.find(core, args.task) if args.task else None
    wanted = about(task, source_of(core, args.source))
    since = args.since and since_of(args.since, now=call.now, zone=call.zone)
    limit = None if since else EVENTS_SHOWN
    if args.lines is not None:
        limit = count_of(args.lines, "--lines", least=0)
    # Made before the first look, so that nothing falls in between.
    later = Happenings(core) if args.follow else None
    found = newest(core, wanted, limit=limit, since=since or None)
    if later is not None:
        records = _followed(later, wanted, found)
        if args.json:
            return Reply(lines=map(codec.encode_record, records))
        return Reply(stream=map(following.event_line, records))
    lines = [following.event_line(record) for record in found]
    payload: JsonObject = {"events": [codec.encode_record(each) for each in found]}
    return Reply(text="\n".join(lines), payload=payload)


def _followed(
    later: Happenings, wanted: Wanted, shown: Sequence[Record]
) -> Iterator[Record]:
    """Yield the records that are there, then each one as it is written."""
    yield from shown
    # Written after the first look began, and seen by it already.
    known = list(shown)
    while True:
        new = [record for record in later.new() if wanted(record)]
        yield from (record for record in new if record not in known)
        known = []
        pause(LOOK_S)


def _wait_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "tasks", nargs="*", metavar="TASK", help="T-001, t1 or ollama-local/T-001"
    )
    parser.add_argument(
        "--all", action="store_true", help="every task that is not finished"
    )
    parser.add_argument(
        "--any", action="store_true", help="until one of them ends, not all"
    )
    parser.add_argument(
        "--timeout", type=float, metavar="SECONDS", help="give up after that"
    )


def wait(call: Call) -> Reply:
    """Wait until tasks have ended, or need a person.

    Exits 0 when all are done, 5 when one is not, 6 when the time is over.

    Raises:
        InputError: no task is named.
    """
    core = call.open()
    refs = [ref for word in split(call.args.tasks) for ref in refs_of(word)]
    if not refs and not call.args.all:
        sentence = "wait needs a task, like T-003, or --all"
        raise InputError(sentence, hint="See: model-queue wait --help")
    tasks = [call.find(core, ref) for ref in refs]
    if call.args.all:
        tasks += core.store.select(Query(statuses=LIVE_STATUSES))
    waiting = _Waiting(call, core, [task.ref for task in tasks])
    if call.args.json:
        for _ in waiting.lines():
            pass
        return waiting.reply()
    return Reply(stream=waiting.lines(), ending=waiting.reply)


class _Waiting:
    """Tasks that somebody waits for."""

    def __init__(self, call: Call, core: Core, refs: Sequence[TaskRef]) -> None:
        self._call = call
        self._core = core
        self._refs = list(dict.fromkeys(refs))
        self._ended: dict[TaskRef, Task] = {}
        self._is_late = False
        limit = call.args.timeout
        self._limit = None if limit is None else seconds_of(limit, "--timeout")
        self._tried: float | None = None
        self._try_again = 0.0

    def lines(self) -> Iterator[str]:
        """Yield a line for each task as it ends; return when the waiting is over."""
        until = None if self._limit is None else time.monotonic() + self._limit
        self._pass()
        last = ""
        while True:
            now = self._stamp()
            if now != last:
                last = now
                yield from self._newly_ended()
            if self._is_over():
                return
            if until is not None and time.monotonic() >= until:
                self._is_late = True
                return
            pause(LOOK_S)
            if self._is_due():
                self._pass()

    def _newly_ended(self) -> Iterator[str]:
        for ref in self._refs:
            task = self._core.store.get(ref)
            if ref not in self._ended and _has_ended(task):
                self._ended[ref] = task
                yield following.ended(task, lang=self._call.lang)

    def _is_over(self) -> bool:
        n_ended = len(self._ended)
        return n_ended == len(self._refs) or (self._call.args.any and n_ended > 0)

    def reply(self) -> Reply:
        """Return what the waiting came to."""
        tasks = [self._core.store.get(ref) for ref in self._refs]
        is_done = all(task.status is Status.DONE for task in self._ended.values())
        exit_code = _TIMED_OUT if self._is_late else 0 if is_done else _NOT_ALL_DONE
        text = ""
        if self._is_late:
            open_ones = [task for task in tasks if task.ref not in self._ended]
            text = following.still_open(open_ones, lang=self._call.lang)
        elif self._call.args.json or exit_code:
            text = following.ended_badly(
                [t for t in self._ended.values() if t.status is not Status.DONE],
                lang=self._call.lang,
            )
        payload: JsonObject = {"tasks": [codec.encode_task(task) for task in tasks]}
        code = "timeout" if self._is_late else "state"
        return Reply(text=text, payload=payload, exit_code=exit_code, code=code)

    def _pass(self) -> None:
        """Run a pass, whatever comes of it: what it could not do is not asked here."""
        if self._call.seen.environment.get("MODEL_QUEUE_WORKER") == "1":
            return
        try:
            self._call.run_pass(self._core)
        except ModelQueueError:
            return

    def _is_due(self) -> bool:
        """Report whether something is due that no waker may have done.

        What a pass could not do and left due does not make one pass follow the other.
        """
        due = waker.read_due(self._core.folder.path)
        now_s = time.monotonic()
        if due is None or due > self._call.clock.now().timestamp():
            return False
        if due == self._tried and now_s < self._try_again:
            return False
        self._tried, self._try_again = due, now_s + PASS_AGAIN_S
        return True

    def _stamp(self) -> str:
        names = {ref.source or "" for ref in self._refs}
        paths = [os.path.join(self._core.folder.path, f"{name}.json") for name in names]
        return " ".join(map(stamp, paths)) if all(names) else str(time.monotonic())


def _has_ended(task: Task) -> bool:
    return task.status.is_terminal or task.status is Status.BLOCKED


COMMANDS: Sequence[Command] = (
    Command(
        name="events",
        help="show what happened to tasks and queues; --follow goes on",
        example="model-queue events --follow --task T-003",
        run=events,
        flags=_events_flags,
        only_looks=True,
    ),
    Command(
        name="wait",
        help="wait until tasks end: exit 0 all done, 5 one not, 6 time over",
        example="model-queue wait T-001 T-002 --timeout 600",
        run=wait,
        flags=_wait_flags,
    ),
)
