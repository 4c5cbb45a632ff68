"""``python -m torture WHAT …`` with ``tests`` and ``lib`` on the path.

Each torture is a module with a ``main`` of its own, imported when it is asked for.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence

TORTURES = {
    "kill": "torture.kill",
    "race": "torture.race",
    "disk": "torture.disk",
    "outbox": "torture.outbox",
}


def main(argv: Sequence[str]) -> int:
    """Run the named torture with the rest of the arguments; return its exit code."""
    name, *arguments = argv or [""]
    if name not in TORTURES:
        print(f"usage: python -m torture {{{','.join(TORTURES)}}} …", file=sys.stderr)
        return 3
    return int(importlib.import_module(TORTURES[name]).main(arguments))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
