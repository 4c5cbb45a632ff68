"""The table against an independent list of its rows, ``data/transition_rows.txt``.

The list is the complete state machine in words: each event of each status, each guard,
the effects, the slot under both policies, the notice. Guards and effects are spelled out
here once more, without the code under test, and every row is tried on every value that
its guards could read.
"""

from __future__ import annotations

import datetime as dt
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes import START, a_task
from model_queue.errors import IllegalTransition
from model_queue.model import (
    LOSS_LIMIT,
    Claim,
    DependencyPolicy,
    ErrorClass,
    Outcome,
    Status,
    Task,
)
from model_queue.transitions import (
    DependencyState,
    Event,
    Facts,
    Step,
    holds_slot,
    session_gone,
    step,
)

pytestmark = pytest.mark.slow

ROWS_FILE = Path(__file__).parent.parent / "data" / "transition_rows.txt"
RESULTS = (
    "succeed, fail_reported, fail_transient, fail_timeout, fail_invalid, "
    "fail_rate_limited, fail_quota, fail_fatal, fail_over_budget, agent_blocked"
)
NOW = START + dt.timedelta(hours=1)
LABEL = "mq-t-001-a2-00000001"
LATER = NOW + dt.timedelta(seconds=7)
LIVE_CLAIM = Claim(label=LABEL, lease_until=START + dt.timedelta(minutes=2))
STOPPING_CLAIM = replace(LIVE_CLAIM, stopping=START)
EVENTS_OF_SESSIONS = {
    *("attach", "renew", "checkpoint"),
    *RESULTS.split(", "),
}


NEVER_RETRIED = {
    "info",
    "resolution",
    "feature",
    "enhancement",
    "idea",
    "deploy-request",
}


class Expected(NamedTuple):
    """One row of the list, for one status and one event."""

    before: str
    event: str
    guard: str
    after: str
    effects: tuple[str, ...]
    slot_running: str
    slot_until_terminal: str
    notice: str


def expected_rows() -> Iterator[Expected]:
    for line in ROWS_FILE.read_text(encoding="utf-8").splitlines():
        befores, events, guard, after, effects, slot_r, slot_u, notice = line.split(
            " | "
        )
        words = tuple(word for word in effects.split("; ") if word != "–")
        for before, event in itertools.product(
            befores.split(", "), events.replace("(results)", RESULTS).split(", ")
        ):
            yield Expected(before, event, guard, after, words, slot_r, slot_u, notice)


CELLS: dict[tuple[str, str], list[Expected]] = {}
for _row in expected_rows():
    CELLS.setdefault((_row.before, _row.event), []).append(_row)


def is_workspace(_: Task, facts: Facts) -> bool:
    return facts.workspace


def is_started(task: Task) -> bool:
    return task.started_at is not None


def holds(task: Task, facts: Facts) -> bool:
    return task.claim is not None and facts.label == task.claim.label


def is_retried(task: Task, facts: Facts) -> bool:
    return not (facts.workspace and task.type in NEVER_RETRIED)


def has_retry(task: Task, facts: Facts) -> bool:
    retries_left = task.max_retries - task.retries > 0
    return holds(task, facts) and is_retried(task, facts) and retries_left


def may_start(task: Task, facts: Facts) -> bool:
    return (
        facts.may_claim
        and task.claim is None
        and not (task.not_before and task.not_before > facts.now)
    )


def losses_left(task: Task) -> bool:
    return task.losses + 1 < LOSS_LIMIT


def keeps_slot(task: Task, facts: Facts) -> bool:
    return facts.until_terminal and is_started(task)


