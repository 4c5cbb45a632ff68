"""Public reports of limits that did not hold, and of one task that takes all down."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from chat import TOOLS, Chat
from cores import a_core, add, tick
from fake_openai import FakeOpenAI, Reply, Request
from fakes import a_task
from hosting import Host, seed_task
from model_queue.core import Core
from model_queue.model import Status
from model_queue.store import Query
from programs import ROOT
from stamps import Stamp, command, stamps, write_session

LOCAL = "ollama-local"


def running(core: Core) -> dict[str, int]:
    tasks = core.store.select(Query(statuses=(Status.RUNNING,)))
    queues = [task.queue for task in tasks]
    return {queue: queues.count(queue) for queue in queues}


def most_at_once(found: Iterable[Stamp]) -> int:
    """Return how many sessions were alive at the same time, by their own log."""
    now, most = 0, 0
    for stamp in sorted(found, key=lambda stamp: stamp.ns):
        now += 1 if stamp.word == "start" else -1
        most = max(most, now)
    return most


class Counting(FakeOpenAI):
    """A server without a limit of its own, which counts the requests it serves at once."""

    def __init__(self) -> None:
        super().__init__()
        self.most = 0
        self._now = 0
        self._lock = threading.Lock()

    def take(self, request: Request) -> Reply:
        with self._lock:
            self._now += 1
            self.most = max(self.most, self._now)
        self.is_closing.wait(0.2)
        with self._lock:
            self._now -= 1
        return super().take(request)


def test_each_queue_has_a_limit_of_its_own(tmp_path: Path) -> None:
    """B134, openclaw/openclaw#8061: one limit for all, but a local model needs 1."""
    core = a_core(tmp_path, cloud_nvidia={"max_concurrent": 4})
    for queue in (LOCAL, "cloud-nvidia"):
        add(core, *(replace(a_task(""), queue=queue) for _ in range(6)))

    for _ in range(3):
        tick(core)

    assert running(core) == {LOCAL: 1, "cloud-nvidia": 4}


@pytest.mark.slow
def test_limit_in_the_queue_file_is_the_queues_own(host: Host) -> None:
    """B134, openclaw/openclaw#8061: it can be set where the queue is, without the TOML."""
    tasks = [seed_task(f"T-00{n}") for n in range(1, 6)]
    host.put("cloud-nvidia", *tasks[:4], maxConcurrent=3)
    host.put(LOCAL, tasks[4])

    host.beat()

    words = ["running"] * 3 + ["pending", "running"]
    assert host.statuses(*(f"T-00{n}" for n in range(1, 6))) == words


@pytest.mark.slow
def test_eight_launches_at_once_take_five_slots(tmp_path: Path) -> None:
    """B135, openclaw/openclaw#118201: several launches at once all passed the check."""
    write_session(tmp_path)
    toml = f'[sources.{LOCAL}]\nlauncher = "command"\nmax_concurrent = 5\n'
    toml += command(tmp_path, LOCAL, seconds=0.5)
    chat = Chat.open(tmp_path, toml=toml)
    payloads = [
        json.dumps({"message": f"add task: use qwen2.5 to read chapter {n}"})
        for n in range(8)
    ]

    callers = [
        subprocess.Popen(
            [str(ROOT / "hooks" / "on-intake")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=tmp_path,
            env=chat.programs.surroundings(),
        )
        for _ in payloads
    ]
    for caller, payload in zip(callers, payloads, strict=True):
        assert caller.stdin is not None
        caller.stdin.write(payload.encode())
        caller.stdin.close()
    for caller in callers:
        assert caller.stdout is not None
        assert json.loads(caller.stdout.read())["ok"] is True
        caller.stdout.close()
        caller.wait(timeout=20)

    for n in range(1, 9):
        chat.wait_for(f"T-00{n}")
    chat.wait_for_sessions()
    found = stamps(tmp_path, LOCAL)
    assert len(found) == 16
    assert 2 <= most_at_once(found) <= 5


@pytest.mark.slow
def test_limit_holds_by_itself_where_the_server_has_none(tmp_path: Path) -> None:
    """B141, ollama/ollama#7758: the server's queue limit did not apply to a loaded model."""
    with Counting() as server:
        toml = f'[sources.{LOCAL}]\nlauncher = "openai"\nmax_concurrent = 2\n'
        toml += f'endpoint = "{server.endpoint}"\n'
        chat = Chat.open(tmp_path, toml=toml)

        for n in range(6):
            chat.say(f"add task: use qwen2.5 to read chapter {n}")
        for n in range(1, 7):
            chat.wait_for(f"T-00{n}")

        chat.wait_for_sessions()
    assert len(server.requests) == 6
    assert server.most <= 2


@pytest.mark.slow
def test_task_that_kills_its_worker_each_time_is_given_up(tmp_path: Path) -> None:
    """B034, digitalmethodsinitiative/4cat#602: released crashed jobs made a crash loop."""
    poison = json.dumps(["sh", "-c", "kill -9 $PPID"])
    toml = f'[sources.{LOCAL}]\nlauncher = "command"\ncommand = {poison}\n'
    chat = Chat.open(tmp_path, tools=TOOLS, toml=toml)
    chat.say("add task: use qwen2.5 to read the table")

    replies: list[str] = []
    for _ in range(8):
        chat.wait_for_sessions()
        replies.append(str(chat.heartbeat()["reply"]))

    task = chat.task("T-001")
    assert (task["status"], task["failure_reason"]) == ("failed", "lost")
    assert (task["attempt"], task["losses"], task["retries"]) == (5, 5, 0)
    said = [reply for reply in replies if "❌ T-001 failed" in reply]
    assert len(said) == 1
    assert "5 lost sessions" in said[0]
