"""What the first written form of the queue left open or got wrong, decided here.

Each docstring names the case and the place of the source document.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from cores import a_core, add, end, get, launcher_of, notices, tick
from fakes import START, FixedRng, RecordingLauncher, SequentialIds, a_task
from hosting import Host, actions, seed_task, tasks_of
from model_queue import adding, submit
from model_queue.core import Core
from model_queue.intake import Catalog, ParsedTask, parse
from model_queue.model import DependencyPolicy, ErrorClass, Outcome, Status, Task
from model_queue.ports import Launch, Started
from model_queue.store import Batch, Change, Draft
from model_queue.stores.files import FilesStore

SUCCESS = Outcome(result_status="success", result="42 rows", summary="42 rows")
DAY = dt.timedelta(days=1)
MINUTE = dt.timedelta(minutes=1)


def first(**fields: object) -> Task:
    return replace(a_task(""), **fields)  # type: ignore[arg-type] # fields are the test's


def after(*places: int, **fields: object) -> Draft:
    return Draft(task=first(status=Status.WAITING, **fields), after=places)


def broken(error_class: ErrorClass) -> Outcome:
    return Outcome(
        result_status="failed", error_class=error_class, error_message="it broke"
    )


def say(core: Core, message: str) -> str:
    """Type a message, let a pass follow as the hook does, and return the answer."""
    answer = submit.intake(core, adding.Message(text=message), now=START)
    tick(core)
    return answer.text


def read(models: Mapping[str, Sequence[str]]) -> ParsedTask:
    """Return the one task of a message that names qwen2.5."""
    catalog = Catalog(sources={n: tuple(m) for n, m in models.items()}, aliases={})
    parsed = parse("用 qwen2.5 写一首诗", catalog=catalog, now=START, zone=dt.UTC)
    (task,) = parsed.tasks
    return task


@pytest.fixture
def core(tmp_path: Path) -> Core:
    return a_core(tmp_path)


def test_ids_count_over_all_queues(core: Core) -> None:
    """B180, seed 003 Step 5: T-001 existed in every queue."""
    messages = ["use qwen2.5: write a poem", "use glm5: write a song"]

    for message in messages:
        say(core, message)

    assert get(core, "T-001").queue == "ollama-local"
    assert get(core, "T-002").queue == "cloud-nvidia"


@pytest.mark.slow
def test_a_command_on_a_doubled_id_is_asked_back_and_taken_with_its_source(
    host: Host,
) -> None:
    """B180, seed 003 Step 5: 'cancel T-001' meant a task in each queue."""
    later = "2030-01-01T00:00:00Z"
    host.put("ollama-local", seed_task("T-001", not_before=later))
    host.put("cloud-nvidia", seed_task("T-001", not_before=later))

    asked = str(host.say("cancel T-001")["reply"])
    untouched = [host.chat.queue(q)["tasks"] for q in ("ollama-local", "cloud-nvidia")]
    host.say("cancel ollama-local/T-001")

    assert "say cloud-nvidia/T-001 or ollama-local/T-001" in asked
    assert "cancelled" not in str(untouched)
    assert "cancelled" in str(host.chat.queue("ollama-local")["tasks"])
    assert "cancelled" not in str(host.chat.queue("cloud-nvidia")["tasks"])


@pytest.mark.slow
def test_a_dependency_on_a_doubled_id_means_the_one_of_its_own_queue(
    host: Host,
) -> None:
    """B180, seed 003 Step 5: in files with doubles depends_on was ambiguous."""
    host.put(
        "ollama-local",
        seed_task("T-001", status="done", result_summary="Of this queue."),
        seed_task("T-002", status="waiting", depends_on="T-001"),
    )
    host.put(
        "cloud-nvidia",
        seed_task("T-001", status="failed"),
        seed_task("T-003", status="waiting", depends_on="ollama-local/T-001"),
    )

    prompts = [str(spawn["prompt"]) for spawn in actions(host.beat(), "spawn")]

    assert len(prompts) == 2
    assert all("Of this queue." in prompt for prompt in prompts)


@pytest.mark.parametrize(
    "status", [Status.FAILED, Status.SKIPPED, Status.CANCELLED, Status.BLOCKED]
)
@pytest.mark.parametrize(
    ("policy", "after_it"),
    [("block", "blocked"), ("skip", "skipped"), ("continue", "running")],
)
def test_nobody_waits_for_a_task_that_ended_otherwise_than_done(
    core: Core, status: Status, policy: str, after_it: str
) -> None:
    """B181, seed 003 Steps 2 and 3: dependents of a skipped task waited for ever."""
    add(core, first(status=status), after(0, on_depends_fail=DependencyPolicy(policy)))

    tick(core)

    assert get(core, "T-002").status.value == after_it


@pytest.mark.slow
@pytest.mark.parametrize(
    ("word", "status", "result_status", "retries"),
    [
        ("success", "done", "success", 0),
        ("partial", "done", "partial", 0),
        ("failed", "running", None, 1),
    ],
)
def test_a_session_that_ended_well_is_what_its_report_says(
    host: Host, word: str, status: str, result_status: str | None, retries: int
) -> None:
    """B182, seed 003 Mode 2 Step 2: each session that ended was marked done."""
    host.say("use qwen2.5: write a poem")

    host.end("T-001", result=f"All of it.\n\nStatus: {word}\nSummary: as told\n")

    task = host.task("T-001")
    assert (task["status"], task["result_status"]) == (status, result_status)
    assert task["retries"] == retries


class Killed(BaseException):
    """What a kill looks like from inside the process."""


class KilledAfterStart(RecordingLauncher):
    """A launcher whose process is killed right after it started a session."""

    def start(self, launch: Launch) -> Started:
        super().start(launch)
        raise Killed


def test_a_pass_that_is_killed_after_the_spawn_does_not_start_it_twice(
    core: Core,
) -> None:
    """B183, seed 003 Steps 4 and 5: it was saved as running at the end of the pass."""
    launcher = KilledAfterStart()
    killed = core._replace(launchers={**core.launchers, "ollama-local": launcher})
    add(core, first())
    with pytest.raises(Killed):
        tick(killed)
    next_one = RecordingLauncher()
    next_one.sessions = launcher.sessions
    core = core._replace(launchers={**core.launchers, "ollama-local": next_one})

    tick(core, START + MINUTE)

    assert next_one.launches == []
    task = get(core, "T-001")
    assert (task.status, task.attempt) == (Status.RUNNING, 1)
    assert task.label in next_one.sessions


def test_a_session_whose_id_was_lost_is_found_by_its_label(core: Core) -> None:
    """B184, original SKILL.md A7: it was started again beside the one that lived."""
    add(core, first())
    tick(core)
    task = get(core, "T-001")
    forgotten = replace(task, subagent_session=None)
    core.store.commit(Batch(changes=[Change(before=task, after=forgotten)]), now=START)

    tick(core, START + 10 * MINUTE)

    assert len(launcher_of(core, "ollama-local").launches) == 1
    assert get(core, "T-001").status is Status.RUNNING


def test_a_session_that_is_gone_is_tried_again_under_a_new_label(core: Core) -> None:
    """B184, original SKILL.md A7: only when no label finds it is it lost."""
    add(core, first())
    tick(core)
    before = str(get(core, "T-001").label)
    launcher_of(core, "ollama-local").sessions.clear()

    tick(core, START + 10 * MINUTE)

    task = get(core, "T-001")
    assert (task.attempt, task.losses, task.retries) == (2, 1, 0)
    assert task.label == before.replace("-a1-", "-a2-")


def test_a_key_that_is_refused_three_times_in_a_row_pauses_the_queue(
    core: Core,
) -> None:
    """B185, seed 003 retry: a 401 was tried again at once, like every error."""
    add(core, first(), first(), first(), first())

    for task_id in ("T-001", "T-002", "T-003"):
        tick(core)
        end(core, task_id, broken(ErrorClass.AUTH))
    tick(core)

    ended = [get(core, f"T-00{n}") for n in range(1, 4)]
    assert [(t.status, t.attempt, t.retries) for t in ended] == [
        (Status.FAILED, 1, 0)
    ] * 3
    assert get(core, "T-004").status is Status.PENDING
    assert "⏸️ Queue [ollama-local] paused" in notices(core)[-1]


@pytest.mark.parametrize(
    ("jitter", "share", "waits_s"),
    [
        pytest.param(0.0, 0.5, [5, 15, 45], id="exact"),
        pytest.param(0.2, 1.0, [6, 18, 54], id="a fifth later at most"),
    ],
)
def test_each_retry_waits_longer_than_the_one_before(
    tmp_path: Path, jitter: float, share: float, waits_s: Sequence[int]
) -> None:
    """B185, seed 003 retry: a retry was immediate, all of them at the same moment."""
    source = {"backoff_s": (5.0, 15.0, 45.0), "jitter": jitter}
    core = a_core(tmp_path, ollama_local=source)._replace(rng=FixedRng(share))
    add(core, first())
    now, waited = START, list[float]()

    for _ in waits_s:
        tick(core, now)
        task = end(core, "T-001", broken(ErrorClass.TRANSIENT), now)
        assert task.not_before is not None
        waited.append((task.not_before - now).total_seconds())
        now = task.not_before

    assert waited == waits_s


def test_a_blocked_dependent_waits_again_once_its_parent_is_retried(
    core: Core,
) -> None:
    """B186, seed 003 Step 3: it stayed blocked though the parent was done at last."""
    add(core, first(), after(0))
    tick(core)
    end(core, "T-001", broken(ErrorClass.BAD_REQUEST))
    tick(core)
    blocked = get(core, "T-002").status

    say(core, "retry T-001")
    waiting = get(core, "T-002").status
    end(core, "T-001", SUCCESS)
    tick(core)

    assert (blocked, waiting) == (Status.BLOCKED, Status.WAITING)
    assert get(core, "T-002").status is Status.RUNNING


@pytest.mark.slow
@pytest.mark.parametrize(
    ("status", "dependent"), [("done", "running"), ("failed", "blocked")]
)
def test_an_archived_dependency_counts_as_what_it_was(
    host: Host, status: str, dependent: str
) -> None:
    """B187, seed 003, archive after 7 days: what was put away was not found."""
    host.put(
        "ollama-local",
        seed_task(
            "T-001",
            status=status,
            result_summary="Sales rose.",
            completed_at="2026-03-04T16:30:00Z",
        ),
    )
    store = FilesStore(str(host.queues), ids=SequentialIds())
    store.archive(before=START, now=START)
    host.put("cloud-nvidia", seed_task("T-002", status="waiting", depends_on="T-001"))

    host.beat()

    assert host.statuses("T-002") == [dependent]
    is_told = "Sales rose." in str(host.spawned.get("T-002", {}).get("prompt"))
    assert is_told is (status == "done")


@pytest.mark.parametrize(
    ("limit", "told"),
    [(3, "after 4 attempts"), (1, "after 2 attempts"), (0, "after 1 attempt")],
)
def test_attempts_are_counted_and_told_as_they_were(
    core: Core, limit: int, told: str
) -> None:
    """B188, seed 003 templates: 3 retries are 4 attempts, the text said 3."""
    [task] = add(core, first(max_retries=limit))
    now = START

    for _ in range(limit + 1):
        tick(core, now)
        task = end(core, "T-001", broken(ErrorClass.TRANSIENT), now)
        now = task.not_before or now

    assert (task.status, task.attempt, task.retries) == (
        Status.FAILED,
        limit + 1,
        limit,
    )
    assert notices(core)[-1].startswith(f"❌ T-001 failed {told}\n")


@pytest.mark.parametrize("scope", ["addressed", "ambient"])
@pytest.mark.parametrize(
    "message",
    [
        "然后呢？",
        "接下来呢？",
        "然后怎么办？",
        "what's next?",
        "What comes next?",
        "and then?",
        "next?",
        "然后",
        "接下来",
        "下一步",
        "next",
        "next one please",
        "How would you handle this?",
    ],
)
def test_a_trigger_word_in_plain_talk_adds_nothing(
    core: Core, message: str, scope: str
) -> None:
    """B189, seed 003 triggers: 'next', 然后 and 'handle this' fired on plain talk."""
    asked = adding.Message(text=message, scope=scope)

    answer = submit.intake(core, asked, now=START)

    assert (answer.mode, answer.text, list(answer.tasks)) == ("none", "", [])


@pytest.mark.parametrize(
    ("message", "told"),
    [("继续", "没有可以恢复的任务。"), ("continue", "There is nothing to resume.")],
)
def test_go_on_lets_go_on_what_is_paused_and_adds_nothing(
    core: Core, message: str, told: str
) -> None:
    """B189: in a chat of the queue's own it is a command, and no work."""
    answer = submit.intake(core, adding.Message(text=message), now=START)

    assert (answer.text, list(answer.tasks)) == (told, [])
    ambient = adding.Message(text=message, scope="ambient")
    passed = submit.intake(core, ambient, now=START)
    assert (passed.mode, passed.text) == ("none", "")


