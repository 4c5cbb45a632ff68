"""The laws of the state machine, checked in every state that can be reached.

Once for the whole life of one task with counters beside it, and once for several tasks
that depend on each other in two queues. Times and labels are made equal, so that the
spaces are finite; the steps are the real ones.

Mistakes that are easily made in the table, and what catches each of them:

- a workspace task that is shown as ``retry``, ``blocked`` or ``paused`` by its status
  or its retries alone, or that goes on over ``pending``: ``check_word``
- a slot counted by the status where slots are kept, or still held after a retry or a
  move to the fallback source: ``check_slots``
- a task resumed at once though its slot was given back: ``lived_on``
- an unblocked dependent that is blocked again by the next pass, a retried one that is
  skipped again: ``check_a_person_is_not_overruled``
- an unblocked dependent that starts while another dependency is open:
  ``check_nothing_starts_too_early``
- dependents that a retried dependency leaves blocked: ``check_reopening``
- a circle whose members wait for ever: ``check_everything_comes_to_rest``
- a task that ends in the last retry it has, or counts one retry too many, or a loss
  that is not counted: ``check_life``
- a claim on a task that was blocked, paused or cancelled: ``check_claims``
- an attempt counted anew after a retry: ``check_step`` of ``test_transition_walk``
- a limit of the provider that is tried again without a pause, for ever: it may go round
  here (``WAITS``); ``usecase/test_limits`` holds that each wait is longer
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import pytest

from crashing import IS_WHOLE
from fakes import START, a_task
from model_queue.dependencies import DependencyVerdict, state_of
from model_queue.errors import IllegalTransition
from model_queue.model import Claim, DependencyPolicy, ErrorClass, Status, Task
from model_queue.transitions import (
    DependencyState,
    Event,
    Facts,
    failed_attempts,
    guards,
    holds_slot,
    session_gone,
    started,
    step,
)
from model_queue.vocabularies import workspace_word

pytestmark = pytest.mark.slow

LABEL = "mq-t-001-a1-00000001"
GONE = "session_gone"
"""The event that is no row: a session that was told to stop is seen gone."""
PERSON = {
    Event.PAUSE,
    Event.RESUME,
    Event.UNBLOCK,
    Event.CANCEL,
    Event.SKIP,
    Event.RETRY,
    Event.RERUN,
}
WAITS = {Event.FAIL_RATE_LIMITED, Event.FAIL_QUOTA}
"""What can go round without a person: each wait is longer than the one before."""
ENDS_BY_ITSELF = {
    Event.SUCCEED,
    Event.FAIL_REPORTED,
    Event.FAIL_INVALID,
    Event.FAIL_RATE_LIMITED,
    Event.FAIL_QUOTA,
    Event.FAIL_FATAL,
    Event.LOST,
}
"""The session is gone when these come; of a lost one that is made sure of before."""
WORKSPACE_PAIRS = {
    ("claimed", "active"),
    ("claimed", "cancelled"),
    ("active", "paused"),
    ("active", "blocked"),
    ("active", "done"),
    ("active", "retry"),
    ("active", "cancelled"),
    ("paused", "active"),
    ("paused", "cancelled"),
    ("blocked", "active"),
    ("blocked", "cancelled"),
    ("retry", "active"),
    ("retry", "cancelled"),
}
"""The workspace seed's transitions; there is no other way from word to word."""


def alike(task: Task) -> Task:
    """Return the task without what does not decide anything."""
    claim = task.claim
    return replace(
        task,
        attempt=0,
        claim=claim and Claim(LABEL, START, claim.stopping and START),
        started_at=task.started_at and START,
        completed_at=None,
        not_before=None,
        error_message=None,
        blocked_reason=None,
        skipped_reason=None,
        context_input=None,
        result=None,
        result_status=None,
        result_summary=None,
    )


def key_of(task: Task) -> tuple[object, ...]:
    """Return what decides what can become of the task; alike tasks have the same."""
    return (
        task.id,
        task.queue,
        task.status,
        started(task),
        task.paused_from,
        task.retries,
        task.losses,
        task.max_retries,
        task.on_depends_fail,
        task.error_class,
        task.failure_reason,
        task.claim is not None,
        task.is_stopping,
    )


class Kind(NamedTuple):
    """What kind of queue a task lies in."""

    workspace: bool
    until_terminal: bool


