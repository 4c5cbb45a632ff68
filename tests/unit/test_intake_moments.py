"""Start times in a user's zone, across the changes of its clocks."""

from __future__ import annotations

import datetime as dt
import zoneinfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intake_samples import CATALOG
from model_queue.intake import ParsedTask, parse
from model_queue.intake.wall_clock import instant

ZONES = ("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Shanghai")


def the_task(message: str, *, now: str, zone: str) -> ParsedTask:
    """Return the one task of a message that is read at a moment in a zone."""
    parsed = parse(
        message,
        catalog=CATALOG,
        now=dt.datetime.fromisoformat(now),
        zone=zoneinfo.ZoneInfo(zone),
    )
    (task,) = parsed.tasks
    return task


@pytest.mark.parametrize(
    ("zone", "local", "utc", "shift"),
    [
        pytest.param(
            "America/New_York",
            (2026, 11, 1, 1, 30),
            "2026-11-01T05:30Z",
            "twice",
            id="autumn: the first instant",
        ),
        pytest.param(
            "America/New_York",
            (2027, 3, 14, 2, 30),
            "2027-03-14T07:00Z",
            "skipped",
            id="spring: the end of the gap",
        ),
        pytest.param(
            "Australia/Lord_Howe",
            (2026, 10, 4, 2, 15),
            "2026-10-03T15:30Z",
            "skipped",
            id="a gap of half an hour",
        ),
        pytest.param(
            "Asia/Shanghai",
            (2026, 11, 1, 1, 30),
            "2026-10-31T17:30Z",
            "",
            id="no change",
        ),
    ],
)
def test_a_local_time_is_one_instant(
    zone: str, local: tuple[int, int, int, int, int], utc: str, shift: str
) -> None:
    found = instant(dt.datetime(*local), zoneinfo.ZoneInfo(zone))  # noqa: DTZ001 - it has none

    assert (found.at, found.shift) == (dt.datetime.fromisoformat(utc), shift)


@given(
    st.datetimes(dt.datetime(2020, 1, 1), dt.datetime(2035, 1, 1)),  # noqa: DTZ001 - local
    st.sampled_from(ZONES),
)
def test_a_local_time_that_exists_comes_back(local: dt.datetime, name: str) -> None:
    zone = zoneinfo.ZoneInfo(name)

    found = instant(local, zone)

    back = found.at.astimezone(zone).replace(tzinfo=None, fold=0)
    assert (back == local) == (found.shift != "skipped")
    assert back >= local


@pytest.mark.parametrize(
    ("message", "now", "zone", "utc"),
    [
        pytest.param(
            "tomorrow at 9am, sort the mail",
            "2026-03-28T12:00:00Z",
            "Europe/Berlin",
            "2026-03-29T07:00Z",
            id="the day after which is an hour short",
        ),
        pytest.param(
            "in 2 days, sort the mail",
            "2026-03-28T08:00:00Z",
            "Europe/Berlin",
            "2026-03-30T07:00Z",
            id="days keep the time of day",
        ),
        pytest.param(
            "in 24 hours, sort the mail",
            "2026-03-28T08:00:00Z",
            "Europe/Berlin",
            "2026-03-29T07:00Z",
            id="24 hours are a day",
        ),
        pytest.param(
            "in 5 hours, sort the mail",
            "2026-03-28T23:00:00Z",
            "Europe/Berlin",
            "2026-03-29T04:00Z",
            id="hours are hours",
        ),
        pytest.param(
            "明天上午9点整理邮件",
            "2026-03-04T16:51:00Z",
            "Asia/Shanghai",
            "2026-03-06T01:00Z",
            id="tomorrow begins at midnight there",
        ),
        pytest.param(
            "tonight, sort the mail",
            "2026-12-01T20:12:00Z",
            "America/Sao_Paulo",
            "2026-12-02T00:00Z",
            id="B101: the job's own zone",
        ),
    ],
)
def test_times_are_those_of_the_zone(
    message: str, now: str, zone: str, utc: str
) -> None:
    task = the_task(message, now=now, zone=zone)

    assert task.not_before == dt.datetime.fromisoformat(utc)


@pytest.mark.parametrize(
    ("message", "utc", "shift"),
    [
        ("on 2027-03-28 at 02:30, back up", "2027-03-28T01:00Z", "skipped"),
        ("on 2027-10-31 at 02:30, back up", "2027-10-31T00:30Z", "twice"),
        ("on 2027-10-31 at 04:30, back up", "2027-10-31T03:30Z", ""),
    ],
)
def test_a_change_of_the_clocks_is_noted(message: str, utc: str, shift: str) -> None:
    task = the_task(message, now="2026-12-01T12:00:00Z", zone="Europe/Berlin")

    assert (task.not_before, task.shift) == (dt.datetime.fromisoformat(utc), shift)


def test_a_bare_hour_counts_behind_a_day_only() -> None:
    now, zone = "2026-11-30T20:00:00Z", "UTC"

    assert the_task("sort the mail tomorrow at 9", now=now, zone=zone).not_before
    assert not the_task("sort the mail at 9", now=now, zone=zone).not_before