@pytest.mark.parametrize(
    "message", ["Can you handle this?", "帮我处理这个", "然后写诗"]
)
def test_words_that_were_typed_to_somebody_else_add_nothing(
    core: Core, message: str
) -> None:
    """B189, seed 003 triggers: a hook sees every message that a person types."""
    asked = adding.Message(text=message, scope="ambient")

    answer = submit.intake(core, asked, now=START)

    assert (answer.mode, answer.text, list(answer.tasks)) == ("none", "", [])


@pytest.mark.slow
def test_notices_and_what_was_started_come_in_one_report(host: Host) -> None:
    """B190, seed 003 Step 6: with notices to send the line of the start was dropped."""
    host.say("use qwen2.5: write a poem, then translate it")
    label = host.spawned["T-001"]["label"]
    host.put("cloud-nvidia", seed_task("T-003"))
    ended = {"label": label, "status": "done", "result": "A poem."}

    reply = str(host.beat(sessions=[ended])["reply"])

    notice, started = reply.split("\n\n")
    assert notice.startswith("✅ T-001 done")
    assert started == "Dispatched 2 tasks across 2 queues."


@pytest.mark.slow
def test_blocked_tasks_are_mentioned_again_once_a_day(host: Host) -> None:
    """B190, seed 003 Step 6: with blocked tasks only there was no word of them."""
    host.put(
        "ollama-local",
        seed_task("T-001", status="failed"),
        seed_task(
            "T-002",
            status="blocked",
            depends_on="T-001",
            blocked_reason="Dependency T-001 failed",
        ),
    )
    replies: list[object] = []

    for hours in (0, 1, 22, 2, 1):
        host.wait(hours * 3600)
        replies.append(host.beat()["reply"])

    head = "🚫 All tasks of queue [ollama-local] are blocked:"
    assert [str(reply).split("\n", maxsplit=1)[0] for reply in replies] == [
        head,
        "HEARTBEAT_OK",
        "HEARTBEAT_OK",
        head,
        "HEARTBEAT_OK",
    ]


