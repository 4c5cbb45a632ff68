"""The stores that live random lives, each with what it alone can do."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ClassVar

from fakes import SequentialIds
from model_queue.model import JsonObject
from model_queue.store import Store
from model_queue.stores._journal import STEPS
from model_queue.stores.files import FilesStore
from model_queue.stores.memory import MemoryStore

Edit = Callable[[JsonObject], None]


class Backend:
    """One store to be tried; a subclass opens it."""

    name: ClassVar[str]
    steps: ClassVar[Sequence[str]] = ()
    """Points of a write at which its process can be made to end."""

    def __init__(self, folder: Path, at: Callable[[str], None]) -> None:
        """Take an empty folder, and what is to be called at each of ``steps``."""
        self.folder = folder
        self.at = at

    def open(self) -> Store:
        """Return the store as a new process would open it."""
        raise NotImplementedError

    def edit(self, source: str, change: Edit, *, indent: int | None) -> None:
        """Change a queue under the store's back (capability ``hand_edits``)."""
        raise NotImplementedError

    def lose_counter(self) -> None:
        """Lose what can be found again: the highest number (``hand_edits``)."""
        raise NotImplementedError


class Memory(Backend):
    name = "memory"

    def open(self) -> Store:
        return MemoryStore(ids=SequentialIds())


class Files(Backend):
    name = "files"
    steps: ClassVar = STEPS

    def __init__(self, folder: Path, at: Callable[[str], None]) -> None:
        super().__init__(folder, at)
        self.ids = SequentialIds()

    def open(self) -> Store:
        return FilesStore(str(self.folder), ids=self.ids, at=self.at)

    def edit(self, source: str, change: Edit, *, indent: int | None) -> None:
        path = self.folder / f"{source}.json"
        wire = json.loads(path.read_text(encoding="utf-8"))
        change(wire)
        path.write_text(json.dumps(wire, indent=indent), encoding="utf-8")

    def lose_counter(self) -> None:
        (self.folder / ".state" / "counter").unlink(missing_ok=True)


BACKENDS: Sequence[type[Backend]] = (Memory, Files)
