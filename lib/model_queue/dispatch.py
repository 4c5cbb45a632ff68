"""Use case: one pass over the queues (a tick), callable by anyone at any time.

Read, check running, settle waiting, fill slots, report. Any number of passes at the
same time do no harm: every change is a compare-and-set, and a task is written as
running before anything starts. Source: seed 003 "Mode 2: DISPATCHER", SPEC 4.
"""

from __future__ import annotations

import datetime as dt
import errno
from collections.abc import Sequence
from contextlib import suppress

from model_queue import archiving, budgets, clocks, completion, messages, standstills
from model_queue.core import Core, Troubles, move, parents_of
from model_queue.dependencies import parent_of
from model_queue.errors import LaunchError, StateError, StoreError
from model_queue.model import ErrorClass, JsonObject, Outcome, Status, Task
from model_queue.ports import Launch, Launcher
from model_queue.prompts import CHECKPOINT_AFTER_S, build_prompt
from model_queue.settings import SourceSettings
from model_queue.settling import settle
from model_queue.store import Notice, Query, QueueMeta
from model_queue.transitions import Event, Facts
from model_queue.watching import SILENT, Listing, renew, watch

_SHORT_OF = frozenset(
    {
        errno.ENOSPC,
        errno.EDQUOT,
        errno.EROFS,
        errno.EIO,
        errno.ENOMEM,
        errno.EAGAIN,
        errno.EMFILE,
        errno.ENFILE,
        # Something else lies in the place of the sessions' folders, or is in its way.
        errno.EACCES,
        errno.EEXIST,
        errno.EISDIR,
        errno.ELOOP,
        errno.ENODEV,
        errno.ENOENT,
        errno.ENOLCK,
        errno.ENOTDIR,
        errno.ENXIO,
        errno.EPERM,
        errno.ESTALE,
    }
)
"""What the machine lacks and no task is to blame for: space, memory, processes, a place
for the sessions. A program that cannot be run is told by its session, not by the start."""
SHORT_FOR = dt.timedelta(seconds=10)
"""Until a start is tried again that the machine could not make."""


class Tick:
    """What one pass did; filled while it runs."""

    def __init__(self, at: dt.datetime) -> None:
        self.at = at
        """The moment of the pass."""
        self.dispatched: list[Task] = []
        self.actions: list[JsonObject] = []
        """For the agent runtime, in the hooks' form."""
        self.troubles = Troubles()
        """What could not be done, while all else was."""

    @property
    def n_queues(self) -> int:
        """Queues on which something was started."""
        return len({task.queue for task in self.dispatched})


def tick(
    core: Core,
    *,
    now: dt.datetime,
    carries_actions: bool,
    listing: Listing = SILENT,
) -> Tick:
    """Run one pass.

    Only a caller that ``carries_actions`` out may claim tasks of ``host`` sources.
    ``listing`` is what the host says of its sessions.

    What cannot be done for one task or queue keeps nothing else back; it is told in
    ``Tick.troubles``.

    Raises:
        StoreBusy: others hold the queue directory.
    """
    done = Tick(now)
    go_on = done.troubles.passed_over
    with go_on():
        clocks.put_right(core, done.troubles, now=now)
    with go_on():
        done.actions.extend(watch(core, listing, done.troubles, now=now))
    with go_on():
        settle(core, done.troubles, now=now)
    for meta in core.store.queues():
        launcher = core.launchers.get(meta.source)
        if launcher is not None and (carries_actions or not launcher.is_host):
            with go_on():
                _fill_slots(core, meta, launcher, done, now=now)
    if carries_actions:
        with go_on():
            _send_spawns_again(core, done, now=now)
    with go_on():
        standstills.tell(core, now=now)
    with go_on():
        archiving.put_away(core, now=now)
    return done


def _fill_slots(
    core: Core, meta: QueueMeta, launcher: Launcher, done: Tick, *, now: dt.datetime
) -> None:
    """Claim what fits and start it. Source: seed 003 dispatcher, Step 4."""
    source = core.settings.sources.get(meta.source)
    if source is None or meta.is_held(now) or not core.folder.has_room():
        return
    if source.budget_usd_per_day is not None:
        tasks = core.store.select(Query(sources=(source.name,)))
        if budgets.is_day_spent(source, tasks, now=now):
            return
    lease = dt.timedelta(seconds=source.lease_s)
    slots = core.settings.slots_for(meta.source, meta.max_concurrent)
    claimed = core.store.claim(
        meta.source,
        limit=slots,
        slots=slots,
        until_terminal=core.slot_policy(meta.source),
        lease=lease,
        now=now,
    )
    for task in claimed:
        with done.troubles.passed_over():
            _start(core, task, source, launcher, done, now=now)


def begin(core: Core, task: Task, *, now: dt.datetime) -> Sequence[JsonObject]:
    """Start the session of an attempt that began without a claim; return actions.

    A resumed task that kept its slot runs at once. Should this process die before the
    start, the attempt counts as lost once its lease has ended.
    """
    source = core.settings.sources.get(task.queue)
    launcher = core.launchers.get(task.queue)
    done = Tick(now)
    if source is not None and launcher is not None:
        _start(core, task, source, launcher, done, now=now)
    return done.actions


