"""Whether sources can be used: their servers, programs and models, for ``doctor``."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import urlsplit

from model_queue.commands.call import Call
from model_queue.launchers.local import PROGRAMS
from model_queue.messages import checkup_texts as texts
from model_queue.messages.checkups import problem, some_of
from model_queue.messages.wording import say
from model_queue.model import JsonObject
from model_queue.outcomes import bare_name
from model_queue.probing import LIMIT_S, Found, Target, Trouble, ask_all
from model_queue.proposing import variable_of
from model_queue.settings import Problem, Settings, SourceSettings

_LOOPBACK = ("localhost", "127.", "::1")
_OLLAMA_PORT = 11434


class Reached(NamedTuple):
    """What is known of one source."""

    source: SourceSettings
    found: Found | None = None
    """None: nobody was asked, because there is nobody or not to be."""
    program: str | None = None
    """Where the program of launcher ``command`` lies; None without one."""
    has_key: bool = False
    """The variable that ``api_key_env`` names is set."""
    missing: tuple[str, ...] = ()
    """Configured models that the server does not have, by the server's names."""


def reach(call: Call, settings: Settings, *, is_offline: bool) -> list[Reached]:
    """Ask the servers of all sources at once, and look for programs."""
    environment = call.seen.environment
    asked = {
        name: Target(source.endpoint, environment.get(source.api_key_env or "", ""))
        for name, source in settings.sources.items()
        if source.launcher == "openai" and source.endpoint and not is_offline
    }
    found = ask_all(asked, environment)
    path = environment.get("PATH", os.defpath)
    return [
        Reached(
            source=source,
            found=found.get(name),
            program=_program(source, path),
            has_key=bool(environment.get(source.api_key_env or "")),
            missing=_missing(source, found.get(name)),
        )
        for name, source in settings.sources.items()
    ]


def is_startable(command: tuple[str, ...], path: str) -> bool:
    """Report whether the program is there, True where only a task's start can tell.

    A relative path is looked for from the task's own directory, a placeholder is filled
    in then, and a missing command is a problem of the settings.
    """
    word = command[0] if command else ""
    is_relative = os.sep in word and not os.path.isabs(word)
    if not word or "{" in word or is_relative:
        return True
    return shutil.which(word, path=path) is not None


def _program(source: SourceSettings, path: str) -> str | None:
    if source.launcher != "command" or not source.command:
        return None
    return shutil.which(source.command[0], path=path) or source.command[0]


def _missing(source: SourceSettings, found: Found | None) -> tuple[str, ...]:
    """Return the models that a server lacks, compared as a session's model is."""
    if found is None or found.models is None:
        return ()
    there = {bare_name(name) for name in found.models}
    wanted = [source.runtime_model(model) for model in source.models]
    return tuple(name for name in wanted if bare_name(name) not in there)


def problems_of(reached: Reached, *, lang: str, path: str) -> Iterator[Problem]:
    """Yield what keeps a source from working; no fault of a server is fatal."""
    source, found = reached.source, reached.found
    yield from _launcher_problems(source, path, lang)
    if found is None:
        return
    if found.trouble is not None:
        yield _server_problem(reached, found, found.trouble, lang)
    elif reached.missing:
        yield _missing_problem(source, found, reached.missing, lang)


def _launcher_problems(
    source: SourceSettings, path: str, lang: str
) -> Iterator[Problem]:
    facts = {"source": source.name, "launcher": source.launcher}
    if source.launcher != "host" and source.launcher not in PROGRAMS:
        facts["have"] = ", ".join(["host", *sorted(PROGRAMS)])
        yield problem("launcher_missing", lang, facts)
    if source.launcher == "command" and not is_startable(source.command, path):
        facts["program"] = repr(source.command[0])
        yield problem("program_missing", lang, facts)


def _server_problem(
    reached: Reached, found: Found, trouble: Trouble, lang: str
) -> Problem:
    source = reached.source
    facts = {
        "source": source.name,
        "endpoint": source.endpoint,
        "host": urlsplit(source.endpoint or "").hostname,
        "detail": found.detail,
        "limit": f"{LIMIT_S:g}",
    }
    match trouble:
        case Trouble.REFUSED:
            return problem("server_refused", lang, facts, hint=_start_hint(source))
        case Trouble.KEY:
            return _key_problem(reached, found, lang)
        case Trouble.MOVED:
            to = say(texts.MOVED_TO, lang, address=found.detail)
            facts["detail"] = to if found.detail else ""
        case Trouble.STATUS if found.detail == "404":
            return problem("server_status", lang, facts, hint="server_status_404")
        case _:
            pass
    return problem(f"server_{trouble.value}", lang, facts)


