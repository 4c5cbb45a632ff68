"""The stores that several processes may use, opened by name in each of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from model_queue.ports import RandomIds
from model_queue.store import Store
from model_queue.stores.files import FilesStore

PATIENCE_S = 120.0
"""For the lock: a loaded machine is no fault."""


def _files(folder: str) -> Store:
    return FilesStore(folder, ids=RandomIds(), lock_timeout_s=PATIENCE_S)


SHARED: Mapping[str, Callable[[str], Store]] = {"files": _files}
