"""A power cut at any step of a commit leaves the old state or the new one.

Once the commit has returned, it leaves the new one. A kill does not show that: what a
process wrote is there for the next one, whether the disk has it or not.
"""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import pytest

from commits import COMMITS, picture, recover
from crashing import Point, copy_tree, crash, sampled, steps_of
from model_queue.model import JsonObject
from powercuts import Disk, cuts


@pytest.fixture(autouse=True)
def _no_flush(monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk here is a model; the one below it need not be sure of anything."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


def pictures(start: Path, name: str) -> tuple[JsonObject, JsonObject]:
    """Return what is seen before and after a commit."""
    before = copy_tree(start, start.with_name("before"))
    after = copy_tree(start, start.with_name("after"))
    COMMITS[name].act(after)
    return picture(before), picture(after)


@pytest.mark.parametrize(
    "name",
    [n if n == "claim" else pytest.param(n, marks=pytest.mark.slow) for n in COMMITS],
)
def test_a_power_cut_leaves_the_old_or_the_new_state(name: str, tmp_path: Path) -> None:
    start = tmp_path / "start"
    COMMITS[name].before(start)
    old, new = pictures(start, name)
    copy = copy_tree(start, tmp_path / "steps")
    steps = steps_of(copy, partial(COMMITS[name].act, copy))
    n_disks = 0

    for n_disks, cut in enumerate(cuts(Disk.of(start), steps), 1):
        seen = picture(cut.disk.write(tmp_path / f"cut{n_disks}"))

        told = f"{cut.how}, after {cut.n} of {len(steps)} steps"
        assert seen in ([old, new] if cut.n < len(steps) else [new]), told
    print(f"{name}: {n_disks} different disks")  # noqa: T201 - the count that -s shows


@pytest.mark.slow
def test_a_power_cut_in_a_recovery_leaves_the_old_or_the_new_state(
    tmp_path: Path,
) -> None:
    start = tmp_path / "start"
    COMMITS["intake"].before(start)
    old, new = pictures(start, "intake")
    copy = copy_tree(start, tmp_path / "steps")
    steps = steps_of(copy, partial(COMMITS["intake"].act, copy))
    journal = next(n for n, s in enumerate(steps) if s.to == ".state/journal")
    known: set[object] = set()

    # A kill right after the journal has its name: nothing says that the disk has it.
    for n in sampled(range(journal + 1, len(steps)), 5):
        dead = copy_tree(start, tmp_path / f"dead{n}")
        crash(dead, partial(COMMITS["intake"].act, dead), Point(n))
        again = copy_tree(dead, tmp_path / f"again{n}")
        all_steps = [*steps[:n], *steps_of(again, partial(recover, again))]
        for cut in cuts(Disk.of(start), all_steps, since=n):
            if cut.disk.key() in known:
                continue
            known.add(cut.disk.key())
            seen = picture(cut.disk.write(tmp_path / f"cut{len(known)}"))

            assert seen in [old, new], f"{cut.how}, after {n} steps and {cut.n - n}"
