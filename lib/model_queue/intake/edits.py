"""Changes of a task that a chat cannot make: "move T-003 to the cloud", "reschedule T-003"."""

from __future__ import annotations

from model_queue.intake.context import Context
from model_queue.intake.lexicon import SLOTS, Lazy

_TASK = rf"(?:(?:the )?(?:tasks?|jobs?) )?(?:{SLOTS['{id}']}|(?<=task )#?\d{{1,7}}\b)"
_PART = (
    r"(?:model|source|text|description|wording|title|name|start(?: time)?|time|date|schedule|goal|budget|"
    r"limit|dependenc(?:y|ies)|timeout)"
)
_POLITE = r"(?:please |pls |can you |could you |would you |now |just |ok,? )*"
_WHATEVER = Lazy(
    rf"{_POLITE}(?:"
    rf"(?:edit|rename|reschedule|reword|modify|amend|delay) {_TASK}"
    rf"|(?:change|update|switch|adjust|set|edit|fix|correct) (?:the )?{_PART}(?: of| for| in) {_TASK}"
    rf"|(?:change|update|switch|adjust|set|edit|fix|correct) {_TASK}'s {_PART}"
    rf"|(?:make|let|have) {_TASK} (?:wait (?:for|on)|depend on|run after|start after|start (?:at|on|in)) "
    rf"|{_TASK} (?:should |must |shall )?(?:depends? on|waits? for|waits? on|runs? after|starts? after) {_TASK}"
    r")"
)
_ELSEWHERE = Lazy(
    rf"{_POLITE}(?:(?:change|update|switch|move|reassign|assign|transfer|put|send|route) {_TASK} (?:over )?(?:to use|to|on|onto) |"
    rf"(?:make|let|have) {_TASK} (?:use|run on|run with) |"
    rf"(?:run|do|execute|use|rerun|re-run|retry|redo|restart|repeat) {_TASK} (?:again )?(?:on|with|using|via) )"
)
_HINT = Lazy(r"t-?\d|task #?\d")


def is_edit(text: str, start: int, end: int, ctx: Context) -> bool:
    """Report whether a sentence would change what a task says or where it runs. Pure."""
    if _HINT.search(text, start, end) is None:
        return False
    while start < end and not text[start].isalnum():
        start += 1
    if _WHATEVER.match(text, start, end):
        return True
    place = _ELSEWHERE.match(text, start, end)
    if place is None:
        return False
    ref = ctx.name_at(text, place.end(), end, is_alone=True)
    return ref is not None and not text[ref.end : end].strip(" .!?,;")
