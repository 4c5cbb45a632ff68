"""Which launcher each source uses."""

from __future__ import annotations

from collections.abc import Mapping

from model_queue.launchers.host import HostLauncher
from model_queue.ports import Clock, Launcher
from model_queue.settings import Settings


def open_launchers(
    settings: Settings,
    *,
    sessions_dir: str,
    environment: Mapping[str, str],
    config_cwd: str,
    clock: Clock,
) -> Mapping[str, Launcher]:
    """Return the launcher of each configured source, by the source's name.

    The rest goes to the supervised ones, see ``SupervisedLauncher``. Supervisors read
    their configuration from ``environment`` and ``config_cwd`` when a session ends: a
    setting that came by a flag must stand in one of the two.
    """
    found: dict[str, Launcher] = {}
    for name, source in settings.sources.items():
        if source.launcher == "host":
            found[name] = HostLauncher(source, sessions_dir=sessions_dir)
            continue
        # Imported here: where the host starts every session, no call needs the rest.
        from model_queue.launchers.local import local_launcher  # noqa: PLC0415

        found[name] = local_launcher(
            source,
            sessions_dir=sessions_dir,
            config_cwd=config_cwd,
            environment=environment,
            clock=clock,
        )
    return found
