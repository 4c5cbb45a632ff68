"""Every sentence a person may see, English and Chinese side by side.

Data only. Each text is a pair, so that none can lack its translation and both are read
and changed together; ``wording.say`` picks one and fills it in. Source: the templates
of seed 003 word for word in English, SPEC 4 where it joins or adds lines.
"""

from __future__ import annotations

from typing import TypeAlias

from model_queue.model import ErrorClass, Status

Text: TypeAlias = tuple[str, str]
"""English and Chinese, with the same ``{fields}``."""

HEARTBEAT_OK = "HEARTBEAT_OK"
"""The whole reply when there is nothing to tell; hosts match it, so it has no translation."""


SEMICOLON: Text = ("; ", "；")
COMMA: Text = (", ", "，")
ID_COMMA: Text = (", ", "、")
FULL_STOP: Text = (".", "。")

ONE_TASK: Text = ("1 task", "1 个任务")
MANY_TASKS: Text = ("{n} tasks", "{n} 个任务")
ONE_QUEUE: Text = ("1 queue", "1 个队列")
MANY_QUEUES: Text = ("{n} queues", "{n} 个队列")
ONE_ATTEMPT: Text = ("1 attempt", "1 次尝试")
MANY_ATTEMPTS: Text = ("{n} attempts", "{n} 次尝试")
ONE_LOSS: Text = ("1 lost session", "1 次会话丢失")
MANY_LOSSES: Text = ("{n} lost sessions", "{n} 次会话丢失")

DAYS: Text = ("{n}d", "{n}天")
HOURS: Text = ("{n}h", "{n}小时")
MINUTES: Text = ("{n}m", "{n}分")
MINUTES_LAST: Text = ("{n}m", "{n}分钟")
"""Where no seconds follow: 5分钟前, but 2分5秒."""
SECONDS: Text = ("{n}s", "{n}秒")
SPAN_JOINT: Text = (" ", "")
AGO: Text = ("{span} ago", "{span}前")

MARKERS = {
    Status.RUNNING: "🔄",
    Status.PENDING: "⏳",
    Status.WAITING: "⏳",
    Status.PAUSED: "⏸️",
    Status.BLOCKED: "🚫",
    Status.FAILED: "❌",
    Status.DONE: "✅",
    Status.SKIPPED: "⏭️",
    Status.CANCELLED: "🛑",
}
"""In the order in which a queue's tasks are listed; the same in every language."""

STATUS_WORDS: dict[Status, Text] = {
    Status.PENDING: ("pending", "待处理"),
    Status.WAITING: ("waiting", "等待中"),
    Status.RUNNING: ("running", "运行中"),
    Status.PAUSED: ("paused", "已暂停"),
    Status.BLOCKED: ("blocked", "已阻塞"),
    Status.DONE: ("done", "已完成"),
    Status.FAILED: ("failed", "失败"),
    Status.SKIPPED: ("skipped", "已跳过"),
    Status.CANCELLED: ("cancelled", "已取消"),
}

UNKNOWN: Text = ("unknown", "不存在")
"""In place of the status of a task that does not exist."""

VERBS: dict[str, Text] = {
    "cancel": ("cancel", "取消"),
    "skip": ("skip", "跳过"),
    "retry": ("retry", "重试"),
    "rerun": ("rerun", "重新运行"),
    "pause": ("pause", "暂停"),
    "resume": ("resume", "恢复"),
    "unblock": ("unblock", "解除阻塞"),
    "priority": ("change the priority of", "调整优先级"),
    "clear": ("clear", "清空"),
    "undo": ("undo", "撤销"),
    "edit": ("edit", "修改"),
    "show": ("show", "查看"),
}

POLICY_WORDS: dict[str, Text] = {
    "block": ("block on failure", "失败时阻塞"),
    "skip": ("skip on failure", "失败时跳过"),
    "continue": ("continue on failure", "失败时继续"),
}

DEPENDENCY_REASONS: tuple[Text, ...] = (
    ("Dependency {id} failed", "依赖 {id} 失败"),
    ("Dependency {id} was skipped", "依赖 {id} 已跳过"),
    ("Dependency {id} was cancelled", "依赖 {id} 已取消"),
    ("Dependency {id} does not exist", "依赖 {id} 不存在"),
    ("Dependency {id} waits for this task itself", "依赖 {id} 反过来在等待本任务"),
)
"""Why a task is blocked or skipped, as ``dependencies.reason_of`` stores it in English."""


