"""Which of several ``NAME=value`` settings of one name counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from model_queue.config.checks import Findings, Given, source_name
from model_queue.config.lines import has_prefix, setting_lines

DEFAULTS: Mapping[str, str] = MappingProxyType(
    {
        "MODEL_QUEUES_DIR": "~/.openclaw/model-queues/",
        "MODEL_QUEUE_MAX_RETRIES": "3",
        "MODEL_QUEUE_ARCHIVE_DAYS": "7",
        "MODEL_QUEUE_STORE": "files",
        "MODEL_QUEUE_WAKER": "on",
        "MODEL_QUEUE_TOML": "~/.config/clawde/task-queue.toml",
        "MODEL_QUEUE_TOOLS_MD": "",
        "DEFAULT_MODEL_SOURCE": "",
    }
)
"""Every setting that has one name, with its value when nobody gives one."""
SOURCE_PREFIX = "MODEL_SOURCE_"
NAMES = (*DEFAULTS, f"{SOURCE_PREFIX}<NAME>")
"""Every name that a person may set."""
RUNTIME_NAMES = (
    "MODEL_QUEUE_WORKER",
    "MODEL_QUEUE_TASK",
    "MODEL_QUEUE_LABEL",
    "MODEL_QUEUE_SESSION",
)
"""What a session's environment carries. Source: SPEC 6."""
_NOT_FROM_A_PROJECT = ("MODEL_QUEUES_DIR", "MODEL_QUEUE_STORE", "MODEL_QUEUE_TOML")
"""They would move the data, or name the file that names commands and endpoints."""
_NOT_FROM_A_FILE = ("MODEL_QUEUE_TOOLS_MD",)
"""It says which file is read, so the file comes too late to say it."""
_MAX_NAME = 64
"""Longest name of a source: it becomes a file name."""


class ConfigText(NamedTuple):
    """One configuration file that was found and read."""

    path: str
    text: str
    trusted: bool = True
    """False when it was found through the current directory: a repository is not its
    user. Source: SPEC 1."""


class Layers:
    """The settings that count.

    Attributes:
        settings: by name, one of ``DEFAULTS``; never an empty value.
        sources: model lists by the source's one spelling, as written, maybe wrong.
        ignored: settings that their file may not make.
    """

    def __init__(self) -> None:
        self.settings: dict[str, Given] = {}
        self.sources: dict[str, Given] = {}
        self.ignored: list[Given] = []


def read_layers(
    *,
    flags: Mapping[str, str],
    environment: Mapping[str, str],
    tools: Sequence[ConfigText],
    findings: Findings,
) -> Layers:
    """Return for each name the value from the most important place that has one.

    Flags, environment, trusted files, other files; unknown names are reported.
    """
    layers = Layers()
    for origin, values in (("flag", flags), ("environment", environment)):
        ours = {
            name: value
            for name, value in values.items()
            if _is_ours(name) and value.strip()
        }
        _add(layers, ours, origin, findings)
    for text in sorted(tools, key=lambda text: not text.trusted):
        lines = setting_lines(text.text)
        _note_repeated(lines, text.path, findings)
        last = dict(lines)
        _add(layers, last, text.path, findings, is_file=True, trusted=text.trusted)
    return layers


def _is_ours(name: str) -> bool:
    return has_prefix(name) or name in DEFAULTS


def _note_repeated(
    lines: Sequence[tuple[str, str]], path: str, findings: Findings
) -> None:
    last = dict(lines)
    for name in dict.fromkeys(name for name, value in lines if value != last[name]):
        findings.note(
            "repeated_setting",
            f"{name} stands in {path} with different values; the last one counts",
        )


def _add(
    layers: Layers,
    values: Mapping[str, str],
    origin: str,
    findings: Findings,
    *,
    is_file: bool = False,
    trusted: bool = True,
) -> None:
    """Take the settings of one place that no more important place has."""
    for name, value in values.items():
        given = Given(name, value.strip(), origin, trusted)
        source = _source_of(name)
        if source:
            if source not in layers.sources or not layers.sources[source].value:
                layers.sources[source] = given
        elif name in RUNTIME_NAMES:
            continue
        elif name not in DEFAULTS:
            findings.unknown("unknown_setting", name=name, origin=origin, known=NAMES)
        elif (is_file and name in _NOT_FROM_A_FILE) or (
            not trusted and name in _NOT_FROM_A_PROJECT
        ):
            layers.ignored.append(given)
        elif given.value:
            layers.settings.setdefault(name, given)


def _source_of(name: str) -> str:
    """Return the source that a ``MODEL_SOURCE_…`` name configures; empty if none."""
    if not name.startswith(SOURCE_PREFIX) or not name.isascii():
        return ""
    source = source_name(name.removeprefix(SOURCE_PREFIX))
    is_name = source.replace("-", "").isalnum() and len(source) <= _MAX_NAME
    return source if is_name else ""
