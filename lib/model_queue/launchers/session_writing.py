"""Writes the small files of a session's folder, from inside its supervisor."""

from __future__ import annotations

import os
import stat

from model_queue.detached import KEPT_FD
from model_queue.launchers.session_files import LOCK


class FolderLostError(Exception):
    """What lies at the folder's path is not the folder that the session was given."""


def replace_file(folder: str, name: str, text: str, *, lock: int = KEPT_FD) -> None:
    """Write a file of a session's folder; a crash leaves the old or the new one.

    It takes the place of whatever the session has put there; a directory is moved
    aside.

    Args:
        folder: its path, at which another one may lie by now.
        name: of the file.
        text: what is to be in it.
        lock: the open lock of the session, which only its own folder has.

    Raises:
        FolderLostError: the folder is another session's.
        OSError: the folder is gone, or its disk failed.
    """
    directory = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        if not _has_lock(directory, lock):
            sentence = f"{folder} is another session's by now; {name} is not written"
            raise FolderLostError(sentence)
        new = name + ".new"
        _make_way(directory, new)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        descriptor = os.open(new, flags, 0o600, dir_fd=directory)
        with open(descriptor, "w", encoding="utf-8", errors="replace") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        _move_directory(directory, name)
        os.replace(new, name, src_dir_fd=directory, dst_dir_fd=directory)
        os.fsync(directory)
    finally:
        os.close(directory)


def _has_lock(directory: int, lock: int) -> bool:
    try:
        found = os.stat(LOCK, dir_fd=directory, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return os.path.samestat(found, os.fstat(lock))


def _make_way(directory: int, name: str) -> None:
    """Remove what a crash or the session has left under a name."""
    _move_directory(directory, name)
    try:
        os.unlink(name, dir_fd=directory)
    except FileNotFoundError:
        return


def _move_directory(directory: int, name: str) -> None:
    try:
        mode = os.stat(name, dir_fd=directory, follow_symlinks=False).st_mode
    except FileNotFoundError:
        return
    if stat.S_ISDIR(mode):
        aside = f"{name}.session-{os.getpid()}"
        os.rename(name, aside, src_dir_fd=directory, dst_dir_fd=directory)
