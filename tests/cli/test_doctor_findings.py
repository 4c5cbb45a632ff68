"""What doctor finds in the queue directory, beside the settings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from programs import InProcess, Programs

TOOLS = "MODEL_SOURCE_HOSTED=agent/big\nDEFAULT_MODEL_SOURCE=hosted\n"
TOML = '[sources.hosted]\nlauncher = "host"\n'


@pytest.fixture
def mq(tmp_path: Path) -> Programs:
    programs = InProcess(home=tmp_path)
    programs.configure(TOOLS, TOML)
    programs.cli("intake", "add task: write the will")
    return programs


def codes(mq: Programs) -> list[object]:
    return [
        problem["code"] for problem in mq.cli("doctor", "--json").objects("problems")
    ]


def test_doctor_finds_nothing_where_all_is_well(mq: Programs) -> None:
    assert codes(mq) == []


def test_doctor_names_a_task_that_an_edit_took_out(mq: Programs) -> None:
    """An older text of the file, saved by an editor that had it open."""
    path = mq.queues / "hosted.json"
    queue = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(queue | {"tasks": []}), encoding="utf-8")

    [problem] = mq.cli("doctor", "--json").objects("problems")

    assert problem["code"] == "task_taken_out"
    assert "T-001 was added to hosted" in str(problem["text"])


def test_doctor_names_a_notifier_that_is_not_there(mq: Programs) -> None:
    mq.configure(TOOLS, f'{TOML}[notify]\ncommand = ["no-such-notifier"]\n')

    assert codes(mq) == ["notifier_missing"]


def test_doctor_names_a_disk_that_is_full(
    mq: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("model_queue.folder.Folder.has_room", lambda _: False)

    assert codes(mq) == ["disk_full"]
