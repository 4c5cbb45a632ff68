"""The words without which no ambient message can be ours."""

from __future__ import annotations

import re

from model_queue.intake import phrases
from model_queue.intake.normalize import normalize, simplified
from model_queue.intake.values import Catalog

_FIXED = ("model-queue", "/mq", "/queue", "t0", *(f"t-{n}" for n in range(10)))
"""The prefixes, and how each well-formed id begins."""
_PART = re.compile(r"[a-z]+|\d+[a-z]+|[^\x00-\x7f]+")
_SHORTEST_PART = 3
"""Letters of a model's name that are looked for; fewer are in every other message."""


def guard_texts(catalog: Catalog) -> tuple[str, ...]:
    """Return the guard words as text, lower case, none containing another."""
    found = set(_FIXED)
    for language in phrases.CONTAINERS.values():
        found.update(simplified(word) for word in language)
    found.update(normalize(words).text for words in catalog.triggers)
    for source, models in catalog.sources.items():
        found.add(source.lower())
        for model in models:
            found.update(_parts(model.lower()))
    meanings = phrases.source_words(phrases.LANGUAGES)
    for aliases in catalog.aliases.values():
        found.update(alias.lower() for alias in aliases)
        found.update(normalize(alias).text for alias in aliases)
        for alias in aliases:
            found.update(meanings.get(alias.lower(), ()))
    return tuple(sorted(w for w in found if not any(o != w and o in w for o in found)))


def _parts(model: str) -> set[str]:
    """Return what a message that names a model has in it, whichever part it names."""
    found: set[str] = set()
    for segment in model.replace(":", "/").split("/"):
        parts = {p for p in _PART.findall(segment) if len(p) >= _SHORTEST_PART}
        found |= parts or ({segment} - {""})
    return found


def guard_words(catalog: Catalog) -> tuple[bytes, ...]:
    """Return byte strings one of which every ambient message that is taken contains.

    Lower-case UTF-8, to be looked for in the scanning form. Parsing itself starts with
    the same test, so the promise cannot break.
    """
    return tuple(word.encode() for word in guard_texts(catalog))
