"""Launcher ``command``: the configured argv, never a shell."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from model_queue.errors import LaunchError
from model_queue.launchers.session_files import PROMPT
from model_queue.model import JsonObject
from model_queue.ports import Launch
from model_queue.settings import SourceSettings


class CommandProgram:
    """Runs any program that takes the prompt on stdin and reports on stdout.

    The words ``{prompt_file}``,
    ``{model}``, ``{task_id}``, ``{label}`` and ``{session_dir}`` in the argv are filled
    in, each once; other braces stay. A first word with a slash is looked for from the
    task's ``cwd``, another one in ``PATH``. Source: SPEC 6.
    """

    name = "command"
    reads_prompt = True

    def prompt(self, launch: Launch) -> str:
        """Return the prompt as it is sent."""
        return launch.prompt

    def argv(
        self, source: SourceSettings, launch: Launch, session_dir: str
    ) -> Sequence[str]:
        """Return the configured command line, filled in.

        Raises:
            LaunchError: no command is configured.
        """
        if not source.command:
            raise LaunchError(
                label=launch.label,
                why=f"source {source.name} has launcher command, but no command",
                hint=f"Set command under [sources.{source.name}] in task-queue.toml.",
                is_fatal=True,
            )
        values = {
            "prompt_file": os.path.join(session_dir, PROMPT),
            "model": source.runtime_model(launch.model),
            "task_id": launch.task_id,
            "label": launch.label,
            "session_dir": session_dir,
        }
        return [fill_in(word, values) for word in source.command]

    def facts(self, source: SourceSettings, launch: Launch) -> JsonObject:  # noqa: ARG002 - the protocol's names
        """Return nothing: the exit code and the output say all."""
        return {}


def fill_in(word: str, values: Mapping[str, str]) -> str:
    """Return a word with the names in braces replaced, in one pass.

    >>> fill_in("{model}:{other}{", {"model": "a{b}"})
    'a{b}:{other}{'
    """
    first, *rest = word.split("{")
    filled = [first]
    for part in rest:
        name, brace, text = part.partition("}")
        is_known = brace and name in values
        filled.append(values[name] + text if is_known else "{" + part)
    return "".join(filled)
