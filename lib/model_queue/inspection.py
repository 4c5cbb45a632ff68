"""What is wrong with the stored tasks taken together, for a person to put right.

Only files that others wrote or that were edited by hand can hold it: the intake adds no
such task. Nothing of it stops the queues.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from model_queue.dependencies import (
    Lookup,
    find_cycle,
    index_of,
    parent_of,
    still_waits,
)
from model_queue.model import Task
from model_queue.settings import Problem


def found_in(tasks: Sequence[Task], lookup: Lookup) -> Iterator[Problem]:
    """Yield what a person should know of the tasks, none of it fatal.

    - Ids that several tasks have.
    - Circles: tasks that wait for themselves.
    - Dependencies that no task has, each once.

    ``tasks`` are the live ones; ``lookup`` knows the archive as well.
    """
    yield from _doubled(tasks)
    unfinished = [task for task in tasks if not task.status.is_terminal]
    yield from _circles(tasks)
    yield from _unknown(unfinished, lookup)


def _doubled(tasks: Iterable[Task]) -> Iterator[Problem]:
    holders: dict[str, list[Task]] = {}
    for task in tasks:
        holders.setdefault(task.id, []).append(task)
    for task_id, found in holders.items():
        if len(found) > 1:
            forms = list(dict.fromkeys(f"{task.queue}/{task.id}" for task in found))
            if len(forms) == 1:
                text = f"the queue {found[0].queue} holds {task_id} {len(found)} times"
                hint = f"Give all but one of them another id in {found[0].queue}.json."
            else:
                text = f"several queues hold a task {task_id}"
                hint = f"Say {' or '.join(forms)}: a bare {task_id} is asked back."
            yield Problem(code="doubled_id", text=text, hint=hint)


def _circles(tasks: Iterable[Task]) -> Iterator[Problem]:
    known = index_of(tasks)
    edges: dict[str, list[str]] = {}
    for task in known.values():
        if task is not None and still_waits(task):
            parents = [parent_of(task, ref, known.get) for ref in task.depends_on]
            waiting = [p for p in parents if p is not None and still_waits(p)]
            edges[_name(task, known)] = [_name(parent, known) for parent in waiting]
    while (path := find_cycle(edges)) is not None:
        yield Problem(
            code="dependency_cycle",
            text=f"the dependencies go round in a circle: {' -> '.join(path)}",
            hint=f"Say `unblock {path[0]}` or `cancel {path[0]}`, or take one out of "
            "depends_on in its queue file.",
        )
        # Whoever is on another circle as well is told of that one too.
        edges[path[-2]].remove(path[-1])


def _unknown(unfinished: Iterable[Task], lookup: Lookup) -> Iterator[Problem]:
    dependents: dict[str, list[str]] = {}
    for task in unfinished:
        for ref in task.depends_on:
            if parent_of(task, ref, lookup) is None:
                dependents.setdefault(ref, []).append(task.id)
    for ref, ids in dependents.items():
        verb = "waits" if len(ids) == 1 else "wait"
        yield Problem(
            code="unknown_dependency",
            text=f"{', '.join(ids)} {verb} for {ref}, which no queue and no archive has",
            hint=f"Say `unblock {' '.join(ids)}` to go on without it.",
        )


def _name(task: Task, known: Mapping[str, Task | None]) -> str:
    """Return the shortest form that names the task alone."""
    return task.id if known.get(task.id) is task else str(task.ref)
