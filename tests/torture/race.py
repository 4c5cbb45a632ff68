"""Eight processes on one queue directory at the same time, and two that look on.

At every moment of a race up to eight real programs run: intakes, passes, ends of
sessions, cancels, retries and status. Nothing may be lost, started twice or refused,
but for a call that waited too long for its turn (``busy``); and no reader may see half a
commit. A race of threads is not repeated exactly by its seed: it repeats what is typed,
in the order of each actor. Source: SPEC 4, 5.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from chat import Chat
from programs import ROOT, Programs
from torture import race_actors, race_judge
from torture.race_actors import Call, Racers
from torture.race_reader import LIMITS
from waiting import eventually

MODELS = {"src-a": "prov/alpha1", "src-b": "prov/beta2", "src-h": "prov/gamma3"}
N_READERS = 2
CALM_WITHIN_S = 120.0


@dataclass
class Race:
    """What came of a race."""

    calls: list[Call] = field(default_factory=list[Call])
    violations: list[str] = field(default_factory=list[str])
    n_tasks: int = 0
    n_sessions: int = 0
    n_looks: int = 0
    n_files: int = 0
    n_gaps: int = 0

    def summary(self) -> str:
        """Return the figures, one sentence."""
        codes = Counter((call.name, call.ran.code) for call in self.calls)
        told = ", ".join(
            f"{name} {code}: {n}" for (name, code), n in sorted(codes.items())
        )
        busy = sum(call.error_code == race_judge.BUSY for call in self.calls)
        longest = max((call.took_s for call in self.calls), default=0.0)
        return (
            f"{len(self.calls)} calls ({told}), {busy} of them busy, the longest "
            f"{longest:.1f} s; {self.n_tasks} tasks, {self.n_sessions} local sessions; "
            f"{self.n_looks} looks and {self.n_files} files read beside them, "
            f"{self.n_gaps} times none was there"
        )


def configure(programs: Programs, logs: Path) -> None:
    """Write two sources with sessions of their own, and one that is the host's."""
    tools = "".join(
        f"MODEL_SOURCE_{name.upper().replace('-', '_')}={model}\n"
        for name, model in MODELS.items()
    )
    toml = "".join(_source(name, limit, logs) for name, limit in LIMITS.items())
    programs.configure(f"{tools}DEFAULT_MODEL_SOURCE=src-a\n", toml)


def _source(name: str, limit: int, logs: Path) -> str:
    head = (
        f"[sources.{name}]\nmax_concurrent = {limit}\nbackoff_s = [0.1]\nlease_s = 1\n"
    )
    if name == "src-h":
        return f'{head}launcher = "host"\n'
    program = str(Path(__file__).with_name("race_session.py"))
    argv = [sys.executable, "-I", "-S", program, str(logs), name, str(limit)]
    command = json.dumps([*argv, "{task_id}", "{label}"])
    return f'{head}launcher = "command"\ncommand = {command}\n'


class Readers:
    """The processes that look on."""

    def __init__(self, queues: Path, stop: Path) -> None:
        self._stop = stop
        paths = os.pathsep.join([str(ROOT / "lib"), str(ROOT / "tests")])
        argv = [sys.executable, "-m", "torture.race_reader", str(queues), str(stop)]
        self._running = [
            subprocess.Popen(
                argv,
                env={**os.environ, "PYTHONPATH": paths},
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            for _ in range(N_READERS)
        ]

    def end(self, race: Race) -> None:
        """Stop them, and take what they have seen."""
        self._stop.touch()
        for reader in self._running:
            out, err = reader.communicate(timeout=60)
            if reader.returncode:
                race.violations.append(f"a reader failed: {err}")
                continue
            seen = json.loads(out)
            race.n_looks += seen["looks"]
            race.n_files += seen["files"]
            race.n_gaps += seen["gaps"]
            race.violations += seen["violations"]


def come_to_rest(racers: Racers) -> None:
    """End what still runs, until nothing moves any more."""
    rng = random.Random(0)

    def is_calm() -> bool:
        racers.call("tick", "--actions")
        while ended := racers.spawns.end_one(rng):
            race_actors.exit_of(racers, *ended)
        return all(
            task["status"] in race_judge.RESTS and "claim" not in task
            for task in racers.tasks()
        )

    try:
        eventually(is_calm, within_s=CALM_WITHIN_S)
    except AssertionError as error:
        racers.faults.append(f"at rest: {error}")


def run(home: Path, *, seed: int, seconds: float, root: Path = ROOT) -> Race:
    """Race in an empty directory, and judge what came of it."""
    programs, logs = Programs(home=home, root=root), home / "logs"
    logs.mkdir()
    configure(programs, logs)
    racers = Racers(programs, until=0)
    first = f"{len(race_actors.ACTORS)}-0"
    text = f"use alpha1 to summarize file m{first}p0of1"
    begun = racers.call("on-intake", first, message=text)
    assert begun.ran.code == 0, begun
    race, readers = Race(), Readers(programs.queues, home / "stop")
    racers.until = time.monotonic() + seconds
    race_actors.run(racers, seed)
    come_to_rest(racers)
    readers.end(race)
    Chat(programs).wait_for_sessions()
    found = race_judge.read(programs.queues, logs)
    race.calls = racers.calls
    race.violations += [*racers.faults, *race_judge.judge(racers.calls, found)]
    race.n_tasks = len(found.tasks)
    race.n_sessions = sum(line.startswith("start") for line in found.sessions)
    return race


def main(argv: Sequence[str]) -> int:
    """Run with the arguments of the command line; return 1 after a violation."""
    parser = argparse.ArgumentParser(prog="torture race", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(argv)
    print(f"race: {args.seconds:g} s, seed {args.seed}", flush=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        race = run(Path(home), seed=args.seed, seconds=args.seconds)
    print(race.summary())
    for violation in race.violations:
        print(f"VIOLATION {violation}")
    return 1 if race.violations else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
