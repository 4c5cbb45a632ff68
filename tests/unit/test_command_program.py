"""Launcher ``command``: the command line, and the supervisor's small parts."""

from __future__ import annotations

import datetime as dt
import json
import os
from collections.abc import Callable
from errno import EIO, ENOSPC
from pathlib import Path

import pytest

from contract.launcher_contract import a_launch
from fakes import START
from model_queue import supervisor
from model_queue.errors import StaleTask
from model_queue.launchers import command_reading
from model_queue.launchers.capped_file import CappedFile
from model_queue.launchers.command import CommandProgram, fill_in
from model_queue.launchers.finished import Finished, SessionPlan
from model_queue.launchers.outcomes import (
    decode_outcome,
    encode_outcome,
    read_outcome,
)
from model_queue.launchers.session_files import OUTCOME
from model_queue.model import ErrorClass, Outcome
from model_queue.settings import SourceSettings


@pytest.mark.parametrize(
    ("word", "filled"),
    [
        pytest.param("{model}", "qwen2.5", id="alone"),
        pytest.param("--out={session_dir}/out", "--out=/s/out", id="inside"),
        pytest.param("{task_id}{label}", "T-001mq", id="side by side"),
        pytest.param("{unknown} {}", "{unknown} {}", id="unknown stays"),
        pytest.param("{'a': 1}", "{'a': 1}", id="JSON stays"),
        pytest.param("{ model }", "{ model }", id="blanks are no name"),
        pytest.param("a{model", "a{model", id="never closed"),
        pytest.param("{{model}}", "{qwen2.5}", id="doubled"),
        pytest.param("", "", id="empty"),
    ],
)
def test_known_words_in_braces_are_filled_in(word: str, filled: str) -> None:
    values = {
        "model": "qwen2.5",
        "session_dir": "/s",
        "task_id": "T-001",
        "label": "mq",
    }

    assert fill_in(word, values) == filled


def test_what_was_filled_in_is_not_filled_in_again() -> None:
    assert fill_in("{model}", {"model": "{label}", "label": "x"}) == "{label}"


def test_command_gets_the_runtimes_model_name(tmp_path: Path) -> None:
    source = SourceSettings(
        name="ollama-local",
        models=("ollama/qwen2.5",),
        launcher="command",
        command=("run", "{model}", "{prompt_file}"),
        model_names={"ollama/qwen2.5": "qwen2.5:7b"},
    )

    argv = CommandProgram().argv(source, a_launch(tmp_path), "/sessions/mq")

    assert argv == ["run", "qwen2.5:7b", "/sessions/mq/prompt.md"]


FULL = Outcome(
    result_status="failed",
    result="数",
    summary="s",
    error_class=ErrorClass.QUOTA,
    error_message="m",
    until=dt.datetime(2026, 3, 4, 16, 51, 0, 250_000, tzinfo=dt.UTC),
    model="qwen2.5",
    session_id="abc",
    spent={"usd": 0.5, "tokens": 12, "tool_calls": {"bash": 2}, "wall_clock_s": 1.5},
)


@pytest.mark.parametrize(
    "outcome", [FULL, Outcome(result_status="success")], ids=["full", "least"]
)
def test_outcome_survives_its_file(outcome: Outcome) -> None:
    assert decode_outcome(encode_outcome(outcome)) == outcome


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "{}", '{"result_status": "x", "error_class": "none"}'],
)
def test_a_file_that_is_no_outcome_is_none(tmp_path: Path, text: str) -> None:
    (tmp_path / OUTCOME).write_text(text)

    assert read_outcome(str(tmp_path)) is None


def capped(tmp_path: Path, *pieces: bytes) -> tuple[bytes, int]:
    file = CappedFile(str(tmp_path / "stdout"), limit=100)
    for piece in pieces:
        file.write(piece)
    file.close()
    return (tmp_path / "stdout").read_bytes(), file.dropped


def test_output_up_to_the_limit_is_kept_as_it_is(tmp_path: Path) -> None:
    text = bytes(range(100))

    assert capped(tmp_path, text[:60], text[60:90], text[90:]) == (text, 0)


def test_output_above_the_limit_loses_its_middle(tmp_path: Path) -> None:
    text, dropped = capped(tmp_path, b"h" * 75 + b"m", b"m" * 9, b"t" * 25)

    note = b"\n[model-queue: 10 bytes of output were dropped here]\n"
    assert text == b"h" * 75 + note + b"t" * 25
    assert dropped == 10


def test_beginning_is_on_disk_while_the_session_runs(tmp_path: Path) -> None:
    file = CappedFile(str(tmp_path / "stdout"))

    file.write(b"so far")

    assert (tmp_path / "stdout").read_bytes() == b"so far"
    file.close()


