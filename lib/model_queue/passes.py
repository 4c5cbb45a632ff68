"""Whole passes over the queues, by whoever has a reason for one.

Apart from ``wiring``, because a checkpoint opens the queues and runs no pass.
"""

from __future__ import annotations

import datetime as dt
import os
import sys
from collections.abc import Sequence
from contextlib import suppress

from model_queue import completion, detached, dispatch, planning, waker
from model_queue.atomic import FILE_MODE, locked, read_file, write_atomic
from model_queue.core import Core, launcher_of
from model_queue.errors import ModelQueueError, StoreError
from model_queue.ports import Clock, SystemClock
from model_queue.store import Batch, Notice
from model_queue.watching import SILENT, Listing
from model_queue.wiring import Surroundings, open_core, surroundings

NOTIFY_LIMIT_S = 30
"""A notifier that takes longer is ended; its notices are tried again later."""
DUE_LOCK_S = 5.0
_NOTE = "pass"
_LONG_AGO = dt.datetime.min.replace(tzinfo=dt.UTC)


def run_pass(
    core: Core,
    seen: Surroundings,
    *,
    clock: Clock,
    carries_actions: bool,
    shows_notices: bool = False,
    listing: Listing = SILENT,
) -> dispatch.Tick:
    """Run one pass, then see to it that the next due moment will not be missed.

    A caller that carries actions out shows notices as well, and cannot wait for a
    notifier. One that ``shows_notices`` takes its own first and calls
    ``hand_to_notifier`` then; for all others that is done here.

    Raises:
        ModelQueueError: something could not be done or stored; all else was before.
            Where there are actions to carry out, they are returned instead.
    """
    try:
        done = dispatch.tick(
            core,
            now=clock.now(),
            carries_actions=carries_actions,
            listing=listing,
        )
    except ModelQueueError:
        # What it should have done is still due.
        plan_next(core, seen, since=_LONG_AGO, clock=clock)
        raise
    _note_pass(core, done.at)
    plan_next(core, seen, since=done.at, clock=clock)
    if not (carries_actions or shows_notices):
        hand_to_notifier(core, seen, since=done.at, clock=clock)
    worst = done.troubles.worst
    # The next pass meets it again. Actions that are not handed on now come a lease late.
    if worst is not None and not (carries_actions and done.actions):
        raise worst
    return done


def _note_pass(core: Core, at: dt.datetime) -> None:
    """Note when a pass ran and which program ran it, for ``doctor`` alone.

    Not atomic and not put on the disk: a note that is lost or torn is no loss.
    """
    name = os.path.basename(sys.argv[0]) if sys.argv else ""
    if name == os.path.basename(detached.ENTRY) and len(sys.argv) > 1:
        name = sys.argv[1]
    path = os.path.join(core.folder.state_dir, _NOTE)
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NONBLOCK | os.O_CLOEXEC
    with suppress(OSError):
        fd = os.open(path, flags, FILE_MODE)
        try:
            os.write(fd, f"{at.timestamp():.3f} {ascii(name)[1:-1]}\n".encode())
        finally:
            os.close(fd)


def read_last_pass(state_dir: str) -> tuple[float, str] | None:
    """Return the epoch seconds of the latest pass and who ran it, None if unknown."""
    try:
        data = read_file(os.path.join(state_dir, _NOTE)) or b""
        stamp, _, name = data.decode("ascii").partition(" ")
        return float(stamp), name.strip() or "?"
    except (StoreError, ValueError):
        return None


def hand_to_notifier(
    core: Core, seen: Surroundings, *, since: dt.datetime, clock: Clock
) -> None:
    """Let the configured notifier have what waits, and plan anew for what it took.

    The pass before it is done and its answer must reach the caller: notices that were
    not taken wait in the outbox for the next pass.
    """
    with suppress(ModelQueueError):
        if notify(core, clock=clock):
            plan_next(core, seen, since=since, clock=clock)


