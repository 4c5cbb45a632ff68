"""Who runs passes over the queues, and when the last one was, for ``doctor``."""

from __future__ import annotations

import datetime as dt
import os
import subprocess
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from model_queue import lock_holders, waker
from model_queue.commands.call import Call
from model_queue.core import Core
from model_queue.fields import format_time
from model_queue.first_run import HEARTBEAT_MARK
from model_queue.messages import checkup_texts as texts
from model_queue.messages.checkups import problem
from model_queue.messages.texts import MANY_TASKS, ONE_TASK
from model_queue.messages.wording import ago, counted, duration, moment, say
from model_queue.model import JsonObject, Status, Task
from model_queue.passes import read_last_pass
from model_queue.settings import Problem
from model_queue.store import QueueMeta

TOO_LONG = dt.timedelta(hours=3)
"""Without a pass while tasks could run: the backup timer rings every 15 minutes."""
_LATE = dt.timedelta(minutes=2)
"""By which a waker may be late on a loaded machine."""
_CRONTAB_S = 2.0
_NAME = "model-queue"


class Timer(NamedTuple):
    """What is known of whoever runs passes."""

    last_at: dt.datetime | None = None
    """None: no pass was noted yet."""
    last_by: str = ""
    due_at: dt.datetime | None = None
    waker: str = "off"
    """``off``, ``idle`` when none runs, ``waits``."""
    waker_pid: int | None = None
    entries: tuple[str, ...] = ()
    """Files with the heartbeat entry."""
    crons: tuple[str, ...] = ()
    """Where this user has a timer of the system that names model-queue."""


def look(call: Call, core: Core) -> Timer:
    """Return what can be seen from here; a host's own cron cannot."""
    last = read_last_pass(core.folder.state_dir)
    due = waker.read_due(core.folder.path)
    lock = waker.lock_path(core.folder.path)
    is_waiting = _is_held(lock)
    paths = core.settings.heartbeat_paths
    return Timer(
        last_at=_time(last[0]) if last else None,
        last_by=last[1] if last else "",
        due_at=_time(due) if due is not None else None,
        waker="waits" if is_waiting else "idle" if core.settings.waker else "off",
        waker_pid=lock_holders.holder_of(lock) if is_waiting else None,
        entries=tuple(path for path in paths if _has_entry(path)),
        crons=tuple(_crons(call)),
    )


def _time(stamp: float) -> dt.datetime | None:
    try:
        return dt.datetime.fromtimestamp(stamp, dt.UTC)
    except (OverflowError, OSError, ValueError):
        return None


def _is_held(path: str) -> bool:
    try:
        return lock_holders.is_held(path)
    except OSError:
        return False


def _has_entry(path: str) -> bool:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return HEARTBEAT_MARK in file.read()
    except OSError:
        return False


def _crons(call: Call) -> Iterator[str]:
    """Yield the timers of this user that name model-queue."""
    units = os.path.join(call.seen.home, ".config", "systemd", "user")
    try:
        names = sorted(os.listdir(units))
    except OSError:
        names = []
    for name in names:
        if name.startswith(_NAME) and name.endswith(".timer"):
            yield os.path.join(units, name)
    try:
        done = subprocess.run(
            ["crontab", "-l"],  # noqa: S607 - the person's own, by their PATH
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=dict(call.seen.environment),
            timeout=_CRONTAB_S,
            check=False,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return
    lines = done.stdout.decode("utf-8", "replace").splitlines()
    if any(_NAME in line and not line.lstrip().startswith("#") for line in lines):
        yield "crontab"


def problems_of(
    timer: Timer,
    tasks: Sequence[Task],
    metas: Sequence[QueueMeta],
    *,
    lang: str,
    now: dt.datetime,
) -> Iterator[Problem]:
    """Yield what keeps tasks from being started in time."""
    since = timer.last_at
    could_run = _could_run(tasks, metas, now=now)
    if since is not None and now - since >= TOO_LONG and could_run:
        n_tasks = counted(len(could_run), ONE_TASK, MANY_TASKS, lang=lang)
        facts = {"tasks": n_tasks, "span": duration(now - since, lang=lang)}
        yield problem("no_pass", lang, facts)
    elif timer.waker == "idle" and timer.due_at and now - timer.due_at > _LATE:
        late = {"span": duration(now - timer.due_at, lang=lang)}
        yield problem("waker_missing", lang, late)


def _could_run(
    tasks: Sequence[Task], metas: Sequence[QueueMeta], *, now: dt.datetime
) -> list[Task]:
    held = {meta.source for meta in metas if meta.is_held(now)}
    return [
        task
        for task in tasks
        if task.status is Status.PENDING
        and task.claim is None
        and task.queue not in held
        and (task.not_before is None or task.not_before <= now)
    ]


def lines_of(
    timer: Timer, *, lang: str, now: dt.datetime, zone: dt.tzinfo
) -> list[str]:
    """Return the lines for a person."""
    last = say(texts.PASS_NEVER, lang)
    if timer.last_at is not None:
        since = ago(now - timer.last_at, lang=lang)
        last = say(texts.PASS_AT, lang, ago=since, by=timer.last_by)
    parts = [last]
    if timer.due_at is not None:
        when = moment(timer.due_at, zone=zone)
        parts.append(say(texts.DUE_AT, lang, when=when))
    waits = {"off": texts.WAKER_OFF, "idle": texts.WAKER_IDLE}
    text = waits.get(timer.waker, texts.WAKER_WAITS)
    parts.append(say(text, lang, pid=timer.waker_pid or "?"))
    joint = say(texts.JOINT, lang)
    entries = [say(texts.ENTRY_IN, lang, path=path) for path in timer.entries]
    crons = [say(texts.CRON_IN, lang, place=place) for place in timer.crons]
    others = [*entries, *crons] or [say(texts.ENTRY_NONE, lang)]
    return [joint.join(parts), joint.join(others)]


def to_json(timer: Timer) -> JsonObject:
    """Return the timer for a program."""
    return {
        "last_pass_at": format_time(timer.last_at) if timer.last_at else None,
        "last_pass_by": timer.last_by or None,
        "due_at": format_time(timer.due_at) if timer.due_at else None,
        "waker": timer.waker,
        "heartbeat_entries": [*timer.entries],
        "crons": [*timer.crons],
    }
