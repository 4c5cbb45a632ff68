"""Phrases at the front of a span: cut off, and noted."""

from __future__ import annotations

import re
from collections.abc import Callable

from model_queue.intake import brackets, phrases, select
from model_queue.intake.lexicon import Lazy
from model_queue.intake.span import Span

LOOSE = (
    "asap",
    "a.s.a.p",
    "as soon as",
    "urgently",
    "rush",
    "hurry",
    "whenever",
    "when you",
    "leisure",
    "your time",
    "尽快",
    "尽早",
    "火速",
    "不急",
    "不着急",
    "有空",
    "慢慢",
    "时间的时候",
)
"""Priority words that stand at an edge without a comma."""
_SET_OFF = Lazy(r"\s{0,3}(?:[:,;.!\n)\]】。]|-\s|--|—|\Z)")
_OPENERS = frozenset(
    ["please", "pls", "can", "could", "would", "i", "we", "let", "use", "run", "have"]
)


def lead(span: Span) -> bool:
    """Cut one phrase off the front; tell whether there was one."""
    return any(cut(span) for purposes, cut in _LEADS if span.opens(purposes))


def _lead_greeting(span: Span) -> bool:
    hit = span.at("greeting")
    if hit is None:
        return False
    span.start = hit.end
    return True


def _lead_dependency(span: Span) -> bool:
    hit = span.at("depends")
    if hit:
        span.note_ids(hit)
    else:
        hit = span.at("fan_in")
        if hit is None or hit.kind == "keep":
            return False
        span.note_fan_in(hit)
    span.start = hit.end
    purpose = _TO.match(span.text, span.start, span.end)
    span.start = purpose.end() if purpose else span.start
    return True


_TO = Lazy(r"\s{1,2}to\s(?=[a-z])")


def _lead_trigger(span: Span) -> bool:
    hit = span.at("trigger")
    if hit is None:
        return False
    span.marks.is_triggered = True
    span.marks.spans["trigger"] = (hit.start, hit.end)
    span.start = hit.end
    words = _TO.match(span.text, span.start, span.end)
    if words:
        span.start = words.end()
    return True


def _lead_selection(span: Span) -> bool:
    if span.marks.ref is not None or not span.may_select():
        return False
    found = select.lead(span.text, span.start, span.end, span.ctx)
    if found is None:
        return False
    span.marks.ref = found.ref
    span.marks.spans["model"] = (found.start, found.ref.end)
    if found.is_set_off:
        span.marks.shared.add("ref")
    span.start = found.end
    return True


def _lead_policy(span: Span) -> bool:
    hit = span.at("policy")
    if hit is None or not _SET_OFF.match(span.text, hit.end, span.end):
        return False
    span.note_policy(hit)
    if hit.end >= span.end:
        span.marks.shared.add("policy")
    span.start = hit.end
    return True


def _lead_time(span: Span) -> bool:
    hit = span.at("time")
    if hit is None or not _time_may_end(span, hit.end):
        return False
    if not span.note_time(hit, after=hit.end):
        return False
    span.start = hit.end
    return True


def _time_may_end(span: Span, end: int) -> bool:
    if end >= span.end or _SET_OFF.match(span.text, end, span.end):
        return True
    rest = span.text[end : min(span.end, end + 40)].lstrip()
    if not rest[:1].isascii():
        return rest[:1] not in "的会是前内"
    if not span.text[end - 1].isascii():
        return True
    word = re.match(r"[a-z'-]+", rest)
    return word is not None and (
        phrases.verbs.is_english_request(word.group()) or word.group() in _OPENERS
    )


def _lead_priority(span: Span) -> bool:
    hit = span.at("priority")
    if hit is None:
        return False
    words = hit.words
    mark = _SET_OFF.match(span.text, hit.end, span.end)
    if mark is None and not any(loose in words for loose in LOOSE):
        return False
    span.note_priority(hit)
    if mark:
        span.marks.shared.add("priority")
    span.start = hit.end
    return True


def _lead_link(span: Span) -> bool:
    hit = span.at("link")
    joint = span.at("and") if hit is None else None
    if joint:
        after = joint.end
        while after < span.end and span.text[after] in " ,":
            after += 1
        hit = span.at("link", after) or span.at("fan_in", after)
        if hit and hit.kind in {"all", "named"}:
            span.note_fan_in(hit)
            span.start = hit.end
            return True
    if hit is None or hit.end >= span.end or hit.kind == "keep":
        return False
    span.note_link(hit)
    span.start = hit.end
    return True


def _lead_polite(span: Span) -> bool:
    hit = span.at("polite")
    if hit is None or hit.end >= span.end:
        return False
    span.marks.is_polite = span.marks.is_polite or hit.kind != "filler"
    span.start = hit.end
    return True


_ANY: tuple[str, ...] = ()
_LEADS: tuple[tuple[tuple[str, ...], Callable[[Span], bool]], ...] = (
    (_ANY, brackets.cut_front),
    (("greeting",), _lead_greeting),
    (("depends", "fan_in"), _lead_dependency),
    (("trigger",), _lead_trigger),
    (_ANY, _lead_selection),
    (("policy",), _lead_policy),
    (("time",), _lead_time),
    (("priority",), _lead_priority),
    (("link", "and"), _lead_link),
    (("polite",), _lead_polite),
)
"""What is tried where a phrase for one of the purposes may begin, in this order: a dependency phrase may hold a connective's words, and so on."""
