"""Each step of seed 003's two modes, through the hooks."""

from __future__ import annotations

import json
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from chat import TOOLS
from hosting import MODELS, Host, actions, seed_queue, seed_task, tasks_of
from model_queue.model import JsonObject, JsonValue

pytestmark = pytest.mark.slow

DATA = "Analyze the sales data"
USER_TEXT = b"# Mine\r\n\r\n- water the plants  \n\tand the cat\n\n\nno line end"
"""Line ends of two kinds, blanks at the end, none behind the last line."""


def waiting(task_id: str, on: str, policy: str = "block") -> JsonObject:
    return seed_task(task_id, status="waiting", depends_on=on, on_depends_fail=policy)


def notice_kinds(answer: JsonObject) -> list[JsonValue]:
    found = answer["notices"]
    assert isinstance(found, list)
    return [notice["kind"] for notice in found if isinstance(notice, dict)]


def events(host: Host, *, of: str) -> list[str]:
    """Return what the audit log tells of a task."""
    path = host.queues / "events.jsonl"
    lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [line["event"] for line in lines if line.get("task_id") == of]


@dataclass(frozen=True)
class FirstRun:
    """What the first message led to."""

    host: Host
    answer: JsonObject
    heartbeat: bytes
    """HEARTBEAT.md after it."""


@pytest.fixture(scope="module")
def first_run(tmp_path_factory: pytest.TempPathFactory) -> FirstRun:
    home = tmp_path_factory.mktemp("first-run")
    (home / "HEARTBEAT.md").write_bytes(USER_TEXT)
    host = Host.open(home, tools=TOOLS + "MODEL_QUEUE_MAX_RETRIES=5\n")

    answer = host.say("show status")

    heartbeat = (home / "HEARTBEAT.md").read_bytes()
    return FirstRun(host=host, answer=answer, heartbeat=heartbeat)


def test_intake_step_0_1_creates_the_directory(first_run: FirstRun) -> None:
    mode = first_run.host.queues.stat().st_mode

    assert (stat.S_ISDIR(mode), stat.S_IMODE(mode)) == (True, 0o700)


@pytest.mark.parametrize("source", MODELS)
def test_intake_step_0_2_creates_a_queue_file_for_each_source(
    first_run: FirstRun, source: str
) -> None:
    path = first_run.host.queues / f"{source}.json"

    assert json.loads(path.read_text(encoding="utf-8")) == {
        "version": "1.0",
        "source": source,
        "models": MODELS[source],
        "maxConcurrent": 1,
        "maxRetries": 5,
        "lastId": None,
        "tasks": [],
    }
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_intake_step_0_3_registers_the_heartbeat_entry(first_run: FirstRun) -> None:
    queues = first_run.host.queues

    text = first_run.heartbeat.decode().replace("\r\n", "\n")

    assert text.endswith(
        "\n\n## Model Queue Dispatcher\n"
        "\n"
        f"Every heartbeat: check {queues} for pending/running tasks\n"
        "- If tasks exist → run DISPATCHER mode (model-queue skill): "
        "`scripts/model-queue tick --actions --json`\n"
        "- If nothing pending → HEARTBEAT_OK\n"
    )


def test_intake_step_0_3_keeps_the_users_text_byte_for_byte(
    first_run: FirstRun,
) -> None:
    assert first_run.heartbeat.startswith(USER_TEXT)


def test_intake_step_0_4_registers_the_backup_cron_job(first_run: FirstRun) -> None:
    text = "MODEL_QUEUE_DISPATCH: check queues and run pending tasks"

    assert actions(first_run.answer, "cron") == [
        {
            "type": "cron",
            "key": "model-queue:tick",
            "job": {
                "name": "Model Queue Dispatcher",
                "schedule": {"kind": "every", "everyMs": 900_000},
                "payload": {"kind": "systemEvent", "text": text},
                "sessionTarget": "main",
                "enabled": True,
            },
        }
    ]


def test_intake_step_0_5_notifies_the_user_and_goes_on(first_run: FirstRun) -> None:
    reply = str(first_run.answer["reply"])

    head = "⚙️ Model Queue initialized. 3 queues ready.\n\n📊 Queue Status\n"
    assert reply.startswith(head)


