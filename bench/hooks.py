"""What a hook costs beside a bare interpreter: goals 1 to 3 of the speed budget.

Every round starts a bare ``python3 -I -S -c pass`` and each case once, in turn; a
figure is the median of the rounds' own ratios, so that a machine whose speed drifts
does not matter. Milliseconds are printed for orientation only.

    python bench/hooks.py [--rounds N]
"""
# ruff: noqa: INP001, S603, T201 - a script that starts our own programs and prints

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BARE = [sys.executable, "-I", "-S"]
N_ARCHIVED = 100_000
ORDINARY = "Please fix the broken build in src/app.py"


class Place:
    """A home with one queue, whose sessions only a host could start."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.queues = home / "queues"
        home.mkdir(parents=True)
        lines = f"MODEL_QUEUES_DIR={self.queues}\nMODEL_SOURCE_CLOUD=nvidia/glm5\n"
        (home / "TOOLS.md").write_text(lines, encoding="utf-8")
        self.environment = {
            "PATH": "/usr/bin:/bin",
            "HOME": str(home),
            "MODEL_QUEUE_TOOLS_MD": str(home / "TOOLS.md"),
            "MODEL_QUEUE_WAKER": "off",
        }

    def call(self, hook: str, payload: object, **more: str) -> Mapping[str, object]:
        """Call a hook; return its answer."""
        done = subprocess.run(
            [*BARE, str(ROOT / "hooks" / hook)],
            input=json.dumps(payload).encode(),
            stdout=subprocess.PIPE,
            env=self.environment | more,
            cwd=self.home,
            check=True,
        )
        answer: Mapping[str, object] = json.loads(done.stdout)
        return answer

    def running(self) -> str:
        """Return the id of the task that the host's session holds."""
        text = (self.queues / "cloud.json").read_text(encoding="utf-8")
        tasks = json.loads(text)["tasks"]
        return next(str(t["id"]) for t in tasks if t["status"] == "running")

    def archive(self) -> None:
        """Fill the archive."""
        text = (self.queues / "cloud.json").read_text(encoding="utf-8")
        queue = json.loads(text)
        [done, *_] = queue["tasks"]
        rows = (json.dumps({**done, "id": f"T-{n}"}) for n in range(1000, N_ARCHIVED))
        path = self.queues / "archive" / "cloud" / "2020-01.json"
        path.parent.mkdir(parents=True)
        head = json.dumps({**queue, "tasks": []})[:-2]
        path.write_text(head + ",\n".join(rows) + "]}", encoding="utf-8")


def add_three(place: Place, n: int) -> None:
    """Have three tasks added."""
    message = f"1. read part {n}\n2. sum up part {n}\n3. translate part {n}"
    place.call("on-intake", {"message": message})


def end_session(place: Place) -> Callable[[], None]:
    """Return the end of the session that runs now; the next one starts in its place."""
    task_id = place.running()
    payload = {"task_id": task_id, "status": "done", "result": "All of it."}
    return lambda: _ignore(place.call("on-subagent-exit", payload))


def save(place: Place) -> Callable[[], None]:
    """Return a checkpoint of the session that runs now."""
    payload = {"task_id": place.running(), "percent_complete": 40, "next_action": "on"}
    return lambda: _ignore(place.call("on-checkpoint", payload))


def _ignore(_: object) -> None:
    return


def learn(place: Place) -> None:
    """Call what the guard answers until it has learned it."""
    for _ in range(3):
        time.sleep(0.2)  # noqa: TID251 - stamps of this moment are not trusted
        place.call("on-heartbeat", {})
        place.call("on-intake", {"message": ORDINARY, "scope": "ambient"})


def cases(folder: Path) -> Mapping[str, Callable[[int], Callable[[], None]]]:
    """Return what is measured: for a round, the call whose time counts."""
    idle, full, busy = (Place(folder / name) for name in ("idle", "full", "busy"))
    for place in (idle, full, busy):
        place.call("on-intake", {"message": "add task: read the first part"})
    for place in (idle, full):
        payload = {"task_id": place.running(), "status": "done", "result": "Read."}
        place.call("on-subagent-exit", payload)
    full.archive()
    for place in (idle, full):
        learn(place)
    ambient = {"message": ORDINARY, "scope": "ambient", "session_id": "s"}
    worker = {"MODEL_QUEUE_WORKER": "1"}

    def same(
        place: Place, hook: str, payload: object, **more: str
    ) -> Callable[[int], Callable[[], None]]:
        return lambda _: lambda: _ignore(place.call(hook, payload, **more))

    return {
        "intake, not ours": same(idle, "on-intake", ambient),
        "intake, in a session": same(idle, "on-intake", ambient, **worker),
        "heartbeat, nothing due": same(idle, "on-heartbeat", {}),
        "heartbeat, in a session": same(idle, "on-heartbeat", {}, **worker),
        "heartbeat, 100,000 archived": same(full, "on-heartbeat", {}),
        "intake, adds 3 tasks": lambda n: lambda: add_three(busy, n),
        "subagent-exit": lambda _: end_session(busy),
        "checkpoint": lambda _: save(busy),
    }


GOALS = {
    "intake, not ours": 1.3,
    "intake, in a session": 1.3,
    "heartbeat, nothing due": 1.3,
    "heartbeat, in a session": 1.3,
    "heartbeat, 100,000 archived": 1.3,
    "intake, adds 3 tasks": 6.0,
    "subagent-exit": 6.0,
    "checkpoint": 6.0,
}


def timed(work: Callable[[], object]) -> float:
    """Return how many seconds something took."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def bare() -> object:
    """Start the bare interpreter that everything is compared with."""
    return subprocess.run([*BARE, "-c", "pass"], input=b"", stdout=-1, check=True)


def main() -> int:
    """Measure, print a table, and report whether every goal was met."""
    parser = argparse.ArgumentParser(description="Measure what a hook costs.")
    parser.add_argument("--rounds", type=int, default=30)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        measured = cases(Path(folder))
        seconds: dict[str, list[float]] = {name: [] for name in ("bare", *measured)}
        for n in range(rounds):
            seconds["bare"].append(timed(bare))
            for name, prepare in measured.items():
                seconds[name].append(timed(prepare(n)))
    print(f"{'':30}{'ms':>7}{'x bare':>8}{'goal':>7}")
    is_met = True
    for name, found in seconds.items():
        ratio = statistics.median(
            a / b for a, b in zip(found, seconds["bare"], strict=True)
        )
        goal = GOALS.get(name)
        mark = (
            "" if goal is None else f"{goal:7.2f}" + ("" if ratio <= goal else "  no")
        )
        is_met = is_met and (goal is None or ratio <= goal)
        print(f"{name:30}{statistics.median(found) * 1e3:7.1f}{ratio:8.2f}{mark}")
    pair = ("heartbeat, 100,000 archived", "heartbeat, nothing due")
    ratio = statistics.median(
        a / b for a, b in zip(*(seconds[name] for name in pair), strict=True)
    )
    print(f"{'with archive / without':30}{'':7}{ratio:8.2f}{1.05:7.2f}")
    return 0 if is_met else 1


if __name__ == "__main__":
    raise SystemExit(main())
