"""Why a task does not run: the true reasons, outermost first, in both languages."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from pathlib import Path

import pytest

from cores import a_core, add, end, get, launcher_of, tick
from fakes import START, a_task
from model_queue import explaining, lineups
from model_queue.core import Core
from model_queue.errors import TaskNotFound, TaskRefError
from model_queue.folder import Folder
from model_queue.messages.causes import Reader
from model_queue.messages.wording import language_of
from model_queue.model import (
    Checkpoint,
    DependencyPolicy,
    ErrorClass,
    Outcome,
    Status,
    Task,
    TaskRef,
)
from model_queue.store import Batch, Change, Draft, Hold

FAILED = Outcome(
    result_status="failed", error_class=ErrorClass.AUTH, error_message="bad key"
)
DONE = Outcome(result_status="success", result="All of it.")
HOUR = dt.timedelta(hours=1)
MINUTE = dt.timedelta(minutes=1)


def explained(core: Core, ref: str, **options: object) -> explaining.Explanation:
    now = options.get("now", START)
    lang = options.get("lang", "en")
    assert isinstance(now, dt.datetime)
    assert isinstance(lang, str)
    return explaining.explain(core, TaskRef.parse(ref), lang=lang, now=now)


def codes(
    core: Core, ref: str, **options: object
) -> list[tuple[str | None, str | None]]:
    """The reasons of a task, as code and reference."""
    return [(each.code, each.ref) for each in explained(core, ref, **options).reasons]


def text(core: Core, ref: str, **options: object) -> str:
    return explained(core, ref, **options).text


def put(core: Core, task: Task, **fields: object) -> Task:
    """Store other values of a task, as a person's edit of the file does."""
    stored = get(core, str(task.ref))
    after = replace(stored, **fields)  # type: ignore[arg-type] # fields are the test's
    core.store.commit(Batch(changes=[Change(before=stored, after=after)]), now=START)
    return after


@pytest.fixture
def core(tmp_path: Path) -> Core:
    return a_core(tmp_path)


def a_chain(core: Core, n: int = 3, **fields: object) -> list[Task]:
    """Tasks each of which depends on the one before."""
    drafts = [
        Draft(
            task=a_task("", uuid="", status=Status.WAITING if at else Status.PENDING),
            after=(at - 1,) if at else (),
        )
        for at in range(n)
    ]
    drafts = [d._replace(task=replace(d.task, **fields)) for d in drafts]  # type: ignore[arg-type] # fields are the test's
    return add(core, *drafts)


# Nothing is in the way.


def test_task_that_the_next_pass_claims_has_no_reason(core: Core) -> None:
    add(core, a_task("", uuid=""))

    said = text(core, "T-001")

    assert codes(core, "T-001") == []
    assert said.startswith(
        "T-001 ⏳ pending: Analyze the sales data\nNothing is in its way"
    )
    assert "`model-queue tick`" in said
    tick(core)
    assert get(core, "T-001").status is Status.RUNNING


def test_running_task_tells_since_when_where_and_how_far(core: Core) -> None:
    add(core, a_task("", uuid=""))
    tick(core)
    task = get(core, "T-001")
    saved = Checkpoint(
        task_id="T-001",
        percent_complete=40,
        last_action="read a.csv",
        next_action="read b.csv",
        agent_id="agent",
        written_at=START,
    )
    put(core, task, checkpoint_path=core.folder.write_checkpoint(task, saved))

    said = text(core, "T-001", now=START + 5 * MINUTE)

    assert codes(core, "T-001") == []
    assert said.splitlines()[1:] == [
        (
            "It runs since 2026-03-04 16:51 UTC (5m ago), attempt 1, "
            f"in session {task.label}."
        ),
        "Last checkpoint 5m ago: 40%, read a.csv; next: read b.csv",
    ]


