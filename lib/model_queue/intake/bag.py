"""The words of a clause, sorted by what they are; a command is recognised by its bag.

"T-006 再试一次", "give T-006 another try" and "retry T-006 please" hold the same things in
any order: a target, a verb, and words that do not matter. A word of any other kind makes
the clause something else.
"""

from __future__ import annotations

import re

from model_queue.intake.context import Context
from model_queue.intake.lexicon import LETTER, SLOTS, Lazy
from model_queue.intake.marks import canonical_ids
from model_queue.intake.protect import MASK

_NOT_GLUED = r"(?<![a-z0-9_.\-/])"
_COUNTDOWN = r"(?! ?(?:days?|hours?|minutes?|天|小时|分钟))"
_ID = Lazy(_NOT_GLUED + SLOTS["{id}"] + _COUNTDOWN)
_STRICT_ID = Lazy(
    rf"{_NOT_GLUED}(?:[a-z][a-z0-9_-]{{0,40}}/)?t(?:-\d|0)\d{{0,6}}(?![a-z0-9_]|-[a-z0-9]|\.\d)"
    + _COUNTDOWN
)
"""In ambient scope an id has its dash or a leading zero; a bare t3 may be anything."""
_RANGE = Lazy(
    r"\s{0,2}(?:to|through|thru|~|到|至|until|bis|hasta|a la|a|jusqu'à|à|から|부터|\.\.\.?|-|—)\s{0,2}(?=(?:[a-z][a-z0-9_-]{0,40}/)?t-?\d)"
)
_NUMBERED = Lazy(
    r"(?:tasks?|jobs?|任务|第) ?(?:#|no\.? ?|number |id )?(?P<a>\d{1,7})(?![\d:.%-]\d)"
    r"(?P<more>(?: ?[个号]? ?(?:,|and|&|、|和|与|to|through|thru|-|到|至|~) ?(?:and )?(?:第|任务 ?)?#?\d{1,7}){0,30})"
    r"(?: ?号(?:任务)?| ?个(?:任务)?)?"
    r"|#(?P<b>\d{1,7})\b|number (?P<c>\d{1,7})\b|"
    r"(?P<d>\d{1,7})(?P<and>(?: ?号? ?[,、和与到至~-] ?\d{1,7}){0,30}) ?号(?:任务)?"
)
_MORE = Lazy(
    r"(,|and|&|、|和|与|to|through|thru|-|到|至|~)[ a-z#第任务]{0,6}?(\d{1,7})"
)
_THROUGH = frozenset(("to", "through", "thru", "-", "到", "至", "~"))
_WORD = Lazy(rf"{LETTER}+(?:['-]{LETTER}+){{0,5}}|.", re.DOTALL)
_MARKS = frozenset(" \t\n,;:.!?。、~-—'\"()/&…>=")
_MASK_WEIGHT = 3
"""Protected material is no filler: it counts as several unknown words."""


class Bag:
    """What a clause is made of.

    Attributes:
        ids: canonical ids, ranges spelled out. targets: kinds of target seen (``id``,
            ``source``, ``all``, ``queue``, ``point``).
        kinds: kinds of the verb and state words, in order; words: those words.
        queue: the source named; is_full: by its full name.
        word: a status word that narrows "all". number: of a priority phrase.
        unknown: how many words are none of these.
    """

    __slots__ = (
        "ids",
        "is_full",
        "kinds",
        "number",
        "queue",
        "targets",
        "unknown",
        "word",
        "words",
    )

    def __init__(self) -> None:
        self.ids: tuple[str, ...] = ()
        self.targets: set[str] = set()
        self.kinds: list[str] = []
        self.words: list[str] = []
        self.queue: str | None = None
        self.is_full = False
        self.word = ""
        self.number: int | None = None
        self.unknown = 0


def collect(
    text: str,
    start: int,
    end: int,
    ctx: Context,
    purposes: tuple[str, ...],
    *,
    is_ambient: bool,
    patience: int,
) -> Bag:
    """Sort the words of a clause, giving up after ``patience`` unknown ones.

    ``purposes`` are the lexicons to look words up in; the longest phrase wins, among
    equals the first lexicon.
    """
    collector = _Collector(text, end, ctx, purposes, is_ambient=is_ambient)
    return collector.run(start, patience)


class _Collector:
    __slots__ = (
        "_bag",
        "_ctx",
        "_end",
        "_id_words",
        "_is_ambient",
        "_purposes",
        "_text",
    )

    def __init__(
        self,
        text: str,
        end: int,
        ctx: Context,
        purposes: tuple[str, ...],
        *,
        is_ambient: bool,
    ) -> None:
        self._text = text
        self._end = end
        self._ctx = ctx
        self._purposes = purposes
        self._is_ambient = is_ambient
        self._bag = Bag()
        self._id_words: list[str] = []

    def run(self, start: int, patience: int) -> Bag:
        position = start
        while position < self._end and self._bag.unknown <= patience:
            char = self._text[position]
            if char == MASK:
                self._bag.unknown += _MASK_WEIGHT
                position += 1
            elif char.isalnum() or char == "#":
                position = self._id_at(position) or self._word_at(position)
            else:
                self._bag.unknown += not (char in _MARKS or char > "\u2190")
                position += 1
        if self._id_words:
            self._bag.ids = tuple(
                canonical_ids(" ".join(self._id_words), self._ctx.names)
            )
        return self._bag

    def _id_at(self, position: int) -> int | None:
        pattern = _STRICT_ID if self._is_ambient else _ID
        found = pattern.match(self._text, position, self._end)
        if found:
            self._bag.targets.add("id")
            self._id_words.append(found.group())
            stop = found.end()
            if self._text.startswith("'s ", stop):
                return stop + len("'s")
            joint = _RANGE.match(self._text, stop, self._end)
            if joint is None:
                return stop
            self._id_words.append(" to ")
            return joint.end()
        if self._is_ambient:
            return None
        numbered = _NUMBERED.match(self._text, position, self._end)
        if numbered is None:
            return None
        self._bag.targets.add("id")
        self._add_numbers(numbered)
        return numbered.end()

    def _add_numbers(self, match: re.Match[str]) -> None:
        first = match["a"] or match["b"] or match["c"] or match["d"]
        self._id_words.append(f"t-{first}")
        for more in _MORE.finditer(match["more"] or match["and"] or ""):
            joint, digits = more.groups()
            if joint in _THROUGH:
                self._id_words.append(" to ")
            self._id_words.append(f"t-{digits}")

    def _word_at(self, position: int) -> int:
        best = None
        for purpose in self._purposes:
            hit = self._ctx.at(purpose, self._text, position, self._end)
            if hit and hit.end > (best[1].end if best else position):
                best = (purpose, hit)
        ref = self._ctx.name_at(self._text, position, self._end)
        if ref and ref.kind == "source" and (best is None or ref.end > best[1].end):
            self._bag.queue = ref.source
            self._bag.is_full = self._bag.is_full or ref.is_name
            self._bag.targets.add("source")
            return ref.end
        if best is None:
            self._bag.unknown += 1
            word = _WORD.match(self._text, position, self._end)
            return word.end() if word else position + 1
        purpose, hit = best
        groups = hit.groups
        if purpose == "target":
            self._bag.targets.add(hit.kind)
            self._bag.word = groups.get("word") or self._bag.word
        elif purpose != "filler":
            self._bag.kinds.append(hit.kind)
            self._bag.words.append(hit.words)
            self._bag.number = int(groups["n"]) if groups.get("n") else self._bag.number
        return hit.end
