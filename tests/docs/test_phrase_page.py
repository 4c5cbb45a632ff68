"""The page of the phrases shows each table, and nothing that is not read."""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType

import pytest

from model_queue.intake.lexicon import Lexicon
from model_queue.intake.phrases import LANGUAGES, tables
from programs import ROOT


@pytest.fixture(scope="module")
def phrase_page() -> ModuleType:
    """The script that makes the page."""
    path = ROOT / "scripts" / "phrase_page.py"
    spec = importlib.util.spec_from_file_location("phrase_page", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["phrase_page"] = module
    spec.loader.exec_module(module)
    return module


def test_every_purpose_is_explained(phrase_page: ModuleType) -> None:
    used = {name for each in LANGUAGES for table in tables(each) for name in table}

    assert used == set(phrase_page.PURPOSES)
    assert set(phrase_page.NAMES) == set(LANGUAGES)


@pytest.mark.parametrize(
    ("phrase", "forms"),
    [
        ("then|next", ["then", "next"]),
        ("after that(?: is done)?(?=,)", ["after that"]),
        ("a|b=>(?:a|b) task(?:s)?", ["a task", "b task"]),
        ("after {id}", ["after t-003"]),
        (r"in \d{1,2} days[^.]{1,9}", ["in 3 days…"]),
    ],
)
def test_forms_of_a_phrase(
    phrase_page: ModuleType, phrase: str, forms: list[str]
) -> None:
    assert list(phrase_page.forms_of(phrase)) == forms


def test_a_shown_form_is_found(phrase_page: ModuleType) -> None:
    kinds = phrase_page._kinds("link", "en")  # noqa: SLF001 - what a row shows

    shown = dict(kinds)
    table = next(t for t in tables("en") if "link" in t)["link"]
    for kind, forms in shown.items():
        lexicon = Lexicon((kind, phrase) for phrase in table[kind])
        assert all(lexicon.at(f"{form}, x", 0) for form in forms), kind
        assert forms
