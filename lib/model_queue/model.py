"""The values that everything else speaks in: tasks, claims, outcomes, references.

Frozen, without behaviour beyond reading. A status is moved by ``transitions`` only.
Times are aware UTC datetimes; ids of tasks are ``T-001``; field names are the wire
names in Python spelling (``codec`` holds the file's own names).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from model_queue.errors import TaskRefError

JsonValue: TypeAlias = (
    "dict[str, JsonValue] | list[JsonValue] | str | int | float | bool | None"
)
JsonObject: TypeAlias = dict[str, JsonValue]

MAX_ID_DIGITS = 7
"""Longest number that a reference may have; more is no task id."""
MAX_NUMBER = 10**MAX_ID_DIGITS - 1
"""The last task id there can be."""
LOSS_LIMIT = 5
"""Losses after which a task fails: one that kills its session must not loop."""


class Status(StrEnum):
    """The nine statuses; the values are the words on disk. Source: SPEC 2.2."""

    PENDING = "pending"
    WAITING = "waiting"
    RUNNING = "running"
    PAUSED = "paused"
    BLOCKED = "blocked"
    DONE = "done"
    FAILED = "failed"
    SKIPPED = "skipped"
    CANCELLED = "cancelled"

    @property
    def is_terminal(self) -> bool:
        """Nothing but retry, rerun or the archive moves a task from here."""
        return self in _TERMINAL

    @property
    def counts_as_failed(self) -> bool:
        """A dependency in this status will not be done by itself."""
        return self in _COUNTS_AS_FAILED


_LABEL_MARKS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")
_TERMINAL = frozenset({Status.DONE, Status.FAILED, Status.SKIPPED, Status.CANCELLED})
_COUNTS_AS_FAILED = frozenset(
    {Status.FAILED, Status.BLOCKED, Status.SKIPPED, Status.CANCELLED}
)


LIVE_STATUSES = tuple(status for status in Status if not status.is_terminal)
"""The statuses of tasks that are not over."""


class DependencyPolicy(StrEnum):
    """What a task does when a dependency fails; the values are the words on disk."""

    BLOCK = "block"
    SKIP = "skip"
    CONTINUE = "continue"


class ErrorClass(StrEnum):
    """Why an attempt failed; decides what happens next. Source: SPEC 2.4."""

    REPORTED = "reported"
    TRANSIENT = "transient"
    RATE_LIMITED = "rate_limited"
    QUOTA = "quota"
    AUTH = "auth"
    MODEL_NOT_FOUND = "model_not_found"
    BAD_REQUEST = "bad_request"
    TIMEOUT = "timeout"
    OVER_BUDGET = "over_budget"
    LOST = "lost"
    INVALID_REPORT = "invalid_report"

    @property
    def is_fatal(self) -> bool:
        """Trying again cannot help: the request or the access is wrong."""
        return self in _FATAL


_FATAL = frozenset(
    {ErrorClass.AUTH, ErrorClass.MODEL_NOT_FOUND, ErrorClass.BAD_REQUEST}
)


@dataclass(frozen=True, slots=True)
class TaskRef:
    """A task named by a person or a file: ``T-003`` or ``ollama-local/T-003``."""

    number: int
    """1 or more."""
    source: str | None = None
    """The queue, when the bare id would name several tasks."""

    @classmethod
    def parse(cls, text: str) -> TaskRef:
        """Read a canonical or loose reference.

        >>> str(TaskRef.parse("t3")), str(TaskRef.parse("cloud/T-0012"))
        ('T-003', 'cloud/T-012')

        Raises:
            TaskRefError: the text has no letter T followed by 1 to 7 digits.
        """
        source, slash, last = text.strip().rpartition("/")
        digits = last.upper().removeprefix("T").removeprefix("-")
        is_id = last[:1] in {"T", "t"} and digits.isascii() and digits.isdigit()
        if not is_id or len(digits) > MAX_ID_DIGITS or (slash and not source):
            raise TaskRefError(seen=text)
        if int(digits) == 0:
            raise TaskRefError(seen=text)
        return cls(number=int(digits), source=source or None)

    @property
    def id(self) -> str:
        """The bare id, three digits or more: ``T-003``."""
        return f"T-{self.number:03d}"

    def __str__(self) -> str:
        return f"{self.source}/{self.id}" if self.source else self.id


@dataclass(frozen=True, slots=True)
class Claim:
    """Proof that one attempt holds a task."""

    label: str
    """Names the attempt (``mq-t-001-a2-1f3c9a7e``): the fence of every later write."""
    lease_until: dt.datetime
    """End of the start window, and of a host session's silence. Expired when <= now."""
    stopping: dt.datetime | None = None
    """When the session was asked to stop. It keeps its slot until it is seen gone."""


