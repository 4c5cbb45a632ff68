"""Why a task does not run, English and Chinese side by side.

Data only, as ``texts``; ``explanations`` fills it in. What a chat understands stands in
quotation marks, what a shell runs in back quotes.
"""

from __future__ import annotations

from model_queue.messages.texts import Text

BULLET: Text = ("• {text}", "• {text}")
MORE: Text = ("… {n} more", "……还有 {n} 条")
AND_MORE: Text = ("{ids} and {n} more", "{ids} 和另外 {n} 个")
"""Ids of which the first few are named."""
BROKEN_HEAD: Text = (
    "{id} cannot be read, since its queue stands still:",
    "无法读取 {id}，因为它的队列已停止：",
)

RUNS: Text = (
    "It runs since {when} ({ago}), attempt {attempt}, in session {session}.",
    "它从 {when}（{ago}）开始运行，第 {attempt} 次尝试，会话 {session}。",
)
CHECKPOINT: Text = (
    "Last checkpoint {ago}: {percent}%, {last}; next: {next}",
    "最近的检查点（{ago}）：{percent}%，{last}；下一步：{next}",
)
DONE: Text = (
    'It was done {ago}. Its report: `model-queue result {id}`. To run it again: "rerun {id}"',
    "它已于{ago}完成。查看报告：`model-queue result {id}`。要再运行一次：“重新运行 {id}”",
)
FAILED: Text = (
    'It failed {ago}, after {attempts}: {error}. To run it again: "retry {id}"',
    "它已于{ago}失败，共 {attempts}：{error}。要重新运行：“重试 {id}”",
)
CANCELLED_BY_YOU: Text = (
    'You cancelled it {ago}. To run it after all: "retry {id}"',
    "你已于{ago}取消它。要重新运行：“重试 {id}”",
)
CANCELLED_OTHERWISE: Text = (
    'It was cancelled {ago}: {why}. To run it after all: "retry {id}"',
    "它已于{ago}被取消：{why}。要重新运行：“重试 {id}”",
)
SKIPPED_BY_YOU: Text = (
    'You skipped it {ago}. To run it after all: "retry {id}"',
    "你已于{ago}跳过它。要重新运行：“重试 {id}”",
)
SKIPPED_OTHERWISE: Text = (
    'It was skipped {ago}: {why}. To run it after all: "retry {id}"',
    "它已于{ago}被跳过：{why}。要重新运行：“重试 {id}”",
)
NO_WHY: Text = ("no reason was given", "没有给出原因")
READY: Text = (
    "Nothing is in its way: it starts with the next pass; `model-queue tick` makes one now.",
    "没有任何阻碍：下一次调度时就会启动；`model-queue tick` 可立即调度一次。",
)
SETTLES: Text = (
    (
        "What it depends on is settled: the next pass moves it on; `model-queue tick` "
        "makes one now."
    ),
    "它的依赖已有结果：下一次调度时会继续；`model-queue tick` 可立即调度一次。",
)
OVER_LIMIT: Text = (
    (
        "{id} has used {retries} retries and {limit} are allowed by now: it fails with the "
        'next pass; after that, "retry {id}" begins again'
    ),
    "{id} 已重试 {retries} 次，而现在最多允许 {limit} 次：下一次调度时会失败；之后可说：“重试 {id}”",
)
PAUSED: Text = (
    '{id} is paused; to let it go on: "resume {id}"',
    "{id} 已暂停；要继续：“恢复 {id}”",
)
BLOCKED: Text = (
    '{id} is blocked: {why}; to let it go on: "unblock {id}"',
    "{id} 已阻塞：{why}；要继续：“解除阻塞 {id}”",
)
WITHOUT: Text = (
    'To run {id} without waiting for that: "unblock {id}"',
    "要不等这些、直接运行 {id}：“解除阻塞 {id}”",
)

