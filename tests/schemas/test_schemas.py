"""The schemas accept and refuse their examples, and accept what the code writes."""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import replace
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from fakes import START, SequentialIds, a_task
from model_queue.codec import (
    decode_checkpoint,
    decode_record,
    decode_task,
    encode_checkpoint,
    encode_record,
    encode_task,
)
from model_queue.model import ErrorClass, JsonObject, Status
from model_queue.queuefile import Queue, decode_queue, encode_queue
from model_queue.store import Batch, Change, Draft, Hold, QueueMeta, Record
from model_queue.stores.files import FilesStore

SCHEMAS = Path(__file__).parents[2] / "schemas"
NAMES = ("task", "queue-file", "event", "checkpoint")


def read(path: Path) -> JsonObject:
    wire: JsonObject = json.loads(path.read_text(encoding="utf-8"))
    return wire


def validator(name: str) -> Draft202012Validator:
    schemas = [read(SCHEMAS / f"{each}.schema.json") for each in NAMES]
    registry: Registry = Registry().with_resources(
        (str(schema["$id"]), Resource.from_contents(schema)) for schema in schemas
    )
    return Draft202012Validator(
        read(SCHEMAS / f"{name}.schema.json"), registry=registry
    )


def examples(kind: str) -> list[Path]:
    found = sorted((SCHEMAS / "examples").glob(f"*.{kind}*.json"))
    return [path for path in found if path.name.split(".")[0] in NAMES]


def name_of(path: Path) -> str:
    return path.name.split(".")[0]


@pytest.mark.parametrize("name", NAMES)
def test_schema_is_one_and_has_examples_of_both_kinds(name: str) -> None:
    schema = read(SCHEMAS / f"{name}.schema.json")

    Draft202012Validator.check_schema(schema)

    assert name in {name_of(path) for path in examples("valid")}
    assert name in {name_of(path) for path in examples("invalid")}


@pytest.mark.parametrize("path", examples("valid"), ids=lambda path: path.stem)
def test_schema_accepts_its_valid_examples(path: Path) -> None:
    validator(name_of(path)).validate(read(path))


@pytest.mark.parametrize("path", examples("invalid"), ids=lambda path: path.stem)
def test_schema_refuses_its_invalid_examples(path: Path) -> None:
    assert not validator(name_of(path)).is_valid(read(path))


@pytest.mark.parametrize("path", examples("valid"), ids=lambda path: path.stem)
def test_code_reads_the_valid_examples_and_writes_them_back(path: Path) -> None:
    wire = read(path)

    match name_of(path):
        case "task":
            again = encode_task(decode_task(wire, str(wire["queue"])))
        case "queue-file":
            source = str(wire["source"])
            queue = decode_queue(path.read_bytes(), source=source, path=path.name)
            again = json.loads(encode_queue(queue))
        case "event":
            again = encode_record(decode_record(wire))
        case _:
            again = encode_checkpoint(decode_checkpoint(wire))

    assert again == wire


def test_every_field_that_the_code_writes_is_described() -> None:
    example = read(SCHEMAS / "examples" / "task.valid-every-field.json")
    properties = read(SCHEMAS / "task.schema.json")["properties"]

    assert isinstance(properties, dict)
    assert set(example) - set(properties) == {"x_team"}
    assert set(properties) <= set(example)
    for name, field in properties.items():
        assert isinstance(field, dict), name
        assert field["description"], name


@pytest.mark.parametrize("status", Status)
def test_words_of_the_code_are_words_of_the_schema(status: Status) -> None:
    task = a_task(status=status, paused_from=status)

    validator("task").validate(encode_task(task))


@pytest.mark.parametrize("error_class", ErrorClass)
def test_error_classes_of_the_code_are_words_of_the_schema(
    error_class: ErrorClass,
) -> None:
    validator("task").validate(encode_task(a_task(error_class=error_class)))


def test_queue_file_that_the_code_writes_is_valid() -> None:
    hold = Hold(at=START, by="user", reason="lunch")
    meta = QueueMeta(source="ollama-local", models=("a/b",), paused=hold)

    wire = json.loads(encode_queue(Queue(meta, (a_task("T-001"), a_task("T-002")))))

    validator("queue-file").validate(wire)


def test_event_that_the_code_writes_is_valid() -> None:
    record = Record(ts=START, event="claim", task_id="T-001", after="running")

    validator("event").validate(encode_record(record))


def test_directory_that_the_files_store_writes_is_valid(tmp_path: Path) -> None:
    store = FilesStore(str(tmp_path), ids=SequentialIds())
    store.open_queues([QueueMeta(source="ollama-local", max_concurrent=2)], now=START)
    draft = Draft(task=a_task("", uuid=""))
    store.commit(Batch(drafts=[draft, draft, draft]), now=START)
    lease = dt.timedelta(seconds=120)
    claimed = store.claim("ollama-local", limit=2, lease=lease, now=START)
    done = replace(claimed[0], status=Status.DONE, claim=None, completed_at=START)
    store.commit(Batch(changes=[Change(before=claimed[0], after=done)]), now=START)
    store.archive(before=START + lease, now=START)

    live, old = tmp_path / "ollama-local.json", tmp_path / "archive/ollama-local"
    validator("queue-file").validate(read(live))
    validator("queue-file").validate(read(old / "2026-03.json"))
    for line in (tmp_path / "events.jsonl").read_text().splitlines():
        validator("event").validate(json.loads(line))
