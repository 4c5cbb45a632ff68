"""Calls of the real executables that may be killed at any moment, and their record."""

from __future__ import annotations

import json
import random
import subprocess
import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from programs import ROOT
from torture.kill_deaths import Death, Deaths
from torture.kill_scene import Scene

LONGEST_LIFE_S = 0.25
"""A call takes 0.1 to 0.3 s, so that most of the kills hit it at work."""
GIVEN_UP_AFTER_S = 60.0


class Fate(NamedTuple):
    """When a call is killed, and what with it."""

    after_s: float | None = None
    """Seconds from its start; None: it is left alone."""
    takes_all: bool = False
    """With it dies everything of the round, also what it has just started."""


def a_fate(rng: random.Random) -> Fate:
    """Return a fate: half of the calls are left alone, a few take all with them."""
    share, after_s = rng.random(), rng.uniform(0.01, LONGEST_LIFE_S)
    if share < 0.5:
        return Fate()
    return Fate(after_s=after_s, takes_all=share > 0.93)


class Call(NamedTuple):
    """One call, and how it ended."""

    what: str
    """The hook and its input, or the words of the command line."""
    code: int
    out: str
    err: str
    took_s: float
    was_killed: bool

    @property
    def answer(self) -> Mapping[str, object] | None:
        """The JSON object of a call that was handled, else None."""
        if self.code != 0:
            return None
        found = json.loads(self.out)
        assert isinstance(found, dict)
        return found


class Caller:
    """Starts the executables of one round and remembers every call."""

    def __init__(self, scene: Scene, deaths: Deaths) -> None:
        self._programs = scene.programs
        self._deaths = deaths
        self.calls: list[Call] = []

    def hook(
        self, name: str, payload: Mapping[str, object], fate: Fate | None = None
    ) -> Call:
        """Call a hook with one JSON object."""
        text = json.dumps({"version": 1, **payload})
        return self._run(f"{name} {text}", [str(ROOT / "hooks" / name)], text, fate)

    def cli(self, *words: str, fate: Fate | None = None) -> Call:
        """Call the command line."""
        script = str(ROOT / "scripts" / "model-queue")
        return self._run(" ".join(words), [script, *words], "", fate)

    def _run(
        self, what: str, argv: Sequence[str], stdin: str, fate: Fate | None
    ) -> Call:
        fate = fate or Fate()
        began = time.monotonic()
        process = subprocess.Popen(
            argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=self._programs.home,
            env=self._programs.surroundings(),
        )
        was_killed = False
        try:
            out, err = process.communicate(stdin, fate.after_s or GIVEN_UP_AFTER_S)
        except subprocess.TimeoutExpired:
            death = Death("call", process.pid, "", time.monotonic())
            process.kill()
            if fate.takes_all:
                self._deaths.kill_everything()
            out, err = process.communicate()
            # One that was over before the kill arrived has ended by itself.
            was_killed = process.returncode < 0
            self._deaths.note(death if was_killed else None)
        took_s = time.monotonic() - began
        done = Call(what, process.returncode, out, err, took_s, was_killed)
        self.calls.append(done)
        return done