def test_a_full_disk_loses_no_output(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = CappedFile(str(tmp_path / "stdout"))

    with monkeypatch.context() as disk:
        disk.setattr("model_queue.launchers.capped_file.os.write", refuse(ENOSPC))
        file.write(b"the beginning, ")
        with pytest.raises(OSError, match="No space left"):
            file.close()
    file.close()

    assert (tmp_path / "stdout").read_bytes() == b"the beginning, "
    assert (file.dropped, file.fault) == (0, "")


def test_a_disk_that_fails_loses_output_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = CappedFile(str(tmp_path / "stdout"))

    monkeypatch.setattr("model_queue.launchers.capped_file.os.write", refuse(EIO))
    file.write(b"x" * 10)
    file.write(b"y" * 10)
    file.close()

    assert file.dropped == 20
    assert "Input/output error" in file.fault


def refuse(number: int) -> Callable[[int, bytes], int]:
    def write(_descriptor: int, _data: bytes) -> int:
        raise OSError(number, os.strerror(number))

    return write


def a_plan() -> SessionPlan:
    return SessionPlan(
        label="mq-t-001-a1-00000001",
        task_id="T-001",
        queue="ollama-local",
        attempt=1,
        model="ollama/qwen2.5",
        runtime_model="qwen2.5",
        program="command",
        argv=["cat"],
        reads_prompt=True,
        cwd="/",
        timeout_s=60,
        grace_s=5,
        config_cwd="/",
        started_at="2026-03-04T16:51:00+00:00",
        facts={},
    )


@pytest.mark.parametrize(
    ("code", "stdout", "stderr", "error_class", "message"),
    [
        pytest.param(
            3, "so far", "oops", ErrorClass.TRANSIENT, "oops", id="failing exit"
        ),
        pytest.param(
            1, "oops", "", ErrorClass.TRANSIENT, "oops", id="said on stdout instead"
        ),
        pytest.param(
            1,
            "",
            "model 'x' not found, try pulling it first",
            ErrorClass.MODEL_NOT_FOUND,
            "try pulling it",
            id="names its reason",
        ),
        pytest.param(-9, "", "", ErrorClass.TRANSIENT, "9", id="killed from outside"),
        pytest.param(0, " \n", "", ErrorClass.INVALID_REPORT, "empty", id="silent"),
        pytest.param(
            0,
            "No such table.\nStatus: failed",
            "",
            ErrorClass.REPORTED,
            "No such table",
            id="says itself that it failed",
        ),
    ],
)
def test_a_session_that_failed_says_why(
    tmp_path: Path,
    *,
    code: int,
    stdout: str,
    stderr: str,
    error_class: ErrorClass,
    message: str,
) -> None:
    (tmp_path / "stdout").write_text(stdout)
    (tmp_path / "stderr").write_text(stderr)

    outcome = command_reading.read(
        Finished(a_plan(), str(tmp_path), code, duration_s=1.5, ended_at=START)
    )

    assert outcome.result_status == "failed"
    assert outcome.error_class is error_class
    assert message in (outcome.error_message or "")
    assert outcome.spent == {"wall_clock_s": 1.5}


@pytest.mark.parametrize(
    ("stdout", "status"),
    [
        pytest.param("Six percent more.", "success", id="no status"),
        pytest.param("Half of it.\nStatus: partial", "partial", id="partial"),
    ],
)
def test_a_session_that_exits_well_has_its_report_as_result(
    tmp_path: Path, stdout: str, status: str
) -> None:
    (tmp_path / "stdout").write_text(stdout)

    outcome = command_reading.read(
        Finished(a_plan(), str(tmp_path), 0, duration_s=1.5, ended_at=START)
    )

    assert outcome.result_status == status
    assert outcome.result == stdout
    assert outcome.error_class is None


def test_plan_survives_its_file() -> None:
    plan = a_plan()._replace(facts={"a": [1, None, "数"]})

    assert SessionPlan.from_json(json.dumps(plan._asdict())) == plan


def test_after_the_end_a_conflict_is_tried_again() -> None:
    asked: list[str] = []

    def complete(plan: SessionPlan) -> None:
        asked.append(plan.label)
        if len(asked) == 1:
            raise StaleTask(ref="T-001")

    supervisor.finish(a_plan(), complete)

    assert asked == ["mq-t-001-a1-00000001"] * 2


def test_after_the_end_a_fault_is_logged_and_not_raised(
    capfd: pytest.CaptureFixture[str],
) -> None:
    def complete(plan: SessionPlan) -> None:
        raise RuntimeError(plan.label)

    supervisor.finish(a_plan(), complete)

    assert "RuntimeError: mq-t-001-a1-00000001" in capfd.readouterr().err


def test_a_supervisor_without_the_lock_refuses(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "lock").touch()

    code = supervisor.main([str(tmp_path)])

    assert code == 1
    assert "the lock was not handed over" in capfd.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["lock"]
