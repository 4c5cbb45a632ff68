from __future__ import annotations

import pytest

from fakes import START, a_task
from model_queue.model import Status
from model_queue.vocabularies import pews_word, workspace_word

FRESH = {"started_at": None}
BEGUN = {"started_at": START}


@pytest.mark.parametrize(
    ("status", "fields", "workspace", "pews"),
    [
        pytest.param("pending", FRESH, "claimed", "pending", id="pending"),
        pytest.param("pending", BEGUN, "retry", None, id="pending in backoff"),
        pytest.param("waiting", FRESH, "claimed", "pending", id="waiting"),
        pytest.param("running", BEGUN, "active", "open", id="running"),
        pytest.param(
            "paused",
            {**BEGUN, "paused_from": Status.RUNNING},
            "paused",
            None,
            id="paused from running",
        ),
        pytest.param(
            "paused",
            {**BEGUN, "paused_from": Status.PENDING},
            "retry",
            None,
            id="paused in backoff",
        ),
        pytest.param(
            "paused",
            {**FRESH, "paused_from": Status.PENDING},
            "claimed",
            "pending",
            id="paused while it queued",
        ),
        pytest.param(
            "paused",
            {**FRESH, "paused_from": Status.WAITING},
            "claimed",
            "pending",
            id="paused while it waited",
        ),
        pytest.param("blocked", BEGUN, "blocked", "blocked", id="blocked at work"),
        pytest.param(
            "blocked", FRESH, "claimed", "pending", id="blocked by a dependency"
        ),
        pytest.param("done", BEGUN, "done", "done", id="done"),
        pytest.param("failed", BEGUN, "cancelled", "failed", id="failed"),
        pytest.param("skipped", FRESH, "cancelled", "failed", id="skipped"),
        pytest.param("cancelled", FRESH, "cancelled", "failed", id="cancelled"),
    ],
)
def test_each_status_has_its_word_in_both_vocabularies(
    status: str, fields: dict[str, object], workspace: str, pews: str | None
) -> None:
    task = a_task(status=Status(status), **fields)  # type: ignore[arg-type] # the test's

    assert (workspace_word(task), pews_word(task)) == (workspace, pews)
