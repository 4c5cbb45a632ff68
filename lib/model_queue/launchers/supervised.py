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
from model_queue.errors import LaunchError, StoreError
from model_queue.launchers.outcomes import read_outcome
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
from model_queue.ports import Clock, Launch, Session, SessionState, Started
from model_queue.settings import SourceSettings

GRACE_S = 5.0
"""Between the request to end and the kill."""
_LABEL_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789._-")
_LONGEST_LABEL = 128
_ABSENT = Session(state=SessionState.ABSENT)


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
        self._sessions_dir = sessions_dir
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
        folder = self._folder(launch.label)
        if folder is None:
            raise LaunchError(label=launch.label, why="the label is no file name")
        try:
            _make_private(folder)
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
        if _exists(folder, PROCESS) or _exists(folder, OUTCOME):
            return
        if _exists(folder, STOP):
            raise LaunchError(
                label=launch.label, why="it was asked to stop before it started"
            )
        plan = self._plan(launch, folder)
        _write(folder, PROMPT, self._program.prompt(launch))
        _write(folder, PLAN, json.dumps(plan, ensure_ascii=False, indent=1))
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
        """Return what is known of the attempt's session.

        Judged by the lock and by the session's process group, never by a clock. A group
        whose supervisor was killed has nobody who ends it or reads its outcome: it is
        killed here, and LIVE as long as it is not gone.
        """
        folder = self._folder(label)
        if folder is None or not _exists(folder, PLAN):
            return _ABSENT
        outcome = read_outcome(folder)
        if outcome is None and _may_run(folder):
            return Session(state=SessionState.LIVE, session_id=label)
        # Read after that look: the outcome is written before the lock is free.
        outcome = outcome or read_outcome(folder)
        if outcome is None:
            return _ABSENT
        return Session(
            state=SessionState.ENDED,
            session_id=outcome.session_id or label,
            outcome=outcome,
        )

    def stop(
        self,
        label: str,
        session_id: str | None,  # noqa: ARG002 - the protocol's name
    ) -> Sequence[JsonObject]:
        """Ask the session to end and return at once; safe to repeat.

        A label that was never started cannot be started any more.
        """
        folder = self._folder(label)
        if folder is None or read_outcome(folder) is not None:
            return []
        try:
            _make_private(folder)
            _write(folder, STOP, "")
        except OSError as error:
            sentence = f"the session {label} could not be asked to stop: {error}"
            raise StoreError(sentence) from error
        self.find(label)
        return []

    def _folder(self, label: str) -> str | None:
        """Return the folder of an attempt, None for a label that is no file name."""
        is_name = 0 < len(label) <= _LONGEST_LABEL and label[0] not in ".-"
        if not is_name or not _LABEL_CHARACTERS.issuperset(label):
            return None
        return os.path.join(self._sessions_dir, label)


def _make_private(folder: str) -> None:
    """Make the folder of an attempt, and the one that holds them all."""
    for path in (os.path.dirname(folder), folder):
        os.makedirs(path, mode=0o700, exist_ok=True)


def _exists(folder: str, name: str) -> bool:
    return os.path.exists(os.path.join(folder, name))


def _write(folder: str, name: str, text: str) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
    descriptor = os.open(os.path.join(folder, name), flags, 0o600)
    with open(descriptor, "w", encoding="utf-8", newline="") as file:
        file.write(text)


def _may_run(folder: str) -> bool:
    """Report whether anything of a session may run; kill what has no supervisor."""
    try:
        lock = detached.try_lock(os.path.join(folder, LOCK), shared=True)
    except OSError:
        # Nothing can be seen, and a session must not be taken for gone.
        return True
    if lock is None:
        return True
    try:
        # Imported here: it is needed only where a supervisor is gone.
        from model_queue.launchers import orphans  # noqa: PLC0415

        return orphans.kill(folder)
    finally:
        os.close(lock)
