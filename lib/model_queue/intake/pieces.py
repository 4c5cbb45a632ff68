"""A message cut into pieces of work, commands and sentences that hold for all."""

from __future__ import annotations

import re

from model_queue.intake import headings, inline, layout, sentences, split
from model_queue.intake.assignment import assignment
from model_queue.intake.classify import kind_of
from model_queue.intake.context import Context
from model_queue.intake.edges import Core, trim
from model_queue.intake.findings import Findings, Piece
from model_queue.intake.lexicon import Lazy
from model_queue.intake.prose import Prose

_CLAUSE = Lazy(r"[^,;:、.!?\n]+")
_HEADING_PHRASES = ("jobs_heading", "in_order", "in_parallel")
_FEWEST = 2
"""Lines or ordinals that make a list."""


def find(
    text: str, start: int, end: int, ctx: Context, *, is_triggered: bool = False
) -> Findings:
    """Cut a span of a protected text into its findings. Source: guide S1 to S8."""
    finder = _Finder(text, ctx)
    finder.found.is_triggered = is_triggered
    finder.read(start, _before_sign_off(text, start, end, ctx))
    return finder.found


_NAME = Lazy(r"[\s,.!~-]*(?:[^\W\d_][\w'.-]*[ \t]?){0,3}\s*\Z")
_CLOSED = frozenset("\n.!?。~")
_SIGN_OFF = 60
"""Characters of a closing line, with the name below it."""


def _before_sign_off(text: str, start: int, end: int, ctx: Context) -> int:
    """Return where a closing line with a name begins ("Kind regards, Ana"), else the end."""
    low = max(start, end - _SIGN_OFF)
    for hit in ctx.find("sign_off", text, low, end):
        before = text[start : hit.start].rstrip(" \t")
        if before and before[-1] in _CLOSED and _NAME.match(text, hit.end, end):
            return hit.start
    return end