MODEL = Kind(workspace=False, until_terminal=False)
KEEPING = Kind(workspace=False, until_terminal=True)
WORKSPACE = Kind(workspace=True, until_terminal=True)
KINDS = [
    pytest.param(MODEL, id="model queue"),
    pytest.param(KEEPING, id="model queue that keeps slots"),
    pytest.param(WORKSPACE, id="workspace"),
]


def facts(kind: Kind, **given: object) -> Facts:
    base: dict[str, object] = {
        "now": START,
        "label": LABEL,
        "workspace": kind.workspace,
        "until_terminal": kind.until_terminal,
        "may_claim": True,
    }
    return Facts(**{**base, **given})  # type: ignore[arg-type] # the test's own fields


def after_event(task: Task, event: Event, known: Facts) -> Task | None:
    """Return the task after an event, None where nothing happens."""
    try:
        found = step(task, event, known)
    except IllegalTransition:
        return None
    return None if found.is_late or found.after == task else found.after


class Life(NamedTuple):
    """One task and what really happened since a person's last retry."""

    task: Task
    starts: int = 0
    fails: int = 0
    waits: int = 0
    suspensions: int = 0
    open_or_last: int = 0
    retries_by_person: int = 0
    is_alive: bool = False
    """Its session may still run."""


ONE_TASK_EVENTS = (
    Event.CLAIM,
    Event.SUCCEED,
    Event.FAIL_REPORTED,
    Event.FAIL_TIMEOUT,
    Event.FAIL_INVALID,
    Event.FAIL_RATE_LIMITED,
    Event.FAIL_QUOTA,
    Event.FAIL_FATAL,
    Event.FAIL_OVER_BUDGET,
    Event.AGENT_BLOCKED,
    Event.CHECKPOINT_STALE,
    Event.LOST,
    *sorted(PERSON),
)
NO_FAILURES = {Event.FAIL_RATE_LIMITED, Event.FAIL_QUOTA}


def lived_on(life: Life, event: Event, after: Task) -> Life:
    """Return the life after an event, its counters kept by hand."""
    before = life.task
    if event in {Event.RETRY, Event.RERUN}:
        by_person = life.retries_by_person + 1
        return Life(after, retries_by_person=by_person, is_alive=life.is_alive)
    new = life._replace(task=after)
    if before.status is Status.RUNNING:
        is_limit = event in NO_FAILURES
        new = new._replace(
            fails=new.fails + (event.startswith("fail_") and not is_limit),
            waits=new.waits + is_limit,
            suspensions=new.suspensions
            + (
                event is not Event.LOST
                and after.status in {Status.PAUSED, Status.BLOCKED}
            ),
            open_or_last=int(after.status.is_terminal and event is not Event.LOST),
            is_alive=life.is_alive and event not in ENDS_BY_ITSELF,
        )
    elif event is Event.CLAIM and after.status is Status.FAILED:
        new = new._replace(open_or_last=1)
    if after.status is Status.RUNNING:
        assert not new.is_alive, f"two sessions at once after {event}: {life}"
        new = new._replace(starts=new.starts + 1, open_or_last=1, is_alive=True)
    return new


def check_life(life: Life, *, limit: int, losses: int) -> None:
    task = life.task
    is_lowered = task.max_retries < limit
    assert life.is_alive == (task.claim is not None)
    assert task.retries <= task.max_retries or is_lowered
    assert task.losses <= losses
    assert life.starts == (
        task.retries + task.losses + life.waits + life.suspensions + life.open_or_last
    )
    if task.status is Status.FAILED:
        assert failed_attempts(task) == life.fails
        assert (task.failure_reason == "lost") == (task.losses == losses)
    spent = task.failure_reason == "max_retries_exceeded"
    if spent and not is_lowered and task.error_class is not ErrorClass.INVALID_REPORT:
        assert (life.fails, task.retries) == (limit + 1, limit)


