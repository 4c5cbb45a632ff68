from __future__ import annotations

import itertools
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes import START, a_task
from model_queue.dependencies import (
    Circles,
    DependencyVerdict,
    Failing,
    context_of,
    depends_on,
    find_cycle,
    index_of,
    nearest_ids,
    parent_of,
    reason_of,
    roots_of,
    state_of,
)
from model_queue.model import DependencyPolicy, Status, Task
from model_queue.transitions import DependencyState

NO_TASKS: Mapping[str, Task] = {}
DONE, OPEN, FAILED = DependencyState.DONE, DependencyState.OPEN, DependencyState.FAILED


def lookup_of(*tasks: Task) -> Mapping[str, Task]:
    return {task.id: task for task in tasks}


def parent(task_id: str, status: Status, **fields: object) -> Task:
    return a_task(task_id, status=status, **fields)


def child(*refs: str, policy: str = "block", **fields: object) -> Task:
    fields.setdefault("status", Status.WAITING)
    return a_task(
        "T-009",
        depends_on=refs,
        on_depends_fail=DependencyPolicy(policy),
        **fields,
    )


def test_without_dependencies_there_is_nothing_to_wait_for() -> None:
    assert state_of(a_task(), NO_TASKS.get) == DependencyVerdict(DONE, None, ())


@pytest.mark.parametrize(
    ("status", "state"),
    [
        (Status.PENDING, OPEN),
        (Status.WAITING, OPEN),
        (Status.RUNNING, OPEN),
        (Status.PAUSED, OPEN),
        (Status.BLOCKED, FAILED),
        (Status.DONE, DONE),
        (Status.FAILED, FAILED),
        (Status.SKIPPED, FAILED),
        (Status.CANCELLED, FAILED),
    ],
)
@pytest.mark.parametrize("policy", DependencyPolicy)
def test_one_dependency_decides_by_its_status(
    status: Status, state: DependencyState, policy: str
) -> None:
    tasks = lookup_of(parent("T-001", status))

    verdict = state_of(child("T-001", policy=policy), tasks.get)

    assert verdict.state is state
    assert verdict.failed == ("T-001" if state is FAILED else None)
    assert verdict.open == (("T-001",) if state is OPEN else ())


def test_an_unknown_dependency_counts_as_failed() -> None:
    verdict = state_of(child("cloud/T-404"), NO_TASKS.get)

    assert verdict == DependencyVerdict(FAILED, "cloud/T-404", (), Failing.UNKNOWN)


@pytest.mark.parametrize(
    ("policy", "state"), [("block", FAILED), ("skip", FAILED), ("continue", OPEN)]
)
def test_only_continue_waits_for_the_others_after_a_failure(
    policy: str, state: DependencyState
) -> None:
    tasks = lookup_of(parent("T-001", Status.RUNNING), parent("T-002", Status.FAILED))

    verdict = state_of(child("T-001", "T-002", policy=policy), tasks.get)

    assert verdict == DependencyVerdict(state, "T-002", ("T-001",), Failing.ENDED)


def test_continue_acts_when_none_is_open_any_more() -> None:
    tasks = lookup_of(parent("T-001", Status.DONE), parent("T-002", Status.FAILED))

    verdict = state_of(child("T-001", "T-002", policy="continue"), tasks.get)

    assert verdict == DependencyVerdict(FAILED, "T-002", (), Failing.ENDED)


def test_all_must_be_done() -> None:
    tasks = lookup_of(parent("T-001", Status.DONE), parent("T-002", Status.RUNNING))

    verdict = state_of(child("T-001", "T-002"), tasks.get)

    assert verdict == DependencyVerdict(OPEN, None, ("T-002",))


def test_the_first_failed_one_is_named() -> None:
    tasks = lookup_of(parent("T-001", Status.SKIPPED), parent("T-002", Status.FAILED))

    assert state_of(child("T-001", "T-002"), tasks.get).failed == "T-001"


def waiting(task_id: str, *refs: str, **fields: object) -> Task:
    given_fields: dict[str, object] = {"status": Status.WAITING, **fields}
    return a_task(task_id, depends_on=refs, **given_fields)


