"""Whether a clause may name what a command is about, or only says why."""

from __future__ import annotations

from model_queue.intake.context import Context
from model_queue.intake.lexicon import Lazy
from model_queue.intake.phrases.verbs import CHINESE, is_english_request
from model_queue.intake.protect import MASK

_TARGET = Lazy(
    r"(?<![a-z0-9])t-?\d|#\d|\d ?号|第 ?\d|任务 ?#?\d|队列|全部|所有|一切|全都|都|全|每个|失败|卡住|阻塞|暂停|挂起|等待|排队|"
    r"\b(?:(?:tasks?|jobs?) (?:#|no\.? ?|number |id )?\d|number \d|queues?|all|everything|every|whatever|anything|rest|lot|"
    r"(?:failed|blocked|paused|pending|skipped|stuck|waiting|running|queued)\b)"
)

_GOES_ON = Lazy(
    r"(?:and|but|then|also|or|so|please|pls|can|could|would|use|with|if|unless|except|not|only)\b|"
    r"[把请帮再并也用让和或但除]|然后|接着|顺便|另外|同时|麻烦|如果|不过"
)
"""How a clause begins that goes on with what is to be done."""


def is_remark(text: str, start: int, end: int, ctx: Context) -> bool:
    """Tell whether a clause behind a command only says why: "…, wrong input folder".

    In doubt it does not: what may be work is no remark.
    """
    while start < end and not text[start].isalnum():
        start += 1
    if start >= end or MASK in text[start:end] or ctx.has_others:
        return False
    if names_id(text, start, end) or _GOES_ON.match(text, start, end):
        return False
    word = _FIRST_WORD.match(text, start, end)
    if word is None:
        return not (text[start] in CHINESE or text[start : start + 2] in CHINESE)
    is_verb = ctx.at("verb", text, start, end) is not None
    return not (is_verb or is_english_request(word.group()))


def names_id(text: str, start: int, end: int) -> bool:
    """Tell whether what looks like a task's id stands in a span."""
    return _ID_LIKE.search(text, start, end) is not None


_ID_LIKE = Lazy(r"(?<![a-z0-9])t-?\d|#\d")
_FIRST_WORD = Lazy(r"[a-z][a-z'-]*")


def has_target(text: str, start: int, end: int, ctx: Context) -> bool:
    """Tell whether a span may name what a command or a question is about.

    In the languages whose words are not listed here every span may.
    """
    if ctx.has_others or _TARGET.search(text, start, end):
        return True
    return ctx.has_source(text, start, end)
