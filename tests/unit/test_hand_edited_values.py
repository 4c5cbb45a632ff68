"""Values that nothing can be reckoned with are refused where they stand."""

from __future__ import annotations

import json

import pytest

from fakes import a_task
from hosting import seed_queue, seed_task
from model_queue.codec import decode_task, encode_task
from model_queue.errors import CorruptQueueFile
from model_queue.fields import FieldError
from model_queue.model import JsonObject, JsonValue
from model_queue.queuefile import decode_queue

FAR = "9999-12-31T23:59:59Z"
CLAIM: JsonObject = {
    "label": "mq-t-001-a1-00000001",
    "lease_until": "2026-03-04T16:00:00Z",
}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("started_at", FAR),
        ("started_at", "9000-01-01T00:00:00Z"),
        ("updated_at", FAR),
        ("claim", {**CLAIM, "stopping": FAR}),
        ("claim", {**CLAIM, "lease_until": FAR}),
        ("timeout_seconds", 10**13),
        ("cost_ceiling", {"usd": 10**400}),
        ("cost_ceiling", {"usd": float("inf")}),
        ("cost_ceiling", {"wall_clock_s": float("nan")}),
        ("spent", {"usd": -(10**400)}),
    ],
)
def test_task_with_a_value_beyond_reckoning_is_refused(
    field: str, value: JsonValue
) -> None:
    wire = encode_task(a_task()) | {field: value}

    with pytest.raises(FieldError):
        decode_task(wire, "ollama-local")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("started_at", "8999-12-31T23:59:59Z"),
        ("started_at", "0001-01-01T00:00:00Z"),
        ("not_before", FAR),
        ("timeout_seconds", 10**9),
        ("cost_ceiling", {"usd": 2.5, "wall_clock_s": 60, "note": "mine"}),
    ],
)
def test_task_with_an_odd_value_that_can_be_reckoned_with_is_read(
    field: str, value: JsonValue
) -> None:
    wire = encode_task(a_task()) | {field: value}

    assert encode_task(decode_task(wire, "ollama-local"))[field] == value


def test_file_with_such_a_value_is_refused_with_line_and_column() -> None:
    task = seed_task("T-001", started_at=FAR)
    text = json.dumps(seed_queue("ollama-local", task))
    line = text.index('"started_at"') + 1

    with pytest.raises(CorruptQueueFile, match="before the year 9000") as caught:
        decode_queue(text.encode(), source="ollama-local", path="/q/ollama-local.json")

    assert (caught.value.line, caught.value.column) == (1, line)


def test_file_whose_hold_began_beyond_reckoning_is_refused() -> None:
    hold: JsonObject = {"at": FAR, "by": "user", "reason": "because"}
    text = json.dumps(seed_queue("ollama-local", paused=hold))

    with pytest.raises(CorruptQueueFile, match="before the year 9000"):
        decode_queue(text.encode(), source="ollama-local", path="/q/ollama-local.json")
