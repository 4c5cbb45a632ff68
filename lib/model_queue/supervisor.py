"""The detached process beside one session: runs it, watches it, says how it ended.

It holds the lock of the session's folder from its birth to its death. Order that
matters: the session is recorded before its first instruction; its whole process group
is gone before ``outcome.json`` is written; that is written before the next pass runs.
Whatever happens here short of a kill, an outcome is left.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import select
import signal
import time
import traceback
from collections.abc import Callable
from dataclasses import replace
from typing import NoReturn

from model_queue import detached, processes
from model_queue.errors import ConflictError
from model_queue.launchers.capped_file import CappedFile
from model_queue.launchers.environments import session_environment
from model_queue.launchers.finished import Finished, SessionPlan
from model_queue.launchers.outcomes import encode_outcome
from model_queue.launchers.session_files import (
    HEARTBEAT,
    LOCK,
    OUTCOME,
    PLAN,
    PROCESS,
    PROMPT,
    STDERR,
    STDOUT,
    STOP,
)
from model_queue.model import ErrorClass, Outcome
from model_queue.ports import SystemClock
from model_queue.processes import Identity

STEP_S = 0.25
"""Longest wait between two looks at clock and stop file."""
BEAT_S = 1.0
LEFTOVER_GRACE_S = 0.5
"""For what a session that ended by itself left running in its group."""
COMPLETION_LIMIT_S = 120
"""Longest time for the pass after the end; a later pass finds the outcome as well."""
DISK_PATIENCE_S = 300.0
"""How long a disk that fails is waited for before the outcome is given up.

A full one is waited for without end: a finished session's work is worth a process.
"""
LONGEST_DISK_WAIT_S = 15.0
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_CHUNK = 1 << 16
_STDERR = 2
_REQUESTS_TO_END = frozenset({signal.SIGTERM, signal.SIGINT, signal.SIGHUP})


class NotStarted(Exception):  # noqa: N818 - no error of ours: the session's end
    """The session's program could not be run; the text says why."""


