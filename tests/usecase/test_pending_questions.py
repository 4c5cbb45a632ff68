"""A chat answers what it was asked, within ten minutes, and what it asked for is done."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from cores import a_core, end, get, tick
from fakes import START
from model_queue import adding, submit
from model_queue.core import Core
from model_queue.model import Outcome, Status
from model_queue.settings import Settings
from model_queue.store import Query

MINUTE = dt.timedelta(minutes=1)
SEVERAL = "Use llama3 to list the open invoices"
UNKNOWN = "Use gpt-9 to list the open invoices"
EN_HOW = "Answer with a number or a name; nothing was added yet."


@pytest.fixture
def core(tmp_path: Path) -> Core:
    return a_core(tmp_path, ollama_local={"max_concurrent": 3})


def say(
    core: Core, text: str, *, after: dt.timedelta = MINUTE, **where: str
) -> submit.Answer:
    """Say something in a chat, some time after the start."""
    message = adding.Message(text=text, session="s-1")._replace(**where)  # type: ignore[arg-type] # of the test
    return submit.intake(core, message, now=START + after)


def added(core: Core) -> list[tuple[str, str, str]]:
    return [(t.queue, t.model, t.description) for t in core.store.select(Query())]


def test_an_ambiguous_model_is_asked_with_numbered_choices(core: Core) -> None:
    asked = say(core, SEVERAL)

    assert asked.text == (
        '"llama3" fits several models. Which model/source should handle this task?\n'
        "1. ollama/llama3\n2. nvidia/llama3\n" + EN_HOW
    )
    assert asked.mode == "ask"
    assert added(core) == []


@pytest.mark.parametrize(
    "answer", ["2", "the second", "number two", "nvidia/llama3", "nvidia", "第二个"]
)
def test_the_answer_adds_what_was_asked_for(core: Core, answer: str) -> None:
    say(core, SEVERAL)

    told = say(core, answer, after=2 * MINUTE)

    assert told.text == (
        "📋 Added T-001 to queue [cloud-nvidia]\nModel: nvidia/llama3\n"
        "Task: list the open invoices\nQueue position: 1"
    )
    assert added(core) == [("cloud-nvidia", "nvidia/llama3", "list the open invoices")]


def test_the_question_is_closed_by_its_answer(core: Core) -> None:
    say(core, SEVERAL)
    say(core, "1", after=2 * MINUTE)

    told = say(core, "1", after=3 * MINUTE)

    assert told.text.startswith("No question is open here")
    assert len(added(core)) == 1


def test_what_the_message_said_besides_is_kept(core: Core) -> None:
    say(
        core,
        "urgent: in 2 hours use llama3 to list the invoices, max $2",
        cwd="/home/me",
    )

    say(core, "1", after=5 * MINUTE)

    task = get(core, "T-001")
    assert (task.priority, task.cost_ceiling) == (10, {"usd": 2.0})
    assert task.cwd == "/home/me"
    # From when it was said, not from when it was answered.
    assert task.not_before == START + MINUTE + dt.timedelta(hours=2)


def test_an_unknown_model_is_asked_with_all_that_there_are(core: Core) -> None:
    asked = say(core, UNKNOWN)
    assert asked.text.startswith('No source has a model "gpt-9".')

    say(core, "mistral", after=2 * MINUTE)

    assert added(core) == [("ollama-local", "ollama/mistral", "list the open invoices")]


def test_no_source_is_asked(core: Core) -> None:
    core = core._replace(
        settings=Settings(queues_dir=core.folder.path, sources=core.settings.sources)
    )
    asked = say(core, "list the open invoices")
    assert "1. ollama-local\n2. ollama-remote\n3. cloud-nvidia" in asked.text

    say(core, "2", after=2 * MINUTE)

    assert added(core)[0][:2] == ("ollama-remote", "ollama-remote/qwen3.5:27b")


def test_one_answer_serves_all_tasks_of_the_same_name(core: Core) -> None:
    say(core, "Use llama3 for all: 1. list the invoices 2. count the files")

    say(core, "1", after=2 * MINUTE)

    assert [model for _, model, _ in added(core)] == ["ollama/llama3"] * 2


def test_two_questions_follow_one_another(core: Core) -> None:
    say(core, "Use llama3 to list the invoices, then use gpt-9 to draft a reminder")

    second = say(core, "1", after=2 * MINUTE)
    assert second.text.startswith('No source has a model "gpt-9".')
    assert added(core) == []
    told = say(core, "qwen2.5", after=3 * MINUTE)

    assert told.text.startswith("📋 Added 2 tasks to queue [ollama-local]:")
    assert get(core, "T-002").depends_on == ("T-001",)


def test_a_dependency_that_only_points_is_asked_with_the_tasks_of_the_chat(
    core: Core,
) -> None:
    say(core, "Use qwen2.5 to list the invoices")
    say(core, "Use qwen2.5 to count the files", session="s-2")
    say(core, "Use qwen2.5 to sort the files", after=2 * MINUTE)
    asked = say(core, "then send it to the whole team", after=2 * MINUTE)
    assert asked.text == (
        "This task depends on which previous task?\n"
        "1. T-003: sort the files\n2. T-001: list the invoices\n" + EN_HOW
    )

    say(core, "t1", after=3 * MINUTE)

    assert get(core, "T-004").depends_on == ("T-001",)


def test_a_number_that_is_not_there_asks_again(core: Core) -> None:
    first = say(core, SEVERAL)

    again = say(core, "7", after=2 * MINUTE)

    assert again.text == f"There is no choice 7.\n{first.text}"
    say(core, "1", after=3 * MINUTE)
    assert len(added(core)) == 1


@pytest.mark.parametrize("answer", ["never mind", "no", "算了"])
def test_no_drops_the_question(core: Core, answer: str) -> None:
    say(core, SEVERAL)

    told = say(core, answer, after=2 * MINUTE)

    assert told.text == "👌 Left as it is, nothing was done."
    assert say(core, "1", after=3 * MINUTE).text.startswith("No question is open")
    assert added(core) == []


def test_a_question_is_dropped_after_ten_minutes(core: Core) -> None:
    say(core, SEVERAL)

    told = say(core, "1", after=11 * MINUTE)

    assert told.text.startswith("No question is open")
    assert added(core) == []


def test_a_command_leaves_the_question_open(core: Core) -> None:
    say(core, SEVERAL)

    assert "Queue Status" in say(core, "show status", after=2 * MINUTE).text
    say(core, "1", after=3 * MINUTE)

    assert len(added(core)) == 1


def test_new_work_takes_the_place_of_the_question(core: Core) -> None:
    say(core, SEVERAL)
    say(core, "Use qwen2.5 to count the files", after=2 * MINUTE)

    say(core, "1", after=3 * MINUTE)

    assert [text for _, _, text in added(core)] == ["count the files"]


def test_a_question_is_of_its_own_chat(core: Core) -> None:
    say(core, SEVERAL)

    told = say(core, "1", after=2 * MINUTE, session="s-2")

    assert told.text.startswith("No question is open")
    assert added(core) == []


def test_in_ambient_scope_an_answer_counts_and_all_else_drops_the_question(
    core: Core,
) -> None:
    say(core, "/mq " + SEVERAL, scope="ambient")
    passed = say(core, "what does this function do?", scope="ambient", after=2 * MINUTE)
    assert (passed.mode, passed.text) == ("none", "")
    assert say(core, "1", scope="ambient", after=3 * MINUTE).mode == "none"

    say(core, "/mq " + SEVERAL, scope="ambient", after=4 * MINUTE)
    told = say(core, "1", scope="ambient", after=5 * MINUTE)

    assert told.text.startswith("📋 Added T-001")
    assert len(added(core)) == 1


def test_messages_that_come_again_are_answered_the_same(core: Core) -> None:
    say(core, SEVERAL, message_id="m-1")
    first = say(core, "1", message_id="m-2", after=2 * MINUTE)

    again = say(core, "1", message_id="m-2", after=3 * MINUTE)
    question = say(core, SEVERAL, message_id="m-1", after=4 * MINUTE)

    assert again.text == first.text == question.text
    assert [task.id for task in again.tasks] == ["T-001"]
    assert len(added(core)) == 1


def test_undo_takes_back_what_an_answer_added(core: Core) -> None:
    say(core, SEVERAL)
    say(core, "1", after=2 * MINUTE)

    assert say(core, "undo", after=3 * MINUTE).text.endswith("T-001 cancelled")


def test_which_task_is_asked_and_answered(core: Core) -> None:
    say(core, "1. use qwen2.5 to list the invoices 2. use qwen2.5 to count the files")

    asked = say(core, "cancel", after=2 * MINUTE)
    assert asked.text == (
        "Which task do you want to cancel? Answer with a number or an id.\n"
        "1. T-002: count the files\n2. T-001: list the invoices"
    )
    told = say(core, "the second", after=3 * MINUTE)

    assert told.text == "🛑 T-001 cancelled"
    assert get(core, "T-002").status is Status.PENDING


def test_a_stop_of_several_sessions_is_asked_and_confirmed(core: Core) -> None:
    say(core, "1. use qwen2.5 to list the invoices 2. use qwen2.5 to count the files")
    tick(core, now=START + MINUTE)
    asked = say(core, "cancel everything", after=2 * MINUTE)
    assert "T-001, T-002" in asked.text
    assert get(core, "T-001").status is Status.RUNNING

    say(core, "yes", after=3 * MINUTE)

    assert get(core, "T-001").status is Status.CANCELLED
    assert get(core, "T-002").status is Status.CANCELLED


def test_running_a_done_task_again_is_asked_and_confirmed(core: Core) -> None:
    say(core, "Use qwen2.5 to list the invoices")
    tick(core, now=START + MINUTE)
    end(core, "T-001", Outcome(result_status="success", result="Three."))
    asked = say(core, "retry T-001", after=2 * MINUTE)
    assert "Run it again?" in asked.text

    told = say(core, "yes please", after=3 * MINUTE)

    assert told.text == "🔁 T-001 queued again"
    assert get(core, "T-001").status is Status.PENDING


def test_an_answer_in_chinese_to_a_question_in_chinese(core: Core) -> None:
    asked = say(core, "用 llama3 分析销售数据")
    assert asked.text.startswith("“llama3”对应多个模型。")
    assert asked.text.endswith("请回复编号或名称；目前还没有添加任何任务。")

    told = say(core, "第二个", after=2 * MINUTE)

    assert told.text.startswith("📋 已将 T-001 加入队列 [cloud-nvidia]")


def test_a_date_that_cannot_be_read_is_asked(core: Core) -> None:
    asked = say(core, "Use qwen2.5 to list the invoices on February 30th")
    assert asked.text.startswith("When should this task start?")

    told = say(core, "tomorrow at 9am", after=2 * MINUTE)

    assert told.text.startswith("📋 Added T-001")
    assert get(core, "T-001").not_before == dt.datetime(2026, 3, 5, 9, tzinfo=dt.UTC)
