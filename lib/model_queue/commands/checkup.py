"""What ``doctor`` finds beside the settings' own problems, and what it brings back."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from model_queue import messages, wiring
from model_queue.codec import format_time
from model_queue.commands import findings, misplaced, places, reaching
from model_queue.commands.call import Call, Reply, refuse_inside_session
from model_queue.commands.findings import Queues
from model_queue.commands.reaching import Reached
from model_queue.errors import ModelQueueError
from model_queue.messages import checkup_texts as texts
from model_queue.messages.checkups import problem
from model_queue.messages.wording import say
from model_queue.settings import Problem, Settings


class Checkup(NamedTuple):
    """All that was looked at."""

    problems: Sequence[Problem]
    """Those of the settings first."""
    sources: Sequence[Reached]
    queues: Queues


def restore(call: Call) -> Reply:
    """Get a queue going again whose file stops it, and run a pass.

    Raises:
        UnknownSource, NothingToRestore, NoEarlierVersion: nothing was changed.
    """
    refuse_inside_session(call)
    core = wiring.open_core(call.seen)
    done = core.store.restore(call.args.restore, take=call.args.take, now=call.now)

    def go_on() -> None:
        # The queue is restored whatever comes of this pass; the next one is the same.
        with suppress(ModelQueueError):
            call.run_pass(core)

    version = done.version
    return Reply(
        text=messages.restored(done, zone=call.zone, lang=call.lang),
        payload={
            "restored": {
                "source": done.source,
                "kind": done.kind,
                "path": version.path,
                "tasks": version.n_tasks,
                "open": version.n_open,
                "as_of": format_time(version.as_of),
                "aside": list(done.aside),
                "left_out": list(done.left_out),
            }
        },
        after=go_on,
    )


def examine(call: Call, settings: Settings, *, is_offline: bool) -> Checkup:
    """Look at everything that can be wrong; nothing is written or started."""
    lang = call.lang
    path = call.seen.environment.get("PATH", os.defpath)
    reached = reaching.reach(call, settings, is_offline=is_offline)
    problems = [*settings.problems, *_of_settings(call, settings)]
    for each in reached:
        told = list(reaching.problems_of(each, lang=lang, path=path))
        if any(found.code == "key_missing" for found in told):
            # The settings noted it already, without knowing whether it is needed.
            key = f"sources.{each.source.name}.api_key_env "
            problems = [known for known in problems if not known.text.startswith(key)]
        problems += told
    folder = list(_of_folder(settings.queues_dir, lang))
    problems += folder
    queues = Queues()
    if not folder:
        problems += misplaced.found_in(settings.queues_dir, lang=lang)
        problems += places.of_directory(settings.queues_dir, lang)
    if not folder and not any(each.fatal for each in settings.problems):
        queues = findings.look(call, settings)
        problems += findings.in_store(call, queues)
    return Checkup(problems, reached, queues)


def _of_settings(call: Call, settings: Settings) -> Iterator[Problem]:
    """Yield what no source is to blame for."""
    if not settings.sources:
        yield problem("not_configured", call.lang, fatal=True)
    command = settings.notify_command
    path = call.seen.environment.get("PATH", os.defpath)
    if command and not reaching.is_startable(command, path):
        yield problem("notifier_missing", call.lang, {"program": repr(command[0])})


def _of_folder(queues_dir: str, lang: str) -> Iterator[Problem]:
    """Yield why the queues cannot lie there."""
    place = queues_dir
    while not os.path.lexists(place) and place != os.path.dirname(place):
        place = os.path.dirname(place)
    if not os.path.isdir(place):
        why = say(texts.NO_DIRECTORY, lang, path=place)
    elif not os.access(place, os.R_OK | os.W_OK | os.X_OK):
        why = say(texts.NOT_WRITABLE, lang, path=place)
    else:
        return
    yield problem("queues_dir", lang, {"path": queues_dir, "why": why}, fatal=True)