GUARDS: Mapping[str, Callable[[Task, Facts], bool]] = {
    "always": lambda _t, _f: True,
    "no_dependency": lambda t, f: not t.depends_on and not f.bad_dependency,
    "known_dependencies": lambda t, f: t.depends_on != () and not f.bad_dependency,
    "bad_dependency": lambda _t, f: f.bad_dependency,
    "policy_block": lambda t, _f: t.on_depends_fail == "block",
    "policy_skip": lambda t, _f: t.on_depends_fail == "skip",
    "policy_continue": lambda t, _f: t.on_depends_fail == "continue",
    "never_started": lambda t, _f: not is_started(t),
    "has_started": lambda t, _f: is_started(t),
    "claimable": lambda t, f: may_start(t, f) and t.retries <= t.max_retries,
    "not_claimable": lambda t, f: not may_start(t, f) and t.retries <= t.max_retries,
    "over_limit": lambda t, _f: t.retries > t.max_retries,
    "holds_claim": holds,
    "claim_lost": lambda t, f: not holds(t, f),
    "retry_left": has_retry,
    "retries_spent": lambda t, f: (
        holds(t, f) and is_retried(t, f) and t.retries >= t.max_retries
    ),
    "never_retried": lambda t, f: holds(t, f) and not is_retried(t, f),
    "retry_left_first_invalid": lambda t, f: (
        has_retry(t, f) and t.error_class != "invalid_report"
    ),
    "retry_left_second_invalid": lambda t, f: (
        has_retry(t, f) and t.error_class == "invalid_report"
    ),
    "holds_claim_no_fallback": lambda t, f: holds(t, f) and f.fallback is None,
    "holds_claim_fallback_open": lambda t, f: holds(t, f) and f.fallback is not None,
    "checkpoints_required": is_workspace,
    "checkpoints_not_required": lambda _t, f: not f.workspace,
    "losses_spent": lambda t, _f: t.losses + 1 >= LOSS_LIMIT,
    "losses_left_checkpoint_fresh": lambda t, f: (
        losses_left(t) and f.workspace and f.checkpoint_fresh
    ),
    "losses_left_never_retried": lambda t, f: (
        losses_left(t)
        and f.workspace
        and not f.checkpoint_fresh
        and not is_retried(t, f)
    ),
    "losses_left_run_again": lambda t, f: (
        losses_left(t)
        and not (f.workspace and (f.checkpoint_fresh or not is_retried(t, f)))
    ),
    "from_pending": lambda t, _f: t.paused_from == "pending",
    "from_waiting": lambda t, _f: t.paused_from == "waiting",
    "from_running_slot_held": lambda t, f: (
        t.paused_from == "running" and keeps_slot(t, f)
    ),
    "from_running_slot_released": lambda t, f: (
        t.paused_from == "running" and not keeps_slot(t, f)
    ),
    "started_slot_held": keeps_slot,
    "started_slot_released": lambda t, f: is_started(t) and not keeps_slot(t, f),
    "workspace_queue": is_workspace,
    "parents_done": lambda _t, f: not f.workspace and f.dependency == "done",
    "parents_not_done": lambda _t, f: not f.workspace and f.dependency != "done",
    "old_and_unneeded": lambda _t, f: f.unneeded,
    "young_or_needed": lambda _t, f: not f.unneeded,
}

Holds = Callable[[Task, Task, Facts], bool]
BY_CALLERS = {
    "log",
    "from checkpoint",
    "final checkpoint",
    "flush checkpoint",
    "escalate",
    "keep old report",
    "bring back from archive",
    "count fatal on queue",
    "clear fatal count",
}
"""Words of the list that concern files, other tasks or queues: no part of a step."""
IN_STEP = {
    "directive continue",
    "directive pause",
    "directive stop",
    "keep late result",
    "source wait until",
    "move to archive",
    "stop session",
}
"""Words that the step passes on to its caller."""
RESET = """
    retries losses error_class error_message failure_reason blocked_reason skipped_reason
    result result_status result_summary result_path started_at completed_at not_before
    checkpoint_path
"""


def is_gone_or_stopping(_b: Task, after: Task, _f: Facts) -> bool:
    return after.claim is None or after.is_stopping


def is_new_attempt(before: Task, after: Task, facts: Facts) -> bool:
    return (
        after.attempt == before.attempt + 1
        and after.claim
        == Claim(label=before.next_label, lease_until=facts.now + facts.lease)
        and after.started_at == facts.now
        and after.subagent_session is None
        and after.session_model is None
        and after.paused_from is None
    )


