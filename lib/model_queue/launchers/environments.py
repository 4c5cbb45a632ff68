"""What a session sees of the environment of whoever asked for it."""

from __future__ import annotations

from collections.abc import Mapping

from model_queue.detached import SESSION_VARIABLES
from model_queue.launchers.finished import SessionPlan

_OUTER_PREFIXES = (
    "CLAUDECODE",
    "CLAUDE_CODE_",
    "CLAUDE_PLUGIN_",
    "CLAUDE_PROJECT_DIR",
    "CLAUDE_JOB_DIR",
    "CLAUDE_ENV_FILE",
    "CLAUDE_PID",
    "AI_AGENT",
    "CODEX_",
    "GEMINI_CLI",
    "OPENCODE",
    "OPENCLAW_",
)
"""Variables by which a runtime speaks to what it starts."""
_KEPT_VARIABLES = frozenset(
    {
        "CLAUDE_CODE_OAUTH_TOKEN",
        "CLAUDE_CODE_USE_BEDROCK",
        "CLAUDE_CODE_USE_FOUNDRY",
        "CLAUDE_CODE_USE_VERTEX",
        "CODEX_API_KEY",
        "CODEX_HOME",
        "GEMINI_CLI_HOME",
        "OPENCODE_API_KEY",
        "OPENCODE_CONFIG",
        "OPENCODE_CONFIG_DIR",
        "OPENCLAW_CONFIG_PATH",
        "OPENCLAW_GATEWAY_PORT",
        "OPENCLAW_GATEWAY_TOKEN",
        "OPENCLAW_STATE_DIR",
    }
)
"""Of those, the ones that a person sets: access, and where the settings lie."""


def without_outer(environment: Mapping[str, str]) -> dict[str, str]:
    """Return an environment without what a runtime says to what it starts."""
    return {
        name: value
        for name, value in environment.items()
        if name in _KEPT_VARIABLES or not name.startswith(_OUTER_PREFIXES)
    }


def session_environment(
    environment: Mapping[str, str], plan: SessionPlan, folder: str
) -> dict[str, str]:
    """Return what a session sees: nothing of the runtime that asked for it.

    Its folder is in it, so that whatever it starts is found again.
    """
    kept = without_outer(environment)
    values = ("1", plan.task_id, plan.label, folder)
    kept |= dict(zip(SESSION_VARIABLES, values, strict=True))
    kept["PWD"] = plan.cwd
    return kept
