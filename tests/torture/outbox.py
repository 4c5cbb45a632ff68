"""Notices of many tasks while the hooks that carry them die at random moments.

A notice counts as delivered when the whole answer that holds it could be read, also
when the hook was killed right after: a chat has shown it then. Source: SPEC 4.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import random
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from chat import Chat
from model_queue.model import LIVE_STATUSES, JsonObject, Status
from model_queue.ports import RandomIds
from model_queue.store import Query
from model_queue.stores.files import FilesStore
from programs import ROOT, Programs

CHATS = ("telegram", "webchat", "terminal")
PER_MESSAGE = 5
REPORT = "cat >/dev/null; printf 'All of it.\\n\\nSummary: done with {task_id}\\n'"
SOURCES = {"src-a": "prov/alpha1", "src-b": "prov/beta2", "src-c": "prov/gamma3"}
LONGEST_LIFE_S = 0.15
"""A hook takes about 0.1 s, so that most of the kills hit it at work."""
HANDED_OUT_FOR = dt.timedelta(seconds=61)
"""After this long a notice whose carrier died is handed out again."""


@dataclass
class Delivered:
    """What the chats have seen."""

    texts: dict[str, str] = field(default_factory=dict[str, str])
    """By notice id."""
    tasks: dict[str, str] = field(default_factory=dict[str, str])
    chats: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    times: Counter[str] = field(default_factory=Counter[str])
    n_deaths: int = 0
    violations: list[str] = field(default_factory=list[str])

    def take(self, answer: JsonObject, chat: str) -> None:
        """Note the notices of one answer that a chat has read."""
        notices = answer["notices"]
        for notice in notices if isinstance(notices, list) else ():
            assert isinstance(notice, dict)
            name, text = str(notice["id"]), str(notice["text"])
            if self.texts.setdefault(name, text) != text:
                self.violations.append(f"notice {name} has two texts")
            if text not in str(answer["reply"]):
                self.violations.append(f"notice {name} is not in the reply")
            self.tasks[name] = str(notice["task_id"])
            self.chats.setdefault(name, set()).add(chat)
            self.times[name] += 1


def configure(programs: Programs) -> None:
    """Write three sources whose sessions report at once."""
    tools = "".join(
        f"MODEL_SOURCE_{name.upper().replace('-', '_')}={model}\n"
        for name, model in SOURCES.items()
    )
    toml = "".join(
        f'[sources.{name}]\nlauncher = "command"\nmax_concurrent = 4\n'
        f'command = ["sh", "-c", {json.dumps(REPORT)}]\n'
        for name in SOURCES
    )
    programs.configure(f"{tools}DEFAULT_MODEL_SOURCE=src-a\n", toml)


class Death(NamedTuple):
    """When a hook is killed."""

    after_s: float | None = None
    """Seconds from its start; None: not before its answer."""
    once_answered: bool = False
    """The moment its answer was read, while it still has to note that."""


def a_death(rng: random.Random) -> Death:
    """Return a death: a third at any moment, a third at the last one, a third none."""
    match rng.randrange(3):
        case 0:
            return Death(after_s=rng.uniform(0.02, LONGEST_LIFE_S))
        case 1:
            return Death(once_answered=True)
        case _:
            return Death()


def call(
    programs: Programs, hook: str, payload: Mapping[str, object], *, death: Death
) -> JsonObject | None:
    """Call a hook that may be killed; return the answer, None when it never came."""
    running = subprocess.Popen(
        [ROOT / "hooks" / hook],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=programs.surroundings(),
        cwd=programs.home,
    )
    assert running.stdin is not None
    assert running.stdout is not None
    killer = threading.Timer(death.after_s or 0, running.kill)
    if death.after_s is not None:
        killer.start()
    with running, suppress(BrokenPipeError):
        running.stdin.write(json.dumps(payload).encode())
        running.stdin.close()
        line = running.stdout.readline()
        if death.once_answered:
            running.kill()
    killer.cancel()
    if not line.endswith(b"\n"):
        return None
    answer = json.loads(line)
    assert isinstance(answer, dict)
    return answer


def add_all(
    programs: Programs, seen: Delivered, rng: random.Random, n_tasks: int
) -> None:
    """Add the tasks, five a message; a message is sent until it was answered."""
    for first in range(0, n_tasks, PER_MESSAGE):
        numbers = range(first, min(first + PER_MESSAGE, n_tasks))
        parts = [
            f"{n - first + 1}. use {rng.choice(['alpha1', 'beta2', 'gamma3'])} "
            f"to summarize file f{n}"
            for n in numbers
        ]
        chat = CHATS[first // PER_MESSAGE % len(CHATS)]
        payload = {
            "message": "\n".join(parts),
            "message_id": f"m-{first}",
            "channel": chat,
        }
        answer = None
        while answer is None:
            answer = call(programs, "on-intake", payload, death=a_death(rng))
            seen.n_deaths += answer is None
        seen.take(answer, chat)


def drain(
    programs: Programs, seen: Delivered, rng: random.Random, *, limit_s: float
) -> None:
    """Let each chat's heartbeat carry notices until none is left."""
    store = FilesStore(str(programs.queues), ids=RandomIds())
    began = dt.datetime.now(dt.UTC)  # noqa: TID251 - a run of real processes
    turn, ahead = 0, dt.timedelta()
    while True:
        # Tasks first: one that ends in between leaves its notice to be seen.
        open_tasks = store.select(Query(statuses=LIVE_STATUSES))
        waits = store.waiting_notices()
        if not waits and not open_tasks:
            return
        now = dt.datetime.now(dt.UTC)  # noqa: TID251 - as above
        if (now - began).total_seconds() > limit_s:
            seen.violations.append(
                f"{waits} notices and {len(open_tasks)} tasks are left"
            )
            return
        payload: dict[str, object] = {"channel": CHATS[turn % len(CHATS)]}
        if not open_tasks and turn % 12 == 0:
            # Nothing runs any more: what dead hooks took may be handed out again.
            ahead += HANDED_OUT_FOR
        if ahead:
            payload["now"] = (now + ahead).isoformat()
        answer = call(programs, "on-heartbeat", payload, death=a_death(rng))
        seen.n_deaths += answer is None
        if answer is not None:
            seen.take(answer, CHATS[turn % len(CHATS)])
        turn += 1


