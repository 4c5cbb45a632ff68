"""Finding tasks among those that a store holds; the same for every store."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from model_queue.errors import TaskRefError
from model_queue.labels import attempt_of
from model_queue.model import Task, TaskRef
from model_queue.ordering import claim_order
from model_queue.queuefile import Queue
from model_queue.store import Query


def named(queues: Iterable[Queue], ref: TaskRef) -> list[Task]:
    """Return the live tasks that a reference names; several where ids are doubled."""
    return [
        task
        for queue in queues
        if ref.source in {None, queue.meta.source}
        for task in queue.tasks
        if task.id == ref.id
    ]


def the_one(found: Sequence[Task], ref: TaskRef) -> Task | None:
    """Return the task that a reference means, None when it names none.

    Where one file holds an id twice, the form with the source means the first of them
    that is not finished, so that there is a form for every task that needs one.

    Raises:
        TaskRefError: a bare id names several tasks.
    """
    if len(found) > 1 and ref.source is None:
        forms = sorted({str(task.ref) for task in found})
        raise TaskRefError(seen=ref.id, candidates=forms)
    open_ones = [task for task in found if not task.status.is_terminal]
    return next(iter([*open_ones, *found]), None)


def holder(queues: Iterable[Queue], *, label: str, session: str) -> Task | None:
    """Return the live task of a label, of its current attempt or an older one.

    A session id is kept for the current attempt only.
    """
    tasks = [task for queue in queues for task in queue.tasks]
    for task in tasks:
        if label and (task.label == label or attempt_of(task, label) is not None):
            return task
    for task in tasks:
        if session and task.subagent_session == session:
            return task
    return None


def nearest_names(source: str, names: Sequence[str]) -> Sequence[str]:
    """Return the names of queues that a wrong one may mean; all when none is near."""
    # Imported here: only a name that is wrong pays for it.
    import difflib  # noqa: PLC0415

    return difflib.get_close_matches(source, names) or names


def selected(queues: Iterable[Queue], query: Query) -> list[Task]:
    """Return the tasks of a query: queues in the given order, each in claim order."""
    found: list[Task] = []
    for queue in queues:
        if query.sources and queue.meta.source not in query.sources:
            continue
        tasks = [task for task in queue.tasks if _fits(task, query)]
        found.extend(sorted(tasks, key=claim_order))
    return found


def ended(archived: Iterable[Task], query: Query) -> list[Task]:
    """Return the archived tasks of a query: queues by name, within one as they ended."""
    found = [
        task
        for task in archived
        if (not query.sources or task.queue in query.sources) and _fits(task, query)
    ]
    return sorted(
        found, key=lambda task: (task.queue, task.completed_at or task.added_at)
    )


def _fits(task: Task, query: Query) -> bool:
    if query.statuses and task.status not in query.statuses:
        return False
    return task.is_stopping or not query.stopping
