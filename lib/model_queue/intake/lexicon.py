"""Phrases looked up by their first word, each pattern compiled when that word occurs.

A message meets only a few of the some hundred phrases, so most are never compiled.
A phrase is a regular expression that begins with a literal word, a digit class or a
``(?:…|…)`` of literal words. A blank stands for any white space; quantifiers are
bounded, so that a scan is linear in the length of the message.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from model_queue.intake.normalize import simplified

LETTER = r"[^\W_\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc\U00020000-\U0003ffff]"
"""A character of words that blanks part; Chinese, kana and Hangul stand alone each."""
_WORD = re.compile(f"{LETTER}+")
_WHOLE = f"(?:(?<!{LETTER})|(?!{LETTER}))"
"""A phrase does not end within a word."""
_DIGITS = "#"
_NONE: Sequence[_Phrase] = ()
_EMPTY: Mapping[str, str] = {}
_MAX = 2**31
_ARROW = "=>"
"""``head|head=>pattern`` names the first words of a pattern that does not begin so."""
TAIL_WINDOW = 140
"""Characters before an edge within which a phrase that ends there may begin."""

SLOTS: dict[str, str] = {
    "{id}": r"(?:[a-z][a-z0-9_-]{0,40}/)?t-?\d{1,7}(?![a-z0-9_]|-[a-z0-9]|\.\d)",
    "{num}": r"(?:\d{1,4}(?:\.\d)?|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|"
    r"fifteen|twenty|thirty|half an?)",
    "{zhnum}": r"(?:\d{1,4}(?:\.\d)?|[一二两三四五六七八九十半几]{1,4})",
}
SLOTS["{ids}"] = (
    rf"{SLOTS['{id}']}(?:(?: ?[,、&+/] ?(?:and )?| and | ?[和与及跟] ?| ?to ?| ?- ?| ?[到至~] ?)"
    rf"{SLOTS['{id}']}){{0,30}}"
)


class Hit:
    """A phrase found in a text.

    Attributes:
        kind: of the phrase. start, end: of the words. words: as they stand in the text.
        groups: what the named groups of its pattern took, without those that took none.
    """

    __slots__ = ("end", "groups", "kind", "start", "words")

    def __init__(
        self, kind: str, start: int, words: str, groups: Mapping[str, str] = _EMPTY
    ) -> None:
        self.kind = kind
        self.start = start
        self.end = start + len(words)
        self.words = words
        self.groups = groups


class Lazy:
    """A regular expression that is compiled when it is first needed."""

    __slots__ = ("_flags", "_pattern", "_source")

    def __init__(self, source: str, flags: int = 0) -> None:
        self._source = source
        self._flags = flags
        self._pattern: re.Pattern[str] | None = None

    @property
    def compiled(self) -> re.Pattern[str]:
        """The pattern itself."""
        if self._pattern is None:
            self._pattern = re.compile(self._source, self._flags)
        return self._pattern

    def match(self, text: str, start: int = 0, end: int = _MAX) -> re.Match[str] | None:
        """Match at a position."""
        return self.compiled.match(text, start, end)

    def search(
        self, text: str, start: int = 0, end: int = _MAX
    ) -> re.Match[str] | None:
        """Search a span."""
        return self.compiled.search(text, start, end)

    def finditer(
        self, text: str, start: int = 0, end: int = _MAX
    ) -> Iterator[re.Match[str]]:
        """Yield the matches of a span."""
        return self.compiled.finditer(text, start, end)


class _Phrase:
    """One pattern, or one literal sequence of words, which needs no compiling."""

    __slots__ = ("_asked", "_literal", "_pattern", "_whole", "hint", "kind", "source")

    def __init__(
        self,
        kind: str,
        source: str,
        literal: tuple[str, ...] = (),
        *,
        hint: Lazy | _Words | None = None,
    ) -> None:
        self.kind = kind
        self.source = source
        self.hint = hint
        self._asked = 0
        self._literal = literal
        self._pattern: re.Pattern[str] | None = None
        self._whole: re.Pattern[str] | None = None

    def match(self, text: str, start: int, end: int, *, to_end: bool) -> Hit | None:
        """Match at a position, up to exactly ``end`` with ``to_end``."""
        if self._literal:
            stop = _literal_end(self._literal, text, start, end)
            if stop <= start or (to_end and stop != end):
                return None
            return Hit(self.kind, start, text[start:stop])
        if self._pattern is None:
            self._asked += 1
            is_rare = self._asked < _OFTEN
            reach = min(end, start + _REACH)
            if self.hint and is_rare and not self.hint.search(text, start, reach):
                return None
            self._pattern = re.compile(_expand(self.source))
        match = (self._pattern.fullmatch if to_end else self._pattern.match)(
            text, start, end
        )
        if match is not None and match.end() < end and _is_cut(text, match.end()):
            match = self._shorter(text, start, end)
        if match is None or match.end() <= start:
            return None
        groups = {name: value for name, value in match.groupdict().items() if value}
        return Hit(self.kind, start, match.group(), groups)

    def _shorter(self, text: str, start: int, end: int) -> re.Match[str] | None:
        """Match what does not end within a word.

        A pattern of its own, compiled when it is needed: the condition costs as much
        to compile as the rest of an ordinary phrase.
        """
        if self._whole is None:
            self._whole = re.compile(f"(?:{_expand(self.source)}){_WHOLE}")
        return self._whole.match(text, start, end)


_OFTEN = 50
"""Looks at a hint that cost as much as compiling the pattern, in a long process."""
_REACH = 160
"""Characters within which a kind's hint must occur for its patterns to matter."""


