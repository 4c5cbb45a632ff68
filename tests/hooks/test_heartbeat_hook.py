"""on-heartbeat: one pass over the queues, with what the host says of its sessions."""

from __future__ import annotations

from pathlib import Path

from chat import Chat

SPAWNED = "add task: use glm5 to translate the page"


def label_of(chat: Chat, task_id: str = "T-001") -> str:
    claim = chat.task(task_id)["claim"]
    assert isinstance(claim, dict)
    return str(claim["label"])


def test_nothing_to_tell_is_heartbeat_ok(chat: Chat) -> None:
    answer = chat.heartbeat()

    assert answer["reply"] == "HEARTBEAT_OK"
    assert (answer["dispatched"], answer["actions"], answer["notices"]) == ([], [], [])


def test_without_sources_it_is_heartbeat_ok(tmp_path: Path) -> None:
    chat = Chat.open(tmp_path, tools="", toml="")

    answer = chat.heartbeat()

    assert (answer["reply"], answer["queues"]) == ("HEARTBEAT_OK", {})
    assert not chat.programs.queues.exists()


def test_due_task_is_started_and_counted(chat: Chat) -> None:
    chat.say("add task: in 1 hour, count the files", now="2026-03-04T16:51:00Z")

    answer = chat.heartbeat(now="2026-03-04T17:52:00Z")

    assert answer["dispatched"] == ["T-001"]
    assert answer["reply"] == "Dispatched 1 task across 1 queue."
    assert answer["queues"] == {
        "cloud-nvidia": {},
        "ollama-local": {"running": 1},
        "ollama-remote": {},
    }


def test_notices_come_before_what_was_started(chat: Chat) -> None:
    chat.say("add task: use glm5 to translate the page; then write a report")
    ended = {"label": label_of(chat), "status": "done", "result": "Bonjour."}

    answer = chat.heartbeat(sessions=[ended])

    reply = str(answer["reply"])
    assert reply.startswith("✅ T-001 done — Bonjour.")
    assert reply.endswith("Dispatched 1 task across 1 queue.")


def test_session_that_the_host_says_runs_keeps_its_task(chat: Chat) -> None:
    chat.say(SPAWNED)

    answer = chat.heartbeat(
        sessions=[{"label": label_of(chat), "status": "running"}],
        sessions_complete=True,
    )

    assert answer["reply"] == "HEARTBEAT_OK"
    assert chat.task("T-001")["status"] == "running"


def test_failure_that_the_host_tells_is_tried_again(chat: Chat) -> None:
    chat.say(SPAWNED)

    chat.heartbeat(
        sessions=[{"label": label_of(chat), "status": "failed", "error": "no tool"}]
    )

    task = chat.task("T-001")
    assert (task["status"], task["retries"]) == ("pending", 1)
    assert (task["error_class"], task["error_message"]) == ("reported", "no tool")


def test_session_is_found_by_its_own_id(chat: Chat) -> None:
    chat.say(SPAWNED)
    chat.programs.cli("attach", "T-001", "agent:main:subagent:1")

    chat.heartbeat(
        sessions=[
            {"session_id": "agent:main:subagent:1", "status": "done", "result": "Hi."}
        ]
    )

    assert chat.task("T-001")["status"] == "done"


def test_complete_listing_without_an_attached_session_loses_it(chat: Chat) -> None:
    chat.say(SPAWNED)
    chat.programs.cli("attach", "T-001", "agent:main:subagent:1")

    chat.heartbeat(sessions=[], sessions_complete=True)

    task = chat.task("T-001")
    assert task["losses"] == 1


def test_broken_queue_file_is_told_once_and_left(chat: Chat) -> None:
    chat.say("show status")
    path = chat.programs.queues / "ollama-remote.json"
    path.write_text('{"version": "1.0",\n "tasks": [}', encoding="utf-8")

    first = chat.heartbeat()
    second = chat.heartbeat()

    assert f"{path} does not parse at line 2" in str(first["reply"])
    assert second["reply"] == "HEARTBEAT_OK"
    assert path.read_text(encoding="utf-8") == '{"version": "1.0",\n "tasks": [}'


def test_other_queues_go_on_beside_a_broken_one(chat: Chat) -> None:
    chat.say("show status")
    (chat.programs.queues / "ollama-remote.json").write_text("{", encoding="utf-8")

    chat.say("add task: count the files")

    assert chat.wait_for("T-001")["status"] == "done"
