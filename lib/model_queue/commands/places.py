"""Where the queues lie, and who can read and write them, for ``doctor``."""

from __future__ import annotations

import datetime as dt
import os
import shlex
import stat
from collections.abc import Iterator, Sequence

from model_queue import file_systems, lock_holders
from model_queue.clocks import SKEW
from model_queue.core import Core
from model_queue.errors import StoreBusy
from model_queue.messages import checkup_texts as texts
from model_queue.messages.checkups import problem, some_of
from model_queue.messages.wording import duration, say
from model_queue.model import Task
from model_queue.settings import Problem

_INSIDE = ("", ".state", "archive", "checkpoints", "results", "sessions")
"""Directories whose entries are looked at; a session's own files lie deeper."""
_MANY = 5_000
"""Entries that are looked at in one of them."""
_OTHERS = 0o077
_LOW_BYTES = 100 << 20
"""Of free space: a day of reports and logs takes less."""
_FULL_BYTES = 1 << 20
"""From here on nothing new is started, which is told as such."""
_MEBIBYTE, _GIBIBYTE = 1 << 20, 1 << 30


def of_directory(path: str, lang: str) -> Iterator[Problem]:
    """Yield what is wrong with the place, whether it is there yet or not."""
    there = file_systems.existing_part(path)
    kind = file_systems.type_of(there, file_systems.read_mounts())
    if file_systems.is_network(kind):
        yield problem("network_folder", lang, {"kind": kind})
    rest = path.removeprefix(os.path.commonpath([there, path]))
    name = file_systems.synced_by(there + rest)
    if name:
        yield problem("synced_folder", lang, {"name": repr(name)})
    room = free_bytes(there)
    if room is not None and _FULL_BYTES <= room < _LOW_BYTES:
        yield problem("disk_low", lang, {"path": path, "room": size(room)})


def free_bytes(path: str) -> int | None:
    """Return how many bytes this user can still write there, None when unknown."""
    try:
        disk = os.statvfs(path)
    except OSError:
        return None
    return disk.f_bavail * disk.f_frsize


def size(n_bytes: int) -> str:
    """Return a size as a person reads it.

    >>> size(3 << 20), size(5 << 30)
    ('3 MiB', '5.0 GiB')
    """
    if n_bytes < _GIBIBYTE:
        return f"{n_bytes // _MEBIBYTE} MiB"
    return f"{n_bytes / _GIBIBYTE:.1f} GiB"


def line_of(path: str, lang: str) -> str:
    """Return the line about the queue directory for a person."""
    there = file_systems.existing_part(path)
    if not os.path.isdir(path):
        return say(texts.QUEUES_NOT_YET, lang, path=path)
    kind = file_systems.type_of(there, file_systems.read_mounts()) or "?"
    room = free_bytes(there)
    if room is not None:
        kind = say(texts.QUEUES_ROOM, lang, kind=kind, room=size(room))
    return say(texts.QUEUES_AT, lang, path=path, kind=kind)


def of_permissions(path: str, lang: str) -> Iterator[Problem]:
    """Yield what others can read, and what we cannot use.

    A directory that is closed to others (0700) closes all that lies in it, whatever an
    editor has made of a file's own mode. Source: SPEC 5.
    """
    path = os.path.realpath(path)
    entries = list(_entries(path))
    # Directories and queue files that cannot be used are told as what stops the queues.
    inside = os.path.join(path, "")
    closed = [
        each
        for each in entries
        if os.path.isfile(each)
        and os.sep in each.removeprefix(inside)
        and not os.access(each, os.R_OK | os.W_OK)
    ]
    if closed:
        command = f"chmod -R u+rwX {shlex.quote(path)}"
        facts = {"paths": some_of(closed, lang=lang), "command": command}
        yield problem("not_usable", lang, facts)
    if not _mode(path) & _OTHERS:
        return
    opened = [each for each in entries if _mode(each) & _OTHERS]
    command = f"chmod -R go-rwx {shlex.quote(path)}"
    if opened == [path]:
        command = f"chmod 700 {shlex.quote(path)}"
    facts = {"paths": some_of(opened, lang=lang), "command": command}
    yield problem("permissions", lang, facts)


def _entries(path: str) -> Iterator[str]:
    """Yield the directory and what is ours in it; links are not followed."""
    yield path
    for directory in _INSIDE:
        place = os.path.join(path, directory) if directory else path
        try:
            names = sorted(os.listdir(place))[:_MANY]
        except OSError:
            continue
        for name in names:
            each = os.path.join(place, name)
            if os.path.isfile(each) or os.path.isdir(each):
                yield each


def _mode(path: str) -> int:
    try:
        found = os.lstat(path)
    except OSError:
        return 0
    return 0 if stat.S_ISLNK(found.st_mode) else stat.S_IMODE(found.st_mode)


def of_litter(core: Core, lang: str, *, now: dt.datetime) -> Iterator[Problem]:
    """Yield the temporary files of writers that were killed."""
    for place in (core.folder.path, core.folder.state_dir):
        n_old = sum(_is_old(path, now) for path in _temporary(place))
        if n_old:
            yield problem("litter", lang, {"n": n_old, "path": place})


def _temporary(place: str) -> Iterator[str]:
    try:
        names = os.listdir(place)
    except OSError:
        return
    for name in names:
        if name.startswith(".") and name.endswith(".tmp"):
            yield os.path.join(place, name)


def _is_old(path: str, now: dt.datetime) -> bool:
    """Report whether no writer can be busy with it any more."""
    try:
        written = os.stat(path).st_mtime
    except OSError:
        return False
    return now.timestamp() - written > dt.timedelta(hours=1).total_seconds()


def of_clock(
    tasks: Sequence[Task], last_pass: dt.datetime | None, *, lang: str, now: dt.datetime
) -> Iterator[Problem]:
    """Yield the stamp that lies furthest ahead of the clock, if any does."""
    stamps = {task.updated_at: task.id for task in tasks if task.updated_at}
    if last_pass is not None:
        stamps[last_pass] = say(texts.CLOCK_PASS, lang)
    latest = max(stamps, default=now)
    if latest - now > SKEW:
        span = duration(latest - now, lang=lang)
        yield problem("clock_set_back", lang, {"what": stamps[latest], "span": span})


def of_lock(core: Core, error: StoreBusy, lang: str) -> Problem:
    """Return who keeps the queues from being read."""
    pid = lock_holders.holder_of(os.path.join(core.folder.state_dir, "lock"))
    if pid is None:
        hint = "lock_held_unknown"
        found = problem("lock_held", lang, {"holder": ""}, hint=hint, fatal=True)
    else:
        name = lock_holders.name_of(pid) or "?"
        holder = say(texts.HOLDER, lang, name=name, pid=pid)
        facts = {"holder": holder, "pid": pid}
        found = problem("lock_held", lang, facts, fatal=True)
    return found._replace(code=error.code)
