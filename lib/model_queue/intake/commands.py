"""Commands on the queue and questions about it, read clause by clause."""

from __future__ import annotations

import re
from collections.abc import Iterator

from model_queue.intake import slips
from model_queue.intake.bag import Bag
from model_queue.intake.clause import ACTS, Clause
from model_queue.intake.context import Context
from model_queue.intake.lexicon import SLOTS, Lazy
from model_queue.intake.marks import canonical_ids
from model_queue.intake.phrases import zh_clauses
from model_queue.intake.protect import MASK
from model_queue.intake.queue_questions import ids_alone, question, whole_question
from model_queue.intake.targets import is_remark, names_id
from model_queue.intake.values import Command

CLAUSE_LIMIT = 240
"""Characters of a clause that may be a command; a longer one is work or talk."""
_POINTING_LIMIT = 40
"""Characters of a command that only points at a task ("cancel that one")."""
_REASON = Lazy(
    r"(?:,|;|-|—|:)?\s{0,2}\b(?:because|since|as it|as that|it's|it is|that's|they're|i'm|i am|we're|"
    r"we|i've|i don't|due to|but|for now|until|unless)\b|"
    r",\s?(?:nobody|no one|no-one|there|the|they|he|she|my|our|we|i|it|this|that|somebody|someone|everyone|people)\b|,(?:因为|它|这个|我|已经|反正|没|不)|因为|由于"
)
_RUN_NOW = Lazy(
    rf"(?:(?:please|pls|just|ok|now)[ ,]{{1,2}}){{0,2}}(?:run|do|execute|launch) (?:tasks? )?(?P<ids>{SLOTS['{ids}']}) "
    r"(?:right )?(?:now|next|immediately|at once|away)(?: please)?[ .!]*\Z"
)
"""What is wanted to run before all others."""
_EXPLICIT = frozenset(
    "cancel retry rerun skip pause resume unblock 取消 重试 跳过 暂停 恢复 重跑".split()  # noqa: SIM905 - reads as words
)
_BARE_VERBS = {
    "stop": "cancel",
    "clear": "clear",
    "unpause": "resume",
    "continue": "resume",
    "try again": "retry",
    "try it again": "retry",
    "停止": "cancel",
    "取消": "cancel",
    "停": "pause",
    "暂停": "pause",
    "重试": "retry",
    "跳过": "skip",
    "恢复": "resume",
    **{v: v for v in ("cancel", "pause", "resume", "retry", "skip", "unblock")},
}
_BARE = Lazy(
    r"(?:(?:please|pls|just|请)[ ,]{0,2}){0,2}"
    r"(?:(?P<verb>cancel|pause|resume|retry|skip|unblock|取消|暂停|恢复|重试|跳过) ?"
    r"(?:\d{1,7}(?: ?(?:[,、和与到至~&-]|(?:, ?)?and|to|through) ?\d{1,7}){1,9}|(?<![a-z])#?[a-z0-9][a-z0-9_.-]{0,40}(?<!ing))?|"
    r"(?P<halt>stop|停止|停)(?: ?\d{1,7})?|(?P<empty>clear)(?: (?:it|up))?|"
    r"(?P<more>unpause|continue|try (?:it )?again))"
    r"(?: (?:please|pls|now))?[ .!~\n]*\Z"
)
_FACT = Lazy(
    r"(?:(?:since|because|as|因为|由于) ?)?(?:tasks? |任务 ?)?#?t-?\d{1,7}"
    r"(?: ?(?:,|and|&|和|、) ?#?t-?\d{1,7}){0,9} ?"
    r"(?:(?:has|have|is|are|was|were|got|just|already|again|还|又|已经|已) ?){0,3}"
    r"(?:failed|fails|failing|stuck|blocked|hung|hanging|crashed|timed out|dead|broken|"
    r"done|finished|complete|completed|失败|卡住|卡|阻塞|挂|出错|报错|超时|完成|做完)"
    r"[^,;.\n]{0,20}[,;] ?(?:(?:so|then|therefore|please|just|now|所以|因此|那就|那|就|请) ?){0,3}"
)
"""What is told of tasks before the command on others; "when" and "if" are no facts."""
_RERUN = frozenset(
    (
        "again",
        "rerun",
        "re-run",
        "redo",
        "repeat",
        "run again",
        "once more",
        "one more time",
    )
)
_LEVELS = (("-5", -5), ("10", 10), ("high", 5), ("5", 5), ("normal", 0))