def is_reset(before: Task, after: Task, _f: Facts) -> bool:
    cleared = (
        after.error_class,
        after.error_message,
        after.failure_reason,
        after.blocked_reason,
        after.skipped_reason,
        after.result,
        after.result_status,
        after.result_summary,
        after.result_path,
        after.started_at,
        after.completed_at,
        after.not_before,
    )
    counters = (after.retries, after.losses)
    return set(cleared) == {None} and counters == (0, 0) and after.spent == before.spent


def has_result(_b: Task, after: Task, facts: Facts) -> bool:
    outcome = facts.outcome or Outcome(result_status="")
    return (after.result, after.result_summary, after.result_path) == (
        outcome.result,
        outcome.summary,
        facts.result_path,
    )


def has_error(_b: Task, after: Task, facts: Facts) -> bool:
    outcome = facts.outcome or Outcome(result_status="")
    return (after.error_class, after.error_message) == (
        outcome.error_class,
        outcome.error_message,
    )


EFFECTS: Mapping[str, tuple[str, Holds]] = {
    "stamp added_at": ("added_at", lambda _b, a, f: a.added_at == f.now),
    "set context_input": (
        "context_input",
        lambda _b, a, f: a.context_input == f.context_input,
    ),
    "set warning": (
        "context_input",
        lambda _b, a, f: a.context_input == f.context_input,
    ),
    "set blocked_reason": (
        "blocked_reason",
        lambda _b, a, f: a.blocked_reason == f.reason,
    ),
    "clear blocked_reason": (
        "blocked_reason",
        lambda _b, a, _f: a.blocked_reason is None,
    ),
    "set skipped_reason": (
        "skipped_reason",
        lambda _b, a, f: a.skipped_reason == f.reason,
    ),
    "set completed_at": ("completed_at", lambda _b, a, f: a.completed_at == f.now),
    "start": (
        "attempt claim started_at subagent_session session_model paused_from not_before",
        is_new_attempt,
    ),
    "clear not_before": ("not_before", lambda _b, a, _f: a.not_before is None),
    "run again now": ("not_before", lambda _b, a, _f: a.not_before is None),
    "set session": (
        "subagent_session claim",
        lambda _b, a, f: a.subagent_session == f.session_id,
    ),
    "renew lease": (
        "claim",
        lambda b, a, f: (
            a.claim == replace(b.claim or LIVE_CLAIM, lease_until=f.now + f.lease)
        ),
    ),
    "save checkpoint": (
        "checkpoint_path",
        lambda _b, a, f: a.checkpoint_path == f.checkpoint_path,
    ),
    "store result": ("result result_status result_summary result_path", has_result),
    "keep partial result": (
        "result result_status result_summary result_path",
        has_result,
    ),
    "set error": ("error_class error_message result_path", has_error),
    "clear error": (
        "error_class error_message",
        lambda _b, a, _f: (a.error_class, a.error_message) == (None, None),
    ),
    "retries+1": ("retries", lambda b, a, _f: a.retries == b.retries + 1),
    "retries-1": ("retries", lambda b, a, _f: a.retries == b.retries - 1),
    "losses+1": ("losses", lambda b, a, _f: a.losses == b.losses + 1),
    "drop claim": ("claim", is_gone_or_stopping),
    "stop session": ("claim", is_gone_or_stopping),
    "backoff": ("not_before", lambda _b, a, f: a.not_before == f.now + f.delay),
    "wait until": ("not_before", lambda _b, a, f: a.not_before == f.until),
    "move to fallback": (
        "queue model",
        lambda _b, a, f: (a.queue, a.model) == f.fallback,
    ),
    "clear started_at": ("started_at", lambda _b, a, _f: a.started_at is None),
    "paused_from=pending": (
        "paused_from",
        lambda _b, a, _f: a.paused_from == "pending",
    ),
    "paused_from=waiting": (
        "paused_from",
        lambda _b, a, _f: a.paused_from == "waiting",
    ),
    "paused_from=running": (
        "paused_from",
        lambda _b, a, _f: a.paused_from == "running",
    ),
    "clear paused_from": ("paused_from", lambda _b, a, _f: a.paused_from is None),
    "on_depends_fail=continue": (
        "on_depends_fail",
        lambda _b, a, _f: a.on_depends_fail == "continue",
    ),
    "on_depends_fail skip→block": (
        "on_depends_fail",
        lambda b, a, _f: (
            a.on_depends_fail
            == ("block" if b.on_depends_fail == "skip" else b.on_depends_fail)
        ),
    ),
    "reset counters": (RESET, is_reset),
}
"""Word of the list to the fields it may touch, and what holds afterwards."""
NOTICES = {
    "–": None,
    "retrying (log only)": None,
    "failed, with hint": "failed",
    "quota (once per source and reset)": "quota",
    "quota, moved to fallback": "fallback",
}
SPENDING = "spent session_model subagent_session"
"""What an outcome adds whatever the row."""


