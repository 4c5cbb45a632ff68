from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

from fakes import START, a_task
from model_queue import statechart
from model_queue.model import Status
from model_queue.statechart import (
    GUARD_WORDS,
    chart,
    illegal_events,
    slot_words,
    state_machine_md,
    status_table,
)
from model_queue.transitions import LATE, TABLE, Event, Guard, Row
from model_queue.vocabularies import workspace_word

ROOT = Path(__file__).parent.parent.parent
PAGE = ROOT / "references" / "state-machine.md"


def test_the_page_is_the_one_made_from_the_table() -> None:
    made = state_machine_md()

    assert PAGE.read_text(encoding="utf-8") == made, (
        "run PYTHONPATH=lib python -m model_queue.statechart > references/state-machine.md"
    )


def test_the_command_prints_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(statechart.__file__), run_name="__main__")

    assert capsys.readouterr().out == state_machine_md()


def test_each_row_is_on_the_page() -> None:
    lines = state_machine_md().splitlines()

    missing = [
        row
        for row in TABLE
        if not any(
            f"`{row.event}`" in line
            and f"| `{row.guard}` |" in line
            and (row.before or "(none)") in line
            and all(effect in line for effect in row.effects)
            for line in lines
        )
    ]

    assert missing == []


def test_each_guard_is_explained() -> None:
    assert set(GUARD_WORDS) == set(Guard)


def test_each_status_is_in_the_status_table() -> None:
    rows = status_table().splitlines()[2:]

    assert [row.split("`")[1] for row in rows] == list(Status)
    assert [row.endswith("yes |") for row in rows] == [s.is_terminal for s in Status]


@pytest.mark.parametrize("status", Status)
@pytest.mark.parametrize("started_at", [None, START])
def test_the_status_table_names_each_workspace_word(
    status: Status, started_at: object
) -> None:
    paused_from = Status.RUNNING if status is Status.PAUSED else None
    task = a_task(status=status, started_at=started_at, paused_from=paused_from)

    row = next(r for r in status_table().splitlines() if r.startswith(f"| `{status}`"))

    is_possible = status is not Status.WAITING or started_at is None
    assert f"`{workspace_word(task)}`" in row or not is_possible


def test_the_chart_has_every_move_and_no_other() -> None:
    moves = {
        (row.before or "[*]", row.after)
        for row in TABLE
        if row.after not in {None, row.before}
    }

    drawn = set(re.findall(r"^    (\S+) --> (\S+) : \S", chart(), flags=re.MULTILINE))

    live = {status for status in Status if not status.is_terminal}
    spread = {
        (source, after)
        for before, after in drawn
        for source in (live if before == "live" else {before})
    }
    ends = {(status, "[*]") for status in Status if status.is_terminal}
    assert spread == moves | ends


@pytest.mark.parametrize("before", [None, *Status])
def test_an_event_is_refused_when_it_has_no_row_and_is_never_late(
    before: Status | None,
) -> None:
    refused = set(illegal_events(before))

    with_row = {row.event for row in TABLE if row.before is before}
    assert refused == set(Event) - with_row - (set(LATE) if before else set())


def holders(status: Status | None, *, until_terminal: bool) -> set[bool]:
    """Return whether tasks of a status hold a slot: both where it depends."""
    if status is None:
        return {False}
    if status is Status.RUNNING:
        return {True}
    may_have_started = not status.is_terminal and status is not Status.WAITING
    return {False, True} if until_terminal and may_have_started else {False}


@pytest.mark.parametrize("row", TABLE)
@pytest.mark.parametrize("until_terminal", [False, True])
def test_slot_words_fit_the_statuses(row: Row, until_terminal: bool) -> None:
    word = slot_words(row)[until_terminal]
    after = row.before if row.after is None else row.after
    was = holders(row.before, until_terminal=until_terminal)
    is_ = holders(after, until_terminal=until_terminal)

    match word:
        case "take":
            assert True in is_
            assert False in was
        case "release":
            assert True in was
            assert False in is_
        case "keep":
            assert was & is_
        case _:
            assert word == "n/a"
            assert not until_terminal


def test_a_page_row_reads_as_in_the_list_of_rows() -> None:
    """One line in full, so that a change of the form is seen."""
    assert (
        "| `running` | `fail_timeout` | `retry_left` | `pending` | set error; retries+1; "
        "stop session; backoff | release | keep |  |\n"
    ) in state_machine_md()
