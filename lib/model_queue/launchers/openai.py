"""Launcher ``openai``: any endpoint that speaks chat completions, Ollama included."""

from __future__ import annotations

from collections.abc import Sequence

from model_queue.detached import own_argv
from model_queue.errors import LaunchError
from model_queue.model import JsonObject
from model_queue.ports import Launch
from model_queue.settings import SourceSettings

TEXT_ONLY = (
    "You have no tools in this session: no files, no commands, no network. "
    "Answer with text only, and say so where the task would need more."
)
"""Follows the prompt, so that a model does not claim what it cannot have done."""
STALL_S = 120
"""Longest silence in the middle of an answer. Tokens of the slowest machine come
several times a minute; before the first one the source's own limit holds."""


class OpenAIProgram:
    """Runs ``openai_session``, one streamed chat completion. Source: SPEC 6.

    Text only: the model gets no tools. A key goes from the environment of the starter
    to the endpoint and into no file.
    """

    name = "openai"
    reads_prompt = True

    def prompt(self, launch: Launch) -> str:
        """Return the prompt with the sentence that there are no tools."""
        return f"{launch.prompt}\n\n{TEXT_ONLY}"

    def argv(
        self, source: SourceSettings, launch: Launch, session_dir: str
    ) -> Sequence[str]:
        """Return the command line of our own session process.

        Raises:
            LaunchError: no endpoint is configured.
        """
        if not source.endpoint:
            raise LaunchError(
                label=launch.label,
                why=f"source {source.name} has launcher openai, but no endpoint",
                hint=f"Set endpoint under [sources.{source.name}] in task-queue.toml.",
                is_fatal=True,
            )
        return own_argv("openai", session_dir)

    def facts(self, source: SourceSettings, launch: Launch) -> JsonObject:
        """Return what the session process needs besides the prompt."""
        return {
            "endpoint": source.endpoint,
            "api_key_env": source.api_key_env,
            "max_tokens": min(
                source.max_tokens, launch.max_tokens or source.max_tokens
            ),
            "start_timeout_s": source.start_timeout_s,
            "stall_timeout_s": STALL_S,
        }
