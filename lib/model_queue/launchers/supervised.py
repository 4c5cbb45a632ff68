"""Launcher of sessions that run as supervised processes on this machine.

Three facts carry the guarantee that an attempt runs once (``session_files`` has the
names). The starter takes ``lock`` and hands it to the supervisor with its birth, so
that a free lock proves that none lives. The session's process is held back until
``process.json`` names it, so that a supervisor that is killed leaves nothing behind
that cannot be found. And a ``stop`` that comes before the start forbids the start.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence

from model_queue import detached
from model_queue.errors import LaunchError
from model_queue.launchers import orphans
from model_queue.launchers.local_sessions import (
    LocalSessions,
    exists,
    make_private,
    write,
)
from model_queue.launchers.programs import Program
from model_queue.launchers.session_files import (
    LOCK,
    LOG,
    OUTCOME,
    PLAN,
    PROCESS,
    PROMPT,
    STOP,
)
from model_queue.model import JsonObject
from model_queue.ports import Clock, Launch, Session, Started
from model_queue.settings import SourceSettings

GRACE_S = 5.0
"""Between the request to end and the kill."""


class SupervisedLauncher:
    """Starts one program per attempt, each beside a supervisor of its own.

    Args:
        sessions_dir: where the folders of the attempts lie; absolute.
        config_cwd: where configuration is looked for after the end.
        environment: what supervisor and session inherit. The supervisor gets it as it
            is, the session without the outer runtime's variables.
    """

    is_host = False

    def __init__(
        self,
        source: SourceSettings,
        program: Program,
        *,
        sessions_dir: str,
        config_cwd: str,
        environment: Mapping[str, str],
        clock: Clock,
        grace_s: float = GRACE_S,
    ) -> None:
        self._source = source
        self._program = program
        self._sessions = LocalSessions(sessions_dir)
        self._config_cwd = config_cwd
        self._environment = environment
        self._clock = clock
        self._grace_s = grace_s

    def start(self, launch: Launch) -> Started:
        """Start the supervisor of one attempt, detached from this process.

        Under a label that was started before, or is being started, nothing happens.
        One whose starter died before anything ran is started after all.

        Raises:
            LaunchError: it cannot be started; nothing runs under the label.
        """
        folder = self._sessions.folder(launch.label)
        if folder is None:
            raise LaunchError(label=launch.label, why="the label is no file name")
        try:
            make_private(folder)
            lock = detached.try_lock(os.path.join(folder, LOCK))
            if lock is not None:
                try:
                    self._start_locked(launch, folder, lock)
                finally:
                    os.close(lock)
        except OSError as error:
            place = f": {error.filename}" if error.filename else ""
            why = f"{error.strerror}{place}"
            raise LaunchError(label=launch.label, why=why) from error
        return Started(session_id=launch.label)

    def _start_locked(self, launch: Launch, folder: str, lock: int) -> None:
        if exists(folder, PROCESS) or exists(folder, OUTCOME):
            return
        if exists(folder, STOP):
            raise LaunchError(
                label=launch.label, why="it was asked to stop before it started"
            )
        if orphans.kill(folder):
            # Of a folder that lay here before, and was removed or moved away.
            raise LaunchError(
                label=launch.label, why="an earlier session of this label still runs"
            )
        plan = self._plan(launch, folder)
        write(folder, PROMPT, self._program.prompt(launch))
        write(folder, PLAN, json.dumps(plan, ensure_ascii=False, indent=1))
        detached.detach(
            detached.own_argv("supervisor", folder),
            environment=self._environment,
            log_path=os.path.join(folder, LOG),
            lock=lock,
        )

    def _plan(self, launch: Launch, folder: str) -> JsonObject:
        """Return what the supervisor has to know: the fields of ``SessionPlan``."""
        source, program = self._source, self._program
        return {
            "label": launch.label,
            "task_id": launch.task_id,
            "queue": launch.queue,
            "attempt": launch.attempt,
            "model": launch.model,
            "runtime_model": source.runtime_model(launch.model),
            "program": program.name,
            "argv": list(program.argv(source, launch, folder)),
            "reads_prompt": program.reads_prompt,
            "cwd": launch.cwd,
            "timeout_s": launch.timeout_s,
            "grace_s": self._grace_s,
            "config_cwd": self._config_cwd,
            "started_at": self._clock.now().isoformat(),
            "facts": program.facts(source, launch),
        }

    def find(self, label: str) -> Session:
        """Return what is known of the attempt's session; see ``LocalSessions``."""
        return self._sessions.find(label)

    def stop(
        self,
        label: str,
        session_id: str | None,  # noqa: ARG002 - the protocol's name
    ) -> Sequence[JsonObject]:
        """Ask the session to end and return at once; see ``LocalSessions``."""
        self._sessions.stop(label)
        return []

    def give_up(self, label: str) -> Session:
        """Forbid the start of an absent session; see ``LocalSessions``."""
        return self._sessions.give_up(label)
