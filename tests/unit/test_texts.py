"""The texts as data: both languages, the same facts, none unused."""

from __future__ import annotations

import ast
import string
from pathlib import Path

from model_queue.messages import texts
from model_queue.messages.wording import language_of
from model_queue.model import DependencyPolicy, Status

LIB = Path(texts.__file__).parents[1]


def is_pair(value: object) -> bool:
    return isinstance(value, tuple) and len(value) == 2


def pairs() -> list[tuple[str, texts.Text]]:
    found: list[tuple[str, texts.Text]] = []
    for name, value in vars(texts).items():
        if name.isupper() and is_pair(value):
            found.append((name, value))
        if name.isupper() and isinstance(value, dict):
            found += [
                (f"{name}[{key}]", text) for key, text in value.items() if is_pair(text)
            ]
    return found


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_both_languages_hold_the_same_facts() -> None:
    differing = [name for name, text in pairs() if fields(text[0]) != fields(text[1])]

    assert differing == []


def test_the_first_is_english_and_has_no_ideographs() -> None:
    chinese = [name for name, text in pairs() if language_of(text[0]) != "en"]

    assert chinese == []


def test_every_status_has_a_marker_and_a_word() -> None:
    assert set(texts.MARKERS) == set(texts.STATUS_WORDS) == set(Status)


def test_every_policy_has_a_word() -> None:
    assert set(texts.POLICY_WORDS) == set(DependencyPolicy)


def test_no_text_is_unused() -> None:
    used: set[str] = set()
    for path in LIB.rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        if "texts" not in source and path.name != "texts.py":
            continue
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Attribute):
                used.add(node.attr)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                used.add(node.id)
            if isinstance(node, ast.alias):
                used.add(node.name)

    defined = {name for name in vars(texts) if name.isupper()}

    assert defined - used == set()
