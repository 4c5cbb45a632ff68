"""What was found in a message: jobs, commands, and what holds for all jobs."""

from __future__ import annotations

from model_queue.intake.assignment import Assignment
from model_queue.intake.edges import Core
from model_queue.intake.marks import Marks
from model_queue.intake.values import Command, Topic


class Piece:
    """One job: its span without what stood at its edges, and what the edges said."""

    __slots__ = ("core", "is_item")

    def __init__(self, core: Core, *, is_item: bool) -> None:
        self.core = core
        self.is_item = is_item

    @property
    def marks(self) -> Marks:
        """What the edges said."""
        return self.core.marks


class Findings:
    """Everything found in a message, in the order it stands there."""

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
        self.in_order = False
        self.in_parallel = False
        self.is_triggered = False
        self.topic: Topic = ""

    def share(self, marks: Marks) -> None:
        """Let the attributes of a heading or a sentence of its own hold for all tasks."""
        if marks.is_triggered:
            self.is_triggered = True
        if marks.has_any:
            marks.shared = {"ref", "priority", "wish", "policy"}
            self.shared.append(marks)
