"""A provider's words and headers -> the moment from which it may be asked again."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

FARTHEST = dt.timedelta(days=366)
"""A moment farther away is a misread number, not a reset."""
JUST_PASSED = dt.timedelta(hours=1)
"""A bare clock time that passed within this span is a reset that is overdue, not the
same time tomorrow."""


class Reset(NamedTuple):
    """When to ask again."""

    until: dt.datetime | None
    """Aware UTC, later than ``now``; None: no time was given, or one that has passed."""
    note: str = ""
    """What had to be assumed, for the person; "" when nothing."""


def reset_of(
    headers: Mapping[str, str],
    text: str,
    *,
    now: dt.datetime,
    zone: dt.tzinfo = dt.UTC,
) -> Reset:
    """Find the reset time in a refusal.

    Headers come before text, and numbers that leave no doubt (an epoch, a span) before
    dates and clock times. Reads seconds, HTTP and ISO dates, epoch seconds and
    milliseconds, ``in 5 days 22 hours``, ``resets 3pm (Europe/Paris)``, ``resets Sep 15
    at 7pm``, ``resets Mon 12:00am``, and 重置 with a time before or after it. A clock time
    without a zone is in ``zone``; a zone that is not known here is read as UTC, and the
    note says so.
    """
    lower = {name.lower(): value.strip() for name, value in headers.items()}
    for name in _HEADERS:
        until = _from_header(name, lower.get(name, ""), now)
        if _is_ahead(until, now):
            return Reset(until=until)
    for reset in _readings(" ".join(text.split()), now, zone):
        if _is_ahead(reset.until, now):
            return reset
    return Reset(until=None)


_HEADERS = (
    "retry-after-ms",
    "retry-after",
    "anthropic-ratelimit-unified-reset",
    "x-ratelimit-reset-after",
    "x-ratelimit-reset",
    "ratelimit-reset",
)
"""Most exact first. Those per kind of limit do not tell which limit was hit."""
_EPOCH_S = 1e9
_LAST_EPOCH_S = 1e11
_EPOCH_MS = 1e12
_NOON = 12
_MONTHS = {
    name: number
    for number, name in enumerate(
        [
            "jan",
            "feb",
            "mar",
            "apr",
            "may",
            "jun",
            "jul",
            "aug",
            "sep",
            "oct",
            "nov",
            "dec",
        ],
        start=1,
    )
}
_WEEKDAYS = {
    name: number
    for number, name in enumerate(["mon", "tue", "wed", "thu", "fri", "sat", "sun"])
}
_UNITS_S = {
    "d": 86_400,
    "天": 86_400,
    "h": 3_600,
    "小": 3_600,
    "个": 3_600,
    "m": 60,
    "分": 60,
    "s": 1,
    "秒": 1,
}
"""By the unit's first letter."""

_COUNT = r"\d{1,9}(?:\.\d{1,9})?"
_UNIT = (
    r"(?:(?:milliseconds?|ms|days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s)"
    r"(?![a-z])|天|个?小时|分钟?|秒)"
)
_SPAN = rf"(?:{_COUNT}\s*{_UNIT}[\s,]*(?:and\s+)?){{1,6}}"
_EPOCH = r"(?:\||reset\w*[\"'\s:=]{1,6})(\d{13}|\d{10})(?![\d.])"
_SPAN_AFTER = (
    r"(?:\b(?:again|retry|resets?|back|wait|available)\s+(?:in|after|for)\s+(?:about\s+)?"
    rf"|retry[-_ ]?(?:after|delay)\W{{1,6}})({_SPAN})"
)
_SPAN_BEFORE = rf"({_SPAN})(?:之后|以后|后)[^\d。]{{0,6}}?(?:重置|恢复|刷新|重试|再试)"
_SECONDS = r"(?:retry[-_ ]?after|in[-_ ]seconds)[\"'\s:=]{1,6}(\d{1,15}(?:\.\d{1,9})?)"
_TRIGGER = r"\bresets?\b|\btry again\b(?! later)|\bavailable again\b"
_CHINESE_TRIGGER = "重置|恢复|刷新|重试"
_DATE = r"(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})"
_OFFSET = r"\d\s*(?:Z\b|([+-])(\d\d):?(\d\d)\b)"
_MONTH_DAY = rf"\b({'|'.join(_MONTHS)})[a-z]*\.? (\d{{1,2}})(?:st|nd|rd|th)?\b(?:,? (\d{{4}})\b)?"
_WEEKDAY = rf"\b({'|'.join(_WEEKDAYS)})[a-z]*\b"
_CLOCK = r"(?<![\d-])(\d{1,2})(?::(\d\d))?(?::\d\d)?\s*([ap])\.?m\b"
_CLOCK_24 = r"(凌晨|早上|上午|中午|下午|晚上)?\s*(?<![\d-])(\d{1,2})[:：点时](?:(\d\d)(?::(\d\d))?)?"
_UTC_OFFSET = r"(?<!/)\b(?:UTC|GMT)([+-])(\d\d?)(?::?([0-5]\d))?\b"
_HTTP_DATE = r"\w{3}, (\d\d) (\w{3}) (\d{4}) (\d\d):(\d\d):(\d\d) GMT"


