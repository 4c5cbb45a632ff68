"""The words of the table: events, guards, effects; what a step is given and gives."""

from __future__ import annotations

import datetime as dt
from enum import StrEnum
from typing import NamedTuple

from model_queue.model import JsonValue, Outcome, Task


class Event(StrEnum):
    """What can happen to a task: the second column of the table."""

    SUBMIT = "submit"
    PAUSE = "pause"
    RESUME = "resume"
    UNBLOCK = "unblock"
    CANCEL = "cancel"
    SKIP = "skip"
    RETRY = "retry"
    RERUN = "rerun"
    DEPENDENCY_DONE = "dependency_done"
    DEPENDENCY_FAILED = "dependency_failed"
    DEPENDENCY_REOPENED = "dependency_reopened"
    CLAIM = "claim"
    ATTACH = "attach"
    RENEW = "renew"
    CHECKPOINT = "checkpoint"
    SUCCEED = "succeed"
    FAIL_REPORTED = "fail_reported"
    FAIL_TRANSIENT = "fail_transient"
    FAIL_TIMEOUT = "fail_timeout"
    FAIL_INVALID = "fail_invalid"
    FAIL_RATE_LIMITED = "fail_rate_limited"
    FAIL_QUOTA = "fail_quota"
    FAIL_FATAL = "fail_fatal"
    FAIL_OVER_BUDGET = "fail_over_budget"
    AGENT_BLOCKED = "agent_blocked"
    CHECKPOINT_STALE = "checkpoint_stale"
    LOST = "lost"
    ARCHIVE = "archive"


class Guard(StrEnum):
    """When a row applies; of one status and event exactly one guard holds."""

    ALWAYS = "always"
    NO_DEPENDENCY = "no_dependency"
    KNOWN_DEPENDENCIES = "known_dependencies"
    BAD_DEPENDENCY = "bad_dependency"
    POLICY_BLOCK = "policy_block"
    POLICY_SKIP = "policy_skip"
    POLICY_CONTINUE = "policy_continue"
    NEVER_STARTED = "never_started"
    HAS_STARTED = "has_started"
    CLAIMABLE = "claimable"
    NOT_CLAIMABLE = "not_claimable"
    OVER_LIMIT = "over_limit"
    RETRY_LEFT = "retry_left"
    RETRY_LEFT_FIRST_INVALID = "retry_left_first_invalid"
    RETRY_LEFT_SECOND_INVALID = "retry_left_second_invalid"
    RETRIES_SPENT = "retries_spent"
    NEVER_RETRIED = "never_retried"
    FALLBACK_OPEN = "fallback_open"
    NO_FALLBACK = "no_fallback"
    CHECKPOINTS_REQUIRED = "checkpoints_required"
    CHECKPOINTS_NOT_REQUIRED = "checkpoints_not_required"
    LOSSES_SPENT = "losses_spent"
    LOSSES_LEFT_RUN_AGAIN = "losses_left_run_again"
    LOSSES_LEFT_CHECKPOINT_FRESH = "losses_left_checkpoint_fresh"
    LOSSES_LEFT_NEVER_RETRIED = "losses_left_never_retried"
    FROM_PENDING = "from_pending"
    FROM_WAITING = "from_waiting"
    FROM_RUNNING_SLOT_HELD = "from_running_slot_held"
    FROM_RUNNING_SLOT_RELEASED = "from_running_slot_released"
    FROM_RUNNING_STILL_STOPPING = "from_running_still_stopping"
    STARTED_SLOT_HELD = "started_slot_held"
    STARTED_SLOT_RELEASED = "started_slot_released"
    STARTED_STILL_STOPPING = "started_still_stopping"
    WORKSPACE_QUEUE = "workspace_queue"
    PARENTS_DONE = "parents_done"
    PARENTS_NOT_DONE = "parents_not_done"
    OLD_AND_UNNEEDED = "old_and_unneeded"
    YOUNG_OR_NEEDED = "young_or_needed"


