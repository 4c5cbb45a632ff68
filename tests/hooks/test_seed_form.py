"""The files on disk: valid by the schemas, readable as the seed's, taken over from it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from chat import REPORT, TOOLS, Chat, validator
from hosting import MODELS, Host, seed_queue, seed_task
from model_queue.model import JsonObject, JsonValue
from waiting import eventually

pytestmark = pytest.mark.slow

SEED_TYPES: dict[str, tuple[type, ...]] = {
    "id": (str,),
    "queue": (str,),
    "model": (str,),
    "description": (str,),
    "goal": (str, type(None)),
    "status": (str,),
    "priority": (int,),
    "depends_on": (str, type(None)),
    "on_depends_fail": (str,),
    "context_input": (dict, type(None)),
    "result": (str, type(None)),
    "result_status": (str, type(None)),
    "result_summary": (str, type(None)),
    "retries": (int,),
    "maxRetries": (int,),
    "subagent_session": (str, type(None)),
    "added_at": (str,),
    "started_at": (str, type(None)),
    "completed_at": (str, type(None)),
}
"""The fields of the seed's "Task Object Schema" and what its steps put into them."""
SEED_FILE_TYPES: dict[str, tuple[type, ...]] = {
    "version": (str,),
    "source": (str,),
    "models": (list,),
    "maxConcurrent": (int,),
    "maxRetries": (int,),
    "lastId": (str, type(None)),
    "tasks": (list,),
}
"""The members of the seed's "Queue File Structure"."""


@dataclass(frozen=True)
class Lived:
    """A queue directory after a life with every kind of event."""

    host: Host

    @property
    def files(self) -> list[JsonObject]:
        return [read(path) for path in sorted(self.host.queues.glob("*.json"))]

    @property
    def tasks(self) -> list[JsonObject]:
        return [task for file in self.files for task in tasks_in(file)]