UNCONFIGURED: Text = (
    (
        "Queue [{source}] starts nothing, since its source is not configured any more; put "
        "`{line}` back into TOOLS.md"
    ),
    "队列 [{source}] 不会启动任务，因为它的来源已不在配置中；请把 `{line}` 写回 TOOLS.md",
)
BROKEN: Text = (
    "Queue [{source}] stands still: {why}. {hint}",
    "队列 [{source}] 已停止：{why}。{hint}",
)
QUEUE_PAUSED_BY_YOU: Text = (
    'Queue [{source}] was paused by you {ago}; to go on: "resume {source}"',
    "队列 [{source}] 已于{ago}被你暂停；要继续：“恢复 {source}”",
)
QUEUE_PAUSED: Text = (
    'Queue [{source}] was paused {ago}: {why}; once that is put right: "resume {source}"',
    "队列 [{source}] 已于{ago}暂停：{why}；解决之后：“恢复 {source}”",
)
QUEUE_PAUSED_UNTIL: Text = (
    "{paused}; else it goes on by itself at {when} (in {span})",
    "{paused}；否则将于 {when}（{span}后）自动继续",
)
QUEUE_LIMITED: Text = (
    (
        "Queue [{source}] has reached its usage limit; it goes on by itself at {when} (in "
        '{span}); to try before that: "resume {source}"'
    ),
    (
        "队列 [{source}] 已达到使用额度上限；将于 {when}（{span}后）自动继续；"
        "要提前尝试：“恢复 {source}”"
    ),
)
QUEUE_LIMITED_OPEN: Text = (
    'Queue [{source}] has reached its usage limit; to try again: "resume {source}"',
    "队列 [{source}] 已达到使用额度上限；要再次尝试：“恢复 {source}”",
)
DISK_FULL: Text = (
    "The disk is full: nothing new starts until 1 MiB is free, and then by itself",
    "磁盘已满：空出 1 MiB 之前不会启动新任务，之后会自动继续",
)
BUDGET_SPENT: Text = (
    (
        "Queue [{source}] has spent its budget of the day ({usd} USD); it goes on by itself "
        "at {when} (in {span}); to go on now, raise `budget_usd_per_day` under "
        "[sources.{source}] in task-queue.toml"
    ),
    (
        "队列 [{source}] 今天的预算（{usd} 美元）已用完；将于 {when}（{span}后）自动继续；"
        "要现在继续，请在 task-queue.toml 的 [sources.{source}] 中调大 `budget_usd_per_day`"
    ),
)
TASK_LIMITED: Text = (
    "{id} met a rate limit ({error}); it is tried again by itself at {when} (in {span})",
    "{id} 遇到速率限制（{error}）；将于 {when}（{span}后）自动再试",
)
BACKOFF: Text = (
    (
        "{id} waits before retry {n} of {limit}, since an attempt failed ({error}); it is "
        "tried again by itself at {when} (in {span})"
    ),
    (
        "{id} 在第 {n}/{limit} 次重试之前等待，因为一次尝试失败（{error}）；"
        "将于 {when}（{span}后）自动再试"
    ),
)
NOT_STARTED: Text = (
    "{id} could not be started ({error}); it is tried again by itself at {when} (in {span})",
    "{id} 未能启动（{error}）；将于 {when}（{span}后）自动再试",
)
NOT_DUE: Text = (
    "{id} is not to start before {when} (in {span}); it starts by itself then",
    "{id} 要到 {when}（{span}后）才开始，届时会自动启动",
)
STOPPING: Text = (
    (
        "{id} was told to stop {ago}, and its session {session} has not ended yet; until then "
        "it keeps its slot, and every pass looks again: `model-queue tick`"
    ),
    (
        "{id} 已于{ago}被要求停止，但会话 {session} 尚未结束；在此之前它一直占着名额，"
        "每次调度都会再检查：`model-queue tick`"
    ),
)
STOPPING_IN_HOST: Text = (
    (
        "{id} was told to stop {ago}, and the agent runtime has not said that its session "
        "{session} ended; until then it keeps its slot; to tell it: the `on-subagent-exit` hook"
    ),
    (
        "{id} 已于{ago}被要求停止，但智能体运行环境尚未告知会话 {session} 已结束；"
        "在此之前它一直占着名额；告知的方法：`on-subagent-exit` 钩子"
    ),
)
NO_SLOT_ONE: Text = (
    "Queue [{source}] has no free slot: its only one is taken by {ids}",
    "队列 [{source}] 没有空闲名额，唯一的名额已被占用：{ids}",
)
NO_SLOT_MANY: Text = (
    "Queue [{source}] has no free slot: its {n} are taken by {ids}",
    "队列 [{source}] 没有空闲名额，{n} 个名额都已被占用：{ids}",
)
FREE_SLOT: Text = (
    '{text}; it frees by itself when that ends, or by "cancel {first}"',
    "{text}；任务结束后会自动空出，或说：“取消 {first}”",
)
HOLDER: Text = ("{id} ({word})", "{id}（{word}）")
HOLDER_SINCE: Text = ("{id} ({word}, started {ago})", "{id}（{word}，{ago}开始）")
HOLDER_STOPPING: Text = ("{id} (stopping)", "{id}（正在停止）")
BEHIND: Text = (
    '{id} is {nth} in line, behind {ids}; to let it go first: "priority {id} {value}"',
    "{id} 排在第 {n} 位，前面是 {ids}；要让它先运行：“优先级 {id} {value}”",
)
HOST_ONLY: Text = (
    (
        "Only the agent runtime starts sessions of [{source}]: the first in line starts with "
        "its next hook call, or with `model-queue tick --actions`"
    ),
    (
        "[{source}] 的会话只能由智能体运行环境启动：排在最前的任务会在它下次调用钩子时启动，"
        "或用 `model-queue tick --actions` 启动"
    ),
)
HOST_SILENT: Text = (
    (
        "{id} was handed to the agent runtime {ago}, and nothing has been heard of it since; "
        "look whether the runtime carries out the `spawn` actions of the hooks' answers, or "
        'drop it: "cancel {id}"'
    ),
    (
        "{id} 已于{ago}交给智能体运行环境，此后一直没有消息；"
        "请检查运行环境是否执行钩子返回的 `spawn` 动作，或放弃它：“取消 {id}”"
    ),
)

