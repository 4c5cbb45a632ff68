"""Each row of SPEC 11, the tables that the seeds only name, through the hooks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chat import TOOLS, Chat
from hosting import TOML, Host, actions, seed_task, tasks_of
from model_queue.model import JsonObject, JsonValue, Status

pytestmark = pytest.mark.slow


def a_running_task(task_id: str, session: str = "session-1") -> JsonObject:
    """Return a task whose session the host started, as our own code writes it."""
    label = f"mq-{task_id.lower()}-a1-00000001"
    return seed_task(
        task_id,
        uuid="00000001-0000-4000-8000-000000000001",
        status="running",
        subagent_session=session,
        started_at="2026-03-04T16:50:00Z",
        attempt=1,
        claim={"label": label, "lease_until": "2026-03-04T17:00:00Z"},
    )


def a_blocked_task(task_id: str, on: str, **fields: JsonValue) -> JsonObject:
    reason = f"Dependency {on} failed"
    task = seed_task(task_id, status="blocked", depends_on=on, blocked_reason=reason)
    return task | fields


def test_every_status_is_read_and_counted(host: Host) -> None:
    host.put(
        "ollama-local",
        seed_task("T-001", status="pending"),
        seed_task("T-002", status="waiting", depends_on="T-003"),
        a_running_task("T-003"),
        seed_task("T-004", status="paused", paused_from="pending"),
        a_blocked_task("T-005", on="T-007"),
        seed_task("T-006", status="done"),
        seed_task("T-007", status="failed"),
        seed_task("T-008", status="skipped"),
        seed_task("T-009", status="cancelled"),
    )

    answer = host.beat()

    assert answer["queues"] == {"ollama-local": {status.value: 1 for status in Status}}


def test_mode_intake_parses_routes_confirms_and_dispatches(host: Host) -> None:
    host.put("ollama-local")

    answer = host.say("add task: write a poem")

    assert answer["mode"] == "intake"
    assert [task["queue"] for task in tasks_of(answer)] == ["ollama-local"]
    assert str(answer["reply"]).startswith("📋 Added T-001 to queue [ollama-local]")
    assert [spawn["task_id"] for spawn in actions(answer, "spawn")] == ["T-001"]


INTAKE_TRIGGERS = [
    pytest.param("add task: write a poem", ["write a poem"], id="explicit: add task"),
    pytest.param("new task: write a poem", ["write a poem"], id="explicit: new task"),
    pytest.param(
        "queue this: write a poem", ["write a poem"], id="explicit: queue this"
    ),
    pytest.param(
        "do this for me: write a poem",
        ["write a poem"],
        id="delegation: do this for me",
    ),
    pytest.param(
        "handle this: the invoices of March",
        ["the invoices of March"],
        id="delegation: handle this",
    ),
    pytest.param(
        "用 qwen3.5 分析这个", ["分析这个"], id="model-specific: 用 qwen3.5 分析这个"
    ),
    pytest.param(
        "用远程模型处理：写一首诗", ["写一首诗"], id="model-specific: 用远程模型处理"
    ),
    pytest.param(
        "写一首诗，然后翻译成英文", ["写一首诗", "翻译成英文"], id="dependency: 然后"
    ),
    pytest.param(
        "write a poem, after that translate it",
        ["write a poem", "translate it"],
        id="dependency: after that",
    ),
    pytest.param(
        "write a poem. Next, translate it",
        ["write a poem", "translate it"],
        id="dependency: next",
    ),
]


@pytest.mark.parametrize(("message", "descriptions"), INTAKE_TRIGGERS)
def test_trigger_activates_intake(
    host: Host, message: str, descriptions: list[str]
) -> None:
    host.put("ollama-local")

    answer = host.say(message)

    assert answer["mode"] == "intake"
    assert [task["description"] for task in tasks_of(answer)] == descriptions


@pytest.mark.parametrize("message", ["task status", "show queue", "队列状态"])
def test_status_trigger_shows_the_table(host: Host, message: str) -> None:
    host.put("ollama-local", seed_task("T-001", status="done"))

    answer = host.say(message, locale="en")

    assert (answer["mode"], answer["tasks"]) == ("status", [])
    assert "[ollama-local] 0 pending, 0 running, 1 done" in str(answer["reply"])


@pytest.mark.parametrize(
    "message",
    [
        pytest.param("What time is it?", id="simple question"),
        pytest.param("今天星期几？", id="simple question in Chinese"),
        pytest.param("Is mistral faster than llama3?", id="question about models"),
        pytest.param("Remind me at 5 pm", id="pure scheduling"),
        pytest.param("提醒我下午五点开会", id="pure scheduling in Chinese"),
        pytest.param("Google the best pizza in Rome", id="single web search"),
        pytest.param("搜一下今天的天气", id="single web search in Chinese"),
        pytest.param("I added a task yesterday", id="near miss of add task"),
        pytest.param("The next version is better", id="near miss of next"),
        pytest.param('What does "cancel T-001" do?', id="near miss of cancel T-001"),
        pytest.param("Don't skip T-001", id="near miss of skip T-001"),
    ],
)
def test_message_without_work_does_not_activate_intake(
    host: Host, message: str
) -> None:
    host.put("ollama-local", seed_task("T-001"))

    answer = host.say(message)

    assert (answer["mode"], answer["reply"], answer["actions"]) == ("none", "", [])
    assert host.statuses("T-001") == ["pending"]


@pytest.mark.parametrize("verb", ["cancel", "skip"])
@pytest.mark.parametrize("status", ["pending", "waiting", "blocked", "paused"])
def test_control_ends_an_open_task(host: Host, verb: str, status: str) -> None:
    host.put("ollama-local", seed_task("T-001", status=status, depends_on="T-002"))
    host.put("cloud-nvidia", a_running_task("T-002"))
    ended = {"cancel": "cancelled", "skip": "skipped"}[verb]

    answer = host.say(f"{verb} T-001")

    assert answer["mode"] == "control"
    assert f" T-001 {ended}" in str(answer["reply"])
    assert host.statuses("T-001") == [ended]


def test_control_cancel_stops_the_session(host: Host) -> None:
    host.put("ollama-local", a_running_task("T-001"), seed_task("T-002"))

    answer = host.say("cancel T-001")

    (stop,) = actions(answer, "stop")
    assert stop["session_id"] == "session-1"
    # The slot is free when the session is seen gone.
    assert host.statuses("T-001", "T-002") == ["cancelled", "pending"]


@pytest.mark.parametrize("status", ["failed", "skipped", "cancelled"])
def test_control_retry_makes_it_pending_with_retries_0(host: Host, status: str) -> None:
    ended = seed_task("T-002", status=status, retries=3)
    host.put("ollama-local", a_running_task("T-001"), ended)

    answer = host.say("retry T-002")

    task = host.task("T-002")
    assert (task["status"], task["retries"]) == ("pending", 0)
    assert answer["reply"] == "🔁 T-002 queued again"


@pytest.mark.parametrize("message", ["show status", "task status"])
def test_control_show_status_lists_every_queue(host: Host, message: str) -> None:
    host.put("ollama-local")

    answer = host.say(message)

    reply = str(answer["reply"])
    assert reply.startswith("📊 Queue Status\n")
    for source in ("cloud-nvidia", "ollama-local", "ollama-remote"):
        assert f"[{source}] 0 pending" in reply


def test_control_show_queue_lists_that_queue_only(host: Host) -> None:
    host.put("ollama-local")

    answer = host.say("show queue ollama-remote")

    assert answer["reply"] == (
        "📊 Queue Status\n"
        "\n"
        "[ollama-remote] 0 pending, 0 running, 0 done\n"
        "  (empty)"
    )  # fmt: skip


def test_model_in_no_source_is_asked(host: Host) -> None:
    host.put("ollama-local")

    answer = host.say("use gpt-4o to write a poem")

    assert (answer["mode"], answer["tasks"]) == ("ask", [])
    head = 'No source has a model "gpt-4o". '
    assert str(answer["reply"]).startswith(head)
    (ask,) = actions(answer, "ask")
    assert "nvidia/llama3" in str(ask["choices"])
    assert host.chat.queue()["tasks"] == []


@pytest.mark.parametrize(
    "wanted", [pytest.param("T-003", id="its own"), pytest.param("T-042", id="unknown")]
)
def test_dependency_on_an_id_that_is_not_there_is_rejected_with_the_reason(
    host: Host, wanted: str
) -> None:
    host.put("ollama-local", seed_task("T-001"), seed_task("T-002"))

    answer = host.say(f"1. write a poem\n2. translate it, depends on {wanted}")

    told = f"⚠️ It depends on {wanted}, which does not exist; the nearest are T-002"
    assert str(answer["reply"]).startswith(told)
    assert "nothing was added" in str(answer["reply"])
    assert answer["tasks"] == []
    assert host.chat.queue()["lastId"] == "T-002"


def test_tasks_that_wait_for_each_other_do_not_wait_for_ever(host: Host) -> None:
    host.put(
        "ollama-local",
        seed_task("T-001", status="waiting", depends_on="T-002"),
        seed_task("T-002", status="waiting", depends_on="T-001"),
    )

    host.beat()

    assert host.statuses("T-001", "T-002") == ["blocked", "blocked"]


def test_dependency_in_another_queue_is_allowed(host: Host) -> None:
    host.put("ollama-local", a_running_task("T-001"))

    answer = host.say("use nvidia: write a poem, depends on T-001")

    (task,) = tasks_of(answer)
    assert (task["queue"], task["depends_on"]) == ("cloud-nvidia", "T-001")
    assert task["status"] == "waiting"


@pytest.mark.parametrize(
    ("retries", "status", "used"), [(0, "running", 1), (3, "failed", 3)]
)
def test_session_that_the_host_timed_out_follows_the_retry_rules(
    host: Host, retries: int, status: str, used: int
) -> None:
    host.put("ollama-local", seed_task("T-001", retries=retries))
    host.beat()

    host.end("T-001", "timeout")

    task = host.task("T-001")
    assert (task["status"], task["retries"]) == (status, used)
    assert task["error_class"] == "timeout"


def test_session_that_takes_too_long_is_ended_and_tried_again(tmp_path: Path) -> None:
    toml = (
        '[sources.ollama-local]\nlauncher = "command"\n'
        'command = ["sleep", "60"]\ntimeout_s = 1\nbackoff_s = [0]\n'
    )
    tools = TOOLS + "MODEL_QUEUE_MAX_RETRIES=1\n"
    chat = Chat.open(tmp_path, tools=tools, toml=toml)
    chat.say("add task: write a poem")

    task = chat.wait_for("T-001", "failed")

    chat.wait_for_sessions()
    assert (task["attempt"], task["error_class"]) == (2, "timeout")
    head = "❌ T-001 failed after 2 attempts\n"
    assert str(chat.heartbeat()["reply"]).startswith(head)


@pytest.fixture
def corrupt(host: Host) -> Host:
    """A host with a queue file that lacks a comma, and one that is well."""
    host.put("ollama-local", seed_task("T-001"))
    host.put("cloud-nvidia", seed_task("T-002"))
    path = host.queues / "ollama-local.json"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"version": "1.0",', '"version": "1.0"'), "utf-8")
    return host


def place(host: Host) -> str:
    """Return how the broken file is told: the comma lacks in front of line 3."""
    path = host.queues / "ollama-local.json"
    return f"⚠️ Queue [ollama-local]: {path} does not parse at line 3, column 3 "


def test_corrupt_queue_file_is_told_once_and_the_others_go_on(corrupt: Host) -> None:
    before = (corrupt.queues / "ollama-local.json").read_bytes()

    answer = corrupt.beat()

    told, *others = str(answer["reply"]).split("\n\n")
    assert told.startswith(place(corrupt))
    assert told.endswith("or move it away; no earlier version of it parses.")
    assert others == ["Dispatched 1 task across 1 queue."]
    assert corrupt.beat()["reply"] == "HEARTBEAT_OK"
    assert (corrupt.queues / "ollama-local.json").read_bytes() == before


def test_message_for_a_corrupt_queue_is_refused_and_nothing_is_overwritten(
    corrupt: Host,
) -> None:
    before = (corrupt.queues / "ollama-local.json").read_bytes()

    answer = corrupt.say("use qwen2.5: write a poem")

    assert str(answer["reply"]).startswith(place(corrupt))
    assert answer["tasks"] == []
    assert (corrupt.queues / "ollama-local.json").read_bytes() == before


def test_message_for_another_queue_is_taken_while_one_is_corrupt(corrupt: Host) -> None:
    answer = corrupt.say("use nvidia: write a poem")

    # The number of the task that cannot be read is not given again.
    assert [task["id"] for task in tasks_of(answer)] == ["T-003"]


def test_mended_queue_file_goes_on(corrupt: Host) -> None:
    corrupt.beat()
    corrupt.put("ollama-local", seed_task("T-001"))

    answer = corrupt.beat()

    assert answer["dispatched"] == ["T-001"]


def test_all_tasks_blocked_is_told_once_with_suggestions(host: Host) -> None:
    host.put(
        "ollama-local",
        seed_task("T-001", status="failed"),
        a_blocked_task("T-002", on="T-001"),
        a_blocked_task("T-003", on="T-001", description="Generate report"),
        seed_task("T-004", status="done"),
    )

    answer = host.beat()

    assert answer["reply"] == (
        "🚫 All tasks of queue [ollama-local] are blocked:\n"
        "• T-002: Analyze the sales data — Dependency T-001 failed\n"
        "• T-003: Generate report — Dependency T-001 failed\n"
        'To run what they depend on: "retry T-001"\n'
        'To go on without that: "unblock T-002 T-003"'
    )
    assert host.beat()["reply"] == "HEARTBEAT_OK"


def test_tasks_that_are_blocked_again_are_told_again(host: Host) -> None:
    host.put(
        "ollama-local",
        seed_task("T-001", status="failed", maxRetries=0),
        a_blocked_task("T-002", on="T-001"),
    )
    host.beat()
    host.say("retry T-001")
    host.wait(60)

    answer = host.end("T-001", "failed", error="no rows found")

    assert "🚫 All tasks of queue [ollama-local] are blocked:" in str(answer["reply"])


def test_queue_with_a_task_that_can_run_is_no_standstill(host: Host) -> None:
    host.put(
        "ollama-local",
        seed_task("T-001", status="failed"),
        a_blocked_task("T-002", on="T-001"),
        seed_task("T-003", not_before="2026-03-05T09:00:00Z"),
    )

    assert host.beat()["reply"] == "HEARTBEAT_OK"


@pytest.mark.parametrize("message", ["retry T-001", "unblock T-002"])
def test_suggestions_free_the_blocked_task(host: Host, message: str) -> None:
    host.put(
        "ollama-local",
        seed_task("T-001", status="failed"),
        a_blocked_task("T-002", on="T-001"),
    )
    host.beat()

    host.say(message)
    if "retry" in message:
        host.end("T-001", result="All.")

    assert host.statuses("T-002") == ["running"]


def test_20_or_more_tasks_run_in_order_within_the_limit(tmp_path: Path) -> None:
    toml = TOML.replace("local]", "local]\nmax_concurrent = 5")
    host = Host.open(tmp_path, toml=toml)
    lines = [f"{number}. write poem {number}" for number in range(1, 26)]

    added = tasks_of(host.say("\n".join(lines)))
    started: list[JsonValue] = []
    while len(started) < 25:
        batch = list(host.spawned)[len(started) :]
        assert len(batch) == 5
        started += batch
        labels = [host.spawned[task_id]["label"] for task_id in batch]
        ended = [{"label": each, "status": "done", "result": "x"} for each in labels]
        host.beat(sessions=ended)

    assert [task["description"] for task in added] == [
        line[3:].strip() for line in lines
    ]
    assert started == [f"T-{number:03}" for number in range(1, 26)]
    assert host.statuses(*map(str, started)) == ["done"] * 25


def test_session_id_that_is_lost_is_looked_up_by_label(host: Host) -> None:
    host.put("ollama-local", a_running_task("T-001", session="forgotten"))
    label = "mq-t-001-a1-00000001"
    listed = [{"label": label, "session_id": "session-9", "status": "running"}]

    host.beat(sessions=listed, sessions_complete=True)

    assert host.statuses("T-001") == ["running"]
    assert "losses" not in host.task("T-001")


def test_session_that_is_not_found_either_way_is_lost_and_run_again(
    host: Host,
) -> None:
    host.put("ollama-local", a_running_task("T-001", session="forgotten"))

    answer = host.beat(sessions=[], sessions_complete=True)

    task = host.task("T-001")
    assert (task["losses"], task["retries"], task["attempt"]) == (1, 0, 2)
    assert task["error_class"] == "lost"
    assert answer["dispatched"] == ["T-001"]


def test_session_that_the_host_never_listed_is_no_loss(host: Host) -> None:
    host.put("ollama-local", a_running_task("T-001"))
    host.wait(900)

    answer = host.beat()

    assert host.statuses("T-001") == ["running"]
    (poll,) = actions(answer, "poll")
    assert poll["labels"] == ["mq-t-001-a1-00000001"]


def test_several_dependencies_hand_over_their_results_in_order(host: Host) -> None:
    def done(task_id: str) -> JsonObject:
        return seed_task(task_id, status="done", result_summary=f"of {task_id}")

    host.put("ollama-local", done("T-001"))
    host.put("cloud-nvidia", done("T-002"))

    host.say("combine the results, depends on T-002 and T-001")

    task = host.task("T-003")
    assert (task["status"], task["depends_on"]) == ("running", ["T-002", "T-001"])
    summaries = ["of T-002", "of T-001"]
    assert json.dumps(task["context_input"]).count("included_at") == 2
    context = task["context_input"]
    assert isinstance(context, list)
    found = [each["result_summary"] for each in context if isinstance(each, dict)]
    assert found == summaries


def test_scheduled_task_starts_at_its_time(host: Host) -> None:
    host.put("ollama-local")

    answer = host.say("in 2 hours, write a poem")
    early = host.beat()
    host.wait(7200)
    due = host.beat()

    (task,) = tasks_of(answer)
    assert task["not_before"] == "2026-03-04T18:51:00Z"
    assert (early["dispatched"], due["dispatched"]) == ([], ["T-001"])


def test_urgent_task_is_started_first(host: Host) -> None:
    host.put(
        "ollama-local", a_running_task("T-001"), seed_task("T-002"), seed_task("T-003")
    )
    host.say("urgent: write a poem")

    host.beat(sessions=[{"session_id": "session-1", "status": "done", "result": "x"}])

    assert host.statuses("T-002", "T-003", "T-004") == ["pending", "pending", "running"]


def test_paused_queue_starts_nothing_until_it_is_resumed(host: Host) -> None:
    host.put("ollama-local", seed_task("T-001"))

    paused = host.say("pause ollama-local")
    still = host.beat()
    resumed = host.say("resume ollama-local")

    assert str(paused["reply"]).startswith("⏸️ Queue [ollama-local] paused")
    assert still["dispatched"] == []
    assert str(resumed["reply"]).startswith("▶️ Queue [ollama-local] resumed")
    assert host.statuses("T-001") == ["running"]
