"""Fifty real messages, one slot per source, and nobody who looks after them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from chat import TOOLS, Chat
from hosting import MODELS, tasks_of
from model_queue.model import JsonObject
from programs import ROOT, Programs
from stamps import Stamp, command, stamps, write_session
from waiting import eventually

CORPUS = ROOT / "tests" / "data" / "intake-a.jsonl"
N_MESSAGES = 50


def messages() -> list[str]:
    """Return messages of the corpus that add tasks that can run by themselves.

    None that is asked back or holds a command, none for later, and none after a task of
    another message. The least plain ones come first.
    """
    lines = CORPUS.read_text(encoding="utf-8").splitlines()
    fitting = [
        label
        for label in map(json.loads, lines)
        if label["mode"] == "intake"
        and label["control"] is None
        and all(can_run_alone(task) for task in label["tasks"])
    ]
    fitting.sort(key=lambda label: min(map(likeness, label["tasks"])))
    return [str(label["message"]) for label in fitting[:N_MESSAGES]]


def likeness(task: Mapping[str, object]) -> int:
    """Return 0 to 3, 3 for a labelled task with defaults only that waits for nothing."""
    if task["priority"] != 0:
        return 0
    if task["queue"] != "ollama-remote":
        return 1
    return 2 if task["depends_on"] else 3


def can_run_alone(task: Mapping[str, object]) -> bool:
    """Tell whether a labelled task needs neither a time nor another message's task."""
    refs = task["depends_on"]
    assert isinstance(refs, list)
    is_now = task["ask"] is None and task["not_before"] is None
    return is_now and not any(isinstance(ref, str) for ref in refs)


@pytest.mark.slow
def test_50_messages_are_worked_off_in_order_one_at_a_time(tmp_path: Path) -> None:
    write_session(tmp_path)
    toml = "".join(
        f'[sources.{source}]\nlauncher = "command"\nmax_concurrent = 1\n'
        + command(tmp_path, source, seconds=0.05)
        for source in MODELS
    )
    programs = Programs(home=tmp_path, environment={"MODEL_QUEUE_WAKER": "on"})
    tools = TOOLS.replace("SOURCE=ollama-local", "SOURCE=ollama-remote")
    programs.configure(tools, toml)
    chat = Chat(programs)

    answers = [chat.say(message) for message in messages()]
    added = [str(task["id"]) for answer in answers for task in tasks_of(answer)]
    eventually(lambda: not open_ids(chat), within_s=120)

    chat.wait_for_sessions()
    assert [answer["mode"] for answer in answers] == ["intake"] * N_MESSAGES
    assert len(added) >= N_MESSAGES
    found = {str(task["id"]): task for task in stored(chat)}
    assert {task["status"] for task in found.values()} == {"done"}
    assert sorted(found) == sorted(added)
    starts = {source: started(stamps(tmp_path, source)) for source in MODELS}
    assert starts == in_claim_order(found, log_of(chat))
    assert min(map(len, starts.values())) > 1


def stored(chat: Chat) -> list[JsonObject]:
    """Return every task of every queue."""
    tasks = [chat.queue(source)["tasks"] for source in MODELS]
    return [
        task
        for each in tasks
        if isinstance(each, list)
        for task in each
        if isinstance(task, dict)
    ]


def open_ids(chat: Chat) -> list[str]:
    """Return the tasks that can still move."""
    still = {"pending", "waiting", "running", "paused", "blocked"}
    return [str(task["id"]) for task in stored(chat) if task["status"] in still]


def log_of(chat: Chat) -> list[JsonObject]:
    """Return the audit log, in the order in which it was committed."""
    path = chat.programs.queues / "events.jsonl"
    return list(map(json.loads, path.read_text(encoding="utf-8").splitlines()))


def started(found: Iterable[Stamp]) -> list[str]:
    """Return the ids in the order of their starts, after checking that none overlap."""
    words = [(stamp.word, stamp.task_id) for stamp in found]
    starts = [task_id for word, task_id in words if word == "start"]
    each_alone = [(word, each) for each in starts for word in ("start", "end")]
    assert words == each_alone
    return starts


def in_claim_order(
    tasks: Mapping[str, JsonObject], log: Iterable[JsonObject]
) -> dict[str, list[str]]:
    """Return the claims of each source, after checking that each was the next one.

    A task is ready when its message was committed, or its last dependency was settled.
    Of those, the one to claim has the highest priority, then the earliest ``added_at``,
    then the lowest number.
    """
    ready: set[str] = set()
    claims: dict[str, list[str]] = {source: [] for source in MODELS}
    for record in log:
        task_id = str(record.get("task_id"))
        if record["event"] == "intake":
            own = [i for i, task in tasks.items() if task["added_at"] == record["ts"]]
            assert own
            ready.update(i for i in own if tasks[i]["depends_on"] is None)
        elif record["event"] == "dependency_done":
            ready.add(task_id)
        elif record["event"] == "claim":
            source = str(record["queue"])
            line = [i for i in ready if tasks[i]["queue"] == source]
            assert task_id == min(line, key=lambda i: claim_key(tasks[i]))
            ready.remove(task_id)
            claims[source].append(task_id)
    return claims


def claim_key(task: JsonObject) -> tuple[int, str, int]:
    priority, number = task["priority"], str(task["id"])[2:]
    assert isinstance(priority, int)
    return -priority, str(task["added_at"]), int(number)
