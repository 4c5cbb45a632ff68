"""Whether a message that a person typed to an agent is meant for the queue."""

from __future__ import annotations

import re
from collections.abc import Mapping

from model_queue.intake import phrases, pieces, select, sentences, split, words
from model_queue.intake.context import Context
from model_queue.intake.edges import trim
from model_queue.intake.findings import Findings
from model_queue.intake.lexicon import Lazy
from model_queue.intake.protect import MASK
from model_queue.intake.selection import Selection
from model_queue.intake.targets import is_remark
from model_queue.intake.values import Catalog, Command

_PREFIX = Lazy(r"(?:model-queue\s?:|/(?:mq|queue)(?=\s))\s{0,20}")
_HOST_WORDS = frozenset(
    ["collect", "steer", "followup", "interrupt", "default", "reset"]
)
"""What OpenClaw's own ``/queue`` takes: never ours."""
_BEHIND_TASK = Lazy(
    r"\s{0,3}(?P<mark>[:\n]|-\s|--|—|[,(](?=[^:\n]{1,30}:))\s{0,40}(?=\S)"
)
_BEHIND_USER = Lazy(
    r"\s{0,3}(?:(?:[:\n,.!]|-\s|--|—)\s{0,40}|\s|(?=[^\x00-\x7f]))(?=\S)"
)
_BEHIND_QUEUE = Lazy(r"\s{0,3}(?P<mark>[:\n,.]|-\s|--|—|to\s(?=[a-z]))\s{0,40}(?=\S)")
_BEHIND: Mapping[str, Lazy] = {"queue": _BEHIND_QUEUE, "user": _BEHIND_USER}
"""What parts a trigger from its work, by the trigger's kind."""
_CODE = Lazy(
    r"\b(?:worker|workers|consumer|consumers|producer|message|messages|event|events|celery|redis|rabbitmq|kafka|sqs|"
    r"buffer|thread|threads|callback|payload|packet|packets|function|method|class|handler|endpoint|"
    r"component|button|form|modal|redux|when the user|each (?:request|item|job)|broker|pubsub|deque|bullmq|sidekiq)\b|"
    r"消费者|生产者|线程|回调|函数|接口|组件|按钮|消息|收到请求|请求时|中间件"
)
_TALK = Lazy(
    r"(?:how|what|why|when|if|should|does|did|don't|do not|never|please don't|i |we |you |he |she |they |it |the |怎么|如何|为什么|"
    r"如果|别|不要|先别|我|你|他)"
)
_MODEL_WORK = frozenset(
    [
        "summarise",
        "summarize",
        "translate",
        "rewrite",
        "proofread",
        "classify",
        "label",
        "tag",
        "extract",
        "outline",
        "draft",
        "paraphrase",
        "rephrase",
        "analyse",
        "analyze",
        "polish",
        "shorten",
        "explain",
        "simplify",
        "transcribe",
        "categorise",
        "categorize",
        "condense",
        "edit",
        "brainstorm",
        "critique",
        "refactor",
        "compare",
    ]
)
"""Work that a language model does, so that "… with X" behind it selects the model."""
_RUNS_CODE = frozenset(
    [
        "power",
        "run",
        "serve",
        "back",
        "drive",
        "host",
        "replace",
        "be",
        "act",
        "become",
        "support",
        "implement",
        "provide",
        "handle",
        "configure",
        "set",
    ]
)
_NO_OPENING = frozenset(
    ("no", "not", "yes", "ok", "okay", "never", "maybe", "oh", "wait", "actually")
)
"""What nobody begins a piece of work with."""
_ZH_NO_WORK = Lazy(
    r"(?:的|做|当|作为|成为|支持|跑起来|启动|部署|代替|替换|接入|驱动|搭建|和|与|还是|或|好|行|更|比|会|能|可以|是|有|没|不|太|很|吗|呢|效果|$)"
)
_CODE_DETAIL = Lazy(
    r"\b(?:instead of|in the code|endpoint|client|tokenizer|api|config|settings|sdk|the app|the backend|in production|as the|as our|"
    r"default model)\b"
)


def may_be_ours(text: str, catalog: Catalog) -> bool:
    """Tell whether a message has a word without which nothing can be ours."""
    return any(word in text for word in words.guard_texts(catalog))


def prefix_end(text: str) -> int:
    """Return where the address prefix ends (``model-queue:``, ``/mq``), 0 without one.

    It counts as the very first characters only.
    """
    match = _PREFIX.match(text)
    return match.end() if match else 0


