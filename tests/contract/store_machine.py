"""Random lives of a whole store beside a model of plain dicts.

Each rule does one thing to the store, as the use cases do it, and reckons in the model
what must come of it; after each rule the two are compared, whole. Whatever is written
may be cut short by a crash, after which the old or the new state must be there.
"""

from __future__ import annotations

import itertools
from pathlib import Path

from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from contract.store_accident_rules import AccidentRules
from contract.store_backends import Backend
from contract.store_laws import Laws
from contract.store_step_rules import StepRules


class StoreMachine(AccidentRules, StepRules, Laws):
    """All rules and all laws."""


def exercise(backend: type[Backend], folder: Path, *, n_steps: int) -> None:
    """Let the store of a backend live random lives, as many as the profile says."""
    folders = (folder / f"life-{n}" for n in itertools.count(1))
    machine = type(
        f"{backend.__name__}Machine",
        (StoreMachine,),
        {"backend_class": backend, "folders": folders},
    )
    run_state_machine_as_test(machine, settings=settings(stateful_step_count=n_steps))
