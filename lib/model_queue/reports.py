"""A session's text, read: the full result, its own status, a summary."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from model_queue.messages.wording import cut
from model_queue.model import ErrorClass, Outcome

SUMMARY_LIMIT = 280
"""Characters of a summary that is made from the text's first sentences."""
LABELLED_LIMIT = 1_000
"""Characters of a summary that the session wrote itself after ``Summary:``."""
RESULT_LIMIT = 16 * 1024
"""Bytes of a report that the queue file keeps. Source: SPEC 4."""

STATUS_WORDS = {
    "success": "success",
    "partial": "partial",
    "failed": "failed",
    "成功": "success",
    "部分": "partial",
    "部分完成": "partial",
    "失败": "failed",
}
"""What may follow ``Status:``, and the word on disk."""


class Report(NamedTuple):
    """What one session's text amounts to."""

    result: str
    """The whole text without ``<think>`` blocks; "" when nothing is left."""
    status: str | None
    """``success``, ``partial`` or ``failed`` as the session said it; None: it did not."""
    summary: str
    """One line; "" when the text holds nothing but labels."""


def read_report(text: str) -> Report:
    """Read what a session wrote. Never raises.

    - ``Status:`` (状态：) counts only with exactly one of its words alone on the line;
      numbering, bullets and bold around it do not matter. The choices echoed from the
      prompt are no status. The last one counts. So for ``Summary:`` (摘要：), whose text
      may also stand on the next line.
    - Lines inside a fenced block are the session's material, unless the fence holds the
      whole report.
    - Without a summary: the first two sentences, at most 280 characters.

    Source: SPEC 4.
    """
    result = _without_thoughts(_storable(text)).strip()
    lines = _open_lines(result)
    status: str | None = None
    summary = ""
    for at, line in enumerate(lines):
        folded = line.casefold()
        if "status" in folded or "状态" in folded:
            status = _status_of(line) or status
        if "summary" in folded or "摘要" in folded:
            summary = _summary_at(lines, at) or summary
    return Report(
        result=result,
        status=status,
        summary=cut(summary, LABELLED_LIMIT) or _first_sentences(lines[:_FIRST_LINES]),
    )


def outcome_of(text: str, known: Outcome) -> Outcome:
    """Return the outcome of a session that ended well and wrote ``text``.

    ``known`` is what is known besides, with ``result_status`` ``success`` or
    ``partial``. The session's own report may still say that it failed, and an empty one
    says nothing. Source: SPEC 2.3, 2.4.
    """
    report = read_report(text)
    if not report.result:
        return replace(
            known,
            result_status="failed",
            result=None,
            error_class=ErrorClass.INVALID_REPORT,
            error_message="the session ended with an empty report",
        )
    told = replace(
        known, result=report.result, summary=known.summary or report.summary or None
    )
    if report.status == "failed":
        return replace(
            told,
            result_status="failed",
            error_class=ErrorClass.REPORTED,
            error_message=told.summary or "the report says that it failed",
        )
    is_partial = "partial" in {report.status, known.result_status}
    return replace(told, result_status="partial" if is_partial else "success")


def clip_result(text: str, path: str, *, limit_bytes: int = RESULT_LIMIT) -> str:
    """Return what the queue file keeps of a report.

    A text of at most ``limit_bytes`` in UTF-8 stays whole. A longer one is cut between
    characters and ends with a line that names ``path``; all of it fits the limit.
    """
    raw = text.encode(errors="replace")
    if len(raw) <= limit_bytes:
        return text
    note = f"\n… cut here; the whole text is in {path}"
    head = raw[: limit_bytes - len(note.encode())]
    return head.decode(errors="ignore").rstrip() + note


def _storable(text: str) -> str:
    r"""Lone surrogates cannot be written as UTF-8; line ends become ``\n``."""
    text = text.encode(errors="replace").decode()
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _without_thoughts(text: str) -> str:
    """Drop ``<think>`` blocks: an unclosed one to the end, an unopened one from the start.

    A tag in backticks is talked about, not used.
    """
    if "think" not in text.lower():
        return text
    close = r"(?<!`)</think(?:ing)?\s*>"
    text = re.sub(rf"(?is)(?<!`)<think(?:ing)?\s*>.*?(?:{close}|\Z)", "", text)
    return re.split(rf"(?i){close}", text)[-1]


def _open_lines(text: str) -> list[str]:
    """Return the lines that are outside fenced blocks; a fence never closed is none."""
    lines = text.split("\n")
    fences = [at for at, line in enumerate(lines) if line.lstrip().startswith("```")]
    if fences == [0, len(lines) - 1]:
        return lines[1:-1]
    shut: set[int] = set()
    for start, end in zip(fences[::2], fences[1::2], strict=False):
        shut.update(range(start, end + 1))
    return [line for at, line in enumerate(lines) if at not in shut]


def _plain(line: str) -> str:
    """Strip what lists, headings and emphasis put around a line."""
    line = line.strip(_EMPHASIS + "#>|-•+")
    return re.sub(r"^\(?\d{1,2}[.)、]\s*", "", line).strip(_EMPHASIS)


