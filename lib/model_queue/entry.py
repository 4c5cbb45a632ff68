"""Where every process of ours starts: ``python -I -S entry.py NAME ARGUMENT…``.

With ``-I -S`` nothing of the package is on the path, and a hook has to start such a
process at almost no cost; so this script needs next to nothing. A file
of its own, because a process list then says what runs.
"""

from __future__ import annotations

import importlib
import os
import signal
import sys

_MAINS = {
    "supervisor": "model_queue.supervisor",
    "waker": "model_queue.waker_main",
    "openai": "model_queue.openai_session",
}
_DETACHED = frozenset({"supervisor", "waker"})
_KEPT_FD = 3
"""The lock that the starter took for us; equal to ``detached.KEPT_FD``."""


def leave_starter() -> None:
    """Become a process that nothing of the starter's reaches: no terminal, no parent.

    The starter's own descriptors are closed: a pipe of the agent runtime that stayed
    open here would make the runtime wait for us. Signals that the starter ignored or
    held back are heard again.
    """
    if os.fork():
        os._exit(0)
    os.setsid()
    os.chdir("/")
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    for descriptor in _open_descriptors():
        if descriptor > _KEPT_FD:
            _close(descriptor)


def _open_descriptors() -> list[int]:
    try:
        return [int(name) for name in os.listdir("/dev/fd")]
    except OSError:
        # A container may lack /dev/fd; a hook's caller leaves no high numbers open.
        return list(range(256))


def _close(descriptor: int) -> None:
    try:
        os.close(descriptor)
    except OSError:
        # The listing itself had it open.
        return


def main(argv: list[str]) -> int:
    """Run the named process to its end and return its exit code."""
    name, *arguments = argv
    # Where the starter ignores it, each program that we run would seem to end with 0.
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    if name in _DETACHED:
        leave_starter()
    # At the end: an installed package must not shadow the standard library.
    sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    run = importlib.import_module(_MAINS[name]).main
    return int(run(arguments))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
