"""Words of a command line -> the commands of chat on tasks and queues."""

from __future__ import annotations

import argparse
import difflib
import re
from collections.abc import Iterable, Sequence

from model_queue.core import Core
from model_queue.errors import InputError, TaskRefError, UnknownSource
from model_queue.intake import Command as ChatCommand
from model_queue.model import MAX_ID_DIGITS, Status, TaskRef
from model_queue.store import Query

LONGEST_RANGE = 500
"""Tasks that one range may name, as in chat."""
_NUMBER = rf"#?(?:[Tt]-?)?([0-9]{{1,{MAX_ID_DIGITS}}})"
_ONE = re.compile(rf"(?:(?P<source>.+)/)?{_NUMBER}\Z")
_RANGE = re.compile(
    rf"(?:(?P<source>.+)/)?{_NUMBER}\s*(?:\.{{2,3}}|[-–—~…])\s*{_NUMBER}\Z"
)
_COMMA = re.compile(r"[\s,，、;；]+")
HOLDS = frozenset(("pause", "resume"))
"""Commands that act on whole queues as well."""
_SAID_TOGETHER = frozenset((Status.PENDING, Status.WAITING))
"""Chat has one word for both; a flag means what it says."""


def add_flags(parser: argparse.ArgumentParser, verb: str) -> None:
    """Add the words and flags that name tasks."""
    forms = "T-003, t3, 3, here/T-003, a list T-3,T-5 or a range T-003..T-007"
    if verb in HOLDS:
        forms = f"a source, or a task: {forms}"
    parser.add_argument("tasks", nargs="*", metavar="TASK", help=forms)
    parser.add_argument(
        "--all", action="store_true", help="all tasks that the command can act on"
    )
    parser.add_argument("--source", metavar="SOURCE", help="those of this source")
    parser.add_argument(
        "--status",
        action="append",
        choices=[status.value for status in Status],
        metavar="STATUS",
        help="those in this status; may be given again",
    )
    yes_flag(parser)


def yes_flag(parser: argparse.ArgumentParser) -> None:
    """Add the flag that answers the question a chat would be asked."""
    parser.add_argument(
        "--yes",
        action="store_true",
        help="go ahead where a chat would be asked first",
    )


def split(words: Iterable[str]) -> list[str]:
    """Return words with their comma lists taken apart, in order.

    >>> split(["T-1,T-2", "t3,"])
    ['T-1', 'T-2', 't3']
    """
    return [part for word in words for part in _COMMA.split(word) if part]


def refs_of(word: str) -> list[str]:
    """Return the tasks that one word names, as canonical references.

    >>> refs_of("t3"), refs_of("7"), refs_of("here/T-9..11")
    (['T-003'], ['T-007'], ['here/T-009', 'here/T-010', 'here/T-011'])

    Raises:
        TaskRefError: it names none.
        InputError: a range that runs backwards, or is too long.
    """
    one = _ONE.match(word)
    if one:
        return [_ref(word, one["source"], int(one[2]))]
    span = _RANGE.match(word)
    if span is None:
        raise TaskRefError(seen=word)
    first, last = int(span[2]), int(span[3])
    if first > last:
        forwards = f"T-{last:03d}..T-{first:03d}"
        sentence = f"the range {word!r} runs backwards; write {forwards}"
        raise InputError(sentence)
    if last - first >= LONGEST_RANGE:
        sentence = (
            f"the range {word!r} names {last - first + 1:,} tasks, but may name at most "
            f"{LONGEST_RANGE}; use --source or --status"
        )
        raise InputError(sentence)
    return [_ref(word, span["source"], number) for number in range(first, last + 1)]


def _ref(word: str, source: str | None, number: int) -> str:
    if number == 0:
        raise TaskRefError(seen=word)
    return str(TaskRef(number=number, source=source.lower() if source else None))


