"""The load of a kill round: actors that type messages and ring timers at random.

Each actor takes a fixed number of steps, and every decision comes from the seed: with
the same seed the same is asked in the same order. When it is asked, and so what it
leads to, differs from run to run.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from torture import kill_diary as diary
from torture.kill_calls import Call, Caller, Fate, a_fate
from torture.kill_scene import MODELS, Scene

N_ACTORS = 2
LONGEST_PAUSE_S = 0.15
LOOK_S = 0.1
N_RECENT = 4
"""As many sessions may run at once, or have just ended."""
STOPPED_BEFORE_S = 1.0
"""Of its end: what is stopped later has ended before anybody could start the next."""
STOPS = ("cancel {0}", "cancel {0}; retry {0}", "pause {0}; resume {0}")
"""What is said to stop a session, and of those that go on the way to start it anew."""
POLICIES = ("", "", ". If it fails, skip the dependents", ". Continue on failure")
"""What a message says about failures; most say nothing, which is to block."""


class Asked(NamedTuple):
    """A message that asks for tasks."""

    message_id: str
    n_tasks: int
    ids: Sequence[str] | None
    """The ids that were answered; None: no answer came."""

    def mark(self, place: int) -> str:
        """Return the word by which one of its tasks is found again."""
        return f"{self.message_id}p{place}"


def chat_of(actor: int) -> dict[str, str]:
    """Return the chat that an actor types in."""
    return {"host": "h", "channel": "c", "session_id": f"s{actor}"}


class Actor(threading.Thread):
    """One person, or one timer of a host, that calls again and again."""

    def __init__(
        self, scene: Scene, caller: Caller, *, number: int, steps: int
    ) -> None:
        super().__init__(name=f"actor {number} of {scene.seed}", daemon=True)
        self._scene = scene
        self._caller = caller
        self._chat = chat_of(number)
        self._number = number
        self._steps = steps
        self._pause = threading.Event()
        self.asked: list[Asked] = []
        self.fault: Exception | None = None
        """What ended this thread early: a fault of the torture itself."""

    def run(self) -> None:
        """Take all steps."""
        rng = self._scene.chance(f"actor {self._number}")
        acts, weights = zip(*self._acts(), strict=True)
        try:
            for step in range(self._steps):
                act: Callable[[random.Random, int], None] = self._intake
                if step > 0:
                    (act,) = rng.choices(acts, weights)
                # A chance of its own: what one step uses up moves no later one.
                act(random.Random(rng.random()), step)
                self._pause.wait(rng.uniform(0, LONGEST_PAUSE_S))
        except Exception as error:  # noqa: BLE001 - the round's thread raises it again
            self.fault = error

    def _acts(self) -> Sequence[tuple[Callable[[random.Random, int], None], float]]:
        return (
            (self._intake, 30),
            (self._heartbeat, 10),
            (self._tick, 10),
            (self._commands("cancel"), 10),
            (self._commands("cancel", "retry"), 8),
            (self._commands("retry"), 9),
            (self._skip, 5),
            (self._exit, 10),
            (self._foreign_exit, 2),
            (self._checkpoint, 3),
            (self._status, 3),
        )

    def _hook(self, name: str, fate: Fate, **payload: object) -> Call:
        return self._caller.hook(name, {**self._chat, **payload}, fate)

    def _intake(self, rng: random.Random, step: int) -> None:
        """Ask for tasks; half of the messages that nobody answered are sent again."""
        n_tasks, separator = (
            rng.choice([1, 1, 2, 2, 3, 4]),
            rng.choice([", then ", " and then "]),
        )
        name = f"m{self._scene.seed}x{self._number}x{step}"
        asked = Asked(name, n_tasks, None)
        parts = [
            f"use {rng.choice([*MODELS.values()])} to summarize file {asked.mark(n)}"
            for n in range(n_tasks)
        ]
        payload = {
            "message": separator.join(parts) + rng.choice(POLICIES),
            "message_id": name,
        }
        fate, again = a_fate(rng), rng.random() < 0.5
        answer = self._hook("on-intake", fate, **payload).answer
        if answer is None and again:
            answer = self._hook("on-intake", Fate(), **payload).answer
        self.asked.append(asked._replace(ids=None if answer is None else _ids(answer)))

    def _heartbeat(self, rng: random.Random, _: int) -> None:
        self._hook("on-heartbeat", a_fate(rng), sessions=[])

    def _tick(self, rng: random.Random, _: int) -> None:
        self._caller.cli("tick", "--json", fate=a_fate(rng))

    def _status(self, rng: random.Random, _: int) -> None:
        self._caller.cli("status", "--json", fate=a_fate(rng))

    def _commands(self, *verbs: str) -> Callable[[random.Random, int], None]:
        """Return the act that says some commands on one task, right after each other."""

        def act(rng: random.Random, _: int) -> None:
            task = self._some_task(rng)
            for verb in verbs:
                self._caller.cli(verb, task, fate=a_fate(rng))

        return act

    def _skip(self, rng: random.Random, _: int) -> None:
        message = f"skip {self._some_task(rng)}"
        self._hook("on-intake", a_fate(rng), message=message)

    def _exit(self, rng: random.Random, _: int) -> None:
        """Tell the end of a session that has run or runs, also twice."""
        place, status = rng.random(), rng.choice(["done", "failed", "timeout"])
        fates = [a_fate(rng) for _ in range(rng.choice([1, 2]))]
        label = self._some_label(place)
        if label is None:
            return
        report = f"Told of {label}.\n\nSummary: told of {label}"
        for fate in fates:
            self._hook(
                "on-subagent-exit", fate, label=label, status=status, result=report
            )

    def _foreign_exit(self, rng: random.Random, _: int) -> None:
        label = "mq-t-001-a1-00000000"
        self._hook(
            "on-subagent-exit", a_fate(rng), label=label, status="done", result="alien"
        )

    def _checkpoint(self, rng: random.Random, _: int) -> None:
        place, percent, fate = rng.random(), rng.randint(1, 99), a_fate(rng)
        label = self._some_label(place)
        if label is not None:
            payload = {"task_id": task_of(label), "label": label}
            self._caller.hook(
                "on-checkpoint",
                {**payload, "percent_complete": percent, "last_action": "read"},
                fate,
            )

    def _some_label(self, place: float) -> str | None:
        """Return the label of a session, most often of one that may run still.

        Returns: None as long as there was none.
        """
        lines = diary.read(self._scene.home)
        labels = [line.label for line in lines if line.what == "start"]
        if place < 2 / 3:
            labels, place = labels[-N_RECENT:], place * 3 / 2
        return labels[int(place * len(labels))] if labels else None

    def _some_task(self, rng: random.Random) -> str:
        """Return the id of a task that has a session or had one, or of any other."""
        place, number = rng.random(), rng.randint(1, 16)
        label = self._some_label(place) if number > 4 else None
        return f"T-{number:03d}" if label is None else task_of(label)


class Stopper(threading.Thread):
    """A person who stops sessions that do not hear it, and has their tasks run again.

    Whoever takes such a session for gone starts another one beside it.
    """

    def __init__(self, scene: Scene, caller: Caller) -> None:
        super().__init__(name=f"stopper of {scene.seed}", daemon=True)
        self._scene = scene
        self._caller = caller
        self._rng = scene.chance("stopper")
        self._is_over = threading.Event()

    def run(self) -> None:
        """Stop a session each time that one is found, until it is told that it is over."""
        done: set[str] = set()
        while not self._is_over.wait(LOOK_S):
            label = self._deaf_label(done)
            if label is not None:
                done.add(label)
                message = self._rng.choice(STOPS).format(task_of(label))
                self._caller.hook("on-intake", {**chat_of(0), "message": message})

    def stop(self) -> None:
        """Return when it calls no more."""
        self._is_over.set()
        self.join()

    def _deaf_label(self, done: Collection[str]) -> str | None:
        """Return the deaf session that runs longest, None when none has time left.

        One that was killed just now is not told from it.
        """
        now, found = time.monotonic(), dict[str, float]()
        for line in diary.read(self._scene.home):
            if line.what == "start" and line.label not in done:
                plan = self._scene.plan_of(line.source, line.task, line.label)
                left_s = line.at + plan.lasts_s - now
                if plan.is_deaf and left_s > STOPPED_BEFORE_S:
                    found[line.label] = left_s
        return max(found, key=lambda label: found[label], default=None)


def task_of(label: str) -> str:
    """Return the task of a label.

    >>> task_of("mq-t-001-a2-1f3c9a7e")
    'T-001'
    """
    return f"T-{label.split('-')[2]}"


def _ids(answer: Mapping[str, object]) -> Sequence[str]:
    tasks = answer["tasks"]
    assert isinstance(tasks, list)
    return [str(task["id"]) for task in tasks]


def run_actors(scene: Scene, caller: Caller, *, steps: int) -> list[Asked]:
    """Let all actors take their steps side by side; return the messages with tasks."""
    actors = [
        Actor(scene, caller, number=number, steps=steps) for number in range(N_ACTORS)
    ]
    stopper = Stopper(scene, caller)
    for each in (*actors, stopper):
        each.start()
    for actor in actors:
        actor.join()
    stopper.stop()
    for actor in actors:
        if actor.fault is not None:
            raise actor.fault
    return [asked for actor in actors for asked in actor.asked]
