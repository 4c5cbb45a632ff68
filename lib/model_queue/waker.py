"""The one process per queue directory that waits until something is due.

``waker_main`` is what runs in it.

Whoever changes the queues writes ``.state/due`` (epoch seconds of the next moment at
which a pass must run, empty when there is none) and then calls ``ensure``. The waker
holds ``.state/waker`` for its life, runs a pass when the moment has come, and ends when
nothing is due. Heartbeat and cron are the backup; without a waker nothing is lost, only
late.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress

from model_queue import detached
from model_queue.atomic import read_file
from model_queue.errors import StoreError
from model_queue.ports import Clock

STEP_S = 0.5
"""Longest sleep: how late an earlier moment, or a clock that was set, is noticed."""
SHORTEST_PAUSE_S = 1.0
LONGEST_PAUSE_S = 60.0
"""Bounds of the pause after a pass that failed or left its moment in the past."""
JUMP_S = 5.0
"""By how much the wall clock must leave the machine's own seconds to have been set."""
LOG_LIMIT = 1 << 20
"""Bytes of the log above which it starts afresh."""
_STATE, _DUE, _LOCK, _LOG = ".state", "due", "waker", "waker.log"


def ensure(queues_dir: str, *, config_cwd: str, environment: Mapping[str, str]) -> bool:
    """See to it that a waker runs; call it after the due moment was written.

    It outlives the runtime that asked for it, and sees nothing of what that runtime
    says to what it starts.

    Returns: whether one was started now. One that cannot be started is no failure of
        the caller's work: heartbeat and cron are the backup.
    """
    state = os.path.join(queues_dir, _STATE)
    try:
        os.makedirs(state, mode=0o700, exist_ok=True)
        lock = detached.try_lock(lock_path(queues_dir))
        if lock is None:
            return False
        try:
            # Imported here: a waker is there in nearly every call.
            from model_queue.launchers.environments import (  # noqa: PLC0415
                without_outer,
            )

            detached.detach(
                detached.own_argv("waker", queues_dir, config_cwd),
                environment=without_outer(environment),
                log_path=os.path.join(state, _LOG),
                lock=lock,
            )
        finally:
            os.close(lock)
    except OSError:
        return False
    return True


def is_running(queues_dir: str) -> bool:
    """Report whether a waker waits for this queue directory."""
    path = lock_path(queues_dir)
    if not os.path.exists(path):
        return False
    lock = detached.try_lock(path, shared=True)
    if lock is None:
        return True
    os.close(lock)
    return False


def lock_path(queues_dir: str) -> str:
    """Return the file whose lock the waker holds for its life."""
    return os.path.join(queues_dir, _STATE, _LOCK)


def read_due(queues_dir: str) -> float | None:
    """Return the epoch seconds of the next due moment, None when there is none."""
    try:
        data = read_file(os.path.join(queues_dir, _STATE, _DUE))
        return None if data is None else float(data.decode("ascii"))
    except (StoreError, ValueError):
        return None


class Waker:
    """Waits for one due moment after the other.

    Args:
        wake: runs one pass, which writes the next due moment.
        sleep: waits for some seconds.
        awake_s: seconds that the machine has run for without sleep, from any start.
    """

    def __init__(
        self,
        queues_dir: str,
        *,
        wake: Callable[[], None],
        clock: Clock,
        sleep: Callable[[float], None],
        awake_s: Callable[[], float],
    ) -> None:
        self._queues_dir = queues_dir
        self._wake = wake
        self._clock = clock
        self._sleep = sleep
        self._awake_s = awake_s
        self._offset_s: float | None = None
        """By how much the wall clock is ahead of the machine's own seconds."""
        self._has_jumped = False
        """The wall clock was set, or the machine slept, and no pass has run since."""
        self._pause_s = 0.0
        """Length of the latest rest; 0 after a moment that was reached in time."""
        self._rest_s = 0.0
        """What is left of it."""
        self._stuck_at: float | None = None
        """The moment that a pass did not move, or that it failed at."""

    def run(self, *, may_go_on: Callable[[], bool]) -> None:
        """Return when nothing is due any more, or when ``may_go_on`` says no.

        The wall clock is read at each step. A pass runs at once when it was set or the
        machine slept: all moments were reckoned by the clock of before.
        """
        while may_go_on():
            due = read_due(self._queues_dir)
            if due is None:
                return
            ahead_s = due - self._look_at_clock()
            if ahead_s > 0 and not self._has_jumped:
                self._pause_s = 0.0
                self._sleep(min(ahead_s, STEP_S))
            elif self._rest_s > 0 and due == self._stuck_at:
                step_s = min(self._rest_s, STEP_S)
                self._rest_s -= step_s
                self._sleep(step_s)
            else:
                self._run_pass(due)

    def _look_at_clock(self) -> float:
        """Return the wall clock's epoch seconds; note whether it jumped."""
        now_s = self._clock.now().timestamp()
        offset_s = now_s - self._awake_s()
        if self._offset_s is not None and abs(offset_s - self._offset_s) > JUMP_S:
            self._has_jumped = True
        self._offset_s = offset_s
        return now_s

    def _run_pass(self, due: float) -> None:
        """Run a pass; rest after one that failed or left its moment where it was."""
        has_failed = False
        try:
            self._wake()
        except Exception:  # noqa: BLE001 - the next try may succeed; nothing is lost
            has_failed = True
            _log_failure()
        self._has_jumped &= has_failed
        self._stuck_at = read_due(self._queues_dir)
        if has_failed or self._stuck_at == due:
            grown = self._pause_s * 2 or SHORTEST_PAUSE_S
            self._pause_s = self._rest_s = min(grown, LONGEST_PAUSE_S)


def _log_failure() -> None:
    """Write the present exception to ``waker.log``. Never fails, as on a full disk."""
    # Imported here: hooks import this module for ``ensure``, and 14 ms are not free.
    import traceback  # noqa: PLC0415

    with suppress(OSError):
        if os.fstat(detached.STDERR).st_size > LOG_LIMIT:
            os.ftruncate(detached.STDERR, 0)
    detached.log(traceback.format_exc())