def test_intake_step_0_is_skipped_when_queue_files_exist(tmp_path: Path) -> None:
    (tmp_path / "HEARTBEAT.md").write_bytes(USER_TEXT)
    host = Host.open(tmp_path)
    host.say("show status")
    heartbeat = (tmp_path / "HEARTBEAT.md").read_bytes()
    files = {path: path.read_bytes() for path in host.queues.glob("*.json")}

    answer = host.say("show status")

    assert str(answer["reply"]).startswith("📊 Queue Status")
    assert answer["actions"] == []
    assert (tmp_path / "HEARTBEAT.md").read_bytes() == heartbeat
    assert {path: path.read_bytes() for path in host.queues.glob("*.json")} == files


def test_intake_step_0_leaves_a_heartbeat_entry_that_is_there(tmp_path: Path) -> None:
    text = "## Model Queue Dispatcher\nmy own words\n"
    (tmp_path / "HEARTBEAT.md").write_text(text, encoding="utf-8")

    Host.open(tmp_path).say("show status")

    assert (tmp_path / "HEARTBEAT.md").read_text(encoding="utf-8") == text


def test_intake_step_0_creates_no_heartbeat_file_of_its_own(host: Host) -> None:
    host.say("show status")

    assert not (host.chat.programs.home / "HEARTBEAT.md").exists()


def test_source_that_is_added_later_gets_its_file(host: Host) -> None:
    host.put("ollama-local")

    answer = host.say("use nvidia: write a poem")

    assert answer["actions"] != []
    assert host.chat.queue("cloud-nvidia")["lastId"] == "T-001"
    assert "initialized" not in str(answer["reply"])


@pytest.mark.parametrize(
    "message",
    [
        pytest.param(f"1. {DATA}\n2. Generate report", id="numbered list"),
        pytest.param(f"- {DATA}\n- Generate report", id="bullets"),
        pytest.param(f"{DATA} 然后 Generate report", id="然后"),
        pytest.param(f"{DATA} and then Generate report", id="and then"),
        pytest.param(f"{DATA}. Next, Generate report", id="next"),
    ],
)
def test_intake_step_1_splits_the_message(host: Host, message: str) -> None:
    host.put("ollama-local")

    answer = host.say(message)

    found = [task["description"] for task in tasks_of(answer)]
    assert found == [DATA, "Generate report"]


@pytest.mark.parametrize(
    ("message", "status"),
    [("cancel T-001", "cancelled"), ("skip T-001", "skipped")],
)
def test_intake_step_2_ends_a_task(host: Host, message: str, status: str) -> None:
    host.put("ollama-local", seed_task("T-001"))

    answer = host.say(message)

    assert (answer["mode"], answer["tasks"]) == ("control", [])
    assert host.statuses("T-001") == [status]


def test_intake_step_2_retries_a_task(host: Host) -> None:
    failed = seed_task("T-001", status="failed", retries=3, error_message="no rows")
    host.put("ollama-local", failed)

    host.say("retry T-001")

    task = host.task("T-001")
    # The dispatcher ran at once.
    assert (task["status"], task["retries"]) == ("running", 0)
    assert "error_message" not in task


def test_intake_step_2_shows_the_status(host: Host) -> None:
    host.put("ollama-local", seed_task("T-001", status="done"))

    answer = host.say("show status")

    assert answer["mode"] == "status"
    assert "[ollama-local] 0 pending, 0 running, 1 done" in str(answer["reply"])


REMOTE_MODEL = "ollama-remote/qwen3.5:27b"


@pytest.mark.parametrize(
    ("message", "queue", "model"),
    [
        pytest.param(
            "用 qwen2.5 分析销售数据", "ollama-local", "ollama/qwen2.5", id="用 qwen2.5"
        ),
        pytest.param(
            f"use nvidia/z-ai/glm5: {DATA}",
            "cloud-nvidia",
            "nvidia/z-ai/glm5",
            id="full name",
        ),
        pytest.param("用远程分析销售数据", "ollama-remote", REMOTE_MODEL, id="用远程"),
        pytest.param(
            "write a poem, send to remote",
            "ollama-remote",
            REMOTE_MODEL,
            id="send to remote",
        ),
        pytest.param(DATA, "ollama-local", "ollama/llama3", id="default source"),
    ],
)
def test_intake_step_3_determines_the_model_source(
    host: Host, message: str, queue: str, model: str
) -> None:
    host.put("ollama-local")

    answer = host.say(message)

    found = [(task["queue"], task["model"]) for task in tasks_of(answer)]
    assert found == [(queue, model)]


