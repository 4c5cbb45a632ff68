"""What is told of a first run that not all worked in. Apart: nearly all of it works."""

from __future__ import annotations

from model_queue.messages import first_run_texts as texts
from model_queue.messages.wording import say


def no_entry(path: str, *, lang: str = "en") -> str:
    """Say that a HEARTBEAT.md cannot be written, and what to do."""
    remedy = say(texts.NO_ENTRY_REMEDY, lang)
    return f"{say(texts.NO_ENTRY, lang, path=path)}\n{remedy}"
