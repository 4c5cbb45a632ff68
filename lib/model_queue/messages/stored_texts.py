"""Sentences that are kept with a task or a queue in English, and their translation.

Data only, as ``texts``. A file says the same whoever reads it, so that what it keeps
is English; ``stored`` in this package turns it round for a reader of Chinese. The first
half of a pair is what the code writes, with ``{fields}`` where it fills something in.
"""

from __future__ import annotations

from model_queue.messages import texts
from model_queue.messages.texts import Text

ENDINGS: tuple[Text, ...] = (
    texts.CANCELLED_IN_HOST,
    texts.NO_ERROR,
    ("the session failed", "会话失败"),
    ("the session failed: {said}", "会话失败：{said}"),
    ("the session ran out of time", "会话超时"),
    ("the session vanished without an outcome", "会话消失了，没有留下结果"),
    ("the session ended with an empty report", "会话结束了，但报告是空的"),
    ("the report says that it failed", "报告中写明任务失败"),
    ("stopped before it ran", "尚未运行就被停止"),
    ("it was stopped", "已被停止"),
    ("it had no result within {limit} s", "{limit} 秒内没有结果"),
    ("no result within the time limit", "在时限内没有结果"),
    ("no result within the time limit: {said}", "在时限内没有结果：{said}"),
    (
        "its supervisor was told to end, as at a shutdown",
        "监护进程被要求结束，例如因为关机",
    ),
    ("what it wrote could not be read", "无法读取它的输出"),
    ("exit code {code}", "退出码 {code}"),
    ("exit code {code}: {said}", "退出码 {code}：{said}"),
    ("killed by signal {signal}", "被信号 {signal} 终止"),
    ("killed by signal {signal}: {said}", "被信号 {signal} 终止：{said}"),
    ("{model} ran instead of {wanted}", "实际运行的是 {model}，而不是 {wanted}"),
    ("the budget of ${usd} is used up", "{usd} 美元的预算已用完"),
)
"""What became of an attempt: ``Task.error_message``."""
ACCEPTANCE: tuple[Text, ...] = (
    ("the file {path} is missing", "缺少文件 {path}"),
    ("the file {path} is empty", "文件 {path} 是空的"),
    (
        "the report has nothing that matches {pattern}",
        "报告中没有与 {pattern} 匹配的内容",
    ),
    (
        "the report is not valid by {path}: {why}",
        "报告不符合 {path}：{why}",
    ),
    (
        "the report could not be checked by {path}: {why}",
        "无法用 {path} 检查报告：{why}",
    ),
    ("the schema {path} is no file", "模式 {path} 不是文件"),
    (
        "the accept command {argv} exited with {code}",
        "验收命令 {argv} 的退出码为 {code}",
    ),
    ("the accept command {argv} did not run: {why}", "验收命令 {argv} 未能运行：{why}"),
)
"""What an accept check found: several stand in one message, parted by ``; ``."""
CAUSES: tuple[Text, ...] = (
    *texts.DEPENDENCY_REASONS,
    ("skipped by the user", "由你跳过"),
    ("paused by you", "由你暂停"),
    ("quota used up", "额度已用完"),
    ("failed for good", "彻底失败"),
    (
        "source {source} has launcher openai, but no endpoint",
        "来源 {source} 的 launcher 是 openai，但没有设置 endpoint",
    ),
    (
        "source {source} has launcher command, but no command",
        "来源 {source} 的 launcher 是 command，但没有设置 command",
    ),
    ("source {source} is not configured", "没有配置来源 {source}"),
    ("this version cannot start {kind} sessions", "此版本无法启动 {kind} 会话"),
    ("it was asked to stop before it started", "启动之前已被要求停止"),
    ("an earlier session of this label still runs", "此标签的上一个会话仍在运行"),
    ("the label is no file name", "该标签不能用作文件名"),
    ("is no file", "不是文件"),
)
"""Why a task or a queue stands still: ``blocked_reason``, ``skipped_reason``, a hold."""
TROUBLES: tuple[Text, ...] = (
    ("{path} cannot be used: {why}", "无法使用 {path}：{why}"),
    ("{path} could not be written: {why}", "无法写入 {path}：{why}"),
    ("the disk is full", "磁盘已满"),
    ("the disk quota is used up", "磁盘配额已用完"),
    ("the disk is read-only", "磁盘是只读的"),
    ("permission is missing", "缺少权限"),
    (
        "a part of the path is a file, not a directory",
        "路径中有一部分是文件，而不是目录",
    ),
    ("this file system has no locks", "此文件系统不支持锁"),
    ("{path} is no file", "{path} 不是文件"),
    (
        "the journal {path} does not parse at byte {at}",
        "日志文件 {path} 在第 {at} 字节处无法解析",
    ),
    (
        "the session {label} could not be asked to stop: {why}",
        "无法要求会话 {label} 停止：{why}",
    ),
    (
        "the start of {label} could not be forbidden: {why}",
        "无法阻止 {label} 启动：{why}",
    ),
    (
        "the folder {path} could not be removed: {why}",
        "无法删除文件夹 {path}：{why}",
    ),
    ("{label} names no session of this machine", "{label} 不是本机的会话"),
)
"""What the machine refused, as a ``StoreError`` tells it."""
NEXT_STEPS: tuple[Text, ...] = (
    texts.HINT_PULL,
    texts.HINT_MODEL,
    texts.HINT_AUTH,
    texts.HINT_ENDPOINT,
    texts.HINT_REQUEST,
    texts.HINT_TOO_LONG,
    texts.HINT_TIMEOUT,
    texts.HINT_BUDGET,
    texts.HINT_OFFLINE,
    texts.HINT_COMMAND,
    texts.HINT_MEMORY,
    (
        "it runs by itself as soon as a slot is free",
        "有空位时会自动运行",
    ),
    (
        "it runs by itself once its dependencies are done",
        "依赖的任务完成后会自动运行",
    ),
    ("it is at work; `cancel {id}` stops it", "它正在运行；要停止，请说：“取消 {id}”"),
    ("say `resume {id}` to let it go on", "要继续，请说：“恢复 {id}”"),
    ("say `unblock {id}` to let it go on", "要继续，请说：“解除阻塞 {id}”"),
    ("`rerun {id}` runs it again", "要再运行一次，请说：“重新运行 {id}”"),
    ("`retry {id}` runs it again", "要重新运行，请说：“重试 {id}”"),
    (
        "its session is still stopping; say `resume {id}` again then",
        "它的会话正在停止；停止后请再说：“恢复 {id}”",
    ),
    (
        "its session is still stopping; say `unblock {id}` again then",
        "它的会话正在停止；停止后请再说：“解除阻塞 {id}”",
    ),
    ("dispatch it again", "请重新派发"),
    (
        "say `unblock {id}` to go on without it",
        "要不等它而继续，请说：“解除阻塞 {id}”",
    ),
    (
        "say `unblock {id}` to go on without it, or `retry {parent}`",
        "要不等它而继续，请说：“解除阻塞 {id}”；要重新运行它，请说：“重试 {parent}”",
    ),
    ("Free some space, then repeat.", "请腾出空间，然后重试"),
    (
        "Set MODEL_QUEUES_DIR to another place.",
        "请把 MODEL_QUEUES_DIR 设为其他位置",
    ),
    ("Let this user write there.", "请让当前用户可以写入该位置"),
    ("Set MODEL_QUEUES_DIR to a directory.", "请把 MODEL_QUEUES_DIR 设为一个目录"),
    (
        "Set MODEL_QUEUES_DIR to a local disk.",
        "请把 MODEL_QUEUES_DIR 设在本地磁盘上",
    ),
    ("Move it away, then repeat.", "请把它移走，然后重试"),
    (
        "A commit was not finished; move the file away to go on without it.",
        "有一次写入没有完成；要放弃它而继续，请移走该文件",
    ),
    (
        "Set endpoint under [sources.{source}] in task-queue.toml.",
        "请在 task-queue.toml 的 [sources.{source}] 中设置 endpoint",
    ),
    (
        "Set command under [sources.{source}] in task-queue.toml.",
        "请在 task-queue.toml 的 [sources.{source}] 中设置 command",
    ),
)
"""What to do about it, as an error or an outcome carries it."""