class _Words:
    """Words of which one must occur; looked for one by one, there is nothing to compile."""

    __slots__ = ("_words",)

    def __init__(self, *words: str) -> None:
        self._words = tuple(word for line in words for word in line.split())

    def search(self, text: str, start: int, end: int) -> bool:
        """Report whether one of the words occurs in a span."""
        span = text[start:end]
        return any(word in span for word in self._words)


_OUTCOME = _Words(
    "fail error wrong break crash succe pass work regard irresp matter whe whatev anyw anyh",
    "way case carry otherwise else well green 否则 失败 出错 报错 成功 通过 挂 成败 错误 没问题 算了",
)
_CONTAINER = _Words(
    "queue task job todo to-do item request 队 任务 待办 工作 活 排",
)
_PRIORITY = _Words(
    "urgen critical prio asap a.s. soon p0 p1 p2 p3 p4 p5 p6 p7 p8 p9 emerg blocker",
    "import rush hurry haste wait leisure time conven chance like can idle backlog",
    "someday nice low high top first front head back bottom end tail next jump fast",
    "fore forw max down up later moment pressing bump boost escal raise upgrad increas",
    "exped speed earl elevat promot downgr decreas reduc demot postpone fifth behind last",
    "急 优先 快 最 置顶 插 前 后 第 首 高 低 重要 慢 空 闲 时间 时候 晚 缓 赶 尽早 火速 提 先 推迟 五",
)
_HINTS: dict[str, Lazy | _Words] = {
    "10": _PRIORITY,
    "5": _PRIORITY,
    "-5": _PRIORITY,
    "ids": Lazy(r"t-?\d"),
    "named": Lazy(
        r"(?<![a-z0-9.])\d{1,2}(?![\d.])|[一二三四五两](?:个|项|步|[、和与])|first|second|third|last|"
        r"previous|above|前"
    ),
    "all": _Words(
        "both all every they these those each two three four five above whatever any",
        "tasks jobs ones lot rest failed blocked paused pending skipped stuck 都 全 所有 两 一切 统统 每 失败 任务 的",
    ),
    "continue": _OUTCOME,
    "skip": _OUTCOME,
    "block": _OUTCOME,
    "delay": Lazy(
        r"sec|min|h|day|week|fortnight|\dm|\dd|秒|分|小时|钟|天|周|星期|礼拜|月"
    ),
    "date": Lazy(r"\d"),
    "day": Lazy(
        r"day|tomor|noon|morn|even|night|week|month|year|lunch|clock|mon|tue|wed|thu|fri|sat|sun|\d|"
        r"[今明后周期拜]|[早晚午晨夜里凌傍].|[点月年]"
    ),
    "queue": _CONTAINER,
    "task": _CONTAINER,
    "clause": _CONTAINER,
    "own": _CONTAINER,
}
"""What must occur for a pattern of the kind to be worth compiling."""


