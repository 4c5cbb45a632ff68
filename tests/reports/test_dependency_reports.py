"""Dependencies: what other queues were reported to do wrong, done right here.

Each docstring names the case and the public report that it comes from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from cores import a_core, add, end, get, launcher_of, notices, tick
from fakes import START, SequentialIds, a_task
from hosting import Host, seed_task
from model_queue import adding, inspection, settling, submit
from model_queue.core import Core, parents_of
from model_queue.dependencies import Circles, Lookup, state_of
from model_queue.errors import LaunchError
from model_queue.model import DependencyPolicy, ErrorClass, Outcome, Status, Task
from model_queue.ports import Launch, Started
from model_queue.store import Draft, Query
from model_queue.stores.files import FilesStore
from model_queue.transitions import DependencyState

SUCCESS = Outcome(result_status="success", result="42 rows", summary="42 rows")
BROKEN = Outcome(
    result_status="failed",
    error_class=ErrorClass.BAD_REQUEST,
    error_message="no such column",
)
LONG = 5_000


def first(**fields: object) -> Task:
    return replace(a_task(""), **fields)  # type: ignore[arg-type] # fields are the test's


def after(*places: int, **fields: object) -> Draft:
    return Draft(task=first(status=Status.WAITING, **fields), after=places)


def waits(task_id: str, *refs: str, **fields: object) -> Task:
    return a_task(task_id, status=Status.WAITING, depends_on=refs, **fields)


def say(core: Core, message: str) -> str:
    """Type a message, let a pass follow as the hook does, and return the answer."""
    answer = submit.intake(core, adding.Message(text=message), now=START)
    tick(core)
    return answer.text


def statuses(core: Core) -> dict[str, str]:
    return {task.id: task.status.value for task in core.store.select(Query())}


def problems(core: Core) -> list[str]:
    """Return what ``doctor`` has to tell of the tasks."""
    tasks = core.store.select(Query())
    return [problem.text for problem in inspection.found_in(tasks, parents_of(core))]


@pytest.fixture
def core(tmp_path: Path) -> Core:
    return a_core(tmp_path)


@pytest.mark.slow
def test_a_circle_made_by_hand_is_told_and_can_be_left(host: Host) -> None:
    """B056, CCExtractor/ccsync#308: A->B->C->A could be saved and none be finished."""
    host.put(
        "ollama-local",
        seed_task("T-001", status="waiting", depends_on="T-003"),
        seed_task("T-002", status="waiting", depends_on="T-001"),
        seed_task("T-003", status="waiting", depends_on="T-002"),
    )

    told = str(host.beat()["reply"])
    host.say("unblock T-002")

    assert "⚠️ T-002 blocked — dependency T-001 waits for this task itself" in told
    # Nothing failed that could be tried again.
    assert "retry" not in told
    assert host.statuses("T-001", "T-002", "T-003") == ["waiting", "running", "waiting"]


@pytest.mark.slow
def test_a_circle_is_found_by_the_doctor(host: Host) -> None:
    """B056, CCExtractor/ccsync#308: nobody said which tasks the circle has."""
    host.put(
        "ollama-local",
        seed_task("T-001", status="waiting", depends_on="T-003"),
        seed_task("T-002", status="waiting", depends_on="T-001"),
        seed_task("T-003", status="waiting", depends_on="T-002"),
    )

    said = host.chat.programs.cli("doctor").out

    assert "go round in a circle: T-001 -> T-003 -> T-002 -> T-001" in said
    assert "Say `unblock T-001` or `cancel T-001`" in said


def test_a_new_task_can_name_only_tasks_that_are_there(core: Core) -> None:
    """B056, CCExtractor/ccsync#308: what is not there yet cannot close a circle."""
    said = say(core, "1. write a poem, depends on T-002\n2. translate the poem")

    assert "depends on T-002, which does not exist" in said
    assert statuses(core) == {}


