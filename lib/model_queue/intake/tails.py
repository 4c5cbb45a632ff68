"""Phrases at the back of a span: cut off, and noted."""

from __future__ import annotations

from collections.abc import Callable

from model_queue.intake import brackets, select, split
from model_queue.intake.leads import LOOSE
from model_queue.intake.lexicon import TAIL_WINDOW, Hit, Lazy
from model_queue.intake.span import Span

PAIRS = {")": "(", "]": "[", "】": "【"}
_NO_TIME_BEFORE = frozenset(
    [
        "for",
        "by",
        "until",
        "till",
        "before",
        "from",
        "since",
        "of",
        "about",
        "due",
        "between",
        "to",
        "than",
        "and",
        "every",
        "each",
        "on",
        "after",
        "the",
        "during",
        "within",
        "next",
        "last",
        "this",
        "as",
        "versus",
        "vs",
        "over",
        "per",
        "in",
        "or",
    ]
)


def tail(span: Span) -> bool:
    """Cut one phrase off the back; tell whether there was one."""
    scan = span.ctx.scan(span.text)
    low = max(span.start, span.end - TAIL_WINDOW)
    for purposes, cut in _TAILS:
        may_be = not purposes or any(
            scan.candidates(purpose, low, span.end) for purpose in purposes
        )
        if may_be and cut(span):
            return True
    return False


def _tail_polite(span: Span) -> bool:
    hit = span.before("polite_tail")
    if hit is None:
        return False
    if hit.start == span.start:
        span.end = span.start
        return True
    glued = span.text[hit.start - 1].isascii() and span.text[hit.start - 1].isalnum()
    if glued and span.text[hit.start].isascii():
        return False
    span.end = hit.start
    return True


def _tail_trigger(span: Span) -> bool:
    hit = span.before("trigger_tail")
    if hit is None:
        return False
    span.marks.is_triggered = True
    span.marks.spans["trigger"] = (hit.start, hit.end)
    span.end = hit.start
    return True


def _tail_selection(span: Span) -> bool:
    if span.marks.ref is not None:
        return False
    inside, end = _parenthesis(span)
    found = select.tail(span.text, span.start, end, span.ctx)
    if found is None and inside >= 0:
        found = select.tail(span.text, span.start, span.end, span.ctx)
        inside = -1
    if found is None or found.start <= span.start:
        return False
    span.marks.ref = found.ref
    span.marks.spans["model"] = (found.start, found.ref.end)
    span.end = inside if inside >= 0 else found.start
    return True


def _parenthesis(span: Span) -> tuple[int, int]:
    """Return where a bracket that closes the span opens and what it holds ends.

    -1 and the span's end without one.
    """
    opening = PAIRS.get(span.text[span.end - 1])
    if opening is None:
        return -1, span.end
    at = span.text.rfind(opening, max(span.start, span.end - 100), span.end)
    return at, span.end - 1 if at >= 0 else span.end


def _tail_hit(span: Span, purpose: str) -> tuple[Hit, int] | None:
    """Return a phrase at the end, or alone in brackets there, and where to cut."""
    opening, inner_end = _parenthesis(span)
    if opening >= 0:
        hit = span.ctx.whole(purpose, span.text, opening + 1, inner_end)
        return (hit, opening) if hit else None
    hit = span.before(purpose)
    return (hit, hit.start) if hit else None


def _is_clause(span: Span, at: int) -> bool:
    before = span.text[max(span.start, at - 12) : at].rstrip(" \t")
    return (
        not before
        or before[-1] in ",;.:。!?\n(-—、["
        or before.endswith((" and", " but"))
    )


def _tail_priority(span: Span) -> bool:
    found = _tail_hit(span, "priority")
    if found is None:
        return False
    hit, cut = found
    words = hit.words
    if (
        cut == hit.start
        and not _is_clause(span, cut)
        and not any(w in words for w in LOOSE)
        and not (hit.kind == "number" and words.startswith(("with ", "at ")))
    ):
        return False
    span.note_priority(hit)
    if _ends_sentence(span, cut):
        span.marks.shared.add("priority")
    span.end = _cut_and(span, cut)
    return True


def _ends_sentence(span: Span, cut: int) -> bool:
    before = span.text[max(span.start, cut - 12) : cut].rstrip()
    return before.endswith((".", "。", "!"))


