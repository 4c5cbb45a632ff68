"""The command that looks for models and proposes the settings: init."""

from __future__ import annotations

import argparse
import os
import shutil
from collections.abc import Sequence
from typing import NamedTuple

from model_queue import config, first_run, probing, proposing, wiring
from model_queue.appending import append_text
from model_queue.commands.call import Call, Command, Reply, refuse_inside_session
from model_queue.config.endpoints import OLLAMA_DEFAULT, ollama_url
from model_queue.errors import StateError
from model_queue.messages import init_texts as texts
from model_queue.messages.texts import CONFIGURATION, MANY_QUEUES, ONE_QUEUE
from model_queue.messages.wording import counted, listed, say
from model_queue.model import JsonObject
from model_queue.probing import Found, Target
from model_queue.proposing import Proposal
from model_queue.settings import Settings

PROGRAMS = {
    "claude": "anthropic",
    "codex": "openai",
    "gemini": "google",
    "opencode": "opencode",
    "openclaw": "openclaw",
}
"""Agent programs that are looked for, and the provider that their models stand under."""


class Machine(NamedTuple):
    """What was found on this machine."""

    endpoint: str
    """Of the Ollama that answers; of the first that was asked when none does."""
    asked: Sequence[str]
    """Every endpoint that was asked, the most likely first."""
    found: Found
    version: str
    """"" without an Ollama."""
    programs: Sequence[tuple[str, str]]
    """Name and path of each agent program."""

    @property
    def has_ollama(self) -> bool:
        """Report whether one answers."""
        return self.found.models is not None

    @property
    def models(self) -> Sequence[str]:
        """The models that can be asked for work, in the server's order."""
        models = self.found.models or ()
        return [name for name in models if name not in self.found.unfit]


def _flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--write",
        nargs="?",
        const="",
        metavar="PATH",
        help="add the lines to that TOOLS.md (default: the one that is read) and make "
        "the queues; what is there is never changed",
    )


def init(call: Call) -> Reply:
    """Look for models, and say or write which lines make sources of them.

    Raises:
        StateError: with ``--write``, when there is no model or another line is there.
    """
    settings = call.settings()
    machine = _look(call)
    proposal = proposing.propose(machine.endpoint, machine.models, settings)
    path = _path(call)
    if call.args.write is not None:
        return _write(call, settings, machine, proposal, path)
    lines = [*_found_lines(machine, call.lang), ""]
    block = ""
    if machine.models:
        block = proposing.block(proposing.missing_in(_text_of(path), proposal.values))
        lines += _proposal_lines(call, proposal, block, path)
    else:
        lines += [say(texts.SAMPLE, call.lang, path=path), "", CONFIGURATION]
    payload = _payload(machine, proposal, block or CONFIGURATION, path)
    return Reply(text="\n".join(lines), payload=payload)


def _look(call: Call) -> Machine:
    """Ask for an Ollama where it may be, and look for agent programs."""
    environment = call.seen.environment
    named = ollama_url(environment.get("OLLAMA_HOST", "").strip() or "127.0.0.1")
    asked = list(dict.fromkeys([named or OLLAMA_DEFAULT, OLLAMA_DEFAULT]))
    targets = {endpoint: Target(endpoint) for endpoint in asked}
    found = probing.ask_all(targets, environment, probing.ask_ollama)
    there = [name for name in asked if found[name].models is not None]
    endpoint = (there or asked)[0]
    path = environment.get("PATH", os.defpath)
    places = [(name, shutil.which(name, path=path)) for name in PROGRAMS]
    return Machine(
        endpoint=endpoint,
        asked=asked,
        found=found[endpoint],
        version=probing.version_of_ollama(endpoint, environment) if there else "",
        programs=[(name, place) for name, place in places if place],
    )


