"""The executables find their library wherever they lie and however they are started."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from chat import answer_of
from programs import PATH, ROOT, Programs

pytestmark = pytest.mark.slow

HOOKS = ("on-intake", "on-heartbeat", "on-subagent-exit", "on-checkpoint")
BARE = ["python3", "-I", "-S"]


@pytest.mark.parametrize("hook", HOOKS)
def test_hook_is_an_executable_for_any_python(hook: str) -> None:
    path = ROOT / "hooks" / hook

    assert path.stat().st_mode & 0o111 == 0o111
    assert path.read_bytes().startswith(b"#!/usr/bin/env -S python3 -I -S\n")


@pytest.mark.parametrize("interpreter", [BARE, ["python3"]])
def test_hook_runs_under_an_interpreter(tmp_path: Path, interpreter: list[str]) -> None:
    programs = Programs(home=tmp_path)
    programs.configure("")

    ran = programs.run([*interpreter, str(ROOT / "hooks" / "on-heartbeat")], "{}")

    assert answer_of("on-heartbeat", ran)["reply"] == "HEARTBEAT_OK"


def test_hook_runs_through_a_symbolic_link(tmp_path: Path) -> None:
    programs = Programs(home=tmp_path)
    programs.configure("")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "mq").symlink_to(ROOT / "hooks" / "on-heartbeat")

    ran = programs.run(["bin/mq"], "{}")

    assert answer_of("on-heartbeat", ran)["reply"] == "HEARTBEAT_OK"


def test_hook_runs_from_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    root = tmp_path / "skill"
    ignored = shutil.ignore_patterns("__pycache__")
    for folder in ("hooks", "lib"):
        shutil.copytree(ROOT / folder, root / folder, ignore=ignored)
    for path in [root, *root.rglob("*")]:
        path.chmod(path.stat().st_mode & ~0o222)
    programs = Programs(home=tmp_path, root=root)
    programs.configure("")

    ran = programs.hook("on-heartbeat")

    for path in [root, *root.rglob("*")]:
        path.chmod(path.stat().st_mode | 0o200)
    assert answer_of("on-heartbeat", ran)["reply"] == "HEARTBEAT_OK"


def test_hook_runs_from_an_installed_package(tmp_path: Path) -> None:
    site = tmp_path / "site packages"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "lib" / "model_queue", site / "model_queue", ignore=ignored)
    bundle = site / "model_queue" / "_bundle"
    shutil.copytree(ROOT / "hooks", bundle / "hooks")
    # What lies beside an installed package must not come before the standard library.
    (site / "json.py").write_text("raise ImportError", encoding="utf-8")
    programs = Programs(home=tmp_path, root=bundle)
    programs.configure("MODEL_SOURCE_CLOUD=nvidia/glm5\n")

    ran = programs.hook("on-intake", message="show status")

    assert answer_of("on-intake", ran)["mode"] == "status"


def test_hook_does_not_look_into_the_current_directory(tmp_path: Path) -> None:
    (tmp_path / "model_queue.py").write_text("raise ImportError", encoding="utf-8")
    (tmp_path / "os.py").write_text("raise ImportError", encoding="utf-8")
    programs = Programs(home=tmp_path, path=f"{Path(sys.executable).parent}:{PATH}")
    programs.configure("")

    ran = programs.run([str(ROOT / "hooks" / "on-heartbeat")], "{}", PYTHONPATH=".")

    assert answer_of("on-heartbeat", ran)["reply"] == "HEARTBEAT_OK"
