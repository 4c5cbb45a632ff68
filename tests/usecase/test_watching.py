"""What a pass makes of the sessions that hold tasks: clocks, stops, losses."""

from __future__ import annotations

import datetime as dt
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Barrier

import pytest

from cores import a_core, add, get, launcher_of, tick
from fakes import START, RecordingLauncher, SequentialIds, a_task
from model_queue import completion, dispatch, watching
from model_queue.core import Core
from model_queue.model import ErrorClass, Outcome, Status, Task
from model_queue.ports import Session, SessionState
from model_queue.stores.files import FilesStore
from model_queue.watching import HostSession, Listing

SECOND = dt.timedelta(seconds=1)
DAY = dt.timedelta(days=1)
LEASE_S, LIMIT_S = 120, 1800
SUCCESS = Outcome(result_status="success", result="42 rows", summary="42 rows")
TIMEOUT = Outcome(
    result_status="failed", error_class=ErrorClass.TIMEOUT, error_message="too long"
)


def running(core: Core) -> Task:
    """Add a task and let it start."""
    [added] = add(core, a_task(""))
    tick(core, carries_actions=True)
    return get(core, added.id)


def stopping(core: Core) -> Task:
    """Return a task whose session was told to stop and is not seen gone."""
    task = running(core)
    if launcher_of(core, task.queue).is_host:
        completion.attach(core, task, "session-7", label=str(task.label), now=START)
    completion.complete(
        core, task, TIMEOUT, label=str(task.label), is_gone=False, now=START
    )
    return get(core, task.id)


def says(core: Core, task: Task, session: Session) -> None:
    launcher_of(core, task.queue).sessions[str(task.label)] = session


@pytest.mark.parametrize("jump", [DAY, -DAY, 365 * DAY])
def test_no_clock_expires_a_local_session_that_lives(
    tmp_path: Path, jump: dt.timedelta
) -> None:
    core = a_core(tmp_path)
    before = running(core)

    tick(core, START + jump)
    tick(core, START + jump)

    after = get(core, before.id)
    assert after.status is Status.RUNNING
    assert (after.label, after.losses) == (before.label, 0)
    assert launcher_of(core, before.queue).stopped == []


def test_a_local_session_that_is_told_to_stop_keeps_its_slot_whatever_the_clock_says(
    tmp_path: Path,
) -> None:
    core = a_core(tmp_path)
    task = stopping(core)

    tick(core, START + 365 * DAY)

    assert get(core, task.id).is_stopping


def test_what_a_stopped_session_had_to_say_is_kept_when_its_slot_is_freed(
    tmp_path: Path,
) -> None:
    """Its supervisor was killed between the outcome and the report of it."""
    core = a_core(tmp_path)
    task = stopping(core)
    label = str(task.label)
    says(core, task, Session(SessionState.ENDED, session_id=label, outcome=SUCCESS))

    tick(core)

    kept = tmp_path / "results" / "T-001.a1.late.md"
    assert kept.read_text() == "42 rows"
    assert get(core, task.id).claim is None


def test_an_end_that_is_told_again_finds_a_task_that_moved_to_the_fallback(
    tmp_path: Path,
) -> None:
    core = a_core(tmp_path, ollama_local={"fallback": "cloud-nvidia"})
    task = running(core)
    label = str(task.label)
    quota = replace(TIMEOUT, error_class=ErrorClass.QUOTA)
    moved = completion.complete(core, task, quota, label=label, now=START).task

    again = completion.complete(core, task, SUCCESS, label=label, now=START)

    assert moved.queue == "cloud-nvidia"
    assert again.is_late
    assert again.task == moved


def test_an_attach_of_an_older_attempt_stops_that_session_and_moves_nothing(
    tmp_path: Path,
) -> None:
    core = a_core(tmp_path, host=True)
    old = running(core)
    watching.lose(core, old, now=START)
    tick(core, carries_actions=True)
    before = get(core, old.id)

    done = completion.attach(core, old, "session-7", label=str(old.label), now=START)

    assert done.is_late
    assert [(a["type"], a["session_id"]) for a in done.actions] == [
        ("stop", "session-7")
    ]
    assert get(core, old.id) == before