ADDED_ONE: Text = (
    "📋 Added {id} to queue [{queue}]",
    "📋 已将 {id} 加入队列 [{queue}]",
)
ADDED_MANY: Text = (
    "📋 Added {tasks} to queue [{queue}]:",
    "📋 已将 {tasks}加入队列 [{queue}]：",
)
ADDED_OVER_QUEUES: Text = (
    "📋 Added {tasks} to {queues}:",
    "📋 已将 {tasks}加入 {queues}：",
)
ADDED_MODEL: Text = ("Model: {model}", "模型：{model}")
ADDED_TASK: Text = ("Task: {description}", "任务：{description}")
ADDED_PRIORITY: Text = ("Priority: {priority}", "优先级：{priority}")
ADDED_START: Text = ("Starts: {when}", "开始时间：{when}")
SHIFT_SKIPPED: Text = (
    "ℹ️ The clocks are put forward over the start time of {id}; it starts at {when}.",
    "ℹ️ {id} 的开始时间因时钟拨快而不存在；将于 {when} 开始。",
)
SHIFT_TWICE: Text = (
    "ℹ️ The clocks are put back, so the start time of {id} comes twice; it starts at the first, {when}.",
    "ℹ️ {id} 的开始时间因时钟拨慢而出现两次；将在第一次（{when}）开始。",
)
ADDED_BUDGET: Text = ("Budget: ${usd}", "预算：${usd}")
ADDED_DEPENDS: Text = ("Depends on: {ids} ({policy})", "依赖：{ids}（{policy}）")
ADDED_POSITION: Text = ("Queue position: {position}", "队列位置：{position}")
BULLET: Text = ("• {id}: {description}{tail}", "• {id}：{description}{tail}")
BULLET_WITH_QUEUE: Text = (
    "• {id} [{queue}]: {description}{tail}",
    "• {id} [{queue}]：{description}{tail}",
)
TAIL: Text = (" ({notes})", "（{notes}）")
NOTE_DEPENDS: Text = ("depends on {ids}", "依赖 {ids}")
NOTE_BUDGET: Text = ("max ${usd}", "最多 ${usd}")
NOTE_START: Text = ("starts {when}", "{when} 开始")
NOTE_PRIORITY: Text = ("priority {priority}", "优先级 {priority}")
STARTING: Text = ("Starting dispatcher now...", "正在启动调度器……")
REPEATED: Text = (
    "The same message came a moment ago: this is its answer, nothing was added twice.",
    "刚刚收到过同样的消息：以上是当时的回复，没有重复添加。",
)


DONE: Text = ("✅ {id} done{partial}", "✅ {id} 已完成{partial}")
DONE_PARTIAL: Text = (" (partial)", "（部分完成）")
DASH = " — "
DONE_QUEUE: Text = ("Queue: {queue}", "队列：{queue}")
DONE_DURATION: Text = (" | Duration: {span}", " | 用时：{span}")
FAILED: Text = ("❌ {id} failed after {attempts}", "❌ {id} 失败，共 {attempts}")
AND_LOSSES: Text = ("{attempts} and {losses}", "{attempts}，{losses}")
FAILED_ERROR: Text = ("Error: {error}", "错误：{error}")
FAILED_HINT: Text = ("Hint: {hint}", "提示：{hint}")
FAILED_RETRY: Text = ('To retry: "retry {id}"', "要重试，请说：“重试 {id}”")
NO_ERROR: Text = ("no reason was given", "没有给出原因")
BLOCKED: Text = ("⚠️ {id} blocked", "⚠️ {id} 已阻塞")
SKIPPED: Text = ("⏭️ {id} skipped", "⏭️ {id} 已跳过")
CANCELLED: Text = ("🛑 {id} cancelled", "🛑 {id} 已取消")
CANCELLED_IN_HOST: Text = ("session cancelled in the host", "会话已在运行环境中取消")
STOPPING: Text = ("its session is being stopped", "正在停止其会话")
PAUSED: Text = ("⏸️ {id} paused", "⏸️ {id} 已暂停")
RESUMED: Text = ("▶️ {id} resumed", "▶️ {id} 已恢复")
UNBLOCKED: Text = ("🔓 {id} unblocked", "🔓 {id} 已解除阻塞")
REQUEUED: Text = ("🔁 {id} queued again", "🔁 {id} 已重新排队")
REQUEUED_WAITING: Text = ("it waits for {ids}", "等待 {ids}")
REQUEUED_SKIPPED: Text = (
    'still skipped: {ids}; to run one: "retry {first}"',
    "仍然跳过：{ids}；要运行请说：“重试 {first}”",
)
PRIORITY_SET: Text = (
    "🔢 {id} has priority {priority}",
    "🔢 {id} 的优先级为 {priority}",
)
MODEL_MISMATCH: Text = (
    "⚠️ {id} ran on {session_model}, not on {model}",
    "⚠️ {id} 实际运行在 {session_model} 上，而不是 {model}",
)
MOVED: Text = (
    "↪️ {id} moved to queue [{queue}] ({model})",
    "↪️ {id} 已移到队列 [{queue}]（{model}）",
)


