"""Sentences that only say which model, source or priority holds for which tasks."""

from __future__ import annotations

from model_queue.intake.context import Context
from model_queue.intake.layout import number_of
from model_queue.intake.names import Ref
from model_queue.intake.protect import MASK


class Assignment:
    """A sentence that only says who does what: values with the positions they hold for."""

    __slots__ = ("pairs",)

    def __init__(self) -> None:
        self.pairs: list[tuple[Ref | int, list[tuple[str, int]]]] = []
        """A name or a priority, and its positions; no positions means all tasks."""


def assignment(text: str, start: int, end: int, ctx: Context) -> Assignment | None:
    """Read a sentence that holds nothing but names or priorities and what they are for.

    "Use qwen2.5 for the first and glm5 for the second", "前两个用本地", "all on nvidia".
    None when any other word stands in it, or no name and no priority.
    """
    if end - start > _SENTENCE_LIMIT:
        return None
    tokens = _tokens(text, start, end, ctx)
    if tokens is None:
        return None
    values = [t for t in tokens if not isinstance(t, tuple)]
    if not values:
        return None
    found = Assignment()
    leading = isinstance(tokens[0], tuple)
    waiting: list[tuple[str, int]] = []
    for token in tokens:
        if isinstance(token, tuple):
            if leading:
                waiting.append(token)
            elif found.pairs:
                found.pairs[-1][1].append(token)
        else:
            found.pairs.append((token, waiting))
            waiting = []
    return found


_SENTENCE_LIMIT = 200
_MARKS = " \t\n,.;:!?。、()-—/&'"


def _tokens(
    text: str, start: int, end: int, ctx: Context
) -> list[Ref | int | tuple[str, int]] | None:
    tokens: list[Ref | int | tuple[str, int]] = []
    position = start
    while position < end:
        if text[position] in _MARKS or not text[position].isalnum():
            if text[position] == MASK:
                return None
            position += 1
            continue
        stop = _token(text, position, end, ctx, tokens)
        if stop is None:
            return None
        position = stop
    return tokens


def _token(
    text: str,
    position: int,
    end: int,
    ctx: Context,
    tokens: list[Ref | int | tuple[str, int]],
) -> int | None:
    priority = ctx.at("priority", text, position, end)
    if priority:
        tokens.append(
            int(priority.groups["n"])
            if priority.kind == "number"
            else int(priority.kind)
        )
        return priority.end
    place = ctx.at("position", text, position, end)
    if place:
        tokens.append(_place(place.kind, place.words, place.groups.get("n")))
        return place.end
    ref = ctx.name_at(text, position, end)
    word = ctx.at("scope_word", text, position, end)
    if ref and (word is None or ref.end > word.end):
        tokens.append(ref)
        return ref.end
    return word.end if word else None


_WORDS = {
    "first": 0,
    "1st": 0,
    "second": 1,
    "2nd": 1,
    "third": 2,
    "3rd": 2,
    "fourth": 3,
    "4th": 3,
    "fifth": 4,
    "5th": 4,
    "sixth": 5,
}


def _place(kind: str, words: str, number: str | None) -> tuple[str, int]:
    if kind == "rest":
        return "rest", 0
    if number is not None:
        n = {"two": 2, "three": 3}.get(number) or number_of(number)
        return ("at", n - 1) if kind == "at" else (kind, n)
    if words in _WORDS:
        return "at", _WORDS[words]
    digits = "".join(c for c in words if c.isdigit())
    return ("at", int(digits) - 1) if digits else ("last", 1)


def places(spec: list[tuple[str, int]], count: int, taken: set[int]) -> set[int]:
    """Return the task indices that positions stand for among ``count`` tasks."""
    if not spec:
        return set(range(count))
    chosen: set[int] = set()
    for kind, n in spec:
        if kind == "at":
            chosen.add(n)
        elif kind == "first":
            chosen.update(range(n))
        elif kind == "last":
            chosen.update(range(max(0, count - n), count))
        else:
            chosen.update(set(range(count)) - taken)
    return {i for i in chosen if 0 <= i < count}
