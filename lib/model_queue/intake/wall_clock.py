"""Local times that the clocks of a zone skip, or show twice."""

from __future__ import annotations

import datetime as dt
from typing import Literal, NamedTuple

Shift = Literal["", "skipped", "twice"]
"""``skipped``: the clocks are put forward over it; ``twice``: they are put back to it."""


class Instant(NamedTuple):
    """What a local time comes to."""

    at: dt.datetime
    """Aware UTC."""
    shift: Shift = ""


def instant(local: dt.datetime, zone: dt.tzinfo) -> Instant:
    """Return the instant of a local time, given without a zone.

    A time that is skipped is the moment at which the clocks are put forward; of a time
    that comes twice it is the first. Pure.

    Raises:
        OverflowError: the time is beyond what a date can hold in UTC.

    >>> import zoneinfo
    >>> berlin = zoneinfo.ZoneInfo("Europe/Berlin")
    >>> instant(dt.datetime(2027, 3, 28, 2, 30), berlin).at.astimezone(berlin).hour
    3
    """
    first = local.replace(tzinfo=zone, fold=0).astimezone(dt.UTC)
    second = local.replace(tzinfo=zone, fold=1).astimezone(dt.UTC)
    if first == second:
        return Instant(first)
    if first < second:
        return Instant(first, "twice")
    # Read with the offset from before the gap, a skipped time lies behind its end.
    return Instant(_change(second, first, zone), "skipped")


def _change(low: dt.datetime, high: dt.datetime, zone: dt.tzinfo) -> dt.datetime:
    """Return the second between two instants at which the zone's offset changes."""
    before = low.astimezone(zone).utcoffset()
    while high - low > dt.timedelta(seconds=1):
        middle = low + dt.timedelta(seconds=(high - low) // dt.timedelta(seconds=2))
        if middle.astimezone(zone).utcoffset() == before:
            low = middle
        else:
            high = middle
    return high
