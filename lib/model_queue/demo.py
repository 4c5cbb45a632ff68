"""The main job on a fresh machine with no key: one chat message, worked off.

Two sources, each with a model server of its own on the loopback interface; the message
goes through ``hooks/on-intake`` and the host's part is played by polling
``hooks/on-heartbeat``. What is printed is what a person would see in chat. Source:
SPEC 6.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import TextIO

from model_queue import wiring
from model_queue.bundle import bundled
from model_queue.demo_servers import Server, running
from model_queue.errors import StoreError
from model_queue.messages.wording import duration, one_line
from model_queue.model import JsonObject, JsonValue, Status, Task, TaskRef
from model_queue.ports import SystemClock
from model_queue.store import Query

MESSAGE = (
    "Use smollm2-desk to explain why the sky is blue, "
    "then use smollm2-attic to write a short poem about that. "
    "Also use smollm2-attic to write a haiku about rain."
)
SOURCES = {"desk": "smollm2-desk", "attic": "smollm2-attic"}
MAX_TOKENS = 160
"""The model is tiny: what it writes after this only repeats itself."""
POLL_S = 0.5
HOOK_LIMIT_S = 30
BASE_LIMIT_S, TASK_LIMIT_S = 30, 60
"""How long the demo waits: so long, and so long per task; an attempt of a task takes
3 s on an idle machine."""
STOP_LIMIT_S = 10
SHOWN_LINES = 6
INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells have it."""


class Screen:
    """What the person sees; one line of progress is rewritten on a terminal."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._is_terminal = out.isatty()
        self._columns = shutil.get_terminal_size().columns
        self._last = ""

    def say(self, text: str) -> None:
        """Print a text with a blank line after it."""
        self.clear()
        self._out.write(text.rstrip("\n") + "\n\n")
        self._out.flush()

    def progress(self, steady: str, moving: str) -> None:
        """Show what goes on.

        Args:
            steady: what is said once where lines cannot be rewritten.
            moving: the same with what changes every second.
        """
        if self._is_terminal:
            self._out.write("\r\x1b[K" + one_line(moving, self._columns - 1))
            self._out.flush()
        elif steady != self._last:
            self._out.write(f"  … {steady}\n")
            self._out.flush()
        self._last = steady

    def clear(self) -> None:
        """Take the line of progress away."""
        if self._is_terminal and self._last:
            self._out.write("\r\x1b[K")
        self._last = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A queue directory of its own, with the configuration of the demo."""

    folder: str
    environment: Mapping[str, str]
    """Of every process: none of the person's own settings reach the demo."""

    def call(self, hook: str, **fields: JsonValue) -> JsonObject:
        """Send one JSON object to a hook, as a host does; return its answer.

        Raises:
            StoreError: the hook failed.
        """
        chat: JsonObject = {"version": 1, "host": "demo", "channel": "terminal"}
        done = subprocess.run(  # noqa: S603 - our own hook, no shell
            [bundled(os.path.join("hooks", hook))],
            input=json.dumps(
                chat | {"session_id": "demo", "cwd": self.folder} | fields
            ),
            capture_output=True,
            text=True,
            env=dict(self.environment),
            cwd=self.folder,
            timeout=HOOK_LIMIT_S,
            check=False,
        )
        try:
            answer: JsonValue = json.loads(done.stdout)
        except ValueError:
            answer = None
        if not isinstance(answer, dict) or not answer.get("ok"):
            says = done.stdout.strip() or done.stderr.strip()
            sentence = f"{hook} failed with exit code {done.returncode}: {says}"
            raise StoreError(sentence)
        return answer

    def tasks(self) -> Sequence[Task]:
        """Return every task, by number."""
        seen = wiring.Surroundings(
            environment=self.environment, cwd=self.folder, flags={}
        )
        found = wiring.open_core(seen).store.select(Query())
        return sorted(found, key=lambda task: TaskRef.parse(task.id).number)

    def report_of(self, task: Task) -> str:
        """Return what the model wrote, "" when it wrote nothing."""
        if task.result_path is None:
            return ""
        path = os.path.join(self.folder, "queues", task.result_path)
        with open(path, encoding="utf-8") as file:
            return file.read().strip()


