"""Rules in which a task takes a step of the table: claims, sessions, commands."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from contract import store_model
from contract.store_contract import CLOUD, LEASE, LOCAL
from contract.store_life import CHATS, SLOTS, SOURCES, Life, picks, sources
from contract.store_model import Fields, Model
from model_queue.errors import IllegalTransition
from model_queue.model import ErrorClass, Outcome, Task
from model_queue.store import Batch, Change, Record, Store
from model_queue.transitions import DependencyState, Event, Facts, session_gone, step

FALLBACK = (CLOUD, "nvidia/llama3")
CLASSES = {
    "fail_reported": ErrorClass.REPORTED,
    "fail_transient": ErrorClass.TRANSIENT,
    "fail_timeout": ErrorClass.TIMEOUT,
    "fail_rate_limited": ErrorClass.RATE_LIMITED,
    "fail_quota": ErrorClass.QUOTA,
    "fail_fatal": ErrorClass.AUTH,
}
RESULTS = ("succeed", *CLASSES, "agent_blocked")
ENDS = (*["succeed"] * 3, *RESULTS, "fail_reported", "fail_quota", "cancel", "lost")


class StepRules(Life):
    """What the dispatcher, the sessions and a person do to tasks."""

    @rule(
        source=sources,
        limit=st.sampled_from([9, 1, 2, 0]),
        slots=st.sampled_from([None, 1, 2, SLOTS]),
    )
    def claim(self, source: str, limit: int, slots: int | None) -> None:
        until_terminal = self.policy[source]
        allowed = slots or self.model.queues[source]["max_concurrent"]
        before = self.model.holders(source, until_terminal=until_terminal)

        def act(store: Store) -> list[str]:
            taken = store.claim(
                source,
                limit=limit,
                slots=slots,
                until_terminal=until_terminal,
                lease=LEASE,
                now=self.now,
            )
            return [task.id for task in taken]

        self.write(
            act,
            lambda model: model.claim(
                source,
                limit=limit,
                slots=allowed,
                until_terminal=until_terminal,
                lease=LEASE,
                now=self.now,
            ),
        )
        held = self.model.holders(source, until_terminal=until_terminal)
        assert held <= max(allowed, before)

    @rule(
        slots=st.sampled_from([None, SLOTS]),
        limit=st.sampled_from([9, 9, 1]),
        span=st.sampled_from([0, 5, 60]),
        ends=st.lists(st.sampled_from(ENDS), max_size=4),
    )
    def work(self, slots: int | None, limit: int, span: int, ends: list[str]) -> None:
        """Let some sessions end, and after a while others begin, in both queues."""
        for event, task_id in zip(ends, self.ids("running"), strict=False):
            self._event(event, [task_id], 0, chat=CHATS[len(self.history) % 5])
        self.now += dt.timedelta(seconds=span)
        for source in SOURCES:
            self.claim(source, limit, slots)

    # Rules are chosen evenly; most of a queue's life is this one.
    work_on = work_more = work_still = work_again = work

    @precondition(lambda self: self.ids("running"))
    @rule(pick=picks, event=st.sampled_from(RESULTS), chat=st.sampled_from(CHATS))
    def session_ends(self, pick: int, event: str, chat: tuple[str, str, str]) -> None:
        self._event(event, self.ids("running"), pick, chat=chat)

    @precondition(lambda self: self.ids("running"))
    @rule(
        pick=picks, event=st.sampled_from(["lost", "cancel", "pause", "fail_timeout"])
    )
    def session_is_stopped(self, pick: int, event: str) -> None:
        self._event(event, self.ids("running"), pick)

    @precondition(lambda self: self.ids("running", "paused"))
    @rule(
        pick=picks,
        event=st.sampled_from(["attach", "renew", "checkpoint", "succeed"]),
        label=st.sampled_from(["own", "own", "old", "none"]),
    )
    def session_speaks(self, pick: int, event: str, label: str) -> None:
        """Of an attempt that does not hold the task nothing is taken."""
        label = "old" if label == "own" and event == "succeed" else label
        self._event(event, self.ids("running", "paused"), pick, label=label)

    @rule(pick=picks)
    @precondition(
        lambda self: any(map(store_model.is_stopping, self.model.tasks.values()))
    )
    def stopped_session_is_gone(self, pick: int) -> None:
        tasks = self.model.tasks
        stopping = [id_ for id_ in self.ids() if store_model.is_stopping(tasks[id_])]
        before = self.read(stopping[pick % len(stopping)])
        self._change(before, session_gone(before), {"claim": None})

    @precondition(lambda self: self.ids("waiting", "blocked"))
    @rule(
        pick=picks,
        event=st.sampled_from(
            ["dependency_done", "dependency_failed", "dependency_reopened"]
        ),
    )
    def dependency_settles(self, pick: int, event: str) -> None:
        self._event(event, self.ids("waiting", "blocked"), pick)

    # A person's commands.

    @precondition(lambda self: self.model.tasks)
    @rule(
        pick=picks,
        event=st.sampled_from(["pause", "resume", "unblock", "cancel", "skip"]),
    )
    def command(self, pick: int, event: str) -> None:
        self._event(event, self.ids(), pick)

    @precondition(lambda self: self.ids(*store_model.ENDED, with_archive=True))
    @rule(
        pick=picks,
        event=st.sampled_from(["retry", "retry", "rerun"]),
        is_open=st.booleans(),
    )
    def run_again(self, pick: int, event: str, *, is_open: bool) -> None:
        """Also a task of the archive, which comes back."""
        ids = self.ids(*store_model.ENDED, with_archive=True)
        self._event(event, ids, pick, dependency="open" if is_open else "done")

    # Steps of one task.

    def _event(
        self,
        name: str,
        ids: Sequence[str],
        pick: int,
        *,
        label: str = "own",
        dependency: str = "done",
        chat: tuple[str, str, str] | None = None,
    ) -> None:
        """Take the table's step as a use case does, and the model's beside it."""
        before = self.read(ids[pick % len(ids)])
        fields = {**self.model.tasks, **self.model.away}[before.id]
        said = self._said(name, before, label=label, dependency=dependency)
        expected = store_model.changes_by(name, fields, said)
        try:
            after = step(before, Event(name), facts_of(name, said)).after
        except IllegalTransition:
            assert expected is None
            return
        assert expected is not None
        self._change(before, after, expected, event=name, chat=chat)

    def _said(
        self, name: str, task: Task, *, label: str, dependency: str
    ) -> Mapping[str, Any]:
        labels = {"own": task.label, "none": None}
        old = f"mq-{task.id.lower()}-a0-{task.uuid[:8]}"
        self.sessions += name == "attach"
        return {
            "now": self.now,
            "label": labels.get(label, old),
            "lease": LEASE,
            "until_terminal": self.policy[task.queue],
            "delay": dt.timedelta(seconds=5),
            "until": self.now + dt.timedelta(seconds=60),
            "session": f"s-{self.sessions}",
            "reason": f"because of {name}",
            "result": f"完成 {self.now}",
            "result_path": f"results/{task.id}.md" if name in RESULTS else None,
            "path": f"checkpoints/{task.id}.json",
            "context": {"source_task": "T-001"},
            "tokens": 7,
            "fallback": FALLBACK if task.queue == LOCAL else None,
            "dependency": dependency,
        }

    def _change(
        self,
        before: Task,
        after: Task,
        expected: Fields,
        *,
        event: str = "session_gone",
        chat: tuple[str, str, str] | None = None,
    ) -> None:
        record = Record(
            ts=self.now,
            event=event,
            task_id=before.id,
            queue=before.queue,
            before=before.status.value,
            after=after.status.value,
        )
        batch = Batch(
            changes=[Change(before=before, after=after)],
            records=[record],
            notices=self.notices_for(chat),
        )

        def expect(model: Model) -> None:
            model.change(before.id, expected, now=self.now)

        self.commit(batch, expect)


def facts_of(name: str, said: Mapping[str, Any]) -> Facts:
    outcome = Outcome(
        result_status="success",
        result=said["result"],
        summary=said["reason"],
        error_class=CLASSES.get(name),
        error_message=said["reason"] if name in CLASSES else None,
        spent={"tokens": said["tokens"]},
    )
    return Facts(
        now=said["now"],
        label=said["label"],
        until_terminal=said["until_terminal"],
        dependency=DependencyState(said["dependency"]),
        lease=said["lease"],
        delay=said["delay"],
        until=said["until"],
        session_id=said["session"] if name == "attach" else None,
        outcome=outcome if name in RESULTS else None,
        result_path=said["result_path"],
        context_input=said["context"],
        reason=said["reason"],
        fallback=said["fallback"],
        checkpoint_path=said["path"],
    )
