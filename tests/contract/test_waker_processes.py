"""The waker as a process: one per directory, whatever is killed, removed or broken."""

from __future__ import annotations

import datetime as dt
import os
import shutil
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from fakes import START, SequentialIds, a_task
from model_queue import detached, processes, waker
from model_queue.model import Status, TaskRef
from model_queue.ports import SystemClock
from model_queue.store import Batch, Draft, QueueMeta
from model_queue.stores.files import FilesStore
from waiting import eventually

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not processes.has_environments(), reason="looks into /proc for its processes"
    ),
]

FAR = f"{START.timestamp() * 2}\n"
NOW = "1.0\n"


class Site:
    """A queue directory, and what runs for it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.queues = path / "queues"
        self.tools = path / "TOOLS.md"
        self.tools.write_text("")
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(path),
            "MODEL_QUEUES_DIR": str(self.queues),
            "MODEL_QUEUE_TOOLS_MD": str(self.tools),
            "MODEL_QUEUE_TOML": str(path / "task-queue.toml"),
        }
        self.set_due(FAR)

    @property
    def state(self) -> Path:
        return self.queues / ".state"

    def set_due(self, text: str) -> None:
        self.state.mkdir(parents=True, exist_ok=True)
        beside = self.state / f"due.{threading.get_ident()}"
        beside.write_text(text)
        beside.replace(self.state / "due")

    def due(self) -> str:
        path = self.state / "due"
        return path.read_text() if path.exists() else ""

    def ensure(self) -> bool:
        return waker.ensure(
            str(self.queues), config_cwd=str(self.path), environment=self.environment
        )

    def wakers(self) -> list[int]:
        """Return the pids of the wakers that live, their short-lived starters aside."""
        wanted = [os.fsencode(word) for word in ("waker", self.queues)]
        found: list[int] = []
        for path in Path("/proc").glob("[0-9]*"):
            try:
                words = (path / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            process = processes.find_process(int(path.name))
            if words[4:6] != wanted or process is None or process.is_dead:
                continue
            if process.session == process.pid:
                found.append(process.pid)
        return found

    def waker(self) -> int:
        """Return the pid of the one waker."""
        [pid] = eventually(self.wakers)
        return pid

    def is_idle(self) -> bool:
        return not self.wakers() and not waker.is_running(str(self.queues))

    def log(self) -> str:
        path = self.state / "waker.log"
        return path.read_text() if path.exists() else ""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    site = Site(tmp_path)
    yield site
    site.set_due("")
    eventually(site.is_idle)
    eventually(lambda: detached.reap() == 0)


def end(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
    eventually(lambda: is_gone(pid))


def is_gone(pid: int) -> bool:
    found = processes.find_process(pid)
    return found is None or found.is_dead


def test_callers_in_a_race_start_one(site: Site) -> None:
    with ThreadPoolExecutor(8) as pool:
        started = list(pool.map(lambda _: site.ensure(), range(64)))

    assert started.count(True) == 1
    assert site.waker()


def test_never_two_while_callers_race_and_wakers_are_killed(site: Site) -> None:
    is_over = threading.Event()
    counts: list[int] = []
    killed: list[int] = []

    def ask() -> None:
        while not is_over.is_set():
            site.ensure()
            is_over.wait(0.003)

    def kill() -> None:
        for round_number in range(40):
            is_over.wait(0.001 * (round_number % 20))
            pids = site.wakers()
            counts.append(len(pids))
            for pid in pids:
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)

    with ThreadPoolExecutor(9) as pool:
        for _ in range(8):
            pool.submit(ask)
        pool.submit(kill).result()
        is_over.set()
    # Until a killed process is gone it still holds its lock.
    eventually(lambda: all(is_gone(pid) for pid in killed))
    site.ensure()

    assert len(killed) > 10
    assert max(counts) == 1
    assert site.waker() not in killed


def test_the_next_caller_replaces_one_that_was_killed(site: Site) -> None:
    site.ensure()
    first = site.waker()

    end(first)
    started = site.ensure()

    assert started
    assert site.waker() != first


def test_one_whose_directory_is_gone_ends_and_does_not_make_it_again(
    site: Site,
) -> None:
    site.ensure()
    pid = site.waker()

    shutil.rmtree(site.queues)

    eventually(lambda: is_gone(pid))
    assert not site.queues.exists()


def test_a_directory_made_anew_gets_one_of_its_own(site: Site) -> None:
    site.ensure()
    old = site.waker()
    shutil.rmtree(site.queues)

    site.set_due(FAR)
    site.ensure()

    eventually(lambda: is_gone(old))
    eventually(lambda: len(site.wakers()) == 1)


def test_one_whose_lock_file_was_replaced_gives_way(site: Site) -> None:
    site.ensure()
    old = site.waker()
    lock = Path(waker.lock_path(str(site.queues)))

    lock.unlink()
    started = site.ensure()

    eventually(lambda: is_gone(old))
    assert started
    # The new one has the lock from its starter on, and shows itself a little later.
    assert site.waker() != old


def test_a_configuration_that_does_not_parse_is_outlived(site: Site) -> None:
    site.tools.write_text("MODEL_QUEUE_MAX_RETRIES=many\n")
    site.set_due(NOW)
    site.ensure()
    pid = site.waker()
    eventually(lambda: "MODEL_QUEUE_MAX_RETRIES" in site.log())

    site.tools.write_text("")

    eventually(lambda: is_gone(pid))
    assert site.due() == ""


def test_a_broken_queue_keeps_no_other_from_its_pass(site: Site) -> None:
    site.tools.write_text("MODEL_SOURCE_WELL=x/y\nMODEL_SOURCE_BROKEN=x/z\n")
    (site.path / "task-queue.toml").write_text(
        "".join(
            f'[sources.{name}]\nlauncher = "command"\ncommand = ["cat"]\n'
            for name in ("well", "broken")
        )
    )
    now = SystemClock().now()
    store = FilesStore(str(site.queues), ids=SequentialIds())
    metas = [QueueMeta(source="well"), QueueMeta(source="broken")]
    store.open_queues(metas, now=now)
    task = a_task("", queue="well", model="x/y", not_before=now)
    [added] = store.commit(Batch(drafts=[Draft(task=task)]), now=now).tasks
    (site.queues / "broken.json").write_text("{")
    site.set_due(NOW)

    site.ensure()

    ref = TaskRef.parse(f"well/{added.id}")
    eventually(lambda: store.get(ref).status is Status.DONE)
    assert (site.queues / "broken.json").read_text() == "{"


OUTER = ("CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "OPENCLAW_SHELL", "GEMINI_CLI")


def test_it_sees_nothing_of_the_runtime_or_the_session_that_asked_for_it(
    site: Site,
) -> None:
    own = {**site.environment, "CODEX_HOME": "/mine"}
    outer = {**dict.fromkeys(OUTER, "1"), **dict.fromkeys(detached.SESSION_VARIABLES)}
    site.environment = {**own, **{name: value or "x" for name, value in outer.items()}}
    site.ensure()

    lines = Path(f"/proc/{site.waker()}/environ").read_bytes().split(b"\0")

    seen = {line.decode().partition("=")[0] for line in lines if line}
    assert seen - {"LC_CTYPE"} == set(own)


def test_it_ends_with_the_last_thing_that_is_due(site: Site) -> None:
    soon = SystemClock().now() + dt.timedelta(seconds=0.3)
    site.set_due(f"{soon.timestamp()}\n")

    site.ensure()

    eventually(site.is_idle)
    assert site.due() == ""
    assert site.log() == ""
