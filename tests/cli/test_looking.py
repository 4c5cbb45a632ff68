"""Commands that look: status, list, show, result, logs, events."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from programs import InProcess, Programs

TOOLS = (
    "MODEL_SOURCE_HOSTED=x/alpha,x/beta\nMODEL_SOURCE_SPARE=y/gamma\n"
    "DEFAULT_MODEL_SOURCE=hosted\n"
)
TOML = "".join(
    f'[sources.{name}]\nlauncher = "host"\nbackoff_s = [0]\n'
    for name in ("hosted", "spare")
)
WRONG = '[sources.hosted]\nlauncher = "host"\ntimeout_s = "soon"\n'
NOTE = "⚠️ Nothing new starts, and this may not be the whole picture: "
STATUS = (
    "📊 Queue Status\n"
    "\n"
    "[hosted] 2 pending, 1 running, 0 done\n"
    "  T-001 🔄 running: count the files (started 0s ago, 40%)\n"
    "  T-002 ⏳ pending: list the invoices\n"
    "  T-003 ⏳ pending: sort the letters (number 2 in line)\n"
    "\n"
    "[spare] 0 pending, 0 running, 1 done • paused\n"
    "  (empty)\n"
)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One task runs, two wait in line, one of the other queue is done; that is held."""
    programs = InProcess(home=tmp_path_factory.mktemp("prepared"))
    programs.configure(TOOLS, TOML)
    programs.cli(
        "intake", "1. count the files 2. list the invoices 3. sort the letters"
    )
    programs.cli("add", "draft a letter", "--source", "spare")
    programs.cli("tick", "--actions")
    programs.cli("checkpoint", "--task", "T-001", "--percent", "40")
    programs.cli("complete", "T-004", "--summary", "drafted")
    programs.cli("pause", "spare")
    return programs.queues


@pytest.fixture
def mq(tmp_path: Path, prepared: Path) -> InProcess:
    programs = InProcess(home=tmp_path)
    programs.configure(TOOLS, TOML)
    shutil.copytree(prepared, programs.queues)
    return programs


def settled(text: str) -> str:
    """Return a text in which what is some seconds ago is 0s ago."""
    return re.sub(r"\b\d+s ago", "0s ago", text)


def ids(mq: Programs, *words: str) -> list[object]:
    return [task["id"] for task in mq.cli("list", "--json", *words).objects("tasks")]


def test_status_is_the_table_of_the_seed(mq: InProcess) -> None:
    shown = mq.cli("status")

    assert (shown.code, shown.err) == (0, "")
    assert settled(shown.out) == STATUS


def test_status_says_the_same_in_chat(mq: InProcess) -> None:
    answer = mq.hook("on-intake", message="show status", channel="c", session_id="s")

    assert settled(f"{answer.json['reply']}\n") == STATUS


def test_status_of_one_queue_has_that_one_alone(mq: InProcess) -> None:
    answer = mq.cli("status", "SPARE", "--json").json

    queues = answer["queues"]
    assert isinstance(queues, dict)
    assert list(queues) == ["spare"]
    spare = queues["spare"]
    assert isinstance(spare, dict)
    assert spare["counts"] == {"done": 1}
    assert spare["max_concurrent"] == 1
    assert isinstance(spare["paused"], dict)
    assert spare["paused"]["by"] == "user"
    assert "[hosted]" not in str(answer["reply"])


