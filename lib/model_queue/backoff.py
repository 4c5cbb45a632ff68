"""How long a failed task waits before its next attempt. Source: SPEC 1, 2.3."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from model_queue.ports import Rng

GROWTH = 3
"""Factor from one delay to the next behind the end of the schedule."""
LONGEST_S = 900.0
"""Where the growth ends, in seconds."""


def delay_before(
    retry: int, *, schedule: Sequence[float], jitter: float, rng: Rng
) -> dt.timedelta:
    """Return the delay before a retry.

    Behind the end of the schedule its last delay grows threefold with each retry, up to
    15 minutes; a last delay that is longer repeats as it is. An empty schedule does not
    wait.

    Args:
        retry: counts from 1.
        schedule: seconds before the first, second, … retry.
        jitter: share of the delay, 0 to 1, by which it may vary either way.
        rng: asked once, and only when there is something to vary.
    """
    seconds = _seconds(retry, schedule)
    if jitter > 0 and seconds > 0:
        seconds *= rng.uniform(1 - jitter, 1 + jitter)
    return dt.timedelta(seconds=seconds)


def _seconds(retry: int, schedule: Sequence[float]) -> float:
    if not schedule:
        return 0.0
    if retry <= len(schedule):
        return schedule[retry - 1]
    seconds = schedule[-1]
    for _ in range(retry - len(schedule)):
        if not 0 < seconds < LONGEST_S:
            break
        seconds = min(seconds * GROWTH, LONGEST_S)
    return seconds
