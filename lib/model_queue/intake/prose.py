"""Running text: which of its sentences are work, and where one job ends."""

from __future__ import annotations

from model_queue.intake import select, sentences, split
from model_queue.intake.assignment import assignment
from model_queue.intake.classify import kind_of
from model_queue.intake.context import Context
from model_queue.intake.edges import Core, trim
from model_queue.intake.findings import Findings, Piece
from model_queue.intake.lexicon import Lazy
from model_queue.intake.protect import MASK

_POINTS_BACK = Lazy(r"\b(?:it|this|that|them|these|those|there|above)\b|它|这|那|上面")
"""A request with such a word needs the statement before it."""

_CHAINS = frozenset(("arrow", "behind"))
"""Cuts whose request waits for the one before without a connective in front of it."""
_DOES = Lazy(r"\bto (?:do|run|execute|handle|process|perform|work on) ")
"""Work for the model, where there is nothing else: "use quick to do job number 1"."""


class Prose:
    """Reads running text into the findings of a message."""

    __slots__ = ("_wall", "ctx", "found", "text")

    def __init__(self, text: str, ctx: Context, found: Findings) -> None:
        self.text = text
        self.ctx = ctx
        self.found = found
        self._wall = (0, 0)

    def read(
        self, start: int, end: int, *, as_one: bool = False, after_list: bool = False
    ) -> None:
        """Read a span: its commands, its shared attributes, its jobs.

        ``as_one`` keeps it one job; ``after_list`` keeps its attributes its own.
        """
        spans, dropped = self._work_spans(start, end)
        if not spans:
            return
        first, last = spans[0][0], spans[-1][1]
        begins = {first: ("message", first, first)}
        for low, high in [] if as_one else self._outside_wall(first, last):
            for turn in self._turns(low, high):
                begins.setdefault(turn, ("turn", turn, turn))
            for cut in split.cuts(self.text, low, high, self.ctx):
                if cut.start != first:
                    how = cut.kind if cut.kind in _CHAINS else "link"
                    begins[cut.start] = (how, cut.start, cut.end)
        bounds = sorted(begins)
        for index, begin in enumerate(bounds):
            stop = bounds[index + 1] if index + 1 < len(bounds) else last
            inner = _without(dropped, begin, stop)
            if inner[0] < inner[1]:
                is_first = index == 0 and not after_list
                self._add(inner, begins[begin], is_first=is_first)

    def _outside_wall(self, start: int, end: int) -> list[tuple[int, int]]:
        """Return the parts of a span in which requests may begin."""
        low, high = self._wall
        if not start < low < high < end:
            return [(start, end)]
        return [(start, low), (high, end)]

    def _without_link(
        self, span: tuple[int, int], why: tuple[str, int, int]
    ) -> tuple[int, int]:
        """Leave out an arrow before a request, or the connective behind one."""
        if why[0] == "arrow":
            return why[2], span[1]
        if why[0] != "behind":
            return span
        behind = self.ctx.before("link", self.text, why[1], why[2])
        return span[0], behind.start if behind else span[1]

    def _turns(self, start: int, end: int) -> list[int]:
        while start < end and not self.text[start].isalnum():
            start += 1
        return select.turns(self.text, start, end, self.ctx)

    def _add(
        self, span: tuple[int, int], why: tuple[str, int, int], *, is_first: bool
    ) -> None:
        core = trim(self.text, *self._without_link(span, why), self.ctx)
        if why[0] in _CHAINS:
            core.marks.is_chained = True
            core.marks.spans.setdefault("depends_on", why[1:])
        if core.is_empty:
            self.found.share(core.marks)
            return
        if not is_first:
            core.marks.shared = set()
        elif core.marks.shared:
            self.found.shared.append(core.marks)
        if core.marks.is_triggered:
            self.found.is_triggered = True
        self.found.pieces.append(Piece(core, why))

    def read_special(self, start: int, end: int) -> bool:
        """Read a sentence that is a command, or only says what holds for tasks."""
        reading = sentences.read_sentence(
            self.text, start, end, self.ctx, is_ambient=False
        )
        if reading.commands and not self.text[reading.start : reading.end].strip(
            " .,;:!?"
        ):
            self.found.commands.extend(reading.commands)
            return True
        found = assignment(self.text, start, end, self.ctx)
        if found:
            self.found.assignments.append(found)
            return True
        return False

    def _work_spans(
        self, start: int, end: int
    ) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """Return the sentences that are work or its details, and those left out."""
        kept: list[tuple[int, int, str]] = []
        dropped: list[tuple[int, int]] = []
        spans = list(split.sentences(self.text, start, end))
        is_alone = len(spans) == 1 and not self.found.pieces
        self._wall = _wall(spans)
        for begin, stop in spans:
            if self._wall[0] <= begin < self._wall[1]:
                kept.append((begin, stop, "material"))
                continue
            reading = sentences.read_sentence(
                self.text, begin, stop, self.ctx, is_ambient=False
            )
            if reading.topic:
                self.found.topic = reading.topic
                dropped.append((begin, stop))
            if reading.commands:
                self.found.commands.extend(reading.commands)
                dropped += [(begin, reading.start), (reading.end, stop)]
            inner = (reading.start, reading.end)
            if not self.text[inner[0] : inner[1]].strip(" .,;:!?\n"):
                continue
            does = is_alone and _DOES.search(self.text[begin:stop]) is not None
            if (
                not does
                and assignment(self.text, *inner, self.ctx)
                and self.read_special(*inner)
            ):
                dropped.append(inner)
                continue
            kind = self._kind(*inner)
            if kind in {"chat", "shared"}:
                dropped.append(inner)
            else:
                kept.append((*inner, kind))
        return self._work(kept), [d for d in dropped if d[0] < d[1]]

    def _kind(self, start: int, end: int) -> str:
        words = self.text[start:end]
        if not words.strip(MASK + " \t\n.,;:"):
            return "material"
        core = trim(self.text, start, end, self.ctx)
        if core.is_empty:
            if core.marks.has_any or core.marks.is_triggered:
                self.found.share(core.marks)
                return "shared"
            return "chat"
        if core.marks.is_triggered:
            self.found.is_triggered = True
        if core.marks.is_triggered or (
            core.marks.ref is not None and core.marks.ref.kind != "unknown"
        ):
            return "request"
        return self._kind_of_rest(core, start, end)

    def _kind_of_rest(self, core: Core, start: int, end: int) -> str:
        """Classify by what is left where an attribute or a connective stood in front."""
        own = core.marks
        if own.has_any or own.is_chained or own.is_also or own.fan_in or own.ids:
            if own.is_polite:
                return "request"
            return kind_of(self.text, core.start, end, self.ctx)
        return kind_of(self.text, start, end, self.ctx)

    def _work(self, kept: list[tuple[int, int, str]]) -> list[tuple[int, int]]:
        kinds = [kind for _, _, kind in kept]
        if self.found.is_triggered and kept:
            return [(begin, stop) for begin, stop, _ in kept]
        requests = [i for i, kind in enumerate(kinds) if kind == "request"]
        if not requests:
            return []
        first = requests[0]
        while (
            first
            and (
                kinds[first - 1] == "material"
                or _POINTS_BACK.search(self.text, *kept[requests[0]][:2])
            )
            and kinds[first - 1] in {"material", "statement"}
        ):
            first -= 1
        return [(begin, stop) for begin, stop, _ in kept[first:]]


_HEAD, _TAIL = 40, 20
"""Sentences of running text in which requests are looked for."""


def _wall(spans: list[tuple[int, int]]) -> tuple[int, int]:
    """Return what lies between the first and the last sentences of a very long text.

    Nobody types that: it is pasted, and a detail of what is asked for around it.
    """
    if len(spans) <= _HEAD + _TAIL:
        return 0, 0
    return spans[_HEAD][0], spans[-_TAIL][0]


def _without(dropped: list[tuple[int, int]], start: int, end: int) -> tuple[int, int]:
    """Shrink a span so that no left-out sentence stands at its edges."""
    changed = True
    while changed:
        changed = False
        for begin, stop in dropped:
            if begin <= start < stop:
                start, changed = stop, True
            if begin < end <= stop and begin >= start:
                end, changed = begin, True
    return start, end