def row_for(before: str, event: str, task: Task, facts: Facts) -> Expected:
    found = [r for r in CELLS[before, event] if GUARDS[r.guard](task, facts)]
    assert len(found) == 1, (before, event, [r.guard for r in found], task, facts)
    return found[0]


def check(before: str, event: str, task: Task, facts: Facts) -> Expected:
    """Compare one step with the row of the list that applies."""
    row = row_for(before, event, task, facts)
    where = f"{row} for {task} with {facts}"
    if row.after == "refuse":
        with pytest.raises(IllegalTransition):
            step(task, Event(event), facts)
        return row
    found = step(task, Event(event), facts)
    is_same = row.after in {"=", "(archived)"}
    assert found.after.status == (task.status if is_same else row.after), where
    assert found.notice == NOTICES.get(row.notice, row.notice), where
    check_effects(row, found, facts, where)
    check_slot(row, found, facts, where)
    return row


def check_effects(row: Expected, found: Step, facts: Facts, where: str) -> None:
    touched = {"status"}
    for word in set(row.effects) - BY_CALLERS:
        if word in IN_STEP:
            assert word in found.effects, where
        if word in EFFECTS and not found.is_late:
            names, holds_after = EFFECTS[word]
            touched |= set(names.split())
            assert holds_after(found.before, found.after, facts), (word, where)
        is_reason = word.startswith("failure_reason ")
        assert is_reason or word in IN_STEP or word in EFFECTS, word
    if facts.outcome is not None:
        touched |= set(SPENDING.split())
    if row.event in {"cancel", "skip", "agent_blocked"}:
        # A session that may be left over is asked to stop, whatever the status.
        touched |= {"claim"}
    reasons = [w.split()[-1] for w in row.effects if w.startswith("failure_reason")]
    if reasons:
        touched |= {"failure_reason", "error_message"}
        assert found.after.failure_reason == reasons[0], where
    changed = {
        f.name
        for f in fields(Task)
        if getattr(found.before, f.name) != getattr(found.after, f.name)
    }
    assert changed <= touched, (changed - touched, where)


def check_slot(row: Expected, found: Step, facts: Facts, where: str) -> None:
    """The list knows no session that is still stopping: it is seen gone here."""
    word = row.slot_until_terminal if facts.until_terminal else row.slot_running
    before, after = session_gone(found.before), session_gone(found.after)
    held = row.before != "(none)" and holds_slot(
        before, until_terminal=facts.until_terminal
    )
    holds_now = holds_slot(after, until_terminal=facts.until_terminal)
    assert word in {"take", "keep", "release"}, where
    wanted = {"take": True, "release": False}.get(word, held)
    assert holds_now == wanted, where


def claims_of(
    status: Status, paused_from: Status | None, event: str
) -> list[Claim | None]:
    """Return the claims that a task of a status can have when an event comes."""
    if status is Status.RUNNING:
        return [LIVE_CLAIM]
    from_session = event in EVENTS_OF_SESSIONS
    if paused_from is Status.RUNNING:
        return [STOPPING_CLAIM] if from_session else [None]
    return [None, STOPPING_CLAIM] if from_session or event == "claim" else [None]


