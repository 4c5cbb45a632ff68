"""Sees every step by which this process changes a disk, and ends it at any of them.

``Steps`` stands between the code and the functions of ``os``. A step is one call that
changes what a disk holds, or makes it certain: create, write, pwrite, cut, fsync,
rename, link, unlink, mkdir, touch, chmod. A write through a file object would be
unseen, so that it is refused.
"""
# ruff: noqa: ANN401, PTH100, PTH118 - takes the place of functions of os, their arguments as they come

from __future__ import annotations

import builtins
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

IS_WHOLE = os.environ.get("TORTURE") == "whole"
"""Whether every point is looked at where the points are many: `make torture-points`."""
Item = TypeVar("Item")


def sampled(items: Sequence[Item], every: int, *, nth: int = 0) -> Sequence[Item]:
    """Return each ``every``-th of many, all of them in the long run.

    ``nth`` of several samples begins elsewhere: together they see most of them.
    """
    return items if IS_WHOLE else items[nth % every :: every]


class Killed(BaseException):
    """The process is gone: nothing that it does after this reaches the disk."""


class Step(NamedTuple):
    """One call that changes the disk, before it is carried out."""

    kind: str
    path: str
    """Relative to the directory that is watched."""
    to: str = ""
    """The second name of a rename or link."""
    at: int = 0
    """Where a write begins, or the length that a file is cut to."""
    data: bytes = b""
    half: Callable[[], object] = lambda: None
    """Writes the first half of ``data``."""

    def __str__(self) -> str:
        return f"{self.kind} {self.path}" + (f" -> {self.to}" if self.to else "")


class Point(NamedTuple):
    """Where a process dies: before its n-th step, from 0, or in the middle of it."""

    n: int
    is_half: bool = False


