"""Why a task was split where it was, and what chose each thing that it says."""

from __future__ import annotations

from collections.abc import Iterator

from model_queue.intake.findings import Findings, Piece
from model_queue.intake.marks import Marks
from model_queue.intake.names import Ref
from model_queue.intake.normalize import Normal
from model_queue.intake.values import ParsedTask, Why

_SHARED = {
    "model": "ref",
    "priority": "priority",
    "not_before": "wish",
    "on_depends_fail": "policy",
}
"""An attribute of a task to the mark that a heading may hold for all tasks."""


class Reasons:
    """Tells of each piece of a message why it became the task that it is.

    ``placed``: piece to the name that a sentence such as "glm5 for the first" gives it,
    and whether it gives that name to all;
    ``kept``: piece to the words that merge what came before.
    """

    __slots__ = ("_found", "_kept", "_normal", "_placed")

    def __init__(
        self,
        normal: Normal,
        found: Findings,
        placed: dict[int, tuple[Ref, bool]],
        kept: dict[int, tuple[int, int]],
    ) -> None:
        self._normal = normal
        self._found = found
        self._placed = placed
        self._kept = kept

    def of(self, index: int, piece: Piece, task: ParsedTask) -> tuple[Why, ...]:
        """Return the reasons for one task: where it begins first, then its attributes."""
        how, start, end = piece.split
        own = piece.marks
        why = [Why("split", how, self._words((start, end)))]
        if "trigger" in own.spans:
            why.append(Why("trigger", "phrase", self._words(own.spans["trigger"])))
        why.append(self._model(index, own))
        if task.depends_on or own.is_chained or own.fan_in:
            why.append(self._dependency(index, own))
        for name, value in (
            ("not_before", task.not_before),
            ("priority", task.priority),
            ("on_depends_fail", task.on_depends_fail != "block"),
        ):
            if value:
                why += self._said(name, own)
        return tuple(why)

    def _words(self, span: tuple[int, int]) -> str:
        return self._normal.verbatim(*span).strip()

    def _said(self, name: str, own: Marks) -> Iterator[Why]:
        if name in own.spans:
            yield Why(name, "phrase", self._words(own.spans[name]))
            return
        for marks in self._found.shared:
            if name in marks.spans and _SHARED[name] in marks.shared:
                yield Why(name, "heading", self._words(marks.spans[name]))
                return
        yield Why(name, "position")

    def _model(self, index: int, own: Marks) -> Why:
        if own.ref is None and index in self._placed:
            ref, is_for_all = self._placed[index]
            how = "heading" if is_for_all else "position"
            return Why("model", how, self._words((ref.start, ref.end)))
        found = next(iter(self._said("model", own)))
        return found if found.phrase else Why("model", "default")

    def _dependency(self, index: int, own: Marks) -> Why:
        if "depends_on" in own.spans:
            return Why("depends_on", "phrase", self._words(own.spans["depends_on"]))
        if index in self._kept:
            return Why("depends_on", "phrase", self._words(self._kept[index]))
        return Why("depends_on", "order", self._words(self._found.in_order or (0, 0)))
