"""What a sentence is: a request, or one of the things that are not work."""

from __future__ import annotations

import re

from model_queue.intake import phrases
from model_queue.intake.context import Context
from model_queue.intake.lexicon import Lazy
from model_queue.intake.protect import MASK

_WORD = Lazy(r"[a-z][a-z'-]*")
_POLITE_QUESTION = Lazy(
    r"(?:can|could|would|will|might|may) (?:you|u|we|someone|somebody)\b(?! (?:speak|believe|imagine|hear|see|understand|tell me (?:what|"
    r"who|when|where|why|how|if|whether|which)|be|remember|guess|know|recommend|say))|would you mind|do you mind|any chance you|"
    r"(?:would|might) it be (?:possible|ok|okay|alright|feasible)(?: for you)? to\b|is it possible (?:for you )?to\b|"
    r"(?:is|would) there (?:be )?(?:any|a) (?:way|chance) (?:that )?you (?:could|can|would|might)|i was wondering if you"
)
_QUESTION_ZH = Lazy(
    r"[吗么呢]\s*[?？]?\s*\Z|(?:什么|多少|怎么|为什么|为啥|哪|谁|几点|几个|多高|多大|多远|多长|多久|多重|如何|是不是|有没有|是否|"
    r"能不能|会不会|要不要|咋|怎样|何时).{0,30}[?？]\s*\Z|\?\s*\Z|(?:会怎么?样|会如何|怎么办|什么意思|怎么用|是什么|怎么(?:翻译|说|读|念|写)|哪(?:个|种|款|家)(?:更|比较|最)?(?:好|快|强|合适|便宜|准|厉害|靠谱|划算))\s*\Z"
)
_STATEMENT_ZH = Lazy(
    r"(?:我(?!想要|要|需要|希望|想请|想让|们要|们需要|想把|想看)|我们(?!要|需要|希望|想)|你(?!帮|来|去|把|能|可以)|您(?!帮|来|把|能)|他|她|它|这个|那个|这|那|今天(?!把|下午|晚上)|昨天|昨晚|刚才|刚刚|上次|"
    r"大家|有人|同事|老板|听说|感觉|觉得|其实|原来|真|太|好(?!好)|最近|文档里|为什么|为啥|怎么|什么|谁|哪|几点|难道|是不是|有没有)"
)
_OBJECT_FIRST_ZH = Lazy(
    r"(?:这个|那个|这|那)[^,。?!]{0,20}(?:帮我|请|麻烦|改|修|翻译|整理|处理一下|写一下)"
)
_PAST_ZH = Lazy(
    r"(?:我们?|咱们|他们?|她们?|它|你们?|同事|老板|客户)(?:已经|昨天|昨晚|前天|刚才|刚刚|刚|上周|上次|之前|早就|今天早上|都)(?!要|想|需)[^?]*了"
)
_REQUEST_ZH = Lazy(r"把|帮我|帮忙|麻烦|请(?!问)")
_NEGATED = Lazy(
    r"(?:please )?(?:do not|don't|dont|never|no need to|let's not|please don't|you (?:don't|do not) (?:need|have) to|stop)\b|"
    r"(?:请|先|千万|请先|暂时|暂时先)?(?:别|不要|不用|勿|不必|不许)"
)
_ID_FIRST_ZH = Lazy(r"(?:任务 ?)?t-?\d{1,7}\s{0,2}(?=[\u4e00-\u9fff])")
"""What a Chinese sentence is about; the words behind it tell what it is."""
_HOW_TO = Lazy(r"\bhow (?:do|can|could|would|should|does) (?:i|we|you|one|it)\b")


