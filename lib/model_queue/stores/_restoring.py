"""Puts a queue whose file stops it back into order, and throws no text away.

Everything that changes goes through the journal in one commit. Only two acts are no
part of it: what cannot be read is renamed before, and the text of an unsettled commit
is removed after. Before the rename the version that will hold is laid where such texts
lie, so that a crash leaves a queue that stands still and knows what it should hold.
Source: SPEC 5.
"""

from __future__ import annotations

import datetime as dt
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from model_queue import jsontext, transitions
from model_queue.atomic import (
    explained,
    make_directory,
    read_file,
    remove_file,
    sync_directory,
    write_atomic,
)
from model_queue.codec import as_stored
from model_queue.errors import (
    NoEarlierVersion,
    NothingToRestore,
    StateError,
    StoreError,
    UnknownSource,
)
from model_queue.launchers.session_files import PLAN
from model_queue.model import Status, Task
from model_queue.ports import IdSource
from model_queue.queuefile import Queue, as_written, encode_queue, highest_number
from model_queue.store import Record, Restored
from model_queue.stores._disk import Disk
from model_queue.stores._earlier import UNSETTLED, Version
from model_queue.stores._exchange import BACKUP
from model_queue.stores._lookup import nearest_names
from model_queue.stores._work import claim_record
from model_queue.transitions import Event, Facts

ASIDE = ".state/broken"

_COMMIT_TAKES = dt.timedelta(minutes=1)
"""Longest time between a commit's own time and the file that it writes."""
_RECORDS = 10_000
"""Records of the log that are looked at for tasks that the version lacks."""
_ID = re.compile(rb'"id"\s*:\s*"(T-\d{3,7})"')
_LABEL = re.compile(r"mq-(t-\d{3,7})-a(\d{1,9})-(.{8})")


class _Session(NamedTuple):
    """An attempt that was started on this machine, as its folder tells."""

    attempt: int
    uuid: str
    """Of the task, its first eight characters."""
    queue: str


