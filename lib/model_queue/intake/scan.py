"""The words of one text, each with the purposes whose phrases can begin there.

Looking a phrase up costs nothing where no phrase begins, which is nearly everywhere.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from model_queue.intake.lexicon import TAIL_WINDOW, Hit, Lexicon, words
from model_queue.intake.phrases import Phrases

_NONE: Sequence[int] = ()


class Scan:
    """One text with an index of its words; made once per message."""

    __slots__ = (
        "_keys",
        "_lexicons",
        "_masks",
        "_phrases",
        "_positions",
        "_wanted",
        "text",
    )

    def __init__(self, text: str, phrases: Phrases) -> None:
        self.text = text
        self._phrases = phrases
        self._keys = dict(words(text, 0, len(text)))
        self._masks: dict[int, int] = {}
        self._lexicons = phrases.built()
        self._wanted: dict[tuple[str, ...], int] = {}
        positions: defaultdict[str, list[int]] = defaultdict(list)
        opened_by = phrases.opened_by
        for position, key in self._keys.items():
            mask, purposes = opened_by(key)
            if mask:
                self._masks[position] = mask
                for purpose in purposes:
                    positions[purpose].append(position)
        self._positions = dict(positions)

    @property
    def first(self) -> int:
        """Where the first word begins, the text's length without one."""
        return next(iter(self._keys), len(self.text))

    def places_of(self, is_wanted: Callable[[str], bool]) -> list[int]:
        """Return where the words begin that something holds for."""
        return [at for at, key in self._keys.items() if is_wanted(key)]

    def key(self, position: int) -> str:
        """Return the word that begins at a position, "" where none does."""
        return self._keys.get(position, "")

    def keys(self, start: int, end: int) -> Iterator[tuple[int, str]]:
        """Yield where each word of a span begins, with the word."""
        return words(self.text, start, end)

    def lexicon(self, purpose: str) -> Lexicon:
        """Return the phrases for a purpose, their heads indexed in this text."""
        return self._lexicons.get(purpose) or self._added(purpose)

    def _added(self, purpose: str) -> Lexicon:
        """Return the phrases for a purpose that is not yet in the index."""
        lexicon = self._lexicons[purpose] = self._phrases.lexicon(purpose)
        found = [p for p, key in self._keys.items() if lexicon.may_begin(key)]
        self._positions[purpose] = found
        for position in found:
            self._masks[position] = self._masks.get(position, 0) | lexicon.bit
        return lexicon

    def begins(self, purposes: tuple[str, ...], position: int) -> bool:
        """Tell whether a phrase for one of some purposes may begin at a position."""
        wanted = self._wanted.get(purposes)
        if wanted is None:
            wanted = sum(self.lexicon(purpose).bit for purpose in purposes)
            self._wanted[purposes] = wanted
        return bool(self._masks.get(position, 0) & wanted)

    def at(self, purpose: str, position: int, end: int) -> Hit | None:
        """Return the longest phrase that begins at a position, None without one."""
        lexicon = self._lexicons.get(purpose) or self._added(purpose)
        if self._masks.get(position, 0) & lexicon.bit:
            return lexicon.at_word(self._keys[position], self.text, position, end)
        if lexicon.has_signs and position < end and position not in self._keys:
            return lexicon.at(self.text, position, end)
        return None

    def candidates(self, purpose: str, start: int, end: int) -> Sequence[int]:
        """Return where in a span phrases for a purpose may begin, in order."""
        if purpose not in self._lexicons:
            self._added(purpose)
        found = self._positions.get(purpose)
        if not found:
            return _NONE
        first = bisect_left(found, start)
        if first == len(found) or found[first] >= end:
            return _NONE
        return found[first : bisect_left(found, end, first)]

    def before(self, purpose: str, start: int, end: int) -> Hit | None:
        """Return the longest phrase that ends exactly at ``end``, None without one."""
        low = max(start, end - TAIL_WINDOW)
        starts = [(p, self._keys[p]) for p in self.candidates(purpose, low, end)]
        return self.lexicon(purpose).ending(starts, self.text, end) if starts else None

    def whole(self, purpose: str, start: int, end: int) -> Hit | None:
        """Return the phrase that is exactly a span, None without one."""
        lexicon = self.lexicon(purpose)
        if not self._masks.get(start, 0) & lexicon.bit:
            return None
        return lexicon.ending([(start, self._keys[start])], self.text, end)

    def find(self, purpose: str, start: int, end: int) -> Iterator[Hit]:
        """Yield the phrases of a span from left to right, none overlapping another."""
        done = start
        for position in self.candidates(purpose, start, end):
            hit = self.at(purpose, position, end) if position >= done else None
            if hit:
                yield hit
                done = hit.end
