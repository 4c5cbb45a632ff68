"""Flags that say how many, how long or since when."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from model_queue.commands.bounds import count_of, seconds_of, since_of
from model_queue.errors import InputError

NOW = dt.datetime(2026, 3, 4, 16, 51, tzinfo=dt.UTC)
SHANGHAI = ZoneInfo("Asia/Shanghai")
"""There it is 00:51 of the 5th."""


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("90s", "2026-03-04T16:49:30"),
        ("30 min", "2026-03-04T16:21:00"),
        ("2h", "2026-03-04T14:51:00"),
        ("3 days ago", "2026-03-01T16:51:00"),
        ("1W", "2026-02-25T16:51:00"),
        ("today", "2026-03-04T16:00:00"),
        ("昨天", "2026-03-03T16:00:00"),
        ("00:30", "2026-03-04T16:30:00"),
        ("2026-03-04", "2026-03-03T16:00:00"),
        ("2026-03-04T09:00", "2026-03-04T01:00:00"),
        ("2026-03-04t09:00z", "2026-03-04T09:00:00"),
        ("2026-03-04 09:00+01:00", "2026-03-04T08:00:00"),
    ],
)
def test_a_past_moment_is_read_in_the_persons_zone(word: str, expected: str) -> None:
    moment = since_of(word, now=NOW, zone=SHANGHAI)

    assert moment == dt.datetime.fromisoformat(f"{expected}+00:00")


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("tomorrow", "must be a span such as 2h or 3d"),
        ("", "must be a span such as 2h or 3d"),
        ("2", "must be a span"),
        ("2026-02-30", "must be a span"),
        ("9999999w", "must be a span"),
        ("-2h", "must be a span"),
        ("2026-03-06", "is still to come"),
        ("02:00", "is still to come"),
    ],
)
def test_what_is_no_past_moment_is_refused(word: str, told: str) -> None:
    with pytest.raises(InputError, match=told) as caught:
        since_of(word, now=NOW, zone=SHANGHAI)

    assert str(caught.value).startswith(f"--since is {word!r}, ")


def test_a_number_lies_within_its_bounds() -> None:
    assert count_of(1, "--limit") == 1
    assert count_of(0, "--lines", least=0) == 0
    for value in (0, -1, 1_000_001):
        with pytest.raises(InputError, match=rf"--limit is {value}, but must be 1 to"):
            count_of(value, "--limit")


def test_a_span_is_a_number_with_an_end() -> None:
    assert seconds_of(0.2, "--watch", least=0.2) == 0.2
    for value in (0.1, -1.0, float("inf"), float("nan")):
        with pytest.raises(InputError, match=r"--watch is \S+, but must be 0.2 to"):
            seconds_of(value, "--watch", least=0.2)