QUOTA_UNTIL: Text = (
    "⏳ Queue [{source}] has reached its usage limit; it goes on at {when}",
    "⏳ 队列 [{source}] 已达到使用额度上限；将于 {when} 继续",
)
QUOTA_OPEN: Text = (
    (
        "⏳ Queue [{source}] has reached its usage limit; no reset time was given, so it tries "
        "again by itself, less and less often"
    ),
    "⏳ 队列 [{source}] 已达到使用额度上限；没有给出重置时间，将自动以逐渐拉长的间隔重试",
)
QUEUE_PAUSED: Text = ("⏸️ Queue [{source}] paused", "⏸️ 队列 [{source}] 已暂停")
QUEUE_PAUSED_RESUME: Text = (
    'To go on: "resume {source}"',
    "要继续，请说：“恢复 {source}”",
)
QUEUE_RESUMED: Text = ("▶️ Queue [{source}] resumed", "▶️ 队列 [{source}] 已恢复")
CORRUPT: Text = ("⚠️ Queue [{source}]: {why}", "⚠️ 队列 [{source}]：{why}")
RESTORED: Text = (
    "✅ {source} goes on with {counts} as of {when}, from {path}",
    "✅ {source} 已恢复：{counts}，截至 {when}，来自 {path}",
)
RESTORED_EDIT: Text = (
    "✅ {source} goes on with the edit, {counts}; it stays in {path}",
    "✅ {source} 按你的修改继续：{counts}；文件仍为 {path}",
)
RESTORED_COMMIT: Text = (
    "✅ {source} goes on with what the commit would have written, {counts}, from {path}",
    "✅ {source} 按原本要写入的内容继续：{counts}，来自 {path}",
)
RESTORED_COUNTS: Text = ("{tasks} ({n_open} open)", "{tasks}（{n_open} 个未完成）")
RESTORED_ASIDE: Text = ("Kept beside: {paths}", "另存于：{paths}")
RESTORED_LEFT_OUT: Text = (
    "Not among them, since that text does not have them: {ids}",
    "其中不包含（该版本没有这些任务）：{ids}",
)
ALL_BLOCKED: Text = (
    "🚫 All tasks of queue [{source}] are blocked:",
    "🚫 队列 [{source}] 的所有任务都已阻塞：",
)
ALL_BLOCKED_RETRY: Text = (
    'To run what they depend on: "retry {ids}"',
    "要重新运行它们依赖的任务：“重试 {ids}”",
)
ALL_BLOCKED_WITHOUT: Text = (
    'To go on without that: "unblock {ids}"',
    "要不等它、直接继续：“解除阻塞 {ids}”",
)
ALL_BLOCKED_UNBLOCK: Text = (
    'To go on: "unblock {ids}"',
    "要继续：“解除阻塞 {ids}”",
)


