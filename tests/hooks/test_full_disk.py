"""The queue directory on a real disk of a few megabytes that fills up."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from chat import TOOLS, Chat, error_of
from model_queue.ports import RandomIds
from model_queue.store import Query
from model_queue.stores.files import FilesStore
from waiting import eventually

pytestmark = pytest.mark.slow

SIZE = 4 << 20
SESSION = """\
cat >/dev/null; echo >>$HOME/started; sleep 0.5
printf 'All of it.\\n\\nSummary: done\\n'; echo >>$HOME/ended
"""
TOML = f"""\
[sources.ollama-local]
launcher = "command"
max_concurrent = 2
command = ["sh", "-c", {json.dumps(SESSION)}]
"""
N_TASKS = 10


class Filled:
    """A file that takes all space of its disk, but for some of it."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / ".fill"

    def but(self, left: int) -> None:
        """Leave so many bytes."""
        room = os.statvfs(self._path.parent)
        free = room.f_bavail * room.f_frsize - left
        with self._path.open("ab") as file, suppress(OSError):
            file.write(bytes(max(free, 0)))

    def free(self) -> None:
        """Give all space back."""
        self._path.unlink()


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Chat]:
    """A chat whose queue directory is a small disk of its own."""
    chat = Chat.open(tmp_path, tools=TOOLS, toml=TOML)
    chat.programs.queues.mkdir(mode=0o700)
    if not _mounted(chat.programs.queues):
        pytest.skip("a file system can be mounted by root alone")
    yield chat
    chat.wait_for_sessions()
    umount = str(shutil.which("umount"))
    subprocess.run([umount, "--lazy", chat.programs.queues], check=True)


def _mounted(path: Path) -> bool:
    mount = shutil.which("mount")
    if mount is None:
        return False
    options = ["-t", "tmpfs", "-o", f"size={SIZE},mode=700", "tmpfs", str(path)]
    done = subprocess.run([mount, *options], capture_output=True, check=False)
    return done.returncode == 0


def add_tasks(chat: Chat) -> None:
    """Add ten tasks to a queue that is paused."""
    chat.say("use mistral to summarize file f0")
    eventually(lambda: words(chat) == ["done"])
    chat.say("pause ollama-local")
    lines = [f"{n}. use mistral to summarize file f{n}" for n in range(1, N_TASKS)]
    chat.say("\n".join(lines))


def words(chat: Chat) -> list[str]:
    """Return the statuses of all tasks, none of which has used a retry."""
    store = FilesStore(str(chat.programs.queues), ids=RandomIds())
    tasks = store.select(Query())
    assert {(task.retries, task.losses) for task in tasks} <= {(0, 0)}
    return [task.status.value for task in tasks]


def all_done(chat: Chat) -> bool:
    chat.programs.cli("tick")
    return words(chat) == ["done"] * N_TASKS


def test_tasks_wait_for_a_disk_that_is_low_and_then_run(small: Chat) -> None:
    add_tasks(small)
    fill = Filled(small.programs.queues)

    fill.but(256 << 10)
    small.say("resume ollama-local")
    small.heartbeat()
    started = [path.name for path in small.programs.queues.glob("sessions/*")]

    assert len(started) == 1

    fill.free()

    eventually(lambda: all_done(small), within_s=60)


def test_what_a_full_disk_refuses_leaves_all_as_it_was(small: Chat) -> None:
    add_tasks(small)
    before = words(small)
    fill = Filled(small.programs.queues)

    fill.but(0)
    ran = small.programs.hook("on-intake", message="queue this: summarize the mail")

    error = error_of("on-intake", ran)
    assert (ran.code, error["code"]) == (7, "store")
    assert "the disk is full" in str(error["message"])
    assert words(small) == before
    assert small.programs.cli("status", "--json").code == 0

    fill.free()
    small.say("queue this: summarize the mail")

    assert words(small) == [*before, "pending"]


def test_a_read_only_disk_still_tells_what_it_holds(small: Chat) -> None:
    add_tasks(small)
    before = words(small)

    with read_only(small.programs.queues):
        ran = small.programs.hook("on-intake", message="queue this: summarize the mail")
        status = small.programs.cli("status", "--json")
        tick = small.programs.cli("tick", "--json")

    error = error_of("on-intake", ran)
    assert (ran.code, error["code"]) == (7, "store")
    assert "the disk is read-only" in str(error["message"])
    assert (status.code, status.err) == (0, "")
    assert f"T-{N_TASKS:03}" in status.out
    assert tick.code in {0, 7}
    assert words(small) == before


@contextmanager
def read_only(path: Path) -> Iterator[None]:
    mount = str(shutil.which("mount"))
    subprocess.run([mount, "-o", "remount,ro", path], check=True)
    yield
    subprocess.run([mount, "-o", "remount,rw", path], check=True)


def test_sessions_that_end_on_a_full_disk_lose_nothing(small: Chat) -> None:
    add_tasks(small)
    fill = Filled(small.programs.queues)

    small.say("resume ollama-local")
    eventually(lambda: n_sessions(small, "started") == 3)
    fill.but(0)
    eventually(lambda: n_sessions(small, "ended") == 3)
    small.programs.cli("tick")

    assert words(small).count("running") == 2

    fill.free()

    eventually(lambda: all_done(small), within_s=60)
    assert n_sessions(small, "started") == N_TASKS


def test_sessions_that_start_while_the_disk_fills_up_lose_nothing(small: Chat) -> None:
    add_tasks(small)
    fill = Filled(small.programs.queues)

    small.say("resume ollama-local")
    fill.but(0)
    small.programs.cli("tick")
    fill.free()

    eventually(lambda: all_done(small), within_s=60)


def n_sessions(chat: Chat, name: str) -> int:
    """Count the sessions that said so, on another disk."""
    path = chat.programs.home / name
    return path.read_text("utf-8").count("\n") if path.exists() else 0