class Moves:
    """What each event makes of a task, computed once for all alike tasks."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self._known: dict[tuple[object, ...], list[tuple[Event, Task]]] = {}

    def of(self, task: Task) -> list[tuple[Event, Task]]:
        key = key_of(task)
        if key not in self._known:
            self._known[key] = list(self._computed(task))
        return self._known[key]

    def _computed(self, task: Task) -> Iterator[tuple[Event, Task]]:
        for event in ONE_TASK_EVENTS:
            for is_fresh in (False, True) if event is Event.LOST else (False,):
                known = facts(self.kind, checkpoint_fresh=is_fresh)
                after = after_event(task, event, known)
                if after is not None:
                    check_word(task, after, self.kind)
                    yield event, alike(after)


def lives_after(life: Life, moves: Moves) -> Iterator[Life]:
    """Yield what can become of a life next."""
    task = life.task
    if task.is_stopping:
        yield life._replace(task=session_gone(task), is_alive=False)
    if task.status is Status.PENDING and 0 < task.retries == task.max_retries:
        yield life._replace(task=replace(task, max_retries=task.retries - 1))
    for event, after in moves.of(task):
        yield lived_on(life, event, after)


def check_word(before: Task, after: Task, kind: Kind) -> None:
    words = (workspace_word(before), workspace_word(after))
    assert not kind.workspace or words[0] == words[1] or words in WORKSPACE_PAIRS


def explore_one(
    kind: Kind, task_type: str | None, *, limit: int, losses: int
) -> Counter[str]:
    """Go through all lives with at most one wait, suspension and retry by a person."""
    first = Life(a_task(type=task_type, max_retries=limit))
    seen, to_visit, found = {life_key(first)}, deque([first]), Counter[str]()
    moves = Moves(kind)
    while to_visit:
        life = to_visit.popleft()
        check_life(life, limit=limit, losses=losses)
        found[life.task.status] += 1
        for new in lives_after(life, moves):
            if max(new.waits, new.suspensions, new.retries_by_person) > 1:
                continue
            if life_key(new) not in seen:
                seen.add(life_key(new))
                to_visit.append(new)
    return found


def life_key(life: Life) -> tuple[object, ...]:
    return (key_of(life.task), life[1:])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("task_type", [None, "feature"])
def test_the_counters_tell_what_happened_in_every_life_of_a_task(
    kind: Kind, task_type: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guards, "LOSS_LIMIT", 2)

    found = explore_one(kind, task_type, limit=1, losses=2)

    assert set(found) >= set(Status) - {Status.WAITING}


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("task_type", [None, "feature"])
def test_the_counters_tell_what_happened_with_the_usual_limits(
    kind: Kind, task_type: str | None
) -> None:
    found = explore_one(kind, task_type, limit=3, losses=5)

    assert set(found) >= set(Status) - {Status.WAITING}


class World(NamedTuple):
    """A few tasks that depend on each other."""

    kind: Kind
    limit: int
    policy: DependencyPolicy
    parents: tuple[tuple[int, ...], ...]
    """Of each task the places of those it depends on."""
    queues: tuple[str, ...]
    has_fallback: bool = False
    max_retries: int = 1
    loss_limit: int = 1

    @property
    def is_circle(self) -> bool:
        return any(parent >= i for i, ps in enumerate(self.parents) for parent in ps)

    def first_state(self) -> tuple[Task, ...]:
        return tuple(
            a_task(
                f"T-{i + 1:03d}",
                queue=self.queues[i],
                status=Status.WAITING if parents else Status.PENDING,
                depends_on=tuple(f"T-{parent + 1:03d}" for parent in parents),
                on_depends_fail=self.policy,
                max_retries=self.max_retries,
            )
            for i, parents in enumerate(self.parents)
        )


MANY_TASK_EVENTS = (
    Event.CLAIM,
    Event.SUCCEED,
    Event.FAIL_REPORTED,
    Event.FAIL_TIMEOUT,
    Event.FAIL_RATE_LIMITED,
    Event.FAIL_QUOTA,
    Event.FAIL_FATAL,
    Event.AGENT_BLOCKED,
    Event.CHECKPOINT_STALE,
    Event.LOST,
    *sorted(PERSON),
)
State = tuple[Task, ...]
Move = tuple[int, str]
"""The task's place and the event."""


