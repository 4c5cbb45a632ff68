from __future__ import annotations

import datetime as dt
from dataclasses import replace
from pathlib import Path

from cores import a_core, add, end, get, launcher_of, notices, tick
from fakes import START, a_task
from model_queue import (
    completion,
    control,
    dispatch,
    planning,
    settling,
    watching,
)
from model_queue.intake import Command
from model_queue.model import DependencyPolicy, ErrorClass, Outcome, Status, Task
from model_queue.ports import Session, SessionState
from model_queue.store import Draft
from model_queue.watching import Listing

SECOND = dt.timedelta(seconds=1)
SUCCESS = Outcome(result_status="success", result="42 rows", summary="42 rows")
BROKEN = Outcome(
    result_status="failed",
    error_class=ErrorClass.TRANSIENT,
    error_message="exit code 1",
)


def draft(text: str = "Analyze the sales data", /, **fields: object) -> Task:
    return replace(a_task(""), description=text, **fields)  # type: ignore[arg-type] # fields are the test's


def after(*places: int, **fields: object) -> Draft:
    waiting = draft(status=Status.WAITING, **fields)
    return Draft(task=waiting, after=places)


def test_a_pending_task_is_running_with_a_claim_before_its_session_starts(
    tmp_path: Path,
) -> None:
    core = a_core(tmp_path)
    add(core, draft())

    tick(core)

    task = get(core, "T-001")
    assert task.status is Status.RUNNING
    assert task.attempt == 1
    assert task.label == f"mq-t-001-a1-{task.uuid[:8]}"
    assert [launch.label for launch in launcher_of(core, "ollama-local").launches] == [
        task.label
    ]


def test_a_queue_with_one_slot_runs_one_task_at_a_time_in_order(tmp_path: Path) -> None:
    core = a_core(tmp_path)
    add(core, draft("first"), draft("second"))

    tick(core)
    tick(core)

    assert get(core, "T-001").status is Status.RUNNING
    assert get(core, "T-002").status is Status.PENDING


def test_higher_priority_runs_earlier(tmp_path: Path) -> None:
    core = a_core(tmp_path)
    add(core, draft("ordinary"), draft("urgent", priority=10))

    tick(core)

    assert get(core, "T-002").status is Status.RUNNING
    assert get(core, "T-001").status is Status.PENDING


def test_queues_are_independent_of_each_other(tmp_path: Path) -> None:
    core = a_core(tmp_path)
    remote = draft(queue="ollama-remote", model="ollama-remote/qwen3.5:27b")
    add(core, draft(), remote)

    done = tick(core)

    assert [task.id for task in done.dispatched] == ["T-002", "T-001"] or [
        task.id for task in done.dispatched
    ] == ["T-001", "T-002"]
    assert done.n_queues == 2


def test_a_dependent_of_another_queue_gets_the_result_of_the_first(
    tmp_path: Path,
) -> None:
    core = a_core(tmp_path)
    remote = after(0, queue="ollama-remote", model="ollama-remote/qwen3.5:27b")
    add(core, draft(), remote)
    tick(core)
    end(core, "T-001", SUCCESS)

    tick(core)

    task = get(core, "T-002")
    assert task.status is Status.RUNNING
    assert task.context_input == {
        "source_task": "T-001",
        "result_summary": "42 rows",
        "result_status": "success",
        "included_at": "2026-03-04T16:51:00Z",
    }
    prompt = launcher_of(core, "ollama-remote").launches[0].prompt
    assert "Context from previous task T-001:" in prompt
    assert "42 rows" in prompt


def test_a_task_with_two_dependencies_waits_for_both(tmp_path: Path) -> None:
    core = a_core(tmp_path, ollama_local={"max_concurrent": 2})
    add(core, draft("one"), draft("two"), after(0, 1))
    tick(core)
    end(core, "T-001", SUCCESS)

    tick(core)

    assert get(core, "T-003").status is Status.WAITING


def test_a_failed_attempt_is_tried_again_after_its_backoff(tmp_path: Path) -> None:
    core = a_core(tmp_path)
    add(core, draft())
    tick(core)
    end(core, "T-001", BROKEN)

    tick(core, START + 4 * SECOND)
    before = get(core, "T-001")
    tick(core, START + 5 * SECOND)
    after_backoff = get(core, "T-001")

    assert before.status is Status.PENDING
    assert before.retries == 1
    assert after_backoff.status is Status.RUNNING
    assert after_backoff.attempt == 2
    assert notices(core) == []


