"""The seed's templates word for word, and what the contract adds to them."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest

from fakes import START, a_task
from model_queue import messages
from model_queue.errors import CorruptQueueFile, Earlier
from model_queue.model import Claim, DependencyPolicy, ErrorClass, Status, Task
from model_queue.store import QueueMeta, Restored

TWO_MINUTES = dt.timedelta(minutes=2, seconds=5)


def a_done_task(**fields: object) -> Task:
    task = a_task(
        status=Status.DONE,
        result_summary="Q1 sales rose by 5%.",
        result_status="success",
        started_at=START,
        completed_at=START + TWO_MINUTES,
    )
    return replace(task, **fields)  # type: ignore[arg-type] # fields are the test's


def a_failed_task(**fields: object) -> Task:
    task = a_task(
        status=Status.FAILED,
        error_message="exit code 1: ValueError: bad",
        error_class=ErrorClass.TRANSIENT,
        failure_reason="max_retries_exceeded",
        retries=3,
    )
    return replace(task, **fields)  # type: ignore[arg-type] # fields are the test's


def a_chain() -> list[Task]:
    return [
        a_task("T-001"),
        a_task("T-002", description="Generate report", depends_on=("T-001",)),
        a_task("T-003", description="Send to team", depends_on=("T-002",)),
    ]


def test_step_8_single_task() -> None:
    text = messages.added([a_task()], {"T-001": 1})

    assert text == (
        "📋 Added T-001 to queue [ollama-local]\n"
        "Model: ollama/qwen2.5\n"
        "Task: Analyze the sales data\n"
        "Queue position: 1"
    )


@pytest.mark.parametrize(
    ("policy", "line"),
    [
        (DependencyPolicy.BLOCK, "Depends on: T-001 (block on failure)"),
        (DependencyPolicy.SKIP, "Depends on: T-001 (skip on failure)"),
        (DependencyPolicy.CONTINUE, "Depends on: T-001 (continue on failure)"),
    ],
)
def test_step_8_dependency_stands_before_the_position(
    policy: DependencyPolicy, line: str
) -> None:
    task = a_task("T-002", depends_on=("T-001",), on_depends_fail=policy)

    text = messages.added([task], {"T-002": 2})

    assert text.endswith(f"\nTask: Analyze the sales data\n{line}\nQueue position: 2")


def test_step_8_names_every_dependency() -> None:
    task = a_task("T-003", depends_on=("T-001", "T-002"))

    text = messages.added([task], {"T-003": 3})

    assert "\nDepends on: T-001, T-002 (block on failure)\n" in text


def test_step_8_tells_a_priority_and_a_start_in_the_persons_zone() -> None:
    task = a_task(priority=10, not_before=START)

    text = messages.added([task], {"T-001": 1}, zone=ZoneInfo("Asia/Shanghai"))

    assert "\nPriority: 10\nStarts: 2026-03-05 00:51 CST\nQueue position: 1" in text


def test_step_8_multiple_tasks_on_one_queue() -> None:
    text = messages.added(a_chain(), {})

    assert text == (
        "📋 Added 3 tasks to queue [ollama-local]:\n"
        "• T-001: Analyze the sales data\n"
        "• T-002: Generate report (depends on T-001)\n"
        "• T-003: Send to team (depends on T-002)\n"
        "\n"
        "Starting dispatcher now..."
    )


def test_step_8_tasks_on_several_queues() -> None:
    first, second, _ = a_chain()

    text = messages.added([first, replace(second, queue="cloud-nvidia")], {})

    assert text == (
        "📋 Added 2 tasks to 2 queues:\n"
        "• T-001 [ollama-local]: Analyze the sales data\n"
        "• T-002 [cloud-nvidia]: Generate report (depends on T-001)\n"
        "\n"
        "Starting dispatcher now..."
    )


def test_step_8_bullets_tell_what_is_not_the_default() -> None:
    tasks = [
        a_task("T-001", priority=5, not_before=START),
        a_task("T-002", depends_on=("T-001",), on_depends_fail=DependencyPolicy.SKIP),
    ]

    lines = messages.added(tasks, {}).split("\n")

    assert lines[1].endswith("data (starts 2026-03-04 16:51 UTC, priority 5)")
    assert lines[2].endswith("data (depends on T-001, skip on failure)")


def test_step_8_shows_a_long_task_on_one_line() -> None:
    tasks = [a_task("T-001", description="a\nb " * 400), a_task("T-002")]

    text = messages.added(tasks, {})

    assert text.count("\n") == 4
    assert len(text.split("\n")[1]) < 90


def test_step_8_in_chinese() -> None:
    first, second, _ = a_chain()

    one = messages.added([second], {"T-002": 2}, lang="zh")
    several = messages.added([first, second], {}, lang="zh")

    assert one == (
        "📋 已将 T-002 加入队列 [ollama-local]\n"
        "模型：ollama/qwen2.5\n"
        "任务：Generate report\n"
        "依赖：T-001（失败时阻塞）\n"
        "队列位置：2"
    )
    assert several == (
        "📋 已将 2 个任务加入队列 [ollama-local]：\n"
        "• T-001：Analyze the sales data\n"
        "• T-002：Generate report（依赖 T-001）\n"
        "\n"
        "正在启动调度器……"
    )


def test_task_completed() -> None:
    assert messages.done(a_done_task()) == (
        "✅ T-001 done — Q1 sales rose by 5%.\nQueue: ollama-local | Duration: 2m 5s"
    )


def test_task_completed_without_a_summary_or_a_start() -> None:
    text = messages.done(a_done_task(result_summary=None, started_at=None))

    assert text == "✅ T-001 done\nQueue: ollama-local"


def test_task_completed_in_part_says_so() -> None:
    text = messages.done(a_done_task(result_status="partial"))

    assert text.startswith("✅ T-001 done (partial) — Q1 sales rose by 5%.\n")


def test_task_completed_in_chinese() -> None:
    text = messages.done(a_done_task(result_summary="销售额上升5%。"), lang="zh")

    assert text == "✅ T-001 已完成 — 销售额上升5%。\n队列：ollama-local | 用时：2分5秒"


def test_task_failed() -> None:
    assert messages.failed(a_failed_task(), 4) == (
        "❌ T-001 failed after 4 attempts\n"
        "Queue: ollama-local\n"
        "Error: exit code 1: ValueError: bad\n"
        "\n"
        'To retry: "retry T-001"'
    )


def test_task_failed_after_one_attempt_is_singular() -> None:
    text = messages.failed(a_failed_task(error_message=None), 1)

    assert text.startswith("❌ T-001 failed after 1 attempt\n")
    assert "\nError: no reason was given\n" in text


@pytest.mark.parametrize(
    ("attempts", "head"),
    [
        (0, "❌ T-001 failed after 5 lost sessions\n"),
        (2, "❌ T-001 failed after 2 attempts and 5 lost sessions\n"),
    ],
)
def test_task_failed_tells_lost_sessions(attempts: int, head: str) -> None:
    task = a_failed_task(losses=5, error_class=ErrorClass.LOST)

    assert messages.failed(task, attempts).startswith(head)


def test_task_failed_with_the_hint_of_its_class() -> None:
    task = a_failed_task(error_class=ErrorClass.MODEL_NOT_FOUND)

    english = messages.failed(task, 1)
    chinese = messages.failed(task, 1, lang="zh")

    assert (
        "\nHint: run `ollama pull qwen2.5` where that Ollama runs\n\nTo retry"
        in english
    )
    assert "\n提示：请在该 Ollama 所在的机器上运行 `ollama pull qwen2.5`\n" in chinese


def test_task_failed_with_a_hint_of_its_own() -> None:
    text = messages.failed(a_failed_task(), 1, hint="start the server")

    assert "\nHint: start the server\n" in text


def test_a_dependency_that_is_no_good_news_is_told_with_its_status() -> None:
    failed = messages.in_state("T-001", Status.FAILED, lang="zh")
    task = a_task("T-002", status=Status.WAITING)

    text = messages.requeued(task, (failed, "T-003"), lang="zh")

    assert text == "🔁 T-002 已重新排队 — 等待 T-001（失败）、T-003"
    assert messages.in_state("T-404", None) == "T-404 (unknown)"


def test_task_failed_in_chinese() -> None:
    assert messages.failed(a_failed_task(), 4, lang="zh") == (
        "❌ T-001 失败，共 4 次尝试\n"
        "队列：ollama-local\n"
        "错误：退出码 1：ValueError: bad\n"
        "\n"
        "要重试，请说：“重试 T-001”"
    )


def test_dependency_failed_policy_block() -> None:
    task = a_task("T-002", blocked_reason="Dependency T-001 failed")

    assert messages.blocked(task) == "⚠️ T-002 blocked — dependency T-001 failed"
    assert messages.blocked(task, lang="zh") == "⚠️ T-002 已阻塞 — 依赖 T-001 失败"


def test_dependency_failed_policy_skip() -> None:
    task = a_task("T-002", skipped_reason="Dependency T-001 failed")

    assert messages.skipped(task) == "⏭️ T-002 skipped — dependency T-001 failed"


def test_blocked_by_the_agent_gives_its_reason() -> None:
    task = a_task(blocked_reason="needs the\npassword of the database")

    assert messages.blocked(task) == (
        "⚠️ T-001 blocked — needs the password of the database"
    )


def test_skipped_by_the_person_needs_no_reason() -> None:
    task = a_task(skipped_reason="skipped by the user", failure_reason="user_skip")

    assert messages.skipped(task) == "⏭️ T-001 skipped"


def test_cancelled() -> None:
    stopping = Claim(label="mq-t-001-a1-0", lease_until=START, stopping=START)

    plain = messages.cancelled(a_task())
    running = messages.cancelled(a_task(claim=stopping))
    in_host = messages.cancelled(a_task(error_message="session cancelled in the host"))

    assert plain == "🛑 T-001 cancelled"
    assert running == "🛑 T-001 cancelled — its session is being stopped"
    assert in_host == "🛑 T-001 cancelled — session cancelled in the host"


def test_paused_resumed_unblocked_and_priority() -> None:
    stopping = Claim(label="mq-t-001-a1-0", lease_until=START, stopping=START)

    assert messages.paused(a_task()) == "⏸️ T-001 paused"
    assert messages.paused(a_task(claim=stopping)).endswith("is being stopped")
    assert messages.resumed(a_task()) == "▶️ T-001 resumed"
    assert messages.unblocked(a_task()) == "🔓 T-001 unblocked"
    assert messages.priority_set(a_task(priority=5)) == "🔢 T-001 has priority 5"


def test_requeued_names_what_it_waits_for_and_what_stays_skipped() -> None:
    task = a_task("T-002")

    plain = messages.requeued(task)
    full = messages.requeued(task, ["T-001 (failed)"], still_skipped=["T-003", "T-004"])

    assert plain == "🔁 T-002 queued again"
    assert full == (
        "🔁 T-002 queued again — it waits for T-001 (failed); "
        'still skipped: T-003, T-004; to run one: "retry T-003"'
    )


def test_moved_to_the_fallback_and_model_mismatch() -> None:
    task = a_task(session_model="ollama/llama3")

    assert messages.moved(task) == (
        "↪️ T-001 moved to queue [ollama-local] (ollama/qwen2.5)"
    )
    assert messages.model_mismatch(task) == (
        "⚠️ T-001 ran on ollama/llama3, not on ollama/qwen2.5"
    )
    assert "ran on ?" in messages.model_mismatch(a_task())


def test_quota_names_the_reset_when_it_is_known() -> None:
    known = messages.quota("cloud-nvidia", START, zone=ZoneInfo("Europe/Paris"))
    unknown = messages.quota("cloud-nvidia", None)

    assert known == (
        "⏳ Queue [cloud-nvidia] has reached its usage limit; "
        "it goes on at 2026-03-04 17:51 CET"
    )
    assert "no reset time was given" in unknown


def test_queue_paused_says_why_and_how_to_go_on() -> None:
    why = messages.queue_paused("cloud-nvidia", "three tasks in a row failed: auth")
    asked = messages.queue_paused("cloud-nvidia")

    assert why == (
        "⏸️ Queue [cloud-nvidia] paused — three tasks in a row failed: auth\n"
        'To go on: "resume cloud-nvidia"'
    )
    assert asked.startswith("⏸️ Queue [cloud-nvidia] paused\n")
    assert messages.queue_resumed("x") == "▶️ Queue [x] resumed"


def test_corrupt_queue_file_tells_what_brings_it_back() -> None:
    fault = CorruptQueueFile(
        path="x.json",
        line=3,
        column=4,
        why="no brace",
        source="cloud-nvidia",
        earlier=Earlier("y.json", 12, 3, START),
    )
    queue = QueueMeta(source="cloud-nvidia", broken=str(fault), fault=fault)

    english, chinese = (messages.corrupt(queue, lang=lang) for lang in ("en", "zh"))

    assert english == (
        "⚠️ Queue [cloud-nvidia]: x.json does not parse at line 3, column 4 (no brace); "
        "it was left as it is and its queue stands still until the file is mended\n"
        "Mend the file, or run `model-queue doctor --restore cloud-nvidia`, which would "
        "bring back 12 tasks (3 open) as of 2026-03-04 16:51 UTC."
    )
    assert chinese == (
        "⚠️ 队列 [cloud-nvidia]：x.json 在第 3 行第 4 列无法解析；文件保持原样，"
        "修复之前该队列停止运行\n"
        "请修复该文件，或运行 `model-queue doctor --restore cloud-nvidia`，可恢复 "
        "12 个任务（3 个未完成），截至 2026-03-04 16:51 UTC"
    )


def test_restored_queue_tells_where_every_text_lies() -> None:
    done = Restored(
        source="cloud-nvidia",
        kind="earlier",
        version=Earlier("/q/.state/backup/cloud-nvidia.json", 1, 0, START),
        aside=["/q/.state/broken/a.json", "/q/.state/broken/b.json"],
        left_out=["T-007"],
    )

    assert messages.restored(done) == (
        "✅ cloud-nvidia goes on with 1 task (0 open) as of 2026-03-04 16:51 UTC, from "
        "/q/.state/backup/cloud-nvidia.json\n"
        "Kept beside: /q/.state/broken/a.json, /q/.state/broken/b.json\n"
        "Not among them, since that text does not have them: T-007"
    )


@pytest.mark.parametrize(
    ("kind", "head"),
    [
        ("edit", "✅ x goes on with the edit, 2 tasks (1 open); it stays"),
        (
            "commit",
            "✅ x goes on with what the commit would have written, 2 tasks (1 open)",
        ),
    ],
)
def test_restored_queue_tells_which_text_was_chosen(kind: str, head: str) -> None:
    version = Earlier("/q/x.json", 2, 1, START)

    done = Restored(source="x", kind=kind, version=version)

    assert messages.restored(done).startswith(head)


def test_all_tasks_blocked_names_the_commands() -> None:
    tasks = [
        a_task(
            name,
            depends_on=("T-001",),
            blocked_reason="Dependency T-001 failed",
        )
        for name in ("T-002", "T-003")
    ]

    text = messages.all_blocked("ollama-local", tasks, failed=["T-001"])

    assert text == (
        "🚫 All tasks of queue [ollama-local] are blocked:\n"
        "• T-002: Analyze the sales data — Dependency T-001 failed\n"
        "• T-003: Analyze the sales data — Dependency T-001 failed\n"
        'To run what they depend on: "retry T-001"\n'
        'To go on without that: "unblock T-002 T-003"'
    )


def test_all_tasks_blocked_by_their_agents_need_no_retry() -> None:
    tasks = [a_task(depends_on=("T-009",)), a_task("T-002", blocked_reason="a key")]

    lines = messages.all_blocked("ollama-local", tasks).split("\n")

    assert lines[1] == "• T-001: Analyze the sales data"
    assert lines[3:] == ['To go on: "unblock T-001 T-002"']


@pytest.mark.parametrize(
    ("n", "text"),
    [
        (1, "⚙️ Model Queue initialized. 1 queue ready."),
        (3, "⚙️ Model Queue initialized. 3 queues ready."),
    ],
)
def test_step_0_initialized(n: int, text: str) -> None:
    assert messages.initialized(n) == text


@pytest.mark.parametrize(
    ("tasks", "queues", "text"),
    [
        (1, 1, "Dispatched 1 task across 1 queue."),
        (3, 2, "Dispatched 3 tasks across 2 queues."),
    ],
)
def test_dispatcher_step_6_dispatched(tasks: int, queues: int, text: str) -> None:
    assert messages.dispatched(tasks, queues) == text


def test_dispatcher_step_6_nothing_to_do() -> None:
    assert messages.HEARTBEAT_OK == "HEARTBEAT_OK"


def test_a_repeated_message_is_said_to_be_taken() -> None:
    assert "nothing was added twice" in messages.repeated()
