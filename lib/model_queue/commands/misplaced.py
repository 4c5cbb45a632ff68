"""What lies in the queue directory in the place of something of ours, for ``doctor``."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator

from model_queue.messages import checkup_texts as texts
from model_queue.messages.checkups import problem
from model_queue.messages.wording import say
from model_queue.settings import Problem

_FILES = (
    "events.jsonl",
    ".state/counter",
    ".state/due",
    ".state/due.lock",
    ".state/first-run",
    ".state/first-run.lock",
    ".state/journal",
    ".state/lock",
    ".state/log",
    ".state/outbox",
    ".state/pass",
    ".state/reports.lock",
    ".state/seen",
    ".state/waker",
    ".state/waker.log",
)
_DIRECTORIES = (".state", "archive", "checkpoints", "results", "sessions")
_ENDINGS = (".json", ".md")
"""Of what we keep in those directories for single tasks and months."""


def found_in(queues_dir: str, *, lang: str = "en") -> Iterator[Problem]:
    """Yield what is no file, or no directory that can be written, where we need one.

    Nothing is opened: a pipe would wait for its writer.
    """
    for name in _FILES:
        path = os.path.join(queues_dir, name)
        if os.path.exists(path) and not os.path.isfile(path):
            yield _problem(path, "no_file", lang, fatal=True)
    for name in _DIRECTORIES:
        path = os.path.join(queues_dir, name)
        if os.path.lexists(path) and not os.path.isdir(path):
            yield _problem(path, "no_directory", lang, fatal=True)
        elif os.path.isdir(path) and not os.access(path, os.R_OK | os.W_OK | os.X_OK):
            yield _problem(path, "closed", lang, fatal=True)
    for directory in ("results", "checkpoints", *_months(queues_dir)):
        for path in _entries(os.path.join(queues_dir, directory)):
            if path.endswith(_ENDINGS) and not os.path.isfile(path):
                yield _problem(path, "no_file", lang, fatal=False)


def _problem(path: str, why: str, lang: str, *, fatal: bool) -> Problem:
    words = {"no_file": texts.NO_FILE, "no_directory": texts.NO_DIRECTORY}
    text = say(words.get(why, texts.NOT_WRITABLE), lang, path=path)
    command = f"chmod u+rwx {shlex.quote(path)}"
    hint = "misplaced_closed" if why == "closed" else "misplaced"
    facts = {"why": text, "command": command}
    return problem("misplaced", lang, facts, hint=hint, fatal=fatal)


def _months(queues_dir: str) -> Iterator[str]:
    for path in _entries(os.path.join(queues_dir, "archive")):
        yield os.path.relpath(path, queues_dir)


def _entries(path: str) -> list[str]:
    try:
        return [os.path.join(path, name) for name in sorted(os.listdir(path))]
    except OSError:
        return []
