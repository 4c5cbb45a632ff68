"""A queue with its tasks <-> the text of its file.

The file is ordinary JSON with one task per line: kind to diffs, and to a reader who
wants only some of the tasks. Source: seed 003 "Queue File Structure", SPEC 2.1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from model_queue import jsontext
from model_queue.codec import decode_task, encode_task
from model_queue.errors import CorruptQueueFile
from model_queue.fields import FieldError, Reader, format_time
from model_queue.model import JsonObject, Task
from model_queue.store import Hold, QueueMeta

VERSION = "1.0"
"""Of the files that we create. Any 1.x is read, and keeps its number."""

_ID = re.compile(rb'"(?:id|lastId)"\s*:\s*"T-(\d{3,7})"')
_NAMES = frozenset(
    {
        "version",
        "source",
        "models",
        "maxConcurrent",
        "maxRetries",
        "lastId",
        "paused",
        "tasks",
    }
)


class Queue:
    """One queue with its tasks: what its file holds.

    A plain class, since each dataclass costs a hook half a millisecond.

    Attributes:
        meta: the queue without its tasks.
        tasks: in the order of the file.
        version: of the file's form.
        names: the file's top-level names, in its order.
        lines: per task its text in the file; "" where it must be written anew.
    """

    __slots__ = ("lines", "meta", "names", "tasks", "version")

    def __init__(
        self,
        meta: QueueMeta,
        tasks: tuple[Task, ...] = (),
        *,
        version: str = VERSION,
        names: tuple[str, ...] = (),
        lines: tuple[str, ...] = (),
    ) -> None:
        self.meta = meta
        self.tasks = tasks
        self.version = version
        self.names = names
        self.lines = lines or ("",) * len(tasks)

    def changed(self, meta: QueueMeta, tasks: Iterable[Task]) -> Queue:
        """Return the queue with other content; tasks that stay keep their very text."""
        new = tuple(tasks)
        known = {
            id(task): line for task, line in zip(self.tasks, self.lines, strict=True)
        }
        return Queue(
            meta,
            new,
            version=self.version,
            names=self.names,
            lines=tuple(known.get(id(task), "") for task in new),
        )


def as_written(queue: Queue) -> Queue:
    """Return the queue with the very names and lines that its file will have."""
    names = _in_place(queue.names, [*_encode_meta(queue), "tasks"])
    lines = tuple(
        line or jsontext.dumps(encode_task(task))
        for task, line in zip(queue.tasks, queue.lines, strict=True)
    )
    return Queue(
        queue.meta, queue.tasks, version=queue.version, names=names, lines=lines
    )


def encode_queue(queue: Queue) -> bytes:
    """Return the whole file: ordinary JSON with one task per line, UTF-8."""
    queue = as_written(queue)
    wire = _encode_meta(queue)
    texts = {name: jsontext.dumps(value) for name, value in wire.items()}
    lines = ",\n".join("    " + line for line in queue.lines)
    texts["tasks"] = f"[\n{lines}\n  ]" if lines else "[]"
    members = (f"  {jsontext.dumps(name)}: {texts[name]}" for name in queue.names)
    return ("{\n" + ",\n".join(members) + "\n}\n").encode()


def _encode_meta(queue: Queue) -> JsonObject:
    meta = queue.meta
    wire: JsonObject = {
        "version": queue.version,
        "source": meta.source,
        "models": list(meta.models),
        "maxConcurrent": meta.max_concurrent,
        "maxRetries": meta.max_retries,
        "lastId": meta.last_id,
    }
    if meta.paused is not None:
        wire["paused"] = _encode_hold(meta.paused)
    wire.update((n, v) for n, v in meta.extra.items() if n not in _NAMES)
    return wire


def _in_place(known: Sequence[str], now: Sequence[str]) -> tuple[str, ...]:
    """Return the names in the file's order, new ones in front of the tasks."""
    names = [name for name in known if name in now]
    new = [name for name in now if name not in names]
    at = names.index("tasks") if "tasks" in names else len(names)
    return (*names[:at], *new, *names[at:])


