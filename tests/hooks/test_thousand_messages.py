"""Many labelled messages through the real hook, on one directory."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest

from chat import TOOLS, Chat
from crashing import IS_WHOLE
from hosting import tasks_of
from programs import ROOT, Programs

DATA = ROOT / "tests" / "data"
N_MESSAGES = 1_000 if IS_WHOLE else 60


def messages() -> list[tuple[str, str]]:
    """Return the labelled messages of both scopes, mixed: each with its scope."""
    both = [
        [json.loads(line) for line in (DATA / name).read_text("utf-8").splitlines()]
        for name in ("intake-a.jsonl", "ambient-a.jsonl")
    ]
    mixed = itertools.chain.from_iterable(itertools.zip_longest(*both))
    return [(row["message"], row.get("scope", "addressed")) for row in mixed if row]


def stored(chat: Chat) -> list[dict[str, str]]:
    """Return the tasks of all queue files."""
    folder = Path(chat.programs.queues)
    return [
        task
        for path in sorted(folder.glob("*.json"))
        for task in json.loads(path.read_text(encoding="utf-8"))["tasks"]
    ]


@pytest.mark.slow
def test_no_task_is_lost_or_doubled_and_the_order_is_kept(tmp_path: Path) -> None:
    programs = Programs(home=tmp_path, environment={"MODEL_QUEUE_WAKER": "off"})
    programs.configure(
        TOOLS,
        "".join(
            f'[sources.{s}]\nlauncher = "host"\n'
            for s in ("ollama-local", "ollama-remote", "cloud-nvidia")
        ),
    )
    chat = Chat(programs)
    chosen = list(itertools.islice(itertools.cycle(messages()), N_MESSAGES))

    answers = [
        chat.say(text, scope=scope, session=f"chat-{n}", message_id=str(n))
        for n, (text, scope) in enumerate(chosen)
    ]

    ids = [str(task["id"]) for answer in answers for task in tasks_of(answer)]
    told = {
        str(task["id"]): str(task["description"])
        for answer in answers
        for task in tasks_of(answer)
    }
    kept = {task["id"]: task["description"] for task in stored(chat)}
    assert ids == [f"T-{n:03d}" for n in range(1, len(ids) + 1)]
    assert kept == told
    assert len(ids) > N_MESSAGES / 2
