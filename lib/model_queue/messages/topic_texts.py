"""What is said to a message without work that deserves an answer, as pairs of texts.

Data only, as ``texts``; ``topics`` fills it in.
"""

from __future__ import annotations

from model_queue.messages.texts import Text

HELP: Text = (
    (
        "Say what is to be done, and it becomes a task. For example:\n"
        '• "summarize report.md, then write a mail about it"\n'
        '• "translate the manual tomorrow at 9am, high priority, max $2"\n'
        "To see how things stand:\n"
        '• "status", "show failed", "show T-003", "why is T-003 waiting?", "which models are there?"\n'
        "To change something:\n"
        '• "cancel T-003", "retry T-003", "skip T-003", "pause T-003", "resume T-003"\n'
        '• "rerun T-003", "unblock T-003", "T-003 high priority"\n'
        '• "pause ollama-local", "resume ollama-local", "clear the queue", "undo"'
    ),
    (
        "请直接说要做什么，它就会成为一个任务。例如：\n"
        "• “总结 report.md，然后写一封邮件”\n"
        "• “明天上午九点翻译手册，高优先级，不超过 2 美元”\n"
        "查看情况：\n"
        "• “队列状态”、“失败的任务有哪些”、“查看 T-003”、“为什么 T-003 没动”、“有哪些模型”\n"
        "作出改动：\n"
        "• “取消 T-003”、“重试 T-003”、“跳过 T-003”、“暂停 T-003”、“恢复 T-003”\n"
        "• “重新运行 T-003”、“解除阻塞 T-003”、“把 T-003 提前”\n"
        "• “暂停 ollama-local”、“恢复 ollama-local”、“清空队列”、“撤销”"
    ),
)
LATER: Text = (
    (
        "That command was not carried out: a command acts at once, it cannot wait for a task.\n"
        "Give it when it is time, or let new work wait: "
        '"publish the report after T-004, skip it if that fails".'
    ),
    (
        "那条命令没有执行：命令会立即生效，不能等某个任务的结果。\n"
        "请到时候再说，或让新任务依赖它：“T-004 完成后发布报告，失败就跳过”。"
    ),
)
LOG: Text = ("Log: `model-queue logs {id}`", "日志：`model-queue logs {id}`")
"""What a session wrote is read on the machine itself."""
EDIT: Text = (
    (
        "No task was changed: a chat can change only the priority of a task.\n"
        "Its text, model, source, start and dependencies are changed on the command line, "
        "before it starts: `model-queue edit T-003 --model MODEL` (all flags: "
        "`model-queue edit --help`). Or cancel it and say it anew."
    ),
    (
        "没有改动任何任务：在聊天里只能改任务的优先级。\n"
        "任务的内容、模型、来源、开始时间和依赖，请在它开始之前用命令行修改："
        "`model-queue edit T-003 --model MODEL`（全部选项：`model-queue edit --help`）。"
        "也可以取消它，再重新说一遍。"
    ),
)
ARCHIVE: Text = (
    (
        "Nothing was done: what is finished goes to the archive by itself, after the days of "
        "MODEL_QUEUE_ARCHIVE_DAYS. To move it there now: `model-queue archive --days 0`\n"
        'To cancel what does not run yet, say "clear the queue".'
    ),
    (
        "什么都没有做：已结束的任务过了 MODEL_QUEUE_ARCHIVE_DAYS 规定的天数会自动归档。"
        "要立即归档：`model-queue archive --days 0`\n"
        "要取消还没有运行的任务，请说：“清空队列”。"
    ),
)
MODELS: Text = (
    'To choose one, name it with the work: "use {name} to summarize report.md".',
    "要指定模型，请和任务一起说：“用 {name} 总结 report.md”。",
)
SOURCE: Text = ("• {source}: {models}", "• {source}：{models}")
DEFAULT_SOURCE: Text = (
    "• {source}: {models} (where no other is named)",
    "• {source}：{models}（没有指定时使用）",
)
