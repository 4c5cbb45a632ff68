"""``model-queue edit``: what a task that does not run shall be instead."""

from __future__ import annotations

from pathlib import Path

import pytest

from model_queue.model import JsonObject
from programs import InProcess, Programs, Ran
from waiting import eventually

TOOLS = (
    "MODEL_SOURCE_FAR=cloud/writer,cloud/shared\n"
    "MODEL_SOURCE_NEAR=ollama/qwen2.5,cloud/shared\n"
    "DEFAULT_MODEL_SOURCE=far\n"
)
TOML = '[sources.near]\nlauncher = "host"\n'


@pytest.fixture
def mq(tmp_path: Path) -> Programs:
    """Two sources of a host, so that nothing starts unless a test lets it."""
    programs = InProcess(home=tmp_path)
    programs.configure(TOOLS, TOML)
    return programs


def add(mq: Programs, *words: str) -> str:
    ran = mq.cli("add", *words, "--json")
    assert ran.code == 0, ran.out + ran.err
    return str(ran.objects("tasks")[0]["id"])


def task_of(mq: Programs, ref: str = "T-001") -> JsonObject:
    task = mq.cli("show", ref, "--json").json["task"]
    assert isinstance(task, dict)
    return task


def edited(mq: Programs, *words: str) -> Ran:
    ran = mq.cli("edit", *words)
    assert (ran.code, ran.err) == (0, ""), ran.out + ran.err
    return ran


@pytest.mark.parametrize(
    ("words", "name", "value", "line"),
    [
        (["--text", "list"], "description", "list", "Task: count → list"),
        (["--priority", "high"], "priority", 5, "Priority: 0 → 5"),
        (["--goal", "to know"], "goal", "to know", "Goal: none → to know"),
        (["--budget", "2.5"], "cost_ceiling", {"usd": 2.5}, "Budget: none → $2.5"),
        (["--model", "shared"], "model", "cloud/shared", "writer → cloud/shared"),
        (["--timeout", "60"], "timeout_seconds", 60, "Limit in seconds: none → 60"),
        (["--retries", "0"], "maxRetries", 0, "Retries: 3 → 0"),
        (["--on-fail", "skip"], "on_depends_fail", "skip", "fails: block → skip"),
        (
            ["--at", "2090-01-01T09:00:00Z"],
            "not_before",
            "2090-01-01T09:00:00Z",
            "Starts: none → 2090-01-01 09:00",
        ),
    ],
)
def test_field_is_changed_and_the_answer_shows_old_and_new(
    mq: Programs, words: list[str], name: str, value: object, line: str
) -> None:
    add(mq, "count")
    before = task_of(mq)

    ran = edited(mq, "t1", *words)

    after = task_of(mq)
    assert after[name] == value
    assert ran.out.startswith("✏️ T-001 changed\n")
    assert line in ran.out
    assert {key for key in after if after[key] != before.get(key)} <= {
        name,
        "updated_at",
    }


@pytest.mark.parametrize(
    ("words", "queue", "model"),
    [
        (["--source", "near"], "near", "ollama/qwen2.5"),
        (["--model", "qwen"], "near", "ollama/qwen2.5"),
        (["--source", "near", "--model", "shared"], "near", "cloud/shared"),
        (["--model", "shared"], "far", "cloud/shared"),
    ],
)
def test_task_moves_to_the_queue_of_its_new_model(
    mq: Programs, words: list[str], queue: str, model: str
) -> None:
    add(mq, "count")
    before = task_of(mq)

    edited(mq, "T-001", *words)

    after = task_of(mq)
    assert (after["id"], after["uuid"]) == ("T-001", before["uuid"])
    assert (after["queue"], after["model"]) == (queue, model)
    assert len(mq.cli("list", "--json").objects("tasks")) == 1


def test_model_stays_where_the_new_source_has_it_too(mq: Programs) -> None:
    add(mq, "count", "--model", "shared", "--source", "far")

    edited(mq, "T-001", "--source", "near")

    assert (task_of(mq)["queue"], task_of(mq)["model"]) == ("near", "cloud/shared")


def test_values_are_taken_away(mq: Programs) -> None:
    add(mq, "count", "--goal", "g", "--budget", "2", "--at", "2h", "--timeout", "9")

    edited(
        mq, "T-001", "--goal", "", "--budget", "none", "--at", "now", "--timeout", ""
    )

    assert task_of(mq)["goal"] is None
    assert not {"cost_ceiling", "not_before", "timeout_seconds"} & set(task_of(mq))


