"""Ids that several tasks have: what other queues made of them, and what becomes here.

Each docstring names the case and the public report that it comes from.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from cores import a_core, add, tick
from fakes import START, SequentialIds, a_task
from hosting import Host, actions, seed_task, tasks_of
from model_queue import settling
from model_queue.model import JsonObject, Status
from model_queue.store import Batch, Draft, Query, QueueMeta
from model_queue.stores.files import FilesStore

LOCAL, CLOUD = "ollama-local", "cloud-nvidia"


@pytest.fixture
def two_machines(tmp_path: Path) -> tuple[Host, Host]:
    """Two machines that know nothing of each other."""
    homes = [tmp_path / name for name in ("here", "there")]
    for home in homes:
        home.mkdir()
    here, there = map(Host.open, homes)
    return here, there


def stored(host: Host, source: str) -> list[JsonObject]:
    """Return the tasks of a queue file."""
    tasks = host.chat.queue(source)["tasks"]
    assert isinstance(tasks, list)
    return [task for task in tasks if isinstance(task, dict)]


def labels(answer: JsonObject) -> list[str]:
    return [str(spawn["label"]) for spawn in actions(answer, "spawn")]


@pytest.mark.slow
def test_tasks_of_two_machines_stay_two_when_their_files_are_put_together(
    two_machines: tuple[Host, Host],
) -> None:
    """B047, gastownhall/beads#4796: two hosts made one id, and no merge was possible."""
    here, there = two_machines
    ours = tasks_of(here.say("use qwen2.5: write a poem"))[0]
    theirs = tasks_of(there.say("use glm5: write a song"))[0]
    with_theirs = (there.queues / f"{CLOUD}.json").read_bytes()
    (here.queues / f"{CLOUD}.json").write_bytes(with_theirs)
    here.beat()

    for host, text in ((here, "A poem."), (there, "A song.")):
        label = host.spawned["T-001"]["label"]
        here.chat.exit(str(label), result=text)

    assert ours["id"] == theirs["id"] == "T-001"
    assert ours["uuid"] != theirs["uuid"]
    results = [[t["result"] for t in stored(here, name)] for name in (LOCAL, CLOUD)]
    assert results == [["A poem."], ["A song."]]
    # What was given elsewhere is not given again here.
    assert tasks_of(here.say("use glm5: write a tale"))[0]["id"] == "T-002"


@pytest.mark.slow
def test_an_id_that_one_file_holds_twice_runs_under_two_labels(host: Host) -> None:
    """B047, gastownhall/beads#4796: the id is an alias, the uuid tells them apart."""
    host.put(
        LOCAL,
        seed_task("T-001", uuid="11111111-0000-4000-8000-000000000001"),
        seed_task("T-001", uuid="22222222-0000-4000-8000-000000000002"),
        maxConcurrent=2,
    )

    started = labels(host.beat())
    host.chat.exit(started[1], result="Of the second.")

    assert started == ["mq-t-001-a1-11111111", "mq-t-001-a1-22222222"]
    assert [(task["status"], task["result"]) for task in stored(host, LOCAL)] == [
        ("running", None),
        ("done", "Of the second."),
    ]


def a_store(folder: Path) -> FilesStore:
    store = FilesStore(str(folder), ids=SequentialIds())
    metas = [QueueMeta(source=name, models=("m/1",)) for name in (LOCAL, CLOUD)]
    store.open_queues(metas, now=START)
    return store


def test_no_id_is_given_twice_whatever_was_lost_in_between(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B049, hmans/beans#211: of 6000 short random ids some met."""
    monkeypatch.setattr(os, "fsync", lambda _: None)
    given: list[str] = []

    for n in range(60):
        store = a_store(tmp_path)
        task = a_task("", queue=(LOCAL, CLOUD)[n % 2], status=Status.DONE)
        given += [
            t.id for t in store.commit(Batch(drafts=[Draft(task)]), now=START).tasks
        ]
        match n % 6:
            case 1:
                (tmp_path / ".state" / "counter").unlink()
            case 3:
                store.archive(before=START.replace(year=2030), now=START)
            case 5:
                (tmp_path / ".state" / "counter").write_text("{", encoding="utf-8")
                wire = json.loads((tmp_path / f"{LOCAL}.json").read_text("utf-8"))
                text = json.dumps(wire | {"lastId": None})
                (tmp_path / f"{LOCAL}.json").write_text(text, "utf-8")
            case _:
                pass

    assert given == [f"T-{n:03d}" for n in range(1, 61)]


@pytest.mark.slow
def test_doubled_ids_are_found_by_the_doctor(host: Host) -> None:
    """B049, hmans/beans#211: the check command stayed green."""
    host.put(LOCAL, seed_task("T-001"), seed_task("T-002"), seed_task("T-002"))
    host.put(CLOUD, seed_task("T-001"), seed_task("T-003"))

    said = host.chat.programs.cli("doctor").out

    assert "several queues hold a task T-001" in said
    assert "Say cloud-nvidia/T-001 or ollama-local/T-001" in said
    assert "the queue ollama-local holds T-002 2 times" in said
    assert "T-003" not in said


@pytest.fixture
def doubled(host: Host) -> Host:
    """A host with an id in two queues, and one that is held by one task only."""
    later = "2030-01-01T00:00:00Z"
    host.put(LOCAL, seed_task("T-001", not_before=later), seed_task("T-002"))
    host.put(CLOUD, seed_task("T-001", not_before=later))
    return host


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ["status"],
        ["list"],
        ["show", "T-002"],
        ["show", "cloud-nvidia/T-001"],
        ["logs", "T-002"],
        ["cancel", "T-002"],
        ["tick"],
    ],
    ids=" ".join,
)
def test_one_doubled_id_makes_no_other_command_fail(
    doubled: Host, words: Sequence[str]
) -> None:
    """B050, gastownhall/beads#5106: one duplicate made every command fail."""
    ran = doubled.chat.programs.cli(*words)

    assert (ran.code, ran.err) == (0, "")


@pytest.mark.slow
def test_one_doubled_id_holds_up_no_message_and_no_pass(doubled: Host) -> None:
    """B050, gastownhall/beads#5106: the others are served."""
    added = tasks_of(doubled.say("use qwen2.5: write a poem"))
    ended = doubled.end("T-002", result="All.")

    assert [task["id"] for task in added] == ["T-003"]
    assert ended["dispatched"] == ["T-003"]


def test_both_tasks_of_an_id_in_one_file_are_settled(tmp_path: Path) -> None:
    """B050, gastownhall/beads#5106: the second must not hide the first."""
    core = a_core(tmp_path)
    host = Host.open(tmp_path)
    waiting = seed_task("T-002", status="waiting", depends_on="T-001")
    again = {**waiting, "description": "Write the report"}
    host.put(LOCAL, seed_task("T-001", status="done"), waiting, again)
    store = FilesStore(str(host.queues), ids=SequentialIds())

    settling.settle(core._replace(store=store), now=START)

    tasks = store.select(Query())
    assert [task.status for task in tasks if task.id == "T-002"] == [Status.PENDING] * 2


def test_a_number_that_only_a_dependency_names_is_given_in_its_turn(
    tmp_path: Path,
) -> None:
    """B049, hmans/beans#211: else a mistyped ``T-9999999`` would use up all numbers."""
    core = a_core(tmp_path)
    waiting = replace(a_task(""), status=Status.WAITING, depends_on=("T-002",))
    add(core, waiting)
    tick(core)

    [task] = add(core, replace(a_task(""), id=""))

    assert task.id == "T-002"
