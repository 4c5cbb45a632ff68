"""Every store lives random lives, and chooses as the table says."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contract.store_backends import BACKENDS, Backend
from contract.store_contract import (
    CLOUD,
    LOCAL,
    QUEUES,
    TICK,
    a_draft,
    add,
    claim,
    exercised,
    ids_of,
)
from contract.store_machine import exercise
from fakes import START
from model_queue.model import Claim, Status, Task
from model_queue.ordering import claim_order
from model_queue.store import Batch, Hold, Query, Store
from model_queue.transitions import GUARDS, Facts, Guard, holds_slot

STORES = [pytest.param(backend, id=backend.name) for backend in BACKENDS]


@pytest.fixture(autouse=True)
def _no_flush(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a power cut shows whether the disk was flushed; here it costs the time."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


def opened(
    backend: type[Backend], folder: Path, tell: Callable[[str, object], None]
) -> Store:
    """Open the store once, and tell that it is exercised."""
    store = backend(folder, lambda _: None).open()
    tell("store", exercised(store))
    return store


@pytest.mark.parametrize("backend", STORES)
def test_a_store_holds_what_a_plain_model_holds(
    backend: type[Backend],
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    opened(backend, tmp_path, record_property)

    exercise(backend, tmp_path, n_steps=20)


@pytest.mark.slow
@pytest.mark.parametrize("backend", STORES)
def test_a_store_holds_what_a_plain_model_holds_in_long_lives(
    backend: type[Backend],
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    opened(backend, tmp_path, record_property)

    exercise(backend, tmp_path, n_steps=40)


MOMENTS = [None, START - TICK, START, START + TICK]
CLAIMS = [
    *[None] * 3,
    Claim(label="mq-t-001-a1-x", lease_until=START),
    Claim(label="mq-t-001-a1-x", lease_until=START, stopping=START),
]
drafts = st.fixed_dictionaries(
    {
        "status": st.sampled_from([*Status, *[Status.PENDING] * 9]),
        "priority": st.sampled_from([0, 0, 5]),
        "not_before": st.sampled_from(MOMENTS),
        "retries": st.sampled_from([0, 1, 2]),
        "max_retries": st.just(1),
        "claim": st.sampled_from(CLAIMS),
        "started_at": st.sampled_from([None, START, START]),
        "queue": st.sampled_from([LOCAL, LOCAL, CLOUD]),
    }
)
holds = st.sampled_from(
    [
        None,
        *(Hold(at=START, by="user", reason="lunch", until=end) for end in MOMENTS),
    ]
)


def chosen_by_the_table(
    queue: Sequence[Task], *, slots: int, until_terminal: bool
) -> list[str]:
    """Return who may be claimed, as guard, order and slots say."""
    facts = Facts(now=START, may_claim=True)
    free = slots - sum(holds_slot(t, until_terminal=until_terminal) for t in queue)
    found: list[str] = []
    for task in sorted(queue, key=claim_order):
        if task.status is Status.PENDING and GUARDS[Guard.CLAIMABLE](task, facts):
            has_own = holds_slot(task, until_terminal=until_terminal)
            if has_own or free > 0:
                free -= not has_own
                found.append(task.id)
    return found


@pytest.mark.parametrize("backend", STORES)
@given(
    lines=st.lists(st.tuples(drafts, st.integers(0, 2)), min_size=3, max_size=12),
    hold=holds,
    slots=st.integers(1, 5),
    limit=st.integers(0, 3),
    until_terminal=st.booleans(),
)
def test_claim_chooses_as_the_table_and_the_order_say(
    *,
    backend: type[Backend],
    tmp_path_factory: pytest.TempPathFactory,
    lines: list[tuple[dict[str, Any], int]],
    hold: Hold | None,
    slots: int,
    limit: int,
    until_terminal: bool,
) -> None:
    store = backend(tmp_path_factory.mktemp("queues"), lambda _: None).open()
    store.open_queues(QUEUES, now=START)
    for fields, age in lines:
        add(store, a_draft(**fields), now=START - age * TICK)
    store.commit(Batch(holds={LOCAL: hold}), now=START)
    queue = store.select(Query(sources=[LOCAL]))

    claimed = claim(store, limit=limit, slots=slots, until_terminal=until_terminal)

    is_held = hold is not None and (hold.until is None or hold.until > START)
    may = chosen_by_the_table(queue, slots=slots, until_terminal=until_terminal)
    assert ids_of(claimed) == ([] if is_held else may[:limit])