def find(text: str, ctx: Context, *, prefix: int) -> Findings | None:
    """Return what a message puts on the queue, None when it is the agent's.

    Taken are: a prefix as the very first characters; a trigger at the start or as a
    closing clause that points back; a selected model or source before a piece of work;
    commands with a queue target. Any doubt leaves the message to the agent.
    Source: ambient-guide X0 to X6.

    ``prefix`` is where the address prefix ends, 0 without one; it is blank in ``text``.
    """
    if prefix:
        first = re.match(r"[a-z]+", text[prefix:])
        if first is None and not text[prefix:].strip():
            return None
        if first and first.group() in _HOST_WORDS:
            return None
        return pieces.find(text, prefix, len(text), ctx)
    start = _past_courtesy(text, ctx)
    below = len(text) - len(text.lstrip(MASK + " \t\n"))
    if start == 0 and below:
        # Pasted text to which the instruction below it points back.
        start = _past_courtesy(text, ctx, below)
    if start >= len(text):
        return None
    return (
        _triggered(text, start, ctx)
        or _closed(text, start, ctx)
        or _commanded(text, start, ctx)
        or _selected(text, start, ctx)
    )


def _past_courtesy(text: str, ctx: Context, start: int = 0) -> int:
    """Step over greeting, emoji and politeness in front."""
    position, end = start, len(text)
    for _ in range(8):
        while position < end and not (
            text[position].isalnum() or text[position] in MASK + "/<[(|{#-*>+\"'`"
        ):
            position += 1
        hit = ctx.at("greeting", text, position, end)
        if hit is None or hit.kind == "ack" or hit.end >= end:
            hit = ctx.at("courtesy", text, position, end)
        if hit is None or hit.end >= end:
            break
        position = hit.end
    return position


def _triggered(text: str, start: int, ctx: Context) -> Findings | None:
    hit = ctx.at("ambient_trigger", text, start, len(text))
    if hit is None:
        return None
    behind = _BEHIND.get(hit.kind, _BEHIND_TASK).match(text, hit.end)
    if behind is None:
        return None
    if hit.kind != "user" and not _leads_to_work(text, behind, ctx):
        return None
    found = pieces.find(text, start, len(text), ctx, is_triggered=True)
    return found if found.pieces else None


def _leads_to_work(text: str, behind: re.Match[str], ctx: Context) -> bool:
    """Tell whether work follows a trigger, and what parts them is no part of a sentence.

    "add a task, urgent: …" says how; "create a task (in Jira): …" is somebody else's.
    """
    if _NO_WORK.match(text, behind.end()) or _REQUIREMENT.match(text, behind.end()):
        return False
    mark = behind["mark"] or ""
    if mark.startswith("-"):
        word = re.compile(r"[a-z][a-z'-]*").match(text, behind.end())
        return word is None or phrases.verbs.is_english_request(word.group())
    if mark not in {",", "("}:
        return True
    colon = text.find(":", behind.end())
    return trim(text, behind.start("mark"), colon, ctx).is_empty


_REQUIREMENT = Lazy(
    r"(?:the|a|an|this|that|it|we|they|users?)\b[^.?!\n]{0,60} (?:should|must|shall|needs? to|has to|have to)\b"
)
"""A sentence about what code must do, not a request to the assistant."""
_NO_WORK = Lazy(r"[\[{(<]\s*[\]})>]|[{<]|\[(?![ x]\])")
"""Code behind the colon: "tasks: []" is a line of a file."""


def _closed(text: str, start: int, ctx: Context) -> Findings | None:
    """A closing clause or sentence that points back: "… and add that to the task queue"."""
    end = len(text.rstrip(" \t\n.!~,。"))
    tail = ctx.before("polite_tail", text, start, end)
    stop = len(text[: tail.start].rstrip(" \t\n.!~,。")) if tail else end
    hit = ctx.before("ambient_tail", text, start, stop) or ctx.before(
        "ambient_tail", text, start, end
    )
    if hit is None or _TALK.match(text, start) or _CODE.search(text):
        return None
    before = text[start : hit.start].rstrip()
    if not before or MASK in before[-1:] or not _opens_work(text, start):
        return None
    if hit.kind == "own" and before[-1] not in ".!。;\n,":
        return None
    found = pieces.find(text, 0, len(text), ctx, is_triggered=True)
    return found if found.pieces else None


def _opens_work(text: str, start: int) -> bool:
    word = re.compile(r"[a-z][a-z'-]*").match(text, start)
    if word is None:
        return text[start] > "\u2e80" and text[start] != MASK
    return phrases.verbs.is_english_request(word.group())