def source_named(core: Core, name: str) -> str:
    """Return the source that a person calls by its name or by one of its aliases.

    Raises:
        UnknownSource: none is called so, or several are.
    """
    found = find_source(core, name)
    if found is None:
        known = list(core.settings.sources)
        refusal = UnknownSource(name=name, known=known)
        refusal.hint = did_you_mean(name, known)
        raise refusal
    return found


def find_source(core: Core, name: str) -> str | None:
    """Return the same, or None."""
    wanted = name.strip().lower().replace("_", "-")
    sources = core.settings.sources
    if wanted in sources:
        return wanted
    called = [
        source
        for source, one in sources.items()
        if wanted in {alias.lower().replace("_", "-") for alias in one.aliases}
    ]
    return called[0] if len(called) == 1 else None


def did_you_mean(seen: str, known: Sequence[str]) -> str:
    """Return a hint with the known words that are like the one seen, "" for none."""
    near = difflib.get_close_matches(seen.lower(), known, n=3)
    return f"Did you mean {' or '.join(near)}?" if near else ""


def commands_of(
    core: Core, args: argparse.Namespace, verb: str, given: Sequence[str]
) -> Sequence[ChatCommand]:
    """Return what the words and flags ask for, in chat's form; [] for no task at all.

    Raises:
        InputError: no task is named, or some are in two ways.
        UnknownSource: no source is called so.
    """
    words = split(given)
    is_many = is_wide(args)
    if words and is_many:
        sentence = (
            f"{verb} got tasks by name, and --all, --source or --status as well; "
            "say one of them"
        )
        raise InputError(sentence)
    if not words and not is_many:
        also = ", a source" if verb in HOLDS else ""
        sentence = f"{verb} needs a task, like T-003{also}, or --all"
        raise InputError(sentence)
    like = _like(verb, is_sure=args.yes)
    if words:
        return _named(core, like, words)
    source = source_named(core, args.source) if args.source else None
    if args.status:
        return _of_statuses(core, like._replace(verb=verb), args.status, source)
    return [like._replace(verb=verb, all=source is None, queue=source)]


def is_wide(args: argparse.Namespace) -> bool:
    """Report whether flags name the tasks."""
    return bool(args.all or args.source or args.status)


def _like(verb: str, *, is_sure: bool) -> ChatCommand:
    """Return the command of a word; one who is sure lets done tasks run again."""
    if verb == "retry" and is_sure:
        return ChatCommand(command="retry", verb="rerun")
    return ChatCommand(command="retry" if verb == "rerun" else verb, verb=verb)


def _named(
    core: Core, like: ChatCommand, words: Sequence[str]
) -> Sequence[ChatCommand]:
    ids: dict[str, None] = {}
    queues: dict[str, None] = {}
    for word in words:
        try:
            ids.update(dict.fromkeys(refs_of(word)))
        except TaskRefError:
            if like.command not in HOLDS:
                raise
            source = find_source(core, word)
            if source is None:
                raise _neither(core, word) from None
            queues[source] = None
    commands = [like._replace(queue=source) for source in queues]
    return [like._replace(ids=tuple(ids)), *commands] if ids else commands


def _neither(core: Core, word: str) -> InputError:
    known = list(core.settings.sources)
    sentence = (
        f"{word!r} is neither a task, like T-003, nor a source: {', '.join(known)}"
    )
    return InputError(sentence, hint=did_you_mean(word, known))


def _of_statuses(
    core: Core, like: ChatCommand, statuses: Iterable[str], source: str | None
) -> Sequence[ChatCommand]:
    commands: list[ChatCommand] = []
    for status in dict.fromkeys(map(Status, statuses)):
        if status not in _SAID_TOGETHER:
            wide = like._replace(all=True, queue=source, word=status.value)
            commands.append(wide)
            continue
        query = Query(statuses=(status,), sources=(source,) if source else ())
        ids = tuple(str(task.ref) for task in core.store.select(query))
        if ids:
            commands.append(like._replace(ids=ids))
    return commands