def test_new_dependency_makes_a_pending_task_wait(mq: Programs) -> None:
    add(mq, "first")
    add(mq, "second")

    ran = edited(mq, "T-002", "--depends-on", "T-001")

    assert task_of(mq, "T-002")["status"] == "waiting"
    assert task_of(mq, "T-002")["depends_on"] == "T-001"
    assert "Depends on: none → T-001" in ran.out


def test_task_without_dependencies_waits_no_longer(mq: Programs) -> None:
    add(mq, "first")
    add(mq, "second", "--depends-on", "T-001")
    added_at = task_of(mq, "T-002")["added_at"]

    edited(mq, "T-002", "--depends-on", "none")

    task = task_of(mq, "T-002")
    assert (task["status"], task["depends_on"]) == ("pending", None)
    assert task["added_at"] == added_at


def test_done_dependency_hands_over_its_result(mq: Programs) -> None:
    add(mq, "first")
    assert mq.cli("tick", "--actions").code == 0
    assert mq.cli("complete", "T-001", "--summary", "three files").code == 0
    add(mq, "second")

    edited(mq, "T-002", "--depends-on", "T-001")

    task = task_of(mq, "T-002")
    context = task["context_input"]
    assert task["status"] == "pending"
    assert isinstance(context, dict)
    assert context["result_summary"] == "three files"


def test_blocked_task_goes_on_once_nothing_holds_it(mq: Programs) -> None:
    add(mq, "first")
    add(mq, "second", "--depends-on", "T-001")
    mq.cli("cancel", "T-001")
    assert task_of(mq, "T-002")["status"] == "blocked"

    edited(mq, "T-002", "--on-fail", "continue")

    assert task_of(mq, "T-002")["status"] == "pending"
    assert "blocked_reason" not in task_of(mq, "T-002")


def test_paused_task_waits_once_it_is_resumed(mq: Programs) -> None:
    add(mq, "first")
    add(mq, "second")
    mq.cli("pause", "T-002")

    edited(mq, "T-002", "--depends-on", "T-001")

    assert task_of(mq, "T-002")["status"] == "paused"
    mq.cli("resume", "T-002")
    assert task_of(mq, "T-002")["status"] == "waiting"
    mq.cli("pause", "T-002")
    edited(mq, "T-002", "--depends-on", "none")
    mq.cli("resume", "T-002")
    assert task_of(mq, "T-002")["status"] == "pending"


@pytest.mark.parametrize("chain", [1, 2, 3])
def test_circle_is_refused_with_its_way(mq: Programs, chain: int) -> None:
    add(mq, "0")
    for number in range(1, chain):
        add(mq, str(number), "--depends-on", f"T-{number:03d}")

    refused = mq.cli("edit", "T-001", "--depends-on", f"T-{chain:03d}")

    way = ["T-001", *(f"T-{number:03d}" for number in range(chain, 0, -1))]
    assert refused.code == 5
    assert " → ".join(way) in refused.out
    assert task_of(mq)["depends_on"] is None
    assert task_of(mq)["status"] == "pending"


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["T-001"], 3, "edit needs a flag that says what to change"),
        ([], 3, "edit needs TASK"),
        (["T-009", "--text", "x"], 5, "T-009"),
        (["T-001", "--text", " "], 3, "--text of the task is empty"),
        (["T-001", "--model", "gpt"], 4, "model is 'gpt'"),
        (["T-001", "--source", "near", "--model", "writer"], 3, "not of near"),
        (["T-001", "--depends-on", "T-009"], 5, "T-009"),
        (["T-001", "--at", "soonish"], 3, "--at is 'soonish'"),
        (["T-001", "--budget", "0"], 3, "--budget is '0'"),
        (["T-001", "--text"], 3, "--text needs a value"),
    ],
)
def test_wrong_use_changes_nothing(
    mq: Programs, words: list[str], code: int, said: str
) -> None:
    add(mq, "count")
    before = task_of(mq)

    refused = mq.cli("edit", *words)

    assert (refused.code, refused.out) == (code, "")
    assert said in refused.err
    assert len(refused.err.splitlines()) <= 2
    assert task_of(mq) == before


