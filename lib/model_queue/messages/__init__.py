"""Values -> the texts a person reads in chat, English or Chinese.

The one door to nearly all of them: confirmations and notices are built here, tables in
``overview``, what cannot be carried out as it is in ``questions``, and the sentences
themselves stand in ``texts``; all of one task is in ``details``. ``lang`` is ``zh`` or a
variant of it; all else is English. Ids, markers and names of queues and models are the
same in every language.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence

from model_queue.messages import texts
from model_queue.messages.overview import (
    Outlook,
    host_only,
    listing,
    status,
)
from model_queue.messages.questions import (
    ask_date,
    ask_dependency,
    ask_model,
    ask_rerun,
    ask_source,
    ask_stop,
    ask_target,
    ask_work,
    choice,
    explained,
    no_question,
    no_such_choice,
    no_task,
    not_configured,
    nothing_to,
    order_of,
    question_dropped,
    refused,
    unknown_command,
)
from model_queue.messages.texts import HEARTBEAT_OK
from model_queue.messages.wording import (
    LINE_COLUMNS,
    ago,
    amount,
    counted,
    duration,
    hint_for,
    language_of,
    listed,
    moment,
    one_line,
    reason,
    say,
    told,
)
from model_queue.model import DependencyPolicy, Status, Task
from model_queue.store import QueueMeta, Restored

__all__ = [
    "HEARTBEAT_OK",
    "Outlook",
    "added",
    "ago",
    "all_blocked",
    "ask_date",
    "ask_dependency",
    "ask_model",
    "ask_rerun",
    "ask_source",
    "ask_stop",
    "ask_target",
    "ask_work",
    "blocked",
    "cancelled",
    "choice",
    "corrupt",
    "disk_full",
    "dispatched",
    "done",
    "duration",
    "explained",
    "failed",
    "host_only",
    "in_state",
    "initialized",
    "language_of",
    "listing",
    "model_mismatch",
    "moved",
    "no_question",
    "no_source",
    "no_such_choice",
    "no_task",
    "not_configured",
    "nothing_to",
    "order_of",
    "paused",
    "priority_set",
    "question_dropped",
    "queue_paused",
    "queue_resumed",
    "quota",
    "refused",
    "repeated",
    "requeued",
    "restored",
    "resumed",
    "shifted",
    "skipped",
    "status",
    "still_runs",
    "unblocked",
    "unheard",
    "unknown_command",
]

SUMMARY_COLUMNS = 1_000
"""Width of a summary in a notice: whole as the session wrote it, but no second report."""


def added(
    tasks: Sequence[Task],
    positions: Mapping[str, int],
    *,
    lang: str = "en",
    zone: dt.tzinfo = dt.UTC,
) -> str:
    """Confirm new tasks as the seed's Step 8 does.

    - ``tasks``: one or more, in the order of the message.
    - ``positions``: place in its queue by id, from 1; read for a single task only.
    - Lines for a dependency, a priority or a start time stand there only when set; the
      time is shown in ``zone``.

    Source: seed 003 "Step 8 - Confirm to User", SPEC 4.
    """
    if len(tasks) == 1:
        return _added_one(tasks[0], positions[tasks[0].id], lang, zone)
    sources = {task.queue for task in tasks}
    n = counted(len(tasks), texts.ONE_TASK, texts.MANY_TASKS, lang=lang)
    if len(sources) == 1:
        head = say(texts.ADDED_MANY, lang, tasks=n, queue=tasks[0].queue)
        bullet = texts.BULLET
    else:
        queues = counted(len(sources), texts.ONE_QUEUE, texts.MANY_QUEUES, lang=lang)
        head = say(texts.ADDED_OVER_QUEUES, lang, tasks=n, queues=queues)
        bullet = texts.BULLET_WITH_QUEUE
    lines = [
        say(
            bullet,
            lang,
            id=task.id,
            queue=task.queue,
            description=one_line(task.description),
            tail=_added_tail(task, lang, zone),
        )
        for task in tasks
    ]
    return "\n".join([head, *lines, "", say(texts.STARTING, lang)])


def shifted(
    task: Task, *, is_twice: bool, lang: str = "en", zone: dt.tzinfo = dt.UTC
) -> str:
    """Say that the clocks of a zone skip a start time, or show it twice."""
    text = texts.SHIFT_TWICE if is_twice else texts.SHIFT_SKIPPED
    when = moment(task.not_before or task.added_at, zone=zone)
    return say(text, lang, id=task.id, when=when)


def repeated(*, lang: str = "en") -> str:
    """Say that a message was taken before."""
    return say(texts.REPEATED, lang)


def done(task: Task, *, lang: str = "en") -> str:
    """Report a finished task. Source: seed 003 "Task Completed"."""
    partial = task.result_status == "partial"
    head = say(
        texts.DONE,
        lang,
        id=task.id,
        partial=say(texts.DONE_PARTIAL, lang) if partial else "",
    )
    if task.result_summary:
        head += texts.DASH + one_line(task.result_summary, SUMMARY_COLUMNS)
    line = say(texts.DONE_QUEUE, lang, queue=task.queue)
    if task.started_at is not None and task.completed_at is not None:
        span = duration(task.completed_at - task.started_at, lang=lang)
        line += say(texts.DONE_DURATION, lang, span=span)
    return f"{head}\n{line}"


def failed(task: Task, attempts: int, *, lang: str = "en", hint: str = "") -> str:
    """Report a task that failed for good.

    - ``attempts``: the failed ones, as ``transitions.failed_attempts`` counts them;
      lost sessions are told besides.
    - ``hint``: what would help; "" takes what helps against its ``error_class``.

    Source: seed 003 "Task Failed".
    """
    tries = _tries(task, attempts, lang)
    error = told(task.error_message or texts.NO_ERROR[0], lang=lang)
    lines = [
        say(texts.FAILED, lang, id=task.id, attempts=tries),
        say(texts.DONE_QUEUE, lang, queue=task.queue),
        say(texts.FAILED_ERROR, lang, error=error),
    ]
    hint = told(hint, lang=lang) or hint_for(task.error_class, task.model, lang=lang)
    if hint:
        lines.append(say(texts.FAILED_HINT, lang, hint=hint))
    return "\n".join([*lines, "", say(texts.FAILED_RETRY, lang, id=task.id)])


def blocked(task: Task, *, lang: str = "en") -> str:
    """Report a task that needs a dependency or a person. Source: seed 003 Step 3."""
    return _with_reason(texts.BLOCKED, task, task.blocked_reason, lang)


def skipped(task: Task, *, lang: str = "en") -> str:
    """Report a skipped task; the reason only when it was not the person's wish."""
    why = None if task.failure_reason == "user_skip" else task.skipped_reason
    return _with_reason(texts.SKIPPED, task, why, lang)


