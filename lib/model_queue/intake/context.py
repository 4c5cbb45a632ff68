"""What every stage of the intake needs besides the text."""

from __future__ import annotations

import datetime as dt
from bisect import bisect_left
from collections.abc import Iterator

from model_queue.intake.lexicon import Hit, Lexicon
from model_queue.intake.names import Names, Ref
from model_queue.intake.phrases import ALWAYS, Phrases
from model_queue.intake.scan import Scan


class Context:
    """The names, the phrases and the moment that a message is read with.

    The look-ups take the text, so that a corrected copy of it can be read too; each text
    is indexed when it is first asked about.
    """

    __slots__ = ("_own", "_scan", "_sources", "memo", "names", "now", "phrases", "zone")

    def __init__(
        self, *, names: Names, phrases: Phrases, now: dt.datetime, zone: dt.tzinfo
    ) -> None:
        self.names = names
        self.phrases = phrases
        self.now = now
        self.zone = zone
        self._scan: Scan | None = None
        self._own = ""
        self._sources: tuple[str, list[int]] | None = None
        self.memo: dict[tuple[str, int, int], object] = {}
        """What stages have found about spans, by stage; of the message's own text."""

    @property
    def has_others(self) -> bool:
        """Whether a language is read whose verbs are not listed."""
        return any(each not in ALWAYS for each in self.phrases.languages)

    def scan(self, text: str) -> Scan:
        """Return the index of a text."""
        found = self._scan
        if found is None or found.text is not text:
            found = self._scan = Scan(text, self.phrases)
            self._own = self._own or text
        return found

    def has_source(self, text: str, start: int, end: int) -> bool:
        """Tell whether a source's name or alias may begin in a span."""
        scan = self.scan(text)
        if self._sources is None or self._sources[0] is not text:
            self._sources = (text, scan.places_of(self.names.is_source))
        places = self._sources[1]
        at = bisect_left(places, start)
        return at < len(places) and places[at] < end

    def is_own(self, text: str) -> bool:
        """Tell whether a text is the message's own, and no corrected copy."""
        return self._own is text

    def lexicon(self, purpose: str) -> Lexicon:
        """Return the phrases of the message's languages for one purpose."""
        return self.phrases.lexicon(purpose)

    def at(self, purpose: str, text: str, position: int, end: int) -> Hit | None:
        """Return the longest phrase that begins at a position, None without one."""
        scan = self._scan
        if scan is None or scan.text is not text:
            scan = self.scan(text)
        return scan.at(purpose, position, end)

    def before(self, purpose: str, text: str, start: int, end: int) -> Hit | None:
        """Return the longest phrase that ends exactly at ``end``, None without one."""
        return self.scan(text).before(purpose, start, end)

    def whole(self, purpose: str, text: str, start: int, end: int) -> Hit | None:
        """Return the phrase that is exactly a span, None without one."""
        return self.scan(text).whole(purpose, start, end)

    def find(self, purpose: str, text: str, start: int, end: int) -> Iterator[Hit]:
        """Yield the phrases of a span from left to right, none overlapping another."""
        return self.scan(text).find(purpose, start, end)

    def name_at(
        self, text: str, start: int, end: int, *, is_alone: bool = False
    ) -> Ref | None:
        """Return the name that begins at a position, as ``Names.at`` does."""
        if not self.names.may_begin(self.scan(text).key(start)):
            return None
        return self.names.at(text, start, end, is_alone=is_alone)
