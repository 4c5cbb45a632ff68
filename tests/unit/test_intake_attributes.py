from __future__ import annotations

import datetime as dt
import sys
import zoneinfo

import pytest

from intake_samples import read


@pytest.mark.parametrize(
    ("message", "priority"),
    [
        ("URGENT: sort the mail", 10),
        ("sort the mail asap", 10),
        ("P0: sort the mail", 10),
        ("sort the mail (critical)", 10),
        ("紧急：整理邮件", 10),
        ("整理邮件，加急", 10),
        ("P1: sort the mail", 5),
        ("sort the mail, high priority", 5),
        ("整理邮件，高优先级", 5),
        ("P2: sort the mail", 0),
        ("P3: sort the mail", -5),
        ("low priority - sort the mail", -5),
        ("sort the mail, no rush", -5),
        ("不急：整理邮件", -5),
        ("sort the mail, priority 7", 7),
        ("整理邮件，优先级 3", 3),
    ],
)
def test_priority_words(message: str, priority: int) -> None:
    (task,) = read(message).tasks

    assert task.priority == priority
    assert task.text in {"sort the mail", "整理邮件"}


@pytest.mark.parametrize(
    "message",
    [
        "Write a leaflet about urgent care",
        "整理紧急联系人",
        "List the high priority tickets",
    ],
)
def test_priority_words_as_content(message: str) -> None:
    (task,) = read(message).tasks

    assert (task.priority, task.text) == (0, message)


def test_priority_of_a_heading_holds_for_all_and_of_an_item_for_it_alone() -> None:
    heading = read("Urgent:\n- write a\n- write b")
    item = read("1. write a (urgent)\n2. write b")

    assert [task.priority for task in heading.tasks] == [10, 10]
    assert [task.priority for task in item.tasks] == [10, 0]


@pytest.mark.parametrize(
    ("phrase", "policy"),
    [
        (" even if that fails", "continue"),
        (", regardless", "continue"),
        ("; skip it if that fails", "skip"),
        (", but only if it succeeds", "block"),
        ("，失败也继续", "continue"),
        ("，失败就跳过", "skip"),
        (". If the first step fails, skip the second.", "skip"),
        ("", "block"),
    ],
)
def test_failure_policy(phrase: str, policy: str) -> None:
    parsed = read(f"Fetch the rates, then write a report{phrase}")

    assert parsed.tasks[1].on_depends_fail == policy
    assert parsed.tasks[1].text == "write a report"


def test_a_closing_sentence_about_all_steps_holds_for_all_dependents() -> None:
    parsed = read(
        "Step 1: get a\nStep 2: plot it\nStep 3: write c\nIf a step fails, continue anyway."
    )

    assert [task.on_depends_fail for task in parsed.tasks[1:]] == [
        "continue",
        "continue",
    ]


_UTC = dt.UTC


@pytest.mark.parametrize(
    ("phrase", "at"),
    [
        pytest.param("In 2 hours, ", (11, 30, 22, 0), id="in hours"),
        pytest.param("in half an hour ", (11, 30, 20, 30), id="half an hour"),
        pytest.param("半小时后", (11, 30, 20, 30), id="半小时后"),
        pytest.param("两天后", (12, 2, 20, 0), id="两天后"),
        pytest.param("Tomorrow at 9am ", (12, 1, 9, 0), id="day and clock"),
        pytest.param("明天下午三点", (12, 1, 15, 0), id="明天下午三点"),
        pytest.param("Tomorrow morning, ", (12, 1, 9, 0), id="morning"),
        pytest.param("Tomorrow noon, ", (12, 1, 12, 0), id="noon"),
        pytest.param("Tomorrow afternoon, ", (12, 1, 14, 0), id="afternoon"),
        pytest.param("Tomorrow evening, ", (12, 1, 18, 0), id="evening"),
        pytest.param("Tomorrow night, ", (12, 1, 21, 0), id="night"),
        pytest.param("明天早上", (12, 1, 9, 0), id="明天早上"),
        pytest.param("At 9pm, ", (11, 30, 21, 0), id="clock today"),
        pytest.param("At 6pm, ", (12, 1, 18, 0), id="clock that is past"),
        pytest.param("On Thursday at 4pm, ", (12, 3, 16, 0), id="weekday"),
        pytest.param("On 2026-12-24 at 18:30, ", (12, 24, 18, 30), id="ISO date"),
        pytest.param("12月5日上午10点", (12, 5, 10, 0), id="月日"),
        pytest.param("下周一9点", (12, 7, 9, 0), id="下周一"),
    ],
)
def test_a_wished_start(phrase: str, at: tuple[int, int, int, int]) -> None:
    (task,) = read(f"{phrase}run the checks").tasks

    assert task.not_before == dt.datetime(2026, *at, tzinfo=_UTC)
    assert task.text == "run the checks"


