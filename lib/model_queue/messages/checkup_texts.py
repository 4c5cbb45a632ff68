"""What ``doctor`` says, English and Chinese side by side.

Data only, as ``texts``; ``checkups`` fills it in. A problem is a clause that begins small,
behind ``error:`` or ``note:``; a hint is a sentence of its own.
"""

from __future__ import annotations

from model_queue.messages.texts import Text

HEAD_SETTINGS: Text = ("Settings", "设置")
HEAD_SOURCES: Text = ("Sources", "模型来源")
HEAD_QUEUES: Text = ("Queues", "队列")
HEAD_PROBLEMS: Text = ("Problems", "问题")
ERROR: Text = ("error: {text}", "错误：{text}")
NOTE: Text = ("note: {text}", "提示：{text}")
NO_PROBLEM: Text = ("No problem found.", "没有发现问题。")
NONE: Text = ("none", "无")

SOURCE_HOST: Text = (
    "is started by your agent runtime",
    "由你的智能体运行环境启动",
)
SOURCE_PROGRAM: Text = ("runs {program}", "运行 {program}")
SOURCE_NO_PROGRAM: Text = ("cannot be started, see below", "无法启动，见下文")
SOURCE_NOT_ASKED: Text = ("was not asked (--offline)", "未探测（--offline）")
SOURCE_ANSWERS: Text = ("answers, and has every model", "有应答，所有模型都在")
SOURCE_LACKS: Text = ("answers, and lacks {models}", "有应答，缺少 {models}")
SOURCE_UNLISTED: Text = (
    "answers, and does not list its models",
    "有应答，但不列出模型",
)
SOURCE_TROUBLE: Text = ("cannot be used now, see below", "目前不可用，见下文")

QUEUES_AT: Text = ("{path} ({kind})", "{path}（{kind}）")
QUEUES_ROOM: Text = ("{kind}, {room} free", "{kind}，剩余 {room}")
QUEUES_NOT_YET: Text = (
    "{path} (made by the first message)",
    "{path}（第一条消息会创建它）",
)
QUEUE_EMPTY: Text = ("empty", "空")
QUEUE_BROKEN: Text = ("stands still, see below", "已停止，见下文")
QUEUE_HELD: Text = ("starts nothing for now", "暂不启动任务")
JOINT: Text = ("; ", "；")
PASS_AT: Text = ("last pass {ago} by {by}", "上一次调度在{ago}，由 {by} 执行")
PASS_NEVER: Text = ("no pass has run yet", "还没有执行过调度")
DUE_AT: Text = ("next due {when}", "下一次到期 {when}")
WAKER_OFF: Text = ("waker off", "唤醒进程已关闭")
WAKER_IDLE: Text = (
    "waker on, nothing to wait for",
    "唤醒进程已开启，目前无需等待",
)
WAKER_WAITS: Text = ("waker waits (pid {pid})", "唤醒进程正在等待（pid {pid}）")
ENTRY_IN: Text = ("heartbeat entry in {path}", "心跳条目在 {path}")
ENTRY_NONE: Text = ("no heartbeat entry", "没有心跳条目")
CRON_IN: Text = ("timer in {place}", "定时任务在 {place}")