_JOINT = Lazy(r"\s?[,;]\s?|\s(?:-|--|—)\s|…\s?|\.\.\.\s?|!\s?")

_STARTS = frozenset(("start", "kick off", "fire up", "launch", "start up"))
"""Going on with "again" beside it is once more from the start."""
_NAMED = frozenset(("all", "queue", "source"))


def read(
    text: str, start: int, end: int, ctx: Context, *, is_ambient: bool
) -> Command | None:
    """Read a clause that is a command or a queue question as a whole, None otherwise.

    A verb of the list and a queue target, and no word of any other kind. Source: guide
    C1 to C4, M4; in ambient scope X4.
    """
    while start < end and not text[start].isalnum() and text[start] not in "#" + MASK:
        start += 1
    if start >= end or end - start > CLAUSE_LIMIT:
        return None
    hit = ctx.at("greeting", text, start, end)
    if hit and hit.end < end:
        return read(text, hit.end, end, ctx, is_ambient=is_ambient)
    found = _Reader(text, start, end, ctx, is_ambient=is_ambient).read()
    return found or _read_mended(text, start, end, ctx, is_ambient=is_ambient)


def _read_mended(
    text: str, start: int, end: int, ctx: Context, *, is_ambient: bool
) -> Command | None:
    """Read a clause whose verb is mistyped, where what it names is a target for sure."""
    mended = slips.mended(text, start, end)
    if mended is None:
        return None
    found = _Reader(mended[0], start, mended[1], ctx, is_ambient=is_ambient).read()
    if found is None or not (found.ids or not is_ambient):
        return None
    acts = found.command in ACTS | {"priority"} and bool(found.ids or found.queue)
    is_whole = found.verb in {"undo", "status"} and not found.ids
    return found if acts or is_whole else None


