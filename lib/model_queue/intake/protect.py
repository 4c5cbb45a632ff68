"""Material in a message that is content and never scanned."""

from __future__ import annotations

import re
from collections.abc import Iterator

from model_queue.intake import attachment
from model_queue.intake.lexicon import Lazy
from model_queue.intake.normalize import SCAN_LIMIT
from model_queue.intake.phrases import Phrases, phrases_of

MASK = "\ue000"
"""Stands for each protected character, line breaks included."""

_EXTENSION_WORDS = """
bat bak bib bmp c cc cfg conf cpp cs css csv cue dart db diff doc docx ejs env eps epub erl ex exs fs
gif go gradle graphql gz h hpp hs htm html ics ini ipynb jar java jpeg jpg js json jsonl jsx key kt
lock log lua m4a markdown md mdx mjs mov mp3 mp4 odt org parquet patch pdf pem pgn php pl plist png pot
ppt pptx properties proto ps1 psd py pyi r rb rs rst rtf sass scala scss sh sql sqlite srt sum svelte
svg swift tar tex tf tgz tiff toml ts tsv tsx ttf txt vue wasm wav webp whl xls xlsx xml xsd yaml yml
zip zsh
"""
_EXTENSIONS = frozenset(_EXTENSION_WORDS.split())
"""What ends a file's name; an open class, used with the known ones alone."""
_PIECES = Lazy(
    r"(?P<fence>^[ \t]{0,12}(?:[-*]\s|\d{1,3}[.)]\s)?(?P<mark>```+|~~~+))"
    r"|(?P<tag><(?P<name>[a-z][\w-]{0,40})(?:\s[^<>\n]{0,300})?>)"
    r"|(?P<code>(?P<ticks>`{1,3})(?!`))"
    r"|(?P<quote>[\"'“„«「『《‹])"
    r"|(?P<url>[a-z][a-z0-9+.-]{1,10}://[!#-;=?-_a-z~]{1,2000}|www\.[!#-;=?-_a-z~]{1,2000})"
    r"|(?P<mail>[a-z0-9][a-z0-9._%+-]{0,63}@[a-z0-9-]{1,60}(?:\.[a-z0-9-]{1,60}){1,5})"
    r"|(?P<path>(?:~|\.{1,2}|(?<![a-z0-9_/])[a-z]:)?(?<![a-z0-9])[/\\][a-z0-9_.*-]{1,100}"
    r"(?:[/\\][a-z0-9_.*-]{0,100}){0,30})"
    r"|(?P<file>(?<![a-z0-9])[a-z0-9_.-]{0,100}(?:[/\\][a-z0-9_.*-]{1,100}){0,30}"
    r"\.(?P<extension>[a-z][a-z0-9]{0,9})(?![a-z0-9_]|\.[a-z0-9]))"
    r"|(?P<line>^[ \t]{0,8}(?:>|\|.*\|[ \t]*$|\d{4}-\d\d-\d\d[t ]\d\d:\d\d|"
    r"\[?\d\d:\d\d:\d\d|traceback \(most recent call last\)|@@ -\d).*)",
    re.MULTILINE,
)
_CLOSERS = {
    "“": "”",
    "„": "“”",
    "«": "»",
    "「": "」",
    "『": "』",
    "《": "》",
    "‹": "›",
}
_QUOTE_LIMIT = 4000
"""Characters that one pair of quotation marks may hold."""


def protect(text: str, phrases: Phrases | None = None) -> str:
    """Return the text with every protected character replaced by ``MASK``.

    Same length. Protected: code blocks and spans, quotations, quoted lines, URLs, mail
    addresses, file names, tagged blocks, log lines, and what is pasted after an
    instruction that introduces it or before one that points back. Source: guide P2.
    """
    parts: list[str] = []
    done = 0
    rest = len(text) - SCAN_LIMIT
    if rest > 0:
        return protect(text[:SCAN_LIMIT], phrases) + MASK * rest
    for start, end in _spans(text):
        parts.append(text[done:start])
        parts.append(MASK * (end - start))
        done = end
    parts.append(text[done:])
    masked = "".join(parts)
    phrases = phrases or phrases_of(text)
    pasted = attachment.introduced(masked, phrases)
    below = attachment.instruction_below(masked, pasted)
    masked = masked[:pasted] + MASK * (below - pasted) + masked[below:]
    instruction = attachment.points_back(masked, phrases)
    return MASK * instruction + masked[instruction:]