def _cut_and(span: Span, cut: int) -> int:
    low = max(span.start, cut - 12)
    before = span.text[low:cut].rstrip()
    for word in (" and", " but", ",and", ",but", " that", " which"):
        if before.endswith(word):
            return low + len(before) - len(word.strip(","))
    return cut


def _tail_policy(span: Span) -> bool:
    found = _tail_hit(span, "policy")
    if found is None or found[1] <= span.start:
        return False
    hit, cut = found
    loose = hit.words.startswith(
        (
            "even",
            "only if",
            "only when",
            "but only",
            "regardless",
            "irrespective",
            "no matter",
        )
    )
    if cut == hit.start and not loose and not _is_clause(span, cut):
        cut = _subject_start(span, cut)
        if cut < 0:
            return False
    span.note_policy(hit)
    if _ends_sentence(span, cut):
        span.marks.shared.add("policy")
    span.end = _cut_and(span, cut)
    return True


_SUBJECT = Lazy(r"[,;。](?P<subject>[\u4e00-\u9fff]{1,8})\Z")


def _subject_start(span: Span, cut: int) -> int:
    """Return where the clause begins that says what fails, -1 when it is no clause.

    …,备份失败就跳过: the words between the comma and the phrase are its subject.
    """
    found = _SUBJECT.search(span.text[:cut], max(span.start, cut - 10))
    return found.start("subject") if found else -1


def _tail_dependency(span: Span) -> bool:
    found = _tail_hit(span, "depends")
    if found:
        span.note_ids(found[0])
    else:
        found = _tail_hit(span, "fan_in")
        if found is None or found[0].kind == "keep" or not _is_dependency(span, *found):
            return False
        span.note_fan_in(found[0])
    span.end = _cut_and(span, found[1])
    return True


_DEPENDS_HEADS = (
    "after",
    "once",
    "when",
    "as soon",
    "depends",
    "based on both",
    "based on all",
)


def _is_dependency(span: Span, hit: Hit, cut: int) -> bool:
    """A fan-in phrase without a comma must speak of being done, or of numbers."""
    is_apart = cut != hit.start or _is_clause(span, cut)
    return is_apart or hit.words.startswith(_DEPENDS_HEADS)


def _tail_time(span: Span) -> bool:
    found = _tail_hit(span, "time")
    if found is None or not _may_be_start(span, *found):
        return False
    if not span.note_time(found[0], after=-1):
        return False
    span.end = found[1]
    return True


_EVENT = Lazy(
    r"\b(?:lunch|dinner|breakfast|brunch|meal|meeting|party|call|event|talk|demo|workshop|conference|webinar|"
    r"stand-?up|presentation|trip|visit|session|class|flight|launch|release|interview|exam|appointment|"
    r"wedding|birthday|holiday|celebration|outing|gathering|retrospective|review meeting|match|game|concert|"
    r"show|race|vote|election|offsite)s?\Z"
)
"""What takes place on a day: "the team lunch on Friday" is no wish when to begin."""


_DEADLINE = Lazy(
    r"(?:\A|[,;(]\s?|\s)(?:before|by|until|till|unless|in time for|ahead of)\s[^,;]{1,60}\Z"
)
"""What comes before a time that ends the work instead of beginning it."""


def _may_be_start(span: Span, hit: Hit, cut: int) -> bool:
    """Tell whether a time at the end is when to begin: no deadline, no topic."""
    before = span.text[max(span.start, cut - 200) : cut].rstrip()
    last = before.rpartition(" ")[2].strip("(,")
    if not before or last in _NO_TIME_BEFORE:
        return False
    if _DEADLINE.search(before):
        return False
    if hit.words.startswith(("on ", "this ", "next ")) and _EVENT.search(before):
        return False
    if any(word in before[-12:] for word in ("every", "each", "每")):
        return False
    is_clause = _is_clause(span, cut)
    return is_clause or (hit.words[0].isascii() and not split.describes(before))


_TAILS: tuple[tuple[tuple[str, ...], Callable[[Span], bool]], ...] = (
    ((), brackets.cut_back),
    (("polite_tail",), _tail_polite),
    (("trigger_tail",), _tail_trigger),
    ((), _tail_selection),
    (("priority",), _tail_priority),
    (("policy",), _tail_policy),
    (("depends", "fan_in"), _tail_dependency),
    (("time",), _tail_time),
)
"""What is tried where a phrase for one of the purposes may stand at the back."""
