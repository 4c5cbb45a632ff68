"""Adds a text to the end of a file of the person's, whose own bytes stay as they are."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress

from model_queue.atomic import FILE_MODE, explained, locked, make_directory

_LOCK_S = 5.0
"""Longest wait for another writer of ours: each holds the file for some milliseconds."""
_UTF_16 = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
"""By the mark that a file of that kind begins with."""
_BOM = "\ufeff"


def append_text(
    path: str, choose: Callable[[str], str], *, create: bool = False
) -> bool:
    """Let what ``choose`` returns follow the text that is there; report whether it did.

    - ``choose`` gets the text and returns whole lines, "" to add nothing. No other
      writer of ours is between the look and the writing.
    - What is there stays byte for byte, of whatever encoding it is, and so do mode, owner
      and links: the file is written on, never replaced, so that what an editor saves
      meanwhile is not lost either. A write that fails is taken back.
    - One blank line stands between. Line ends are those of the file.
    - A missing file is created (0600) only with ``create``.

    Raises:
        StoreError: it cannot be read or written.
        StoreBusy: another process held it for 5 s.
    """
    if not os.path.isfile(path):
        if not create:
            return False
        make_directory(os.path.dirname(path) or os.curdir)
    with locked(path, timeout_s=_LOCK_S), explained(path):
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
        fd = os.open(path, flags, FILE_MODE)
        try:
            return _append(fd, choose)
        finally:
            os.close(fd)


def _append(fd: int, choose: Callable[[str], str]) -> bool:
    before = _whole(fd)
    encoding = _UTF_16.get(before[:2], "utf-8")
    text = before.decode(encoding, _bad_bytes(encoding)).removeprefix(_BOM)
    chosen = choose(text)
    if not chosen:
        return False
    gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
    lines = gap + chosen
    if _has_dos_ends(text):
        lines = lines.replace("\n", "\r\n")
    _write(fd, lines.encode(encoding, _bad_bytes(encoding)))
    return True


def _bad_bytes(encoding: str) -> str:
    # Half a UTF-16 character cannot be kept as one, and nothing is searched in it.
    return "surrogateescape" if encoding == "utf-8" else "replace"


def _whole(fd: int) -> bytes:
    blocks: list[bytes] = []
    while block := os.pread(fd, 1 << 20, sum(map(len, blocks))):
        blocks.append(block)
    return b"".join(blocks)


def _has_dos_ends(text: str) -> bool:
    n_dos = text.count("\r\n")
    return n_dos > text.count("\n") - n_dos


def _write(fd: int, data: bytes) -> None:
    """Write all of the data behind the end, on the disk, or nothing of it."""
    length = os.fstat(fd).st_size
    rest = memoryview(data)
    try:
        while rest:
            rest = rest[os.write(fd, rest) :]
        os.fsync(fd)
    except OSError:
        with suppress(OSError):
            os.ftruncate(fd, length)
        raise
