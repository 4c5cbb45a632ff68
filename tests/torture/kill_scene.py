"""The scene of a kill round: its own home, three sources, settings from its seed."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from programs import Programs
from torture import kill_session as session

WAKERS_OFF = 4
"""Every fourth seed is a round without waker: whoever calls keeps the queues going."""
UNTIL_TERMINAL = 5
NOTIFIED = 3
MODELS = {"src-a": "alpha1", "src-b": "beta2", "src-c": "gamma3"}
"""The model of each source, by which messages name it."""
FORGETFUL_NOTIFIER = 'cat >> "$0"; test $(($$ % 4)) -ne 0'
"""A notifier that writes to a file, and says each fourth time that it could not."""


class Source(NamedTuple):
    """One source's settings."""

    name: str
    limit: int
    timeout_s: int
    slots: str
    backoff_s: Sequence[float]

    @property
    def has_hangs(self) -> bool:
        """A session that hangs must meet its time limit soon."""
        return self.timeout_s == 1


@dataclass(frozen=True)
class Scene:
    """Where a round takes place."""

    seed: int
    home: Path
    sources: Sequence[Source]
    has_waker: bool
    is_notified: bool

    @property
    def programs(self) -> Programs:
        """The real executables, in this round's surroundings."""
        waker = "on" if self.has_waker else "off"
        return Programs(home=self.home, environment={"MODEL_QUEUE_WAKER": waker})

    @property
    def queues(self) -> Path:
        """The queue directory."""
        return self.programs.queues

    def chance(self, part: str) -> random.Random:
        """Return the chance of one part of the round, which no other part uses up."""
        return random.Random(f"{self.seed} {part}")

    def plan_of(self, source: str, task: str, label: str) -> session.Plan:
        """Return what an attempt does."""
        [found] = [each for each in self.sources if each.name == source]
        return session.plan_of(str(self.seed), task, label, hangs=found.has_hangs)

    def describe(self) -> str:
        """Return the settings in a few words."""
        limits = "/".join(str(source.limit) for source in self.sources)
        times = "/".join(str(source.timeout_s) for source in self.sources)
        words = [f"slots {limits}", f"timeouts {times} s"]
        words.append("waker on" if self.has_waker else "waker off")
        words += ["until-terminal"] * (self.sources[0].slots != "running")
        words += ["notifier"] * self.is_notified
        return ", ".join(words)


def set_up(home: Path, *, seed: int) -> Scene:
    """Return the scene of a seed, with its configuration written."""
    rng = random.Random(f"{seed} scene")
    slots = "until-terminal" if seed % UNTIL_TERMINAL == 1 else "running"
    sources = [
        Source(
            name=name,
            limit=limit,
            timeout_s=rng.choice([1, 5, 30]),
            slots=slots,
            backoff_s=(round(rng.uniform(0.05, 0.15), 3), 0.3),
        )
        for name, limit in zip(MODELS, rng.sample([1, 2, 3], k=3), strict=True)
    ]
    scene = Scene(
        seed=seed,
        home=home,
        sources=sources,
        has_waker=seed % WAKERS_OFF != 0,
        is_notified=seed % NOTIFIED == 0,
    )
    (home / session.LOCKS).mkdir(parents=True)
    scene.programs.configure(_tools(), _toml(scene))
    return scene


def _tools() -> str:
    lines = [
        f"MODEL_SOURCE_{name.upper().replace('-', '_')}=prov/{model}\n"
        for name, model in MODELS.items()
    ]
    return "".join([*lines, "DEFAULT_MODEL_SOURCE=src-a\n"])


def _toml(scene: Scene) -> str:
    tables = [_table(scene, source) for source in scene.sources]
    if scene.is_notified:
        argv = ["sh", "-c", FORGETFUL_NOTIFIER, str(scene.home / "notified")]
        tables.append(f"[notify]\ncommand = {json.dumps(argv)}\n")
    return "".join(tables)


def _table(scene: Scene, source: Source) -> str:
    hangs = "yes" if source.has_hangs else "no"
    argv = [sys.executable, "-I", "-S", session.__file__, str(scene.home)]
    argv += [source.name, str(source.limit), str(scene.seed), hangs]
    argv += ["{task_id}", "{label}"]
    return (
        f"[sources.{source.name}]\n"
        'launcher = "command"\n'
        f"command = {json.dumps(argv)}\n"
        f"max_concurrent = {source.limit}\n"
        f'slots = "{source.slots}"\n'
        f"backoff_s = {list(source.backoff_s)}\n"
        f"timeout_s = {source.timeout_s}\n"
        "lease_s = 1\n"
    )