def test_a_pipe_gets_whole_lines_without_colours(mq: InProcess) -> None:
    mq.cli("add", "分析销售数据并写一份很长的报告给所有人看")

    shown = mq.cli("status", TERM="xterm-256color", COLUMNS="40", FORCE_COLOR="1")

    assert "分析销售数据并写一份很长的报告给所有人看" in shown.out
    assert "\x1b" not in shown.out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["status", "hostde"], "hosted"),
        (["list", "--source", "nowhere"], "nowhere"),
        (["list", "--limit", "0"], "--limit is 0, but must be 1 to 1,000,000"),
        (["list", "--since", "whenever"], "--since is 'whenever', but must be a span"),
        (["events", "--since", "2999-01-01"], "which is still to come"),
        (["events", "-n", "-1"], "--lines is -1, but must be 0 to 1,000,000"),
        (["logs", "T-001", "-n", "0"], "--lines is 0, but must be 1 to 1,000,000"),
        (["wait", "T-001", "--timeout", "nan"], "--timeout is nan, but must be 0 to"),
        (["wait", "T-001", "--timeout", "-1"], "--timeout is -1, but must be 0 to"),
    ],
)
def test_wrong_use_is_one_sentence(mq: InProcess, words: list[str], told: str) -> None:
    refused = mq.cli(*words)

    assert refused.code in {3, 4}
    assert told in refused.err
    assert refused.out == ""


def test_list_narrows_by_each_flag(mq: InProcess) -> None:
    assert ids(mq) == ["T-001", "T-002", "T-003", "T-004"]
    assert ids(mq, "--source", "hosted", "--limit", "2") == ["T-002", "T-003"]
    assert ids(mq, "--status", "running", "--status", "done") == ["T-001", "T-004"]
    assert ids(mq, "--since", "1h") == ["T-001", "T-002", "T-003", "T-004"]
    assert ids(mq, "--since", "0s") == []
    assert ids(mq, "--dead") == []


def test_list_shows_the_archive_where_it_is_asked_for(mq: InProcess) -> None:
    mq.cli("archive", "--days", "0")

    shown = mq.cli("list", "--archived")

    assert shown.out == "T-004 [spare] ✅ done: draft a letter\n"
    assert ids(mq) == ["T-001", "T-002", "T-003"]
    assert ids(mq, "--archived", "--source", "hosted") == []


def test_events_begin_where_since_says(mq: InProcess) -> None:
    of_task = mq.cli("events", "--task", "T-004", "--since", "1h", "--json")
    newest = mq.cli("events", "--since", "1h", "-n", "1")

    assert [event["event"] for event in of_task.objects("events")] == [
        "submit",
        "claim",
        "succeed",
    ]
    assert newest.out.endswith(" spare queue_pause\n")
    assert newest.out.count("\n") == 1
    assert mq.cli("events", "--since", "0s").out == ""


LOOKS = [
    ["status"],
    ["list"],
    ["show", "T-004"],
    ["result", "T-001"],
    ["logs", "T-004"],
    ["events"],
]


@pytest.mark.parametrize("words", LOOKS, ids=lambda words: words[0])
def test_a_wrong_setting_stops_no_look(mq: InProcess, words: list[str]) -> None:
    mq.cli("complete", "T-001", "--summary", "seven files")
    before = mq.cli(*words)
    mq.configure(TOOLS, WRONG)

    after = mq.cli(*words)
    in_json = mq.cli(*words, "--json")

    assert before.code == after.code == in_json.code == 0
    assert settled(after.out) == settled(before.out).replace(
        " • waits for the agent runtime to start it", ""
    )
    assert after.err.startswith(f"\n{NOTE}sources.hosted.timeout_s in ")
    assert in_json.err == ""
    assert NOTE in str(in_json.json["reply"])


def test_a_wrong_setting_names_no_queue_as_removed(mq: InProcess) -> None:
    mq.configure(TOOLS.replace("y/gamma", ""), WRONG)

    shown = mq.cli("status")

    assert "[spare] 0 pending, 0 running, 1 done • paused" in shown.out
    assert NOTE in shown.err


@pytest.mark.parametrize(
    ("name", "value"),
    [("MODEL_QUEUES_DIR", "relative/queues"), ("MODEL_QUEUE_STORE", "cards")],
)
def test_a_look_needs_to_know_where_the_queues_are(
    mq: InProcess, name: str, value: str
) -> None:
    refused = mq.cli("status", **{name: value})

    assert refused.code == 4
    assert name in refused.err
    assert refused.out == ""


