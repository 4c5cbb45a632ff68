"""TOOLS.md text, TOML and environment, read into one frozen ``Settings``.

Pure: texts and mappings come in. The top layer asks ``candidate_paths`` and
``toml_path`` where to look, reads what is there, and calls ``load``.
"""

from __future__ import annotations

import os.path
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TypeVar

from model_queue.config.checks import (
    Findings,
    Given,
    expand_path,
    is_usable_path,
    nearest,
    source_name,
    whole_number,
)
from model_queue.config.layers import DEFAULTS, ConfigText, read_layers
from model_queue.config.lines import setting_lines
from model_queue.config.sources import SOURCE_KEYS, read_sources
from model_queue.config.toml import Table, parse_toml
from model_queue.errors import ConfigError
from model_queue.settings import (
    Settings,
)

TASK_TYPES = (
    "bug",
    "hotfix",
    "question",
    "test-request",
    "task",
    "info",
    "resolution",
    "feature",
    "enhancement",
    "idea",
    "deploy-request",
)
"""Source: SPEC 2.4."""
TOML_KEYS: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        "queue": ("max_concurrent_tasks", "max_retries", "source"),
        "retry_policy": TASK_TYPES,
        "sources": SOURCE_KEYS,
        "intake": ("triggers",),
        "notify": ("command",),
    }
)
"""Every key of task-queue.toml by table; those of ``sources`` stand one level deeper."""
SHORTEST_TRIGGER = 2
"""Characters of a user's trigger; a single one opens ordinary sentences too."""
MAX_RETRIES = 100
_MAX_DAYS = 36_500
_ON = ("on", "true", "yes", "1")
_OFF = ("off", "false", "no", "0")
_NO_FLAGS: Mapping[str, str] = MappingProxyType({})
T = TypeVar("T")


def candidate_paths(
    *,
    environment: Mapping[str, str],
    home: str,
    cwd: str,
    workspace: str | None = None,
    flags: Mapping[str, str] = _NO_FLAGS,
) -> list[tuple[str, bool]]:
    """Return where TOOLS.md and AGENTS.md are looked for, most important first.

    Each with whether it is trusted. A place that is reached both ways, such as the
    host's own workspace by a session that stands in it, is trusted. With
    ``MODEL_QUEUE_TOOLS_MD`` set it is that file alone, and a relative path there is one
    through the current directory too. Source: SPEC 1.

    Args:
        environment: for ``MODEL_QUEUE_TOOLS_MD``, as are ``flags``.
        home: the user's home directory.
        cwd: the current directory.
        workspace: the host's own workspace, when the host has one; a project that a
            person happens to work in is none.
        flags: settings from the command line.
    """
    named = _first("MODEL_QUEUE_TOOLS_MD", flags, environment)
    if named:
        path = expand_path(named, home)
        return [(os.path.join(cwd, path), os.path.isabs(path))]
    user = os.path.join(home, ".openclaw", "workspace")
    places: dict[str, bool] = {}
    for folder, trusted in ((workspace, True), (cwd, False), (user, True)):
        if folder:
            place = os.path.normpath(folder)
            places[place] = places.get(place, False) or trusted
    return [
        (os.path.join(place, name), trusted)
        for place, trusted in places.items()
        for name in ("TOOLS.md", "AGENTS.md")
    ]


def toml_path(
    *,
    environment: Mapping[str, str],
    home: str,
    tools: Sequence[ConfigText] = (),
    flags: Mapping[str, str] = _NO_FLAGS,
) -> str:
    """Return where task-queue.toml is looked for; it need not be there.

    A relative path is passed over (``load`` refuses it): it would let any project that
    a person happens to work in name commands.
    """
    name = "MODEL_QUEUE_TOML"
    texts = [text.text for text in tools if text.trusted and name in text.text]
    layers = [flags, environment, *(dict(setting_lines(text)) for text in texts)]
    path = expand_path(_first(name, *layers), home)
    return path if is_usable_path(path) else expand_path(DEFAULTS[name], home)


def _first(name: str, *layers: Mapping[str, str]) -> str:
    """Return the first value that is not empty."""
    values = (layer.get(name, "").strip() for layer in layers)
    return next(filter(None, values), "")