def test_checkpoint_that_cannot_be_read_keeps_nothing_else_back(
    core: Core, tmp_path: Path
) -> None:
    add(core, a_task("", uuid=""))
    tick(core)
    put(core, get(core, "T-001"), checkpoint_path="checkpoints/T-001.json")
    (tmp_path / "checkpoints" / "T-001.json").mkdir(parents=True)

    assert "It runs since" in text(core, "T-001")


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        pytest.param(
            {"status": Status.DONE},
            (
                "It was done 1h ago. Its report: `model-queue result T-001`. "
                'To run it again: "rerun T-001"'
            ),
            id="done",
        ),
        pytest.param(
            {
                "status": Status.FAILED,
                "error_message": "bad key",
                "error_class": ErrorClass.AUTH,
                "failure_reason": "not_retryable",
            },
            (
                "It failed 1h ago, after 1 attempt: bad key. "
                'To run it again: "retry T-001"\nHint: check the source\'s API key'
            ),
            id="failed",
        ),
        pytest.param(
            {"status": Status.CANCELLED, "failure_reason": "user_cancel"},
            'You cancelled it 1h ago. To run it after all: "retry T-001"',
            id="cancelled by you",
        ),
        pytest.param(
            {
                "status": Status.CANCELLED,
                "failure_reason": "user_cancel",
                "error_message": "session cancelled in the host",
            },
            "It was cancelled 1h ago: session cancelled in the host.",
            id="cancelled in the host",
        ),
        pytest.param(
            {
                "status": Status.SKIPPED,
                "failure_reason": "user_skip",
                "skipped_reason": "skipped by the user",
            },
            'You skipped it 1h ago. To run it after all: "retry T-001"',
            id="skipped by you",
        ),
        pytest.param(
            {"status": Status.CANCELLED, "failure_reason": "policy"},
            "It was cancelled 1h ago: no reason was given.",
            id="cancelled by nobody known",
        ),
    ],
)
def test_ended_task_tells_how_and_what_runs_it_again(
    core: Core, fields: dict[str, object], expected: str
) -> None:
    [task] = add(core, a_task("", uuid=""))
    put(core, task, completed_at=START, **fields)

    said = text(core, "T-001", now=START + HOUR)

    assert codes(core, "T-001") == []
    assert said.partition("\n")[2].startswith(expected)


def test_task_above_a_lowered_limit_is_told_to_fail(core: Core) -> None:
    [task] = add(core, a_task("", uuid=""))
    put(core, task, retries=3, max_retries=1)

    assert codes(core, "T-001") == [(None, "T-001")]
    assert "used 3 retries and 1 are allowed by now" in text(core, "T-001")


# Dependencies.


def test_open_dependency_comes_behind_what_keeps_it(core: Core) -> None:
    add(
        core,
        a_task("", uuid="", queue="ollama-remote"),
        Draft(task=a_task("", uuid="", status=Status.WAITING), after=(0,)),
    )
    hold = Hold(at=START, by="user", reason="paused by you")
    core.store.commit(Batch(holds={"ollama-remote": hold}), now=START)

    assert codes(core, "T-002") == [
        ("queue_paused", "ollama-remote"),
        ("dependency_open", "T-001"),
    ]
    assert 'to go on: "resume ollama-remote"' in text(core, "T-002")


def test_failed_ancestor_comes_before_the_parent_that_it_blocks(core: Core) -> None:
    a_chain(core, 4)
    tick(core)
    end(core, "T-001", FAILED)
    tick(core)

    said = text(core, "T-004")

    assert codes(core, "T-004") == [
        ("dependency_failed", "T-001"),
        ("dependency_failed", "T-002"),
        ("dependency_failed", "T-003"),
    ]
    assert said.splitlines()[1:] == [
        (
            "• T-002 depends on T-001, which failed after 1 attempt: bad key; "
            'to run that again: "retry T-001"'
        ),
        (
            "• T-003 depends on T-002, which is blocked by that, and goes on by itself "
            'when that is put right; to run it without: "unblock T-002"'
        ),
        (
            "• T-004 depends on T-003, which is blocked by that, and goes on by itself "
            'when that is put right; to run it without: "unblock T-003"'
        ),
        'To run T-004 without waiting for that: "unblock T-004"',
    ]


