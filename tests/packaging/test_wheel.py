"""The wheel holds the library and its bundle, and works where it is installed."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from programs import ROOT, Programs

pytestmark = pytest.mark.slow
PROGRAMS = (
    "hooks/on-intake",
    "hooks/on-heartbeat",
    "hooks/on-subagent-exit",
    "hooks/on-checkpoint",
    "scripts/model-queue",
)
ANY_RUN_BIT = 0o111


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel"]
    subprocess.run(
        [*build, "-d", str(folder)], cwd=ROOT, check=True, capture_output=True
    )
    [built] = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Programs:
    home = tmp_path_factory.mktemp("home")
    venv = home / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True)
    pip = [sys.executable, "-m", "pip", "--python", str(venv / "bin" / "python")]
    subprocess.run(
        [*pip, "install", "--quiet", "--no-deps", "--no-index", str(wheel)], check=True
    )
    site = sysconfig.get_path("purelib", vars={"base": str(venv)})
    bundle = Path(site) / "model_queue" / "_bundle"
    ready = Programs(home=home, root=bundle, path=f"{venv}/bin:/usr/bin:/bin")
    ready.configure(
        "MODEL_SOURCE_HERE=local/m\n",
        '[sources.here]\nlauncher = "command"\ncommand = ["true"]\n',
    )
    return ready


def test_wheel_holds_the_types_and_the_bundle(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())

    bundle = "model_queue/_bundle/"
    assert {"model_queue/py.typed", f"{bundle}SKILL.md"} <= names
    assert {f"{bundle}{program}" for program in PROGRAMS} <= names
    assert any(name.startswith(f"{bundle}schemas/") for name in names)
    assert any(name.startswith(f"{bundle}references/") for name in names)


def test_wheel_holds_nothing_of_the_checkout_besides(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()

    tops = {name.partition("/")[0] for name in names}
    assert {top for top in tops if not top.startswith("model_queue")} == set()
    assert [name for name in names if "__pycache__" in name] == []


def test_programs_in_the_wheel_can_be_run(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)

    for program in PROGRAMS:
        info = archive.getinfo(f"model_queue/_bundle/{program}")
        assert info.external_attr >> 16 & ANY_RUN_BIT


def test_hooks_work_where_the_wheel_is_installed(installed: Programs) -> None:
    added = installed.hook("on-intake", message="count the files in this folder")

    assert (added.code, added.err) == (0, "")
    assert "📋 Added T-001 to queue [here]" in str(added.json["reply"])


def test_command_works_where_the_wheel_is_installed(installed: Programs) -> None:
    from_path = installed.run(["model-queue", "doctor", "--json"])
    from_bundle = installed.cli("doctor", "--json")

    assert (from_path.code, from_path.err) == (0, "")
    assert from_bundle.json == from_path.json
