"""An edit is one commit on the task as it is then, or none."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cores import a_core, get, tick
from fakes import START
from model_queue import adding, editing, submit
from model_queue.core import Core
from model_queue.errors import IllegalTransition
from model_queue.model import JsonObject, Status
from model_queue.orders import Order, Result
from model_queue.store import Batch, Change
from model_queue.trails import Trail

CHAT = ("cli", "", "")
LIST = "use qwen2.5 to list the invoices"


@pytest.fixture
def core(tmp_path: Path) -> Core:
    return a_core(tmp_path)


def say(core: Core, text: str) -> None:
    message = adding.Message(text=text, host="cli")
    assert not submit.intake(core, message, now=START).is_refused


def order_of(core: Core) -> Order:
    return Order(core=core, now=START, lang="en", chat=CHAT, trail=Trail(CHAT))


def test_edit_of_a_task_that_changed_meanwhile_keeps_both_changes(core: Core) -> None:
    say(core, LIST)
    seen = get(core, "T-001")
    change = Change(before=seen, after=replace(seen, priority=7))
    core.store.commit(Batch(changes=[change]), now=START)
    result = Result()

    editing.edit(order_of(core), seen, {"description": "count"}, result)

    task = get(core, "T-001")
    assert (task.description, task.priority) == ("count", 7)
    assert [each.description for each in result.tasks] == ["count"]


def test_edit_of_a_task_that_was_started_meanwhile_is_refused(core: Core) -> None:
    say(core, LIST)
    seen = get(core, "T-001")
    tick(core, now=START)

    with pytest.raises(IllegalTransition, match="T-001 is running"):
        editing.edit(order_of(core), seen, {"description": "count"}, Result())

    assert get(core, "T-001").description == "list the invoices"


@pytest.mark.parametrize("ended", [Status.CANCELLED, Status.SKIPPED])
def test_ended_task_is_refused(core: Core, ended: Status) -> None:
    say(core, LIST)
    say(core, f"{'cancel' if ended is Status.CANCELLED else 'skip'} T-001")

    with pytest.raises(IllegalTransition) as refused:
        editing.edit(order_of(core), get(core, "T-001"), {"priority": 5}, Result())

    assert refused.value.status == ended.value
    assert refused.value.hint == "It has ended: add it anew as it should be."


def test_undo_leaves_the_dependencies_of_a_task_that_has_started(core: Core) -> None:
    say(core, f"1. {LIST} 2. use qwen2.5 to count the files")
    first, second = get(core, "T-001"), get(core, "T-002")
    wanted: JsonObject = {"depends_on": second.id}
    editing.edit(order_of(core), first, wanted, Result())
    editing.edit(order_of(core), get(core, "T-001"), {"depends_on": None}, Result())
    tick(core, now=START)
    started = get(core, "T-001")
    assert started.status is Status.RUNNING

    say_undo = submit.intake(core, adding.Message(text="undo", host="cli"), now=START)

    assert say_undo.is_refused
    assert get(core, "T-001") == started