def test_what_two_branches_wait_for_is_told_once(core: Core) -> None:
    waiting = a_task("", uuid="", status=Status.WAITING)
    add(
        core,
        a_task("", uuid=""),
        Draft(task=waiting, after=(0,)),
        Draft(task=waiting, after=(0,)),
        Draft(task=waiting, after=(1, 2)),
    )
    tick(core)

    assert codes(core, "T-004") == [
        ("dependency_open", "T-001"),
        ("dependency_open", "T-002"),
        ("dependency_open", "T-003"),
    ]


def test_policy_continue_waits_for_the_open_ones_only(core: Core) -> None:
    waiting = a_task(
        "", uuid="", status=Status.WAITING, on_depends_fail=DependencyPolicy.CONTINUE
    )
    add(
        core,
        a_task("", uuid=""),
        a_task("", uuid=""),
        Draft(task=waiting, after=(0, 1)),
    )
    tick(core)
    end(core, "T-001", FAILED)
    tick(core)

    assert codes(core, "T-003") == [("dependency_open", "T-002")]


def test_skipped_parent_leads_on_to_what_it_was_skipped_for(core: Core) -> None:
    waiting = a_task("", uuid="", status=Status.WAITING)
    skip = replace(waiting, on_depends_fail=DependencyPolicy.SKIP)
    add(core, a_task("", uuid=""), Draft(skip, (0,)), Draft(waiting, (1,)))
    tick(core)
    end(core, "T-001", FAILED)
    tick(core)

    assert codes(core, "T-003") == [
        ("dependency_failed", "T-001"),
        ("dependency_failed", "T-002"),
    ]
    assert "T-002, which was skipped: Dependency T-001 failed" in text(core, "T-003")


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (
            {"status": Status.PAUSED, "paused_from": Status.PENDING},
            [("dependency_open", "T-001")],
        ),
        (
            {"status": Status.CANCELLED, "completed_at": START},
            [("dependency_failed", "T-001")],
        ),
        (
            {"status": Status.BLOCKED, "started_at": START, "blocked_reason": "a key"},
            [("dependency_failed", "T-001")],
        ),
    ],
)
def test_parent_that_a_person_has_to_free_is_told_with_the_command(
    core: Core, fields: dict[str, object], expected: list[object]
) -> None:
    first, _ = a_chain(core, 2)
    put(core, first, **fields)
    commands = {
        Status.PAUSED: '"resume T-001"',
        Status.CANCELLED: '"retry T-001"',
        Status.BLOCKED: 'blocked: a key; to let that go on: "unblock T-001"',
    }

    said = text(core, "T-002")

    assert codes(core, "T-002") == expected
    assert commands[Status(str(fields["status"]))] in said


def test_unknown_dependency_is_told_with_the_nearest_ids(core: Core) -> None:
    [task] = add(core, a_task("", uuid=""))
    put(core, task, status=Status.WAITING, depends_on=("T-099",))
    tick(core)

    said = text(core, "T-001")

    assert codes(core, "T-001") == [("dependency_failed", "T-099")]
    assert "T-001 depends on T-099, which does not exist; the nearest ids are" in said
    assert '"unblock T-001"' in said


def test_circle_is_told_from_within_and_from_outside(core: Core) -> None:
    first, second, third, fourth = a_chain(core, 4)
    put(core, first, status=Status.WAITING, depends_on=("T-003",))
    tick(core)

    path = "T-003 → T-002 → T-001 → T-003"
    assert codes(core, "T-003") == [("dependency_failed", "T-002")]
    assert f"{path}: these wait for each other; to run one" in text(core, "T-003")
    assert codes(core, str(fourth.ref)) == [
        ("dependency_failed", "T-002"),
        ("dependency_failed", "T-003"),
    ]
    assert {get(core, t.id).status for t in (first, second, third)} == {Status.BLOCKED}


def test_long_chain_is_explained_with_its_ends(core: Core) -> None:
    a_chain(core, 1_500)
    tick(core)

    found = explained(core, "T-1500")

    assert [each.ref for each in found.reasons[:2]] == ["T-001", "T-002"]
    assert len(found.reasons) == 1_499
    lines = found.text.splitlines()
    assert lines[-2] == "… 1487 more"
    assert lines[-1].startswith("• T-1500 depends on T-1499, which is waiting")