def hosted(tmp_path: Path) -> tuple[Core, Task]:
    """Return a task that a host's session runs, since ``START``."""
    core = a_core(tmp_path, host=True)
    task = running(core)
    completion.attach(core, task, "session-7", label=str(task.label), now=START)
    return core, get(core, task.id)


def test_a_jump_of_the_clock_gives_every_host_session_one_lease_to_answer(
    tmp_path: Path,
) -> None:
    core, task = hosted(tmp_path)
    now = START + DAY

    first = tick(core, now, carries_actions=True)
    just_before = tick(core, now + (LEASE_S - 1) * SECOND, carries_actions=True)
    kept = get(core, task.id)
    tick(core, now + LEASE_S * SECOND, carries_actions=True)

    assert [action["type"] for action in first.actions] == ["poll"]
    assert just_before.actions == []
    assert (kept.status, kept.losses) == (Status.RUNNING, 0)
    assert get(core, task.id).losses == 1


def test_a_host_that_answers_after_a_jump_loses_nothing(tmp_path: Path) -> None:
    core, task = hosted(tmp_path)
    tick(core, START + DAY, carries_actions=True)

    dispatch.tick(
        core,
        now=START + DAY + LEASE_S * SECOND,
        carries_actions=True,
        listing=Listing([HostSession("session-7", is_ended=False)]),
    )

    assert get(core, task.id).losses == 0


def test_a_host_session_with_a_lease_from_a_later_clock_does_not_hang(
    tmp_path: Path,
) -> None:
    core, task = hosted(tmp_path)
    back = START - DAY

    tick(core, back, carries_actions=True)
    polled = tick(core, back + LEASE_S * SECOND, carries_actions=True)
    limit = (LIMIT_S + 2 * LEASE_S) * SECOND
    tick(core, back + limit, carries_actions=True)
    tick(core, back + limit + LEASE_S * SECOND, carries_actions=True)

    assert [action["type"] for action in polled.actions] == ["poll"]
    assert get(core, task.id).losses == 1


def test_a_jump_of_the_clock_frees_no_slot_of_a_host_session_that_is_told_to_stop(
    tmp_path: Path,
) -> None:
    core = a_core(tmp_path, host=True)
    task = stopping(core)
    now = START + DAY

    first = tick(core, now, carries_actions=True)
    tick(core, now + (LEASE_S - 1) * SECOND, carries_actions=True)
    kept = get(core, task.id)
    tick(core, now + LEASE_S * SECOND, carries_actions=True)

    assert "stop" in [action["type"] for action in first.actions]
    assert kept.is_stopping
    assert kept.label == task.label
    assert not get(core, task.id).is_stopping


def test_a_host_that_never_says_that_a_session_stopped_does_not_hold_a_slot_for_ever(
    tmp_path: Path,
) -> None:
    core = a_core(tmp_path, host=True)
    task = stopping(core)
    limit = (LIMIT_S + LEASE_S) * SECOND

    tick(core, START + limit - SECOND, carries_actions=True)
    before = get(core, task.id)
    tick(core, START + limit, carries_actions=True)
    tick(core, START + limit + LEASE_S * SECOND, carries_actions=True)

    assert before.is_stopping
    assert get(core, task.id).label != task.label


def test_a_session_on_this_machine_is_none_of_the_hosts_after_its_source_was_given_away(
    tmp_path: Path,
) -> None:
    core = a_core(tmp_path)
    task = running(core)
    folder = Path(core.folder.session_dir(str(task.label)))
    folder.mkdir(parents=True)
    (folder / "session.json").write_text("{}")
    launcher = launcher_of(core, task.queue)
    launcher.is_host = True

    done = dispatch.tick(
        core,
        now=START + DAY,
        carries_actions=True,
        listing=Listing(is_complete=True),
    )

    assert get(core, task.id).losses == 0
    assert done.actions == []


