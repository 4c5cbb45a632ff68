"""Whether a heading announces jobs, or is itself the request about what follows."""

from __future__ import annotations

import re
from collections.abc import Sequence

from model_queue.intake import phrases
from model_queue.intake.assignment import assignment
from model_queue.intake.classify import kind_of
from model_queue.intake.context import Context
from model_queue.intake.edges import Core, trim
from model_queue.intake.layout import Item, Line
from model_queue.intake.lexicon import Hit, Lazy

_GENERIC = frozenset(
    [
        "do",
        "run",
        "handle",
        "complete",
        "process",
        "execute",
        "work",
        "take",
        "add",
        "queue",
        "start",
        "finish",
        "deal",
        "tackle",
        "perform",
        "go",
        "get",
        "help",
        "carry",
        "put",
        "make",
        "enqueue",
        "schedule",
        "create",
        "please",
        "have",
        "let",
        "need",
        "here",
        "knock",
    ]
)
_JOBS_HEADING = Lazy(
    r"(?:tasks?|to-?dos?|to do|to-do list|todo list|jobs|things to do|task list|things|agenda|action items|work items|chores|errands|requests|"
    r"backlog|next steps|my list|list|for today|today|[^:\n]{0,60}\b(?:tasks|jobs|things|todos|to-dos|items|requests|chores|the following|"
    r"these|following|queue|off my plate|errands))\s?:\s*\Z|[^:。\n]{0,20}(?:待办|任务|要做的|事|清单|工作|这些|几件|下面|以下|如下|几项|队列|安排|计划)[^:。\n]{0,6}:\s*\Z"
)
COUNTED = Lazy(
    r"(?:\b(?:two|three|four|five|six|seven|several|some|few|couple of|\d{1,2})\s(?:\w{1,12}\s){0,2}(?:things|jobs|tasks|items|requests|"
    r"to-dos|todos|chores|favou?rs|errands|points|pieces of work)|\b(?:tasks|to-?dos|jobs|to do)|[两二三四五六七八九几\d]\s?(?:件|个|项|样|条|点)(?:事情|事儿|事|任务|工作|活儿?|需求|要求|东西)?|待办(?:事项)?|任务)"
    r"[^:;\n]{0,30}:"
)
_REQUEST_HEADS = ("比较", "对比", "翻译", "总结", "分析", "解释", "列出")
"""Chinese verbs that make a heading with a number the request itself."""


def is_request(
    text: str, start: int, end: int, items: Sequence[Item], ctx: Context
) -> bool:
    """Tell whether a heading is the whole request and its items are names or values.

    Source: guide S3.
    """
    core = trim(text, start, end, ctx)
    if (
        assignment(text, start, end, ctx)
        or core.is_empty
        or core.marks.is_triggered
        or not _has_content(text, core, ctx)
    ):
        return False
    return kind_of(text, start, end, ctx) == "request" and not _are_jobs(
        text, items, ctx
    )


def _has_content(text: str, core: Core, ctx: Context) -> bool:
    words = text[core.start : core.end]
    heading = words.rstrip(" :") + ":"
    is_list = _JOBS_HEADING.search(heading) or COUNTED.search(heading)
    if is_list or has_phrase("jobs_heading", text, core.start, core.end, ctx):
        return not announces(words)
    first = re.match(r"[a-z'-]+", words)
    if first and first.group() in _GENERIC and not _OBJECT.match(words, first.end()):
        return False
    if len(words) < _SHORT and has_phrase("in_order", text, core.start, core.end, ctx):
        return False
    announced = ctx.whole("announce", text, core.start, core.end)
    return first is not None or announced is None


def phrase(purpose: str, text: str, start: int, end: int, ctx: Context) -> Hit | None:
    """Return the first phrase for a purpose in a span, None without one."""
    return next(iter(ctx.find(purpose, text, start, end)), None)


def has_phrase(purpose: str, text: str, start: int, end: int, ctx: Context) -> bool:
    """Tell whether a phrase for a purpose occurs in a span."""
    return phrase(purpose, text, start, end, ctx) is not None


_OBJECT = Lazy(
    r"(?!.*\b(?:these|those|following|tasks?|jobs?|things?|items?|steps?|to-?dos?|both|everything|all|list|below|"
    r"order|them|it|points?|requests?|stuff|plate|queue)\s?:?\s?\Z)(?:\s[\w'-]+){3}"
)
"""What is done, where the verb alone does not say: "make one table of these apples"."""
_SHORT = 30
"""Characters of a heading that says nothing but the order."""


def announces(words: str) -> bool:
    """Tell whether a heading only announces ("do these", 三件事) and asks for nothing."""
    first = re.match(r"[a-z'-]+", words)
    if first is None:
        return not words.startswith(_REQUEST_HEADS)
    word = first.group()
    return word in _GENERIC or not phrases.verbs.is_english_request(word)


def _are_jobs(text: str, items: Sequence[Item], ctx: Context) -> bool:
    """Tell whether most items read as jobs and not as names."""
    jobs = sum(_is_job(text, item.start, item.end, ctx) for item in items)
    return jobs * 2 > len(items)


def _is_job(text: str, start: int, end: int, ctx: Context) -> bool:
    core = trim(text, start, end, ctx)
    words = text[core.start : core.end]
    if any(pattern.search(words) for pattern in _jobs_in(ctx)):
        return True
    word = re.match(r"[a-z'-]+", words)
    if word:
        return " " in words and phrases.verbs.is_english_request(word.group())
    return words[:1] in phrases.verbs.CHINESE or words[:2] in phrases.verbs.CHINESE


_JOBS_IN = {
    "de": Lazy(
        r"\A\w+ (?:.* )?\w+(?:en|eln|ern)\Z|\A[a-zäöü]+(?:e|iere) (?:de[nrm]|die|das|ein\w*|mein\w*|unser\w*) "
    ),
    "es": Lazy(
        r"\A\w{2,}(?:ar|er|ir|a|e) (?:el|la|los|las|un|una|mi|mis|nuestr\w+|al|unos|unas|con|que) "
    ),
    "fr": Lazy(
        r"\A[\wé]{2,}(?:er|ir|re|e|s|is|ds) (?:le|la|les|un|une|des|mon|ma|mes|nos|notre|du|ce|cette|ces|l')[ a-zà-ÿ]"
    ),
    "ja": Lazy(
        r"を[^、。]{1,20}\Z|(?:する|作成|確認|確认|翻訳|翻译|整理|更新|送信|分析|修正|準備|作る|書く|书く|まとめる|直す)\Z"
    ),
    "ko": Lazy(
        r"[을를] |(?:하기|작성|정리|번역|분석|확인|수정|해줘|보내기|쓰기|만들기|업데이트|검토|주세요|요약)\Z"
    ),
}
"""What an item is that is a job and no name, in the languages whose verbs are not listed."""


def _jobs_in(ctx: Context) -> list[Lazy]:
    return [_JOBS_IN[x] for x in ctx.phrases.languages if x in _JOBS_IN]


def announces_lines(text: str, line: Line, ctx: Context) -> bool:
    """Tell whether a heading announces that each bare line below is a job. Source: S4."""
    core = trim(text, line.start, line.end, ctx)
    if core.is_empty:
        return core.marks.is_triggered or core.marks.has_any
    is_heading = _JOBS_HEADING.search(text, line.start, line.end) is not None
    is_heading = is_heading or (
        text[line.start : line.end].rstrip().endswith(":")
        and has_phrase("jobs_heading", text, core.start, core.end, ctx)
    )
    return is_heading and announces(text[core.start : core.end])