def test_a_clock_time_is_one_of_the_users_zone() -> None:
    (task,) = read(
        "Tomorrow at 9am run it", zone=zoneinfo.ZoneInfo("Asia/Shanghai")
    ).tasks

    assert task.not_before == dt.datetime(2026, 12, 2, 1, 0, tzinfo=_UTC)


@pytest.mark.parametrize(
    "message",
    [
        "Finish the tender by Friday",
        "Prepare notes for tomorrow's stand-up",
        "Write the diary of this week",
        "周五前写完报告",
        "整理明天的日程",
        "Send the digest every Monday",
        "Write a function that retries after ten seconds",
    ],
)
def test_deadlines_and_dates_as_content_are_no_start(message: str) -> None:
    (task,) = read(message).tasks

    assert (task.not_before, task.text) == (None, message)


def test_a_date_in_words_goes_to_dateutil() -> None:
    (task,) = read("On December 5th at 10:00, run the checks").tasks

    assert task.not_before == dt.datetime(2026, 12, 5, 10, 0, tzinfo=_UTC)


def test_a_date_that_only_dateutil_reads_is_asked_without_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "dateutil", None)

    parsed = read("On December 5th at 10:00, run the checks")

    assert (parsed.mode, parsed.tasks[0].ask) == ("ask", "date")


@pytest.mark.parametrize(
    ("message", "budget"),
    [
        ("summarise the notes, max $2", 2.0),
        ("summarise the notes (budget $5)", 5.0),
        ("总结笔记，不超过 5 美元", 5.0),
        ("summarise the notes, at most 1.50 dollars", 1.5),
        ("plan a party, budget 500 euros", None),
        ("write an ad for the $5 burger", None),
    ],
)
def test_budget(message: str, budget: float | None) -> None:
    assert read(message).tasks[0].budget_usd == budget


@pytest.mark.parametrize(
    ("message", "goal"),
    [
        ("Tag the mail so that support can sort it", "support can sort it"),
        ("Tag the mail. Goal: faster answers", "faster answers"),
        ("整理邮件，目标：更快回复", "更快回复"),
        ("Tag the mail", None),
    ],
)
def test_goal(message: str, goal: str | None) -> None:
    (task,) = read(message).tasks

    assert task.goal == goal
    assert goal is None or goal in task.text


@pytest.mark.parametrize(
    ("message", "not_before", "depends_on", "priority"),
    [
        (
            "write a report tomorrow at 9am, max $2",
            "2026-12-01T09:00:00Z",
            (),
            0,
        ),
        (
            "write a report tomorrow at 9am so that the team can read it",
            "2026-12-01T09:00:00Z",
            (),
            0,
        ),
        ("write a report in 2 hours, goal: inform the team", "PT2H", (), 0),
        ("write a report, high priority, max $2", None, (), 5),
        ("write a report after T-003, at most 5 dollars", None, ("T-003",), 0),
        ("write a report by Friday, max $2", None, (), 0),
    ],
)
def test_a_limit_or_a_goal_at_the_end_hides_nothing_before_it(
    message: str,
    not_before: str | None,
    depends_on: tuple[str, ...],
    priority: int,
) -> None:
    (task,) = read(message).tasks

    assert task.not_before_text == not_before
    assert (task.depends_on, task.priority) == (depends_on, priority)
    assert task.text == message
    assert (task.budget_usd is not None) or (task.goal is not None)


def test_the_day_of_an_event_is_no_start() -> None:
    (event,) = read("write an invitation for the team lunch on Friday").tasks
    (start,) = read("write an invitation on Friday").tasks

    assert (event.not_before, event.text) == (
        None,
        "write an invitation for the team lunch on Friday",
    )
    assert (start.not_before_text, start.text) == ("on Friday", "write an invitation")
