"""A bare Python runs it: no pip package, no site, from an unpacked folder."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest

from programs import ROOT, Programs
from waiting import eventually

SESSION = "cat > /dev/null; printf 'Three files.\\n\\nSummary: counted the files\\n'"


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Programs:
    home = tmp_path_factory.mktemp("home")
    bare, skill = home / "bare", home / "skills" / "model-queue"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", bare], check=True)
    for folder in ("hooks", "lib", "scripts"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / folder, skill / folder, ignore=ignored)
    ready = Programs(home=home, root=skill, path=f"{bare}/bin:/usr/bin:/bin")
    ready.configure(
        "MODEL_SOURCE_HERE=local/counter\n",
        f'[sources.here]\nlauncher = "command"\ncommand = ["sh", "-c", {SESSION!r}]\n',
    )
    return ready


def test_interpreter_has_no_package_of_others(programs: Programs) -> None:
    found = programs.run(["python3", "-c", "import yaml"])

    assert "ModuleNotFoundError" in found.err


def test_message_becomes_finished_work(programs: Programs) -> None:
    added = programs.hook("on-intake", message="count the files in this folder")

    assert added.code == 0, added.err
    assert "📋 Added T-001 to queue [here]" in str(added.json["reply"])
    replies: list[str] = []

    def is_done() -> bool:
        replies.append(str(programs.hook("on-heartbeat").json["reply"]))
        return any("✅ T-001 done — counted the files" in reply for reply in replies)

    assert eventually(is_done)
    assert "Three files." in programs.cli("result", "T-001").out


def test_the_other_two_hooks_answer(programs: Programs) -> None:
    ended = programs.hook("on-subagent-exit", label="of-others", status="done")
    saved = programs.hook("on-checkpoint", task_id="T-999", percent_complete=10)

    assert (ended.code, ended.json["ok"]) == (0, True)
    assert (saved.code, saved.json["ok"]) == (5, False)


@pytest.mark.parametrize(
    "words", [["status"], ["list"], ["doctor"], ["tick"], ["parse", "count them"]]
)
def test_command_line_needs_nothing_installed(
    programs: Programs, words: list[str]
) -> None:
    done = programs.cli(*words, "--json")

    assert (done.code, done.err) == (0, "")
    assert done.json["ok"] is True
