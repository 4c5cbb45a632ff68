"""The stores, and the choice between them."""

from __future__ import annotations

from collections.abc import Iterator

from model_queue.atomic import read_file
from model_queue.errors import ConfigError, CorruptQueueFile
from model_queue.ports import IdSource
from model_queue.queuefile import Queue, decode_queue
from model_queue.store import QueueMeta, Store
from model_queue.stores._archive import Archive
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


def broken_archives(queues_dir: str) -> Iterator[CorruptQueueFile]:
    """Yield what is wrong with each archive file that does not parse, for ``doctor``.

    Raises:
        StoreError: one cannot be read.
    """

    def read(path: str, source: str) -> Queue:
        full = f"{queues_dir}/{path}"
        data = read_file(full)
        # A commit takes it away for a moment.
        if data is None:
            return Queue(QueueMeta(source=source))
        return decode_queue(data, source=source, path=full)

    yield from Archive(queues_dir, read).unreadable()
