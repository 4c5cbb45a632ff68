"""When a provider may be asked again, from its headers and words."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model_queue.reset_times import FARTHEST, reset_of

NOW = dt.datetime(2026, 3, 4, 16, 51, tzinfo=dt.UTC)
"""A Wednesday; 17:51 in Paris."""
EPOCH = 1_772_650_000
"""18:46:40 on that day."""


def until(text: str, **headers: str) -> dt.datetime | None:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return reset_of(named, text, now=NOW).until


def at(text: str) -> dt.datetime:
    return dt.datetime.fromisoformat(text).replace(tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("Retry-After", "120", "2026-03-04 16:53"),
        ("retry-after", "1.5", "2026-03-04 16:51:01.5"),
        ("retry-after", "Wed, 04 Mar 2026 17:00:30 GMT", "2026-03-04 17:00:30"),
        ("retry-after", "2026-03-04T18:00:30+01:00", "2026-03-04 17:00:30"),
        ("retry-after", str(EPOCH), "2026-03-04 18:46:40"),
        ("retry-after", f"{EPOCH}000", "2026-03-04 18:46:40"),
        ("retry-after-ms", "1500", "2026-03-04 16:51:01.5"),
        ("x-ratelimit-reset-after", "30s", "2026-03-04 16:51:30"),
        ("x-ratelimit-reset", str(EPOCH), "2026-03-04 18:46:40"),
        ("anthropic-ratelimit-unified-reset", str(EPOCH), "2026-03-04 18:46:40"),
    ],
)
def test_headers_give_seconds_a_date_or_an_epoch(
    name: str, value: str, expected: str
) -> None:
    assert reset_of({name: value}, "", now=NOW).until == at(expected)


@pytest.mark.parametrize(
    "value",
    [
        pytest.param("0", id="no wait"),
        pytest.param("-5", id="negative"),
        pytest.param("soon", id="a word"),
        pytest.param("", id="nothing"),
        pytest.param("Wed, 04 Mar 2026 16:00:00 GMT", id="past"),
        pytest.param("Wed, 04 Foo 2026 17:00:00 GMT", id="no such month"),
        pytest.param("Wed, 31 Feb 2027 17:00:00 GMT", id="no such day"),
        pytest.param("2026-02-30T17:00:00Z", id="no such ISO day"),
        pytest.param("1000000000", id="an epoch long past"),
        pytest.param("99999999999", id="an epoch far away"),
        pytest.param("999999999999999", id="no epoch at all"),
        pytest.param("40000000", id="more than a year"),
    ],
)
def test_a_header_that_names_no_moment_ahead_is_ignored(value: str) -> None:
    assert until("", retry_after=value) is None
    assert until("try again in 20s", retry_after=value) == at("2026-03-04 16:51:20")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Claude AI usage limit reached|1772650000", "2026-03-04 18:46:40"),
        ('"resets_at": 1772650000', "2026-03-04 18:46:40"),
        ('{"reset_at":1772650000000}', "2026-03-04 18:46:40"),
        ("Please try again in 18.642s. Visit x.", "2026-03-04 16:51:18.642"),
        ("Please try again in 174ms.", "2026-03-04 16:51:00.174"),
        ("Please try again in 6m0s", "2026-03-04 16:57"),
        ("or try again in 5 days 22 hours 11\nminutes.", "2026-03-10 15:02"),
        ("try again in 1 hour, 2 minutes and 3 seconds", "2026-03-04 17:53:03"),
        ("Your quota will reset after 2h13m5s.", "2026-03-04 19:04:05"),
        ("Come back in 3h 47m.", "2026-03-04 20:38"),
        ('"retryDelay": "38s"', "2026-03-04 16:51:38"),
        ("rate limited, retry after 20 seconds", "2026-03-04 16:51:20"),
        ('{"retry_after": 20}', "2026-03-04 16:51:20"),
        ('"resets_in_seconds": 4500', "2026-03-04 18:06"),
        ("请在 20 秒后重试", "2026-03-04 16:51:20"),
        ("额度将在 3 小时 5 分钟后重置", "2026-03-04 19:56"),
        ("请于 2 天之后再重试", "2026-03-06 16:51"),
    ],
)
def test_a_span_or_an_epoch_leaves_no_doubt(text: str, expected: str) -> None:
    assert until(text) == at(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("usage limit … resets 3pm (Europe/Paris)", "2026-03-05 14:00"),
        ("You've hit your limit · resets 8:30pm (Asia/Tokyo)", "2026-03-05 11:30"),
        ("Your limit will reset at 1pm (Etc/GMT+5).", "2026-03-04 18:00"),
        ("resets 12:50am (America/Los_Angeles)", "2026-03-05 08:50"),
        ("resets 3am (UTC+8)", "2026-03-04 19:00"),
        ("resets 3:30 UTC+05:30", "2026-03-04 22:00"),
        ("resets 3am GMT-3", "2026-03-05 06:00"),
        ("resets 11pm (UTC)", "2026-03-04 23:00"),
        ("try again at 7:54 PM.", "2026-03-04 19:54"),
        ("resets at 19:54:30", "2026-03-04 19:54:30"),
        ("resets at 6am tomorrow", "2026-03-05 06:00"),
        ("resets at midnight", "2026-03-05 00:00"),
        ("resets tomorrow at noon", "2026-03-05 12:00"),
        ("weekly limit · resets Sep 15 at 7pm", "2026-09-15 19:00"),
        ("resets Jan 12, 10:59am (America/New_York)", "2027-01-12 15:59"),
        ("try again at May 11th, 2026 1:36 PM.", "2026-05-11 13:36"),
        ("resets Mar 9", "2026-03-09 00:00"),
        ("resets Mon 12:00am", "2026-03-09 00:00"),
        ("resets Wed 6pm", "2026-03-04 18:00"),
        ("resets Wednesday at 3pm", "2026-03-11 15:00"),
        ("resets at 2026-03-05T10:00:00+01:00", "2026-03-05 09:00"),
        ("resets at 2026-03-05T10:00:00Z", "2026-03-05 10:00"),
        ("resets at 2026-03-05T10:00:00.123-0330", "2026-03-05 13:30"),
        ("resets on 2026-03-06", "2026-03-06 00:00"),
        ("您的限额将在 2026-03-05 07:41:44 重置。", "2026-03-05 07:41:44"),
        ("额度重置时间：2026年3月5日 08:00", "2026-03-05 08:00"),
        ("额度将于明天 8点 重置", "2026-03-05 08:00"),
        ("额度将于晚上 9点30 重置", "2026-03-04 21:30"),
        ("额度将于上午 9:30 重置", "2026-03-05 09:30"),
    ],
)
def test_a_date_or_clock_time_is_read_beside_its_trigger(
    text: str, expected: str
) -> None:
    assert until(text) == at(expected)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("resets 4:30pm", id="passed within the hour"),
        pytest.param("Please try again later. Request 12:34:56", id="later"),
        pytest.param("try again in 3 months", id="no unit that we count"),
        pytest.param("resets at 25:99", id="no clock time"),
        pytest.param("resets Feb 30 at 1pm 2026", id="no such day in any year"),
        pytest.param("resets Feb 30, 2026 at 1pm", id="no such date"),
        pytest.param("resets Monday", id="a day without a time"),
        pytest.param("it started at 3pm", id="no trigger"),
        pytest.param("usage limit reached", id="no time"),
        pytest.param("try again in 9999 days", id="too far"),
        pytest.param("resets at 9999-12-31 23:59 (Etc/GMT+12)", id="end of time"),
        pytest.param("系统在 15:00 开始。请求失败，请重试", id="another sentence"),
    ],
)
def test_no_time_is_made_up(text: str) -> None:
    assert until(text) is None


def test_a_time_without_a_zone_is_local() -> None:
    tokyo = ZoneInfo("Asia/Tokyo")

    reset = reset_of({}, "resets 8:30pm", now=NOW, zone=tokyo)

    assert reset.until == at("2026-03-05 11:30")


@pytest.mark.parametrize("zone", ["Mars/Phobos", "Europe", "Not_A_Zone"])
def test_a_zone_that_is_not_known_is_read_as_utc_and_said(zone: str) -> None:
    reset = reset_of({}, f"resets 3pm ({zone})", now=NOW)

    assert reset.until == at("2026-03-05 15:00")
    assert reset.note == f"time zone {zone} is not known here, read as UTC"


@given(
    st.lists(
        st.sampled_from(
            [
                "resets ",
                "try again in ",
                "at ",
                "3pm ",
                "15:00",
                "99:99",
                "(Europe/Paris)",
                "(X/Y)",
                "Feb 30 ",
                "2026-13-40 ",
                "5 days ",
                "999999999h ",
                "|1772650000",
                "后重置",
                "重置",
                "明天",
                "UTC+25:99 ",
                "Mon ",
                "retry_after: ",
                "\n",
                "0s ",
            ]
        )
    ).map("".join)
)
def test_a_reset_lies_ahead_or_is_none(text: str) -> None:
    found = reset_of({"Retry-After": text[:20]}, text, now=NOW).until

    assert found is None or NOW < found <= NOW + FARTHEST
