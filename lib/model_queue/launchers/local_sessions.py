"""Finds and stops the supervised sessions of this machine, whoever started them."""

from __future__ import annotations

import json
import os

from model_queue import detached
from model_queue.atomic import write_atomic
from model_queue.errors import StoreError
from model_queue.launchers.outcomes import (
    encode_outcome,
    read_outcome,
    read_said,
    with_said,
)
from model_queue.launchers.session_files import LOCK, PLAN, PROCESS, SAID, STOP
from model_queue.model import Outcome
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
        killed here, and LIVE as long as it is not gone; so is one whose folder was
        removed, where the system tells environments. What was reported while it lived
        is its outcome once it is gone.
        """
        folder = self.folder(label)
        if folder is None:
            return _ABSENT
        if not is_begun(folder):
            return _live(label) if _has_strays(folder) else _ABSENT
        outcome = read_outcome(folder)
        if outcome is None and _may_run(folder):
            return _live(label)
        # Read after that look: the outcome is written before the lock is free, and
        # nothing is reported any more that counts.
        return _ended(label, folder, outcome)

    def said(self, label: str) -> Outcome | None:
        """Return what was reported of the session while it lived, None without it."""
        folder = self.folder(label)
        return None if folder is None else read_said(folder)

    def keep_said(self, label: str, outcome: Outcome) -> None:
        """Keep what is reported of a living session, until its end.

        Look at it again afterwards: it may have ended meanwhile, and been settled by
        somebody who did not know of the report. One reporter at a time.

        Raises:
            StoreError: it cannot be kept.
        """
        folder = self.folder(label)
        if folder is None:
            sentence = f"{label!r} names no session of this machine"
            raise StoreError(sentence)
        text = json.dumps(encode_outcome(outcome), ensure_ascii=False, indent=1)
        write_atomic(os.path.join(folder, SAID), text.encode("utf-8", "replace"))

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

    def give_up(self, label: str) -> Session:
        """Forbid the start of an absent session; return what is known of it then.

        Decided under the lock that a start needs, so that one of the two comes first:
        ABSENT is final, and a session that was started meanwhile goes on unasked.

        Raises:
            StoreError: it cannot be forbidden.
        """
        folder, found = self.folder(label), self.find(label)
        if folder is None or found.state is not SessionState.ABSENT:
            return found
        try:
            make_private(folder)
            lock = detached.try_lock(os.path.join(folder, LOCK))
            if lock is None:
                return _live(label)
            try:
                return _given_up(label, folder)
            finally:
                os.close(lock)
        except OSError as error:
            sentence = f"the start of {label} could not be forbidden: {error}"
            raise StoreError(sentence) from error

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


def _live(label: str) -> Session:
    return Session(state=SessionState.LIVE, session_id=label)


def _ended(label: str, folder: str, outcome: Outcome | None) -> Session:
    """Return a session of which nothing runs, from the outcome that was seen or is."""
    outcome = with_said(outcome or read_outcome(folder), read_said(folder))
    if outcome is None:
        return _ABSENT
    session_id = outcome.session_id or label
    return Session(SessionState.ENDED, session_id=session_id, outcome=outcome)


def _given_up(label: str, folder: str) -> Session:
    """Look once more, with the lock held, and forbid the start of what is not there."""
    # Imported here: it is needed only where a session is absent that should not be.
    from model_queue.launchers import orphans  # noqa: PLC0415

    if orphans.kill(folder):
        return _live(label)
    found = _ended(label, folder, None)
    if found.state is SessionState.ABSENT:
        write(folder, STOP, "")
    return found


def _has_strays(folder: str) -> bool:
    """Report whether anything may run of a session whose folder was removed; kill it.

    Its supervisor ends it as well, but may be dead. The lock keeps a session that is
    being started just now from being taken for one.
    """
    # Imported here: it is needed only where a session has not begun, or lost its folder.
    from model_queue.launchers import orphans  # noqa: PLC0415

    if not orphans.left_over(folder):
        return False
    try:
        make_private(folder)
        lock = detached.try_lock(os.path.join(folder, LOCK))
    except OSError:
        return True
    if lock is None:
        return True
    try:
        return is_begun(folder) or orphans.kill(folder)
    finally:
        os.close(lock)


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
