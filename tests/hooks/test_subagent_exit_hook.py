"""on-subagent-exit: how a session ended is stored, and what can start now starts."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from chat import Chat, answer_of, error_of

SPAWNED = "add task: use glm5 to translate the page"


def label_of(chat: Chat, task_id: str = "T-001") -> str:
    claim = chat.task(task_id)["claim"]
    assert isinstance(claim, dict)
    return str(claim["label"])


def test_good_end_is_told_in_the_same_answer(chat: Chat) -> None:
    chat.say(SPAWNED, host="openclaw", channel="telegram", session_id="s-1")

    answer = chat.exit(
        label_of(chat), result="Bonjour.\n\nSummary: translated it",
        host="openclaw", channel="telegram", session_id="agent:main:subagent:1",
    )  # fmt: skip

    assert str(answer["reply"]).startswith("✅ T-001 done — translated it\n")
    assert isinstance(answer["notices"], list)
    assert len(answer["notices"]) == 1
    task = answer["task"]
    assert isinstance(task, dict)
    assert (task["status"], task["result_status"]) == ("done", "success")


def test_next_task_starts_at_once(chat: Chat) -> None:
    chat.say(SPAWNED + "; then use glm5 to write a report")

    answer = chat.exit(label_of(chat), result="Bonjour.")

    assert answer["dispatched"] == ["T-002"]
    assert isinstance(answer["actions"], list)
    [spawn] = answer["actions"]
    assert isinstance(spawn, dict)
    assert "Bonjour." in str(spawn["prompt"])


@pytest.mark.parametrize(
    ("end", "expected"),
    [
        pytest.param(
            {"status": "done", "result": "Half.\n\nStatus: partial"},
            {"status": "done", "result_status": "partial"},
            id="partial is done",
        ),
        pytest.param(
            {"status": "done", "result": "No way.\n\nStatus: failed"},
            {"status": "pending", "error_class": "reported", "retries": 1},
            id="its own report says failed",
        ),
        pytest.param(
            {"status": "done", "result": ""},
            {"status": "pending", "error_class": "invalid_report", "retries": 1},
            id="nothing said",
        ),
        pytest.param(
            {"status": "done", "summary": "Translated it."},
            {"status": "done", "result_summary": "Translated it."},
            id="only a summary",
        ),
        pytest.param(
            {"status": "failed", "error": "the page is gone"},
            {"status": "pending", "error_class": "reported", "retries": 1},
            id="plain failure",
        ),
        pytest.param(
            {"status": "failed", "error": "HTTP 429 Too Many Requests"},
            {"status": "pending", "error_class": "rate_limited", "retries": 0},
            id="rate limit uses no retry",
        ),
        pytest.param(
            {"status": "failed", "error": "HTTP 401 Unauthorized"},
            {"status": "failed", "error_class": "auth"},
            id="refused login is final",
        ),
        pytest.param(
            {"status": "timeout"},
            {"status": "pending", "error_class": "timeout", "retries": 1},
            id="out of time",
        ),
        pytest.param(
            {"status": "lost"},
            {"losses": 1, "retries": 0},
            id="lost counts apart",
        ),
        pytest.param(
            {"status": "cancelled"},
            {
                "status": "cancelled",
                "failure_reason": "user_cancel",
                "error_message": "session cancelled in the host",
            },
            id="cancelled by a person in the host",
        ),
        pytest.param(
            {"status": "blocked", "error": "the password is missing"},
            {"status": "blocked", "blocked_reason": "the password is missing"},
            id="blocked",
        ),
    ],
)
def test_end_is_stored_as_what_it_amounts_to(
    chat: Chat, end: Mapping[str, object], expected: Mapping[str, object]
) -> None:
    chat.say(SPAWNED)

    chat.call("on-subagent-exit", {"label": label_of(chat), **end})

    task = chat.task("T-001")
    assert {name: task.get(name) for name in expected} == expected


def test_model_and_usage_are_kept(chat: Chat) -> None:
    chat.say(SPAWNED)
    usage = {
        "input_tokens": 800,
        "output_tokens": 96,
        "cost_usd": 0.02,
        "tool_calls": 3,
    }

    chat.exit(label_of(chat), result="Bonjour.", model="z-ai/glm5", usage=usage)

    task = chat.task("T-001")
    assert task["session_model"] == "z-ai/glm5"
    assert task["spent"] == {"usd": 0.02, "tokens": 896, "tool_calls": {"all": 3}}


@pytest.mark.parametrize("by", ["label", "session_id", "task_id"])
def test_session_is_named_by_label_or_its_id_or_the_task(chat: Chat, by: str) -> None:
    chat.say(SPAWNED)
    label = label_of(chat)
    chat.programs.cli("attach", "T-001", "agent:main:subagent:1", "--label", label)
    names = {"label": label, "session_id": "agent:main:subagent:1", "task_id": "t1"}

    chat.call(
        "on-subagent-exit", {by: names[by], "status": "done", "result": "Bonjour."}
    )

    assert chat.task("T-001")["status"] == "done"


@pytest.mark.parametrize("name", ["label", "session_id"])
def test_session_of_others_is_ignored(chat: Chat, name: str) -> None:
    chat.say(SPAWNED)

    answer = chat.call("on-subagent-exit", {name: "of-others", "status": "failed"})

    assert (answer["task"], answer["dispatched"], answer["reply"]) == (None, [], "")
    assert chat.task("T-001")["status"] == "running"


def test_task_id_that_nobody_has_is_an_error(chat: Chat) -> None:
    ran = chat.programs.hook("on-subagent-exit", task_id="T-999", status="done")

    error = error_of("on-subagent-exit", ran)
    assert (ran.code, error["code"]) == (5, "task_not_found")


def test_inside_a_session_of_ours_what_is_not_known_is_ignored(chat: Chat) -> None:
    program = str(chat.programs.root / "hooks" / "on-subagent-exit")
    payload = json.dumps({"task_id": "T-999", "status": "done"})

    ran = chat.programs.run([program], payload, MODEL_QUEUE_WORKER="1")

    assert answer_of("on-subagent-exit", ran)["task"] is None


def test_end_of_an_older_attempt_moves_nothing(chat: Chat) -> None:
    chat.say(SPAWNED)
    old = label_of(chat)
    chat.exit(old, "failed", error="the page is gone")
    chat.heartbeat(now="2199-01-01T00:00:00Z")
    assert chat.task("T-001")["attempt"] == 2

    answer = chat.exit(old, result="Bonjour.")

    assert answer["reply"] == ""
    assert chat.task("T-001")["status"] == "running"
    late = chat.programs.queues / "results" / "T-001.a1.late.md"
    assert late.read_text(encoding="utf-8") == "Bonjour."


def test_second_call_for_the_same_end_changes_nothing(chat: Chat) -> None:
    chat.say(SPAWNED)
    label = label_of(chat)
    chat.exit(label, result="Bonjour.")
    before = chat.task("T-001")

    again = chat.exit(label, result="Bonjour.")

    assert (again["reply"], again["notices"]) == ("", [])
    assert chat.task("T-001") == before
    assert not list((chat.programs.queues / "results").glob("*.late.md"))


def test_same_delivery_id_repeats_the_first_answer(chat: Chat) -> None:
    chat.say(SPAWNED)
    label = label_of(chat)
    first = chat.exit(label, result="Bonjour.", delivery_id="d-1")

    second = chat.exit(label, result="Bonjour.", delivery_id="d-1")

    assert second == first
    assert "✅ T-001 done" in str(first["reply"])


def test_end_of_a_second_session_of_an_attempt_ends_it_only_with_its_work(
    chat: Chat,
) -> None:
    """A host that started one attempt twice and then stops the session too many."""
    chat.say(SPAWNED)
    label = label_of(chat)
    listed = {"label": label, "session_id": "s-1", "status": "running"}
    chat.heartbeat(sessions=[listed])

    chat.exit(label, "cancelled", session_id="s-2")
    after_cancel = chat.task("T-001")
    chat.exit(label, session_id="s-2", result="Bonjour.")

    assert after_cancel["status"] == "running"
    assert after_cancel["subagent_session"] == "s-1"
    assert chat.task("T-001")["status"] == "done"
