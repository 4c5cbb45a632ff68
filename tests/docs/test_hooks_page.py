"""references/hooks.md says what the hooks do, and nothing else."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from chat import SCHEMAS, validator
from model_queue.error_table import error_table
from model_queue.hooks import CHECKPOINT_FLAGS
from model_queue.hosts import RUNTIMES
from model_queue.model import JsonObject
from programs import ROOT, Programs

PAGE = (ROOT / "references" / "hooks.md").read_text(encoding="utf-8")
HOOKS = ("on-intake", "on-heartbeat", "on-subagent-exit", "on-checkpoint")
LINES = [
    (hook, line)
    for hook in HOOKS
    for section in re.findall(
        rf"^## {hook}\n(.*?)(?=^## )", PAGE, re.DOTALL | re.MULTILINE
    )
    for block in re.findall(r"^```json\n(.*?)^```", section, re.DOTALL | re.MULTILINE)
    for line in block.splitlines()
]


def members(schema: str) -> set[str]:
    text = (SCHEMAS / "hooks" / schema).read_text(encoding="utf-8")
    found = json.loads(text)
    assert isinstance(found, dict)
    return set(found["properties"])


def test_table_of_error_codes_is_the_one_of_the_classes() -> None:
    assert f"<!-- generated: error codes -->\n{error_table()}<!-- end -->" in PAGE


@pytest.mark.parametrize(("hook", "line"), LINES)
def test_example_is_one_that_its_schema_allows(hook: str, line: str) -> None:
    wire = json.loads(line)
    way = "output" if "ok" in wire else "input"

    validator(f"hooks/{hook}.{way}.schema.json").validate(wire)


@pytest.mark.parametrize("hook", HOOKS)
@pytest.mark.parametrize("way", ["input", "output"])
def test_every_member_is_documented(hook: str, way: str) -> None:
    missing = [n for n in members(f"{hook}.{way}.schema.json") if f"`{n}`" not in PAGE]

    assert missing == []


def test_every_common_member_is_documented() -> None:
    text = (SCHEMAS / "hooks" / "common.schema.json").read_text(encoding="utf-8")
    parts = json.loads(text)["$defs"]
    names = {*parts["input"]["properties"], *parts["output"]["properties"]}

    assert [name for name in names if f"`{name}`" not in PAGE] == []


def test_every_flag_and_runtime_is_documented() -> None:
    flags = [flag for flag in CHECKPOINT_FLAGS if f"`{flag}`" not in PAGE]

    assert flags == []
    assert f"`--runtime {'|'.join(RUNTIMES)}`" in PAGE


def test_first_example_is_what_the_hook_answers(tmp_path: Path) -> None:
    [block] = re.findall(
        r"^```\n(MODEL_SOURCE_.*?)^```",
        (ROOT / "README.md").read_text(encoding="utf-8"),
        re.DOTALL | re.MULTILINE,
    )
    given, documented = [json.loads(line) for hook, line in LINES if hook == HOOKS[0]]
    programs = Programs(home=tmp_path)
    programs.configure(block)

    answered = programs.hook("on-intake", **given).json

    assert comparable(answered) == comparable(documented)


def comparable(answer: JsonObject) -> str:
    """The answer as text, its random ids numbered, its prompts cut."""
    text = json.dumps(answer, ensure_ascii=False, sort_keys=True)
    text = re.sub(r'("prompt": "[^\\"]*\\n)[^"]*"', r'\1…"', text)
    uuids = dict.fromkeys(re.findall(r'"uuid": "([^"]+)"', text))
    for number, uuid in enumerate(uuids):
        text = text.replace(uuid, f"uuid-{number}").replace(uuid[:8], f"hex-{number}")
    return text
