"""The command explain, and the same question in chat: forms, languages, wrong uses."""

from __future__ import annotations

from pathlib import Path

import pytest

from chat import validator
from hosting import Host, seed_task
from model_queue.model import JsonObject
from programs import InProcess, Ran


@pytest.fixture
def host(tmp_path: Path) -> Host:
    return Host.open(tmp_path)


@pytest.fixture
def mq(host: Host) -> InProcess:
    """The command line in the host's home, called as a function."""
    return InProcess(home=host.chat.programs.home)


def checked(ran: Ran) -> JsonObject:
    validator("commands/explain.schema.json").validate(ran.json)
    return ran.json


def test_text_and_json_tell_the_same(host: Host, mq: InProcess) -> None:
    host.put("ollama-local", seed_task("T-001"), seed_task("T-002"))

    text = mq.cli("explain", "t2")
    wire = checked(mq.cli("explain", "T-002", "--json"))

    assert (text.code, text.err) == (0, "")
    assert text.out == f"{wire['reply']}\n"
    reasons = mq.cli("explain", "T-002", "--json").objects("reasons")
    assert [(each["code"], each["ref"], each["until"]) for each in reasons] == [
        ("host_only", "ollama-local", None),
        ("behind", "T-001", None),
    ]
    assert text.out.splitlines()[1:] == [f"• {each['text']}" for each in reasons]
    assert isinstance(wire["task"], dict)
    assert wire["task"]["id"] == "T-002"


def test_looking_changes_nothing(host: Host, mq: InProcess) -> None:
    host.put("ollama-local", seed_task("T-001"))
    path = host.queues / "ollama-local.json"
    before = path.read_bytes()

    mq.cli("explain", "T-001")

    assert path.read_bytes() == before


def test_reason_without_a_code_is_told_in_the_text_only(
    host: Host, mq: InProcess
) -> None:
    paused = seed_task("T-001", status="paused", paused_from="pending")
    host.put("ollama-local", paused)

    wire = checked(mq.cli("explain", "T-001", "--json"))

    assert wire["reasons"] == []
    assert '"resume T-001"' in str(wire["reply"])


def test_doubled_id_is_asked_back_and_understood_in_full(
    host: Host, mq: InProcess
) -> None:
    for source in ("ollama-local", "ollama-remote"):
        waiting = seed_task("T-002", status="waiting", depends_on="T-001")
        host.put(source, seed_task("T-001", status="paused"), waiting)

    bare = mq.cli("explain", "T-002")
    full = checked(mq.cli("explain", "ollama-remote/T-002", "--json"))
    chat = host.say("why is ollama-remote/T-002 waiting?")

    assert bare.code == 3
    assert "say ollama-local/T-002 or ollama-remote/T-002" in bare.err
    assert str(full["reply"]).startswith("ollama-remote/T-002 ⏳ waiting")
    [reason] = mq.cli("explain", "ollama-remote/T-002", "--json").objects("reasons")
    assert (reason["code"], reason["ref"]) == (
        "dependency_open",
        "ollama-remote/T-001",
    )
    assert '"resume ollama-remote/T-001"' in str(chat["reply"])


@pytest.mark.parametrize(
    ("task", "code", "words"),
    [
        ("T-009", 5, "T-001"),
        ("nonsense", 3, "nonsense"),
    ],
)
def test_wrong_use_is_refused_in_one_sentence(
    host: Host, mq: InProcess, task: str, code: int, words: str
) -> None:
    host.put("ollama-local", seed_task("T-001"))

    ran = mq.cli("explain", task)

    assert (ran.code, ran.out) == (code, "")
    assert words in ran.err
    assert "Traceback" not in ran.err


def test_without_a_task_the_usage_is_told(mq: InProcess) -> None:
    ran = mq.cli("explain")

    assert ran.code == 3
    assert "model-queue explain --help" in ran.err


@pytest.mark.parametrize(
    "message",
    [
        "why is T-002 blocked?",
        "explain T-002",
        "为什么 T-002 不动",
        "T-002 为什么卡住了？",
    ],
)
def test_chat_answers_in_the_language_of_the_question(host: Host, message: str) -> None:
    failed = seed_task(
        "T-001",
        status="failed",
        error_message="boom",
        completed_at="2026-03-04T16:40:00Z",
    )
    blocked = seed_task(
        "T-002",
        status="blocked",
        depends_on="T-001",
        blocked_reason="Dependency T-001 failed",
    )
    host.put("ollama-local", failed, blocked)

    answer = host.say(message)

    said = str(answer["reply"])
    expected = "重试 T-001" if "为什么" in message else "retry T-001"
    assert expected in said
    assert "unblock T-002" in said or "解除阻塞 T-002" in said


def test_several_ids_are_explained_and_an_unknown_one_stops_no_other(
    host: Host,
) -> None:
    host.put("ollama-local", seed_task("T-001"), seed_task("T-002"))

    said = str(host.say("why are T-001, T-009 and T-002 stuck?")["reply"])

    assert "T-001 ⏳ pending" in said
    assert "T-009" in said
    assert "T-002 is 2nd in line, behind T-001" in said
