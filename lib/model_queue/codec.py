"""Values <-> the JSON objects in the files; the files' own names live here only.

A task is written with the seed's fields, always and in the seed's order, then with the
added ones that are set, then with those that this version does not know. Source: seed
003 "Task Object Schema" and "Queue File Structure", SPEC 2.1.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

from model_queue import jsontext
from model_queue.errors import TaskRefError
from model_queue.fields import FieldError, Reader, format_time, parse_time
from model_queue.labels import latest_label
from model_queue.model import (
    Checkpoint,
    Claim,
    DependencyPolicy,
    ErrorClass,
    JsonObject,
    JsonValue,
    Status,
    Task,
    TaskRef,
)
from model_queue.store import Notice, Record

__all__ = [
    "FieldError",
    "as_stored",
    "decode_checkpoint",
    "decode_notice",
    "decode_record",
    "decode_task",
    "encode_checkpoint",
    "encode_notice",
    "encode_record",
    "encode_task",
    "format_time",
    "parse_time",
]

_SEED_NAMES = (
    "id",
    "queue",
    "model",
    "description",
    "goal",
    "status",
    "priority",
    "depends_on",
    "on_depends_fail",
    "context_input",
    "result",
    "result_status",
    "result_summary",
    "retries",
    "maxRetries",
    "subagent_session",
    "added_at",
    "started_at",
    "completed_at",
)
_ADDED_NAMES = (
    "uuid",
    "type",
    "not_before",
    "timeout_seconds",
    "cost_ceiling",
    "spent",
    "attempt",
    "losses",
    "claim",
    "cwd",
    "session_model",
    "result_path",
    "error_message",
    "error_class",
    "failure_reason",
    "blocked_reason",
    "skipped_reason",
    "paused_from",
    "checkpoint_path",
    "agent_id",
    "accept",
    "origin",
    "updated_at",
)
_TASK_NAMES = frozenset((*_SEED_NAMES, *_ADDED_NAMES))


def encode_task(task: Task) -> JsonObject:
    """Return the task's JSON object, in the seed's form."""
    wire: JsonObject = {
        "id": task.id,
        "queue": task.queue,
        "model": task.model,
        "description": task.description,
        "goal": task.goal,
        "status": task.status.value,
        "priority": task.priority,
        "depends_on": _encode_refs(task.depends_on),
        "on_depends_fail": task.on_depends_fail.value,
        "context_input": task.context_input,
        "result": task.result,
        "result_status": task.result_status,
        "result_summary": task.result_summary,
        "retries": task.retries,
        "maxRetries": task.max_retries,
        "subagent_session": task.subagent_session,
        "added_at": format_time(task.added_at),
        "started_at": _time(task.started_at),
        "completed_at": _time(task.completed_at),
    }
    for name, value in zip(_ADDED_NAMES, _added_values(task), strict=True):
        if value is not None:
            wire[name] = value
    for name, value in task.extra.items():
        if name not in _TASK_NAMES:
            wire[name] = value
    return wire


def _added_values(task: Task) -> tuple[JsonValue, ...]:
    """Return the values of ``_ADDED_NAMES``, None for those that are not set."""
    return (
        task.uuid or None,
        task.type,
        _time(task.not_before),
        task.timeout_seconds,
        task.cost_ceiling,
        task.spent,
        task.attempt or None,
        task.losses or None,
        _encode_claim(task.claim),
        task.cwd,
        task.session_model,
        task.result_path,
        task.error_message,
        task.error_class.value if task.error_class else None,
        task.failure_reason,
        task.blocked_reason,
        task.skipped_reason,
        task.paused_from.value if task.paused_from else None,
        task.checkpoint_path,
        task.agent_id,
        list(task.accept) or None,
        task.origin,
        _time(task.updated_at),
    )


def decode_task(wire: JsonObject, source: str) -> Task:
    """Return the task of a JSON object that lies in the queue of ``source``.

    The file that holds a task decides its queue: a line moved by hand from one file to
    another moves the task.
    A running task without a claim gets one that has run out.

    Raises:
        FieldError: a field has a wrong type, or a word that is none of the allowed.
    """
    read = Reader(wire)
    task = Task(
        id=read.task_id("id"),
        queue=source,
        model=read.text("model"),
        description=read.text("description"),
        added_at=read.time("added_at"),
        uuid=read.text_or_none("uuid") or "",
        goal=read.text_or_none("goal"),
        status=read.choice("status", Status, Status.PENDING),
        priority=read.whole("priority", 0),
        depends_on=_read_refs(read),
        on_depends_fail=read.choice(
            "on_depends_fail", DependencyPolicy, DependencyPolicy.BLOCK
        ),
        context_input=read.get("context_input"),
        result=read.text_or_none("result"),
        result_status=read.text_or_none("result_status"),
        result_summary=read.text_or_none("result_summary"),
        retries=read.whole("retries", 0, least=0),
        max_retries=read.whole("maxRetries", 3, least=0),
        subagent_session=read.text_or_none("subagent_session"),
        started_at=read.moment_or_none("started_at"),
        completed_at=read.time_or_none("completed_at"),
        type=read.text_or_none("type"),
        not_before=read.time_or_none("not_before"),
        timeout_seconds=read.seconds_or_none("timeout_seconds"),
        cost_ceiling=read.amounts_or_none("cost_ceiling"),
        spent=read.amounts_or_none("spent"),
        attempt=read.whole("attempt", 0, least=0),
        losses=read.whole("losses", 0, least=0),
        claim=_read_claim(read),
        cwd=read.text_or_none("cwd"),
        session_model=read.text_or_none("session_model"),
        result_path=read.text_or_none("result_path"),
        error_message=read.text_or_none("error_message"),
        error_class=read.choice_or_none("error_class", ErrorClass),
        failure_reason=read.text_or_none("failure_reason"),
        blocked_reason=read.text_or_none("blocked_reason"),
        skipped_reason=read.text_or_none("skipped_reason"),
        paused_from=read.choice_or_none("paused_from", Status),
        checkpoint_path=read.text_or_none("checkpoint_path"),
        agent_id=read.text_or_none("agent_id"),
        accept=_read_accept(read),
        origin=read.mapping_or_none("origin"),
        updated_at=read.moment_or_none("updated_at"),
        extra=read.unknown(_TASK_NAMES),
    )
    is_unclaimed = task.status is Status.RUNNING and task.claim is None
    return _claimed(task) if is_unclaimed else task


def _claimed(task: Task) -> Task:
    """Give a running task a claim whose lease is over.

    A writer that knows the seed's fields only leaves it without one, and nobody would
    ever look for its session.
    """
    started = replace(task, attempt=max(task.attempt, 1))
    lease_until = task.started_at or task.added_at
    claim = Claim(label=latest_label(started), lease_until=lease_until)
    return replace(started, claim=claim)


def as_stored(task: Task) -> Task:
    """Return the task as it will be read back from its file.

    What a store returns from a commit must equal what it reads later, also for text
    that UTF-8 cannot hold.
    """
    wire = jsontext.loads(jsontext.dumps(encode_task(task)))
    return decode_task(wire, task.queue) if isinstance(wire, dict) else task


def _time(moment: dt.datetime | None) -> str | None:
    return None if moment is None else format_time(moment)


def _encode_refs(refs: tuple[str, ...]) -> JsonValue:
    if not refs:
        return None
    return refs[0] if len(refs) == 1 else list(refs)


def _encode_claim(claim: Claim | None) -> JsonValue:
    if claim is None:
        return None
    wire: JsonObject = {
        "label": claim.label,
        "lease_until": format_time(claim.lease_until),
    }
    if claim.stopping is not None:
        wire["stopping"] = format_time(claim.stopping)
    return wire


def _read_claim(read: Reader) -> Claim | None:
    wire = read.mapping_or_none("claim")
    if wire is None:
        return None
    inner = Reader(wire)
    return Claim(
        label=inner.text("label"),
        lease_until=inner.moment("lease_until"),
        stopping=inner.moment_or_none("stopping"),
    )


def _read_refs(read: Reader) -> tuple[str, ...]:
    value = read.get("depends_on")
    if value is None:
        return ()
    refs: list[str] = []
    for item in value if isinstance(value, list) else [value]:
        try:
            refs.append(str(TaskRef.parse(item if isinstance(item, str) else "")))
        except TaskRefError as error:
            allowed = "null, an id like T-001, or a list of ids"
            raise FieldError(field="depends_on", seen=value, allowed=allowed) from error
    return tuple(refs)


def _read_accept(read: Reader) -> tuple[JsonObject, ...]:
    checks: list[JsonObject] = []
    for item in read.sequence("accept"):
        if not isinstance(item, dict):
            raise FieldError(field="accept", seen=item, allowed="a list of objects")
        checks.append(item)
    return tuple(checks)


def encode_checkpoint(saved: Checkpoint) -> JsonObject:
    """Return a checkpoint's JSON object. Source: seed 000 "Checkpoint Schema"."""
    return {
        "task_id": saved.task_id,
        "percent_complete": saved.percent_complete,
        "last_action": saved.last_action,
        "next_action": saved.next_action,
        "agent_id": saved.agent_id,
        "written_at": format_time(saved.written_at),
    }