@pytest.mark.parametrize("policy", DependencyPolicy)
def test_each_member_of_a_circle_counts_as_failed_for_the_next(policy: str) -> None:
    """Only a file edited by hand has one; its members would wait for ever."""
    circle = [
        waiting(task_id, ref, on_depends_fail=DependencyPolicy(policy))
        for task_id, ref in [("T-001", "T-002"), ("T-002", "T-003"), ("T-003", "T-001")]
    ]
    tasks = lookup_of(*circle)

    verdicts = [state_of(task, tasks.get) for task in circle]

    assert [verdict.state for verdict in verdicts] == [FAILED] * 3
    assert [verdict.failed for verdict in verdicts] == ["T-002", "T-003", "T-001"]


def test_a_task_that_depends_on_itself_counts_as_failed() -> None:
    task = waiting("T-001", "T-001")

    assert state_of(task, lookup_of(task).get).state is FAILED


def test_a_task_behind_a_circle_is_not_on_it() -> None:
    tasks = lookup_of(waiting("T-001", "T-002"), waiting("T-002", "T-001"))

    verdict = state_of(child("T-001"), tasks.get)

    assert verdict.state is OPEN


@pytest.mark.parametrize(
    ("fields", "state"),
    [
        pytest.param({"status": Status.PENDING}, OPEN, id="released: it will run"),
        pytest.param({"status": Status.RUNNING}, OPEN, id="it runs"),
        pytest.param({"status": Status.DONE}, DONE, id="it is done"),
        pytest.param(
            {"status": Status.PAUSED, "paused_from": Status.WAITING},
            FAILED,
            id="paused while it waited",
        ),
        pytest.param(
            {"status": Status.PAUSED, "paused_from": Status.RUNNING},
            OPEN,
            id="paused while it ran",
        ),
    ],
)
def test_a_circle_holds_nobody_up_once_a_member_was_released(
    fields: dict[str, object], state: DependencyState
) -> None:
    other = waiting("T-001", "T-002", **fields)
    task = waiting("T-002", "T-001")

    assert state_of(task, lookup_of(other, task).get).state is state


@pytest.mark.parametrize(
    ("started_at", "state"), [(None, FAILED), (START, OPEN)], ids=["never", "started"]
)
def test_a_circle_leads_through_members_that_wait_in_blocked(
    started_at: object, state: DependencyState
) -> None:
    blocked = waiting("T-001", "T-003", status=Status.BLOCKED, started_at=started_at)
    between = waiting("T-002", "T-001")
    task = waiting("T-003", "T-002")

    verdict = state_of(task, lookup_of(blocked, between, task).get)

    assert verdict.state is state


names = st.sampled_from([f"T-00{n}" for n in range(1, 7)])
stages = st.sampled_from([Status.WAITING, Status.BLOCKED, Status.PENDING, Status.DONE])


def leads_to(start: Task, goal: Task, tasks: Mapping[str, Task | None]) -> bool:
    """Report by the plainest walk whether ``start`` waits for ``goal``."""
    seen = [start]
    for task in seen:
        if task.status not in {Status.WAITING, Status.BLOCKED}:
            continue
        if task == goal:
            return True
        parents = [tasks.get(ref) for ref in task.depends_on]
        seen += [p for p in parents if p is not None and p not in seen]
    return False


@given(st.dictionaries(names, st.tuples(stages, st.lists(names, max_size=3))))
def test_who_waits_for_himself_is_found_once_for_all_as_for_each(
    drawn: dict[str, tuple[Status, list[str]]],
) -> None:
    found = {
        name: a_task(name, status=status, depends_on=tuple(refs))
        for name, (status, refs) in drawn.items()
    }
    tasks = index_of(found.values())
    circles = Circles(tasks.get)

    for task in found.values():
        for ref in task.depends_on:
            parent = tasks.get(ref)
            if parent is not None:
                assert circles.joins(task, parent) == leads_to(parent, task, tasks)


def test_a_circle_is_looked_for_anew_once_a_member_waits_no_longer() -> None:
    first, second = waiting("T-001", "T-002"), waiting("T-002", "T-001")
    tasks = lookup_of(first, second)
    circles = Circles(tasks.get)
    assert circles.joins(first, second)

    released = waiting("T-002", "T-001", status=Status.PENDING)
    circles.forget(second)

    assert not circles.joins(first, released)


def test_a_doubled_id_means_the_one_of_the_own_queue() -> None:
    own = parent("T-001", Status.DONE)
    other = parent("T-001", Status.FAILED, queue="cloud-nvidia")
    task = child("T-001")
    tasks = index_of([own, other, task])

    assert parent_of(task, "T-001", tasks.get) is own
    assert parent_of(task, "cloud-nvidia/T-001", tasks.get) is other
    assert state_of(task, tasks.get).state is DONE


