"""Public reports of notices that were lost, came twice, or went to another chat."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from pathlib import Path

import pytest

from cores import a_core, add, end, get, notices, tick
from fakes import START, FakeClock, a_task
from hosting import Host
from model_queue import adding, passes, planning, submit
from model_queue.core import Core
from model_queue.model import JsonObject, Outcome, Status, Task
from model_queue.store import Draft
from model_queue.wiring import Surroundings

MINUTE = dt.timedelta(minutes=1)
SUCCESS = Outcome(result_status="success", result="42 rows", summary="42 rows")
SEEN = Surroundings(environment={}, cwd="/", flags={})
COUNTING = """\
n=$(cat {log} 2>/dev/null | wc -l)
echo "$NOTICE_ID $NOTICE_KIND $NOTICE_TASK $NOTICE_HOST $NOTICE_CHANNEL" >> {log}
cat > {text}
test "$n" -ge {failures}
"""
HERE = {"host": "openclaw", "channel": "telegram", "session_id": "chat-a"}
THERE = {"host": "openclaw", "channel": "slack", "session_id": "chat-b"}
TASK = "add task: use glm5 to translate the page"


def draft(**fields: object) -> Task:
    return replace(a_task(""), **fields)  # type: ignore[arg-type] # fields are the test's


def with_notifier(tmp_path: Path, *, failures: int) -> Core:
    """One task that is about to end, and a notifier that fails a few times first."""
    script = COUNTING.format(
        log=tmp_path / "log", text=tmp_path / "text", failures=failures
    )
    core = a_core(tmp_path)
    settings = replace(core.settings, notify_command=("sh", "-c", script), waker=False)
    core = core._replace(settings=settings)
    origin: JsonObject = {"host": "openclaw", "channel": "telegram", "session": "s-1"}
    add(
        core, draft(origin=origin), Draft(task=draft(status=Status.WAITING), after=(0,))
    )
    tick(core)
    end(core, "T-001", SUCCESS)
    return core


def run_pass(core: Core, now: dt.datetime) -> None:
    passes.run_pass(core, SEEN, clock=FakeClock(now), carries_actions=False)


def calls(tmp_path: Path) -> list[str]:
    return (tmp_path / "log").read_text(encoding="utf-8").splitlines()


def status_text(core: Core, session: str = "s-2") -> str:
    asked = adding.Message(
        text="show status", host="openclaw", channel="telegram", session=session
    )
    return submit.intake(core, asked, now=START).text


def test_notice_waits_while_its_channel_is_down_and_is_delivered_once(
    tmp_path: Path,
) -> None:
    """B005, openclaw/openclaw#40720: the channel was down for a minute, the notice gone."""
    core = with_notifier(tmp_path, failures=2)

    for minutes in range(6):
        run_pass(core, START + minutes * MINUTE)

    first, second, third = calls(tmp_path)
    assert first == second == third
    assert (tmp_path / "text").read_text().startswith("✅ T-001 done — 42 rows")
    assert core.store.waiting_notices() == 0


def test_notice_that_waits_is_a_reason_for_a_pass_although_nothing_else_is_due(
    tmp_path: Path,
) -> None:
    """B005, openclaw/openclaw#40720: nobody had to come by for the next try."""
    core = with_notifier(tmp_path, failures=99)
    tick(core)
    end(core, "T-002", SUCCESS)

    moments = [START + n * MINUTE for n in (0, 1, 3, 100)]
    dues = [planning.next_due(core, since=at, now=at) for at in moments]

    assert dues == [START + n * MINUTE for n in (1, 2, 4, 128)]


def test_notifier_that_never_works_keeps_nothing_awake_for_ever(
    tmp_path: Path,
) -> None:
    """B005, openclaw/openclaw#40720: after a day the notice waits for any pass."""
    core = with_notifier(tmp_path, failures=99)
    tick(core)
    end(core, "T-002", SUCCESS)

    later = START + dt.timedelta(days=1)
    due = planning.next_due(core, since=later, now=later)

    assert due is None
    assert core.store.waiting_notices() == 2


def test_delivered_notice_is_no_reason_for_a_pass(tmp_path: Path) -> None:
    """B005, openclaw/openclaw#40720: what has arrived is not tried again."""
    core = with_notifier(tmp_path, failures=0)
    tick(core)
    end(core, "T-002", SUCCESS)

    run_pass(core, START)

    assert (tmp_path / ".state" / "due").read_text() == ""


def test_status_tells_that_a_result_was_not_delivered_yet(tmp_path: Path) -> None:
    """B005, openclaw/openclaw#40720: the status says what has not arrived."""
    core = with_notifier(tmp_path, failures=99)

    before = status_text(core)
    notices(core)
    after = status_text(core)

    assert before.endswith("\n\n📭 1 notice not delivered yet: T-001")
    assert "📭" not in after


def test_status_does_not_count_what_comes_with_the_same_answer(
    tmp_path: Path,
) -> None:
    """B005, openclaw/openclaw#40720: the chat that asks gets its notices right there."""
    core = with_notifier(tmp_path, failures=99)

    assert "📭" not in status_text(core, session="s-1")


def test_result_goes_to_the_chat_that_asked_and_not_to_the_last_one(
    host: Host,
) -> None:
    """B113, HKUDS/nanobot#4418: asked in chat A, answered in chat B."""
    host.say(TASK, **HERE)
    host.say("show status", **THERE)
    host.end("T-001", result="Bonjour.", host="openclaw", channel="slack")

    there = [host.say("show status", **THERE), host.beat(**THERE)]
    here = host.beat(**HERE)

    assert [answer["notices"] for answer in there] == [[], []]
    assert "📭 1 notice not delivered yet: T-001" in str(there[0]["reply"])
    assert str(here["reply"]).startswith("✅ T-001 done")
    assert host.beat(**HERE)["notices"] == []


def test_notifier_is_told_which_chat_a_notice_is_for(tmp_path: Path) -> None:
    """B113, HKUDS/nanobot#4418: a notifier must be able to reply where the task was asked."""
    core = with_notifier(tmp_path, failures=0)

    run_pass(core, START)

    [call] = calls(tmp_path)
    assert call.split(" ", 1)[1] == "done T-001 openclaw telegram"


@pytest.mark.parametrize("failing", ["exit 1", "kill -9 $$"])
def test_notifier_that_fails_rolls_nothing_back_and_repeats_nothing(
    tmp_path: Path, failing: str
) -> None:
    """B114, openclaw/openclaw#100834: a failed delivery aborted the tick; work repeated."""
    core = with_notifier(tmp_path, failures=0)
    settings = replace(core.settings, notify_command=("sh", "-c", failing))
    core = core._replace(settings=settings)

    for minutes in range(3):
        run_pass(core, START + minutes * MINUTE)

    assert get(core, "T-001").status is Status.DONE
    assert (get(core, "T-001").attempt, get(core, "T-002").attempt) == (1, 1)
    assert len(notices(core, START + dt.timedelta(hours=1))) == 1


def test_notifier_that_cannot_be_started_loses_no_pass(tmp_path: Path) -> None:
    """B114, openclaw/openclaw#100834: neither does one that is not there at all."""
    core = with_notifier(tmp_path, failures=0)
    settings = replace(core.settings, notify_command=("/no/such/program",))

    run_pass(core._replace(settings=settings), START)

    assert get(core, "T-002").status is Status.RUNNING
    assert core.store.waiting_notices() == 1
