"""The Store protocol: where tasks, notices and events are kept.

A store never decides a transition. It gets finished changes and writes them if each
task still is what the change was computed from (compare-and-set on the whole value: a
task that went there and back again is the same task). ``claim`` is the one exception,
since choosing and taking must be one act. ``tests/contract`` holds every store to
what is written here.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, Protocol

from model_queue.errors import Earlier, ModelQueueError
from model_queue.model import JsonObject, JsonValue, Status, Task, TaskRef

_NO_EXTRA: Mapping[str, JsonValue] = MappingProxyType({})
_NO_HOLDS: Mapping[str, Hold | None] = MappingProxyType({})


# Named tuples: making one more dataclass costs every hook call 1.4 ms, a named tuple
# 0.2 ms.


class Hold(NamedTuple):
    """Why a queue starts nothing for now."""

    at: dt.datetime
    by: str
    """``user``, ``quota``, ``rate_limited`` or ``failures``."""
    reason: str
    until: dt.datetime | None = None
    """When it ends by itself; None: a person resumes it."""


class QueueMeta(NamedTuple):
    """A queue without its tasks."""

    source: str
    models: tuple[str, ...] = ()
    max_concurrent: int = 1
    """Slots, 1 or more."""
    max_retries: int = 3
    """Retries after the first attempt, for tasks added from now on."""
    last_id: str | None = None
    """The last id given in this queue."""
    paused: Hold | None = None
    broken: str | None = None
    """Set when the file does not parse: the sentence for the person. Such a queue has no tasks."""
    fault: ModelQueueError | None = None
    """Set with ``broken``: the same as an error, whose hint says what brings it back."""
    extra: Mapping[str, JsonValue] = _NO_EXTRA

    def is_held(self, now: dt.datetime) -> bool:
        """Report whether the queue starts nothing at ``now``."""
        if self.broken is not None:
            return True
        hold = self.paused
        return hold is not None and (hold.until is None or now < hold.until)


class Notice(NamedTuple):
    """A text that a person should see, once."""

    id: str
    """Unique; the same on every delivery."""
    kind: str
    task_id: str | None
    text: str
    created_at: dt.datetime
    chat: tuple[str, str, str] = ("", "", "")
    """Host, channel and session of the chat it is for; "" matches any."""


def is_for(notice: Notice, chat: tuple[str, str, str]) -> bool:
    """Report whether a chat is one that the notice is for; "" on either side matches."""
    pairs = zip(notice.chat, chat, strict=True)
    return all(ours == theirs or not ours or not theirs for ours, theirs in pairs)


class Record(NamedTuple):
    """One line of the audit log."""

    ts: dt.datetime
    event: str
    task_id: str | None = None
    queue: str | None = None
    before: str | None = None
    after: str | None = None
    label: str | None = None
    detail: str | None = None


class Draft(NamedTuple):
    """A new task; the store gives it its id."""

    task: Task
    """``id`` and ``added_at`` are set by the store; ``depends_on`` holds known ids."""
    after: tuple[int, ...] = ()
    """Indices of earlier drafts of the batch that it depends on, put before ``depends_on``."""


class Change(NamedTuple):
    """A task before and after a step."""

    before: Task
    after: Task
    """May lie in another queue (move to the fallback source)."""


class Seen:
    """The key of a message or delivery that must have its effect once."""

    def __init__(
        self,
        *,
        key: str,
        answer: Callable[[Sequence[Task]], JsonObject],
        until: dt.datetime | None = None,
    ) -> None:
        """Take the key, and what to repeat under it.

        Args:
            key: what tells the message or delivery from every other.
            answer: pure; given the stored drafts in order, returns the answer to
                repeat later.
            until: when the key is forgotten; None: after 30 days.
        """
        self.key = key
        self.answer = answer
        self.until = until


class Batch(NamedTuple):
    """One commit: all of it is written, or nothing."""

    drafts: Sequence[Draft] = ()
    changes: Sequence[Change] = ()
    holds: Mapping[str, Hold | None] = _NO_HOLDS
    """Source to its new hold; None lifts it."""
    notices: Sequence[Notice] = ()
    delivered: Collection[str] = ()
    """Ids of notices that a chat has seen; they leave the outbox."""
    records: Sequence[Record] = ()
    seen: Seen | None = None
    latest: Sequence[Seen] = ()
    """Written over whatever is known under their keys: the latest word of a chat. One
    whose ``until`` is not later than now makes its key forgotten."""


class Committed(NamedTuple):
    """What a commit did."""

    tasks: Sequence[Task] = ()
    """The stored drafts, in order, with ids."""
    answer: JsonObject | None = None
    """The answer stored with ``seen``."""
    repeated: bool = False
    """The key was seen before: nothing was written and ``answer`` is the first one."""


class Restored(NamedTuple):
    """What a restore did."""

    source: str
    kind: str
    """What holds now: ``earlier`` version, the person's ``edit``, or the ``commit``."""
    version: Earlier
    """What the queue holds now; ``path`` is where it was taken from."""
    aside: Sequence[str] = ()
    """Where the texts lie now that do not hold, absolute; nothing was thrown away."""
    left_out: Sequence[str] = ()
    """Ids that those or the log name and no queue has any more, by number."""


class Query(NamedTuple):
    """Which tasks to select. An empty field does not narrow."""

    statuses: Collection[Status] = ()
    sources: Collection[str] = ()
    stopping: bool = False
    """Only tasks whose ``claim.stopping`` is set."""
    archived: bool = False
    """Those in the archive, instead of the live ones."""