def load(
    *,
    environment: Mapping[str, str],
    home: str,
    tools: Sequence[ConfigText],
    toml: ConfigText | None = None,
    flags: Mapping[str, str] = _NO_FLAGS,
) -> Settings:
    """Return the settings in force, each with its origin, and every problem.

    - Precedence: flag, environment, TOML, the files of ``tools`` in their order, default.
      Within one file the last line of a name counts.
    - Files that are not trusted come after the others, whatever their place: they add
      what nobody else has set. ``MODEL_QUEUES_DIR`` and its like they never set.
    - An empty value counts as not set.
    - A value of the wrong kind or range is a fatal problem and leaves the default; see
      ``require_valid``. Nothing is raised, whatever the texts hold.

    Source: SPEC 1.

    Args:
        environment: the process's variables.
        home: what ``~`` and ``$HOME`` stand for.
        tools: the files that were found among ``candidate_paths``, in that order.
        toml: the file at ``toml_path``; None when there is none.
        flags: settings from the command line, by the same names.
    """
    findings = Findings()
    layers = read_layers(
        flags=flags, environment=environment, tools=tools, findings=findings
    )
    given = _Reader(layers.settings, home, findings)
    queues_dir = given.path("MODEL_QUEUES_DIR")
    store = given.store()
    max_retries = given.whole("MODEL_QUEUE_MAX_RETRIES", high=MAX_RETRIES)
    archive_days = given.whole("MODEL_QUEUE_ARCHIVE_DAYS", high=_MAX_DAYS)
    waker = given.switch("MODEL_QUEUE_WAKER")
    given.files(tools=tools, toml=toml)
    _note_ignored(layers.ignored, home, findings)
    root = _root(toml, findings)
    sources = read_sources(
        layers.sources,
        root.table("sources"),
        environment=environment,
        findings=findings,
    )
    default = given.default_source(list(sources))
    _check_workspace(root, list(sources))
    return Settings(
        queues_dir=queues_dir,
        store=store,
        waker=waker,
        max_retries=max_retries,
        archive_days=archive_days,
        default_source=default,
        sources=sources,
        triggers=_triggers(root),
        notify_command=_notify_command(root),
        values=tuple(findings.values.values()),
        problems=tuple(findings.problems),
    )


def require_valid(settings: Settings) -> None:
    """Refuse settings that have a value of the wrong kind or range.

    Raises:
        ConfigError: for the first fatal problem.
    """
    for problem in settings.problems:
        if problem.fatal:
            raise ConfigError(
                key=problem.key,
                value=problem.value,
                allowed=problem.allowed,
                origin=problem.origin,
                hint=problem.hint,
            )


