"""The hooks' schemas accept and refuse their examples."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from chat import SCHEMAS, validator
from model_queue.model import JsonObject

HOOKS = ("on-intake", "on-heartbeat", "on-subagent-exit", "on-checkpoint")
NAMES = [f"{hook}.{way}" for hook in HOOKS for way in ("input", "output")]
EXAMPLES = sorted((SCHEMAS / "examples" / "hooks").glob("*.json"))


def read(path: Path) -> JsonObject:
    wire: JsonObject = json.loads(path.read_text(encoding="utf-8"))
    return wire


def schema_of(path: Path) -> Draft202012Validator:
    hook, way, _ = path.name.split(".", 2)
    return validator(f"hooks/{hook}.{way}.schema.json")


def is_valid(path: Path) -> bool:
    return path.name.split(".")[2].startswith("valid-")


@pytest.mark.parametrize("name", [*NAMES, "common"])
def test_schema_is_one(name: str) -> None:
    schema = read(SCHEMAS / "hooks" / f"{name}.schema.json")

    Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("name", NAMES)
def test_schema_has_examples_of_both_kinds(name: str) -> None:
    kinds = {is_valid(path) for path in EXAMPLES if path.name.startswith(f"{name}.")}

    assert kinds == {True, False}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_schema_accepts_valid_examples_and_refuses_invalid_ones(path: Path) -> None:
    assert schema_of(path).is_valid(read(path)) == is_valid(path)
