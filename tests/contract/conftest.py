"""A store that cannot be tried here is no success where everything is to be tried."""

from __future__ import annotations

import os
from collections.abc import Generator

import pytest

STORE_FIXTURES = {"bare_store", "backend"}
"""What a test of a store asks for."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Function, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Count a store that cannot run as failed where ``CI`` is set."""
    del call
    report = yield
    is_store = STORE_FIXTURES & set(item.fixturenames)
    if is_store and report.skipped and os.environ.get("CI"):
        report.outcome = "failed"
        report.longrepr = f"CI is set, and the store cannot run: {report.longrepr}"
    return report
