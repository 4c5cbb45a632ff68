#!/usr/bin/env python3
"""Write the generated pages, and the generated parts of others, anew.

``make docs`` runs it; a test compares what lies there with what it would write.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "lib"))

from model_queue import statechart  # noqa: E402 - found by the line before
from model_queue.cli import COMMANDS  # noqa: E402 - as above
from model_queue.error_table import error_table  # noqa: E402 - as above


def filled(text: str, parts: Mapping[str, str]) -> str:
    """Return a page with its generated parts as they should be now."""
    for name, part in parts.items():
        start, end = f"<!-- generated: {name} -->\n", "<!-- end -->"
        pattern = re.escape(start) + ".*?" + re.escape(end)
        whole = f"{start}{part.strip()}\n{end}"
        text = re.sub(pattern, lambda _, whole=whole: whole, text, flags=re.DOTALL)
    return text


def command_table() -> str:
    """Return every command with its one line of help."""
    rows = [f"| `model-queue {each.name}` | {each.help} |" for each in COMMANDS]
    return "\n".join(["| command | what it does |", "|---|---|", *rows])


def pages() -> dict[Path, str]:
    """Return each generated page with the text that it should have."""
    front, hooks = ROOT / "README.md", ROOT / "references" / "hooks.md"
    in_front = {
        "commands": command_table(),
        "status table": statechart.status_table(),
        "chart": f"```mermaid\n{statechart.chart().strip()}\n```",
    }
    in_hooks = {"error codes": error_table()}
    return {
        front: filled(front.read_text(encoding="utf-8"), in_front),
        hooks: filled(hooks.read_text(encoding="utf-8"), in_hooks),
        ROOT / "references" / "state-machine.md": statechart.state_machine_md(),
    }


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
