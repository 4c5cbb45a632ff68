"""The four hooks: what comes in, what goes out, what the exit code says.

The executables in ``hooks/`` are started by an agent runtime, one process a call::

    hooks/on-intake          a person has typed a message
    hooks/on-heartbeat       a timer: one pass over the queues
    hooks/on-subagent-exit   a session has ended
    hooks/on-checkpoint      a session tells its progress

- **In**: one JSON object on stdin, UTF-8, then end of file, within ``INPUT_LIMIT_S``
  seconds and ``MAX_INPUT`` bytes. Unknown members are ignored, null counts as absent,
  an unknown ``version`` is refused. on-checkpoint takes flags instead (``--task``,
  ``--label``, ``--percent``, ``--last``, ``--next``, ``--agent``,
  ``--blocked-reason``); stdin is not read then.
- **Out**: one JSON object on one line of stdout. ``references/hooks.md`` and
  ``schemas/hooks/`` have every member.
- **Exit code**: 0 handled, also when there was nothing to do; 1 an internal error; 3 to
  8 as in ``errors``. Never 2: some hosts block a person's message on it. What a person
  asked for and does not get is an answer in ``reply``, exit code 0.
- **stderr**: empty when handled, else one sentence. Never a traceback: that lies in
  ``.state/log`` of the queue directory.
- **Time**: below ten seconds in every case.
- **Environment**: ``MODEL_QUEUE_WORKER=1`` says that the call comes from inside a
  session that model-queue started: on-intake and on-heartbeat answer empty at once.
  ``MODEL_QUEUE_TASK`` and ``MODEL_QUEUE_LABEL`` are the defaults of on-checkpoint.
- **Again**: a call with the ``delivery_id`` of an earlier one gets its answer and does
  nothing. Notices are noted as delivered after they were printed: a crash in between
  repeats them, with the same ids.
- ``--runtime NAME``: the payload is that agent runtime's own. Every exit is 0, and a
  failure of ours is logged, never shown.

Source: SPEC 7.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Sequence
from typing import NoReturn

from model_queue.errors import ConflictError, HookInputError, ModelQueueError
from model_queue.guard import MAX_INPUT
from model_queue.hook_calls import carry_out
from model_queue.hook_calls.call import Call, Done
from model_queue.hosts import RUNTIMES
from model_queue.hosts.generic import Payload, error_answer, payload_of, refusal
from model_queue.jsontext import dumps
from model_queue.model import JsonObject, JsonValue
from model_queue.ports import SystemClock

LIMIT_S = 9.5
"""Seconds after process start at which a call that still waits is given up."""
_RUNTIME = "--runtime"
CHECKPOINT_FLAGS = {
    "--task": "task_id",
    "--label": "label",
    "--percent": "percent_complete",
    "--last": "last_action",
    "--next": "next_action",
    "--agent": "agent_id",
    "--blocked-reason": "blocked_reason",
}
"""Flags of on-checkpoint and the members that they stand for."""


def main(hook: str, data: bytes | None, flags: Sequence[str], began: float) -> NoReturn:
    """Handle one call and end the process.

    Args:
        hook: name of the executable.
        data: stdin as the guard read it; None when it stayed open, or was not read
            because there are flags.
        flags: the command line.
        began: the wall clock at process start, in seconds.
    """
    out = _Output()
    # Where the caller ignores it, and we inherit that, no exit code can be had of a
    # program that we run: each would count as 0.
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    _limit_time(out, began)
    done = Done({})
    try:
        if _names_runtime(flags):
            out.say({})
            _log_runtime(flags)
        else:
            call = Call(hook, _payload(hook, data, flags), began=began)
            out.so_far = lambda: call.so_far
            done = carry_out(call)
            out.say(done.answer)
    except ModelQueueError as error:
        out.refuse(error_answer(error), error.exit_code)
    except Exception as error:  # noqa: BLE001 - the top layer: no traceback for a host
        out.refuse(_internal(error), 1)
    if done.afterwards and out.exit_code == 0:
        _finish(done)
    os._exit(out.exit_code)


class _Output:
    """Says one answer, and never a second one."""

    def __init__(self) -> None:
        self.exit_code = 1
        """What the process ends with; 0 once the answer is out."""
        self.so_far: Callable[[], JsonObject | None] = lambda: None
        """Returns the answer to what is stored already, None before anything is."""
        self._is_begun = False

    def say(self, answer: JsonObject) -> None:
        """Print the answer; a host that does not read it makes the exit code 1."""
        if self._begin() and _write(1, dumps(answer)):
            self.exit_code = 0

    def refuse(self, answer: JsonObject, exit_code: int) -> None:
        """Print why the call was not handled, for the host and for a person.

        What the call has stored by then is told instead, with the reason at its end:
        a person whose tasks were added must not be asked to add them again.
        """
        error = answer["error"]
        said = f"{error['message']}. {error['hint']}" if isinstance(error, dict) else ""
        stored = self.so_far()
        if stored is not None:
            reply = f"{stored['reply']}\n\n⚠️ {said.strip()}"
            self.say({**stored, "reply": reply})
        elif self._begin():
            self.exit_code = exit_code
            _write(1, dumps(answer))
            _write(2, " ".join(said.split()))

    def _begin(self) -> bool:
        is_first, self._is_begun = not self._is_begun, True
        return is_first


def _write(descriptor: int, line: str) -> bool:
    rest = line.encode("utf-8", "replace") + b"\n"
    try:
        while rest:
            rest = rest[os.write(descriptor, rest) :]
    except OSError:
        return False
    return True


def _limit_time(out: _Output, began: float) -> None:
    """End the process in time, whatever it waits for.

    It is as if it was killed there, which every store survives; an exception would not
    do, since code on the way may catch it.
    """

    def give_up(*_: object) -> None:
        error = ConflictError(
            f"the call was given up after {LIMIT_S:g} s; what it waited for is not done",
            hint="Call again; `model-queue doctor` tells what is slow.",
        )
        out.refuse(error_answer(error), error.exit_code)
        os._exit(out.exit_code)

    spent = SystemClock().now().timestamp() - began
    signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, min(max(LIMIT_S - spent, 0.1), LIMIT_S))


def _payload(hook: str, data: bytes | None, flags: Sequence[str]) -> Payload:
    """Return the input's members, from the flags where there are any.

    Raises:
        HookInputError: it cannot be used at all.
    """
    if flags:
        return _payload_of_flags(hook, flags)
    if data is not None and len(data) > MAX_INPUT:
        problem = f"stdin has more than {MAX_INPUT:,} bytes"
        hint = "Send the name of a file instead of its content."
        raise HookInputError(problems=[problem], hint=hint)
    return payload_of(hook, data)


def _payload_of_flags(hook: str, flags: Sequence[str]) -> Payload:
    known = CHECKPOINT_FLAGS if hook == "on-checkpoint" else {}
    wire: JsonObject = {}
    problems: list[str] = []
    rest = list(flags)
    while rest:
        flag, equals, value = rest.pop(0).partition("=")
        if flag not in known:
            allowed = ", ".join((*known, _RUNTIME))
            problems.append(f"{flag} is no flag of {hook}; it takes {allowed}")
            continue
        if not equals and not rest:
            problems.append(f"{flag} has no value")
            continue
        wire[known[flag]] = _value(known[flag], value if equals else rest.pop(0))
    if problems:
        raise HookInputError(problems=problems)
    return Payload(wire)


def _value(name: str, text: str) -> JsonValue:
    is_number = name == "percent_complete" and text.isascii() and text.isdigit()
    return int(text) if is_number else text


def _names_runtime(flags: Sequence[str]) -> bool:
    return any(flag.partition("=")[0] == _RUNTIME for flag in flags)


def _log_runtime(flags: Sequence[str]) -> None:
    """Note for ``doctor`` that a host calls whose payload is not understood."""
    # Imported here: only a fault needs the log.
    from model_queue.faults import log  # noqa: PLC0415

    log(f"{' '.join(flags)}: nothing done; known runtimes: {', '.join(RUNTIMES)}")


def _internal(error: Exception) -> JsonObject:
    # Imported here: only a fault needs the log.
    from model_queue.faults import log_fault  # noqa: PLC0415

    hint = "`model-queue doctor` shows the configuration."
    return refusal("internal", log_fault(error), hint=hint)


def _finish(done: Done) -> None:
    """Store that the answer was given; the host has it already, so nothing is said."""
    try:
        if done.afterwards:
            done.afterwards()
    except Exception as error:  # noqa: BLE001 - the top layer: the work itself is done
        # Imported here: only a fault needs the log.
        from model_queue.faults import log_fault  # noqa: PLC0415

        log_fault(error)
