"""The files beside the queues: reports, checkpoints, session folders.

Names of files come from ids, labels and source names only, never from a message's
text. Paths stored in tasks are relative to the queue directory. Source: SPEC 5.
"""

from __future__ import annotations

import datetime as dt
import os
import zlib
from collections.abc import Callable
from contextlib import suppress

from model_queue import jsontext
from model_queue.atomic import (
    explained,
    make_directory,
    read_file,
    remove_file,
    write_atomic,
)
from model_queue.codec import FieldError, decode_checkpoint, encode_checkpoint
from model_queue.errors import StoreError
from model_queue.labels import attempt_of
from model_queue.model import Checkpoint, Task

_NAME_LENGTH = 100
"""Of a file name's stem; file systems take 255 bytes, and suffixes follow."""
_ROOM_BYTES = 1 << 20
"""Room for the files of a session and for the commits up to its end."""
_ROOM_FILES = 32
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


def _is_single(task: Task) -> bool:
    return not task.id


QUESTION_FOR_S = 600.0
"""How long a question waits for its answer. Source: SPEC 3."""


class Folder:
    """Paths and files of one queue directory, apart from the queues themselves.

    Every write is atomic and private (0600). Reading a path that leads out of the
    directory, from a queue file edited by hand, finds nothing.
    """

    def __init__(
        self,
        path: str,
        *,
        is_doubled: Callable[[str], bool] = _never,
        is_copied: Callable[[Task], bool] = _is_single,
    ) -> None:
        """Take the queue directory, absolute, and a look-up of ids that are doubled.

        Files of a doubled id carry the source in their name, and those of an id that one
        queue holds twice what their labels end with, so that no report is written over.
        """
        self.path = path
        self._is_doubled = is_doubled
        self._is_copied = is_copied

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

    def has_session(self, label: str) -> bool:
        """Report whether the session of an attempt was started on this machine."""
        return os.path.exists(os.path.join(self.session_dir(label), "session.json"))

    def note_question(self, until: dt.datetime) -> None:
        """Note until when some chat may have an open question."""
        make_directory(self.state_dir)
        write_atomic(self.questions_path, f"{until.timestamp():.3f}\n".encode())

    @property
    def questions_path(self) -> str:
        """The file that says until when some chat may have an open question."""
        return os.path.join(self.state_dir, "asked")

    def has_question(self, *, now: dt.datetime) -> bool:
        """Report whether some chat may have an open question; costs one small read."""
        with suppress(StoreError, ValueError):
            until = float(read_file(self.questions_path) or b"0")
            return 0 < until - now.timestamp() <= QUESTION_FOR_S
        return False

    def absolute(self, relative: str) -> str:
        """Return the absolute path of a path stored in a task."""
        return os.path.join(self.path, relative)

    def has_room(self) -> bool:
        """Report whether the disk has the space that new work needs; True if unknown.

        A session that starts on the last bytes could not tell how it ended.
        """
        try:
            disk = os.statvfs(self.path)
        except OSError:
            return True
        # Some file systems count no files at all.
        is_out_of_names = disk.f_files > 0 and disk.f_favail < _ROOM_FILES
        return disk.f_bavail * disk.f_frsize >= _ROOM_BYTES and not is_out_of_names

    @property
    def reports_lock(self) -> str:
        """The lock of whoever writes reports; taken before the store's own."""
        return os.path.join(self.state_dir, "reports.lock")

    def write_result(self, task: Task, text: str) -> str:
        """Keep an accepted report as ``results/T-001.md``; return its relative path."""
        return self._write("results", self._result_name(task), text)

    def drop_result(self, task: Task) -> None:
        """Take back the report of an attempt that came too late to be accepted."""
        remove_file(self.absolute(f"results/{self._result_name(task)}"))

    def write_failed_result(self, task: Task, text: str, *, label: str) -> str:
        """Keep the report of a failed attempt, as ``results/T-001.a1.md``."""
        return self._write("results", f"{self._attempt_stem(task, label)}.md", text)

    def write_late_result(self, task: Task, text: str, *, label: str) -> str:
        """Keep the report of an attempt that no longer holds the task, beside.

        Every text of an attempt is kept. Hold ``reports_lock``.

        Returns:
            The relative path: ``results/T-001.a1.late.md``, the second text of the
            attempt ``results/T-001.a1.late-2.md``.
        """
        *_, free = self._late_names(task, label)
        return self._write("results", free, text)

    def read_result(self, relative: str) -> str | None:
        """Return a report, None when there is none at the path."""
        data = self._read(relative)
        return None if data is None else data.decode("utf-8", "replace")

    def has_report(self, task: Task, text: str, *, label: str) -> bool:
        """Report whether this very text is kept as a report of the attempt."""
        *late, _ = self._late_names(task, label)
        names = [f"{self._attempt_stem(task, label)}.md", *late]
        paths = [f"results/{name}" for name in names]
        if task.result_path is not None and attempt_of(task, label) == task.attempt:
            paths.append(task.result_path)
        wanted = text.encode("utf-8", "replace").decode()
        return any(self.read_result(path) == wanted for path in paths)

    def keep_old_result(self, task: Task) -> None:
        """Keep the report as ``results/T-001.a1.md`` too, before the task runs again.

        A second name, not a move: until the task is stored as running again its own
        path still leads to the report.
        """
        old = task.result_path or f"results/{self._result_name(task)}"
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
        if not self._is_doubled(stem):
            return stem
        stem = f"{stem}.{safe_name(task.queue)}"
        return f"{stem}.{task.label_tail}" if self._is_copied(task) else stem

    def _result_name(self, task: Task) -> str:
        return f"{self._stem(task)}.md"

    def _attempt_stem(self, task: Task, label: str) -> str:
        attempt = attempt_of(task, label)
        which = safe_name(label) if attempt is None else f"a{attempt}"
        return f"{self._stem(task)}.{which}"

    def _late_names(self, task: Task, label: str) -> list[str]:
        """Return the names of an attempt's late reports, the last one still free."""
        stem = self._attempt_stem(task, label)
        names = [f"{stem}.late.md"]
        while os.path.lexists(self.absolute(f"results/{names[-1]}")):
            names.append(f"{stem}.late-{len(names) + 1}.md")
        return names

    def _write(self, directory: str, name: str, text: str) -> str:
        make_directory(self.absolute(directory))
        make_directory(self.state_dir)
        data = text.encode("utf-8", "replace")
        # These directories only grow, and nobody looks through them for what a writer
        # that was killed has left; in the state directory that is swept.
        path = self.absolute(f"{directory}/{name}")
        write_atomic(path, data, aside=self.state_dir)
        return f"{directory}/{name}"

    def _read(self, relative: str) -> bytes | None:
        return read_file(self.absolute(relative)) if self._is_inside(relative) else None

    def _is_inside(self, relative: str) -> bool:
        path = os.path.normpath(relative)
        is_name = relative.isprintable() and path.split(os.sep)[0] not in {"..", "."}
        return is_name and not os.path.isabs(path)
