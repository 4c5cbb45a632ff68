"""Flags that say what a task shall be -> checked values."""

from __future__ import annotations

import argparse
import datetime as dt
import re
from collections.abc import Sequence

from model_queue import codec
from model_queue.commands import targets
from model_queue.commands.call import Call, read_text
from model_queue.core import Core
from model_queue.errors import InputError, UnknownModel
from model_queue.fields import LAST_YEAR, MOST_SECONDS
from model_queue.intake.answers import time_of
from model_queue.model import DependencyPolicy, TaskRef
from model_queue.settings import Settings

LONGEST_TEXT = 200_000
"""Characters of a text; more belongs in a file that the task names."""
MOST_USD = 1_000_000
LARGEST_PRIORITY = 1_000_000
_LEVEL = re.compile(r"[-+]?[0-9]{1,7}")
_PRIORITIES = {
    **dict.fromkeys(("critical", "urgent", "p0", "紧急", "最高"), 10),
    **dict.fromkeys(("high", "p1", "高"), 5),
    **dict.fromkeys(("medium", "normal", "p2", "中", "普通"), 0),
    **dict.fromkeys(("low", "p3", "低"), -5),
}
"""Source: SPEC 2.5."""
MOST_RETRIES = 100
_NUMBER = re.compile(r"\$?\s*([0-9]{1,9}(?:\.[0-9]{1,9})?)\s*\$?")
_WHOLE = re.compile(r"[0-9]{1,10}")
_TIMES = "a time such as 2026-12-01T09:00:00Z, 'tomorrow 9am' or 2h"


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags that a new task and an edit share."""
    flag = parser.add_argument
    flag("--source", metavar="SOURCE", help="the queue it belongs to")
    flag(
        "--model", metavar="MODEL", help="a model, or an unmistakable part of its name"
    )
    flag(
        "--depends-on",
        metavar="TASK",
        nargs="+",
        action="extend",
        help="tasks that must be done first",
    )
    flag(
        "--on-fail",
        choices=[policy.value for policy in DependencyPolicy],
        metavar="POLICY",
        help="if one of these fails: block, skip or continue",
    )
    flag("--priority", metavar="LEVEL", help="high, low, P0 or a number")
    flag("--at", metavar="TIME", help="not before then: 2h, 'tomorrow 9am', RFC 3339")
    flag("--goal", metavar="TEXT", help="what it is for")
    flag("--budget", metavar="USD", help="the most that it may cost")
    flag("--timeout", metavar="SECONDS", help="limit of one attempt")
    flag("--retries", metavar="N", help="attempts after the first one")


def is_none(words: Sequence[str] | str) -> bool:
    """Report whether a flag takes a value away: ``none``, or nothing at all."""
    whole = words if isinstance(words, str) else " ".join(words)
    return whole.strip().lower() in {"", "none", "无"}


def text_of(words: str, *, name: str = "the text") -> str:
    """Return the text of a task, from stdin for ``-``.

    Raises:
        InputError: it is empty, or far too long.
    """
    text = (read_text("-", is_message=True) if words == "-" else words).strip()
    if not text:
        sentence = f"{name} of the task is empty"
        raise InputError(sentence)
    if len(text) > LONGEST_TEXT:
        sentence = (
            f"{name} has {len(text):,} characters, but may have {LONGEST_TEXT:,}; "
            "put it into a file, and name the file"
        )
        raise InputError(sentence)
    return text


def routed(
    core: Core, model: str | None, source: str | None, *, likely: str | None = None
) -> tuple[str, str | None]:
    """Return the source that flags ask for, and the model where they name one.

    Of several sources that have the model it is the ``likely`` one.

    Raises:
        InputError: the model is of another source, or fits several ways; or nothing
            says which source is meant.
        UnknownSource: no source is called so.
        UnknownModel: no source has such a model.
    """
    named = targets.source_named(core, source) if source else None
    likely = likely or core.settings.default_source
    if model is not None:
        return _of_model(core.settings, model, named, likely)
    chosen = named or likely
    if chosen is None:
        known = ", ".join(core.settings.sources)
        sentence = f"say which source the task is for: --source with one of {known}"
        raise InputError(sentence)
    return chosen, None


def _of_model(
    settings: Settings, model: str, source: str | None, likely: str | None
) -> tuple[str, str]:
    everywhere = [
        (name, each) for name, one in settings.sources.items() for each in one.models
    ]
    found = _fitting(everywhere, model)
    if not found:
        known = list(dict.fromkeys(each for _, each in everywhere))
        refusal = UnknownModel(name=model, known=known)
        tails = {each.rpartition("/")[2].lower(): each for each in known}
        refusal.hint = targets.did_you_mean(model, list(tails))
        raise refusal
    here = [fit for fit in found if source in {None, fit[0]}]
    if not here:
        owner, full = found[0]
        sentence = f"{full} is a model of {owner}, not of {source}"
        raise InputError(sentence, hint=f"{source} has: {_models(settings, source)}")
    if len({each for _, each in here}) > 1:
        names = ", ".join(dict.fromkeys(each for _, each in here))
        sentence = f"--model {model!r} fits several models: {names}"
        raise InputError(sentence)
    if len(here) > 1:
        here = [fit for fit in here if fit[0] == likely] or here
    if len(here) > 1:
        owners = ", ".join(name for name, _ in here)
        sentence = f"{here[0][1]} is a model of several sources; say --source: {owners}"
        raise InputError(sentence)
    return here[0]


def _models(settings: Settings, source: str | None) -> str:
    return ", ".join(settings.sources[source].models) if source else ""


def _fitting(
    everywhere: Sequence[tuple[str, str]], model: str
) -> Sequence[tuple[str, str]]:
    """Return the models that a name fits: whole, by its last part, or by any part."""
    wanted = model.strip().lower()
    if not wanted:
        return []
    whole = [fit for fit in everywhere if fit[1].lower() == wanted]
    last = [fit for fit in everywhere if fit[1].lower().rpartition("/")[2] == wanted]
    return whole or last or [fit for fit in everywhere if wanted in fit[1].lower()]


def when(words: str, call: Call) -> dt.datetime | None:
    """Return the moment that words name, in this machine's time zone; None for now.

    Raises:
        InputError: they name none, or one that is past.
    """
    said = words.strip()
    if said.lower() in {"now", "现在"}:
        return None
    moment = _exact(said, call.zone)
    for form in (said, f"in {said}"):
        moment = moment or time_of(form, now=call.now, zone=call.zone)
    if moment is None or moment.year >= LAST_YEAR:
        sentence = f"--at is {words!r}, but must be {_TIMES}"
        raise InputError(sentence)
    if moment <= call.now:
        sentence = f"--at is {words!r}, which is past; to start it now, leave --at out"
        raise InputError(sentence)
    return moment


def _exact(words: str, zone: dt.tzinfo) -> dt.datetime | None:
    if ":" not in words:
        # A day alone begins when work does, not at midnight.
        return None
    try:
        moment = dt.datetime.fromisoformat(words)
        return (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(
            dt.UTC
        )
    except (ValueError, OverflowError):
        return None


def priority_of(word: str) -> int:
    """Return the number that a priority stands for.

    >>> priority_of("P0"), priority_of("high"), priority_of("-3")
    (10, 5, -3)

    Raises:
        InputError: it is neither a whole number nor one of the names.
    """
    named = _PRIORITIES.get(word.strip().lower())
    if named is not None:
        return named
    number = _LEVEL.fullmatch(word.strip())
    if number is None or abs(int(number[0])) > LARGEST_PRIORITY:
        sentence = (
            f"the priority is {word!r}, but must be critical, high, medium, low, P0 to "
            "P3, or a whole number up to 1,000,000; larger runs earlier"
        )
        raise InputError(sentence)
    return int(number[0])


def usd(words: str) -> float:
    """Return an amount of US dollars.

    Raises:
        InputError: it is none, or not above 0.
    """
    found = _NUMBER.fullmatch(words.strip())
    amount = float(found[1]) if found else 0.0
    if not 0 < amount <= MOST_USD:
        sentence = (
            f"--budget is {words!r}, but must be US dollars above 0, such as 2.50"
        )
        raise InputError(sentence)
    return amount


def seconds(words: str) -> int:
    """Return the limit of one attempt, in seconds.

    Raises:
        InputError: it is no whole number above 0.
    """
    return _whole("--timeout", words, least=1, most=MOST_SECONDS)


def retries(words: str) -> int:
    """Return a number of retries.

    Raises:
        InputError: it is no whole number from 0 to 100.
    """
    return _whole("--retries", words, least=0, most=MOST_RETRIES)


def _whole(flag: str, words: str, *, least: int, most: int) -> int:
    found = _WHOLE.fullmatch(words.strip())
    if found is None or not least <= int(found[0]) <= most:
        sentence = (
            f"{flag} is {words!r}, but must be a whole number from {least} to {most:,}"
        )
        raise InputError(sentence)
    return int(found[0])


def dependencies(core: Core, words: Sequence[str]) -> tuple[str, ...]:
    """Return the tasks that a task shall wait for, as they are stored.

    Raises:
        TaskRefError: a word is no id, or several tasks have it.
        TaskNotFound: no task has it.
    """
    refs: dict[str, None] = {}
    for word in targets.split(words):
        for ref in targets.refs_of(word):
            found = core.store.get(TaskRef.parse(ref))
            refs[str(found.ref) if "/" in ref else found.id] = None
    return tuple(refs)


def due(moment: dt.datetime | None) -> str | None:
    """Return a moment in the task's wire form."""
    return codec.format_time(moment) if moment else None
