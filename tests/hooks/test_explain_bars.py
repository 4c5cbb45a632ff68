"""Each thing that can keep a task: told truly, then lifted as told, and the task runs.

Real hooks, command line and files; the sessions are a host's, so that the test says how
each ends.
"""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path

import pytest

from chat import Chat, validator
from hosting import Host
from model_queue.fields import format_time, parse_time
from model_queue.model import JsonObject
from model_queue.ports import SystemClock
from programs import InProcess, Programs

pytestmark = pytest.mark.slow


@pytest.fixture
def host(tmp_path: Path) -> Host:
    """A host that lives by the same clock as the command line, a function here."""
    Host.open(tmp_path)
    host = Host(Chat(InProcess(home=tmp_path)))
    host.now = SystemClock().now().replace(microsecond=0)
    return host


def explained(host: Host, task_id: str) -> JsonObject:
    """Ask the command line; its answer is valid by its schema."""
    ran = host.chat.programs.cli("explain", task_id, "--json")
    assert (ran.code, ran.err) == (0, ""), ran
    validator("commands/explain.schema.json").validate(ran.json)
    return ran.json


def reasons(host: Host, task_id: str) -> list[tuple[object, object, object]]:
    """Code, reference and end of each reason, in order."""
    found = explained(host, task_id)["reasons"]
    assert isinstance(found, list)
    rows = [each for each in found if isinstance(each, dict)]
    return [(each["code"], each["ref"], each["until"]) for each in rows]


def why(host: Host, task_id: str) -> str:
    """Ask in chat."""
    return str(host.say(f"why is {task_id} not running?")["reply"])


def told_in(text: str) -> list[str]:
    """Return what a person is told to say, in order."""
    return re.findall(r'"([^"]+)"', text)


def test_running_task_of_another_queue(host: Host) -> None:
    host.say("use qwen3.5:27b to collect the data, then use qwen2.5 to chart it")

    said = why(host, "T-002")

    assert reasons(host, "T-002") == [("dependency_open", "T-001", None)]
    assert (
        "• T-002 depends on T-001, which is running (started 0s ago); "
        "it goes on once that is done"
    ) in said
    host.end("T-001", result="All of it.")
    assert host.statuses("T-001", "T-002") == ["done", "running"]


def test_task_that_failed_two_steps_up(host: Host) -> None:
    host.say("use qwen2.5 to collect the data, then chart it, then describe the chart")
    host.end("T-001", "failed", error="401 Unauthorized")

    said = why(host, "T-003")

    assert reasons(host, "T-003") == [
        ("dependency_failed", "T-001", None),
        ("dependency_failed", "T-002", None),
    ]
    assert told_in(said) == ["retry T-001", "unblock T-002", "unblock T-003"]
    assert (
        "• T-002 depends on T-001, which failed after 1 attempt: the session failed: 401"
        in said
    )
    assert "• T-003 depends on T-002, which is blocked by that" in said
    host.say("retry T-001")
    for task_id in ("T-001", "T-002"):
        host.end(task_id, result="All of it.")
    assert host.statuses("T-001", "T-002", "T-003") == ["done", "done", "running"]


def test_paused_queue(host: Host) -> None:
    host.say("use glm5 to translate the page")
    host.say("pause ollama-local")
    host.say("use qwen2.5 to count the files")

    said = why(host, "T-002")

    assert reasons(host, "T-002") == [("queue_paused", "ollama-local", None)]
    assert "• Queue [ollama-local] was paused by you 0s ago; to go on:" in said
    assert told_in(said) == ["resume ollama-local"]
    host.say("resume ollama-local")
    assert host.statuses("T-002") == ["running"]


def test_usage_limit_of_the_source(host: Host) -> None:
    host.say("use qwen2.5 to count the files")
    host.end(
        "T-001", "failed", error="You've hit your usage limit. Try again in 3 hours"
    )

    said = why(host, "T-001")

    [(code, ref, until)] = reasons(host, "T-001")
    assert (code, ref) == ("rate_limited", "ollama-local")
    assert parse_time(str(until)) == host.now + dt.timedelta(hours=3)
    assert "• Queue [ollama-local] has reached its usage limit; it goes on by" in said
    assert "(in 3h); to try before that:" in said
    assert told_in(said) == ["resume ollama-local"]
    host.say("resume ollama-local")
    assert host.statuses("T-001") == ["running"]


