"""The lines of TOOLS.md that a machine's model server calls for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

from model_queue.config.endpoints import OLLAMA_DEFAULT
from model_queue.config.lines import setting_lines, split_list
from model_queue.settings import Settings

_PREFIX = "MODEL_SOURCE_"
_LOOPBACK = ("localhost", "127.", "::1")
_GENERAL = {
    "MODEL_QUEUES_DIR": "~/.openclaw/model-queues/",
    "MODEL_QUEUE_MAX_RETRIES": "3",
    "MODEL_QUEUE_ARCHIVE_DAYS": "7",
}
"""Source: seed 003 "Model Source Configuration"; the values are the defaults."""
_DEFAULT = "DEFAULT_MODEL_SOURCE"
_HEAD = "## Model Queue Configuration"
_SOURCES_HEAD = """\
# Model Source Mappings (REQUIRED)
# Format: MODEL_SOURCE_{NAME}=model1,model2,model3"""
_DEFAULT_HEAD = "# Default model source when not specified (optional)"


class Clash(NamedTuple):
    """A line that is there, and says something else than the one proposed."""

    name: str
    there: str
    wanted: str


class Proposal(NamedTuple):
    """What to add to TOOLS.md, and beside it to task-queue.toml."""

    source: str
    values: Mapping[str, str]
    """By setting, in the order of the block."""
    toml: str = ""
    """Lines of task-queue.toml, "" when none are needed."""


def propose(endpoint: str, models: Sequence[str], settings: Settings) -> Proposal:
    """Return the settings for an Ollama and its models, in the server's order.

    Settings that are made anywhere are left as they are; the default source is only
    set where there is no other.
    """
    source = _name_for(endpoint, settings)
    values = {
        name: value
        for name, value in _GENERAL.items()
        if settings.origin_of(name) == "default"
    }
    wanted = [f"ollama/{model.removesuffix(':latest')}" for model in models]
    values[variable_of(source)] = ",".join(wanted)
    if settings.default_source is None and not settings.sources:
        values[_DEFAULT] = source
    key = f"sources.{source}.endpoint"
    is_told = settings.origin_of(key) not in {"default", "environment"}
    toml = f'[sources.{source}]\nendpoint = "{endpoint}"\n'
    needs_toml = endpoint != OLLAMA_DEFAULT and not is_told
    return Proposal(source, values, toml if needs_toml else "")


def variable_of(source: str) -> str:
    """Return the setting that gives a source its models.

    >>> variable_of("ollama-local")
    'MODEL_SOURCE_OLLAMA_LOCAL'
    """
    return _PREFIX + source.replace("-", "_").upper()


def _name_for(endpoint: str, settings: Settings) -> str:
    """Return the source that stands for this server already, or a new one's name."""
    for source in settings.sources.values():
        if source.launcher == "openai" and source.endpoint == endpoint:
            return source.name
    host = urlsplit(endpoint).hostname or ""
    return "ollama-local" if host.startswith(_LOOPBACK) else "ollama-remote"


def block(values: Mapping[str, str]) -> str:
    """Return settings in the form of the seed's block, "" for none."""
    general = [f"{name}={values[name]}" for name in _GENERAL if name in values]
    sources = [f"{n}={value}" for n, value in values.items() if n.startswith(_PREFIX)]
    groups = [_HEAD, "\n".join(general)]
    if sources:
        groups.append("\n".join([_SOURCES_HEAD, *sources]))
    if _DEFAULT in values:
        groups.append(f"{_DEFAULT_HEAD}\n{_DEFAULT}={values[_DEFAULT]}")
    return "\n\n".join(filter(None, groups)) + "\n" if values else ""


def missing_in(text: str, values: Mapping[str, str]) -> dict[str, str]:
    """Return the settings that a text does not make, whatever it says of the others."""
    there = dict(setting_lines(text))
    return {name: value for name, value in values.items() if name not in there}


def clash_in(text: str, values: Mapping[str, str]) -> Clash | None:
    """Return a source of the text whose models are others than those proposed."""
    there = dict(setting_lines(text))
    for name, wanted in values.items():
        seen = there.get(name)
        is_source = seen is not None and name.startswith(_PREFIX)
        if is_source and split_list(seen or "") != split_list(wanted):
            return Clash(name, seen or "", wanted)
    return None
