"""Answers the calls that are not ours, before anything is imported.

Nine calls in ten are an ordinary message or a heartbeat with nothing to do. They are
answered from two small files that the last full run wrote (``sidecars``):

- ``words``: strings of which a message in ambient scope must have one to be ours;
- ``idle``: the answer of a heartbeat that found nothing to do, and until when it holds.

A sidecar counts only while everything that it was computed from is as it was: this
code, the environment, the current directory, and the stamps of files. It lies in the
user's cache, found without reading any configuration, so that an old one can never
answer for a configuration that points elsewhere: its stamps are those of other files.
Whatever is unsure goes the full way, through ``hooks.main``.

Imports nothing but what a bare interpreter has: each module more would be paid for by
every message that a person types. Parses on older Pythons, to say that they are.
"""
# ruff: noqa: UP036 - a Python that is too old must be told, not meet a traceback

from __future__ import annotations

import gc
import os
import select
import sys
import time

from model_queue import __version__

MAX_INPUT = 16 * 1024 * 1024
"""Bytes of stdin that are read; a message of a few megabytes is a paste, more a fault."""
INPUT_LIMIT_S = 5.0
"""How long a host may take to send its input and close the pipe."""
ANSWERS = {
    "on-intake": (
        '{"version": 1, "ok": true, "reply": "", "notices": [], "actions": [], '
        '"mode": "none", "tasks": [], "control": []}'
    ),
    "on-heartbeat": (
        '{"version": 1, "ok": true, "reply": "", "notices": [], "actions": [], '
        '"dispatched": [], "queues": {}}'
    ),
}
"""The empty answers, byte for byte as the full way would print them."""

_REFUSAL = (
    '{"version": 1, "ok": false, "reply": "", "notices": [], "actions": [], "error": '
    '{"code": "internal", "message": "%s", "hint": "%s"}}'
)
_SLOTS = 251
"""Sidecars of one kind in the cache: one for each place that somebody works in. A
prime, so that the whole of a number decides where it goes."""
_SPACE = b" \t\r\n"
_CONTROL = bytes(range(32))
_ESCAPED = b"\xff"
"""Stands for an escaped quote or backslash; occurs in no UTF-8 text."""
_BETWEEN = {b"{", b":", b",", b"}", b"{}", b":null,", b":null}", b":1,", b":1}"}
"""All that may stand between the texts of a flat object."""
_SAME = str.maketrans(
    "，！？：；（）\u2010\u2011\u2012\u2013\u2212\u2018\u2019\u02bc\r\x0b\x0c\x85\u2028\u2029",
    ",!?:;()-----'''      ",
    "\ufe0e\ufe0f\u3164",
) | {ord("…"): "..."}
"""Marks of ordinary typing, as the scanning form has them."""
_UNSURE = (b'"now"', b'"timezone"', b'"sessions', b"\\u")
"""Input with these needs a clock, a zone, the queues, or a JSON reader."""


def let_through(hook: str) -> tuple[bytes | None, list[str], float]:
    """Return what ``hooks.main`` takes for a call that is, or may be, ours.

    Any other call is answered here, and the process ends. The parts: stdin, None when
    it stayed open or there are flags; the flags; the wall clock at process start.
    """
    began = time.time()  # noqa: TID251 - a port would have to be imported
    if sys.version_info < (3, 11):
        refuse("it needs Python 3.11 or newer", "Name a newer one in the hook command.")
    sys.excepthook = _tell_fault
    # The process ends with its call, and all garbage with it: looking for some during
    # the imports would cost the calls that are ours a third of a bare start.
    gc.disable()
    flags = sys.argv[1:]
    if flags:
        return None, flags, began
    if is_worker() and hook in ANSWERS:
        read_input(0.5)
        leave(ANSWERS[hook])
    data = read_input(INPUT_LIMIT_S)
    answer = quick_answer(hook, data, began) if data else None
    if answer is not None:
        leave(answer)
    return data, flags, began


def is_worker() -> bool:
    """Report whether this process runs inside a session that model-queue started."""
    return os.environ.get("MODEL_QUEUE_WORKER") == "1"


def leave(answer: str, exit_code: int = 0) -> None:
    """Print the answer and end the process, without the interpreter's own clean-up."""
    rest = answer.encode() + b"\n"
    try:
        while rest:
            rest = rest[os.write(1, rest) :]
    except OSError:
        exit_code = 1
    os._exit(exit_code)


def refuse(why: str, hint: str) -> None:
    """Say that the library cannot be used, and end the process."""
    if any(flag.startswith("--runtime") for flag in sys.argv):
        leave("{}")
    told = "".join(c for c in why if c.isprintable() and c not in '"\\')
    sentence = "model-queue cannot start: " + told
    sys.stderr.write(f"{sentence}. {hint}\n")
    sys.stderr.flush()
    leave(_REFUSAL % (sentence, hint), 1)


def _tell_fault(kind: type[BaseException], error: BaseException, _: object) -> None:
    """Stand for a traceback: the library behind the guard could not be imported."""
    refuse(f"{kind.__name__}: {error}", "Install it again.")


def read_input(limit_s: float) -> bytes | None:
    """Return stdin, at most a little more than ``MAX_INPUT``; None when it stays open."""
    until = time.monotonic() + limit_s
    chunks: list[bytes] = []
    n_bytes = 0
    while n_bytes <= MAX_INPUT:
        try:
            ready, _, _ = select.select([0], [], [], max(until - time.monotonic(), 0))
            chunk = os.read(0, 1 << 20) if ready else None
        except (OSError, ValueError):
            break
        if chunk is None:
            return None
        if not chunk:
            break
        chunks.append(chunk)
        n_bytes += len(chunk)
    return b"".join(chunks)


