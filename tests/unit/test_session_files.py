"""What a damaged file in the folder of one session means: as much as none."""

from __future__ import annotations

import datetime as dt
import json
import os
from pathlib import Path

import pytest

from model_queue import detached, processes
from model_queue.launchers import orphans
from model_queue.launchers.command import CommandProgram
from model_queue.launchers.outcomes import encode_outcome, read_outcome
from model_queue.launchers.supervised import SupervisedLauncher
from model_queue.model import ErrorClass, Outcome
from model_queue.ports import SessionState, SystemClock
from model_queue.settings import SourceSettings

LABEL = "mq-t-001-a1-00000001"
NO_OBJECT = ["", "[]", "null", '"x"', "1e999", "{", "[" * 100_000, '{"a":' * 100_000]
NO_RECORD = [
    *NO_OBJECT,
    "{}",
    *(
        json.dumps({"session": session})
        for session in (
            None,
            "x",
            5,
            [1],
            {"pid": 1},
            {"pid": 0, "group": 0, "session": 0, "started": "1", "boot": "b"},
            {"pid": 1, "group": 1, "session": 1, "started": "1", "boot": "b"},
            {"pid": -7, "group": -7, "session": 7, "started": "1", "boot": "b"},
            {"pid": True, "group": 70, "session": 7, "started": "1", "boot": "b"},
            {"pid": "70", "group": 70, "session": 7, "started": "1", "boot": "b"},
            {"pid": 70, "group": 70, "session": 7, "started": 1, "boot": "b"},
            {"pid": 70, "group": 70, "session": 7, "started": "1", "boot": None},
        )
    ),
]
NO_OUTCOME = [
    *NO_OBJECT,
    "{}",
    '{"result_status": "splendid"}',
    '{"result_status": 5}',
    '{"result_status": ["success"]}',
    '{"result_status": "failed", "error_class": "no such class"}',
    '{"result_status": "failed", "error_class": 5}',
    '{"result_status": "failed", "until": "0001-01-01T00:00:00+14:00"}',
    '{"result_status": "failed", "until": "9999-12-31T23:59:59Z"}',
    '{"result_status": "failed", "until": "2026-03-04T16:51:00"}',
    '{"result_status": "failed", "until": 5}',
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / LABEL
    folder.mkdir()
    (folder / "session.json").write_text("{}")
    return folder


def a_launcher(folder: Path) -> SupervisedLauncher:
    return SupervisedLauncher(
        SourceSettings(name="here", models=("local/x",), launcher="command"),
        CommandProgram(),
        sessions_dir=str(folder.parent),
        config_cwd=str(folder),
        environment={},
        clock=SystemClock(),
    )


def short(text: object) -> str:
    return str(text)[:100]


@pytest.mark.parametrize("text", NO_RECORD, ids=short)
def test_a_damaged_record_of_a_process_names_nobody(folder: Path, text: str) -> None:
    (folder / "process.json").write_text(text)

    assert orphans.read_session_process(str(folder)) is None
    assert a_launcher(folder).find(LABEL).state is SessionState.ABSENT


def test_a_whole_record_of_a_process_is_read(folder: Path) -> None:
    own = processes.identify(os.getpid())
    assert own is not None
    record = {"supervisor": None, "session": own._asdict()}
    (folder / "process.json").write_text(json.dumps(record))

    assert orphans.read_session_process(str(folder)) == own


@pytest.mark.parametrize("text", NO_OUTCOME, ids=short)
def test_a_session_with_a_damaged_outcome_is_absent(folder: Path, text: str) -> None:
    (folder / "outcome.json").write_text(text)

    assert read_outcome(str(folder)) is None
    assert a_launcher(folder).find(LABEL).state is SessionState.ABSENT


def test_a_pipe_under_the_outcomes_name_is_no_outcome_and_not_waited_for(
    folder: Path,
) -> None:
    os.mkfifo(folder / "outcome.json")

    assert read_outcome(str(folder)) is None


def test_an_outcome_that_was_not_written_here_is_none(folder: Path) -> None:
    text = '{"result_status": "success", "result": "early"}'
    (folder / "outcome.json").write_text(text)

    assert read_outcome(str(folder)) is None


def test_a_session_with_a_damaged_outcome_lives_while_its_lock_is_held(
    folder: Path,
) -> None:
    (folder / "outcome.json").write_text("[]")
    lock = detached.try_lock(str(folder / "lock"))
    assert lock is not None

    found = a_launcher(folder).find(LABEL)
    a_launcher(folder).stop(LABEL, None)

    os.close(lock)
    assert found.state is SessionState.LIVE
    assert (folder / "stop").exists()


def test_a_written_outcome_is_read_back_the_same(folder: Path) -> None:
    outcome = Outcome(
        result_status="failed",
        error_class=ErrorClass.QUOTA,
        until=dt.datetime(2026, 3, 4, 16, 51, tzinfo=dt.UTC),
        spent={"usd": 0.5, "tokens": 7, "tool_calls": {"read": 2}},
    )
    (folder / "outcome.json").write_text(json.dumps(encode_outcome(outcome)))

    assert read_outcome(str(folder)) == outcome


def test_what_a_provider_said_never_makes_the_written_outcome_unreadable(
    folder: Path,
) -> None:
    outcome = Outcome(
        result_status="failed",
        until=dt.datetime.max.replace(tzinfo=dt.UTC),
        spent={"usd": float("nan"), "tokens": 10**400, "tool_calls": {"a": 1, "b": ""}},
    )
    (folder / "outcome.json").write_text(json.dumps(encode_outcome(outcome)))

    found = read_outcome(str(folder))

    assert found == Outcome(result_status="failed", spent={"tool_calls": {"a": 1}})
