"""Where running text falls apart into several requests."""

from __future__ import annotations

import re
from collections.abc import Iterator

from model_queue.intake import phrases
from model_queue.intake.context import Context
from model_queue.intake.lexicon import Hit, Lazy
from model_queue.intake.protect import MASK

_SENTENCE = Lazy(r"[.!?](?=[\s)\"'\ue000]|$)|[。！？!?](?=\S)|\n")
_ABBREVIATION = Lazy(
    r"(?:\b(?:e\.g|i\.e|etc|vs|mr|mrs|ms|dr|st|no|approx|incl|cf|inc|ltd|fig|p|pp|vol)|(?:\b[a-z]\.)+[a-z])\Z"
)
_JOINTS = frozenset(",;:.!?。\n-—、()")
_DETAIL = (
    "支持",
    "要",
    "需要",
    "保持",
    "保留",
    "注意",
    "包含",
    "包括",
    "确保",
    "不要",
    "避免",
    "别",
    "必须",
    "记得",
    "得",
    "可以",
    "还",
    "能",
    "满足",
    "兼容",
    "考虑",
    "遵循",
    "符合",
    "附上",
)
_DETAIL_EN = frozenset(
    [
        "make",
        "ensure",
        "note",
        "keep",
        "remember",
        "include",
        "avoid",
        "mind",
        "bear",
        "be",
    ]
)
_SELECTING = frozenset(["have", "with", "using", "via", "on"])
"""Words that select who does the next request: "then have mistral …"."""
_NOT_THEN_AFTER = frozenset(
    [
        "since",
        "until",
        "till",
        "by",
        "back",
        "even",
        "just",
        "from",
        "what",
        "if",
        "and-if",
        "every",
        "now",
    ]
)
_CONDITION = Lazy(
    r"(?<!check )(?<!see )(?<!verify )(?<!determine )(?<!whether )(?<!test )(?<!know )(?<!decide )(?<!ask )"
    r"(?<!out )(?<!even )\b(?:if|whenever|in case|unless)\b"
)
_BEHAVIOUR = Lazy(
    rf"\b(?:{'|'.join(sorted(phrases.verbs.BACKGROUND_NOUNS))})s?\b(?: [a-z-]+){{0,4}} (?:that|which|to|for|where|who)\b"
    r"|\bhow (?:to|we|you|i|they|it|users?)\b|\bwhat happens\b|\b(?:where|when) (?:the |a |an )?(?:user|users|customer|client|"
    r"visitors?|people|we|they|it)\b"
)


class Cut:
    """A place where a new request begins.

    ``start`` and ``end`` are those of the connective, which is left for ``edges`` to read.
    """

    __slots__ = ("end", "kind", "start")

    def __init__(self, start: int, end: int, kind: str) -> None:
        self.start = start
        self.end = end
        self.kind = kind


def describes(before: str) -> bool:
    """Tell whether the words before describe what some code or person does."""
    return _BEHAVIOUR.search(before) is not None


def sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the sentences of a span; each ends behind its mark."""
    begin = start
    for mark in _SENTENCE.finditer(text, start, end):
        if mark.group() == "." and _ABBREVIATION.search(
            text, max(begin, mark.start() - 8), mark.start()
        ):
            continue
        if text[begin : mark.end()].strip():
            yield begin, mark.end()
        begin = mark.end()
    if text[begin:end].strip():
        yield begin, end


def cuts(text: str, start: int, end: int, ctx: Context) -> list[Cut]:
    """Return where connectives, additives and fan-in phrases begin a new request."""
    found: list[Cut] = []
    while start < end and not text[start].isalnum() and text[start] != MASK:
        start += 1
    last = start
    found += (
        Cut(arrow.start(), arrow.end(), "arrow")
        for arrow in _ARROW.finditer(text, start, end)
        if _requests(text, arrow.end(), end, ctx, strict=True)
    )
    for purpose, hit in _links(text, start, end, ctx):
        begin, is_joined = _with_and(text, last, hit.start, ctx)
        if begin <= last:
            continue
        joint = _Joint(text, last, begin, ctx, is_joined=is_joined)
        if joint.splits(hit, purpose, end):
            found.append(Cut(begin, hit.end, hit.kind))
            last = hit.end
        elif purpose == "link" and hit.kind in _TURNED:
            clause = _clause_before(text, last, hit, end, ctx)
            if clause is not None:
                found.append(Cut(clause, hit.end, "behind"))
                last = hit.end
    return found


_ARROW = Lazy(r"\s(?:→|->|=>|➜|⇒|⟶|>>)\s")
_TURNED = frozenset(("bare", "chain"))
_CLAUSE_BEFORE = Lazy(r"[,;.]\s{1,2}(?:and |but )?(?P<clause>[^,;.\n]{4,120})\Z")
_CLAUSE_END = Lazy(r"\s{0,2}(?:[.!;\n]|\Z)")


def _clause_before(
    text: str, last: int, hit: Hit, end: int, ctx: Context
) -> int | None:
    """Return where the clause begins that a connective closes: "…, pack them after that"."""
    if not hit.words.startswith(("after", "then", "next")):
        return None
    if not _CLAUSE_END.match(text, hit.end, end):
        return None
    found = _CLAUSE_BEFORE.search(text[: hit.start].rstrip(), last)
    if found is None or not _requests(
        text, found.start("clause"), end, ctx, strict=True
    ):
        return None
    return found.start("clause")


_LINKS = ("fan_in", "depends", "link")
"""Phrases that can begin a request, in this order."""


def _links(text: str, start: int, end: int, ctx: Context) -> Iterator[tuple[str, Hit]]:
    scan = ctx.scan(text)
    places = {at for each in _LINKS for at in scan.candidates(each, start, end)}
    done = start
    for at in sorted(places):
        if at < done:
            continue
        for purpose in _LINKS:
            hit = scan.at(purpose, at, end)
            if hit and hit.kind != "keep":
                yield purpose, hit
                is_whole = purpose == "link" or "ids" in hit.groups
                done = hit.end if is_whole else at + 1
                break


def _past_blanks(text: str, low: int, end: int) -> int:
    """Step back over blanks and commas."""
    while end > low and text[end - 1] in " ,":
        end -= 1
    return end


def _with_and(text: str, low: int, start: int, ctx: Context) -> tuple[int, bool]:
    """Step back over "and", "but" or a comma's "and," before a connective."""
    stop = _past_blanks(text, low, start)
    joint = ctx.before("and", text, max(low, stop - 10), stop)
    if joint:
        return joint.start, True
    if stop > low and text[stop - 1] in "&+":
        return stop - 1, True
    return start, False