class Lexicon:
    """A set of phrases, each of a kind."""

    __slots__ = ("_index", "bit", "has_signs")

    def __init__(
        self,
        phrases: Iterable[tuple[str, str]],
        unhinted: Iterable[tuple[str, str]] = (),
        user: Iterable[str] = (),
    ) -> None:
        self.bit = 0
        """Stands for it in the masks of a scan; set by who keeps it with others."""
        self._index: dict[str, list[_Phrase]] = {}
        for words in user:
            self._add(_Phrase("user", words, tuple(words.split())), words)
        for kind, phrase in phrases:
            self._add_all(kind, phrase, _HINTS.get(kind))
        for kind, phrase in unhinted:
            self._add_all(kind, phrase, None)
        self.has_signs = any(not _STARTS.match(head) for head in self._index)
        """Whether a phrase begins with what is no word: a user's "!!"."""

    @property
    def heads(self) -> Iterable[str]:
        """The words that its phrases begin with; ``#…`` for a number."""
        return self._index

    def may_begin(self, key: str) -> bool:
        """Tell whether a phrase may begin with a word."""
        return key in self._index or (
            key[0] in NUMERALS and any(head[0] == _DIGITS for head in self._index)
        )

    def _add_all(self, kind: str, phrase: str, hint: Lazy | _Words | None) -> None:
        literals = _literals(phrase)
        for literal in literals:
            self._add(_Phrase(kind, literal, tuple(literal.split(" "))), literal)
        if not literals:
            entry = _Phrase(kind, phrase, hint=hint)
            for head in heads(phrase):
                self._index.setdefault(head, []).append(entry)

    def _add(self, entry: _Phrase, literal: str) -> None:
        self._index.setdefault(_first_word(literal), []).append(entry)

    def at(self, text: str, start: int, end: int | None = None) -> Hit | None:
        """Return the longest phrase that begins at a position, None when there is none."""
        limit = len(text) if end is None else end
        return self.at_word(word_at(text, start, limit), text, start, limit)

    def at_word(self, key: str, text: str, start: int, end: int) -> Hit | None:
        """Do as ``at`` where the word at the position is known."""
        best: Hit | None = None
        for phrase in self._keyed(key, text, start):
            hit = phrase.match(text, start, end, to_end=False)
            if hit and (best is None or hit.end > best.end):
                best = hit
        return best

    def before(self, text: str, start: int, end: int) -> Hit | None:
        """Return the longest phrase that ends exactly at ``end``, None without one."""
        return self.ending(tail_words(text, start, end), text, end)

    def ending(
        self, starts: Iterable[tuple[int, str]], text: str, end: int
    ) -> Hit | None:
        """Do as ``before`` where the words in front of the edge are known."""
        for position, key in starts:
            for phrase in self._keyed(key, text, position):
                hit = phrase.match(text, position, end, to_end=True)
                if hit:
                    return hit
        return None

    def whole(self, text: str, start: int, end: int) -> Hit | None:
        """Return the phrase that is exactly ``text[start:end]``, None without one."""
        return self.ending([(start, word_at(text, start, end))], text, end)

    def find(self, text: str, start: int, end: int) -> Iterable[Hit]:
        """Yield the phrases of a span from left to right, none overlapping another."""
        done = start
        for position, key in words(text, start, end):
            hit = self.at_word(key, text, position, end) if position >= done else None
            if hit:
                yield hit
                done = hit.end

    def _keyed(self, key: str, text: str, start: int) -> Sequence[_Phrase]:
        found = self._index.get(key, _NONE)
        if key and key[0] in NUMERALS:
            unit = _unit_behind(key, text, start)
            for numeric in (_DIGITS, _DIGITS + unit):
                found = [*found, *self._index.get(numeric, _NONE)]
        return found


