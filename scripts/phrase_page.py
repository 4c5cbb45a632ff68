"""The page of the phrases that the intake knows, made from its tables."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from re import _constants as sre  # type: ignore[attr-defined] # no public way to walk one
from re import _parser as parser  # type: ignore[attr-defined] # as above
from typing import Any

from model_queue.intake.lexicon import Lexicon
from model_queue.intake.phrases import LANGUAGES, tables
from model_queue.intake.phrases.anchors import CONTAINERS, SOURCE_WORDS

NAMES: Mapping[str, str] = {
    "en": "English",
    "zh": "Chinese",
    "de": "German",
    "es": "Spanish",
    "fr": "French",
    "ja": "Japanese",
    "ko": "Korean",
}
PURPOSES: Mapping[str, str] = {
    "trigger": "puts what follows on the queue, in addressed scope",
    "trigger_tail": "closes a request and puts it on the queue, in addressed scope",
    "ambient_trigger": "puts what follows on the queue, in every scope",
    "ambient_tail": "closes a request and puts it on the queue, in every scope",
    "link": "begins another request: `chain` and `bare` wait for the one before, `also` does not, `first` opens a row",
    "and": "may stand before such a phrase",
    "ordinal": "numbers requests in running text; they do not wait for each other",
    "fan_in": "waits for several: `all` before it, those `named`; `keep` stays in the text",
    "depends": "waits for tasks by their ids",
    "in_order": "in a heading: each item waits for the one before",
    "in_parallel": "in a heading: no item waits",
    "policy": "what happens when a dependency fails",
    "priority": "the priority, larger runs earlier",
    "time": "when to start: after a `delay`, on a `day`, on a `date`",
    "time_word": "what such a phrase means in English",
    "select": "selects the model or source that is named behind it",
    "select_after": "selects the model or source that is named before it",
    "select_run": "stands behind such a selection and is dropped with it",
    "select_for": "leads from a selected name to the work",
    "content_verb": "takes models as its objects, so that they are not selected",
    "position": "says which of the tasks a model or a priority is for",
    "scope_word": "may stand in a sentence that only says which model is for which task",
    "polite": "politeness before a request, dropped",
    "polite_tail": "politeness behind a request, dropped",
    "courtesy": "politeness before a trigger, in ambient scope",
    "greeting": "greetings, thanks and other talk that asks for nothing",
    "sign_off": "closes a message, with or without a name behind it",
    "question": "opens a plain question",
    "statement": "opens a statement that asks for nothing",
    "remind": "reminders and calendar entries, which are not work",
    "search": "single web searches, which are not work",
    "announce": "a heading that announces jobs and asks for nothing itself",
    "jobs_heading": "names the jobs in such a heading",
    "attachment": "introduces pasted text, which is never scanned",
    "points_back": "points back at pasted text above",
    "verb": "the verbs of commands on the queue",
    "priority_verb": "the words of a command that changes a priority",
    "target": "what a command is about, besides ids and sources",
    "filler": "words that do not matter in a command",
    "state": "words of questions about a task",
    "status_whole": "questions about the whole queue",
}
SLOTS = {
    "{ids}": "t-003 and t-004",
    "{id}": "t-003",
    "{num}": "two",
    "{zhnum}": "两",
}
PER_PHRASE = 6
"""Forms shown of one phrase."""
PER_KIND = 16
"""Forms shown of one kind in one language."""


def page() -> str:
    """Return the whole page."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield from (
        "# The phrases of the intake",
        "",
        "Made from `lib/model_queue/intake/phrases/` by `make docs`; change the tables there, not this",
        "page. A phrase has more forms than are shown: optional words are left out, and of many",
        f"alternatives {PER_KIND} stand here. A message is read with English and Chinese, and with each other",
        "language that it has words of. Words of your own are added in the TOML: `aliases` of a source and",
        "`triggers` (`configuration.md`).",
    )
    for purpose, meaning in PURPOSES.items():
        yield from ("", f"## {purpose}", "", f"{meaning[0].upper()}{meaning[1:]}.", "")
        yield from ("| language | kind | phrases |", "| --- | --- | --- |")
        for language in LANGUAGES:
            for kind, forms in _kinds(purpose, language):
                yield f"| {NAMES[language]} | `{kind}` | {_shown(forms)} |"
    yield from ("", "## Words that tie a message to the queue", "")
    yield from (
        "A message in ambient scope has one of these, a prefix, an id, or a configured name.",
        "",
        "| language | words |",
        "| --- | --- |",
    )
    for language, words in CONTAINERS.items():
        yield f"| {NAMES[language]} | {_shown(words)} |"
    yield from ("", "## Words for a source", "")
    yield from (
        "What the aliases `local`, `remote` and `cloud` are called in other languages.",
        "",
        "| language | alias | words |",
        "| --- | --- | --- |",
    )
    for language, aliases in SOURCE_WORDS.items():
        for alias, words in aliases.items():
            yield f"| {NAMES[language]} | `{alias}` | {_shown(words)} |"


def _kinds(purpose: str, language: str) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the kinds of a purpose in a language, each with forms of its phrases."""
    for table in tables(language):
        for kind, phrases in table.get(purpose, {}).items():
            forms = (
                form
                for phrase in phrases
                for form in itertools.islice(forms_of(phrase), PER_PHRASE)
                if _is_found(Lexicon([], [(kind, phrase)]), form)
            )
            yield kind, list(itertools.islice(dict.fromkeys(forms), PER_KIND))


def _is_found(lexicon: Lexicon, form: str) -> bool:
    """Tell whether a form is found, alone or before what has to follow it."""
    texts = (form + behind for behind in ("", ":", ", ", " x", "。"))
    return any(lexicon.at(text, 0, len(text)) for text in texts)


def _shown(forms: Iterable[str]) -> str:
    return ", ".join(f"`{form.replace('|', '¦')}`" for form in forms)


def forms_of(phrase: str) -> Iterator[str]:
    """Yield what a phrase matches, without its optional parts; "…" for free words."""
    pattern = phrase.rpartition("=>")[2]
    for slot, words in SLOTS.items():
        pattern = pattern.replace(slot, words)
    yield from dict.fromkeys(_expanded(parser.parse(pattern)))


def _expanded(parsed: Iterable[Any]) -> Iterator[str]:
    parts = [list(itertools.islice(_part(op, value), 60)) for op, value in parsed]
    for words in itertools.product(*parts):
        yield "".join(words)


def _part(op: Any, value: Any) -> Iterator[str]:  # noqa: ANN401 - as the parser has them
    if op is sre.LITERAL:
        yield chr(value)
    elif op is sre.BRANCH:
        for option in value[1]:
            yield from _expanded(option)
    elif op is sre.SUBPATTERN:
        yield from _expanded(value[3])
    elif op in {sre.MAX_REPEAT, sre.MIN_REPEAT}:
        low, _, inner = value
        yield "" if low == 0 else next(_expanded(inner)) * low
    elif op is sre.IN and all(each is sre.LITERAL for each, _ in value):
        yield from (chr(char) for _, char in value)
    elif op is sre.IN:
        yield _member(value)
    elif op in {sre.ASSERT, sre.ASSERT_NOT, sre.AT}:
        yield ""
    else:
        yield "…"


def _member(options: Sequence[tuple[Any, Any]]) -> str:
    """Return one character of a class: its first letter, a digit, or a free word."""
    op, value = options[0]
    if op is sre.NEGATE:
        return "…"
    if op is sre.CATEGORY:
        return "3"
    return chr(value if op is sre.LITERAL else value[0])
