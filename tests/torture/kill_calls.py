"""Calls of the real executables that may be killed at any moment, and their record."""

from __future__ import annotations

import json
import random
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from programs import ROOT
from torture.kill_deaths import Death, Deaths
from torture.kill_scene import Scene

LONGEST_LIFE_S = 0.25
"""A call takes 0.1 to 0.3 s, so that most of the kills hit it at work."""
GIVEN_UP_AFTER_S = 60.0
IN_COMMIT = 0.7
"""Of the calls that are killed, those below this share are killed in mid-commit: that
takes some milliseconds of each call, which a random moment seldom meets."""
COMMIT_LOOK_S = 0.0005
LONGEST_COMMIT_S = 0.01


class Fate(NamedTuple):
    """When a call is killed, and what with it."""

    after_s: float | None = None
    """Seconds from its start; None: it is left alone."""
    takes_all: bool = False
    """With it dies everything of the round, also what it has just started."""
    in_commit_s: float | None = None
    """Seconds from when a commit is seen half done, most likely its own."""


def a_fate(rng: random.Random) -> Fate:
    """Return a fate: half of the calls are left alone, a few take all with them."""
    share, after_s = rng.random(), rng.uniform(0.01, LONGEST_LIFE_S)
    if share < 0.5:
        return Fate()
    if share < IN_COMMIT:
        return Fate(in_commit_s=rng.uniform(0, LONGEST_COMMIT_S))
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
        was_killed, over = False, threading.Event()
        if fate.in_commit_s is not None:
            args = (process, fate.in_commit_s, over)
            threading.Thread(target=self._kill_in_commit, args=args).start()
        try:
            out, err = process.communicate(stdin, fate.after_s or GIVEN_UP_AFTER_S)
            was_killed = fate.in_commit_s is not None and process.returncode < 0
        except subprocess.TimeoutExpired:
            death = Death("call", process.pid, "", time.monotonic())
            process.kill()
            if fate.takes_all:
                self._deaths.kill_everything()
            out, err = process.communicate()
            # One that was over before the kill arrived has ended by itself.
            was_killed = process.returncode < 0
            self._deaths.note(death if was_killed else None)
        finally:
            over.set()
        took_s = time.monotonic() - began
        done = Call(what, process.returncode, out, err, took_s, was_killed)
        self.calls.append(done)
        return done

    def _kill_in_commit(
        self, process: subprocess.Popen[str], after_s: float, over: threading.Event
    ) -> None:
        journal = self._programs.queues / ".state" / "journal"
        while not over.wait(COMMIT_LOOK_S):
            if journal.exists():
                over.wait(after_s)
                death = Death("call", process.pid, "", time.monotonic())
                process.kill()
                # One that was over before the kill arrived has ended by itself.
                self._deaths.note(death if process.wait() < 0 else None)
                return
