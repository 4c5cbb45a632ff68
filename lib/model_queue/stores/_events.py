"""The audit log: lines of records, one file per month, the present one open."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Iterable

from model_queue import jsontext
from model_queue.atomic import explained, open_lines, read_lines, whole_length
from model_queue.codec import FieldError, decode_record, encode_record, format_time
from model_queue.store import Record

NAME = "events.jsonl"

_TAIL = 16_384
"""Bytes of the log's end that surely hold its last line."""


def encode(records: Iterable[Record]) -> bytes:
    """Return the lines of some records."""
    lines = [jsontext.dumps(encode_record(record)) + "\n" for record in records]
    return "".join(lines).encode()


def length(path: str) -> int:
    """Return where the next line of a file of lines begins."""
    if not os.path.exists(path):
        return 0
    with explained(path), open_lines(path) as fd:
        return whole_length(fd)


def rotate(root: str, *, now: dt.datetime) -> None:
    """Put the log of an earlier month away, as ``events-2026-03.jsonl``."""
    path = os.path.join(root, NAME)
    month = _month_of_last(path)
    if month is None or month >= format_time(now)[:7]:
        return
    old = os.path.join(root, f"events-{month}.jsonl")
    # A log of that month that lies there already is not written over.
    if not os.path.exists(old):
        with explained(path):
            os.rename(path, old)


def newest(root: str, limit: int) -> list[Record]:
    """Return the last ``limit`` records of all months, oldest first."""
    found: list[Record] = []
    for name in [NAME, *_old_names(root)]:
        missing = limit - len(found)
        if missing <= 0:
            break
        lines = read_lines(os.path.join(root, name))[-missing:]
        found = [*_decode(lines), *found]
    return found


def _old_names(root: str) -> list[str]:
    with explained(root):
        try:
            names = os.listdir(root)
        except FileNotFoundError:
            return []
    old = [n for n in names if n.startswith("events-") and n.endswith(".jsonl")]
    return sorted(old, reverse=True)


def _decode(lines: Iterable[bytes]) -> list[Record]:
    """Return the records of some lines; one that cannot be read is left out."""
    found: list[Record] = []
    for line in lines:
        try:
            wire = jsontext.loads(line.decode())
            if isinstance(wire, dict):
                found.append(decode_record(wire))
        except (ValueError, FieldError):
            continue
    return found


def _month_of_last(path: str) -> str | None:
    with explained(path):
        try:
            with open(path, "rb") as file:
                file.seek(max(os.path.getsize(path) - _TAIL, 0))
                lines = file.read().split(b"\n")[:-1]
        except FileNotFoundError:
            return None
    records = _decode(lines[-1:])
    return format_time(records[0].ts)[:7] if records else None