def test_a_task_fails_for_good_after_four_attempts(tmp_path: Path) -> None:
    core = a_core(tmp_path)
    add(core, draft())
    now = START
    for _ in range(4):
        tick(core, now)
        end(core, "T-001", BROKEN, now)
        now += dt.timedelta(hours=1)

    task = get(core, "T-001")
    assert task.status is Status.FAILED
    assert (task.retries, task.attempt) == (3, 4)
    assert task.failure_reason == "max_retries_exceeded"
    assert notices(core)[0].startswith("❌ T-001 failed after 4 attempts")


def test_policy_block_blocks_and_the_retry_of_the_parent_reopens(
    tmp_path: Path,
) -> None:
    core = a_core(tmp_path)
    fatal = replace(BROKEN, error_class=ErrorClass.BAD_REQUEST)
    add(core, draft(), after(0))
    tick(core)
    end(core, "T-001", fatal)

    tick(core)

    blocked = get(core, "T-002")
    assert blocked.status is Status.BLOCKED
    assert blocked.blocked_reason == "Dependency T-001 failed"
    assert "⚠️ T-002 blocked — dependency T-001 failed" in notices(core)


def test_policy_skip_skips(tmp_path: Path) -> None:
    core = a_core(tmp_path)
    fatal = replace(BROKEN, error_class=ErrorClass.BAD_REQUEST)
    add(core, draft(), after(0, on_depends_fail=DependencyPolicy.SKIP))
    tick(core)
    end(core, "T-001", fatal)

    tick(core)

    assert get(core, "T-002").status is Status.SKIPPED
    assert "⏭️ T-002 skipped — dependency T-001 failed" in notices(core)


def test_policy_continue_runs_with_a_warning(tmp_path: Path) -> None:
    core = a_core(tmp_path)
    fatal = replace(BROKEN, error_class=ErrorClass.BAD_REQUEST)
    add(core, draft(), after(0, on_depends_fail=DependencyPolicy.CONTINUE))
    tick(core)
    end(core, "T-001", fatal)

    tick(core)

    assert get(core, "T-002").status is Status.RUNNING
    prompt = launcher_of(core, "ollama-local").launches[-1].prompt
    assert "Warning: Dependency T-001 failed" in prompt


def test_a_session_that_vanished_is_lost_and_run_again_without_using_a_retry(
    tmp_path: Path,
) -> None:
    core = a_core(tmp_path)
    add(core, draft())
    tick(core)
    launcher_of(core, "ollama-local").sessions.clear()

    tick(core)

    task = get(core, "T-001")
    assert task.status is Status.RUNNING
    assert (task.attempt, task.losses, task.retries) == (2, 1, 0)


def test_five_losses_fail_the_task(tmp_path: Path) -> None:
    core = a_core(tmp_path)
    add(core, draft())
    for _ in range(6):
        tick(core)
        launcher_of(core, "ollama-local").sessions.clear()

    task = get(core, "T-001")
    assert task.status is Status.FAILED
    assert (task.failure_reason, task.losses) == ("lost", 5)


def test_an_outcome_that_nobody_reported_is_found_by_the_next_pass(
    tmp_path: Path,
) -> None:
    core = a_core(tmp_path)
    add(core, draft())
    tick(core)
    label = str(get(core, "T-001").label)
    launcher_of(core, "ollama-local").sessions[label] = Session(
        state=SessionState.ENDED, session_id=label, outcome=SUCCESS
    )

    tick(core)

    assert get(core, "T-001").status is Status.DONE


def test_a_stopped_session_keeps_its_slot_until_it_is_seen_gone(tmp_path: Path) -> None:
    core = a_core(tmp_path)
    timeout = replace(BROKEN, error_class=ErrorClass.TIMEOUT)
    add(core, draft("first"), draft("second"))
    tick(core)
    first = get(core, "T-001")
    completion.complete(
        core, first, timeout, label=str(first.label), is_gone=False, now=START
    )

    tick(core)
    held = get(core, "T-002").status
    launcher_of(core, "ollama-local").sessions.clear()
    tick(core)

    assert held is Status.PENDING
    assert get(core, "T-002").status is Status.RUNNING


