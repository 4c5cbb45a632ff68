"""Public reports of results that were none, and of failures that were none."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from chat import Chat
from cores import a_core, add, end, get, tick
from fakes import START, a_task
from model_queue import adding, submit
from model_queue.core import Core
from model_queue.model import JsonObject, Outcome, Status, Task
from model_queue.store import Draft
from stamps import command, stamps, write_session

CLAIM = Outcome(
    result_status="success",
    result="I wrote the whole analysis to report.md.\n\nStatus: success",
    summary="wrote report.md",
    spent={"tool_calls": {"all": 0}, "wall_clock_s": 1.8},
)
LATER = START.replace(hour=18)


def draft(**fields: object) -> Task:
    return replace(a_task(""), **fields)  # type: ignore[arg-type] # fields are the test's


def a_pair(tmp_path: Path, check: JsonObject) -> Core:
    """A task with a check, and one that depends on it."""
    core = a_core(tmp_path)
    first = draft(accept=(check,), cwd=str(tmp_path))
    second = Draft(task=draft(status=Status.WAITING), after=(0,))
    add(core, first, second)
    tick(core)
    return core


@pytest.fixture
def answering(tmp_path: Path) -> Chat:
    """A source whose session has written its report, which its queue never heard of."""
    tools = tmp_path / "TOOLS.md"
    breaks = f"cat >/dev/null; echo MODEL_QUEUE_MAX_RETRIES=no >> {tools}; "
    argv = ["sh", "-c", breaks + "printf 'All 42 rows.\\n\\nSummary: read it'"]
    toml = (
        f'[sources.ollama-local]\nlauncher = "command"\ncommand = {json.dumps(argv)}\n'
    )
    chat = Chat.open(tmp_path, toml=toml)
    whole = tools.read_text(encoding="utf-8")
    chat.say("add task: use qwen2.5 to read the table")
    chat.wait_for_sessions()
    tools.write_text(whole, encoding="utf-8")
    return chat


@pytest.mark.slow
@pytest.mark.parametrize("said", ["timeout", "failed", "lost"])
def test_end_record_of_the_session_outranks_what_is_announced(
    answering: Chat, said: str
) -> None:
    """B009, openclaw/openclaw#75785: it ended well, and a time-out was announced."""
    claim = answering.task("T-001")["claim"]
    assert isinstance(claim, dict)

    answering.exit(str(claim["label"]), said, result="stub")

    task = answering.task("T-001")
    assert (task["status"], task["result_status"]) == ("done", "success")
    assert "All 42 rows." in str(task["result"])


@pytest.mark.slow
@pytest.mark.parametrize("said", ["timeout", "lost", "done"])
def test_session_that_is_seen_to_run_has_not_ended_whatever_is_announced(
    tmp_path: Path, said: str
) -> None:
    """B009, openclaw/openclaw#75785: fetch the real end before deciding."""
    write_session(tmp_path)
    toml = '[sources.ollama-local]\nlauncher = "command"\nbackoff_s = [0]\n'
    toml += command(tmp_path, "ollama-local", seconds=1)
    chat = Chat.open(tmp_path, toml=toml)
    chat.say("add task: use qwen2.5 to read the table")
    claim = chat.task("T-001")["claim"]
    assert isinstance(claim, dict)

    answer = chat.exit(str(claim["label"]), said, result="stub")

    assert answer["dispatched"] == []
    assert chat.wait_for("T-001")["attempt"] == 1
    chat.wait_for_sessions()
    assert "All of it." in str(chat.task("T-001")["result"])
    assert [stamp.word for stamp in stamps(tmp_path, "ollama-local")] == [
        "start",
        "end",
    ]


def test_claimed_result_file_that_does_not_exist_is_no_result(tmp_path: Path) -> None:
    """B012, deftai/directive#3979: 1.8 s, no tool call, no file, recorded as a success."""
    core = a_pair(tmp_path, {"file": "report.md"})

    end(core, "T-001", CLAIM)
    tick(core)

    task = get(core, "T-001")
    assert (task.status, task.retries) == (Status.PENDING, 1)
    assert f"the file {tmp_path}/report.md is missing" in str(task.error_message)
    assert get(core, "T-002").status is Status.WAITING


def test_claimed_result_that_never_comes_fails_for_good(tmp_path: Path) -> None:
    """B012, deftai/directive#3979: a worker that only claims does not go on for ever."""
    core = a_pair(tmp_path, {"file": "report.md"})
    for _ in range(3):
        end(core, "T-001", CLAIM)
        tick(core, LATER)

    end(core, "T-001", CLAIM)
    tick(core, LATER)

    assert get(core, "T-001").status is Status.FAILED
    assert get(core, "T-002").status is Status.BLOCKED


@pytest.mark.parametrize("content", [None, ""], ids=["missing", "empty"])
def test_dependents_wait_for_the_required_file(
    tmp_path: Path, content: str | None
) -> None:
    """B013, stablyai/orca#14135: dependents ran on a required file of 0 bytes."""
    core = a_pair(tmp_path, {"file": "report.md"})
    if content is not None:
        (tmp_path / "report.md").write_text(content)

    end(core, "T-001", CLAIM)
    tick(core)
    too_early = get(core, "T-002").status
    (tmp_path / "report.md").write_text("Six percent more.")
    tick(core, LATER)
    end(core, "T-001", CLAIM, LATER)
    tick(core, LATER)

    assert too_early is Status.WAITING
    assert get(core, "T-001").status is Status.DONE
    assert get(core, "T-002").status is Status.RUNNING


def test_work_is_verified_by_the_queue_and_not_by_the_worker(tmp_path: Path) -> None:
    """B014, NousResearch/hermes-agent#25288: done, said the agent; no cron job existed."""
    crontab = tmp_path / "crontab"
    crontab.write_text("")
    verify = ["grep", "-q", "backup", str(crontab)]
    core = a_pair(tmp_path, {"command": list(verify)})

    end(core, "T-001", replace(CLAIM, result="The cron job exists. Status: success"))
    refused = get(core, "T-001")
    crontab.write_text("0 3 * * * backup\n")
    tick(core, LATER)
    end(core, "T-001", CLAIM, LATER)

    assert (refused.status, refused.retries) == (Status.PENDING, 1)
    assert get(core, "T-001").status is Status.DONE


def test_status_tells_what_is_stored_and_nothing_else(tmp_path: Path) -> None:
    """B015, anthropics/claude-code#68922: all agents are done, said the orchestrator."""
    core = a_core(tmp_path)
    add(core, draft(description="read the table"), draft(description="write it down"))
    tick(core)
    end(core, "T-001", replace(CLAIM, result="T-001 and T-002 are done.", summary=None))
    tick(core)

    answer = submit.intake(core, adding.Message(text="show status"), now=START)

    assert (
        "[ollama-local] 0 pending, 1 running, 1 done\n"
        "  T-002 🔄 running: write it down (started 0s ago)\n"
    ) in answer.text
