"""Live sessions whose folder, queue directory or source goes: never two, never a stranger's."""

from __future__ import annotations

import json
import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from model_queue import processes
from model_queue.model import JsonObject
from programs import Programs
from waiting import eventually

pytestmark = pytest.mark.slow

SESSION = """\
for earlier in $(cat {home}/starts 2>/dev/null); do
    # A zombie has ended; only its parent has not looked yet.
    case "$(cut -d' ' -f3 /proc/$earlier/stat 2>/dev/null)" in
        '' | [ZX]*) ;;
        *) echo $earlier >> {home}/overlaps ;;
    esac
done
echo $$ >> {home}/starts
{body}
"""
DEAF = "trap '' TERM HUP; until [ -e {home}/go ]; do sleep 0.05; done; echo the report"
TOML = """
[sources.here]
launcher = "command"
command = ["sh", "{home}/session", "{session_dir}"]
backoff_s = [0.1]
"""


@pytest.fixture
def programs(tmp_path: Path) -> Iterator[Programs]:
    programs = Programs(tmp_path)
    toml = TOML.replace("{home}", str(tmp_path))
    programs.configure("MODEL_SOURCE_HERE=x/y", toml)
    let_sessions(programs, DEAF)
    yield programs
    for pid in started(programs):
        if not is_gone(pid):
            os.killpg(pid, signal.SIGKILL)
    programs.cli("cancel", "T-001")
    (tmp_path / "go").touch()
    eventually(lambda: all(is_gone(pid) for pid in started(programs)))


def let_sessions(programs: Programs, body: str) -> None:
    text = SESSION.replace("{body}", body).replace("{home}", str(programs.home))
    (programs.home / "session").write_text(text)


def started(programs: Programs) -> list[int]:
    path = programs.home / "starts"
    return [int(line) for line in path.read_text().split()] if path.exists() else []


def begin(programs: Programs) -> int:
    """Let a task start; return the pid of its session."""
    programs.cli("intake", "count the rows of a.csv")
    [pid] = eventually(lambda: started(programs))
    return pid


def is_gone(pid: int) -> bool:
    found = processes.find_process(pid)
    return found is None or found.is_dead


def task(programs: Programs) -> JsonObject:
    shown = programs.cli("show", "T-001", "--json").json["task"]
    assert isinstance(shown, dict)
    return shown


def rename_source(programs: Programs) -> None:
    for name in ("TOOLS.md", "task-queue.toml"):
        path = programs.home / name
        text = path.read_text().replace("SOURCE_HERE", "SOURCE_THERE")
        path.write_text(text.replace("sources.here", "sources.there"))


def put_older_copy(programs: Programs, newer: Path) -> None:
    """Put the queues back as they were before their only task was started."""
    shutil.copytree(newer, programs.queues, ignore=shutil.ignore_patterns("sessions"))
    path = programs.queues / "here.json"
    queue = json.loads(path.read_text())
    for name in ("claim", "subagent_session", "started_at"):
        queue["tasks"][0][name] = None
    queue["tasks"][0] |= {"status": "pending", "attempt": 0}
    path.write_text(json.dumps(queue))


@pytest.mark.parametrize("removed", ["sessions", "sessions/*"])
def test_a_session_whose_folder_is_removed_is_ended_before_its_task_runs_again(
    programs: Programs, removed: str
) -> None:
    first = begin(programs)
    [folder] = programs.queues.glob(removed)
    shutil.rmtree(folder)

    programs.cli("tick")

    eventually(lambda: len(started(programs)) == 2)
    assert is_gone(first)
    assert not (programs.home / "overlaps").exists()
    assert (task(programs)["losses"], task(programs)["attempt"]) == (1, 2)


def test_a_session_that_removes_its_own_folder_is_lost_five_times_at_most(
    programs: Programs,
) -> None:
    let_sessions(programs, 'rm -rf "$1"; sleep 60')
    programs.cli("intake", "count the rows of a.csv")

    def has_failed() -> bool:
        programs.cli("tick")
        return task(programs)["status"] == "failed"

    eventually(has_failed)

    assert (task(programs)["losses"], len(started(programs))) == (5, 5)
    assert not (programs.home / "overlaps").exists()
    assert all(is_gone(pid) for pid in started(programs))


def test_a_pass_over_a_copy_of_the_queues_leaves_the_originals_sessions_alone(
    programs: Programs,
) -> None:
    pid = begin(programs)
    copy = programs.home / "copy"
    eventually(lambda: list(programs.queues.glob("sessions/*/heartbeat")))
    shutil.copytree(programs.queues, copy)
    let_sessions(programs, "exit 0")

    programs.cli("tick", MODEL_QUEUES_DIR=str(copy))

    assert not is_gone(pid)
    (programs.home / "go").touch()
    eventually(lambda: task(programs)["status"] == "done")
    assert task(programs)["result"] == "the report"


def test_an_older_copy_put_in_place_gets_no_word_of_the_session_from_before(
    programs: Programs,
) -> None:
    first = begin(programs)
    [label] = [path.name for path in programs.queues.glob("sessions/*")]
    before = programs.home / "before"
    programs.queues.rename(before)
    put_older_copy(programs, before)

    programs.cli("tick")

    second = eventually(lambda: started(programs)[1:])[0]
    assert is_gone(first)
    assert not (programs.home / "overlaps").exists()
    supervisor = json.loads((before / "sessions" / label / "process.json").read_text())
    eventually(lambda: is_gone(supervisor["supervisor"]["pid"]))
    assert not (programs.queues / "sessions" / label / "outcome.json").exists()
    assert (task(programs)["attempt"], is_gone(second)) == (1, False)


def test_an_outcome_that_a_session_writes_itself_is_none(programs: Programs) -> None:
    said = '{"result_status": "success", "result": "early"}'
    let_sessions(programs, f"echo '{said}' > \"$1/outcome.json\"; {DEAF}")
    pid = begin(programs)
    eventually(lambda: list(programs.queues.glob("sessions/*/outcome.json")))

    programs.cli("tick")

    assert (task(programs)["status"], is_gone(pid)) == ("running", False)
    (programs.home / "go").touch()
    eventually(lambda: task(programs)["status"] == "done")
    assert task(programs)["result"] == "the report"


def test_a_directory_under_the_outcomes_name_keeps_no_outcome_away(
    programs: Programs,
) -> None:
    let_sessions(programs, 'mkdir "$1/outcome.json"; echo the report')
    begin(programs)

    eventually(lambda: task(programs)["status"] == "done")

    assert (task(programs)["result"], task(programs)["attempt"]) == ("the report", 1)


def test_cancel_ends_a_session_whose_source_was_renamed(programs: Programs) -> None:
    pid = begin(programs)
    let_sessions(programs, "exit 0")
    rename_source(programs)

    programs.cli("cancel", "T-001")

    eventually(lambda: is_gone(pid))

    def is_free() -> bool:
        programs.cli("tick")
        return task(programs).get("claim") is None

    eventually(is_free)
    assert task(programs)["status"] == "cancelled"


def test_the_report_of_a_session_whose_source_was_renamed_is_taken(
    programs: Programs,
) -> None:
    begin(programs)
    rename_source(programs)
    (programs.home / "go").touch()

    eventually(lambda: task(programs)["status"] == "done")

    assert task(programs)["result"] == "the report"