class Supervisor:
    """Runs one session from its start to the last of its processes."""

    def __init__(self, folder: str, plan: SessionPlan) -> None:
        self._folder = folder
        self._plan = plan
        self._session: Identity | None = None
        self._outputs: dict[int, CappedFile] = {}
        """By the pipe's end that is read here."""
        self._wakeup, self._alarm = os.pipe()
        self._began = self._beaten = time.monotonic()
        self._kill_at: float | None = None
        self._is_told_to_end = False
        """Somebody sent this process a signal."""
        self.ending: str | None = None
        """Why the session is being ended: ``stop``, ``timeout`` or ``signal``.

        ``signal`` is also a folder that was removed: nobody could find the session any
        more, so it must not go on.
        """

    def run(self) -> Finished:
        """Run the session; return when nothing of its process group is left.

        Raises:
            NotStarted: it never ran.
        """
        self._listen()
        self._beat()
        if self._is_asked_to_stop():
            self.ending = "stop"
            return self._finished(None)
        pid = self._start()
        while not _has_exited(pid):
            self._step()
        self._end_group()
        _, status = os.waitpid(pid, 0)
        self._drain()
        return self._finished(os.waitstatus_to_exitcode(status))

    def _listen(self) -> None:
        """Let signals interrupt the waiting, and do nothing else by themselves."""
        os.set_blocking(self._alarm, False)
        os.set_blocking(self._wakeup, False)
        signal.set_wakeup_fd(self._alarm, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, self._note_signal)
        for number in _REQUESTS_TO_END:
            signal.signal(number, self._note_signal)

    def _note_signal(self, number: int, _frame: object) -> None:
        self._is_told_to_end |= number in _REQUESTS_TO_END

    def _finished(self, exit_code: int | None) -> Finished:
        return Finished(
            plan=self._plan,
            session_dir=self._folder,
            exit_code=exit_code,
            duration_s=round(time.monotonic() - self._began, 3),
            ended_at=SystemClock().now(),
        )

    def _start(self) -> int:
        """Start the session in a process group of its own; return its pid.

        Between fork and exec it waits at a gate until it is on record. A supervisor
        that dies before opens the gate for nobody, and the session ends unborn.
        """
        gate, opener = os.pipe()
        failed, failure = os.pipe()
        outputs = {name: os.pipe() for name in (STDOUT, STDERR)}
        pid = os.fork()
        if pid == 0:
            os.close(opener)
            self._become_session(gate, failure, outputs)
        for descriptor in (gate, failure, *(ends[1] for ends in outputs.values())):
            os.close(descriptor)
        try:
            for name, (end, _) in outputs.items():
                os.set_blocking(end, False)
                self._outputs[end] = CappedFile(os.path.join(self._folder, name))
            self._record(pid)
            os.write(opener, b"1")
        finally:
            os.close(opener)
        with open(failed, "rb") as file:
            said = file.read()
        if said:
            os.waitpid(pid, 0)
            self._drain()
            raise NotStarted(_why_not_started(said, self._plan))
        return pid

    def _record(self, pid: int) -> None:
        # Done on both sides of the fork: whoever comes first, the group exists here.
        with contextlib.suppress(OSError):
            os.setpgid(pid, pid)
        self._session = processes.identify(pid)
        own = processes.identify(os.getpid())
        record = {
            "supervisor": own._asdict() if own else None,
            "session": self._session._asdict() if self._session else None,
        }
        _replace_file(self._folder, PROCESS, json.dumps(record))

    def _become_session(
        self, gate: int, failure: int, outputs: dict[str, tuple[int, int]]
    ) -> NoReturn:
        """Turn the forked process into the session's program."""
        step = "prepare"
        try:
            os.setpgid(0, 0)
            if os.read(gate, 1) != b"1":
                os._exit(1)
            for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT):
                signal.signal(number, signal.SIG_DFL)
            given = os.path.join(self._folder, PROMPT)
            source = given if self._plan.reads_prompt else os.devnull
            os.dup2(os.open(source, os.O_RDONLY), 0)
            os.dup2(outputs[STDOUT][1], 1)
            os.dup2(outputs[STDERR][1], 2)
            step = "cwd"
            os.chdir(self._plan.cwd)
            step = "run"
            environment = session_environment(dict(os.environ), self._plan)
            argv = list(self._plan.argv)
            os.execvpe(argv[0], argv, environment)  # noqa: S606 - the configured argv
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else error
            os.write(failure, f"{step} {why}".encode())
        finally:
            os._exit(127)

    def _step(self) -> None:
        """Wait for news, at most ``STEP_S``, and do what is due."""
        readable, _, _ = select.select([self._wakeup, *self._outputs], [], [], STEP_S)
        for descriptor in readable:
            if descriptor == self._wakeup:
                os.read(self._wakeup, _CHUNK)
            else:
                self._read(descriptor)
        self._beat()
        self._enforce()

    def _read(self, descriptor: int) -> bool:
        """Take what a pipe holds; report whether there may be more."""
        try:
            data = os.read(descriptor, _CHUNK)
        except BlockingIOError:
            return False
        if data:
            self._outputs[descriptor].write(data)
            return True
        self._close(descriptor)
        return False

    def _close(self, descriptor: int) -> None:
        file = self._outputs.pop(descriptor)
        file.close()
        os.close(descriptor)
        if file.fault:
            log(file.fault)

    def _beat(self) -> None:
        now = time.monotonic()
        path = os.path.join(self._folder, HEARTBEAT)
        if now - self._beaten >= BEAT_S or not os.path.exists(path):
            self._beaten = now
            # A full disk stops the beat, not the session.
            with contextlib.suppress(OSError):
                os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600))
                os.utime(path)

    def _enforce(self) -> None:
        """End the session when it is time to: first ask, then kill."""
        now = time.monotonic()
        if self._kill_at is None:
            self.ending = self._reason_to_end(now)
            if self.ending is not None:
                self._kill_at = now + self._plan.grace_s
                self._signal(signal.SIGTERM)
        elif now >= self._kill_at:
            self._signal(signal.SIGKILL)

    def _reason_to_end(self, now: float) -> str | None:
        if self._is_asked_to_stop():
            return "stop"
        if self._is_told_to_end or not _holds_lock(self._folder):
            return "signal"
        return "timeout" if now - self._began >= self._plan.timeout_s else None

    def _is_asked_to_stop(self) -> bool:
        return os.path.exists(os.path.join(self._folder, STOP))

    def _signal(self, number: signal.Signals) -> bool:
        return self._session is not None and processes.kill_group(self._session, number)

    def _end_group(self) -> None:
        """End what the session left running in its group; return when it is gone.

        The session's own process is dead but not yet waited for: while it is a zombie
        the number of the group belongs to it.
        """
        session = self._session
        if session is None or not self._signal(signal.SIGTERM):
            return
        if self._kill_at is None:
            self._kill_at = time.monotonic() + LEFTOVER_GRACE_S
        while processes.group_is_alive(session):
            self._step()

    def abandon(self) -> None:
        """Kill the session after a fault of this process; return when it is gone."""
        while self._signal(signal.SIGKILL):
            time.sleep(STEP_S / 10)  # noqa: TID251 - a process of its own may wait

    def _drain(self) -> None:
        """Read what is left in the pipes; a daemon that holds one open is not waited for."""
        for descriptor in list(self._outputs):
            while self._read(descriptor):
                pass
        for descriptor in list(self._outputs):
            self._close(descriptor)


