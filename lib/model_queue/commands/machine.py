"""Commands about this machine: doctor, demo."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

from model_queue.commands import findings, timekeeping
from model_queue.commands.call import Call, Command, Reply
from model_queue.commands.checkup import examine, restore
from model_queue.commands.reaching import lines_of, to_json
from model_queue.errors import InputError
from model_queue.messages.checkups import Page, page


def _doctor_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--offline", action="store_true", help="ask no model server whether it is there"
    )
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
    """Print settings, sources and queues, and every problem with its remedy."""
    if call.args.restore is not None:
        return restore(call)
    if call.args.take:
        sentence = "--take says what --restore SOURCE takes; it does nothing alone"
        raise InputError(sentence)
    settings = call.settings()
    is_offline = bool(call.args.offline)
    done = examine(call, settings, is_offline=is_offline)
    path = call.seen.environment.get("PATH", os.defpath)
    shown = Page(
        settings=settings.values,
        sources=[
            (
                each.source.name,
                lines_of(each, lang=call.lang, is_offline=is_offline, path=path),
            )
            for each in done.sources
        ],
        queues=findings.lines_of(call, settings, done.queues),
    )
    return Reply(
        text=page(shown, done.problems, lang=call.lang),
        payload={
            "settings": [
                {"name": s.name, "value": s.value, "origin": s.origin}
                for s in settings.values
            ],
            "problems": [
                {"code": p.code, "text": p.text, "hint": p.hint} for p in done.problems
            ],
            "sources": [to_json(each) for each in done.sources],
            "timer": timekeeping.to_json(done.queues.timer),
        },
        exit_code=4 if any(problem.fatal for problem in done.problems) else 0,
        code="config",
    )


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
        help="look at settings, sources and queues, and say how to mend each problem; "
        "--restore brings a queue back",
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
