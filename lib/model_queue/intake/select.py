"""Phrases that select a model or source for a piece of work."""

from __future__ import annotations

import re

from model_queue.intake import phrases
from model_queue.intake.context import Context
from model_queue.intake.lexicon import Hit, Lazy
from model_queue.intake.names import Ref
from model_queue.intake.selection import (
    SET_OFF,
    TO_VERB,
    ZH_NOUN,
    Selection,
    chinese,
    english,
    opens_request,
    skip_blanks,
)

_ABOUT_NOUN = Lazy(
    r"\b(?:reports?|articles?|essays?|posts?|talks?|notes?|pieces?|info|information|research|news|papers?|study|"
    r"studies|summary|presentation|slides|sections?|chapters?|opinions?|data|guides?|tutorials?|stance|views|"
    r"depends?|based|focus|focused|focusing|thoughts|stocks?|pages?|briefing|memo|questions?|facts|quiz|deck)\s{1,2}\Z"
)
"""Nouns that take "on X" as their topic."""
_ABOUT_WITH = Lazy(
    r"\b(?:compared?|replaced?|integrated?|start|started|deals?|chats?|problems?|issues?|works?|experiments?|familiar|"
    r"compatible|integration|comparison|experience|support|interview|partnership|along|together|up|help|happy|"
    r"wrong|comes|came|it|them|app|client|service)\s{1,2}\Z"
)
"""Words that take "with X" as their object."""
_CONTENT_VERB = Lazy(
    r"\s{0,2}(?:compare|benchmark|evaluate|deploy|install|integrate|replace|configure|test)\b"
)


def lead(text: str, start: int, end: int, ctx: Context) -> Selection | None:
    """Return the selection phrase that opens a span, None when none does.

    ``is_set_off`` tells that a colon, comma or line break parts it from the work.
    """
    bracket = _bracketed(text, start, end, ctx)
    if bracket:
        return bracket
    hit = ctx.at("select", text, start, end)
    ref = ctx.name_at(text, skip_blanks(text, hit.end, end), end) if hit else None
    if hit and ref is None and hit.kind == "agent":
        ref = _told_alone(text, hit.end, end, ctx)
    if hit is None or ref is None:
        return _labelled(text, start, end, ctx) or _named_first(text, start, end, ctx)
    if hit.kind.startswith("zh"):
        return chinese(text, start, end, ref, hit.kind)
    return english(text, start, end, (ref, hit.kind), ctx)


def _named_first(text: str, start: int, end: int, ctx: Context) -> Selection | None:
    """Read a name and the particle behind it that selects: qwen2.5で, 로컬에서."""
    if not _NAMES_FIRST.intersection(ctx.phrases.languages):
        return None
    ref = ctx.name_at(text, start, end)
    particle = ctx.at("select_after", text, ref.end, end) if ref else None
    if ref is None or particle is None:
        return None
    stop = particle.end
    run = ctx.at("select_run", text, skip_blanks(text, stop, end), end)
    mark = SET_OFF.match(text, run.end if run else stop, end)
    is_set_off = bool(mark) or (run.end if run else stop) >= end
    if is_set_off:
        stop = mark.end() if mark else end
    return Selection(
        start=start, end=stop, ref=ref, kind="particle", is_set_off=is_set_off
    )


_NAMES_FIRST = frozenset(("ja", "ko"))
"""Languages that say who does the work by a particle behind the name."""


def _told_alone(text: str, start: int, end: int, ctx: Context) -> Ref | None:
    """Return the source of "have the cloud count …": an alias that is told what to do."""
    ref = ctx.name_at(text, skip_blanks(text, start, end), end, is_alone=True)
    if ref is None:
        return None
    verb = TO_VERB.match(text, ref.end, end)
    return ref if verb and opens_request(text, verb.end() - 1, end, ctx) else None


def _bracketed(text: str, start: int, end: int, ctx: Context) -> Selection | None:
    if text[start : start + 1] not in {"(", "[", "【", "@"}:
        return None
    opening = text[start]
    inner = start + 1
    hit = ctx.at("select", text, inner, end) if opening != "@" else None
    ref = ctx.name_at(text, skip_blanks(text, hit.end if hit else inner, end), end)
    if ref is None or ref.kind == "unknown":
        return None
    stop = ref.end
    if opening != "@":
        if text[stop : stop + 1] not in {")", "]", "】"}:
            return None
        stop += 1
    mark = SET_OFF.match(text, stop, end)
    return Selection(
        start=start,
        end=mark.end() if mark else stop,
        ref=ref,
        kind="bracket",
        is_set_off=opening == "@" or bool(mark),
    )


def named(text: str, start: int, end: int, ctx: Context) -> Ref | None:
    """Return the configured name that is a whole span, with or without "on", "with" …."""
    hit = ctx.at("select", text, start, end)
    for begin in (start, skip_blanks(text, hit.end, end) if hit else start):
        ref = ctx.name_at(text, begin, end)
        if ref and ref.kind != "unknown" and ref.end >= end:
            return ref
    return None