OPEN_RUNNING: Text = (
    "{task} depends on {id}, which is running (started {ago}); it goes on once that is done",
    "{task} 依赖 {id}，后者正在运行（{ago}开始）；完成后会自动继续",
)
OPEN_QUEUED: Text = (
    "{task} depends on {id}, which is {word}; it goes on once that is done",
    "{task} 依赖 {id}，后者{word}；完成后会自动继续",
)
OPEN_PAUSED: Text = (
    '{task} depends on {id}, which is paused; to let that go on: "resume {id}"',
    "{task} 依赖 {id}，后者已暂停；要继续：“恢复 {id}”",
)
OPEN_UNREADABLE: Text = (
    "{task} depends on {id}, which cannot be read as long as its queue stands still",
    "{task} 依赖 {id}，但其队列停止期间无法读取",
)
PARENT_FAILED: Text = (
    '{task} depends on {id}, which failed after {attempts}: {error}; to run that again: "retry {id}"',
    "{task} 依赖 {id}，后者失败，共 {attempts}：{error}；要重新运行：“重试 {id}”",
)
PARENT_SKIPPED: Text = (
    '{task} depends on {id}, which was skipped: {why}; to run that after all: "retry {id}"',
    "{task} 依赖 {id}，后者已跳过：{why}；要运行它：“重试 {id}”",
)
PARENT_CANCELLED: Text = (
    '{task} depends on {id}, which was cancelled; to run that after all: "retry {id}"',
    "{task} 依赖 {id}，后者已取消；要运行它：“重试 {id}”",
)
PARENT_HELD_UP: Text = (
    (
        "{task} depends on {id}, which is blocked by that, and goes on by itself when that is "
        'put right; to run it without: "unblock {id}"'
    ),
    "{task} 依赖 {id}，后者因此阻塞，解决后会自动继续；要不等直接运行：“解除阻塞 {id}”",
)
PARENT_BLOCKED: Text = (
    '{task} depends on {id}, which is blocked: {why}; to let that go on: "unblock {id}"',
    "{task} 依赖 {id}，后者已阻塞：{why}；要继续：“解除阻塞 {id}”",
)
UNKNOWN: Text = (
    '{id} depends on {parent}, which does not exist{nearest}; to run {id} without it: "unblock {id}"',
    "{id} 依赖 {parent}，但它不存在{nearest}；要不依赖它直接运行：“解除阻塞 {id}”",
)
NEAREST: Text = ("; the nearest ids are {ids}", "；最接近的是 {ids}")
CIRCLE: Text = (
    '{path}: these wait for each other; to run one without the others: "unblock {id}"',
    "{path}：这些任务互相等待；要先运行其中一个：“解除阻塞 {id}”",
)
