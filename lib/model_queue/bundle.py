"""Where the files beside the code lie: hooks, schemas, references, SKILL.md."""

from __future__ import annotations

import os

_PACKAGE = os.path.dirname(os.path.abspath(__file__))


def bundled(name: str) -> str:
    """Return the absolute path of a file or folder that comes with model-queue.

    The checkout or unpacked skill first (``lib/`` beside it), then the wheel's
    ``_bundle``: an editable install has no bundle. The path may not exist.
    """
    beside_lib = os.path.join(os.path.dirname(os.path.dirname(_PACKAGE)), name)
    if os.path.basename(os.path.dirname(_PACKAGE)) == "lib" and os.path.exists(
        beside_lib
    ):
        return beside_lib
    return os.path.join(_PACKAGE, "_bundle", name)
