"""Runs one session: starts it, watches it, ends it, and all that belongs to it.

Times are counted by a clock that stands still while the machine sleeps: a laptop that
slept for three hours has used up no session's time.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import time
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from model_queue import detached, processes
from model_queue.launchers import orphans
from model_queue.launchers.capped_file import CappedFile
from model_queue.launchers.finished import Finished, SessionPlan
from model_queue.launchers.session_files import HEARTBEAT, LOCK, PROCESS, STOP
from model_queue.launchers.session_writing import replace_file
from model_queue.patience import until_written
from model_queue.ports import SystemClock
from model_queue.processes import Identity
from model_queue.session_birth import Newborn, NotStarted, bear

STEP_S = 0.25
"""Longest wait between two looks at clock and stop file."""
BEAT_S = 1.0
LEFTOVER_GRACE_S = 0.5
"""For what a session that ended by itself left running in its group."""
REQUESTS_TO_END = frozenset({signal.SIGTERM, signal.SIGINT, signal.SIGHUP})
_CHUNK = 1 << 16

_T = TypeVar("_T")


class Supervision:
    """Runs one session from its start to the last of its processes.

    A session that ends by itself may leave a process behind on purpose: one that has
    left the session's process group (``setsid``) lives on, and holds no slot. When the
    session is ended from outside, that is ended too.
    """

    def __init__(self, folder: str, plan: SessionPlan) -> None:
        self._folder = folder
        self._plan = plan
        self._session: Identity | None = None
        self._outputs: dict[int, CappedFile] = {}
        """By the pipe's end that is read here."""
        self._ended: list[CappedFile] = []
        """Those of which no more comes."""
        self._wakeup, self._alarm = os.pipe()
        self._began = self._beaten = time.monotonic()
        self._kill_at: float | None = None
        self._is_told_to_end = False
        """Somebody sent this process a signal."""
        self.ending: str | None = None
        """Why the session is being ended: ``stop``, ``timeout``, ``signal``, ``fault``.

        ``signal`` is also a folder that was removed: nobody could find the session any
        more, so it must not go on. ``fault`` is one of this process.
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
        for number in REQUESTS_TO_END:
            signal.signal(number, self._note_signal)

    def _note_signal(self, number: int, _frame: object) -> None:
        self._is_told_to_end |= number in REQUESTS_TO_END

    def _finished(self, exit_code: int | None) -> Finished:
        return Finished(
            plan=self._plan,
            session_dir=self._folder,
            exit_code=exit_code,
            duration_s=round(time.monotonic() - self._began, 3),
            ended_at=SystemClock().now(),
        )

    def _start(self) -> int:
        """Start the session; return its pid."""
        try:
            return bear(self._folder, self._plan, self._record)
        except NotStarted:
            self._drain()
            raise

    def _record(self, born: Newborn) -> None:
        for name, end in born.outputs.items():
            os.set_blocking(end, False)
            path = os.path.join(self._folder, name)
            self._outputs[end] = self._written(name, partial(CappedFile, path))
        # Done on both sides of the fork: whoever comes first, the group exists here.
        with contextlib.suppress(OSError):
            os.setpgid(born.pid, born.pid)
        self._session = processes.identify(born.pid)
        own = processes.identify(os.getpid())
        record = {
            "supervisor": own._asdict() if own else None,
            "session": self._session._asdict() if self._session else None,
            LOCK: orphans.lock_mark(detached.KEPT_FD),
        }
        write = partial(replace_file, self._folder, PROCESS, json.dumps(record))
        self._written(PROCESS, write)

    def _written(self, name: str, write: Callable[[], _T]) -> _T:
        return until_written(self._folder, name, write)

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
        self._ended.append(self._outputs.pop(descriptor))
        os.close(descriptor)

    def _beat(self) -> None:
        now = time.monotonic()
        path = os.path.join(self._folder, HEARTBEAT)
        if not holds_lock(self._folder):
            return
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
        if self._is_told_to_end or not holds_lock(self._folder):
            return "signal"
        return "timeout" if now - self._began >= self._plan.timeout_s else None

    def _is_asked_to_stop(self) -> bool:
        return os.path.exists(os.path.join(self._folder, STOP))

    def _signal(self, number: signal.Signals) -> bool:
        """Send a signal to all that is to end; report whether anything ran."""
        session, rest = self._session, self._left_over()
        is_alive = session is not None and processes.kill_group(session, number)
        processes.kill_each(rest, number)
        return is_alive or bool(rest)

    def _left_over(self) -> list[processes.Process]:
        """Return what has left the session's group, where that must end as well."""
        # At the path of another folder lies another session, with another supervisor;
        # whoever started that one has ended what was left of this one before.
        if self.ending is None or is_taken(self._folder):
            return []
        return orphans.left_over(self._folder)

    def _end_group(self) -> None:
        """End what the session left running; return when it is gone.

        The session's own process is dead but not yet waited for: while it is a zombie
        the number of the group belongs to it.
        """
        session = self._session
        if session is None or not self._signal(signal.SIGTERM):
            return
        if self._kill_at is None:
            self._kill_at = time.monotonic() + LEFTOVER_GRACE_S
        while processes.group_is_alive(session) or self._left_over():
            self._step()

    def abandon(self) -> None:
        """Kill the session after a fault of this process; return when it is gone."""
        self.ending = self.ending or "fault"
        while self._signal(signal.SIGKILL):
            time.sleep(STEP_S / 10)  # noqa: TID251 - a process of its own may wait

    def _drain(self) -> None:
        """Read what is left in the pipes; a daemon that holds one open is not waited for."""
        for descriptor in list(self._outputs):
            while self._read(descriptor):
                pass
        for descriptor in list(self._outputs):
            self._close(descriptor)
        # Only now, when the session is over: a full disk is waited for.
        for file in self._ended:
            self._written(file.name, file.close)
            if file.fault:
                detached.log(file.fault)
        self._ended.clear()


def holds_lock(folder: str) -> bool:
    """Report whether this process was given the lock that lies in the folder now."""
    return detached.is_same_file(detached.KEPT_FD, os.path.join(folder, LOCK))


def is_taken(folder: str) -> bool:
    """Report whether another folder lies where this process's own one lay."""
    return os.path.lexists(folder) and not holds_lock(folder)


def _has_exited(pid: int) -> bool:
    """Report whether a child has ended, without taking its number from it."""
    if not hasattr(os, "waitid"):
        # macOS before Python 3.13.
        found = processes.find_process(pid)
        return found is None or found.is_dead
    flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
    return os.waitid(os.P_PID, pid, flags) is not None
