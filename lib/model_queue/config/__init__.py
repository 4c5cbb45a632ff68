"""TOOLS.md text, TOML and environment, read into one frozen ``Settings``.

Pure: texts and mappings come in. The top layer asks ``candidate_paths`` and
``toml_path`` where to look, reads what is there, and calls ``load``.
"""

from __future__ import annotations

from model_queue.config.checks import source_name
from model_queue.config.layers import NAMES, RUNTIME_NAMES, ConfigText
from model_queue.config.reading import (
    TOML_KEYS,
    candidate_paths,
    load,
    require_valid,
    toml_path,
)
from model_queue.settings import (
    LAUNCHERS,
    SLOT_POLICIES,
    Problem,
    Setting,
    Settings,
    SourceSettings,
)

__all__ = [
    "LAUNCHERS",
    "NAMES",
    "RUNTIME_NAMES",
    "SLOT_POLICIES",
    "TOML_KEYS",
    "ConfigText",
    "Problem",
    "Setting",
    "Settings",
    "SourceSettings",
    "candidate_paths",
    "load",
    "require_valid",
    "source_name",
    "toml_path",
]
