"""Commands about this machine: doctor, demo."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence

from model_queue import wiring
from model_queue.commands.call import Call, Command, Reply, no_flags, not_configured
from model_queue.errors import ModelQueueError
from model_queue.settings import Problem, Settings


def doctor(call: Call) -> Reply:
    """Print every setting with its origin, and every problem with its remedy."""
    settings = call.settings()
    problems = [*settings.problems, *_found(call, settings)]
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


def _found(call: Call, settings: Settings) -> Iterator[Problem]:
    """Yield what the configuration alone does not tell."""
    if not settings.sources:
        refusal = not_configured(call.lang)
        yield Problem(
            code="not_configured",
            text=str(refusal),
            hint=refusal.hint,
            fatal=True,
        )
    if any(p.fatal for p in settings.problems) or not os.path.isdir(
        settings.queues_dir
    ):
        return
    try:
        metas = wiring.open_core(call.seen, settings).store.queues()
    except ModelQueueError as error:
        yield Problem(code=error.code, text=str(error), hint=error.hint, fatal=True)
        return
    for meta in metas:
        if meta.broken is not None:
            yield Problem(code="corrupt_queue_file", text=meta.broken, fatal=True)
        elif meta.source not in settings.sources:
            yield Problem(
                code="source_removed",
                text=f"the queue {meta.source} has a file, but its source is not configured",
                hint="Its tasks stay where they are and do not run.",
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
        help="print each setting with its origin, and every problem",
        example="model-queue doctor --json",
        run=doctor,
        flags=no_flags,
    ),
    Command(
        name="demo",
        help="run a chat message to its end on two local model servers",
        example='model-queue demo "use smollm2-desk to name three trees"',
        run=demo,
        flags=_demo_flags,
    ),
)
