"""Labels are file names whatever a person wrote as uuid, and are found again."""

from __future__ import annotations

import pytest

from fakes import a_task
from model_queue.folder import safe_name
from model_queue.labels import attempt_of, latest_label, task_id_of


@pytest.mark.parametrize(
    "uuid",
    [
        "1f3c9a7e-2222-4333-8444-555555555555",
        "1F3C9A7E-2222-4333-8444-555555555555",
        "x/../../y",
        "a-b-c-d-",
        "任务",
        "short",
    ],
)
def test_label_of_any_uuid_is_a_file_name_that_names_its_task(uuid: str) -> None:
    task = a_task("T-012", uuid=uuid, attempt=1)

    label = task.next_label

    assert safe_name(label) == label
    assert attempt_of(task, label) == 2
    assert task_id_of(label) == "T-012"
    assert attempt_of(task, latest_label(task)) == 1


def test_label_in_capitals_that_was_made_before_names_its_attempt() -> None:
    task = a_task(uuid="1F3C9A7E-2222-4333-8444-555555555555")

    assert attempt_of(task, "mq-t-001-a3-1F3C9A7E") == 3
