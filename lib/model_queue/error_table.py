"""The table of error codes in references/hooks.md, drawn from the classes."""

from __future__ import annotations

from collections.abc import Iterator

from model_queue.errors import ModelQueueError

INTERNAL = (
    1,
    "internal",
    "A fault of model-queue itself; `.state/log` has the details.",
)


def error_table() -> str:
    """Return every code with its exit code and meaning, as a Markdown table."""
    rows = [INTERNAL, *sorted(_rows(ModelQueueError))]
    lines = [f"| {number} | `{code}` | {meaning} |" for number, code, meaning in rows]
    head = ["| exit code | `error.code` | meaning |", "|---|---|---|"]
    return "\n".join([*head, *lines]) + "\n"


def _rows(family: type[ModelQueueError]) -> Iterator[tuple[int, str, str]]:
    for each in family.__subclasses__():
        meaning = (each.__doc__ or "").strip().partition("\n")[0]
        # A private class has no code of its own: it is what some others share.
        if not each.__name__.startswith("_"):
            yield each.exit_code, each.code, meaning
        yield from _rows(each)
