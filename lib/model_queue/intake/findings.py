"""What was found in a message: jobs, commands, and what holds for all jobs."""

from __future__ import annotations

from model_queue.intake.assignment import Assignment
from model_queue.intake.edges import Core
from model_queue.intake.marks import Marks
from model_queue.intake.values import Command, Topic


class Piece:
    """One job: its span without what stood at its edges, and what the edges said.

    ``split``: why it begins there (``item``, ``line``, ``clause``, ``link``, ``turn`` or
    ``message``), and where the marker or the phrase stands that says so.
    """

    __slots__ = ("core", "split")

    def __init__(self, core: Core, split: tuple[str, int, int]) -> None:
        self.core = core
        self.split = split

    @property
    def marks(self) -> Marks:
        """What the edges said."""
        return self.core.marks


class Findings:
    """Everything found in a message, in the order it stands there.

    ``in_order``, ``in_parallel``: where the words stand that say so.
    """

    __slots__ = (
        "assignments",
        "commands",
        "in_order",
        "in_parallel",
        "is_triggered",
        "pieces",
        "shared",
        "topic",
    )

    def __init__(self) -> None:
        self.pieces: list[Piece] = []
        self.commands: list[Command] = []
        self.assignments: list[Assignment] = []
        self.shared: list[Marks] = []
        self.in_order: tuple[int, int] | None = None
        self.in_parallel: tuple[int, int] | None = None
        self.is_triggered = False
        self.topic: Topic = ""

    def share(self, marks: Marks) -> None:
        """Let the attributes of a heading or a sentence of its own hold for all tasks."""
        if marks.is_triggered:
            self.is_triggered = True
        if marks.has_any:
            marks.shared = {"ref", "priority", "wish", "policy"}
            self.shared.append(marks)
