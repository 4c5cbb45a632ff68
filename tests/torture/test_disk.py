"""Failing disks in short, and checks that see what they are there to see."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from model_queue.model import JsonObject
from programs import ROOT, Ran
from torture import disk
from torture.disk import SCENARIOS, Base, Case, Place

NOTHING: JsonObject = {"tasks": []}
FULL = {"code": "store", "message": "the disk is full", "hint": ""}


@pytest.mark.slow
def test_a_call_on_a_disk_that_fails_changes_all_or_nothing(tmp_path: Path) -> None:
    kinds = ["full", "read-only", "broken"]

    planned, violations = disk.run(tmp_path, kinds=kinds, every=83)

    assert violations == []
    assert {case.name for case in planned.cases} == SCENARIOS.keys()


def a_case(tmp_path: Path, picture: JsonObject) -> Case:
    """Return a case whose call must leave a picture."""
    place = Place.open(tmp_path / "home", ROOT)
    return Case("x", Base(place, disk.BEAT, picture, ["told"]), "full", 1)


def ran(code: int, answer: object, err: str = "") -> Ran:
    return Ran(code, json.dumps(answer), err)


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(ran(0, {}), id="it could do without"),
        pytest.param(ran(7, {"error": FULL}, "the disk is full"), id="one sentence"),
    ],
)
def test_a_clear_answer_is_no_violation(tmp_path: Path, answer: Ran) -> None:
    case = a_case(tmp_path, NOTHING)

    case.look_at(answer)

    assert case.violations == []


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        pytest.param(ran(1, {"error": FULL}), "exit 1", id="another code"),
        pytest.param(ran(7, {}), "no clear error", id="no error"),
        pytest.param(ran(7, {"error": FULL}, "Traceback"), "traceback", id="traceback"),
    ],
)
def test_an_answer_that_is_not_clear_is_a_violation(
    tmp_path: Path, answer: Ran, said: str
) -> None:
    case = a_case(tmp_path, NOTHING)

    case.look_at(answer)

    assert any(said in violation for violation in case.violations)


def test_what_stands_in_the_end_is_compared(tmp_path: Path) -> None:
    place = Place.open(tmp_path / "there", ROOT)
    (place.programs.home / ".x.tmp").touch()
    case = a_case(tmp_path, {**place.picture(), "tasks": ["another"]})

    case.compare(place, [ran(7, {}), ran(7, {"error": FULL})])

    whole = "\n".join(case.violations)
    assert whole.count("\n") == 3
    for said in (
        "again: ",
        "tasks: [], not",
        "told [], not ['told']",
        "left ['.x.tmp']",
    ):
        assert said in whole


def faulty(
    tmp_path: Path, kind: str, at: int, script: str
) -> subprocess.CompletedProcess[str]:
    """Run a script whose disk fails."""
    (tmp_path / "home").mkdir()
    (tmp_path / "script.py").write_text(f"import os\n{script}\n", encoding="utf-8")
    paths = [tmp_path / "home", tmp_path / "log"]
    argv = [
        *map(str, paths),
        kind,
        str(at),
        str(tmp_path / "script.py"),
        *map(str, paths),
    ]
    return subprocess.run(
        [sys.executable, "-I", "-S", disk.PROGRAM, *argv],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path / "home",
    )


WRITE = """
import sys
path = os.path.join(sys.argv[1], "f")
with open(path, "wb") as file:
    file.write(b"12345678")
os.replace(path, path + "2")
"""


def test_each_write_is_counted(tmp_path: Path) -> None:
    done = faulty(tmp_path, "full", 0, WRITE)

    assert (done.returncode, done.stderr) == (0, "")
    log = (tmp_path / "log").read_text("utf-8").splitlines()
    assert log == ["create f", "write file of 0 bytes", "replace f"]


def test_a_write_that_fails_leaves_half_of_its_bytes(tmp_path: Path) -> None:
    done = faulty(tmp_path, "full", 2, WRITE)

    assert "No space left" in done.stderr
    assert (tmp_path / "home" / "f").read_bytes()[:4] == b"1234"


def test_a_disk_that_hiccups_fails_once(tmp_path: Path) -> None:
    script = (
        f"try:\n    open(os.sys.argv[1] + '/g', 'w')\nexcept OSError: pass\n{WRITE}"
    )

    done = faulty(tmp_path, "hiccup", 1, script)

    assert (done.returncode, done.stderr) == (0, "")
