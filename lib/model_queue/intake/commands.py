"""Commands on the queue and questions about it, read clause by clause."""

from __future__ import annotations

import re
from collections.abc import Iterator

from model_queue.intake import slips
from model_queue.intake.bag import Bag, collect
from model_queue.intake.context import Context
from model_queue.intake.lexicon import SLOTS, Lazy
from model_queue.intake.marks import canonical_ids
from model_queue.intake.phrases import zh_clauses
from model_queue.intake.protect import MASK
from model_queue.intake.targets import has_target, is_remark, names_id
from model_queue.intake.values import Command

CLAUSE_LIMIT = 240
"""Characters of a clause that may be a command; a longer one is work or talk."""
_WHOLE_LIMIT = 100
"""Characters of a question about the whole queue."""
_UNKNOWN_LIMIT = 3
"""Unknown words that a question about an id may hold ("what did T-004 find out?")."""
_POINTING_LIMIT = 40
"""Characters of a command that only points at a task ("cancel that one")."""
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
_REASON = Lazy(
    r"(?:,|;|-|—|:)?\s{0,2}\b(?:because|since|as it|as that|it's|it is|that's|they're|i'm|i am|we're|"
    r"we|i've|i don't|due to|but|for now|until|unless)\b|"
    r",\s?(?:nobody|no one|no-one|there|the|they|he|she|my|our|we|i|it|this|that|somebody|someone|everyone|people)\b|,(?:因为|它|这个|我|已经|反正|没|不)|因为|由于"
)
_ASKS_OPENLY = Lazy(r"\?\s*\Z|[吗么呢没]\s*\Z|没有\s*\Z|为什么|为啥|怎么样|如何了")
_SELECTING = Lazy(r"\b(?:with|using|via)\s|用|让|交给")
"""Words before a source that say who does the work, not which queue is meant."""
_EXPLAINS = Lazy(
    r"\bwhy\b|\bexplain\b|\bhow come\b|\bwait(?:s|ing)? (?:for|on)\b|\bdepends? on\b|"
    r"\b(?:hold(?:ing|s)?|keep(?:ing|s)?|block(?:ing|s)?|stop(?:ping|s)?) (?:up |back )?(?=#?t-?\d|tasks? |jobs? )|"
    r"\bwhen (?:will|does|is|can|do|are)\b.{0,40}\b(?:start|begin|run|go|due|scheduled|turn|next|up)\b|为什么|为啥|为何|咋(?!样)|原因|解释|怎么(?!样|了)|什么问题"
)
_WAITS = Lazy(
    r"\S\s{1,2}\S{2,}\s{1,2}(?:after|once) (?:(?:the )?(?:tasks?|jobs?) )?#?(?:t-?\d|\d)[^,;.?]{0,40}\Z"
)
"""A dependency phrase behind more than a word: nothing that a question would hold."""
_RUN_NOW = Lazy(
    rf"(?:(?:please|pls|just|ok|now)[ ,]{{1,2}}){{0,2}}(?:run|do|execute|launch) (?:tasks? )?(?P<ids>{SLOTS['{ids}']}) "
    r"(?:right )?(?:now|next|immediately|at once|away)(?: please)?[ .!]*\Z"
)
"""What is wanted to run before all others."""
_WANTED = (
    (
        "report",
        Lazy(
            r"\b(?:reports?|results?|outputs?|outcomes?|answers?|findings|find|found|say|said)\b|结果|报告|输出"
        ),
    ),
    ("log", Lazy(r"\blogs?\b|日志")),
)
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
_TELLING = frozenset(("status", "state", "explain"))
_ACTS = frozenset(("cancel", "skip", "retry", "pause", "resume", "unblock", "clear"))
_LEVELS = (("-5", -5), ("10", 10), ("high", 5), ("5", 5), ("normal", 0))


_POINTS = Lazy(
    r"\b(?:it|that|this|them|those|these|one|last|latest|both)\b|那|这|它|刚才|刚刚|最后|最近|某|前一个|上一个|上个"
)
_SHORT_LIMIT = 60
"""Characters of a command that names nothing ("cancel that, please")."""


