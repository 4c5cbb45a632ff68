"""What every hook's call works with, and what it gives back."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence

from model_queue import config, wiring
from model_queue.core import Core
from model_queue.hosts.generic import Caller, Payload
from model_queue.model import JsonObject
from model_queue.settings import Settings
from model_queue.store import Batch, Notice, Seen

NOTICES_AT_ONCE = 50
"""More would be no chat message; the rest comes with the next answer."""


class Done:
    """The answer to a call, and what is left to do once it was printed."""

    def __init__(
        self, answer: JsonObject, afterwards: Callable[[], None] | None = None
    ) -> None:
        self.answer = answer
        self.afterwards = afterwards

    def then(self, more: Callable[[], None]) -> Done:
        """Return the same answer with one thing more to do once it was printed."""
        before = self.afterwards

        def both() -> None:
            if before:
                before()
            more()

        return Done(self.answer, both)


class Call:
    """One call of a hook, and what it opens on the way."""

    def __init__(self, hook: str, payload: Payload, *, began: float) -> None:
        """Take the input of a hook; ``began`` is the wall clock at process start."""
        self.hook = hook
        self.payload = payload
        self.caller = Caller(payload, has_chat=hook != "on-subagent-exit")
        self.seen = wiring.surroundings()
        self.began = began
        self.so_far: JsonObject | None = None
        """The answer to what is stored already, should the rest fail."""

    @property
    def now(self) -> dt.datetime:
        """The moment of the call."""
        return self.caller.clock.now()

    @property
    def key(self) -> str:
        """The key of a delivery, whose answer is given once; "" without an id.

        With host, channel and session: two of them may count their deliveries alike.
        """
        host, channel, _ = self.caller.chat
        # Also of on-subagent-exit, where it is the session that has ended.
        session = self.payload.text("session_id")
        parts = ("delivery", self.hook, host, channel, session, self.caller.delivery_id)
        return "\x1f".join(parts) if self.caller.delivery_id else ""

    def settings(self) -> Settings:
        """Return what is configured.

        Raises:
            ConfigError: a setting has no usable value.
        """
        settings = wiring.read_settings(self.seen)
        config.require_valid(settings)
        return settings

    def open(self, settings: Settings) -> Core:
        """Open the queues."""
        return wiring.open_core(self.seen, settings)

    def first_answer(self, core: Core) -> Done | None:
        """Return the answer that this delivery got before, None without one."""
        answer = core.store.recall(self.key, now=self.now) if self.key else None
        return Done(answer) if answer is not None else None

    def notices(self, core: Core) -> Sequence[Notice]:
        """Take what the chat of this call has not seen yet."""
        return core.store.take_notices(
            chat=self.caller.chat, limit=NOTICES_AT_ONCE, now=self.now
        )

    def done(
        self, core: Core, answer: JsonObject, notices: Sequence[Notice] = ()
    ) -> Done:
        """Return the answer; that it was given is stored once it was printed.

        A crash in between repeats a notice, with the same id, and never loses one.
        """
        seen = Seen(key=self.key, answer=lambda _: answer) if self.key else None
        batch = Batch(delivered=[notice.id for notice in notices], seen=seen)

        def store() -> None:
            core.store.commit(batch, now=self.now)

        return Done(answer, store if seen or notices else None)
