"""Languages, counts, spans, moments and cuts as a person reads them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from typing import Literal

from model_queue.messages import texts
from model_queue.model import ErrorClass

LIST_COLUMNS = 72
"""Width of a description in a list: with id, marker and note it fills a line of chat."""
LINE_COLUMNS = 280
"""Width of a text that stands alone on its line, such as an error."""

_SAMPLE = 4096
_ELLIPSIS = "…"
_DEPENDENCY = "Dependency "


def language_of(text: str) -> Literal["en", "zh"]:
    """Return ``zh`` for a text with Chinese ideographs, else ``en``.

    Ideographs among more kana or hangul are Japanese or Korean, which have no texts of
    their own and get English. Only the first 4,096 characters count.

    >>> language_of("用 qwen2.5 分析销售数据"), language_of("売上を分析してください")
    ('zh', 'en')
    """
    if text.isascii():
        return "en"
    ideographs = syllables = 0
    for char in text[:_SAMPLE]:
        ideographs += _is_ideograph(char)
        syllables += _is_syllable(char)
    return "zh" if ideographs > syllables else "en"


def say(text: texts.Text, lang: str, /, **facts: object) -> str:
    """Fill in one text in the reader's language."""
    return text[is_chinese(lang)].format(**facts)


def is_chinese(lang: str) -> bool:
    """Report whether a language is ``zh`` or a variant of it; all else gets English."""
    return lang.lower().startswith("zh")


def counted(n: int, one: texts.Text, many: texts.Text, *, lang: str = "en") -> str:
    """Return a number with its noun: ``1 task``, ``2 tasks``."""
    return say(one if n == 1 else many, lang, n=n)


def listed(ids: Sequence[str], *, lang: str = "en") -> str:
    """Return ids in one line: ``T-001, T-002``."""
    return say(texts.ID_COMMA, lang).join(ids)


def duration(span: dt.timedelta, *, lang: str = "en") -> str:
    """Return a span in its two largest units, rounded down; a negative one is 0.

    >>> duration(dt.timedelta(seconds=125)), duration(dt.timedelta(minutes=63))
    ('2m 5s', '1h 3m')
    """
    left = max(0, int(span.total_seconds()))
    counts: list[tuple[int, texts.Text]] = []
    for size, unit in _UNITS:
        n, left = divmod(left, size)
        if n or counts or size == 1:
            counts.append((n, unit))
    shown = [(n, unit) for n, unit in counts[:2] if n]
    if shown and shown[-1][1] is texts.MINUTES:
        shown[-1] = (shown[-1][0], texts.MINUTES_LAST)
    spans = [say(unit, lang, n=n) for n, unit in shown]
    return say(texts.SPAN_JOINT, lang).join(spans) or say(texts.SECONDS, lang, n=0)


def ago(span: dt.timedelta, *, lang: str = "en") -> str:
    """Return a past span: ``5m ago``."""
    return say(texts.AGO, lang, span=duration(span, lang=lang))


def amount(usd: object) -> str:
    """Return a sum of dollars as people write it.

    >>> amount(5.0), amount(0.5)
    ('5', '0.50')
    """
    if not isinstance(usd, int | float):
        return str(usd)
    return f"{usd:.0f}" if usd == int(usd) else f"{usd:.2f}"


def moment(when: dt.datetime, *, zone: dt.tzinfo = dt.UTC) -> str:
    """Return a point in time in a person's zone: ``2026-12-01 09:00 UTC``."""
    return f"{when.astimezone(zone):%Y-%m-%d %H:%M %Z}"


def reason(sentence: str, *, lang: str = "en", is_clause: bool = False) -> str:
    """Return a stored reason on one line.

    Those about a dependency, such as ``Dependency T-001 failed``, have a form as the
    clause of a notice; ``told`` translates them and the others of ours.
    """
    _, _, rest = sentence.partition(_DEPENDENCY)
    ref, _, _ = rest.partition(" ")
    for text in texts.DEPENDENCY_REASONS:
        if sentence == text[0].format(id=ref):
            said = say(text, lang, id=one_line(ref))
            return said[0].lower() + said[1:] if is_clause else said
    return told(sentence, lang=lang)


def told(sentence: str, *, lang: str = "en", columns: int = LINE_COLUMNS) -> str:
    """Return what is stored in English, such as an error, on one line for the reader.

    A session's own words stay as they are.
    """
    line = one_line(sentence, columns)
    if not is_chinese(lang):
        return line
    # Imported here: only a reader of Chinese needs the translations.
    from model_queue.messages.stored import in_chinese  # noqa: PLC0415

    return one_line(in_chinese(line), columns)