def test_settled_dependency_needs_a_pass_only(core: Core) -> None:
    first, _ = a_chain(core, 2)
    put(core, first, status=Status.DONE, completed_at=START)

    assert codes(core, "T-002") == []
    assert "the next pass moves it on" in text(core, "T-002")


# The queue.


def test_failures_and_limits_are_told_apart(core: Core) -> None:
    add(core, a_task("", uuid=""))
    why = Hold(at=START, by="failures", reason="bad key")
    core.store.commit(Batch(holds={"ollama-local": why}), now=START)
    paused = explained(core, "T-001")
    until = START + 2 * HOUR
    quota = Hold(at=START, by="quota", reason="used up", until=until)
    core.store.commit(Batch(holds={"ollama-local": quota}), now=START)
    limited = explained(core, "T-001")

    assert [(r.code, r.ref, r.until) for r in paused.reasons] == [
        ("queue_paused", "ollama-local", None)
    ]
    assert 'bad key; once that is put right: "resume ollama-local"' in paused.text
    assert [(r.code, r.ref, r.until) for r in limited.reasons] == [
        ("rate_limited", "ollama-local", until)
    ]
    assert "by itself at 2026-03-04 18:51 UTC (in 2h)" in limited.text
    assert codes(core, "T-001", now=until) == []


def test_spent_budget_is_a_limit_until_midnight(tmp_path: Path) -> None:
    core = a_core(tmp_path, ollama_local={"budget_usd_per_day": 1.5})
    first, _ = add(core, a_task("", uuid=""), a_task("", uuid=""))
    put(
        core,
        first,
        status=Status.DONE,
        started_at=START,
        completed_at=START,
        spent={"usd": 1.5},
    )

    [reason] = explained(core, "T-002").reasons

    midnight = dt.datetime(2026, 3, 5, tzinfo=dt.UTC)
    assert (reason.code, reason.ref) == ("rate_limited", "ollama-local")
    assert reason.until == midnight
    assert "budget of the day (1.5 USD)" in reason.text
    tick(core)
    assert get(core, "T-002").status is Status.PENDING
    assert codes(core, "T-002", now=midnight) == []