def test_a_doubled_id_of_other_queues_means_none() -> None:
    doubles = [
        parent("T-001", Status.DONE, queue=queue)
        for queue in ("cloud-nvidia", "ollama-remote")
    ]
    task = child("T-001")
    tasks = index_of([*doubles, task])

    assert state_of(task, tasks.get).why is Failing.UNKNOWN


def test_a_dependency_is_found_in_the_queue_that_it_moved_to() -> None:
    moved = parent("T-001", Status.PENDING, queue="cloud-nvidia")
    task = child("ollama-local/T-001")
    tasks = index_of([moved, task])

    assert parent_of(task, "ollama-local/T-001", tasks.get) is moved
    assert state_of(task, tasks.get).state is OPEN
    assert depends_on(task, moved, tasks.get)


def test_a_source_is_not_overlooked_where_several_tasks_have_the_id() -> None:
    doubles = [
        parent("T-001", Status.DONE, queue=queue)
        for queue in ("cloud-nvidia", "ollama-remote")
    ]
    task = child("ollama-local/T-001")
    tasks = index_of([*doubles, task])

    assert state_of(task, tasks.get).why is Failing.UNKNOWN
    assert not depends_on(task, doubles[0], tasks.get)


def test_an_id_that_one_file_holds_twice_means_the_one_that_is_open() -> None:
    over = parent("T-001", Status.DONE)
    still_open = parent("T-001", Status.PENDING, description="another")

    assert index_of([over, still_open])["ollama-local/T-001"] is still_open
    assert index_of([still_open, over])["ollama-local/T-001"] is still_open


@pytest.mark.parametrize(
    ("why", "reason"),
    [
        (None, None),
        (Failing.ENDED, "Dependency T-001 failed"),
        (Failing.SKIPPED, "Dependency T-001 was skipped"),
        (Failing.CANCELLED, "Dependency T-001 was cancelled"),
        (Failing.UNKNOWN, "Dependency T-001 does not exist"),
        (Failing.CIRCULAR, "Dependency T-001 waits for this task itself"),
    ],
)
def test_a_reason_says_what_is_wrong_with_the_dependency(
    why: Failing | None, reason: str | None
) -> None:
    assert reason_of(DependencyVerdict(FAILED, "T-001", (), why)) == reason


def test_roots_are_what_ended_behind_the_blocked_ones() -> None:
    tasks = lookup_of(
        parent("T-001", Status.FAILED),
        parent("T-002", Status.BLOCKED, depends_on=("T-001",)),
        parent("T-003", Status.BLOCKED, depends_on=("T-002", "T-404")),
        parent("T-004", Status.CANCELLED),
        parent("T-005", Status.BLOCKED, depends_on=("T-003", "T-004", "T-006")),
        parent("T-006", Status.RUNNING),
    )

    roots = roots_of([tasks["T-005"], tasks["T-003"]], tasks.get)

    assert [root.id for root in roots] == ["T-001", "T-004"]


def test_roots_of_a_circle_are_none() -> None:
    tasks = lookup_of(
        waiting("T-001", "T-002", status=Status.BLOCKED),
        waiting("T-002", "T-001", status=Status.BLOCKED),
    )

    assert roots_of(tasks.values(), tasks.get) == []


def test_a_long_chain_is_walked_without_recursion() -> None:
    tasks = lookup_of(
        parent("T-001", Status.RUNNING),
        *(waiting(f"T-{n:03d}", f"T-{n - 1:03d}") for n in range(2, 3001)),
    )

    verdict = state_of(tasks["T-3000"], tasks.get)

    assert verdict.state is OPEN


def test_a_diamond_is_no_circle() -> None:
    tasks = lookup_of(
        parent("T-001", Status.RUNNING),
        waiting("T-002", "T-001"),
        waiting("T-003", "T-001", "T-002"),
        waiting("T-004", "T-002", "T-003"),
    )

    assert state_of(tasks["T-004"], tasks.get).state is OPEN


def test_a_done_dependency_hands_over_its_summary() -> None:
    """Source: seed 003 dispatcher, Step 3."""
    tasks = lookup_of(
        parent(
            "T-001",
            Status.DONE,
            result_summary="Sales rose.",
            result_status="partial",
        )
    )

    assert context_of(child("T-001"), tasks.get, START) == {
        "source_task": "T-001",
        "result_summary": "Sales rose.",
        "result_status": "partial",
        "included_at": "2026-03-04T16:51:00Z",
    }