def hint_for(error_class: ErrorClass | None, model: str, *, lang: str = "en") -> str:
    """Return what a person can do about a class of failure, "" when nothing.

    >>> hint_for(ErrorClass.MODEL_NOT_FOUND, "ollama/qwen2.5")
    'run `ollama pull qwen2.5` where that Ollama runs'
    """
    if error_class is None or error_class not in texts.HINTS:
        return ""
    provider, _, name = model.partition("/")
    if error_class is ErrorClass.MODEL_NOT_FOUND and provider.startswith("ollama"):
        return say(texts.HINT_PULL, lang, model=name or provider)
    return say(texts.HINTS[error_class], lang, model=model)


def one_line(text: str, columns: int = LIST_COLUMNS) -> str:
    """Return the text on one line, cut to a width; wide characters count two.

    White space becomes single blanks; control characters and marks that reverse the
    writing direction are dropped, so that no text can disturb the lines around it.
    """
    head = text[: columns * 8]
    flat = " ".join("".join(filter(_is_harmless, head)).split())
    if len(head) == len(text) and width_of(flat) <= columns:
        return flat
    return _cut(flat, columns, width_of)


def cut(text: str, limit: int) -> str:
    """Return the text, or its beginning with ``…`` in ``limit`` code points (1 or more).

    Never cuts inside what a reader sees as one character: not before a combining mark,
    within a joined emoji, a flag or a Hangul syllable.

    >>> cut("Analyze the sales data", 12)
    'Analyze the…'
    """
    return text if len(text) <= limit else _cut(text, limit, len)


def cut_to(line: str, columns: int) -> str:
    """Return a line in at most ``columns``, cut with ``…``; wide characters count two.

    >>> cut_to("队列状态", 5)
    '队列…'
    """
    return line if width_of(line) <= columns else _cut(line, columns, width_of)


def _cut(text: str, limit: int, measure: Callable[[str], int]) -> str:
    end = min(len(text), limit - 1)
    while measure(text[:end]) > limit - 1:
        end -= 1
    while 0 < end < len(text) and _splits_character(text, end):
        end -= 1
    return text[:end].rstrip() + _ELLIPSIS


def _splits_character(text: str, at: int) -> bool:
    """Report whether the characters around index ``at`` belong together."""
    here, before = text[at], text[at - 1]
    if here.isascii():
        return False
    import unicodedata  # noqa: PLC0415 - only texts beyond ASCII pay for the tables

    if _is_flag_half(here) and _is_flag_half(before):
        head = text[:at]
        return (len(head) - len(head.rstrip(_FLAG_HALVES))) % 2 == 1
    return (
        before == _JOINER
        or here in _EXTENDERS
        or unicodedata.category(here) in {"Mn", "Mc", "Me"}
        or "\U0001f3fb" <= here <= "\U0001f3ff"
        or "\U000e0020" <= here <= "\U000e007f"
        or "\u1160" <= here <= "\u11ff"
    )


def width_of(text: str) -> int:
    """Return how many columns a line takes; wide characters count two."""
    if text.isascii():
        return len(text)
    import unicodedata  # noqa: PLC0415 - only texts beyond ASCII pay for the tables

    return sum(
        0
        if unicodedata.combining(char)
        else 1 + (unicodedata.east_asian_width(char) in "WF")
        for char in text
    )


def _is_harmless(char: str) -> bool:
    return char.isspace() or not (
        char < " "
        or "\x7f" <= char <= "\x9f"
        or "\u202a" <= char <= "\u202e"
        or "\u2066" <= char <= "\u2069"
        or "\ud800" <= char <= "\udfff"
    )


def _is_ideograph(char: str) -> bool:
    return (
        "\u4e00" <= char <= "\u9fff"
        or "\u3400" <= char <= "\u4dbf"
        or "\uf900" <= char <= "\ufaff"
        or "\U00020000" <= char <= "\U0003ffff"
    )


def _is_syllable(char: str) -> bool:
    """Kana or hangul."""
    return (
        "\u3040" <= char <= "\u30ff"
        or "\uac00" <= char <= "\ud7af"
        or "\u1100" <= char <= "\u11ff"
        or "\uff66" <= char <= "\uff9f"
    )


def _is_flag_half(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


_UNITS = (
    (86_400, texts.DAYS),
    (3_600, texts.HOURS),
    (60, texts.MINUTES),
    (1, texts.SECONDS),
)
_JOINER = "\u200d"
_EXTENDERS = (_JOINER, "\u200c")
_FLAG_HALVES = "".join(map(chr, range(0x1F1E6, 0x1F200)))
