"""The visible structure of a message: lines, list markers, headings, items."""

from __future__ import annotations

import re
from collections.abc import Sequence

from model_queue.intake.lexicon import Lazy
from model_queue.intake.protect import MASK

_CN = "一二三四五六七八九十"
_CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"
_ORDINALS = (
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
)

_BOX = r"(?P<box>\[(?P<tick>[ x✓✔√*-]?)\]\s{0,2})?"
_STEP = Lazy(
    r"(?P<step>(?:(?:step|stage|phase|part) ?(?P<stepno>\d{1,3}|one|two|three|four|five|six|seven|"
    rf"eight|nine|ten)|第 ?(?P<stepcn>[{_CN}\d]{{1,3}}) ?步|步骤 ?(?P<stepcn2>[{_CN}\d]{{1,3}}))"
    r"\s?[:.,)、-]?\s{0,3})"
)
_LABEL = Lazy(
    r"(?P<label>(?:task|item|job|todo|任务|事项) ?#?(?P<labelno>\d{1,3}|"
    rf"[{_CN}]{{1,2}})\s?[:.)、-]\s{{0,3}}){_BOX}"
)
_NUMBER = Lazy(
    r"(?:(?P<num>[(\[]?(?P<number>\d{1,3})(?:[.)\]、:](?=\D|$)|-(?=\s)|\u20e3|\s-(?=\s))\)?\s{0,3})"
    rf"|(?P<cn>[(]?(?P<cnno>[{_CN}]{{1,3}})[、.):]\s{{0,3}})"
    r"|(?P<rom>\(?(?P<roman>[ivx]{1,4})[.)](?=\s|[^\x00-\x7f])\s{0,3})"
    rf"|(?P<let>\(?(?P<letter>[a-z])[.)](?=\s|[^\x00-\x7f])\s{{0,3}})){_BOX}"
)
_HASH = Lazy(r"(?P<hash>#(?P<hashno>\d{1,3})[.:)]?\s{1,3})")
_CIRCLE = Lazy(
    rf"(?P<circ>(?P<circno>[{_CIRCLED}❶❷❸❹❺❻❼❽❾❿➀➁➂➃➄➅➆➇➈➉➊➋➌➍➎➏➐➑➒➓ⓐ-ⓕ])[.、:]?\s{{0,3}})"
)
_BULLET = Lazy(
    r"(?P<bullet>(?:[-*+–—]\s{1,3}|[•·・‣◦▪▫●○■□◆◇►▶→➤➢☐∙⁃※★☆✦»✓✔✅☑☒❌🔲⬜]\s{0,3}))"
    + _BOX
)
_STEP_WORDS = ("step", "stage", "phase", "part", "第", "步骤")
_LABEL_WORDS = ("task", "item", "job", "todo", "任务", "事项")


def marker_at(text: str, start: int, end: int) -> re.Match[str] | None:
    """Read the list marker at a position; its first character says which may fit."""
    for pattern in _fitting(text, start):
        found = pattern.match(text, start, end)
        if found:
            return found
    return None


_LETTER = Lazy(r"(?:[a-z]|[ivx]{2,4})[.)]")


def _fitting(text: str, start: int) -> tuple[Lazy, ...]:
    char = text[start : start + 1]
    fitting: tuple[Lazy, ...] = (_BULLET, _CIRCLE)
    if text.startswith(_STEP_WORDS, start):
        fitting = (_STEP,)
    elif text.startswith(_LABEL_WORDS, start):
        fitting = (_LABEL,)
    elif char.isascii() and char.isalpha():
        fitting = (_NUMBER,) if _LETTER.match(text, start) else ()
    elif char.isdecimal() or char in f"([{_CN}":
        fitting = (_NUMBER,)
    elif char == "#":
        fitting = (_HASH,)
    elif char.isspace() or not char or "\u3400" <= char <= "\u9fff":
        fitting = ()
    return fitting


_DONE_MARKS = "✓✔✅☑"
_INDENT = Lazy(r"[ \t]*")