def test_a_late_result_moves_nothing_and_is_kept_beside(tmp_path: Path) -> None:
    core = a_core(tmp_path)
    add(core, draft())
    tick(core)
    old = str(get(core, "T-001").label)
    launcher_of(core, "ollama-local").sessions.clear()
    tick(core)

    done = completion.complete(core, get(core, "T-001"), SUCCESS, label=old, now=START)

    assert done.is_late
    assert get(core, "T-001").status is Status.RUNNING
    kept = tmp_path / "results" / "T-001.a1.late.md"
    assert kept.read_text() == "42 rows"


def test_a_pass_that_saw_an_older_attempt_does_not_lose_the_newer_one(
    tmp_path: Path,
) -> None:
    core = a_core(tmp_path)
    add(core, draft())
    tick(core)
    seen = get(core, "T-001")
    watching.lose(core, seen, now=START)
    tick(core)

    step = watching.lose(core, seen, now=START)

    task = get(core, "T-001")
    assert step.is_late
    assert (task.status, task.attempt, task.losses) == (Status.RUNNING, 2, 1)


def test_a_pass_that_saw_an_older_session_stop_does_not_free_a_newer_ones_slot(
    tmp_path: Path,
) -> None:
    core = a_core(tmp_path)
    add(core, draft())
    tick(core)
    control.execute_all(
        core,
        [Command(command="cancel", ids=("T-001",), verb="cancel")],
        lang="en",
        now=START,
    )
    seen = get(core, "T-001")
    completion.free_slot(core, seen, now=START)
    control.execute_all(
        core,
        [Command(command="retry", ids=("T-001",), verb="retry")],
        lang="en",
        now=START,
    )
    tick(core)

    completion.free_slot(core, seen, now=START)

    assert get(core, "T-001").claim is not None


def test_a_long_chain_is_skipped_in_one_pass(tmp_path: Path) -> None:
    core = a_core(tmp_path)
    fatal = replace(BROKEN, error_class=ErrorClass.BAD_REQUEST)
    skip = DependencyPolicy.SKIP
    add(core, draft(), *(after(n, on_depends_fail=skip) for n in range(150)))
    tick(core)
    end(core, "T-001", fatal)

    moved = settling.settle(core, now=START)

    assert moved == 150
    assert get(core, "T-151").status is Status.SKIPPED


def test_the_first_word_of_an_attempt_given_up_as_lost_is_kept(tmp_path: Path) -> None:
    core = a_core(tmp_path)
    add(core, draft())
    tick(core)
    task = get(core, "T-001")
    watching.lose(core, task, now=START)

    completion.complete(
        core, get(core, "T-001"), SUCCESS, label=str(task.label), now=START
    )

    assert get(core, "T-001").status is Status.PENDING
    assert (tmp_path / "results" / "T-001.a1.late.md").read_text() == "42 rows"


def test_the_same_outcome_twice_changes_nothing_the_second_time(tmp_path: Path) -> None:
    core = a_core(tmp_path)
    add(core, draft())
    tick(core)
    label = str(get(core, "T-001").label)
    first = end(core, "T-001", SUCCESS)

    again = completion.complete(core, first, SUCCESS, label=label, now=START)

    assert again.is_late
    assert get(core, "T-001") == first
    assert not list((tmp_path / "results").glob("*.late.md"))


def test_host_tasks_are_left_to_a_caller_that_carries_out_actions(
    tmp_path: Path,
) -> None:
    core = a_core(tmp_path, host=True)
    add(core, draft())

    tick(core)
    left = get(core, "T-001").status
    done = tick(core, carries_actions=True)

    assert left is Status.PENDING
    assert [action["type"] for action in done.actions] == ["spawn"]


def test_an_unattached_spawn_is_sent_again_under_the_same_key_and_is_no_loss(
    tmp_path: Path,
) -> None:
    core = a_core(tmp_path, host=True)
    add(core, draft())
    first = tick(core, carries_actions=True)

    again = tick(core, START + 200 * SECOND, carries_actions=True)

    assert [a["key"] for a in again.actions] == [a["key"] for a in first.actions]
    assert get(core, "T-001").losses == 0


