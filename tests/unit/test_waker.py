"""The process that waits: its loop on a clock that the test moves, and itself."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fakes import START, FakeClock
from model_queue import detached, waker
from model_queue.waker import Waker
from waiting import eventually


class Scene:
    """A queue directory, a clock that sleeping moves, and what the passes do."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.clock = FakeClock()
        self.slept: list[float] = []
        self.passes: list[float] = []
        """Seconds after the start at which a pass ran."""
        self.plan: list[float | None] = []
        """What each pass leaves in ``due``, in seconds after the start; then None."""
        self.during_sleep: Callable[[], None] = lambda: None
        self.awake_s = 0.0
        (path / ".state").mkdir()

    def set_due(self, after_s: float | None) -> None:
        text = "" if after_s is None else f"{START.timestamp() + after_s:.3f}\n"
        (self.path / ".state" / "due").write_text(text)

    def now_s(self) -> float:
        return (self.clock.now() - START).total_seconds()

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.awake_s += seconds
        self.clock.advance(dt.timedelta(seconds=seconds))
        self.during_sleep()

    def wake(self) -> None:
        self.passes.append(self.now_s())
        self.set_due(self.plan.pop(0) if self.plan else None)

    def run(self, wake: Callable[[], None] | None = None) -> None:
        self.waker(wake).run(may_go_on=lambda: len(self.slept) < 1000)

    def waker(self, wake: Callable[[], None] | None = None) -> Waker:
        return Waker(
            str(self.path),
            wake=wake or self.wake,
            clock=self.clock,
            sleep=self.sleep,
            awake_s=lambda: self.awake_s,
        )

    def jump(self, **span: float) -> None:
        """Set the wall clock, once, or let the machine sleep."""
        self.clock.advance(dt.timedelta(**span))
        self.during_sleep = lambda: None


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path)


def test_a_pass_runs_when_it_is_due_and_not_before(scene: Scene) -> None:
    scene.set_due(5)

    scene.run()

    assert scene.passes == [5]
    assert max(scene.slept) <= 0.5


def test_passes_go_on_until_nothing_is_due(scene: Scene) -> None:
    scene.set_due(1)
    scene.plan = [3, 4]

    scene.run()

    assert scene.passes == [1, 3, 4]


@pytest.mark.parametrize("text", [None, "", "soon\n"])
def test_nothing_due_ends_it_at_once(scene: Scene, text: str | None) -> None:
    if text is not None:
        (scene.path / ".state" / "due").write_text(text)

    scene.run()

    assert scene.passes == []
    assert scene.slept == []


def test_an_earlier_moment_is_noticed_within_a_step(scene: Scene) -> None:
    scene.set_due(3600)
    scene.during_sleep = lambda: scene.set_due(2)

    scene.run()

    assert scene.passes == [2]


def test_a_moment_that_is_taken_back_ends_it(scene: Scene) -> None:
    scene.set_due(3600)
    scene.during_sleep = lambda: scene.set_due(None)

    scene.run()

    assert scene.passes == []
    assert scene.slept == [0.5]


@pytest.mark.parametrize(
    ("days", "after_s"),
    [
        pytest.param(1, 86_400.5, id="forward"),
        pytest.param(-1, 0.5 - 86_400, id="back"),
    ],
)
def test_a_pass_runs_within_a_step_of_a_jump_of_the_clock(
    scene: Scene, days: int, after_s: float
) -> None:
    """The machine slept for a day, or somebody set the clock."""
    scene.set_due(3600)
    scene.during_sleep = lambda: scene.jump(days=days)

    scene.run()

    assert scene.passes == [after_s]
    assert scene.slept == [0.5]


def test_a_clock_that_is_put_right_a_little_makes_nothing_due(scene: Scene) -> None:
    scene.set_due(60)
    scene.during_sleep = lambda: scene.jump(seconds=4)

    scene.run()

    assert scene.passes == [60]


def test_a_pass_after_a_jump_that_fails_is_tried_again(
    scene: Scene, capfd: pytest.CaptureFixture[str]
) -> None:
    scene.set_due(3600)
    scene.during_sleep = lambda: scene.jump(days=-1)

    def fail_twice() -> None:
        scene.passes.append(scene.now_s() + 86_400)
        if len(scene.passes) == 3:
            scene.set_due(None)
            return
        raise OSError

    scene.run(fail_twice)

    assert scene.passes == [0.5, 1.5, 3.5]
    assert "OSError" in capfd.readouterr().err


