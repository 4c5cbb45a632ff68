"""The doctor's words: each problem has a remedy, in both languages, with the same facts."""

from __future__ import annotations

import string
from pathlib import Path

import pytest

from model_queue.messages import checkup_texts as texts
from model_queue.messages import checkups
from model_queue.messages.texts import Text
from model_queue.messages.wording import language_of
from model_queue.probing import Trouble
from model_queue.settings import Problem, Setting

LIB = Path(checkups.__file__).parents[1]


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("table", [texts.PROBLEMS, texts.HINTS], ids=["text", "hint"])
def test_both_languages_hold_the_same_facts(table: dict[str, Text]) -> None:
    differing = [code for code, (en, zh) in table.items() if fields(en) != fields(zh)]

    assert differing == []
    assert [code for code, (en, _) in table.items() if language_of(en) != "en"] == []


def test_every_problem_has_a_remedy() -> None:
    assert [code for code in texts.PROBLEMS if code not in texts.HINTS] == []


def test_every_trouble_of_a_server_has_its_words() -> None:
    ours = {f"server_{trouble.value}" for trouble in Trouble} - {"server_key"}

    assert ours - set(texts.PROBLEMS) == set()


def test_every_problem_is_told_by_somebody() -> None:
    source = "".join(
        path.read_text(encoding="utf-8") for path in (LIB / "commands").glob("*.py")
    )

    told = {code for code in texts.PROBLEMS if f'"{code}"' in source}
    assert {code for code in texts.PROBLEMS if code not in told} == {
        f"server_{trouble.value}"
        for trouble in Trouble
        if f'"server_{trouble.value}"' not in source and trouble is not Trouble.KEY
    }


def test_hint_stands_below_its_problem_line_by_line() -> None:
    found = Problem(code="x", text="it is broken", hint="Mend it.\nOr not.", fatal=True)
    shown = checkups.Page(settings=[], sources=[], queues=[])

    lines = checkups.page(shown, [found], lang="en").splitlines()

    assert lines[-3:] == ["  error: it is broken", "    Mend it.", "    Or not."]


def test_settings_are_grouped_by_origin_with_the_defaults_last() -> None:
    settings = [
        Setting("sources.a.slots", "running", "default"),
        Setting("sources.b.slots", "running", "default"),
        Setting("sources.a.lease_s", "120", "default"),
        Setting("sources.b.lease_s", "60", "/t.toml"),
        Setting("MODEL_QUEUE_WAKER", "", "environment"),
    ]
    shown = checkups.Page(settings=settings, sources=[], queues=[])

    lines = checkups.page(shown, [], lang="en").splitlines()

    assert lines == [
        "Settings",
        "  /t.toml:",
        "    sources.b.lease_s  60",
        "  environment:",
        "    MODEL_QUEUE_WAKER  -",
        "  default:",
        "    sources.*.slots    running",
        "    sources.a.lease_s  120",
        "",
        "Sources",
        "  none",
        "",
        "Queues",
        "",
        "No problem found.",
    ]


def test_long_list_is_counted() -> None:
    names = [f"n{number}" for number in range(8)]

    assert checkups.some_of(names, lang="en") == "n0, n1, n2, n3, n4 and 3 more"
    assert checkups.some_of(names[:5], lang="zh") == "n0, n1, n2, n3, n4"
