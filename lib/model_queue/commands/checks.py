"""Flags for what must hold before a task is done -> checks that can hold.

Source: SPEC 2.1, ``accept``.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex

from model_queue.commands.call import read_text
from model_queue.errors import InputError
from model_queue.model import JsonObject, JsonValue


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags for what must hold before a task is done."""
    for kind, metavar, text in (
        ("file", "FILE", "it is done when this file is there, not empty"),
        ("regex", "PATTERN", "… and the report has a match of this"),
        ("schema", "FILE", "… and the report is JSON valid by this schema"),
        ("command", "COMMAND", "… and this command exits with 0 (no shell)"),
    ):
        parser.add_argument(
            f"--accept-{kind}", metavar=metavar, action="append", help=text
        )


def read(args: argparse.Namespace, cwd: str) -> tuple[JsonObject, ...]:
    """Return what must hold before a task is done.

    ``cwd`` is where its sessions work.

    Raises:
        InputError: a check could never hold.
    """
    found: list[tuple[str, JsonValue]] = []
    found += [("file", _path("--accept-file", w)) for w in args.accept_file or ()]
    found += [("regex", _pattern(word)) for word in args.accept_regex or ()]
    found += [("schema", _schema(word, cwd)) for word in args.accept_schema or ()]
    found += [("command", _argv(word)) for word in args.accept_command or ()]
    return tuple({kind: wanted} for kind, wanted in found)


def _path(flag: str, word: str) -> str:
    if not word.strip() or "\0" in word:
        sentence = f"{flag} is {word!r}, but must be the path of a file"
        raise InputError(sentence)
    return word


def _pattern(word: str) -> str:
    try:
        re.compile(word)
    except (re.error, OverflowError, RecursionError) as error:
        sentence = (
            f"--accept-regex is {word!r}, which is no regular expression: {error}"
        )
        raise InputError(sentence) from error
    if not word:
        sentence = "--accept-regex is empty, and would match every report"
        raise InputError(sentence)
    return word


def _schema(word: str, cwd: str) -> str:
    path = os.path.join(cwd, _path("--accept-schema", word))
    if not os.path.isfile(path):
        sentence = f"--accept-schema is {word!r}, but there is no file {path}"
        raise InputError(sentence)
    try:
        json.loads(read_text(path))
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        sentence = f"--accept-schema is {word!r}, which is no JSON at {place}"
        raise InputError(sentence) from error
    except (ValueError, RecursionError) as error:
        sentence = f"--accept-schema is {word!r}, which is no JSON that can be read"
        raise InputError(sentence) from error
    return word


def _argv(word: str) -> list[JsonValue]:
    try:
        argv = shlex.split(word)
    except ValueError as error:
        sentence = f"--accept-command is {word!r}, which cannot be split: {error}"
        raise InputError(sentence) from error
    if not argv:
        sentence = "--accept-command is empty; name a program, with its words"
        raise InputError(sentence)
    return [*argv]