def _holds_lock(folder: str) -> bool:
    return detached.is_same_file(detached.KEPT_FD, os.path.join(folder, LOCK))


def _has_exited(pid: int) -> bool:
    """Report whether a child has ended, without taking its number from it."""
    if not hasattr(os, "waitid"):
        # macOS before Python 3.13.
        found = processes.find_process(pid)
        return found is None or found.is_dead
    flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
    return os.waitid(os.P_PID, pid, flags) is not None


def _why_not_started(said: bytes, plan: SessionPlan) -> str:
    step, _, why = said.decode().partition(" ")
    if step == "cwd":
        return f"the folder {plan.cwd} cannot be entered: {why}"
    if step == "run":
        settings = f"check the settings of source {plan.queue}"
        return f"{plan.argv[0]} cannot be run: {why}; {settings}"
    return why


def _outcome_of(supervisor: Supervisor) -> Outcome:
    """Run the session and return how it ended; the supervisor's word goes first."""
    try:
        finished = supervisor.run()
    except NotStarted as error:
        return _failed(ErrorClass.BAD_REQUEST, str(error))
    if finished.exit_code is None:
        return Outcome(result_status="cancelled", error_message="stopped before it ran")
    outcome = _read(finished)
    match supervisor.ending:
        case "stop":
            return _ended(outcome, "cancelled", None, "it was stopped")
        case "timeout":
            limit = f"it had no result within {finished.plan.timeout_s:g} s"
            return _ended(outcome, "failed", ErrorClass.TIMEOUT, limit)
        case "signal":
            told = "its supervisor was told to end, as at a shutdown"
            return _ended(outcome, "lost", ErrorClass.LOST, told)
        case _:
            return outcome


def _read(finished: Finished) -> Outcome:
    try:
        # Imported here: the session started before anybody could read it.
        from model_queue.launchers.readers import READERS  # noqa: PLC0415

        return READERS[finished.plan.program](finished)
    except Exception:  # noqa: BLE001 - a reading that fails must not lose the session
        log(traceback.format_exc())
        return _failed(ErrorClass.TRANSIENT, "what it wrote could not be read")


def _ended(
    outcome: Outcome, status: str, error_class: ErrorClass | None, message: str
) -> Outcome:
    return replace(
        outcome,
        result_status=status,
        result=None,
        summary=None,
        error_class=error_class,
        error_message=message,
        until=None,
    )


