"""The pass that a hook's call runs. Apart, because a checkpoint runs none."""

from __future__ import annotations

from model_queue import passes
from model_queue.core import Core
from model_queue.dispatch import Tick
from model_queue.hook_calls.call import Call
from model_queue.watching import SILENT, Listing


def run_pass(call: Call, core: Core, listing: Listing = SILENT) -> Tick:
    """Let the dispatcher do what can be done now."""
    return passes.run_pass(
        core,
        call.seen,
        clock=call.caller.clock,
        carries_actions=True,
        listing=listing,
    )
