"""Phrases that select a model or source for a piece of work."""

from __future__ import annotations

import re

from model_queue.intake import phrases
from model_queue.intake.lexicon import Hit, Lazy, words
from model_queue.intake.names import Names, Ref

_AFTER_USE = Lazy(
    r"\s{0,2}(?:[:,;.\n]|-\s|(?:to|for|and|on this|please|here|pls|then)\b|\)|\Z)"
)
_FOR = Lazy(
    r"\s{0,2}(?:,?\s?please)?(?:(?:\s?to\b|\s?and\b|\s?for (?:this|that|it|these|the following|all|all of (?:this|"
    r"these|it)|them|everything|both|the (?:task|job|job below)|this (?:one|task|job)|all tasks)\b|\s?for\b|\s?on this\b|"
    r"\s?here\b|\s?please\b|\s?pls\b|\s?then\b))?(?:\s?please\b)?\s{0,3}"
)
_SET_OFF = Lazy(r"\s{0,2}(?P<mark>[:,;.\n]|-\s|--)\s{0,3}")
_AFTER_ZH = Lazy(
    r"\s{0,2}(?:上面|上|那边|那里|那儿)?(?:来|去|帮我|帮忙|给我|处理|执行|运行|跑|做|完成|干|一下|下|这个|这些|这件事|任务|就行|即可|吧|"
    r"并|队列|模型)*\s{0,2}"
)
_ZH_ONLY_HELPERS = Lazy(r"\s{0,2}(?:来|去|帮我|帮忙|给我)*\s{0,2}")
_ZH_NOUN = Lazy(
    r"\s{0,2}(?:的|配置|文件|仓库|分支|服务|存储|数据|环境|控制|桌面|调试|办公|缓存|时间|化|部署|主机|工具|开发|变量|目录|"
    r"路径|代理|镜像|会议|协作|电脑|磁盘|硬盘|盘|网络|账号|机构|企业|方言|特色|美食|新闻|生活|市场|客户|团队|员工|商家|"
    r"和|与|跟|还是|或|分词|接口|api|sdk|那套|风格|格式|当|作为|做为|替换|代替|客户端|镜头|登录|连接|监控)"
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


class Selection:
    """A selection phrase: the name, where the phrase ends, how far it reaches."""

    __slots__ = ("end", "is_set_off", "kind", "ref", "start")

    def __init__(
        self, *, start: int, end: int, ref: Ref, kind: str, is_set_off: bool
    ) -> None:
        self.start = start
        self.end = end
        self.ref = ref
        self.kind = kind
        self.is_set_off = is_set_off


def lead(text: str, start: int, end: int, names: Names) -> Selection | None:
    """Return the selection phrase that opens a span, None when none does.

    ``is_set_off`` tells that a colon, comma or line break parts it from the work.
    """
    bracket = _bracketed(text, start, end, names)
    if bracket:
        return bracket
    hit = phrases.lexicon("select").at(text, start, end)
    ref = names.at(text, _skip_blanks(text, hit.end, end), end) if hit else None
    if hit and ref is None and hit.kind == "agent":
        ref = _told_alone(text, hit.end, end, names)
    if hit is None or ref is None:
        return _labelled(text, start, end, names)
    read = _chinese if hit.kind.startswith("zh") else _english
    return read(text, start, end, ref, hit.kind)


def _told_alone(text: str, start: int, end: int, names: Names) -> Ref | None:
    """Return the source of "have the cloud count …": an alias that is told what to do."""
    ref = names.at(text, _skip_blanks(text, start, end), end, is_alone=True)
    if ref is None:
        return None
    verb = _TO_VERB.match(text, ref.end, end)
    return ref if verb and _opens_request(text, verb.end() - 1, end) else None


def _skip_blanks(text: str, start: int, end: int) -> int:
    while start < end and text[start] in " \t":
        start += 1
    return start


def _bracketed(text: str, start: int, end: int, names: Names) -> Selection | None:
    if text[start : start + 1] not in {"(", "[", "【", "@"}:
        return None
    opening = text[start]
    inner = start + 1
    hit = phrases.lexicon("select").at(text, inner, end) if opening != "@" else None
    ref = names.at(text, _skip_blanks(text, hit.end if hit else inner, end), end)
    if ref is None or ref.kind == "unknown":
        return None
    stop = ref.end
    if opening != "@":
        if text[stop : stop + 1] not in {")", "]", "】"}:
            return None
        stop += 1
    mark = _SET_OFF.match(text, stop, end)
    return Selection(
        start=start,
        end=mark.end() if mark else stop,
        ref=ref,
        kind="bracket",
        is_set_off=opening == "@" or bool(mark),
    )


def _labelled(text: str, start: int, end: int, names: Names) -> Selection | None:
    """Read "qwen2.5: summarise …", which addresses a model by name."""
    ref = names.at(text, start, end)
    if ref is None or ref.kind == "unknown" or not ref.is_full:
        return None
    if text[ref.end : ref.end + 1] != ":":
        return _addressed(text, start, end, ref)
    mark = _SET_OFF.match(text, ref.end, end)
    stop = mark.end() if mark else ref.end
    return Selection(start=start, end=stop, ref=ref, kind="label", is_set_off=True)


_TOLD = Lazy(
    r"\s?,\s?(?=请|帮|把|给我|写|翻译|总结|麻烦)|"
    r"(?:\s?,|\s(?:should|shall|must)(?:\splease)?)(?=\s(?!(?:be|have|do|work|support|handle|"
    r"help|run|know|fit|cost|use|take|make|need|get)\b)[a-z])"
)


def _addressed(text: str, start: int, end: int, ref: Ref) -> Selection | None:
    """Read "glm5, write …" and "glm5 should write …": a model is told what to do."""
    told = _TOLD.match(text, ref.end, end) if ref.kind == "model" else None
    if told is None:
        return None
    stop = told.end()
    if text[stop : stop + 1].isspace() and not _opens_request(text, stop, end):
        return None
    return Selection(start=start, end=stop, ref=ref, kind="address", is_set_off=False)


_OBJECT_FIRST = Lazy(
    r"(?:[把将][^,。;!?\n]{1,20}?(?:交给|交由|丢给|发给|派给|用|让)|"
    r"(?![^,]{0,6}[写教学怎如何比说解是会能在不没别想我你他人都介和与])[\u4e00-\u9fff]{1,6}用)\s?(?=[a-z0-9])"
)


_GOAL = Lazy(
    r"(?:goal|aim|purpose|objective|context|background|目标|目的|背景)\s?:[^.!?。\n]{1,200}[.!?。\n]\s{0,3}"
)


def inside(text: str, start: int, end: int, names: Names) -> Ref | None:
    """Return the model that is selected within a job, where the text keeps the phrase.

    Behind a sentence that tells the goal ("Goal: green tests. Use glm5 to …"), and
    between a Chinese object and its verb (报告用 glm5 总结).
    """
    goal = _GOAL.match(text, start, end)
    if goal:
        behind = lead(text, goal.end(), end, names)
        return behind.ref if behind and behind.ref.kind != "unknown" else None
    found = _OBJECT_FIRST.match(text, start, end)
    ref = names.at(text, found.end(), end) if found else None
    if ref is None or ref.kind != "model" or _ZH_NOUN.match(text, ref.end, end):
        return None
    verb = _skip_blanks(text, ref.end, end)
    is_verb = verb < end and "\u4e00" <= text[verb] <= "\u9fff"
    return ref if is_verb and "的" not in text[verb:end] else None


_TURN = Lazy(r"[,;.。\n]\s{0,2}(?=use\b|have\b|let\b|ask\b|get\b|用|让|由|请|使用|叫)")
_FALLBACK = Lazy(
    r"(?:if|when|unless|otherwise|should|in case)\b|如果|若|要是|万一|失败|否则"
)


def turns(text: str, start: int, end: int, names: Names) -> list[int]:
    """Return where a request to one model ends and one to another begins.

    "让 glm5 写诗,让 qwen2.5 写歌": the job that follows must not run on the first model.
    """
    first = lead(text, start, end, names)
    found: list[int] = []
    if first is None or first.ref.kind == "unknown" or first.is_set_off:
        return found
    before, last = first.ref, start
    for joint in _TURN.finditer(text, first.end, end):
        clause = re.split(r"[,;.。\n]", text[last : joint.start()])[-1].lstrip()
        last = joint.start()
        other = lead(text, joint.end(), end, names)
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
    word = re.compile(r"[a-z-]+").match(text, _skip_blanks(text, found.end, end), end)
    return word is not None and phrases.verbs.is_english_request(word.group())


def _english(text: str, start: int, end: int, ref: Ref, kind: str) -> Selection | None:
    stop, is_set_off = ref.end, False
    mark = _SET_OFF.match(text, stop, end)
    if kind == "agent":
        before_verb = _TO_VERB.match(text, stop, end)
        stop = before_verb.end() if before_verb else -1
    elif mark:
        stop, is_set_off = mark.end(), True
    elif kind == "noun":
        stop = -1
    elif kind in _PLACES and stop < end:
        stop, is_set_off = _behind_place(text, ref, end, kind)
    elif _AFTER_USE.match(text, stop, end):
        purpose = _FOR.match(text, stop, end)
        stop = purpose.end() if purpose else stop
        mark = _SET_OFF.match(text, stop, end)
        is_set_off = bool(mark) or stop >= end
        stop = mark.end() if mark else stop
    elif not _opens_request(text, stop, end):
        stop = -1
    if stop < 0:
        return None
    return Selection(start=start, end=stop, ref=ref, kind=kind, is_set_off=is_set_off)


_PLACES = frozenset(("send", "run", "on"))
_TO_VERB = Lazy(r"\s{1,2}(?:to\s{1,2})?(?:please\s)?(?=[a-z])")
_COURTESY = Lazy(r"\s(?:please|pls|for me)\s{0,2}(?=[:,\n]|\Z)")


def _behind_place(text: str, ref: Ref, end: int, kind: str) -> tuple[int, bool]:
    """Return where "run this on X" ends, -1 when the work does not begin there."""
    is_named = kind == "on" and ref.is_full and ref.kind != "unknown"
    if is_named and _opens_request(text, ref.end, end):
        return ref.end, False
    courtesy = _COURTESY.match(text, ref.end, end)
    if courtesy is None:
        return -1, False
    mark = _SET_OFF.match(text, courtesy.end(), end)
    return (mark.end(), True) if mark else (courtesy.end(), False)


def _opens_request(text: str, start: int, end: int) -> bool:
    position = _skip_blanks(text, start, end)
    if position == start:
        return False
    word = re.compile(r"[a-z-]+").match(text, position, end)
    if word is None:
        return position < end and text[position] > "\u2e80"
    return phrases.verbs.is_english_request(word.group()) or word.group() in {
        "please",
        "pls",
    }


def _chinese(text: str, start: int, end: int, ref: Ref, kind: str) -> Selection | None:
    if _ZH_NOUN.match(text, ref.end, end):
        return None
    if kind == "zh_on":
        after = re.compile(
            r"\s{0,2}(?:上面|上|那边|里|中)?(?:来|去)?(?:跑|执行|运行|处理|做|完成)?"
        ).match(text, ref.end, end)
        stop = after.end() if after else ref.end
        if stop == ref.end and not _SET_OFF.match(text, stop, end):
            return None
    else:
        full = _AFTER_ZH.match(text, ref.end, end)
        stop = full.end() if full else ref.end
        if stop < end and not _SET_OFF.match(text, stop, end):
            helpers = _ZH_ONLY_HELPERS.match(text, ref.end, end)
            stop = helpers.end() if helpers else ref.end
    mark = _SET_OFF.match(text, stop, end)
    return Selection(
        start=start,
        end=mark.end() if mark else stop,
        ref=ref,
        kind=kind,
        is_set_off=bool(mark) or stop >= end,
    )


def tail(text: str, start: int, end: int, names: Names) -> Selection | None:
    """Return the selection phrase that closes a span, None when none does."""
    if text[end - 1] in ")]】":
        opening = max(
            text.rfind(mark, max(start, end - _TAIL_WINDOW), end) for mark in "([【"
        )
        found = _bracketed(text, opening, end, names) if opening >= 0 else None
        return found if found and found.end >= end else None
    lexicon = phrases.lexicon("select")
    for position, key in words(text, max(start, end - _TAIL_WINDOW), end):
        hit = lexicon.at_word(key, text, position, end)
        if hit is None or hit.kind == "agent":
            continue
        ref = names.at(text, _skip_blanks(text, hit.end, end), end)
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
