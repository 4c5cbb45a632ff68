"""What the intake hands on: a parsed message, its tasks and commands, and the catalog."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Literal, NamedTuple

from model_queue.intake.wall_clock import Shift

Mode = Literal["intake", "control", "status", "ask", "none"]
Ask = Literal["model", "dependency", "source", "date"]
Scope = Literal["addressed", "ambient"]
Topic = Literal["", "help", "models", "archive", "later", "edit"]
"""What a message is about that is neither work nor a command, and deserves an answer."""


class Catalog(NamedTuple):
    """The names that a message may select."""

    sources: Mapping[str, tuple[str, ...]]
    """Source name to its models (``provider/name``), the first is the default."""
    aliases: Mapping[str, tuple[str, ...]]
    """Source name to words that select it in chat, lower case."""
    default: str | None = None
    """Source of a task that names none; None: the only one, else intake asks."""
    triggers: tuple[str, ...] = ()
    """Words of the user's that put work on the queue; blanks between words."""


class Why(NamedTuple):
    """Why one thing about a task is as it is."""

    what: str
    """``split``, ``model``, ``depends_on``, ``priority``, ``not_before``,
    ``on_depends_fail`` or ``trigger``."""
    how: str
    """What was read: ``item``, ``line``, ``clause``, ``link``, ``arrow``, ``behind``, ``turn``, ``message`` for a
    split; ``phrase``, ``heading``, ``position``, ``order``, ``default`` for the rest."""
    phrase: str = ""
    """The words that say so, verbatim; "" where none do."""


class ParsedTask(NamedTuple):
    """One piece of work, before it has an id."""

    text: str
    """The job: a verbatim part of the message, never empty."""
    goal: str | None = None
    """What it is for ("so that …"), a verbatim part; it stays in ``text`` too."""
    queue: str | None = None
    """Source; None when ``ask`` is ``model`` or ``source``."""
    model: str | None = None
    """Full name when one was selected; None means the source's first."""
    depends_on: tuple[int | str, ...] = ()
    """0-based indices of earlier tasks of the message, and ids of stored ones."""
    on_depends_fail: str = "block"
    """``block``, ``skip`` or ``continue``."""
    priority: int = 0
    """Larger runs earlier."""
    not_before: dt.datetime | None = None
    """Wished start, aware UTC; None means now."""
    shift: Shift = ""
    """Whether the clocks of the zone skip that local time, or show it twice."""
    not_before_text: str | None = None
    """The corpus form of the wish: ``PT2H``, ``2026-12-01T09:00:00Z`` or the words."""
    ask: Ask | None = None
    """What must be asked before the task can be queued."""
    also_ask: tuple[Ask, ...] = ()
    """What must be asked after that."""
    candidates: tuple[str, ...] = ()
    """Full model names that fit, when ``ask`` is ``model``; empty when none does."""
    asked_name: str = ""
    """The model's name as typed, when ``ask`` is ``model``."""
    budget_usd: float | None = None
    """Most that it may cost, in US dollars."""
    why: tuple[Why, ...] = ()
    """Why it was split there, and what chose each thing that is not its default."""


class Command(NamedTuple):
    """One command on the queue."""

    command: str
    """cancel, retry, skip, pause, resume, unblock, priority, clear, undo, status, show."""
    ids: tuple[str, ...] = ()
    """``T-003`` or ``source/T-003``, in the order said; a range is spelled out."""
    all: bool = False
    """Everything is meant."""
    queue: str | None = None
    """One source is meant."""
    value: int | None = None
    """The number of a ``priority`` command."""
    verb: str = ""
    """The finer word: show, list, status, rerun, retry, explain, undo, else ``command``."""
    word: str = ""
    """A status word that narrows "all" or a list (``failed``, ``pending``, …); ``report``
    or ``log`` where that of a task is asked for; or ""."""


class Parsed(NamedTuple):
    """A message as intake understood it."""

    mode: Mode
    tasks: tuple[ParsedTask, ...] = ()
    commands: tuple[Command, ...] = ()
    chosen: str = ""
    """The model or source that is selected for no work at all (用远程模型处理), with mode
    ``none``; "" otherwise."""
    topic: Topic = ""
    """``help``: what can be said here; ``models``: which there are; ``archive``: how what
    is finished goes away; ``later``: a command that would have to wait for what happens
    to a task; ``edit``: a change that a chat cannot make."""
    language: str = "en"
    """Language to answer in: ``zh`` when the message is mainly Chinese, else ``en``."""
