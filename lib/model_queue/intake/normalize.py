"""The form of a message that is scanned, with the way back to what was typed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

_KEEP = frozenset("①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳ⓐⓑⓒⓓⓔⓕ")
"""List markers that NFKC would turn into bare digits and letters."""

SCAN_LIMIT = 50_000
"""Characters that are read; nobody types more, so the rest is pasted material."""

_FORMS = {
    "\r": "\n",
    "\u2028": "\n",
    "\u2029": "\n",
    "\u0085": "\n",
    "\x0b": " ",
    "\x0c": " ",
    "\u2010": "-",
    "\u2011": "-",
    "\u2012": "-",
    "\u2013": "-",
    "\u2212": "-",
    "\u2018": "'",
    "\u2019": "'",
    "\u02bc": "'",
    "\ufe0f": "",
    "\ufe0e": "",
    "\u3164": "",
}
"""The forms that NFKC does not know."""
_TRADITIONAL = (
    "請请寫写讓让幫帮給给後后務务隊队佇队刪删暫暂復复試试過过煩烦狀状態态進进為为爲为麼么甚什沒没動动敗败還还幾几個个優优級级這这樣样嗎吗運运執执顯显總总報报結结誰谁銷销緊紧錯错擱搁"
    "凍冻緩缓掛挂繼继續续啟启開开關关閉闭終终廢废棄弃丟丢換换轉转發发問问題题誌志紀纪錄录輸输費费錢钱長长間间點点鐘钟時时週周號号項项條条裡里裏里們们將将來来對对從从與与並并無无論论"
    "當当輪轮話话檢检據据檔档頁页網网證证譯译議议記记計计設设調调變变標标產产處处實实應应該该說说謝谢辦办確确認认詳详兩两預预約约選选別别邊边遠远數数東东頭头滿满讀读買买單单獨独類类"
    "簡简體体統统歷历傳传會会義义幹干"
)
"""Traditional characters of our phrases, each before its simplified form."""
_FIXED = {
    **_FORMS,
    **dict(zip(_TRADITIONAL[::2], _TRADITIONAL[1::2], strict=True)),
}


_SIMPLIFIED = str.maketrans(_TRADITIONAL[::2], _TRADITIONAL[1::2])


def simplified(text: str) -> str:
    """Return a text with its Chinese characters as the scanning form has them.

    >>> simplified("終了後")
    '终了后'
    """
    return text if text.isascii() else text.translate(_SIMPLIFIED)


class Normal:
    """A message in scanning form: lower-case NFKC without invisible characters.

    ``text[i]`` came from ``source[starts[i]:ends[i]]``; both are non-decreasing, so that
    a span of the form is a verbatim span of the message.
    """

    __slots__ = ("ends", "source", "starts", "text")

    def __init__(
        self, source: str, text: str, starts: Sequence[int], ends: Sequence[int]
    ) -> None:
        self.source = source
        self.text = text
        self.starts = starts
        self.ends = ends

    def verbatim(self, start: int, end: int) -> str:
        """Return the part of the message behind ``text[start:end]``."""
        if start >= end:
            return ""
        return self.source[self.starts[start] : self.ends[end - 1]]


def compressed(normal: Normal, text: str, mask: str) -> tuple[Normal, str]:
    """Return a form and its protected text with one ``mask`` for each run of them.

    What is protected then counts the same however long it is.
    """
    runs = list(re.finditer(f"{mask}{{2,}}", text))
    if not runs:
        return normal, text
    parts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    done = 0
    for run in runs:
        begin, stop = run.span()
        parts += (text[done:begin], mask)
        starts += [*normal.starts[done:begin], normal.starts[begin]]
        ends += [*normal.ends[done:begin], normal.ends[stop - 1]]
        done = stop
    parts.append(text[done:])
    starts += normal.starts[done:]
    ends += normal.ends[done:]
    joined = "".join(parts)
    return Normal(normal.source, joined, starts, ends), joined


def normalize(message: str) -> Normal:
    """Return the scanning form of a message.

    NFKC and lower case, CRLF as LF, without zero-width and bidi characters; dashes
    within words are ``-``, apostrophes ``'``; circled list markers stay.
    Source: intake-guide P1.

    >>> normalize("Ｔ－００３").text
    't-003'
    """
    head = message[:SCAN_LIMIT]
    if head.isascii() and "\r" not in head:
        span = range(len(message) + 1)
        plain = head.lower().replace("\x0b", " ").replace("\x0c", " ")
        return Normal(message, plain + message[SCAN_LIMIT:], span, span[1:])
    plain = _one_to_one(head)
    if plain:
        span = range(len(message) + 1)
        return Normal(message, plain + message[SCAN_LIMIT:], span, span[1:])
    return _normalize_slowly(message, head)


_PLAIN = re.compile(
    r"[\x00-\x0a\x0b\x0c\x0e-\x7f\xa1-\xac\xae-\u02af\u2010-\u2014\u2018\u2019\u201c\u201d\u2022\u2190-\u21ff"
    r"\u2600-\u27bf\u3000-\u3020\u3041-\u3096\u30a1-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff5e\U0001f300-\U0001faff]*"
)
"""Characters that never join or vanish: Western letters, Chinese, kana, Hangul, signs."""
_ONE_TO_ONE: dict[int, int | str | None] = {
    **{0xFF01 + n: 0x21 + n for n in range(0x5E)},
    0x3000: 0x20,
    **{ord(c): form for c, form in _FIXED.items() if len(form) == 1},
}
"""Each full-width sign and traditional character with what it is in scanning form."""


def _one_to_one(head: str) -> str:
    """Return the scanning form of a text of plain characters, "" for any other text."""
    if _PLAIN.fullmatch(head) is None:
        return ""
    plain = head.translate(_ONE_TO_ONE).lower()
    is_same = len(plain) == len(head) and unicodedata.is_normalized("NFKC", plain)
    return plain.translate(_ONE_TO_ONE) if is_same else ""


def _normalize_slowly(message: str, head: str) -> Normal:
    known: dict[str, str] = {}
    out: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    position = 0
    for cluster in _clusters(head):
        end = position + len(cluster)
        form = known.get(cluster)
        if form is None:
            form = known[cluster] = _form(cluster)
        for char in form:
            out.append(char)
            starts.append(position)
            ends.append(end)
        position = end
    starts.extend(range(position, len(message)))
    ends.extend(range(position + 1, len(message) + 1))
    return Normal(message, "".join(out) + message[position:], starts, ends)


def _clusters(message: str) -> list[str]:
    """Cut into characters, each with the combining marks that follow it."""
    clusters: list[str] = []
    size = 0
    for char in message:
        glued = char == "\n" and clusters and clusters[-1] == "\r"
        if char > "\u02ff" and clusters and size < _MARKS_LIMIT:
            glued = glued or bool(unicodedata.combining(char)) or _is_jamo_tail(char)
        if glued:
            clusters[-1] += char
            size += 1
        else:
            clusters.append(char)
            size = 0
    return clusters


_MARKS_LIMIT = 8
"""Marks kept with one character; a longer pile (noise) starts a new cluster."""


def _is_jamo_tail(char: str) -> bool:
    """Hangul vowels and finals join the syllable before them."""
    return "\u1160" <= char <= "\u11ff"


def _form(cluster: str) -> str:
    if cluster in _FIXED:
        return _FIXED[cluster]
    if cluster == "\r\n":
        return "\n"
    if cluster in _KEEP:
        return cluster
    kept = [c for c in cluster if unicodedata.category(c) != "Cf" and c not in _FIXED]
    if not kept and cluster[0] not in _FIXED:
        return ""
    plain = unicodedata.normalize("NFKC", "".join(kept) or _FIXED[cluster[0]])
    return "".join(_FIXED.get(c, c) for c in plain.lower())