class Restore:
    """One restore; ``plan`` may be called again after a hand edit."""

    def __init__(
        self,
        root: str,
        source: str,
        *,
        take: str,
        now: dt.datetime,
        ids: IdSource,
        at: Callable[[str], None],
    ) -> None:
        """Take what to restore, and what is called after each act beside the commit."""
        self._root = root
        self._source = source
        self._name = f"{source}.json"
        self._take = take
        self._now = now
        self._ids = ids
        self._at = at
        self._moved: list[str] = []
        """Where what was renamed lies now, also if the commit has to start over."""
        self._is_drafted = False
        """What will hold was laid where texts of unsettled commits lie."""
        self._aside: dict[str, bytes] = {}
        self._settled: list[str] = []
        self._records: list[Record] = []

    def plan(self, disk: Disk) -> Restored:
        """Put everything that has to change on the disk's list.

        Raises:
            UnknownSource, NothingToRestore, NoEarlierVersion: nothing was changed.
        """
        self._aside, self._settled, self._records = {}, [], []
        fault = self._fault(disk)
        kept = disk.versions.unsettled(self._source)
        if self._take and not kept:
            sentence = (
                f"{self._source} was not edited in the middle of a commit; "
                f"leave --take {self._take} away"
            )
            raise StateError(sentence)
        kind, version = self._choose(disk, kept, fault)
        for path, text in kept.items():
            if path != self._name:
                self._settle_month(disk, path, text)
        queue = self._put(disk, kind, version)
        self._finish(disk, kind)
        tasks = queue.tasks
        path = version.path
        if kind == "edit" and self._name not in kept:
            # The queue's own file was whole; what was chosen is an archived month's.
            kind, path = self._take or kind, next(iter(kept), path)
        return Restored(
            source=self._source,
            kind=kind,
            version=version.earlier._replace(
                path=self._path(path),
                n_tasks=len(tasks),
                n_open=sum(not task.status.is_terminal for task in tasks),
            ),
            aside=[self._path(path) for path in [*self._moved, *self._aside]],
            left_out=self._left_out(disk, queue, version),
        )

    def settle(self) -> None:
        """Remove the texts that were kept aside, once the commit is written."""
        for path in self._settled:
            remove_file(self._path(path))
            self._at("settled")

    def _fault(self, disk: Disk) -> str:
        """Return why the queue stands still, one sentence."""
        names = disk.names()
        if self._source in names:
            try:
                disk.queue(self._source)
            except StoreError as error:
                return str(error)
            raise NothingToRestore(source=self._source)
        if disk.versions.newest(self._source) is None:
            near = nearest_names(self._source, names)
            raise UnknownSource(name=self._source, known=near)
        return f"{self._path(self._name)} is gone"

    def _choose(
        self, disk: Disk, kept: dict[str, str], fault: str
    ) -> tuple[str, Version]:
        """Return which text holds from now on, and what kind of text it is."""
        edit = disk.versions.at(self._name, self._source)
        text = kept.get(self._name)
        commit = disk.versions.at(text, self._source) if text else None
        if text and self._take == "commit":
            if commit is None:
                raise NoEarlierVersion(source=self._source, why=fault)
            return "commit", commit
        if edit is not None:
            # Only of an archived month it is in doubt, or the person's word counts.
            return "edit", edit
        newest = disk.versions.newest(self._source)
        if newest is None:
            raise NoEarlierVersion(source=self._source, why=fault)
        is_commit = newest.path == text and not self._is_own_draft()
        return ("commit" if is_commit else "earlier"), newest

    def _is_own_draft(self) -> bool:
        """Report whether a restore that was not finished laid the kept text there."""
        return bool(self._moved) or not os.path.exists(self._path(self._name))

    def _settle_month(self, disk: Disk, path: str, text: str) -> None:
        """Let one text of an archived month hold, and keep the other one."""
        edit = disk.versions.at(path, self._source)
        commit = disk.versions.at(text, self._source)
        is_commit = self._take == "commit" or edit is None
        if is_commit and commit is not None:
            self._keep(disk, path, disk.raw(path))
            disk.put_raw(path, disk.raw(text) or b"")
        else:
            self._keep(disk, path, disk.raw(text))
        self._settled.append(text)

    def _put(self, disk: Disk, kind: str, version: Version) -> Queue:
        """Put the text that holds into the queue's file; return what it holds then."""
        queue = self._adopted(version.queue)
        if kind != "edit":
            queue = _without(queue, _elsewhere(disk, self._source))
        is_same = queue is version.queue
        data = disk.raw(version.path) or b""
        if not is_same:
            queue = as_written(queue)
            data = encode_queue(queue)
        kept = f"{UNSETTLED}/{self._name}"
        if kind != "edit":
            self._clear_place(disk, kept, data)
        if os.path.exists(self._path(kept)):
            if version.path != kept and not self._is_drafted:
                self._keep(disk, self._name, disk.raw(kept))
            self._settled.append(kept)
        if kind != "edit" or not is_same:
            disk.put_raw(self._name, data)
            # The commit makes what it replaces the earlier version; that one is broken.
            disk.put_raw(f"{BACKUP}/{self._name}", data)
        return queue

    def _clear_place(self, disk: Disk, kept: str, data: bytes) -> None:
        """Keep what is in the file's place: its text, or the thing itself."""
        path = self._path(self._name)
        if not os.path.exists(path):
            return
        if os.path.isfile(path):
            try:
                self._keep(disk, self._name, disk.raw(self._name))
            except StoreError:
                # No right to read it does not forbid to rename it.
                pass
            else:
                return
        if not os.path.exists(self._path(kept)):
            make_directory(self._path(UNSETTLED))
            write_atomic(self._path(kept), data)
            self._is_drafted = True
            self._at("kept")
        to = self._free_name(self._name)
        make_directory(self._path(ASIDE))
        with explained(path):
            os.rename(path, self._path(to))
        sync_directory(self._root)
        self._moved.append(to)
        self._at("moved")

    def _keep(self, disk: Disk, path: str, data: bytes | None) -> None:
        if data is not None:
            to = self._free_name(path)
            self._aside[to] = data
            disk.put_raw(to, data)

    def _free_name(self, path: str) -> str:
        """Return where a text of ``path`` can be kept; nothing lies there yet."""
        month = "" if path == self._name else f"-{os.path.basename(path)[:-5]}"
        stem = f"{ASIDE}/{self._source}{month}-{self._now:%Y%m%dT%H%M%SZ}"
        n, found = 1, f"{stem}.json"
        while found in self._aside or os.path.lexists(self._path(found)):
            n += 1
            found = f"{stem}-{n}.json"
        return found

    def _finish(self, disk: Disk, kind: str) -> None:
        """Write the counter and the log; numbers of what is kept aside stay taken."""
        texts = map(highest_number, self._aside.values())
        disk.put_counter(max(disk.highest_number().number, *texts, 0))
        kept = ", ".join([*self._moved, *self._aside])
        detail = f"{kind}; kept beside: {kept}" if kept else kind
        record = Record(
            ts=self._now, event="restore", queue=self._source, detail=detail
        )
        disk.append_events([record, *self._records], now=self._now)

    def _left_out(self, disk: Disk, queue: Queue, version: Version) -> list[str]:
        """Return what the texts aside and the log name, and no queue or archive has."""
        ids = {found.decode() for t in self._aside.values() for found in _ID.findall(t)}
        since = version.earlier.as_of - _COMMIT_TAKES
        ids |= {
            str(record.task_id)
            for record in disk.events(_RECORDS)
            if record.event == Event.SUBMIT.value
            and record.queue == self._source
            and record.ts >= since
        }
        known = {task.id for task in queue.tasks}
        known |= {task_id for task_id, _ in _elsewhere(disk, self._source)}
        return sorted(ids - known, key=lambda each: int(each[2:]))

    def _adopted(self, queue: Queue) -> Queue:
        """Return the queue with every task running whose session was started already."""
        sessions = _sessions(self._root)
        if not sessions:
            return queue
        tasks = [self._adopt(task, sessions.get(task.id, ())) for task in queue.tasks]
        is_same = all(a is b for a, b in zip(tasks, queue.tasks, strict=True))
        return queue if is_same else queue.changed(queue.meta, tasks)

    def _adopt(self, task: Task, sessions: Iterable[_Session]) -> Task:
        """Return the task as the claim that was lost had left it.

        A version that knows nothing of the claim would let the task be claimed once
        more: under the same label, which starts nothing twice, but after others had
        taken its slot. A task that had no uuid before would get another label.
        """
        later = [s for s in sessions if s.attempt > task.attempt and _fits(s, task)]
        if task.status is not Status.PENDING or not later:
            return task
        last = max(later)
        uuid = task.uuid or last.uuid + self._ids.uuid4()[8:]
        before = replace(task, uuid=uuid, attempt=last.attempt - 1, not_before=None)
        # No time to start in: what is not seen running by now is lost.
        facts = Facts(now=self._now, may_claim=True, lease=dt.timedelta(0))
        after = transitions.step(before, Event.CLAIM, facts).after
        if after.status is not Status.RUNNING:
            return task
        self._records.append(claim_record(after, now=self._now))
        return as_stored(replace(after, updated_at=self._now))

    def _path(self, relative: str) -> str:
        return os.path.join(self._root, relative)


