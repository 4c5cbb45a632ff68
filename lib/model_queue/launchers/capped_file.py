"""A file that keeps the beginning and the end of what is written to it."""

from __future__ import annotations

import errno
import os
from contextlib import suppress

OUTPUT_LIMIT = 8 * 1024 * 1024
"""Bytes kept of stdout, and of stderr; the session is never blocked by it."""
HEAD_SHARE = 0.75
"""Share of the limit that keeps the beginning; the end is worth as much as a reason."""


_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})


class CappedFile:
    """Takes everything, and blocks or fails nobody who writes.

    What a full disk refuses is kept, and written as soon as the disk takes it.
    """

    def __init__(self, path: str, *, limit: int = OUTPUT_LIMIT) -> None:
        self.name = os.path.basename(path)
        self._path = path
        self._head_left = int(limit * HEAD_SHARE)
        self._tail_limit = limit - self._head_left
        self._tail = bytearray()
        self._waiting = bytearray()
        self._is_ended = False
        self.fault = ""
        """Why the disk took no more, "" when it did or is only full."""
        self.dropped = 0
        """Bytes that neither beginning nor end had room for."""
        self._file = os.open(
            path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600
        )

    def write(self, data: bytes) -> None:
        """Take what came; a disk that fails loses output, never the session."""
        head, rest = data[: self._head_left], data[self._head_left :]
        self._head_left -= len(head)
        self._put(head)
        self._tail += rest
        # Twice the room, so that the copying is not done for each chunk.
        if len(self._tail) > 2 * self._tail_limit:
            self._cut()

    def close(self) -> None:
        """Write the end, with a line before it that says what is missing.

        Raises:
            OSError: the disk is full; call it again, nothing is lost until then.
        """
        if not self._is_ended:
            self._is_ended = True
            self._end()
        self._flush()
        try:
            os.close(self._file)
        except OSError as error:
            # A network disk may tell only here that it is full.
            self.fault = self.fault or f"{self._path}: {error}"

    def _end(self) -> None:
        self._cut()
        if self.dropped and not self.fault:
            note = (
                f"\n[model-queue: {self.dropped} bytes of output were dropped here]\n"
            )
            self._put(note.encode())
        self._put(bytes(self._tail))

    def _cut(self) -> None:
        surplus = max(0, len(self._tail) - self._tail_limit)
        self.dropped += surplus
        del self._tail[:surplus]

    def _put(self, data: bytes) -> None:
        if self.fault:
            self.dropped += len(data)
            return
        self._waiting += data
        with suppress(OSError):
            self._flush()

    def _flush(self) -> None:
        """Write what waits.

        Raises:
            OSError: the disk is full.
        """
        try:
            while self._waiting:
                del self._waiting[: os.write(self._file, self._waiting)]
        except OSError as error:
            if error.errno in _FULL:
                raise
            self.fault = f"{self._path}: {error}; output from there on is lost"
            self.dropped += len(self._waiting)
            self._waiting.clear()
