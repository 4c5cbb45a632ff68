"""A queue and the text of its file."""

from __future__ import annotations

import json

import pytest

from fakes import START, a_task
from model_queue.errors import CorruptQueueFile
from model_queue.queuefile import (
    Queue,
    as_written,
    decode_queue,
    encode_queue,
    highest_number,
)
from model_queue.store import Hold, QueueMeta

META = QueueMeta(
    source="ollama-local", models=("ollama/llama3", "ollama/qwen2.5"), last_id="T-005"
)
EMPTY = """\
{
  "version": "1.0",
  "source": "ollama-local",
  "models": ["ollama/llama3", "ollama/qwen2.5"],
  "maxConcurrent": 1,
  "maxRetries": 3,
  "lastId": "T-005",
  "tasks": []
}
"""


def decoded(text: str) -> Queue:
    return decode_queue(text.encode(), source="ollama-local", path="/q/x.json")


def test_an_empty_queue_is_the_seed_s_file_line_by_line() -> None:
    assert encode_queue(Queue(META)).decode() == EMPTY


def test_tasks_stand_on_a_line_each() -> None:
    queue = Queue(META, (a_task("T-001"), a_task("T-002")))

    lines = encode_queue(queue).decode().splitlines()

    assert [line[:18] for line in lines[8:10]] == [
        '    {"id": "T-001"',
        '    {"id": "T-002"',
    ]
    assert (lines[8][-1], lines[9][-1]) == (",", "}")
    assert lines[10:] == ["  ]", "}"]


def test_queue_comes_back_as_it_was() -> None:
    hold = Hold(at=START, by="quota", reason="限额", until=START)
    meta = META._replace(max_concurrent=4, max_retries=0, paused=hold, extra={"x": [1]})
    queue = Queue(meta, (a_task("T-001"), a_task("T-002", description="写报告")))

    again = decoded(encode_queue(queue).decode())

    assert (again.meta, again.tasks) == (meta, queue.tasks)


def test_writing_what_was_read_changes_no_byte() -> None:
    queue = Queue(META._replace(extra={"x": 1}), (a_task("T-001"), a_task("T-002")))
    data = encode_queue(queue)

    assert encode_queue(decoded(data.decode())) == data


def test_what_will_be_written_knows_its_own_text() -> None:
    queue = Queue(META, (a_task("T-001"),))

    written = as_written(queue)
    again = decoded(encode_queue(written).decode())

    assert (written.names, written.lines) == (again.names, again.lines)


def test_any_layout_of_json_is_read() -> None:
    queue = Queue(META, (a_task("T-001"), a_task("T-002")))
    wire = json.loads(encode_queue(queue))

    for text in (
        json.dumps(wire),
        json.dumps(wire, indent=4),
        json.dumps(wire, indent="\t", ensure_ascii=True).replace("\n", "\r\n"),
        json.dumps(wire, separators=(",", ":")),
    ):
        assert decoded(text).tasks == queue.tasks


def test_a_task_spread_over_lines_is_written_on_one() -> None:
    queue = Queue(META, (a_task("T-001"),))
    spread = json.dumps(json.loads(encode_queue(queue)), indent=2)

    assert encode_queue(decoded(spread)) == encode_queue(queue)


def test_names_keep_their_places_and_new_ones_stand_before_the_tasks() -> None:
    text = EMPTY.replace('"lastId"', '"x_owner": "Ada",\n  "lastId"')
    queue = decoded(text.replace('"tasks": []', '"tasks": [],\n  "x_note": 1'))
    hold = Hold(at=START, by="user", reason="lunch")

    held = queue.changed(queue.meta._replace(paused=hold), queue.tasks)

    assert list(json.loads(encode_queue(held))) == [
        "version",
        "source",
        "models",
        "maxConcurrent",
        "maxRetries",
        "x_owner",
        "lastId",
        "paused",
        "tasks",
        "x_note",
    ]


def test_an_almost_empty_object_is_a_queue() -> None:
    assert decoded('{"tasks": []}').meta == QueueMeta(source="ollama-local")


@pytest.mark.parametrize("version", ['"1.0"', '"1"', '"1.23"', "1", "1.0", "null"])
def test_any_version_1_is_read(version: str) -> None:
    assert decoded(f'{{"version": {version}, "tasks": []}}').tasks == ()


@pytest.mark.parametrize(
    ("text", "line", "column", "why"),
    [
        ('{"version": "2.0"}', 1, 13, 'version is "2.0", but must be 1.x'),
        ('{"version": "0.9"}', 1, 13, "must be 1.x"),
        ('{"version": []}', 1, 13, "must be 1.x"),
        ('{"models": [1]}', 1, 12, "models is 1, but must be a list of texts"),
        ('{"models": "a"}', 1, 12, "must be a list"),
        ('{"lastId": 5}', 1, 12, "lastId is 5, but must be a text"),
        ('{"lastId": "five"}', 1, 12, "must be an id like T-001"),
        ('{"maxRetries": -1}', 1, 16, "must be a whole number, 0 or more"),
        ('{"paused": true}', 1, 12, "must be an object"),
        ('{"tasks": {}}', 1, 11, "'[' is missing"),
        ("{}", 1, 1, "It has no list `tasks`"),
        ('\n{"source": "ollama-local"}', 1, 1, "It has no list `tasks`"),
        ('{"tasks": [1]}', 1, 12, "a task object is missing"),
        ('{\n "tasks": [\n {"id": "T-001"}\n]}', 3, 2, "model is null"),
        ('{"a" 1}', 1, 6, "':' is missing"),
        ("{1: 2}", 1, 2, "a name in double quotes is missing"),
        ('{"a": 1,}', 1, 9, "a value is missing"),
        ('{"a": "x\\y"}', 1, 9, "a backslash in a text"),
        ('{"a": "x\n"}', 1, 9, "a line break inside a text"),
        ('{"a": NaN}', 1, 7, "no such number: NaN"),
        ('{"a": ' + "1" * 5000 + "}", 1, 7, "no such number"),
        ('{"a": ' + "[" * 100_000, 1, 7, "nested too deep"),
    ],
)
def test_what_is_broken_is_named_with_its_place(
    text: str, line: int, column: int, why: str
) -> None:
    with pytest.raises(CorruptQueueFile) as caught:
        decoded(text)

    assert (caught.value.line, caught.value.column) == (line, column)
    assert why in str(caught.value)
    assert "/q/x.json" in str(caught.value)


@pytest.mark.parametrize(
    ("data", "number"),
    [
        pytest.param(b"", 0, id="nothing"),
        pytest.param(b'{"lastId": "T-012"', 12, id="last id of a broken file"),
        pytest.param(b'{"id":"T-1234"} {"id" : "T-007"}', 1234, id="any layout"),
        pytest.param(
            json.dumps(
                {"description": '"id": "T-999"', "depends_on": "T-888"}
            ).encode(),
            0,
            id="no number in a text",
        ),
    ],
)
def test_highest_number_is_found_without_parsing(data: bytes, number: int) -> None:
    assert highest_number(data) == number