class _Finder:
    __slots__ = ("ctx", "found", "prose", "text")

    def __init__(self, text: str, ctx: Context) -> None:
        self.text = text
        self.ctx = ctx
        self.found = Findings()
        self.prose = Prose(text, ctx, self.found)

    def read(self, start: int, end: int) -> None:
        lines = layout.lines_of(self.text, start, end)
        outline = layout.outline(self.text, lines)
        has_list = outline is not None and bool(outline.items)
        listed = None
        if outline is None or len(outline.items) <= 1:
            listed = self._in_one_line(outline, start, end)
        if outline and has_list and listed is None:
            self._read_list(outline, start, end)
            return
        if listed:
            self._read_items(start, listed[0], listed[1])
            return
        ordinal = self._ordinals(start, end)
        if ordinal:
            self._read_items(start, ordinal[0].start, ordinal)
            return
        if not (self._read_lines(lines) or self._read_clauses(start, end)):
            self.prose.read(start, end)

    def _in_one_line(
        self, outline: layout.Outline | None, start: int, end: int
    ) -> tuple[int, list[layout.Item]] | None:
        """Read a list written in one line; a lone item may be where it begins."""
        if outline is None or not outline.items:
            return inline.inline_items(self.text, start, end)
        if outline.items[0].family != "num" or "\n" in self.text[start:end].strip():
            return None
        return inline.inline_items(self.text, start, end)

    def _read_list(self, outline: layout.Outline, start: int, end: int) -> None:
        seen_item = False
        first = outline.items[0]
        head_end = self._line_start(first.start)
        if self._is_one_request(start, head_end, outline.items, end):
            return
        for part in outline.parts:
            if isinstance(part, layout.Item):
                seen_item = True
                self._add_item(part)
            elif not seen_item:
                self._read_heading(*part)
            else:
                self.prose.read(*part, after_list=True)

    def _line_start(self, position: int) -> int:
        return self.text.rfind("\n", 0, position) + 1

    def _is_one_request(
        self, start: int, head_end: int, items: list[layout.Item], end: int
    ) -> bool:
        """S3: the heading is the request and the items are mere names or values."""
        head = self.text[start:head_end].strip()
        if not head or self.found.is_triggered:
            return False
        last = list(split.sentences(self.text, start, head_end))[-1]
        if not headings.is_request(self.text, *last, items, self.ctx):
            return False
        self.prose.read(start, end, as_one=True)
        return True

    def _add_item(self, item: layout.Item, how: str = "item") -> None:
        if item.is_ticked:
            return
        if item.family == "step":
            self.found.in_order = item.mark
        newline = self.text.find("\n", item.start, item.end)
        if newline < 0:
            newline = item.end
        if self._is_command(item.start, newline):
            return
        core = trim(self.text, item.start, item.end, self.ctx)
        if newline < item.end:
            first = trim(self.text, item.start, newline, self.ctx)
            first.marks.shared = set()
            core = Core(
                core.start,
                core.end,
                first.marks if first.marks.has_any or first.marks.ids else core.marks,
            )
        core.marks.shared = set()
        if not core.is_empty:
            self.found.pieces.append(Piece(core, (how, *item.mark)))

    def _is_command(self, start: int, end: int) -> bool:
        """Read an item that is a command and no work; tell whether it was one."""
        reading = sentences.read_sentence(
            self.text, start, end, self.ctx, is_ambient=False
        )
        if reading.topic:
            self.found.topic = reading.topic
            return True
        is_whole = bool(reading.commands) and reading.start >= reading.end
        if is_whole:
            self.found.commands.extend(reading.commands)
        return is_whole

    def _read_heading(self, start: int, end: int) -> None:
        for purpose in ("in_order", "in_parallel"):
            hit = headings.phrase(purpose, self.text, start, end, self.ctx)
            if hit:
                setattr(self.found, purpose, (hit.start, hit.end))
        spans = list(split.sentences(self.text, start, end))
        for index, (begin, stop) in enumerate(spans):
            if self.prose.read_special(begin, stop):
                continue
            core = trim(self.text, begin, stop, self.ctx)
            self.found.share(core.marks)
            if not (core.is_empty or core.marks.has_any):
                self._share_clauses(begin, stop)
            ends_heading = index == len(spans) - 1
            if (
                core.is_empty
                or ends_heading
                or kind_of(self.text, begin, stop, self.ctx) != "request"
            ):
                continue
            if not headings.announces(self.text[core.start : core.end]):
                self.found.pieces.append(Piece(core, ("message", begin, begin)))

    def _share_clauses(self, start: int, end: int) -> None:
        """Read the clauses of a heading one by one: "all on nvidia, in this order:"."""
        for clause in _CLAUSE.finditer(self.text, start, end):
            begin, stop = clause.span()
            core = trim(self.text, begin, stop, self.ctx)
            given = assignment(self.text, begin, stop, self.ctx)
            if given:
                self.found.assignments.append(given)
            elif core.is_empty:
                self.found.share(core.marks)

    def _has(self, purpose: str, start: int, end: int) -> bool:
        return headings.has_phrase(purpose, self.text, start, end, self.ctx)

    def _read_items(self, start: int, head_end: int, items: list[layout.Item]) -> None:
        if self.text[start:head_end].strip():
            if self._is_one_request(start, head_end, items, items[-1].end):
                return
            self._read_heading(start, head_end)
        last = items[-1]
        tail = self._trailing_sentence(last)
        for item in items:
            self._add_item(item)
        if tail:
            self.prose.read(*tail, after_list=True)

    def _trailing_sentence(self, item: layout.Item) -> tuple[int, int] | None:
        """Part a sentence about all tasks, or thanks, from the last inline item."""
        spans = list(split.sentences(self.text, item.start, item.end))
        cut = None
        for begin, stop in spans[1:]:
            core = trim(self.text, begin, stop, self.ctx)
            special = assignment(self.text, begin, stop, self.ctx) or core.is_empty
            depends = core.marks.fan_in or core.marks.is_chained or core.marks.is_also
            cut = (cut or begin) if special or depends else None
        if cut is None:
            return None
        end, item.end = item.end, cut
        return cut, end

    def _ordinals(self, start: int, end: int) -> list[layout.Item] | None:
        """Read "firstly … secondly …": at least the first two at clause boundaries."""
        hits: list[tuple[int, int]] = []
        for hit in self.ctx.find("ordinal", self.text, start, end):
            before = self.text[start : hit.start].rstrip()
            at_joint = not before or before[-1] in ",;.:。!?\n"
            is_next = hit.kind == str(len(hits) + 1)
            if at_joint and is_next:
                hits.append((hit.start, hit.end))
            elif at_joint and hit.kind == "last" and len(hits) >= _FEWEST:
                # The word is kept: what comes last waits for the one before.
                hits.append((hit.start, hit.start))
        if len(hits) < _FEWEST:
            return None
        items: list[layout.Item] = []
        for index, (at, after) in enumerate(hits):
            line = layout.Line(self.text, at, at)
            line.text_at, line.end = (
                after,
                hits[index + 1][0] if index + 1 < len(hits) else end,
            )
            line.family = "ordinal"
            items.append(layout.Item(line))
        return items

    def _read_lines(self, lines: list[layout.Line]) -> bool:
        """S4: a heading that announces jobs, then bare lines, each a task."""
        for index, line in enumerate(lines):
            words = self.text[line.start : line.end].strip()
            if not words:
                continue
            rest = [x for x in lines[index + 1 :] if not x.is_blank]
            if (
                not words.endswith(":")
                or len(rest) < _FEWEST
                or not headings.announces_lines(self.text, line, self.ctx)
            ):
                if kind_of(self.text, line.start, line.end, self.ctx) == "chat":
                    continue
                return False
            self._read_heading(line.start, line.end)
            for bare in rest:
                if kind_of(
                    self.text, bare.start, bare.end, self.ctx
                ) == "chat" or self.prose.read_special(bare.start, bare.end):
                    continue
                self._add_item(layout.Item(bare), "line")
            return True
        return False

    def _read_clauses(self, start: int, end: int) -> bool:
        """S4: "three things: a; b; c"."""
        begin = self._counted_end(start, min(end, start + 200))
        if begin < 0 or ";" not in self.text[begin:end]:
            return False
        self._read_heading(start, begin)
        for match in re.finditer(r"[^;]+", self.text[begin:end]):
            line = layout.Line(self.text, begin + match.start(), begin + match.end())
            self._add_item(layout.Item(line), "clause")
        return True

    def _counted_end(self, start: int, end: int) -> int:
        """Return where the heading of a list in one line ends, -1 without one."""
        heading = headings.COUNTED.search(self.text, start, end)
        if heading:
            return heading.end()
        colon = self.text.find(":", start, end)
        is_heading = colon > 0 and any(
            self._has(purpose, start, colon) for purpose in _HEADING_PHRASES
        )
        return colon + 1 if is_heading else -1
