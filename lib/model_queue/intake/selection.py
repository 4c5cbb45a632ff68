"""How far a selection phrase reaches behind the name that it selects."""

from __future__ import annotations

import re

from model_queue.intake import phrases
from model_queue.intake.context import Context
from model_queue.intake.lexicon import Lazy
from model_queue.intake.names import Ref

_AFTER_USE = Lazy(
    r"\s{0,2}(?:[:,;.\n]|-\s|(?:to|for|and|on this|please|here|pls|then)\b|\)|\Z)"
)
_FOR = Lazy(
    r"\s{0,2}(?:,?\s?please)?(?:(?:\s?to\b|\s?and\b|\s?for (?:this|that|it|these|the following|all|all of (?:this|"
    r"these|it)|them|everything|both|the (?:task|job|job below)|this (?:one|task|job)|all tasks)\b|\s?for\b|\s?on this\b|"
    r"\s?here\b|\s?please\b|\s?pls\b|\s?then\b))?(?:\s?please\b)?\s{0,3}"
)
SET_OFF = Lazy(r"\s{0,2}(?P<mark>[:,;.\n]|-\s|--)\s{0,3}")
_AFTER_ZH = Lazy(
    r"\s{0,2}(?:上面|上|那边|那里|那儿)?(?:来|去|帮我|帮忙|给我|处理|执行|运行|跑|做|完成|干|一下|下|这个|这些|这件事|任务|就行|即可|吧|"
    r"并|队列|模型)*\s{0,2}"
)
_ZH_ONLY_HELPERS = Lazy(r"\s{0,2}(?:来|去|帮我|帮忙|给我)*\s{0,2}")
ZH_NOUN = Lazy(
    r"\s{0,2}(?:的|配置|文件|仓库|分支|服务|存储|数据|环境|控制|桌面|调试|办公|缓存|时间|化|部署|主机|工具|开发|变量|目录|"
    r"路径|代理|镜像|会议|协作|电脑|磁盘|硬盘|盘|网络|账号|机构|企业|方言|特色|美食|新闻|生活|市场|客户|团队|员工|商家|"
    r"和|与|跟|还是|或|分词|接口|api|sdk|那套|风格|格式|当|作为|做为|替换|代替|客户端|镜头|登录|连接|监控)"
)


class Selection:
    """A selection phrase: the name, where the phrase ends, how far it reaches."""

    __slots__ = ("end", "is_set_off", "kind", "ref", "start")

    def __init__(
        self, *, start: int, end: int, ref: Ref, kind: str, is_set_off: bool
    ) -> None:
        self.start = start
        self.end = end
        self.ref = ref
        self.kind = kind
        self.is_set_off = is_set_off


def skip_blanks(text: str, start: int, end: int) -> int:
    """Step over blanks."""
    while start < end and text[start] in " \t":
        start += 1
    return start


def english(
    text: str, start: int, end: int, named: tuple[Ref, str], ctx: Context
) -> Selection | None:
    """Read what stands behind a name in a language written with Latin letters.

    ``named``: the name, and the kind of the selecting phrase before it.
    """
    ref, kind = named
    stop, is_set_off = ref.end, False
    purpose = ctx.at("select_for", text, skip_blanks(text, stop, end), end)
    mark = SET_OFF.match(text, stop, end)
    if kind == "agent":
        before_verb = TO_VERB.match(text, stop, end)
        stop = before_verb.end() if before_verb else -1
        stop = purpose.end if purpose and before_verb else stop
    elif mark:
        stop, is_set_off = mark.end(), True
    elif kind == "noun":
        stop = -1
    elif kind in _PLACES and stop < end:
        stop, is_set_off = _behind_place(text, ref, end, kind, ctx)
    elif purpose or _AFTER_USE.match(text, stop, end):
        behind = _FOR.match(text, stop, end)
        stop = purpose.end if purpose else behind.end() if behind else stop
        mark = SET_OFF.match(text, stop, end)
        is_set_off = bool(mark) or stop >= end
        stop = mark.end() if mark else stop
    elif not opens_request(text, stop, end, ctx):
        stop = -1
    if stop < 0:
        return None
    return Selection(start=start, end=stop, ref=ref, kind=kind, is_set_off=is_set_off)


_PLACES = frozenset(("send", "run", "on"))
TO_VERB = Lazy(r"\s{1,2}(?:to\s{1,2})?(?:please\s)?(?=[a-z])")
_COURTESY = Lazy(r"\s(?:please|pls|for me)\s{0,2}(?=[:,\n]|\Z)")


def _behind_place(
    text: str, ref: Ref, end: int, kind: str, ctx: Context
) -> tuple[int, bool]:
    """Return where "run this on X" ends, -1 when the work does not begin there."""
    is_named = kind == "on" and ref.is_full and ref.kind != "unknown"
    if is_named and opens_request(text, ref.end, end, ctx):
        return ref.end, False
    courtesy = _COURTESY.match(text, ref.end, end)
    if courtesy is None:
        return -1, False
    mark = SET_OFF.match(text, courtesy.end(), end)
    return (mark.end(), True) if mark else (courtesy.end(), False)


def opens_request(text: str, start: int, end: int, ctx: Context) -> bool:
    """Tell whether a request begins behind the blanks at a position."""
    position = skip_blanks(text, start, end)
    if position == start:
        return False
    word = re.compile(r"[a-z-]+").match(text, position, end)
    if word is None:
        return position < end and text[position] > "\u2e80"
    if phrases.verbs.is_english_request(word.group()):
        return True
    # The verbs of the other languages are not listed.
    return ctx.has_others or word.group() in {"please", "pls"}


def chinese(text: str, start: int, end: int, ref: Ref, kind: str) -> Selection | None:
    """Read what stands behind a name in Chinese."""
    if ZH_NOUN.match(text, ref.end, end):
        return None
    if kind == "zh_on":
        after = re.compile(
            r"\s{0,2}(?:上面|上|那边|里|中)?(?:来|去)?(?:跑|执行|运行|处理|做|完成)?"
        ).match(text, ref.end, end)
        stop = after.end() if after else ref.end
        if stop == ref.end and not SET_OFF.match(text, stop, end):
            return None
    else:
        full = _AFTER_ZH.match(text, ref.end, end)
        stop = full.end() if full else ref.end
        if stop < end and not SET_OFF.match(text, stop, end):
            helpers = _ZH_ONLY_HELPERS.match(text, ref.end, end)
            stop = helpers.end() if helpers else ref.end
    mark = SET_OFF.match(text, stop, end)
    return Selection(
        start=start,
        end=mark.end() if mark else stop,
        ref=ref,
        kind=kind,
        is_set_off=bool(mark) or stop >= end,
    )
