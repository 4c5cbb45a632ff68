"""A store and its model side by side: what every rule of a random life is made of."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine

from contract.store_backends import Backend
from contract.store_comparison import difference, plain
from contract.store_contract import CLOUD, LOCAL, a_notice
from contract.store_model import ENDED, LIVE, Fields, Model
from fakes import START
from model_queue.model import Task, TaskRef
from model_queue.store import Batch, Notice, QueueMeta, Store

T = TypeVar("T")

SOURCES = (LOCAL, CLOUD)
SLOTS = 3
"""No rule allows a queue more at once."""
CHATS = (
    ("", "", ""),
    ("openclaw", "telegram", "s-1"),
    ("openclaw", "telegram", ""),
    ("openclaw", "", ""),
    ("codex", "", ""),
)

picks = st.integers(0, 11)
"""The place of a task among all there are, counted round."""
spans = st.sampled_from([1, 5, 60, 3_600, 86_400, 40 * 86_400]).map(
    lambda seconds: dt.timedelta(seconds=seconds)
)
sources = st.sampled_from(SOURCES)


class Crash(Exception):  # noqa: N818 - the process is gone, nothing handles it
    """The process ended here."""


class Life(RuleBasedStateMachine):
    """One store beside its model. ``exercise`` sets ``backend_class`` and ``folders``."""

    backend_class: type[Backend]
    folders: Iterator[Path]

    def __init__(self) -> None:
        super().__init__()
        self.backend = self.backend_class(next(self.folders), self._at)
        self.now = START
        self.policy = dict.fromkeys(SOURCES, False)
        self.crash_at: tuple[str, int] | None = None
        self.edit_at: tuple[str, Callable[[], None]] | None = None
        self.model = Model()
        self.labels: set[str] = set()
        self.uuids: set[str] = set()
        self.sessions = 0
        self.n_notices = 0
        self.history: list[Task] = []
        self.newest: dict[str, Fields] = {}
        self.store = self.backend.open()

    def _at(self, name: str) -> None:
        if self.edit_at is not None and self.edit_at[0] == name:
            edit, self.edit_at = self.edit_at[1], None
            edit()
        if self.crash_at is not None and self.crash_at[0] == name:
            self.crash_at = (name, self.crash_at[1] - 1)
            if self.crash_at[1] == 0:
                self.crash_at = None
                raise Crash

    def write(
        self, act: Callable[[Store], T], expect: Callable[[Model], object]
    ) -> T | None:
        """Let the store and the model do the same; None when the process ended in it."""
        after = self.model.copied()
        expected = expect(after)
        try:
            done = act(self.store)
        except Crash:
            self._rise_again(after)
            return None
        finally:
            self.crash_at = None
        self.model = after
        assert plain(done) == expected
        return done

    def _rise_again(self, after: Model) -> None:
        """Open the store anew; it must hold what it held before, or all of the new."""
        self.store = self.backend.open()
        found = difference(self.store, after, self.now)
        if found is None:
            self.model = after
        else:
            was = difference(self.store, self.model, self.now)
            assert was is None, f"neither new ({found}) nor old ({was})"

    def ids(self, *statuses: str, with_archive: bool = False) -> list[str]:
        """Return the ids of the model's tasks of some statuses, of all without any."""
        tasks = {**self.model.tasks, **(self.model.away if with_archive else {})}
        wanted = statuses or (*LIVE, *ENDED)
        return sorted(id_ for id_, task in tasks.items() if task["status"] in wanted)

    def read(self, task_id: str) -> Task:
        """Look at a task, as a program does that will commit from what it saw."""
        task = self.store.get(TaskRef.parse(task_id))
        self.history.append(task)
        return task

    def open_queues(self, queues: Sequence[QueueMeta]) -> None:
        self.write(
            lambda store: store.open_queues(queues, now=self.now),
            lambda model: model.open_queues(map(plain, queues)),
        )

    def commit(
        self,
        batch: Batch,
        expect: Callable[[Model], Sequence[str] | None],
    ) -> None:
        """Commit a batch; ``expect`` returns the ids of its drafts."""
        now = self.now

        def in_model(model: Model) -> Fields:
            # The batch's own records come before those of its drafts.
            model.records.extend(map(plain, batch.records))
            model.put_notices(map(plain, batch.notices))
            model.acknowledge(batch.delivered)
            return {"ids": list(expect(model) or ())}

        def act(store: Store) -> Fields:
            return {"ids": [task.id for task in store.commit(batch, now=now).tasks]}

        self.write(act, in_model)

    def notices_for(self, chat: tuple[str, str, str] | None) -> list[Notice]:
        """Return the notice of a commit for a chat, none without one."""
        if chat is None:
            return []
        self.n_notices += 1
        return [a_notice(f"n-{self.n_notices}", chat=chat, created_at=self.now)]
