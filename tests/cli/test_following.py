"""Commands that go on looking: wait, events --follow, logs -f, status --watch."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from model_queue.commands.call import Call
from programs import InProcess, Programs
from waiting import eventually

TOOLS = "MODEL_SOURCE_LOCAL=x/alpha\nMODEL_SOURCE_HOSTED=y/gamma\nDEFAULT_MODEL_SOURCE=local\n"
SCRIPT = (
    "cat >/dev/null; echo line one; sleep $SLOW; echo line two; "
    "echo; echo Summary: counted; exit $CODE"
)
TOML = (
    '[sources.local]\nlauncher = "command"\nbackoff_s = [600]\n'
    f'command = ["env", "SLOW=0.4", "CODE=0", "sh", "-c", {json.dumps(SCRIPT)}]\n'
    '[sources.hosted]\nlauncher = "host"\n'
)


@pytest.fixture
def programs(tmp_path: Path) -> Iterator[InProcess]:
    programs = InProcess(home=tmp_path)
    programs.configure(TOOLS, TOML)
    yield programs
    wait_for_sessions(programs)


def wait_for_sessions(programs: Programs) -> None:
    def is_quiet() -> bool:
        tasks = programs.cli("list", "--json").objects("tasks")
        return not any(task["status"] == "running" for task in tasks)

    eventually(is_quiet, within_s=15)


@contextmanager
def started(programs: Programs, *words: str) -> Iterator[subprocess.Popen[str]]:
    script = str(programs.root / "scripts" / "model-queue")
    with subprocess.Popen(
        [script, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=programs.home,
        env=programs.surroundings(),
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def test_wait_prints_each_end_and_exits_0_when_all_are_done(
    programs: InProcess,
) -> None:
    programs.cli("intake", "1. count the files 2. list the invoices")

    waited = programs.cli("wait", "t1", "T-002", "--timeout", "15")

    assert waited.code == 0
    assert waited.out == (
        "✅ T-001 done: count the files — counted\n"
        "✅ T-002 done: list the invoices — counted\n"
    )


@pytest.mark.slow
def test_wait_exits_5_when_one_is_not_done(programs: InProcess) -> None:
    programs.cli("intake", "1. count the files 2. list the invoices")
    programs.cli("cancel", "T-002")

    waited = programs.cli("wait", "--all", "T-002", "--timeout", "15", "--json")

    assert waited.code == 5
    assert [task["status"] for task in waited.objects("tasks")] == ["cancelled", "done"]
    assert (
        waited.json["reply"] == 'Not done: T-002 cancelled. To see why: "explain T-002"'
    )


def test_wait_exits_6_when_the_time_is_over(programs: InProcess) -> None:
    programs.cli("intake", "use gamma to count the files")

    waited = programs.cli("wait", "T-001", "--timeout", "0.2")

    assert (waited.code, waited.err) == (6, "")
    assert waited.out == "The time is over and T-001 is not finished: T-001 pending\n"


@pytest.mark.slow
def test_wait_any_ends_with_the_first(programs: InProcess) -> None:
    programs.cli("intake", "1. count the files 2. use gamma to list the invoices")

    waited = programs.cli("wait", "--all", "--any", "--timeout", "15")

    assert (waited.code, waited.out) == (
        0,
        "✅ T-001 done: count the files — counted\n",
    )


@pytest.mark.slow
def test_wait_starts_what_becomes_due_meanwhile(programs: InProcess) -> None:
    programs.cli("intake", "count the files in 1 second")

    assert programs.cli("wait", "T-001", "--timeout", "15").code == 0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["wait"], "wait needs a task, like T-003, or --all"),
        (["wait", "T-009"], "T-009"),
        (
            ["logs", "T-001", "--attempt", "7"],
            "T-001 has no attempt 7; it has none yet",
        ),
        (["status", "--watch"], "--watch draws on a terminal, and this is none"),
    ],
)
def test_wrong_use_is_one_sentence(
    programs: InProcess, words: list[str], told: str
) -> None:
    programs.cli("intake", "use gamma to count the files")

    refused = programs.cli(*words)

    assert refused.code in {3, 5}
    assert told in refused.err
    assert refused.out == ""


def test_events_are_the_newest_oldest_first(programs: InProcess) -> None:
    programs.cli("intake", "use gamma to count the files")
    programs.cli("cancel", "T-001")

    shown = programs.cli("events", "--task", "t1", "-n", "1")
    listed = programs.cli("events", "--source", "hosted", "--json").objects("events")

    assert shown.out.count("\n") == 1
    assert " hosted T-001 cancel pending -> cancelled" in shown.out
    assert [event["event"] for event in listed] == ["submit", "cancel"]


@pytest.mark.slow
def test_events_follow_prints_what_happens_while_it_looks(programs: InProcess) -> None:
    programs.cli("intake", "use gamma to count the files")
    with started(programs, "events", "--follow", "--json") as process:
        assert process.stdout is not None
        first = json.loads(process.stdout.readline())
        programs.cli("cancel", "T-001")

        seen = [first["event"]]
        while "cancel" not in seen:
            seen.append(json.loads(process.stdout.readline())["event"])

    assert seen[-1] == "cancel"
    assert seen.count("submit") == 1


@pytest.mark.slow
def test_logs_show_the_output_and_the_events(programs: InProcess) -> None:
    programs.cli("intake", "count the files")
    programs.cli("wait", "T-001", "--timeout", "15")

    shown = programs.cli("logs", "T-001").out

    assert shown.startswith("T-001, attempt 1: mq-t-001-a1-")
    assert "--- stdout\nline one\nline two\n" in shown
    assert "local T-001 succeed running -> done" in shown


def test_logs_of_a_task_that_never_ran_say_so(programs: InProcess) -> None:
    programs.cli("intake", "use gamma to count the files")

    assert programs.cli("logs", "T-001").out.startswith(
        "T-001 has not been started yet, so that no session has printed anything.\n"
    )


@pytest.mark.slow
def test_logs_follow_until_the_session_has_ended(programs: InProcess) -> None:
    programs.cli("intake", "count the files")

    followed = Programs.cli(programs, "logs", "T-001", "--follow")

    assert followed.code == 0
    lines = followed.out.splitlines()
    assert lines[0].startswith("T-001, attempt 1: ")
    printed = [line for line in lines[1:-1] if line and not line.startswith("--- ")]
    assert printed == ["line one", "line two", "Summary: counted"]
    assert sum(" local T-001 succeed running -> done" in line for line in lines) == 1
    assert lines[-1] == "✅ T-001 done: count the files — counted"


@pytest.mark.slow
def test_logs_follow_the_next_attempt_and_say_which_it_is(tmp_path: Path) -> None:
    programs = InProcess(home=tmp_path)
    toml = TOML.replace("[600]", "[0]").replace("CODE=0", "CODE=1")
    programs.configure(TOOLS, toml)
    programs.cli("add", "count the files", "--retries", "1")
    with started(programs, "logs", "T-001", "--follow") as process:
        eventually(lambda: status_of(programs) in {"pending", "failed"}, within_s=15)
        programs.cli("tick")
        out, _ = process.communicate(timeout=15)

    lines = out.splitlines()
    heads = [n for n, line in enumerate(lines) if line.startswith("T-001, attempt ")]
    assert process.returncode == 5
    assert [lines[n].partition(":")[0] for n in heads] == [
        "T-001, attempt 1",
        "T-001, attempt 2",
    ]
    assert lines[heads[1] :].count("line one") == lines[: heads[1]].count("line one")
    assert lines[-1].startswith("❌ T-001 failed: count the files — ")


def test_logs_follow_ends_where_a_person_is_needed(programs: InProcess) -> None:
    programs.cli("intake", "use gamma to count the files, then list them")
    programs.cli("cancel", "T-001")
    programs.cli("tick")
    assert programs.cli("show", "T-002", "--json").code == 0

    followed = programs.cli("logs", "T-002", "--follow")

    assert followed.code == 5
    assert followed.out.splitlines()[-1].startswith("🚫 T-002 blocked: ")


def test_logs_follow_of_an_attempt_that_is_over_ends_at_once(
    programs: InProcess,
) -> None:
    programs.cli("intake", "count the files")
    programs.cli("wait", "T-001", "--timeout", "15")

    followed = programs.cli("logs", "T-001", "--follow", "--attempt", "1", "-n", "2")

    assert followed.code == 0
    assert followed.out.splitlines()[1:] == ["", "Summary: counted"]


def status_of(programs: Programs, task_id: str = "T-001") -> object:
    task = programs.cli("show", task_id, "--json").json["task"]
    assert isinstance(task, dict)
    return task["status"]


def test_wait_runs_no_pass_after_the_other(
    programs: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs.cli("intake", "use gamma to count the files")
    (programs.queues / ".state" / "due").write_text("1000.000\n")
    passes: list[Call] = []
    monkeypatch.setattr(Call, "run_pass", lambda call, _: passes.append(call))

    waited = programs.cli("wait", "T-001", "--timeout", "1.5")

    # One to begin with, and one for the moment that it cannot move.
    assert (waited.code, len(passes)) == (6, 2)


@pytest.mark.slow
def test_watch_draws_the_table_again_on_a_terminal(programs: InProcess) -> None:
    programs.cli("intake", "use gamma to count the files")
    script = str(programs.root / "scripts" / "model-queue")
    leader, follower = pty.openpty()
    environment = programs.surroundings(TERM="xterm", COLUMNS="44")
    process = subprocess.Popen(
        [script, "status", "--watch", "0.2"],
        stdin=follower,
        stdout=follower,
        stderr=follower,
        cwd=programs.home,
        env=environment,
    )
    os.close(follower)
    seen = b""
    while seen.count(b"\x1b[H\x1b[2J") < 3:
        seen += os.read(leader, 4096)
    process.send_signal(signal.SIGINT)
    code = process.wait(timeout=10)
    os.close(leader)

    picture = seen.split(b"\x1b[H\x1b[2J")[1].decode().replace("\r\n", "\n")
    assert code == 130
    assert "\x1b[1m📊 Queue Status\x1b[0m\n" in picture
    assert "T-001 ⏳ pending: count the files" in picture
