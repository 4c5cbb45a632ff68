#!/usr/bin/env python3
"""Write the generated pages, and the generated parts of others, anew.

``make docs`` runs it; a test compares what lies there with what it would write.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "lib"), str(ROOT / "scripts")]

import phrase_page  # noqa: E402 - found by the line before

from model_queue import statechart  # noqa: E402 - found by the line before
from model_queue.cli import COMMANDS  # noqa: E402 - as above
from model_queue.commands.call import Command  # noqa: E402 - as above
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


class Recorder(argparse.ArgumentParser):
    """A parser that remembers its arguments as they were declared.

    What ``format_help`` prints differs from one Python to the next.
    """

    def __init__(self) -> None:
        super().__init__(add_help=False)
        self.arguments: list[tuple[str, str]] = []

    def add_argument(self, *names: str, **options: Any) -> argparse.Action:  # noqa: ANN401 - as argparse has it
        """Remember one argument: how it is written, and its help."""
        action = super().add_argument(*names, **options)
        self.arguments.append((_written(action), str(options.get("help", ""))))
        return action


def _written(action: argparse.Action) -> str:
    value = action.metavar or (
        "|".join(map(str, action.choices)) if action.choices else action.dest.upper()
    )
    if not action.option_strings:
        return f"`{value}`{' …' if action.nargs in {'+', '*'} else ''}"
    takes_value = action.nargs != 0
    flags = ", ".join(f"`{flag}`" for flag in action.option_strings)
    return f"{flags} `{value}`" if takes_value else flags


def command_section(command: Command) -> Iterator[str]:
    """Yield the lines about one command: what it does, an example, its arguments."""
    recorder = Recorder()
    command.flags(recorder)
    yield f"### `{command.name}`"
    yield ""
    yield f"{command.help[:1].upper()}{command.help[1:]}."
    yield ""
    yield from ("```sh", command.example, "```")
    if recorder.arguments:
        yield ""
        yield from ("| argument | meaning |", "|---|---|")
        for written, meaning in recorder.arguments:
            shown = written.replace("|", "\\|")
            yield f"| {shown} | {meaning.replace('%%', '%')} |"
    yield ""


def command_sections() -> str:
    """Return the part of references/commands.md that is about each command."""
    return "\n".join(line for each in COMMANDS for line in command_section(each))


def pages() -> dict[Path, str]:
    """Return each generated page with the text that it should have."""
    front, hooks = ROOT / "README.md", ROOT / "references" / "hooks.md"
    commands = ROOT / "references" / "commands.md"
    in_front = {
        "commands": command_table(),
        "status table": statechart.status_table(),
        "chart": f"```mermaid\n{statechart.chart().strip()}\n```",
    }
    in_commands = {"commands": command_sections()}
    in_hooks = {"error codes": error_table()}
    return {
        front: filled(front.read_text(encoding="utf-8"), in_front),
        hooks: filled(hooks.read_text(encoding="utf-8"), in_hooks),
        commands: filled(commands.read_text(encoding="utf-8"), in_commands),
        ROOT / "references" / "state-machine.md": statechart.state_machine_md(),
        ROOT / "references" / "phrases.md": phrase_page.page(),
    }


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
