"""Secrets out of foreign text, by their shape or by the name that stands before them."""

from __future__ import annotations

import functools
import re
from collections.abc import Collection

REDACTED = "[redacted]"

_SHORTEST_KNOWN = 6
"""A known value shorter than this would blot out ordinary words."""


def redact(text: str, *, known: Collection[str] = ()) -> str:
    """Return the text with secrets replaced by ``[redacted]``.

    - Private key blocks, an unfinished one to the end of the text.
    - Tokens with a vendor's prefix (``sk-``, ``ghp_``, ``AKIA``, …), JSON web tokens.
    - Passwords in URLs, ``Authorization`` headers, ``Bearer`` tokens.
    - Values of names that end in ``api_key``, ``token``, ``secret``, ``password`` and
      the like, whatever stands before (``BRAVE_SEARCH_API_KEY=…``). The name stays.
    - ``known`` values of 6 characters or more, wherever they stand.

    Code and prose that only speak of keys (``token = get_token()``) stay as they are.

    >>> redact("curl -H 'Authorization: Bearer abc123def456ghi789'")
    "curl -H 'Authorization: [redacted]'"
    """
    for value in known:
        if len(value) >= _SHORTEST_KNOWN:
            text = text.replace(value, REDACTED)
    for pattern, replacement in _rules():
        text = pattern.sub(replacement, text)
    return text


_NAMES = (
    r"(?:(?:api|access|secret|private|auth)[_-]?key|token|secret|passw(?:or)?d"
    r"|passphrase|credentials?)"
)
_ENVIRONMENT_NAMES = "(?:(?:API|ACCESS|SECRET|PRIVATE|AUTH)_?KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE)"
_TYPE_WORDS = "(?:string|str|text|required|optional|undefined|boolean|missing|invalid)"
"""What documentation and type declarations write after ``password:``."""

_KEY_BLOCK = (
    r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?"
    r"(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|\Z)"
)
_VENDOR_PREFIX = (
    r"(?<![A-Za-z0-9])(?:eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*|(?:AKIA|ASIA)[A-Z0-9]{16}"
    r"|(?:sk-|gh[opsur]_|github_pat_|glpat-|xox[abeoprs]-|hf_|nvapi-|npm_|pypi-|gsk_"
    r"|xai-|pplx-|r8_|tvly-|dop_v1_|shpat_|ya29\.|AIza|SG\.)"
    r"(?=[\w.-]{0,200}\d)[\w.-]{16,})"
)
_URL_LOGIN = r"(://[^/\s:@]{0,256}:)[^@\s/]{1,512}(?=@)"
_HEADER = (
    r"""(?i)(\bauthorization["']?\s*[:=]\s*["']?)"""
    r"""(?:(?:bearer|basic|token)\s+)?[^\s"',;]{6,}"""
)
_BEARER = r"""(?i)(\bbearer\s+)(?=[^\s"']{0,512}\d)[\w.~+/=-]{12,}"""
_QUOTED = rf"""(?i)({_NAMES}["']?\s*[:=]\s*["'])[^\s"']{{6,}}(?=["'])"""
_BARE = (
    # A digit in it and a clean end: neither a call nor an index of program text.
    rf"""(?i)({_NAMES}\s*[:=]\s*)(?=[^\s"'(\[{{]{{0,200}}\d)"""
    r"""[^\s"'`,;()\[\]{}<>]{8,1024}+(?![^\s"'`,;<>])"""
)
_ENVIRONMENT = rf"""(?<![a-z])({_ENVIRONMENT_NAMES}=["']?)[^\s"'$(\[{{][^\s"']{{3,}}"""
_YAML_PASSWORD = (
    r"(?im)^([ \t]*[\w.-]{0,64}(?:passw(?:or)?d|passphrase)[ \t]*:[ \t]+)"
    rf"(?!{_TYPE_WORDS}\b)[^\s\"'()\[\]{{}}<>]{{6,}}[ \t]*$"
)
_FLAG = rf"""(?i)(--[\w-]{{0,32}}{_NAMES}[ =])[^\s"'-][^\s"']{{5,}}"""


@functools.cache
def _rules() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Compile once, when the first text needs it; each rule is linear in the text."""
    kept = rf"\1{REDACTED}"
    whole = (_KEY_BLOCK, _VENDOR_PREFIX)
    named = (
        _URL_LOGIN,
        _HEADER,
        _BEARER,
        _QUOTED,
        _BARE,
        _ENVIRONMENT,
        _YAML_PASSWORD,
        _FLAG,
    )
    return tuple((re.compile(pattern), REDACTED) for pattern in whole) + tuple(
        (re.compile(pattern), kept) for pattern in named
    )
