"""The command that shows what sessions printed: logs."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from typing import BinaryIO

from model_queue import codec
from model_queue.atomic import open_file
from model_queue.commands.bounds import count_of
from model_queue.commands.call import Call, Command, Reply, one_task
from model_queue.commands.happenings import Happenings, about, newest
from model_queue.core import Core
from model_queue.errors import InputError, StoreError
from model_queue.messages import following, following_texts
from model_queue.messages.wording import say
from model_queue.model import JsonObject, Status, Task
from model_queue.terminal import pause

LOG_LINES = 40
TAIL_BYTES = 1_000_000
LOOK_S = 0.3
_STREAMS = ("stdout", "stderr")
_NOT_DONE = 5
_NEEDS_A_PERSON = frozenset((Status.BLOCKED, Status.PAUSED))


def _flags(parser: argparse.ArgumentParser) -> None:
    one_task(parser)
    parser.add_argument(
        "-n",
        "--lines",
        type=int,
        default=LOG_LINES,
        metavar="N",
        help=f"last lines of each part (default {LOG_LINES})",
    )
    parser.add_argument(
        "--attempt", type=int, metavar="K", help="of that attempt, not the latest"
    )
    parser.add_argument(
        "-f",
        "--follow",
        action="store_true",
        help="go on until the task ends (exit 0 done, 5 not), or Ctrl-C",
    )


def logs(call: Call) -> Reply:
    """Show what a session of a task printed, and what happened to the task.

    Raises:
        InputError: the task has no such attempt.
    """
    core = call.open()
    task = call.find(core)
    attempt = _attempt(call, task)
    n_lines = count_of(int(call.args.lines), "--lines")
    if call.args.follow:
        if call.args.json:
            sentence = "--follow prints as it comes, which --json does not; use events"
            raise InputError(sentence, hint="model-queue events --follow --json")
        watch = _Following(call, core, task, n_lines)
        return Reply(stream=map(call.harmless, watch.lines()), ending=watch.ending)
    output = _output(core, task, attempt, n_lines)
    shown = attempt
    if call.args.attempt is None:
        # A new attempt that is silent yet says nothing of why the last one failed.
        while shown > 1 and not any(output.values()):
            shown -= 1
            output = _output(core, task, shown, n_lines)
    if not any(output.values()):
        shown = attempt
    happened = newest(core, about(task, None), limit=n_lines)
    parts = [_head(task, shown, attempt, lang=call.lang)]
    parts += [f"--- {name}\n{text}" for name, text in output.items() if text]
    if attempt and not any(output.values()):
        parts.append(say(following_texts.LOG_EMPTY, call.lang))
    parts += ["--- events", *map(following.event_line, happened)]
    payload: JsonObject = {
        "task": codec.encode_task(task),
        "attempt": shown,
        **output,
        "events": [codec.encode_record(event) for event in happened],
    }
    return Reply(text=call.harmless("\n".join(parts)), payload=payload)


def _attempt(call: Call, task: Task) -> int:
    wanted = call.args.attempt
    if wanted is None:
        return task.attempt
    if not 1 <= wanted <= task.attempt:
        has = f"1 to {task.attempt}" if task.attempt else "none yet"
        sentence = f"{task.id} has no attempt {wanted}; it has {has}"
        raise InputError(sentence)
    return int(wanted)


def _head(task: Task, shown: int, latest: int, *, lang: str) -> str:
    if not latest:
        return say(following_texts.LOG_NONE, lang, id=task.id)
    label = _label(task, shown)
    head = say(following_texts.LOG_HEAD, lang, id=task.id, attempt=shown, label=label)
    if shown == latest:
        return head
    earlier = say(following_texts.LOG_EARLIER, lang, latest=latest, attempt=shown)
    return f"{earlier}\n{head}"


def _label(task: Task, attempt: int) -> str:
    return f"mq-{task.id.lower()}-a{attempt}-{task.label_tail}"


def _output(core: Core, task: Task, attempt: int, n_lines: int) -> dict[str, str]:
    folder = core.folder.session_dir(_label(task, attempt))
    return {name: _tail(os.path.join(folder, name), n_lines) for name in _STREAMS}


def _tail(path: str, n_lines: int) -> str:
    try:
        with open(open_file(path), "rb") as file:
            file.seek(max(0, os.path.getsize(path) - TAIL_BYTES))
            data = file.read()
    except (OSError, StoreError):
        return ""
    return "\n".join(data.decode("utf-8", "replace").splitlines()[-n_lines:])


class _Following:
    """A task whose sessions somebody listens to."""

    def __init__(self, call: Call, core: Core, task: Task, n_lines: int) -> None:
        self._call = call
        self._core = core
        self._task = task
        self._n_lines = n_lines
        self._wanted = about(task, None)
        self._later = Happenings(core)

    def lines(self) -> Iterator[str]:
        """Yield what the sessions print and what happens, until nothing more comes.

        That is when the task has ended or needs a person; with ``--attempt`` when that
        attempt is over.
        """
        attempt = _attempt(self._call, self._task)
        if not attempt:
            yield _head(self._task, 0, 0, lang=self._call.lang)
        while True:
            if attempt:
                yield _head(self._task, attempt, attempt, lang=self._call.lang)
                yield from self._of_attempt(attempt)
            if self._call.args.attempt is not None:
                return
            while self._task.attempt == attempt:
                if self._task.status.is_terminal or self._needs_a_person:
                    yield following.ended(self._task, lang=self._call.lang)
                    return
                pause(LOOK_S)
                self._task = self._core.store.get(self._task.ref)
                yield from self._events()
            attempt = self._task.attempt

    def ending(self) -> Reply:
        """Return what the exit code is: that of ``wait``, 0 for an attempt that is over."""
        is_over = self._task.status is Status.DONE or self._call.args.attempt
        return Reply(exit_code=0 if is_over else _NOT_DONE)

    @property
    def _needs_a_person(self) -> bool:
        return self._task.status in _NEEDS_A_PERSON

    def _of_attempt(self, attempt: int) -> Iterator[str]:
        """Yield the lines of one attempt, those to come as well, until it is over."""
        label = _label(self._task, attempt)
        folder = self._core.folder.session_dir(label)
        files = [
            _Growing(os.path.join(folder, name), self._n_lines) for name in _STREAMS
        ]
        try:
            while True:
                self._task = self._core.store.get(self._task.ref)
                is_over = self._task.label != label
                for file in files:
                    yield from file.lines(is_over=is_over)
                yield from self._events()
                if is_over:
                    return
                pause(LOOK_S)
        finally:
            for file in files:
                file.close()

    def _events(self) -> Iterator[str]:
        for record in filter(self._wanted, self._later.new()):
            yield f"--- {following.event_line(record)}"


class _Growing:
    """A file that a session still writes."""

    def __init__(self, path: str, n_lines: int) -> None:
        self._path = path
        self._n_lines = n_lines
        self._file: BinaryIO | None = None
        self._rest = b""

    def lines(self, *, is_over: bool) -> list[str]:
        """Return the lines that were added; an unfinished one only when all is over."""
        is_first = self._file is None
        try:
            if self._file is None:
                self._file = open(open_file(self._path), "rb")  # noqa: SIM115 - until ``close``
                self._file.seek(max(0, os.path.getsize(self._path) - TAIL_BYTES))
            data = self._rest + self._file.read()
        except (OSError, StoreError):
            return []
        whole, _, self._rest = data.rpartition(b"\n")
        if is_over and self._rest:
            whole, self._rest = data, b""
        found = whole.decode("utf-8", "replace").splitlines()
        return found[-self._n_lines :] if is_first else found

    def close(self) -> None:
        """Let go of the file."""
        if self._file is not None:
            self._file.close()


COMMANDS: Sequence[Command] = (
    Command(
        name="logs",
        help="show what a task's session printed, and its events; --follow goes on",
        example="model-queue logs T-003 --follow",
        run=logs,
        flags=_flags,
        only_looks=True,
    ),
)
