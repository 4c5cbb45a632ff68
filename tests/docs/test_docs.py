"""Every command, hook, setting and error is documented; what is shown exists."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from model_queue import errors
from model_queue.cli import COMMANDS

ROOT = Path(__file__).parents[2]
NAMES = [command.name for command in COMMANDS]
PAGES = ("README.md", "SKILL.md")
HOOKS = sorted(path.name for path in (ROOT / "hooks").glob("on-*"))


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def code_in(page: str) -> Iterator[str]:
    """Yield each line of the page's shell blocks."""
    for block in re.findall(
        r"^ *```sh\n(.*?)^ *```", text_of(page), re.DOTALL | re.MULTILINE
    ):
        yield from block.splitlines()


def all_errors(
    kind: type[errors.ModelQueueError],
) -> Iterator[type[errors.ModelQueueError]]:
    yield kind
    for each in kind.__subclasses__():
        yield from all_errors(each)


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("name", NAMES)
def test_every_command_is_documented(name: str, page: str) -> None:
    assert re.search(rf"model-queue {name}\b", text_of(page))


@pytest.mark.parametrize("page", PAGES)
def test_every_command_that_is_shown_exists(page: str) -> None:
    shown = {
        word
        for line in code_in(page)
        for word in re.findall(r"model-queue ([a-z]+)", line.partition("#")[0])
    }

    assert shown - set(NAMES) == set()


def test_every_make_target_that_is_shown_exists() -> None:
    shown = {
        word
        for line in code_in("README.md")
        if line.startswith("make ")
        for word in line.partition("#")[0].split()[1:]
        if "=" not in word
    }

    targets = set(re.findall(r"^([a-z]+):", text_of("Makefile"), re.MULTILINE))
    assert shown
    assert shown - targets == set()


@pytest.mark.parametrize("hook", HOOKS)
def test_every_hook_is_documented(hook: str) -> None:
    assert f"`hooks/{hook}`" in text_of("references/hooks.md")


@pytest.mark.parametrize(
    "code", sorted({kind.code for kind in all_errors(errors.ModelQueueError)})
)
def test_every_error_code_is_documented(code: str) -> None:
    assert f"`{code}`" in text_of("references/hooks.md")


@pytest.mark.parametrize("page", [*PAGES, "CHANGELOG.md"])
def test_every_file_that_is_named_is_there(page: str) -> None:
    named = re.findall(
        r"`((?:references|scripts|hooks|schemas)/[\w./-]*)`", text_of(page)
    )

    assert [path for path in named if not (ROOT / path).exists()] == []


def test_generated_pages_are_fresh() -> None:
    spec = importlib.util.spec_from_file_location(
        "write_docs", ROOT / "scripts" / "write_docs.py"
    )
    assert spec is not None
    assert spec.loader is not None
    write_docs = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(write_docs)

    stale = [
        path.name
        for path, text in write_docs.pages().items()
        if path.read_text(encoding="utf-8") != text
    ]

    assert stale == [], "run make docs"


def test_makefile_installs_the_tools_that_pyproject_names() -> None:
    group = re.search(
        r"^dev = \[\n(.*?)^\]", text_of("pyproject.toml"), re.DOTALL | re.MULTILINE
    )
    assert group is not None
    wanted = {
        re.split(r"[>=\[]", name)[0] for name in re.findall(r'"([^"]+)"', group[1])
    }

    pinned = re.findall(
        r"^([\w.-]+)(?:\[\w+\])?==", text_of("requirements-dev.txt"), re.MULTILINE
    )
    assert {name.lower() for name in wanted} - {
        name.lower() for name in pinned
    } == set()