@pytest.mark.slow
def test_a_circle_at_the_root_of_a_long_chain_is_an_error_of_its_members(
    core: Core,
) -> None:
    """B057, BaseIntelligence/bounty-challenge#37195: A<->B recursed without bound."""
    add(core, waits("", "T-002"), waits("", "T-001"))
    add(core, *(waits("", f"T-{n:03d}") for n in range(2, LONG)))

    moved = settling.settle(core, now=START)

    assert moved == LONG
    assert set(statuses(core).values()) == {"blocked"}
    assert get(core, "T-001").blocked_reason == (
        "Dependency T-002 waits for this task itself"
    )
    assert get(core, f"T-{LONG}").blocked_reason == f"Dependency T-{LONG - 1} failed"


@pytest.mark.slow
@pytest.mark.parametrize("rising", [0, 1], ids=["first to last", "last to first"])
def test_a_chain_of_thousands_is_settled_with_work_that_grows_with_it(
    core: Core, rising: int
) -> None:
    """B057, BaseIntelligence/bounty-challenge#37195: the walk must be bounded."""
    drafts = [after(n, priority=n * rising) for n in range(LONG - 1)]
    add(core, Draft(task=first(status=Status.FAILED)), *drafts)

    moved = settling.settle(core, now=START)

    # Each of them is looked at a few times; were each chain walked for each task, this
    # would take minutes.
    assert moved == LONG - 1
    assert get(core, f"T-{LONG}").status is Status.BLOCKED


def test_many_questions_walk_a_chain_once() -> None:
    """B057, BaseIntelligence/bounty-challenge#37195: visited tasks stay visited."""
    tasks = {"T-001": a_task("T-001")}
    tasks |= {
        f"T-{n:03d}": waits(f"T-{n:03d}", f"T-{n - 1:03d}") for n in range(2, 900)
    }
    asked: list[str] = []

    def lookup(ref: str) -> Task | None:
        asked.append(ref)
        return tasks.get(ref)

    circles = Circles(lookup)

    states = {state_of(task, lookup, circles).state for task in tasks.values()}

    assert states == {DependencyState.DONE, DependencyState.OPEN}
    assert len(asked) < 4 * len(tasks)