def test_intake_step_3_asks_when_there_is_no_default_source(tmp_path: Path) -> None:
    host = Host.open(tmp_path, tools=TOOLS.replace("DEFAULT_MODEL_SOURCE", "# "))
    host.put("ollama-local")

    answer = host.say(DATA)

    assert (answer["mode"], answer["tasks"]) == ("ask", [])
    (ask,) = actions(answer, "ask")
    assert ask["question"] == answer["reply"]
    assert ask["choices"] == list(MODELS)
    question = "Which model/source should handle this task?"
    assert str(answer["reply"]).startswith(question)
    assert host.chat.queue()["tasks"] == []


@pytest.mark.parametrize(
    "message",
    [
        pytest.param("分析销售数据，然后生成报告", id="然后"),
        pytest.param(f"{DATA}, after that generate a report", id="after that"),
        pytest.param(f"{DATA}. Based on that, generate a report", id="based on that"),
    ],
)
def test_intake_step_4_makes_a_task_depend_on_the_one_before(
    host: Host, message: str
) -> None:
    host.put("ollama-local")

    answer = host.say(message)

    second = tasks_of(answer)[1]
    assert (second["depends_on"], second["on_depends_fail"]) == ("T-001", "block")
    assert second["status"] == "waiting"


def test_intake_step_4_takes_the_dependency_that_is_named(host: Host) -> None:
    host.put("ollama-local", seed_task("T-001"), seed_task("T-002"))

    answer = host.say("generate a report, depends on T-001")

    assert [task["depends_on"] for task in tasks_of(answer)] == ["T-001"]


@pytest.mark.parametrize("message", ["然后生成报告", "After that, generate a report"])
def test_intake_step_4_asks_when_there_is_no_task_before(
    host: Host, message: str
) -> None:
    host.put("ollama-local", seed_task("T-001"))

    answer = host.say(message, locale="en")

    assert (answer["mode"], answer["tasks"]) == ("ask", [])
    question = "This task depends on which previous task?"
    assert str(answer["reply"]).startswith(question)


@pytest.mark.parametrize(
    ("last_id", "task_id"), [(None, "T-001"), ("T-005", "T-006"), ("T-999", "T-1000")]
)
def test_intake_step_5_assigns_the_next_id(
    host: Host, last_id: str | None, task_id: str
) -> None:
    host.put("ollama-local", lastId=last_id)

    answer = host.say(DATA)

    assert [task["id"] for task in tasks_of(answer)] == [task_id]
    assert host.chat.queue()["lastId"] == task_id


def test_intake_step_5_counts_over_all_queues(host: Host) -> None:
    host.put("ollama-local", lastId="T-002")
    host.put("cloud-nvidia", lastId="T-007")

    answer = host.say(DATA)

    assert [task["id"] for task in tasks_of(answer)] == ["T-008"]


def test_intake_step_6_builds_the_task_object(host: Host) -> None:
    host.put("ollama-local", seed_task("T-001", status="running"), maxRetries=2)

    answer = host.say(
        f"urgent: use qwen2.5: {DATA}, depends on T-001",
        host="openclaw",
        channel="telegram",
        session_id="chat-1",
        message_id="m-1",
        cwd="/tmp",  # noqa: S108 - a path that is only stored
    )

    (task,) = tasks_of(answer)
    assert len(str(task.pop("uuid"))) == 36
    assert task == {
        "id": "T-002",
        "queue": "ollama-local",
        "model": "ollama/qwen2.5",
        "description": DATA,
        "goal": None,
        "status": "waiting",
        "priority": 10,
        "depends_on": "T-001",
        "on_depends_fail": "block",
        "context_input": None,
        "result": None,
        "result_status": None,
        "result_summary": None,
        "retries": 0,
        "maxRetries": 2,
        "subagent_session": None,
        "added_at": "2026-03-04T16:51:00Z",
        "started_at": None,
        "completed_at": None,
        "cwd": "/tmp",  # noqa: S108 - as above
        "origin": {
            "host": "openclaw",
            "channel": "telegram",
            "session": "chat-1",
            "message_id": "m-1",
        },
        "updated_at": "2026-03-04T16:51:00Z",
    }


