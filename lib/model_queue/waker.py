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
import sys
from collections.abc import Callable, Mapping

from model_queue import detached
from model_queue.ports import Clock

STEP_S = 0.5
"""Longest sleep: how late an earlier moment, or a clock that was set, is noticed."""
SHORTEST_PAUSE_S = 1.0
LONGEST_PAUSE_S = 60.0
"""Bounds of the pause after a pass that failed or left its moment in the past."""
LOG_LIMIT = 1 << 20
"""Bytes of the log above which it starts afresh."""
_STATE, _DUE, _LOCK, _LOG = ".state", "due", "waker", "waker.log"


def ensure(queues_dir: str, *, config_cwd: str, environment: Mapping[str, str]) -> bool:
    """See to it that a waker runs; call it after the due moment was written.

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
            detached.detach(
                detached.own_argv("waker", queues_dir, config_cwd),
                environment=environment,
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
        with open(os.path.join(queues_dir, _STATE, _DUE), encoding="ascii") as file:
            return float(file.read())
    except (OSError, ValueError):
        return None


class Waker:
    """Waits for one due moment after the other.

    Args:
        wake: runs one pass, which writes the next due moment.
        sleep: waits for some seconds.
    """

    def __init__(
        self,
        queues_dir: str,
        *,
        wake: Callable[[], None],
        clock: Clock,
        sleep: Callable[[float], None],
    ) -> None:
        self._queues_dir = queues_dir
        self._wake = wake
        self._clock = clock
        self._sleep = sleep
        self._pause_s = 0.0
        """Length of the latest rest; 0 after a moment that was reached in time."""
        self._rest_s = 0.0
        """What is left of it."""
        self._stuck_at: float | None = None
        """The moment that a pass did not move, or that it failed at."""

    def run(self, *, may_go_on: Callable[[], bool]) -> None:
        """Return when nothing is due any more, or when ``may_go_on`` says no.

        The wall clock is read at each step, so that a moment is neither missed nor
        waited for too long when the clock is set or the machine slept.
        """
        while may_go_on():
            due = read_due(self._queues_dir)
            if due is None:
                return
            ahead_s = due - self._clock.now().timestamp()
            if ahead_s > 0:
                self._pause_s = 0.0
                self._sleep(min(ahead_s, STEP_S))
            elif self._rest_s > 0 and due == self._stuck_at:
                step_s = min(self._rest_s, STEP_S)
                self._rest_s -= step_s
                self._sleep(step_s)
            else:
                self._run_pass(due)

    def _run_pass(self, due: float) -> None:
        """Run a pass; rest after one that failed or left its moment where it was."""
        has_failed = False
        try:
            self._wake()
        except Exception:  # noqa: BLE001 - the next try may succeed; nothing is lost
            has_failed = True
            _log_failure()
        self._stuck_at = read_due(self._queues_dir)
        if has_failed or self._stuck_at == due:
            grown = self._pause_s * 2 or SHORTEST_PAUSE_S
            self._pause_s = self._rest_s = min(grown, LONGEST_PAUSE_S)


def _log_failure() -> None:
    """Write the present exception to ``waker.log``: stderr, as the starter arranged."""
    # Imported here: hooks import this module for ``ensure``, and 14 ms are not free.
    import traceback  # noqa: PLC0415

    if os.fstat(sys.stderr.fileno()).st_size > LOG_LIMIT:
        os.ftruncate(sys.stderr.fileno(), 0)
    traceback.print_exc()