PROBLEMS: dict[str, Text] = {
    "not_configured": (
        "no model source is configured yet, so that no task can be queued",
        "还没有配置模型来源，因此无法加入任务",
    ),
    "launcher_missing": (
        (
            "source {source} has launcher {launcher}, which this version cannot start: "
            "its tasks will fail"
        ),
        "来源 {source} 的启动器是 {launcher}，此版本无法启动它：它的任务会失败",
    ),
    "program_missing": (
        (
            "source {source} has the command {program}, which is no program that can "
            "be started: its tasks will fail"
        ),
        "来源 {source} 的命令 {program} 不是可以启动的程序：它的任务会失败",
    ),
    "notifier_missing": (
        (
            "[notify] has the command {program}, which is no program that can be "
            "started: what no chat shows is not told"
        ),
        "[notify] 的命令 {program} 不是可以启动的程序：聊天中看不到的内容将无人告知",
    ),
    "queues_dir": (
        "the queues cannot lie in {path}: {why}",
        "队列不能放在 {path}：{why}",
    ),
    "misplaced": (
        "{why}, so that nothing can be kept there",
        "{why}，因此那里无法保存任何内容",
    ),
    "source_removed": (
        "the queue {source} has a file, but its source is not configured",
        "队列 {source} 有文件，但没有配置它的来源",
    ),
    "corrupt_archive_file": (
        (
            "{path} does not parse at line {line}, column {column} ({why}): its finished "
            "tasks are not found, and those of its month stay in their queue; no queue "
            "stands still for it"
        ),
        (
            "{path} 在第 {line} 行第 {column} 列无法解析（{why}）：找不到其中已完成的任务，"
            "该月的任务留在各自的队列中；队列不会因此停下"
        ),
    ),
    "disk_full": (
        (
            "the disk with {path} has less than 1 MiB of free space: nothing new is "
            "started, and sessions that have ended wait with their reports"
        ),
        (
            "{path} 所在的磁盘剩余空间不足 1 MiB：不会启动新任务，已结束的会话的报告"
            "也要等待"
        ),
    ),
    "notices_undelivered": (
        (
            "{n} notices have not reached anybody: the command of [notify] has not "
            "taken them"
        ),
        "有 {n} 条通知没有送达任何人：[notify] 的命令没有接收它们",
    ),
    "task_taken_out": (
        (
            "{task} was added to {queue} and is in no queue and no archive any more: its "
            "line was taken out of the file, as by saving an older text"
        ),
        (
            "{task} 曾加入 {queue}，但现在不在任何队列和归档中：它的那一行被从文件中"
            "删去了，例如保存了旧内容"
        ),
    ),
    "server_refused": (
        "nothing listens at {endpoint}, where the models of {source} should be",
        "{endpoint} 没有服务在监听，而 {source} 的模型应该在那里",
    ),
    "server_unknown_host": (
        "the host {host} of source {source} has no address",
        "找不到来源 {source} 的主机 {host}",
    ),
    "server_unreachable": (
        "the server of {source} at {endpoint} cannot be reached: {detail}",
        "无法连接 {source} 在 {endpoint} 的服务器：{detail}",
    ),
    "server_silent": (
        "the server of {source} at {endpoint} has not answered within {limit} s",
        "{source} 在 {endpoint} 的服务器 {limit} 秒内没有应答",
    ),
    "server_tls": (
        "no safe connection to the server of {source} at {endpoint}: {detail}",
        "无法与 {source} 在 {endpoint} 的服务器建立安全连接：{detail}",
    ),
    "key_refused": (
        "the server of {source} refuses the key in {variable} (status {detail})",
        "{source} 的服务器拒绝了 {variable} 中的密钥（状态码 {detail}）",
    ),
    "key_missing": (
        "the server of {source} asks for a key, and {missing}",
        "{source} 的服务器要求密钥，但{missing}",
    ),
    "server_page": (
        "{endpoint} of source {source} answers, but not as a model server does",
        "来源 {source} 的 {endpoint} 有应答，但不是模型服务器的应答",
    ),
    "server_moved": (
        "the server of {source} at {endpoint} sends every request on{detail}",
        "{source} 在 {endpoint} 的服务器会转发所有请求{detail}",
    ),
    "server_status": (
        "the server of {source} at {endpoint} answers with status {detail}",
        "{source} 在 {endpoint} 的服务器返回状态码 {detail}",
    ),
    "model_missing": (
        "the server of {source} does not have {models}: such tasks will fail",
        "{source} 的服务器没有 {models}：相应的任务会失败",
    ),
    "no_pass": (
        "{tasks} could run, and nothing has run a pass for {span}",
        "有 {tasks}可以运行，但已经 {span}没有执行过调度",
    ),
    "waker_missing": (
        "a pass has been due for {span}, and the waker is not there",
        "有一次调度已逾期 {span}，但唤醒进程不在",
    ),
    "session_unsettled": (
        "the session of {task} has ended, and nobody has taken its result yet",
        "{task} 的会话已结束，但还没有人取走结果",
    ),
    "session_gone": (
        "{task} counts as running, and its session is gone without a word",
        "{task} 标记为运行中，但它的会话已无声无息地消失",
    ),
    "claim_without_session": (
        "{task} counts as running, and no session of it was ever started here",
        "{task} 标记为运行中，但这里从未启动过它的会话",
    ),
    "spawn_unanswered": (
        "{task} was handed to your agent runtime, which has not started it",
        "{task} 已交给你的智能体运行环境，但它还没有启动",
    ),
    "session_stray": (
        "the session {label} still runs{pid}, though no task holds it",
        "会话 {label} 仍在运行{pid}，但没有任务持有它",
    ),
    "permissions": (
        "others can read what should be yours alone: {paths}",
        "其他用户可以读取本应只属于你的内容：{paths}",
    ),
    "not_usable": (
        "this user cannot read and write {paths}",
        "当前用户不能读写 {paths}",
    ),
    "litter": (
        "{n} temporary files of writers that were killed lie in {path}",
        "{path} 中有 {n} 个被终止的写入者留下的临时文件",
    ),
    "network_folder": (
        (
            "the queues lie on a network file system ({kind}): two machines that work on "
            "them do not see each other's locks, and tasks may run twice"
        ),
        (
            "队列位于网络文件系统（{kind}）：两台机器同时使用时看不到对方的锁，"
            "任务可能运行两次"
        ),
    ),
    "synced_folder": (
        (
            "the queues lie in {name}, which another program keeps in step with a server: "
            "it may put older files back, and double files that two machines wrote"
        ),
        (
            "队列位于 {name}，另一个程序会把它与服务器同步：它可能放回旧文件，"
            "也可能复制两台机器都写过的文件"
        ),
    ),
    "clock_set_back": (
        "{what} is stamped {span} ahead of this machine's clock: it was set back since",
        "{what} 的时间戳比本机时钟快 {span}：时钟后来被调回过",
    ),
    "disk_low": (
        "the disk with {path} has only {room} of free space left",
        "{path} 所在的磁盘只剩 {room} 可用空间",
    ),
    "lock_held": (
        (
            "another process{holder} holds the lock of the queues, so that nothing else "
            "can look at them"
        ),
        "另一个进程{holder}持有队列的锁，其他进程都无法查看",
    ),
}
"""By the problem's code."""