def cancelled(task: Task, *, lang: str = "en") -> str:
    """Confirm a cancelled task; tell when its session is still being stopped."""
    notes: list[str] = []
    if task.error_message == texts.CANCELLED_IN_HOST[0]:
        notes.append(say(texts.CANCELLED_IN_HOST, lang))
    if task.is_stopping:
        notes.append(say(texts.STOPPING, lang))
    return _joined(say(texts.CANCELLED, lang, id=task.id), notes, lang)


def paused(task: Task, *, lang: str = "en") -> str:
    """Confirm a paused task; tell when its session is still being stopped."""
    notes = [say(texts.STOPPING, lang)] if task.is_stopping else []
    return _joined(say(texts.PAUSED, lang, id=task.id), notes, lang)


def resumed(task: Task, *, lang: str = "en") -> str:
    """Confirm a resumed task."""
    return say(texts.RESUMED, lang, id=task.id)


def unblocked(task: Task, *, lang: str = "en") -> str:
    """Confirm an unblocked task."""
    return say(texts.UNBLOCKED, lang, id=task.id)


def requeued(
    task: Task,
    waiting_on: Sequence[str] = (),
    *,
    still_skipped: Sequence[str] = (),
    lang: str = "en",
) -> str:
    """Confirm a retry or rerun. Source: SPEC 2.3.

    - ``waiting_on``: dependencies that it waits for, each with its status where that
      is no good news (``T-001 (failed)``).
    - ``still_skipped``: its dependents that stay skipped.
    """
    notes: list[str] = []
    if waiting_on:
        ids = listed(waiting_on, lang=lang)
        notes.append(say(texts.REQUEUED_WAITING, lang, ids=ids))
    if still_skipped:
        ids = listed(still_skipped, lang=lang)
        text = texts.REQUEUED_SKIPPED
        notes.append(say(text, lang, ids=ids, first=still_skipped[0]))
    return _joined(say(texts.REQUEUED, lang, id=task.id), notes, lang)


def in_state(ref: str, status: Status | None, *, lang: str = "en") -> str:
    """Return an id with its status, None for a task that does not exist.

    >>> in_state("T-001", Status.FAILED), in_state("T-404", None, lang="zh")
    ('T-001 (failed)', 'T-404（不存在）')
    """
    word = texts.STATUS_WORDS[status] if status else texts.UNKNOWN
    return ref + say(texts.TAIL, lang, notes=say(word, lang))


def priority_set(task: Task, *, lang: str = "en") -> str:
    """Confirm a new priority."""
    return say(texts.PRIORITY_SET, lang, id=task.id, priority=task.priority)


def moved(task: Task, *, lang: str = "en") -> str:
    """Report a task that a quota moved to its fallback source, where it is now."""
    return say(texts.MOVED, lang, id=task.id, queue=task.queue, model=task.model)


