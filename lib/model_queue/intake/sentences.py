"""The commands that a sentence begins or ends with, and the span that is left."""

from __future__ import annotations

from model_queue.intake import edits, later
from model_queue.intake.commands import CLAUSE_LIMIT, read
from model_queue.intake.context import Context
from model_queue.intake.lexicon import Lazy
from model_queue.intake.targets import has_target
from model_queue.intake.values import Command, Topic

_CONDITION = Lazy(
    r"(?:\A|[,;.]\s?|\b(?:and|but|then)\s)\s?(?:if|when|unless|in case|should)\b[^,;.]{0,80}\Z|"
    r"(?:如果|若|要是|万一|一旦)[^,;。]{0,40}\Z|(?:失败|出错|报错)\Z"
)
"""A condition right before a clause: what follows is what should happen then."""
_JOINT = Lazy(
    r"(?:\s?[,;]\s?|\.\s)(?:(?:and|but)\s)?(?:(?:then|also|please)\s)?|"
    r"\s(?:and|but|&)\s(?:(?:then|also|please)\s)?|\sthen\s|,?(?:然后|并且|同时|接着|顺便|另外|再|并)"
)


class Reading:
    """The commands found at the edges of a sentence and the span that is left.

    ``topic``: it is a command that cannot be carried out, and so none; nothing is left.
    """

    __slots__ = ("commands", "end", "start", "topic")

    def __init__(self, start: int, end: int) -> None:
        self.commands: list[Command] = []
        self.start = start
        self.end = end
        self.topic: Topic = ""


def read_sentence(
    text: str, start: int, end: int, ctx: Context, *, is_ambient: bool
) -> Reading:
    """Read the commands that a sentence begins or ends with.

    What is left between them, if anything, is for others to read.
    """
    reading = Reading(start, end)
    if later.is_later_command(text, start, end, ctx):
        reading.topic = "later"
        reading.start = end
        return reading
    whole = read(text, start, end, ctx, is_ambient=is_ambient)
    if whole:
        reading.commands.append(whole)
        reading.start = end
        return reading
    if edits.is_edit(text, start, end, ctx):
        reading.topic = "edit"
        reading.start = end
        return reading
    if not _may_act(text, start, end, ctx):
        return reading
    while _peel_front(text, reading, ctx, is_ambient=is_ambient):
        pass
    if _peel_back(text, reading, ctx, is_ambient=is_ambient):
        rest = read(text, reading.start, reading.end, ctx, is_ambient=is_ambient)
        if rest and rest.ids:
            reading.commands.insert(-1, rest)
            reading.start = reading.end
    return reading


def _may_act(text: str, start: int, end: int, ctx: Context) -> bool:
    """Tell whether a command may stand at an edge: it needs a verb and a target."""
    has_verb = bool(ctx.scan(text).candidates("verb", start, end))
    return has_verb and has_target(text, start, end, ctx)


def _acts_on_target(command: Command | None) -> bool:
    return (
        command is not None
        and command.command not in {"status", "show"}
        and bool(command.ids or command.all or command.queue)
    )


def _peel_front(text: str, reading: Reading, ctx: Context, *, is_ambient: bool) -> bool:
    """Take the longest command in front; tell whether more may follow."""
    limit = min(reading.end, reading.start + CLAUSE_LIMIT)
    best: tuple[int, Command] | None = None
    for joint in _JOINT.finditer(text, reading.start, limit):
        if not has_target(text, reading.start, joint.start(), ctx):
            continue
        command = read(text, reading.start, joint.start(), ctx, is_ambient=is_ambient)
        if command is not None and _acts_on_target(command):
            best = (joint.end(), command)
        elif best:
            break
    if best is None:
        return False
    reading.commands.append(best[1])
    reading.start = best[0]
    rest = read(text, reading.start, reading.end, ctx, is_ambient=is_ambient)
    if rest is None or not (_acts_on_target(rest) or rest.ids):
        return True
    reading.commands.append(rest)
    reading.start = reading.end
    return False


def _peel_back(text: str, reading: Reading, ctx: Context, *, is_ambient: bool) -> bool:
    """Take a command at the end; tell whether there was one."""
    low = max(reading.start, reading.end - CLAUSE_LIMIT)
    for joint in _JOINT.finditer(text, low, reading.end):
        if not has_target(text, joint.end(), reading.end, ctx):
            continue
        if _CONDITION.search(text[low : joint.start()]):
            continue
        command = read(text, joint.end(), reading.end, ctx, is_ambient=is_ambient)
        if command is not None and command.ids and _acts_on_target(command):
            reading.commands.append(command)
            reading.end = joint.start()
            return True
    return False
