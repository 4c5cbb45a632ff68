"""An agent runtime of the tests' own: it starts what the hooks ask for, and sets the time.

Its sessions are no processes; the test says how each ends.
"""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import dataclass, field
from pathlib import Path

from chat import TOOLS, Chat
from fakes import START
from model_queue.fields import format_time
from model_queue.model import JsonObject, JsonValue

MODELS: dict[str, list[JsonValue]] = {
    "ollama-local": ["ollama/llama3", "ollama/qwen2.5", "ollama/mistral"],
    "ollama-remote": ["ollama-remote/qwen3.5:27b", "ollama-remote/llama3:70b"],
    "cloud-nvidia": ["nvidia/z-ai/glm5", "nvidia/llama3"],
}
TOML = "".join(
    f'[sources.{source}]\nlauncher = "host"\nbackoff_s = [0]\n' for source in MODELS
)
"""Every source is the host's, and a retry is due at once."""


def seed_task(task_id: str, **fields: JsonValue) -> JsonObject:
    """Return a task in exactly the seed's form; a test names only what matters to it."""
    task: JsonObject = {
        "id": task_id,
        "queue": "ollama-local",
        "model": "ollama/qwen2.5",
        "description": "Analyze the sales data",
        "goal": None,
        "status": "pending",
        "priority": 0,
        "depends_on": None,
        "on_depends_fail": "block",
        "context_input": None,
        "result": None,
        "result_status": None,
        "result_summary": None,
        "retries": 0,
        "maxRetries": 3,
        "subagent_session": None,
        "added_at": "2026-03-04T16:00:00Z",
        "started_at": None,
        "completed_at": None,
    }
    return task | fields


def seed_queue(source: str, *tasks: JsonObject, **fields: JsonValue) -> JsonObject:
    """Return a queue file in exactly the seed's form."""
    queue: JsonObject = {
        "version": "1.0",
        "source": source,
        "models": MODELS[source],
        "maxConcurrent": 1,
        "maxRetries": 3,
        "lastId": max((str(task["id"]) for task in tasks), default=None),
        "tasks": list(tasks),
    }
    return queue | fields


@dataclass
class Host:
    """The runtime, with one queue directory."""

    chat: Chat
    now: dt.datetime = START
    """Moves only when told."""
    spawned: dict[str, JsonObject] = field(default_factory=dict[str, JsonObject])
    """The latest spawn of each task."""

    @classmethod
    def open(cls, home: Path, *, tools: str = TOOLS, toml: str = TOML) -> Host:
        """Return a host whose queue directory does not exist yet."""
        return cls(Chat.open(home, tools=tools, toml=toml))

    @property
    def queues(self) -> Path:
        return self.chat.programs.queues

    def put(self, source: str, *tasks: JsonObject, **fields: JsonValue) -> None:
        """Write a queue file, as someone else's program left it."""
        self.queues.mkdir(mode=0o700, exist_ok=True)
        for task in tasks:
            task["queue"] = source
        text = json.dumps(seed_queue(source, *tasks, **fields), indent=2)
        (self.queues / f"{source}.json").write_text(text, encoding="utf-8")

    def wait(self, seconds: float) -> None:
        self.now += dt.timedelta(seconds=seconds)

    def say(self, message: str, **fields: object) -> JsonObject:
        """Type a message."""
        return self._call("on-intake", message=message, **fields)

    def beat(self, **fields: object) -> JsonObject:
        """Let the timer ring."""
        return self._call("on-heartbeat", **fields)

    def end(self, task_id: str, status: str = "done", **fields: object) -> JsonObject:
        """Tell how the latest session of a task ended."""
        label = self.spawned[task_id]["label"]
        return self._call("on-subagent-exit", label=label, status=status, **fields)

    def task(self, task_id: str) -> JsonObject:
        """Return a task as it is stored."""
        return self.chat.task(task_id)

    def statuses(self, *task_ids: str) -> list[JsonValue]:
        """Return the stored status of each task."""
        return [self.task(task_id)["status"] for task_id in task_ids]

    def _call(self, hook: str, **fields: object) -> JsonObject:
        answer = self.chat.call(hook, {"now": format_time(self.now), **fields})
        for action in actions(answer, "spawn"):
            self.spawned[str(action["task_id"])] = action
        return answer


def actions(answer: JsonObject, kind: str) -> list[JsonObject]:
    """Return the actions of one type in an answer."""
    found = answer["actions"]
    assert isinstance(found, list)
    return [each for each in found if isinstance(each, dict) and each["type"] == kind]


def tasks_of(answer: JsonObject) -> list[JsonObject]:
    """Return the tasks that an intake added."""
    found = answer["tasks"]
    assert isinstance(found, list)
    return [each for each in found if isinstance(each, dict)]
