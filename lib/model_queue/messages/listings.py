"""Tasks of some states -> the list that a person asks for ("which tasks failed?")."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from model_queue.messages import listing_texts, texts
from model_queue.messages.overview import ROWS_PER_STATUS, listing
from model_queue.messages.wording import say
from model_queue.model import Status, Task

_LONGEST_AGO = dt.datetime.min.replace(tzinfo=dt.UTC)


def of_statuses(
    statuses: Sequence[Status],
    tasks: Sequence[Task],
    *,
    now: dt.datetime,
    lang: str = "en",
) -> str:
    """Return the number of the tasks and one line each; the latest to end stand first.

    ``statuses`` are what was asked for, one or several, and ``tasks`` all that are in
    one of them, in claim order. Beyond ``ROWS_PER_STATUS`` only their number is told.
    """
    if not tasks:
        is_open = len(statuses) > 1 and Status.RUNNING in statuses
        none = listing_texts.NONE_OPEN if is_open else listing_texts.NONE
        return say(none, lang, word=_word(statuses, lang))
    n = len(tasks)
    head = listing_texts.ONE if n == 1 else listing_texts.MANY
    ordered = sorted(tasks, key=_ended, reverse=True)
    lines = [
        say(head, lang, n=n, word=_word(statuses, lang)),
        listing(ordered[:ROWS_PER_STATUS], now=now, lang=lang),
    ]
    if n > ROWS_PER_STATUS:
        lines.append(say(listing_texts.MORE, lang, n=n - ROWS_PER_STATUS))
    return "\n".join(lines)


def _word(statuses: Sequence[Status], lang: str) -> str:
    if len(statuses) == 1:
        return say(texts.STATUS_WORDS[statuses[0]], lang)
    is_open = Status.RUNNING in statuses
    return say(listing_texts.OPEN if is_open else listing_texts.QUEUED, lang)


def _ended(task: Task) -> dt.datetime:
    return task.completed_at or _LONGEST_AGO
