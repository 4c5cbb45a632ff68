"""One kill round: load and kills, time to settle, evidence, verdict."""

from __future__ import annotations

import datetime as dt
import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from torture import kill_diary as diary
from torture import kill_evidence as evidence
from torture import kill_laws as laws
from torture.kill_calls import Caller
from torture.kill_deaths import Deaths, Killer, processes_of
from torture.kill_evidence import Evidence
from torture.kill_load import N_ACTORS, Asked, chat_of, run_actors
from torture.kill_scene import Scene, set_up

STEPS = 12
"""Of each actor."""
SETTLE_LIMIT_S = 120.0
"""A task that is not over by then is stuck: attempts are short, and so is backoff."""
LEAVE_LIMIT_S = 8.0
"""For the waker and the last supervisor to see that nothing is left to do."""
LOOK_S = 0.1
TICK_S = 0.3
NEXT_HAND_OUT = dt.timedelta(seconds=61)
"""After this long a notice whose carrier died is handed out again."""
MOST_HAND_OUTS = 8
AN_HOUR_S = 3600


@dataclass(frozen=True)
class Verdict:
    """How a round ended."""

    seed: int
    setting: str
    statuses: Counter[str]
    n_sessions: int
    n_calls: int
    n_busy: int
    kills: Counter[str]
    settled_s: float
    violations: Sequence[str]

    def describe(self) -> str:
        """Return the round in one line."""
        tasks = ", ".join(
            f"{n} {status}" for status, n in sorted(self.statuses.items())
        )
        kills = ", ".join(f"{n} {kind}" for kind, n in sorted(self.kills.items()))
        n_bad = len(self.violations)
        return (
            f"seed {self.seed} ({self.setting}): {self.statuses.total()} tasks "
            f"({tasks}), {self.n_sessions} sessions, {self.n_calls} calls; "
            f"killed {kills or 'nothing'}; settled in {self.settled_s:.1f} s: "
            f"{f'{n_bad} VIOLATIONS' if n_bad else 'ok'}"
        )


def play(home: Path, *, seed: int, steps: int = STEPS) -> Verdict:
    """Play one round in a directory of its own and judge it."""
    scene = set_up(home, seed=seed)
    deaths = Deaths(home)
    caller = Caller(scene, deaths)
    killer = Killer(scene, deaths)
    killer.start()
    try:
        asked = run_actors(scene, caller, steps=steps)
        killer.stop()
        settled_s = _settle(scene, caller)
        _deliver(scene, caller)
        seen = _gather(scene, caller, deaths, asked, settled_s)
    finally:
        killer.stop()
        _end_what_is_left(home)
    return Verdict(
        seed=seed,
        setting=scene.describe(),
        statuses=Counter(task.status for task in seen.tasks),
        n_sessions=sum(line.what == "start" for line in seen.diary),
        n_calls=len(seen.calls),
        n_busy=sum(call.code == 6 for call in seen.calls),
        kills=Counter(death.kind for death in seen.deaths),
        settled_s=settled_s,
        violations=laws.judge(seen),
    )


def _end_what_is_left(home: Path) -> None:
    rest = Deaths(home)
    rest.kill_everything()
    _wait_until(lambda: not processes_of(home), limit_s=LEAVE_LIMIT_S)


def _settle(scene: Scene, caller: Caller) -> float:
    """Wait until every task is over; return how long that took.

    With a waker one call is enough to bring a killed one back, and all else must happen
    by itself; without one whoever calls keeps the queues going.
    """
    began = time.monotonic()
    caller.cli("tick", "--json")
    while not _is_settled(scene) and time.monotonic() < began + SETTLE_LIMIT_S:
        _resume_paused(scene, caller)
        if scene.has_waker:
            _pause(LOOK_S)
        else:
            _pause(TICK_S)
            caller.cli("tick", "--json")
    return time.monotonic() - began


def _resume_paused(scene: Scene, caller: Caller) -> None:
    """Resume what a person had paused, and whose resume was killed or refused."""
    for task in evidence.read_tasks(scene.queues):
        if task.status == "paused":
            caller.hook("on-intake", {"message": f"resume {task.id}"})


def _is_settled(scene: Scene) -> bool:
    tasks = evidence.read_tasks(scene.queues)
    return not evidence.is_in_mid_commit(scene.queues) and all(
        task.is_over for task in tasks
    )


def _deliver(scene: Scene, caller: Caller) -> None:
    """Let the chats fetch their notices, also those that a dead hook had taken."""
    ahead = dt.timedelta()
    for _ in range(MOST_HAND_OUTS):
        if not evidence.read_undelivered(scene.queues):
            return
        ahead += NEXT_HAND_OUT
        for actor in range(N_ACTORS):
            now = dt.datetime.now(dt.UTC) + ahead  # noqa: TID251 - of a real run
            payload = {**chat_of(actor), "now": now.isoformat()}
            caller.hook("on-heartbeat", payload)


def _gather(
    scene: Scene,
    caller: Caller,
    deaths: Deaths,
    asked: Sequence[Asked],
    settled_s: float,
) -> Evidence:
    """Read all that the round left, once its last processes had time to leave."""
    queues = scene.queues
    _make_old(evidence.half_written(queues))
    # A message opens the queues, which sweeps; a pass writes what is due now: nothing.
    caller.hook("on-intake", {"message": "task status"})
    caller.cli("tick", "--json")
    _wait_until(lambda: not processes_of(scene.home), limit_s=LEAVE_LIMIT_S)
    return Evidence(
        tasks=evidence.read_tasks(queues),
        events=evidence.read_events(queues),
        reports=evidence.read_reports(queues),
        diary=diary.read(scene.home),
        limits={source.name: source.limit for source in scene.sources},
        deaths=deaths.all,
        calls=caller.calls,
        asked=asked,
        waited_s=settled_s,
        left_running=[
            f"{found.kind} {found.pid} {found.label}".strip()
            for found in processes_of(scene.home)
        ],
        litter=[
            str(path.relative_to(queues)) for path in evidence.half_written(queues)
        ],
        undelivered=evidence.read_undelivered(queues),
        logs=evidence.read_logs(queues),
    )


def _make_old(paths: Sequence[Path]) -> None:
    """Let files look as if their writers had died an hour ago."""
    for path in paths:
        written = path.stat().st_mtime - AN_HOUR_S
        os.utime(path, (written, written))


def _wait_until(probe: Callable[[], bool], *, limit_s: float) -> None:
    """Return when the probe says so, or at the limit."""
    until = time.monotonic() + limit_s
    while not probe() and time.monotonic() < until:
        _pause(LOOK_S)


def _pause(seconds: float) -> None:
    threading.Event().wait(seconds)
