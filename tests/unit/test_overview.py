"""The seed's status table, and the details of one task."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest

from fakes import START, a_task
from model_queue import messages
from model_queue.messages import details, overview
from model_queue.messages.wording import width_of
from model_queue.model import Claim, ErrorClass, Status
from model_queue.store import Hold, QueueMeta

LOCAL = QueueMeta(source="ollama-local")
CLOUD = QueueMeta(source="cloud-nvidia")
NOW = START + dt.timedelta(minutes=5)
STOPPING = Claim(label="mq-t-001-a1-0", lease_until=START, stopping=START)


def test_queue_status() -> None:
    tasks = [
        a_task("T-001", status=Status.DONE),
        a_task("T-002", status=Status.RUNNING, started_at=START),
        a_task("T-003"),
        a_task("T-004", status=Status.WAITING, depends_on=("T-002",)),
        a_task(
            "T-005", status=Status.BLOCKED, blocked_reason="Dependency T-009 failed"
        ),
    ]

    text = messages.status([LOCAL, CLOUD], {"ollama-local": tasks}, now=NOW)

    assert text == (
        "📊 Queue Status\n"
        "\n"
        "[ollama-local] 1 pending, 1 running, 1 done\n"
        "  T-002 🔄 running: Analyze the sales data (started 5m ago)\n"
        "  T-003 ⏳ pending: Analyze the sales data\n"
        "  T-004 ⏳ waiting: Analyze the sales data (depends on T-002)\n"
        "  T-005 🚫 blocked: Analyze the sales data — Dependency T-009 failed\n"
        "\n"
        "[cloud-nvidia] 0 pending, 0 running, 0 done\n"
        "  (empty)"
    )


def test_queue_status_in_chinese() -> None:
    tasks = [
        a_task("T-002", status=Status.RUNNING, started_at=START),
        a_task(
            "T-005", status=Status.BLOCKED, blocked_reason="Dependency T-009 failed"
        ),
        a_task("T-006", status=Status.SKIPPED),
    ]

    text = messages.status([LOCAL, CLOUD], {"ollama-local": tasks}, now=NOW, lang="zh")

    assert text == (
        "📊 队列状态\n"
        "\n"
        "[ollama-local] 0 个待处理，1 个运行中，0 个已完成，1 个已跳过\n"
        "  T-002 🔄 运行中：Analyze the sales data（5分钟前开始）\n"
        "  T-005 🚫 已阻塞：Analyze the sales data — 依赖 T-009 失败\n"
        "\n"
        "[cloud-nvidia] 0 个待处理，0 个运行中，0 个已完成\n"
        "  （空）"
    )


def test_queue_status_lists_paused_and_failed_ones_besides() -> None:
    tasks = [
        a_task("T-001", status=Status.FAILED, error_message="exit code 1"),
        a_task("T-002", status=Status.FAILED),
        a_task("T-003", status=Status.PAUSED),
        a_task("T-004", status=Status.CANCELLED),
    ]

    lines = messages.status([LOCAL], {"ollama-local": tasks}, now=NOW).split("\n")

    assert lines[2:] == [
        "[ollama-local] 0 pending, 0 running, 0 done, 1 cancelled",
        "  T-003 ⏸️ paused: Analyze the sales data",
        "  T-002 ❌ failed: Analyze the sales data",
        "  T-001 ❌ failed: Analyze the sales data — exit code 1",
    ]


def test_queue_status_lists_a_cancelled_one_that_still_holds_its_slot() -> None:
    task = a_task(status=Status.CANCELLED, claim=STOPPING)

    text = messages.status([LOCAL], {"ollama-local": [task]}, now=NOW)

    assert text.endswith("\n  T-001 🛑 cancelled: Analyze the sales data (stopping)")


@pytest.mark.parametrize(
    ("fields", "tail"),
    [
        pytest.param({"not_before": NOW}, "", id="due"),
        pytest.param(
            {"not_before": NOW + dt.timedelta(hours=2)},
            " (starts in 2h)",
            id="scheduled",
        ),
        pytest.param(
            {
                "not_before": NOW + dt.timedelta(seconds=15),
                "retries": 2,
                "started_at": START,
            },
            " (retry 2 of 3 in 15s)",
            id="backoff",
        ),
        pytest.param(
            {
                "not_before": NOW + dt.timedelta(minutes=1),
                "status": Status.WAITING,
                "depends_on": ("T-008", "T-009"),
            },
            " (depends on T-008, T-009, starts in 1m)",
            id="waiting and scheduled",
        ),
        pytest.param(
            {"status": Status.RUNNING, "not_before": NOW + dt.timedelta(minutes=1)},
            "",
            id="running",
        ),
        pytest.param({"status": Status.BLOCKED}, "", id="blocked without a reason"),
    ],
)
def test_queue_status_tells_what_a_task_waits_for(
    fields: dict[str, object], tail: str
) -> None:
    task = a_task(**fields)  # type: ignore[arg-type] # fields are the test's

    text = messages.status([LOCAL], {"ollama-local": [task]}, now=NOW)

    assert text.endswith(f": Analyze the sales data{tail}")


@pytest.mark.parametrize(
    ("hold", "mark"),
    [
        pytest.param(Hold(at=START, by="user", reason="lunch"), " • paused", id="user"),
        pytest.param(
            Hold(at=START, by="failures", reason="three in a row failed"),
            " • paused: three in a row failed",
            id="failures",
        ),
        pytest.param(
            Hold(at=START, by="failures", reason=""), " • paused", id="no word"
        ),
        pytest.param(
            Hold(
                at=START, by="quota", reason="limit", until=NOW + dt.timedelta(hours=2)
            ),
            " • usage limit, goes on in 2h",
            id="quota",
        ),
        pytest.param(
            Hold(at=START, by="quota", reason="limit", until=NOW), "", id="quota over"
        ),
    ],
)
def test_queue_status_marks_a_queue_that_is_held(hold: Hold, mark: str) -> None:
    queue = QueueMeta(source="ollama-local", paused=hold)

    text = messages.status([queue], {}, now=NOW)

    assert f"[ollama-local] 0 pending, 0 running, 0 done{mark}\n" in text


def test_queue_status_tells_a_broken_file() -> None:
    queue = QueueMeta(source="ollama-local", broken="x.json does not parse at line 3")

    text = messages.status([queue], {}, now=NOW)

    assert text.endswith(
        "\n\n[ollama-local] stands still\n  ⚠️ x.json does not parse at line 3"
    )


def test_queue_status_counts_what_is_too_much_to_list() -> None:
    tasks = [a_task(f"T-{n:03d}") for n in range(1, 14)]

    short = messages.status([LOCAL], {"ollama-local": tasks}, now=NOW)
    full = messages.status([LOCAL], {"ollama-local": tasks}, now=NOW, rows=None)

    assert short.count("\n  T-") == 10
    assert short.endswith("\n  … 3 more pending")
    assert full.count("\n  T-") == 13


def test_queue_status_tells_place_progress_and_a_long_wait() -> None:
    running = a_task("T-001", status=Status.RUNNING, started_at=START)
    tasks = [
        running,
        a_task("T-002", added_at=NOW - dt.timedelta(hours=3)),
        a_task("T-003", not_before=NOW + dt.timedelta(hours=2)),
        a_task("T-004", added_at=NOW - dt.timedelta(minutes=59)),
        a_task(
            "T-005",
            status=Status.WAITING,
            depends_on=("T-002",),
            added_at=NOW - dt.timedelta(days=2),
        ),
    ]
    outlook = messages.Outlook(progress={running.ref: 40})
    queues = {"ollama-local": tasks}

    english = messages.status([LOCAL], queues, now=NOW, outlook=outlook)
    chinese = messages.status([LOCAL], queues, now=NOW, outlook=outlook, lang="zh")

    assert [line.partition("data ")[2] for line in english.split("\n")[3:]] == [
        "(started 5m ago, 40%)",
        "(added 3h ago)",
        "(starts in 2h)",
        "(number 2 in line)",
        "(depends on T-002, added 2d ago)",
    ]
    assert chinese.split("\n")[4].endswith("（3小时前添加）")
    assert chinese.split("\n")[6].endswith("（排第 2 位）")


def test_queue_status_of_200_tasks_stays_readable() -> None:
    statuses = [Status.PENDING, Status.WAITING, Status.FAILED, Status.DONE]
    tasks = [a_task(f"T-{n:03d}", status=statuses[n % 4]) for n in range(1, 201)]

    lines = messages.status([LOCAL], {"ollama-local": tasks}, now=NOW).split("\n")

    assert lines[2] == "[ollama-local] 50 pending, 0 running, 50 done"
    assert [line for line in lines if line.startswith("  …")] == [
        "  … 40 more pending",
        "  … 40 more waiting",
        "  … 40 more failed",
    ]
    assert len(lines) == 3 + 3 * 11


def test_on_a_narrow_screen_descriptions_give_way_to_what_is_told() -> None:
    task = a_task("T-002", status=Status.RUNNING, started_at=START)
    wide = replace(task, description="分析销售数据并写一份很长的报告给所有人看")

    lines = messages.status(
        [LOCAL], {"ollama-local": [task, wide]}, now=NOW, columns=56
    ).split("\n")
    [listed] = overview.listing([task], now=NOW, columns=40).split("\n")

    assert lines[3:5] == [
        "  T-002 🔄 running: Analyze the sales… (started 5m ago)",
        "  T-002 🔄 running: 分析销售数据并写一… (started 5m ago)",
    ]
    assert [width_of(line) for line in lines[3:5]] == [55, 56]
    assert (
        listed == "T-002 [ollama-local] 🔄 running: Analyze the sal… (started 5m ago)"
    )


def test_queue_status_without_queues() -> None:
    assert messages.status([], {}, now=NOW) == "📊 Queue Status\n\n(no queues yet)"


def test_a_listing_names_the_queue_of_each_task() -> None:
    tasks = [a_task(), a_task("T-002", queue="cloud-nvidia", status=Status.DONE)]

    text = messages.listing(tasks, now=NOW)

    assert text == (
        "T-001 [ollama-local] ⏳ pending: Analyze the sales data\n"
        "T-002 [cloud-nvidia] ✅ done: Analyze the sales data"
    )
    assert messages.listing([], now=NOW) == "No tasks."


def test_show_of_a_new_task_tells_what_was_asked_for() -> None:
    task = a_task(
        "T-002",
        status=Status.WAITING,
        goal="Know the trend",
        depends_on=("T-001",),
        priority=5,
        not_before=NOW + dt.timedelta(hours=1),
    )

    text = details.show(task, now=NOW, zone=ZoneInfo("Europe/Paris"))

    assert text == (
        "T-002 ⏳ waiting: Analyze the sales data (depends on T-001, starts in 1h)\n"
        "Queue: ollama-local | Model: ollama/qwen2.5\n"
        "Goal: Know the trend\n"
        "Depends on: T-001 (block on failure)\n"
        "Priority: 5\n"
        "Starts: 2026-03-04 18:56 CET\n"
        "Added: 5m ago"
    )


def test_show_of_a_finished_task_tells_what_came_of_it() -> None:
    task = a_task(
        status=Status.DONE,
        attempt=2,
        retries=1,
        started_at=START + dt.timedelta(minutes=1),
        completed_at=START + dt.timedelta(minutes=3),
        session_model="ollama/llama3",
        result_summary="Sales rose.",
        result_path="results/T-001.md",
    )

    text = details.show(task, now=NOW, report="The full report.")

    assert text == (
        "T-001 ✅ done: Analyze the sales data\n"
        "Queue: ollama-local | Model: ollama/qwen2.5\n"
        "Added: 5m ago\n"
        "Attempts: 2 | Retries used: 1 of 3\n"
        "Started: 4m ago\n"
        "Finished: 2m ago\n"
        "Ran on: ollama/llama3\n"
        "Summary: Sales rose.\n"
        "Report: results/T-001.md\n"
        "\n"
        "The full report."
    )


def test_show_tells_why_a_task_failed_or_was_skipped() -> None:
    failed = a_task(
        status=Status.FAILED, error_message="HTTP 401", error_class=ErrorClass.AUTH
    )
    skipped = a_task(status=Status.SKIPPED, skipped_reason="Dependency T-009 failed")

    assert details.show(failed, now=NOW).endswith("\nError: HTTP 401")
    assert details.show(skipped, now=NOW).endswith("\nReason: Dependency T-009 failed")


@pytest.mark.parametrize(
    ("report", "kept", "text"),
    [
        ("whole", "begin…", "✅ T-001: Analyze the sales data\n\nwhole"),
        (None, "begin…", "✅ T-001: Analyze the sales data\n\nbegin…"),
        (None, None, "T-001 has no result: it is done."),
        ("", "begin…", "T-001 has no result: it is done."),
    ],
)
def test_result_is_the_report_or_says_that_there_is_none(
    report: str | None, kept: str | None, text: str
) -> None:
    task = a_task(status=Status.DONE, result=kept)

    assert details.result(task, report=report) == text


@pytest.mark.parametrize(
    ("lang", "head", "note", "untold"),
    [
        pytest.param(
            "en",
            "1 pending, 1 running, 0 done • waits for the agent runtime to start it",
            "(handed to the agent runtime 5m ago, no word yet)",
            "📭 2 notices not delivered yet: T-007",
            id="English",
        ),
        pytest.param(
            "zh",
            "1 个待处理，1 个运行中，0 个已完成 • 等待智能体运行环境启动",
            "（5分钟前交给智能体运行环境，尚无消息）",
            "📭 2 条通知尚未送达：T-007",
            id="Chinese",
        ),
    ],
)
def test_queue_status_tells_the_outlook(
    lang: str, head: str, note: str, untold: str
) -> None:
    running = a_task("T-002", status=Status.RUNNING, started_at=START)
    outlook = messages.Outlook(
        waits_for_host=["ollama-local"],
        unheard=[running.ref],
        untold=["T-007", None],
    )

    lines = messages.status(
        [LOCAL],
        {"ollama-local": [running, a_task("T-003")]},
        now=NOW,
        lang=lang,
        outlook=outlook,
    ).split("\n")

    assert lines[2].endswith(head)
    assert lines[3].endswith(note)
    assert lines[-2:] == ["", untold]


@pytest.mark.parametrize(
    ("lang", "tail"),
    [
        pytest.param("en", "0 done • its source is not configured, nothing runs"),
        pytest.param("zh", "0 个已完成 • 它的来源已不在配置中，不会运行"),
    ],
)
def test_queue_status_tells_that_a_source_was_removed(lang: str, tail: str) -> None:
    outlook = messages.Outlook(
        unconfigured=["ollama-local"], untold=[None], waits_for_host=["ollama-local"]
    )

    lines = messages.status([LOCAL], {}, now=NOW, lang=lang, outlook=outlook)

    assert lines.split("\n")[2].endswith(tail)
    assert lines.endswith("1 notice not delivered yet" if lang == "en" else "尚未送达")
