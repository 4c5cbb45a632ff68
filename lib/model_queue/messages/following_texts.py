"""The sentences of a command that goes on looking."""

from __future__ import annotations

from model_queue.messages.texts import Text

ENDED: Text = (
    "{marker} {id} {word}: {description}{tail}",
    "{marker} {id} {word}：{description}{tail}",
)
STILL_OPEN: Text = (
    "The time is over and {ids} not finished: {states}",
    "时间已到，{ids}尚未结束：{states}",
)
ONE_IS: Text = ("{ids} is", "{ids} ")
SEVERAL_ARE: Text = ("{ids} are", "{ids} ")
STATE: Text = ("{id} {word}", "{id} {word}")
NOT_DONE: Text = (
    'Not done: {states}. To see why: "explain {first}"',
    "未完成：{states}。要了解原因：“explain {first}”",
)
LOG_HEAD: Text = (
    "{id}, attempt {attempt}: {label}",
    "{id}，第 {attempt} 次尝试：{label}",
)
LOG_NONE: Text = (
    "{id} has not been started yet, so that no session has printed anything.",
    "{id} 尚未启动，还没有会话输出。",
)
LOG_EMPTY: Text = ("(its session has printed nothing)", "（它的会话没有输出）")
LOG_EARLIER: Text = (
    "Its attempt {latest} has printed nothing yet; this is attempt {attempt}:",
    "第 {latest} 次尝试还没有输出；以下是第 {attempt} 次尝试：",
)
NO_TERMINAL: Text = (
    "--watch draws on a terminal, and this is none; call status again instead",
    "--watch 只能用于终端；请改为重复执行 status",
)
