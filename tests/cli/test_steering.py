"""Commands that act, on the command line: they do what their words do in chat."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from model_queue.commands.targets import refs_of, split
from model_queue.commands.wishes import priority_of
from model_queue.errors import InputError, TaskRefError
from programs import InProcess, Programs

TOOLS = (
    "MODEL_SOURCE_FAR=cloud/writer\n"
    "MODEL_SOURCE_OTHER=cloud/reader\n"
    "DEFAULT_MODEL_SOURCE=far\n"
)
TOML = "[sources.far]\nmax_concurrent = 5\n"


@pytest.fixture
def mq(tmp_path: Path) -> Programs:
    """Two sources of a host, so that nothing starts unless a test lets it."""
    programs = InProcess(home=tmp_path)
    programs.configure(TOOLS, TOML)
    return programs


def add(mq: Programs, n_tasks: int = 1, model: str = "writer") -> None:
    for number in range(n_tasks):
        added = mq.cli("intake", f"use {model} to count the files of part {number}")
        assert added.code == 0, added.err


def run_all(mq: Programs) -> None:
    """Let the tasks be claimed, as a host that carries out the actions."""
    assert mq.cli("tick", "--actions").code == 0


def statuses(mq: Programs) -> dict[str, str]:
    tasks = mq.cli("list", "--json").objects("tasks")
    return {str(task["id"]): str(task["status"]) for task in tasks}


@pytest.mark.parametrize(
    ("word", "refs"),
    [
        ("T-003", ["T-003"]),
        ("t3", ["T-003"]),
        ("3", ["T-003"]),
        ("#3", ["T-003"]),
        ("ollama-local/T-003", ["ollama-local/T-003"]),
        ("Ollama-Local/3", ["ollama-local/T-003"]),
        ("T-003..T-005", ["T-003", "T-004", "T-005"]),
        ("T-003-T-005", ["T-003", "T-004", "T-005"]),
        ("t3-5", ["T-003", "T-004", "T-005"]),
        ("gpt-4/T-3..T-4", ["gpt-4/T-003", "gpt-4/T-004"]),
        ("T-004..T-004", ["T-004"]),
        ("T-1..T-500", [f"T-{number:03d}" for number in range(1, 501)]),
    ],
)
def test_word_names_tasks(word: str, refs: list[str]) -> None:
    assert refs_of(word) == refs


@pytest.mark.parametrize("word", ["", "T", "T-", "T-0", "x3", "/3", "T-12345678", "-"])
def test_word_that_names_no_task_is_refused(word: str) -> None:
    with pytest.raises(TaskRefError):
        refs_of(word)


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("T-007..T-003", "write T-003..T-007"),
        ("T-1..T-501", "501 tasks, but may name at most 500"),
    ],
)
def test_range_that_is_no_range_is_refused(word: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        refs_of(word)


def test_comma_lists_are_taken_apart() -> None:
    assert split(["T-1,T-2", "t3,", "，", "4、5"]) == ["T-1", "T-2", "t3", "4", "5"]


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("high", 5),
        ("P0", 10),
        ("urgent", 10),
        ("medium", 0),
        ("low", -5),
        ("P3", -5),
        ("高", 5),
        ("7", 7),
        ("-2", -2),
        ("+3", 3),
    ],
)
def test_priority_has_names_and_numbers(word: str, value: int) -> None:
    assert priority_of(word) == value


@pytest.mark.parametrize("word", ["", "highest of all", "1.5", "P4", "1000001", "٣"])
def test_word_that_is_no_priority_is_refused(word: str) -> None:
    with pytest.raises(InputError, match="the priority is"):
        priority_of(word)


@pytest.mark.parametrize(
    ("words", "after"),
    [
        (["cancel", "t1", "3"], ["cancelled", "pending", "cancelled"]),
        (["cancel", "T-001..T-002"], ["cancelled", "cancelled", "pending"]),
        (["cancel", "T-1,T-3"], ["cancelled", "pending", "cancelled"]),
        (["cancel", "far/T-002"], ["pending", "cancelled", "pending"]),
        (["cancel", "--all"], ["cancelled", "cancelled", "cancelled"]),
        (["skip", "T-002"], ["pending", "skipped", "pending"]),
        (["pause", "T-002"], ["pending", "paused", "pending"]),
        (["pause", "--status", "pending"], ["paused", "paused", "paused"]),
        (["clear"], ["cancelled", "cancelled", "cancelled"]),
        (["clear", "far"], ["cancelled", "cancelled", "cancelled"]),
    ],
)
def test_command_moves_the_tasks_it_names(
    mq: Programs, words: list[str], after: list[str]
) -> None:
    add(mq, 3)

    done = mq.cli(*words)

    assert (done.code, done.err) == (0, "")
    assert list(statuses(mq).values()) == after
    n_moved = sum(status != "pending" for status in after)
    assert len(done.out.splitlines()) == n_moved


def test_source_narrows_the_command(mq: Programs) -> None:
    add(mq, 1)
    add(mq, 1, model="reader")

    done = mq.cli("cancel", "--source", "Other")

    assert done.code == 0
    assert statuses(mq) == {"T-001": "pending", "T-002": "cancelled"}


def test_status_means_that_status_only(mq: Programs) -> None:
    mq.cli("intake", "use writer to count the files, then list them")
    assert statuses(mq) == {"T-001": "pending", "T-002": "waiting"}

    done = mq.cli("pause", "--status", "waiting")

    assert done.code == 0
    assert statuses(mq) == {"T-001": "pending", "T-002": "paused"}


def test_nothing_in_that_status_is_said(mq: Programs) -> None:
    add(mq)

    none = mq.cli("cancel", "--status", "waiting")
    failed = mq.cli("retry", "--status", "failed")

    assert (none.code, failed.code) == (5, 5)
    assert none.out == "There is nothing to cancel.\n"
    assert statuses(mq) == {"T-001": "pending"}


def test_answer_has_the_tasks_the_commands_and_the_actions(mq: Programs) -> None:
    add(mq, 2)
    run_all(mq)

    done = mq.cli("cancel", "T-002", "--json")

    assert done.json["ok"] is True
    assert [task["status"] for task in done.objects("tasks")] == ["cancelled"]
    [command] = done.objects("control")
    assert (command["command"], command["ids"]) == ("cancel", ["T-002"])
    assert "stop" in {action["type"] for action in done.objects("actions")}


@pytest.mark.parametrize(
    ("verb", "was"), [("cancel", "was cancelled"), ("skip", "was skipped")]
)
def test_dependent_is_told_what_became_of_its_parent(
    mq: Programs, verb: str, was: str
) -> None:
    mq.cli("intake", "use writer to count the files, then list them")

    mq.cli(verb, "T-001")

    dependent = mq.cli("show", "T-002", "--json").json["task"]
    assert isinstance(dependent, dict)
    assert dependent["blocked_reason"] == f"Dependency T-001 {was}"
    assert f"dependency T-001 {was}" in mq.cli("tick").out


def test_wrong_id_does_not_stop_the_others(mq: Programs) -> None:
    add(mq, 2)

    done = mq.cli("cancel", "T-001", "T-009", "T-002")

    assert done.code == 5
    assert statuses(mq) == {"T-001": "cancelled", "T-002": "cancelled"}
    assert "T-009" in done.out


def test_task_named_twice_is_moved_once(mq: Programs) -> None:
    add(mq)

    done = mq.cli("cancel", "t1", "T-001", "1")

    assert done.code == 0
    assert len(done.out.splitlines()) == 1


@pytest.mark.parametrize(
    ("verb", "flag"),
    [
        ("cancel", ["--all"]),
        ("cancel", ["--source", "far"]),
        ("pause", ["--status", "running"]),
    ],
)
def test_several_running_sessions_are_asked_for_first(
    mq: Programs, verb: str, flag: list[str]
) -> None:
    add(mq, 2)
    run_all(mq)

    asked = mq.cli(verb, *flag)
    before = statuses(mq)
    done = mq.cli(verb, *flag, "--yes")

    assert asked.code == 5
    assert f'"{verb} T-001, T-002"' in asked.out
    assert "--yes" in asked.out
    assert set(before.values()) == {"running"}
    assert (done.code, done.err) == (0, "")
    assert set(statuses(mq).values()) == {"cancelled" if verb == "cancel" else "paused"}


def test_words_of_the_question_work_as_they_are(mq: Programs) -> None:
    add(mq, 2)
    run_all(mq)

    done = mq.cli("cancel", "T-001,", "T-002")

    assert done.code == 0
    assert set(statuses(mq).values()) == {"cancelled"}


def test_done_task_runs_again_when_said_so(mq: Programs) -> None:
    add(mq, 3)
    run_all(mq)
    for ref in ("T-001", "T-002", "T-003"):
        assert mq.cli("complete", ref, "--summary", "counted").code == 0

    asked = mq.cli("retry", "T-001")
    rerun = mq.cli("rerun", "T-001")
    sure = mq.cli("retry", "T-002", "T-003", "--yes")

    assert asked.code == 5
    assert 'say "rerun T-001"' in asked.out
    assert (rerun.code, sure.code) == (0, 0)
    assert set(statuses(mq).values()) == {"pending"}


def test_queue_is_held_and_let_go(mq: Programs) -> None:
    def held() -> list[str]:
        queues = mq.cli("status", "--json").json["queues"]
        assert isinstance(queues, dict)
        return [
            name
            for name, queue in queues.items()
            if isinstance(queue, dict) and queue["paused"]
        ]

    add(mq)

    assert mq.cli("pause", "far").code == 0
    assert held() == ["far"]
    assert mq.cli("resume", "--source", "far").code == 0
    assert held() == []
    assert mq.cli("pause", "--all").code == 0
    assert held() == ["far", "other"]
    assert mq.cli("resume", "other", "far").code == 0
    assert held() == []
    assert statuses(mq) == {"T-001": "pending"}


def test_tasks_and_queues_are_held_together(mq: Programs) -> None:
    add(mq)

    done = mq.cli("pause", "other", "T-001")

    assert done.code == 0
    assert statuses(mq) == {"T-001": "paused"}
    assert "other" in done.out


@pytest.mark.parametrize(
    ("words", "value"),
    [(["T-001", "high"], 5), (["t1", "-5"], -5), (["--all", "P0"], 10)],
)
def test_priority_is_the_last_word(mq: Programs, words: list[str], value: int) -> None:
    add(mq)

    done = mq.cli("priority", *words, "--json")

    assert done.code == 0
    assert [task["priority"] for task in done.objects("tasks")] == [value]


@pytest.mark.parametrize(
    ("words", "was"),
    [
        (["cancel", "T-001", "T-002"], "pending"),
        (["skip", "T-001..T-002"], "pending"),
        (["pause", "--status", "pending"], "pending"),
        (["clear"], "pending"),
    ],
)
def test_last_command_is_taken_back(mq: Programs, words: list[str], was: str) -> None:
    add(mq, 2)
    assert mq.cli(*words).code == 0

    undone = mq.cli("undo")
    again = mq.cli("undo")

    assert (undone.code, undone.err) == (0, "")
    assert set(statuses(mq).values()) == {was}
    assert again.code == 5
    assert "nothing to take back" in again.out


def test_command_that_was_asked_for_is_taken_back_whole(mq: Programs) -> None:
    add(mq, 2)
    run_all(mq)
    assert mq.cli("pause", "--status", "running", "--yes").code == 0
    assert set(statuses(mq).values()) == {"paused"}

    assert mq.cli("undo").code == 0

    assert "paused" not in statuses(mq).values()


def test_finished_tasks_are_archived_now(mq: Programs) -> None:
    add(mq, 2)
    mq.cli("cancel", "T-001")

    kept = mq.cli("archive")
    done = mq.cli("archive", "--days", "0", "--json")

    assert kept.code == 0
    assert "Nothing to archive" in kept.out
    assert done.json["archived"] == ["T-001"]
    assert statuses(mq) == {"T-002": "pending"}
    assert mq.cli("show", "T-001").code == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["cancel"], "cancel needs a task, like T-003, or --all"),
        (["pause"], "pause needs a task, like T-003, a source, or --all"),
        (["cancel", "T-001", "--all"], "cancel got tasks by name, and --all"),
        (["cancel", "everything"], "'everything' is no task id"),
        (["pause", "fra"], "'fra' is neither a task, like T-003, nor a source: far"),
        (["priority"], "priority needs tasks and a level"),
        (["priority", "T-001"], "priority needs a level too"),
        (["priority", "T-001", "T-002"], "the priority is 'T-002'"),
        (["priority", "high"], "priority needs a level too"),
        (["archive", "--days", "-1"], "--days is -1, but must be a number from 0"),
    ],
)
def test_wrong_use_is_one_sentence(mq: Programs, words: list[str], said: str) -> None:
    add(mq, 2)

    refused = mq.cli(*words)

    assert (refused.code, refused.out) == (3, "")
    assert said in refused.err
    assert len(refused.err.splitlines()) <= 2
    assert set(statuses(mq).values()) == {"pending"}


def test_unknown_source_is_told_with_the_nearest(mq: Programs) -> None:
    refused = mq.cli("cancel", "--source", "othr")

    assert refused.code == 4
    assert "source is 'othr', but must be one of far, other" in refused.err
    assert "Did you mean other?" in refused.err


def test_answer_is_in_the_language_of_the_environment(mq: Programs) -> None:
    add(mq)

    done = mq.cli("cancel", "T-001", LANG="zh_CN.UTF-8")

    assert "取消" in done.out


@pytest.mark.parametrize("verb", ["cancel", "skip", "pause", "priority"])
def test_command_line_says_what_chat_says(tmp_path: Path, verb: str) -> None:
    level = ["high"] if verb == "priority" else []
    answers: list[object] = []
    for home, words in (
        ("chat", ["intake", f"{verb} T-001 {' '.join(level)}"]),
        ("shell", [verb, "T-001", *level]),
    ):
        (tmp_path / home).mkdir()
        programs = InProcess(home=tmp_path / home)
        programs.configure(TOOLS, TOML)
        add(programs)
        # The first one who reads the actions would be greeted and asked for the timer.
        (programs.queues / ".state" / "first-run").unlink()
        answer = programs.cli(*words, "--json").json
        answers.append(json.dumps([answer["reply"], answer["control"]]))

    assert answers[0] == answers[1]
