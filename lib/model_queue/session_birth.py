"""The start of one session's process: held at a gate until it is on record."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import NamedTuple, NoReturn

from model_queue.launchers.environments import session_environment
from model_queue.launchers.finished import SessionPlan
from model_queue.launchers.session_files import PROMPT, STDERR, STDOUT


class NotStarted(Exception):  # noqa: N818 - no error of ours: the session's end
    """The session's program could not be run; the text says why."""


class Newborn(NamedTuple):
    """A session's process that waits at its gate."""

    pid: int
    outputs: Mapping[str, int]
    """The ends of its pipes that are read here, by the file that they fill."""


def bear(folder: str, plan: SessionPlan, record: Callable[[Newborn], None]) -> int:
    """Start the session in a process group of its own; return its pid.

    Between fork and exec it waits at a gate until ``record`` has returned. A supervisor
    that dies before opens the gate for nobody, and the session ends unborn.

    Raises:
        NotStarted: its program could not be run; it has been waited for.
    """
    gate, opener = os.pipe()
    failed, failure = os.pipe()
    outputs = {name: os.pipe() for name in (STDOUT, STDERR)}
    pid = os.fork()
    if pid == 0:
        os.close(opener)
        _become_session(folder, plan, gate, failure, outputs)
    for descriptor in (gate, failure, *(ends[1] for ends in outputs.values())):
        os.close(descriptor)
    try:
        record(Newborn(pid, {name: ends[0] for name, ends in outputs.items()}))
        # One that was killed at its gate has ended as any session that is killed.
        with suppress(BrokenPipeError):
            os.write(opener, b"1")
    finally:
        os.close(opener)
    with open(failed, "rb") as file:
        said = file.read()
    if said:
        os.waitpid(pid, 0)
        raise NotStarted(_why_not_started(said, plan))
    return pid


def _become_session(
    folder: str,
    plan: SessionPlan,
    gate: int,
    failure: int,
    outputs: Mapping[str, tuple[int, int]],
) -> NoReturn:
    """Turn the forked process into the session's program."""
    step = "prepare"
    try:
        os.setpgid(0, 0)
        if os.read(gate, 1) != b"1":
            os._exit(1)
        for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        given = os.path.join(folder, PROMPT)
        source = given if plan.reads_prompt else os.devnull
        os.dup2(os.open(source, os.O_RDONLY), 0)
        os.dup2(outputs[STDOUT][1], 1)
        os.dup2(outputs[STDERR][1], 2)
        step = "cwd"
        os.chdir(plan.cwd)
        step = "run"
        environment = session_environment(os.environ, plan, folder)
        argv = list(plan.argv)
        os.execvpe(argv[0], argv, environment)  # noqa: S606 - the configured argv
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        os.write(failure, f"{step} {why}".encode())
    finally:
        os._exit(127)


def _why_not_started(said: bytes, plan: SessionPlan) -> str:
    step, _, why = said.decode().partition(" ")
    if step == "cwd":
        return f"the folder {plan.cwd} cannot be entered: {why}"
    if step == "run":
        settings = f"check the settings of source {plan.queue}"
        return f"{plan.argv[0]} cannot be run: {why}; {settings}"
    return why
