"""What README says that one can say is understood so."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from model_queue.intake import Catalog, ParsedTask, parse

README = " ".join(
    (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8").split()
)
CATALOG = Catalog(
    sources={"ollama-local": ("ollama/qwen2.5",)}, aliases={}, default="ollama-local"
)
NOW = dt.datetime(2026, 3, 4, 16, 51, tzinfo=dt.UTC)


def tasks_of(message: str) -> tuple[ParsedTask, ...]:
    """The tasks of a message that README must have."""
    assert f"`{message}`" in README
    return tuple(parse(message, catalog=CATALOG, now=NOW, zone=dt.UTC).tasks)


@pytest.mark.parametrize(
    ("message", "priority"),
    [("urgent: list the invoices", 10), ("list the invoices, high priority", 5)],
)
def test_priority(message: str, priority: int) -> None:
    [task] = tasks_of(message)

    assert (task.text, task.priority) == ("list the invoices", priority)


@pytest.mark.parametrize(
    ("message", "hours"),
    [
        ("list the invoices tomorrow at 9am", 16.15),
        ("list the invoices in 2 hours", 2),
    ],
)
def test_time(message: str, hours: float) -> None:
    [task] = tasks_of(message)

    assert task.not_before == NOW + dt.timedelta(hours=hours)


def test_budget() -> None:
    [task] = tasks_of("draft a reminder, max $2")

    assert task.budget_usd == 2


def test_goal() -> None:
    [task] = tasks_of("draft a reminder so that they pay")

    assert task.goal == "they pay"


def test_dependency() -> None:
    [task] = tasks_of("check the address list after T-002")

    assert task.depends_on == ("T-002",)


def test_policy() -> None:
    message = "list the invoices, then draft a reminder, skip it if that fails"

    _, second = tasks_of(message)

    assert (second.depends_on, second.on_depends_fail) == ((0,), "skip")