def test_one_pass_looks_for_circles_once(
    core: Core, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B057, BaseIntelligence/bounty-challenge#37195: not anew for each task."""
    made: list[Circles] = []

    class Counted(Circles):
        def __init__(self, lookup: Lookup) -> None:
            super().__init__(lookup)
            made.append(self)

    monkeypatch.setattr("model_queue.dependencies.Circles", Counted)
    add(core, first(), *(after(n) for n in range(50)))

    settling.settle(core, now=START)

    assert len(made) == 1


@pytest.mark.slow
def test_an_unknown_dependency_is_told_once_and_holds_nothing_else_up(
    host: Host,
) -> None:
    """B058, GothenburgBitFactory/taskwarrior#108: it blocked every further edit."""
    host.put("ollama-local", seed_task("T-002", status="waiting", depends_on="T-404"))

    told, again = str(host.beat()["reply"]), host.beat()["reply"]
    host.say("add task: use qwen2.5 to write a poem")
    host.say("unblock T-002")

    assert told.startswith("⚠️ T-002 blocked — dependency T-404 does not exist")
    assert "retry T-404" not in told
    assert again == "HEARTBEAT_OK"
    assert host.statuses("T-003", "T-002") == ["running", "pending"]


def test_an_unknown_dependency_is_found_by_the_doctor(core: Core) -> None:
    """B058, GothenburgBitFactory/taskwarrior#108: one line for one unknown id."""
    add(core, waits("", "T-404"), waits("", "T-404"), first(status=Status.DONE))

    assert problems(core) == [
        "T-001, T-002 wait for T-404, which no queue and no archive has"
    ]


@pytest.mark.slow
def test_an_archived_done_dependency_counts_as_done(host: Host) -> None:
    """B058, GothenburgBitFactory/taskwarrior#108: a record that was put away."""
    host.put(
        "ollama-local",
        seed_task("T-001", status="done", completed_at="2026-03-04T16:30:00Z"),
    )
    store = FilesStore(str(host.queues), ids=SequentialIds())
    assert store.archive(before=START, now=START) == ["T-001"]

    host.say("use qwen2.5: translate the poem, depends on T-001")

    task = host.task("T-002")
    assert (task["depends_on"], task["status"]) == ("T-001", "running")


@pytest.mark.parametrize(
    ("policy", "status"),
    [("block", "blocked"), ("skip", "skipped"), ("continue", "running")],
)
@pytest.mark.parametrize("verb", ["cancel", "skip"])
def test_policy_is_applied_when_a_dependency_is_called_off(
    core: Core, verb: str, policy: str, status: str
) -> None:
    """B059, ohdearquant/khive#1473: its dependent vanished without a word."""
    say(core, "pause ollama-local")
    add(core, first(), after(0, on_depends_fail=DependencyPolicy(policy)))
    say(core, "resume ollama-local")
    launcher_of(core, "ollama-local").sessions.clear()

    say(core, f"{verb} T-001")
    # The stopped session is seen gone, and its slot is free.
    tick(core)

    assert statuses(core)["T-002"] == status


def test_a_dependent_that_is_held_up_is_listed_with_the_reason(core: Core) -> None:
    """B059, ohdearquant/khive#1473: nothing said why it was not next."""
    add(core, first(), after(0, description="Write the report"))
    say(core, "cancel T-001")

    told = notices(core)

    assert "⚠️ T-002 blocked — dependency T-001 was cancelled" in told
    line = "T-002 🚫 blocked: Write the report — Dependency T-001 was cancelled"
    assert line in say(core, "queue status")
    why = say(core, "why is T-002 blocked?")
    assert "T-002 depends on T-001, which was cancelled" in why
    assert 'To run T-002 without waiting for that: "unblock T-002"' in why


def test_what_never_started_does_not_fail_with_what_it_waits_for(core: Core) -> None:
    """B061, Neko-Catpital-Labs/Invoker#3473: a cancel upstream showed as failures."""
    add(core, first(), after(0), after(1))
    tick(core)

    say(core, "cancel T-001")

    assert statuses(core) == {
        "T-001": "cancelled",
        "T-002": "blocked",
        "T-003": "blocked",
    }
    dependents = [get(core, "T-002"), get(core, "T-003")]
    assert [(t.attempt, t.error_message, t.failure_reason) for t in dependents] == [
        (0, None, None)
    ] * 2
    assert not any("failed after" in text for text in notices(core))


def test_a_task_waits_for_all_of_its_dependencies(core: Core) -> None:
    """B063, cline/kanban#473: it started when any one of them had ended."""
    add(core, first(), first(queue="cloud-nvidia", model="nvidia/z-ai/glm5"))
    add(core, waits("", "T-001", "T-002"))
    tick(core)

    end(core, "T-001", SUCCESS)
    tick(core)
    with_one = get(core, "T-003").status
    end(core, "T-002", SUCCESS)
    tick(core)

    assert (with_one, get(core, "T-003").status) == (Status.WAITING, Status.RUNNING)


@pytest.mark.parametrize(
    "messages",
    [
        ["retry T-002"],
        ["rerun T-002"],
        ["unblock T-002"],
        ["resume T-002"],
        ["pause T-002", "resume T-002"],
        ["cancel T-002", "retry T-002"],
        ["cancel T-002", "rerun T-002"],
        ["skip T-002", "retry T-002"],
        ["set priority of T-002 to 10"],
    ],
    ids=" + ".join,
)
def test_no_command_leads_past_an_open_dependency(
    core: Core, messages: Sequence[str]
) -> None:
    """B064, 777genius/agent-teams-ai#618: it was looked at on creation only."""
    add(core, first(not_before=START.replace(year=2030)), after(0))

    for message in messages:
        say(core, message)

    task = get(core, "T-002")
    assert (task.status, task.attempt) == (Status.WAITING, 0)


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ["attach", "T-002", "agent:main:7f3a"],
        ["complete", "T-002", "--summary", "done"],
        ["fail", "T-002", "--error", "no"],
        ["complete", "T-002", "--summary", "done", "--label", "mq-t-002-a1-00000002"],
    ],
    ids=["attach", "complete", "fail", "complete under a guessed label"],
)
def test_no_report_leads_past_an_open_dependency(
    host: Host, words: Sequence[str]
) -> None:
    """B064, 777genius/agent-teams-ai#618: a status call set a waiting task running."""
    host.put(
        "ollama-local",
        seed_task("T-001", not_before="2030-01-01T00:00:00Z"),
        seed_task("T-002", status="waiting", depends_on="T-001"),
    )

    ran = host.chat.programs.cli(*words)

    assert ran.code in {5, 6}
    assert (host.task("T-002")["status"], host.task("T-002")["result"]) == (
        "waiting",
        None,
    )


