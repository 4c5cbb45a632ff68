"""What stands beside a table or a task that is shown, English and Chinese side by side.

Data only, as ``texts``.
"""

from __future__ import annotations

from model_queue.messages.texts import Text

SETTINGS_WRONG: Text = (
    "⚠️ Nothing new starts, and this may not be the whole picture: {why}",
    "⚠️ 目前不会启动新任务，以上内容也可能不完整：{why}",
)
