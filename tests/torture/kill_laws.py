"""The laws of a kill round: each returns one sentence per violation, with its evidence.

Source: SPEC 2.3, 4, 5 and 7.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from torture import kill_diary as diary
from torture.kill_evidence import COUNTS_AS_FAILED, Evidence, Stored

LOSS_LIMIT = 5
CALL_LIMIT_S = 10.0
ALLOWED_CODES = frozenset({0, 5, 6})
"""Handled, refused, busy."""

Law = Callable[[Evidence], Iterator[str]]


def answered_tasks_exist(seen: Evidence) -> Iterator[str]:
    """A task whose id was answered is never lost."""
    known = {task.id for task in seen.tasks}
    for asked in seen.asked:
        if asked.ids is None:
            continue
        if len(asked.ids) != asked.n_tasks:
            yield f"{asked.message_id} asked for {asked.n_tasks} tasks and got {asked.ids}"
        for task_id in asked.ids:
            if task_id not in known:
                yield f"{task_id} of {asked.message_id} was answered and is lost"


def messages_are_whole(seen: Evidence) -> Iterator[str]:
    """A message is added whole or not at all, and once, answered or not."""
    for asked in seen.asked:
        marks = [asked.mark(place) for place in range(asked.n_tasks)]
        found = [
            sum(mark in task.description.split() for task in seen.tasks)
            for mark in marks
        ]
        if found != [1] * asked.n_tasks and any(found):
            yield f"the tasks of {asked.message_id} are there {found} times"


def ids_are_given_once(seen: Evidence) -> Iterator[str]:
    """No two tasks share an id."""
    for task_id, times in Counter(task.id for task in seen.tasks).items():
        if times > 1:
            yield f"{task_id} is there {times} times"


def labels_start_once(seen: Evidence) -> Iterator[str]:
    """An attempt is started once, after an event that begins it."""
    starts = Counter(line.label for line in seen.diary if line.what == "start")
    # A task that kept its slot runs again by its resume, without a claim.
    begun = {each.label for each in seen.events if each.moved_to == "running"}
    for label, times in starts.items():
        if times > 1:
            yield f"{label} was started {times} times"
        if label not in begun:
            yield f"{label} was started and is begun by no event"


def one_session_per_task(seen: Evidence) -> Iterator[str]:
    """No session starts while another of the same task lives.

    By the sessions' own lock, and by their own log: a start within the time in which
    another surely lived.
    """
    for line in seen.diary:
        if line.what == "overlap":
            yield f"{line.label} met a living session of {line.task} at {line.at:.3f}"
    lives = diary.lives(seen.diary, seen.deaths)
    for life in lives:
        for other in lives:
            is_same_task = other.line.task == life.line.task and other is not life
            if is_same_task and other.lived_at(life.line.at):
                yield (
                    f"{life.line.label} started at {life.line.at:.3f}, while "
                    f"{other.line.label} lived until {other.until:.3f}"
                )


def slots_are_kept(seen: Evidence) -> Iterator[str]:
    """No more sessions of a source live at once than ``maxConcurrent`` says."""
    for line in seen.diary:
        if line.what == "crowd":
            yield f"{line.label} found every slot of {line.source} taken"
    lives = diary.lives(seen.diary, seen.deaths)
    for life in lives:
        n_others = sum(
            other.line.source == life.line.source and other.lived_at(life.line.at)
            for other in lives
            if other is not life
        )
        limit = seen.limits[life.line.source]
        if n_others + 1 > limit:
            yield (
                f"{life.line.label} was number {n_others + 1} of {limit} in "
                f"{life.line.source} at {life.line.at:.3f}"
            )


def every_task_ends(seen: Evidence) -> Iterator[str]:
    """Each task ends, or is blocked by a dependency that counts as failed.

    Nothing holds it then: no claim is left, also none that was told to stop.
    """
    statuses = {task.id: task.status for task in seen.tasks}
    for task in seen.tasks:
        if not task.is_over:
            claim = ", held by a claim" if task.has_claim else ""
            yield f"{task.id} is {task.status}{claim} after {seen.waited_s:.0f} s"
        elif task.status == "blocked" and not _has_failed_parent(task, statuses):
            yield f"{task.id} is blocked ({task.blocked_reason}), but no parent failed"
        elif task.status == "failed" and not task.failure_reason:
            yield f"{task.id} failed without a reason"


def _has_failed_parent(task: Stored, statuses: dict[str, str]) -> bool:
    return any(statuses.get(ref) in COUNTS_AS_FAILED for ref in task.depends_on)


def one_result_is_accepted(seen: Evidence) -> Iterator[str]:
    """A task is done once; only a person's retry or rerun makes it run again."""
    done: set[str] = set()
    for each in seen.events:
        if each.event in {"retry", "rerun"} and each.moved_to:
            done.discard(each.task)
        if each.moved_to == "done":
            if each.task in done:
                yield f"{each.task} was done a second time, by {each.label}"
            done.add(each.task)


