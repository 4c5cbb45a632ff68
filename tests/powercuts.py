"""The disks that a power cut may leave, made from the steps of a commit.

What is certain: the bytes of a file after an fsync of the file, a name (create,
rename, link, unlink, mkdir) after an fsync of its directory. All else may have reached
the disk or not, in any order: a rename may be there whose bytes are not. A rename is
one act; between two directories it is certain once the second one is flushed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePath
from typing import NamedTuple

from crashing import Step

NAMES = {"create", "rename", "link", "unlink", "mkdir", "rmdir"}
BYTES = {"write", "pwrite", "cut"}
IGNORED = {"utime", "chmod"}


class _Known(NamedTuple):
    """A step, with the file that it is about: a number that no other file has."""

    step: Step
    file: int


class Disk:
    """A directory as a disk holds it: names of files, and bytes of files."""

    def __init__(self) -> None:
        self.directories: set[str] = set()
        self.names: dict[str, int] = {}
        self.bytes: dict[int, bytes] = {}

    @classmethod
    def of(cls, root: Path) -> Disk:
        """Return what a directory holds, all of it certain."""
        disk = cls()
        for path in root.rglob("*"):
            name = str(path.relative_to(root))
            if path.is_dir():
                disk.directories.add(name)
            else:
                file = path.stat().st_ino
                disk.names[name] = file
                disk.bytes[file] = path.read_bytes()
        return disk

    def copy(self) -> Disk:
        """Return another one that can change by itself."""
        disk = Disk()
        disk.directories = set(self.directories)
        disk.names, disk.bytes = dict(self.names), dict(self.bytes)
        return disk

    def take(self, known: _Known, *, data: bytes | None = None) -> None:
        """Let one step reach the disk, or of a write the given bytes only."""
        step, file = known
        if step.kind in BYTES:
            old = self.bytes.get(file, b"")
            if step.kind == "cut":
                self.bytes[file] = old[: step.at].ljust(step.at, b"\0")
                return
            new = step.data if data is None else data
            end = step.at + len(new)
            self.bytes[file] = old[: step.at].ljust(step.at, b"\0") + new + old[end:]
        elif step.kind == "mkdir":
            self.directories.add(step.path)
        elif step.kind == "rmdir":
            self.directories.discard(step.path)
        elif step.kind in NAMES:
            if step.kind in {"rename", "unlink"} and self.names.get(step.path) == file:
                del self.names[step.path]
            if step.kind != "unlink":
                self.names[step.to or step.path] = file

    def key(self) -> object:
        """Return what tells this disk from others."""
        shown = frozenset((n, f, self.bytes.get(f, b"")) for n, f in self.names.items())
        return frozenset(self.directories), shown

    def write(self, root: Path) -> Path:
        """Make the directory; a name whose directory is not there is lost."""
        root.mkdir(parents=True)
        for name in sorted(self.directories):
            if (root / name).parent.is_dir():
                (root / name).mkdir(exist_ok=True)
        first: dict[int, Path] = {}
        for name, file in self.names.items():
            path = root / name
            if not path.parent.is_dir():
                continue
            if file in first:
                path.hardlink_to(first[file])
            else:
                first[file] = path
                path.write_bytes(self.bytes.get(file, b""))
        return root


class Cut(NamedTuple):
    """A disk after a power cut, and how it came about."""

    disk: Disk
    n: int
    """Steps that were carried out before."""
    how: str


def cuts(start: Disk, steps: Sequence[Step], *, since: int = 0) -> Iterator[Cut]:
    """Yield every different disk that a power cut may leave, after each step.

    Cuts after fewer than ``since`` steps are left out.

    For each number of steps: all of them; only the certain ones; each uncertain one
    missing; each uncertain one alone; and each uncertain write torn.
    """
    known = _with_files(start, steps)
    seen: set[tuple[object, bool]] = set()
    for n in range(since, len(known) + 1):
        for cut in _cuts_after(start, known[:n], n):
            # What may be seen before the end may not be seen after it.
            key = (cut.disk.key(), n == len(known))
            if key not in seen:
                seen.add(key)
                yield cut


def _cuts_after(start: Disk, done: Sequence[_Known], n: int) -> Iterator[Cut]:
    yield Cut(_disk(start, done), n, "all of it")
    unsure = set(_unsure(done))
    certain = [known for i, known in enumerate(done) if i not in unsure]
    yield Cut(_disk(start, certain), n, "what is certain")
    for i in sorted(unsure):
        told = f"{i} {done[i].step}"
        without = [known for j, known in enumerate(done) if j != i]
        alone = [known for j, known in enumerate(done) if j == i or j not in unsure]
        yield Cut(_disk(start, without), n, f"without {told}")
        yield Cut(_disk(start, alone), n, f"of the uncertain only {told}")
        data = done[i].step.data
        for torn, how in (
            (data[: len(data) // 2], "half"),
            (bytes(len(data)), "zeros"),
        ):
            if data:
                yield Cut(_disk(start, done, torn={i: torn}), n, f"{how} of {told}")
                disk = _disk(start, certain)
                disk.take(done[i], data=torn)
                yield Cut(disk, n, f"only {how} of {told}")


def _disk(
    start: Disk, done: Iterable[_Known], torn: dict[int, bytes] | None = None
) -> Disk:
    disk = start.copy()
    for i, known in enumerate(done):
        disk.take(known, data=(torn or {}).get(i))
    return disk


def _unsure(done: Sequence[_Known]) -> Iterator[int]:
    """Yield the numbers of the steps of which no later fsync made sure."""
    flushed_files: set[int] = set()
    flushed: set[str] = set()
    for i in range(len(done) - 1, -1, -1):
        step, file = done[i]
        if step.kind == "fsync":
            flushed_files.add(file)
            flushed.add(step.path)
        elif step.kind in BYTES:
            if file not in flushed_files:
                yield i
        elif step.kind in NAMES and _directory(step.to or step.path) not in flushed:
            yield i


def _directory(name: str) -> str:
    return str(PurePath(name).parent)


def _with_files(start: Disk, steps: Iterable[Step]) -> list[_Known]:
    """Return the steps with the files that they are about."""
    disk = start.copy()
    found: list[_Known] = []
    fresh = iter(range(-1, -1_000_000, -1))
    for step in steps:
        assert step.kind in NAMES | BYTES | IGNORED | {"fsync"}, step
        file = next(fresh) if step.kind == "create" else disk.names.get(step.path, 0)
        known = _Known(step, file)
        found.append(known)
        disk.take(known)
    return found
