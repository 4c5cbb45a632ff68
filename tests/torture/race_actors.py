"""Those who race: each calls one real program after the other, all at the same time."""

from __future__ import annotations

import itertools
import json
import random
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple

from model_queue.model import JsonObject, JsonValue
from programs import Programs, Ran

MODELS = ("alpha1", "beta2", "gamma3")
ENDINGS = ("done", "done", "done", "failed")
LONGEST_REST_S = 0.1


class Call(NamedTuple):
    """One call of a program, and how it ended."""

    name: str
    """The hook, or the command of the command line."""
    about: str
    """The message's mark, the task or the label."""
    ran: Ran
    took_s: float

    @property
    def answer(self) -> JsonObject:
        """What it printed, {} when that is no JSON object."""
        try:
            found = json.loads(self.ran.out)
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}

    @property
    def error_code(self) -> str:
        """The code of its error, "" when it was handled."""
        error = self.answer.get("error")
        return str(error["code"]) if isinstance(error, dict) else ""


class Spawns:
    """The sessions that an agent runtime was asked to start, and has not ended yet."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: list[str] = []
        self.ended: dict[str, str] = {}
        """By label, how the first word of its end was."""

    def take(self, answer: JsonObject) -> None:
        """Carry out the actions of an answer."""
        actions = answer.get("actions")
        for action in actions if isinstance(actions, list) else ():
            assert isinstance(action, dict)
            if action["type"] in {"spawn", "stop"}:
                self._add(str(action["label"]))

    def _add(self, label: str) -> None:
        # A stop too: its spawn may have been in an answer that never came.
        with self._lock:
            if label not in self.ended and label not in self._open:
                self._open.append(label)

    def end_one(self, rng: random.Random) -> tuple[str, str] | None:
        """End a session that runs; return its label and how it ended."""
        with self._lock:
            if not self._open:
                return None
            label = self._open.pop(rng.randrange(len(self._open)))
            self.ended[label] = rng.choice(ENDINGS)
            return label, self.ended[label]

    def an_ended_one(self, rng: random.Random) -> tuple[str, str] | None:
        """Return a session that has ended before."""
        with self._lock:
            return rng.choice(list(self.ended.items())) if self.ended else None


@dataclass
class Racers:
    """What the actors of one race share."""

    programs: Programs
    until: float
    """By the monotonic clock."""
    spawns: Spawns = field(default_factory=Spawns)
    calls: list[Call] = field(default_factory=list[Call])
    """Appended to by all: a list takes that from several threads."""
    faults: list[str] = field(default_factory=list[str])

    def call(self, name: str, about: str, **fields: object) -> Call:
        """Call a hook with one JSON object, or a command with a task; note it."""
        began = time.monotonic()
        if name.startswith("on-"):
            ran = self.programs.hook(name, **fields)
        else:
            words = [word for word in (name, about, "--json") if word]
            ran = self.programs.cli(*words, MODEL_QUEUE_WAKER="on")
        call = Call(name, about, ran, time.monotonic() - began)
        self.calls.append(call)
        self.spawns.take(call.answer)
        return call

    def tasks(self) -> list[JsonObject]:
        """Return what the queue files hold, read without the lock."""
        found: list[JsonObject] = []
        for path in self.programs.queues.glob("*.json"):
            with suppress(FileNotFoundError):
                found += json.loads(path.read_bytes())["tasks"]
        return found


def messages(rng: random.Random, who: int) -> Iterator[tuple[str, str]]:
    """Yield a message after the other with its mark; some come twice."""
    for n in itertools.count():
        mark, n_tasks = f"{who}-{n}", rng.randint(1, 3)
        parts = [
            f"use {rng.choice(MODELS)} to summarize file m{mark}p{part}of{n_tasks}"
            for part in range(n_tasks)
        ]
        text = rng.choice([", then ".join(parts), numbered(parts)])
        for _ in range(rng.choice([1, 1, 1, 2])):
            yield mark, text


def numbered(parts: list[str]) -> str:
    """Return a message with independent tasks."""
    return "\n".join(f"{n}. {part}" for n, part in enumerate(parts, start=1))


def intake(racers: Racers, rng: random.Random, who: int) -> Iterator[Call]:
    """Type messages."""
    for mark, text in messages(rng, who):
        yield racers.call("on-intake", mark, message=text, message_id=f"m{mark}")


def subagent_exit(
    racers: Racers, rng: random.Random, _who: int
) -> Iterator[Call | None]:
    """Tell how sessions ended: of the host's, of older attempts, and of no one's."""
    while True:
        chance = rng.random()
        if chance < 0.1:
            label, status = "mq-t-001-a1-00000000", "done"
        elif found := (
            racers.spawns.an_ended_one(rng)
            if chance < 0.3
            else racers.spawns.end_one(rng)
        ):
            label, status = found
        else:
            yield None
            continue
        yield exit_of(racers, label, status)


def exit_of(racers: Racers, label: str, status: str) -> Call:
    """Tell how one session ended."""
    said = {"result": f"Said by {label}.\n\nSummary: done"} if status == "done" else {}
    return racers.call("on-subagent-exit", label, label=label, status=status, **said)


def acting(verb: str, *statuses: JsonValue) -> Actor:
    """Return the actor that tells a command, mostly to tasks that it fits."""

    def act(racers: Racers, rng: random.Random, _who: int) -> Iterator[Call | None]:
        while True:
            tasks = racers.tasks()
            fitting = [task for task in tasks if task["status"] in statuses]
            chosen = fitting if fitting and rng.random() < 0.8 else tasks
            if not chosen:
                yield None
                continue
            yield racers.call(verb, str(rng.choice(chosen)["id"]))

    return act


def plain(command: str) -> Actor:
    """Return the actor that repeats a command without words."""

    def act(racers: Racers, _rng: random.Random, _who: int) -> Iterator[Call]:
        while True:
            yield racers.call(command, "")

    return act


def tick(racers: Racers, rng: random.Random, _who: int) -> Iterator[Call]:
    """Run passes, half of them as a host that starts what is asked for."""
    while True:
        flag = rng.choice(["", "--actions"])
        yield racers.call("tick", flag)


Actor = Callable[[Racers, random.Random, int], Iterator[Call | None]]

ACTORS: tuple[Actor, ...] = (
    intake,
    intake,
    tick,
    tick,
    subagent_exit,
    acting("cancel", "pending", "waiting", "running"),
    acting("retry", "failed", "cancelled", "skipped"),
    plain("status"),
)


def run(racers: Racers, seed: int) -> None:
    """Let all actors race until the time is over."""
    threads = [
        threading.Thread(target=_race, args=(racers, actor, seed, who))
        for who, actor in enumerate(ACTORS)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _race(racers: Racers, actor: Actor, seed: int, who: int) -> None:
    rng = random.Random(seed * 1000 + who)
    turns = actor(racers, rng, who)
    while time.monotonic() < racers.until:
        try:
            next(turns)
        except subprocess.TimeoutExpired as error:
            racers.faults.append(f"actor {who} has waited too long: {error}")
            return
        time.sleep(rng.uniform(0, LONGEST_REST_S))  # noqa: TID251 - a host's own pace
