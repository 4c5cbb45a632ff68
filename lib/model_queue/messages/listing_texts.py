"""What heads a list of tasks by their state, English and Chinese side by side.

Data only, as ``texts``; ``listings`` fills it in.
"""

from __future__ import annotations

from model_queue.messages.texts import Text

ONE: Text = ("1 task {word}:", "{word}的任务有 1 个：")
MANY: Text = ("{n} tasks {word}:", "{word}的任务有 {n} 个：")
NONE: Text = ("No task is {word}.", "没有{word}的任务。")
MORE: Text = ("… {n} more", "……还有 {n} 个")
QUEUED: Text = ("queued", "排队中")
"""Pending and waiting together."""
OPEN: Text = ("not finished", "未完成")
NONE_OPEN: Text = ("No task is left.", "没有未完成的任务。")
"""All that is not finished, whatever holds it up."""
