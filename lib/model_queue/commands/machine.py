"""Commands about this machine: doctor, demo."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from model_queue.commands.call import Call, Command, Reply
from model_queue.commands.checkup import found, restore
from model_queue.errors import InputError
from model_queue.settings import Problem


def _doctor_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--restore",
        metavar="SOURCE",
        help="bring a queue back whose file is broken, gone or edited in mid-commit; "
        "what lies there now is kept in .state/broken",
    )
    parser.add_argument(
        "--take",
        choices=["commit"],
        default="",
        help="with --restore: take what the commit would have written, not the edit",
    )


def doctor(call: Call) -> Reply:
    """Print every setting with its origin, and every problem with its remedy."""
    if call.args.restore is not None:
        return restore(call)
    if call.args.take:
        sentence = "--take says what --restore SOURCE takes; it does nothing alone"
        raise InputError(sentence)
    settings = call.settings()
    problems = [*settings.problems, *found(call, settings)]
    width = max((len(s.name) for s in settings.values), default=0)
    lines = [
        f"{s.name:<{width}}  {s.value or '-'}  ({s.origin})" for s in settings.values
    ]
    lines.append("")
    for problem in problems:
        mark = "error" if problem.fatal else "note"
        lines.append(f"{mark}: {problem.text}" + _remedy(problem))
    if not problems:
        lines.append("No problem found.")
    return Reply(
        text="\n".join(lines),
        payload={
            "settings": [
                {"name": s.name, "value": s.value, "origin": s.origin}
                for s in settings.values
            ],
            "problems": [
                {"code": p.code, "text": p.text, "hint": p.hint} for p in problems
            ],
        },
        exit_code=4 if any(problem.fatal for problem in problems) else 0,
        code="config",
    )


def _remedy(problem: Problem) -> str:
    if not problem.hint:
        return ""
    return "\n  " + problem.hint.strip().replace("\n", "\n  ")


def _demo_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "message", nargs="?", default="", metavar="MESSAGE", help="another message"
    )
    parser.add_argument(
        "--keep", action="store_true", help="leave the demo's files where they are"
    )


def demo(call: Call) -> Reply:
    """Run one chat message to its end on two local model servers."""
    # Imported here: the other commands need no subprocesses, servers or signals.
    from model_queue import demo as local_demo  # noqa: PLC0415

    code = local_demo.run(str(call.args.message), keep=call.args.keep)
    return Reply(exit_code=code)


COMMANDS: Sequence[Command] = (
    Command(
        name="doctor",
        help="print each setting with its origin, and every problem; --restore brings a "
        "queue back",
        example="model-queue doctor --restore ollama-local",
        run=doctor,
        flags=_doctor_flags,
    ),
    Command(
        name="demo",
        help="run a chat message to its end on two local model servers",
        example='model-queue demo "use smollm2-desk to name three trees"',
        run=demo,
        flags=_demo_flags,
    ),
)