def test_what_changes_something_still_needs_right_settings(mq: InProcess) -> None:
    mq.configure(TOOLS, WRONG)

    for words in (["cancel", "T-002"], ["tick"], ["wait", "T-002"], ["add", "x"]):
        refused = mq.cli(*words)
        assert refused.code == 4
        assert "sources.hosted.timeout_s" in refused.err


def test_the_end_that_a_command_tells_is_not_told_again(mq: InProcess) -> None:
    told = mq.cli("complete", "T-001", "--summary", "seven files")
    later = mq.cli("intake", "show status")

    assert told.out.startswith("✅ T-001 done — seven files\n")
    assert "seven files" not in later.out
    assert "not delivered" not in mq.cli("status").out


def test_a_failure_that_a_command_tells_is_not_told_again(mq: InProcess) -> None:
    mq.cli("add", "sort the mail", "--retries", "0", "--source", "spare")
    mq.cli("resume", "spare")
    mq.cli("tick", "--actions")

    told = mq.cli("fail", "T-005", "--error", "no mail")
    later = mq.cli("intake", "show status")

    assert told.out.startswith("❌ T-005 failed after 1 attempt\n")
    assert "failed after" not in later.out


@pytest.mark.parametrize(
    "words",
    [["--session", "s7"], ["--host", "openclaw", "--channel", "c"]],
    ids=["session", "host"],
)
def test_the_chat_of_a_task_still_hears_of_its_end(
    mq: InProcess, words: list[str]
) -> None:
    mq.cli("intake", "use gamma to draft a poem", *words)
    mq.cli("resume", "spare")
    mq.cli("tick", "--actions")

    told = mq.cli("complete", "T-005", "--summary", "four lines")
    heard = mq.cli("intake", "show status", *words)

    assert "✅ T-005 done — four lines" in told.out
    assert "✅ T-005 done — four lines" in heard.out


def test_what_a_session_reports_of_itself_is_still_told(mq: InProcess) -> None:
    mq.cli("complete", "T-001", "--summary", "seven files", MODEL_QUEUE_WORKER="1")

    assert "✅ T-001 done — seven files" in mq.cli("intake", "show status").out


def test_logs_of_an_older_attempt_say_which_it_is(mq: InProcess) -> None:
    task = json.loads(mq.cli("show", "T-001", "--json").out)["task"]
    first = task["claim"]["label"]
    folder = mq.queues / "sessions" / first
    folder.mkdir(parents=True)
    (folder / "stderr").write_text("no such file\n", encoding="utf-8")
    mq.cli("fail", "T-001", "--error", "exit code 1")
    mq.cli("tick", "--actions")

    shown = mq.cli("logs", "T-001")
    own = mq.cli("logs", "T-001", "--attempt", "2")

    assert shown.out.startswith(
        "Its attempt 2 has printed nothing yet; this is attempt 1:\n"
        f"T-001, attempt 1: {first}\n--- stderr\nno such file\n"
    )
    assert own.out.startswith("T-001, attempt 2: mq-t-001-a2-")
    assert "no such file" not in own.out


def test_duration_is_that_of_the_last_attempt(tmp_path: Path) -> None:
    """What lies between two attempts is waiting, not work."""
    programs = InProcess(home=tmp_path)
    programs.configure(TOOLS, TOML.replace("[0]", "[600]"))

    def at(clock: str, name: str, **fields: object) -> dict[str, object]:
        now = f"2026-03-04T{clock}Z"
        return {**programs.hook(name, now=now, channel="c", **fields).json}

    def label(answer: dict[str, object]) -> object:
        actions = answer["actions"]
        assert isinstance(actions, list)
        return next(each["label"] for each in actions if each["type"] == "spawn")

    first = label(at("09:00:00", "on-intake", message="count the files"))
    at("09:00:20", "on-subagent-exit", label=first, status="failed", error="no disk")
    second = label(at("09:12:00", "on-heartbeat"))
    done = at(
        "09:12:05", "on-subagent-exit", label=second, status="done", summary="seven"
    )

    assert first != second
    assert "Queue: hosted | Duration: 5s" in str(done["reply"])
