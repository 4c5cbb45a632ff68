"""What the edges of a task's text say about it, collected while they are cut off."""

from __future__ import annotations

import re

from model_queue.intake import phrases, times
from model_queue.intake.layout import number_of
from model_queue.intake.lexicon import SLOTS, Lazy
from model_queue.intake.names import Names, Ref

_ID = Lazy(SLOTS["{id}"])
_NUMBER = Lazy(r"\d{1,7}|[一二两三四五六七八九十]{1,2}")


class Marks:
    """Attributes found at the edges of one span.

    Attributes:
        spans: attribute to where the words stand that say it.
        shared: names of the attributes that were set off before the work, and so hold
            for all tasks of the message.
    """

    __slots__ = (
        "fan_in",
        "fan_names",
        "ids",
        "is_also",
        "is_chained",
        "is_first",
        "is_polite",
        "is_triggered",
        "policy",
        "priority",
        "ref",
        "shared",
        "spans",
        "wish",
        "wish_words",
    )

    def __init__(self) -> None:
        self.ref: Ref | None = None
        self.priority: int | None = None
        self.wish: times.Wish | None = None
        self.wish_words: tuple[int, int] | None = None
        self.policy: str | None = None
        self.ids: list[str] = []
        self.fan_in = False
        self.fan_names: str | None = None
        self.is_chained = False
        self.is_also = False
        self.is_first = False
        self.is_triggered = False
        self.is_polite = False
        self.shared: set[str] = set()
        self.spans: dict[str, tuple[int, int]] = {}

    def copy(self) -> Marks:
        """Return marks that can be changed apart from these."""
        other = Marks()
        for name in self.__slots__:
            setattr(other, name, getattr(self, name))
        other.ids = list(self.ids)
        other.shared = set(self.shared)
        other.spans = dict(self.spans)
        return other

    @property
    def has_any(self) -> bool:
        """Whether an attribute that could hold for other tasks was found."""
        return (
            self.ref is not None
            or self.priority is not None
            or self.wish is not None
            or self.policy is not None
        )


def canonical_ids(words: str, names: Names) -> list[str]:
    """Read ids and ranges of ids; ``t-3 to t-5`` is all three.

    >>> canonical_ids("t-12 and t013", Names(Catalog({}, {})))  # doctest: +SKIP
    ['T-012', 'T-013']
    """
    found: list[str] = []
    previous: tuple[int, str] | None = None
    end_of_previous = 0
    for match in _ID.finditer(words):
        prefix, _, last = match.group().rpartition("/")
        number = int("".join(c for c in last if c.isdigit()))
        source = names.canonical_source(prefix) if prefix else None
        between = words[end_of_previous : match.start()].strip()
        if previous and between in _RANGE and previous[0] < number <= previous[0] + 500:
            found.extend(
                _written(n, previous[1]) for n in range(previous[0] + 1, number)
            )
        found.append(_written(number, source or ""))
        previous = (number, source or "")
        end_of_previous = match.end()
    return list(dict.fromkeys(found))


_RANGE = frozenset(
    {
        "bis",
        "hasta",
        "a",
        "a la",
        "à",
        "jusqu'à",
        "から",
        "부터",
        "to",
        "-",
        "~",
        "到",
        "至",
        "through",
        "thru",
        "until",
        "..",
        "...",
        "—",
    }
)


def _written(number: int, source: str) -> str:
    return f"{source}/T-{number:03d}" if source else f"T-{number:03d}"


def named_indices(words: str, count: int) -> list[int]:
    """Return the earlier tasks, of ``count``, that words such as "1 and 2" name."""
    lists = {"first two": 2, "first three": 3, "first four": 4}
    for phrase, n in lists.items():
        if phrase in words:
            return list(range(min(n, count)))
    ordinals = [
        i for i, w in enumerate(("first", "second", "third", "fourth")) if w in words
    ]
    if "last two" in words or "previous two" in words:
        return list(range(max(0, count - 2), count))
    if "last" in words or "previous" in words or "above" in words:
        ordinals.append(count - 1)
    if ordinals:
        return [i for i in ordinals if 0 <= i < count]
    numbers = [number_of(m.group()) for m in _NUMBER.finditer(words)]
    if len(numbers) == 2 and re.search(r"\d\s?(?:-|to|~|到|至)\s?\d", words):  # noqa: PLR2004 - a range has two ends
        numbers = list(range(numbers[0], numbers[1] + 1))
    return [n - 1 for n in dict.fromkeys(numbers) if 0 < n <= count]