def tasks_of(
    before: str, event: str, axes: Mapping[str, Sequence[object]]
) -> Iterable[Task]:
    """Yield the tasks of a status, every value of the axes with every other."""
    status = Status.PENDING if before == "(none)" else Status(before)
    suspended = [Status.PENDING, Status.WAITING, Status.RUNNING]
    for paused_from in suspended if status is Status.PAUSED else [None]:
        for claim in claims_of(status, paused_from, event):
            for values in itertools.product(*axes.values()):
                given = dict(zip(axes, values, strict=True))
                task = a_task(
                    "" if before == "(none)" else "T-001",
                    status=status,
                    paused_from=paused_from,
                    claim=claim,
                    attempt=0 if before == "(none)" else 2,
                    **given,
                )
                if is_possible(task, before):
                    yield task


def is_possible(task: Task, before: str) -> bool:
    if before == "(none)":
        return not is_started(task)
    needs_start = {Status.RUNNING, Status.DONE}
    if task.status in needs_start or task.paused_from is Status.RUNNING:
        return is_started(task)
    if task.status is Status.WAITING or task.paused_from is Status.WAITING:
        return not is_started(task)
    return True


TASK_AXES: Mapping[str, Sequence[object]] = {
    "started_at": (None, START),
    "retries": (0, 2, 3, 4),
    "losses": (0, 3, 4),
    "on_depends_fail": tuple(DependencyPolicy),
    "error_class": (None, ErrorClass.REPORTED, ErrorClass.INVALID_REPORT),
    "type": (None, "bug", "feature"),
    "not_before": (None, NOW, LATER),
    "depends_on": ((), ("T-009",)),
}
FACT_AXES: Mapping[str, Sequence[object]] = {
    "label": (LABEL, "mq-t-001-a1-00000001", None),
    "dependency": tuple(DependencyState),
    "bad_dependency": (False, True),
    "may_claim": (False, True),
    "fallback": (None, ("cloud", "nvidia/glm")),
    "checkpoint_fresh": (False, True),
    "unneeded": (False, True),
}
POLICIES = (
    {"workspace": False, "until_terminal": False},
    {"workspace": False, "until_terminal": True},
    {"workspace": True, "until_terminal": True},
)
READ_BY: Mapping[str, Sequence[str]] = {
    "submit": ("depends_on", "bad_dependency"),
    "dependency_failed": ("on_depends_fail",),
    "claim": ("started_at", "retries", "not_before", "may_claim"),
    "lost": ("losses", "type", "checkpoint_fresh"),
    "retry": ("dependency", "on_depends_fail", "started_at"),
    "rerun": ("dependency", "on_depends_fail"),
    "archive": ("unneeded",),
    "fail_quota": ("label", "fallback"),
    "fail_invalid": ("label", "retries", "type", "error_class"),
    "fail_reported": ("label", "retries", "type"),
    "fail_transient": ("label", "retries", "type"),
    "fail_timeout": ("label", "retries", "type"),
    "resume": ("started_at",),
    "unblock": ("started_at", "on_depends_fail"),
    "dependency_reopened": ("started_at",),
}
"""What the guards of an event may read; the others keep their first value."""


def full_facts(event: str, **given: object) -> Facts:
    """Return facts in which each value that a row copies can be told apart."""
    outcome = Outcome(
        result_status="failed" if event.startswith("fail") else "success",
        result="the whole report",
        summary="a summary",
        error_class=CLASSES.get(event),
        error_message="what went wrong" if event in CLASSES else None,
        model="ollama/other",
        session_id="session-9",
        spent={"usd": 0.5, "tokens": 10},
    )
    has_outcome = event in RESULTS.split(", ") or event == "lost"
    base: dict[str, object] = {
        "now": NOW,
        "label": LABEL,
        "lease": dt.timedelta(seconds=90),
        "delay": dt.timedelta(seconds=5),
        "until": LATER,
        "outcome": outcome if has_outcome else None,
        "session_id": "session-7",
        "result_path": "results/T-001.md" if has_outcome else None,
        "context_input": {"source_task": "T-009"},
        "reason": "because",
        "checkpoint_path": "checkpoints/T-001.json",
    }
    return Facts(**{**base, **given})  # type: ignore[arg-type] # the test's own fields


