"""Fixtures that every test gets."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

from fakes import FakeClock, FixedRng, SequentialIds

# A loaded machine is no fault: how long an example takes is measured in bench/. The
# default run looks at fewer examples, `make slow` and .ci/run at all of them.
settings.register_profile("quick", deadline=None, max_examples=30)
settings.register_profile("thorough", deadline=None, max_examples=50)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest: one worker must not finish them alone at the end."""
    items.sort(key=lambda item: "torture" not in item.path.parts)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def ids() -> SequentialIds:
    return SequentialIds()


@pytest.fixture
def rng() -> FixedRng:
    return FixedRng()


@pytest.fixture(autouse=True)
def _no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A developer's own queue must neither change a test nor be changed by one."""
    for name in list(os.environ):
        if name.startswith(("MODEL_QUEUE", "MODEL_SOURCE", "DEFAULT_MODEL")):
            monkeypatch.delenv(name)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say which stores were exercised: one that is missing must be seen to be."""
    reports = [each for some in terminalreporter.stats.values() for each in some]
    stores = {
        str(value)
        for report in reports
        if isinstance(report, pytest.TestReport) and report.when == "call"
        for name, value in report.user_properties
        if name == "store"
    }
    if stores:
        terminalreporter.write_line(f"stores exercised: {', '.join(sorted(stores))}")
