"""The audit log: lines of records, one file per month, the present one open."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Iterable

from model_queue import jsontext
from model_queue.atomic import (
    explained,
    open_file,
    read_lines,
    sync_directory,
    whole_length,
)
from model_queue.codec import FieldError, decode_record, encode_record, format_time
from model_queue.store import Record

NAME = "events.jsonl"

_TAIL = 16_384
"""Bytes of the log's end that surely hold its last line."""
_TORN_SHOWN = 2_000
"""Characters of a torn line that are kept: enough to see what it was about."""


def encode(records: Iterable[Record]) -> bytes:
    """Return the lines of some records."""
    lines = [jsontext.dumps(encode_record(record)) + "\n" for record in records]
    return "".join(lines).encode()


def whole(path: str) -> tuple[int, bytes]:
    """Return how long a file of lines is, and the torn line that follows; b"" if none."""
    with explained(path):
        try:
            with open(open_file(path), "rb") as file:
                at = whole_length(file.fileno())
                file.seek(at)
                return at, file.read()
        except FileNotFoundError:
            return 0, b""


def torn_record(rest: bytes, *, now: dt.datetime) -> Record:
    """Return the record of a torn line that the next append cuts off."""
    text = rest[: 4 * _TORN_SHOWN].decode("utf-8", "replace")
    return Record(ts=now, event="torn_line", detail=text[:_TORN_SHOWN])


def rotate(root: str, *, now: dt.datetime) -> None:
    """Put the log of an earlier month away, as ``events-2026-03.jsonl``.

    Where a log of that month lies there already, as ``events-2026-03.2.jsonl``.
    """
    path = os.path.join(root, NAME)
    month = _month_of_last(path)
    if month is None or month >= format_time(now)[:7]:
        return
    number, name = 1, f"events-{month}.jsonl"
    while os.path.lexists(os.path.join(root, name)):
        number += 1
        name = f"events-{month}.{number}.jsonl"
    # The journal of the last commit must not come back after a power cut: its lines
    # would not be found where they were put, and be written a second time. And the new
    # log must not be on the disk while the old one is still under its name.
    sync_directory(os.path.join(root, ".state"))
    with explained(path):
        os.rename(path, os.path.join(root, name))
    sync_directory(root)


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
    return sorted(old, key=_age, reverse=True)


def _age(name: str) -> tuple[str, int]:
    """Return month and number of a log that was put away; larger is newer."""
    month, _, number = name[len("events-") : -len(".jsonl")].partition(".")
    return month, int(number) if number.isdecimal() else 1


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
            with open(open_file(path), "rb") as file:
                file.seek(max(os.path.getsize(path) - _TAIL, 0))
                lines = file.read().split(b"\n")[:-1]
        except FileNotFoundError:
            return None
    records = _decode(lines[-1:])
    return format_time(records[0].ts)[:7] if records else None
