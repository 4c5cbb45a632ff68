"""Starts the real hooks and the real command line, as a host or a person does."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from unittest import mock

from model_queue.cli import main
from model_queue.model import JsonObject

ROOT = Path(__file__).parents[1]
PATH = f"{Path(sys.executable).parent}:/usr/bin:/bin"
"""The interpreter that runs the tests comes first, for the programs' first line."""
LIMIT_S = 20


@dataclass(frozen=True)
class Ran:
    """How a program ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> JsonObject:
        """Its output, which must be one JSON object."""
        found = json.loads(self.out)
        assert isinstance(found, dict)
        return found

    def objects(self, name: str) -> list[JsonObject]:
        """The objects of a list in its output."""
        found = self.json[name]
        assert isinstance(found, list)
        return [each for each in found if isinstance(each, dict)]


@dataclass(frozen=True)
class Programs:
    """An unpacked model-queue, with a home and a configuration of its own."""

    home: Path
    root: Path = ROOT
    path: str = PATH
    environment: Mapping[str, str] = field(default_factory=dict)

    @property
    def queues(self) -> Path:
        return self.home / "queues"

    def configure(self, tools: str, toml: str = "") -> None:
        lines = f"MODEL_QUEUES_DIR={self.queues}\n{tools}"
        (self.home / "TOOLS.md").write_text(lines, encoding="utf-8")
        (self.home / "task-queue.toml").write_text(toml, encoding="utf-8")

    def surroundings(self, **environment: str) -> dict[str, str]:
        """Return the whole environment of what is started here."""
        return {
            "PATH": self.path,
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "MODEL_QUEUE_TOOLS_MD": str(self.home / "TOOLS.md"),
            "MODEL_QUEUE_TOML": str(self.home / "task-queue.toml"),
            "MODEL_QUEUE_WAKER": "off",
            **self.environment,
            **environment,
        }

    def run(self, argv: Sequence[str], stdin: str = "", **environment: str) -> Ran:
        done = subprocess.run(
            argv,
            input=stdin,
            capture_output=True,
            text=True,
            cwd=self.home,
            env=self.surroundings(**environment),
            timeout=LIMIT_S,
            check=False,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    def hook(self, name: str, **fields: object) -> Ran:
        """Call a hook with one JSON object."""
        payload = {"version": 1, **fields}
        return self.run([str(self.root / "hooks" / name)], json.dumps(payload))

    def cli(self, *words: str, stdin: str = "", **environment: str) -> Ran:
        """Call the command line of the unpacked folder."""
        script = str(self.root / "scripts" / "model-queue")
        return self.run([script, *words], stdin, **environment)


class InProcess(Programs):
    """The command line called as a function: many times as fast as a process."""

    def cli(self, *words: str, stdin: str = "", **environment: str) -> Ran:
        pipe = io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8")
        out, err = io.StringIO(), io.StringIO()
        with (
            mock.patch.dict(os.environ, self.surroundings(**environment), clear=True),
            mock.patch("sys.stdin", pipe),
            contextlib.chdir(self.home),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            try:
                code = main(words)
            except SystemExit as end:
                # A help was shown.
                code = int(end.code or 0)
        return Ran(code, out.getvalue(), err.getvalue())