def kind_of(text: str, start: int, end: int, ctx: Context) -> str:
    """Classify a sentence: chat, remind, search, question, about, statement or request.

    Source: guide M2 and M5.
    """
    position, was_polite = _past_talk(text, start, end, ctx)
    if position >= end or not any(c.isalnum() or c == MASK for c in text[position:end]):
        return "chat"
    for purpose in ("remind", "search"):
        if ctx.at(purpose, text, position, end):
            return purpose
    if purposeful := _remind_inside(text, position, end, ctx):
        return purposeful
    body = text[position:end].rstrip(" \t\n~")
    about = _ID_FIRST_ZH.match(body)
    body = body[about.end() :] if about else body
    if not was_polite and (_NEGATED.match(body) or _HOW_TO.search(body)):
        return "about"
    kind = ""
    if ctx.has_others and not was_polite:
        kind = _other_kind(text, position, end, ctx)
    return kind or _kind_of_body(body, was_polite=was_polite)


_QUOTED_SUBJECT = Lazy(
    rf"{MASK}+ (?:is|was|were|are|means|meant|says|said|sounds|looks|seems)\b"
)
"""What is said about a quotation."""


def _kind_of_body(body: str, *, was_polite: bool) -> str:
    if _QUOTED_SUBJECT.match(body):
        return "statement"
    word = _WORD.match(body)
    if word is None:
        return _chinese_kind(body, was_polite=was_polite)
    is_mixed = not (was_polite or body.isascii())
    is_request = phrases.verbs.is_english_request(word.group())
    if is_mixed and not is_request and _QUESTION_ZH.search(body):
        return "question"
    return _english_kind(body, word.group(), was_polite=was_polite)


def _other_kind(text: str, start: int, end: int, ctx: Context) -> str:
    """Classify a sentence of a language whose verbs are not listed, "" where unsure."""
    stop = start + len(text[start:end].rstrip(" \t\n~.!。"))
    if ASKED.search(text, start, stop):
        return "request"
    for kind in ("question", "statement"):
        if ctx.at(kind, text, start, end):
            return kind
    if _QUESTION_JA_KO.search(text, start, stop):
        return "question"
    return "statement" if _STATEMENT_JA_KO.search(text, start, stop) else ""


ASKED = Lazy(
    r"(?:くれますか|くれませんか|くれる|くれない|もらえますか|もらえませんか|もらえる|いただけますか|いただけませんか|頂けますか|ほしい|ほしいです|"
    r"ください|お願い(?:します|いたします|できますか)?|してもらいたい(?:です)?|줄래(?:요)?|줄 수 있(?:어|나요|을까요|어요|습니까)|주시겠어요|"
    r"주실 수 있(?:나요|을까요|어요)|부탁(?:해|해요|드려요|드립니다|합니다)|해줘|해주세요|주세요|줘)[?]?\Z"
)
"""How a Japanese or Korean request ends, though it may be a question in form."""
_QUESTION_JA_KO = Lazy(
    r"(?:(?:です|ます|でした|ました|だろう|でしょう|の|する)か|[?]|까|나요|는지요)[?]?\Z"
)
_STATEMENT_JA_KO = Lazy(
    r"[\u3041-\u9fff](?:です|ます|でした|ました|だった|だよ|だね|ですね|ですよ|かな|かも|と思う|と思います|みたい|らしい|たよ|た|ないで|なくていい|楽しい|すごい|疲れた)\Z|"
    r"[\uac00-\ud7a3](?:습니다|입니다|네요|군요|지요|죠|았어|었어|했어|했어요|았어요|었어요|이에요|예요|같아|같아요|하지 마|하지마|마세요|말아줘)\Z"
)


def _remind_inside(text: str, start: int, end: int, ctx: Context) -> str:
    """A time may stand before 提醒我; the sentence is still a reminder."""
    hit = ctx.at("time", text, start, end)
    if hit:
        position = hit.end
        while position < end and text[position] in " ,、":
            position += 1
        if ctx.at("remind", text, position, end):
            return "remind"
    return ""