class Store(Protocol):
    """Persistence of one queue directory.

    Rules for every method: times are aware UTC to the microsecond; fields of a newer
    version survive; a crash leaves the old or the new value, never half; a file that
    does not parse is reported (``QueueMeta.broken``) and left alone while the other
    queues go on.

    Raises (any method):
        StoreBusy: the lock was not obtained within its limit.
        StoreError: the backend failed.
    """

    name: str
    """``memory``, ``files`` or ``sqlite``."""
    capabilities: frozenset[str]
    """What this store can do beyond the rules: ``durable``, ``shared``, ``hand_edits``."""

    def open_queues(
        self, queues: Sequence[QueueMeta], *, now: dt.datetime
    ) -> Sequence[str]:
        """Create the queues that do not exist; refresh ``models`` of those that do.

        Limits of an existing queue (``max_concurrent``, ``max_retries``) are its own
        and stay.

        Returns: names of the queues created, [] when all existed.
        """
        ...

    def queues(self) -> Sequence[QueueMeta]:
        """Return every queue, configured or not, sorted by name."""
        ...

    def get(self, ref: TaskRef) -> Task:
        """Return one task, from the queues or the archive.

        Raises:
            TaskNotFound: with the nearest ids.
            TaskRefError: a bare id names several tasks; candidates are listed.
        """
        ...

    def find(self, *, label: str = "", session: str = "") -> Task | None:
        """Return the live task of an attempt label or runtime session id, else None.

        A label of an older attempt finds its task too: the caller's write is then late.
        """
        ...

    def select(self, query: Query) -> Sequence[Task]:
        """Return live tasks: queues by name, within a queue in claim order.

        Claim order: priority descending, then ``added_at``, then number. Archived tasks:
        queues by name, within a queue as they ended; a file of the archive that does
        not parse is passed over.
        """
        ...

    def claim(
        self,
        source: str,
        *,
        limit: int,
        slots: int | None = None,
        until_terminal: bool = False,
        lease: dt.timedelta,
        now: dt.datetime,
    ) -> Sequence[Task]:
        """Choose and take pending tasks of one queue in one atomic act.

        Takes a task when all hold: status pending; ``not_before`` is None or <= now; no
        ``claim`` (a stopping session is still one); ``retries`` <= ``max_retries``; the
        queue is neither held nor broken; a slot is free. Slots = ``slots`` where the
        configuration outranks the queue's own ``max_concurrent``, minus the tasks that
        hold one (``transitions.holds_slot`` under the queue's policy; a task that holds
        one itself needs no other); applied before ``limit``. Each is written as ``transitions.step(task, Event.CLAIM, …)`` says,
        with one audit record.

        Returns: the tasks as claimed, in claim order; [] when none or no slot.
        """
        ...

    def commit(self, batch: Batch, *, now: dt.datetime) -> Committed:
        """Write the whole batch, or nothing.

        - A ``seen`` key that is there and not past its ``until`` writes nothing and
          returns the first answer. One that was stored further ahead of ``now`` than
          it was to be known for, by a clock that was set back since, is forgotten.
        - ``latest`` keys take the place of what is known under them.
        - Drafts get the next numbers of the one counter of the directory: above every
          number in any queue, ``last_id``, archive or counter file; never reused.
          ``added_at`` and ``updated_at`` = now. Each gets one audit record, behind the
          batch's own.
        - Changed tasks get ``updated_at`` = now; one that lacks a ``uuid`` gets one.

        Raises:
            StaleTask: a stored task differs from ``Change.before``.
            UnknownSource: a draft or hold names a queue that does not exist.
            CorruptQueueFile: a touched queue is broken.
        """
        ...

    def take_notices(
        self, *, chat: tuple[str, str, str], limit: int, now: dt.datetime
    ) -> Sequence[Notice]:
        """Hand out notices for a chat, oldest first, each to one caller at a time.

        A part of ``chat`` that is "" on either side matches. A notice that is not
        acknowledged by ``Batch.delivered`` within 60 s is handed out again, same id.
        """
        ...

    def waiting_notices(self) -> int:
        """Return how many notices are not acknowledged yet."""
        ...

    def undelivered(self) -> Sequence[Notice]:
        """Return the notices that are not acknowledged yet, oldest first.

        Hands out nothing: for whoever tells how many wait, or when to try again.
        """
        ...

    def recall(self, key: str, *, now: dt.datetime) -> JsonObject | None:
        """Return the answer stored under a seen key, None when there is none.

        None too when the key's ``until`` is past, or when it was stored further ahead
        of ``now`` than it was to be known for: the clock was set back since.
        """
        ...

    def events(self, *, limit: int) -> Sequence[Record]:
        """Return the newest ``limit`` audit records, oldest first."""
        ...

    def archive(self, *, before: dt.datetime, now: dt.datetime) -> Sequence[str]:
        """Move terminal tasks completed before ``before`` to the archive.

        One that a live, non-terminal task depends on stays. Returns the ids moved.
        """
        ...

    def restore(self, source: str, *, take: str = "", now: dt.datetime) -> Restored:
        """Get a queue going again whose file stops it; a whole one is left as it is.

        - A file that does not parse, cannot be read or is gone is replaced by the
          newest version that parses. Where that was written in the middle of a commit
          which a person's edit met, the edit stays.
        - Nothing is thrown away: what does not hold any more is kept beside, under a
          name that no earlier one had. No id is given twice.
        - A task whose session was started, though the version knows nothing of it, is
          running in it, so that it does not run twice.

        ``take`` is ``commit`` for what the commit would have written, not the edit.

        Raises:
            UnknownSource: no queue has that name.
            NothingToRestore: it is whole, as every queue of a store without the
                capability ``hand_edits`` is.
            NoEarlierVersion: nothing parses that could take its place.
        """
        ...
