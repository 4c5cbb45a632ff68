"""The launchers that start sessions on this machine, and what stands for the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from model_queue.errors import LaunchError
from model_queue.launchers.command import CommandProgram
from model_queue.launchers.local_sessions import LocalSessions
from model_queue.launchers.openai import OpenAIProgram
from model_queue.launchers.programs import Program
from model_queue.launchers.supervised import SupervisedLauncher
from model_queue.model import JsonObject
from model_queue.ports import Clock, Launch, Launcher, Session, Started
from model_queue.settings import SourceSettings

PROGRAMS: Mapping[str, Program] = {
    program.name: program for program in (CommandProgram(), OpenAIProgram())
}
"""What supervised sessions can run, by the launcher's name."""


class MissingLauncher:
    """Stands for a launcher that this version does not have: starts nothing.

    Sessions that the source's launcher of before has started are found and stopped.
    """

    is_host = False

    def __init__(self, source: SourceSettings, sessions: LocalSessions) -> None:
        self._source = source
        self._sessions = sessions

    def start(self, launch: Launch) -> Started:
        """Refuse.

        Raises:
            LaunchError: always.
        """
        have = ", ".join(["host", *sorted(PROGRAMS)])
        raise LaunchError(
            label=launch.label,
            why=f"this version cannot start {self._source.launcher} sessions",
            hint=(
                f"It has the launchers {have}; set launcher under "
                f"[sources.{self._source.name}] in task-queue.toml."
            ),
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


def local_launcher(
    source: SourceSettings,
    *,
    sessions_dir: str,
    environment: Mapping[str, str],
    config_cwd: str,
    clock: Clock,
) -> Launcher:
    """Return the launcher of a source whose sessions no host starts.

    The rest goes to the supervised ones, see ``SupervisedLauncher``.
    """
    program = PROGRAMS.get(source.launcher)
    if program is None:
        return MissingLauncher(source, LocalSessions(sessions_dir))
    return SupervisedLauncher(
        source,
        program,
        sessions_dir=sessions_dir,
        config_cwd=config_cwd,
        environment=environment,
        clock=clock,
    )
