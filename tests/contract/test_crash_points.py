"""A process may die at any step of a commit: what is seen after is old or new.

And it may die again at any step of the recovery. The points are counted, not named:
``crashing`` sees every call that changes the disk.
"""

from __future__ import annotations

import errno
import os
from functools import partial
from pathlib import Path

import pytest

from commits import COMMITS, picture, recover
from crashing import (
    Point,
    copy_tree,
    crash,
    kill,
    points_of,
    sampled,
    steps_of,
    tree_of,
)
from model_queue.model import JsonObject

EVERY_KIND = {"create", "write", "pwrite", "cut", "fsync", "rename", "link", "unlink"}
EVERY_KIND |= {"mkdir"}


@pytest.fixture(autouse=True)
def _no_flush(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kill does not show whether the disk was flushed; here it costs the time."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


class Scene:
    """One commit, with its pictures and its points."""

    def __init__(self, name: str, tmp_path: Path) -> None:
        self._commit = COMMITS[name]
        self._tmp_path = tmp_path
        self._n = 0
        self.start = tmp_path / "start"
        tmp_path.mkdir(exist_ok=True)
        self._commit.before(self.start)
        after = self.copy(self.start)
        self.steps = steps_of(after, lambda: self._commit.act(after))
        self.points = points_of(self.steps)
        self.old = picture(self.copy(self.start))
        self.new = picture(after)

    def copy(self, folder: Path) -> Path:
        self._n += 1
        return copy_tree(folder, self._tmp_path / str(self._n))

    def act(self, folder: Path) -> None:
        self._commit.act(folder)

    def check(self, folder: Path, *points: Point) -> JsonObject:
        seen = picture(folder)
        assert seen in (self.old, self.new), self.tell(*points)
        return seen

    def tell(self, *points: Point) -> str:
        return f"died at {points}, first before {self.steps[points[0].n]}"


def refuse_links(*_: object) -> None:
    raise OSError(errno.EPERM, os.strerror(errno.EPERM))


@pytest.fixture
def scene(name: str, tmp_path: Path) -> Scene:
    return Scene(name, tmp_path)


def test_every_kind_of_step_is_a_point(tmp_path: Path) -> None:
    kinds: set[str] = set()
    for n, name in enumerate(COMMITS):
        scene = Scene(name, tmp_path / str(n))
        kinds |= {step.kind for step in scene.steps}
        print(f"{name}: {len(scene.steps)} steps, {len(scene.points)} points")  # noqa: T201 - the list that -s shows

    assert kinds >= EVERY_KIND


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMITS)
def test_a_crash_at_any_step_leaves_the_old_or_the_new_state(scene: Scene) -> None:
    seen: list[JsonObject] = []
    for point in scene.points:
        folder = scene.copy(scene.start)

        crash(folder, partial(scene.act, folder), point)

        seen.append(scene.check(folder, point))
    # Once new, always new: no later step takes a commit back.
    states = [state == scene.new for state in seen]
    assert states == sorted(states)


@pytest.mark.parametrize("name", ["intake"])
def test_a_killed_process_leaves_the_old_or_the_new_state(scene: Scene) -> None:
    for point in scene.points[::6]:
        folder = scene.copy(scene.start)

        kill(folder, partial(scene.act, folder), point)

        scene.check(folder, point)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["intake", "archive"])
def test_a_crash_on_a_disk_without_hard_links_leaves_the_old_or_the_new_state(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "link", refuse_links)
    scene = Scene(name, tmp_path)

    for point in scene.points:
        folder = scene.copy(scene.start)

        crash(folder, partial(scene.act, folder), point)

        scene.check(folder, point)


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMITS)
def test_a_process_killed_at_any_step_leaves_the_old_or_the_new_state(
    scene: Scene,
) -> None:
    for point in sampled(scene.points, 9):
        folder = scene.copy(scene.start)

        kill(folder, partial(scene.act, folder), point)

        scene.check(folder, point)


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMITS)
def test_a_crash_at_any_step_of_any_recovery_changes_nothing(scene: Scene) -> None:
    known: set[object] = set()
    n_points = 0
    for first in scene.points:
        crashed = scene.copy(scene.start)
        crash(crashed, partial(scene.act, crashed), first)
        tree = tree_of(crashed)
        if tree in known:
            # Other steps led to the very same disk.
            continue
        known.add(tree)
        whole = scene.copy(crashed)
        steps = steps_of(whole, partial(recover, whole))
        expected = scene.check(whole, first)
        for second in sampled(points_of(steps), 7, nth=len(known)):
            folder = scene.copy(crashed)
            crash(folder, partial(recover, folder), second)
            assert scene.check(folder, first, second) == expected
            n_points += 1
    print(f"{n_points} points in the recoveries of {len(known)} crashes")  # noqa: T201 - the list that -s shows
