"""What starts by itself, and how soon: no heartbeat comes in any of these tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from chat import TOOLS, Chat
from model_queue import waker
from programs import Programs
from stamps import command, stamps, write_session
from waiting import eventually


def a_chat(home: Path, toml: str, *, waker: str) -> Chat:
    """Return a chat on queues whose waker is ``on`` or ``off``."""
    write_session(home)
    programs = Programs(home=home, environment={"MODEL_QUEUE_WAKER": waker})
    programs.configure(TOOLS, toml)
    return Chat(programs)


def assert_nothing_runs(chat: Chat) -> None:
    """Wait until no supervisor and no waker is left; each ends by itself."""
    chat.wait_for_sessions()
    eventually(lambda: not waker.is_running(str(chat.programs.queues)))


@pytest.mark.parametrize("waker", ["on", "off"])
def test_dependent_task_starts_within_2_s_after_the_session_it_waits_for(
    tmp_path: Path, waker: str
) -> None:
    toml = "".join(
        f'[sources.{source}]\nlauncher = "command"\n'
        + command(tmp_path, source, seconds=0.3)
        for source in ("ollama-local", "ollama-remote")
    )
    chat = a_chat(tmp_path, toml, waker=waker)

    chat.say("用 qwen2.5 分析销售数据，然后用远程模型写一份报告")

    eventually(lambda: len(stamps(tmp_path, "ollama-remote")) == 2)
    assert_nothing_runs(chat)
    ended = stamps(tmp_path, "ollama-local")[-1]
    started = stamps(tmp_path, "ollama-remote")[0]
    assert (ended.word, ended.task_id) == ("end", "T-001")
    assert (started.word, started.task_id) == ("start", "T-002")
    assert 0 < started.ns - ended.ns < 2e9
    assert chat.task("T-002")["status"] == "done"


@pytest.mark.slow
def test_retry_that_is_due_in_5_s_starts_within_7_s_of_the_failure(
    tmp_path: Path,
) -> None:
    toml = '[sources.ollama-local]\nlauncher = "command"\nbackoff_s = [5]\n'
    toml += command(tmp_path, "ollama-local", seconds=0.1, failing="a1")
    chat = a_chat(tmp_path, toml, waker="on")

    chat.say("use qwen2.5: write a poem")

    eventually(lambda: len(stamps(tmp_path, "ollama-local")) == 4)
    assert_nothing_runs(chat)
    _, failed, again, _ = stamps(tmp_path, "ollama-local")
    assert (failed.word, again.word) == ("end", "start")
    assert 5e9 <= again.ns - failed.ns < 7e9
    task = chat.task("T-001")
    assert (task["status"], task["retries"], task["attempt"]) == ("done", 1, 2)


def test_waker_ends_when_nothing_is_due(tmp_path: Path) -> None:
    toml = '[sources.ollama-local]\nlauncher = "command"\n'
    toml += command(tmp_path, "ollama-local", seconds=0)
    chat = a_chat(tmp_path, toml, waker="on")
    chat.say("in 5 minutes, write a poem")
    eventually(lambda: waker.is_running(str(chat.programs.queues)))

    chat.say("cancel T-001")

    assert_nothing_runs(chat)
    assert stamps(tmp_path, "ollama-local") == []
