"""The texts as data: both languages, the same facts, none unused."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import string
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import cast

import pytest

from intake_samples import read
from model_queue import messages
from model_queue.intake import answers
from model_queue.messages import texts
from model_queue.messages.wording import language_of
from model_queue.model import DependencyPolicy, Status

LIB = Path(texts.__file__).parents[1]
MODULES = sorted(
    each.name
    for each in pkgutil.iter_modules(messages.__path__)
    if each.name.endswith("texts")
)
"""The data-only modules of messages/, found by their name."""

_CODE = re.compile(r"`[^`]*`")
NAMES = frozenset(
    (
        *"Model Queue Ollama API CLI GPU URL JSON TOML YAML HTTP UTC UTF MiB GiB KiB TLS".split(),  # noqa: SIM905 - reads as words
        *"TOOLS.md AGENTS.md HEARTBEAT.md task-queue.toml model-queue Python".split(),  # noqa: SIM905 - reads as words
    )
)
"""What keeps its spelling in a Chinese sentence."""


def is_pair(value: object) -> bool:
    return (
        isinstance(value, tuple)
        and len(value) == 2
        and all(isinstance(half, str) for half in value)
    )


def _pairs_in(name: str, value: object) -> Iterator[tuple[str, texts.Text]]:
    if is_pair(value):
        yield name, cast("texts.Text", value)
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _pairs_in(f"{name}[{key}]", inner)
    elif isinstance(value, tuple | list):
        for index, inner in enumerate(value):
            yield from _pairs_in(f"{name}[{index}]", inner)


@cache
def pairs() -> dict[str, texts.Text]:
    """Every pair of every module of texts, by where it stands."""
    found: dict[str, texts.Text] = {}
    for module in MODULES:
        data = vars(importlib.import_module(f"model_queue.messages.{module}"))
        for name, value in data.items():
            if name.isupper():
                found |= dict(_pairs_in(f"{module}.{name}", value))
    return found


ALIKE = {"nth": "n", "total": "n"}
"""The same number as a language counts: "3rd" and 第 3 位, "2 more" and 共 5 个."""


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def facts(text: str) -> set[str]:
    return {ALIKE.get(name, name) for name in fields(text)}


def bare(text: str) -> str:
    """A text without what is no sentence: code, paths, settings, fields, names."""
    text = re.sub(r"`[^`]*`|\{[^{}]*\}|\[[^\]]*\]|--[\w-]+", " ", text)
    text = re.sub(r"[\w.~$-]*[/_=][\w./~_=:$-]*|https?://", " ", text)
    return " ".join(word for word in text.split() if word not in NAMES)


def test_every_module_of_texts_is_looked_at() -> None:
    assert {"texts", "first_run_texts", "stored_texts"} <= set(MODULES)
    assert all(any(name.startswith(f"{m}.") for name in pairs()) for m in MODULES)


def test_both_languages_hold_the_same_facts() -> None:
    differing = [
        name for name, text in pairs().items() if facts(text[0]) != facts(text[1])
    ]

    assert differing == []


def test_neither_half_is_empty() -> None:
    empty = [name for name, text in pairs().items() if not all(text)]

    assert empty == ["texts.SPAN_JOINT"]


def test_the_first_is_english_and_has_no_ideographs() -> None:
    chinese = [name for name, text in pairs().items() if language_of(text[0]) != "en"]

    assert chinese == []


def test_the_second_is_chinese_where_it_has_words() -> None:
    """A form of fields, marks and units alone may do without."""
    english = [
        name
        for name, text in pairs().items()
        if re.search(r"[A-Za-z]{2}", bare(text[1]))
        and not re.search(r"[\u3000-\u9fff\uff00-\uff5e]", text[1])
    ]

    assert english == []


def test_no_english_sentence_stands_in_a_chinese_one() -> None:
    """Two words in a row, apart from names, commands and settings, are a sentence."""
    left = {
        name: found
        for name, text in pairs().items()
        if (found := re.findall(r"[A-Za-z]{2,} [A-Za-z]{2,}", bare(text[1])))
    }

    assert left == {}


_HALF_WIDTH = re.compile(r"[\u4e00-\u9fff][,;:!?()\"]|[,;!?()\"][\u4e00-\u9fff]")


def test_a_chinese_sentence_has_full_width_marks() -> None:
    """Half-width ones stand in code, between names and numbers only."""
    half = {
        name: found
        for name, text in pairs().items()
        if (found := _HALF_WIDTH.findall(_CODE.sub("", text[1])))
    }

    assert half == {}


def test_a_chinese_text_addresses_everybody_alike() -> None:
    assert [name for name, text in pairs().items() if "您" in text[1]] == []


def test_both_end_with_a_full_stop_or_neither() -> None:
    differing = [
        name
        for name, (english, chinese) in pairs().items()
        if english.endswith(".")
        and not english.endswith("...")
        and not chinese.endswith(("。", "……"))
        and not name.startswith("stored_texts")
    ]

    assert differing == []


_SAID = {
    "id": "T-003",
    "ids": "T-003 T-004",
    "first": "T-003",
    "parent": "T-001",
    "source": "ollama-local",
    "name": "ollama-remote",
    "value": "5",
}
_QUOTED = re.compile(r"“([^”]+)”|\"([^\"]+)\"")


def _advice() -> Iterator[tuple[str, str]]:
    """What the texts tell people to say: in quotation marks, with its fields filled."""
    for name, halves in pairs().items():
        for half in halves:
            for found in _QUOTED.finditer(_CODE.sub("", half)):
                said = found[1] or found[2]
                if fields(said) <= set(_SAID) and said != "{name}":
                    yield f"{name}: {said}", said.format(**_SAID)


@pytest.mark.parametrize("said", dict(_advice()).values(), ids=dict(_advice()))
def test_what_people_are_told_to_say_is_understood(said: str) -> None:
    """A command, a question about the queue, a job, an answer; else a time for a job."""
    if answers.read(said, ()) == answers.Said("yes"):
        return
    parsed = read(said)
    if parsed.topic:
        return

    if not parsed.commands and not parsed.tasks:
        joined = read(f"{said}整理邮件") if said[-1] > "z" else read(f"sort it {said}")
        assert [task.not_before is not None for task in joined.tasks] == [True]
        return
    assert parsed.mode in {"control", "status", "intake"}
    assert bool(parsed.commands) != bool(parsed.tasks)


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

    defined = {
        name
        for module in MODULES
        for name in vars(importlib.import_module(f"model_queue.messages.{module}"))
        if name.isupper()
    }

    assert defined - used == set()