def plan_next(
    core: Core, seen: Surroundings, *, since: dt.datetime, clock: Clock
) -> dt.datetime | None:
    """Write when the next pass after that of ``since`` is due; start the waker for it.

    Read and written under one lock: the last writer has seen every commit that was
    made before its own, so no due moment is overwritten by an older view.

    Returns: the moment, None when nothing is due or the plan could not be made.
    """
    due: dt.datetime | None = None
    may_be_due = True
    # The pass before it is done, and its answer must reach the caller whatever happens
    # to the plan: the next pass plans again, and heartbeat and cron are the backup.
    with suppress(ModelQueueError, OSError):
        due = _write_due(core, since=since, clock=clock)
        may_be_due = due is not None
    if may_be_due and core.settings.waker:
        waker.ensure(
            core.settings.queues_dir,
            config_cwd=seen.cwd,
            environment=seen.for_children,
        )
    return due


def _write_due(core: Core, *, since: dt.datetime, clock: Clock) -> dt.datetime | None:
    path = os.path.join(core.folder.state_dir, "due")
    with locked(path + ".lock", timeout_s=DUE_LOCK_S):
        due = planning.next_due(core, since=since, now=clock.now())
        text = f"{due.timestamp():.3f}\n".encode() if due else b""
        before: bytes | None = None
        # What is no file there is replaced as any other.
        with suppress(StoreError):
            before = read_file(path) or b""
        if text != before:
            write_atomic(path, text)
    return due


def notify(core: Core, *, clock: Clock) -> int:
    """Hand waiting notices to the configured notifier; return how many it took."""
    argv = core.settings.notify_command
    if not argv:
        return 0
    notices = core.store.take_notices(chat=("", "", ""), limit=100, now=clock.now())
    taken = [notice.id for notice in notices if _notified(argv, notice)]
    if taken:
        core.store.commit(Batch(delivered=taken), now=clock.now())
    return len(taken)


def _notified(argv: Sequence[str], notice: Notice) -> bool:
    """Hand one notice to the notifier; report whether it was taken.

    The environment says which notice it is, which stays the same when it comes again,
    and which chat it is for.
    """
    # Imported here: only a configured notifier pays the 20 ms.
    import subprocess  # noqa: PLC0415

    host, channel, session = notice.chat
    about = {
        "NOTICE_ID": notice.id,
        "NOTICE_KIND": notice.kind,
        "NOTICE_TASK": notice.task_id or "",
        "NOTICE_HOST": host,
        "NOTICE_CHANNEL": channel,
        "NOTICE_SESSION": session,
    }
    try:
        done = subprocess.run(  # noqa: S603 - the person's own notifier, never a shell
            argv,
            input=notice.text.encode("utf-8", "replace"),
            env={**os.environ, **about},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=NOTIFY_LIMIT_S,
            check=False,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        # ValueError: a host named its chat with a character that no environment holds.
        return False
    return done.returncode == 0


def complete_session(label: str, *, config_cwd: str) -> None:
    """Do what on-subagent-exit does for a supervised session that has ended.

    Called by the supervisor after it wrote the outcome. The next pass would find the
    outcome as well; this makes the next task start at once.
    """
    clock = SystemClock()
    seen = surroundings(cwd=config_cwd)
    core = open_core(seen)
    task = core.store.find(label=label)
    if task is not None:
        launcher = launcher_of(core, task, label=label)
        session = launcher.find(label) if launcher else None
        if session is not None and session.outcome is not None:
            completion.complete(
                core, task, session.outcome, label=label, now=clock.now()
            )
    run_pass(core, seen, clock=clock, carries_actions=False)


def wake(*, config_cwd: str) -> None:
    """Run the pass that the waker waited for."""
    seen = surroundings(cwd=config_cwd)
    run_pass(open_core(seen), seen, clock=SystemClock(), carries_actions=False)
