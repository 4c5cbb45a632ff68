"""The rows: what each event makes of a task in each status."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from model_queue.model import Status
from model_queue.transitions.values import Effect, Event, Guard


class Row(NamedTuple):
    """One transition."""

    before: Status | None
    """None: not stored yet, a draft."""
    event: Event
    guard: Guard
    after: Status | None
    """The same as ``before``: the status stays. None: the event is refused."""
    effects: tuple[Effect, ...] = ()
    """Applied in this order."""
    notice: str | None = None


_S, _E, _G, _X = Status, Event, Guard, Effect
_LIVE = (_S.PENDING, _S.WAITING, _S.RUNNING, _S.PAUSED, _S.BLOCKED)
_UNDONE = (_S.FAILED, _S.SKIPPED, _S.CANCELLED)
_PLAIN = (_E.FAIL_REPORTED, _E.FAIL_TRANSIENT)

# One row a line, whatever its length: the table is checked by eye.
# fmt: off
TABLE: tuple[Row, ...] = (
    Row(None,          _E.SUBMIT,               _G.NO_DEPENDENCY,                  _S.PENDING,   (_X.STAMP_ADDED_AT,), "added"),
    Row(None,          _E.SUBMIT,               _G.KNOWN_DEPENDENCIES,             _S.WAITING,   (_X.STAMP_ADDED_AT,), "added"),
    Row(None,          _E.SUBMIT,               _G.BAD_DEPENDENCY,                 None),

    Row(_S.WAITING,    _E.DEPENDENCY_DONE,      _G.ALWAYS,                         _S.PENDING,   (_X.SET_CONTEXT,)),
    Row(_S.WAITING,    _E.DEPENDENCY_FAILED,    _G.POLICY_BLOCK,                   _S.BLOCKED,   (_X.SET_BLOCKED_REASON,), "blocked"),
    Row(_S.WAITING,    _E.DEPENDENCY_FAILED,    _G.POLICY_SKIP,                    _S.SKIPPED,   (_X.FAILURE_DEPENDENCY, _X.SET_COMPLETED_AT), "skipped"),
    Row(_S.WAITING,    _E.DEPENDENCY_FAILED,    _G.POLICY_CONTINUE,                _S.PENDING,   (_X.SET_CONTEXT,)),
    Row(_S.BLOCKED,    _E.DEPENDENCY_REOPENED,  _G.NEVER_STARTED,                  _S.WAITING,   (_X.CLEAR_SUSPENSION,)),
    Row(_S.BLOCKED,    _E.DEPENDENCY_REOPENED,  _G.HAS_STARTED,                    _S.BLOCKED),

    Row(_S.PENDING,    _E.CLAIM,                _G.CLAIMABLE,                      _S.RUNNING,   (_X.START,)),
    Row(_S.PENDING,    _E.CLAIM,                _G.NOT_CLAIMABLE,                  _S.PENDING),
    Row(_S.PENDING,    _E.CLAIM,                _G.OVER_LIMIT,                     _S.FAILED,    (_X.TAKE_RETRY_BACK, _X.FAILURE_MAX_RETRIES, _X.SET_COMPLETED_AT), "failed"),
    Row(_S.RUNNING,    _E.ATTACH,               _G.ALWAYS,                         _S.RUNNING,   (_X.SET_SESSION, _X.RENEW_LEASE)),
    Row(_S.RUNNING,    _E.RENEW,                _G.ALWAYS,                         _S.RUNNING,   (_X.RENEW_LEASE,)),
    Row(_S.RUNNING,    _E.CHECKPOINT,           _G.ALWAYS,                         _S.RUNNING,   (_X.SAVE_CHECKPOINT, _X.RENEW_LEASE, _X.DIRECTIVE_CONTINUE)),
    Row(_S.PAUSED,     _E.ATTACH,               _G.ALWAYS,                         _S.PAUSED,    (_X.SET_SESSION, _X.STOP_SESSION)),
    Row(_S.PAUSED,     _E.RENEW,                _G.ALWAYS,                         _S.PAUSED,    (_X.DIRECTIVE_PAUSE,)),
    Row(_S.PAUSED,     _E.CHECKPOINT,           _G.ALWAYS,                         _S.PAUSED,    (_X.SAVE_CHECKPOINT, _X.DIRECTIVE_PAUSE)),

    Row(_S.RUNNING,    _E.SUCCEED,              _G.ALWAYS,                         _S.DONE,      (_X.STORE_RESULT, _X.CLEAR_ERROR, _X.DROP_CLAIM, _X.SET_COMPLETED_AT), "done"),
    *(Row(_S.RUNNING,  event,                   _G.RETRY_LEFT,                     _S.PENDING,   (_X.SET_ERROR, _X.ADD_RETRY, _X.DROP_CLAIM, _X.BACK_OFF)) for event in _PLAIN),
    Row(_S.RUNNING,    _E.FAIL_INVALID,         _G.RETRY_LEFT_FIRST_INVALID,       _S.PENDING,   (_X.SET_ERROR, _X.ADD_RETRY, _X.DROP_CLAIM, _X.BACK_OFF)),
    Row(_S.RUNNING,    _E.FAIL_INVALID,         _G.RETRY_LEFT_SECOND_INVALID,      _S.FAILED,    (_X.SET_ERROR, _X.FAILURE_MAX_RETRIES, _X.DROP_CLAIM, _X.SET_COMPLETED_AT), "failed"),
    *(Row(_S.RUNNING,  event,                   _G.RETRIES_SPENT,                  _S.FAILED,    (_X.SET_ERROR, _X.FAILURE_MAX_RETRIES, _X.DROP_CLAIM, _X.SET_COMPLETED_AT), "failed") for event in (*_PLAIN, _E.FAIL_INVALID)),
    *(Row(_S.RUNNING,  event,                   _G.NEVER_RETRIED,                  _S.FAILED,    (_X.SET_ERROR, _X.FAILURE_NOT_RETRYABLE, _X.DROP_CLAIM, _X.SET_COMPLETED_AT), "failed") for event in (*_PLAIN, _E.FAIL_INVALID)),
    Row(_S.RUNNING,    _E.FAIL_TIMEOUT,         _G.RETRY_LEFT,                     _S.PENDING,   (_X.SET_ERROR, _X.ADD_RETRY, _X.STOP_SESSION, _X.BACK_OFF)),
    Row(_S.RUNNING,    _E.FAIL_TIMEOUT,         _G.RETRIES_SPENT,                  _S.FAILED,    (_X.SET_ERROR, _X.FAILURE_MAX_RETRIES, _X.STOP_SESSION, _X.SET_COMPLETED_AT), "failed"),
    Row(_S.RUNNING,    _E.FAIL_TIMEOUT,         _G.NEVER_RETRIED,                  _S.FAILED,    (_X.SET_ERROR, _X.FAILURE_NOT_RETRYABLE, _X.STOP_SESSION, _X.SET_COMPLETED_AT), "failed"),
    Row(_S.RUNNING,    _E.FAIL_RATE_LIMITED,    _G.ALWAYS,                         _S.PENDING,   (_X.SET_ERROR, _X.DROP_CLAIM, _X.WAIT_UNTIL)),
    Row(_S.RUNNING,    _E.FAIL_QUOTA,           _G.NO_FALLBACK,                    _S.PENDING,   (_X.SET_ERROR, _X.DROP_CLAIM, _X.HOLD_SOURCE), "quota"),
    Row(_S.RUNNING,    _E.FAIL_QUOTA,           _G.FALLBACK_OPEN,                  _S.PENDING,   (_X.SET_ERROR, _X.DROP_CLAIM, _X.HOLD_SOURCE, _X.MOVE_TO_FALLBACK), "fallback"),
    Row(_S.RUNNING,    _E.FAIL_FATAL,           _G.ALWAYS,                         _S.FAILED,    (_X.SET_ERROR, _X.FAILURE_NOT_RETRYABLE, _X.DROP_CLAIM, _X.SET_COMPLETED_AT), "failed"),
    Row(_S.RUNNING,    _E.FAIL_OVER_BUDGET,     _G.ALWAYS,                         _S.FAILED,    (_X.SET_ERROR, _X.KEEP_PARTIAL_RESULT, _X.FAILURE_OVER_BUDGET, _X.STOP_SESSION, _X.SET_COMPLETED_AT), "failed"),
    Row(_S.RUNNING,    _E.AGENT_BLOCKED,        _G.ALWAYS,                         _S.BLOCKED,   (_X.SET_BLOCKED_REASON, _X.STOP_SESSION), "blocked"),
    Row(_S.RUNNING,    _E.CHECKPOINT_STALE,     _G.CHECKPOINTS_REQUIRED,           _S.BLOCKED,   (_X.SET_BLOCKED_REASON, _X.STOP_SESSION), "blocked"),
    Row(_S.RUNNING,    _E.CHECKPOINT_STALE,     _G.CHECKPOINTS_NOT_REQUIRED,       _S.RUNNING),
    Row(_S.RUNNING,    _E.LOST,                 _G.LOSSES_LEFT_RUN_AGAIN,          _S.PENDING,   (_X.SET_ERROR, _X.ADD_LOSS, _X.DROP_CLAIM, _X.RUN_NOW)),
    Row(_S.RUNNING,    _E.LOST,                 _G.LOSSES_LEFT_CHECKPOINT_FRESH,   _S.RUNNING,   (_X.SET_ERROR, _X.ADD_LOSS, _X.START)),
    Row(_S.RUNNING,    _E.LOST,                 _G.LOSSES_LEFT_NEVER_RETRIED,      _S.BLOCKED,   (_X.SET_ERROR, _X.ADD_LOSS, _X.SET_BLOCKED_REASON, _X.DROP_CLAIM), "blocked"),
    Row(_S.RUNNING,    _E.LOST,                 _G.LOSSES_SPENT,                   _S.FAILED,    (_X.SET_ERROR, _X.ADD_LOSS, _X.FAILURE_LOST, _X.DROP_CLAIM, _X.SET_COMPLETED_AT), "failed"),

    Row(_S.PENDING,    _E.PAUSE,                _G.ALWAYS,                         _S.PAUSED,    (_X.SET_PAUSED_FROM,), "paused"),
    Row(_S.WAITING,    _E.PAUSE,                _G.ALWAYS,                         _S.PAUSED,    (_X.SET_PAUSED_FROM,), "paused"),
    Row(_S.RUNNING,    _E.PAUSE,                _G.ALWAYS,                         _S.PAUSED,    (_X.SET_PAUSED_FROM, _X.STOP_SESSION), "paused"),
    Row(_S.PAUSED,     _E.RESUME,               _G.FROM_PENDING,                   _S.PENDING,   (_X.CLEAR_SUSPENSION,), "resumed"),
    Row(_S.PAUSED,     _E.RESUME,               _G.FROM_WAITING,                   _S.WAITING,   (_X.CLEAR_SUSPENSION,), "resumed"),
    Row(_S.PAUSED,     _E.RESUME,               _G.FROM_RUNNING_SLOT_HELD,         _S.RUNNING,   (_X.CLEAR_SUSPENSION, _X.START), "resumed"),
    Row(_S.PAUSED,     _E.RESUME,               _G.FROM_RUNNING_SLOT_RELEASED,     _S.PENDING,   (_X.CLEAR_SUSPENSION, _X.STOP_SESSION, _X.RUN_NOW), "resumed"),
    Row(_S.PAUSED,     _E.RESUME,               _G.FROM_RUNNING_STILL_STOPPING,    None),
    Row(_S.BLOCKED,    _E.UNBLOCK,              _G.NEVER_STARTED,                  _S.WAITING,   (_X.POLICY_TO_CONTINUE, _X.CLEAR_SUSPENSION), "unblocked"),
    Row(_S.BLOCKED,    _E.UNBLOCK,              _G.STARTED_SLOT_HELD,              _S.RUNNING,   (_X.CLEAR_SUSPENSION, _X.START), "unblocked"),
    Row(_S.BLOCKED,    _E.UNBLOCK,              _G.STARTED_SLOT_RELEASED,          _S.PENDING,   (_X.CLEAR_SUSPENSION, _X.RUN_NOW), "unblocked"),
    Row(_S.BLOCKED,    _E.UNBLOCK,              _G.STARTED_STILL_STOPPING,         None),
    *(Row(status,      _E.CANCEL,               _G.ALWAYS,                         _S.CANCELLED, (_X.STOP_SESSION, _X.CLEAR_SUSPENSION, _X.FAILURE_USER_CANCEL, _X.SET_COMPLETED_AT), "cancelled") for status in _LIVE),
    *(Row(status,      _E.SKIP,                 _G.ALWAYS,                         _S.SKIPPED,   (_X.STOP_SESSION, _X.CLEAR_SUSPENSION, _X.FAILURE_USER_SKIP, _X.SET_COMPLETED_AT), "skipped") for status in _LIVE),
    *(Row(status,      _E.RETRY,                _G.PARENTS_DONE,                   _S.PENDING,   (_X.RESET_COUNTERS, _X.SET_CONTEXT), "requeued") for status in _UNDONE),
    *(Row(status,      _E.RETRY,                _G.PARENTS_NOT_DONE,               _S.WAITING,   (_X.RESET_COUNTERS, _X.POLICY_SKIP_TO_BLOCK), "requeued") for status in _UNDONE),
    *(Row(status,      _E.RETRY,                _G.WORKSPACE_QUEUE,                None) for status in _UNDONE),
    Row(_S.DONE,       _E.RERUN,                _G.PARENTS_DONE,                   _S.PENDING,   (_X.RESET_COUNTERS, _X.FORGET_CHECKPOINT, _X.SET_CONTEXT), "requeued"),
    Row(_S.DONE,       _E.RERUN,                _G.PARENTS_NOT_DONE,               _S.WAITING,   (_X.RESET_COUNTERS, _X.FORGET_CHECKPOINT, _X.POLICY_SKIP_TO_BLOCK), "requeued"),
    Row(_S.DONE,       _E.RERUN,                _G.WORKSPACE_QUEUE,                None),

    *(Row(status,      _E.ARCHIVE,              _G.OLD_AND_UNNEEDED,               status,       (_X.MOVE_TO_ARCHIVE,)) for status in (_S.DONE, *_UNDONE)),
    *(Row(status,      _E.ARCHIVE,              _G.YOUNG_OR_NEEDED,                status) for status in (_S.DONE, *_UNDONE)),
)
# fmt: on

LATE: Mapping[Event, Effect] = {
    _E.ATTACH: _X.STOP_SESSION,
    _E.RENEW: _X.DIRECTIVE_STOP,
    _E.CHECKPOINT: _X.DIRECTIVE_STOP,
    _E.SUCCEED: _X.KEEP_LATE_RESULT,
    _E.FAIL_REPORTED: _X.KEEP_LATE_RESULT,
    _E.FAIL_TRANSIENT: _X.KEEP_LATE_RESULT,
    _E.FAIL_TIMEOUT: _X.KEEP_LATE_RESULT,
    _E.FAIL_INVALID: _X.KEEP_LATE_RESULT,
    _E.FAIL_RATE_LIMITED: _X.KEEP_LATE_RESULT,
    _E.FAIL_QUOTA: _X.KEEP_LATE_RESULT,
    _E.FAIL_FATAL: _X.KEEP_LATE_RESULT,
    _E.FAIL_OVER_BUDGET: _X.KEEP_LATE_RESULT,
    _E.AGENT_BLOCKED: _X.KEEP_LATE_RESULT,
}
"""The events that a session sends, and what is done when it does not hold the task."""