def _failed(error_class: ErrorClass, message: str) -> Outcome:
    return Outcome(
        result_status="failed", error_class=error_class, error_message=message
    )


def _replace_file(folder: str, name: str, text: str, *, durable: bool = False) -> None:
    path = os.path.join(folder, name)
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
    descriptor = os.open(path + ".new", flags, 0o600)
    with open(descriptor, "w", encoding="utf-8", errors="replace") as file:
        file.write(text)
        if durable:
            file.flush()
            os.fsync(file.fileno())
    os.replace(path + ".new", path)
    if durable:
        directory = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)


def write_outcome(folder: str, outcome: Outcome) -> None:
    """Store the outcome, as soon as the disk takes it.

    Raises:
        OSError: the folder is gone, or its disk failed for ``DISK_PATIENCE_S``.
    """
    text = json.dumps(encode_outcome(outcome), ensure_ascii=False, indent=1)
    give_up_at = time.monotonic() + DISK_PATIENCE_S
    wait_s = 0.5
    while True:
        try:
            _replace_file(folder, OUTCOME, text, durable=True)
        except OSError as error:
            log(f"{OUTCOME}: {error}")
            is_late = error.errno not in _FULL and time.monotonic() >= give_up_at
            if is_late or not os.path.isdir(folder):
                raise
            time.sleep(wait_s)  # noqa: TID251 - a process of its own may wait
            wait_s = min(2 * wait_s, LONGEST_DISK_WAIT_S)
        else:
            return


def log(text: str) -> None:
    """Write to ``supervisor.log``: stderr, as the starter arranged it. Never fails.

    The log lies on the disk whose faults it tells. Written without a buffer: what a
    full disk refused would be kept there, and tried again at every later line.
    """
    with contextlib.suppress(OSError):
        os.write(_STDERR, (text.rstrip() + "\n").encode("utf-8", "backslashreplace"))


def _complete(plan: SessionPlan) -> None:
    # Imported here: a session that is still running needs none of it.
    from model_queue import passes  # noqa: PLC0415

    passes.complete_session(plan.label, config_cwd=plan.config_cwd)


def finish(plan: SessionPlan, complete: Callable[[SessionPlan], None]) -> None:
    """Do what on-subagent-exit does, so that the next task starts at once.

    Someone else may be faster: that is safe to repeat. Anything else is logged, and
    the next pass finds the outcome as well.
    """
    for wait_s in (0.2, 0.5, 1.0, 2.0, 5.0, 10.0, None):
        try:
            complete(plan)
        except ConflictError as error:
            log(f"after the end: {error}")
            if wait_s is not None:
                time.sleep(wait_s)  # noqa: TID251 - a process of its own may wait
                continue
        except Exception:  # noqa: BLE001 - the outcome is stored; a pass will find it
            log(traceback.format_exc())
        return


def main(argv: list[str]) -> int:
    """Supervise the session whose folder is named; its lock was handed over."""
    folder = argv[0]
    if not _holds_lock(folder):
        log("only a launcher starts a supervisor: the lock was not handed over")
        return 1
    os.set_inheritable(detached.KEPT_FD, False)
    with open(os.path.join(folder, PLAN), encoding="utf-8") as file:
        plan = SessionPlan.from_json(file.read())
    supervisor = Supervisor(folder, plan)
    try:
        outcome = _outcome_of(supervisor)
    except Exception as error:  # noqa: BLE001 - an outcome must be left, whatever happened
        log(traceback.format_exc())
        supervisor.abandon()
        outcome = _failed(ErrorClass.TRANSIENT, f"its supervisor failed: {error}")
    write_outcome(folder, outcome)
    if supervisor.ending != "signal":
        for number in _REQUESTS_TO_END:
            signal.signal(number, signal.SIG_DFL)
        signal.alarm(COMPLETION_LIMIT_S)
        finish(plan, _complete)
    return 0
