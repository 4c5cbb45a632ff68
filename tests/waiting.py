"""Waiting for something that another process or thread does."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def eventually(probe: Callable[[], T | None], *, within_s: float = 20.0) -> T:
    """Return the probe's first true answer; fail when there is none in time."""
    until = time.monotonic() + within_s
    while True:
        answer = probe()
        if answer:
            return answer
        assert time.monotonic() < until, f"not so within {within_s} s"
        time.sleep(0.01)  # noqa: TID251 - the one place that waits