def _start_hint(source: SourceSettings) -> str:
    """Return which of the remedies fits a server that does not run."""
    if not _is_ollama(source, None):
        return "server_refused"
    host = urlsplit(source.endpoint or "").hostname or ""
    is_here = host.startswith(_LOOPBACK)
    return "server_refused_ollama" if is_here else "server_refused_remote"


def _key_problem(reached: Reached, found: Found, lang: str) -> Problem:
    """Return a refused key, or one that is missing: that alone is fatal."""
    variable = reached.source.api_key_env
    text = texts.KEY_NOT_SET if variable else texts.KEY_NOT_NAMED
    facts = {
        "source": reached.source.name,
        "variable": variable,
        "detail": found.detail,
        "missing": say(text, lang, variable=variable),
    }
    if reached.has_key:
        return problem("key_refused", lang, facts)
    hint = "key_not_set" if variable else "key_missing"
    return problem("key_missing", lang, facts, hint=hint, fatal=True)


def _missing_problem(
    source: SourceSettings, found: Found, missing: tuple[str, ...], lang: str
) -> Problem:
    has = found.models or ()
    stems = {bare_name(name).partition(":")[0] for name in missing}
    like = [name for name in has if bare_name(name).partition(":")[0] in stems]
    hint = "model_missing"
    if _is_ollama(source, found):
        hint = "model_missing_like" if like else "model_missing_ollama"
    pulls = " && ".join(f"ollama pull {name}" for name in missing)
    facts = {
        "source": source.name,
        "models": some_of(missing, lang=lang),
        "has": some_of(like or has, lang=lang) or say(texts.NONE, lang),
        "pulls": f"`{pulls}`",
        "variable": variable_of(source.name),
    }
    return problem("model_missing", lang, facts, hint=hint)


def _is_ollama(source: SourceSettings, found: Found | None) -> bool:
    is_named = all(model.startswith("ollama") for model in source.models)
    port = urlsplit(source.endpoint or "").port
    return is_named or port == _OLLAMA_PORT or (found is not None and found.is_ollama)


def lines_of(reached: Reached, *, lang: str, is_offline: bool, path: str) -> list[str]:
    """Return the lines about a source for a person."""
    source = reached.source
    if source.launcher == "host":
        return [f"host: {say(texts.SOURCE_HOST, lang)}"]
    if source.launcher == "openai":
        state = _state(reached, lang, is_offline=is_offline)
        return [f"openai: {source.endpoint or '-'}", state]
    is_there = source.launcher in PROGRAMS and is_startable(source.command, path)
    text = texts.SOURCE_PROGRAM if is_there else texts.SOURCE_NO_PROGRAM
    return [f"{source.launcher}: {say(text, lang, program=reached.program)}"]


def _state(reached: Reached, lang: str, *, is_offline: bool) -> str:
    found = reached.found
    if found is None:
        text = texts.SOURCE_NOT_ASKED if is_offline else texts.SOURCE_NO_PROGRAM
        return say(text, lang)
    if found.trouble is not None:
        return say(texts.SOURCE_TROUBLE, lang)
    if found.models is None:
        return say(texts.SOURCE_UNLISTED, lang)
    if reached.missing:
        models = some_of(reached.missing, lang=lang)
        return say(texts.SOURCE_LACKS, lang, models=models)
    return say(texts.SOURCE_ANSWERS, lang)


def to_json(reached: Reached) -> JsonObject:
    """Return a source for a program; null stands for what nobody was asked."""
    source, found = reached.source, reached.found
    return {
        "name": source.name,
        "launcher": source.launcher,
        "endpoint": source.endpoint if source.launcher == "openai" else None,
        "program": reached.program,
        "models": [*source.models],
        "reachable": None if found is None else found.is_reachable,
        "trouble": found.trouble.value if found and found.trouble else None,
        "available": None if not found or found.models is None else [*found.models],
        "missing": [*reached.missing],
    }