def test_a_pass_that_leaves_its_moment_in_the_past_is_not_repeated_in_a_hurry(
    scene: Scene,
) -> None:
    scene.set_due(0)
    scene.plan = [0, 0, 0]

    scene.run()

    assert scene.passes == [0, 1, 3, 7]


def test_a_pass_that_fails_is_tried_again_more_and_more_slowly(
    scene: Scene, capfd: pytest.CaptureFixture[str]
) -> None:
    scene.set_due(0)

    def fail() -> None:
        scene.passes.append(scene.now_s())
        if len(scene.passes) == 9:
            scene.set_due(None)
        raise OSError(28, "No space left on device")

    scene.run(fail)

    assert scene.passes == [0, 1, 3, 7, 15, 31, 63, 123, 183]
    assert "No space left on device" in capfd.readouterr().err


def test_a_log_on_a_full_disk_does_not_end_it(scene: Scene) -> None:
    scene.set_due(0)

    def fail_once() -> None:
        scene.passes.append(scene.now_s())
        if len(scene.passes) == 2:
            scene.set_due(None)
            return
        raise OSError(28, "No space left on device")

    kept, full = os.dup(2), os.open("/dev/full", os.O_WRONLY)
    os.dup2(full, 2)
    try:
        scene.run(fail_once)
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(full)

    assert scene.passes == [0, 1]


def test_a_new_moment_ends_the_rest_after_a_failure(
    scene: Scene, capfd: pytest.CaptureFixture[str]
) -> None:
    scene.set_due(0)

    def fail_once() -> None:
        scene.passes.append(scene.now_s())
        if len(scene.passes) == 1:
            raise OSError
        scene.set_due(None)

    scene.during_sleep = lambda: scene.set_due(0.25)

    scene.run(fail_once)

    assert scene.passes == [0, 0.5]
    assert "OSError" in capfd.readouterr().err


def test_it_ends_when_its_lock_is_no_longer_the_directorys(scene: Scene) -> None:
    scene.set_due(3600)

    scene.waker().run(may_go_on=lambda: len(scene.slept) < 3)

    assert scene.passes == []


@pytest.fixture
def queues_dir(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path
    (tmp_path / ".state" / "due").unlink(missing_ok=True)
    eventually(lambda: not waker.is_running(str(tmp_path)))
    eventually(lambda: detached.reap() == 0)


def ensure(queues_dir: Path) -> bool:
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(queues_dir),
        "MODEL_QUEUES_DIR": str(queues_dir),
    }
    return waker.ensure(
        str(queues_dir), config_cwd=str(queues_dir), environment=environment
    )


def test_one_waker_per_directory(queues_dir: Path) -> None:
    (queues_dir / ".state").mkdir()
    (queues_dir / ".state" / "due").write_text(f"{START.timestamp() * 2}\n")

    started = [ensure(queues_dir) for _ in range(5)]

    assert started == [True, False, False, False, False]
    assert waker.is_running(str(queues_dir))


def test_a_waker_with_nothing_to_wait_for_ends(queues_dir: Path) -> None:
    ensure(queues_dir)

    eventually(lambda: not waker.is_running(str(queues_dir)))
    assert (queues_dir / ".state" / "waker.log").read_text() == ""


def test_a_waker_runs_the_pass_that_is_due_and_ends(queues_dir: Path) -> None:
    due = queues_dir / ".state" / "due"
    due.parent.mkdir()
    due.write_text("1.0\n")

    ensure(queues_dir)

    eventually(lambda: not waker.is_running(str(queues_dir)))
    assert due.read_text() == ""
    assert (due.parent / "waker.log").read_text() == ""


def test_no_waker_runs_in_a_directory_that_is_not_there(tmp_path: Path) -> None:
    assert not waker.is_running(str(tmp_path / "none"))


def test_a_waker_that_cannot_be_started_is_no_failure(tmp_path: Path) -> None:
    (tmp_path / ".state").write_text("a file")

    assert not ensure(tmp_path)