def test_a_failed_dependency_is_handed_over_as_a_warning() -> None:
    tasks = lookup_of(parent("T-001", Status.FAILED))

    assert context_of(child("T-001", policy="continue"), tasks.get, START) == {
        "warning": "Dependency T-001 failed",
        "included_at": "2026-03-04T16:51:00Z",
    }


def test_several_dependencies_hand_over_a_list_in_their_order() -> None:
    tasks = lookup_of(
        parent("T-001", Status.DONE, result_summary="One.", result_status="success"),
        parent("T-002", Status.DONE, result_summary="Two.", result_status="success"),
    )

    context = context_of(
        child("T-002", "T-404", "T-001", policy="continue"), tasks.get, START
    )

    assert isinstance(context, list)
    assert [part.get("source_task") for part in context if isinstance(part, dict)] == [
        "T-002",
        None,
        "T-001",
    ]
    assert context[1] == {
        "warning": "Dependency T-404 failed",
        "included_at": "2026-03-04T16:51:00Z",
    }


def test_without_dependencies_nothing_is_handed_over() -> None:
    assert context_of(a_task(), NO_TASKS.get, START) is None


@pytest.mark.parametrize(
    ("edges", "cycle"),
    [
        pytest.param({}, None, id="nothing"),
        pytest.param({"A": ["A"]}, ("A", "A"), id="itself"),
        pytest.param({"A": ["B"], "B": ["A"]}, ("A", "B", "A"), id="two"),
        pytest.param({"A": ["B"], "B": ["C"]}, None, id="a chain to an unlisted one"),
        pytest.param(
            {"A": ["B", "C"], "B": ["D"], "C": ["D"], "D": []}, None, id="a diamond"
        ),
        pytest.param(
            {"A": ["B"], "B": ["C", "D"], "C": [], "D": ["B"]},
            ("B", "D", "B"),
            id="behind a chain",
        ),
        pytest.param(
            {"A": [], "B": ["A"], "C": ["D"], "D": ["C"]},
            ("C", "D", "C"),
            id="in another part",
        ),
    ],
)
def test_a_circle_is_found_with_its_path(
    edges: dict[str, list[str]], cycle: tuple[str, ...] | None
) -> None:
    assert find_cycle(edges) == cycle


ids = st.sampled_from("ABCDE")


@given(st.dictionaries(ids, st.lists(ids, max_size=3)))
def test_a_found_circle_is_one_and_none_is_overlooked(
    edges: dict[str, list[str]],
) -> None:
    cycle = find_cycle(edges)

    if cycle is None:
        # What can be put in an order has no circle.
        placed: set[str] = set()
        while ready := {
            name for name in edges if name not in placed and placed >= set(edges[name])
        } | {name for refs in edges.values() for name in refs if name not in edges} - (
            placed
        ):
            placed |= ready
        assert placed >= set(edges)
    else:
        steps = itertools.pairwise(cycle)
        assert cycle[0] == cycle[-1]
        assert all(after in edges[before] for before, after in steps)


def test_a_circle_of_many_is_found_without_recursion() -> None:
    edges = {f"T-{n}": [f"T-{(n + 1) % 20_000}"] for n in range(20_000)}

    cycle = find_cycle(edges)

    assert cycle is not None
    assert len(cycle) == 20_001


@pytest.mark.parametrize(
    ("ref", "known", "nearest"),
    [
        ("T-012", ["T-001", "T-010", "T-011"], ("T-011", "T-010", "T-001")),
        ("T-002", ["T-001", "T-003"], ("T-001", "T-003")),
        ("T-999", ["T-001", "T-002", "T-003", "T-004"], ("T-004", "T-003", "T-002")),
        (
            "cloud/T-005",
            ["cloud/T-004", "ollama/T-009"],
            ("cloud/T-004", "ollama/T-009"),
        ),
        ("T-001", [], ()),
        ("nonsense", ["T-001"], ()),
        ("T-001", ["not an id"], ()),
    ],
)
def test_the_nearest_ids_are_named(
    ref: str, known: list[str], nearest: tuple[str, ...]
) -> None:
    assert nearest_ids(ref, known) == nearest