def test_full_disk_and_removed_source_are_told_without_a_code(
    core: Core, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(core, a_task("", uuid=""))
    sources = dict(core.settings.sources)
    del sources["ollama-local"]
    gone = core._replace(settings=replace(core.settings, sources=sources), launchers={})
    monkeypatch.setattr(Folder, "has_room", lambda _: False)

    assert codes(core, "T-001") == [(None, None)]
    assert "The disk is full" in text(core, "T-001")
    assert codes(gone, "T-001") == [(None, "ollama-local"), (None, None)]
    assert "`MODEL_SOURCE_OLLAMA_LOCAL=ollama/qwen2.5`" in text(gone, "T-001")


# Its own time, slot and place.


@pytest.mark.parametrize(
    ("fields", "code", "words"),
    [
        pytest.param({}, "not_due", "is not to start before", id="as asked"),
        pytest.param(
            {
                "started_at": START,
                "retries": 2,
                "error_message": "connection reset",
                "error_class": ErrorClass.TRANSIENT,
            },
            "not_due",
            "before retry 2 of 3, since an attempt failed (connection reset)",
            id="backoff",
        ),
        pytest.param(
            {
                "started_at": START,
                "error_message": "429",
                "error_class": ErrorClass.RATE_LIMITED,
            },
            "rate_limited",
            "met a rate limit (429)",
            id="rate limit",
        ),
        pytest.param(
            {
                "started_at": START,
                "error_message": "no space",
                "error_class": ErrorClass.TRANSIENT,
            },
            "not_due",
            "could not be started (no space)",
            id="given back",
        ),
    ],
)
def test_time_of_the_task_is_told_with_its_cause(
    core: Core, fields: dict[str, object], code: str, words: str
) -> None:
    [task] = add(core, a_task("", uuid=""))
    put(core, task, not_before=START + HOUR, **fields)

    found = explained(core, "T-001")

    assert [(r.code, r.ref, r.until) for r in found.reasons] == [
        (code, "T-001", START + HOUR)
    ]
    assert words in found.text
    assert "2026-03-04 17:51 UTC (in 1h)" in found.text
    assert codes(core, "T-001", now=START + HOUR) == []


def test_line_has_the_order_of_claims(core: Core) -> None:
    add(core, *(a_task("", uuid="") for _ in range(4)))
    tick(core)
    put(core, get(core, "T-004"), priority=5)

    said = text(core, "T-003", now=START + MINUTE)

    assert codes(core, "T-003") == [("no_slot", "ollama-local"), ("behind", "T-004")]
    assert "its only one is taken by T-001 (running, started 1m ago)" in said
    assert 'when that ends, or by "cancel T-001"' in said
    assert "T-003 is 3rd in line, behind T-004, T-002; to let it go first:" in said
    assert '"priority T-003 6"' in said
    assert codes(core, "T-004") == [("no_slot", "ollama-local")]
    end(core, "T-001", DONE)
    tick(core)
    assert get(core, "T-004").status is Status.RUNNING


def test_free_slots_go_to_those_ahead_first(tmp_path: Path) -> None:
    core = a_core(tmp_path, ollama_local={"max_concurrent": 2})
    add(core, *(a_task("", uuid="") for _ in range(3)))

    assert codes(core, "T-002") == []
    assert codes(core, "T-003") == [("behind", "T-001")]


def test_slot_that_is_held_until_the_end_is_no_obstacle_to_its_holder(
    tmp_path: Path,
) -> None:
    core = a_core(tmp_path, ollama_local={"slots": "until-terminal"})
    first, _ = add(core, a_task("", uuid=""), a_task("", uuid=""))
    put(core, first, started_at=START, retries=1, error_message="reset")

    assert codes(core, "T-001") == []
    assert codes(core, "T-002") == [("no_slot", "ollama-local"), ("behind", "T-001")]


def test_stopping_session_keeps_its_own_task_and_the_slot(core: Core) -> None:
    first, _ = add(core, a_task("", uuid=""), a_task("", uuid=""))
    tick(core)
    claim = get(core, "T-001").claim
    assert claim is not None
    put(core, first, claim=replace(claim, stopping=START), status=Status.PENDING)

    assert codes(core, "T-001") == [("stopping", "T-001")]
    assert codes(core, "T-002") == [
        ("stopping", "T-001"),
        ("no_slot", "ollama-local"),
    ]
    put(core, first, status=Status.CANCELLED, completed_at=START)
    assert codes(core, "T-002") == [
        ("stopping", "T-001"),
        ("no_slot", "ollama-local"),
    ]
    launcher_of(core, "ollama-local").sessions.clear()
    tick(core)
    assert get(core, "T-002").status is Status.RUNNING


def test_silent_host_is_told_for_the_task_and_its_dependents(tmp_path: Path) -> None:
    core = a_core(tmp_path, host=True)
    a_chain(core, 2)
    waits_for_host = codes(core, "T-001")
    tick(core, carries_actions=True)
    early = codes(core, "T-001")

    later = START + HOUR

    assert waits_for_host == [("host_only", "ollama-local")]
    assert early == []
    assert codes(core, "T-001", now=later) == [("host_only", "ollama-local")]
    assert "nothing has been heard of it since" in text(core, "T-001", now=later)
    assert codes(core, "T-002", now=later) == [
        ("host_only", "ollama-local"),
        ("dependency_open", "T-001"),
    ]


def test_line_that_only_the_host_moves_is_told_before_the_place_in_it(
    tmp_path: Path,
) -> None:
    core = a_core(tmp_path, host=True)
    add(core, a_task("", uuid=""), a_task("", uuid=""))

    assert codes(core, "T-002") == [("host_only", "ollama-local"), ("behind", "T-001")]
    tick(core, carries_actions=True)
    assert codes(core, "T-002") == [("no_slot", "ollama-local")]


def test_paused_and_blocked_tasks_tell_the_command_that_frees_them(core: Core) -> None:
    first, second = add(core, a_task("", uuid=""), a_task("", uuid=""))
    put(core, first, status=Status.PAUSED, paused_from=Status.PENDING)
    put(
        core,
        second,
        status=Status.BLOCKED,
        started_at=START,
        blocked_reason="needs a password",
    )

    assert codes(core, "T-001") == [(None, "T-001")]
    assert '"resume T-001"' in text(core, "T-001")
    assert codes(core, "T-002") == [(None, "T-002")]
    assert 'needs a password; to let it go on: "unblock T-002"' in text(core, "T-002")


# Which task.


def test_archived_task_is_explained(core: Core) -> None:
    [task] = add(core, a_task("", uuid=""))
    put(core, task, status=Status.DONE, completed_at=START)
    core.store.archive(before=START + HOUR, now=START + HOUR)

    assert "It was done 1h ago" in text(core, "T-001", now=START + HOUR)


def test_unknown_id_is_refused_with_the_nearest(core: Core) -> None:
    add(core, a_task("", uuid=""))

    with pytest.raises(TaskNotFound, match="T-001"):
        explained(core, "T-009")
    with pytest.raises(TaskRefError):
        explained(core, "nonsense")


def test_reasons_are_offered_without_the_text(core: Core) -> None:
    _, second = a_chain(core, 2)

    found = explaining.reasons(core, second, now=START)

    assert [(each.code, each.ref) for each in found] == [("dependency_open", "T-001")]
    assert (
        lineups.before_start(lineups.View(core, Reader(START)), get(core, "T-001"))
        == []
    )


def test_chinese_answers_are_chinese_throughout(core: Core) -> None:
    a_chain(core, 3, description="分析销售数据")
    tick(core)
    end(core, "T-001", FAILED)
    tick(core)

    lines = text(core, "T-003", lang="zh").splitlines()

    assert lines[0] == "T-003 🚫 已阻塞：分析销售数据"
    assert lines[1] == (
        "• T-002 依赖 T-001，后者失败，共 1 次尝试：bad key；要重新运行：“重试 T-001”"
    )
    assert lines[2] == (
        "• T-003 依赖 T-002，后者因此阻塞，解决后会自动继续；"
        "要不等直接运行：“解除阻塞 T-002”"
    )
    assert lines[3] == "要不等这些、直接运行 T-003：“解除阻塞 T-003”"
    assert all(language_of(line) == "zh" for line in lines)


def test_chinese_reasons_name_the_commands_in_chinese(tmp_path: Path) -> None:
    core = a_core(tmp_path, host=True)
    add(core, *(a_task("", uuid="") for _ in range(3)))
    only_host = text(core, "T-001", lang="zh")
    tick(core, carries_actions=True)
    in_line = text(core, "T-003", lang="zh", now=START + MINUTE)
    claim = get(core, "T-001").claim
    assert claim is not None
    put(core, get(core, "T-001"), claim=replace(claim, stopping=START))
    stops = text(core, "T-002", lang="zh", now=START + MINUTE)
    put(core, get(core, "T-002"), not_before=START + HOUR)
    late = text(core, "T-002", lang="zh")
    until = START + 2 * HOUR
    for by, end_at in (("user", None), ("quota", until)):
        hold = Hold(at=START, by=by, reason="used up", until=end_at)
        core.store.commit(Batch(holds={"ollama-local": hold}), now=START)
        told = text(core, "T-003", lang="zh", now=START + MINUTE)
        assert "“恢复 ollama-local”" in told
        assert ("已于1分钟前被你暂停" in told) == (end_at is None)
        assert ("将于 2026-03-04 18:51 UTC（1小时59分钟后）自动继续" in told) == (
            end_at is not None
        )

    assert "或用 `model-queue tick --actions` 启动" in only_host
    assert "T-001（运行中，1分钟前开始）" in in_line
    assert "T-003 排在第 2 位，前面是 T-002；要让它先运行：“优先级 T-003 1”" in in_line
    assert "T-001 已于1分钟前被要求停止" in stops
    assert "T-001（正在停止）" in stops
    assert "T-002 要到 2026-03-04 17:51 UTC（1小时后）才开始" in late
