"""Queue files that are broken or edited while the real hooks and sessions run.

Each session writes its start and its end into one log: what ran, and what ran beside
what, is judged by that log alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from chat import TOOLS, Chat
from hosting import seed_queue, seed_task
from model_queue.model import JsonObject
from programs import ROOT, Programs
from waiting import eventually

pytestmark = pytest.mark.slow

SOURCES = ("ollama-local", "ollama-remote", "cloud-nvidia")
MESSAGES = (
    "use qwen2.5: count {n}",
    "use qwen3.5:27b: count {n}",
    "use glm5: count {n}",
)
GARBAGE = {
    "nothing": b"",
    "a truncated file": b'{"version": "1.0", "tasks": [{"id": "T-00',
    "zeros": b"\0" * 4096,
    "a list": b"[]",
    "wrong types": b'{"tasks": {"T-001": 1}}',
    "a mark and nonsense": b"\xef\xbb\xbf\x80garbage",
}


class Site:
    """Three queues whose sessions report into one log."""

    def __init__(self, home: Path, *, seconds: str = "0.3") -> None:
        self.log = home / "sessions.log"
        self.log.touch()
        work = (
            f"cat >/dev/null; echo start {{label}} >>{self.log}; sleep {seconds}; "
            f"echo end {{label}} >>{self.log}; echo 'Summary: done'"
        )
        command = json.dumps(["sh", "-c", work])
        toml = "".join(
            f'[sources.{source}]\nlauncher = "command"\ncommand = {command}\n'
            for source in SOURCES
        )
        path = f"{ROOT / 'scripts'}:{Programs(home).path}"
        self.programs = Programs(home=home, path=path)
        self.programs.configure(TOOLS, toml)
        self.chat = Chat(self.programs)

    def file(self, source: str = "ollama-local") -> Path:
        return self.programs.queues / f"{source}.json"

    def tasks(self, source: str = "ollama-local") -> list[JsonObject]:
        found: list[JsonObject] = json.loads(text_of(self.file(source)))["tasks"]
        return found

    def is_done(self, source: str = "ollama-local") -> bool:
        return all(task["status"] == "done" for task in self.tasks(source))

    def started(self) -> list[str]:
        """Return the labels of all sessions that ever began, in order."""
        lines = self.log.read_text().splitlines()
        return [line.split()[1] for line in lines if line.startswith("start")]

    def run_told_command(self, text: str) -> str:
        """Run the very command line that a message names; return what it says."""
        told = re.search(r"`(model-queue doctor --restore [^`]+)`", text)
        assert told is not None, text
        ran = self.programs.run(["sh", "-c", told[1]])
        assert ran.code == 0, ran
        return ran.out

    def check_log(self, source: str) -> None:
        """Check that each task of a queue ran once, and never two at the same time."""
        ids = {str(task["id"]).lower() for task in self.tasks(source)}
        open_ones: list[str] = []
        seen: list[str] = []
        for line in self.log.read_text().splitlines():
            what, label = line.split()
            if label[3:8] not in ids:
                continue
            if what == "start":
                assert open_ones == [], line
                seen.append(label[3:8])
                open_ones.append(label)
            else:
                open_ones.remove(label)
        assert sorted(seen) == sorted(ids)
        assert open_ones == []


def text_of(path: Path) -> bytes:
    """Return what a queue file holds; in the middle of a commit it has no name."""

    def read() -> bytes | None:
        with suppress(FileNotFoundError):
            return path.read_bytes()
        return None

    return eventually(read)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    site = Site(tmp_path)
    yield site
    site.chat.wait_for_sessions()


@pytest.mark.parametrize("garbage", GARBAGE.values(), ids=GARBAGE)
def test_garbage_in_one_queue_is_put_right_by_the_command_that_is_told(
    site: Site, garbage: bytes
) -> None:
    for n in range(2):
        for message in MESSAGES:
            site.chat.say(message.format(n=n))
    eventually(lambda: len(site.started()) >= len(SOURCES))

    site.file().write_bytes(garbage)
    eventually(lambda: all(map(site.is_done, SOURCES[1:])))
    told = str(site.chat.heartbeat()["reply"])
    again = str(site.chat.heartbeat()["reply"])
    left = site.file().read_bytes()
    said = site.run_told_command(told)

    assert left == garbage
    # In the very moment of a commit it is an edit that does not parse.
    assert re.search("does not parse at line 1, column |middle of a commit", told)
    assert re.search(r"which (would bring back|takes the other text,) 2 tasks \(", told)
    assert "ollama-local.json" not in again
    assert said.startswith("✅ ollama-local goes on with 2 tasks (")
    [aside] = site.programs.queues.glob(".state/broken/*")
    assert aside.read_bytes() == garbage
    assert f"Kept beside: {aside}\n" in said
    eventually(site.is_done)
    site.chat.wait_for_sessions()
    for source in SOURCES:
        site.check_log(source)


@pytest.mark.parametrize("is_over", [False, True], ids=["lives", "is over"])
@pytest.mark.parametrize("has_uuid", [True, False], ids=["uuid", "no uuid"])
def test_session_that_the_version_knows_nothing_of_runs_once(
    tmp_path: Path, *, is_over: bool, has_uuid: bool
) -> None:
    site = Site(tmp_path, seconds="0.1" if is_over else "1.5")
    site.chat.say("use qwen2.5: count")
    eventually(site.started)
    if is_over:
        eventually(site.is_done)
    site.file().write_bytes(b"garbage")
    [label] = site.started()
    # As of before the claim; the second task would be the first to get a free slot.
    first = seed_task("T-001", uuid=f"{label[-8:]}-0000-4000-8000-000000000001")
    if not has_uuid:
        del first["uuid"]
    queue = seed_queue("ollama-local", first, seed_task("T-002", priority=9))
    backup = site.programs.queues / ".state/backup/ollama-local.json"
    backup.write_text(json.dumps(queue), encoding="utf-8")

    site.run_told_command(str(site.chat.heartbeat()["reply"]))

    eventually(site.is_done)
    site.chat.wait_for_sessions()
    site.check_log("ollama-local")
    assert site.started()[0] == label


def test_queue_that_breaks_again_in_the_same_way_is_told_again(site: Site) -> None:
    site.chat.say("use qwen2.5: count")
    eventually(site.is_done)
    site.chat.wait_for_sessions()
    for _ in range(2):
        site.file().write_bytes(b"garbage")

        told = str(site.chat.heartbeat()["reply"])

        assert "ollama-local.json does not parse at line 1" in told
        site.run_told_command(told)


def test_queue_file_that_is_gone_is_put_right_by_the_command_that_is_told(
    site: Site,
) -> None:
    for n in range(2):
        site.chat.say(MESSAGES[0].format(n=n))
    eventually(site.started)

    site.file().unlink()
    refused = site.chat.say("use qwen2.5: count once more")
    taken = site.chat.say("use glm5: count")
    is_gone = not site.file().exists()
    told = str(refused["reply"])
    site.run_told_command(told)

    assert is_gone
    assert "ollama-local.json is gone" in told
    assert refused["tasks"] == []
    assert taken["tasks"] != []
    eventually(site.is_done)
    site.chat.wait_for_sessions()
    site.check_log("ollama-local")


def edit(path: Path, note: int, *, by_rename: bool) -> None:
    """Write a note and turn the priorities, as a person or their editor does."""
    wire = json.loads(text_of(path))
    wire["x_note"] = note
    for task in wire["tasks"]:
        task["priority"] = note
    text = json.dumps(wire, indent=2)
    if by_rename:
        beside = path.with_name(".edited")
        beside.write_text(text, encoding="utf-8")
        beside.replace(path)
    else:
        path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("by_rename", [True, False], ids=["rename", "in place"])
def test_edits_in_the_middle_of_running_hooks_stay(
    site: Site, *, by_rename: bool
) -> None:
    for n in range(3):
        site.chat.say(MESSAGES[0].format(n=n))

    def hooks(n: int) -> None:
        site.programs.hook("on-heartbeat")
        site.programs.hook("on-intake", message=MESSAGES[1].format(n=n))

    with ThreadPoolExecutor(2) as pool:
        for note in range(1, 11):
            calls = [pool.submit(hooks, note)]
            edit(site.file(), note, by_rename=by_rename)
            calls.append(pool.submit(hooks, -note))
            for call in calls:
                call.result()
            assert json.loads(text_of(site.file()))["x_note"] == note
    reply = site.programs.cli("doctor", "--json")
    for problem in reply.objects("problems"):
        site.run_told_command(str(problem["hint"]))
    eventually(site.is_done)
    site.chat.wait_for_sessions()
    site.check_log("ollama-local")
    assert json.loads(text_of(site.file()))["x_note"] == 10
