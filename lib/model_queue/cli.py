"""The command line: the hooks' use cases for a person or an agent with a shell.

Every command answers in text, with ``--json`` in one object, never asks, and exits as
the hooks do: 0 done, 1 our own fault, 3 usage or input, 4 configuration, 5 refused, 6
busy or too late, 7 store, 8 launch. Called alone it lists the commands and exits 0.
Source: SPEC 10, 7.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import sys
from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import TextIO

from model_queue import __version__, wiring
from model_queue.commands import (
    adding,
    asking,
    editing,
    explaining,
    following,
    initializing,
    logs,
    looking,
    machine,
    reporting,
    steering,
)
from model_queue.commands.call import Call, Command, Reply, lang_of
from model_queue.commands.usage import (
    Parser,
    overview,
    refuse_unknown,
    unknown_command,
)
from model_queue.errors import ModelQueueError
from model_queue.faults import log_fault
from model_queue.model import JsonObject, JsonValue
from model_queue.ports import SystemClock

COMMANDS: Sequence[Command] = (
    *asking.COMMANDS,
    *adding.COMMANDS,
    *looking.COMMANDS,
    *logs.COMMANDS,
    *explaining.COMMANDS,
    *following.COMMANDS,
    *steering.COMMANDS,
    *editing.COMMANDS,
    *reporting.COMMANDS,
    *initializing.COMMANDS,
    *machine.COMMANDS,
)
INTERRUPTED = 130
_ON_THEIR_OWN = frozenset(("--json", "--help", "-h"))
"""Flags that name no command: a call of these alone is one for the overview."""


class NotPrinted(Exception):  # noqa: N818 - no error of ours: the caller's stdout
    """The answer could not be printed; the text says why."""


def build_parser() -> Parser:
    """Return the parser of all commands."""
    parser = Parser(
        prog="model-queue",
        description="Tasks on one queue per model source, worked off by sub-agents.",
        epilog="Each command has its own --help, with an example.",
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for command in COMMANDS:
        one = commands.add_parser(
            command.name,
            help=command.help,
            description=command.help[:1].upper() + command.help[1:] + ".",
            epilog=f"example:\n  {command.example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.flags(one)
        one.add_argument(
            "--json", action="store_true", help="answer in one JSON object"
        )
        one.add_argument(
            "--queues-dir", metavar="DIR", help="instead of MODEL_QUEUES_DIR"
        )
        one.set_defaults(run=command.run, parser=one, only_looks=command.only_looks)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    # Where the caller ignores it, and we inherit that, no exit code can be had of a
    # program that we run: each would count as 0.
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    _open_closed_streams()
    try:
        code = _run(words)
        with _printing():
            sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has seen enough.
        _silence(sys.stdout)
        return 0
    except NotPrinted as error:
        _silence(sys.stdout)
        hint = "Send it elsewhere; `model-queue status` shows what was done."
        _complain(f"The answer could not be printed: {error}. {hint}")
        return 1
    return code


def _open_closed_streams() -> None:
    """Open what the caller closed: a file of ours under its number would be printed into.

    In this order, so that each one gets the number that is free.
    """
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 - until the end
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - as above
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - as above


def _silence(stream: TextIO) -> None:
    """Let what is still in the stream's buffer go nowhere, also when Python ends."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


@contextlib.contextmanager
def _printing() -> Generator[None, None, None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise NotPrinted(error.strerror or str(error)) from error


def _complain(text: str) -> None:
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        # The exit code has to do.
        _silence(sys.stderr)


def _run(words: Sequence[str]) -> int:
    is_json = "--json" in words
    try:
        reply = _answer(words)
        _print(reply, is_json=is_json)
        if reply.after is not None:
            reply.after()
        return int(reply.exit_code)
    except ModelQueueError as error:
        _print_error(error.code, str(error), error.hint, is_json=is_json)
        return error.exit_code
    except (BrokenPipeError, NotPrinted):
        raise
    except Exception as error:  # noqa: BLE001 - the top layer: no traceback for a person
        hint = "`model-queue doctor` shows the configuration."
        _print_error("internal", log_fault(error), hint, is_json=is_json)
        return 1


def _streamed(reply: Reply) -> Reply:
    """Print what comes while the command goes on; return what it came to."""
    for text in reply.stream or ():
        _say(text)
        with _printing():
            sys.stdout.flush()
    return reply.ending() if reply.ending is not None else reply


def _answer(words: Sequence[str]) -> Reply:
    """Carry out one call; a call for help is one, with or without a command's name."""
    bare = [word for word in words if word not in _ON_THEIR_OWN]
    if not bare or bare == ["help"]:
        listed: list[JsonValue] = [
            {"name": each.name, "help": each.help} for each in COMMANDS
        ]
        return Reply(text=overview(COMMANDS), payload={"commands": listed})
    if bare[0] == "help":
        words = [bare[1], "--help"]
    args = _parse(words)
    call = _call(args)
    reply = _streamed(args.run(call))
    return replace(reply, note=call.note()) if call.only_looks else reply


def _parse(words: Sequence[str]) -> argparse.Namespace:
    names = [command.name for command in COMMANDS]
    if words[0] not in {*names, "--version"}:
        raise unknown_command(words[0], names)
    parser = build_parser()
    try:
        args, unknown = parser.parse_known_args(words)
    except SystemExit:
        # A help text was shown.
        with _printing():
            sys.stdout.flush()
        raise
    if unknown:
        refuse_unknown(args.parser, unknown)
    return args


def _call(args: argparse.Namespace) -> Call:
    seen = wiring.surroundings()
    if args.queues_dir:
        flags = {"MODEL_QUEUES_DIR": os.path.abspath(args.queues_dir)}
        # In the environment too: the processes that we start must see the same queues.
        os.environ.update(flags)
        seen = wiring.surroundings(flags=flags)
    return Call(args=args, seen=seen, clock=SystemClock(), lang=lang_of(seen))


def _print(reply: Reply, *, is_json: bool) -> None:
    if reply.lines is not None:
        for line in reply.lines:
            _say(json.dumps(line, ensure_ascii=False))
            # They may come as the command goes on.
            with _printing():
                sys.stdout.flush()
    elif is_json:
        answer: JsonObject = {
            "version": 1,
            "ok": reply.exit_code == 0,
            "reply": "\n\n".join(filter(None, (reply.text, reply.note))),
            **reply.payload,
        }
        if reply.exit_code:
            answer["error"] = {"code": reply.code, "message": reply.text, "hint": ""}
        _say(json.dumps(answer, ensure_ascii=False))
    else:
        if reply.text:
            _say(reply.text)
        for line in reply.trailer:
            _say(json.dumps(line, ensure_ascii=False))
    with _printing():
        sys.stdout.flush()
    if reply.note and not is_json:
        # Beside the answer, which may go into a file or to a program.
        _complain(f"\n{reply.note}")


def _say(line: str) -> None:
    with _printing():
        print(line)


def _print_error(code: str, message: str, hint: str, *, is_json: bool) -> None:
    error: JsonObject = {"code": code, "message": message, "hint": hint}
    if is_json:
        answer = {"version": 1, "ok": False, "reply": "", "error": error}
        _say(json.dumps(answer, ensure_ascii=False))
        return
    _complain("\n".join(filter(None, (message, hint))))


if __name__ == "__main__":
    raise SystemExit(main())