def _spans(text: str) -> Iterator[tuple[int, int]]:
    position = 0
    closers = _Closers(text)
    while True:
        match = _PIECES.search(text, position)
        if match is None:
            return
        start, end = closers.span(match)
        if end > start:
            yield start, end
            position = max(end, match.start() + 1)
        else:
            position = match.start() + 1


class _Closers:
    """Finds where a protected piece ends, remembering which marks no longer occur.

    The memory keeps a message of ten thousand opening marks linear.
    """

    __slots__ = ("_absent", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._absent: set[str] = set()

    def find(self, mark: str, start: int, limit: int) -> int:
        """Return where ``mark`` next stands before ``limit``, -1 when it does not."""
        if mark in self._absent:
            return -1
        found = self._text.find(mark, start, limit)
        if found < 0 and limit >= len(self._text):
            self._absent.add(mark)
        return found

    def span(self, match: re.Match[str]) -> tuple[int, int]:
        """Return the protected span that begins at a match; empty when none does."""
        start, end = match.span()
        if match["fence"]:
            start, end = match.start("mark"), self._fence_end(match)
        elif match["tag"]:
            end = self._tag_end(match)
        elif match["code"]:
            ticks = match["ticks"]
            close = self.find(ticks, end, end + _QUOTE_LIMIT)
            end = close + len(ticks) if close > 0 else start
        elif match["quote"]:
            end = self._quote_end(end, match["quote"])
        elif match["url"]:
            end = start + len(match.group().rstrip(".,;:!?)'"))
        elif match["line"]:
            end = self._lines_end(match)
        elif match["file"] and match["extension"] not in _EXTENSIONS:
            end = start
        return start, end

    def _fence_end(self, match: re.Match[str]) -> int:
        close = self.find("\n" + match["mark"], match.end(), len(self._text))
        if close < 0:
            close = self.find(match["mark"], match.end(), len(self._text))
        if close < 0:
            return len(self._text)
        close = self._text.find("\n", close + 1)
        return len(self._text) if close < 0 else close

    def _tag_end(self, match: re.Match[str]) -> int:
        mark = f"</{match['name']}>"
        close = self.find(mark, match.end(), len(self._text))
        return close + len(mark) if close > 0 else match.end()

    def _quote_end(self, start: int, mark: str) -> int:
        text = self._text
        before = text[start - 2] if start > 1 else " "
        straight = mark in "\"'"
        if straight and (before.isascii() and before.isalnum()):
            return start - 1
        if start < len(text) and straight and text[start].isspace():
            return start - 1
        limit = min(len(text), start + (_QUOTE_LIMIT if mark != "'" else 200))
        paragraph = self._text.find("\n\n" if mark != "'" else "\n", start, limit)
        limit = limit if paragraph < 0 else paragraph
        for closer in _CLOSERS.get(mark, mark):
            close = self.find(closer, start, limit)
            while mark == "'" and close > 0 and text[close + 1 : close + 2].isalnum():
                close = text.find("'", close + 1, limit)
            if close > 0:
                return close + 1
        return start - 1

    def _lines_end(self, match: re.Match[str]) -> int:
        """A traceback goes on through its indented lines and the error's own line."""
        end = match.end()
        if "traceback" not in match.group():
            return end
        while end < len(self._text):
            following = self._text.find("\n", end + 1)
            following = len(self._text) if following < 0 else following
            indented = self._text[end + 1 : end + 2] in {" ", "\t"}
            end = following
            if not indented:
                break
        return end