NO_SOURCE: Text = (
    "⚠️ Queue [{source}] has {tasks}, but its source is not configured: nothing of it runs",
    "⚠️ 队列 [{source}] 还有 {tasks}，但它的来源已不在配置中：不会运行",
)
NO_SOURCE_HELP: Text = (
    'To run them: put `{line}` back into TOOLS.md. To drop them: "cancel {ids}"',
    "要运行：把 `{line}` 写回 TOOLS.md。要放弃：“取消 {ids}”",
)
UNHEARD: Text = (
    "⚠️ {id} was handed to the agent runtime {ago}, and nothing has been heard of it since",
    "⚠️ {id} 已于{ago}交给智能体运行环境，此后一直没有消息",
)
UNHEARD_HELP: Text = (
    (
        "It is offered again by itself. Look whether the runtime carries out the `spawn` "
        "actions of the hooks' answers; "
        "to have model-queue start such sessions: `launcher` under [sources.{source}] in task-queue.toml; "
        'to drop it: "cancel {id}"'
    ),
    (
        "它会自动再次派发。请检查运行环境是否执行钩子返回的 `spawn` 动作；要由 model-queue 启动会话，"
        "请在 task-queue.toml 的 [sources.{source}] 中设置 `launcher`；要放弃：“取消 {id}”"
    ),
)
HOST_ONLY: Text = (
    "⏸️ {ids}: sessions of [{source}] are started by the agent runtime, not from here",
    "⏸️ {ids}：[{source}] 的会话由智能体运行环境启动，不能从这里启动",
)
HOST_ONLY_HELP: Text = (
    (
        "They start with the runtime's next hook call, or with `model-queue tick --actions`; "
        "to have model-queue start them: `launcher` under [sources.{source}] in task-queue.toml"
    ),
    (
        "它们会在运行环境下次调用钩子时，或用 `model-queue tick --actions` 启动；要由 model-queue 启动，"
        "请在 task-queue.toml 的 [sources.{source}] 中设置 `launcher`"
    ),
)


INITIALIZED: Text = (
    "⚙️ Model Queue initialized. {queues} ready.",
    "⚙️ Model Queue 已初始化。{queues}已就绪。",
)
DISPATCHED: Text = (
    "Dispatched {tasks} across {queues}.",
    "已派发 {tasks}，涉及 {queues}。",
)


STILL_RUNS: Text = (
    (
        "{id} still runs; its report is kept and counts when its session ends; "
        "`cancel {id}` stops it"
    ),
    "{id} 仍在运行；报告已保存，会话结束后生效；要停止，请说：“取消 {id}”",
)
STILL_RUNS_SECOND: Text = (
    (
        "{id} still runs and was reported before; the first report counts when its "
        "session ends, this one is kept beside; `cancel {id}` stops it"
    ),
    "{id} 仍在运行，此前已有报告；会话结束后以第一份为准，这一份另存；要停止，请说：“取消 {id}”",
)


STATUS_HEAD: Text = ("📊 Queue Status", "📊 队列状态")
STATUS_QUEUE: Text = (
    "[{source}] {pending} pending, {running} running, {done} done",
    "[{source}] {pending} 个待处理，{running} 个运行中，{done} 个已完成",
)
COUNTED: Text = ("{n} {word}", "{n} 个{word}")
STATUS_BROKEN: Text = ("[{source}] stands still", "[{source}] 已停止")
STATUS_EMPTY: Text = ("  (empty)", "  （空）")
STATUS_NO_QUEUES: Text = ("(no queues yet)", "（还没有队列）")
HELD_PAUSED: Text = (" • paused", " • 已暂停")
HELD_REASON: Text = (" • paused: {reason}", " • 已暂停：{reason}")
HELD_LIMIT: Text = (
    " • usage limit, goes on in {span}",
    " • 达到使用上限，{span}后继续",
)
NOT_CONFIGURED_ANY_MORE: Text = (
    " • its source is not configured, nothing runs",
    " • 它的来源已不在配置中，不会运行",
)
WAITS_FOR_HOST: Text = (
    " • waits for the agent runtime to start it",
    " • 等待智能体运行环境启动",
)
DISK_FULL: Text = (
    "⚠️ The disk is full: nothing new starts until 1 MiB is free, and what has ended is told then",
    "⚠️ 磁盘已满：空出 1 MiB 之前不会启动新任务，已结束的任务届时再通知",
)
UNTOLD_ONE: Text = (
    "📭 1 notice not delivered yet",
    "📭 1 条通知尚未送达",
)
UNTOLD_MANY: Text = (
    "📭 {n} notices not delivered yet",
    "📭 {n} 条通知尚未送达",
)
UNTOLD_IDS: Text = ("{untold}: {ids}", "{untold}：{ids}")
BROKEN: Text = ("  ⚠️ {why}", "  ⚠️ {why}")
ROW: Text = (
    "{id} {marker} {word}: {description}{tail}",
    "{id} {marker} {word}：{description}{tail}",
)
ROW_WITH_QUEUE: Text = (
    "{id} [{queue}] {marker} {word}: {description}{tail}",
    "{id} [{queue}] {marker} {word}：{description}{tail}",
)
NOTE_STARTED: Text = ("started {ago}", "{ago}开始")
NOTE_UNHEARD: Text = (
    "handed to the agent runtime {ago}, no word yet",
    "{ago}交给智能体运行环境，尚无消息",
)
NOTE_PROGRESS: Text = ("{percent}%", "{percent}%")
NOTE_PLACE: Text = ("number {n} in line", "排第 {n} 位")
NOTE_ADDED: Text = ("added {ago}", "{ago}添加")
NOTE_DUE: Text = ("starts in {span}", "{span}后开始")
NOTE_RETRY: Text = ("retry {n} of {limit} in {span}", "{span}后第 {n}/{limit} 次重试")
NOTE_STOPPING: Text = ("stopping", "正在停止")
MORE: Text = ("  … {n} more {word}", "  … 还有 {n} 个{word}")
NO_TASKS: Text = ("No tasks.", "没有任务。")

