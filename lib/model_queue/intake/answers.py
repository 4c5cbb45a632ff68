"""A short message -> which of the choices of a question it names."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from model_queue.intake import times
from model_queue.intake.lexicon import Lazy
from model_queue.intake.normalize import normalize
from model_queue.intake.phrases import phrases_of

LONGEST = 120
"""Characters of a message that may be an answer."""
_SHORTEST_PART = 2
"""Characters of a name's part that names it."""
_LEAD = Lazy(
    r"(?:(?:(?:i'?d like|i want|i'?ll take|let'?s (?:use|take)|go with|make it|it'?s|use|using|take|choose|"
    r"pick|select|with|on|the|to|option|choice|number|no\.?|answer|please|ok|okay|yes)(?=[^a-z]|\Z)|"
    r"我要|我选|就用|就选|就|请用|请选|用|选择|选|要|那|请|好的?|是的?)[\s,:，、]*)+"
)
_TAIL = Lazy(
    r"(?:[\s,，]*(?:please|pls|then|thanks|thank you|option|choice|one|model|source|task|吧|的|呢|啊|呀|啦|哈|谢谢|"
    r"这个|那个|模型|来源|任务))+\Z"
)
_PARTICLE = Lazy(
    r"(?<=[\u4e00-\u9fff])[\s,，]*(?:吧|啊|呀|啦|哈|哦|呢|的|了|谢谢|谢啦)\Z"
)
"""What a Chinese yes or no may end with: 好吧, 不用了谢谢."""
_NUMBER = Lazy(r"(?:#|no\.? ?|第)?(\d{1,3})(?:st|nd|rd|th|[.)、号项个])?\Z")
_MARKS = " \t\n.。!！?？~,，;；:：\"'“”‘’()（）「」[]【】`"
_COUNTS = (
    ("one", "first", "一"),
    ("two", "second", "二"),
    ("three", "third", "三"),
    ("four", "fourth", "四"),
    ("five", "fifth", "五"),
    ("six", "sixth", "六"),
    ("seven", "seventh", "七"),
    ("eight", "eighth", "八"),
    ("nine", "ninth", "九"),
)
_ORDINALS = {
    word: number
    for number, (count, ordinal, han) in enumerate(_COUNTS, start=1)
    for word in (
        count,
        ordinal,
        *(f"{lead}{han}{unit}" for lead in ("", "第") for unit in ("", *"个项号")),
    )
}
_CIRCLED = "①②③④⑤⑥⑦⑧⑨"
_OF_TWO = {
    "前者": 1,
    "后者": 2,
    **{
        f"{lead}{unit}": place
        for place, lead in ((1, "前"), (2, "后"))
        for unit in ("一个", "面", "面一个", "一项")
    },
}
"""How Chinese tells two choices apart."""
_LAST = frozenset(("last", "最后", "最后一", "最后一个", "最后一项"))
_YES = frozenset(
    "yes y yeah yep yup sure ok okay do it go ahead go please do confirm confirmed right correct "  # noqa: SIM905 - reads as words
    "是 是的 好 好的 对 对的 行 可以 确认 确定 没错 嗯 嗯嗯 要 当然 继续 没问题 就这样 就它 就这个".split()
)
_YES_PHRASES = frozenset(("do it", "go ahead", "yes please", "please do", "go on"))
_NO = frozenset(
    "no n nope nah cancel stop abort forget none neither 不 不是 不要 不用 不了 算了 取消 否 别 都不是 都不要 "  # noqa: SIM905 - reads as words
    "不用了 不必 不必了 放弃 不行 先不 先不要 先别 还是算 还是算了 不需要 没必要".split()
)
_NO_PHRASES = frozenset(
    (
        "never mind",
        "nevermind",
        "forget it",
        "cancel that",
        "cancel it",
        "no thanks",
        "no thank you",
        "none of them",
        "none of these",
        "neither of them",
        "leave it",
        "don't",
        "do not",
    )
)


class Said(NamedTuple):
    """What a message says to a question."""

    kind: str
    """``choice``, ``yes``, ``no``, or ``number`` for one that no choice has."""
    place: int = 0
    """Of the choice, from 0; the number that was said, for ``number``."""


