"""Notices that no chat has acknowledged yet: who gets which, and their file."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Sequence
from typing import TypeAlias

from model_queue import jsontext
from model_queue.codec import FieldError, decode_notice, encode_notice
from model_queue.store import Notice, is_for

HANDED_OUT_FOR = dt.timedelta(seconds=60)
"""How long a notice is one caller's alone before it is handed out again."""

Waiting: TypeAlias = tuple[Notice, dt.datetime | None]
"""A notice and when it was last handed out."""


def changed(
    rows: Sequence[Waiting], *, new: Iterable[Notice], delivered: Collection[str]
) -> list[Waiting]:
    """Return the outbox after a commit; a notice that waits already is not doubled."""
    kept = [row for row in rows if row[0].id not in delivered]
    known = {row[0].id for row in rows}
    kept.extend((notice, None) for notice in new if notice.id not in known)
    return kept


def hand_out(
    rows: Sequence[Waiting],
    *,
    chat: tuple[str, str, str],
    limit: int,
    now: dt.datetime,
) -> tuple[list[Notice], list[Waiting]]:
    """Return the notices for a chat, oldest first, and the outbox afterwards."""
    fitting = [row for row in rows if is_for(row[0], chat) and not _is_out(row, now)]
    fitting.sort(key=lambda row: row[0].created_at)
    taken = [notice for notice, _ in fitting[: max(limit, 0)]]
    ids = {notice.id for notice in taken}
    after = [(row[0], now) if row[0].id in ids else row for row in rows]
    return taken, after


def waiting(rows: Sequence[Waiting]) -> list[Notice]:
    """Return every notice of the outbox, oldest first."""
    notices = [notice for notice, _ in rows]
    return sorted(notices, key=lambda notice: notice.created_at)


def _is_out(row: Waiting, now: dt.datetime) -> bool:
    """Report whether another caller has the notice.

    Callers take their time before they get the lock, so that the one before may show a
    slightly later time; after a clock set back, a notice must not wait for the old one.
    """
    return row[1] is not None and abs(now - row[1]) < HANDED_OUT_FOR


def encode(rows: Iterable[Waiting]) -> bytes:
    """Return the file: one notice per line."""
    lines = [jsontext.dumps(encode_notice(notice, out)) + "\n" for notice, out in rows]
    return "".join(lines).encode()


def decode(lines: Iterable[bytes]) -> list[Waiting]:
    """Return the notices of a file's lines; one that cannot be read is left out.

    A notice that is lost must not keep all later ones from the person.
    """
    rows: list[Waiting] = []
    for line in lines:
        try:
            wire = jsontext.loads(line.decode())
            if isinstance(wire, dict):
                rows.append(decode_notice(wire))
        except (ValueError, FieldError):
            continue
    return rows