SHOW_QUEUE: Text = (
    "Queue: {queue} | Model: {model}",
    "队列：{queue} | 模型：{model}",
)
SHOW_RAN_ON: Text = ("Ran on: {model}", "实际模型：{model}")
SHOW_GOAL: Text = ("Goal: {goal}", "目标：{goal}")
SHOW_ATTEMPTS: Text = (
    "Attempts: {attempt} | Retries used: {retries} of {limit}",
    "尝试次数：{attempt} | 已用重试：{retries}/{limit}",
)
SHOW_ADDED: Text = ("Added: {ago}", "添加于：{ago}")
SHOW_STARTED: Text = ("Started: {ago}", "开始于：{ago}")
SHOW_FINISHED: Text = ("Finished: {ago}", "结束于：{ago}")
SHOW_REASON: Text = ("Reason: {reason}", "原因：{reason}")
SHOW_SUMMARY: Text = ("Summary: {summary}", "摘要：{summary}")
SHOW_RESULT: Text = ("Report: {path}", "报告：{path}")
NO_RESULT: Text = (
    "{id} has no result: it is {word}.",
    "{id} 没有结果：{word}。",
)


ASK_SOURCE: Text = (
    "Which model/source should handle this task?",
    "这个任务用哪个模型/来源来处理？",
)
ASK_WORK: Text = (
    'What should {name} do? Say it in one message: "use {name} to summarize report.md".',
    "要让 {name} 做什么？请在一条消息里说完，例如：“用 {name} 总结 report.md”。",
)
ASK_MODEL_SEVERAL: Text = ('"{name}" fits several models. ', "“{name}”对应多个模型。")
ASK_MODEL_UNKNOWN: Text = (
    'No source has a model "{name}". ',
    "没有来源提供模型“{name}”。",
)
ASK_DEPENDENCY: Text = (
    "This task depends on which previous task?",
    "这个任务依赖之前的哪个任务？",
)
ASK_DATE: Text = (
    (
        'When should this task start? I cannot read "{seen}"; write it like '
        '"2026-12-01 09:00" or "in 2 hours".'
    ),
    "这个任务什么时候开始？我看不懂“{seen}”；请写成“2026-12-01 09:00”或“2小时后”。",
)
ASK_TARGET: Text = (
    "Which task do you want to {verb}? Answer with a number or an id.",
    "要{verb}哪个任务？请回复序号或任务编号。",
)
ASK_RERUN: Text = (
    '{id} is done. Run it again? Answer "yes", or say "rerun {id}".',
    "{id} 已完成。要再运行一次吗？请回复“是”，或说：“重新运行 {id}”。",
)
ASK_STOP: Text = (
    'That would stop {tasks} now running: {ids}. To go ahead, answer "yes", or say "{say}"',
    "这会停止正在运行的 {tasks}：{ids}。要继续，请回复“是”，或说：“{say}”",
)
CHOICE: Text = ("{id}: {description}", "{id} {description}")
ASK_TASK: Text = ("Task: {description}", "任务：{description}")
ANSWER_CHOICE: Text = (
    "Answer with a number or a name; nothing was added yet.",
    "请回复编号或名称；目前还没有添加任何任务。",
)
ANSWER_OPEN: Text = (
    "Answer with it; nothing was added yet.",
    "请直接回复；目前还没有添加任何任务。",
)
NO_SUCH_CHOICE: Text = ("There is no choice {n}.", "没有第 {n} 个选项。")
QUESTION_DROPPED: Text = (
    "👌 Left as it is, nothing was done.",
    "👌 好的，什么都没有做。",
)
NO_QUESTION: Text = (
    "No question is open here: one waits 10 minutes for its answer.",
    "当前没有等待回答的问题：问题只保留 10 分钟。",
)