@pytest.mark.slow
def test_a_task_is_ready_once_what_it_waits_for_is_done(host: Host) -> None:
    """B066, rrnewton/minibeads#25: it stayed away though all blockers were closed."""
    host.put(
        "ollama-local",
        seed_task("T-001", status="done"),
        seed_task("T-002", status="waiting", depends_on="T-001"),
    )

    assert host.beat()["dispatched"] == ["T-002"]


@pytest.mark.slow
def test_a_blocked_task_is_ready_once_its_dependency_was_closed_by_hand(
    host: Host,
) -> None:
    """B066, rrnewton/minibeads#25: readiness is what the blocker is, not was."""
    blocked = seed_task(
        "T-002",
        status="blocked",
        depends_on="T-001",
        blocked_reason="Dependency T-001 failed",
    )
    host.put("ollama-local", seed_task("T-001", status="done"), blocked)

    assert host.beat()["dispatched"] == ["T-002"]


def test_the_one_that_others_wait_for_is_ready_and_they_are_not(core: Core) -> None:
    """B067, gastownhall/gascity#806: the blocker was filtered out instead."""
    other = {"queue": "cloud-nvidia", "model": "nvidia/z-ai/glm5"}
    add(core, first(), after(0, **other))

    done = tick(core)

    assert [task.id for task in done.dispatched] == ["T-001"]
    assert get(core, "T-002").status is Status.WAITING


@pytest.mark.slow
def test_a_dependent_starts_in_the_pass_that_ends_its_dependency(host: Host) -> None:
    """B069, saltbo/agent-kanban#216: it stayed todo for hours."""
    host.say("use qwen2.5: write a poem, then translate it")

    answer = host.end("T-001", result="A poem.")

    assert answer["dispatched"] == ["T-002"]


def test_why_a_dependent_waits_is_shown(core: Core) -> None:
    """B069, saltbo/agent-kanban#216: nothing explained why."""
    add(core, first(), after(0, description="Write the report"))

    shown = say(core, "why is T-002 waiting?")

    assert shown.startswith(
        "T-002 ⏳ waiting: Write the report\n• T-002 depends on T-001, which is pending"
    )


def test_a_session_that_could_not_be_started_is_told_on_its_task(
    core: Core, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B069, saltbo/agent-kanban#216: an error of the dispatcher was seen nowhere."""

    def refuse(launch: Launch) -> Started:
        raise LaunchError(label=launch.label, why="no such program: agent")

    add(core, first(), after(0))
    tick(core)
    end(core, "T-001", SUCCESS)
    monkeypatch.setattr(launcher_of(core, "ollama-local"), "start", refuse)
    tick(core)

    shown = say(core, "show T-002")

    assert "Error: no such program: agent" in shown


def test_suggestions_name_what_failed_at_the_root(core: Core) -> None:
    """B069, saltbo/agent-kanban#216: a suggestion must be one that helps."""
    add(core, first(), after(0), after(1))
    tick(core)
    end(core, "T-001", BROKEN)
    tick(core)

    told = notices(core)[-1]
    refused = say(core, "retry T-003")
    say(core, "retry T-001")

    assert 'To run what they depend on: "retry T-001"\n' in told
    assert refused.endswith("Say `unblock T-003` to go on without it, or `retry T-001`")
    assert statuses(core)["T-003"] == "waiting"
