"""The ``NAME=value`` lines of a Markdown text such as TOOLS.md."""

from __future__ import annotations

_NAME_CHARACTERS = frozenset(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"
)
_QUOTES = {'"': '"', "'": "'", "`": "`", "“": "”", "‘": "’"}
_MARKERS = "-*+>•·`\"'“‘\ufeff"
"""What may stand before a name: bullets, quote signs, code and quotation marks, BOM."""
_LIST_SEPARATORS = ",，、"


def has_prefix(name: str) -> bool:
    """Report whether a name is one that is checked: an unknown one is a mistake."""
    return name.startswith(("MODEL_QUEUE", "MODEL_SOURCE"))


def setting_lines(text: str) -> list[tuple[str, str]]:
    """Return the settings that stand anywhere in a text, in its order, repeated or not.

    Code fences, list items, quotes, ``export``, a trailing comment, CRLF and a BOM make
    no difference. A name in the middle of a sentence or after ``#`` is no setting.
    Source: SPEC 1.

    >>> setting_lines("- export MODEL_QUEUE_WAKER='off'  # on a laptop")
    [('MODEL_QUEUE_WAKER', 'off')]
    """
    if "MODEL_" not in text:
        return []
    pairs = (_pair(line) for line in text.splitlines() if "MODEL_" in line)
    return [pair for pair in pairs if pair]


def _pair(line: str) -> tuple[str, str] | None:
    left, equals, right = line.partition("=")
    head = left.rstrip(" \t`*")
    start = len(head)
    while start and head[start - 1] in _NAME_CHARACTERS:
        start -= 1
    name = head[start:].lstrip("-")
    before = head[:start]
    is_ours = has_prefix(name) or name == "DEFAULT_MODEL_SOURCE"
    if not equals or not is_ours or not _is_marker(before):
        return None
    # A mark that opens before the name and is still open closes after the value.
    closing = _QUOTES.get(before[-1:]) if left.rstrip() == head else None
    if closing:
        right = right.partition(closing)[0]
    return name, _value(right)


def _is_marker(before: str) -> bool:
    """Report whether the words before a name are only layout."""
    for word in before.split():
        rest = word.strip(_MARKERS)
        if rest not in {"", "export"} and not rest.rstrip(".)、").isdigit():
            return False
    return True


def _value(text: str) -> str:
    """Return a value without its quotation marks and without a trailing comment."""
    kept: list[str] = []
    closing = ""
    at_edge = True
    for char in text.partition("<!--")[0]:
        if closing:
            at_edge = char == closing
            closing = "" if at_edge else closing
            kept.append("" if at_edge else char)
            continue
        if at_edge and char == "#":
            break
        if at_edge and char in _QUOTES:
            closing = _QUOTES[char]
        else:
            kept.append(char)
        at_edge = char.isspace() or char in _LIST_SEPARATORS
    return "".join(kept).strip()


def split_list(value: str) -> list[str]:
    """Return the items of a comma list, full-width commas too, without empty ones."""
    for separator in _LIST_SEPARATORS[1:]:
        value = value.replace(separator, ",")
    return [item.strip() for item in value.split(",") if item.strip()]
