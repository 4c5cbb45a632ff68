"""The topic of a message without work -> what is answered to it."""

from __future__ import annotations

from model_queue.messages import topic_texts
from model_queue.messages.wording import say


def on_help(*, lang: str = "en") -> str:
    """Return what can be said here, with examples."""
    return say(topic_texts.HELP, lang)


def on_later(*, lang: str = "en") -> str:
    """Say that a command cannot wait for what happens to a task."""
    return say(topic_texts.LATER, lang)


def on_log(task_id: str, *, lang: str = "en") -> str:
    """Say how the log of a task is read."""
    return say(topic_texts.LOG, lang, id=task_id)
