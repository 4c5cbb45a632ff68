"""Lists that are written in one line."""

from __future__ import annotations

import re
from collections.abc import Sequence

from model_queue.intake.layout import Item, Line, family_of, marker_at
from model_queue.intake.lexicon import Lazy


def inline_items(text: str, start: int, end: int) -> tuple[int, list[Item]] | None:
    """Read a list written in one line: where it begins, and its items.

    Markers of one style that rise from one ("1) … 2) …", "①…②…", "(a) … (b) …", steps),
    or bullets repeated behind a colon.
    """
    chains: dict[str, list[re.Match[str]]] = {}
    position = start
    while position < end:
        marker = _inline_marker(text, position, end)
        if marker is None:
            break
        family, number = family_of(marker)
        chain = chains.setdefault(family, [])
        if family.startswith("bullet") or number == len(chain) + 1:
            chain.append(marker)
        position = marker.end()
    for family, chain in chains.items():
        if len(chain) > 1 and not (
            family.startswith("bullet") and not _bullets_fit(text, start, chain)
        ):
            return chain[0].start(), _items_between(text, chain, end)
    return None


_MARKER = (
    r"(?=\d{1,3}[^\d\s,]|\d{1,3}\s-|[(\[#第步任事一二三四五六七八九十①-⑳❶-❿➀-➉➊-➓ⓐ-ⓕ]|[a-z][.)]|[ivx]{2,4}[.)]|"
    r"(?:step|stage|phase|part|task|item|job|todo)\b|[^\w\s,.;:'\"!?])"
)
_EDGE = Lazy(rf"(?:[\s,;:。、.!?)]|\A){_MARKER}|(?=[(①-⑳❶-❿➀-➉第步])")
"""Where a marker may stand in running text: an edge, and what may begin a marker."""


def _inline_marker(text: str, start: int, end: int) -> re.Match[str] | None:
    if start == 0 or text[start - 1] in "\n ":
        marker = marker_at(text, start, end)
        if marker and marker.end() < end and _may_be_inline(marker):
            return marker
    for edge in _EDGE.finditer(text, start, end):
        marker = marker_at(text, edge.end(), end)
        if marker and marker.end() < end and _may_be_inline(marker):
            return marker
    return None


def _may_be_inline(marker: re.Match[str]) -> bool:
    """In running text "a." ends a sentence and "#1" is a number."""
    groups = marker.groupdict()
    is_dotted = (groups.get("let") or "").rstrip().endswith(".")
    return not groups.get("hash") and not is_dotted


def _bullets_fit(text: str, start: int, chain: Sequence[re.Match[str]]) -> bool:
    """A dash in running text is no bullet; behind a colon or at the start it is."""
    first = chain[0]
    before = text[start : first.start()].rstrip()
    strong = (first.groupdict().get("bullet") or "-")[0] not in "-–—+*→»·"
    return strong or not before or before[-1] == ":"


def _items_between(text: str, chain: Sequence[re.Match[str]], end: int) -> list[Item]:
    items: list[Item] = []
    for index, marker in enumerate(chain):
        line = Line(text, marker.start(), marker.start())
        line.family, line.number = family_of(marker)
        line.text_at = marker.end()
        line.end = chain[index + 1].start() if index + 1 < len(chain) else end
        items.append(Item(line))
    return items
