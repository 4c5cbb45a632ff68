"""The model sources: their models, how each is reached, the words that select it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields

from model_queue.config.checks import Findings, Given, nearest, source_name
from model_queue.config.endpoints import OLLAMA_DEFAULT, base_url, ollama_url
from model_queue.config.lines import split_list
from model_queue.config.toml import ARGV, Table
from model_queue.settings import LAUNCHERS, SLOT_POLICIES, SourceSettings

SOURCE_KEYS = tuple(
    item.name for item in fields(SourceSettings) if item.name not in {"name", "models"}
)
"""The keys of ``[sources.X]``; its models come from ``MODEL_SOURCE_X`` alone."""
CHINESE = {"local": "本地", "remote": "远程", "cloud": "云端"}
"""What a person says for a part of a source's name. Source: SPEC 1."""
_DEFAULT = SourceSettings(name="", models=())
_DAY_S = 86_400
_KEY_LENGTH = 20
"""From here on a name with small letters and digits is taken for a pasted key."""


def read_sources(
    given: Mapping[str, Given],
    toml: Table,
    *,
    environment: Mapping[str, str],
    findings: Findings,
) -> dict[str, SourceSettings]:
    """Return the configured sources by name, in the order given.

    Args:
        given: the model lists by the source's one spelling.
        toml: the table ``[sources]``.
        environment: for ``OLLAMA_HOST``, and for keys that are named but not set.
        findings: gets the values and problems.
    """
    lists = {name: _models(item, findings) for name, item in given.items()}
    models = {name: found for name, found in lists.items() if found}
    tables = _tables_by_name(toml, models)
    aliases = _aliases(tables, findings)
    sources = {
        name: _source(
            SourceSettings(name=name, models=models[name], aliases=aliases[name]),
            table,
            known=list(tables),
            environment=environment,
        )
        for name, table in tables.items()
    }
    _note_shared_endpoint(sources, tables, findings)
    return sources


def _models(given: Given, findings: Findings) -> tuple[str, ...]:
    """Return the models of one source; none when the list is empty or wrong."""
    items = split_list(given.value)
    models = tuple(dict.fromkeys(items))
    where = f"{given.name} in {given.origin}"
    if not models:
        findings.note(
            "no_models",
            f"{where} names no model and was ignored",
            hint=f"write {given.name}=provider/model",
        )
        return ()
    if not all(_is_model(model) for model in models):
        allowed = "models written provider/name, with commas between them"
        findings.refuse(given, allowed=allowed)
        return ()
    if len(models) < len(items):
        findings.note("repeated_model", f"{where} names a model twice; once is enough")
    findings.keep(given.name, ",".join(models), given.origin)
    return models


def _is_model(text: str) -> bool:
    provider, _, name = text.partition("/")
    return bool(provider and name) and text.isprintable() and " " not in text


def _tables_by_name(
    toml: Table, models: Mapping[str, tuple[str, ...]]
) -> dict[str, Table]:
    """Return each source's table, an empty one where the TOML has none for it."""
    found: dict[str, Table] = {}
    for name, table in toml.tables(source_name).items():
        table.check_keys(SOURCE_KEYS)
        if name in models:
            found[name] = table
            continue
        variable = "MODEL_SOURCE_" + name.replace("-", "_").upper()
        like = nearest(name, models)
        toml.note(
            "no_models",
            name,
            f"was ignored: no {variable} gives its models",
            hint=f"did you mean {like}?" if like else f"add {variable}=provider/model",
        )
    return {name: found.get(name) or toml.table(name) for name in models}


def _aliases(
    tables: Mapping[str, Table], findings: Findings
) -> dict[str, tuple[str, ...]]:
    """Return the words that select each source in chat.

    By default each part of its name that no other source has, unless another source
    got the word in the TOML. A single letter is no alias: in a sentence it is a word.
    """
    chosen = {name: _words(table.texts("aliases")) for name, table in tables.items()}
    aliases: dict[str, tuple[str, ...]] = {}
    for name, table in tables.items():
        others = [other for other in tables if other != name]
        taken = {word for other in others for word in chosen[other]}
        free = [word for word in _default_words(name, others) if word not in taken]
        aliases[name] = tuple(dict.fromkeys([*free, *chosen[name]]))
        table.keep("aliases", aliases[name])
        if shared := taken.intersection(chosen[name]):
            findings.note(
                "shared_alias",
                f"{name} shares the alias {', '.join(sorted(shared))} with another "
                "source, so a message with it is asked back",
            )
    return aliases


def _default_words(name: str, others: Sequence[str]) -> Iterator[str]:
    shared = {part for other in others for part in other.split("-")}
    for part in name.split("-"):
        if len(part) > 1 and part not in shared:
            yield part
            if part in CHINESE:
                yield CHINESE[part]


def _words(texts: Sequence[str]) -> tuple[str, ...]:
    """Return aliases in the form in which messages are compared."""
    if all(text.isascii() for text in texts):
        return tuple(text.strip().lower() for text in texts)
    import unicodedata  # noqa: PLC0415 - 4 ms, for those who have such aliases

    return tuple(unicodedata.normalize("NFKC", text).strip().lower() for text in texts)


