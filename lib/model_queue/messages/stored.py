"""A sentence of ours that is kept in English -> the same in Chinese."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from model_queue.messages import stored_texts

_JOINT = "; "
"""Between the findings of several accept checks."""
_KINDS = {
    **dict.fromkeys(("said", "why"), "."),
    **dict.fromkeys(("path", "pattern", "argv"), f"(?!{_JOINT})."),
}
"""What a field may hold that is more than one word, such as an id."""


def in_chinese(sentence: str) -> str:
    """Return a stored sentence of ours in Chinese.

    One that is not ours, such as a session's own words, stays as it is; so does what
    ours quotes.

    >>> in_chinese("exit code 1: no such file")
    '退出码 1：no such file'
    """
    for each in _templates():
        match = each.english.fullmatch(sentence)
        if match is not None:
            facts = match.groupdict()
            if "why" in facts:
                facts["why"] = in_chinese(facts["why"])
            return each.chinese.format(**facts)
    parts = sentence.split(_JOINT)
    told = [in_chinese(part) for part in parts] if len(parts) > 1 else parts
    return sentence if told == parts else "；".join(told)


class _Template(NamedTuple):
    english: re.Pattern[str]
    chinese: str


@cache
def _templates() -> tuple[_Template, ...]:
    pairs = (
        *stored_texts.ENDINGS,
        *stored_texts.ACCEPTANCE,
        *stored_texts.CAUSES,
        *stored_texts.TROUBLES,
        *stored_texts.NEXT_STEPS,
    )
    return tuple(_Template(_pattern(english), chinese) for english, chinese in pairs)


def _pattern(english: str) -> re.Pattern[str]:
    """Return what a template fits."""
    parts = re.split(r"\{(\w+)\}", english)
    for index, part in enumerate(parts):
        is_field = index % 2 == 1
        kind = _KINDS.get(part, r"\S")
        parts[index] = f"(?P<{part}>(?:{kind})+?)" if is_field else re.escape(part)
    return re.compile("".join(parts))
