"""Edits, and what is taken back -> what a person is told of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from model_queue.codec import parse_time
from model_queue.messages import changes_texts, texts
from model_queue.messages.wording import LINE_COLUMNS, listed, moment, one_line, say
from model_queue.model import JsonValue, Status, Task


def undone(*, lang: str = "en") -> str:
    """Head what was taken back."""
    return say(changes_texts.UNDONE, lang)


def nothing_to_undo(*, lang: str = "en") -> str:
    """Say that the chat did nothing that could be taken back."""
    return say(changes_texts.UNDO_NOTHING, lang)


def cannot_undo(verb: str, *, lang: str = "en") -> str:
    """Say that a command has no way back."""
    word = say(texts.VERBS.get(verb, (verb, verb)), lang)
    return say(changes_texts.UNDO_CANNOT, lang, verb=word)


def undo_started(task: Task, *, lang: str = "en") -> str:
    """Say that an added task runs, and is left running."""
    return say(changes_texts.UNDO_STARTED, lang, id=task.id)


def undo_changed(task: Task, *, lang: str = "en") -> str:
    """Say that a task is not any more what the command had made of it."""
    word = say(texts.STATUS_WORDS[task.status], lang)
    return say(changes_texts.UNDO_CHANGED, lang, id=task.id, word=word)


def edited(
    task: Task,
    before: Mapping[str, JsonValue],
    after: Mapping[str, JsonValue],
    *,
    lang: str = "en",
) -> str:
    """Confirm an edit: each field's old and new value, by wire name."""
    if not after:
        return say(changes_texts.EDITED_NOTHING, lang, id=task.id)
    lines = [say(changes_texts.EDITED, lang, id=task.id)]
    lines += [
        say(
            changes_texts.EDITED_FIELD,
            lang,
            field=say(word, lang),
            old=_value(before.get(name), lang),
            new=_value(after[name], lang),
        )
        for name, word in changes_texts.FIELD_WORDS.items()
        if name in after
    ]
    return "\n".join(lines)


def edit_started(task: Task, *, lang: str = "en") -> str:
    """Say that a task's dependencies are settled."""
    return say(changes_texts.EDIT_STARTED, lang, id=task.id)


def edit_circle(path: Sequence[str], *, lang: str = "en") -> str:
    """Say that a task would wait for itself; ``path`` begins and ends with it."""
    return say(changes_texts.EDIT_CIRCLE, lang, id=path[0], path=" → ".join(path))


def hint_for_edit(task: Task, *, lang: str = "en") -> str:
    """Return what to do about a task that cannot be edited now."""
    hint = changes_texts.HINT_STOPPING
    if task.status is Status.RUNNING:
        hint = changes_texts.HINT_PAUSE_FIRST
    elif task.status.is_terminal:
        hint = changes_texts.HINT_ENDED
    return say(hint, lang, id=task.id)


def _value(value: JsonValue, lang: str) -> str:
    if isinstance(value, dict):
        return f"${value.get('usd')}"
    if isinstance(value, list):
        return listed([str(each) for each in value], lang=lang)
    if value is None or value == "":
        return say(changes_texts.NONE, lang)
    text = str(value)
    try:
        return moment(parse_time(text))
    except ValueError:
        return one_line(text, LINE_COLUMNS)
