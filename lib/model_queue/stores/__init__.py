"""The stores, and the choice between them."""

from __future__ import annotations

from model_queue.errors import ConfigError
from model_queue.ports import IdSource
from model_queue.store import Store
from model_queue.stores.files import FilesStore


def open_store(setting: str, queues_dir: str, *, ids: IdSource) -> Store:
    """Return the store that ``MODEL_QUEUE_STORE`` names; nothing is read yet.

    Raises:
        ConfigError: no store of this version has that name.
    """
    if setting == "files":
        return FilesStore(queues_dir, ids=ids)
    raise ConfigError(
        key="MODEL_QUEUE_STORE",
        value=setting,
        allowed="files, the one store of this version",
        hint="Leave the setting out, or write MODEL_QUEUE_STORE=files.",
    )
