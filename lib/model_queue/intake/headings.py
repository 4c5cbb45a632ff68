"""Whether a heading announces jobs, or is itself the request about what follows."""

from __future__ import annotations

import re
from collections.abc import Sequence

from model_queue.intake import phrases
from model_queue.intake.classify import kind_of
from model_queue.intake.edges import Core, trim
from model_queue.intake.layout import Item, Line
from model_queue.intake.lexicon import Lazy
from model_queue.intake.marks import Context

IN_ORDER = Lazy(
    r"\bin (?:(?:this|the given|that|the|strict|exact|exactly this|the following|the same) )?(?:exact )?(?:order|sequence)\b|"
    r"\bone after (?:the other|another)\b|\bone by one\b|\bsequentially\b|\bstep by step\b|\bin sequence\b|\bconsecutively\b|"
    r"\bone at a time\b|\bback to back\b|按顺序|按照?(?:下面|以下|如下)?的?(?:顺序|次序|步骤)|依次|逐个|按步骤|一个接一个|先后|顺序执行|串行|一步一步|逐步"
)
PARALLEL = Lazy(
    r"\bin parallel\b|\bat the same time\b|\bsimultaneously\b|\bconcurrently\b|\bindependently\b|\bin any order\b|并行|同时|互不依赖|不分先后"
)
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
    if core.is_empty or core.marks.is_triggered or not _has_content(text, core):
        return False
    return kind_of(text, start, end) == "request" and not _are_jobs(text, items, ctx)


def _has_content(text: str, core: Core) -> bool:
    words = text[core.start : core.end]
    heading = words.rstrip(" :") + ":"
    if _JOBS_HEADING.search(heading) or COUNTED.search(heading):
        return not announces(words)
    first = re.match(r"[a-z'-]+", words)
    if first and first.group() in _GENERIC:
        return False
    if IN_ORDER.search(words) and len(words) < _SHORT:
        return False
    announced = phrases.lexicon("announce").whole(text, core.start, core.end)
    return first is not None or announced is None


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
    word = re.match(r"[a-z'-]+", words)
    if word:
        return " " in words and phrases.verbs.is_english_request(word.group())
    return words[:1] in phrases.verbs.CHINESE or words[:2] in phrases.verbs.CHINESE


def announces_lines(text: str, line: Line, ctx: Context) -> bool:
    """Tell whether a heading announces that each bare line below is a job. Source: S4."""
    core = trim(text, line.start, line.end, ctx)
    if core.is_empty:
        return core.marks.is_triggered or core.marks.has_any
    is_heading = _JOBS_HEADING.search(text, line.start, line.end) is not None
    return is_heading and announces(text[core.start : core.end])
