"""Finds the processes of one round, and kills one now and then. Needs Linux.

A process belongs to a round when a word of its command line lies in the round's own
directory; no other process is ever touched.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from model_queue import detached
from torture import kill_session as session
from torture.kill_scene import Scene

KINDS = ("supervisor", "waker", "session")
AT_WORK = "supervisor of a running session"
"""What the killer is after besides: most supervisors are young or nearly done."""


class Found(NamedTuple):
    """A process of a round."""

    pid: int
    kind: str
    """One of ``KINDS``."""
    label: str
    """The attempt of a session or supervisor, "" of a waker."""


class Death(NamedTuple):
    """A process that was killed."""

    kind: str
    """One of ``KINDS``, or ``call``."""
    pid: int
    label: str
    alive_at: float
    """Monotonic time, right before the kill, at which it surely lived."""


def processes_of(home: Path) -> list[Found]:
    """Return the supervisors, wakers and sessions of a round that run now."""
    names = (path.name for path in Path("/proc").iterdir())
    found = (_look_at(int(name), home) for name in names if name.isdigit())
    return [each for each in found if each is not None]


def _look_at(pid: int, home: Path) -> Found | None:
    """Return what a process is, None when it is none of the round's."""
    try:
        # A zombie has no command line: what is found here has not ended.
        words = Path(f"/proc/{pid}/cmdline").read_text("utf-8", "replace").split("\0")
    except OSError:
        return None
    inside = f"{home}/"
    if not any(word == str(home) or word.startswith(inside) for word in words):
        return None
    if session.__file__ in words:
        return Found(pid, "session", words[-2])
    if detached.ENTRY in words:
        name = words[words.index(detached.ENTRY) + 1]
        label = Path(words[-2]).name if name == "supervisor" else ""
        return Found(pid, name, label) if name in KINDS else None
    return None


def kill(found: Found, home: Path) -> Death | None:
    """Kill a process if it still is the one that was found; None when it is gone."""
    try:
        handle = os.pidfd_open(found.pid)
    except ProcessLookupError:
        return None
    try:
        alive_at = time.monotonic()
        if _look_at(found.pid, home) != found:
            return None
        signal.pidfd_send_signal(handle, signal.SIGKILL)
    except ProcessLookupError:
        return None
    finally:
        os.close(handle)
    return Death(found.kind, found.pid, found.label, alive_at)


class Deaths:
    """All that was killed in a round; actors and killer share it."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self.all: list[Death] = []

    def note(self, death: Death | None) -> None:
        """Count a death; None is none."""
        if death is not None:
            self.all.append(death)

    def kill_everything(self) -> None:
        """Kill every process of the round, as when its machine or container ends."""
        for found in processes_of(self._home):
            self.note(kill(found, self._home))

    def by_kind(self) -> Counter[str]:
        """Return how many of each kind were killed."""
        return Counter(death.kind for death in self.all)


def at_work(running: Sequence[Found]) -> list[Found]:
    """Return the supervisors whose sessions run: those that leave an orphan."""
    labels = {found.label for found in running if found.kind == "session"}
    return [
        found
        for found in running
        if found.kind == "supervisor" and found.label in labels
    ]


class Killer(threading.Thread):
    """Kills a process of the round at random moments until it is told to stop."""

    def __init__(self, scene: Scene, deaths: Deaths) -> None:
        super().__init__(name=f"killer of {scene.seed}", daemon=True)
        self._home = scene.home
        self._rng = scene.chance("killer")
        self._deaths = deaths
        self._stopped = threading.Event()

    def run(self) -> None:
        """Choose a kind, then one of that kind; a moment without one passes."""
        while not self._stopped.wait(self._rng.uniform(0.02, 0.3)):
            kind, place = self._rng.choice([*KINDS, AT_WORK]), self._rng.random()
            running = processes_of(self._home)
            fitting = [each for each in running if each.kind == kind]
            if kind == AT_WORK:
                fitting = at_work(running)
            if fitting:
                chosen = fitting[int(place * len(fitting))]
                self._deaths.note(kill(chosen, self._home))

    def stop(self) -> None:
        """Return when it kills no more."""
        self._stopped.set()
        with suppress(RuntimeError):
            self.join()
