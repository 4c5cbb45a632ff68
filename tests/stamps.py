"""Sessions that write down when they begin and end, and what they wrote.

One log per source; each line is one write to a file opened for appending, so that the
lines of sessions that should not run at once would still be whole.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_SESSION = """\
import os, sys, time
log, task_id, label, seconds, failing = sys.argv[1:]
file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
def note(word):
    os.write(file, f"{word} {task_id} {time.time_ns()}\\n".encode())
note("start")
sys.stdin.read()
time.sleep(float(seconds))
print("All of it.\\n\\nSummary: done with", task_id)
note("end")
sys.exit(f"-{failing}-" in label)
"""


@dataclass(frozen=True)
class Stamp:
    """A session's word that it begins or ends."""

    word: str
    task_id: str
    ns: int


def write_session(home: Path) -> None:
    """Write the program of the sessions."""
    (home / "session.py").write_text(_SESSION, encoding="utf-8")


def command(home: Path, source: str, *, seconds: float, failing: str = "none") -> str:
    """Return the TOML line that makes a source run it.

    ``failing`` names an attempt that ends with exit code 1, such as ``a1``.
    """
    argv = [sys.executable, "-I", "-S", str(home / "session.py"), str(home / source)]
    return f"command = {json.dumps([*argv, '{task_id}', '{label}', str(seconds), failing])}\n"


def stamps(home: Path, source: str) -> Sequence[Stamp]:
    """Return what the sessions of a source wrote, in that order."""
    path = home / source
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    words = [line.split() for line in lines]
    return [Stamp(word, task_id, int(ns)) for word, task_id, ns in words]