CLASSES = {
    "fail_reported": ErrorClass.REPORTED,
    "fail_transient": ErrorClass.TRANSIENT,
    "fail_timeout": ErrorClass.TIMEOUT,
    "fail_invalid": ErrorClass.INVALID_REPORT,
    "fail_rate_limited": ErrorClass.RATE_LIMITED,
    "fail_quota": ErrorClass.QUOTA,
    "fail_fatal": ErrorClass.AUTH,
    "fail_over_budget": ErrorClass.OVER_BUDGET,
    "lost": ErrorClass.LOST,
}


def narrowed(
    axes: Mapping[str, Sequence[object]], event: str
) -> Mapping[str, Sequence[object]]:
    read = (*READ_BY.get(event, ("label",)), "started_at")
    return {name: axis for name, axis in axes.items() if name in read}


def cases(before: str, event: str) -> Iterator[tuple[Task, Facts]]:
    """Yield every task with every facts that the guards of a cell could tell apart."""
    fact_axes = narrowed(FACT_AXES, event)
    for task in tasks_of(before, event, narrowed(TASK_AXES, event)):
        for policy in POLICIES:
            for values in itertools.product(*fact_axes.values()):
                given = dict(zip(fact_axes, values, strict=True))
                facts = full_facts(event, **policy, **given)
                if is_asked(before, event, task, facts):
                    yield task, facts


def is_asked(before: str, event: str, task: Task, facts: Facts) -> bool:
    """Leave out what the list does not speak of."""
    if (before, event) == ("paused", "renew"):
        # An older attempt is late in every status; the list names the own one only.
        return holds(task, facts) and task.paused_from is Status.RUNNING
    if before == "paused" and event in {"attach", "checkpoint"}:
        return task.claim is None or task.paused_from is Status.RUNNING
    if event == "lost" and facts.label != LABEL:
        # A loss that a session's host reports is late like every other outcome.
        return False
    # A fallback is a model queue's, and a retry limit is lowered in backoff only.
    lowered = task.retries > task.max_retries and before != "pending"
    return not lowered and not (facts.workspace and facts.fallback)


@pytest.mark.parametrize(("before", "event"), CELLS, ids=str)
def test_each_row_of_the_list_is_what_a_step_does(before: str, event: str) -> None:
    reached = {
        check(before, event, task, facts) for task, facts in cases(before, event)
    }

    assert reached == set(CELLS[before, event])


@pytest.mark.parametrize(
    ("before", "event"),
    [
        (before, event)
        for before in ("(none)", *Status)
        for event in Event
        if (before, event) not in CELLS
    ],
)
def test_an_event_that_the_list_does_not_have_is_refused(
    before: str, event: Event
) -> None:
    is_draft = before == "(none)"
    status = Status.PENDING if is_draft else Status(before)
    task = a_task("" if is_draft else "T-001", status=status)

    with pytest.raises(IllegalTransition):
        step(task, event, Facts(now=NOW, label=LABEL))


def axis(values: Sequence[object]) -> st.SearchStrategy[object]:
    return st.sampled_from(values)


@st.composite
def any_case(draw: st.DrawFn) -> tuple[str, str, Task, Facts]:
    before, event = draw(st.sampled_from(sorted(CELLS)))
    task_axes = {name: [draw(axis(values))] for name, values in TASK_AXES.items()}
    if before in {"running", "done"}:
        task_axes["started_at"] = [START]
    if before in {"waiting", "(none)"}:
        task_axes["started_at"] = [None]
    tasks = list(tasks_of(before, event, task_axes))
    if not tasks:
        # Paused from running has started, paused from waiting has not: one exists.
        task_axes["started_at"] = [START]
        tasks = list(tasks_of(before, event, task_axes))
    given_facts = {name: draw(axis(values)) for name, values in FACT_AXES.items()}
    policy = draw(st.sampled_from(POLICIES))
    facts = full_facts(event, **policy, **given_facts)
    return before, event, draw(st.sampled_from(tasks)), facts


@settings(max_examples=400, deadline=None)
@given(any_case())
def test_what_the_guards_need_not_read_changes_nothing(
    case: tuple[str, str, Task, Facts],
) -> None:
    before, event, task, facts = case
    if is_asked(before, event, task, facts):
        check(before, event, task, facts)
