"""What every command gets, and what it gives back."""

from __future__ import annotations

import argparse
import datetime as dt
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from model_queue import passes, wiring
from model_queue.core import Core
from model_queue.dispatch import Tick
from model_queue.errors import ConfigError, InputError, ModelQueueError, StateError
from model_queue.messages import looking_texts, questions
from model_queue.messages.wording import say
from model_queue.model import JsonObject, JsonValue, Task, TaskRef
from model_queue.ports import Clock
from model_queue.settings import Settings
from model_queue.store import Batch, Notice
from model_queue.terminal import Terminal
from model_queue.wiring import Surroundings
from model_queue.zones import LocalZone

HOST = "cli"
"""The host in the origin of a task that was added here, unless a flag names one."""
INPUT_LIMIT = 16_000_000
"""Characters that are read from a file or stdin; more is a mistake, no message."""
NOTICE_LIMIT = 100
_PLACE = frozenset(("MODEL_QUEUES_DIR", "MODEL_QUEUE_STORE"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a command says: text for a person, fields for a program."""

    text: str = ""
    payload: Mapping[str, JsonValue] = field(default_factory=dict[str, "JsonValue"])
    """Beside ``version``, ``ok``, ``reply`` and ``error``. Source: SPEC 10."""
    exit_code: int = 0
    code: str = "state"
    """The error's code when ``exit_code`` is not 0."""
    note: str = ""
    """Said on stderr after the answer; with ``--json`` at the end of ``reply``."""
    lines: Iterable[JsonObject] | None = None
    """Printed instead, one object a line."""
    trailer: Sequence[JsonObject] = ()
    """Printed after the text, one object a line; with ``--json`` the payload has it."""
    after: Callable[[], None] | None = None
    """Called once the text is out."""
    stream: Iterable[str] | None = None
    """Printed before, each as soon as it is there, while the command goes on."""
    ending: Callable[[], Reply] | None = None
    """Called when ``stream`` has ended: what it came to takes the place of this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call of a command."""

    args: argparse.Namespace
    seen: Surroundings
    clock: Clock
    lang: str
    """Language of the answer where no message tells."""

    @property
    def zone(self) -> dt.tzinfo:
        """This machine's time zone: whoever types here lives by it."""
        return LocalZone()

    @property
    def now(self) -> dt.datetime:
        """The moment of the call."""
        return self.clock.now()

    def settings(self) -> Settings:
        """Return what is configured."""
        return wiring.read_settings(self.seen)

    def open(self) -> Core:
        """Open the queues.

        A command that only looks works with what can be read of the settings, as long
        as it is known where the queues are; ``note`` says what is wrong.

        Raises:
            ConfigError: a setting has no usable value, or no source is configured and
                no queue is there.
        """
        settings = self.settings()
        is_tolerant = self.only_looks and not _is_place_unknown(settings)
        core = wiring.open_core(self.seen, settings, is_tolerant=is_tolerant)
        if not settings.sources and not core.store.queues():
            raise not_configured(self.lang)
        return core

    @property
    def only_looks(self) -> bool:
        """Whether the command shows what is there and changes nothing."""
        return bool(getattr(self.args, "only_looks", False))

    def note(self) -> str:
        """Return what a person should know beside what was looked at; "" for nothing."""
        wrong = [p.text for p in self.settings().problems if p.fatal]
        if not self.only_looks or not wrong:
            return ""
        return say(looking_texts.SETTINGS_WRONG, self.lang, why=wrong[0])

    def find(self, core: Core, ref: str | None = None) -> Task:
        """Return the task that the command names, in any form of its id.

        Raises:
            TaskRefError: it is no id, or several tasks have it.
            TaskNotFound: no task has it.
        """
        return core.store.get(self.ref(ref))

    def ref(self, word: str | None = None) -> TaskRef:
        """Return what a word, or the command's task, names, without looking for it.

        Raises:
            TaskRefError: it is no id.
        """
        word = word or str(self.args.task)
        number = word.removeprefix("#")
        # The bare number as well, as in the commands on several tasks.
        is_number = number.isascii() and number.isdigit()
        return TaskRef.parse(f"T{number}" if is_number else word)

    @property
    def columns(self) -> int | None:
        """How wide the terminal is; None for programs and files."""
        if self.args.json:
            return None
        return Terminal(sys.stdout, self.seen.environment).columns

    def shown(self, text: str) -> str:
        """Return a table as the terminal shows it; as it is for programs and files."""
        if self.args.json:
            return text
        return Terminal(sys.stdout, self.seen.environment).shown(text)

    def harmless(self, text: str) -> str:
        """Return a session's own words so that they cannot disturb a terminal.

        As they are for programs and files.
        """
        if self.args.json:
            return text
        return Terminal(sys.stdout, self.seen.environment).harmless(text)

    def run_pass(
        self, core: Core, *, carries_actions: bool = False, shows_notices: bool = False
    ) -> Tick:
        """Let the dispatcher do what the command has made possible."""
        return passes.run_pass(
            core,
            self.seen,
            clock=self.clock,
            carries_actions=carries_actions,
            shows_notices=shows_notices,
        )


def _is_place_unknown(settings: Settings) -> bool:
    """Report whether the setting is wrong that says where the queues are."""
    return any(p.fatal and p.key in _PLACE for p in settings.problems)


def refusal_of(fault: ModelQueueError | None, *, is_refused: bool) -> tuple[int, str]:
    """Return exit code and error code of what a person asked for and did not get."""
    if fault is not None:
        return fault.exit_code, fault.code
    return (StateError.exit_code if is_refused else 0), StateError.code


def not_configured(lang: str) -> ConfigError:
    """Return the refusal of everything as long as there is no source."""
    sentence, _, lines = questions.not_configured(lang=lang).partition("\n\n")
    refusal = ConfigError(
        key="MODEL_SOURCE_<NAME>", value="", allowed="set", hint=lines
    )
    # In the words that chat has for it: the setting has no wrong value, it has none.
    refusal.args = (sentence,)
    return refusal


def refuse_inside_session(call: Call) -> None:
    """Keep a session that model-queue started from queueing or starting work itself.

    Raises:
        StateError: the command was called inside one.
    """
    if call.seen.environment.get("MODEL_QUEUE_WORKER") == "1":
        sentence = (
            "this is a session of model-queue (MODEL_QUEUE_WORKER=1), "
            "which adds no tasks and starts none; nothing was done"
        )
        raise StateError(sentence)


def read_text(path: str, *, is_message: bool = False) -> str:
    """Return the text of a file, or of stdin for ``-``; UTF-8, bad bytes replaced.

    A message with bad bytes is refused: it was written in another encoding, and its
    tasks would be garbled for good.

    Raises:
        InputError: it cannot be read, is far longer than any report, or is a message
            and not UTF-8.
    """
    try:
        if path == "-":
            data = sys.stdin.buffer.read(INPUT_LIMIT + 1)
        else:
            with open(path, "rb") as file:
                data = file.read(INPUT_LIMIT + 1)
    except OSError as error:
        sentence = f"{path} could not be read: {error.strerror}"
        raise InputError(sentence) from error
    if len(data) > INPUT_LIMIT:
        sentence = f"{path} has more than {INPUT_LIMIT:,} bytes"
        raise InputError(sentence, hint="Keep what matters, or name the file instead.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if is_message:
            name = "stdin" if path == "-" else path
            sentence = f"{name} is not UTF-8 (byte {error.start})"
            raise InputError(sentence, hint="Save or send it as UTF-8.") from error
    return data.decode("utf-8-sig", "replace")


def lang_of(seen: Surroundings) -> str:
    """Return the language that the environment asks for, ``zh`` or ``en``."""
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    word = next(filter(None, (seen.environment.get(name) for name in names)), "")
    return "zh" if word.lower().startswith("zh") else "en"


def waiting_notices(
    core: Core, call: Call, chat: tuple[str, str, str], done: Tick
) -> tuple[Sequence[Notice], Callable[[], None]]:
    """Take the notices of a chat after a pass; the second value notes that they were seen.

    To be called once they are printed: what was taken and never seen is handed out
    again. What is for other chats goes to the notifier then.
    """
    notices = core.store.take_notices(chat=chat, limit=NOTICE_LIMIT, now=call.now)

    def seen() -> None:
        if notices:
            ids = [notice.id for notice in notices]
            core.store.commit(Batch(delivered=ids), now=call.now)
        passes.hand_to_notifier(core, call.seen, since=done.at, clock=call.clock)

    return notices, seen


def notice_objects(notices: Sequence[Notice]) -> list[JsonObject]:
    """Return notices in the hooks' form. Source: SPEC 7."""
    return [
        {"id": n.id, "kind": n.kind, "task_id": n.task_id, "text": n.text}
        for n in notices
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One command: its words, its flags, and what it does."""

    name: str
    help: str
    """One line, also the first of its own help."""
    example: str
    run: Callable[[Call], Reply]
    flags: Callable[[argparse.ArgumentParser], object]
    only_looks: bool = False
    """It shows what is there and changes nothing, so that a wrong setting is no
    reason to refuse it."""


def no_flags(parser: argparse.ArgumentParser) -> None:
    """Add nothing: the command has no words of its own."""
    del parser


def one_task(parser: argparse.ArgumentParser) -> None:
    """Add the task that a command is about."""
    parser.add_argument("task", metavar="TASK", help="T-001, t1 or ollama-local/T-001")


def absolute(path: str | None) -> str | None:
    """Return a path that means the same in every process, None for none."""
    return os.path.abspath(path) if path else None
