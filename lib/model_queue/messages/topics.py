"""The topic of a message without work -> what is answered to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from model_queue.messages import topic_texts
from model_queue.messages.wording import listed, say

_ANSWERS = {
    "help": topic_texts.HELP,
    "archive": topic_texts.ARCHIVE,
    "later": topic_texts.LATER,
    "edit": topic_texts.EDIT,
}


def on_topic(topic: str, *, lang: str = "en") -> str:
    """Return the answer to a topic of the intake: help, archive, later or edit.

    Raises:
        KeyError: it is none of these.
    """
    return say(_ANSWERS[topic], lang)


def on_log(task_id: str, *, lang: str = "en") -> str:
    """Say how the log of a task is read."""
    return say(topic_texts.LOG, lang, id=task_id)


def on_models(
    sources: Mapping[str, Sequence[str]], default: str | None, *, lang: str = "en"
) -> str:
    """Return the models of each source, and how one is chosen."""
    lines = [
        say(
            topic_texts.DEFAULT_SOURCE if name == default else topic_texts.SOURCE,
            lang,
            source=name,
            models=listed(models, lang=lang),
        )
        for name, models in sources.items()
    ]
    names = [model for models in sources.values() for model in models]
    name = (names or list(sources))[0]
    return "\n".join([*lines, say(topic_texts.MODELS, lang, name=name)])
