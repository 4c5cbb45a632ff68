"""The files beside the queues: reports, checkpoints, session folders.

Names of files come from ids, labels and source names only, never from a message's
text. Paths stored in tasks are relative to the queue directory. Source: SPEC 5.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable
from contextlib import suppress

from model_queue import jsontext
from model_queue.atomic import explained, make_directory, read_file, write_atomic
from model_queue.codec import FieldError, decode_checkpoint, encode_checkpoint
from model_queue.labels import attempt_of
from model_queue.model import Checkpoint, Task

_NAME_LENGTH = 100
"""Of a file name's stem; file systems take 255 bytes, and suffixes follow."""
_NAME_MARKS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789._-")


def safe_name(text: str) -> str:
    """Return a file name for a label, session id or source name.

    Such names are their own file name. Others get what is allowed of them and a
    checksum, so that two of them do not meet in one file.

    >>> safe_name("mq-t-001-a1-1f3c9a7e"), safe_name("../X")
    ('mq-t-001-a1-1f3c9a7e', '__x-24d68d50')
    """
    name = "".join(mark if mark in _NAME_MARKS else "_" for mark in text.lower())
    if name == text and name[:1] not in {"", "."} and len(name) <= _NAME_LENGTH:
        return name
    checksum = zlib.crc32(text.encode("utf-8", "surrogatepass"))
    kept = name[:_NAME_LENGTH].lstrip(".")
    return f"_{kept}-{checksum:08x}"


def _never(task_id: str) -> bool:
    return not task_id


class Folder:
    """Paths and files of one queue directory, apart from the queues themselves.

    Every write is atomic and private (0600). Reading a path that leads out of the
    directory, from a queue file edited by hand, finds nothing.
    """

    def __init__(
        self, path: str, *, is_doubled: Callable[[str], bool] = _never
    ) -> None:
        """Take the queue directory, absolute, and a look-up of ids that are doubled.

        Files of a doubled id carry the source in their name.
        """
        self.path = path
        self._is_doubled = is_doubled

    @property
    def state_dir(self) -> str:
        """Where locks, the outbox and the due time lie."""
        return os.path.join(self.path, ".state")

    @property
    def sessions_dir(self) -> str:
        """Where each attempt has its folder."""
        return os.path.join(self.path, "sessions")

    def session_dir(self, label: str) -> str:
        """Return the folder of one attempt, absolute; it may not exist yet."""
        return os.path.join(self.sessions_dir, safe_name(label))

    def absolute(self, relative: str) -> str:
        """Return the absolute path of a path stored in a task."""
        return os.path.join(self.path, relative)

    def write_result(self, task: Task, text: str) -> str:
        """Keep a full report as ``results/T-001.md``; return its relative path."""
        return self._write("results", f"{self._stem(task)}.md", text)

    def write_late_result(self, task: Task, text: str, *, label: str) -> str:
        """Keep the report of an attempt that no longer holds the task, beside.

        Returns:
            The relative path, ``results/T-001.a1.late.md``.
        """
        attempt = attempt_of(task, label)
        which = safe_name(label) if attempt is None else f"a{attempt}"
        return self._write("results", f"{self._stem(task)}.{which}.late.md", text)

    def read_result(self, relative: str) -> str | None:
        """Return a report, None when there is none at the path."""
        data = self._read(relative)
        return None if data is None else data.decode("utf-8", "replace")

    def has_result(self, task: Task, text: str) -> bool:
        """Report whether this very text is kept as the task's report."""
        kept = self.read_result(f"results/{self._stem(task)}.md")
        return kept == text.encode("utf-8", "replace").decode()

    def keep_old_result(self, task: Task) -> None:
        """Keep the report as ``results/T-001.a1.md`` too, before the task runs again.

        A second name, not a move: until the task is stored as running again its own
        path still leads to the report.
        """
        old = task.result_path or f"results/{self._stem(task)}.md"
        if not self._is_inside(old):
            return
        new = f"results/{self._stem(task)}.a{task.attempt}.md"
        # None was written, or a repeated call has kept it already.
        done = suppress(FileNotFoundError, FileExistsError)
        with explained(self.absolute(old)), done:
            os.link(self.absolute(old), self.absolute(new))

    def write_checkpoint(self, task: Task, saved: Checkpoint) -> str:
        """Keep the latest checkpoint; return its relative path."""
        text = jsontext.dumps(encode_checkpoint(saved)) + "\n"
        return self._write("checkpoints", f"{self._stem(task)}.json", text)

    def read_checkpoint(self, task: Task) -> Checkpoint | None:
        """Return the latest checkpoint, None when there is none that can be read.

        Agents write such files themselves, so that a broken one is no error.
        """
        path = task.checkpoint_path or f"checkpoints/{self._stem(task)}.json"
        data = self._read(path)
        if data is None:
            return None
        try:
            wire = jsontext.loads(data.decode("utf-8-sig", "replace"))
            return decode_checkpoint(wire) if isinstance(wire, dict) else None
        except (jsontext.JsonTextError, FieldError):
            return None

    def _stem(self, task: Task) -> str:
        """Return what the names of a task's files begin with."""
        stem = task.ref.id
        return f"{stem}.{safe_name(task.queue)}" if self._is_doubled(stem) else stem

    def _write(self, directory: str, name: str, text: str) -> str:
        make_directory(self.absolute(directory))
        data = text.encode("utf-8", "replace")
        write_atomic(self.absolute(f"{directory}/{name}"), data)
        return f"{directory}/{name}"

    def _read(self, relative: str) -> bytes | None:
        return read_file(self.absolute(relative)) if self._is_inside(relative) else None

    def _is_inside(self, relative: str) -> bool:
        path = os.path.normpath(relative)
        is_name = relative.isprintable() and path.split(os.sep)[0] not in {"..", "."}
        return is_name and not os.path.isabs(path)