NOT_CONFIGURED: Text = (
    "No model source is configured yet, so nothing was queued. Add to your {path}:",
    "还没有配置模型来源，因此没有任务入队。请在 {path} 中加入：",
)
CONFIGURATION = """\
## Model Queue Configuration

MODEL_QUEUES_DIR=~/.openclaw/model-queues/
MODEL_QUEUE_MAX_RETRIES=3
MODEL_QUEUE_ARCHIVE_DAYS=7

# Model Source Mappings (REQUIRED)
# Format: MODEL_SOURCE_{NAME}=model1,model2,model3
MODEL_SOURCE_OLLAMA_LOCAL=ollama/llama3,ollama/qwen2.5,ollama/mistral
MODEL_SOURCE_OLLAMA_REMOTE=ollama-remote/qwen3.5:27b,ollama-remote/llama3:70b
MODEL_SOURCE_CLOUD_NVIDIA=nvidia/z-ai/glm5,nvidia/llama3

# Default model source when not specified (optional)
DEFAULT_MODEL_SOURCE=ollama-remote"""
"""Lines to add, as in seed 003: names and values, the same in every language."""

NOTHING_TO: Text = ("There is nothing to {verb}.", "没有可以{verb}的任务。")
NO_TASK_IN_MESSAGE: Text = (
    "I found no task and no command in that message.",
    "这条消息里没有要做的任务，也没有命令。",
)
UNKNOWN_COMMAND: Text = (
    'I do not know the command "{seen}".',
    "不认识命令“{seen}”。",
)
HELP: Text = (
    (
        'Say what is to be done, or for example: "show status", "show T-003", '
        '"retry T-003", "cancel T-003", "skip T-003", "pause ollama-local".'
    ),
    (
        "请直接说要做什么，或例如：“队列状态”、“查看 T-003”、“重试 T-003”、"
        "“取消 T-003”、“跳过 T-003”、“暂停 ollama-local”。"
    ),
)

CHINESE_REFUSALS = {
    "task_not_found": "没有任务 {ref}",
    "task_unreadable": (
        "无法读取 {ref}：它的归档文件 {path} 在第 {line} 行第 {column} 列无法解析"
    ),
    "task_ref": "“{seen}”不是任务编号；请写成 T-001 或 ollama-local/T-001",
    "task_ref_several": "“{seen}”对应多个任务；请写明 {candidates}",
    "illegal_transition": "{ref} 处于“{status}”状态，不能{event}",
    "dependency_cycle": "依赖形成了循环：{path}；没有添加任何任务",
    "unknown_dependency": "它依赖的 {ref} 不存在；没有添加任何任务",
    "config": "{key} 的值是 {value}，但必须是 {allowed}",
    "unknown_source": "没有名为 {value} 的来源；可用：{allowed}",
    "unknown_source_none": "没有名为 {value} 的来源；TOOLS.md 中还没有配置来源",
    "unknown_model": "没有名为 {value} 的模型；可用：{allowed}",
    "unknown_model_none": "没有名为 {value} 的模型；TOOLS.md 中还没有配置模型",
    "no_task": "这条消息里没有要做的任务，也没有命令",
    "stale_task": "{ref} 刚刚被改动；请重新查看后再试",
    "lost_claim": "{label} 已不再持有 {ref}；请停止处理",
    "busy": "队列目录 {path} 正被占用；请稍后再试",
    "corrupt_queue_file": (
        "{path} 在第 {line} 行第 {column} 列无法解析；文件保持原样，修复之前该队列停止运行"
    ),
    "unsettled_file": (
        "{path} 在写入过程中被修改，原本要写入的内容在 {kept}；选定其一之前该队列停止运行"
    ),
    "unusable_queue_file": "无法读取 {path}（{why}）；移走它之前该队列停止运行",
    "missing_queue_file": (
        "{path} 已不存在，而最后的版本中有 {earlier}；文件恢复之前该队列停止运行"
    ),
    "nothing_to_restore": "{source} 完好，无需恢复",
    "no_earlier_version": "{source} 没有可以解析的旧版本，未恢复任何内容：{why}",
    "numbers_used_up": (
        "{held_by} 中有任务编号 {number}，而编号最大为 T-{last}，无法再分配；没有添加任何任务"
    ),
    "missing_package": "未安装软件包 {package}；请运行：{command}",
    "launch": "无法启动会话 {label}：{why}",
}
"""By error code; English is the error's own sentence, which is also used where one lacks."""
CHINESE_HINTS = {
    "task_unreadable": "请修复该文件；其他部分不受影响",
    "corrupt_queue_file": "请修复该文件，或运行 `{command}`，可恢复 {earlier}",
    "corrupt_queue_file_none": "请修复或移走该文件；没有可以恢复的旧版本",
    "missing_queue_file": (
        '运行 `{command}` 可恢复 {earlier}；若要从空队列开始，请写入 {{"tasks": []}}'
    ),
    "unusable_queue_file": "请处理，或运行 `{command}`，可恢复 {earlier}",
    "unusable_queue_file_none": "请处理或移走；没有可以恢复的旧版本",
    "unsettled_file": (
        "运行 `{command}` 保留修改（{edit}），或运行 `{take_command}` 采用另一份（{commit}）；"
        "未采用的一份会另存"
    ),
    "unsettled_file_edit": "运行 `{command}` 保留修改（{edit}）；另一份会另存",
    "unsettled_file_commit": (
        "修改后的文件无法解析：请修复，或运行 `{command}` 采用另一份（{commit}）；修改会另存"
    ),
    "unsettled_file_none": "两份都无法解析：请修复 {path}，然后删除 {kept}",
    "no_earlier_version": "请修复该文件，或移走它：队列将重新开始，任务编号不会重复",
    "numbers_used_up": "如果编号有误，请在 {held_by} 中改小，或移走该文件，然后重试",
}
"""By error code, in place of the error's own hint."""
CHINESE_NEAREST = "；最接近的是 {nearest}"


