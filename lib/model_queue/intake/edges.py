"""Cutting a span down to the job: what stands at its edges becomes attributes."""

from __future__ import annotations

from model_queue.intake import select
from model_queue.intake.context import Context
from model_queue.intake.leads import lead
from model_queue.intake.lexicon import Lazy
from model_queue.intake.marks import Marks, limits
from model_queue.intake.protect import MASK
from model_queue.intake.span import Span
from model_queue.intake.tails import PAIRS, tail

_NEEDS_OBJECT = Lazy(
    r"(?:\b(?:with|using|add|use|of|by|to|for|as|an?|the|emoji|icon)|[用加成发回为])\s{0,2}[^\w\s]{0,4}\Z"
)
"""Words that leave a sign behind them no mere decoration: "react with 👍"."""
_TAIL_MARKS = frozenset(" \t\n\r,;:。、—-–~·_=.!|…?")


class Core:
    """A job's span and what its edges said."""

    __slots__ = ("end", "marks", "start")

    def __init__(self, start: int, end: int, marks: Marks) -> None:
        self.start = start
        self.end = end
        self.marks = marks

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left: the span held attributes or politeness only."""
        return self.start >= self.end


def trim(text: str, start: int, end: int, ctx: Context) -> Core:
    """Cut politeness, triggers and attribute phrases off both edges of a span.

    Source: guide T1.
    """
    known = ctx.memo.get(("trim", start, end)) if ctx.is_own(text) else None
    if isinstance(known, Core):
        return Core(known.start, known.end, known.marks.copy())
    core = _trimmed(text, start, end, ctx)
    if ctx.is_own(text):
        ctx.memo["trim", start, end] = Core(core.start, core.end, core.marks.copy())
    return core


def _trimmed(text: str, start: int, end: int, ctx: Context) -> Core:
    span = Span(text, start, end, ctx)
    _drop_noise(span)
    while span.start < span.end and (lead(span) or tail(span)):
        _drop_noise(span)
    _read_before_limits(span)
    if span.marks.ref is None and span.start < span.end:
        span.marks.ref = select.inside(text, span.start, span.end, ctx)
        if span.marks.ref:
            span.marks.spans["model"] = (span.marks.ref.start, span.marks.ref.end)
    return Core(span.start, span.end, span.marks)


def _read_before_limits(span: Span) -> None:
    """Note what stands before a cost limit or a goal at the end; the text keeps it.

    "write a report tomorrow at 9am, max $2": the limit stays in the text, and so does
    all before it.
    """
    stop = limits(span.text, span.start, span.end)
    if stop is None or stop <= span.start:
        return
    inner = Span(span.text, span.start, stop, span.ctx)
    inner.marks = span.marks
    _drop_noise(inner)
    while inner.start < inner.end and tail(inner):
        _drop_noise(inner)


def _drop_noise(span: Span) -> None:
    text = span.text
    while span.start < span.end and _is_front_noise(text, span.start, span.end):
        span.start += 1
    while span.end > span.start and _is_end_noise(text, span.start, span.end):
        span.end -= 1


def _is_front_noise(text: str, start: int, end: int) -> bool:
    char = text[start]
    if char.isalnum() or char == MASK:
        return False
    if char in "([【@":
        close = {"(": ")", "[": "]", "【": "】"}.get(char, "")
        return bool(close) and text.find(close, start, end) < 0
    if char in "#+-$/.\"'“「《":
        following = text[start + 1 : start + 2]
        return not (following.isalnum() or following == MASK)
    return True


def _is_end_noise(text: str, start: int, end: int) -> bool:
    char = text[end - 1]
    if char.isalnum() or char == MASK:
        return False
    if char in PAIRS:
        return text.rfind(PAIRS[char], start, end) < 0
    if char in _TAIL_MARKS:
        return True
    if char > "\u2190" and _NEEDS_OBJECT.search(text, max(start, end - 24), end - 1):
        return False
    return char not in "%+#$\"'”」》/°)€£¥"