def test_a_hosts_session_is_not_taken_for_gone_when_its_source_gets_a_local_launcher(
    tmp_path: Path,
) -> None:
    core, task = hosted(tmp_path)
    core = core._replace(launchers={task.queue: RecordingLauncher()})

    tick(core, START + SECOND)

    after = get(core, task.id)
    assert (after.status, after.losses) == (Status.RUNNING, 0)


def on_disk(tmp_path: Path) -> Core:
    core = a_core(tmp_path, open_queues=False)
    store = FilesStore(str(tmp_path), ids=SequentialIds())
    store.open_queues(a_core(tmp_path).store.queues(), now=START)
    return core._replace(store=store)


def lose_together(core: Core, task: Task) -> None:
    """Let eight passes see at the same time that a session is gone."""
    start = Barrier(8)

    def lose(_: int) -> None:
        start.wait()
        watching.lose(core, task, now=START)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lose, range(8)))


@pytest.mark.slow
def test_a_loss_that_several_passes_see_counts_once(tmp_path: Path) -> None:
    core = on_disk(tmp_path)
    task = running(core)

    lose_together(core, task)

    assert get(core, task.id).losses == 1


@pytest.mark.slow
def test_five_losses_that_several_passes_see_fail_the_task_and_say_so_once(
    tmp_path: Path,
) -> None:
    core = on_disk(tmp_path)
    task = running(core)
    for _ in range(5):
        lose_together(core, task)
        launcher_of(core, task.queue).sessions.clear()
        tick(core)
        task = get(core, task.id)

    assert task.status is Status.FAILED
    assert (task.failure_reason, task.losses, task.attempt) == ("lost", 5, 5)
    notices = core.store.take_notices(chat=("", "", ""), limit=10, now=START)
    assert [notice.kind for notice in notices] == ["failed"]


def test_a_start_that_never_came_is_lost_after_its_window_and_cannot_come_any_more(
    tmp_path: Path,
) -> None:
    core = a_core(tmp_path)
    [added] = add(core, a_task(""))
    [task] = core.store.claim(
        added.queue, limit=1, lease=dt.timedelta(seconds=LEASE_S), now=START
    )

    tick(core, START + (LEASE_S - 1) * SECOND)
    before = get(core, task.id)
    tick(core, START + LEASE_S * SECOND)

    assert (before.label, before.losses) == (task.label, 0)
    assert get(core, task.id).losses == 1
    assert launcher_of(core, task.queue).given_up == [task.label]


def test_a_start_that_comes_while_it_is_given_up_is_no_loss(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    core = a_core(tmp_path)
    [added] = add(core, a_task(""))
    [task] = core.store.claim(
        added.queue, limit=1, lease=dt.timedelta(seconds=LEASE_S), now=START
    )
    launcher, label = launcher_of(core, task.queue), str(task.label)
    late = Session(state=SessionState.LIVE, session_id=label)
    monkeypatch.setattr(launcher, "give_up", lambda _: late)

    tick(core, START + LEASE_S * SECOND)

    found = get(core, task.id)
    assert (found.losses, found.label) == (0, label)
    assert found.subagent_session == label
    assert launcher.stopped == []


def test_a_session_that_was_started_but_not_attached_is_adopted(tmp_path: Path) -> None:
    core = a_core(tmp_path)
    [added] = add(core, a_task(""))
    [task] = core.store.claim(
        added.queue, limit=1, lease=dt.timedelta(seconds=LEASE_S), now=START
    )
    says(core, task, Session(SessionState.LIVE, session_id=str(task.label)))

    tick(core, START + LEASE_S * SECOND)
    adopted = get(core, task.id)
    says(core, task, Session(SessionState.ENDED, outcome=SUCCESS))
    tick(core, START + DAY)

    after = get(core, task.id)
    assert adopted.subagent_session == task.label
    assert (after.status, after.attempt) == (Status.DONE, 1)
