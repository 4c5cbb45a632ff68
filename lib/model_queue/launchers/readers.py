"""How each program's sessions are read when they have ended, by its name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from model_queue.launchers import command_reading, openai_reading
from model_queue.launchers.finished import Finished
from model_queue.model import Outcome

READERS: Mapping[str, Callable[[Finished], Outcome]] = {
    "command": command_reading.read,
    "openai": openai_reading.read,
}
"""A session that was stopped or timed out is read as well, for its cost and model; how
it ended is then the supervisor's word."""