def _fits(session: _Session, task: Task) -> bool:
    if task.uuid:
        return session.uuid in {task.label_tail, task.uuid[:8]}
    return session.queue == task.queue


def _sessions(root: str) -> dict[str, Sequence[_Session]]:
    """Return per task id the attempts whose start is on record."""
    found: dict[str, list[_Session]] = {}
    directory = os.path.join(root, "sessions")
    for name in os.listdir(directory) if os.path.isdir(directory) else ():
        match = _LABEL.fullmatch(name)
        plan = os.path.join(directory, name, PLAN)
        if match is not None and os.path.isfile(plan):
            session = _Session(int(match[2]), match[3], _queue_of(plan))
            found.setdefault(match[1].upper(), []).append(session)
    return dict(found)


def _queue_of(plan: str) -> str:
    try:
        wire = jsontext.loads((read_file(plan) or b"").decode())
    except (ValueError, StoreError):
        # Written by a starter that died; the label alone still tells the task.
        return ""
    return str(wire.get("queue", "")) if isinstance(wire, dict) else ""


def _elsewhere(disk: Disk, source: str) -> Iterator[tuple[str, str]]:
    """Yield id and uuid of every task that lies in another queue or in the archive."""
    for queue in disk.queues():
        if queue.meta.source != source:
            yield from ((task.id, task.uuid) for task in queue.tasks)
    yield from ((task.id, task.uuid) for task in disk.all_archived())


def _without(queue: Queue, elsewhere: Iterable[tuple[str, str]]) -> Queue:
    """Return the queue without the tasks that have moved on since."""
    moved = set(elsewhere)
    tasks = [t for t in queue.tasks if not t.uuid or (t.id, t.uuid) not in moved]
    is_same = len(tasks) == len(queue.tasks)
    return queue if is_same else queue.changed(queue.meta, tasks)
