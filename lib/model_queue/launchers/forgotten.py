"""Sessions of this machine whose source is configured no more: found and stopped."""

from __future__ import annotations

from collections.abc import Sequence

from model_queue.errors import LaunchError
from model_queue.launchers.local_sessions import LocalSessions
from model_queue.model import JsonObject
from model_queue.ports import Launch, Session, Started


class ForgottenLauncher:
    """Stands for the launcher of a source that was renamed or removed: starts nothing.

    What runs is judged by its folder alone, see ``LocalSessions``.
    """

    is_host = False

    def __init__(self, sessions_dir: str) -> None:
        self._sessions = LocalSessions(sessions_dir)

    def start(self, launch: Launch) -> Started:
        """Refuse.

        Raises:
            LaunchError: always.
        """
        raise LaunchError(
            label=launch.label,
            why=f"source {launch.queue} is not configured",
            is_fatal=True,
        )

    def find(self, label: str) -> Session:
        """Return what is known of the attempt's session."""
        return self._sessions.find(label)

    def stop(self, label: str, session_id: str | None) -> Sequence[JsonObject]:  # noqa: ARG002 - the protocol's name
        """Ask the session to end and return at once."""
        self._sessions.stop(label)
        return []

    def give_up(self, label: str) -> Session:
        """Forbid the start of an absent session; return what is known of it then."""
        return self._sessions.give_up(label)