@contextlib.contextmanager
def _stage(*, keep: bool) -> Generator[Stage]:
    folder = tempfile.mkdtemp(prefix="model-queue-demo-")
    # The hooks' first line asks for python3: the one that runs now comes first.
    path = os.pathsep.join(
        [os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)]
    )
    environment = {
        "PATH": path,
        "HOME": folder,
        "LANG": "C.UTF-8",
        "MODEL_QUEUE_TOOLS_MD": os.path.join(folder, "TOOLS.md"),
        "MODEL_QUEUE_TOML": os.path.join(folder, "task-queue.toml"),
        # The demo's own polling wakes the queue; nothing may outlive it.
        "MODEL_QUEUE_WAKER": "off",
    }
    try:
        yield Stage(folder=folder, environment=environment)
    finally:
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)


def configure(stage: Stage, servers: Sequence[Server]) -> None:
    """Write the two configuration files, as a person would."""
    tools = [f"MODEL_QUEUES_DIR={os.path.join(stage.folder, 'queues')}"]
    toml: list[str] = []
    for server in servers:
        name = server.source.upper()
        tools.append(f"MODEL_SOURCE_{name}=local/{server.model}")
        toml += [
            f"[sources.{server.source}]",
            'launcher = "openai"',
            f'endpoint = "{server.url}"',
            f"max_tokens = {MAX_TOKENS}",
            f"timeout_s = {TASK_LIMIT_S}",
            "backoff_s = [1]",
        ]
    tools.append(f"DEFAULT_MODEL_SOURCE={servers[0].source}")
    for name, lines in (("TOOLS.md", tools), ("task-queue.toml", toml)):
        with open(os.path.join(stage.folder, name), "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")


def run(message: str = "", *, keep: bool = False) -> int:
    """Run the demo; return 0 when every task is done with a text, else non-zero.

    Raises:
        MissingPackage: the library or the model is not installed.
        LaunchError: a model server does not start.
    """
    screen = Screen(sys.stdout)
    started = time.monotonic()
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        with (
            _stage(keep=keep) as stage,
            running(
                SOURCES, folder=stage.folder, environment=stage.environment
            ) as servers,
        ):
            names = ", ".join(f"{s.source} ({s.model})" for s in servers)
            screen.say(
                f"Two model servers run on this machine: {names}. The model is tiny "
                "(135 million parameters): do not expect much of what it writes."
            )
            configure(stage, servers)
            code = _play(stage, servers, message or MESSAGE, screen)
            took = time.monotonic() - started
            kept = f" Its files: {stage.folder}" if keep else ""
            screen.say(f"The demo took {took:.0f} s.{kept}")
            return code
    except KeyboardInterrupt:
        screen.say("Stopped; nothing of the demo runs any more.")
        return INTERRUPTED


def _interrupt(number: int, frame: object) -> None:
    del number, frame
    raise KeyboardInterrupt


def _play(stage: Stage, servers: Sequence[Server], message: str, screen: Screen) -> int:
    """Send the message and show what comes of it; return the exit code."""
    screen.say("\n".join(f"you> {line}" for line in message.strip().splitlines()))
    answer = stage.call("on-intake", message=message, message_id="demo-1")
    screen.say(str(answer.get("reply") or "(no answer: nothing in it is work)"))
    if not answer.get("tasks"):
        screen.say(
            "Nothing was queued, so there is nothing to wait for. Send another message: "
            'make demo MESSAGE="…"'
        )
        return 5
    try:
        tasks = _watch(stage, screen)
    except BaseException:
        screen.say("Stopping …")
        _stop_all(stage)
        raise
    if not all(task.status.is_terminal for task in tasks):
        _stop_all(stage)
    screen.say("you> task status")
    screen.say(str(stage.call("on-intake", message="task status")["reply"]))
    return _conclude(stage, servers, tasks, screen)


