"""Flags that say how many, how long or since when -> checked values."""

from __future__ import annotations

import datetime as dt
import re

from model_queue.errors import InputError

MOST = 1_000_000
LONGEST_S = 366 * 86_400.0
_SPAN = re.compile(
    r"(?P<n>[0-9]{1,7}) ?(?P<unit>s|sec|m|min|h|hour|d|day|w|week)s?(?: ago)?"
)
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_DAYS_AGO = {
    **dict.fromkeys(("today", "今天"), 0),
    **dict.fromkeys(("yesterday", "昨天"), 1),
}
_TIMES = "a span such as 2h or 3d, today, yesterday, or a time such as 2026-12-01T09:00"


def count_of(value: int, flag: str, *, least: int = 1) -> int:
    """Return how many a flag asks for.

    Raises:
        InputError: fewer than ``least``, or more than any machine shows.
    """
    if not least <= value <= MOST:
        sentence = f"{flag} is {value}, but must be {least} to {MOST:,}"
        raise InputError(sentence)
    return value


def seconds_of(value: float, flag: str, *, least: float = 0.0) -> float:
    """Return a span in seconds.

    Raises:
        InputError: shorter than ``least``, endless, or no number at all (``nan``).
    """
    if not least <= value <= LONGEST_S:
        sentence = (
            f"{flag} is {value:g}, but must be {least:g} to {LONGEST_S:.0f} seconds"
        )
        raise InputError(sentence)
    return value


def since_of(word: str, *, now: dt.datetime, zone: dt.tzinfo) -> dt.datetime:
    """Return the past moment that a word names, in a person's ``zone`` where it has none.

    Takes a span before ``now`` (``2h``, ``3 days``), ``today``, ``yesterday``, a day or
    a time as RFC 3339 writes them, a part of it, or a time of today (``09:30``).

    Raises:
        InputError: it is none of these, or is still to come.
    """
    moment = _moment(word.strip().lower(), now=now, zone=zone)
    if moment is None:
        sentence = f"--since is {word!r}, but must be {_TIMES}"
        raise InputError(sentence)
    if moment > now:
        sentence = f"--since is {word!r}, which is still to come"
        raise InputError(sentence)
    return moment


def _moment(word: str, *, now: dt.datetime, zone: dt.tzinfo) -> dt.datetime | None:
    here = now.astimezone(zone)
    span = _SPAN.fullmatch(word)
    try:
        if span is not None:
            unit = _UNITS[span["unit"][0]]
            return now - dt.timedelta(**{unit: int(span["n"])})
        if word in _DAYS_AGO:
            day = here.date() - dt.timedelta(days=_DAYS_AGO[word])
            return _in_utc(dt.datetime.combine(day, dt.time()), zone)
        if ":" in word and "-" not in word:
            time = dt.time.fromisoformat(word)
            return _in_utc(dt.datetime.combine(here.date(), time), zone)
        return _in_utc(dt.datetime.fromisoformat(word.upper()), zone)
    except (ValueError, OverflowError):
        return None


def _in_utc(moment: dt.datetime, zone: dt.tzinfo) -> dt.datetime:
    aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=zone)
    return aware.astimezone(dt.UTC)