@dataclass
class Space:
    """Every state of a world that can be reached, with the moves between them.

    States are numbers; a task is the same object wherever it is alike.
    """

    world: World
    states: list[State] = field(default_factory=list[State])
    moves: list[list[tuple[Move, int]]] = field(
        default_factory=list[list[tuple[Move, int]]]
    )
    _known: dict[tuple[object, ...], Task] = field(default_factory=dict)
    _tasks: dict[tuple[object, ...], Task] = field(default_factory=dict)
    _numbers: dict[tuple[int, ...], int] = field(default_factory=dict)
    _steps: dict[tuple[object, ...], list[Task]] = field(default_factory=dict)

    def explore(self) -> Space:
        self._number(tuple(map(self._one, self.world.first_state())))
        while len(self.moves) < len(self.states):
            state = self.states[len(self.moves)]
            self.moves.append(
                [
                    ((i, event), self._number((*state[:i], after, *state[i + 1 :])))
                    for i, event, after in self._next(state)
                ]
            )
        return self

    def _one(self, task: Task) -> Task:
        """Return the one task of all that are alike; of ended ones no counters."""
        key = key_of(task)
        if key not in self._known:
            one = replace(alike(task), error_class=None, failure_reason=None)
            if task.status.is_terminal:
                one = replace(one, retries=0, losses=0)
            self._known[key] = self._tasks.setdefault(key_of(one), one)
        return self._known[key]

    def _number(self, state: State) -> int:
        key = tuple(map(id, state))
        if key not in self._numbers:
            self._numbers[key] = len(self.states)
            self.states.append(state)
        return self._numbers[key]

    def _next(self, state: State) -> Iterator[tuple[int, str, Task]]:
        for i, task in enumerate(state):
            if task.is_stopping:
                yield i, GONE, self._one(session_gone(task))
            verdict = self.verdict(state, i)
            has_slot = self.is_held_by(task) or self.held(state, task.queue) < (
                self.world.limit
            )
            for event in (*settle_events(task, verdict), *MANY_TASK_EVENTS):
                for after in self._afters(task, event, verdict.state, has_slot):
                    yield i, event, after

    def _afters(
        self, task: Task, event: Event, dependency: DependencyState, has_slot: bool
    ) -> list[Task]:
        key = (id(task), event, dependency, has_slot)
        if key not in self._steps:
            can_move = self.world.has_fallback and task.queue == "ollama-local"
            found = [
                after_event(
                    task,
                    event,
                    facts(
                        self.world.kind,
                        dependency=dependency,
                        may_claim=has_slot,
                        checkpoint_fresh=is_fresh,
                        fallback=("cloud", "nvidia/glm") if can_move else None,
                    ),
                )
                for is_fresh in ((False, True) if event is Event.LOST else (False,))
            ]
            ones = [self._one(after) for after in found if after is not None]
            self._steps[key] = [one for one in ones if one is not task]
        return self._steps[key]

    def verdict(self, state: State, i: int) -> DependencyVerdict:
        return state_of(state[i], {task.id: task for task in state}.get)

    def is_held_by(self, task: Task) -> bool:
        return holds_slot(task, until_terminal=self.world.kind.until_terminal)

    def held(self, state: State, queue: str) -> int:
        return sum(task.queue == queue and self.is_held_by(task) for task in state)

    def is_jammed(self, state: State, queue: str) -> bool:
        """Report whether only a person can free a slot: all holders stand still."""
        holders = [t for t in state if t.queue == queue and self.is_held_by(t)]
        still = {Status.BLOCKED, Status.PAUSED}
        return len(holders) >= self.world.limit and all(
            task.status in still and not task.is_stopping for task in holders
        )

    @cached_property
    def system_moves(self) -> list[list[tuple[Move, int]]]:
        return [[m for m in moves if m[0][1] not in PERSON] for moves in self.moves]


def settle_events(task: Task, verdict: DependencyVerdict) -> Iterable[Event]:
    """Return what a pass over the waiting and blocked tasks does with one."""
    if task.status is Status.WAITING and verdict.state is DependencyState.DONE:
        return [Event.DEPENDENCY_DONE]
    if task.status is Status.WAITING and verdict.state is DependencyState.FAILED:
        return [Event.DEPENDENCY_FAILED]
    is_dependent = task.status is Status.BLOCKED and not started(task)
    if is_dependent and verdict.state is not DependencyState.FAILED:
        return [Event.DEPENDENCY_REOPENED]
    return []


def check_slots(space: Space) -> None:
    """No queue holds more than its slots, and nothing is held when all has ended."""
    for state in space.states:
        for queue in {task.queue for task in state}:
            assert space.held(state, queue) <= space.world.limit, state
        if all(task.status.is_terminal and not task.is_stopping for task in state):
            assert not any(map(space.is_held_by, state)), state


def check_claims(space: Space) -> None:
    """A claim is there exactly while a session may run."""
    for state in space.states:
        for task in state:
            is_running = task.status is Status.RUNNING
            assert (task.claim is not None) == (is_running or task.is_stopping), task
            assert not (is_running and task.is_stopping), task


