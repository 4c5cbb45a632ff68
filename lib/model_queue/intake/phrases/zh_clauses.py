"""What tells Chinese clauses apart that no table of phrases can: the order of words."""

from __future__ import annotations

from model_queue.intake.lexicon import Lazy

ASKS = Lazy(
    r"[吗么呢咋]|为什么|为啥|为何|怎么|没有|了没|多少|多久|几|哪|什么|如何|进度|状态|情况|进展|结果|详情|看|查|显示|"
    r"是不是|是否|报告|日志|输出|原因"
)
ASKS_WHETHER = Lazy(
    r"了[^,。?!]{0,16}(?<![好行以成])(?:吗|么|没|没有)[?!。 ]*\Z|是不是|有没有|是否|"
    r"(?:被|已经|已|早就)(?:取消|跳过|暂停|挂起|恢复|重试|重跑|清空|撤销|放弃|删)"
)
"""Asks whether something has been done, which must not do it: T-003 取消了吗."""
ALONE = Lazy(
    r"(?:请|麻烦|帮我|那就|那|就|都){0,2}(?P<verb>[\u4e00-\u9fff]{2,8}?)(?:吧|了吧|了|掉|啊|呀|谢谢){0,2}[ .!~。\n]*\Z"
)
NO_THANKS = Lazy(r"算了|不用|不要|不需要|别|pass")
"""What ends a conversation rather than a task where no task is named."""
RERUN = Lazy(
    r"跑|重做|重来|再来|再做|重新?启动|(?:重新|再).{0,2}(?:运行|执行|来|做|处理|开始|弄|提交|排队)"
)
"""Once more, whatever came of it; 重试 is for what has failed."""