def model_mismatch(task: Task, *, lang: str = "en") -> str:
    """Warn that another model ran than was asked for. Source: SPEC 4, model receipt."""
    return say(
        texts.MODEL_MISMATCH,
        lang,
        id=task.id,
        model=task.model,
        session_model=one_line(task.session_model or "?"),
    )


def quota(
    source: str,
    until: dt.datetime | None,
    *,
    lang: str = "en",
    zone: dt.tzinfo = dt.UTC,
) -> str:
    """Report that a whole source waits for its usage limit.

    ``until`` is the reset as the provider named it, shown in ``zone``; None: none named.
    """
    if until is None:
        return say(texts.QUOTA_OPEN, lang, source=source)
    when = moment(until, zone=zone)
    return say(texts.QUOTA_UNTIL, lang, source=source, when=when)


def queue_paused(source: str, why: str = "", *, lang: str = "en") -> str:
    """Report a queue that starts nothing until a person resumes it.

    ``why`` is such as three fatal failures in a row; "" when the person asked for it.
    """
    notes = [told(why, lang=lang)] if why else []
    head = _joined(say(texts.QUEUE_PAUSED, lang, source=source), notes, lang)
    return f"{head}\n{say(texts.QUEUE_PAUSED_RESUME, lang, source=source)}"


def queue_resumed(source: str, *, lang: str = "en") -> str:
    """Confirm that a queue goes on."""
    return say(texts.QUEUE_RESUMED, lang, source=source)


def corrupt(queue: QueueMeta, *, lang: str = "en") -> str:
    """Report a queue whose file stops it, and the command that brings it back."""
    why, hint = queue.broken or "", ""
    if queue.fault is not None:
        why, hint = explained(queue.fault, lang=lang)
    head = say(texts.CORRUPT, lang, source=queue.source, why=why)
    return f"{head}\n{hint}" if hint else head


def restored(done: Restored, *, zone: dt.tzinfo = dt.UTC, lang: str = "en") -> str:
    """Say what a queue goes on with, and where the texts lie that it does not."""
    n_tasks = counted(done.version.n_tasks, texts.ONE_TASK, texts.MANY_TASKS, lang=lang)
    counts = say(texts.RESTORED_COUNTS, lang, tasks=n_tasks, n_open=done.version.n_open)
    head = {"edit": texts.RESTORED_EDIT, "commit": texts.RESTORED_COMMIT}
    lines = [
        say(
            head.get(done.kind, texts.RESTORED),
            lang,
            source=done.source,
            counts=counts,
            when=moment(done.version.as_of, zone=zone),
            path=done.version.path,
        )
    ]
    if done.aside:
        paths = listed(done.aside, lang=lang)
        lines.append(say(texts.RESTORED_ASIDE, lang, paths=paths))
    if done.left_out:
        ids = listed(done.left_out, lang=lang)
        lines.append(say(texts.RESTORED_LEFT_OUT, lang, ids=ids))
    return "\n".join(lines)


def all_blocked(
    source: str,
    tasks: Sequence[Task],
    *,
    failed: Sequence[str] = (),
    lang: str = "en",
) -> str:
    """Say that nothing of a queue can run, with the commands that free it.

    ``tasks`` are its blocked tasks, which are all that it has unfinished; ``failed``
    are the ids that a retry can set them free by.
    """
    lines = [say(texts.ALL_BLOCKED, lang, source=source)]
    lines += [
        say(
            texts.BULLET,
            lang,
            id=task.id,
            description=one_line(task.description),
            tail=_dashed(task.blocked_reason, lang),
        )
        for task in tasks
    ]
    unblock = texts.ALL_BLOCKED_UNBLOCK
    if failed:
        lines.append(say(texts.ALL_BLOCKED_RETRY, lang, ids=" ".join(failed)))
        unblock = texts.ALL_BLOCKED_WITHOUT
    lines.append(say(unblock, lang, ids=" ".join(task.id for task in tasks)))
    return "\n".join(lines)


def no_source(source: str, tasks: Sequence[Task], *, lang: str = "en") -> str:
    """Say that nothing of a queue runs, since its source is not configured any more.

    ``tasks`` are its unfinished ones.
    """
    n = counted(len(tasks), texts.ONE_TASK, texts.MANY_TASKS, lang=lang)
    models = dict.fromkeys(task.model for task in tasks)
    name = source.upper().replace("-", "_")
    line = one_line(f"MODEL_SOURCE_{name}={','.join(models)}", LINE_COLUMNS)
    ids = " ".join(task.id for task in tasks)
    helps = say(texts.NO_SOURCE_HELP, lang, line=line, ids=ids)
    return f"{say(texts.NO_SOURCE, lang, source=source, tasks=n)}\n{helps}"