def check_reopening(space: Space) -> None:
    """A blocked dependent is reopened exactly when no parent counts as failed."""
    for state, moves in zip(space.states, space.moves, strict=True):
        reopened = {i for (i, event), _ in moves if event == Event.DEPENDENCY_REOPENED}
        expected = {
            i
            for i, task in enumerate(state)
            if task.status is Status.BLOCKED
            and not started(task)
            and space.verdict(state, i).state is not DependencyState.FAILED
        }
        assert reopened == expected, state


def check_a_person_is_not_overruled(space: Space) -> None:
    """The next pass neither undoes an unblock nor skips what was just retried."""
    undone = {
        Event.UNBLOCK: {Status.BLOCKED, Status.SKIPPED},
        Event.RETRY: {Status.SKIPPED},
    }
    for moves in space.moves:
        for (i, event), after in moves:
            for (j, answer), last in space.moves[after]:
                if event in undone and (j, answer) == (i, Event.DEPENDENCY_FAILED):
                    status = space.states[last][i].status
                    assert status not in undone[Event(event)], space.states[after]


def check_nothing_starts_too_early(space: Space) -> None:
    """A task becomes runnable only when each parent has ended or stands still."""
    early = {
        Event.DEPENDENCY_DONE,
        Event.DEPENDENCY_FAILED,
        Event.UNBLOCK,
        Event.RETRY,
        Event.RERUN,
    }
    for state, moves in zip(space.states, space.moves, strict=True):
        for (i, event), number in moves:
            if event is Event.UNBLOCK and started(state[i]):
                # Its dependencies were looked at before it started.
                continue
            if event in early and space.states[number][i].status is Status.PENDING:
                parents = [state[parent] for parent in space.world.parents[i]]
                assert all(
                    parent.status.is_terminal or parent.status is Status.BLOCKED
                    for parent in parents
                ), state


def check_everything_comes_to_rest(space: Space) -> None:
    """From each state some run of system events ends at rest."""
    back: dict[int, list[int]] = defaultdict(list)
    for number, moves in enumerate(space.system_moves):
        for _, after in moves:
            back[after].append(number)
    good = {n for n, state in enumerate(space.states) if is_at_rest(space, state)}
    to_visit = deque(good)
    while to_visit:
        for number in back[to_visit.popleft()]:
            if number not in good:
                good.add(number)
                to_visit.append(number)
    stuck = [state for n, state in enumerate(space.states) if n not in good]
    assert stuck[:1] == []


def is_at_rest(space: Space, state: State) -> bool:
    return all(stands_still(space, state, i) for i in range(len(state)))


def stands_still(space: Space, state: State, i: int) -> bool:
    """Report whether a task has ended, or needs a person itself or before it."""
    task = state[i]
    if task.status is Status.WAITING:
        before = [state[parent] for parent in ancestors(space, state, i)]
        return any(
            parent.status is Status.PAUSED or is_behind_a_jam(space, state, parent)
            for parent in before
        )
    is_queued = task.status is Status.PENDING and not is_behind_a_jam(
        space, state, task
    )
    return not (task.is_stopping or is_queued or task.status is Status.RUNNING)


def ancestors(space: Space, state: State, i: int) -> set[int]:
    """Return the places of all tasks that a waiting one waits for."""
    found: set[int] = set()
    to_visit = [i]
    while to_visit:
        here = to_visit.pop()
        if state[here].status is Status.WAITING:
            new = set(space.world.parents[here]) - found
            found |= new
            to_visit.extend(new)
    return found


def is_behind_a_jam(space: Space, state: State, task: Task) -> bool:
    is_queued = task.status is Status.PENDING and not space.is_held_by(task)
    return is_queued and space.is_jammed(state, task.queue)


def check_no_livelock(space: Space) -> None:
    """System events alone never go round, but for limits of the provider."""
    ways_in = Counter(
        after
        for moves in space.system_moves
        for (_, event), after in moves
        if event not in WAITS
    )
    to_visit = deque(n for n in range(len(space.states)) if not ways_in[n])
    n_visited = 0
    while to_visit:
        n_visited += 1
        for (_, event), after in space.system_moves[to_visit.popleft()]:
            if event not in WAITS:
                ways_in[after] -= 1
                if not ways_in[after]:
                    to_visit.append(after)
    assert n_visited == len(space.states)


def check_jams(space: Space) -> None:
    """Each jam is left by a person's command, and by no system event but a move."""
    freeing = {Event.RESUME, Event.UNBLOCK, Event.CANCEL, Event.SKIP}
    for n, state in enumerate(space.states):
        for queue in {task.queue for task in state}:
            if not space.is_jammed(state, queue):
                continue
            for _, after in space.system_moves[n]:
                assert space.is_jammed(space.states[after], queue), state
            frees = {
                event
                for (_, event), after in space.moves[n]
                if not space.is_jammed(space.states[after], queue)
            }
            assert frees & freeing, state


