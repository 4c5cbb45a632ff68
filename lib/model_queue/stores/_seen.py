"""Keys of messages and the answers under them, in a file of lines that only grows.

A month of chat is thousands of keys, so that a commit appends its line and leaves the
rest; once a day the lines whose time is past are dropped.
"""

from __future__ import annotations

import datetime as dt

from model_queue import jsontext
from model_queue.codec import format_time, parse_time
from model_queue.model import JsonObject

KEPT_FOR = dt.timedelta(days=30)
"""How long a key without an end of its own is known."""


def find(data: bytes, key: str, *, now: dt.datetime) -> JsonObject | None:
    """Return the answer under a key, None when there is none or its time is past."""
    # Each line begins with its key, so that only the one line is parsed.
    mark = f'{{"key": {jsontext.dumps(key)}, '.encode()
    at = data.rfind(b"\n" + mark) + 1
    if at == 0 and not data.startswith(mark):
        return None
    line = _read(data[at : data.find(b"\n", at)])
    answer = line.get("answer")
    return answer if isinstance(answer, dict) and not _is_past(line, now) else None


def line(
    key: str, answer: JsonObject, *, until: dt.datetime | None, now: dt.datetime
) -> bytes:
    """Return the line of a key, without its end."""
    wire: JsonObject = {
        "key": key,
        "at": format_time(now),
        "until": format_time(until or now + KEPT_FOR),
        "answer": answer,
    }
    return jsontext.dumps(wire).encode()


def is_tidied(data: bytes, *, now: dt.datetime) -> bool:
    """Report whether the past lines were dropped today already."""
    last = data.rstrip(b"\n").rpartition(b"\n")[2]
    at = _read(last).get("at")
    return not last or (isinstance(at, str) and at[:10] >= format_time(now)[:10])


def tidied(data: bytes, *, now: dt.datetime) -> bytes:
    """Return the file without the lines whose time is past, and the overwritten ones."""
    last: dict[object, bytes] = {}
    for each in data.split(b"\n")[:-1]:
        key = _read(each).get("key")
        # What is written over gives way to the newer line, in the newer one's place.
        last.pop(key, None)
        last[key] = each
    kept = [each for each in last.values() if not _is_past(_read(each), now)]
    return b"".join(each + b"\n" for each in kept)


def _read(text: bytes) -> JsonObject:
    try:
        wire = jsontext.loads(text.decode())
    except ValueError:
        return {}
    return wire if isinstance(wire, dict) else {}


def _is_past(wire: JsonObject, now: dt.datetime) -> bool:
    """Report whether a key is forgotten.

    Also when it was stored further ahead of now than it was to be known for: the clock
    was set back, and two minutes must not become a day.
    """
    at, until = wire.get("at"), wire.get("until")
    if not isinstance(at, str) or not isinstance(until, str):
        return True
    try:
        stored, end = parse_time(at), parse_time(until)
    except ValueError:
        return True
    return end <= now or stored - now > end - stored
