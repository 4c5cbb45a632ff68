"""``model-queue add``: one task by flags, each checked before anything is stored."""

from __future__ import annotations

from pathlib import Path

import pytest

from model_queue.model import JsonObject
from programs import InProcess, Programs, Ran

TOOLS = (
    "MODEL_SOURCE_FAR=cloud/writer,cloud/writer-mini\n"
    "MODEL_SOURCE_NEAR=ollama/qwen2.5,ollama/shared\n"
    "MODEL_SOURCE_SIDE=ollama/shared\n"
    "DEFAULT_MODEL_SOURCE=far\n"
)
TOML = '[sources.near]\nlauncher = "host"\n[sources.side]\nlauncher = "host"\n'


@pytest.fixture
def mq(tmp_path: Path) -> Programs:
    """Three sources of a host, so that nothing starts by itself."""
    programs = InProcess(home=tmp_path, environment={"TZ": "UTC"})
    programs.configure(TOOLS, TOML)
    return programs


def added(ran: Ran) -> JsonObject:
    """The one task of an answer."""
    assert ran.code == 0, ran.out + ran.err
    [task] = ran.objects("tasks")
    return task


def n_tasks(mq: Programs) -> int:
    return len(mq.cli("list", "--json").objects("tasks"))


def test_text_is_taken_as_it_is(mq: Programs) -> None:
    text = "1. cancel T-001, then use qwen2.5 tomorrow\n2. count"

    task = added(mq.cli("add", text, "--json"))

    assert task["description"] == text
    assert (task["queue"], task["model"]) == ("far", "cloud/writer")
    assert task["status"] == "pending"
    assert task["origin"] == {"host": "cli"}


def test_confirmation_is_the_one_of_chat(mq: Programs) -> None:
    ran = mq.cli("add", "count the files", "--model", "qwen2.5")

    assert ran.code == 0
    assert "📋 Added T-001 to queue [near]" in ran.out
    assert "Queue position: 1" in ran.out


def test_every_flag_lands_in_its_field(mq: Programs) -> None:
    added(mq.cli("add", "the first", "--json"))
    (mq.home / "schema.json").write_text("{}", encoding="utf-8")

    task = added(
        mq.cli(
            *("add", "the second", "--source", "Near", "--model", "shared"),
            *("--depends-on", "t1", "--on-fail", "continue", "--priority", "high"),
            *("--at", "2090-01-01T09:00:00Z", "--goal", "to know", "--budget", "$2.50"),
            *("--timeout", "90", "--retries", "0", "--cwd", "."),
            *("--accept-file", "out.md", "--accept-regex", "^Sum: [0-9]+"),
            *("--accept-schema", "schema.json"),
            *("--accept-command", "grep -q 'two words' out.md", "--json"),
        )
    )

    assert (task["queue"], task["model"]) == ("near", "ollama/shared")
    assert (task["depends_on"], task["on_depends_fail"]) == ("T-001", "continue")
    assert (task["priority"], task["goal"]) == (5, "to know")
    assert task["not_before"] == "2090-01-01T09:00:00Z"
    assert task["cost_ceiling"] == {"usd": 2.5}
    assert (task["timeout_seconds"], task["maxRetries"]) == (90, 0)
    assert task["cwd"] == str(mq.home)
    assert task["status"] == "waiting"
    assert task["accept"] == [
        {"file": "out.md"},
        {"regex": "^Sum: [0-9]+"},
        {"schema": "schema.json"},
        {"command": ["grep", "-q", "two words", "out.md"]},
    ]


@pytest.mark.parametrize(
    ("words", "queue", "model"),
    [
        (["--model", "writer"], "far", "cloud/writer"),
        (["--model", "cloud/writer-mini"], "far", "cloud/writer-mini"),
        (["--model", "qwen"], "near", "ollama/qwen2.5"),
        (["--source", "side"], "side", "ollama/shared"),
        (["--source", "side", "--model", "shared"], "side", "ollama/shared"),
    ],
)
def test_model_finds_its_source(
    mq: Programs, words: list[str], queue: str, model: str
) -> None:
    task = added(mq.cli("add", "count", *words, "--json"))

    assert (task["queue"], task["model"]) == (queue, model)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ([""], 3, "the text of the task is empty"),
        ([" \n "], 3, "the text of the task is empty"),
        (["x" * 200_001], 3, "the text has 200,001 characters, but may have 200,000"),
        (["x", "--source", "nere"], 4, "source is 'nere', but must be one of far"),
        (["x", "--model", "gwen2.5"], 4, "model is 'gwen2.5', but must be one of"),
        (
            ["x", "--model", "mini", "--source", "near"],
            3,
            "a model of far, not of near",
        ),
        (["x", "--model", "shared"], 3, "a model of several sources; say --source"),
        (["x", "--model", "cloud"], 3, "fits several models: cloud/writer, cloud/"),
        (["x", "--model", ""], 4, "model is ''"),
        (["x", "--depends-on", "T-009"], 5, "T-009"),
        (["x", "--depends-on", "that"], 3, "'that' is no task id"),
        (["x", "--at", "soonish"], 3, "--at is 'soonish', but must be a time such as"),
        (["x", "--at", ""], 3, "--at is ''"),
        (["x", "--at", "2001-01-01T00:00:00Z"], 3, "which is past"),
        (["x", "--at", "9999-01-01T00:00:00Z"], 3, "--at is '9999-01-01T00:00:00Z'"),
        (["x", "--budget", "0"], 3, "--budget is '0', but must be US dollars above 0"),
        (["x", "--budget", "-1"], 3, "--budget is '-1'"),
        (["x", "--budget", "nan"], 3, "--budget is 'nan'"),
        (["x", "--timeout", "0"], 3, "--timeout is '0', but must be a whole number"),
        (["x", "--timeout", "1.5"], 3, "--timeout is '1.5'"),
        (["x", "--retries", "101"], 3, "--retries is '101'"),
        (["x", "--priority", "very"], 3, "the priority is 'very'"),
        (["x", "--on-fail", "shrug"], 3, "--on-fail is 'shrug', but must be one of"),
        (["x", "--accept-regex", "(("], 3, "is no regular expression"),
        (["x", "--accept-regex", ""], 3, "--accept-regex is empty"),
        (["x", "--accept-file", ""], 3, "--accept-file is ''"),
        (["x", "--accept-schema", "no.json"], 3, "but there is no file"),
        (["x", "--accept-schema", "TOOLS.md"], 3, "is no JSON at line 1, column 1"),
        (["x", "--accept-command", ""], 3, "--accept-command is empty"),
        (["x", "--accept-command", "a 'b"], 3, "which cannot be split"),
        (["x", "--cwd", "nowhere"], 3, "--cwd is 'nowhere', but there is no directory"),
        (["--depends-on", "T-001", "x"], 3, "add needs a text, before the flags"),
        ([], 3, "add needs a text"),
    ],
)
def test_what_cannot_be_used_is_refused_in_one_sentence(
    mq: Programs, words: list[str], code: int, said: str
) -> None:
    refused = mq.cli("add", *words)

    assert (refused.code, refused.out) == (code, "")
    assert said in refused.err
    assert len(refused.err.splitlines()) <= 2
    assert not list(mq.home.glob("queues/*.json"))