HINT_PULL: Text = (
    "run `ollama pull {model}` where that Ollama runs",
    "请在该 Ollama 所在的机器上运行 `ollama pull {model}`",
)
HINT_MODEL: Text = (
    "compare the name {model} in TOOLS.md with the models that the provider offers",
    "请核对 TOOLS.md 中的名称 {model} 与服务商提供的模型",
)
HINT_AUTH: Text = (
    (
        "check the source's API key (`api_key_env` in task-queue.toml), or log in to its "
        "runtime"
    ),
    "请检查该来源的 API 密钥（task-queue.toml 中的 `api_key_env`），或登录其运行环境",
)
HINT_ENDPOINT: Text = (
    "check `endpoint` of the source in task-queue.toml",
    "请检查 task-queue.toml 中该来源的 `endpoint`",
)
HINT_REQUEST: Text = (
    "trying again unchanged will not help; mend first what the error names",
    "原样重试没有用；请先解决错误中指出的问题",
)
HINT_TOO_LONG: Text = (
    "shorten the task, or choose a model with a longer context",
    "请缩短任务，或选择上下文更长的模型",
)
HINT_TIMEOUT: Text = (
    "split the task, or raise `timeout_s` of the source in task-queue.toml",
    "请拆分任务，或在 task-queue.toml 中调大该来源的 `timeout_s`",
)
HINT_BUDGET: Text = (
    "raise the task's budget, or split the task",
    "请提高任务预算，或拆分任务",
)
HINT_OFFLINE: Text = (
    (
        "start the model server (for Ollama: `ollama serve`), or check `endpoint` of the "
        "source in task-queue.toml"
    ),
    "请启动模型服务（Ollama：`ollama serve`），或检查 task-queue.toml 中该来源的 `endpoint`",
)
HINT_COMMAND: Text = (
    "check `command` of the source in task-queue.toml: the program was not found",
    "请检查 task-queue.toml 中该来源的 `command`：找不到该程序",
)
HINT_MEMORY: Text = (
    "the session was killed; it may have run out of memory",
    "会话被强制结束，可能是内存不足",
)

HINTS: dict[ErrorClass, Text] = {
    ErrorClass.AUTH: HINT_AUTH,
    ErrorClass.MODEL_NOT_FOUND: HINT_MODEL,
    ErrorClass.BAD_REQUEST: HINT_REQUEST,
    ErrorClass.TIMEOUT: HINT_TIMEOUT,
    ErrorClass.OVER_BUDGET: HINT_BUDGET,
}
"""What helps against a class of failure in general; the others are left to the retries."""
