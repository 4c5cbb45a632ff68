"""A short run of the kill rounds; ``make torture`` has the long one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from torture import kill

pytestmark = pytest.mark.slow

ROUNDS = 20
STEPS = 6
"""Of each actor: fewer than in the long run, so that a round takes some 8 s."""
SEED = int(os.environ.get("TORTURE_SEED", "1"))
"""Of the first round."""


def test_nothing_is_lost_or_run_twice_whatever_is_killed(tmp_path: Path) -> None:
    verdicts = kill.run(tmp_path, seed=SEED, rounds=ROUNDS, parallel=3, steps=STEPS)

    broken = [
        f"seed {verdict.seed}: {violation}"
        for verdict in verdicts
        for violation in verdict.violations
    ]
    assert broken == []
    assert len(verdicts) == ROUNDS
