"""Launcher ``host``: the agent runtime carries out start and stop."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Protocol

from model_queue.model import JsonObject
from model_queue.ports import Launch, Session, SessionState, Started
from model_queue.settings import SourceSettings


class _Local(Protocol):
    """What is needed of ``LocalSessions``."""

    def has(self, label: str) -> bool: ...
    def find(self, label: str) -> Session: ...
    def stop(self, label: str) -> None: ...
    def give_up(self, label: str) -> Session: ...


class HostLauncher:
    """Asks the agent runtime, by actions in a hook's answer. Source: SPEC 7.

    Nothing of a host's session can be seen from here. ``find`` therefore says LIVE for
    every label: whether a session is lost is judged by whoever has the leases and the
    host's listings. The label is the host's idempotency key, so that a repeated
    ``start`` starts nothing twice.

    A session that was started on this machine before the source was given to the host
    is found and stopped here.
    """

    is_host = True

    def __init__(self, source: SourceSettings, *, sessions_dir: str) -> None:
        self._source = source
        self._sessions_dir = sessions_dir

    def start(self, launch: Launch) -> Started:
        """Return the ``spawn`` action of one attempt."""
        action: JsonObject = {
            "type": "spawn",
            "key": launch.label,
            "task_id": launch.task_id,
            "queue": launch.queue,
            "attempt": launch.attempt,
            "label": launch.label,
            "model": self._source.runtime_model(launch.model),
            "prompt": launch.prompt,
            "cwd": launch.cwd,
            "timeout_seconds": launch.timeout_s,
        }
        return Started(session_id=None, actions=[action])

    def find(self, label: str) -> Session:
        """Return LIVE: only the host knows. A session on this machine is looked at."""
        if _is_local(self._sessions_dir, label):
            return _local(self._sessions_dir).find(label)
        return Session(state=SessionState.LIVE)

    def stop(self, label: str, session_id: str | None) -> Sequence[JsonObject]:
        """Return the ``stop`` action of one attempt; end one on this machine."""
        if _is_local(self._sessions_dir, label):
            _local(self._sessions_dir).stop(label)
            return []
        return [
            {
                "type": "stop",
                "key": f"stop:{label}",
                "label": label,
                "session_id": session_id,
            }
        ]

    def give_up(self, label: str) -> Session:
        """Return what ``find`` does: a host may start a session whenever it likes."""
        if _is_local(self._sessions_dir, label):
            return _local(self._sessions_dir).give_up(label)
        return self.find(label)


def _is_local(sessions_dir: str, label: str) -> bool:
    # Nothing needs to be imported to see that no session was ever started here.
    folder = os.path.join(sessions_dir, label)
    return os.path.isdir(folder) and _local(sessions_dir).has(label)


def _local(sessions_dir: str) -> _Local:
    # Imported here: where the host starts every session, no call needs it.
    from model_queue.launchers.local_sessions import LocalSessions  # noqa: PLC0415

    return LocalSessions(sessions_dir)
