"""The detached process beside one session: runs it, watches it, says how it ended.

It holds the lock of the session's folder from its birth to its death. Order that
matters: the session is recorded before its first instruction; its whole process group
is gone before ``outcome.json`` is written; that is written before the next pass runs.
Whatever happens here short of a kill, an outcome is left.
"""

from __future__ import annotations

import json
import os
import signal
import time
import traceback
from collections.abc import Callable
from dataclasses import replace

from model_queue import detached, processes
from model_queue.detached import log
from model_queue.errors import ConflictError
from model_queue.launchers.finished import Finished, SessionPlan
from model_queue.launchers.outcomes import encode_outcome
from model_queue.launchers.session_files import LOCK, OUTCOME, PLAN
from model_queue.launchers.session_writing import FolderLostError, replace_file
from model_queue.model import ErrorClass, Outcome
from model_queue.patience import until_written
from model_queue.session_birth import NotStarted
from model_queue.supervision import REQUESTS_TO_END, Supervision, holds_lock

COMPLETION_LIMIT_S = 120
"""Longest time for the pass after the end; a later pass finds the outcome as well."""


def _outcome_of(supervision: Supervision) -> Outcome:
    """Run the session and return how it ended; the supervisor's word goes first."""
    try:
        finished = supervision.run()
    except NotStarted as error:
        return _failed(ErrorClass.BAD_REQUEST, str(error))
    if finished.exit_code is None:
        return Outcome(result_status="cancelled", error_message="stopped before it ran")
    outcome = _read(finished)
    match supervision.ending:
        case "stop":
            return _ended(outcome, "cancelled", None, "it was stopped")
        case "timeout":
            limit = f"it had no result within {finished.plan.timeout_s:g} s"
            return _ended(outcome, "failed", ErrorClass.TIMEOUT, limit)
        case "signal":
            told = "its supervisor was told to end, as at a shutdown"
            return _ended(outcome, "lost", ErrorClass.LOST, told)
        case _:
            return outcome


def _read(finished: Finished) -> Outcome:
    try:
        # Imported here: the session started before anybody could read it.
        from model_queue.launchers.readers import READERS  # noqa: PLC0415

        return READERS[finished.plan.program](finished)
    except Exception:  # noqa: BLE001 - a reading that fails must not lose the session
        log(traceback.format_exc())
        return _failed(ErrorClass.TRANSIENT, "what it wrote could not be read")


def _ended(
    outcome: Outcome, status: str, error_class: ErrorClass | None, message: str
) -> Outcome:
    return replace(
        outcome,
        result_status=status,
        result=None,
        summary=None,
        error_class=error_class,
        error_message=message,
        until=None,
    )


def _failed(error_class: ErrorClass, message: str) -> Outcome:
    return Outcome(
        result_status="failed", error_class=error_class, error_message=message
    )


def write_outcome(
    folder: str, outcome: Outcome, *, lock: int = detached.KEPT_FD
) -> None:
    """Store the outcome, as soon as the disk takes it.

    Raises:
        FolderLostError: the folder is another session's by now.
        OSError: the folder is gone, or its disk failed for too long.
    """
    text = json.dumps(encode_outcome(outcome), ensure_ascii=False, indent=1)

    def write() -> None:
        replace_file(folder, OUTCOME, text, lock=lock)

    until_written(folder, OUTCOME, write)


def _complete(plan: SessionPlan) -> None:
    # Imported here: a session that is still running needs none of it.
    from model_queue import passes  # noqa: PLC0415

    passes.complete_session(plan.label, config_cwd=plan.config_cwd)


def finish(plan: SessionPlan, complete: Callable[[SessionPlan], None]) -> None:
    """Do what on-subagent-exit does, so that the next task starts at once.

    Someone else may be faster: that is safe to repeat. Anything else is logged, and
    the next pass finds the outcome as well.
    """
    for wait_s in (0.2, 0.5, 1.0, 2.0, 5.0, 10.0, None):
        try:
            complete(plan)
        except ConflictError as error:
            log(f"after the end: {error}")
            if wait_s is not None:
                time.sleep(wait_s)  # noqa: TID251 - a process of its own may wait
                continue
        except Exception:  # noqa: BLE001 - the outcome is stored; a pass will find it
            log(traceback.format_exc())
        return


def main(argv: list[str]) -> int:
    """Supervise the session whose folder is named; its lock was handed over."""
    folder = argv[0]
    if not holds_lock(folder):
        log("only a launcher starts a supervisor: the lock was not handed over")
        return 1
    os.set_inheritable(detached.KEPT_FD, False)
    boot = processes.boot_id().encode()
    until_written(folder, LOCK, lambda: os.pwrite(detached.KEPT_FD, boot, 0))
    with open(os.path.join(folder, PLAN), encoding="utf-8") as file:
        plan = SessionPlan.from_json(file.read())
    supervision = Supervision(folder, plan)
    try:
        outcome = _outcome_of(supervision)
    except Exception as error:  # noqa: BLE001 - an outcome must be left, whatever happened
        log(traceback.format_exc())
        supervision.abandon()
        outcome = _failed(ErrorClass.TRANSIENT, f"its supervisor failed: {error}")
    try:
        write_outcome(folder, outcome)
    except FolderLostError as error:
        # The session has ended; whoever has the folder now tells of another one.
        log(str(error))
        return 1
    if supervision.ending != "signal":
        for number in REQUESTS_TO_END:
            signal.signal(number, signal.SIG_DFL)
        signal.alarm(COMPLETION_LIMIT_S)
        finish(plan, _complete)
    return 0
