"""What only the command line says about commands -> its words."""

from __future__ import annotations

from collections.abc import Sequence

from model_queue.messages import steering_texts, texts
from model_queue.messages.wording import counted, listed, say


def or_yes(*, lang: str = "en") -> str:
    """Say which flag answers the question before a command."""
    return say(steering_texts.OR_YES, lang)


def archived(ids: Sequence[str], *, lang: str = "en") -> str:
    """Say which tasks were archived."""
    if not ids:
        return say(steering_texts.ARCHIVED_NONE, lang)
    tasks = counted(len(ids), texts.ONE_TASK, texts.MANY_TASKS, lang=lang)
    return say(steering_texts.ARCHIVED, lang, tasks=tasks, ids=listed(ids, lang=lang))