_JOINT = Lazy(r"\s?[,;]\s?|\s(?:-|--|—)\s|…\s?|\.\.\.\s?|!\s?")
_QUEUE = Lazy(r"queue|队列|warteschlange|\bcola\b|\bfile\b|キュー|待ち行列|대기열|큐")
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
    found = _Clause(text, start, end, ctx, is_ambient=is_ambient).read()
    return found or _read_mended(text, start, end, ctx, is_ambient=is_ambient)


def _read_mended(
    text: str, start: int, end: int, ctx: Context, *, is_ambient: bool
) -> Command | None:
    """Read a clause whose verb is mistyped, where what it names is a target for sure."""
    mended = slips.mended(text, start, end)
    if mended is None:
        return None
    found = _Clause(mended[0], start, mended[1], ctx, is_ambient=is_ambient).read()
    if found is None or not (found.ids or not is_ambient):
        return None
    acts = found.command in _ACTS | {"priority"} and bool(found.ids or found.queue)
    is_whole = found.verb in {"undo", "status"} and not found.ids
    return found if acts or is_whole else None


class _Clause:
    __slots__ = (
        "_asks",
        "_ctx",
        "_end",
        "_is_ambient",
        "_is_whether",
        "_may_name",
        "_start",
        "_talks",
        "_text",
    )

    def __init__(
        self, text: str, start: int, end: int, ctx: Context, *, is_ambient: bool
    ) -> None:
        self._text = text
        self._start = start
        self._end = end
        self._ctx = ctx
        self._is_ambient = is_ambient
        self._is_whether = (
            not text.isascii()
            and zh_clauses.ASKS_WHETHER.search(text, start, end) is not None
        )
        self._asks = self._is_whether or _QUESTION.match(text, start, end) is not None
        self._may_name = has_target(text, start, end, ctx)
        self._talks: bool | None = None

    def read(self) -> Command | None:
        """Try a command, then a change of priority, then a question."""
        found = None
        if not self._asks and self._may_act() and not self._is_talk:
            found = self._action() or self._priority()
        return (
            found
            or self._unclear()
            or self._whole_question()
            or self._question()
            or self._ids_alone()
        )

    def _collect(self, start: int, end: int, *purposes: str, patience: int = 0) -> Bag:
        return collect(
            self._text,
            start,
            end,
            self._ctx,
            purposes,
            is_ambient=self._is_ambient,
            patience=patience,
        )

    def _may_act(self) -> bool:
        """Whether the clause may be a command: a verb, and a target or little else."""
        if self._may_name:
            return True
        is_short = self._end - self._start <= _SHORT_LIMIT
        scan = self._ctx.scan(self._text)
        return is_short and bool(scan.candidates("verb", self._start, self._end))

    @property
    def _is_talk(self) -> bool:
        """Whether the clause talks about a command instead of giving it."""
        if self._talks is None:
            found = _TALK.search(self._text, self._start, self._end)
            self._talks = found is not None
        return self._talks

    @property
    def _is_first(self) -> bool:
        """Whether nothing stands before the clause."""
        return self._start <= self._ctx.scan(self._text).first

    def _action(self) -> Command | None:
        return self._after_fact() or self._plain_action()

    def _after_fact(self) -> Command | None:
        """T-003 failed, so skip T-004: what is told of one task commands another.

        Only where the verb has an id of its own; "T-003 failed, retry it" means T-003.
        """
        fact = _FACT.match(self._text, self._start, self._end)
        if fact is None:
            return None
        rest = _Clause(
            self._text,
            fact.end(),
            self._end,
            self._ctx,
            is_ambient=self._is_ambient,
        )
        found = rest.read()
        if found is None or not (found.ids or found.all or found.queue):
            return self._for_told(fact)
        return found if found.ids and found.command in _ACTS else None

    def _for_told(self, fact: re.Match[str]) -> Command | None:
        """T-003 failed, run it again: a verb without a task of its own."""
        for stop in self._stops():
            bag = self._collect(fact.end(), stop, "verb", "target", "filler")
            verb = _one_verb([kind for kind in bag.kinds if kind != "status"])
            is_bare = not (bag.unknown or bag.ids or bag.targets - {"point"})
            if is_bare and verb in _ACTS:
                ids = tuple(canonical_ids(fact.group(), self._ctx.names))
                return Command(command=verb, ids=ids, verb=_finer(verb, bag.words))
        return None

    def _plain_action(self) -> Command | None:
        for stop in self._stops():
            bag = self._collect(self._start, stop, "verb", "target", "filler")
            if stop == self._end or bag.ids or bag.targets & _NAMED:
                command = self._command_of(bag)
                if command:
                    return command
        return None

    def _stops(self) -> Iterator[int]:
        """The clause, then the clause without its courtesy, or the reason that it gives."""
        yield self._end
        tail = self._ctx.before("polite_tail", self._text, self._start, self._end)
        if tail and tail.start > self._start:
            yield tail.start
        reason = _REASON.search(self._text, self._start + 1, self._end)
        if reason and not names_id(self._text, reason.start(), self._end):
            yield reason.start()
        for joint in _JOINT.finditer(self._text, self._start + 1, self._end):
            if is_remark(self._text, joint.end(), self._end, self._ctx):
                yield joint.start()
                return

    def _command_of(self, bag: Bag) -> Command | None:
        if bag.unknown or {"negated", "past"} & set(bag.kinds):
            return None
        verb = _one_verb([kind for kind in bag.kinds if kind != "status"])
        if verb == "resume" and "again" in bag.kinds and _STARTS & set(bag.words):
            verb = "retry"
        looks = "status" in bag.kinds
        if verb is None or (looks and (len(bag.ids) > 1 or self._is_ambient)):
            # Such as "clear the print queue".
            return None
        if verb == "undo" and not bag.ids:
            return None if self._is_ambient else Command(command="undo", verb="undo")
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
        if self._is_ambient:
            return bag.is_full or "queue" in bag.targets
        if bag.targets & {"all", "queue", "source"}:
            return True
        return verb != "clear" and self._asks_which(bag)

    def _asks_which(self, bag: Bag) -> bool:
        """C3: it points at a task without saying which."""
        explicit = any(w in _EXPLICIT or w[:2] in _EXPLICIT for w in bag.words)
        short = self._end - self._start < _POINTING_LIMIT
        return explicit if "point" not in bag.targets else explicit or short

    def _unclear(self) -> Command | None:
        """C3: the whole message is a verb, alone or with one word that names no task."""
        if self._is_ambient or not self._is_first:
            return None
        if self._text[self._end :].strip(" \t\n.!~"):
            return None
        bare = _BARE.match(self._text, self._start, self._end)
        if bare is None:
            return self._bare_chinese()
        if MASK in bare.group():
            return None
        verb = _BARE_VERBS[bare[bare.lastgroup or ""]]
        # Clear can mean nothing but the queue; undo gives back what it took.
        return Command(command=verb, all=verb == "clear", verb=verb)

    def _ids_alone(self) -> Command | None:
        """T-003 as the whole message: what is asked for is what there is to tell."""
        if self._is_ambient or not (self._may_name and self._is_first):
            return None
        bag = self._collect(self._start, len(self._text), "target")
        if bag.unknown or bag.kinds or bag.targets != {"id"}:
            return None
        return Command(command="show", ids=bag.ids, verb="show")

    def _bare_chinese(self) -> Command | None:
        """A verb with nothing but particles: 先停一下, 继续吧, 清空."""
        if self._text.isascii():
            return None
        alone = zh_clauses.ALONE.match(self._text, self._start, self._end)
        if alone is None:
            return None
        hit = self._ctx.whole("verb", self._text, *alone.span("verb"))
        if (
            hit is None
            or hit.kind not in _ACTS
            or zh_clauses.NO_THANKS.match(hit.words)
        ):
            return None
        return Command(
            command=hit.kind,
            all=hit.kind == "clear",
            verb=_finer(hit.kind, [hit.words]),
        )

    def _priority(self) -> Command | None:
        if not self._may_name:
            return None
        now = _RUN_NOW.match(self._text, self._start, self._end)
        if now and not self._is_ambient:
            ids = tuple(canonical_ids(now["ids"], self._ctx.names))
            return Command(command="priority", ids=ids, value=10, verb="priority")
        stops = self._stops()
        bags = (
            self._collect(self._start, stop, "priority_verb", "filler", "target")
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

    def _whole_question(self) -> Command | None:
        """A set question about the queue: "what is running?", 队列状态."""
        stop = self._end
        while stop > self._start and not self._text[stop - 1].isalnum():
            stop -= 1
        scan = self._ctx.scan(self._text)
        if stop - self._start > _WHOLE_LIMIT or not scan.candidates(
            "status_whole", self._start, stop
        ):
            return None
        for begin in dict.fromkeys((self._start, self._past_politeness(stop))):
            tail = self._ctx.before("polite_tail", self._text, begin, stop)
            ends = (stop, tail.start if tail and tail.start > begin else stop)
            for last in dict.fromkeys(len(self._text[:e].rstrip(" ,")) for e in ends):
                hit = self._ctx.whole("status_whole", self._text, begin, last)
                words = hit.words if hit else ""
                if words and (not self._is_ambient or _QUEUE.search(words)):
                    word = hit.groups.get("word", "") if hit else ""
                    is_list = bool(word) or words.startswith(("list", "列"))
                    verb = "list" if is_list else "status"
                    return Command(command="status", verb=verb, word=word)
        return None

    def _past_politeness(self, end: int) -> int:
        polite = self._ctx.at("polite", self._text, self._start, end)
        return polite.end if polite and polite.end < end else self._start

    def _question(self) -> Command | None:
        if not (self._may_name or self._points()) or self._is_talk:
            return None
        begin = self._past_politeness(self._end)
        if not self._asks and _WAITS.search(self._text, begin, self._end):
            # "check the list after T-002": work that waits for a task.
            return None
        bag = self._collect(
            begin,
            self._end,
            "verb",
            "state",
            "target",
            "filler",
            patience=0 if self._is_ambient else _UNKNOWN_LIMIT,
        )
        if not self._is_question(bag):
            return None
        if bag.ids:
            explains = _EXPLAINS.search(self._text, begin, self._end) is not None
            verb = "explain" if explains else "show"
            word = "" if explains else self._wanted(begin)
            return Command(command="show", ids=bag.ids, verb=verb, word=word)
        return Command(command="status", queue=bag.queue, verb="status")

    def _points(self) -> bool:
        """Whether an open question may point at a task: "how did that one go?"."""
        words = self._text[self._start : self._end]
        asks = self._asks or _ASKS_OPENLY.search(words) is not None
        return asks and _POINTS.search(words) is not None

    def _wanted(self, begin: int) -> str:
        """Return what of a task is asked for: its report, its log, "" for the whole."""
        asked = (
            word
            for word, words in _WANTED
            if words.search(self._text, begin, self._end)
        )
        return next(asked, "")

    def _is_question(self, bag: Bag) -> bool:
        words = self._text[self._start : self._end]
        openly = self._asks or _ASKS_OPENLY.search(words) is not None
        asks = openly or zh_clauses.ASKS.search(words) is not None
        kinds = set(bag.kinds)
        if not (asks or kinds & {"status", "state", "explain"}) or (
            kinds & {"negated"} and not asks
        ):
            return False
        if bag.unknown and (
            self._is_ambient or not openly or bag.unknown > _UNKNOWN_LIMIT
        ):
            return False
        if bag.ids:
            if len(bag.ids) > 1 and "status" in kinds and kinds & _ACTS:
                return openly
            about = bool(kinds & {"status", "explain"})
            if self._is_ambient:
                return asks or about
            return asks or about or not kinds & (_ACTS | {"past"})
        return self._asks_about_queue(bag, words, openly=openly)

    def _asks_about_queue(self, bag: Bag, words: str, *, openly: bool) -> bool:
        kinds = set(bag.kinds)
        if bag.unknown or (not openly and _SELECTING.search(words)):
            return False
        if kinds & _ACTS and not self._is_whether:
            return False
        if self._is_ambient and not bag.is_full:
            return (
                "queue" in bag.targets
                and openly
                and words.startswith(("what", "which", "how many"))
            )
        if "point" in bag.targets and openly and kinds & _TELLING:
            # 刚才那个怎么样了: the table shows it, whichever it is.
            return not self._is_ambient
        return bag.queue is not None or ("queue" in bag.targets and openly)


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