NUMERALS = frozenset("0123456789一二两三四五六七八九十半几")
_NUMBER = re.compile(r"[\d一二两三四五六七八九十半几]+\s?([a-z]+|.|\Z)", re.DOTALL)


def _unit_behind(key: str, text: str, start: int) -> str:
    """Return what a number counts: the word or character behind it ("#hours", "#月")."""
    number = _NUMBER.match(text, start, start + len(key) + 24)
    return number.group(1) if number else ""


def heads(phrase: str) -> list[str]:
    r"""Return the literal words that a phrase can begin with.

    >>> heads("(?:on|at) noon"), heads("然后再"), heads("a|an|#=>(?:an?|\d+) hour")
    (['on', 'at'], ['然'], ['a', 'an', '#'])
    """
    if _ARROW in phrase:
        return phrase.partition(_ARROW)[0].split("|")
    if phrase.startswith("(?:"):
        alternatives = phrase[3 : phrase.index(")")].split("|")
        return list(dict.fromkeys(map(_first_word, alternatives)))
    return [_first_word(phrase)]


def _first_word(phrase: str) -> str:
    word = _WORD.match(phrase)
    return word.group() if word else phrase[:1]


def _literals(phrase: str) -> list[str]:
    """Return the alternatives of a phrase that has nothing but literal ones."""
    if phrase.startswith("(?:") and phrase.endswith(")"):
        phrase = phrase[3:-1]
    return [] if _SPECIAL.search(phrase) else phrase.split("|")


_SPECIAL = re.compile(r"[\\()\[\]{}?*+.^$#]|=>")


def _literal_end(literal: tuple[str, ...], text: str, start: int, end: int) -> int:
    """Return where the words of a literal end in a text, -1 when they are not there."""
    position = start
    for index, word in enumerate(literal):
        if index:
            begin = position
            while position < end and text[position].isspace() and position < begin + 3:
                position += 1
            if position == begin:
                return -1
        if not text.startswith(word, position):
            return -1
        position += len(word)
    is_cut = position < len(text) and _is_cut(text, position)
    return -1 if is_cut or position > end else position


def _is_cut(text: str, position: int) -> bool:
    """Report whether a position lies within a word."""
    return bool(_WORD.match(text[position]) and _WORD.match(text[position - 1]))


def _expand(phrase: str) -> str:
    phrase = phrase.rpartition(_ARROW)[2]
    for slot, pattern in SLOTS.items():
        if slot in phrase:
            phrase = phrase.replace(slot, pattern)
    return phrase.replace(" ", r"\s{1,3}").replace("\\s{1,3}?", r"\s{0,3}")


_STARTS = re.compile(rf"{LETTER}+|#|[^\x00-\xbf\s\u2000-\u2e7f\ue000]")


def word_at(text: str, start: int, end: int) -> str:
    """Return the word or character at a position, "" at the end."""
    word = _WORD.match(text, start, end)
    return word.group() if word else text[start : min(start + 1, end)]


def tail_words(text: str, start: int, end: int) -> list[tuple[int, str]]:
    """Return the words in front of an edge within which a phrase may begin."""
    return list(words(text, max(start, end - TAIL_WINDOW), end))


def words(text: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    """Yield where each word or CJK character begins, with the word: a phrase's key."""
    for match in _STARTS.finditer(text, start, end):
        yield match.start(), match.group()


def merged(
    tables: Iterable[Mapping[str, tuple[str, ...]]],
    others: Iterable[Mapping[str, tuple[str, ...]]] = (),
    *,
    user: Iterable[str] = (),
) -> Lexicon:
    """Join the tables of several languages into one lexicon.

    ``tables``: of the languages whose words the hints know; ``others``: of the rest,
    brought into the scanning form.
    ``user``: literal phrases of kind ``user``, in scanning form, blanks between words.
    """
    folded = ((kind, simplified(phrase)) for kind, phrase in _flat(others))
    return Lexicon(_flat(tables), folded, user)


def _flat(
    tables: Iterable[Mapping[str, tuple[str, ...]]],
) -> Iterator[tuple[str, str]]:
    for table in tables:
        for kind, phrases in table.items():
            for phrase in phrases:
                yield kind, phrase
