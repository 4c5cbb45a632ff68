"""What a person's commands work with, and what they led to."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from typing import NamedTuple

from model_queue import messages
from model_queue.asked import Question
from model_queue.core import Core
from model_queue.errors import ConflictError, ModelQueueError, StoreError
from model_queue.model import JsonObject, Task
from model_queue.store import Seen
from model_queue.trails import Chat, Trail


class Order(NamedTuple):
    """One command that somebody gave, apart from its words."""

    core: Core
    now: dt.datetime
    """The moment of the call."""
    lang: str
    """Of the answer."""
    key: str = ""
    """What tells the command from every other; "" when nothing does. Under a key it
    has its effect once: a host may deliver a message again, also after a crash."""

    chat: Chat | None = None
    """The chat it was given in; None when in none."""
    trail: Trail | None = None
    """Where its effects are noted, so that the chat can take them back."""
    zone: dt.tzinfo = dt.UTC
    """In which the person reads times."""

    def part(self, name: str) -> Order:
        """Return the order for one part of the command, such as one of its tasks."""
        return self._replace(key=f"{self.key}\x1f{name}") if self.key else self

    def first_answer(self) -> JsonObject | None:
        """Return what the command was answered before, None when it is new."""
        return self.core.store.recall(self.key, now=self.now) if self.key else None

    def seen(self, text: str, *, is_refused: bool = False) -> Seen | None:
        """Return what to store together with the effect; None without a key."""
        answer: JsonObject = {"reply": text, "is_refused": is_refused}
        return Seen(key=self.key, answer=lambda _: answer) if self.key else None


@dataclass(slots=True, kw_only=True)
class Result:
    """What commands led to; filled while they run."""

    texts: list[str] = field(default_factory=list[str])
    control: list[JsonObject] = field(default_factory=list[JsonObject])
    actions: list[JsonObject] = field(default_factory=list[JsonObject])
    tasks: list[Task] = field(default_factory=list[Task])
    is_refused: bool = False
    question: Question | None = None
    """What is to be asked back, where somebody can answer."""
    fault: ModelQueueError | None = None
    """Why something of it could not be done now, and may be tried again."""

    @property
    def text(self) -> str:
        """The whole answer for the chat."""
        return "\n".join(self.texts)

    def refuse(self, error: ModelQueueError, *, lang: str) -> None:
        """Add a refusal: what was refused, and the next step."""
        self.decline(messages.refused(error, lang=lang))
        if isinstance(error, (ConflictError, StoreError)):
            self.fault = self.fault or error

    def decline(self, text: str) -> None:
        """Add a sentence that says what was not done."""
        self.texts.append(text)
        self.is_refused = True

    def ask(self, question: Question) -> None:
        """Ask back, instead of doing it."""
        self.decline(question.text)
        self.question = question

    def repeat(self, first: JsonObject) -> None:
        """Add the answer that a command got before."""
        self.texts.append(str(first.get("reply")))
        self.is_refused |= first.get("is_refused") is True

    def take(self, other: Result) -> None:
        """Add what another one holds."""
        self.texts += other.texts
        self.control += other.control
        self.actions += other.actions
        self.tasks += other.tasks
        self.is_refused |= other.is_refused
        self.question = other.question or self.question
        self.fault = self.fault or other.fault