class Steps:
    """While it is entered, every step below a directory is met first.

    ``meet`` is called before each step and may raise ``Killed``: from then on nothing
    that the process does reaches the disk, its own cleaning up included. An fsync is
    met, but not carried out.
    """

    def __init__(self, root: Path, meet: Callable[[Step], None]) -> None:
        self._root = os.path.join(root, "")
        self._meet = meet
        self._is_dead = False
        self._is_met = False
        self._paths: dict[int, str] = {}
        self._real: dict[str, Any] = {}

    def __enter__(self) -> None:
        ours = {
            "open": self._open,
            "close": self._close,
            "write": self._write,
            "pwrite": self._pwrite,
            "ftruncate": self._cut,
            "fsync": self._fsync,
            "fdatasync": self._fsync,
            **{name: self._two_names(name) for name in ("rename", "replace", "link")},
            **{name: self._one_name(name) for name in ("unlink", "remove", "mkdir")},
            **{name: self._one_name(name) for name in ("rmdir", "utime", "chmod")},
        }
        for name, function in ours.items():
            self._real[name] = getattr(os, name)
            setattr(os, name, function)
        self._real_open = builtins.open
        builtins.open = self._file_object

    def __exit__(self, *_: object) -> None:
        builtins.open = self._real_open
        for name, function in self._real.items():
            setattr(os, name, function)

    @contextmanager
    def unseen(self) -> Iterator[None]:
        """Let someone else change the disk meanwhile."""
        was, self._is_met = self._is_met, True
        try:
            yield
        finally:
            self._is_met = was

    def _step(self, step: Step, path: str) -> None:
        if self._is_dead:
            raise Killed
        if self._is_met or not path.startswith(self._root):
            return
        # What happens while a step is met is not the process's own doing.
        with self.unseen():
            try:
                self._meet(step)
            except Killed:
                self._is_dead = True
                raise

    def _relative(self, path: Any) -> tuple[str, str]:
        full = os.path.abspath(os.fspath(path))
        return full, os.path.relpath(full, self._root)

    def _open(self, path: Any, flags: int, *args: Any, **options: Any) -> int:
        full, name = self._relative(path)
        if flags & os.O_CREAT and not os.path.lexists(full):
            self._step(Step("create", name), full)
        elif flags & os.O_TRUNC:
            self._step(Step("cut", name), full)
        fd: int = self._real["open"](path, flags, *args, **options)
        self._paths[fd] = full
        return fd

    def _close(self, fd: int) -> None:
        self._paths.pop(fd, None)
        self._real["close"](fd)

    def _write(self, fd: int, data: Any) -> int:
        at = os.lseek(fd, 0, os.SEEK_CUR) if fd in self._paths else 0
        self._written("write", fd, bytes(data), at)
        n: int = self._real["write"](fd, data)
        return n

    def _pwrite(self, fd: int, data: Any, offset: int) -> int:
        self._written("pwrite", fd, bytes(data), offset)
        n: int = self._real["pwrite"](fd, data, offset)
        return n

    def _written(self, kind: str, fd: int, data: bytes, at: int) -> None:
        path = self._paths.get(fd, "")
        half = data[: len(data) // 2]
        step = Step(
            kind,
            os.path.relpath(path or "/", self._root),
            at=at,
            data=data,
            half=lambda: self._real["pwrite"](fd, half, at),
        )
        self._step(step, path)

    def _cut(self, fd: int, length: int) -> None:
        path = self._paths[fd]
        self._step(Step("cut", os.path.relpath(path, self._root), at=length), path)
        self._real["ftruncate"](fd, length)

    def _fsync(self, fd: int) -> None:
        path = self._paths[fd]
        # The root itself is below the root here: its names are what is watched.
        self._step(
            Step("fsync", os.path.relpath(path, self._root)), os.path.join(path, "")
        )

    def _one_name(self, kind: str) -> Callable[..., None]:
        def call(path: Any, *args: Any, **options: Any) -> None:
            full, name = self._relative(path)
            self._step(Step({"remove": "unlink"}.get(kind, kind), name), full)
            self._real[kind](path, *args, **options)

        return call

    def _two_names(self, kind: str) -> Callable[..., None]:
        def call(source: Any, target: Any, **options: Any) -> None:
            full, name = self._relative(source)
            _, to = self._relative(target)
            step = Step({"replace": "rename"}.get(kind, kind), name, to)
            self._step(step, full)
            self._real[kind](source, target, **options)

        return call

    def _file_object(
        self, file: Any, mode: str = "r", *args: Any, **options: Any
    ) -> Any:
        is_ours = isinstance(file, str) and file.startswith(self._root)
        if is_ours and set(mode) & set("wax+") and not self._is_met:
            message = f"{file} is opened for writing, where no step is seen"
            raise AssertionError(message)
        return self._real_open(file, mode, *args, **options)


def steps_of(root: Path, act: Callable[[], object]) -> list[Step]:
    """Carry ``act`` out and return its steps."""
    found: list[Step] = []
    with Steps(root, found.append):
        act()
    return found


def points_of(steps: list[Step]) -> list[Point]:
    """Return every point at which a process can die in the course of some steps.

    Right after a step is right before the next one; after the last one all is done.
    """
    found: list[Point] = []
    for n, step in enumerate(steps):
        found.append(Point(n))
        if len(step.data) > 1:
            found.append(Point(n, is_half=True))
    return found


def die_at(point: Point, die: Callable[[], object]) -> Callable[[Step], None]:
    """Return what meets steps and lets ``die`` be called at one of them."""
    n_met = iter(range(point.n + 1))

    def meet(step: Step) -> None:
        if next(n_met, None) == point.n:
            if point.is_half:
                step.half()
            die()

    return meet


def crash(root: Path, act: Callable[[], object], point: Point) -> None:
    """Let ``act`` die at a point, without a process: nothing after it has an effect."""

    def die() -> None:
        raise Killed

    try:
        with Steps(root, die_at(point, die)):
            act()
    except Killed:
        return
    message = f"nothing died at {point}"
    raise AssertionError(message)


def kill(root: Path, act: Callable[[], object], point: Point) -> None:
    """Let ``act`` die at a point in a process of its own, by a real SIGKILL."""
    pid = os.fork()
    if pid == 0:
        try:
            with Steps(
                root, die_at(point, lambda: os.kill(os.getpid(), signal.SIGKILL))
            ):
                act()
        finally:
            os._exit(1)
    _, status = os.waitpid(pid, 0)
    assert os.WIFSIGNALED(status), f"nothing died at {point}"
    assert os.WTERMSIG(status) == signal.SIGKILL


def copy_tree(source: Path, target: Path) -> Path:
    """Copy a directory; what is one file under two names there is one here too."""
    target.mkdir()
    copies: dict[int, Path] = {}
    for path in sorted(source.rglob("*")):
        copy, seen = target / path.relative_to(source), path.stat()
        if path.is_dir():
            copy.mkdir()
        elif seen.st_ino in copies:
            copy.hardlink_to(copies[seen.st_ino])
        else:
            copies[seen.st_ino] = copy
            copy.write_bytes(path.read_bytes())
            os.utime(copy, ns=(seen.st_atime_ns, seen.st_mtime_ns))
    return target


def tree_of(root: Path) -> frozenset[tuple[str, bytes, str]]:
    """Return what a directory holds: each file's name, bytes, and its other name."""
    first: dict[int, str] = {}
    found: set[tuple[str, bytes, str]] = set()
    for path in sorted(root.rglob("*")):
        name = str(path.relative_to(root))
        if path.is_dir():
            found.add((name, b"", "/"))
        else:
            same = first.setdefault(path.stat().st_ino, name)
            found.add((name, path.read_bytes(), same))
    return frozenset(found)