def test_mistyped_model_is_told_the_nearest(mq: Programs) -> None:
    assert "Did you mean qwen2.5" in mq.cli("add", "x", "--model", "gwen2.5").err


def test_text_comes_from_stdin(mq: Programs) -> None:
    task = added(mq.cli("add", "-", "--json", stdin="count\nall the files\n"))

    assert task["description"] == "count\nall the files"


@pytest.mark.parametrize(
    "words", ["2h", "in 2 hours", "tomorrow 9am", "90 min", "明天上午9点"]
)
def test_time_may_be_a_phrase(mq: Programs, words: str) -> None:
    task = added(mq.cli("add", "count", "--at", words, "--json"))

    due, start = str(task["not_before"]), str(task["added_at"])
    assert due > start
    if "9" in words and "min" not in words:
        assert due.endswith("T09:00:00Z")


@pytest.mark.parametrize(
    "words",
    ["2090-01-01T09:00:00Z", "2090-01-01T10:00+01:00", "2090-01-01 10:00:00+01:00"],
)
def test_time_may_have_a_zone(mq: Programs, words: str) -> None:
    task = added(mq.cli("add", "count", "--at", words, "--json"))

    assert task["not_before"] == "2090-01-01T09:00:00Z"


def test_same_call_within_two_minutes_is_taken_once(mq: Programs) -> None:
    added(mq.cli("add", "count", "--json"))
    again = added(mq.cli("add", "count", "--json"))
    other = added(mq.cli("add", "count", "--source", "near", "--json"))

    assert (again["id"], other["id"]) == ("T-001", "T-002")
    assert n_tasks(mq) == 2


def test_same_message_id_is_taken_once(mq: Programs) -> None:
    added(mq.cli("add", "count", "--message-id", "m1", "--json"))
    again = added(mq.cli("add", "count anew", "--message-id", "m1", "--json"))

    assert again["id"] == "T-001"
    assert n_tasks(mq) == 1


def test_several_dependencies_are_named_in_any_form(mq: Programs) -> None:
    for text in ("a", "b", "c"):
        added(mq.cli("add", text, "--json"))

    task = added(
        mq.cli("add", "d", "--depends-on", "T-1..2", "far/T-003", "t1", "--json")
    )

    assert task["depends_on"] == ["T-001", "T-002", "far/T-003"]


def test_addition_is_taken_back(mq: Programs) -> None:
    added(mq.cli("add", "count", "--json"))

    undone = mq.cli("undo", "--json")

    assert [task["status"] for task in undone.objects("tasks")] == ["cancelled"]


def test_task_starts_at_once_and_its_check_holds(tmp_path: Path) -> None:
    programs = Programs(home=tmp_path)
    session = '"sh", "-c", "cat > /dev/null; echo done > out.md; echo Summary: fine"'
    programs.configure(
        "MODEL_SOURCE_HERE=local/counter\n",
        f'[sources.here]\nlauncher = "command"\ncommand = [{session}]\n',
    )

    task = added(
        programs.cli("add", "count", "--accept-command", "test -s out.md", "--json")
    )
    waited = programs.cli("wait", "T-001", "--timeout", "10")

    assert task["status"] == "running"
    assert waited.code == 0, waited.out + waited.err


def test_without_a_source_the_lines_to_add_are_shown(tmp_path: Path) -> None:
    programs = InProcess(home=tmp_path)
    programs.configure("")

    refused = programs.cli("add", "count")

    assert refused.code == 4
    assert "MODEL_SOURCE_OLLAMA_LOCAL=" in refused.err


def test_session_of_ours_adds_nothing(mq: Programs) -> None:
    refused = mq.cli("add", "count", MODEL_QUEUE_WORKER="1")

    assert refused.code == 5
    assert not list(mq.home.glob("queues/*.json"))
