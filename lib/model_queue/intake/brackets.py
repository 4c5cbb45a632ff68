"""Remarks in brackets at an edge that hold nothing but attributes: "(nvidia, urgent)"."""

from __future__ import annotations

from collections.abc import Callable

from model_queue.intake import select
from model_queue.intake.lexicon import Hit, Lazy
from model_queue.intake.span import Span

PAIRS = {"(": ")", "[": "]", "【": "】"}
_LONGEST = 80
"""Characters that such a remark may have."""
_PART = Lazy(r"[^,;、/]+")
_Note = Callable[[Span], None]


def cut_front(span: Span) -> bool:
    """Cut a remark off the front; tell whether there was one."""
    close = PAIRS.get(span.text[span.start : span.start + 1])
    stop = span.text.find(close, span.start, span.start + _LONGEST) if close else -1
    if stop < 0 or stop + 1 >= span.end or not _note_all(span, span.start + 1, stop):
        return False
    span.start = stop + 1
    return True


def cut_back(span: Span) -> bool:
    """Cut a remark of several parts off the back; tell whether there was one.

    One of a single part is cut by the tail that it holds.
    """
    opening = next((o for o, c in PAIRS.items() if c == span.text[span.end - 1]), None)
    if opening is None:
        return False
    low = max(span.start, span.end - _LONGEST)
    start = span.text.rfind(opening, low, span.end)
    if start <= span.start or not _note_all(span, start + 1, span.end - 1):
        return False
    span.end = start
    return True


def _note_all(span: Span, start: int, end: int) -> bool:
    """Note every part of a remark, or nothing when one of them is no attribute."""
    notes: list[_Note] = []
    for part in _PART.finditer(span.text, start, end):
        note = _note_of(span, *_stripped(span.text, *part.span()))
        if note is None:
            return False
        notes.append(note)
    for note in notes:
        note(span)
    return bool(notes)


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return start, end


def _note_of(span: Span, start: int, end: int) -> _Note | None:
    """Return what notes one part of a remark, None when it is no attribute."""
    for purpose, note in _NOTES:
        hit = span.whole(purpose, start, end)
        if hit and hit.kind != "keep":
            return _bound(note, hit)
    ref = select.named(span.text, start, end, span.ctx) if start < end else None
    if ref is None or span.marks.ref is not None:
        return None
    return lambda span: span.note_ref(ref, start)


def _bound(note: Callable[[Span, Hit], None], hit: Hit) -> _Note:
    return lambda span: note(span, hit)


def _note_time(span: Span, hit: Hit) -> None:
    span.note_time(hit, after=-1)


_NOTES: tuple[tuple[str, Callable[[Span, Hit], None]], ...] = (
    ("priority", Span.note_priority),
    ("policy", Span.note_policy),
    ("depends", Span.note_ids),
    ("fan_in", Span.note_fan_in),
    ("time", _note_time),
)