def _labelled(text: str, start: int, end: int, ctx: Context) -> Selection | None:
    """Read "qwen2.5: summarise …", which addresses a model by name."""
    ref = ctx.name_at(text, start, end)
    if ref is None or ref.kind == "unknown" or not ref.is_full:
        return None
    if text[ref.end : ref.end + 1] != ":":
        return _addressed(text, start, end, ref, ctx)
    mark = SET_OFF.match(text, ref.end, end)
    stop = mark.end() if mark else ref.end
    return Selection(start=start, end=stop, ref=ref, kind="label", is_set_off=True)


_TOLD = Lazy(
    r"\s?,\s?(?=请|帮|把|给我|写|翻译|总结|麻烦)|"
    r"(?:\s?,|\s(?:should|shall|must)(?:\splease)?)(?=\s(?!(?:be|have|do|work|support|handle|"
    r"help|run|know|fit|cost|use|take|make|need|get)\b)[a-z])"
)


def _addressed(
    text: str, start: int, end: int, ref: Ref, ctx: Context
) -> Selection | None:
    """Read "glm5, write …" and "glm5 should write …": a model is told what to do."""
    told = _TOLD.match(text, ref.end, end) if ref.kind == "model" else None
    if told is None:
        return None
    stop = told.end()
    if text[stop : stop + 1].isspace() and not opens_request(text, stop, end, ctx):
        return None
    return Selection(start=start, end=stop, ref=ref, kind="address", is_set_off=False)


_OBJECT_FIRST = Lazy(
    r"(?:[把将][^,。;!?\n]{1,20}?(?:交给|交由|丢给|发给|派给|用|让)|"
    r"(?![^,]{0,6}[写教学怎如何比说解是会能在不没别想我你他人都介和与])[\u4e00-\u9fff]{1,6}用)\s?(?=[a-z0-9])"
)


_GOAL = Lazy(
    r"(?:goal|aim|purpose|objective|context|background|目标|目的|背景)\s?:[^.!?。\n]{1,200}[.!?。\n]\s{0,3}"
)


def inside(text: str, start: int, end: int, ctx: Context) -> Ref | None:
    """Return the model that is selected within a job, where the text keeps the phrase.

    Behind a sentence that tells the goal ("Goal: green tests. Use glm5 to …"), and
    between a Chinese object and its verb (报告用 glm5 总结).
    """
    goal = _GOAL.match(text, start, end)
    if goal:
        behind = lead(text, goal.end(), end, ctx)
        return behind.ref if behind and behind.ref.kind != "unknown" else None
    if _NAMES_FIRST.intersection(ctx.phrases.languages):
        return _with_particle(text, start, end, ctx)
    if "de" in ctx.phrases.languages:
        return _before_verb(text, start, end, ctx)
    found = _OBJECT_FIRST.match(text, start, end)
    ref = ctx.name_at(text, found.end(), end) if found else None
    if ref is None or ref.kind != "model" or ZH_NOUN.match(text, ref.end, end):
        return None
    verb = skip_blanks(text, ref.end, end)
    is_verb = verb < end and "\u4e00" <= text[verb] <= "\u9fff"
    return ref if is_verb and "的" not in text[verb:end] else None


def _with_particle(text: str, start: int, end: int, ctx: Context) -> Ref | None:
    """Return the first name within a job that has a selecting particle behind it."""
    for position, _ in ctx.scan(text).keys(start, min(end, start + _INSIDE)):
        ref = ctx.name_at(text, position, end)
        if ref is None or ref.kind == "unknown":
            continue
        if ctx.at("select_after", text, ref.end, end):
            return ref
    return None


def _before_verb(text: str, start: int, end: int, ctx: Context) -> Ref | None:
    """Return the model that a German sentence names before its last word.

    "Fasse die Notizen mit qwen2.5 zusammen": the verb's second part comes last.
    """
    stop = min(end, start + _INSIDE)
    for position in ctx.scan(text).candidates("select", start, stop):
        hit = ctx.at("select", text, position, end)
        if hit is None or hit.kind != "use" or position == start:
            continue
        ref = ctx.name_at(text, skip_blanks(text, hit.end, end), end)
        is_model = ref is not None and ref.kind == "model"
        if ref and is_model and _LAST_WORD.match(text, ref.end, end):
            return ref
    return None


_LAST_WORD = Lazy(r" [a-zäöüß]{2,20}[ .!]*\Z")


_INSIDE = 300
"""Characters of a job within which a name and its particle are looked for."""


_TURN = Lazy(r"[,;.。\n]\s{0,2}(?=use\b|have\b|let\b|ask\b|get\b|用|让|由|请|使用|叫)")
_FALLBACK = Lazy(
    r"(?:if|when|unless|otherwise|should|in case)\b|如果|若|要是|万一|失败|否则"
)


