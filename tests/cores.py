"""A Core on the memory store, with launchers whose sessions the test ends."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from fakes import START, FixedRng, RecordingLauncher, SequentialIds
from model_queue import completion, dispatch
from model_queue.core import Core
from model_queue.folder import Folder
from model_queue.model import Outcome, Task, TaskRef
from model_queue.ports import Session, SessionState
from model_queue.settings import Settings, SourceSettings
from model_queue.store import Batch, Draft, QueueMeta
from model_queue.stores.memory import MemoryStore

SOURCES = {
    "ollama-local": ("ollama/llama3", "ollama/qwen2.5", "ollama/mistral"),
    "ollama-remote": ("ollama-remote/qwen3.5:27b", "ollama-remote/llama3:70b"),
    "cloud-nvidia": ("nvidia/z-ai/glm5", "nvidia/llama3"),
}
ALIASES = {
    "ollama-local": ("local", "本地"),
    "ollama-remote": ("remote", "远程"),
    "cloud-nvidia": ("cloud", "nvidia", "云端"),
}


def a_source(name: str, **fields: object) -> SourceSettings:
    source = SourceSettings(
        name=name, models=SOURCES[name], aliases=ALIASES[name], launcher="command"
    )
    return replace(source, **fields)  # type: ignore[arg-type] # fields are the test's


def a_core(
    tmp_path: Path,
    *,
    host: bool = False,
    open_queues: bool = True,
    **per_source: Mapping[str, object],
) -> Core:
    """Three sources as in the seed; ``ollama_local={"max_concurrent": 2}`` changes one."""
    sources = {
        name: a_source(name, **per_source.get(name.replace("-", "_"), {}))
        for name in SOURCES
    }
    ids = SequentialIds()
    store = MemoryStore(ids=ids)
    if open_queues:
        metas = [
            QueueMeta(source=s.name, models=s.models, max_concurrent=s.max_concurrent)
            for s in sources.values()
        ]
        store.open_queues(metas, now=START)
    return Core(
        settings=Settings(
            queues_dir=str(tmp_path), default_source="ollama-remote", sources=sources
        ),
        store=store,
        folder=Folder(str(tmp_path)),
        launchers={name: RecordingLauncher(is_host=host) for name in sources},
        ids=ids,
        rng=FixedRng(),
        checkpoint_hook="/opt/model-queue/hooks/on-checkpoint",
    )


def launcher_of(core: Core, source: str) -> RecordingLauncher:
    launcher = core.launchers[source]
    assert isinstance(launcher, RecordingLauncher)
    return launcher


def add(core: Core, *drafts: Task | Draft, now: dt.datetime = START) -> list[Task]:
    """Store tasks; a bare Task is a draft without dependencies on the others."""
    batch = [d if isinstance(d, Draft) else Draft(task=d) for d in drafts]
    return list(core.store.commit(Batch(drafts=batch), now=now).tasks)


def tick(core: Core, now: dt.datetime = START, **options: bool) -> dispatch.Tick:
    return dispatch.tick(
        core, now=now, carries_actions=options.get("carries_actions", False)
    )


def end(core: Core, task_id: str, outcome: Outcome, now: dt.datetime = START) -> Task:
    """End the session of a task's current attempt, and let the queue hear of it."""
    task = get(core, task_id)
    label = str(task.label)
    launcher_of(core, task.queue).sessions[label] = Session(
        state=SessionState.ENDED, session_id=label, outcome=outcome
    )
    return completion.complete(core, task, outcome, label=label, now=now).task


def get(core: Core, task_id: str) -> Task:
    return core.store.get(TaskRef.parse(task_id))


def notices(core: Core, now: dt.datetime = START) -> list[str]:
    taken = core.store.take_notices(chat=("", "", ""), limit=100, now=now)
    core.store.commit(Batch(delivered=[notice.id for notice in taken]), now=now)
    return [notice.text for notice in taken]