def check_words(space: Space) -> None:
    """A workspace task moves along the seed's transitions only."""
    for state, moves in zip(space.states, space.moves, strict=True):
        for (i, _), number in moves:
            check_word(state[i], space.states[number][i], space.world.kind)


LAWS: list[Callable[[Space], None]] = [
    check_slots,
    check_claims,
    check_reopening,
    check_a_person_is_not_overruled,
    check_nothing_starts_too_early,
    check_everything_comes_to_rest,
    check_no_livelock,
    check_jams,
    check_words,
]
CHAIN: tuple[tuple[int, ...], ...] = ((), (0,))
CIRCLE: tuple[tuple[int, ...], ...] = ((1,), (0,))
ONE_QUEUE = ("ollama-local", "ollama-local")
TWO_QUEUES = ("ollama-local", "cloud")


def check_world(world: World, monkeypatch: pytest.MonkeyPatch) -> Space:
    monkeypatch.setattr(guards, "LOSS_LIMIT", world.loss_limit)
    space = Space(world).explore()
    for law in LAWS:
        if not (world.is_circle and law is check_nothing_starts_too_early):
            law(space)
    return space


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("policy", DependencyPolicy)
def test_two_dependent_tasks_share_a_slot_without_leak_or_livelock(
    kind: Kind, policy: DependencyPolicy, monkeypatch: pytest.MonkeyPatch
) -> None:
    space = check_world(World(kind, 1, policy, CHAIN, ONE_QUEUE), monkeypatch)

    assert {task.status for state in space.states for task in state} == set(Status)


@pytest.mark.parametrize("kind", KINDS)
def test_two_tasks_in_a_circle_do_not_wait_for_ever(
    kind: Kind, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only a file edited by hand has such a circle."""
    world = World(kind, 1, DependencyPolicy.BLOCK, CIRCLE, TWO_QUEUES, max_retries=0)

    space = check_world(world, monkeypatch)

    assert any(task.status is Status.DONE for state in space.states for task in state)


@pytest.mark.parametrize("kind", [MODEL, KEEPING])
def test_a_move_to_the_fallback_source_takes_no_slot_there(
    kind: Kind, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World(
        kind,
        1,
        DependencyPolicy.BLOCK,
        ((), ()),
        TWO_QUEUES,
        has_fallback=True,
        max_retries=0,
    )

    space = check_world(world, monkeypatch)

    assert any(all(t.queue == "cloud" for t in state) for state in space.states)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS if IS_WHOLE else KINDS[:1])
@pytest.mark.parametrize("policy", DependencyPolicy)
def test_two_tasks_with_every_retry_and_loss_keep_the_laws(
    kind: Kind, policy: DependencyPolicy, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World(kind, 2, policy, CHAIN, ONE_QUEUE, max_retries=2, loss_limit=2)

    space = check_world(world, monkeypatch)

    assert any(task.retries == 2 for state in space.states for task in state)


THREE = [
    pytest.param(
        ((), (0,), (1,)), (*ONE_QUEUE, "cloud"), DependencyPolicy.BLOCK, id="chain"
    ),
    pytest.param(
        ((), (), (0, 1)),
        (*ONE_QUEUE, "ollama-local"),
        DependencyPolicy.CONTINUE,
        id="two parents",
    ),
    pytest.param(
        ((), (), (0, 1)),
        (*ONE_QUEUE, "cloud"),
        DependencyPolicy.BLOCK,
        id="two parents that must be done",
    ),
    pytest.param(
        ((1,), (0,), (1,)),
        (*ONE_QUEUE, "cloud"),
        DependencyPolicy.BLOCK,
        id="behind a circle",
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS if IS_WHOLE else KINDS[:1])
@pytest.mark.parametrize(("parents", "queues", "policy"), THREE)
def test_three_dependent_tasks_share_slots_without_leak_or_livelock(
    *,
    kind: Kind,
    parents: tuple[tuple[int, ...], ...],
    queues: tuple[str, ...],
    policy: DependencyPolicy,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = World(kind, 1, policy, parents, queues, max_retries=0)

    space = check_world(world, monkeypatch)

    assert any(task.status is Status.DONE for state in space.states for task in state)