def turns(text: str, start: int, end: int, ctx: Context) -> list[int]:
    """Return where a request to one model ends and one to another begins.

    "让 glm5 写诗,让 qwen2.5 写歌": the job that follows must not run on the first model.
    """
    first = lead(text, start, end, ctx)
    found: list[int] = []
    if first is None or first.ref.kind == "unknown" or first.is_set_off:
        return found
    before, last = first.ref, start
    for joint in _TURN.finditer(text, first.end, end):
        clause = re.split(r"[,;.。\n]", text[last : joint.start()])[-1].lstrip()
        last = joint.start()
        other = lead(text, joint.end(), end, ctx)
        if other is None or _FALLBACK.match(clause) or not _is_work(text, other, end):
            continue
        if (other.ref.source, other.ref.models) != (before.source, before.models):
            found.append(joint.end())
            before = other.ref
    return found


def _is_work(text: str, found: Selection, end: int) -> bool:
    if found.is_set_off or found.ref.kind == "unknown" or found.end >= end:
        return False
    if found.kind.startswith("zh"):
        return "\u4e00" <= text[found.end] <= "\u9fff"
    word = re.compile(r"[a-z-]+").match(text, skip_blanks(text, found.end, end), end)
    return word is not None and phrases.verbs.is_english_request(word.group())


def tail(text: str, start: int, end: int, ctx: Context) -> Selection | None:
    """Return the selection phrase that closes a span, None when none does."""
    if text[end - 1] in ")]】":
        opening = max(
            text.rfind(mark, max(start, end - _TAIL_WINDOW), end) for mark in "([【"
        )
        found = _bracketed(text, opening, end, ctx) if opening >= 0 else None
        return found if found and found.end >= end else None
    low = max(start, end - _TAIL_WINDOW)
    sign = text.rfind("@", low, end)
    ref = (
        ctx.name_at(text, sign + 1, end)
        if sign > low and text[sign - 1] == " "
        else None
    )
    if ref and ref.kind != "unknown" and ref.end >= end:
        return Selection(start=sign, end=end, ref=ref, kind="on", is_set_off=False)
    for position in ctx.scan(text).candidates("select", low, end):
        hit = ctx.at("select", text, position, end)
        if hit is None or hit.kind == "agent":
            continue
        ref = ctx.name_at(text, skip_blanks(text, hit.end, end), end)
        if ref is None or not _closes(text, ref.end, end):
            continue
        if _fits_tail(text, start, hit, ref):
            own = _own_clause(text, start, position)
            return Selection(
                start=position, end=end, ref=ref, kind=hit.kind, is_set_off=own
            )
    return None


_TAIL_WINDOW = 90
"""Characters before the end within which a selection phrase may begin."""
_CLOSING = Lazy(
    r"\s{0,2}(?:(?:for|on) (?:this|that|it|these|them|all|all of (?:this|these|them|it)|both|everything|"
    r"the (?:task|job)|this (?:one|task|job)|that (?:one|task|job))|please|上面|上|来|去|处理|执行|运行|跑|做|"
    r"完成|就行|即可|吧|一下|这个|任务|模型|那边){0,4}\s{0,2}"
)
_POINTING = Lazy(r"\b(?:it|this|that|these|them)\b")
_PRONOUN = Lazy(r"\b(?:it|them)\s{1,2}\Z")
"""Before "with" and a source's own name it is what is worked on, not the topic."""
_CHOOSING = frozenset(("use", "take", "pick", "choose", "select", "try", "prefer"))


def _closes(text: str, stop: int, end: int) -> bool:
    match = _CLOSING.match(text, stop, end)
    return match is not None and match.end() >= end


def _own_clause(text: str, start: int, position: int) -> bool:
    before = text[max(start, position - 8) : position].rstrip()
    return not before or before[-1] in ",;.:。!?\n("


def _fits_tail(text: str, start: int, hit: Hit, ref: Ref) -> bool:
    """Tell whether a phrase at the end selects, and is not what the work is about."""
    before = text[max(start, hit.start - 40) : hit.start]
    own = _own_clause(text, start, hit.start) or before.rstrip().endswith(
        (" and", "—", "-")
    )
    if hit.kind in {"zh_use", "zh_on", "noun"}:
        return own
    if hit.kind in {"send", "run"}:
        return own or _POINTING.search(hit.words) is not None
    word = hit.words.rsplit(maxsplit=1)[-1]
    topic = _ABOUT_WITH if word == "with" else _ABOUT_NOUN
    if topic.search(before) and not (ref.is_name and _PRONOUN.search(before)):
        return False
    start = max(start, text.rfind(". ", start, hit.start) + 1)
    return own or _selects(
        word, ref, is_content=_CONTENT_VERB.match(text, start) is not None
    )


def _selects(word: str, ref: Ref, *, is_content: bool) -> bool:
    """Tell whether a preposition in the middle of a clause selects a name."""
    if word in _CHOOSING:
        return False
    if word in {"in", "at", "from"}:
        return ref.is_full and ref.kind == "source"
    if ref.kind == "unknown":
        return word in {"using", "via", "with"}
    if ref.kind == "source" and not ref.is_full and word in {"with", "by", "through"}:
        return False
    return not (word == "with" and is_content)