def test_intake_step_7_appends_to_the_queue(host: Host) -> None:
    before = [
        seed_task("T-001", status="done", uuid="00000001-0000-4000-8000-000000000001"),
        seed_task(
            "T-004", status="failed", uuid="00000004-0000-4000-8000-000000000004"
        ),
    ]
    host.put("ollama-local", *before)

    answer = host.say(DATA)

    assert host.chat.queue() == seed_queue(
        "ollama-local", *before, *tasks_of(answer), lastId="T-005"
    )


def test_intake_step_8_confirms_with_the_place_in_the_queue(host: Host) -> None:
    host.put(
        "ollama-local",
        seed_task("T-001", status="running", priority=-5),
        seed_task("T-002", priority=10),
        seed_task("T-003", priority=-5),
        seed_task("T-004", status="done"),
    )

    answer = host.say(DATA)

    assert "\nQueue position: 3" in str(answer["reply"])


def test_intake_step_9_runs_the_dispatcher_at_once(host: Host) -> None:
    host.put("ollama-local")

    answer = host.say(DATA)

    (spawn,) = actions(answer, "spawn")
    assert spawn["task_id"] == "T-001"
    assert host.statuses("T-001") == ["running"]


def test_dispatcher_step_1_scans_all_queue_files(host: Host) -> None:
    for number, source in enumerate(MODELS, start=1):
        host.put(source, seed_task(f"T-00{number}"))

    answer = host.beat()

    assert answer["queues"] == {source: {"running": 1} for source in sorted(MODELS)}


@pytest.fixture
def running(host: Host) -> Host:
    """A host whose session works on T-001, while T-002 waits for a slot."""
    host.put("ollama-local", seed_task("T-001"), seed_task("T-002"))
    host.beat()
    host.wait(60)
    return host


def told(host: Host, status: str, **fields: object) -> JsonObject:
    """Let the host list the session of T-001."""
    session = {"label": host.spawned["T-001"]["label"], "status": status, **fields}
    return host.beat(sessions=[session])


def test_dispatcher_step_2_takes_the_result_of_a_session_that_is_done(
    running: Host,
) -> None:
    report = "All the figures.\n\nSummary: Q1 is up by 4%."

    answer = told(running, "done", result=report)

    task = running.task("T-001")
    assert (task["status"], task["result_status"]) == ("done", "success")
    assert (task["result"], task["result_summary"]) == (report, "Q1 is up by 4%.")
    assert task["completed_at"] == "2026-03-04T16:52:00Z"
    assert str(answer["reply"]).startswith("✅ T-001 done — Q1 is up by 4%.\n")
    assert running.statuses("T-002") == ["running"]


def test_dispatcher_step_2_finds_the_session_by_the_runtimes_own_id(
    host: Host,
) -> None:
    task = seed_task("T-001", status="running", subagent_session="session-1")
    host.put("ollama-local", task)

    host.beat(
        sessions=[{"session_id": "session-1", "status": "done", "result": "All."}]
    )

    assert host.statuses("T-001") == ["done"]


def test_dispatcher_step_2_retries_a_session_that_failed(running: Host) -> None:
    answer = told(running, "failed", error="no rows found")

    task = running.task("T-001")
    assert (task["retries"], task["attempt"], task["status"]) == (1, 2, "running")
    assert answer["reply"] == "Dispatched 1 task across 1 queue."
    assert events(running, of="T-001") == ["claim", "fail_reported", "claim"]


