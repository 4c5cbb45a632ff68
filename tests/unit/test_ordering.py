from __future__ import annotations

import datetime as dt
import random
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from fakes import START, a_task
from model_queue.ordering import claim_order


def order(*tasks: tuple[str, int, int]) -> list[str]:
    """Return ids in claim order of tasks given as (id, priority, minutes later)."""
    built = [
        a_task(
            task_id, priority=priority, added_at=START + dt.timedelta(minutes=minutes)
        )
        for task_id, priority, minutes in tasks
    ]
    return [task.id for task in sorted(built, key=claim_order)]


def test_a_higher_priority_goes_first_although_it_came_later() -> None:
    assert order(("T-001", 0, 0), ("T-002", 5, 9)) == ["T-002", "T-001"]


def test_of_equal_priority_the_earlier_goes_first() -> None:
    assert order(("T-001", 0, 9), ("T-002", 0, 0)) == ["T-002", "T-001"]


def test_of_the_same_moment_the_smaller_number_goes_first() -> None:
    ids = order(("T-1000", 0, 0), ("T-999", 0, 0), ("T-010", 0, 0))

    assert ids == ["T-010", "T-999", "T-1000"]


def test_ids_without_a_number_come_by_their_text() -> None:
    tasks = [replace(a_task(), id=name) for name in ("b2c4", "T-001", "a1f9")]

    ids = [task.id for task in sorted(tasks, key=claim_order)]

    assert ids == ["a1f9", "b2c4", "T-001"]


places = st.tuples(st.integers(-10, 10), st.integers(0, 3))


@given(st.lists(places, max_size=20), st.randoms(use_true_random=False))
def test_the_order_does_not_depend_on_where_the_tasks_come_from(
    given_places: list[tuple[int, int]], chance: random.Random
) -> None:
    tasks = [
        (f"T-{n:03d}", priority, minutes)
        for n, (priority, minutes) in enumerate(given_places, start=1)
    ]
    shuffled = list(tasks)
    chance.shuffle(shuffled)

    assert order(*shuffled) == order(*tasks)
