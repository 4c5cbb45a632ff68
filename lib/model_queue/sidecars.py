"""Writes what the guard answers from: the words of a message, an idle heartbeat.

Each sidecar lists the stamps of the files that its text was computed from. It is not
written when one of them was changed since shortly before this process began: then it
might have been changed after it was read. Nothing fails here; without a sidecar the
next call goes the full way.
"""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Iterable, Sequence

from model_queue import config, guard, messages
from model_queue.atomic import make_directory, write_atomic
from model_queue.config.checks import expand_path
from model_queue.core import Core
from model_queue.folder import Folder
from model_queue.hook_calls.call import Call
from model_queue.jsontext import dumps
from model_queue.model import JsonObject, Status
from model_queue.settings import Settings
from model_queue.store import Query

LONGEST_IDLE = dt.timedelta(hours=6)
"""How long an idle answer holds at most: what is due once a day gets its turn."""
_FOREVER = "inf"
_MARGIN_S = 0.1
"""The file system's clock may lag behind by a tick of the kernel."""
_PACKAGE = os.path.dirname(os.path.abspath(__file__))


def keep_words(call: Call, settings: Settings) -> None:
    """Remember of which words a message must have one to be for the queue."""
    # Imported here: only what was not for the queue is remembered.
    from model_queue.intake.words import guard_texts  # noqa: PLC0415
    from model_queue.submit import catalog_of  # noqa: PLC0415

    words = "\n".join(guard_texts(catalog_of(settings)))
    code = [os.path.join(_PACKAGE, name) for name in ("", "intake", "intake/phrases")]
    # While a question is open, any message may be its answer.
    asked = Folder(settings.queues_dir).questions_path
    paths = [*code, *_config_paths(call, settings), asked]
    _keep("words", paths, _FOREVER, words, call)


def keep_idle(
    call: Call, settings: Settings, core: Core | None, answer: JsonObject
) -> None:
    """Remember the answer of a heartbeat that found nothing to do, and until when.

    ``core`` is None when nothing is configured, so that there are no queues to watch.
    """
    if answer["reply"] != messages.HEARTBEAT_OK or settings.store != "files":
        return
    until = _idle_until(core, now=call.now) if core else call.now + LONGEST_IDLE
    if until is None:
        return
    paths = _config_paths(call, settings)
    if core is not None:
        paths += _queue_paths(settings.queues_dir)
    _keep("idle", paths, f"{until.timestamp():.3f}", dumps(answer), call)


def _idle_until(core: Core, *, now: dt.datetime) -> dt.datetime | None:
    """Return when the queues need a pass, at most ``LONGEST_IDLE`` from now.

    None when they need the next one already: a session holds a task, a notice waits for
    its chat, a queue cannot be read.
    """
    tasks = core.store.select(Query())
    metas = {meta.source: meta for meta in core.store.queues()}
    is_busy = any(task.status is Status.RUNNING or task.is_stopping for task in tasks)
    is_broken = any(meta.broken for meta in metas.values())
    if is_busy or is_broken or core.store.waiting_notices():
        return None
    dues = [now + LONGEST_IDLE]
    dues += [m.paused.until for m in metas.values() if m.paused and m.paused.until]
    dues += [
        task.not_before or now
        for task in tasks
        if task.status is Status.PENDING and not metas[task.queue].is_held(now)
    ]
    return min(dues) if min(dues) > now else None


def _config_paths(call: Call, settings: Settings) -> list[str]:
    """Return every file that the settings were read from, or would be if it was there."""
    seen = call.seen
    tools = config.candidate_paths(
        environment=seen.environment, home=seen.home, cwd=seen.cwd
    )
    toml = [item.value for item in settings.values if item.name == "MODEL_QUEUE_TOML"]
    return [*(path for path, _ in tools), *(expand_path(p, seen.home) for p in toml)]


def _queue_paths(queues_dir: str) -> list[str]:
    """Return what changes when anything changes in the queues."""
    try:
        names = sorted(os.listdir(queues_dir))
    except OSError:
        names = []
    inside = [name for name in names if name.endswith(".json")]
    inside += [".state/outbox", ".state/journal"]
    return [queues_dir, *(os.path.join(queues_dir, name) for name in inside)]


def _keep(kind: str, paths: Sequence[str], until: str, body: str, call: Call) -> None:
    if call.payload.has("now") or guard.sidecar(kind, call.began) == body:
        return
    place = guard.sidecar_path(kind)
    stamps = [f"{guard.stamp(path)} {path}" for path in paths]
    is_plain = all(path.isprintable() for path in paths)
    if not place or not is_plain or _changed_since(paths, call.began - _MARGIN_S):
        return
    head = [guard.surroundings(), f"{call.began:.3f} {until}", *stamps]
    data = "\n".join(head) + "\n\n" + body
    make_directory(os.path.dirname(place))
    write_atomic(place, data.encode("utf-8", "surrogateescape"))


def _changed_since(paths: Iterable[str], moment: float) -> bool:
    for path in paths:
        try:
            if os.stat(path).st_ctime >= moment:
                return True
        except OSError:
            continue
    return False