def test_rate_limit_of_one_task(host: Host) -> None:
    host.say("use qwen2.5 to count the files")
    host.end("T-001", "failed", error="429 Too Many Requests, retry-after: 600")

    said = why(host, "T-001")

    until = host.now + dt.timedelta(minutes=10)
    assert reasons(host, "T-001") == [("rate_limited", "T-001", format_time(until))]
    assert "• T-001 met a rate limit (the session failed: 429 Too Many Requests" in said
    host.now = until
    host.beat()
    assert host.statuses("T-001") == ["running"]


def test_others_in_line(host: Host) -> None:
    for what in ("files", "lines", "words"):
        host.say(f"use qwen2.5 to count the {what}")

    said = why(host, "T-003")

    assert reasons(host, "T-003") == [
        ("no_slot", "ollama-local", None),
        ("behind", "T-002", None),
    ]
    assert "its only one is taken by T-001 (running, started 0s ago)" in said
    assert "• T-003 is 2nd in line, behind T-002; to let it go first:" in said
    assert told_in(said) == ["cancel T-001", "priority T-003 1"]
    host.say("priority T-003 1")
    assert reasons(host, "T-003") == [("no_slot", "ollama-local", None)]
    host.end("T-001", result="All of it.")
    assert host.statuses("T-002", "T-003") == ["pending", "running"]


def test_time_that_has_not_come(host: Host) -> None:
    host.say("use qwen2.5 to count the files in 2 hours")

    said = why(host, "T-001")

    until = host.now + dt.timedelta(hours=2)
    assert reasons(host, "T-001") == [("not_due", "T-001", format_time(until))]
    assert "• T-001 is not to start before" in said
    assert "(in 2h); it starts by itself then" in said
    host.now = until
    host.beat()
    assert host.statuses("T-001") == ["running"]


def test_slot_of_a_cancelled_session_that_still_ends(host: Host) -> None:
    for what in ("files", "lines"):
        host.say(f"use qwen2.5 to count the {what}")
    host.say("cancel T-001")

    said = why(host, "T-002")

    assert reasons(host, "T-002") == [
        ("stopping", "T-001", None),
        ("no_slot", "ollama-local", None),
    ]
    assert "• T-001 was told to stop 0s ago, and the agent runtime has not said" in said
    assert "to tell it: the `on-subagent-exit` hook" in said
    assert "its only one is taken by T-001 (stopping)" in said
    host.end("T-001", "cancelled")
    assert host.statuses("T-001", "T-002") == ["cancelled", "running"]


def test_queue_file_that_is_broken(host: Host) -> None:
    cli = host.chat.programs.cli
    for what in ("files", "lines"):
        # Who reads the actions is greeted here, not the chat later.
        added = cli("intake", f"use qwen2.5 to count the {what}", "--json")
        assert added.code == 0
    (host.queues / "ollama-local.json").write_text("garbage")

    said = why(host, "T-001")

    assert reasons(host, "T-001") == [("queue_broken", "ollama-local", None)]
    assert explained(host, "T-001")["task"] is None
    assert said.startswith("T-001 cannot be read, since its queue stands still:\n")
    assert "ollama-local.json does not parse at line 1, column 1" in said
    command = re.search(r"`model-queue (doctor --restore [^`]+)`", said)
    assert command is not None
    assert cli(*command[1].split()).code == 0
    host.beat()
    assert host.statuses("T-001") == ["running"]


def test_task_that_only_its_host_may_start(host: Host) -> None:
    cli = Programs(home=host.chat.programs.home).cli
    cli("intake", "use glm5 to translate the page")

    said = cli("explain", "T-001").out

    assert reasons(host, "T-001") == [("host_only", "cloud-nvidia", None)]
    assert "• Only the agent runtime starts sessions of [cloud-nvidia]" in said
    assert "or with `model-queue tick --actions`" in said
    assert cli("tick", "--actions").code == 0
    assert host.statuses("T-001") == ["running"]


def test_parent_in_a_queue_that_stands_still(host: Host) -> None:
    host.say("use qwen3.5:27b to collect the data, then use qwen2.5 to chart it")
    (host.queues / "ollama-remote.json").write_text("garbage")

    assert reasons(host, "T-002") == [
        ("queue_broken", "ollama-remote", None),
        ("dependency_open", "T-001", None),
    ]
    assert "`model-queue doctor --restore ollama-remote`" in why(host, "T-002")