def read(path: Path) -> JsonObject:
    found = json.loads(path.read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found


def tasks_in(file: JsonObject) -> list[JsonObject]:
    tasks = file["tasks"]
    assert isinstance(tasks, list)
    return [task for task in tasks if isinstance(task, dict)]


def lines_of(path: Path) -> Iterable[JsonValue]:
    return map(json.loads, path.read_text(encoding="utf-8").splitlines())


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Lived:
    tools = TOOLS + "MODEL_QUEUE_MAX_RETRIES=0\n"
    host = Host.open(tmp_path_factory.mktemp("lived"), tools=tools)
    host.say("1. use qwen2.5: count the rows\n2. then use nvidia: write a report")
    host.chat.checkpoint(task_id="T-001", percent_complete=40, last_action="counted")
    host.end("T-001", result="All.\n\nStatus: partial", usage={"cost_usd": 0.2})
    host.say("urgent: draw a chart, so that the board sees the trend; max $2")
    host.end("T-002", "blocked", error="which format?")
    host.end("T-003", "failed", error="no rows found")
    host.say("in 2 hours, write a poem, depends on T-003, skip it if that fails")
    host.say("用远程模型写一首诗")
    host.say("cancel T-005")
    host.say("pause ollama-remote")
    host.say("add task: sing")
    host.say("pause T-006")
    return Lived(host)


def test_life_has_led_to_every_lasting_kind_of_task(lived: Lived) -> None:
    found = {str(task["id"]): task["status"] for task in lived.tasks}

    assert found == {
        "T-001": "done",
        "T-002": "blocked",
        "T-003": "failed",
        "T-004": "skipped",
        "T-005": "cancelled",
        "T-006": "paused",
    }


def test_queue_files_validate(lived: Lived) -> None:
    for file in lived.files:
        validator("queue-file.schema.json").validate(file)


def test_tasks_validate(lived: Lived) -> None:
    for task in lived.tasks:
        validator("task.schema.json").validate(task)


def test_event_log_lines_validate(lived: Lived) -> None:
    lines = list(lines_of(lived.host.queues / "events.jsonl"))

    assert len(lines) > 15
    for line in lines:
        validator("event.schema.json").validate(line)


def test_checkpoints_validate(lived: Lived) -> None:
    (path,) = (lived.host.queues / "checkpoints").iterdir()

    validator("checkpoint.schema.json").validate(read(path))


def test_each_task_stands_on_one_line(lived: Lived) -> None:
    for path in lived.host.queues.glob("*.json"):
        lines = path.read_text(encoding="utf-8").splitlines()
        found = [json.loads(line.rstrip(",")) for line in lines if '{"id": ' in line]
        assert found == tasks_in(read(path))


def test_reader_of_the_seeds_form_can_read_every_task(lived: Lived) -> None:
    for task in lived.tasks:
        assert list(task)[: len(SEED_TYPES)] == list(SEED_TYPES)
        for name, types in SEED_TYPES.items():
            assert type(task[name]) in types, f"{task['id']}.{name}"


def test_reader_of_the_seeds_form_can_read_every_file(lived: Lived) -> None:
    for file in lived.files:
        assert [name for name in file if name != "paused"] == list(SEED_FILE_TYPES)
        for name, types in SEED_FILE_TYPES.items():
            assert type(file[name]) in types, f"{file['source']}.{name}"
        assert file["version"] == "1.0"
        assert file["models"] == MODELS[str(file["source"])]


def test_reader_of_the_seeds_form_can_count_on_from_the_last_ids(lived: Lived) -> None:
    last = {str(file["source"]): str(file["lastId"]) for file in lived.files}

    assert last == {
        "ollama-local": "T-006",
        "ollama-remote": "T-005",
        "cloud-nvidia": "T-002",
    }
    assert [int(task_id.split("-")[1]) for task_id in last.values()]


UNKNOWN: JsonObject = {"labels": ["q1", None], "x-board": {"column": 3, "wip": 1.5}}
"""What another tool wrote into a task."""


@pytest.fixture
def taken_over(tmp_path: Path) -> Host:
    """A directory that the seed's skill left behind, in exactly its form."""
    toml = "".join(
        f'[sources.{source}]\nlauncher = "command"\nlease_s = 1\n'
        f'command = ["sh", "-c", {json.dumps(REPORT)}]\n'
        for source in MODELS
    )
    # What ended in March is to stay in its queue.
    tools = f"{TOOLS}MODEL_QUEUE_ARCHIVE_DAYS=36500\n"
    host = Host.open(tmp_path, tools=tools, toml=toml)
    done = seed_task(
        "T-002",
        status="done",
        result="Up by 4%.",
        result_status="success",
        result_summary="Up by 4%.",
        started_at="2026-03-04T16:10:00Z",
        completed_at="2026-03-04T16:20:00Z",
        subagent_session="agent:main:subagent:7",
    )
    running = seed_task(
        "T-003",
        status="running",
        started_at="2026-03-04T16:30:00Z",
        subagent_session="agent:main:subagent:8",
    )
    host.put(
        "ollama-local",
        done | UNKNOWN,
        running | UNKNOWN,
        seed_task("T-004", goal="Know where we stand") | UNKNOWN,
        seed_task("T-005", status="waiting", depends_on="T-006") | UNKNOWN,
        owner="me",
    )
    host.put(
        "ollama-remote",
        seed_task("T-006", status="waiting", depends_on="T-002") | UNKNOWN,
        seed_task("T-007", status="waiting", depends_on="T-001") | UNKNOWN,
    )
    host.put("cloud-nvidia", seed_task("T-008", priority=3) | UNKNOWN)
    archived = host.queues / "archive" / "ollama-local" / "2026-03.json"
    archived.parent.mkdir(parents=True)
    old = seed_task("T-001", status="done", result_summary="Old, but good.")
    archived.write_text(json.dumps(seed_queue("ollama-local", old)), encoding="utf-8")
    return host


def work_off(host: Host, task_ids: Sequence[str]) -> None:
    """Let the timer ring until tasks are done.

    The session that ran in the host's hands has a lease's time to be heard of.
    """

    def are_done() -> bool:
        host.chat.heartbeat()
        return host.statuses(*task_ids) == ["done"] * len(task_ids)

    eventually(are_done)


def test_directory_in_the_seeds_form_is_taken_over_and_worked_off(
    taken_over: Host,
) -> None:
    chat, before = taken_over.chat, taken_over.task("T-002")
    work = [f"T-00{number}" for number in range(3, 9)]

    first = chat.heartbeat()
    work_off(taken_over, work)

    chat.wait_for_sessions()
    assert "initialized" not in str(first["reply"])
    for task_id in work:
        task = chat.task(task_id)
        assert task["result_summary"] == f"done with {task_id}"
        assert {name: task[name] for name in UNKNOWN} == UNKNOWN
    assert chat.queue()["owner"] == "me"
    uuid = {"uuid": chat.task("T-002")["uuid"]}
    assert chat.task("T-002") == before | uuid


def test_tasks_that_were_taken_over_hand_their_results_on(taken_over: Host) -> None:
    chat = taken_over.chat
    dependents = ("T-005", "T-006", "T-007")

    work_off(taken_over, dependents)
    handed = {task_id: chat.task(task_id)["context_input"] for task_id in dependents}

    chat.wait_for_sessions()
    summaries = {
        task_id: context["result_summary"]
        for task_id, context in handed.items()
        if isinstance(context, dict)
    }
    assert summaries == {
        "T-005": "done with T-006",
        "T-006": "Up by 4%.",
        "T-007": "Old, but good.",
    }


def test_new_task_counts_on_from_what_was_taken_over(taken_over: Host) -> None:
    answer = Chat(taken_over.chat.programs).say("add task: write a poem")

    taken_over.chat.wait_for_sessions()
    assert "📋 Added T-009 to queue [ollama-local]" in str(answer["reply"])
