"""Writes the small files of a session's folder, from inside its supervisor."""

from __future__ import annotations

import os


def replace_file(folder: str, name: str, text: str) -> None:
    """Write a file of a session's folder; a crash leaves the old or the new one.

    Raises:
        OSError: the folder is gone, or its disk failed.
    """
    path = os.path.join(folder, name)
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
    descriptor = os.open(path + ".new", flags, 0o600)
    with open(descriptor, "w", encoding="utf-8", errors="replace") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(path + ".new", path)
    directory = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)
