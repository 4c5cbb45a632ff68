"""Questions about the queue and its tasks, read from a clause."""

from __future__ import annotations

from model_queue.intake.bag import Bag
from model_queue.intake.clause import ACTS, Clause
from model_queue.intake.lexicon import Lazy
from model_queue.intake.phrases import zh_clauses
from model_queue.intake.values import Command

_WHOLE_LIMIT = 100
"""Characters of a question about the whole queue."""
_UNKNOWN_LIMIT = 3
"""Unknown words that a question about an id may hold ("what did T-004 find out?")."""
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
_WANTED = (
    (
        "report",
        Lazy(
            r"\b(?:reports?|results?|outputs?|outcomes?|answers?|findings|find|found|say|said)\b|结果|报告|输出"
        ),
    ),
    ("log", Lazy(r"\blogs?\b|日志")),
)
_TELLING = frozenset(("status", "state", "explain"))
_POINTS = Lazy(
    r"\b(?:it|that|this|them|those|these|one|last|latest|both)\b|那|这|它|刚才|刚刚|最后|最近|某|前一个|上一个|上个"
)
_QUEUE = Lazy(r"queue|队列|warteschlange|\bcola\b|\bfile\b|キュー|待ち行列|대기열|큐")


def whole_question(clause: Clause) -> Command | None:
    """A set question about the queue: "what is running?", 队列状态."""
    stop = clause.end
    while stop > clause.start and not clause.text[stop - 1].isalnum():
        stop -= 1
    scan = clause.ctx.scan(clause.text)
    if stop - clause.start > _WHOLE_LIMIT or not scan.candidates(
        "status_whole", clause.start, stop
    ):
        return None
    for begin in dict.fromkeys((clause.start, clause.past_politeness(stop))):
        tail = clause.ctx.before("polite_tail", clause.text, begin, stop)
        ends = (stop, tail.start if tail and tail.start > begin else stop)
        for last in dict.fromkeys(len(clause.text[:e].rstrip(" ,")) for e in ends):
            hit = clause.ctx.whole("status_whole", clause.text, begin, last)
            words = hit.words if hit else ""
            if words and (not clause.is_ambient or _QUEUE.search(words)):
                word = hit.groups.get("word", "") if hit else ""
                is_list = bool(word) or words.startswith(("list", "列"))
                verb = "list" if is_list else "status"
                return Command(command="status", verb=verb, word=word)
    return None


def question(clause: Clause) -> Command | None:
    """Read a question about tasks by their ids, a source, or the queue."""
    if not (clause.may_name or _points(clause)) or clause.is_talk:
        return None
    begin = clause.past_politeness(clause.end)
    if not clause.asks and _WAITS.search(clause.text, begin, clause.end):
        # "check the list after T-002": work that waits for a task.
        return None
    bag = clause.collect(
        begin,
        clause.end,
        "verb",
        "state",
        "target",
        "filler",
        patience=0 if clause.is_ambient else _UNKNOWN_LIMIT,
    )
    if not _is_question(clause, bag):
        return None
    if bag.ids:
        explains = _EXPLAINS.search(clause.text, begin, clause.end) is not None
        verb = "explain" if explains else "show"
        word = "" if explains else _wanted(clause, begin)
        return Command(command="show", ids=bag.ids, verb=verb, word=word)
    return Command(command="status", queue=bag.queue, verb="status")


def _points(clause: Clause) -> bool:
    """Whether an open question may point at a task: "how did that one go?"."""
    words = clause.text[clause.start : clause.end]
    asks = clause.asks or _ASKS_OPENLY.search(words) is not None
    return asks and _POINTS.search(words) is not None


def _wanted(clause: Clause, begin: int) -> str:
    """Return what of a task is asked for: its report, its log, "" for the whole."""
    asked = (
        word for word, words in _WANTED if words.search(clause.text, begin, clause.end)
    )
    return next(asked, "")


def _is_question(clause: Clause, bag: Bag) -> bool:
    words = clause.text[clause.start : clause.end]
    openly = clause.asks or _ASKS_OPENLY.search(words) is not None
    asks = openly or zh_clauses.ASKS.search(words) is not None
    kinds = set(bag.kinds)
    if not (asks or kinds & {"status", "state", "explain"}) or (
        kinds & {"negated"} and not asks
    ):
        return False
    if bag.unknown and (
        clause.is_ambient or not openly or bag.unknown > _UNKNOWN_LIMIT
    ):
        return False
    if bag.ids:
        if len(bag.ids) > 1 and "status" in kinds and kinds & ACTS:
            return openly
        about = bool(kinds & {"status", "explain"})
        if clause.is_ambient:
            return asks or about
        return asks or about or not kinds & (ACTS | {"past"})
    return _asks_about_queue(clause, bag, words, openly=openly)


def _asks_about_queue(clause: Clause, bag: Bag, words: str, *, openly: bool) -> bool:
    kinds = set(bag.kinds)
    if bag.unknown or (not openly and _SELECTING.search(words)):
        return False
    if kinds & ACTS and not clause.is_whether:
        return False
    if clause.is_ambient and not bag.is_full:
        return (
            "queue" in bag.targets
            and openly
            and words.startswith(("what", "which", "how many"))
        )
    if "point" in bag.targets and openly and kinds & _TELLING:
        # 刚才那个怎么样了: the table shows it, whichever it is.
        return not clause.is_ambient
    return bag.queue is not None or ("queue" in bag.targets and openly)


def ids_alone(clause: Clause) -> Command | None:
    """T-003 as the whole message: what is asked for is what there is to tell."""
    if clause.is_ambient or not (clause.may_name and clause.is_first):
        return None
    bag = clause.collect(clause.start, len(clause.text), "target")
    if bag.unknown or bag.kinds or bag.targets != {"id"}:
        return None
    return Command(command="show", ids=bag.ids, verb="show")