def quick_answer(hook: str, data: bytes, began: float) -> str | None:
    """Return the answer to a call that is not ours, None when unsure."""
    if hook not in ANSWERS or any(name in data for name in _UNSURE):
        return None
    fields = flat_fields(data)
    if fields is None or not fields.get(b"cwd", b"/").startswith(b"/"):
        return None
    if hook == "on-intake":
        return _not_ours(fields, began)
    # The first answer to a delivery must be repeated, whatever holds now.
    return None if b'"delivery_id"' in data else sidecar("idle", began)


def _not_ours(fields: dict[bytes, bytes], began: float) -> str | None:
    if fields.get(b"scope") != b"ambient" or b"message" not in fields:
        return None
    words = sidecar("words", began)
    if words is None or is_ours(fields[b"message"], words.split("\n")):
        return None
    return ANSWERS["on-intake"]


def is_ours(message: bytes, words: list[str]) -> bool:
    """Report whether a message may be for the queue.

    The words are those of the scanning form (``intake.normalize``); a message with
    characters that could become others there goes the full way.
    """
    text = message.replace(_ESCAPED, b" ").decode().translate(_SAME)
    if not text.isascii() and _may_hide(text):
        return True
    text = text.lower()
    return any(word in text for word in words)


def _may_hide(text: str) -> bool:
    """Report whether a text has invisible characters, or letters in another form."""
    # Imported here: most messages do not pay for it.
    import unicodedata  # noqa: PLC0415

    is_plain = unicodedata.is_normalized("NFKC", text)
    return not is_plain or any(unicodedata.category(c) == "Cf" for c in set(text))


def flat_fields(data: bytes) -> dict[bytes, bytes] | None:
    """Return the texts of a flat JSON object, with marks in place of escaped quotes.

    None for anything that is not surely such an object: not UTF-8, members that are
    neither a text nor null (``version`` may be 1), a name twice, an unknown escape.
    """
    try:
        data.decode()
    except UnicodeDecodeError:
        return None
    plain = data.replace(b"\\\\", _ESCAPED).replace(b'\\"', _ESCAPED)
    for escape in (b"\\n", b"\\t", b"\\r", b"\\b", b"\\f"):
        plain = plain.replace(escape, b" ")
    parts = plain.replace(b"\\/", b"/").split(b'"')
    inside, outside = parts[1::2], [p.translate(None, _SPACE) for p in parts[::2]]
    texts = b"".join(inside)
    if b"\\" in texts or texts != texts.translate(None, _CONTROL):
        return None
    if len(parts) % 2 == 0 or not _BETWEEN.issuperset(outside):
        return None
    # Every text as T, every member as m: {T:T,T:1} becomes {m,m}.
    shape = b"T".join(outside)
    for member in (b"T:T", b"T:null", b"T:1"):
        shape = shape.replace(member, b"m")
    if shape != b"{" + b",".join([b"m"] * shape.count(b"m")) + b"}":
        return None
    return _members(inside, outside[1:])


def _members(inside: list[bytes], after: list[bytes]) -> dict[bytes, bytes] | None:
    """Pair the names with their texts; ``after[i]`` follows ``inside[i]``."""
    names = [text for i, text in enumerate(inside) if after[i].startswith(b":")]
    numbers = [text for i, text in enumerate(inside) if after[i].startswith(b":1")]
    fields = {text: inside[i + 1] for i, text in enumerate(inside) if after[i] == b":"}
    is_known = set(numbers) <= {b"version"} and b"version" not in fields
    return fields if is_known and len(set(names)) == len(names) else None


def sidecar(kind: str, began: float) -> str | None:
    """Return what a sidecar says, None when it does not hold (any more)."""
    try:
        place = sidecar_path(kind)
        with open(
            place, encoding="utf-8", errors="surrogateescape", opener=_open_at_once
        ) as file:
            head, _, body = file.read().partition("\n\n")
        lines = head.split("\n")
        written, until = map(float, lines[1].split())
        if lines[0] != surroundings() or not written <= began < until:
            return None
        for line in lines[2:]:
            seen, _, path = line.partition(" ")
            if stamp(path) != seen:
                return None
    except (OSError, ValueError, IndexError):
        return None
    return body


def _open_at_once(path: str, flags: int) -> int:
    """Open what is there; a pipe would wait for its writer."""
    return os.open(path, flags | os.O_NONBLOCK)


def sidecar_path(kind: str) -> str:
    """Return where the sidecar for these surroundings lies; "" when nowhere."""
    home = os.environ.get("HOME", "")
    cache = os.environ.get("XDG_CACHE_HOME") or (home and home + "/.cache")
    queues = os.environ.get("MODEL_QUEUES_DIR", "")
    place = cache + "/model-queue" if cache else queues and queues + "/.state"
    slot = int.from_bytes(surroundings().encode(errors="replace"), "big") % _SLOTS
    return f"{place}/{kind}-{slot:02x}" if place.startswith("/") else ""


def surroundings() -> str:
    """Return on one line what decides about configuration besides files."""
    names = ("MODEL_QUEUE", "MODEL_SOURCE", "DEFAULT_MODEL", "OLLAMA_HOST", "HOME")
    environment = sorted(
        item for item in os.environ.items() if item[0].startswith(names)
    )
    return repr((__version__, __file__, os.getcwd(), environment))


def stamp(path: str) -> str:
    """Return what changes whenever a file or a list of files does; "-" without it."""
    try:
        seen = os.stat(path)
    except OSError:
        return "-"
    return f"{seen.st_ino}.{seen.st_size}.{seen.st_mtime_ns}.{seen.st_ctime_ns}"
