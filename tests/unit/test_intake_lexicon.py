"""The phrase tables keep the rules that make looking them up fast and safe."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest

from model_queue.intake import lexicon, phrases
from model_queue.intake.lexicon import Lexicon, heads

_WORD = re.compile(f"{lexicon.LETTER}+")
_ALL = sorted(
    {
        phrase
        for language in phrases.LANGUAGES
        for table in phrases.tables(language)
        for kinds in table.values()
        for group in kinds.values()
        for phrase in group
    }
)


def _first_words(phrase: str) -> Iterable[str]:
    for prefix, rest in _prefixes("", phrase, 0):
        if prefix:
            yield prefix if not prefix[0].isdigit() or prefix.isalnum() else "#"
        elif rest.startswith(("\\d", "{num}", "{zhnum}")):
            yield "#"
        elif rest:
            yield rest.lstrip("\\")[0]


def _prefixes(prefix: str, phrase: str, depth: int) -> Iterable[tuple[str, str]]:
    """Yield each literal beginning with what follows it, alternatives multiplied out."""
    while phrase:
        if phrase.startswith(("(?=", "(?!", "(?<")):
            phrase = phrase[_closing(phrase) + 1 :]
            continue
        if phrase.startswith("[^"):
            break
        if phrase[0] in "([":
            yield from _branched(prefix, phrase, depth)
            return
        char = phrase[0]
        if not _WORD.match(char):
            break
        if phrase[1:2] == "?":
            yield from _prefixes(prefix, phrase[2:], depth)
            phrase = char + phrase[2:]
        prefix += char
        phrase = phrase[1:]
    if not prefix and phrase[1:2] == "?" and phrase[0] not in "\\)":
        yield from _prefixes(prefix, phrase[2:], depth)
        phrase = phrase[0] + phrase[2:]
    yield prefix, phrase


def _branched(prefix: str, phrase: str, depth: int) -> Iterable[tuple[str, str]]:
    close = _closing(phrase)
    rest = phrase[close + 1 :]
    optional = rest[:1] in {"?", "*"} or rest.startswith("{0,")
    if optional:
        rest = rest[1:] if rest[0] in "?*" else rest[rest.index("}") + 1 :]
        yield from _prefixes(prefix, rest, depth)
    if phrase[0] == "[":
        options = list(phrase[1:close])
    else:
        inner = phrase[1:close]
        if inner.startswith("?P<"):
            inner = inner[inner.index(">") + 1 :]
        options = _alternatives(inner.removeprefix("?:"))
    for option in options:
        yield from _prefixes(prefix, option + rest, depth + 1)


def _closing(phrase: str) -> int:
    """Return where the bracket that opens a phrase closes."""
    if phrase[0] == "[":
        return phrase.index("]")
    depth = 0
    for position, char in enumerate(phrase):
        if char == "(":
            depth += 1
        elif char == ")":
            depth -= 1
            if depth == 0:
                return position
    return len(phrase)


def _alternatives(inner: str) -> list[str]:
    options, depth, begin = [], 0, 0
    for position, char in enumerate(inner):
        if char in "([":
            depth += 1
        elif char in ")]":
            depth -= 1
        elif char == "|" and depth == 0:
            options.append(inner[begin:position])
            begin = position + 1
    return [*options, inner[begin:]]


def _literal_heads(phrase: str) -> set[str]:
    pattern = phrase.rpartition("=>")[2]
    return {word for word in _first_words(pattern) if word == "#" or word[0].isalnum()}


def _is_numeric(word: str) -> bool:
    return word[0] in "#0123456789一二两三四五六七八九十半几"


def _has_head(word: str, written: set[str]) -> bool:
    """A number's phrase may stand under what it counts ("#hours") instead."""
    counted = any(head.startswith("#") for head in written)
    return word in written or (_is_numeric(word) and counted)


def test_every_phrase_is_found_under_each_word_it_can_begin_with() -> None:
    missing = {
        phrase: word
        for phrase in _ALL
        for word in _literal_heads(phrase)
        if not _has_head(word, set(heads(phrase)))
    }

    assert missing == {}


def test_no_phrase_repeats_without_a_bound_over_text() -> None:
    """A ``+`` or ``*`` over a character class would make a scan quadratic."""
    unbound = re.compile(r"(?:\]|\.|\\w|\\d|\\s)[+*]")

    found = [p for p in _ALL if unbound.search(p.replace("(?:.*", ""))]

    assert found == []


def test_every_phrase_compiles() -> None:
    lexicon = Lexicon(("kind", phrase) for phrase in _ALL)

    for phrase in _ALL:
        for head in heads(phrase):
            lexicon.at(f"{head.replace('#', '3 ')} x fails 1 day t-001", 0)


def test_the_longest_phrase_at_a_position_wins() -> None:
    lexicon = Lexicon([("short", "next"), ("long", "next step")])

    hit = lexicon.at("next step please", 0)

    assert hit
    assert (hit.kind, hit.start, hit.end) == ("long", 0, 9)


def test_a_phrase_does_not_end_within_a_word() -> None:
    lexicon = Lexicon([("then", "then")])

    assert lexicon.at("thence", 0) is None
    assert lexicon.at("then, go", 0)


def test_a_phrase_is_found_before_an_edge() -> None:
    lexicon = Lexicon([("please", "please"), ("all", "for all(?: please)?")])

    hit = lexicon.before("sort it for all please", 0, 22)

    assert hit
    assert hit.kind == "all"


def test_blanks_stand_for_any_white_space() -> None:
    lexicon = Lexicon([("then", "and then")])

    assert lexicon.at("and\n then", 0)


def _plain_alternatives(phrase: str) -> Iterable[str]:
    """Yield the plain alternatives that are the whole of a phrase."""
    body = phrase.rpartition("=>")[2]
    if body.startswith("(?:") and body.endswith(")"):
        body = body[3:-1]
    pattern = re.compile(lexicon._expand(phrase))  # noqa: SLF001 - what it compiles to
    for words in body.split("|"):
        if re.fullmatch(r"[\w' -]+", words) and pattern.fullmatch(words):
            yield words


def test_a_hint_occurs_in_each_phrase_that_it_lets_through() -> None:
    """Else a phrase is found only after another one of its pattern was."""
    missed = {
        words
        for language in phrases.ALWAYS
        for table in phrases.tables(language)
        for kinds in table.values()
        for kind, group in kinds.items()
        for phrase in group
        for words in _plain_alternatives(phrase)
        if not Lexicon([(kind, phrase)]).whole(words, 0, len(words))
    }

    assert missed == set()


@pytest.mark.parametrize(
    ("purpose", "words", "kind"),
    [
        ("time", "tomorrow", "day"),
        ("time", "first thing tomorrow", "day"),
        ("priority_verb", "bump", "5"),
        ("priority_verb", "boost", "5"),
        ("priority_verb", "demote", "-5"),
        ("priority_verb", "提升一下", "5"),
        ("priority_verb", "先跑", "5"),
        ("priority_verb", "插个队", "10"),
        ("priority_verb", "推迟一下", "-5"),
        ("priority", "there is no urgency", "-5"),
        ("priority", "尽早", "10"),
        ("policy", "otherwise skip it", "skip"),
        ("policy", "whatever comes", "continue"),
        ("policy", "否则就跳过", "skip"),
    ],
)
def test_a_phrase_is_found_in_a_fresh_process(
    purpose: str, words: str, kind: str
) -> None:
    fresh = phrases.Phrases(phrases.ALWAYS, ())

    hit = fresh.lexicon(purpose).whole(words, 0, len(words))

    assert hit
    assert hit.kind == kind
