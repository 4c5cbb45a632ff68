"""One clause of a message, as commands and questions about the queue are read from it."""

from __future__ import annotations

from model_queue.intake.bag import Bag, collect
from model_queue.intake.context import Context
from model_queue.intake.lexicon import Lazy
from model_queue.intake.phrases import zh_clauses
from model_queue.intake.targets import has_target

ACTS = frozenset(("cancel", "skip", "retry", "pause", "resume", "unblock", "clear"))
"""Commands that change a task or a queue, a priority apart."""
_QUESTION = Lazy(
    r"(?:is|was|were|are|did|does|do(?= (?:you|we|i|they|any|all|these|those|my|our|both)\b)|will|has|have|had|why|what|when|where|how|which|who|should|"
    r"shall|isn't|hasn't|what's|how's|where's|why's)\b"
)
_TALK = Lazy(
    r"\b(?:what happens|what would happen|what if|"
    r"what does(?! (?:tasks? |jobs? )?#?t?-?\d{1,7} )|how (?:do|can|could|would|should|to)|"
    r"should i|should we|can i|could i|may i|am i|if (?:i|we|you)|suppose|in case|difference|means?|meaning|"
    r"used to|would have|wish)\b|怎么(?!样|还|回事|会|了|又|一直|老|总|突|不|没|卡|失|挂|报错|停(?!掉|止))|"
    r"如何(?!了)|会怎样|会怎么样|意思|如果|要是|假如|万一|的话|"
    r"区别|是干什么|是干嘛|(?:失败|出错|报错)(?:了?,?(?:就|则|便|也|照样|仍)|,?(?:请|直接)跳过)"
)
_SHORT_LIMIT = 60
"""Characters of a command that names nothing ("cancel that, please")."""


class Clause:
    """A span of a text, and what its form tells.

    Attributes:
        asks: it opens as a question. is_whether: it asks whether something was done.
        may_name: it may name what a command is about.
    """

    __slots__ = (
        "_talks",
        "asks",
        "ctx",
        "end",
        "is_ambient",
        "is_whether",
        "may_name",
        "start",
        "text",
    )

    def __init__(
        self, text: str, start: int, end: int, ctx: Context, *, is_ambient: bool
    ) -> None:
        self.text = text
        self.start = start
        self.end = end
        self.ctx = ctx
        self.is_ambient = is_ambient
        self.is_whether = (
            not text.isascii()
            and zh_clauses.ASKS_WHETHER.search(text, start, end) is not None
        )
        self.asks = self.is_whether or _QUESTION.match(text, start, end) is not None
        self.may_name = has_target(text, start, end, ctx)
        self._talks: bool | None = None

    def collect(self, start: int, end: int, *purposes: str, patience: int = 0) -> Bag:
        """Sort the words of a part of it; see ``bag.collect``."""
        return collect(
            self.text,
            start,
            end,
            self.ctx,
            purposes,
            is_ambient=self.is_ambient,
            patience=patience,
        )

    def may_act(self) -> bool:
        """Whether the clause may be a command: a verb, and a target or little else."""
        if self.may_name:
            return True
        is_short = self.end - self.start <= _SHORT_LIMIT
        scan = self.ctx.scan(self.text)
        return is_short and bool(scan.candidates("verb", self.start, self.end))

    @property
    def is_talk(self) -> bool:
        """Whether the clause talks about a command instead of giving it."""
        if self._talks is None:
            found = _TALK.search(self.text, self.start, self.end)
            self._talks = found is not None
        return self._talks

    @property
    def is_first(self) -> bool:
        """Whether nothing stands before the clause."""
        return self.start <= self.ctx.scan(self.text).first

    def past_politeness(self, end: int) -> int:
        """Return where it begins behind a polite opening."""
        polite = self.ctx.at("polite", self.text, self.start, end)
        return polite.end if polite and polite.end < end else self.start