class Line:
    """One line: where it is, how far it is indented, and its list marker."""

    __slots__ = ("end", "family", "indent", "is_ticked", "number", "start", "text_at")

    def __init__(self, text: str, start: int, end: int) -> None:
        indent = _INDENT.match(text, start, end)
        self.text_at = indent.end() if indent else start
        self.start = start
        self.end = end
        self.indent = len(text[start : self.text_at].expandtabs(4))
        self.family = ""
        self.number = 0
        self.is_ticked = False
        marker = marker_at(text, self.text_at, end)
        if marker and marker.end() < end:
            self._take(marker)

    def _take(self, marker: re.Match[str]) -> None:
        self.family, self.number = family_of(marker)
        groups = marker.groupdict()
        mark = groups.get("bullet") or " "
        tick = groups.get("tick") or " "
        self.is_ticked = tick in "x✓✔√*" or mark[0] in _DONE_MARKS
        self.text_at = marker.end()

    @property
    def is_blank(self) -> bool:
        """Whether nothing stands in the line."""
        return self.text_at >= self.end


def family_of(marker: re.Match[str]) -> tuple[str, int]:
    """Return the style of a list marker, and its number (0 for a bullet)."""
    groups = {name: value for name, value in marker.groupdict().items() if value}
    for family, numbers in _FAMILIES:
        if family in groups:
            word = next((groups[name] for name in numbers if name in groups), "")
            is_paren = family == "num" and groups["num"][0] in "(["
            return "paren" if is_paren else family, number_of(word or groups[family])
    return "bullet" + groups["bullet"][0], 0


_FAMILIES = (
    ("step", ("stepno", "stepcn", "stepcn2")),
    ("label", ("labelno",)),
    ("num", ("number",)),
    ("hash", ("hashno",)),
    ("cn", ("cnno",)),
    ("circ", ("circno",)),
    ("rom", ("roman",)),
    ("let", ("letter",)),
)
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")
_MANY_CIRCLES = (
    "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳",
    "❶❷❸❹❺❻❼❽❾❿",
    "➀➁➂➃➄➅➆➇➈➉",
    "➊➋➌➍➎➏➐➑➒➓",
    "ⓐⓑⓒⓓⓔⓕ",
)


def number_of(word: str) -> int:
    """Read a small number in digits, English or Chinese; 0 when it is none.

    >>> number_of("12"), number_of("three"), number_of("十二")
    (12, 3, 12)
    """
    if word.isdecimal():
        return int(word)
    if word in _ORDINALS:
        return _ORDINALS.index(word) + 1
    for circles in _MANY_CIRCLES:
        if word[0] in circles:
            return circles.index(word[0]) + 1
    if word in _ROMAN:
        return _ROMAN.index(word) + 1
    if word[0].isascii():
        return ord(word[0]) - ord("a") + 1
    total, unit = 0, 0
    for char in word.replace("两", "二"):
        digit = _CN.find(char) + 1
        if char == "十":
            total, unit = total + (unit or 1) * 10, 0
        else:
            unit = digit
    return total + unit


def lines_of(text: str, start: int, end: int) -> list[Line]:
    """Cut a span into lines; a protected block is part of the line it begins in."""
    lines: list[Line] = []
    position = start
    while position <= end:
        stop = text.find("\n", position, end)
        stop = end if stop < 0 else stop
        lines.append(Line(text, position, stop))
        position = stop + 1
    return _with_bare_numbers(text, _with_odd_bullets(text, lines))


def _with_odd_bullets(text: str, lines: list[Line]) -> list[Line]:
    """Take any other symbol that opens at least two lines as a bullet."""
    counts: dict[str, int] = {}
    for line in lines:
        mark = _odd_mark(text, line)
        if mark:
            counts[mark] = counts.get(mark, 0) + 1
    for line in lines:
        mark = _odd_mark(text, line)
        if counts.get(mark, 0) > 1:
            line.family = "bullet" + mark
            line.text_at += len(mark)
            while line.text_at < line.end and text[line.text_at] in " \t":
                line.text_at += 1
    return lines


_BARE = Lazy(r"(?P<number>\d{1,2})\s{1,3}(?=[^\W\d])")