class _Reader(Clause):
    """A clause that is tried as a command, then as a question."""

    __slots__ = ()

    def read(self) -> Command | None:
        """Try a command, then a change of priority, then a question."""
        found = None
        if not self.asks and self.may_act() and not self.is_talk:
            found = self._action() or self._priority()
        return (
            found
            or self._unclear()
            or whole_question(self)
            or question(self)
            or ids_alone(self)
        )

    def _action(self) -> Command | None:
        return self._after_fact() or self._plain_action()

    def _after_fact(self) -> Command | None:
        """T-003 failed, so skip T-004: what is told of one task commands another.

        Only where the verb has an id of its own; "T-003 failed, retry it" means T-003.
        """
        fact = _FACT.match(self.text, self.start, self.end)
        if fact is None:
            return None
        rest = _Reader(
            self.text,
            fact.end(),
            self.end,
            self.ctx,
            is_ambient=self.is_ambient,
        )
        found = rest.read()
        if found is None or not (found.ids or found.all or found.queue):
            return self._for_told(fact)
        return found if found.ids and found.command in ACTS else None

    def _for_told(self, fact: re.Match[str]) -> Command | None:
        """T-003 failed, run it again: a verb without a task of its own."""
        for stop in self._stops():
            bag = self.collect(fact.end(), stop, "verb", "target", "filler")
            verb = _one_verb([kind for kind in bag.kinds if kind != "status"])
            is_bare = not (bag.unknown or bag.ids or bag.targets - {"point"})
            if is_bare and verb in ACTS:
                ids = tuple(canonical_ids(fact.group(), self.ctx.names))
                return Command(command=verb, ids=ids, verb=_finer(verb, bag.words))
        return None

    def _plain_action(self) -> Command | None:
        for stop in self._stops():
            bag = self.collect(self.start, stop, "verb", "target", "filler")
            if stop == self.end or bag.ids or bag.targets & _NAMED:
                command = self._command_of(bag)
                if command:
                    return command
        return None

    def _stops(self) -> Iterator[int]:
        """The clause, then the clause without its courtesy, or the reason that it gives."""
        yield self.end
        tail = self.ctx.before("polite_tail", self.text, self.start, self.end)
        if tail and tail.start > self.start:
            yield tail.start
        reason = _REASON.search(self.text, self.start + 1, self.end)
        if reason and not names_id(self.text, reason.start(), self.end):
            yield reason.start()
        for joint in _JOINT.finditer(self.text, self.start + 1, self.end):
            if is_remark(self.text, joint.end(), self.end, self.ctx):
                yield joint.start()
                return

    def _command_of(self, bag: Bag) -> Command | None:
        if bag.unknown or {"negated", "past"} & set(bag.kinds):
            return None
        verb = _one_verb([kind for kind in bag.kinds if kind != "status"])
        if verb == "resume" and "again" in bag.kinds and _STARTS & set(bag.words):
            verb = "retry"
        looks = "status" in bag.kinds
        if verb is None or (looks and (len(bag.ids) > 1 or self.is_ambient)):
            # Such as "clear the print queue".
            return None
        if verb == "undo" and not bag.ids:
            return None if self.is_ambient else Command(command="undo", verb="undo")
        if not self._has_target(bag, verb):
            return None
        command = "cancel" if verb in {"clear", "undo"} and bag.ids else verb
        everything = (
            not bag.ids and not bag.queue and bool(bag.targets & {"all", "queue"})
        )
        return Command(
            command=command,
            ids=bag.ids,
            all=everything,
            queue=None if bag.ids else bag.queue,
            verb=_finer(command, bag.words),
            word="" if bag.ids else bag.word,
        )

    def _has_target(self, bag: Bag, verb: str) -> bool:
        if bag.ids:
            return True
        if self.is_ambient:
            return bag.is_full or "queue" in bag.targets
        if bag.targets & {"all", "queue", "source"}:
            return True
        return verb != "clear" and self._asks_which(bag)

    def _asks_which(self, bag: Bag) -> bool:
        """C3: it points at a task without saying which."""
        explicit = any(w in _EXPLICIT or w[:2] in _EXPLICIT for w in bag.words)
        short = self.end - self.start < _POINTING_LIMIT
        return explicit if "point" not in bag.targets else explicit or short

    def _unclear(self) -> Command | None:
        """C3: the whole message is a verb, alone or with one word that names no task."""
        if self.is_ambient or not self.is_first:
            return None
        if self.text[self.end :].strip(" \t\n.!~"):
            return None
        bare = _BARE.match(self.text, self.start, self.end)
        if bare is None:
            return self._bare_chinese()
        if MASK in bare.group():
            return None
        verb = _BARE_VERBS[bare[bare.lastgroup or ""]]
        # Clear can mean nothing but the queue; undo gives back what it took.
        return Command(command=verb, all=verb == "clear", verb=verb)

    def _bare_chinese(self) -> Command | None:
        """A verb with nothing but particles: 先停一下, 继续吧, 清空."""
        if self.text.isascii():
            return None
        alone = zh_clauses.ALONE.match(self.text, self.start, self.end)
        if alone is None:
            return None
        hit = self.ctx.whole("verb", self.text, *alone.span("verb"))
        if hit is None or hit.kind not in ACTS or zh_clauses.NO_THANKS.match(hit.words):
            return None
        return Command(
            command=hit.kind,
            all=hit.kind == "clear",
            verb=_finer(hit.kind, [hit.words]),
        )

    def _priority(self) -> Command | None:
        if not self.may_name:
            return None
        now = _RUN_NOW.match(self.text, self.start, self.end)
        if now and not self.is_ambient:
            ids = tuple(canonical_ids(now["ids"], self.ctx.names))
            return Command(command="priority", ids=ids, value=10, verb="priority")
        stops = self._stops()
        bags = (
            self.collect(self.start, stop, "priority_verb", "filler", "target")
            for stop in stops
        )
        bag = next((bag for bag in bags if bag.ids and not bag.unknown), None)
        if bag is None:
            return None
        value = bag.number
        if value is None:
            value = next((n for kind, n in _LEVELS if kind in bag.kinds), None)
        if value is None:
            return None
        return Command(command="priority", ids=bag.ids, value=value, verb="priority")


def _one_verb(verbs: list[str]) -> str | None:
    """Return the command that the verbs agree on; "resume … again" is resume."""
    kinds = list(dict.fromkeys(verbs))
    if kinds == ["again"]:
        return "retry"
    kinds = [kind for kind in kinds if kind != "again"]
    return kinds[0] if len(kinds) == 1 else None


def _finer(command: str, words: list[str]) -> str:
    if command != "retry":
        return command
    again = any(word in _RERUN or zh_clauses.RERUN.search(word) for word in words)
    return "rerun" if again else "retry"
