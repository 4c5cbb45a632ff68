"""Slips of the keyboard in the verb of a command: "retyr T-003", "unblcok t4"."""

from __future__ import annotations

from model_queue.intake import phrases
from model_queue.intake.lexicon import Lazy

_VERBS = (
    "cancel",
    "retry",
    "rerun",
    "skip",
    "pause",
    "resume",
    "unblock",
    "clear",
    "priority",
    "prioritize",
    "prioritise",
    "restart",
    "requeue",
    "unpause",
    "status",
    "undo",
)
_SHORT = 4
"""Letters of a verb that too many other words resemble: "ship" is no "skip"."""
_REAL = frozenset(
    (
        "canal",
        "cause",
        "clean",
        "parse",
        "purse",
        "presume",
        "block",
        "retro",
        "return",
        "prior",
        "state",
        "states",
        "statue",
        "statute",
        "skill",
        "undone",
        "undue",
    )
)
"""Words one slip away from a verb that mean something else."""
_ENDINGS = frozenset(("s", "d", "r", "e"))
_FRONT = Lazy(
    r"(?:(?:please|pls|plz|can you|could you|would you|will you|just|now|ok|okay|hey|and|then|show|check|give me|the|tasks?|queue)[ ,]{1,2}){0,3}"
)
_WORD = Lazy(r"[a-z]{3,12}(?![a-z0-9'_-])")


def mended(text: str, start: int, end: int) -> tuple[str, int] | None:
    """Return a text with the verb of a clause spelled right, and its new end.

    None where the first word is no slip of one: one letter too many, too few, another
    one, or two changed about.

    >>> mended("please retyr t3", 0, 15)
    ('please retry t3', 15)
    """
    front = _FRONT.match(text, start, end)
    begin = front.end() if front else start
    word = _WORD.match(text, begin, end)
    if word is None or _is_real(word.group()):
        return None
    for verb in _VERBS:
        if _is_slip(word.group(), verb):
            shift = len(verb) - len(word.group())
            return text[:begin] + verb + text[word.end() :], end + shift
    return None


def _is_real(word: str) -> bool:
    verbs = phrases.verbs
    return (
        word in _REAL
        or word in _VERBS
        or word in verbs.NOT_REQUEST
        or verbs.is_english_request(word)
        or verbs.is_inflected(word)
    )


def _is_slip(word: str, verb: str) -> bool:
    """Report whether one slip makes a word of a verb; a form of the verb is none."""
    if abs(len(word) - len(verb)) > 1 or (
        word.startswith(verb) and word[-1] in _ENDINGS
    ):
        return False
    same = 0
    while same < min(len(word), len(verb)) and word[same] == verb[same]:
        same += 1
    rest, wanted = word[same:], verb[same:]
    if len(word) != len(verb):
        longer, shorter = sorted((rest, wanted), key=len, reverse=True)
        return longer[1:] == shorter
    if rest[:2] == wanted[1::-1] and rest[2:] == wanted[2:]:
        return True
    return len(verb) > _SHORT and rest[1:] == wanted[1:]
