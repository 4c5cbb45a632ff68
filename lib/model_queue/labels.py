"""Attempt labels, read back: ``mq-t-001-a2-1f3c9a7e`` is attempt 2 of T-001."""

from __future__ import annotations

from model_queue.model import Task

_N_WORDS = 5


def attempt_of(task: Task, label: str) -> int | None:
    """Return which attempt of the task a label names, None when it names none.

    The uuid's first part must fit as well: an id can be doubled, a label cannot. Labels
    that were made before they were of small letters only are known too.
    """
    for tail in (task.label_tail, task.uuid[:8]):
        before, after = f"mq-{task.id.lower()}-a", f"-{tail}"
        number = label.removeprefix(before).removesuffix(after)
        is_number = number.isascii() and number.isdigit()
        if is_number and f"{before}{number}{after}" == label:
            return int(number)
    return None


def task_id_of(label: str) -> str | None:
    """Return the id of the task that a label names, None when it is none of ours.

    >>> task_id_of("mq-t-001-a2-1f3c9a7e")
    'T-001'
    """
    words = label.split("-")
    is_ours = len(words) == _N_WORDS and words[:2] == ["mq", "t"]
    return f"T-{words[2]}" if is_ours and words[2].isdecimal() else None


def latest_label(task: Task) -> str:
    """Return the label of the task's latest attempt, whether it still holds it or not."""
    return f"mq-{task.id.lower()}-a{task.attempt}-{task.label_tail}"
