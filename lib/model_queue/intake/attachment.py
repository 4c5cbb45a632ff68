"""Pasted text that an instruction introduces, or points back at."""

from __future__ import annotations

from model_queue.intake.lexicon import Lazy
from model_queue.intake.phrases import Phrases
from model_queue.intake.phrases.verbs import CHINESE, is_english_request

_INTRO_END = Lazy(r":[ \t]*(?:\n|(?=\S))")
_BACK = Lazy(r"[^.!?。！？\n]+[.!?。！？]?[ \t]*\Z")
_WINDOW = 160
"""Characters before a colon within which the instruction names what is pasted."""


def introduced(text: str, phrases: Phrases) -> int:
    """Return where a pasted text begins, the text's length when none is introduced.

    An instruction introduces it by pointing ("this", "the following", 下面) at a noun of
    written material ("log", "mail", 文章) before a colon.
    """
    lexicon = phrases.lexicon("attachment")
    for colon in _INTRO_END.finditer(text):
        low = max(text.rfind("\n", 0, colon.start()) + 1, colon.start() - _WINDOW)
        if lexicon.before(text, low, colon.start()) and text[colon.end() :].strip():
            return colon.end()
    return len(text)


_SHOWN = Lazy(
    r"(?:here|below|this|these) (?:is|are|'s)\b|here's\b|(?:这是|以下是|下面是)"
)


def instruction_below(text: str, pasted: int) -> int:
    """Return where an instruction below a text begins that is only shown, else the end.

    "Here is the mail: … Write a reply.": what introduces the mail asks for nothing, so
    that the last line does.
    """
    low = max(text.rfind("\n", 0, pasted - 1) + 1, pasted - _WINDOW)
    if _SHOWN.search(text, low, pasted) is None:
        return len(text)
    start = text.rstrip().rfind("\n") + 1
    if start <= pasted or len(text) - start > _WINDOW:
        return len(text)
    word = _WORD.match(text, start)
    asks = word is not None and is_english_request(word["verb"])
    return start if asks or text[start : start + 2] in CHINESE else len(text)


_WORD = Lazy(r"(?:please |pls |can you |could you )?(?P<verb>[a-z][a-z'-]*)")


def points_back(text: str, phrases: Phrases) -> int:
    """Return where an instruction about the text before it begins, 0 without one."""
    body = text.rstrip()
    start = max(body.rfind("\n") + 1, len(body) - 400)
    if start == 0 or not body[:start].strip():
        return 0
    hits = phrases.lexicon("points_back").find(text, start, len(body))
    return start if next(iter(hits), None) else 0