def _commanded(text: str, start: int, ctx: Context) -> Findings | None:
    """Every sentence a command or status question; or commands and then a trigger."""
    if len(text) > _COMMAND_LIMIT:
        return None
    found = Findings()
    for begin, end in split.sentences(text, start, len(text)):
        reading = sentences.read_sentence(text, begin, end, ctx, is_ambient=True)
        rest = text[reading.start : reading.end].strip(" .,;:!?\n")
        if not rest and reading.commands:
            found.commands.extend(reading.commands)
            continue
        if reading.commands and ctx.at(
            "ambient_trigger", text, _word_at(text, reading.start), len(text)
        ):
            more = _triggered(text, _word_at(text, reading.start), ctx)
            if more is None:
                return None
            more.commands[:0] = found.commands + reading.commands
            return more
        if rest and not (
            _is_courtesy(text, begin, end, ctx)
            or (found.commands and is_remark(text, begin, end, ctx))
        ):
            return None
    return found if any(_has_target(c) for c in found.commands) else None


_COMMAND_LIMIT = 2000
"""Characters of a message that may be all commands; nobody types more of them."""


def _has_target(command: Command) -> bool:
    return bool(
        command.ids or command.queue or command.all or command.command == "status"
    )


def _word_at(text: str, start: int) -> int:
    while start < len(text) and not text[start].isalnum():
        start += 1
    return start


def _is_courtesy(text: str, start: int, end: int, ctx: Context) -> bool:
    position = _word_at(text, start)
    for purpose in ("greeting", "polite_tail"):
        hit = ctx.at(purpose, text, position, end)
        if hit and not text[hit.end : end].strip(" .,!?\n~"):
            return True
    return False


def _selected(text: str, start: int, ctx: Context) -> Findings | None:
    found = select.lead(text, start, len(text), ctx)
    if found is None:
        return _selected_behind(text, start, ctx)
    ref = found.ref
    if ref.kind == "unknown" or found.kind == "address" or not _is_strong(found, text):
        return None
    rest = text[found.end :].lstrip()
    if not rest or rest.startswith(MASK) or _CODE_DETAIL.search(text):
        return None
    if not _has_work(text, found, rest):
        return None
    work = pieces.find(text, start, len(text), ctx, is_triggered=True)
    return work if work.pieces else None


def _has_work(text: str, found: Selection, rest: str) -> bool:
    if found.kind in {"use", "on", "run", "send", "agent", "label", "bracket"}:
        return _english_work(text, found)
    if _CODE.search(text):
        return False
    if found.kind == "particle":
        return _ASKED_DIRECTLY.search(text) is not None
    return not (_ZH_NO_WORK.match(rest) or rest.endswith(("?", "吗", "呢")))


_ASKED_DIRECTLY = Lazy(
    r"(?:て|ください|下さい|お願い|お願いします|해줘|해 줘|주세요|써줘|줘)[.!。 \n]*\Z"
)
"""How a Japanese or Korean request ends that is put to the assistant."""


def _is_strong(found: Selection, text: str) -> bool:
    ref = found.ref
    if ref.kind == "model" or ref.is_full:
        return True
    set_off = text[ref.end : found.end].strip().startswith(":")
    return found.kind in {"send", "run"} and set_off


def _english_work(text: str, found: Selection) -> bool:
    behind = text[found.ref.end : found.end]
    if found.kind in {"label", "bracket"}:
        return found.kind == "label" and _opens_work(text, found.end)
    if found.kind in {"send", "run"} and ":" not in behind and "\n" not in behind:
        return False
    if found.kind in {"use", "agent"} and behind.strip().startswith(("for", "and")):
        return False
    word = re.compile(r"[a-z][a-z'-]*").match(text, found.end)
    if word is None:
        return ":" in behind or text[found.end] > "\u2e80"
    is_code = word.group() in _RUNS_CODE and ":" not in behind
    if is_code or word.group() in _NO_OPENING:
        return False
    return phrases.verbs.is_english_request(word.group()) or ":" in behind


def _selected_behind(text: str, start: int, ctx: Context) -> Findings | None:
    """Read "translate README.md with qwen2.5": work of a language model, then who does it."""
    word = re.compile(r"[a-z][a-z'-]*").match(text, start)
    if (
        word is None
        or word.group() not in _MODEL_WORK
        or _CODE.search(text)
        or _CODE_DETAIL.search(text)
    ):
        return None
    end = len(text.rstrip(" \t\n.!~"))
    tail = ctx.before("polite_tail", text, start, end)
    stop = len(text[: tail.start].rstrip(" ,")) if tail else end
    found = select.tail(text, start, stop, ctx)
    if found is None or found.ref.kind == "unknown" or "\n" in text[start:stop]:
        return None
    if found.ref.kind == "source" and not found.ref.is_full:
        return None
    work = pieces.find(text, start, len(text), ctx, is_triggered=True)
    return work if work.pieces else None