def _with_bare_numbers(text: str, lines: list[Line]) -> list[Line]:
    """Take numbers without a sign as markers where they rise from 1 line by line."""
    found: list[tuple[Line, re.Match[str]]] = []
    for line in lines:
        number = _BARE.match(text, line.text_at, line.end)
        if line.is_blank or (number is None and line.indent):
            continue
        if line.family or number is None or int(number["number"]) != len(found) + 1:
            if found:
                return lines
            continue
        found.append((line, number))
    for line, number in found if len(found) > 1 else ():
        line.family, line.number = "num", int(number["number"])
        line.text_at = number.end()
    return lines


_SHORTEST = 3
"""Characters of a line that may be an item: the mark, a blank, a word."""


def _odd_mark(text: str, line: Line) -> str:
    if line.family or line.is_blank or line.end - line.text_at < _SHORTEST:
        return ""
    char = text[line.text_at]
    if (
        char.isalnum()
        or char in MASK + "\"'([{<>@|`/.,!?"
        or "\u2e80" <= char <= "\u9fff"
    ):
        return ""
    return char if char not in "「『《【（“«" else ""


class Item:
    """One list item: its text, with continuation lines, and its number."""

    __slots__ = ("end", "family", "is_ticked", "mark", "number", "start")

    def __init__(self, line: Line) -> None:
        self.mark = (line.start, line.text_at)
        self.start = line.text_at
        self.end = line.end
        self.number = line.number
        self.family = line.family
        self.is_ticked = line.is_ticked


class Outline:
    """A message with a list: what stands before, the items, what stands after.

    ``parts`` are spans in order: ``("text", start, end)`` or ``("item", Item)``.
    """

    __slots__ = ("items", "parts")

    def __init__(self) -> None:
        self.parts: list[tuple[int, int] | Item] = []
        self.items: list[Item] = []


def outline(text: str, lines: Sequence[Line]) -> Outline | None:
    """Read the list of a message, None when it has none.

    A list is two or more marked lines at one level, or a single marked line whose
    marker cannot be an accident (a check box, ``1.``). Deeper lines and unmarked
    indented ones belong to the item above; so does an unmarked line between two items.
    """
    marked = [line for line in lines if line.family and not line.is_blank]
    if not marked or (len(marked) == 1 and not _is_lone_item(marked[0])):
        return None
    level = min(line.indent for line in marked)
    family = _main_family(marked, level)
    if family is None:
        return None
    found = Outline()
    last = _last_index(lines, level, family)
    item: Item | None = None
    blank_since = False
    for index, line in enumerate(lines):
        if line.is_blank:
            blank_since = True
            continue
        if _is_item(line, level, family):
            item = Item(line)
            found.parts.append(item)
            found.items.append(item)
        elif item and _belongs(
            text, line, level, blank=blank_since, before_end=index < last
        ):
            item.end = line.end
        else:
            _add_text(found, line)
            item = None if index > last or blank_since else item
        blank_since = False
    return found


def _add_text(found: Outline, line: Line) -> None:
    start = line.start
    if found.parts and isinstance(found.parts[-1], tuple):
        start = found.parts[-1][0]
        found.parts.pop()
    found.parts.append((start, line.end))


def _is_lone_item(line: Line) -> bool:
    return line.is_ticked or (line.family == "num" and line.number == 1)


def _main_family(marked: Sequence[Line], level: int) -> str | None:
    for line in marked:
        if line.indent == level:
            return line.family
    return None


def _is_item(line: Line, level: int, family: str) -> bool:
    if not line.family or line.indent > level + 1:
        return False
    return line.family == family or (
        family.startswith("bullet") and line.family.startswith("bullet")
    )


def _last_index(lines: Sequence[Line], level: int, family: str) -> int:
    return max(
        (i for i, line in enumerate(lines) if _is_item(line, level, family)), default=0
    )


def _belongs(
    text: str, line: Line, level: int, *, blank: bool, before_end: bool
) -> bool:
    """Tell whether an unmarked or deeper line continues the item above it."""
    if line.indent > level or line.family:
        return True
    if text[line.text_at] == MASK and not blank:
        return True
    return before_end and not blank and text[line.end - 1] != ":"
