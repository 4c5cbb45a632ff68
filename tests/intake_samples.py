"""The catalog and the moment at which the intake tests read messages."""

from __future__ import annotations

import datetime as dt

from model_queue.intake import Catalog, Parsed, parse
from model_queue.intake.context import Context
from model_queue.intake.names import Names
from model_queue.intake.phrases import phrases_of
from model_queue.intake.values import Scope

MONDAY_EVENING = dt.datetime(2026, 11, 30, 20, 0, tzinfo=dt.UTC)

CATALOG = Catalog(
    sources={
        "ollama-local": ("ollama/llama3", "ollama/qwen2.5", "ollama/mistral"),
        "ollama-remote": ("ollama-remote/qwen3.5:27b", "ollama-remote/llama3:70b"),
        "cloud-nvidia": ("nvidia/z-ai/glm5", "nvidia/llama3"),
    },
    aliases={
        "ollama-local": ("local", "本地"),
        "ollama-remote": ("remote", "远程"),
        "cloud-nvidia": ("cloud", "nvidia", "云端"),
    },
    default="ollama-remote",
)


def read(
    message: str,
    *,
    scope: Scope = "addressed",
    catalog: Catalog = CATALOG,
    zone: dt.tzinfo = dt.UTC,
) -> Parsed:
    """Parse a message on that Monday evening."""
    return parse(message, catalog=catalog, scope=scope, now=MONDAY_EVENING, zone=zone)


def texts(parsed: Parsed) -> list[str]:
    """The tasks' texts, in order."""
    return [task.text for task in parsed.tasks]


def a_context() -> Context:
    """What the stages need besides a text."""
    phrases = phrases_of("")
    names = Names(CATALOG, phrases)
    return Context(names=names, phrases=phrases, now=MONDAY_EVENING, zone=dt.UTC)
