"""Finds and stops the supervised sessions of this machine, whoever started them."""

from __future__ import annotations

import os

from model_queue import detached
from model_queue.errors import StoreError
from model_queue.launchers.outcomes import read_outcome
from model_queue.launchers.session_files import LOCK, PLAN, PROCESS, STOP
from model_queue.ports import Session, SessionState

_LABEL_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789._-")
_LONGEST_LABEL = 128
_ABSENT = Session(state=SessionState.ABSENT)


class LocalSessions:
    """The folders of the attempts, by label.

    A source may get another launcher while a session of its old one runs: whatever
    the settings say now, what has a folder here is judged by it.
    """

    def __init__(self, sessions_dir: str) -> None:
        self._sessions_dir = sessions_dir

    def folder(self, label: str) -> str | None:
        """Return the folder of an attempt, None for a label that is no file name."""
        is_name = 0 < len(label) <= _LONGEST_LABEL and label[0] not in ".-"
        if not is_name or not _LABEL_CHARACTERS.issuperset(label):
            return None
        return os.path.join(self._sessions_dir, label)

    def has(self, label: str) -> bool:
        """Report whether an attempt was ever started here."""
        folder = self.folder(label)
        return folder is not None and is_begun(folder)

    def find(self, label: str) -> Session:
        """Return what is known of the attempt's session.

        Judged by the lock and by the session's process group, never by a clock. A group
        whose supervisor was killed has nobody who ends it or reads its outcome: it is
        killed here, and LIVE as long as it is not gone.
        """
        folder = self.folder(label)
        if folder is None or not is_begun(folder):
            return _ABSENT
        outcome = read_outcome(folder)
        if outcome is None and _may_run(folder):
            return Session(state=SessionState.LIVE, session_id=label)
        # Read after that look: the outcome is written before the lock is free.
        outcome = outcome or read_outcome(folder)
        if outcome is None:
            return _ABSENT
        return Session(
            state=SessionState.ENDED,
            session_id=outcome.session_id or label,
            outcome=outcome,
        )

    def stop(self, label: str) -> None:
        """Ask the session to end and return at once; safe to repeat.

        A label that was never started cannot be started any more.
        """
        folder = self.folder(label)
        if folder is None or read_outcome(folder) is not None:
            return
        try:
            make_private(folder)
            write(folder, STOP, "")
        except OSError as error:
            sentence = f"the session {label} could not be asked to stop: {error}"
            raise StoreError(sentence) from error
        self.find(label)

    def remove(self, label: str) -> bool:
        """Remove the folder of an attempt that nobody needs any more.

        A crash in between leaves a part of the folder, and the next call takes that.

        Returns: whether it is gone; False while anything of the session may run.

        Raises:
            StoreError: it cannot be removed.
        """
        folder = self.folder(label)
        if folder is None or not os.path.isdir(folder):
            return folder is not None
        if self.find(label).state is SessionState.LIVE:
            return False
        # Imported here: only an archive that moved something pays for it.
        import shutil  # noqa: PLC0415

        try:
            lock = detached.try_lock(os.path.join(folder, LOCK))
            if lock is None:
                return False
            try:
                shutil.rmtree(folder)
            finally:
                os.close(lock)
        except OSError as error:
            sentence = f"the folder {folder} could not be removed: {error}"
            raise StoreError(sentence) from error
        return True


def make_private(folder: str) -> None:
    """Make the folder of an attempt, and the one that holds them all."""
    for path in (os.path.dirname(folder), folder):
        os.makedirs(path, mode=0o700, exist_ok=True)


def exists(folder: str, name: str) -> bool:
    """Report whether the folder of an attempt has a file of that name."""
    return os.path.exists(os.path.join(folder, name))


def is_begun(folder: str) -> bool:
    """Report whether the start of an attempt has got so far that something may run."""
    return exists(folder, PLAN) or exists(folder, PROCESS)


def write(folder: str, name: str, text: str) -> None:
    """Write a file of the folder of an attempt; a crash may leave it half written."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
    descriptor = os.open(os.path.join(folder, name), flags, 0o600)
    with open(descriptor, "w", encoding="utf-8", newline="") as file:
        file.write(text)


def _may_run(folder: str) -> bool:
    """Report whether anything of a session may run; kill what has no supervisor."""
    try:
        lock = detached.try_lock(os.path.join(folder, LOCK), shared=True)
    except OSError:
        # Nothing can be seen, and a session must not be taken for gone.
        return True
    if lock is None:
        return True
    try:
        # Imported here: it is needed only where a supervisor is gone.
        from model_queue.launchers import orphans  # noqa: PLC0415

        return orphans.kill(folder)
    finally:
        os.close(lock)