_SPAN_BEHIND = Lazy(r"(?:分钟|小时|钟头|天|周|星期|礼拜|个月|年|秒)(?:之后|以后|后)\Z")
_WINDOW = 400
"""Characters before a connective that are looked at."""


class _Joint:
    """A connective's place: what stands before it since the last cut."""

    __slots__ = ("_before", "_ctx", "_is_joined", "_text")

    def __init__(
        self, text: str, last: int, begin: int, ctx: Context, *, is_joined: bool
    ) -> None:
        self._ctx = ctx
        self._text = text
        self._before = text[max(last, begin - _WINDOW) : begin].rstrip(" \t")
        self._is_joined = is_joined

    def splits(self, hit: Hit, purpose: str, end: int) -> bool:
        """Tell whether a phrase found here begins a new request."""
        before = self._before
        if not before.strip(" \t\n,;:.。!?") or hit.kind == "first":
            return False
        if purpose != "link":
            at_joint = before[-1] in _JOINTS and before[-1] != "("
            return at_joint and _requests(
                self._text, hit.end, end, self._ctx, strict=not self._ctx.has_others
            )
        if not self._may_stand(hit):
            return False
        strict = hit.words.isascii() and not self._ctx.has_others
        is_also = hit.kind == "also"
        return _requests(
            self._text, hit.end, end, self._ctx, strict=strict, is_also=is_also
        )

    def _may_stand(self, hit: Hit) -> bool:
        before = self._before
        at_joint = self._is_joined or before[-1] in _JOINTS
        if not at_joint and not self._may_be_bare(hit):
            return False
        if hit.words.startswith("then") and self._is_conditional():
            return False
        flows_on = before[-1] not in ",;.!?。" and (self._is_joined or not at_joint)
        return not (flows_on and describes(before[-200:]))

    def _may_be_bare(self, hit: Hit) -> bool:
        if hit.kind == "bare":
            last = self._before.rsplit(maxsplit=1)[-1].strip(",")
            return last not in _NOT_THEN_AFTER
        if not hit.words.startswith("再"):
            return False
        clause = re.split(r"[,;。!?\n]", self._before)[-1].strip()
        if _SPAN_BEHIND.search(clause):
            # 半小时后再试: what comes first is a time, no job.
            return False
        return clause.startswith(("先", "首先")) or clause.endswith(("完", "好", "后"))

    def _is_conditional(self) -> bool:
        sentence = re.split(r"[.!?。\n;]", self._before)[-1]
        opens = sentence.strip().startswith(("如果", "when ", "若"))
        return opens or _CONDITION.search(sentence) is not None


_WORD = Lazy(r"[a-z][a-z'-]*")


def _requests(
    text: str,
    start: int,
    end: int,
    ctx: Context,
    *,
    strict: bool,
    is_also: bool = False,
) -> bool:
    """Tell whether a new request begins here, behind a connective."""
    position, is_wanted = _skip_talk(text, start, end, ctx)
    if position >= end or is_wanted or text[position] == MASK:
        return position < end and (is_wanted or not strict)
    word = _WORD.match(text, position, end)
    if word is None:
        is_detail = is_also and text.startswith(_DETAIL, position)
        return not is_detail and not text.startswith(("的", "呢?"), position)
    found = word.group()
    if is_also and found in _DETAIL_EN:
        return False
    if phrases.verbs.is_english_request(found) or found in _SELECTING:
        return True
    if found in phrases.verbs.NOT_REQUEST or phrases.verbs.is_inflected(found):
        return False
    rest = text[word.end() : min(end, word.end() + 3)]
    return not strict or (rest[:1] not in {",", "."} and bool(rest.strip()))


_TALK = ("polite", "link", "time", "fan_in", "depends", "priority", "policy")
_ADVERB = Lazy(r"(?:\w{2,14}ly|just|also|always|both|either) ")
_NO_ADVERB = frozenset(("reply", "apply", "supply", "multiply", "comply", "assembly"))
_QUOTES = MASK + "([\"'“「《/#@`"


def _skip_talk(text: str, start: int, end: int, ctx: Context) -> tuple[int, bool]:
    """Step over politeness, adverbs and attribute phrases behind a connective.

    Tells too whether something is wanted: "also, I need a cover design".
    """
    position, is_wanted = start, False
    for _ in range(8):
        while position < end and not (
            text[position].isalnum() or text[position] in _QUOTES
        ):
            position += 1
        hit = None
        for purpose in _TALK:
            hit = hit or ctx.at(purpose, text, position, end)
        adverb = _ADVERB.match(text, position, end)
        if hit and hit.kind != "keep":
            position = hit.end
            is_wanted = is_wanted or hit.kind == "want"
        elif adverb and adverb.group().strip() not in _NO_ADVERB:
            position = adverb.end()
        else:
            break
    return position, is_wanted