def test_dispatcher_step_2_fails_a_task_whose_retries_are_used_up(
    running: Host,
) -> None:
    for _ in range(3):
        told(running, "failed", error="no rows found")
    running.wait(1)

    answer = told(running, "failed", error="no rows found")

    task = running.task("T-001")
    assert (task["status"], task["retries"], task["maxRetries"]) == ("failed", 3, 3)
    assert task["failure_reason"] == "max_retries_exceeded"
    assert task["completed_at"] == "2026-03-04T16:52:01Z"
    head = "❌ T-001 failed after 4 attempts\n"
    assert str(answer["reply"]).startswith(head)


def test_dispatcher_step_2_leaves_a_session_that_still_runs(running: Host) -> None:
    answer = told(running, "running")

    assert answer["reply"] == "HEARTBEAT_OK"
    assert running.statuses("T-001", "T-002") == ["running", "pending"]


def test_dispatcher_step_3_hands_the_result_over_to_the_waiting_task(
    host: Host,
) -> None:
    done = seed_task(
        "T-001", status="done", result_summary="Up by 4%.", result_status="partial"
    )
    host.put("ollama-local", done)
    host.put("cloud-nvidia", waiting("T-002", on="T-001"))

    host.beat()

    task = host.task("T-002")
    assert task["status"] == "running"
    assert task["context_input"] == {
        "source_task": "T-001",
        "result_summary": "Up by 4%.",
        "result_status": "partial",
        "included_at": "2026-03-04T16:51:00Z",
    }
    assert events(host, of="T-002") == ["dependency_done", "claim"]


@pytest.mark.parametrize("dependency", ["failed", "blocked"])
def test_dispatcher_step_3_case_block(host: Host, dependency: str) -> None:
    host.put("ollama-local", seed_task("T-001", status=dependency))
    host.put("cloud-nvidia", waiting("T-002", on="T-001"))

    answer = host.beat()

    task = host.task("T-002")
    assert (task["status"], task["completed_at"]) == ("blocked", None)
    assert task["blocked_reason"] == "Dependency T-001 failed"
    assert "⚠️ T-002 blocked — dependency T-001 failed" in str(answer["reply"])


@pytest.mark.parametrize("dependency", ["failed", "blocked"])
def test_dispatcher_step_3_case_skip(host: Host, dependency: str) -> None:
    host.put("ollama-local", seed_task("T-001", status=dependency))
    host.put("cloud-nvidia", waiting("T-002", "T-001", "skip"))

    answer = host.beat()

    task = host.task("T-002")
    assert task["status"] == "skipped"
    assert task["skipped_reason"] == "Dependency T-001 failed"
    assert task["failure_reason"] == "dependency_failed"
    assert "⏭️ T-002 skipped — dependency T-001 failed" in str(answer["reply"])


@pytest.mark.parametrize("dependency", ["failed", "blocked"])
def test_dispatcher_step_3_case_continue(host: Host, dependency: str) -> None:
    host.put("ollama-local", seed_task("T-001", status=dependency))
    host.put("cloud-nvidia", waiting("T-002", "T-001", "continue"))

    host.beat()

    task = host.task("T-002")
    assert task["status"] == "running"
    assert task["context_input"] == {
        "warning": "Dependency T-001 failed",
        "included_at": "2026-03-04T16:51:00Z",
    }


def test_dispatcher_step_3_leaves_a_task_whose_dependency_is_open(host: Host) -> None:
    host.put(
        "ollama-local",
        seed_task("T-001", status="running"),
        seed_task("T-002"),
        waiting("T-003", on="T-006"),
    )
    host.put(
        "cloud-nvidia",
        waiting("T-004", on="T-001"),
        waiting("T-005", on="T-002"),
        waiting("T-006", on="T-002"),
        waiting("T-007", on="T-003"),
    )

    answer = host.beat()

    ids = ("T-003", "T-004", "T-005", "T-006", "T-007")
    assert host.statuses(*ids) == ["waiting"] * 5
    assert answer["notices"] == []


def test_dispatcher_step_4_skips_a_queue_without_a_free_slot(running: Host) -> None:
    answer = running.beat()

    assert answer["dispatched"] == []
    assert running.statuses("T-002") == ["pending"]