def test_a_silent_attached_host_session_is_polled_and_not_lost(tmp_path: Path) -> None:
    core = a_core(tmp_path, host=True)
    add(core, draft())
    tick(core, carries_actions=True)
    task = get(core, "T-001")
    completion.attach(core, task, "session-7", label=str(task.label), now=START)

    later = tick(core, START + 130 * SECOND, carries_actions=True)

    assert [action["type"] for action in later.actions] == ["poll"]
    assert get(core, "T-001").status is Status.RUNNING


def test_a_host_session_that_a_complete_listing_lacks_is_lost(tmp_path: Path) -> None:
    core = a_core(tmp_path, host=True)
    add(core, draft())
    tick(core, carries_actions=True)
    task = get(core, "T-001")
    completion.attach(core, task, "session-7", label=str(task.label), now=START)

    done = dispatch.tick(
        core, now=START, carries_actions=True, listing=Listing(is_complete=True)
    )

    assert get(core, "T-001").losses == 1
    assert [action["type"] for action in done.actions] == ["stop", "spawn"]


def test_three_fatal_failures_in_a_row_pause_the_queue(tmp_path: Path) -> None:
    core = a_core(tmp_path)
    fatal = replace(BROKEN, error_class=ErrorClass.AUTH, error_message="401")
    add(core, *(draft(f"task {n}") for n in range(4)))
    for n in range(3):
        tick(core, START + n * SECOND)
        end(core, f"T-00{n + 1}", fatal, START + n * SECOND)

    tick(core, START + 10 * SECOND)

    assert get(core, "T-004").status is Status.PENDING
    meta = next(m for m in core.store.queues() if m.source == "ollama-local")
    assert meta.paused is not None
    assert meta.paused.by == "failures"


def test_a_quota_holds_the_whole_source_until_its_reset_and_is_said_once(
    tmp_path: Path,
) -> None:
    core = a_core(tmp_path, ollama_local={"max_concurrent": 2})
    until = START + dt.timedelta(hours=3)
    quota = replace(BROKEN, error_class=ErrorClass.QUOTA, until=until)
    add(core, draft("one"), draft("two"), draft("three"))
    tick(core)
    end(core, "T-001", quota)
    end(core, "T-002", quota)

    tick(core, until - SECOND)
    before = [get(core, f"T-00{n}").status for n in (1, 2, 3)]
    tick(core, until)

    assert before == [Status.PENDING] * 3
    assert get(core, "T-001").status is Status.RUNNING
    assert get(core, "T-001").retries == 0
    assert len(notices(core)) == 1


def test_next_due_is_the_earliest_moment_that_needs_a_pass(tmp_path: Path) -> None:
    core = a_core(tmp_path)
    due = START + dt.timedelta(minutes=2)
    add(core, draft(not_before=due), draft(not_before=due + SECOND))

    assert planning.next_due(core, since=START, now=START) == due


def test_nothing_is_due_for_an_idle_directory(tmp_path: Path) -> None:
    assert planning.next_due(a_core(tmp_path), since=START, now=START) is None


def test_what_becomes_due_while_a_pass_runs_is_due(tmp_path: Path) -> None:
    """A backoff of a moment is over before the pass that began it has planned."""
    core = a_core(tmp_path)
    add(core, draft(not_before=START + SECOND))

    due = planning.next_due(core, since=START, now=START + 5 * SECOND)

    assert due == START + SECOND


def test_what_waits_for_a_slot_since_the_pass_is_not_due(tmp_path: Path) -> None:
    core = a_core(tmp_path)
    add(core, draft(not_before=START), draft())
    later = START + SECOND

    assert planning.next_due(core, since=later, now=later) is None


def test_what_somebody_changed_since_the_pass_is_due(tmp_path: Path) -> None:
    """Whoever freed the task for its next attempt was killed before its own pass."""
    core = a_core(tmp_path)
    add(core, draft(), now=START + SECOND)

    due = planning.next_due(core, since=START, now=START + 5 * SECOND)

    assert due == START + SECOND


def test_queue_file_keeps_16_kib_of_a_report_and_the_path_of_the_rest(
    tmp_path: Path,
) -> None:
    """Each call reads and writes the file whole: a few long reports would stop all."""
    core = a_core(tmp_path)
    add(core, a_task(""))
    tick(core)
    text = "word " * 100_000

    task = end(core, "T-001", Outcome(result_status="success", result=text))

    assert task.result is not None
    assert len(task.result.encode()) <= 16 * 1024
    assert str(task.result_path) in task.result
    assert core.folder.read_result(str(task.result_path)) == text