def results_are_the_accepted_ones(seen: Evidence) -> Iterator[str]:
    """The result of a task is what the accepted attempt said, in file and task."""
    accepted = {e.task: str(e.label) for e in seen.events if e.moved_to == "done"}
    for task in seen.tasks:
        if task.status != "done":
            continue
        label, report = accepted.get(task.id), seen.reports.get(task.id)
        if label is None or report is None:
            yield f"{task.id} is done without {'an event' if report else 'a report'}"
        elif f"of {label}." not in report:
            yield f"{task.id} was done by {label}, but its report says {report[:80]!r}"
        elif task.result.strip() != report.strip():
            yield f"{task.id} holds another text than its report: {task.result[:80]!r}"


def events_tell_the_whole_story(seen: Evidence) -> Iterator[str]:
    """Each move of a task begins where the one before ended, the last at its status.

    A change that was written over would leave a gap; each attempt has its claim. A
    record that moved nothing only says what its writer saw.
    """
    at: dict[str, str | None] = {}
    starts: Counter[str] = Counter()
    for each in seen.events:
        is_resumed = each.event in {"resume", "unblock"} and each.moved_to == "running"
        starts[each.task] += each.event == "claim" or is_resumed
        if each.moved_to is None:
            continue
        if each.before != at.get(each.task):
            was = at.get(each.task)
            yield f"{each.task} was {was} when {each.event} took it from {each.before}"
        at[each.task] = each.moved_to
    for task in seen.tasks:
        if at.get(task.id) != task.status:
            yield f"{task.id} is {task.status}, its last event says {at.get(task.id)}"
        if starts[task.id] != task.attempt:
            yield f"{task.id} has attempt {task.attempt} and {starts[task.id]} starts"


def counters_keep_their_limits(seen: Evidence) -> Iterator[str]:
    """No more retries than ``maxRetries``, no more losses than five."""
    for task in seen.tasks:
        if task.retries > task.max_retries:
            yield f"{task.id} used {task.retries} of {task.max_retries} retries"
        if task.losses > LOSS_LIMIT:
            yield f"{task.id} was lost {task.losses} times"


def dependents_come_after(seen: Evidence) -> Iterator[str]:
    """A dependent with policy block or skip starts after its parents were done."""
    strict = {task.id: task for task in seen.tasks if task.policy != "continue"}
    started = {line.label for line in seen.diary if line.what == "start"}
    done: set[str] = set()
    for each in seen.events:
        if each.moved_to == "done":
            done.add(each.task)
        task = strict.get(each.task)
        if task is None or each.event != "claim" or each.label not in started:
            continue
        early = [ref for ref in task.depends_on if ref not in done]
        if early:
            yield f"{each.label} started before {', '.join(early)} was done"


def nothing_is_left_running(seen: Evidence) -> Iterator[str]:
    """When all tasks have ended, supervisors, sessions and wakers have as well."""
    for process in seen.left_running:
        yield f"{process} still runs"


def calls_end_well(seen: Evidence) -> Iterator[str]:
    """Each call is handled, refused or busy, within 10 s and without a traceback."""
    for call in seen.calls:
        if call.took_s > CALL_LIMIT_S:
            yield f"took {call.took_s:.1f} s: {call.what}"
        if "Traceback" in call.out + call.err:
            yield f"traceback from {call.what}: {call.err[-800:]}"
        elif not call.was_killed and call.code not in ALLOWED_CODES:
            said = (call.err or call.out)[-400:].strip()
            yield f"exit code {call.code} from {call.what}: {said}"


def detached_processes_log_no_fault(seen: Evidence) -> Iterator[str]:
    """Supervisors and wakers meet nothing that they did not expect."""
    for name, text in seen.logs.items():
        if "Traceback" in text:
            yield f"traceback in {name}: {text[-800:]}"


def nothing_is_left_lying(seen: Evidence) -> Iterator[str]:
    """Old half-written files are swept, and every notice can be delivered."""
    for path in seen.litter:
        yield f"{path} was not swept"
    for notice in seen.undelivered:
        yield f"no chat could be given the notice {notice[:200]}"


LAWS: Sequence[Law] = (
    answered_tasks_exist,
    messages_are_whole,
    ids_are_given_once,
    labels_start_once,
    one_session_per_task,
    slots_are_kept,
    every_task_ends,
    one_result_is_accepted,
    results_are_the_accepted_ones,
    events_tell_the_whole_story,
    counters_keep_their_limits,
    dependents_come_after,
    nothing_is_left_running,
    calls_end_well,
    detached_processes_log_no_fault,
    nothing_is_left_lying,
)


def judge(seen: Evidence) -> list[str]:
    """Return every violation, each with the law that it breaks."""
    return [f"{law.__name__}: {sentence}" for law in LAWS for sentence in law(seen)]
