"""What each hook does with its input: one use case, one answer; a module per hook."""

from __future__ import annotations

from model_queue.hook_calls.call import Call, Done


def carry_out(call: Call) -> Done:
    """Do what a call asks for.

    Raises:
        ModelQueueError: it was refused, or could not be done.
    """
    # Imported here: no hook needs what the others do, and each pays for its own only.
    match call.hook:
        case "on-intake":
            from model_queue.hook_calls.intake import on_intake  # noqa: PLC0415

            return on_intake(call)
        case "on-heartbeat":
            from model_queue.hook_calls.heartbeat import on_heartbeat  # noqa: PLC0415

            return on_heartbeat(call)
        case "on-subagent-exit":
            from model_queue.hook_calls.subagent_exit import (  # noqa: PLC0415
                on_subagent_exit,
            )

            return on_subagent_exit(call)
        case _:
            from model_queue.hook_calls.checkpoint import on_checkpoint  # noqa: PLC0415

            return on_checkpoint(call)
