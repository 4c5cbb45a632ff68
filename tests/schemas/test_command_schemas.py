"""The commands' schemas accept and refuse their examples."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from chat import SCHEMAS, validator

NAMES = sorted(path.name for path in (SCHEMAS / "commands").glob("*.schema.json"))
EXAMPLES = sorted((SCHEMAS / "examples" / "commands").glob("*.json"))


def command_of(path: Path) -> str:
    return path.name.partition(".")[0]


def is_valid(path: Path) -> bool:
    return path.name.split(".")[1].startswith("valid")


@pytest.mark.parametrize("name", NAMES)
def test_schema_is_one_and_has_examples_of_both_kinds(name: str) -> None:
    schema = json.loads((SCHEMAS / "commands" / name).read_text(encoding="utf-8"))

    Draft202012Validator.check_schema(schema)

    found = [path for path in EXAMPLES if command_of(path) == name.partition(".")[0]]
    assert {is_valid(path) for path in found} == {True, False}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_schema_accepts_valid_examples_and_refuses_invalid_ones(path: Path) -> None:
    wire = json.loads(path.read_text(encoding="utf-8"))

    schema = validator(f"commands/{command_of(path)}.schema.json")

    assert schema.is_valid(wire) == is_valid(path)
