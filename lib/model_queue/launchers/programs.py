"""What a supervised session runs, translated from settings into a command line.

What lies between start and outcome (process group, clock, caps, stop) is the
supervisor's and the same for all programs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from model_queue.model import JsonObject
from model_queue.ports import Launch
from model_queue.settings import SourceSettings


class Program(Protocol):
    """One kind of session process, as its starter sees it.

    What the ended process left behind is read in another process, the supervisor, by
    the function that ``readers`` has under the same name.
    """

    name: str
    """The launcher's name in the configuration."""
    reads_prompt: bool

    def prompt(self, launch: Launch) -> str:
        """Return the prompt as it is sent."""
        ...

    def argv(
        self, source: SourceSettings, launch: Launch, session_dir: str
    ) -> Sequence[str]:
        """Return the command line; its first word is looked up in ``PATH``.

        Raises:
            LaunchError: the source lacks a setting that the program needs.
        """
        ...

    def facts(self, source: SourceSettings, launch: Launch) -> JsonObject:
        """Return what the reader wants to find again; never a secret."""
        ...
