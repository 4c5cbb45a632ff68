"""Builds the real parts from this process's surroundings, and runs whole passes.

The only place that opens a store or reads configuration files. Hooks, CLI, supervisor
and waker all come through here, so that each of them does the same.
"""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from model_queue import completion, config, dispatch, planning, waker
from model_queue.atomic import locked, read_file, write_atomic
from model_queue.bundle import bundled
from model_queue.config import ConfigText
from model_queue.core import Core
from model_queue.errors import TaskNotFound, TaskRefError
from model_queue.folder import Folder
from model_queue.launchers import open_launchers
from model_queue.model import TaskRef
from model_queue.ports import Clock, RandomIds, SystemClock, SystemRng
from model_queue.settings import Settings
from model_queue.store import Batch, Notice, Store
from model_queue.stores import open_store
from model_queue.watching import SILENT, Listing

NOTIFY_LIMIT_S = 30
"""A notifier that takes longer is ended; its notices are tried again later."""
DUE_LOCK_S = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What a process sees: passed on to the processes that it starts."""

    environment: Mapping[str, str]
    cwd: str
    """Where configuration is looked for; absolute."""
    flags: Mapping[str, str]

    @property
    def for_children(self) -> Mapping[str, str]:
        """The environment of supervisor and waker: what came by a flag holds there too."""
        return {**self.environment, **self.flags}

    @property
    def home(self) -> str:
        """The user's home directory."""
        return self.environment.get("HOME") or os.path.expanduser("~")


def surroundings(
    *, cwd: str | None = None, flags: Mapping[str, str] | None = None
) -> Surroundings:
    """Return what this process sees."""
    return Surroundings(
        environment=dict(os.environ),
        cwd=os.path.abspath(cwd) if cwd else _cwd(),
        flags=flags or {},
    )


def _cwd() -> str:
    try:
        return os.getcwd()
    except OSError:
        # The directory was removed under us; configuration can still come from home.
        return os.path.expanduser("~")


def read_settings(seen: Surroundings) -> Settings:
    """Read the configuration files that exist and return the settings."""
    texts: list[ConfigText] = []
    heartbeats: list[str] = []
    for path, is_trusted in config.candidate_paths(
        environment=seen.environment, home=seen.home, cwd=seen.cwd, flags=seen.flags
    ):
        text = _read(path)
        if text is None:
            continue
        texts.append(ConfigText(path=path, text=text, trusted=is_trusted))
        # Beside trusted files only: a repository's HEARTBEAT.md is not its user's.
        heartbeat = os.path.join(os.path.dirname(path), "HEARTBEAT.md")
        if is_trusted and heartbeat not in heartbeats:
            heartbeats.append(heartbeat)
    toml_path = config.toml_path(
        environment=seen.environment, home=seen.home, tools=texts, flags=seen.flags
    )
    toml = _read(toml_path)
    settings = config.load(
        environment=seen.environment,
        home=seen.home,
        tools=texts,
        toml=(
            ConfigText(path=toml_path, text=toml, trusted=True)
            if toml is not None
            else None
        ),
        flags=seen.flags,
    )
    return replace(settings, heartbeat_paths=tuple(heartbeats))


def _read(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8-sig", errors="replace") as file:
            return file.read()
    except OSError:
        return None


def open_core(seen: Surroundings, settings: Settings | None = None) -> Core:
    """Open the parts that the settings name.

    Raises:
        ConfigError: a setting has no usable value.
        StoreError: the store cannot be opened.
    """
    settings = settings or read_settings(seen)
    config.require_valid(settings)
    ids = RandomIds()
    store = open_store(settings.store, settings.queues_dir, ids=ids)
    folder = Folder(settings.queues_dir, is_doubled=_doubles(store))
    return Core(
        settings=settings,
        store=store,
        folder=folder,
        launchers=open_launchers(
            settings,
            sessions_dir=folder.sessions_dir,
            environment=seen.for_children,
            config_cwd=seen.cwd,
            clock=SystemClock(),
        ),
        ids=ids,
        rng=SystemRng(),
        checkpoint_hook=bundled("hooks/on-checkpoint"),
    )


def _doubles(store: Store) -> Callable[[str], bool]:
    """Return a look-up of ids that several tasks have: such files carry the source."""

    def is_doubled(task_id: str) -> bool:
        try:
            store.get(TaskRef.parse(task_id))
        except TaskRefError:
            return True
        except TaskNotFound:
            return False
        return False

    return is_doubled


def run_pass(
    core: Core,
    seen: Surroundings,
    *,
    clock: Clock,
    carries_actions: bool,
    listing: Listing = SILENT,
) -> dispatch.Tick:
    """Run one pass, then see to it that the next due moment will not be missed.

    A caller that carries actions out shows notices as well, and cannot wait for a
    notifier: only the others hand them to it.
    """
    done = dispatch.tick(
        core,
        now=clock.now(),
        carries_actions=carries_actions,
        listing=listing,
    )
    plan_next(core, seen, clock=clock)
    if not carries_actions:
        notify(core, clock=clock)
    return done


def plan_next(core: Core, seen: Surroundings, *, clock: Clock) -> dt.datetime | None:
    """Write when the next pass is due and start the waker for it.

    Read and written under one lock: the last writer has seen every commit that was
    made before its own, so no due moment is overwritten by an older view.
    """
    path = os.path.join(core.folder.state_dir, "due")
    with locked(path + ".lock", timeout_s=DUE_LOCK_S):
        due = planning.next_due(core, now=clock.now())
        text = f"{due.timestamp():.3f}\n".encode() if due else b""
        if text != (read_file(path) or b""):
            write_atomic(path, text)
    if due is not None and core.settings.waker:
        waker.ensure(
            core.settings.queues_dir,
            config_cwd=seen.cwd,
            environment=seen.for_children,
        )
    return due


def notify(core: Core, *, clock: Clock) -> int:
    """Hand waiting notices to the configured notifier; return how many it took."""
    argv = core.settings.notify_command
    if not argv:
        return 0
    notices = core.store.take_notices(chat=("", "", ""), limit=100, now=clock.now())
    taken = [notice.id for notice in notices if _notified(argv, notice)]
    if taken:
        core.store.commit(Batch(delivered=taken), now=clock.now())
    return len(taken)


def _notified(argv: Sequence[str], notice: Notice) -> bool:
    # Imported here: only a configured notifier pays the 20 ms.
    import subprocess  # noqa: PLC0415

    try:
        done = subprocess.run(  # noqa: S603 - the person's own notifier, never a shell
            argv,
            input=notice.text.encode(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=NOTIFY_LIMIT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def complete_session(label: str, *, config_cwd: str) -> None:
    """Do what on-subagent-exit does for a supervised session that has ended.

    Called by the supervisor after it wrote the outcome. The next pass would find the
    outcome as well; this makes the next task start at once.
    """
    clock = SystemClock()
    seen = surroundings(cwd=config_cwd)
    core = open_core(seen)
    task = core.store.find(label=label)
    if task is not None:
        launcher = core.launchers.get(task.queue)
        session = launcher.find(label) if launcher else None
        if session is not None and session.outcome is not None:
            completion.complete(
                core, task, session.outcome, label=label, now=clock.now()
            )
    run_pass(core, seen, clock=clock, carries_actions=False)


def wake(*, config_cwd: str) -> None:
    """Run the pass that the waker waited for."""
    seen = surroundings(cwd=config_cwd)
    run_pass(open_core(seen), seen, clock=SystemClock(), carries_actions=False)
