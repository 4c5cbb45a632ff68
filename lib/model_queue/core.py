"""What every use case works with: the opened parts, and the one way to move a task."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from model_queue import messages, transitions
from model_queue.dependencies import index_of
from model_queue.errors import (
    ModelQueueError,
    StaleTask,
    StoreBusy,
    StoreError,
    TaskNotFound,
    TaskRefError,
    UnknownSource,
)
from model_queue.folder import Folder
from model_queue.model import JsonObject, Status, Task, TaskRef
from model_queue.ports import IdSource, Launcher, Rng
from model_queue.settings import Settings, SourceSettings
from model_queue.store import (
    Batch,
    Change,
    Hold,
    Notice,
    Query,
    Record,
    Seen,
    Store,
)
from model_queue.transitions import Event, Facts, Step

TRIES = 20
"""Times that a step is computed anew because someone else was faster. Each try means
that another writer made progress, so that this is never reached in a live lock."""


class Troubles:
    """What went wrong with single tasks and queues, while the others went on."""

    def __init__(self) -> None:
        self.errors: list[ModelQueueError] = []

    @contextmanager
    def passed_over(self) -> Generator[None, None, None]:
        """Keep an error of ours that ends the work inside, and go on after it.

        Raises:
            StoreBusy: others hold the directory; whatever comes next would wait as well.
        """
        try:
            yield
        except StoreBusy:
            raise
        except ModelQueueError as error:
            self.errors.append(error)

    @property
    def worst(self) -> ModelQueueError | None:
        """The one to tell: what could not be stored comes before what was refused."""
        return max(self.errors, key=lambda error: error.exit_code, default=None)


class Core(NamedTuple):
    """The opened parts. Built by the top layer, passed to every use case."""

    settings: Settings
    store: Store
    folder: Folder
    launchers: Mapping[str, Launcher]
    """By source."""
    ids: IdSource
    rng: Rng
    checkpoint_hook: str
    """Path of the on-checkpoint executable, for the prompts of long tasks."""

    def source(self, name: str) -> SourceSettings:
        """Return the settings of a configured source.

        Raises:
            UnknownSource: it is not configured (any more).
        """
        found = self.settings.sources.get(name)
        if found is None:
            raise UnknownSource(name=name, known=list(self.settings.sources))
        return found

    def slot_policy(self, name: str) -> bool:
        """Report whether the source holds its slots until a task is terminal."""
        found = self.settings.sources.get(name)
        return found is not None and found.slots == "until-terminal"


def chat_of(task: Task) -> tuple[str, str, str]:
    """Return host, channel and session of the chat that a task came from."""
    origin = task.origin or {}
    return (
        str(origin.get("host") or ""),
        str(origin.get("channel") or ""),
        str(origin.get("session") or ""),
    )


def notice_for(
    core: Core, task: Task, kind: str, text: str, *, now: dt.datetime
) -> Notice:
    """Return a notice about a task, addressed to the chat that it came from."""
    return Notice(
        id=core.ids.uuid4(),
        kind=kind,
        task_id=task.id,
        text=text,
        chat=chat_of(task),
        created_at=now,
    )


def record_of(step: Step, event: Event, *, label: str = "", now: dt.datetime) -> Record:
    """Return the audit record of one step; ``label`` is whose word a late one is."""
    held_by = step.after.label or step.before.label
    return Record(
        ts=now,
        event=event.value,
        task_id=step.after.id,
        queue=step.after.queue,
        before=step.before.status.value,
        after=step.after.status.value,
        label=(label if step.is_late else "") or held_by,
        detail="late" if step.is_late else step.after.error_message,
    )


class Extras(NamedTuple):
    """What is stored in the same commit as a step."""

    notices: Sequence[Notice] = ()
    holds: Mapping[str, Hold | None] | None = None
    seen: Seen | None = None
    """Where it is known already, nothing of the step is written."""
    latest: Sequence[Seen] = ()


NO_EXTRAS = Extras()


def move(
    core: Core,
    task: Task,
    event: Event,
    facts_of: Callable[[Task], Facts],
    *,
    now: dt.datetime,
    extras_of: Callable[[Step], Extras] | None = None,
    amend: Callable[[Task], Task] | None = None,
) -> Step:
    """Take one step with a task and store it, from the value that is stored then.

    ``facts_of`` and ``extras_of`` are called again with the present value when someone
    else changed the task in between. An audit record is written with every step.
    ``amend`` changes fields of the task after the step that no row of the table moves.

    Raises:
        IllegalTransition: the table has no row for the task's status by now.
        StaleTask: others were faster ``TRIES`` times in a row.
    """
    for _ in range(TRIES):
        facts = facts_of(task)
        step = transitions.step(task, event, facts)
        if amend is not None:
            step = step._replace(after=amend(step.after))
        extras = extras_of(step) if extras_of else NO_EXTRAS
        changed = step.after != step.before
        batch = Batch(
            changes=[Change(before=step.before, after=step.after)] if changed else [],
            notices=extras.notices,
            holds=extras.holds or {},
            records=[record_of(step, event, label=facts.label or "", now=now)],
            seen=extras.seen,
            latest=extras.latest,
        )
        try:
            core.store.commit(batch, now=now)
        except StaleTask:
            task = reread(core, task)
            continue
        return step
    raise StaleTask(ref=str(task.ref))


def parents_of(
    core: Core, tasks: Sequence[Task] | None = None
) -> Callable[[str], Task | None]:
    """Return a look-up of tasks by id over queues and archive, for the pure modules.

    It sees one value of each task: that in ``tasks``, all live ones, which are read at
    the first question where the caller has not; so a long chain costs one reading.
    """
    seen: dict[str, Task | None] = index_of(tasks) if tasks is not None else {}
    is_read = tasks is not None

    def lookup(ref: str) -> Task | None:
        nonlocal is_read
        if not is_read:
            is_read = True
            seen.update(index_of(core.store.select(Query())))
        if ref not in seen:
            seen[ref] = find_task(core, ref)
        return seen[ref]

    return lookup


def reread(core: Core, task: Task) -> Task:
    """Return a task as it is stored now.

    Its uuid tells it from another one where a file written by others holds its id
    twice.

    Raises:
        TaskNotFound: it is gone.
    """
    found = core.store.get(task.ref)
    if found.uuid == task.uuid or not task.uuid:
        return found
    doubles = core.store.select(Query(sources=(task.queue,)))
    return next((each for each in doubles if each.uuid == task.uuid), found)


def find_task(core: Core, ref: str) -> Task | None:
    """Return the task of a stored reference, None when there is none or several.

    One whose queue stands still, since its file cannot be read, comes as a paused task
    of that id: a person has to see to it, and nothing must be decided by it until then.
    """
    try:
        wanted = TaskRef.parse(ref)
    except TaskRefError:
        return None
    try:
        return core.store.get(wanted)
    except (TaskNotFound, TaskRefError):
        return None
    except StoreError:
        return _out_of_sight(wanted)


def _out_of_sight(ref: TaskRef) -> Task:
    return Task(
        id=ref.id,
        queue=ref.source or "",
        model="",
        description="",
        status=Status.PAUSED,
        added_at=dt.datetime.min.replace(tzinfo=dt.UTC),
        uuid="",
    )


def notice_text(step: Step, *, hint: str = "") -> str | None:
    """Return what the person is told about a step, None when it is silent."""
    task, lang = step.after, messages.language_of(step.after.description)
    match step.notice:
        case "done":
            return messages.done(task, lang=lang)
        case "failed":
            attempts = transitions.failed_attempts(task)
            return messages.failed(task, attempts, lang=lang, hint=hint)
        case "blocked":
            return messages.blocked(task, lang=lang)
        case "skipped":
            return messages.skipped(task, lang=lang)
        case "cancelled":
            return messages.cancelled(task, lang=lang)
        case _:
            return None


def launcher_of(core: Core, task: Task, *, label: str) -> Launcher | None:
    """Return the launcher of a task's attempt, None when nothing is known of it.

    A session of this machine is known by its folder, whatever has become of its source.
    """
    found = core.launchers.get(task.queue)
    if found is not None or not core.folder.has_session(label):
        return found
    # Imported here: only a source that is gone needs it.
    from model_queue.launchers.forgotten import ForgottenLauncher  # noqa: PLC0415

    return ForgottenLauncher(core.folder.sessions_dir)


def stop_actions(core: Core, step: Step) -> Sequence[JsonObject]:
    """Ask the session of a stopped attempt to end; return actions for a host."""
    claim = step.after.claim
    if claim is None or claim.stopping is None:
        return []
    launcher = launcher_of(core, step.before, label=claim.label)
    if launcher is None:
        return []
    return launcher.stop(claim.label, step.before.subagent_session)