def test_dispatcher_step_4_fills_the_slots_by_priority_and_age(host: Host) -> None:
    def due(task_id: str, priority: int, minute: int) -> JsonObject:
        added = f"2026-03-04T16:{minute:02}:00Z"
        return seed_task(task_id, priority=priority, added_at=added)

    host.put(
        "ollama-local",
        due("T-001", 0, 9),
        due("T-002", 5, 8),
        due("T-003", 0, 3),
        due("T-004", 5, 7),
        due("T-005", 0, 3),
        due("T-006", -5, 1),
        maxConcurrent=4,
    )

    answer = host.beat()

    assert answer["dispatched"] == ["T-004", "T-002", "T-003", "T-005"]
    assert host.statuses("T-001", "T-006") == ["pending", "pending"]


def test_dispatcher_step_4_2_asks_the_host_for_a_session(host: Host) -> None:
    host.put("cloud-nvidia", seed_task("T-001", model="nvidia/z-ai/glm5", cwd="/srv"))

    answer = host.beat()

    (spawn,) = actions(answer, "spawn")
    assert str(spawn.pop("prompt")).startswith("You are executing task T-001")
    label = host.task("T-001")["subagent_session"] or spawn["label"]
    assert spawn == {
        "type": "spawn",
        "key": label,
        "task_id": "T-001",
        "queue": "cloud-nvidia",
        "attempt": 1,
        "label": label,
        "model": "nvidia/z-ai/glm5",
        "cwd": "/srv",
        "timeout_seconds": 1800,
    }


def test_dispatcher_step_4_3_updates_the_task(host: Host) -> None:
    host.put("ollama-local", seed_task("T-001"))
    host.beat()
    label = host.spawned["T-001"]["label"]
    session = {"session_id": "session-1", "label": label, "status": "running"}

    host.beat(sessions=[session])

    task = host.task("T-001")
    assert (task["status"], task["started_at"]) == ("running", "2026-03-04T16:51:00Z")
    assert task["subagent_session"] == "session-1"


def test_dispatcher_step_5_saves_only_the_queues_that_changed(host: Host) -> None:
    host.put("ollama-local", seed_task("T-001"))
    host.put("cloud-nvidia", seed_task("T-002", status="done"))
    untouched = (host.queues / "cloud-nvidia.json").read_bytes()

    host.beat()

    assert host.statuses("T-001") == ["running"]
    assert (host.queues / "cloud-nvidia.json").read_bytes() == untouched


def test_dispatcher_step_6_returns_the_notifications(running: Host) -> None:
    answer = told(running, "done", result="All.")

    assert notice_kinds(answer) == ["done"]
    assert str(answer["reply"]).startswith("✅ T-001 done")


def test_dispatcher_step_6_returns_how_many_were_dispatched(host: Host) -> None:
    host.put("ollama-local", seed_task("T-001"))

    answer = host.beat()

    assert answer["reply"] == "Dispatched 1 task across 1 queue."


@pytest.mark.parametrize(
    "tasks",
    [
        pytest.param((), id="no tasks"),
        pytest.param((seed_task("T-001", status="done"),), id="nothing pending"),
    ],
)
def test_dispatcher_step_6_returns_heartbeat_ok(
    host: Host, tasks: Sequence[JsonObject]
) -> None:
    host.put("ollama-local", *tasks)

    answer = host.beat()

    assert (answer["reply"], answer["dispatched"]) == ("HEARTBEAT_OK", [])


def test_queues_are_independent(host: Host) -> None:
    """A blocked task in one queue doesn't affect other queues."""
    host.put(
        "ollama-local", seed_task("T-001", status="failed"), waiting("T-002", "T-001")
    )
    host.put("cloud-nvidia", seed_task("T-003"))

    host.beat()

    assert host.statuses("T-002", "T-003") == ["blocked", "running"]


@pytest.mark.parametrize("scope", ["addressed", "ambient"])
def test_system_event_runs_the_dispatcher(host: Host, scope: str) -> None:
    host.put("ollama-local", seed_task("T-001"))

    answer = host.say(
        "MODEL_QUEUE_DISPATCH: check queues and run pending tasks", scope=scope
    )

    assert answer["reply"] == "Dispatched 1 task across 1 queue."
    assert (answer["mode"], answer["tasks"]) == ("none", [])
    assert host.statuses("T-001") == ["running"]