def test_running_task_is_refused_with_the_way_round(mq: Programs) -> None:
    add(mq, "count")
    mq.cli("tick", "--actions")

    refused = mq.cli("edit", "T-001", "--text", "list")

    assert refused.code == 5
    assert "T-001 is running, so you cannot edit it" in refused.err
    assert 'Say "pause T-001" first' in refused.err
    assert task_of(mq)["description"] == "count"


@pytest.mark.slow
def test_running_task_is_paused_edited_and_resumed(tmp_path: Path) -> None:
    programs = Programs(home=tmp_path)
    programs.configure(
        "MODEL_SOURCE_HERE=local/counter\n",
        '[sources.here]\nlauncher = "command"\ncommand = ["sh", "-c", "grep -q quick || sleep 60; echo Summary: done"]\n',
    )
    add(programs, "slow")
    programs.cli("pause", "T-001")

    def is_edited() -> bool:
        programs.cli("tick")
        return programs.cli("edit", "T-001", "--text", "quick").code == 0

    eventually(is_edited)
    programs.cli("resume", "T-001")
    waited = programs.cli("wait", "T-001", "--timeout", "10")

    assert waited.code == 0, waited.out + waited.err
    assert task_of(programs)["attempt"] == 2


def test_ended_task_is_refused_with_the_way_round(mq: Programs) -> None:
    add(mq, "count")
    mq.cli("cancel", "T-001")

    refused = mq.cli("edit", "T-001", "--text", "list", "--json")

    assert refused.code == 5
    error = refused.json["error"]
    assert isinstance(error, dict)
    assert error["code"] == "illegal_transition"
    assert error["hint"] == "It has ended: add it anew as it should be."


def test_retries_cannot_be_fewer_than_used(mq: Programs) -> None:
    add(mq, "count")
    mq.cli("tick", "--actions")
    mq.cli("fail", "T-001", "--error", "the network is down")
    assert task_of(mq)["retries"] == 1

    refused = mq.cli("edit", "T-001", "--retries", "0")
    dependent = mq.cli("edit", "T-001", "--depends-on", "none", "--text", "list")

    assert refused.code == 3
    assert "T-001 has used 1" in refused.err
    assert dependent.code == 0
    assert task_of(mq)["description"] == "list"


def test_started_task_keeps_its_dependencies(mq: Programs) -> None:
    add(mq, "first")
    mq.cli("tick", "--actions")
    mq.cli("fail", "T-001", "--error", "the network is down")
    add(mq, "second")

    refused = mq.cli("edit", "T-001", "--depends-on", "T-002")

    assert refused.code == 5
    assert "has started already" in refused.out
    assert task_of(mq)["depends_on"] is None


def test_same_value_is_no_change(mq: Programs) -> None:
    add(mq, "count")
    before = task_of(mq)

    ran = edited(mq, "T-001", "--text", "count")

    assert "nothing was changed" in ran.out
    assert task_of(mq) == before


@pytest.mark.parametrize("word", ["1", "#1", "t1", "T-001", "far/T-001"])
def test_task_is_named_in_any_form(mq: Programs, word: str) -> None:
    add(mq, "count")

    edited(mq, word, "--text", "list")

    assert task_of(mq, word)["description"] == "list"


def test_edit_is_in_the_audit_log(mq: Programs) -> None:
    add(mq, "count")

    edited(mq, "T-001", "--text", "list", "--priority", "high")

    events = mq.cli("events", "--json").objects("events")
    [edit] = [event for event in events if event["event"] == "edit"]
    assert edit["task_id"] == "T-001"
    assert edit["detail"] == "description, priority"


@pytest.mark.parametrize(
    "words",
    [
        ["--text", "list", "--priority", "9", "--goal", "g"],
        ["--source", "near"],
        ["--depends-on", "T-002"],
        ["--retries", "1", "--timeout", "5"],
    ],
)
def test_edit_is_taken_back(mq: Programs, words: list[str]) -> None:
    add(mq, "count")
    add(mq, "other")
    before = task_of(mq)

    edited(mq, "T-001", *words)
    undone = mq.cli("undo")

    assert undone.code == 0, undone.out + undone.err
    after = task_of(mq)
    assert {**after, "updated_at": None} == {**before, "updated_at": None}


def test_answer_is_in_chinese_where_that_is_spoken(mq: Programs) -> None:
    add(mq, "count")

    ran = mq.cli("edit", "T-001", "--priority", "5", LANG="zh_CN.UTF-8")

    assert ran.out.splitlines()[:2] == ["✏️ T-001 已修改", "优先级：0 → 5"]
