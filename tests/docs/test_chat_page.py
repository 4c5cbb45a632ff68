"""What references/chat.md says that one can say is understood so."""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path

import pytest

from model_queue.intake import Catalog, Parsed, parse
from model_queue.intake.answers import read

PAGE = (Path(__file__).parents[2] / "references" / "chat.md").read_text("utf-8")
CATALOG = Catalog(
    sources={
        "ollama-local": ("ollama/qwen2.5",),
        "cloud-nvidia": ("nvidia/z-ai/glm5",),
    },
    aliases={"ollama-local": ("local", "本地"), "cloud-nvidia": ("云端",)},
    default="ollama-local",
)
NOW = dt.datetime(2026, 3, 4, 16, 51, tzinfo=dt.UTC)
CHOICES = ["ollama/qwen2.5", "ollama/mistral", "nvidia/z-ai/glm5"]


def understood(message: str, *, is_ambient: bool = False) -> Parsed:
    scope = "ambient" if is_ambient else "addressed"
    return parse(message, catalog=CATALOG, scope=scope, now=NOW, zone=dt.UTC)  # type: ignore[arg-type] # one of the two


def rows(begin: str, end: str) -> list[list[str]]:
    """Return the cells of a table, its head left out."""
    part = PAGE[PAGE.index(begin) : PAGE.index(end)]
    lines = [line for line in part.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


COMMANDS = [
    (cell.strip("`"), row[2])
    for row in rows("<!-- checked: commands -->", "<!-- end -->")
    for cell in row[:2]
]
WORK = [row[0].strip("`") for row in rows("## Work", "A model is named")]


@pytest.mark.parametrize(("message", "verb"), COMMANDS)
def test_a_command_is_understood(message: str, verb: str) -> None:
    [command] = understood(message).commands

    assert command.verb == verb


@pytest.mark.parametrize(
    ("message", "verb"), [pair for pair in COMMANDS if "T-003" in pair[0]]
)
def test_a_command_with_an_id_is_taken_in_any_chat(message: str, verb: str) -> None:
    [command] = understood(message, is_ambient=True).commands

    assert (command.verb, command.ids) == (verb, ("T-003",))


@pytest.mark.parametrize("message", WORK)
def test_work_is_understood(message: str) -> None:
    assert understood(message).mode == "intake"


def test_the_attributes_of_work() -> None:
    tasks = {message: understood(message).tasks for message in WORK}

    counts = [len(tasks[message]) for message in WORK]
    assert counts == [1, 2, 2, 2, 1, 1, 1, 3, 1, 2, 1, 1]
    assert tasks[WORK[1]][1].depends_on == (0,)
    assert tasks[WORK[3]][1].on_depends_fail == "skip"
    assert tasks[WORK[4]][0].depends_on == ("T-002",)
    assert tasks[WORK[5]][0].priority == 10
    assert tasks[WORK[6]][0].not_before == NOW.replace(day=5, hour=9, minute=0)
    assert [t.depends_on for t in tasks[WORK[7]]] == [(), (0,), (1,)]
    assert (tasks[WORK[8]][0].model, tasks[WORK[8]][0].priority) == (
        "nvidia/z-ai/glm5",
        10,
    )
    assert tasks[WORK[9]][1].depends_on == (0,)
    assert tasks[WORK[10]][0].budget_usd == 2
    assert tasks[WORK[11]][0].goal == "they pay"


def test_the_answers_are_understood() -> None:
    part = PAGE[PAGE.index("The next message of that chat") : PAGE.index("Then what")]
    said = re.findall(r"`([^`]+)`", part)

    assert said
    assert [answer for answer in said if read(answer, CHOICES) is None] == []


def test_a_typing_error_beside_an_id_is_forgiven() -> None:
    [command] = understood("cancle T-003").commands

    assert (command.verb, command.ids) == ("cancel", ("T-003",))
