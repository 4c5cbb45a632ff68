"""Why each task is as it is, as ``parse --explain`` tells it."""

from __future__ import annotations

import pytest

from intake_samples import CATALOG, MONDAY_EVENING
from model_queue.intake import parse
from model_queue.intake.values import Scope, Why


def reasons(
    message: str, scope: Scope = "addressed"
) -> list[dict[str, tuple[str, str]]]:
    """Return for each task of a message what was read, by what it decided."""
    zone = MONDAY_EVENING.tzinfo
    assert zone
    parsed = parse(
        message,
        catalog=CATALOG,
        scope=scope,
        now=MONDAY_EVENING,
        zone=zone,
        explains=True,
    )
    return [{w.what: (w.how, w.phrase) for w in task.why} for task in parsed.tasks]


@pytest.mark.parametrize(
    ("message", "splits"),
    [
        ("Count the files", [("message", "")]),
        (
            "1. count the files\n2) list them",
            [("item", "1."), ("item", "2)")],
        ),
        ("- a poem\n- a song", [("item", "-"), ("item", "-")]),
        (
            "Count the files and then list them",
            [("message", ""), ("link", "and then")],
        ),
        ("写诗，另外写歌", [("message", ""), ("link", "另外")]),
        ("tasks:\nwrite a\nwrite b", [("line", ""), ("line", "")]),
        ("Two things: write a; write b", [("clause", ""), ("clause", "")]),
        ("Print it → pack it", [("message", ""), ("arrow", "→")]),
        (
            "Print it, pack it after that",
            [("message", ""), ("behind", "pack it after that")],
        ),
        (
            "让 glm5 写诗，让 qwen2.5 写歌",
            [("message", ""), ("turn", "")],
        ),
    ],
)
def test_where_it_was_split(message: str, splits: list[tuple[str, str]]) -> None:
    assert [each["split"] for each in reasons(message)] == splits


@pytest.mark.parametrize(
    ("message", "model"),
    [
        ("Count the files", ("default", "")),
        ("Use glm5 to count the files", ("phrase", "Use glm5")),
        ("Count the files (glm5)", ("phrase", "glm5")),
        ("All on nvidia:\n- count a\n- count b", ("heading", "nvidia")),
        ("Glm5 for the first:\n- count a\n- count b", ("position", "Glm5")),
        ("报告用 glm5 总结", ("phrase", "glm5")),
    ],
)
def test_what_chose_the_model(message: str, model: tuple[str, str]) -> None:
    assert reasons(message)[0]["model"] == model


@pytest.mark.parametrize(
    ("message", "dependency"),
    [
        ("Count a, then list b", ("phrase", "then")),
        ("In this order:\n- a list\n- a song", ("order", "In this order")),
        ("Step 1: count a\nStep 2: sort b", ("order", "Step 2:")),
        ("1. a\n2. b\n3. merge all the results", ("phrase", "merge all the results")),
        ("1. a\n2. after T-003, list b", ("phrase", "after T-003")),
    ],
)
def test_what_made_the_dependency(message: str, dependency: tuple[str, str]) -> None:
    assert reasons(message)[-1]["depends_on"] == dependency


def test_every_attribute_has_its_words() -> None:
    (task,) = reasons(
        "add task: sort the mail tomorrow at 9am, high priority (even if T-004 fails)",
        "ambient",
    )

    assert task["trigger"] == ("phrase", "add task")
    assert task["not_before"] == ("phrase", "tomorrow at 9am")
    assert task["priority"] == ("phrase", "high priority")
    assert task["on_depends_fail"] == ("phrase", "even if T-004 fails")


def test_nothing_is_explained_unasked() -> None:
    zone = MONDAY_EVENING.tzinfo
    assert zone

    parsed = parse("count a", catalog=CATALOG, now=MONDAY_EVENING, zone=zone)

    assert parsed.tasks[0].why == ()
    assert Why("split", "item", "1.").phrase == "1."