class Effect(StrEnum):
    """What a row does besides moving the status."""

    STAMP_ADDED_AT = "stamp added_at"
    SET_CONTEXT = "set context_input"
    SET_BLOCKED_REASON = "set blocked_reason"
    SET_PAUSED_FROM = "set paused_from"
    CLEAR_SUSPENSION = "clear paused_from and blocked_reason"
    START = "start"
    SET_SESSION = "set session"
    RENEW_LEASE = "renew lease"
    SAVE_CHECKPOINT = "save checkpoint"
    FORGET_CHECKPOINT = "forget checkpoint"
    STORE_RESULT = "store result"
    KEEP_PARTIAL_RESULT = "keep partial result"
    SET_ERROR = "set error"
    CLEAR_ERROR = "clear error"
    ADD_RETRY = "retries+1"
    TAKE_RETRY_BACK = "retries-1"
    ADD_LOSS = "losses+1"
    RESET_COUNTERS = "reset counters"
    BACK_OFF = "backoff"
    WAIT_UNTIL = "wait until"
    RUN_NOW = "run again now"
    DROP_CLAIM = "drop claim"
    STOP_SESSION = "stop session"
    MOVE_TO_FALLBACK = "move to fallback"
    POLICY_TO_CONTINUE = "on_depends_fail=continue"
    POLICY_SKIP_TO_BLOCK = "on_depends_fail skip→block"
    FAILURE_MAX_RETRIES = "failure_reason max_retries_exceeded"
    FAILURE_NOT_RETRYABLE = "failure_reason not_retryable"
    FAILURE_OVER_BUDGET = "failure_reason over_budget"
    FAILURE_LOST = "failure_reason lost"
    FAILURE_DEPENDENCY = "failure_reason dependency_failed"
    FAILURE_USER_CANCEL = "failure_reason user_cancel"
    FAILURE_USER_SKIP = "failure_reason user_skip"
    SET_COMPLETED_AT = "set completed_at"
    HOLD_SOURCE = "source wait until"
    """The caller's: hold the whole queue until ``Facts.until``."""
    DIRECTIVE_CONTINUE = "directive continue"
    """The caller's, as the next two: the answer to the session's checkpoint."""
    DIRECTIVE_PAUSE = "directive pause"
    DIRECTIVE_STOP = "directive stop"
    KEEP_LATE_RESULT = "keep late result"
    """The caller's: keep the report beside and log it."""
    MOVE_TO_ARCHIVE = "move to archive"
    """The caller's, who moves the task whole."""


class DependencyState(StrEnum):
    """What a task's dependencies amount to; ``dependencies.state_of`` decides."""

    DONE = "done"
    OPEN = "open"
    FAILED = "failed"


class Facts(NamedTuple):
    """What a step may know besides the task. Everything has a harmless default."""

    now: dt.datetime
    label: str | None = None
    """Label that the session shows. An event of a session whose label is not the
    current claim's is late in every status."""
    until_terminal: bool = False
    """Slot policy of the queue: ``until-terminal`` instead of ``running``."""
    workspace: bool = False
    """A workspace queue: checkpoints required, no manual retry, types may never retry."""
    dependency: DependencyState = DependencyState.DONE
    bad_dependency: bool = False
    """Submit: an unknown id, itself, or a cycle."""
    may_claim: bool = False
    """Claim: queue neither held nor broken, a slot free (or held by this task), day
    budget left. ``not_before`` and ``stopping`` are looked at by the guard itself."""
    lease: dt.timedelta = dt.timedelta(seconds=120)
    delay: dt.timedelta = dt.timedelta(0)
    """Backoff before the next attempt."""
    until: dt.datetime | None = None
    """End of a rate limit or quota, never None for those two events."""
    session_id: str | None = None
    """Attach: the runtime's own id."""
    outcome: Outcome | None = None
    """Result or error of the attempt, for succeed and fail_*. With cancel and lost it
    says that a session or host reported them, so that they can be late."""
    result_path: str | None = None
    context_input: JsonValue = None
    """What the dependencies hand over (dependency_done, retry)."""
    reason: str | None = None
    """Sentence for blocked_reason, skipped_reason or error_message."""
    failed_dependency: str | None = None
    """Id named in the warning of policy continue and in blocked_reason."""
    fallback: tuple[str, str] | None = None
    """Source and model to move to on a quota, when set and not itself waiting."""
    checkpoint_fresh: bool = False
    checkpoint_path: str | None = None
    unneeded: bool = False
    """Archive: old enough and no live task depends on it."""


class Step(NamedTuple):
    """One move of one task, not yet stored."""

    before: Task
    after: Task
    notice: str | None
    """Kind of notice the person gets (``done``, ``failed``, …), None when silent."""
    effects: frozenset[str]
    """Values of the row's Effect members: ``stop session``, ``keep late result``, …"""
    is_late: bool = False
    """The event came from an attempt that does not hold the task: after == before."""
