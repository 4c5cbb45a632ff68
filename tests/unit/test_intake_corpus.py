"""The labelled messages of the repository, scored as the labelling guide says."""

from __future__ import annotations

import importlib.util
import json
from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import cast

import pytest

from intake_samples import CATALOG
from model_queue.intake import predict_line
from model_queue.model import JsonObject

DATA = Path(__file__).parent.parent / "data"
Score = Mapping[str, tuple[float, int]]


def _scorer() -> Callable[[JsonObject, JsonObject], Score]:
    spec = importlib.util.spec_from_file_location(
        "score_intake", DATA / "score_intake.py"
    )
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return cast("Callable[[JsonObject, JsonObject], Score]", module.score)


def _rows(name: str) -> list[JsonObject]:
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def _rates(name: str, languages: set[str] | None = None) -> dict[str, float]:
    score = _scorer()
    right: dict[str, float] = defaultdict(float)
    total: dict[str, int] = defaultdict(int)
    for row in _rows(name):
        if languages and row["lang"] not in languages:
            continue
        for metric, (x, n) in score(row, predict_line(row, catalog=CATALOG)).items():
            right[metric] += x
            total[metric] += n
    return {metric: right[metric] / n for metric, n in total.items() if n}


@pytest.mark.parametrize(
    ("name", "languages", "mode", "everything"),
    [
        pytest.param("intake-a.jsonl", None, 0.99, 0.99, id="addressed"),
        pytest.param(
            "intake-a.jsonl",
            {"de", "es", "fr", "ja", "ko"},
            0.95,
            0.95,
            id="addressed in other languages",
        ),
        pytest.param("ambient-a.jsonl", None, 0.99, 0.99, id="ambient"),
    ],
)
def test_the_labelled_messages_hold_their_floors(
    name: str, languages: set[str] | None, mode: float, everything: float
) -> None:
    rates = _rates(name, languages)

    assert rates["mode"] >= mode
    assert rates["all"] >= everything


def test_no_ambient_message_of_the_agent_is_taken() -> None:
    taken = [
        row["id"]
        for row in _rows("ambient-a.jsonl")
        if row["mode"] == "none"
        and predict_line(row, catalog=CATALOG)["mode"] != "none"
    ]

    assert taken == []


def test_a_line_may_bring_its_own_moment_and_zone() -> None:
    row: JsonObject = {
        "id": "x",
        "message": "tomorrow at 9am sort the mail",
        "now": "2026-03-04T16:51:00Z",
        "timezone": "Asia/Shanghai",
    }

    predicted = predict_line(row, catalog=CATALOG)

    tasks = cast("list[JsonObject]", predicted["tasks"])
    assert tasks[0]["not_before"] == "2026-03-06T01:00:00Z"
