from __future__ import annotations

from pathlib import Path

import pytest

from cores import a_core, add, end, get, launcher_of, tick
from fakes import START, a_task
from model_queue import control
from model_queue.core import Core
from model_queue.intake import Command
from model_queue.model import ErrorClass, Outcome, Status
from model_queue.orders import Result
from model_queue.ports import Session, SessionState
from model_queue.store import Draft

FATAL = Outcome(
    result_status="failed",
    error_class=ErrorClass.BAD_REQUEST,
    error_message="400",
)


def run(core: Core, command: str, *ids: str, **fields: object) -> Result:
    verb = str(fields.pop("verb", command))
    made = Command(command=command, ids=ids, verb=verb, **fields)  # type: ignore[arg-type] # fields are the test's
    return control.execute_all(core, [made], lang="en", now=START)


def a_failed_and_a_waiting_task(tmp_path: Path) -> Core:
    core = a_core(tmp_path)
    waiting = Draft(task=a_task("", status=Status.WAITING), after=(0,))
    add(core, a_task(""), waiting)
    tick(core)
    end(core, "T-001", FATAL)
    return core


def test_cancel_stops_the_session_and_keeps_its_slot(tmp_path: Path) -> None:
    core = a_core(tmp_path)
    add(core, a_task(""), a_task(""))
    tick(core)
    label = str(get(core, "T-001").label)

    result = run(core, "cancel", "T-001")
    tick(core)

    assert launcher_of(core, "ollama-local").stopped[0] == label
    assert get(core, "T-001").status is Status.CANCELLED
    assert get(core, "T-002").status is Status.PENDING
    assert "T-001 cancelled" in result.text


def test_retry_clears_what_the_failure_left(tmp_path: Path) -> None:
    core = a_failed_and_a_waiting_task(tmp_path)

    run(core, "retry", "T-001")

    task = get(core, "T-001")
    assert task.status is Status.PENDING
    assert (task.retries, task.losses, task.error_message) == (0, 0, None)
    assert task.attempt == 1


def test_retry_of_a_done_task_asks_whether_to_run_it_again(tmp_path: Path) -> None:
    core = a_core(tmp_path)
    add(core, a_task(""))
    tick(core)
    end(core, "T-001", Outcome(result_status="success", result="x"))

    result = run(core, "retry", "T-001")

    assert result.is_refused
    assert "rerun T-001" in result.text
    assert get(core, "T-001").status is Status.DONE


def test_rerun_keeps_the_earlier_report(tmp_path: Path) -> None:
    core = a_core(tmp_path)
    add(core, a_task(""))
    tick(core)
    end(core, "T-001", Outcome(result_status="success", result="first"))

    run(core, "retry", "T-001", verb="rerun")

    assert (tmp_path / "results" / "T-001.a1.md").read_text() == "first"
    assert get(core, "T-001").status is Status.PENDING


def test_an_id_that_is_wrong_does_not_stop_the_others(tmp_path: Path) -> None:
    core = a_core(tmp_path)
    add(core, a_task(""))

    result = run(core, "skip", "T-009", "T-001")

    assert "there is no task T-009" in result.text.lower().replace("t-009", "T-009")
    assert get(core, "T-001").status is Status.SKIPPED


@pytest.mark.parametrize(
    ("word", "left"),
    [
        pytest.param("failed", {"T-001": "pending", "T-002": "waiting"}, id="en"),
        pytest.param("失败", {"T-001": "pending", "T-002": "waiting"}, id="zh"),
        pytest.param("low-priority", {"T-001": "failed"}, id="not understood"),
    ],
)
def test_all_is_narrowed_by_a_status_word(
    tmp_path: Path, word: str, left: dict[str, str]
) -> None:
    core = a_failed_and_a_waiting_task(tmp_path)

    run(core, "retry", all=True, word=word)

    assert {i: get(core, i).status.value for i in left} == left


def test_a_command_for_all_asks_before_it_stops_several_sessions(
    tmp_path: Path,
) -> None:
    core = a_core(tmp_path, ollama_local={"max_concurrent": 2})
    add(core, a_task(""), a_task(""))
    tick(core)

    result = run(core, "cancel", all=True)

    assert result.is_refused
    assert "cancel T-001, T-002" in result.text
    assert get(core, "T-001").status is Status.RUNNING


def test_a_paused_source_starts_nothing_until_it_is_resumed(tmp_path: Path) -> None:
    core = a_core(tmp_path)
    add(core, a_task(""))
    run(core, "pause", queue="ollama-local")

    tick(core)
    held = get(core, "T-001").status
    run(core, "resume", queue="ollama-local")
    tick(core)

    assert held is Status.PENDING
    assert get(core, "T-001").status is Status.RUNNING


def test_unblock_goes_on_without_the_failed_dependency(tmp_path: Path) -> None:
    core = a_failed_and_a_waiting_task(tmp_path)
    tick(core)

    run(core, "unblock", "T-002")
    tick(core)

    assert get(core, "T-002").status is Status.RUNNING


def test_priority_moves_a_task_up_the_line(tmp_path: Path) -> None:
    core = a_core(tmp_path)
    add(core, a_task(""), a_task(""))

    run(core, "priority", "T-002", value=10)
    tick(core)

    assert get(core, "T-002").status is Status.RUNNING
    assert get(core, "T-001").status is Status.PENDING


def test_a_command_without_a_target_asks_which_task(tmp_path: Path) -> None:
    result = run(a_core(tmp_path), "cancel")

    assert result.is_refused
    assert result.text


def test_resume_of_a_task_that_kept_its_slot_starts_its_session(tmp_path: Path) -> None:
    """It runs at once, without a claim: no pass would start what it did not claim."""
    core = a_core(tmp_path, ollama_local={"slots": "until-terminal"})
    add(core, a_task(""))
    tick(core)
    first = str(get(core, "T-001").label)
    run(core, "pause", "T-001")
    launcher_of(core, "ollama-local").sessions[first] = Session(
        state=SessionState.ENDED
    )
    tick(core)

    run(core, "resume", "T-001")

    task = get(core, "T-001")
    assert (task.status, task.attempt) == (Status.RUNNING, 2)
    assert [each.label for each in launcher_of(core, "ollama-local").launches] == [
        first,
        task.label,
    ]
    assert task.subagent_session == task.label
