"""What the doctor finds in the tasks taken together."""

from __future__ import annotations

from fakes import a_task
from model_queue.dependencies import index_of
from model_queue.inspection import found_in
from model_queue.model import Status, Task


def codes(*tasks: Task) -> list[str]:
    return [problem.code for problem in found_in(tasks, index_of(tasks).get)]


def waits(task_id: str, ref: str, **fields: object) -> Task:
    return a_task(task_id, status=Status.WAITING, depends_on=(ref,), **fields)


def test_a_circle_is_found_whatever_form_its_references_have() -> None:
    assert codes(
        waits("T-001", "ollama-local/T-002"), waits("T-002", "cloud-nvidia/T-001")
    ) == ["dependency_cycle"]


def test_a_doubled_id_that_waits_closes_no_circle_of_the_other() -> None:
    runnable = a_task("T-001")
    other = waits("T-001", "T-002", queue="cloud-nvidia")

    assert codes(runnable, other, waits("T-002", "ollama-local/T-001")) == [
        "doubled_id"
    ]


def test_a_dependency_that_moved_to_another_queue_is_not_unknown() -> None:
    moved = a_task("T-001", queue="cloud-nvidia")

    assert codes(moved, waits("T-002", "ollama-local/T-001")) == []
    assert codes(waits("T-002", "ollama-local/T-001")) == ["unknown_dependency"]
