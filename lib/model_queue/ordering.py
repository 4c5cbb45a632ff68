"""Which pending task of a queue goes next. Source: SPEC 2.5; seed 003, Step 4."""

from __future__ import annotations

import datetime as dt

from model_queue.model import Task


def claim_order(task: Task) -> tuple[int, dt.datetime, int, str]:
    """Return the sort key of a queue's line: the smallest is claimed first.

    Higher priority, then earlier ``added_at``, then the id's number; an id without a
    number comes by its text.
    """
    digits = task.id.removeprefix("T-")
    number = int(digits) if digits.isascii() and digits.isdigit() else 0
    return (-task.priority, task.added_at, number, task.id)