def _status_of(line: str) -> str | None:
    label, _, value = _plain(line).replace("：", ":").partition(":")
    if label.strip(_TRIM).casefold() not in {"status", "状态"}:
        return None
    return STATUS_WORDS.get(value.strip(_TRIM).casefold())


def _summary_at(lines: list[str], at: int) -> str:
    """Return the summary that the line gives or announces, "" when it does neither."""
    found = re.match(_SUMMARY, _plain(lines[at]), re.IGNORECASE)
    if found is None:
        return ""
    value = found[1].strip(_EMPHASIS)
    if not value:
        below = [_plain(line) for line in lines[at + 1 : at + _GAP]]
        value = next((plain for plain in below if plain), "")
    return "" if _is_label(value) else " ".join(value.split())


def _is_label(plain: str) -> bool:
    """Report whether a line only names a part of the report, or repeats the prompt."""
    words = re.sub(r"\W+", " ", plain).strip().casefold()
    return words in _ECHOES or re.match(_LABEL, plain, re.IGNORECASE) is not None


def _first_sentences(lines: list[str]) -> str:
    """Return the first two sentences of the answer; a list item ends one."""
    summary = ""
    left = 2
    for paragraph in _paragraphs(lines):
        sentences = _sentences(paragraph, left)
        joint = " " if not summary or summary[-1] in _PAUSES else "; "
        summary += joint + "".join(sentences).rstrip()
        left -= len(sentences)
        if left == 0:
            break
    return cut(summary.strip(), SUMMARY_LIMIT)


def _sentences(paragraph: str, limit: int) -> list[str]:
    """Return up to ``limit`` sentences, each with the blank that follows it.

    A full stop ends one only before a blank and something that is no small letter, and
    not after an abbreviation: neither in ``v2.0`` nor in ``e.g. Python``.
    """
    sentences: list[str] = []
    start = 0
    for found in re.finditer(_SENTENCE_END, paragraph):
        if len(sentences) == limit:
            return sentences
        before = paragraph[max(0, found.start() - 8) : found.end()]
        if not re.search(_ABBREVIATION, before, re.IGNORECASE):
            sentences.append(paragraph[start : found.end()])
            start = found.end()
    rest = paragraph[start:]
    return [*sentences, rest] if rest and len(sentences) < limit else sentences


def _paragraphs(lines: list[str]) -> Iterator[str]:
    """Join wrapped lines; drop labels, echoes and headings.

    Headings are told only when there is nothing else. A paragraph is cut where no
    summary reaches: a report may be one of megabytes.
    """
    headings: list[str] = []
    paragraph = ""
    is_silent = True
    for line in [*lines, ""]:
        plain = _plain(re.sub(_PART_LABEL, "", _plain(line), flags=re.IGNORECASE))
        if paragraph and (not plain or re.match(_NEW_ITEM, line)):
            is_silent = False
            yield paragraph
            paragraph = ""
        if not plain or _is_label(plain):
            continue
        if line.lstrip().startswith("#"):
            headings.append(plain)
        elif len(paragraph) <= _PARAGRAPH_LIMIT:
            paragraph = f"{paragraph} {plain}".lstrip()
    if is_silent:
        yield from headings


_FIRST_LINES = 2_000
"""Lines in which the first two sentences are looked for; a report may have a million."""
_PARAGRAPH_LIMIT = 8 * SUMMARY_LIMIT
"""Characters of a paragraph that a summary of two sentences may be taken from."""
_GAP = 4
"""Lines within which the text of a bare ``Summary:`` must come."""
_EMPHASIS = " \t*_`\"'“”"
_TRIM = _EMPHASIS + ".。!！[]()<>✅❌⚠\ufe0f"
_PAUSES = ".!?:;,。！？：；，"
_SUMMARY = (
    r"(?:an?\s+)?(?:brief\s+)?(?:summary|摘要)\s*(?:\(1-2 sentences\))?[*_\s]*[:：](.*)"
)
_PART_LABEL = (
    r"^(?:an?\s+|the\s+)?(?:brief\s+)?(?:result|summary|结果|摘要)\s*"
    r"(?:\((?:full output|1-2 sentences)\))?[*_\s]*[:：]"
)
_LABEL = (
    r"(?:status|状态)[*_\s]*[:：]|if failed\b|target model\s*:"
    r"|you are executing task\b|context from previous task\b"
)
_NEW_ITEM = r"\s*(?:[-*•+#|]|\(?\d{1,2}[.)、])"
_SENTENCE_END = r"[.!?]+[)\"'”’*_]*(?:\s+(?=[^\sa-z])|\s*\Z)|[。！？]+[）」』”’]*\s*"
_ABBREVIATION = (
    r"(?:\b(?:e\.g|i\.e|vs|cf|approx|fig|dr|mrs?|ms|prof)|(?:^|[\s.(])[a-z])\.\s+$"
)
_ECHOES = frozenset(
    {
        "the result full output",
        "result full output",
        "the result",
        "result",
        "full output",
        "a brief summary 1 2 sentences",
        "brief summary 1 2 sentences",
        "1 2 sentences",
        "a brief summary",
        "brief summary",
        "summary",
        "摘要",
        "结果",
        "success partial or failed",
        "execute this task when complete report",
        "focus only on this task do not start other tasks",
    }
)
"""The prompt's own lines, without marks, in small letters."""
