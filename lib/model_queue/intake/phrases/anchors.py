"""The words of each language that tie a message to the queue.

Kept apart from the tables, since the hook's guard needs them and nothing else. A phrase
of the purposes ``ambient_trigger`` and ``ambient_tail``, and the queue as a target in
ambient scope, holds one of a language's containers: a test holds the tables to that.
"""

from __future__ import annotations

from collections.abc import Mapping

CONTAINERS: Mapping[str, tuple[str, ...]] = {
    "en": ("task", "queue", "job", "todo", "to-do", "work item"),
    "zh": ("任务", "待办", "队列", "排队", "排个队", "入队"),
    "de": ("aufgabe", "auftrag", "warteschlange"),
    "es": ("tarea", "la cola", "en cola", "a cola", "encola"),
    "fr": ("tâche", "la file", "en file", "notre file", "ma file", "file d'attente"),
    "ja": ("タスク", "キュー", "待ち行列"),
    "ko": ("작업", "태스크", "대기열", "큐"),
}
"""What work is put on, and what is put there; lower case."""

SOURCE_WORDS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "de": {
        "local": ("lokal", "lokale", "lokalen", "lokales", "lokaler", "lokalem"),
        "remote": ("entfernt", "entfernte", "entfernten"),
        "cloud": ("wolke",),
    },
    "es": {
        "local": ("locales", "localmente"),
        "remote": ("remoto", "remota", "remotos", "remotamente"),
        "cloud": ("nube", "la nube"),
    },
    "fr": {
        "local": ("locale", "locaux", "localement"),
        "remote": ("distant", "distante", "à distance"),
        "cloud": ("nuage", "le nuage"),
    },
    "ja": {"local": ("ローカル",), "remote": ("リモート",), "cloud": ("クラウド",)},
    "ko": {"local": ("로컬",), "remote": ("원격",), "cloud": ("클라우드",)},
}
"""Language to an alias in English to the words that mean it there."""