def decode_checkpoint(wire: JsonObject) -> Checkpoint:
    """Return the checkpoint of a JSON object; agents write such files themselves.

    Raises:
        FieldError: a field has a wrong type, or ``written_at`` is missing.
    """
    read = Reader(wire)
    return Checkpoint(
        task_id=read.text("task_id"),
        percent_complete=min(read.whole("percent_complete", 0, least=0), 100),
        last_action=read.text_or_none("last_action") or "",
        next_action=read.text_or_none("next_action") or "",
        agent_id=read.text_or_none("agent_id") or "",
        written_at=read.time("written_at"),
    )


def encode_record(record: Record) -> JsonObject:
    """Return an audit record's JSON object, only with what is set."""
    wire: JsonObject = {"ts": format_time(record.ts), "event": record.event}
    for name in ("task_id", "queue", "before", "after", "label", "detail"):
        value: str | None = getattr(record, name)
        if value is not None:
            wire[name] = value
    return wire


def decode_record(wire: JsonObject) -> Record:
    """Return the audit record of a JSON object.

    Raises:
        FieldError: a field has a wrong type.
    """
    read = Reader(wire)
    return Record(
        ts=read.time("ts"),
        event=read.text("event"),
        task_id=read.text_or_none("task_id"),
        queue=read.text_or_none("queue"),
        before=read.text_or_none("before"),
        after=read.text_or_none("after"),
        label=read.text_or_none("label"),
        detail=read.text_or_none("detail"),
    )


def encode_notice(notice: Notice, handed_out_at: dt.datetime | None) -> JsonObject:
    """Return the JSON object of a waiting notice and of when it was last handed out."""
    wire: JsonObject = {
        "id": notice.id,
        "kind": notice.kind,
        "task_id": notice.task_id,
        "text": notice.text,
        "chat": list(notice.chat),
        "created_at": format_time(notice.created_at),
    }
    if handed_out_at is not None:
        wire["handed_out_at"] = format_time(handed_out_at)
    return wire


def decode_notice(wire: JsonObject) -> tuple[Notice, dt.datetime | None]:
    """Return the notice of a JSON object and when it was last handed out.

    Raises:
        FieldError: a field has a wrong type.
    """
    read = Reader(wire)
    chat = [part if isinstance(part, str) else "" for part in read.sequence("chat")]
    host, channel, session = (*chat, "", "", "")[:3]
    notice = Notice(
        id=read.text("id"),
        kind=read.text("kind"),
        task_id=read.text_or_none("task_id"),
        text=read.text("text"),
        chat=(host, channel, session),
        created_at=read.time("created_at"),
    )
    return notice, read.time_or_none("handed_out_at")
