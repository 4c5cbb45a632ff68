"""What holds of a store after every rule of a random life."""

from __future__ import annotations

from collections import Counter

from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule

from contract.store_comparison import difference, plain, without_uuid
from contract.store_life import SLOTS, Life, picks
from contract.store_model import ENDED, Fields
from model_queue.model import Status, TaskRef
from model_queue.store import Query

NOBODY: Fields = {"claim": None}


class Laws(Life):
    """The store equals the model, and neither goes back."""

    @invariant()
    def all_laws_hold(self) -> None:
        # The model learns the uuids of new tasks first.
        self._store_equals_model()
        self._nothing_goes_back()
        self._no_queue_runs_more_than_its_slots()
        self._every_task_is_found()

    def _store_equals_model(self) -> None:
        self.model.time_is(self.now)
        found = difference(self.store, self.model, self.now)
        assert found is None, f"store and model differ: {found}"
        for task_id, fields in self.model.tasks.items():
            if fields["uuid"] is None:
                uuid = self.store.get(TaskRef.parse(task_id)).uuid
                assert uuid not in self.uuids
                fields["uuid"] = uuid
                self.uuids.add(uuid)

    def _nothing_goes_back(self) -> None:
        tasks = {**self.model.tasks, **self.model.away}
        for task_id, old in self.newest.items():
            new = tasks[task_id]
            assert new["uuid"] == old["uuid"]
            assert new["attempt"] >= old["attempt"]
            if old["status"] in ENDED and new["completed_at"]:
                assert new["status"] == old["status"]
        assert self.model.number == len(tasks)
        for task in tasks.values():
            label = task["claim"] and task["claim"]["label"]
            was = self.newest.get(task["id"], NOBODY)
            if label and label != (was["claim"] and was["claim"]["label"]):
                assert label not in self.labels
                self.labels.add(label)
        self.newest = {task_id: dict(task) for task_id, task in tasks.items()}

    def _no_queue_runs_more_than_its_slots(self) -> None:
        running = self.store.select(Query(statuses=[Status.RUNNING]))
        per_queue = Counter(task.queue for task in running)
        assert all(n <= SLOTS for n in per_queue.values())

    def _every_task_is_found(self) -> None:
        for task_id, fields in {**self.model.tasks, **self.model.away}.items():
            is_live = task_id in self.model.tasks
            if (self.now.toordinal() + int(task_id[2:])) % 3 == 0:
                task = self.store.get(TaskRef.parse(f"{fields['queue']}/{task_id}"))
                assert without_uuid(plain(task)) == without_uuid(fields)
                assert self.store.get(task.ref) == task
            if fields["claim"] and is_live:
                found = self.store.find(label=fields["claim"]["label"])
                assert found is not None
                assert found.id == task_id

    @precondition(lambda self: self.labels)
    @rule(pick=picks, back=st.integers(0, 5))
    def look_up(self, pick: int, back: int) -> None:
        """By labels of any attempt, and by the session of the latest."""
        tasks = {**self.model.tasks, **self.model.away}
        labels = sorted(self.labels)
        label = labels[pick % len(labels)]
        parts = label.split("-")
        task_id = f"T-{parts[2]}"
        found = self.store.find(label=label)
        is_live = task_id in self.model.tasks
        assert (found and found.id) == (task_id if is_live else None)
        assert self.store.find(label="-".join([*parts[:4], "ffffffff"])) is None
        session = f"s-{self.sessions + 1 - back}"
        holders = [
            id_ for id_ in self.model.tasks if tasks[id_]["subagent_session"] == session
        ]
        by_session = self.store.find(session=session)
        assert (by_session and by_session.id) == (holders[0] if holders else None)