def _source(
    base: SourceSettings,
    table: Table,
    *,
    known: Sequence[str],
    environment: Mapping[str, str],
) -> SourceSettings:
    """Return a source with every key that its table sets."""
    is_ollama = all(model.startswith("ollama") for model in base.models)
    usual = "openai" if is_ollama else "host"
    launcher = table.choice("launcher", usual, LAUNCHERS)
    return SourceSettings(
        name=base.name,
        models=base.models,
        aliases=base.aliases,
        launcher=launcher,
        endpoint=_endpoint(table, launcher, environment, is_ollama=is_ollama),
        api_key_env=_api_key_env(table, environment),
        command=_command(table, launcher),
        model_names=_model_names(table, base.models),
        max_concurrent=table.whole("max_concurrent", 1, low=1, high=100),
        slots=table.choice("slots", _DEFAULT.slots, SLOT_POLICIES),
        timeout_s=_seconds(table, "timeout_s", _DEFAULT.timeout_s, days=7),
        start_timeout_s=_seconds(table, "start_timeout_s", _DEFAULT.start_timeout_s),
        lease_s=_seconds(table, "lease_s", _DEFAULT.lease_s),
        backoff_s=table.numbers("backoff_s", _DEFAULT.backoff_s, high=_DAY_S),
        jitter=table.number("jitter", _DEFAULT.jitter, high=1),
        max_tokens=table.whole(
            "max_tokens", _DEFAULT.max_tokens, low=1, high=10_000_000
        ),
        permission_mode=table.text("permission_mode"),
        allowed_tools=table.texts("allowed_tools"),
        budget_usd_per_day=table.number("budget_usd_per_day", None, high=1e6),
        strict_model=table.truth("strict_model", default=_DEFAULT.strict_model),
        fallback=table.source("fallback", [n for n in known if n != base.name]),
    )


def _seconds(table: Table, key: str, default: int, *, days: int = 1) -> int:
    return table.whole(key, default, low=1, high=days * _DAY_S)


def _endpoint(
    table: Table, launcher: str, environment: Mapping[str, str], *, is_ollama: bool
) -> str | None:
    """Return where launcher ``openai`` sends its requests.

    Without one in the TOML it is ``$OLLAMA_HOST`` for models of an Ollama; for others
    there is nothing to guess from. Source: SPEC 1.
    """

    def check(value: object) -> str | None:
        return base_url(value) if isinstance(value, str) else None

    allowed = "the URL of its server without a password, such as https://host/v1"
    found = table.read("endpoint", None, check, allowed, show=_hide_password)
    if launcher != "openai":
        if found:
            table.note("unused_key", "endpoint", 'needs launcher = "openai"')
        return found
    if "endpoint" in table:
        return found
    if not is_ollama:
        table.refuse("endpoint", allowed=allowed)
        return None
    host = environment.get("OLLAMA_HOST", "").strip()
    url = ollama_url(host) if host else OLLAMA_DEFAULT
    if url is None:
        shown = _hide_password(host) or host
        text = f"has no default: OLLAMA_HOST is {shown!r}, which is no address"
        table.note("ollama_host", "endpoint", text, hint=f"{OLLAMA_DEFAULT} is used")
        host = ""
    table.keep("endpoint", url or OLLAMA_DEFAULT, origin="environment" if host else "")
    return url or OLLAMA_DEFAULT


def _hide_password(value: object) -> str | None:
    return "…" if "@" in str(value) else None


def _api_key_env(table: Table, environment: Mapping[str, str]) -> str | None:
    """Return the name of the variable that holds the key, never the key itself."""

    def check(value: object) -> str | None:
        is_name = isinstance(value, str) and value.isascii() and value.isidentifier()
        return str(value) if is_name and not _looks_like_a_key(str(value)) else None

    def hide(value: object) -> str:
        return str(value)[:3] + "…"

    allowed = "the name of an environment variable, not the key itself"
    name = table.read("api_key_env", None, check, allowed, show=hide)
    if name and not environment.get(name):
        table.note("key_not_set", "api_key_env", f"names {name}, which is not set")
    return name


def _looks_like_a_key(text: str) -> bool:
    has_small, has_digit = text.upper() != text, any(char.isdigit() for char in text)
    return len(text) >= _KEY_LENGTH and has_small and has_digit


def _command(table: Table, launcher: str) -> tuple[str, ...]:
    command = table.argv("command")
    if launcher == "command" and "command" not in table:
        table.refuse("command", allowed=ARGV)
    elif command and launcher != "command":
        table.note("unused_key", "command", 'needs launcher = "command"')
    return command


def _model_names(table: Table, models: Sequence[str]) -> Mapping[str, str]:
    names = table.mapping("model_names")
    for model in names:
        if model not in models:
            table.note(
                "unknown_model",
                "model_names",
                f"maps {model}, which is no model of this source",
                hint=f"did you mean {nearest(model, models)}?",
            )
    return names


def _note_shared_endpoint(
    sources: Mapping[str, SourceSettings],
    tables: Mapping[str, Table],
    findings: Findings,
) -> None:
    """Report sources that all go to the one default Ollama: one of them is elsewhere."""
    group = [
        source
        for source in sources.values()
        if source.launcher == "openai"
        and source.endpoint
        and "endpoint" not in tables[source.name]
    ]
    if len(group) < 2:  # noqa: PLR2004 - one alone shares nothing
        return
    names = ", ".join(source.name for source in group)
    strangers = [
        source.name for source in group if not source.models[0].startswith("ollama/")
    ]
    findings.note(
        "shared_endpoint",
        f"{names} all use {group[0].endpoint}, because no endpoint is set for them",
        hint=f"set endpoint under [sources.{(strangers or [group[-1].name])[0]}] "
        "in task-queue.toml",
    )
