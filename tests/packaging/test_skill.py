"""SKILL.md is what the hosts' skill loaders accept, and true."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

from model_queue import __version__, first_run

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "SKILL.md").read_text(encoding="utf-8")
KNOWN_FIELDS = {"name", "description", "license", "compatibility", "metadata"}


def _frontmatter() -> str:
    start, front, _ = TEXT.split("---\n", 2)
    assert start == ""
    return front


def test_frontmatter_has_only_the_fields_of_the_agent_skills_format() -> None:
    assert set(yaml.safe_load(_frontmatter())) <= KNOWN_FIELDS


def test_name_is_the_folder_that_skill_loaders_expect() -> None:
    assert yaml.safe_load(_frontmatter())["name"] == "model-queue"


def test_description_is_one_short_line_that_says_when() -> None:
    description = yaml.safe_load(_frontmatter())["description"]

    assert description.startswith("Use when")
    assert len(description) < 160
    assert "\n" not in description


def test_metadata_is_in_block_style() -> None:
    assert not re.search(r"[{}\[\]]", _frontmatter())


def test_version_is_the_package_version() -> None:
    assert yaml.safe_load(_frontmatter())["metadata"]["version"] == __version__


def test_skill_is_short_enough_to_be_read_whole() -> None:
    assert len(TEXT.splitlines()) < 200


def test_every_file_it_points_to_is_there() -> None:
    named = set(
        re.findall(r"`((?:references|scripts)/[\w.-]+)|`(TOOLS\.md\.example)", TEXT)
    )
    paths = {first or second for first, second in named}

    assert paths
    assert [path for path in sorted(paths) if not (ROOT / path).exists()] == []


def test_heartbeat_template_is_the_entry_that_the_first_run_writes() -> None:
    template = (ROOT / "HEARTBEAT.md.template").read_text(encoding="utf-8")

    assert template == first_run.heartbeat_entry("${MODEL_QUEUES_DIR}")
