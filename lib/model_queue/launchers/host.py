"""Launcher ``host``: the agent runtime carries out start and stop."""

from __future__ import annotations

from collections.abc import Sequence

from model_queue.model import JsonObject
from model_queue.ports import Launch, Session, SessionState, Started
from model_queue.settings import SourceSettings


class HostLauncher:
    """Asks the agent runtime, by actions in a hook's answer. Source: SPEC 7.

    Nothing of a host's session can be seen from here. ``find`` therefore says LIVE for
    every label: whether a session is lost is judged by whoever has the leases and the
    host's listings. The label is the host's idempotency key, so that a repeated
    ``start`` starts nothing twice.
    """

    is_host = True

    def __init__(self, source: SourceSettings) -> None:
        self._source = source

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

    def find(self, label: str) -> Session:  # noqa: ARG002 - the protocol's name
        """Return LIVE: only the host knows."""
        return Session(state=SessionState.LIVE)

    def stop(self, label: str, session_id: str | None) -> Sequence[JsonObject]:
        """Return the ``stop`` action of one attempt."""
        return [
            {
                "type": "stop",
                "key": f"stop:{label}",
                "label": label,
                "session_id": session_id,
            }
        ]