def _is_ahead(until: dt.datetime | None, now: dt.datetime) -> bool:
    return until is not None and now < until <= now + FARTHEST


def _from_header(name: str, value: str, now: dt.datetime) -> dt.datetime | None:
    if re.fullmatch(r"\d{1,15}(?:\.\d{1,9})?s?", value):
        number = float(value.rstrip("s"))
        return _from_number(number / (1000 if name.endswith("-ms") else 1), now)
    http = re.fullmatch(_HTTP_DATE, value)
    if http is not None:
        day, month, year, hour, minute, second = http.groups()
        clock = _time(int(hour), minute, second)
        number = _MONTHS.get(month.lower(), 0)
        return _moment(int(year), number, int(day), clock, dt.UTC)
    return _calendar(value, now) if re.match(_DATE, value) else None


def _from_number(number: float, now: dt.datetime) -> dt.datetime | None:
    """Read an epoch in seconds or milliseconds by its size, else a count of seconds."""
    if number >= _EPOCH_MS:
        number /= 1000
    if number >= _LAST_EPOCH_S:
        return None
    if number >= _EPOCH_S:
        return dt.datetime.fromtimestamp(number, dt.UTC)
    return now + dt.timedelta(seconds=number)


def _readings(text: str, now: dt.datetime, zone: dt.tzinfo) -> Iterator[Reset]:
    """Yield every reading of a text, the surest first."""
    for found in re.finditer(_EPOCH, text, re.IGNORECASE):
        yield Reset(until=_from_number(float(found[1]), now))
    for pattern in (_SPAN_AFTER, _SPAN_BEFORE):
        for found in re.finditer(pattern, text, re.IGNORECASE):
            yield Reset(until=now + _span(found[1]))
    for found in re.finditer(_SECONDS, text, re.IGNORECASE):
        yield Reset(until=_from_number(float(found[1]), now))
    for window in _windows(text):
        place, note = _zone_of(window, zone)
        yield Reset(until=_calendar(window, now.astimezone(place)), note=note)


def _windows(text: str) -> Iterator[str]:
    """Yield the words beside each trigger, where a date or clock time may stand."""
    for found in re.finditer(_TRIGGER, text, re.IGNORECASE):
        yield text[found.end() : found.end() + 80]
    for found in re.finditer(_CHINESE_TRIGGER, text):
        yield re.split("[。；]", text[max(0, found.start() - 40) : found.start()])[-1]
        yield re.split("[。；]", text[found.end() : found.end() + 40])[0]


def _span(text: str) -> dt.timedelta:
    total = 0.0
    for number, unit in re.findall(rf"({_COUNT})\s*({_UNIT})", text, re.IGNORECASE):
        is_milli = unit.lower().startswith(("ms", "mil"))
        total += float(number) * (0.001 if is_milli else _UNITS_S[unit[0].lower()])
    return min(dt.timedelta(seconds=min(total, 1e9)), 2 * FARTHEST)


def _zone_of(window: str, default: dt.tzinfo) -> tuple[dt.tzinfo, str]:
    """Return the zone that the words name, and a note when it is not known here."""
    offset = re.search(_UTC_OFFSET, window)
    if offset is not None:
        return _fixed_zone(*offset.groups()), ""
    if re.search(r"(?<!/)\b(?:UTC|GMT)\b", window):
        return dt.UTC, ""
    named = re.search(r"\(([A-Z][A-Za-z_]*(?:/[\w+-]+)*)\)", window)
    if named is None:
        return default, ""
    import zoneinfo  # noqa: PLC0415 - 7 ms that only a refusal with a zone pays

    try:
        return zoneinfo.ZoneInfo(named[1]), ""
    except (KeyError, ValueError, OSError):
        return dt.UTC, f"time zone {named[1]} is not known here, read as UTC"