def read(message: str, choices: Sequence[str]) -> Said | None:
    """Return what a message says to a question, None when it is no answer to it.

    A choice is named by its number, as first to ninth or last, whole, or by a part that
    no other choice has. Pure.

    >>> read("the second one, please", ["ollama-local", "cloud-nvidia"])
    Said(kind='choice', place=1)
    """
    if len(message) > LONGEST:
        return None
    text = normalize(message).text.strip(_MARKS)
    if not text or "\n" in text:
        return None
    forms = set(_forms(text))
    for kind, words in (("no", _NO | _NO_PHRASES), ("yes", _YES | _YES_PHRASES)):
        if not words.isdisjoint(forms):
            return Said(kind)
    return _chosen(text, choices)


def _forms(text: str) -> Iterator[str]:
    """Yield a text, then the same with ever fewer particles at its end."""
    yield text
    while found := _PARTICLE.search(text):
        text = text[: found.start()]
        yield text


def _chosen(text: str, choices: Sequence[str]) -> Said | None:
    bare = _stripped(text)
    place = _named(text, choices)
    number = _number(bare, len(choices)) if place is None else None
    if number is not None:
        is_there = 1 <= number <= len(choices)
        return Said("choice", number - 1) if is_there else Said("number", number)
    place = _named(bare, choices) if place is None else place
    return None if place is None else Said("choice", place)


def time_of(message: str, *, now: dt.datetime, zone: dt.tzinfo) -> dt.datetime | None:
    """Return the moment that a message names, None when it names none. Pure."""
    text = normalize(message[:LONGEST]).text.strip(_MARKS)
    lead = _LEAD.match(text)
    phrases = phrases_of(text)
    for begin in dict.fromkeys((0, lead.end() if lead else 0)):
        hit = phrases.lexicon("time").whole(text, begin, len(text))
        known = phrases.lexicon("time_word")
        wish = times.resolve(hit, now, zone, known) if hit else None
        if wish is not None and wish.at is not None:
            return wish.at
    return None


def _stripped(text: str) -> str:
    lead = _LEAD.match(text)
    rest = text[lead.end() :] if lead else text
    tail = _TAIL.search(rest)
    return (rest[: tail.start()] if tail else rest).strip(_MARKS)


_TWO = 2


def _number(text: str, n_choices: int) -> int | None:
    if text in _LAST:
        return n_choices
    if text in _OF_TWO and n_choices == _TWO:
        return _OF_TWO[text]
    if len(text) == 1 and text in _CIRCLED:
        return _CIRCLED.index(text) + 1
    if text in _ORDINALS:
        return _ORDINALS[text]
    digits = _NUMBER.match(text)
    return int(digits[1]) if digits else None


def _named(text: str, choices: Sequence[str]) -> int | None:
    """Return the place of the choice that a text names, None for none or several."""
    folded = [normalize(choice).text for choice in choices]
    if text in folded:
        return folded.index(text)
    if len(text) < _SHORTEST_PART or text.isdigit():
        return None
    parts = [i for i, choice in enumerate(folded) if text in _parts(choice)]
    inside = [i for i, choice in enumerate(folded) if text in choice]
    joined = _joined(text)
    alike = [i for i, choice in enumerate(folded) if joined in _joined(choice)]
    for found in (parts, inside, alike if len(joined) >= _SHORTEST_PART else []):
        if len(found) == 1:
            return found[0]
    return None


def _joined(name: str) -> str:
    """Return a name without what people leave out: "open ai" is ``open-ai``."""
    return "".join(char for char in name if char.isalnum())


def _parts(choice: str) -> set[str]:
    """Return what people call a choice: its name, its id with and without zeros."""
    head = choice.partition(" ")[0].strip(":：")
    parts = {head, *head.split("/"), head.partition(":")[0]}
    letter, _, digits = head.rpartition("/")[2].partition("-")
    if letter == "t" and digits.isdigit():
        parts |= {f"t{int(digits)}", f"t-{int(digits)}", f"t{digits}"}
    return parts
