"""A wished start time in words, resolved to a moment."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping

from model_queue.intake.layout import number_of
from model_queue.intake.lexicon import Hit, Lexicon
from model_queue.intake.wall_clock import Shift, instant

_PART_HOURS = {
    "early morning": 9,
    "morning": 9,
    "noon": 12,
    "lunchtime": 12,
    "afternoon": 14,
    "evening": 18,
    "night": 21,
    "早上": 9,
    "早晨": 9,
    "清晨": 9,
    "上午": 9,
    "中午": 12,
    "午后": 14,
    "下午": 14,
    "傍晚": 18,
    "晚上": 18,
    "夜里": 21,
    "夜间": 21,
    "凌晨": 0,
    "半夜": 0,
    "一早": 9,
    "一大早": 9,
    "晚些时候": 18,
}
"""Start of each part of the day. Source: SPEC 3."""
_LATE_PARTS = frozenset(
    {
        "afternoon",
        "evening",
        "night",
        "下午",
        "傍晚",
        "晚上",
        "夜里",
        "夜间",
        "午后",
        "中午",
    }
)
_DAY_START = 9
"""Hour of a day named without a part."""
_NUMBERS = {
    "a": 1.0,
    "an": 1.0,
    "one": 1.0,
    "two": 2.0,
    "three": 3.0,
    "four": 4.0,
    "five": 5.0,
    "six": 6.0,
    "seven": 7.0,
    "eight": 8.0,
    "nine": 9.0,
    "ten": 10.0,
    "twelve": 12.0,
    "fifteen": 15.0,
    "twenty": 20.0,
    "thirty": 30.0,
    "half a": 0.5,
    "half an": 0.5,
    "半": 0.5,
    "几": 3.0,
}
_SECONDS = {
    "s": 1,
    "m": 60,
    "h": 3600,
    "d": 86400,
    "w": 604800,
    "f": 1209600,
    "秒": 1,
    "分": 60,
    "小": 3600,
    "钟": 3600,
    "天": 86400,
    "周": 604800,
    "星": 604800,
    "礼": 604800,
    "个": 2592000,
    "月": 2592000,
}
_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_CN_DAYS = "一二三四五六日"
_OFFSETS = {
    "today": 0,
    "今天": 0,
    "今日": 0,
    "tonight": 0,
    "later tonight": 0,
    "overnight": 0,
    "今晚": 0,
    "今早": 0,
    "今夜": 0,
    "tomorrow": 1,
    "明天": 1,
    "明日": 1,
    "明晚": 1,
    "明早": 1,
    "后天": 2,
    "后晚": 2,
    "大后天": 3,
    "day after tomorrow": 2,
    "the day after tomorrow": 2,
    "明年": 365,
    "later today": 0,
}


class Wish:
    """A start time that was asked for.

    Attributes:
        at: aware UTC, None for a date that could not be read (ask).
        form: the corpus form: ``PT2H``, ``2026-12-01T09:00:00Z``, or "" for a vague one.
        shift: whether the clocks of the zone skip that local time, or show it twice.
    """

    __slots__ = ("at", "form", "shift")

    def __init__(
        self, at: dt.datetime | None, form: str = "", shift: Shift = ""
    ) -> None:
        self.at = at
        self.form = form
        self.shift: Shift = shift


def resolve(
    hit: Hit, now: dt.datetime, zone: dt.tzinfo, lexicon: Lexicon | None = None
) -> Wish | None:
    """Turn a phrase of the ``time`` lexicon into a moment.

    None when it names no start ("today"). A clock time that is past goes to the next day.
    ``lexicon``: the ``time_word`` phrases, which give words of other languages in English.
    """
    groups = _in_english(hit.groups, lexicon)
    local = now.astimezone(zone)
    try:
        if hit.kind == "delay":
            return _delay(hit.words, groups, local)
        if hit.kind == "date":
            return _date(groups, local)
        return _day(groups, local)
    except (ValueError, OverflowError):
        return Wish(None)


def _in_english(
    groups: Mapping[str, str], lexicon: Lexicon | None
) -> Mapping[str, str]:
    if lexicon is None:
        return groups
    return {name: _translated(words, lexicon) for name, words in groups.items()}


def _translated(words: str, lexicon: Lexicon) -> str:
    """Return words with each that the lexicon knows in English.

    The kind of a phrase is what it means, with ``_`` for a blank.
    """
    whole = lexicon.whole(words, 0, len(words))
    if whole:
        return whole.kind.replace("_", " ")
    out, done = "", 0
    for hit in lexicon.find(words, 0, len(words)):
        out += words[done : hit.start] + hit.kind.replace("_", " ")
        done = hit.end
    return out + words[done:]


def _wish(local: dt.datetime, *, is_exact: bool) -> Wish:
    """Return the wish for a local time; an exact one has a corpus form."""
    found = instant(local.replace(tzinfo=None), local.tzinfo or dt.UTC)
    form = found.at.strftime("%Y-%m-%dT%H:%M:%SZ") if is_exact else ""
    return Wish(found.at, form, found.shift)


def _delay(words: str, groups: Mapping[str, str], local: dt.datetime) -> Wish:
    """Read a span from now: days and weeks by the calendar, less by the clock."""
    number = groups.get("n") or words.split(maxsplit=1)[0]
    amount = _amount(" ".join(number.split()))
    if (
        "and a half" in words
        or groups.get("half")
        or re.search(r"半(?:之后|以后|后)", words)
    ):
        amount += 0.5
    unit = groups["unit"]
    key = "m" if unit == "m" else unit[0]
    seconds = round(amount * _SECONDS[key])
    days, rest = divmod(seconds, _DAY)
    if rest:
        at = local.astimezone(dt.UTC) + dt.timedelta(seconds=seconds)
        return Wish(at, _duration(seconds))
    wish = _wish(local + dt.timedelta(days=days), is_exact=False)
    return Wish(wish.at, _duration(seconds), wish.shift)


_DAY = 86_400
"""Seconds of a day without a change of the clocks."""


def _amount(word: str) -> float:
    if word in _NUMBERS:
        return _NUMBERS[word]
    try:
        return float(word)
    except ValueError:
        return float(number_of(word)) or 1.0


def _duration(seconds: int) -> str:
    """Write an ISO 8601 duration.

    >>> _duration(5400), _duration(172800)
    ('PT1H30M', 'P2D')
    """
    if seconds % _DAY == 0:
        return f"P{seconds // _DAY}D"
    hours, rest = divmod(seconds, 3600)
    minutes, seconds = divmod(rest, 60)
    parts = [(hours, "H"), (minutes, "M"), (seconds, "S")]
    return "PT" + "".join(f"{n}{unit}" for n, unit in parts if n)


def _day(groups: Mapping[str, str], local: dt.datetime) -> Wish | None:
    day, part, clock = (groups.get(k, "") for k in ("day", "part", "clock"))
    clock = clock or groups.get("hour", "")
    part = part or _part_of(day)
    if day in {"today", "今天", "今日", "later today"} and not part and not clock:
        return None
    if not day and not part and clock.isdigit():
        return None
    offset = _offset(" ".join(day.split()), local)
    hour, minute = (
        _clock(clock, part) if clock else (_PART_HOURS.get(part, _DAY_START), 0)
    )
    at = local.replace(hour=hour % 24, minute=minute, second=0, microsecond=0)
    at += dt.timedelta(days=(offset or 0) + hour // 24)
    if at <= local:
        at += dt.timedelta(days=7 if offset else 1)
    return _wish(at, is_exact=bool(clock))


def _part_of(day: str) -> str:
    if "night" in day or day.endswith(("夜", "晚")):
        return "night" if "night" in day else "晚上"
    return "早上" if day.endswith("早") else ""


def _offset(day: str, local: dt.datetime) -> int | None:
    if not day:
        return 0
    if day in _OFFSETS:
        return _OFFSETS[day]
    today = local.weekday()
    if day in {"week", "下周", "下个周", "下星期", "下个星期", "下礼拜"}:
        return 7 - today
    if "weekend" in day or "周末" in day:
        return (5 - today) % 7 or 7
    if "month" in day or "月" in day:
        return (local.replace(day=28) + dt.timedelta(days=4)).replace(
            day=1
        ).toordinal() - local.toordinal()
    return _weekday(day, today)


def _weekday(day: str, today: int) -> int:
    for index, name in enumerate(_DAYS):
        if any(word.startswith(name) for word in day.split()):
            return (index - today) % 7 or 7
    if day[-1] in _CN_DAYS + "天":
        index = _CN_DAYS.index(day[-1].replace("天", "日"))
        if day.startswith("下下"):
            return 14 - today + index
        if day.startswith("下"):
            return 7 - today + index
        return (index - today) % 7 or 7
    return 1


def _clock(clock: str, part: str) -> tuple[int, int]:
    """Read a clock time as hour (24 or more means the next day) and minute."""
    words = clock.replace(".", "").replace(" ", "").replace("uhr", ":")
    if words in {"noon", "midnight"}:
        return (12, 0) if words == "noon" else (24, 0)
    match = re.match(
        r"(\d{1,2}(?!\d(?:am|pm))|[一二两三四五六七八九十]{1,3})(?:[:点时h시](半|\d{1,2}|[一二三]刻|[一二三四五六七八九十]{1,4})?)?",
        words,
    )
    if match is None:
        raise ValueError(clock)
    hour = number_of(match[1])
    minute = _minute(match[2] or "")
    if re.match(r"\d{3,4}(?:am|pm)", words):
        digits = re.sub(r"\D", "", words)
        hour, minute = int(digits[:-2]), int(digits[-2:])
    is_noon = part == "中午" and hour > _LATE_MORNING
    if ("pm" in words or part in _LATE_PARTS) and hour < _NOON and not is_noon:
        hour += _NOON
    elif "am" in words and hour == _NOON:
        hour = 0
    dt.time(hour % 24, minute)
    return hour, minute


_NOON = 12
_LATE_MORNING = 10
"""Hour after which 中午十一点 is before noon."""


def _minute(word: str) -> int:
    if word == "半":
        return 30
    if word.endswith("刻"):
        return 15 * number_of(word[0])
    return number_of(word) if word else 0


def _date(groups: Mapping[str, str], local: dt.datetime) -> Wish:
    """Read a calendar date; words go to dateutil where it is installed."""
    part, clock = groups.get("part", ""), groups.get("clock", "")
    if "iso" in groups:
        day = dt.date.fromisoformat(groups["iso"])
    elif "d" in groups:
        day = _day_of_month(groups, local)
    else:
        parsed = _by_dateutil(groups["words"], local)
        if parsed is None:
            return Wish(None)
        day = parsed
    if day < local.date() and "y" not in groups and "iso" not in groups:
        day = day.replace(year=day.year + 1)
    hour, minute = (
        _clock(clock, part) if clock else (_PART_HOURS.get(part, _DAY_START), 0)
    )
    at = dt.datetime(
        day.year, day.month, day.day, hour % 24, minute, tzinfo=local.tzinfo
    )
    return _wish(at + dt.timedelta(days=hour // 24), is_exact=bool(clock))


def _day_of_month(groups: Mapping[str, str], local: dt.datetime) -> dt.date:
    """Return a day that is named by its number; without a month the next such day."""
    number, year = int(groups["d"]), int(groups.get("y", local.year))
    if "m" in groups:
        return dt.date(year, int(groups["m"]), number)
    is_next = groups.get("month", "").startswith("下")
    is_past = "month" not in groups and number < local.day
    first = local.date().replace(day=1)
    if is_next or is_past:
        first = (first + dt.timedelta(days=31)).replace(day=1)
    return first.replace(day=number)


def _by_dateutil(words: str, local: dt.datetime) -> dt.date | None:
    try:
        # Not on the common path, and an unpacked folder may lack it.
        from dateutil import parser  # noqa: PLC0415 - as said above
    except ImportError:
        return None
    default = dt.datetime(local.year, local.month, local.day, tzinfo=dt.UTC)
    try:
        return parser.parse(
            words.replace(" of ", " ").removeprefix("the "), default=default
        ).date()
    except (ValueError, OverflowError):
        return None
