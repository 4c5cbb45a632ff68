"""The state machine as one table, and the only function that moves a status.

``step`` finds the one row of ``TABLE`` for a task's status and an event whose guard
holds, applies the row's effects in order, and returns the task after it. Nothing is
read or written besides the arguments. ``references/state-machine.md`` is made from
the table.

Two rules stand beside the rows, since they would else be repeated in each status:

- An event of a session that does not hold the task is *late*: nothing changes, and the
  effects say what to do with the session. A session that was told to stop holds it no
  more, but keeps its slot until it is seen gone (``session_gone``).
- An event that carries an outcome adds what the attempt spent.

Source: SPEC 2.3, 2.4.
"""

from __future__ import annotations

from model_queue.transitions.effects import EFFECTS
from model_queue.transitions.guards import GUARDS, NEVER_RETRIED
from model_queue.transitions.machine import step
from model_queue.transitions.slots import (
    failed_attempts,
    holds_slot,
    session_gone,
    started,
)
from model_queue.transitions.table import LATE, TABLE, Row
from model_queue.transitions.values import (
    DependencyState,
    Effect,
    Event,
    Facts,
    Guard,
    Step,
)

__all__ = [
    "EFFECTS",
    "GUARDS",
    "LATE",
    "NEVER_RETRIED",
    "TABLE",
    "DependencyState",
    "Effect",
    "Event",
    "Facts",
    "Guard",
    "Row",
    "Step",
    "failed_attempts",
    "holds_slot",
    "session_gone",
    "started",
    "step",
]
