"""Commands that shall wait for what happens to a task: "when T-004 fails, cancel T-005".

A command acts at once. One that is tied to a later event is none, and no work either:
carried out now it would do what nobody wanted yet.
"""

from __future__ import annotations

from model_queue.intake.commands import read
from model_queue.intake.context import Context
from model_queue.intake.lexicon import SLOTS, Lazy

_TASK = rf"(?:(?:the )?(?:tasks?|jobs?) )?(?:{SLOTS['{id}']}|#?\d{{1,7}}\b)"
_WHEN = r"(?:when|whenever|once|if|as soon as|after|in case|should)"
_ENDS = (
    r"(?:(?:is|are|has|have|gets?|been|was|all|both|ever) ){0,3}(?:fails?|finish(?:es)?|completes?|ends?|"
    r"succeeds?|starts?|runs?|stops?|breaks?|crash(?:es)?|errors?|times out|done|finished|complete|completed|"
    r"over|ready|blocked|through)"
)
_STATE = r"(?:(?:still|not|already|ever) ){0,2}(?:blocked|running|failed|stuck|done|finished|pending|paused|started|waiting)"
_OTHERS = rf"{_TASK}(?: ?(?:,|and|or|&) ?{_TASK}){{0,9}}"
_CONDITION_FIRST = Lazy(
    rf"(?:please )?{_WHEN} {_OTHERS} {_ENDS}[^,;.]{{0,20}}[,;] ?(?:then |please |just ){{0,2}}"
)
_CONDITION_LAST = Lazy(
    rf"[ ,]{{1,2}}(?:but )?(?:only )?(?:(?:{_WHEN}|unless) (?:{_OTHERS}|it|that|this|they|{_STATE})\b[^,;.]{{0,40}}\Z|"
    rf"after {_OTHERS}\Z)"
)
_HINT = Lazy(r"\b(?:when|whenever|once|if|soon|after|case|unless|should)\b")
_ACTS = frozenset(
    ("cancel", "skip", "retry", "pause", "resume", "unblock", "clear", "priority")
)


def is_later_command(text: str, start: int, end: int, ctx: Context) -> bool:
    """Report whether a sentence ties a command to what will happen to a task. Pure."""
    if _HINT.search(text, start, end) is None:
        return False
    while start < end and not text[start].isalnum():
        start += 1
    stop = start + len(text[start:end].rstrip(" \t\n.!?"))
    first = _CONDITION_FIRST.match(text, start, stop)
    if first:
        return _is_command(text, first.end(), stop, ctx)
    last = _CONDITION_LAST.search(text[:stop], start)
    return last is not None and _is_command(text, start, last.start(), ctx)


def _is_command(text: str, start: int, end: int, ctx: Context) -> bool:
    found = read(text, start, end, ctx, is_ambient=False)
    if found is not None:
        return found.command in _ACTS
    hit = ctx.whole("verb", text, start, end)
    return hit is not None and hit.kind in _ACTS
