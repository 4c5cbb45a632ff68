"""A problem that ``doctor`` has found, and the page it prints, in the reader's words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from model_queue.messages import checkup_texts as texts
from model_queue.messages.folding import fold, width_of
from model_queue.messages.wording import say
from model_queue.settings import Problem, Setting

_COLUMNS = 80
_INDENT = "  "
_NO_FACTS: Mapping[str, object] = MappingProxyType({})
_SHOWN = 5
"""Names in a list before the rest is counted."""


class Page(NamedTuple):
    """What stands in the groups before the problems, line by line."""

    settings: Sequence[Setting]
    sources: Sequence[tuple[str, Sequence[str]]]
    """Name and lines of each source."""
    queues: Sequence[str]


def problem(
    code: str,
    lang: str,
    facts: Mapping[str, object] = _NO_FACTS,
    *,
    hint: str | None = None,
    fatal: bool = False,
) -> Problem:
    """Return a problem by its code, with its remedy.

    ``facts`` fill in both; ``hint`` names the remedy where the code has several.
    """
    return Problem(
        code=code,
        text=say(texts.PROBLEMS[code], lang, **facts),
        hint=say(texts.HINTS[code if hint is None else hint], lang, **facts),
        fatal=fatal,
    )


def some_of(names: Sequence[str], *, lang: str) -> str:
    """Return a list whose end is counted where it is long."""
    more = len(names) - _SHOWN
    tail = say(texts.AND_MORE, lang, n=more) if more > 0 else ""
    return ", ".join(names[:_SHOWN]) + tail


def page(shown: Page, problems: Sequence[Problem], *, lang: str) -> str:
    """Return what ``doctor`` prints: settings, sources, queues, problems; 80 columns.

    Only what has no blank to break at, such as a path, may be longer.
    """
    lines = [say(texts.HEAD_SETTINGS, lang), *_settings(shown.settings)]
    lines += ["", say(texts.HEAD_SOURCES, lang), *_sources(shown.sources, lang)]
    lines += ["", say(texts.HEAD_QUEUES, lang)]
    for line in shown.queues:
        lines += fold(line, _COLUMNS, first=_INDENT, later=_INDENT * 2)
    lines.append("")
    if not problems:
        return "\n".join([*lines, say(texts.NO_PROBLEM, lang)])
    lines.append(say(texts.HEAD_PROBLEMS, lang))
    for each in problems:
        head = say(texts.ERROR if each.fatal else texts.NOTE, lang, text=each.text)
        lines += fold(head, _COLUMNS, first=_INDENT, later=_INDENT * 2)
        for part in each.hint.strip().splitlines():
            lines += fold(part, _COLUMNS, first=_INDENT * 2, later=_INDENT * 2)
    return "\n".join(lines)


def _settings(settings: Sequence[Setting]) -> list[str]:
    """Return the values by the place they are from, the defaults last."""
    lines: list[str] = []
    for origin, values in _by_origin(settings).items():
        lines += fold(f"{origin}:", _COLUMNS, first=_INDENT, later=_INDENT * 2)
        wide = max(map(width_of, values))
        for name, value in values.items():
            first = f"{_INDENT * 2}{name.ljust(wide)}  "
            later = " " * min(width_of(first), _COLUMNS // 2)
            lines += fold(value or "-", _COLUMNS, first=first, later=later)
    return lines


def _by_origin(settings: Sequence[Setting]) -> dict[str, dict[str, str]]:
    """Return name and value of each setting by its origin, the defaults last.

    What several sources have by default stands there once, as ``sources.*.slots``.
    """
    places: dict[str, dict[str, str]] = {}
    defaults: dict[str, str] = {}
    by_key: dict[str, list[str]] = {}
    for name, value, origin in settings:
        if origin == "default":
            defaults[name] = value
            by_key.setdefault(_key_of(name), []).append(value)
        else:
            places.setdefault(origin, {})[name] = value
    shown: dict[str, str] = {}
    for name, value in defaults.items():
        key, values = _key_of(name), by_key[_key_of(name)]
        is_shared = key != name and len(values) > 1 and len(set(values)) == 1
        shown[f"sources.*.{key}" if is_shared else name] = value
    return places | ({"default": shown} if shown else {})


def _key_of(name: str) -> str:
    """Return the key of a source's setting, the name itself of any other."""
    head, _, rest = name.partition(".")
    return rest.partition(".")[2] if head == "sources" else name


def _sources(sources: Sequence[tuple[str, Sequence[str]]], lang: str) -> list[str]:
    if not sources:
        return [_INDENT + say(texts.NONE, lang)]
    wide = max(width_of(name) for name, _ in sources)
    lines: list[str] = []
    for name, parts in sources:
        first = f"{_INDENT}{name.ljust(wide)}  "
        for part in parts:
            later = " " * width_of(first)
            lines += fold(part, _COLUMNS, first=first, later=later)
            first = later
    return lines
