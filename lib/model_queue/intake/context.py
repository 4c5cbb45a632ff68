"""What every stage of the intake needs besides the text."""

from __future__ import annotations

import datetime as dt

from model_queue.intake.lexicon import Lexicon
from model_queue.intake.names import Names
from model_queue.intake.phrases import ALWAYS, Phrases


class Context:
    """The names, the phrases and the moment that a message is read with."""

    __slots__ = ("names", "now", "phrases", "zone")

    def __init__(
        self, *, names: Names, phrases: Phrases, now: dt.datetime, zone: dt.tzinfo
    ) -> None:
        self.names = names
        self.phrases = phrases
        self.now = now
        self.zone = zone

    @property
    def has_others(self) -> bool:
        """Whether a language is read whose verbs are not listed."""
        return any(each not in ALWAYS for each in self.phrases.languages)

    def lexicon(self, purpose: str) -> Lexicon:
        """Return the phrases of the message's languages for one purpose."""
        return self.phrases.lexicon(purpose)