@pytest.mark.parametrize(
    ("models", "model"),
    [
        pytest.param(
            {"a": ["ollama/qwen2.5", "ollama/qwen2.5:7b"]},
            "ollama/qwen2.5",
            id="the exact name first",
        ),
        pytest.param(
            {"a": ["ollama/llama3", "ollama/qwen2.5:7b"]},
            "ollama/qwen2.5:7b",
            id="then the only one of that base name",
        ),
    ],
)
def test_a_model_without_its_tag_is_the_one_that_it_can_be(
    models: dict[str, list[str]], model: str
) -> None:
    """B191, seed 003 config: qwen2.5 where there is qwen2.5:7b had no rule."""
    task = read(models)

    assert (task.model, task.ask) == (model, None)


@pytest.mark.parametrize(
    "models",
    [
        pytest.param({"a": ["ollama/qwen2.5:7b", "ollama/qwen2.5:14b"]}, id="two tags"),
        pytest.param(
            {"a": ["ollama/qwen2.5"], "b": ["ollama/qwen2.5"]}, id="two sources"
        ),
    ],
)
def test_a_model_that_can_be_several_is_asked_back(
    models: dict[str, list[str]],
) -> None:
    """B191, seed 003 config: one of them was taken."""
    task = read(models)

    assert task.ask in {"model", "source"}
    assert len(task.candidates) == 2


def test_a_model_of_two_sources_is_taken_where_the_source_is_named(
    core: Core,
) -> None:
    """B191, seed 003 config: 'llama3' is there locally and at nvidia."""
    asked = say(core, "use llama3: write a poem")
    say(core, "use llama3 on nvidia: write a poem")

    assert "1. " in asked
    assert get(core, "T-001").model == "nvidia/llama3"


@pytest.mark.slow
def test_a_question_back_adds_nothing(host: Host) -> None:
    """B191, seed 003 config: it asks, and the person says it again."""
    answer = host.say("use mixtral: write a poem")

    assert [action["type"] for action in actions(answer, "ask")] == ["ask"]
    assert tasks_of(answer) == []
