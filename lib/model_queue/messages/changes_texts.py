"""The sentences about edits, and about what is taken back."""

from __future__ import annotations

from model_queue.messages.texts import Text

UNDONE: Text = ("↩️ Taken back:", "↩️ 已撤销：")
UNDO_NOTHING: Text = (
    (
        "There is nothing to take back: in the last 10 minutes this chat has added no task "
        "and given no command that changed one."
    ),
    "没有可以撤销的操作：最近 10 分钟内，本会话没有添加任务，也没有执行过改动任务的命令。",
)
UNDO_CANNOT: Text = (
    '"{verb}" cannot be taken back; it stays.',
    "“{verb}”无法撤销，保持不变。",
)
UNDO_STARTED: Text = (
    '{id} has started already and goes on; to stop it: "cancel {id}"',
    "{id} 已经开始，会继续运行；要停止，请说：“取消 {id}”",
)
UNDO_CHANGED: Text = (
    "{id} was changed since, it is {word} now; it stays as it is",
    "{id} 之后又有变化，现在{word}；保持不变",
)

EDITED: Text = ("✏️ {id} changed", "✏️ {id} 已修改")
EDITED_NOTHING: Text = (
    "✏️ {id} is like that already: nothing was changed",
    "✏️ {id} 本来就是这样，没有改动",
)
EDITED_FIELD: Text = ("{field}: {old} → {new}", "{field}：{old} → {new}")
NONE: Text = ("none", "无")
FIELD_WORDS: dict[str, Text] = {
    "description": ("Task", "任务"),
    "queue": ("Queue", "队列"),
    "model": ("Model", "模型"),
    "priority": ("Priority", "优先级"),
    "not_before": ("Starts", "开始时间"),
    "goal": ("Goal", "目标"),
    "cost_ceiling": ("Budget", "预算"),
    "depends_on": ("Depends on", "依赖"),
    "on_depends_fail": ("If a dependency fails", "依赖失败时"),
    "timeout_seconds": ("Limit in seconds", "时限（秒）"),
    "maxRetries": ("Retries", "重试次数"),
}
"""By wire name, in the order in which they are told."""

EDIT_STARTED: Text = (
    "{id} has started already: what it depends on stays as it is.",
    "{id} 已经开始过，依赖关系不能再改。",
)
EDIT_CIRCLE: Text = (
    "⚠️ {id} would wait for itself: {path}; nothing was changed.",
    "⚠️ {id} 会变成等待自己：{path}；没有改动。",
)
HINT_PAUSE_FIRST: Text = (
    'Say "pause {id}" first; once its session has stopped, edit it and "resume {id}".',
    "请先“暂停 {id}”，等会话停止后修改，再“恢复 {id}”。",
)
HINT_ENDED: Text = (
    "It has ended: add it anew as it should be.",
    "它已结束：请按新的要求重新添加。",
)
HINT_STOPPING: Text = (
    "Its session is still being stopped; try again in a moment.",
    "它的会话还在停止中，请稍后再试。",
)
