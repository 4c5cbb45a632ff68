"""A line that a person copied in a queue file is a task of its own."""

from __future__ import annotations

import json

from chat import Chat
from hosting import seed_queue, seed_task
from waiting import eventually

UUID = "11111111-2222-4333-8444-555555555555"


def tasks_of(chat: Chat) -> list[dict[str, object]]:
    path = chat.programs.queues / "ollama-local.json"
    tasks = json.loads(path.read_text("utf-8"))["tasks"]
    assert isinstance(tasks, list)
    return tasks


def test_each_copy_of_a_line_runs_and_keeps_its_own_report(chat: Chat) -> None:
    copies = [
        seed_task("T-001", uuid=UUID, description=f"write the invoice of {name}")
        for name in ("Ann", "Bob")
    ]
    path = chat.programs.queues / "ollama-local.json"
    path.parent.mkdir()
    path.write_text(json.dumps(seed_queue("ollama-local", *copies)), encoding="utf-8")

    def are_done() -> bool:
        chat.heartbeat()
        return all(task["status"] == "done" for task in tasks_of(chat))

    eventually(are_done)

    tasks = tasks_of(chat)
    assert len({str(task["uuid"]) for task in tasks}) == 2
    assert len({str(task["result_path"]) for task in tasks}) == 2
    assert {task["attempt"] for task in tasks} == {1}
    assert len(list((chat.programs.queues / "sessions").iterdir())) == 2