def decode_queue(data: bytes, *, source: str, path: str) -> Queue:
    """Return the queue that a file holds, seed form 1.0 and any later 1.x.

    Args:
        data: the file's bytes, in any layout of JSON.
        source: what the file's name says.
        path: for the error's sentence.

    Raises:
        CorruptQueueFile: it is not JSON, has no list ``tasks``, is not version 1.x or
            another source's, or a field has a value that it cannot have; with line,
            column and reason.
    """
    text = _utf8(data, path)
    scan = jsontext.Scanner(text)
    spots: dict[str, int] = {}
    try:
        wire, tasks, lines = _scan_queue(scan, source, spots)
        scan.end()
        meta = _read_meta(wire, source)
    except jsontext.JsonTextError as error:
        raise _corrupt(path, text, error.at, error.why) from error
    except FieldError as error:
        at = spots.get(error.field, 0)
        raise _corrupt(path, text, at, error.why) from error
    if "tasks" not in spots:
        # Emptied by accident, or a file of something else; an empty queue says so.
        raise _corrupt(path, text, 0, "It has no list `tasks`")
    version = wire.get("version")
    return Queue(
        meta,
        tuple(tasks),
        version=str(VERSION if version is None else version),
        names=tuple(spots),
        lines=tuple(lines),
    )


def highest_number(data: bytes) -> int:
    """Return the highest id in a queue file, 0 without any; it need not parse.

    A file that is broken, or of thousands of archived tasks, still keeps its numbers
    from being given again. Quotes inside a text are escaped, so that no text matches.
    """
    return max(map(int, _ID.findall(data)), default=0)


def _scan_queue(
    scan: jsontext.Scanner, source: str, spots: dict[str, int]
) -> tuple[JsonObject, list[Task], list[str]]:
    """Read the file's object; note in ``spots`` where each top-level value starts."""
    wire: JsonObject = {}
    tasks: list[Task] = []
    lines: list[str] = []
    for name in scan.members():
        spots[name] = scan.at
        if name == "tasks":
            tasks, lines = _scan_tasks(scan, source)
        else:
            wire[name] = scan.value()
    return wire, tasks, lines


def _scan_tasks(scan: jsontext.Scanner, source: str) -> tuple[list[Task], list[str]]:
    tasks: list[Task] = []
    lines: list[str] = []
    for start in scan.elements():
        wire = scan.value()
        if not isinstance(wire, dict):
            raise jsontext.JsonTextError(at=start, why="a task object is missing")
        text = scan.text[start : scan.at].rstrip()
        try:
            tasks.append(decode_task(wire, source))
        except FieldError as error:
            inside = max(text.find(f'"{error.field}"'), 0)
            raise jsontext.JsonTextError(at=start + inside, why=error.why) from error
        lines.append("" if "\n" in text or "\r" in text else text)
    return tasks, lines


def _read_meta(wire: JsonObject, source: str) -> QueueMeta:
    read = Reader(wire)
    version = read.get("version")
    if version is not None and str(version).partition(".")[0] != "1":
        raise FieldError(field="version", seen=version, allowed="1.x, as we read it")
    if (read.text_or_none("source") or source) != source:
        allowed = f"{source!r} like the file's name: is it a copy? Then move it away"
        raise FieldError(field="source", seen=read.get("source"), allowed=allowed)
    models: list[str] = []
    for model in read.sequence("models"):
        if not isinstance(model, str):
            raise FieldError(field="models", seen=model, allowed="a list of texts")
        models.append(model)
    return QueueMeta(
        source=source,
        models=tuple(models),
        max_concurrent=read.whole("maxConcurrent", 1, least=1),
        max_retries=read.whole("maxRetries", 3, least=0),
        last_id=read.task_id_or_none("lastId"),
        paused=_read_hold(read),
        extra=read.unknown(_NAMES),
    )


def _encode_hold(hold: Hold) -> JsonObject:
    wire: JsonObject = {
        "at": format_time(hold.at),
        "by": hold.by,
        "reason": hold.reason,
    }
    if hold.until is not None:
        wire["until"] = format_time(hold.until)
    return wire


def _read_hold(read: Reader) -> Hold | None:
    wire = read.mapping_or_none("paused")
    if wire is None:
        return None
    inner = Reader(wire)
    return Hold(
        at=inner.moment("at"),
        by=inner.text("by"),
        reason=inner.text("reason"),
        until=inner.time_or_none("until"),
    )


def _utf8(data: bytes, path: str) -> str:
    try:
        # Editors on Windows put a byte order mark in front.
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8-sig", "replace")
        raise _corrupt(path, before, len(before), "Not UTF-8") from error


def _corrupt(path: str, text: str, at: int, why: str) -> CorruptQueueFile:
    line, column = jsontext.position(text, at)
    return CorruptQueueFile(path=path, line=line, column=column, why=why)
