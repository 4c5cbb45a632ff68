from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes import FixedRng
from model_queue.backoff import delay_before

SCHEDULE = (5.0, 15.0, 45.0)


def seconds(
    retry: int,
    schedule: tuple[float, ...] = SCHEDULE,
    jitter: float = 0.0,
    share: float = 0.5,
) -> float:
    delay = delay_before(retry, schedule=schedule, jitter=jitter, rng=FixedRng(share))
    assert isinstance(delay, dt.timedelta)
    return delay.total_seconds()


class NoRng:
    def uniform(self, low: float, high: float) -> float:
        raise AssertionError((low, high))


def test_the_schedule_is_followed_and_then_grows_threefold_to_15_minutes() -> None:
    assert [seconds(retry) for retry in range(1, 9)] == [
        5,
        15,
        45,
        135,
        405,
        900,
        900,
        900,
    ]


@pytest.mark.parametrize(
    ("schedule", "delays"),
    [
        pytest.param((), [0, 0, 0], id="none"),
        pytest.param((0.0,), [0, 0, 0], id="no wait"),
        pytest.param((2.5,), [2.5, 7.5, 22.5], id="one"),
        pytest.param((900.0,), [900, 900, 900], id="the cap itself"),
        pytest.param((1200.0,), [1200, 1200, 1200], id="longer than the cap"),
        pytest.param((60.0, 10.0), [60, 10, 30], id="falling"),
    ],
)
def test_any_schedule_has_a_delay_for_every_retry(
    schedule: tuple[float, ...], delays: list[float]
) -> None:
    assert [seconds(retry, schedule) for retry in (1, 2, 3)] == delays


def test_a_very_late_retry_is_no_problem() -> None:
    assert seconds(1_000_000) == 900


def test_without_jitter_chance_is_not_asked() -> None:
    delay = delay_before(1, schedule=SCHEDULE, jitter=0.0, rng=NoRng())

    assert delay == dt.timedelta(seconds=5)


@pytest.mark.parametrize(("share", "expected"), [(0.0, 4.0), (0.5, 5.0), (1.0, 6.0)])
def test_jitter_varies_the_delay_either_way(share: float, expected: float) -> None:
    assert seconds(1, jitter=0.2, share=share) == pytest.approx(expected)


@given(
    retry=st.integers(1, 50),
    schedule=st.lists(st.floats(0.1, 900), min_size=1, max_size=5).map(sorted),
    jitter=st.floats(0, 1),
    share=st.floats(0, 1),
)
def test_delays_never_shrink_up_to_the_cap_and_stay_within_the_jitter(
    retry: int, schedule: list[float], jitter: float, share: float
) -> None:
    base, later = (seconds(n, tuple(schedule)) for n in (retry, retry + 1))
    varied = seconds(retry, tuple(schedule), jitter, share)

    assert base <= later <= 900
    assert base * (1 - jitter) - 1e-5 <= varied <= base * (1 + jitter) + 1e-5
