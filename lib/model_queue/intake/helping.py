"""Questions about what can be said here: "help", "what can you do?", 帮助."""

from __future__ import annotations

from model_queue.intake.lexicon import Lazy

_LONGEST = 80
"""Characters of such a question."""
_SHORT = 3
"""Question marks that are a whole message."""
_VERBS = (
    r"(?:add|queue|cancel|stop|retry|rerun|repeat|skip|pause|resume|unblock|undo|clear|see|show|list|check|"
    r"schedule|prioriti[sz]e|edit|change|delete|remove|use)"
)
_ASKS = Lazy(
    r"(?:hi|hello|hey|ok|so|please|pls)?[ ,!]{0,2}(?:"
    r"/?help(?: me)?(?: please| pls)?|/?commands?|usage|(?:list|show)(?: me)?(?: the| all| your)? (?:commands|help)|"
    r"what (?:can|could) (?:you|i|we|this|it)(?: all)? (?:do|say|ask|type|tell you|write)(?: here| for me| with (?:this|it))?|"
    r"what (?:commands|words)(?: are there| can i (?:use|say|give)| do you (?:know|have|understand))|"
    r"how (?:does|do) (?:this|it|the (?:task |model )?queue|you) work|what are you for|"
    rf"how (?:do|can|would|should) (?:i|we|you|one) {_VERBS}\b[^.!?]{{0,30}}?(?:tasks?|jobs?|queues?|#?t-?\d{{1,7}})|how (?:do|can|would|should) (?:i|we|you|one) use (?:this|it|you)"
    r"|(?:你)?(?:能|可以|会)(?:帮我)?(?:做|干)(?:些)?(?:什么|啥)|帮助|使用说明|(?:有|支持)(?:哪些|什么)命令|(?:这个|这)?怎么(?:使?用)|"
    r"(?:怎么|如何|怎样)(?:取消|重试|跳过|暂停|恢复|添加|加|查看|撤销|清空)(?:一个|一下)?(?:任务|队列)"
    r")[ .?!。~]*"
)
_HINTS = ("help", "command", "usage", "what", "how", *"能会帮命怎如使")
"""Of which one stands in such a question; else there is nothing to compile."""


def asks_help(text: str) -> bool:
    """Report whether a normalised message asks what can be said. Pure."""
    words = text.strip()
    if words and len(words) <= _SHORT and not words.strip("?"):
        return True
    if len(words) > _LONGEST or not any(hint in words for hint in _HINTS):
        return False
    return _ASKS.compiled.fullmatch(words) is not None
