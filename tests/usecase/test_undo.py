"""What a chat did last can be taken back for ten minutes, and nothing else."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from pathlib import Path

import pytest

from cores import a_core, get, tick
from fakes import START
from model_queue import adding, submit
from model_queue.core import Core
from model_queue.model import Status
from model_queue.store import Batch, Change, Hold

MINUTE = dt.timedelta(minutes=1)
LIST = "Use qwen2.5 to list the invoices"
TWO = "1. use qwen2.5 to list the invoices 2. use qwen2.5 to count the files"


def say(core: Core, text: str, *, after: dt.timedelta = MINUTE, **where: str) -> str:
    """Say something in a chat, some time after the start; return the answer."""
    message = adding.Message(text=text, session="s-1")._replace(**where)  # type: ignore[arg-type] # of the test
    return submit.intake(core, message, now=START + after).text


@pytest.fixture
def core(tmp_path: Path) -> Core:
    return a_core(tmp_path)


def test_undo_of_an_intake_cancels_what_has_not_started(core: Core) -> None:
    say(core, TWO)
    tick(core, now=START + MINUTE)

    told = say(core, "undo", after=2 * MINUTE)

    assert told == (
        "↩️ Taken back:\n🛑 T-002 cancelled\n"
        'T-001 has started already and goes on; to stop it: "cancel T-001"'
    )
    assert get(core, "T-001").status is Status.RUNNING
    assert get(core, "T-002").status is Status.CANCELLED


@pytest.mark.parametrize(
    ("command", "status", "told"),
    [
        ("cancel T-002", Status.CANCELLED, "🔁 T-002 queued again"),
        ("skip T-002", Status.SKIPPED, "🔁 T-002 queued again"),
        ("clear the queue", Status.CANCELLED, "🔁 T-002 queued again"),
        ("pause T-002", Status.PAUSED, "▶️ T-002 resumed"),
    ],
)
def test_undo_of_a_command_brings_the_task_back(
    core: Core, command: str, status: Status, told: str
) -> None:
    say(core, TWO)
    tick(core, now=START + MINUTE)
    before = get(core, "T-002")
    say(core, command, after=2 * MINUTE)
    assert get(core, "T-002").status is status

    answer = say(core, "undo", after=3 * MINUTE)

    assert answer == f"↩️ Taken back:\n{told}"
    assert get(core, "T-002").status is before.status


def test_undo_of_a_cancel_gives_back_the_retries_and_the_time(core: Core) -> None:
    say(core, f"{LIST} in 2 hours")
    task = get(core, "T-001")
    tired = Change(before=task, after=replace(task, retries=2))
    core.store.commit(Batch(changes=[tired]), now=START)
    say(core, "cancel T-001", after=2 * MINUTE)

    say(core, "undo", after=3 * MINUTE)

    task = get(core, "T-001")
    assert task.retries == 2
    assert task.not_before == START + MINUTE + dt.timedelta(hours=2)


def test_undo_of_a_resume_pauses_again(core: Core) -> None:
    say(core, LIST)
    say(core, "pause T-001", after=2 * MINUTE)
    say(core, "resume T-001", after=3 * MINUTE)

    assert say(core, "undo", after=4 * MINUTE) == "↩️ Taken back:\n⏸️ T-001 paused"


def test_undo_of_a_retry_cancels(core: Core) -> None:
    say(core, LIST)
    say(core, "cancel T-001", after=2 * MINUTE)
    say(core, "retry T-001", after=3 * MINUTE)

    told = say(core, "undo", after=4 * MINUTE)

    assert told == "↩️ Taken back:\n🛑 T-001 cancelled"


def test_undo_of_a_paused_queue_lets_it_go_on_and_the_reverse(core: Core) -> None:
    say(core, "pause ollama-local")
    assert say(core, "undo", after=2 * MINUTE).startswith("↩️ Taken back:\n▶️ Queue")
    say(core, "pause ollama-local", after=3 * MINUTE)
    say(core, "resume ollama-local", after=4 * MINUTE)

    say(core, "undo", after=5 * MINUTE)

    held = {meta.source: meta.paused for meta in core.store.queues()}
    assert held["ollama-local"] is not None
    assert held["ollama-local"].by == "user"
    assert held["cloud-nvidia"] is None


def test_undo_brings_no_limit_back_that_is_over(core: Core) -> None:
    say(core, LIST)
    limit = Hold(at=START, by="quota", reason="quota used up", until=START + MINUTE)
    core.store.commit(Batch(holds={"ollama-local": limit}), now=START)
    say(core, "pause ollama-local", after=2 * MINUTE)

    told = say(core, "undo", after=3 * MINUTE)

    assert told == "↩️ Taken back:\n▶️ Queue [ollama-local] resumed"
    (meta,) = [m for m in core.store.queues() if m.source == "ollama-local"]
    assert meta.paused is None


def test_undo_of_a_priority_sets_the_one_before(core: Core) -> None:
    say(core, f"urgent: {LIST}")
    say(core, "set T-001 to low priority", after=2 * MINUTE)

    told = say(core, "undo", after=3 * MINUTE)

    assert told == "↩️ Taken back:\n🔢 T-001 has priority 10"


def test_undo_takes_back_the_whole_of_the_last_message(core: Core) -> None:
    say(core, TWO)

    say(core, "pause T-001 and pause T-002", after=2 * MINUTE)
    say(core, "undo", after=3 * MINUTE)

    assert get(core, "T-001").status is Status.PENDING
    assert get(core, "T-002").status is Status.PENDING


def test_undo_takes_back_the_last_message_only_and_once(core: Core) -> None:
    say(core, LIST)
    say(core, "pause T-001", after=2 * MINUTE)
    say(core, "undo", after=3 * MINUTE)

    told = say(core, "undo", after=4 * MINUTE)

    assert told.startswith("There is nothing to take back")
    assert get(core, "T-001").status is Status.PENDING


def test_looking_keeps_what_can_be_taken_back(core: Core) -> None:
    say(core, LIST)
    say(core, "show status", after=2 * MINUTE)

    assert "T-001 cancelled" in say(core, "undo", after=3 * MINUTE)


def test_undo_is_of_its_own_chat(core: Core) -> None:
    say(core, LIST)

    told = say(core, "undo", after=2 * MINUTE, session="s-2")

    assert told.startswith("There is nothing to take back")
    assert get(core, "T-001").status is Status.PENDING


def test_undo_ends_after_ten_minutes(core: Core) -> None:
    say(core, LIST)

    told = say(core, "undo", after=11 * MINUTE)

    assert told.startswith("There is nothing to take back")


def test_undo_leaves_what_was_changed_since(core: Core) -> None:
    say(core, LIST)
    say(core, "cancel T-001", after=2 * MINUTE)
    say(core, "retry T-001", after=3 * MINUTE, session="s-2")

    told = say(core, "undo", after=4 * MINUTE)

    assert told == "T-001 was changed since, it is pending now; it stays as it is"
    assert get(core, "T-001").status is Status.PENDING


def test_undo_of_an_unblock_is_refused(core: Core) -> None:
    say(core, f"{LIST}, then use qwen2.5 to draft a reminder")
    say(core, "cancel T-001", after=2 * MINUTE)
    tick(core, now=START + 2 * MINUTE)
    say(core, "unblock T-002", after=3 * MINUTE)

    told = say(core, "undo", after=4 * MINUTE)

    assert told == '"unblock" cannot be taken back; it stays.'


def test_a_message_that_comes_again_takes_back_once(core: Core) -> None:
    say(core, TWO)
    say(core, "pause T-001", after=2 * MINUTE)
    first = say(core, "undo", after=3 * MINUTE, message_id="m-9")
    say(core, "pause T-002", after=4 * MINUTE)

    again = say(core, "undo", after=5 * MINUTE, message_id="m-9")

    assert first == again == "↩️ Taken back:\n▶️ T-001 resumed"
    assert get(core, "T-002").status is Status.PAUSED


def test_undo_answers_in_chinese(core: Core) -> None:
    say(core, "用 qwen2.5 分析销售数据")

    assert say(core, "撤销", after=2 * MINUTE) == "↩️ 已撤销：\n🛑 T-001 已取消"
