from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from model_queue.config import (
    NAMES,
    RUNTIME_NAMES,
    TOML_KEYS,
    ConfigText,
    load,
)
from model_queue.config.layers import DEFAULTS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "references" / "configuration.md").read_text(encoding="utf-8")
EXAMPLE = (ROOT / "TOOLS.md.example").read_text(encoding="utf-8")


def names_in(section: str) -> list[str]:
    """The names in the first column of the section's table."""
    [body] = re.findall(
        rf"^##+ {re.escape(section)}\n(.*?)(?=^##|\Z)", PAGE, re.DOTALL | re.MULTILINE
    )
    rows = re.findall(r"^\| (`[^|]+`) \|", body, re.MULTILINE)
    return [name for row in rows for name in re.findall(r"`([^`]+)`", row)]


def test_every_setting_is_documented_and_none_that_is_not_there() -> None:
    documented = names_in("Settings in TOOLS.md or the environment")

    assert sorted(documented) == sorted(NAMES)


@pytest.mark.parametrize(
    ("table", "section"),
    [
        ("sources", "`[sources.NAME]`"),
        ("queue", "`[queue]`"),
        ("retry_policy", "`[retry_policy]`"),
        ("notify", "`[notify]`"),
    ],
)
def test_every_key_of_the_toml_is_documented_and_none_that_is_not_there(
    table: str, section: str
) -> None:
    documented = names_in(section)

    assert sorted(documented) == sorted(TOML_KEYS[table])


def test_every_table_of_the_toml_is_documented() -> None:
    tables = re.findall(r"^### `\[([a-z_]+)", PAGE, re.MULTILINE)

    assert sorted(tables) == sorted(TOML_KEYS)


@pytest.mark.parametrize("name", RUNTIME_NAMES)
def test_what_a_session_finds_in_its_environment_is_documented(name: str) -> None:
    assert f"`{name}`" in PAGE


@pytest.mark.parametrize(
    ("name", "default"), [item for item in DEFAULTS.items() if item[1]]
)
def test_the_documented_default_is_the_one_in_force(name: str, default: str) -> None:
    assert re.search(rf"^\| `{name}` \| `{re.escape(default)}` \|", PAGE, re.MULTILINE)


def test_the_example_on_the_page_is_valid() -> None:
    [toml] = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)

    settings = load(
        environment={"NVIDIA_API_KEY": "x"},
        home="/home/ann",
        tools=[ConfigText("/t/TOOLS.md", EXAMPLE)],
        toml=ConfigText("/c/task-queue.toml", toml),
    )

    assert settings.problems == ()
    assert set(tomllib.loads(toml)["sources"]) < set(settings.sources)


def test_the_example_of_tools_md_configures_the_sources_of_the_seed() -> None:
    settings = load(
        environment={},
        home="/home/ann",
        tools=[ConfigText("/t/TOOLS.md", EXAMPLE)],
    )

    assert list(settings.sources) == ["ollama-local", "ollama-remote", "cloud-nvidia"]
    assert settings.default_source == "ollama-remote"
    assert [problem.code for problem in settings.problems] == ["shared_endpoint"]


def test_the_example_of_tools_md_names_every_setting_of_a_file() -> None:
    lines = [line.removeprefix("# ") for line in EXAMPLE.splitlines()]
    named = {line.partition("=")[0] for line in lines if "=" in line}

    assert set(DEFAULTS) - {"MODEL_QUEUE_TOOLS_MD"} <= named