HINTS: dict[str, Text] = {
    "not_configured": (
        (
            "Run `model-queue init`: it looks for models and shows the lines to add, such "
            "as MODEL_SOURCE_OLLAMA_LOCAL=ollama/qwen2.5."
        ),
        (
            "请运行 `model-queue init`：它会查找模型并给出要加入的内容，例如 "
            "MODEL_SOURCE_OLLAMA_LOCAL=ollama/qwen2.5。"
        ),
    ),
    "misplaced": ("Move it away.", "请把它移走。"),
    "misplaced_closed": (
        "Let this user write there: `{command}`.",
        "请让当前用户可以写入：`{command}`。",
    ),
    "source_removed": (
        "Its tasks stay where they are and do not run.",
        "它的任务留在原处，不会运行。",
    ),
    "corrupt_archive_file": (
        "Mend the file; it is never written over, and no copy of it is kept.",
        "请修复该文件；它不会被覆盖，也没有保留副本。",
    ),
    "disk_full": (
        "Free some space; everything goes on by itself then.",
        "请腾出空间，之后一切会自动继续。",
    ),
    "notices_undelivered": (
        (
            "Run it by hand with a text on its standard input; it must end with 0. The "
            "notices are offered again by themselves, or shown by `model-queue tick` to "
            "the chat that they are for."
        ),
        (
            "请手动运行它，并在标准输入中给出文字；退出码必须为 0。通知会自动再次发送，"
            "也会由 `model-queue tick` 显示给对应的聊天。"
        ),
    ),
    "task_taken_out": (
        "Ask for the work again if it was not meant.{kept}",
        "如果不是有意删除，请重新提交。{kept}",
    ),
    "launcher_missing": (
        (
            "It has the launchers {have}; set launcher under [sources.{source}] in "
            "task-queue.toml."
        ),
        (
            "它有启动器 {have}；请在 task-queue.toml 的 [sources.{source}] 中设置 "
            "launcher。"
        ),
    ),
    "program_missing": (
        (
            "Install it, make it executable, or write its absolute path into command "
            "under [sources.{source}] in task-queue.toml."
        ),
        (
            "请安装它、使其可执行，或在 task-queue.toml 的 [sources.{source}] 的 "
            "command 中写出绝对路径。"
        ),
    ),
    "notifier_missing": (
        "Install it, make it executable, or write its absolute path there.",
        "请安装它、使其可执行，或在那里写出绝对路径。",
    ),
    "queues_dir": (
        "Mend that, or set MODEL_QUEUES_DIR to another directory.",
        "请修复它，或把 MODEL_QUEUES_DIR 设为另一个目录。",
    ),
    "server_refused": (
        (
            "Start that server, or correct endpoint under [sources.{source}] in "
            "task-queue.toml."
        ),
        "请启动该服务器，或在 task-queue.toml 的 [sources.{source}] 中更正 endpoint。",
    ),
    "server_refused_ollama": (
        "Start it: `ollama serve`.",
        "请启动它：`ollama serve`。",
    ),
    "server_refused_remote": (
        (
            "Start it on {host}: `OLLAMA_HOST=0.0.0.0 ollama serve`, so that it listens "
            "to other machines."
        ),
        "请在 {host} 上启动它：`OLLAMA_HOST=0.0.0.0 ollama serve`，使其他机器也能访问。",
    ),
    "server_unknown_host": (
        (
            "Correct endpoint under [sources.{source}] in task-queue.toml, or OLLAMA_HOST; "
            "or see whether this machine is on the right network."
        ),
        (
            "请更正 task-queue.toml 的 [sources.{source}] 中的 endpoint 或 OLLAMA_HOST；"
            "或检查本机是否在正确的网络中。"
        ),
    ),
    "server_unreachable": (
        "See whether the machine is on, and whether this one is on its network.",
        "请检查那台机器是否开机，本机是否与它在同一网络。",
    ),
    "server_silent": (
        "It may be busy, or a firewall may be in between: try `curl {endpoint}/models`.",
        "它可能正忙，或中间有防火墙：请试试 `curl {endpoint}/models`。",
    ),
    "server_tls": (
        (
            "See whether endpoint should begin with http://; an authority of your own is "
            "named by SSL_CERT_FILE."
        ),
        "请检查 endpoint 是否应以 http:// 开头；自建的证书颁发机构用 SSL_CERT_FILE 指定。",
    ),
    "key_refused": (
        "Put a valid key into {variable}, where the agent and its hooks see it.",
        "请把有效的密钥放入 {variable}，并确保智能体及其钩子能看到它。",
    ),
    "key_missing": (
        (
            "Set api_key_env under [sources.{source}] in task-queue.toml to a variable's "
            "name, and the variable to the key, where the agent and its hooks see it."
        ),
        (
            "请在 task-queue.toml 的 [sources.{source}] 中用 api_key_env 指定变量名，"
            "并把密钥放入该变量，确保智能体及其钩子能看到它。"
        ),
    ),
    "key_not_set": (
        "Put the key into {variable}, where the agent and its hooks see it.",
        "请把密钥放入 {variable}，并确保智能体及其钩子能看到它。",
    ),
    "server_page": (
        (
            "Set endpoint under [sources.{source}] to the base URL of its API; most end "
            "with /v1."
        ),
        "请把 [sources.{source}] 的 endpoint 设为其 API 的基础 URL，通常以 /v1 结尾。",
    ),
    "server_moved": (
        "Write that address into endpoint under [sources.{source}].",
        "请把那个地址写入 [sources.{source}] 的 endpoint。",
    ),
    "server_status_404": (
        (
            "Most endpoints end with /v1. Nothing is to be done where tasks run: some "
            "servers list no models."
        ),
        "多数 endpoint 以 /v1 结尾。如果任务可以运行，则无需处理：有些服务器不列出模型。",
    ),
    "server_status": (
        "Look into the server's own log; correct endpoint if it is not that server.",
        "请查看该服务器自己的日志；如果不是这台服务器，请更正 endpoint。",
    ),
    "model_missing": (
        (
            "Correct {variable}, or map it by model_names under [sources.{source}]. "
            "The server has {has}."
        ),
        (
            "请更正 {variable}，或在 [sources.{source}] 中用 model_names 映射。"
            "该服务器有 {has}。"
        ),
    ),
    "model_missing_ollama": ("Run {pulls} there.", "请在那里运行 {pulls}。"),
    "model_missing_like": (
        "Run {pulls} there, or write what it has into {variable}: {has}.",
        "请在那里运行 {pulls}，或把它已有的写入 {variable}：{has}。",
    ),
    "no_pass": (
        (
            "Run `model-queue tick` now. Something must do so from time to time: a "
            "heartbeat or a cron job of your agent runtime, or a crontab line "
            "`*/15 * * * * model-queue tick`."
        ),
        (
            "请现在运行 `model-queue tick`。之后需要有定时触发：智能体运行环境的心跳或"
            "定时任务，或一行 crontab：`*/15 * * * * model-queue tick`。"
        ),
    ),
    "waker_missing": (
        "`model-queue tick` runs the pass and starts it again.",
        "`model-queue tick` 会执行调度并重新启动它。",
    ),
    "session_unsettled": (
        "`model-queue tick` takes it.",
        "`model-queue tick` 会取走它。",
    ),
    "session_gone": (
        "`model-queue tick` counts it as lost and runs the task again.",
        "`model-queue tick` 会把它记为丢失，并重新运行任务。",
    ),
    "claim_without_session": (
        "`model-queue tick` counts it as lost and runs the task again.",
        "`model-queue tick` 会把它记为丢失，并重新运行任务。",
    ),
    "spawn_unanswered": (
        (
            "The next call of a hook hands it over again; `model-queue fail {task} "
            '--error "not started"` gives it up.'
        ),
        (
            "下一次钩子调用会再次交出它；`model-queue fail {task} "
            '--error "not started"` 则放弃它。'
        ),
    ),
    "session_stray": (
        "It ends by itself with its time limit; what it reports is kept beside.",
        "它会在时限到达时自行结束；它的报告会另行保存。",
    ),
    "permissions": ("Run `{command}`.", "请运行 `{command}`。"),
    "not_usable": ("Run `{command}`.", "请运行 `{command}`。"),
    "litter": (
        "The next message removes those that are older than ten minutes.",
        "下一条消息会清除其中超过十分钟的文件。",
    ),
    "network_folder": (
        "Set MODEL_QUEUES_DIR to a directory on a disk of this machine.",
        "请把 MODEL_QUEUES_DIR 设为本机磁盘上的目录。",
    ),
    "synced_folder": (
        "Set MODEL_QUEUES_DIR to a directory outside of it.",
        "请把 MODEL_QUEUES_DIR 设为它之外的目录。",
    ),
    "clock_set_back": (
        "Nothing is to be done if the clock is right now: the next pass reckons anew.",
        "如果现在时钟正确，则无需处理：下一次调度会重新计算。",
    ),
    "disk_low": (
        "Free some space before it is full: below 1 MiB nothing new is started.",
        "请在用完之前腾出空间：低于 1 MiB 时不会再启动新任务。",
    ),
    "lock_held": (
        (
            "It lets go when it ends. One that hangs can be ended: `kill {pid}`; nothing is "
            "lost by that."
        ),
        "它结束时会释放锁。如果它卡住了，可以结束它：`kill {pid}`，不会丢失任何内容。",
    ),
    "lock_held_unknown": (
        "It lets go when it ends; repeat the call then.",
        "它结束时会释放锁；届时请重试。",
    ),
}
"""By the problem's code, with a suffix where one code has several remedies."""

NO_FILE: Text = ("{path} is no file", "{path} 不是文件")
REPORT_KEPT: Text = (" Its report is {path}.", "它的报告是 {path}。")
NO_DIRECTORY: Text = ("{path} is no directory", "{path} 不是目录")
NOT_WRITABLE: Text = ("{path} cannot be written", "{path} 无法写入")
KEY_NOT_NAMED: Text = ("none is configured", "没有配置密钥")
KEY_NOT_SET: Text = ("{variable} is not set", "{variable} 没有设置")
MOVED_TO: Text = (" to {address}", "到 {address}")
PID: Text = (" (pid {pid})", "（pid {pid}）")
HOLDER: Text = (" ({name}, pid {pid})", "（{name}，pid {pid}）")
AND_MORE: Text = (" and {n} more", " 等另外 {n} 个")
CLOCK_PASS: Text = ("the last pass", "上一次调度")
