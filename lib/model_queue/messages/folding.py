"""Long lines cut into several of a terminal's width; wide characters count two."""

from __future__ import annotations

from collections.abc import Iterator

_WIDE = "WF"
_NEVER_FIRST = "，。；：！？、）」』”’"
"""Marks that close what stands before them."""


def width_of(text: str) -> int:
    """Return how many columns a text takes.

    >>> width_of("ab"), width_of("队列")
    (2, 4)
    """
    if text.isascii():
        return len(text)
    import unicodedata  # noqa: PLC0415 - only texts beyond ASCII pay for the tables

    return sum(
        0
        if unicodedata.combining(char)
        else 1 + (unicodedata.east_asian_width(char) in _WIDE)
        for char in text
    )


def fold(text: str, columns: int, *, first: str = "", later: str = "") -> list[str]:
    """Return a text in lines of at most ``columns``, cut at blanks and between ideographs.

    What has neither, such as a path, stays whole and may be longer.

    Args:
        text: one line.
        columns: with what goes before it.
        first: what the first line begins with.
        later: what every further line begins with.
    """
    lines: list[str] = []
    line, used, is_empty = first, width_of(first), True
    for piece in _pieces(text):
        needed = width_of(piece.rstrip(" "))
        if used + needed > columns and not is_empty:
            lines.append(line.rstrip(" "))
            line, used = later, width_of(later)
        line += piece
        used += width_of(piece)
        is_empty = False
    lines.append(line.rstrip(" "))
    return lines


def _pieces(text: str) -> Iterator[str]:
    """Yield what must not be cut: words with the blanks behind them, single ideographs."""
    piece = ""
    for char in text:
        is_break = piece.endswith(" ") and char != " "
        is_wide = width_of(char) > 1 or (piece[-1:] != "" and width_of(piece[-1]) > 1)
        if piece and (
            is_break or (is_wide and char not in _NEVER_FIRST and char != " ")
        ):
            yield piece
            piece = ""
        piece += char
    if piece:
        yield piece