def _fixed_zone(sign: str, hours: str, minutes: str | None) -> dt.tzinfo:
    size = dt.timedelta(hours=int(hours) % 24, minutes=int(minutes or 0))
    return dt.timezone(-size if sign == "-" else size)


def _calendar(words: str, local: dt.datetime) -> dt.datetime | None:
    """Read the first form that the words have; the most exact comes first."""
    for pattern, read in (
        (_DATE, _date),
        (_MONTH_DAY, _month_day),
        (_WEEKDAY, _weekday),
    ):
        found = re.search(pattern, words, re.IGNORECASE)
        if found is not None:
            return read(found, words[found.end() :], local)
    return _clock_time(words, local)


def _date(found: re.Match[str], rest: str, local: dt.datetime) -> dt.datetime | None:
    """Read ``2026-12-01T15:30:00+01:00`` and its kin; without a clock time, midnight."""
    offset = re.search(_OFFSET, rest)
    place: dt.tzinfo | None = local.tzinfo
    if offset is not None:
        place = _fixed_zone(*offset.groups()) if offset[1] else dt.UTC
    year, month, day = map(int, found.groups())
    return _moment(year, month, day, _clock(rest), place)


def _month_day(
    found: re.Match[str], rest: str, local: dt.datetime
) -> dt.datetime | None:
    """Read ``Sep 15 at 7pm``; without a year, the next time that the day comes."""
    month, day = _MONTHS[found[1].lower()], int(found[2])
    clock, place = _clock(rest), local.tzinfo
    if found[3]:
        return _moment(int(found[3]), month, day, clock, place)
    this_year = _moment(local.year, month, day, clock, place)
    if this_year is not None and this_year > local - dt.timedelta(days=1):
        return this_year
    return _moment(local.year + 1, month, day, clock, place)


def _weekday(found: re.Match[str], rest: str, local: dt.datetime) -> dt.datetime | None:
    """Read ``Mon 12:00am``: the next one."""
    clock = _clock(rest)
    if clock is None:
        return None
    days = (_WEEKDAYS[found[1].lower()] - local.weekday()) % 7
    first = _on_day(local, days, clock)
    return first if first > local else _on_day(local, days + 7, clock)


def _clock_time(words: str, local: dt.datetime) -> dt.datetime | None:
    """Read a bare clock time: today's, else tomorrow's; None just after it passed."""
    clock = _clock(words)
    if clock is None:
        return None
    if re.search("tomorrow|明天|明日|次日", words, re.IGNORECASE):
        return _on_day(local, 1, clock)
    today = _on_day(local, 0, clock)
    if today > local:
        return today
    return None if local - today < JUST_PASSED else _on_day(local, 1, clock)


def _clock(words: str) -> dt.time | None:
    """Return the first clock time in the words."""
    found = re.search(_CLOCK, words, re.IGNORECASE)
    if found is not None:
        afternoon = _NOON if found[3] in "pP" else 0
        return _time(int(found[1]) % _NOON + afternoon, found[2])
    found = re.search(_CLOCK_24, words)
    if found is not None:
        hour = int(found[2])
        is_later = found[1] in {"下午", "晚上"} and hour < _NOON
        return _time(hour + (_NOON if is_later else 0), found[3], found[4])
    named = re.search("midnight|noon", words, re.IGNORECASE)
    if named is None:
        return None
    return dt.time(_NOON if named[0].lower() == "noon" else 0)


def _time(hour: int, minute: str | None, second: str | None = None) -> dt.time | None:
    try:
        return dt.time(hour, int(minute or 0), int(second or 0))
    except ValueError:
        return None


def _on_day(local: dt.datetime, days: int, clock: dt.time) -> dt.datetime:
    """Return a clock time some days after the local date, in UTC."""
    day = local.date() + dt.timedelta(days=days)
    return dt.datetime.combine(day, clock, tzinfo=local.tzinfo).astimezone(dt.UTC)


def _moment(
    year: int, month: int, day: int, clock: dt.time | None, zone: dt.tzinfo | None
) -> dt.datetime | None:
    """Return the moment in UTC, None when there is no such date."""
    try:
        date = dt.date(year, month, day)
        at = dt.datetime.combine(date, clock or dt.time.min, tzinfo=zone)
        return at.astimezone(dt.UTC)
    except (ValueError, OverflowError):
        return None