def _past_talk(text: str, start: int, end: int, ctx: Context) -> tuple[int, bool]:
    """Step over greetings and politeness; tell whether a polite request was there."""
    position, was_polite = start, False
    for _ in range(10):
        while position < end and not (
            text[position].isalnum() or text[position] == MASK
        ):
            position += 1
        question = _POLITE_QUESTION.match(text, position, end)
        greeting = ctx.at("greeting", text, position, end)
        if greeting and not question:
            position = greeting.end
            continue
        polite = ctx.at("polite", text, position, end)
        if polite is None or polite.end >= end:
            break
        if polite.kind != "filler":
            if _opens_question(text, position) and not question:
                break
            was_polite = True
        position = polite.end
    return position, was_polite


def _opens_question(text: str, start: int) -> bool:
    return text.startswith(
        ("can ", "could ", "would ", "will ", "may ", "might "), start
    )


def _english_kind(body: str, word: str, *, was_polite: bool) -> str:
    verbs = phrases.verbs
    if was_polite or _is_behind_condition(body) or _EVERY.match(body):
        return "request"
    if _SUBJECT_FOLLOWS.match(body):
        return "question"
    if word in verbs.QUESTION and word not in {"do", "have"}:
        return "question"
    if verbs.is_english_request(word) or _PLEASE.search(body):
        return "request"
    if body.endswith("?"):
        return "question"
    is_statement = (
        " " not in body or word in verbs.NOT_REQUEST or verbs.is_inflected(word)
    )
    return "statement" if is_statement else "request"


_VERB = rf"(?:{'|'.join(sorted(phrases.verbs.ENGLISH))}|skip|retry|ignore)"
_CONDITION_FIRST = Lazy(
    r"(?:if|when|whenever|unless|in case|while|before|after|since|because|as|for|to|once|in)\b[^.!?\n]{2,120}?"
    r"(?:,? then |, |: )(?:please |just |kindly |also )?(?P<verb>[a-z][a-z-]*)\b(?!')(?=\s[a-z0-9\"'(]|[.!]?\Z)"
)


def _is_behind_condition(body: str) -> bool:
    """Tell whether an imperative follows: "If the total is over 200, add …"."""
    found = _CONDITION_FIRST.match(body)
    if found is None or body.rstrip().endswith("?"):
        return False
    verbs, word = phrases.verbs, found["verb"]
    if verbs.is_english_request(word) or word in {"skip", "retry", "ignore"}:
        return True
    return not (word in verbs.NOT_REQUEST or verbs.is_inflected(word))


_EVERY = Lazy(
    r"(?:every|each) (?:other )?(?:day|morning|evening|night|week|month|hour|weekday|monday|tuesday|wednesday|thursday|friday|"
    rf"saturday|sunday|time [^,.]{{3,60}})s?,? (?:at [^,]{{1,12}},? )?(?:please )?{_VERB}\b"
)
_SUBJECT_FOLLOWS = Lazy(
    r"(?:(?:have|does|did) (?:you|we|i|they|the|it|any)|do (?:you|we|i|they|it|any))\b(?!.*\bplease\b)"
)
_PLEASE = Lazy(r"\b(?:please|pls|plz)[.!]?\Z")


def _asks_behind(body: str) -> bool:
    """Tell whether a clause asks for something about what is named first: 这封信太长了,缩短."""
    verbs = phrases.verbs.CHINESE
    clauses = body.split(",")[1:] if body[:1] in {"这", "那"} else []
    return any(each[:2] in verbs or each[:1] in verbs for each in clauses)


def _chinese_kind(body: str, *, was_polite: bool) -> str:
    if was_polite:
        return "request"
    if _PAST_ZH.match(body):
        return "statement"
    if _REQUEST_ZH.search(body[:40]) and not re.search(
        r"(?:什么|为什么|怎么|谁)", body[:6]
    ):
        return "request"
    if _QUESTION_ZH.search(body):
        return "question"
    is_object_first = _OBJECT_FIRST_ZH.match(body) or _asks_behind(body)
    if _STATEMENT_ZH.match(body) and not is_object_first:
        return "statement"
    return "request"
