"""Use case: what was reckoned by a clock that has been set back is reckoned anew.

Due moments are wall clock times, so that they mean the same after a reboot. A clock
that ran a day ahead leaves moments a day away when it is set right: a backoff of five
seconds, a lease of two minutes. Source: SPEC 4.
"""

from __future__ import annotations

import datetime as dt
from contextlib import suppress
from dataclasses import replace

from model_queue.core import Core, Troubles
from model_queue.errors import StaleTask
from model_queue.model import Claim, Task
from model_queue.store import Batch, Change, Hold, Query, Record

_FIRST = dt.datetime.min.replace(tzinfo=dt.UTC)
SKEW = dt.timedelta(minutes=2)
"""How far ahead a stamp may lie that another process or machine has just written."""


def put_right(core: Core, troubles: Troubles, *, now: dt.datetime) -> None:
    """Bring moments that were set from a later clock as near as they were meant.

    Whatever was written after ``now``, by more than ``SKEW``, was written by a clock
    that has been set back since. A time that a person named stays.
    """
    for task in core.store.select(Query()):
        back = (task.updated_at or now) - now
        is_over = task.status.is_terminal and task.claim is None
        if back <= SKEW or is_over:
            continue
        moved = Change(before=task, after=_earlier(task, back))
        record = Record(
            ts=now, event="clock_set_back", task_id=task.id, queue=task.queue
        )
        # Whoever was faster has written it by the present clock.
        with troubles.passed_over(), suppress(StaleTask):
            core.store.commit(Batch(changes=[moved], records=[record]), now=now)
    holds = _holds(core, now=now)
    if holds:
        core.store.commit(Batch(holds=holds), now=now)


def _earlier(task: Task, back: dt.timedelta) -> Task:
    """Return the task with the moments that its last step has set, so much earlier."""
    # Before its first start, only a person has said when.
    is_ours = task.started_at is not None and task.not_before is not None
    return replace(
        task,
        not_before=_less(task.not_before, back) if is_ours else task.not_before,
        started_at=_less(task.started_at, back),
        claim=_claim(task.claim, back),
    )


def _before(moment: dt.datetime, back: dt.timedelta) -> dt.datetime:
    """Return so much earlier; the first moment there is where it would lie before that."""
    return moment - min(back, moment - _FIRST)


def _claim(claim: Claim | None, back: dt.timedelta) -> Claim | None:
    if claim is None:
        return None
    return replace(
        claim,
        lease_until=_before(claim.lease_until, back),
        stopping=_less(claim.stopping, back),
    )


def _less(moment: dt.datetime | None, back: dt.timedelta) -> dt.datetime | None:
    return _before(moment, back) if moment is not None else None


def _holds(core: Core, *, now: dt.datetime) -> dict[str, Hold | None]:
    """Return the holds that a later clock has set, moved; a person's stay."""
    found: dict[str, Hold | None] = {}
    for meta in core.store.queues():
        hold = meta.paused
        if hold is None or hold.by == "user" or hold.at - now <= SKEW:
            continue
        back = hold.at - now
        found[meta.source] = hold._replace(at=now, until=_less(hold.until, back))
    return found
