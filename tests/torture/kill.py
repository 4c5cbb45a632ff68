"""Kill rounds: a mixed load over three queues while its processes are killed.

Dispatchers, hooks, supervisors, wakers and sessions get SIGKILL at random moments; at
the end of each round every law of ``torture.kill_laws`` must hold. All decisions come from
the seed. ``--seed S --rounds 1`` repeats the decisions of round S; the moments, and so
what they lead to, differ, and a rare race may need some tries.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import statistics
import tempfile
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import FrameType

from torture.kill_deaths import Deaths
from torture.kill_rounds import STEPS, Verdict, play


def run(
    base: Path, *, seed: int, rounds: int, parallel: int, steps: int
) -> list[Verdict]:
    """Play rounds with the seeds ``seed``, ``seed`` + 1, …; print a line for each.

    Each has a directory below ``base``. That of a round that broke a law is kept, and
    its path printed.
    """
    with ThreadPoolExecutor(parallel) as pool:
        seeds = range(seed, seed + rounds)
        return list(pool.map(lambda each: _play_one(base, each, steps), seeds))


def _play_one(base: Path, seed: int, steps: int) -> Verdict:
    print(f"seed {seed}: begins", flush=True)
    home = base / f"seed-{seed}"
    verdict = play(home, seed=seed, steps=steps)
    lines = [verdict.describe(), *(f"  {each}" for each in verdict.violations)]
    if verdict.violations:
        lines.append(f"  kept in {home}")
    else:
        shutil.rmtree(home, ignore_errors=True)
    print("\n".join(lines), flush=True)
    return verdict


def _leave_nothing(base: Path) -> None:
    """Let a signal that ends this process end all that runs below ``base`` as well."""

    def leave(number: int, _: FrameType | None) -> None:
        Deaths(base).kill_everything()
        os._exit(128 + number)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, leave)


def summary(verdicts: Sequence[Verdict]) -> str:
    """Return the totals of all rounds in a few lines."""
    kills = sum((verdict.kills for verdict in verdicts), Counter[str]())
    settled = sorted(verdict.settled_s for verdict in verdicts)
    statuses = sum((verdict.statuses for verdict in verdicts), Counter[str]())
    n_bad = sum(bool(verdict.violations) for verdict in verdicts)
    return (
        f"{len(verdicts)} rounds, {n_bad} with violations; {statuses.total()} tasks "
        f"({_listed(statuses)}), {sum(v.n_sessions for v in verdicts)} sessions, "
        f"{sum(v.n_calls for v in verdicts)} calls of which "
        f"{sum(v.n_busy for v in verdicts)} found the store busy\n"
        f"killed {kills.total()}: {_listed(kills)}\n"
        f"settled in {statistics.median(settled):.1f} s (median), "
        f"{settled[-1]:.1f} s at most"
    )


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{n} {name}" for name, n in counts.most_common())


def main(argv: Sequence[str]) -> int:
    """Run with the arguments of the command line; return 1 after a violation."""
    parser = argparse.ArgumentParser(prog="torture kill", description=__doc__)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1, help="of the first round")
    parser.add_argument(
        "--parallel", type=int, default=1, metavar="N", help="rounds side by side"
    )
    parser.add_argument(
        "--steps", type=int, default=STEPS, help="calls that each actor makes"
    )
    args = parser.parse_args(argv)
    base = Path(tempfile.mkdtemp(prefix="torture-kill-"))
    _leave_nothing(base)
    verdicts = run(
        base,
        seed=args.seed,
        rounds=args.rounds,
        parallel=args.parallel,
        steps=args.steps,
    )
    print(summary(verdicts))
    if any(verdict.violations for verdict in verdicts):
        return 1
    shutil.rmtree(base, ignore_errors=True)
    return 0
