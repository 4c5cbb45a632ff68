"""Chat messages in, tasks and commands out: deterministic, without a model call.

The stages, each pure: ``normalize`` (scanning form), ``protect`` (content that is
never scanned), ``layout`` and ``split`` (lists, sentences, connectives), ``commands``
and ``queue_questions``, ``edges`` with ``leads``, ``tails``, ``select``, ``marks`` and
``times`` (attributes), ``classify`` (what is work), ``ambient`` (what is ours),
``parse`` (all together), ``reasons`` (why). The rules of a language are data in
``phrases``, looked up through the index of a message's words (``scan``, ``context``).
"""

from __future__ import annotations

from model_queue.intake.corpus import predict_line, to_corpus
from model_queue.intake.parse import parse
from model_queue.intake.values import Catalog, Command, Parsed, ParsedTask

__all__ = [
    "Catalog",
    "Command",
    "Parsed",
    "ParsedTask",
    "parse",
    "predict_line",
    "to_corpus",
]
