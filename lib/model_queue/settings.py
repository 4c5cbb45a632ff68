"""Everything that can be configured, as frozen values; ``config`` reads them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

LAUNCHERS = (
    "host",
    "openai",
    "claude",
    "codex",
    "gemini",
    "opencode",
    "openclaw",
    "command",
)
SLOT_POLICIES = ("running", "until-terminal")


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceSettings:
    """One model source: a named set of models reached the same way. Source: SPEC 1."""

    name: str
    """Normalised: ``OLLAMA_LOCAL`` is ``ollama-local``."""
    models: tuple[str, ...]
    """``provider/name``, the first is the default; never empty."""
    aliases: tuple[str, ...] = ()
    """Lower case, NFKC; words that select this source in chat."""
    launcher: str = "host"
    """One of ``LAUNCHERS``."""
    endpoint: str | None = None
    """Base URL of launcher ``openai`` without a slash at its end (``…/v1``)."""
    api_key_env: str | None = None
    """The variable's name, never the key."""
    command: tuple[str, ...] = ()
    """argv of launcher ``command``."""
    model_names: Mapping[str, str] = field(default_factory=dict[str, str])
    """Configured model to the runtime's name, for exceptions."""
    max_concurrent: int = 1
    """Slots where the TOML sets them; ``Settings.slots_for`` has the whole rule."""
    slots: str = "running"
    """One of ``SLOT_POLICIES``."""
    timeout_s: int = 1800
    """Wall clock of one attempt."""
    start_timeout_s: int = 300
    """Cold start of a local model is not a stall."""
    lease_s: int = 120
    backoff_s: tuple[float, ...] = (5.0, 15.0, 45.0)
    """Delay before retry n; the last repeats, x3 up to 900."""
    jitter: float = 0.0
    """Share of the delay, 0 to 1, by which it may vary either way."""
    max_tokens: int = 4096
    permission_mode: str | None = None
    allowed_tools: tuple[str, ...] = ()
    budget_usd_per_day: float | None = None
    strict_model: bool = False
    fallback: str | None = None
    """Source that takes a task over on a quota; only ever used when set."""

    def runtime_model(self, model: str) -> str:
        """Return the name under which the source's runtime knows a configured model.

        ``model_names`` first; ``host``, ``openclaw`` and ``opencode`` get it whole, the
        others what follows the first ``/``.
        """
        if model in self.model_names:
            return self.model_names[model]
        if self.launcher in {"host", "openclaw", "opencode"}:
            return model
        return model.partition("/")[2] or model


# Named tuples, not dataclasses, where there is nothing to compute: making one more
# dataclass costs every hook call 1.4 ms, a named tuple 0.2 ms.
class Setting(NamedTuple):
    """One value with its origin, for ``doctor``."""

    name: str
    """``MODEL_QUEUES_DIR``, or the TOML key: ``sources.ollama-local.timeout_s``."""
    value: str
    """Lists joined by commas, truth values as TOML writes them."""
    origin: str
    """``flag``, ``environment``, ``default``, or the path of the file."""


class Problem(NamedTuple):
    """One thing about the configuration that a person should know."""

    code: str
    text: str
    """One sentence: file, key, value."""
    hint: str = ""
    fatal: bool = False
    """The setting has no usable value: work with it is refused (exit 4)."""
    key: str = ""
    """With ``value``, ``allowed`` and ``origin`` the facts of the ``ConfigError`` that
    a fatal problem amounts to; empty otherwise."""
    value: str = ""
    allowed: str = ""
    origin: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything configured, read once. Source: SPEC 1."""

    queues_dir: str
    """Absolute, ``~`` expanded."""
    store: str = "files"
    """``files`` or ``sqlite:///abs/path.db``."""
    waker: bool = True
    max_retries: int = 3
    """Retries after the first attempt; ``retries_for`` has the whole rule."""
    archive_days: int = 7
    default_source: str | None = None
    """None when several are configured and none is named: intake asks."""
    sources: Mapping[str, SourceSettings] = field(
        default_factory=dict[str, SourceSettings]
    )
    """By name, in the order configured; empty: nothing is configured yet."""
    triggers: tuple[str, ...] = ()
    """Words of the user's that put work on the queue, as written."""
    notify_command: tuple[str, ...] = ()
    """argv that gets a notice on stdin; empty: no notifier."""
    heartbeat_paths: tuple[str, ...] = ()
    """HEARTBEAT.md beside each configuration file; set by whoever read the files."""
    values: tuple[Setting, ...] = ()
    problems: tuple[Problem, ...] = ()

    def origin_of(self, name: str) -> str:
        """Return where a value came from; ``default`` for one that nobody set."""
        for setting in self.values:
            if setting.name == name:
                return setting.origin
        return "default"

    def retries_for(self, in_queue_file: int | None) -> int:
        """Return the retries of a new task, given its queue file's ``maxRetries``.

        A flag and the environment outrank the queue file, TOOLS.md does not.
        """
        outranks = self.origin_of("MODEL_QUEUE_MAX_RETRIES") in {"flag", "environment"}
        return self.max_retries if outranks or in_queue_file is None else in_queue_file

    def slots_for(self, source: str, in_queue_file: int | None) -> int:
        """Return the slots of a queue, given its file's own ``maxConcurrent``.

        ``task-queue.toml`` outranks the queue file. A source that is not configured any
        more keeps what its file says, 1 when it says nothing.
        """
        is_set = self.origin_of(f"sources.{source}.max_concurrent") != "default"
        if in_queue_file is not None and not is_set:
            return in_queue_file
        found = self.sources.get(source)
        return found.max_concurrent if found else 1
