"""The phrase tables, one module per language, joined into one lexicon per purpose.

A table maps a purpose ("link", "priority", …) to kinds, a kind to its phrases; see
``lexicon`` for how a phrase is written. Languages need not be told apart before a
message is read: a phrase of one rarely occurs in another.
"""

from __future__ import annotations

from model_queue.intake.lexicon import Lexicon, merged
from model_queue.intake.phrases import (
    en,
    en_commands,
    en_talk,
    verbs,
    zh,
    zh_commands,
    zh_talk,
)

TABLES = (
    en.PHRASES,
    en_talk.PHRASES,
    en_commands.PHRASES,
    zh.PHRASES,
    zh_talk.PHRASES,
    zh_commands.PHRASES,
)
_built: dict[str, Lexicon] = {}


def lexicon(purpose: str) -> Lexicon:
    """Return the phrases of all languages for one purpose, built on first use."""
    found = _built.get(purpose)
    if found is None:
        tables = [table[purpose] for table in TABLES if purpose in table]
        found = _built[purpose] = merged(tables)
    return found


__all__ = ["lexicon", "verbs"]