def _path(call: Call) -> str:
    """Return the file that the lines belong into: named, there already, or usual."""
    if call.args.write:
        path = os.path.abspath(os.path.expanduser(call.args.write))
        return os.path.join(path, "TOOLS.md") if os.path.isdir(path) else path
    candidates = _candidates(call)
    trusted = [path for path, is_trusted in candidates if is_trusted]
    there = [path for path in trusted if os.path.isfile(path)]
    usual = [path for path in trusted if path.endswith("TOOLS.md")]
    return (there or usual or [path for path, _ in candidates])[0]


def _candidates(call: Call) -> list[tuple[str, bool]]:
    seen = call.seen
    return config.candidate_paths(
        environment=seen.environment, home=seen.home, cwd=seen.cwd, flags=seen.flags
    )


def _text_of(path: str) -> str:
    try:
        with open(path, encoding="utf-8-sig", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def _found_lines(machine: Machine, lang: str) -> list[str]:
    """Return what was found, and how to get what was not."""
    version = f" {machine.version}" if machine.version else ""
    address = machine.endpoint.removesuffix("/v1")
    names = listed(machine.models, lang=lang)
    facts = {"version": version, "address": address, "names": names}
    if machine.models:
        n_models = len(machine.models)
        models = counted(n_models, texts.ONE_MODEL, texts.MANY_MODELS, lang=lang)
        lines = [say(texts.FOUND_OLLAMA, lang, models=models, **facts)]
    elif machine.has_ollama:
        lines = [say(texts.FOUND_EMPTY, lang, **facts), say(texts.PULL, lang)]
    else:
        asked = [endpoint.removesuffix("/v1") for endpoint in machine.asked]
        addresses = listed(asked, lang=lang)
        lines = [say(texts.FOUND_NONE, lang, addresses=addresses)]
        lines.append(say(texts.GET_OLLAMA, lang))
    if machine.found.unfit:
        left_out = listed(machine.found.unfit, lang=lang)
        lines.append(say(texts.LEFT_OUT, lang, names=left_out))
    if machine.programs:
        programs = [name for name, _ in machine.programs]
        line = f"MODEL_SOURCE_{programs[0].upper()}={PROGRAMS[programs[0]]}/<model>"
        shown = listed(programs, lang=lang)
        lines.append(say(texts.FOUND_PROGRAMS, lang, programs=shown, line=line))
    return lines


def _proposal_lines(
    call: Call, proposal: Proposal, block: str, path: str
) -> Sequence[str]:
    lang = call.lang
    if block:
        command = "model-queue init --write"
        head = say(texts.ADD_LINES, lang, path=path, command=command)
        lines = [head, "", block]
    else:
        lines = [say(texts.ALL_THERE, lang, path=path), ""]
    lines += _toml_lines(call, proposal)
    return [*lines, _next_line(proposal, lang)]


def _toml_lines(call: Call, proposal: Proposal) -> list[str]:
    if not proposal.toml:
        return []
    path = config.toml_path(
        environment=call.seen.environment, home=call.seen.home, flags=call.seen.flags
    )
    return [say(texts.ADD_TOML, call.lang, path=path), "", proposal.toml]


def _next_line(proposal: Proposal, lang: str) -> str:
    name = proposing.variable_of(proposal.source)
    first = proposal.values[name].partition(",")[0]
    return say(texts.NEXT, lang, model=first.partition("/")[2])


def _write(
    call: Call,
    settings: Settings,
    machine: Machine,
    proposal: Proposal,
    path: str,
) -> Reply:
    """Add the lines once, and make the queues as a first run does.

    Raises:
        ConfigError: a setting has no usable value.
        StateError: nothing was written.
        StoreError: the file cannot be written.
    """
    refuse_inside_session(call)
    config.require_valid(settings)
    lang = call.lang
    if not machine.models and not settings.sources:
        why, *remedy = _found_lines(machine, lang)
        sentence = say(texts.NOTHING_TO_WRITE, lang, why=why)
        raise StateError(sentence, hint="\n".join(remedy))
    block = ""
    if machine.models:
        _require_no_clash(settings, proposal, path, lang)
        block = _append(proposal, path, lang)
    lines = [*_found_lines(machine, lang), ""]
    if block:
        lines += [say(texts.WRITTEN, lang, path=path), "", block]
    elif machine.models:
        lines += [say(texts.ALL_THERE, lang, path=path), ""]
    if machine.models:
        lines += _toml_lines(call, proposal)
    made, queues = _make_queues(call, path)
    lines += made
    if machine.models and queues:
        lines.append(_next_line(proposal, lang))
    else:
        lines.append(say(texts.NEXT_DOCTOR, lang))
    payload = _payload(machine, proposal, block, path)
    payload |= {"written": bool(block), "queues": [*queues]}
    return Reply(text="\n".join(lines), payload=payload)


def _require_no_clash(
    settings: Settings, proposal: Proposal, path: str, lang: str
) -> None:
    """Refuse what another file than the one to be written says otherwise."""
    name = proposing.variable_of(proposal.source)
    origin = settings.origin_of(name)
    source = settings.sources.get(proposal.source)
    if source is None or origin in {"default", path}:
        return
    line = f"{name}={','.join(source.models)}"
    clash = proposing.clash_in(line, proposal.values)
    if clash is not None:
        raise _refusal(clash, origin, lang)


def _append(proposal: Proposal, path: str, lang: str) -> str:
    """Add the lines that the file lacks; return them."""
    added = ""

    def choose(text: str) -> str:
        nonlocal added
        clash = proposing.clash_in(text, proposal.values)
        if clash is not None:
            raise _refusal(clash, path, lang)
        added = proposing.block(proposing.missing_in(text, proposal.values))
        return added

    append_text(path, choose, create=True)
    return added


def _refusal(clash: proposing.Clash, path: str, lang: str) -> StateError:
    facts = clash._asdict()
    hint = say(texts.CLASH_HINT, lang, **facts)
    return StateError(say(texts.CLASH, lang, path=path, **facts), hint=hint)


def _make_queues(call: Call, path: str) -> tuple[Sequence[str], Sequence[str]]:
    """Make the queues of what is configured now; return what to say, and their names."""
    settings = wiring.read_settings(call.seen)
    lang = call.lang
    lines: list[str] = []
    if path not in [each for each, _ in _candidates(call)]:
        lines.append(say(texts.NOT_READ, lang, path=path))
    if not settings.sources:
        return lines, []
    core = wiring.open_core(call.seen, settings)
    done = first_run.set_up(core, lang=lang, now=call.now)
    if done.is_first:
        # The timer is asked for by an action, which a host alone carries out.
        first_run.leave_open(core)
    lines += first_run.register(core, lang=lang)
    queues = [meta.source for meta in core.store.queues()]
    n_queues = counted(len(queues), ONE_QUEUE, MANY_QUEUES, lang=lang)
    ready = f"{n_queues} ({listed(queues, lang=lang)})"
    lines.append(say(texts.QUEUES_READY, lang, queues=ready, path=settings.queues_dir))
    return lines, queues


def _payload(machine: Machine, proposal: Proposal, lines: str, path: str) -> JsonObject:
    ollama: JsonObject | None = None
    if machine.has_ollama:
        ollama = {
            "endpoint": machine.endpoint,
            "version": machine.version,
            "models": [*machine.models],
        }
    return {
        "ollama": ollama,
        "programs": [{"name": name, "path": place} for name, place in machine.programs],
        "path": path,
        "lines": lines,
        "toml": proposal.toml if machine.models else "",
        "written": False,
        "queues": [],
    }


COMMANDS: Sequence[Command] = (
    Command(
        name="init",
        help="look for an Ollama and agent programs, and propose the lines of TOOLS.md; "
        "--write adds them and makes the queues",
        example="model-queue init --write",
        run=init,
        flags=_flags,
    ),
)