_BUDGET = Lazy(
    r"(?:^|[,;.(。\s])\s?(?:(?:with )?(?:a |an )?(?:max(?:imum)?|at most|no more than|up to|under|below|not more than|within|"
    r"spend(?:ing)?(?: at most| no more than| up to)?|budget|cost (?:limit|cap|ceiling)|limit|cap)"
    r"(?: (?:budget|cost|spend|of|is|to|at|price|the cost)){0,2}[:=]?\s{0,2}(?:\$|usd |us\$)\s?(?P<a>\d{1,7}(?:\.\d{1,4})?)"
    r"|(?:max(?:imum)?|at most|no more than|up to|budget|spend at most|limit)(?: (?:of|is|to|budget|cost)){0,2}[:=]?\s{0,2}"
    r"(?P<b>\d{1,7}(?:\.\d{1,4})?)\s?(?:usd|dollars|bucks|\$)"
    r"|(?:\$|usd )(?P<c>\d{1,7}(?:\.\d{1,4})?) (?:max|budget|limit|at most|tops|cap)"
    r"|(?:(?:花费|费用|成本|预算|开销|花)?(?:不超过|不要超过|最多|控制在|上限|限制在|不得超过|别超过|以内)|预算)(?:是|为|:|花)?\s?"
    r"(?:(?:\$|usd)\s?(?P<d>\d{1,7}(?:\.\d{1,4})?)|(?P<e>\d{1,7}(?:\.\d{1,4})?|[一二两三四五六七八九十]{1,3})\s?(?:美元|美金|刀|usd|\$))"
    r"|(?P<f>\d{1,7}(?:\.\d{1,4})?|[一二两三四五六七八九十]{1,3})\s?(?:美元|美金|刀)(?:的预算|预算|封顶|以下|(?=以内|之内)))"
    r"(?=\s?(?:[,;.)。]|for (?:this|it)|in total|total|以内|之内|内|please|$))"
)


def budget(text: str, start: int, end: int) -> float | None:
    """Return the cost limit in US dollars that a span states, None without one."""
    if not any(
        sign in text[start:end]
        for sign in ("$", "usd", "dollar", "bucks", "美元", "美金", "刀")
    ):
        return None
    match = _BUDGET.search(text[start:end])
    if match is None:
        return None
    number = next(value for value in match.groups() if value)
    return float(number) if number[0].isdigit() else float(number_of(number))


_GOAL = Lazy(
    r"(?:\bso that\b|\bin order to\b|\b(?:goal|purpose|aim|objective)(?: is)?\s?:|目标(?:是)?\s?:|目的(?:是)?\s?:|以便(?:于)?|为的是|"
    r"\bthe (?:goal|aim|purpose|objective) is(?: to)?\b|目标是|目的是)\s{0,3}(?P<goal>[^\n;。]{2,400})"
)


def goal(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return the span of what a task is for, None when it does not say."""
    match = _GOAL.search(text, start, end)
    if match is None:
        return None
    stop = match.end("goal")
    sentence = re.search(r"[.!?](?=\s|$)", text[match.start("goal") : stop])
    if sentence:
        stop = match.start("goal") + sentence.start()
    return match.start("goal"), stop


def limits(text: str, start: int, end: int) -> int | None:
    """Return where a cost limit or a goal begins that ends a span, None without one."""
    match = _GOAL.search(text, start, end)
    stop = match.start() if match else end
    spent = None
    if budget(text, start, stop) is not None:
        spent = _BUDGET.search(text[start:stop])
    if spent and not text[start + spent.end() : stop].strip(" \t\n,;.。!、"):
        return start + spent.start()
    return stop if match else None


__all__ = [
    "Marks",
    "budget",
    "canonical_ids",
    "goal",
    "limits",
    "named_indices",
    "phrases",
]
