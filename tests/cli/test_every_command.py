"""Every command: a help of a few lines, answers that validate, a sentence for wrong use."""

from __future__ import annotations

import json
import shlex
import shutil
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import jsonschema
import pytest
from referencing.jsonschema import DRAFT202012, EMPTY_REGISTRY

from chat import SCHEMAS, validator
from model_queue.cli import COMMANDS, build_parser
from model_queue.commands.call import Command
from programs import InProcess, Ran

TOOLS = (
    "MODEL_SOURCE_HOSTED=x/alpha,x/beta\nMODEL_SOURCE_SPARE=y/gamma\n"
    "DEFAULT_MODEL_SOURCE=hosted\n"
)
TOML = "".join(f'[sources.{name}]\nlauncher = "host"\n' for name in ("hosted", "spare"))
OWN_SCHEMAS = {"doctor", "explain", "init"}
FORMS = {
    "add": "intake",
    "wait": "list",
    "attach": "attach",
    "complete": "reported",
    "fail": "reported",
    **dict.fromkeys(
        (
            *("retry", "rerun", "cancel", "skip", "pause", "resume"),
            *("unblock", "priority", "clear", "undo", "edit"),
        ),
        "acted",
    ),
}
"""The definition of a command's answer, where its name is another."""
WITHOUT_JSON = {"demo"}
"""Shows its work as it goes, and answers with its exit code."""
LONGEST_HELP = 40
EACH = pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A queue directory: T-001 runs, T-002 waits in line, T-003 is done, T-004 failed."""
    programs = InProcess(home=tmp_path_factory.mktemp("prepared"))
    programs.configure(TOOLS, TOML)
    programs.cli("intake", "1. count the files 2. list the invoices")
    programs.cli("add", "draft a letter", "--source", "spare")
    programs.cli("tick", "--actions")
    programs.cli("complete", "T-003", "--summary", "drafted")
    programs.cli("add", "draft a reminder", "--source", "spare", "--retries", "0")
    programs.cli("tick", "--actions")
    programs.cli("fail", "T-004", "--error", "no paper")
    statuses = {
        t["id"]: t["status"] for t in programs.cli("list", "--json").objects("tasks")
    }
    assert statuses == {
        "T-001": "running",
        "T-002": "pending",
        "T-003": "done",
        "T-004": "failed",
    }
    return programs.queues


@pytest.fixture
def programs(tmp_path: Path, prepared: Path) -> InProcess:
    """Programs on a copy of the prepared queue directory."""
    programs = InProcess(home=tmp_path)
    programs.configure(TOOLS, TOML)
    shutil.copytree(prepared, programs.queues)
    return programs


@cache
def schema_of(name: str) -> jsonschema.Draft202012Validator:
    if name in OWN_SCHEMAS:
        return validator(f"commands/{name}.schema.json")
    form = FORMS.get(name, name)
    base = json.loads((SCHEMAS / "commands/answers.schema.json").read_text("utf-8"))
    part = {"$ref": f"{base['$id']}#/$defs/{form}"}
    found = [
        json.loads(path.read_text(encoding="utf-8"))
        for path in SCHEMAS.rglob("*.schema.json")
    ]
    registry = EMPTY_REGISTRY.with_resources(
        [(each["$id"], DRAFT202012.create_resource(each)) for each in found]
    )
    return jsonschema.Draft202012Validator(part, registry=registry)


@EACH
def test_help_is_a_few_lines_with_an_example_that_is_understood(
    command: Command, tmp_path: Path
) -> None:
    programs = InProcess(home=tmp_path)
    shown = programs.cli(command.name, "--help")
    example = shlex.split(command.example.partition(" > ")[0])

    assert example[:2] == ["model-queue", command.name]
    assert build_parser().parse_args(example[1:]).run is command.run
    lines = shown.out.splitlines()
    assert shown.code == 0
    assert len(lines) <= LONGEST_HELP
    assert f"  {command.example}" in lines


WORKS: Mapping[str, list[list[str]]] = {
    "intake": [
        ["use beta to count the files"],
        ["show status"],
        ["cancel T-002"],
        ["which model?"],
    ],
    "parse": [
        ["use beta to count, then sort"],
        ["cancel T-002"],
        ["thanks"],
        ["--explain", "use beta to count, then sort"],
    ],
    "add": [["sort the files", "--priority", "high", "--at", "2h"]],
    "status": [[], ["hosted"]],
    "list": [[], ["--status", "failed", "--limit", "1"], ["--dead"]],
    "show": [["T-001"], ["t4"], ["4"]],
    "result": [["T-003"]],
    "logs": [["T-001"], ["T-002"]],
    "explain": [["T-002"], ["4"]],
    "events": [["-n", "3"], ["--task", "T-001"]],
    "wait": [["T-003"]],
    "retry": [["T-004"]],
    "rerun": [["T-003"]],
    "cancel": [["T-001", "T-002"], ["--all", "--yes"]],
    "skip": [["T-002"]],
    "pause": [["T-002"], ["hosted"]],
    "resume": [["hosted"]],
    "unblock": [],
    "priority": [["T-002", "high"]],
    "clear": [[], ["hosted"]],
    "undo": [[]],
    "archive": [[], ["--days", "0"]],
    "tick": [[], ["--actions"]],
    "edit": [["T-002", "--text", "list the open invoices"]],
    "attach": [["T-001", "session-7"]],
    "complete": [["T-001", "--summary", "counted"]],
    "fail": [["T-001", "--error", "no files"]],
    "checkpoint": [["--task", "T-001", "--percent", "40"]],
    "init": [[]],
    "doctor": [["--offline"]],
}
"""Calls that are carried out, or refused as a chat would be."""


def test_every_command_is_tried() -> None:
    assert set(WORKS) == {command.name for command in COMMANDS} - WITHOUT_JSON


@pytest.mark.parametrize(
    ("name", "words"),
    [(name, words) for name, calls in WORKS.items() for words in calls],
)
def test_json_is_one_object_that_its_schema_allows(
    name: str, words: list[str], programs: InProcess
) -> None:
    answered = programs.cli(name, *words, "--json")

    assert answered.err == ""
    assert answered.out.count("\n") == 1
    schema_of(name).validate(answered.json)
    assert answered.json["ok"] == (answered.code == 0)
    assert answered.code in {0, 5}


class Wrong(NamedTuple):
    """One kind of wrong use."""

    words: list[str]
    code: int
    told: str
    """Part of the sentence."""


WRONG: Mapping[str, Wrong] = {
    "no command of that name": Wrong(["cancle", "T-001"], 3, "cancel"),
    "no word where one is needed": Wrong(["show"], 3, "show"),
    "no task for a command": Wrong(["cancel"], 3, "cancel needs a task, like T-003"),
    "no text": Wrong(["add", " "], 3, "text"),
    "an unknown flag": Wrong(["status", "--colour"], 3, "--colour"),
    "a flag without its value": Wrong(["list", "--limit"], 3, "--limit"),
    "a value that is no number": Wrong(["list", "--limit", "many"], 3, "many"),
    "a value that is none of the allowed": Wrong(["list", "--status", "odd"], 3, "odd"),
    "no task of that id": Wrong(["show", "T-099"], 5, "T-099"),
    "what is no id": Wrong(["show", "tea"], 3, "tea"),
    "a range that runs backwards": Wrong(["cancel", "T-4..T-2"], 3, "backwards"),
    "no source of that name": Wrong(["status", "hostel"], 4, "hostel"),
    "no model of that name": Wrong(["add", "x", "--model", "delta"], 4, "delta"),
    "no dependency of that id": Wrong(["add", "x", "--depends-on", "T-88"], 5, "T-088"),
    "a time that is none": Wrong(["add", "x", "--at", "soonish"], 3, "soonish"),
    "a status that does not allow it": Wrong(["retry", "T-001"], 5, "T-001"),
    "an edit of what runs": Wrong(["edit", "T-001", "--text", "y"], 5, "T-001"),
    "an edit without a field": Wrong(["edit", "T-002"], 3, "edit"),
    "no report": Wrong(["result", "T-002"], 5, "T-002"),
    "a report of an older attempt": Wrong(
        ["complete", "T-001", "--label", "mq-t-001-a9-00000000", "--summary", "x"],
        6,
        "T-001",
    ),
    "a file that is not there": Wrong(
        ["complete", "T-001", "--result-file", "nowhere.md"], 3, "nowhere.md"
    ),
    "nothing to restore": Wrong(["doctor", "--restore", "hosted"], 5, "hosted"),
}


@pytest.mark.parametrize("kind", WRONG)
def test_wrong_use_is_told_in_a_sentence(kind: str, programs: InProcess) -> None:
    words, code, told = WRONG[kind]

    refused = programs.cli(*words)
    in_json = programs.cli(*words, "--json")

    said = refused.err or refused.out
    assert refused.code == in_json.code == code
    assert told in said
    assert_is_a_sentence(said)
    assert in_json.err == ""
    error = in_json.json["error"]
    assert isinstance(error, dict)
    assert told in f"{error['message']} {error['hint']} {in_json.json['reply']}"


def assert_is_a_sentence(said: str) -> None:
    assert "Traceback" not in said
    assert "usage:" not in said
    first = said.splitlines()[0]
    assert 10 < len(first) < 300


def without_sources(programs: InProcess) -> None:
    programs.configure("MODEL_QUEUE_STORE=files\n")
    for path in programs.queues.glob("*.json"):
        path.unlink()
    (programs.queues / ".state" / "counter").unlink(missing_ok=True)


def with_a_bad_setting(programs: InProcess) -> None:
    programs.configure(TOOLS + "MODEL_QUEUE_MAX_RETRIES=many\n", TOML)


def with_a_broken_queue(programs: InProcess) -> None:
    (programs.queues / "hosted.json").write_text("{", encoding="utf-8")


SCENES: Mapping[str, tuple[Callable[[InProcess], None], list[str], int, str]] = {
    "no source at all": (without_sources, ["intake", "count"], 4, "MODEL_SOURCE_"),
    "a setting that is wrong": (with_a_bad_setting, ["intake", "count"], 4, "many"),
    "a task in a broken queue": (with_a_broken_queue, ["show", "T-001"], 7, "hosted"),
}


@pytest.mark.parametrize("scene", SCENES)
def test_a_wrong_place_is_told_in_a_sentence(scene: str, programs: InProcess) -> None:
    prepare, words, code, told = SCENES[scene]
    prepare(programs)

    refused = programs.cli(*words)

    assert refused.code == code
    assert told in refused.err
    assert_is_a_sentence(refused.err)


@pytest.mark.parametrize("name", ["intake", "add", "tick"])
def test_inside_a_session_nothing_is_started(name: str, programs: InProcess) -> None:
    words = [] if name == "tick" else ["count the files"]

    refused = programs.cli(name, *words, MODEL_QUEUE_WORKER="1")

    assert refused.code == 5
    assert "MODEL_QUEUE_WORKER" in refused.err


def test_the_overview_names_every_command(programs: InProcess) -> None:
    shown = programs.cli()

    assert shown.code == 0
    assert all(f"  {command.name} " in shown.out for command in COMMANDS)


def test_an_unforeseen_fault_is_told_without_a_traceback(
    programs: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> Ran:
        message = "boom"
        raise RuntimeError(message)

    monkeypatch.setattr("model_queue.control.status_text", fail)

    broken = programs.cli("status")

    assert broken.code == 1
    assert "Traceback" not in broken.err
