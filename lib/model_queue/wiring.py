"""Builds the real parts from this process's surroundings.

The only place that opens a store or reads configuration files. Hooks, CLI, supervisor
and waker all come through here, so that each of them does the same.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple

from model_queue import config
from model_queue.atomic import open_file
from model_queue.bundle import bundled
from model_queue.config import ConfigText
from model_queue.core import Core
from model_queue.errors import StoreError, TaskNotFound, TaskRefError
from model_queue.folder import Folder
from model_queue.launchers import open_launchers
from model_queue.model import Task, TaskRef
from model_queue.ports import RandomIds, SystemClock, SystemRng
from model_queue.settings import Problem, Settings
from model_queue.store import Query, Store
from model_queue.stores import open_store


class Surroundings(NamedTuple):
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
    skipped: list[Problem] = []
    for path, is_trusted in config.candidate_paths(
        environment=seen.environment, home=seen.home, cwd=seen.cwd, flags=seen.flags
    ):
        text = _read(path, skipped)
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
    toml = _read(toml_path, skipped)
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
    return replace(
        settings,
        heartbeat_paths=tuple(heartbeats),
        problems=(*settings.problems, *skipped),
    )


def _read(path: str, skipped: list[Problem]) -> str | None:
    """Return a file's text; one that is no file is noted in ``skipped``."""
    try:
        with open(open_file(path), encoding="utf-8-sig", errors="replace") as file:
            return file.read()
    except OSError:
        return None
    except StoreError as error:
        if path != os.devnull:
            text = f"the settings in {path} were skipped: {error}"
            skipped.append(Problem(code="no_file", text=text, hint=error.hint))
        return None


def open_core(
    seen: Surroundings, settings: Settings | None = None, *, is_tolerant: bool = False
) -> Core:
    """Open the parts that the settings name.

    ``is_tolerant`` is for whoever only looks: a setting without a usable value has its
    default then.

    Raises:
        ConfigError: a setting has no usable value.
        StoreError: the store cannot be opened.
    """
    settings = settings or read_settings(seen)
    if not is_tolerant:
        config.require_valid(settings)
    ids = RandomIds()
    store = open_store(settings.store, settings.queues_dir, ids=ids)
    folder = Folder(
        settings.queues_dir, is_doubled=_doubles(store), is_copied=_copies(store)
    )
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
        except (TaskNotFound, StoreError):
            # In a queue that stands still nothing is written either.
            return False
        return False

    return is_doubled


def _copies(store: Store) -> Callable[[Task], bool]:
    """Return a look-up of tasks whose id another one in the same queue has."""

    def is_copied(task: Task) -> bool:
        tasks = store.select(Query(sources=(task.queue,)))
        return sum(each.id == task.id for each in tasks) > 1

    return is_copied