def _start(
    core: Core,
    task: Task,
    source: SourceSettings,
    launcher: Launcher,
    done: Tick,
    *,
    now: dt.datetime,
) -> None:
    """Start the session of a claimed task and attach its id."""
    try:
        started = launcher.start(launch_of(core, task, source))
    except LaunchError as error:
        _start_failed(core, task, error, now=now)
        return
    done.dispatched.append(task)
    done.actions.extend(started.actions)
    if started.session_id is None:
        return
    try:
        completion.attach(
            core, task, started.session_id, label=str(task.label), now=now
        )
    except StateError:
        # The session was so quick that its outcome is stored already.
        return


def _start_failed(
    core: Core, task: Task, error: LaunchError, *, now: dt.datetime
) -> None:
    cause = error.__cause__
    if isinstance(cause, OSError) and cause.errno in _SHORT_OF:
        _give_back(core, task, error, now=now)
        return
    outcome = Outcome(
        result_status="failed",
        error_class=ErrorClass.BAD_REQUEST if error.is_fatal else ErrorClass.TRANSIENT,
        error_message=error.why,
        hint=error.hint or None,
    )
    completion.complete(core, task, outcome, label=str(task.label), now=now)


def _give_back(core: Core, task: Task, error: LaunchError, *, now: dt.datetime) -> None:
    """Put a claimed task back that the machine cannot start now; no retry is used.

    Else a disk that is full for an hour would be the end of every task in the queue.
    """
    outcome = Outcome(
        result_status="failed",
        error_class=ErrorClass.TRANSIENT,
        error_message=error.why,
    )
    label = str(task.label)

    def facts(_: Task) -> Facts:
        return Facts(now=now, label=label, outcome=outcome, until=now + SHORT_FOR)

    # The row of whoever must wait for a named time.
    move(core, task, Event.FAIL_RATE_LIMITED, facts, now=now)


def launch_of(core: Core, task: Task, source: SourceSettings) -> Launch:
    """Return everything that a launcher needs for the attempt that holds a task."""
    tokens = (task.cost_ceiling or {}).get("max_tokens")
    return Launch(
        label=str(task.label),
        task_id=task.id,
        queue=task.queue,
        attempt=task.attempt,
        model=task.model,
        prompt=_prompt(core, task, source),
        cwd=task.cwd or core.folder.path,
        timeout_s=budgets.attempt_limit_s(task, source),
        budget_usd=budgets.usd_of(task.cost_ceiling),
        max_tokens=tokens if isinstance(tokens, int) else None,
    )


def _prompt(core: Core, task: Task, source: SourceSettings) -> str:
    has_shell = source.launcher != "openai"
    is_long = budgets.attempt_limit_s(task, source) > CHECKPOINT_AFTER_S
    command = (
        f"'{core.checkpoint_hook}' --task {task.id} --label {task.label} "
        "--percent N --last 'what you did' --next 'what comes next'"
    )
    lookup = parents_of(core)
    parents = [parent_of(task, ref, lookup) for ref in task.depends_on]
    paths = {t.id: t.result_path for t in parents if t is not None and t.result_path}
    found = {task_id: _report_at(core, path) for task_id, path in paths.items()}
    return build_prompt(
        task,
        reports={task_id: text for task_id, text in found.items() if text},
        report_paths={i: core.folder.absolute(path) for i, path in paths.items()},
        checkpoint=core.folder.read_checkpoint(task) if task.checkpoint_path else None,
        checkpoint_command=command if has_shell and is_long else None,
    )


def _report_at(core: Core, path: str) -> str | None:
    """Return a report; None where it cannot be read, as where it is gone."""
    with suppress(StoreError):
        return core.folder.read_result(path)
    return None


def _send_spawns_again(core: Core, done: Tick, *, now: dt.datetime) -> None:
    """Repeat the spawn of host tasks that nobody attached; the key makes it once."""
    just_now = {task.ref for task in done.dispatched}
    for task in core.store.select(Query(statuses=(Status.RUNNING,))):
        launcher = core.launchers.get(task.queue)
        claim = task.claim
        if launcher is None or not launcher.is_host or claim is None:
            continue
        if task.ref in just_now or task.subagent_session or claim.lease_until > now:
            continue
        if core.folder.has_session(claim.label):
            # Started on this machine, before the source was given to the host.
            continue
        with done.troubles.passed_over():
            renew(core, task, now=now)
            source = core.settings.sources[task.queue]
            started = launcher.start(launch_of(core, task, source))
            done.actions.extend(started.actions)


def report(done: Tick, notices: Sequence[Notice], *, lang: str) -> str:
    """Return what a heartbeat or tick says. Source: seed 003 dispatcher, Step 6."""
    parts = [notice.text for notice in notices]
    if done.dispatched:
        n_tasks = len(done.dispatched)
        parts.append(messages.dispatched(n_tasks, done.n_queues, lang=lang))
    return "\n\n".join(parts) or messages.HEARTBEAT_OK