class _Reader:
    """Reads the ``NAME=value`` settings; each has its default when refused."""

    def __init__(
        self, given: Mapping[str, Given], home: str, findings: Findings
    ) -> None:
        self._given = given
        self._home = home
        self._findings = findings

    def path(self, name: str) -> str:
        """Return a path that means the same in every working directory."""

        def check(text: str) -> str | None:
            path = expand_path(text, self._home)
            return path if is_usable_path(path) else None

        default = expand_path(DEFAULTS[name], self._home)
        return self._read(
            name, default, check, "an absolute path, or one that starts with ~"
        )

    def store(self) -> str:
        """Return ``files``, or the SQLite store with its absolute path."""

        def check(text: str) -> str | None:
            scheme, found, rest = text.partition("://")
            if not found:
                return text if text == "files" else None
            # sqlite:///~/x is what people write by analogy with sqlite:///x
            if rest.startswith("/~/"):
                rest = rest[1:]
            path = expand_path(rest, self._home)
            is_file = is_usable_path(path) and not rest.endswith("/")
            return f"sqlite://{path}" if scheme == "sqlite" and is_file else None

        name = "MODEL_QUEUE_STORE"
        allowed = "files, or sqlite:///absolute/path.db"
        return self._read(name, DEFAULTS[name], check, allowed)

    def whole(self, name: str, *, high: int) -> int:
        """Return a whole number from 0 to ``high``, both included."""

        def check(text: str) -> int | None:
            number = whole_number(text)
            return number if number is not None and number <= high else None

        allowed = f"a whole number from 0 to {high}"
        return self._read(name, int(DEFAULTS[name]), check, allowed)

    def switch(self, name: str) -> bool:
        """Return whether something is on."""
        return self._read(name, DEFAULTS[name], _switch_word, "on or off") == "on"

    def default_source(self, known: Sequence[str]) -> str | None:
        """Return the source for messages that name none; the only one if there is one."""
        name = "DEFAULT_MODEL_SOURCE"
        usual = known[0] if len(known) == 1 else None
        given = self._given.get(name)
        # Without any source the answer is the lines to add, not this.
        if not given or not known:
            self._findings.keep(name, usual or "", "default")
            return usual
        wanted = source_name(given.value)
        if wanted in known:
            self._findings.keep(name, wanted, given.origin)
            return wanted
        self._findings.refuse(
            given,
            allowed=f"one of {', '.join(known)}",
            hint=f"did you mean {nearest(wanted, known)}?",
        )
        self._findings.keep(name, usual or "", "default")
        return usual

    def files(self, *, tools: Sequence[ConfigText], toml: ConfigText | None) -> None:
        """Record which files were read; report one that was named and is not there."""
        wanted = self.path("MODEL_QUEUE_TOML")
        if toml is None:
            self._note_missing("MODEL_QUEUE_TOML", wanted)
        name = "MODEL_QUEUE_TOOLS_MD"
        given = self._given.get(name)
        found = ",".join(text.path for text in tools)
        self._findings.keep(name, found, given.origin if given else "default")
        if given and not found:
            self._note_missing(name, given.value)

    def _note_missing(self, name: str, path: str) -> None:
        if name in self._given:
            text = f"{name} names {path}, which is not there or cannot be read"
            self._findings.note("missing_file", text)

    def _read(
        self, name: str, default: T, check: Callable[[str], T | None], allowed: str
    ) -> T:
        given = self._given.get(name)
        if given:
            found = check(given.value)
            if found is not None:
                self._findings.keep(name, str(found), given.origin)
                return found
            self._findings.refuse(given, allowed=allowed)
        self._findings.keep(name, str(default), "default")
        return default


def _switch_word(text: str) -> str | None:
    if text.lower() in _ON:
        return "on"
    return "off" if text.lower() in _OFF else None


def _note_ignored(ignored: Sequence[Given], home: str, findings: Findings) -> None:
    """Report settings that their file may not make, unless they change nothing."""
    for given in ignored:
        value = findings.values[given.name].value
        if value in {given.value, expand_path(given.value, home)}:
            continue
        if given.trusted:
            hint = "set it in the environment"
        else:
            hint = "set it in the environment or in ~/.openclaw/workspace/TOOLS.md"
        text = f"{given.name} in {given.origin} was ignored: that file may not set it"
        findings.note("ignored_setting", text, hint=hint)


def _root(toml: ConfigText | None, findings: Findings) -> Table:
    """Return the TOML's tables, none without a file."""
    raw: Mapping[str, object] = {}
    if toml and toml.text.strip():
        raw = parse_toml(toml.text, path=toml.path, findings=findings)
    root = Table(raw, prefix="", origin=toml.path if toml else "", findings=findings)
    root.check_keys(list(TOML_KEYS))
    return root


def _check_workspace(root: Table, sources: Sequence[str]) -> None:
    """Check and record what the workspace queue reads, where it is set."""
    queue = root.table("queue")
    queue.check_keys(TOML_KEYS["queue"])
    if "max_concurrent_tasks" in queue:
        queue.whole("max_concurrent_tasks", 3, low=1, high=10)
    if "max_retries" in queue:
        queue.whole("max_retries", 3, low=0, high=MAX_RETRIES)
    if "source" in queue and sources:
        queue.source("source", sources)
    policy = root.table("retry_policy")
    policy.check_keys(TASK_TYPES)
    for kind in TASK_TYPES:
        if kind in policy:
            policy.whole(kind, 3, low=0, high=MAX_RETRIES)


def _triggers(root: Table) -> tuple[str, ...]:
    intake = root.table("intake")
    intake.check_keys(TOML_KEYS["intake"])
    words = intake.texts("triggers")
    if any(len(word.strip()) < SHORTEST_TRIGGER for word in words):
        intake.refuse("triggers", allowed="words of two characters or more")
        return ()
    return tuple(" ".join(word.split()) for word in words)


def _notify_command(root: Table) -> tuple[str, ...]:
    notify = root.table("notify")
    notify.check_keys(TOML_KEYS["notify"])
    return notify.argv("command")
