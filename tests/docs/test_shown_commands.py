"""Every command that README, SKILL.md or a reference shows is one that works."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from programs import InProcess

ROOT = Path(__file__).parents[2]
PAGES = ("README.md", "SKILL.md", "references/troubleshooting.md")
TOOLS = (
    "MODEL_SOURCE_OLLAMA_LOCAL=ollama/qwen2.5,ollama/mistral\n"
    "MODEL_SOURCE_CLOUD_NVIDIA=nvidia/z-ai/glm5\n"
    "DEFAULT_MODEL_SOURCE=ollama-local\n"
)
TOML = "".join(
    f'[sources.{name}]\nlauncher = "host"\n'
    for name in ("ollama-local", "cloud-nvidia")
)
STANDS_FOR = {
    "SESSION_ID": "agent:main:7",
    "LABEL": "mq-t-001-a1-00000000",
    "MESSAGE": "use mistral to list the invoices",
    "…": "use mistral to list the invoices",
    "TEXT": "list the invoices",
    "[SOURCE]": "",
    "SOURCE": "ollama-local",
    "[--status failed] [--dead]": "--status failed",
    "[--task T-001]": "--task T-001",
    "[--follow]": "",
    "--follow": "",
    "$PWD": ".",
    "--timeout 600": "--timeout 0.1",
}
"""What a page leaves to the reader."""
REFUSED = {
    "result": "T-001 has no report yet",
    "retry": "it is not failed",
    "rerun": "T-001 still runs",
    "edit": "T-001 runs",
    "resume": "it is not paused",
    "unblock": "it is not blocked",
    "undo": "nothing was done in this chat",
    "wait": "the time is over",
    "checkpoint": "no session calls it",
    "complete": "the label is an example",
    "fail": "the label is an example",
    "attach": "the label is an example",
    "doctor": "nothing is to be restored; the host's sources run elsewhere",
}
"""Commands that may be refused in the scene below, and why."""
SHOWN = re.compile(r"(?:scripts/)?model-queue ([a-z]+\b[^`\n]*)")


def shown(page: str) -> Iterator[str]:
    """Yield the words of each command that a page shows."""
    text = (ROOT / page).read_text(encoding="utf-8")
    # The generated table names the commands; it shows no calls.
    text = re.sub(
        r"<!-- generated: commands -->.*?<!-- end -->", "", text, flags=re.DOTALL
    )
    blocks = re.findall(r"^ *```(?:sh)?\n(.*?)^ *```", text, re.DOTALL | re.MULTILINE)
    lines = [line for block in blocks for line in block.splitlines()]
    spans = re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    for span in (*lines, *spans):
        found = SHOWN.search(span.partition("   #")[0])
        if found and not span.lstrip().startswith(("cp ", "pip ", "|")):
            yield found[1].strip()


CALLS = sorted({words for page in PAGES for words in shown(page)})


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three tasks of which the first runs."""
    programs = InProcess(home=tmp_path_factory.mktemp("prepared"))
    programs.configure(TOOLS, TOML)
    programs.cli("intake", "1. list the invoices 2. count the files 3. sort them")
    programs.cli("tick", "--actions")
    return programs.queues


@pytest.fixture
def programs(tmp_path: Path, prepared: Path) -> InProcess:
    programs = InProcess(home=tmp_path)
    programs.configure(TOOLS, TOML)
    shutil.copytree(prepared, programs.queues)
    (tmp_path / "report.md").write_text("Counted.")
    return programs


def test_pages_show_commands() -> None:
    assert len(CALLS) > 40


@pytest.mark.parametrize(
    "call", [call for call in CALLS if not call.startswith("demo")]
)
def test_a_command_that_is_shown_works(call: str, programs: InProcess) -> None:
    for shown_as, meant in STANDS_FOR.items():
        call = call.replace(shown_as, meant)
    words = shlex.split(call)

    inside = {"MODEL_QUEUE_TASK": "T-001"} if words[0] == "checkpoint" else {}
    ran = programs.cli(*words, **inside)

    may_be_refused = words[0] in REFUSED
    assert ran.code == 0 or (may_be_refused and ran.code in {4, 5, 6}), ran
    assert "Traceback" not in ran.err