@dataclass(frozen=True, slots=True)
class Task:
    """One unit of requested work; the durable record. Source: SPEC 2.1."""

    id: str
    """``T-001``; empty in a draft, given by the store."""
    queue: str
    """The source whose queue holds it."""
    model: str
    """``provider/name`` as configured."""
    description: str
    """What to do, verbatim from the message."""
    added_at: dt.datetime
    """Set once, by the store's commit."""
    uuid: str = ""
    """Version 4, never changes."""
    goal: str | None = None
    status: Status = Status.PENDING
    priority: int = 0
    """Larger runs earlier."""
    depends_on: tuple[str, ...] = ()
    """Ids (or ``source/T-001`` forms), all of which must be done. AND, in this order."""
    on_depends_fail: DependencyPolicy = DependencyPolicy.BLOCK
    context_input: JsonValue = None
    """What the dependencies hand over: the seed's object, or a list of them."""
    result: str | None = None
    """The report, up to 16 KiB; the whole text lies at ``result_path``."""
    result_status: str | None = None
    """``success``, ``partial`` or ``failed``."""
    result_summary: str | None = None
    retries: int = 0
    """Retries used, never above ``max_retries``. A lost or rate-limited attempt uses none."""
    max_retries: int = 3
    subagent_session: str | None = None
    """The runtime's own session id, else the label."""
    started_at: dt.datetime | None = None
    """Start of the latest attempt; cleared by retry and rerun. Set means "has started"."""
    completed_at: dt.datetime | None = None
    """Set with every terminal status."""
    type: str | None = None
    """Task type of a workspace queue; None means ``task``, a message from chat."""
    not_before: dt.datetime | None = None
    """Earliest claim time. None means now."""
    timeout_seconds: int | None = None
    """Wall clock of one attempt; None takes the source's."""
    cost_ceiling: JsonObject | None = None
    """``{usd, max_tokens, max_tool_calls: {tool: n}, wall_clock_s}``, any of them."""
    spent: JsonObject | None = None
    """``{usd, tokens, tool_calls: {tool: n}, wall_clock_s}`` over all attempts."""
    attempt: int = 0
    """Starts so far. +1 at each claim; never goes back."""
    losses: int = 0
    """Attempts that vanished without an outcome since the last retry."""
    claim: Claim | None = None
    """Set while an attempt holds the task, and until a stopped one is seen gone."""
    cwd: str | None = None
    """Where the session works; absolute."""
    session_model: str | None = None
    """The model that ran, as the runtime said it."""
    result_path: str | None = None
    """Full report, relative to the queue directory."""
    error_message: str | None = None
    error_class: ErrorClass | None = None
    """Class of the latest failed attempt; cleared by a success."""
    failure_reason: str | None = None
    """One bare word, set with failed, skipped and cancelled."""
    blocked_reason: str | None = None
    skipped_reason: str | None = None
    paused_from: Status | None = None
    """Where resume goes back to."""
    checkpoint_path: str | None = None
    """Last checkpoint, relative to the queue directory."""
    agent_id: str | None = None
    accept: tuple[JsonObject, ...] = ()
    """Checks that must hold before it is done: ``{file|regex|schema|command: …}``."""
    origin: JsonObject | None = None
    """``{host, channel, session, message_id}`` of the message it came from."""
    updated_at: dt.datetime | None = None
    """Time of the latest write."""
    extra: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    """Fields that this version does not know, kept when the file is written again."""

    @property
    def ref(self) -> TaskRef:
        """The reference that is unique even where ids are doubled."""
        return TaskRef(TaskRef.parse(self.id).number, self.queue)

    @property
    def next_label(self) -> str:
        """The label of the attempt that a claim would start now."""
        return f"mq-{self.id.lower()}-a{self.attempt + 1}-{self.label_tail}"

    @property
    def label_tail(self) -> str:
        """What the uuid gives to the task's labels: a part of a file name.

        ``uuidgen`` writes capitals on some systems, and a person may write anything.
        """
        return "".join(
            mark if mark in _LABEL_MARKS else "_" for mark in self.uuid[:8].lower()
        )

    @property
    def label(self) -> str | None:
        """The label of the attempt that holds the task, None when none does."""
        return self.claim.label if self.claim else None

    @property
    def is_stopping(self) -> bool:
        """A session that was told to stop may still run."""
        return self.claim is not None and self.claim.stopping is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How one attempt ended, in the words of the table."""

    result_status: str
    """``success``, ``partial`` or ``failed``; also ``blocked``, ``cancelled``, ``lost``."""
    result: str | None = None
    """The report's full text, ``<think>`` blocks dropped."""
    summary: str | None = None
    error_class: ErrorClass | None = None
    """Set when it failed."""
    error_message: str | None = None
    hint: str | None = None
    """What would help, one sentence; told once with the failure, not stored."""
    until: dt.datetime | None = None
    """When a rate limit or quota ends, if the provider said so."""
    model: str | None = None
    """The model that ran, as the runtime said it."""
    session_id: str | None = None
    """The runtime's own id of the session."""
    spent: JsonObject | None = None
    """``{usd, tokens, tool_calls: {tool: n}, wall_clock_s}`` of this attempt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """Saved progress from which the next attempt continues. Source: seed 000, 4."""

    task_id: str
    percent_complete: int
    """0 to 100."""
    last_action: str
    next_action: str
    agent_id: str
    written_at: dt.datetime
