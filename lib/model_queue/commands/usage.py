"""Refusals of the argument parser -> one plain sentence, and the overview of commands."""

from __future__ import annotations

import argparse
import difflib
import re
from collections.abc import Sequence
from typing import NoReturn

from model_queue.commands.call import Command
from model_queue.errors import InputError

_GROUPS: Sequence[tuple[str, str]] = (
    ("add", "intake add parse"),
    ("look", "status list show result logs explain events wait"),
    (
        "steer",
        "cancel retry rerun skip pause resume unblock priority edit clear undo archive",
    ),
    ("sessions", "tick attach complete fail checkpoint"),
    ("machine", "init doctor demo migrate install uninstall"),
)
_KINDS = {"int": "a whole number", "float": "a number"}
_FLAG = r"argument (?P<names>\S+)"
_REQUIRED = re.compile(r"the following arguments are required: (?P<names>.+)")
_NO_VALUE = re.compile(rf"{_FLAG}: expected .*argument")
_NO_CHOICE = re.compile(
    rf"{_FLAG}: invalid choice: (?P<seen>.+) \(choose from (?P<known>.+)\)"
)
_NO_KIND = re.compile(rf"{_FLAG}: invalid (?P<kind>\w+) value: (?P<seen>.+)")
_UNKNOWN = re.compile(r"unrecognized arguments: (?P<words>.+)", re.DOTALL)


class Parser(argparse.ArgumentParser):
    """A parser whose refusals are errors of ours: argparse exits 2, hosts block on 2."""

    def error(self, message: str) -> NoReturn:
        """Refuse the call.

        Raises:
            InputError: always.
        """
        sentence = _plain(self, message)
        raise InputError(sentence, hint=_hint(self))

    @property
    def command(self) -> str:
        """Name of the command whose words it reads; "" for the program itself."""
        return self.prog.partition(" ")[2]


def _hint(parser: Parser) -> str:
    """Return what right use looks like, and where the rest of it is."""
    _, _, example = (parser.epilog or "").partition("\n")
    like = f"Like: {example.strip()}   " if example else ""
    return f"{like}See: {parser.prog} --help"


def _plain(parser: Parser, message: str) -> str:
    """Return argparse's sentence in words for a person; one it does not know stays."""
    command = parser.command or parser.prog
    required = _REQUIRED.fullmatch(message)
    if required:
        return f"{command} needs {required['names'].replace(', ', ' and ')}"
    no_value = _NO_VALUE.fullmatch(message)
    if no_value:
        return f"{_flag(no_value)} needs a value"
    choice = _NO_CHOICE.fullmatch(message)
    if choice:
        known = choice["known"].replace("'", "")
        return f"{_flag(choice)} is {choice['seen']}, but must be one of {known}"
    kind = _NO_KIND.fullmatch(message)
    if kind:
        wanted = _KINDS.get(kind["kind"], kind["kind"])
        return f"{_flag(kind)} is {kind['seen']}, but must be {wanted}"
    return message


def _flag(found: re.Match[str]) -> str:
    """Return the long name of the flag in question."""
    return found["names"].rpartition("/")[2]


def refuse_unknown(parser: Parser, words: Sequence[str]) -> NoReturn:
    """Refuse words that a command does not know.

    Raises:
        InputError: always.
    """
    word = next((each for each in words if each.startswith("-")), words[0])
    hint = _hint(parser)
    if not word.startswith("-") or word == "-":
        sentence = f"{parser.command} has no use for {word!r}; put a text in quotes"
        raise InputError(sentence, hint=hint)
    flag = word.partition("=")[0]
    near = difflib.get_close_matches(flag, _flags_of(parser), n=1, cutoff=0.7)
    like = f"; did you mean {near[0]}?" if near else ""
    sentence = f"{parser.command or parser.prog} has no flag {flag}{like}"
    raise InputError(sentence, hint=hint)


def _flags_of(parser: argparse.ArgumentParser) -> list[str]:
    return [
        flag
        for action in parser._actions  # noqa: SLF001 - argparse has no other way
        for flag in action.option_strings
    ]


def unknown_command(word: str, names: Sequence[str]) -> InputError:
    """Return the refusal of a command that there is not, with those that are like it."""
    if word.startswith("-"):
        sentence = f"the command comes before {word}, like: model-queue status {word}"
        return InputError(sentence, hint="See them all: model-queue help")
    near = difflib.get_close_matches(word.lower(), names, n=3, cutoff=0.5)
    hint = f"Did you mean {' or '.join(near)}? " if near else ""
    sentence = f"there is no command {word!r}"
    return InputError(sentence, hint=f"{hint}See them all: model-queue help".strip())


def overview(commands: Sequence[Command]) -> str:
    """Return all commands with one line each, by what they are for."""
    left = {command.name: command for command in commands}
    width = max(map(len, left)) + 2
    lines = ["model-queue COMMAND [WORDS]", ""]
    for group, names in _GROUPS:
        found = [left.pop(name) for name in names.split() if name in left]
        lines += _rows(group, found, width)
    lines += _rows("more", list(left.values()), width)
    lines += ["", "model-queue help COMMAND shows the flags of one, with an example."]
    return "\n".join(lines)


def _rows(group: str, commands: Sequence[Command], width: int) -> list[str]:
    rows = [f"  {command.name:<{width}}{command.help}" for command in commands]
    return [f"{group}:", *rows] if rows else []