def judge(programs: Programs, seen: Delivered, *, n_tasks: int) -> None:
    """Add what was lost, doubled or shown in the wrong chat.

    Each finished task has exactly one notice of its end; whatever was shown twice had
    the same id; each was shown in the chat that the task came from.
    """
    store = FilesStore(str(programs.queues), ids=RandomIds())
    tasks = {task.id: task for task in store.select(Query())}
    if len(tasks) != n_tasks:
        seen.violations.append(f"{len(tasks)} tasks are there, not {n_tasks}")
    per_task = Counter(seen.tasks.values())
    for task in tasks.values():
        if task.status is not Status.DONE:
            seen.violations.append(f"{task.id} is {task.status.value}")
        if per_task[task.id] != 1:
            seen.violations.append(f"{task.id} has {per_task[task.id]} notices, not 1")
    for name, task_id in seen.tasks.items():
        if task_id not in tasks:
            seen.violations.append(f"notice {name} is about {task_id}, which is lost")
            continue
        home = (tasks[task_id].origin or {}).get("channel")
        if seen.chats[name] != {home}:
            chats = ", ".join(sorted(seen.chats[name]))
            seen.violations.append(f"{task_id} of {home} was told in {chats}")


def run(home: Path, *, n_tasks: int, seed: int, limit_s: float) -> Delivered:
    """Add tasks and read their notices in three chats, with hooks that die."""
    programs, seen, rng = Programs(home=home), Delivered(), random.Random(seed)
    configure(programs)
    add_all(programs, seen, rng, n_tasks)
    drain(programs, seen, rng, limit_s=limit_s)
    judge(programs, seen, n_tasks=n_tasks)
    Chat(programs).wait_for_sessions()
    return seen


def main(argv: Sequence[str]) -> int:
    """Run with the arguments of the command line; return 1 after a violation."""
    parser = argparse.ArgumentParser(prog="torture outbox", description=__doc__)
    parser.add_argument("--tasks", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=900.0, metavar="SECONDS")
    args = parser.parse_args(argv)
    print(f"outbox: {args.tasks} tasks, seed {args.seed}", flush=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        seen = run(Path(home), n_tasks=args.tasks, seed=args.seed, limit_s=args.limit)
    again = sum(times - 1 for times in seen.times.values())
    print(
        f"{len(seen.times)} notices delivered, {again} of them again with the same id; "
        f"{seen.n_deaths} hooks died before their answer was out"
    )
    for violation in seen.violations:
        print(f"VIOLATION {violation}")
    return 1 if seen.violations else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
