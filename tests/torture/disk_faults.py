"""Runs one program of ours on a disk that fails at its n-th write.

``python -I -S disk_faults.py HOME LOG KIND AT PROGRAM ARGUMENT…``. What the program
writes below HOME is counted, one line each in LOG; from write AT on the disk fails as
KIND says (AT 0: never). A write that fails leaves half of its bytes, as a full disk
does. Stands alone: nothing of the project is on its path.
"""
# ruff: noqa: ANN401, PTH110, PTH118 - it stands for functions that take anything, under pathlib

from __future__ import annotations

import builtins
import errno
import io
import os
import runpy
import stat
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

SPACE = frozenset({"create", "write", "sync", "replace", "link", "mkdir"})
"""What a full disk refuses; it still opens, cuts and removes files."""
ALL = SPACE | {"open", "cut", "remove", "touch"}


class Kind(NamedTuple):
    """One way in which a disk fails."""

    number: int
    """Of the system's error."""
    refuses: frozenset[str]
    is_lasting: bool = True
    """Every later write fails as well; else only the one."""


KINDS = {
    "full": Kind(errno.ENOSPC, SPACE),
    "quota": Kind(errno.EDQUOT, SPACE),
    "hiccup": Kind(errno.ENOSPC, SPACE, is_lasting=False),
    "read-only": Kind(errno.EROFS, ALL),
    "forbidden": Kind(errno.EACCES, ALL - {"write", "sync", "cut"}),
    "broken": Kind(errno.EIO, ALL, is_lasting=False),
}
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT


class Faults:
    """Counts the writes of this process, and lets some of them fail."""

    def __init__(self, home: str, log: str, kind: Kind, at: int) -> None:
        self._home = os.path.join(home, "")
        self._log = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self._kind = kind
        self._at = at
        self._n = 0
        self._note = os.write

    def meet(self, what: str, path: str) -> None:
        """Count one write.

        Raises:
            OSError: the disk fails.
        """
        if what not in self._kind.refuses:
            return
        self._n += 1
        self._note(self._log, f"{what} {path.removeprefix(self._home)}\n".encode())
        is_due = self._n >= self._at if self._kind.is_lasting else self._n == self._at
        if self._at and is_due:
            named = (path,) if path.startswith("/") else ()
            raise OSError(self._kind.number, os.strerror(self._kind.number), *named)

    def is_ours(self, path: object) -> bool:
        """Report whether a path is one of those that count."""
        return isinstance(path, str) and path.startswith(self._home)

    def meet_opening(self, path: str, flags: int) -> None:
        """Count an opening that can write."""
        if flags & _WRITING:
            is_new = flags & os.O_CREAT and not os.path.exists(path)
            self.meet("create" if is_new else "open", path)

    def meet_writing(self, descriptor: int, data: bytes, write: Writing) -> int:
        """Count a write; when it fails, half of it is on the disk."""
        try:
            self.meet("write", name_of(descriptor))
        except OSError:
            write(data[: len(data) // 2])
            raise
        return write(data)


Writing = Callable[[bytes], int]


def name_of(descriptor: int) -> str:
    """Return what can be told of an open file."""
    return f"file of {os.fstat(descriptor).st_size} bytes"


def is_file(descriptor: int) -> bool:
    """Report whether a descriptor is a file's, and none of the standard streams."""
    return descriptor > 2 and stat.S_ISREG(os.fstat(descriptor).st_mode)


def put_in_place(faults: Faults) -> None:
    """Let every write of this process be met."""
    for name, what in (
        ("mkdir", "mkdir"),
        ("unlink", "remove"),
        ("utime", "touch"),
        ("replace", "replace"),
        ("rename", "replace"),
        ("link", "link"),
    ):
        setattr(os, name, _on_path(faults, what, getattr(os, name)))
    for name, what in (("fsync", "sync"), ("ftruncate", "cut")):
        setattr(os, name, _on_descriptor(faults, what, getattr(os, name)))
    _replace_opening(faults)
    _replace_writing(faults)


def _on_path(faults: Faults, what: str, real: Callable[..., Any]) -> Callable[..., Any]:
    def act(path: Any, *rest: Any, **options: Any) -> Any:
        if faults.is_ours(rest[0] if what in {"replace", "link"} else path):
            faults.meet(what, path)
        return real(path, *rest, **options)

    return act


def _on_descriptor(
    faults: Faults, what: str, real: Callable[..., Any]
) -> Callable[..., Any]:
    def act(descriptor: int, *rest: Any) -> Any:
        faults.meet(what, name_of(descriptor))
        return real(descriptor, *rest)

    return act


def _replace_opening(faults: Faults) -> None:
    real_open, real_os_open = builtins.open, os.open

    def os_open(path: Any, flags: int, *rest: Any, **options: Any) -> int:
        if faults.is_ours(path):
            faults.meet_opening(path, flags)
        return real_os_open(path, flags, *rest, **options)

    def open_(file: Any, mode: str = "r", *rest: Any, **options: Any) -> Any:
        is_ours = is_file(file) if isinstance(file, int) else faults.is_ours(file)
        if not is_ours or mode.strip("rbt") == "":
            return real_open(file, mode, *rest, **options)
        if isinstance(file, str):
            faults.meet_opening(file, os.O_WRONLY | os.O_CREAT)
        return _writer(faults, file, mode, options)

    os.open = os_open
    builtins.open = open_


def _writer(faults: Faults, file: Any, mode: str, options: dict[str, Any]) -> Any:
    class Raw(io.FileIO):
        def write(self, data: Any) -> int:
            return faults.meet_writing(self.fileno(), bytes(data), super().write)

    writer = io.BufferedWriter(Raw(file, mode.replace("b", "").replace("t", "")))
    return writer if "b" in mode else io.TextIOWrapper(writer, **options)


def _replace_writing(faults: Faults) -> None:
    real_write, real_pwrite = os.write, os.pwrite

    def write(descriptor: int, data: Any) -> int:
        if not is_file(descriptor):
            return real_write(descriptor, data)
        return faults.meet_writing(
            descriptor, bytes(data), lambda part: real_write(descriptor, part)
        )

    def pwrite(descriptor: int, data: Any, at: int) -> int:
        return faults.meet_writing(
            descriptor, bytes(data), lambda part: real_pwrite(descriptor, part, at)
        )

    os.write = write
    os.pwrite = pwrite


def main(home: str, log: str, kind: str, at: str, *argv: str) -> None:
    """Run the program as if it had been called itself."""
    put_in_place(Faults(home, log, KINDS[kind], int(at)))
    sys.argv[:] = argv
    runpy.run_path(argv[0], run_name="__main__")


if __name__ == "__main__":
    main(*sys.argv[1:])
