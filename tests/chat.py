"""A chat with the queue through the real executables, for tests of any folder."""

from __future__ import annotations

import fcntl
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import jsonschema
from referencing.jsonschema import DRAFT202012, EMPTY_REGISTRY, SchemaResource

from model_queue.atomic import locked
from model_queue.model import JsonObject
from programs import ROOT, Programs, Ran
from waiting import eventually

SCHEMAS = ROOT / "schemas"
TOOLS = """\
MODEL_SOURCE_OLLAMA_LOCAL=ollama/llama3,ollama/qwen2.5,ollama/mistral
MODEL_SOURCE_OLLAMA_REMOTE=ollama-remote/qwen3.5:27b,ollama-remote/llama3:70b
MODEL_SOURCE_CLOUD_NVIDIA=nvidia/z-ai/glm5,nvidia/llama3
DEFAULT_MODEL_SOURCE=ollama-local
"""
"""The sources of seed 003."""
REPORT = "cat >/dev/null; printf 'All of it.\\n\\nSummary: done with {task_id}\\n'"
TOML = f"""\
[sources.ollama-local]
launcher = "command"
command = ["sh", "-c", {json.dumps(REPORT)}]
[sources.ollama-remote]
launcher = "command"
command = ["sh", "-c", {json.dumps(REPORT)}]
[sources.cloud-nvidia]
launcher = "host"
"""
"""Two sources whose sessions report at once, and one that the host has to start."""


@cache
def validator(name: str) -> jsonschema.Draft202012Validator:
    """Return the validator of a schema, by its path below ``schemas/``."""
    found: list[tuple[str, SchemaResource]] = []
    for path in SCHEMAS.rglob("*.schema.json"):
        schema = json.loads(path.read_text(encoding="utf-8"))
        found.append((schema["$id"], DRAFT202012.create_resource(schema)))
    schema = json.loads((SCHEMAS / name).read_text(encoding="utf-8"))
    registry = EMPTY_REGISTRY.with_resources(found)
    return jsonschema.Draft202012Validator(schema, registry=registry)


@dataclass(frozen=True)
class Chat:
    """One queue directory and the chat that talks to it.

    Every answer is checked on the way: one JSON object on one line that its schema
    allows, and nothing on stderr when the call was handled.
    """

    programs: Programs

    @classmethod
    def open(cls, home: Path, *, tools: str = TOOLS, toml: str = TOML) -> Chat:
        """Return a chat whose configuration and queues lie in ``home``."""
        programs = Programs(home=home)
        programs.configure(tools, toml)
        return cls(programs)

    def call(self, hook: str, payload: Mapping[str, object]) -> JsonObject:
        """Call a hook with one JSON object; return its answer."""
        return answer_of(hook, self.programs.hook(hook, **payload))

    def say(self, message: str, **fields: object) -> JsonObject:
        """Type a message."""
        return self.call("on-intake", {"message": message, **fields})

    def heartbeat(self, **fields: object) -> JsonObject:
        """Let the host's timer ring."""
        return self.call("on-heartbeat", fields)

    def exit(self, label: str, status: str = "done", **fields: object) -> JsonObject:
        """Tell that a session has ended."""
        payload = {"label": label, "status": status, **fields}
        return self.call("on-subagent-exit", payload)

    def checkpoint(self, **fields: object) -> JsonObject:
        """Tell the progress of a session."""
        return self.call("on-checkpoint", fields)

    def queue(self, source: str = "ollama-local") -> JsonObject:
        """Return what a queue's file holds."""
        return next(self._files(f"{source}.json"))

    def task(self, task_id: str) -> JsonObject:
        """Return a task as it is stored."""
        for queue in self._files("*.json"):
            tasks = queue["tasks"]
            assert isinstance(tasks, list)
            for task in tasks:
                if isinstance(task, dict) and task["id"] == task_id:
                    return task
        message = f"no {task_id}"
        raise AssertionError(message)

    def _files(self, pattern: str) -> Iterator[JsonObject]:
        """Yield what queue files hold, between two commits."""
        lock = self.programs.queues / ".state" / "lock"
        with locked(str(lock), timeout_s=10, shared=True):
            for path in sorted(self.programs.queues.glob(pattern)):
                found = json.loads(path.read_text(encoding="utf-8"))
                assert isinstance(found, dict)
                yield found

    def wait_for(self, task_id: str, status: str = "done") -> JsonObject:
        """Return a task once it has a status."""
        eventually(lambda: self.task(task_id)["status"] == status)
        return self.task(task_id)

    def wait_for_sessions(self) -> None:
        """Return when every supervisor that was started is gone.

        One that ends a task starts the next one before it goes.
        """
        sessions = self.programs.queues / "sessions"
        eventually(lambda: all(map(_is_free, sessions.glob("*/lock"))))


def _is_free(lock: Path) -> bool:
    with lock.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def answer_of(hook: str, ran: Ran) -> JsonObject:
    """Return the answer of a hook that was handled, after checking its form."""
    assert (ran.code, ran.err) == (0, ""), ran
    return checked(hook, ran)


def error_of(hook: str, ran: Ran) -> JsonObject:
    """Return the error of a hook that was not handled, after checking its form."""
    assert ran.code not in {0, 2}, ran
    assert "Traceback" not in ran.err
    error = checked(hook, ran)["error"]
    assert isinstance(error, dict)
    return error


def checked(hook: str, ran: Ran) -> JsonObject:
    """Return the one JSON object that a hook printed, valid by its schema."""
    assert ran.out.count("\n") == 1, ran
    validator(f"hooks/{hook}.output.schema.json").validate(ran.json)
    return ran.json
