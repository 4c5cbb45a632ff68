"""What a first run has to tell beside its greeting, English and Chinese side by side.

Data only, as ``texts``; ``first_run`` in this package fills it in.
"""

from __future__ import annotations

from model_queue.messages.texts import Text

NO_ENTRY: Text = (
    "⚠️ {path} cannot be written: the heartbeat entry was not added, all else works.",
    "⚠️ 无法写入 {path}：没有加入心跳条目，其余一切正常。",
)
NO_ENTRY_REMEDY: Text = (
    "To have it, make the file writable and run `model-queue init --write`.",
    "如需该条目，请让此文件可写，然后运行 `model-queue init --write`。",
)