def unheard(task: Task, *, now: dt.datetime, lang: str = "en") -> str:
    """Say that the agent runtime never spoke of a session that it was to start."""
    since = ago(now - (task.started_at or now), lang=lang)
    head = say(texts.UNHEARD, lang, id=task.id, ago=since)
    helps = say(texts.UNHEARD_HELP, lang, id=task.id, source=task.queue)
    return f"{head}\n{helps}"


def initialized(n_queues: int, *, lang: str = "en") -> str:
    """Report the first run. Source: seed 003 Step 0."""
    queues = counted(n_queues, texts.ONE_QUEUE, texts.MANY_QUEUES, lang=lang)
    return say(texts.INITIALIZED, lang, queues=queues)


def dispatched(n_tasks: int, n_queues: int, *, lang: str = "en") -> str:
    """Report what a tick started. Source: seed 003 Step 6."""
    tasks = counted(n_tasks, texts.ONE_TASK, texts.MANY_TASKS, lang=lang)
    queues = counted(n_queues, texts.ONE_QUEUE, texts.MANY_QUEUES, lang=lang)
    return say(texts.DISPATCHED, lang, tasks=tasks, queues=queues)


def disk_full(*, lang: str = "en") -> str:
    """Say that nothing new starts for lack of space."""
    return say(texts.DISK_FULL, lang)


def still_runs(task: Task, *, is_second: bool, lang: str = "en") -> str:
    """Answer a report of a session that has not ended. Source: SPEC 2.3, slots."""
    text = texts.STILL_RUNS_SECOND if is_second else texts.STILL_RUNS
    return say(text, lang, id=task.id)


def _added_one(task: Task, position: int, lang: str, zone: dt.tzinfo) -> str:
    description = one_line(task.description, LINE_COLUMNS)
    lines = [
        say(texts.ADDED_ONE, lang, id=task.id, queue=task.queue),
        say(texts.ADDED_MODEL, lang, model=task.model),
        say(texts.ADDED_TASK, lang, description=description),
    ]
    if task.priority:
        lines.append(say(texts.ADDED_PRIORITY, lang, priority=task.priority))
    if task.not_before is not None:
        when = moment(task.not_before, zone=zone)
        lines.append(say(texts.ADDED_START, lang, when=when))
    usd = (task.cost_ceiling or {}).get("usd")
    if usd is not None:
        lines.append(say(texts.ADDED_BUDGET, lang, usd=amount(usd)))
    if task.depends_on:
        policy = say(texts.POLICY_WORDS[task.on_depends_fail], lang)
        ids = listed(task.depends_on, lang=lang)
        lines.append(say(texts.ADDED_DEPENDS, lang, ids=ids, policy=policy))
    lines.append(say(texts.ADDED_POSITION, lang, position=position))
    return "\n".join(lines)


def _added_tail(task: Task, lang: str, zone: dt.tzinfo) -> str:
    """Return what a bullet adds: the dependency, and what is not the default."""
    notes: list[str] = []
    if task.depends_on:
        ids = listed(task.depends_on, lang=lang)
        notes.append(say(texts.NOTE_DEPENDS, lang, ids=ids))
        if task.on_depends_fail is not DependencyPolicy.BLOCK:
            notes.append(say(texts.POLICY_WORDS[task.on_depends_fail], lang))
    if task.not_before is not None:
        when = moment(task.not_before, zone=zone)
        notes.append(say(texts.NOTE_START, lang, when=when))
    if task.priority:
        notes.append(say(texts.NOTE_PRIORITY, lang, priority=task.priority))
    usd = (task.cost_ceiling or {}).get("usd")
    if usd is not None:
        notes.append(say(texts.NOTE_BUDGET, lang, usd=amount(usd)))
    joined = say(texts.COMMA, lang).join(notes)
    return say(texts.TAIL, lang, notes=joined) if notes else ""


def _tries(task: Task, attempts: int, lang: str) -> str:
    tried = counted(attempts, texts.ONE_ATTEMPT, texts.MANY_ATTEMPTS, lang=lang)
    if not task.losses:
        return tried
    losses = counted(task.losses, texts.ONE_LOSS, texts.MANY_LOSSES, lang=lang)
    if not attempts:
        return losses
    return say(texts.AND_LOSSES, lang, attempts=tried, losses=losses)


def _with_reason(text: texts.Text, task: Task, why: str | None, lang: str) -> str:
    notes = [reason(why, lang=lang, is_clause=True)] if why else []
    return _joined(say(text, lang, id=task.id), notes, lang)


def _joined(head: str, notes: Iterable[str], lang: str) -> str:
    tail = say(texts.SEMICOLON, lang).join(notes)
    return head + texts.DASH + tail if tail else head


def _dashed(why: str | None, lang: str) -> str:
    return texts.DASH + reason(why, lang=lang) if why else ""
