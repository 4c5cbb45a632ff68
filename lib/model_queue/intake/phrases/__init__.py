"""The phrase tables, one module per language and topic, joined into one lexicon per purpose.

A table maps a purpose ("link", "priority", …) to kinds, a kind to its phrases; see
``lexicon`` for how a phrase is written. A language's tables are loaded when a message
has its words.
``references/phrases.md`` is generated from the tables.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping

from model_queue.intake.lexicon import NUMERALS, Lexicon, merged
from model_queue.intake.phrases import (
    en,
    en_commands,
    en_talk,
    languages,
    verbs,
    zh,
    zh_commands,
    zh_talk,
)
from model_queue.intake.phrases.anchors import CONTAINERS, SOURCE_WORDS
from model_queue.intake.phrases.languages import ALWAYS

Table = Mapping[str, Mapping[str, tuple[str, ...]]]

LANGUAGES = ("en", "zh", "de", "es", "fr", "ja", "ko")


def tables(language: str) -> tuple[Table, ...]:
    """Return the tables of one of ``LANGUAGES``, none for any other word."""
    match language:
        case "en":
            return en.PHRASES, en_talk.PHRASES, en_commands.PHRASES
        case "zh":
            return zh.PHRASES, zh_talk.PHRASES, zh_commands.PHRASES
        case _:
            table = _other(language)
            return (table,) if table else ()


def _other(language: str) -> Table | None:
    # Imported here: few messages are in one of these languages.
    match language:
        case "de":
            from model_queue.intake.phrases import de  # noqa: PLC0415

            return de.PHRASES
        case "es":
            from model_queue.intake.phrases import es  # noqa: PLC0415

            return es.PHRASES
        case "fr":
            from model_queue.intake.phrases import fr  # noqa: PLC0415

            return fr.PHRASES
        case "ja":
            from model_queue.intake.phrases import ja  # noqa: PLC0415

            return ja.PHRASES
        case "ko":
            from model_queue.intake.phrases import ko  # noqa: PLC0415

            return ko.PHRASES
        case _:
            return None


class Phrases:
    """The phrases of some languages, a lexicon of each purpose built on first use.

    ``triggers`` are the words that a user has added to those that put work on the queue.
    """

    __slots__ = (
        "_built",
        "_heads",
        "_numeric",
        "_others",
        "_purposes",
        "_tables",
        "_triggers",
        "languages",
    )

    def __init__(self, languages: tuple[str, ...], triggers: tuple[str, ...]) -> None:
        self.languages = languages
        self._tables = [t for each in languages if each in ALWAYS for t in tables(each)]
        self._others = [
            t for each in languages if each not in ALWAYS for t in tables(each)
        ]
        self._triggers = triggers
        self._built: dict[str, Lexicon] = {}
        self._heads: dict[str, int] = {}
        self._numeric = 0
        self._purposes: dict[str, tuple[int, tuple[str, ...]]] = {}

    def lexicon(self, purpose: str) -> Lexicon:
        """Return the phrases for one purpose, none where no language has any."""
        found = self._built.get(purpose)
        if found is None:
            found = self._built[purpose] = merged(
                (table[purpose] for table in self._tables if purpose in table),
                (table[purpose] for table in self._others if purpose in table),
                user=self._triggers if purpose in _TRIGGERS else (),
            )
            self._index(found)
        return found

    def _index(self, lexicon: Lexicon) -> None:
        """Give a new lexicon its bit, and note it under each of its heads."""
        lexicon.bit = 1 << (len(self._built) - 1)
        self._purposes.clear()
        for head in lexicon.heads:
            if head.startswith("#"):
                self._numeric |= lexicon.bit
            self._heads[head] = self._heads.get(head, 0) | lexicon.bit

    def built(self) -> dict[str, Lexicon]:
        """Return the lexicons that are built, by purpose."""
        return dict(self._built)

    def opened_by(self, key: str) -> tuple[int, tuple[str, ...]]:
        """Return for what purposes a phrase may begin with a word, and their bits."""
        found = self._purposes.get(key)
        if found is None:
            mask = self._heads.get(key, 0)
            mask |= self._numeric if key[0] in NUMERALS else 0
            found = mask, tuple(x for x, each in self._built.items() if mask & each.bit)
            if len(self._purposes) < _MOST_KEPT:
                self._purposes[key] = found
        return found

    def source_words(self) -> Mapping[str, list[str]]:
        """Return an alias of a source in English to the words of the other languages."""
        return source_words(self.languages)


def source_words(languages: Iterable[str]) -> Mapping[str, list[str]]:
    """Return an alias of a source in English to the words that mean it in languages."""
    found: dict[str, list[str]] = {}
    for language in languages:
        for alias, words in SOURCE_WORDS.get(language, {}).items():
            found.setdefault(alias, []).extend(words)
    return found


_MOST_KEPT = 20_000
"""Words that are remembered, in a process that reads many messages."""
_TRIGGERS = frozenset(("trigger", "ambient_trigger"))


def phrases_of(text: str, triggers: tuple[str, ...] = ()) -> Phrases:
    """Return the phrases to read a text in scanning form with."""
    return _phrases(languages.found_in(text), triggers)


@functools.lru_cache(maxsize=64)
def _phrases(found: tuple[str, ...], triggers: tuple[str, ...]) -> Phrases:
    return Phrases(found, triggers)


__all__ = [
    "ALWAYS",
    "CONTAINERS",
    "LANGUAGES",
    "Phrases",
    "Table",
    "phrases_of",
    "source_words",
    "tables",
    "verbs",
]
