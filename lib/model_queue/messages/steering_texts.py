"""What only the command line says about commands, English and Chinese side by side.

Data only, as ``texts``; ``steering`` fills it in.
"""

from __future__ import annotations

from model_queue.messages.texts import Text

OR_YES: Text = (
    "Or give the same command with --yes.",
    "或者在同一条命令后加上 --yes。",
)
ARCHIVED: Text = ("📦 Archived {tasks}: {ids}", "📦 已归档 {tasks}：{ids}")
ARCHIVED_NONE: Text = (
    "📦 Nothing to archive: no finished task is as old and free of what depends on it.",
    "📦 没有可归档的任务：没有足够久、且不再被依赖的已结束任务。",
)