def _watch(stage: Stage, screen: Screen) -> Sequence[Task]:
    """Poll as a host does until all tasks are settled or the time is up."""
    tasks = stage.tasks()
    deadline = time.monotonic() + BASE_LIMIT_S + TASK_LIMIT_S * len(tasks)
    running_since: dict[str, float] = {}
    while time.monotonic() < deadline:
        reply = str(stage.call("on-heartbeat")["reply"])
        tasks = stage.tasks()
        if reply != "HEARTBEAT_OK":
            screen.say(reply)
        if all(task.status.is_terminal or _is_stuck(task) for task in tasks):
            break
        _show_progress(tasks, running_since, screen)
        time.sleep(POLL_S)  # noqa: TID251 - the demo plays the host's timer
    return tasks


def _is_stuck(task: Task) -> bool:
    """Report whether the demo would wait in vain: for a person, or for another day."""
    soon = SystemClock().now() + dt.timedelta(seconds=TASK_LIMIT_S)
    is_later = task.not_before is not None and task.not_before > soon
    return is_later or task.status in {Status.BLOCKED, Status.PAUSED}


def _show_progress(
    tasks: Sequence[Task], running_since: dict[str, float], screen: Screen
) -> None:
    now = time.monotonic()
    steady: list[str] = []
    moving: list[str] = []
    for task in tasks:
        if task.status is Status.RUNNING:
            since = running_since.setdefault(str(task.label), now)
            what = f"{task.id} runs on {task.queue}"
            steady.append(what)
            moving.append(f"{what} ({now - since:.0f} s)")
        elif not task.status.is_terminal:
            steady.append(f"{task.id} {task.status.value}")
            moving.append(f"{task.id} {task.status.value}")
    screen.progress(", ".join(steady), "⏳ " + ", ".join(moving))


def _stop_all(stage: Stage) -> None:
    """Cancel what is left and wait until its sessions are gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    live = [task.id for task in stage.tasks() if not task.status.is_terminal]
    if live:
        stage.call("on-intake", message="cancel " + ", ".join(live))
    deadline = time.monotonic() + STOP_LIMIT_S
    while time.monotonic() < deadline:
        stage.call("on-heartbeat")
        if not any(task.claim for task in stage.tasks()):
            return
        time.sleep(POLL_S)  # noqa: TID251 - bounded; the sessions need a moment to end


def _conclude(
    stage: Stage, servers: Sequence[Server], tasks: Sequence[Task], screen: Screen
) -> int:
    """Show the texts and the servers' own logs; return the exit code."""
    faults: list[str] = []
    for task in tasks:
        text = stage.report_of(task)
        if task.status is not Status.DONE:
            why = task.error_message or task.blocked_reason or "the demo does not wait"
            faults.append(f"{task.id} is {task.status.value}: {why}")
        elif not text:
            faults.append(f"{task.id} is done, but its report is empty")
        else:
            screen.say(_excerpt(task, text))
    lines = ["By its own log, each server answered:"]
    for server in servers:
        asked = server.answered()
        lines.append(f"  {server.source} ({server.model}): {', '.join(asked) or '-'}")
        faults += _strangers(server, asked, tasks)
    screen.say("\n".join(lines))
    n_done = sum(task.status is Status.DONE for task in tasks)
    verdict = f"{n_done} of {len(tasks)} tasks are done."
    screen.say("\n".join([verdict, *faults]))
    return 1 if faults else 0


def _excerpt(task: Task, text: str) -> str:
    lines = text.splitlines()
    took = ""
    if task.started_at and task.completed_at:
        took = f", {duration(task.completed_at - task.started_at)}"
    shown = [f"{task.id} as {task.session_model or task.model} wrote it{took}:"]
    shown += [f"  | {line}" for line in lines[:SHOWN_LINES]]
    if len(lines) > SHOWN_LINES:
        shown.append(f"  | … ({len(lines) - SHOWN_LINES} more lines)")
    return "\n".join(shown)


def _strangers(
    server: Server, asked: Sequence[str], tasks: Sequence[Task]
) -> Sequence[str]:
    """Return one sentence per task that was on the wrong server."""
    own = {task.id for task in tasks if task.queue == server.source}
    done = {task.id for task in tasks if task.status is Status.DONE}
    wrong = [f"{t} ran on {server.source} by mistake" for t in set(asked) - own]
    return wrong + [
        f"{t} never reached {server.source}" for t in own & done - set(asked)
    ]
