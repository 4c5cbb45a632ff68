"""What a ``command`` session left behind, read into an ``Outcome``."""

from __future__ import annotations

from model_queue.launchers import readings
from model_queue.launchers.finished import Finished
from model_queue.launchers.session_files import STDOUT
from model_queue.model import JsonObject, Outcome


def read(finished: Finished) -> Outcome:
    """Return the report on stdout when the exit code is 0, else the reason.

    Source: SPEC 6.
    """
    spent: JsonObject = {"wall_clock_s": finished.duration_s}
    if finished.exit_code != 0:
        return readings.failed_exit(finished, spent=spent)
    return readings.report(finished.text(STDOUT), spent=spent)
