"""Rules of what befalls a store: time, the archive, crashes, people who edit files."""

from __future__ import annotations

import datetime as dt

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from contract import store_model
from contract.store_commit_rules import A_WISH, CommitRules
from contract.store_contract import CLOUD
from contract.store_life import CHATS, SLOTS, picks, sources, spans
from contract.store_model import Fields


class AccidentRules(CommitRules):
    """What no use case decides; hand edits and crashes where the store has them."""

    @rule(span=spans, is_back=st.sampled_from([False, False, False, True]))
    def time_passes(self, span: dt.timedelta, *, is_back: bool) -> None:
        self.now += -span if is_back else span
        self.model.time_is(self.now)

    @precondition(lambda self: self.ids(*store_model.ENDED))
    @rule(
        pick=picks,
        span=st.sampled_from([0, 1, 3_600_000_000]).map(
            lambda n: dt.timedelta(microseconds=n)
        ),
    )
    def archive(self, pick: int, span: dt.timedelta) -> None:
        """Everything that ended before, or with, one of those that have."""
        ids = self.ids(*store_model.ENDED)
        before = self.model.tasks[ids[pick % len(ids)]]["completed_at"] + span
        self.write(
            lambda store: sorted(store.archive(before=before, now=self.now)),
            lambda model: sorted(model.archive(before=before, now=self.now)),
        )

    @precondition(lambda self: "durable" in self.store.capabilities)
    @rule()
    def process_ends(self) -> None:
        self.store = self.backend.open()

    @precondition(lambda self: self.backend.steps)
    @rule(place=st.integers(0, 9), nth=st.integers(1, 4))
    def next_write_crashes(self, place: int, nth: int) -> None:
        steps = self.backend.steps
        self.crash_at, self.edit_at = (steps[place % len(steps)], nth), None

    @precondition(lambda self: "hand_edits" in self.store.capabilities)
    @rule(
        source=sources,
        pick=picks,
        what=st.sampled_from(["unknown field", "priority", "order", "slots"]),
        indent=st.sampled_from([None, 4]),
    )
    def person_edits(
        self, source: str, pick: int, what: str, *, indent: int | None
    ) -> None:
        ids = [task["id"] for task in self.model.line(source)]
        task_id = ids[pick % len(ids)] if ids else ""

        def change(wire: Fields) -> None:
            here: Fields = next((t for t in wire["tasks"] if t["id"] == task_id), {})
            queue = self.model.queues[source]
            task = self.model.tasks.get(task_id, {})
            if what == "unknown field":
                wire["x_note"] = here["x_note"] = f"第{pick}"
                queue["extra"] = {**queue["extra"], "x_note": f"第{pick}"}
                task["extra"] = {**task.get("extra", {}), "x_note": f"第{pick}"}
            elif what == "priority":
                here["priority"] = task["priority"] = pick
            elif what == "order":
                wire["tasks"].reverse()
            else:
                wire["maxConcurrent"] = queue["max_concurrent"] = 1 + pick % SLOTS

        self.backend.edit(source, change, indent=indent)

    @precondition(lambda self: "hand_edits" in self.store.capabilities)
    @rule(source=sources, place=st.integers(0, 1), note=picks)
    def person_edits_during_the_next_write(
        self, source: str, place: int, note: int
    ) -> None:
        """Or after a write that does not come so far."""
        done: list[bool] = []

        def edit() -> None:
            def change(wire: Fields) -> None:
                wire["x_during"] = note

            if not done:
                self.backend.edit(source, change, indent=None)
                done.append(True)

        self.crash_at, self.edit_at = None, (self.backend.steps[place], edit)
        queue = self.model.queues[source]
        queue["extra"] = {**queue["extra"], "x_during": note}
        self.add([A_WISH, {**A_WISH, "queue": CLOUD}], CHATS[0])
        self.edit_at = None
        edit()

    @precondition(lambda self: "hand_edits" in self.store.capabilities)
    @rule()
    def counter_is_lost(self) -> None:
        self.backend.lose_counter()
