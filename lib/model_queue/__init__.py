"""model-queue: chat messages become tasks on per-model queues, each run once.

The package root holds the version and nothing else, so that the hooks' guard can
import a module from here at almost no cost. Start reading at ``model`` (the values),
``transitions`` (the state machine) and ``dispatch`` (one pass over the queues).
"""

from __future__ import annotations

__version__ = "0.1.0"
