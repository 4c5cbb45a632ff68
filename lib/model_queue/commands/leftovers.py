"""Sessions and claims that do not fit together, for ``doctor``; nothing is touched."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Iterator, Sequence

from model_queue import lock_holders
from model_queue.core import Core
from model_queue.folder import safe_name
from model_queue.launchers.local_sessions import LocalSessions
from model_queue.launchers.outcomes import read_outcome
from model_queue.launchers.session_files import LOCK
from model_queue.messages import checkup_texts as texts
from model_queue.messages.checkups import problem
from model_queue.messages.wording import say
from model_queue.model import Claim, Task
from model_queue.settings import Problem

_MANY = 10
"""Of one kind that are named; more of them say nothing new."""


def found_in(
    core: Core, tasks: Sequence[Task], *, lang: str, now: dt.datetime
) -> Iterator[Problem]:
    """Yield claims whose session is gone, and sessions that nobody claims any more.

    The sessions are looked at by their locks and files alone. ``Launcher.find`` would
    kill what has no supervisor, which a look must not.
    """
    held: set[str] = set()
    found: list[Problem] = []
    for task in tasks:
        if task.claim is not None:
            held.add(safe_name(task.claim.label))
            found += _of_claim(core, task, task.claim, lang=lang, now=now)
    yield from found[:_MANY]
    yield from list(_strays(core.folder.sessions_dir, held, lang))[:_MANY]


def _of_claim(
    core: Core, task: Task, claim: Claim, *, lang: str, now: dt.datetime
) -> Iterator[Problem]:
    facts = {"task": task.id}
    is_over = claim.lease_until <= now
    sessions = LocalSessions(core.folder.sessions_dir)
    if sessions.has(claim.label):
        folder = core.folder.session_dir(claim.label)
        if not _is_alive(folder):
            code = "session_unsettled" if read_outcome(folder) else "session_gone"
            yield problem(code, lang, facts)
        return
    launcher = core.launchers.get(task.queue)
    if launcher is None or not is_over or claim.stopping is not None:
        return
    if not launcher.is_host:
        yield problem("claim_without_session", lang, facts)
    elif task.subagent_session in {None, claim.label}:
        yield problem("spawn_unanswered", lang, facts)


def _is_alive(folder: str) -> bool:
    """Report whether a supervisor holds the session; True when that cannot be seen."""
    try:
        return lock_holders.is_held(os.path.join(folder, LOCK))
    except OSError:
        return True


def _strays(sessions_dir: str, held: set[str], lang: str) -> Iterator[Problem]:
    try:
        names = sorted(os.listdir(sessions_dir))
    except OSError:
        return
    for name in names:
        folder = os.path.join(sessions_dir, name)
        if name in held or not _is_alive(folder) or read_outcome(folder) is not None:
            # With an outcome the supervisor is about to go.
            continue
        pid = lock_holders.holder_of(os.path.join(folder, LOCK))
        shown = say(texts.PID, lang, pid=pid) if pid else ""
        yield problem("session_stray", lang, {"label": name, "pid": shown})
