"""Questions about the queue itself: "what can you do?", "which models are there?"."""

from __future__ import annotations

from model_queue.intake.lexicon import Lazy
from model_queue.intake.values import Topic

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
_MODELS = Lazy(
    r"(?:hi|hello|hey|ok|so|please|pls)?[ ,!]{0,2}(?:"
    r"(?:list|show|show me|tell me|give me|see)(?: me)?(?: the| all| all the| your| my| available| possible){0,2} "
    r"(?:models?|sources)(?: list)?(?: and (?:models|sources|queues))?|(?:available )?models|"
    r"(?:what|which)(?: kinds? of)? (?:models|sources|llms)(?: and (?:models|sources))?(?: (?:are|do|can|could|is) "
    r"(?:there|you|i|we)(?: (?:have|use|know|choose|pick|select|support|offer|run))?(?: from)?|"
    r" are (?:available|configured|possible|supported))?(?: here)?"
    r"|(?:有|支持|可以用|能用|可用的?)(?:哪些|什么)?(?:模型|来源)(?:有哪些)?|(?:哪些|什么)(?:模型|来源)(?:可以用|能用|可用)|"
    r"(?:查看|列出|看看)(?:所有|全部)?(?:可用的?)?(?:模型|来源)(?:列表)?"
    r")[ .?!。~]*"
)
_OVER = r"(?:failed|finished|done|completed|complete|old|cancelled|canceled|skipped)"
_ARCHIVE = Lazy(
    r"(?:(?:please|pls|ok|now|can you|could you)[ ,]{1,2}){0,2}(?:"
    r"(?:clear|remove|delete|archive|clean up|clean out|purge|hide|drop|get rid of)(?: (?:all|the|my|our|of|any|every)){0,3} "
    rf"{_OVER}(?:(?: and| or|,) {_OVER}){{0,3}}(?: (?:tasks?|jobs?|ones|items|stuff))?(?: (?:from|in) the (?:list|queue|table))?"
    r"|archive(?: (?:it|them|everything|all|all tasks|(?:(?:the )?(?:tasks?|jobs?) )?#?t?-?\d{1,7}))?"
    r"|(?:清除|清理|删除|归档|清掉|移除)(?:所有|全部)?(?:的)?(?:已)?(?:失败|完成|做完|取消|跳过|结束)(?:了)?(?:的)?(?:任务)?"
    r")(?: please| pls| now)?[ .?!。~]*"
)
_HINTS = ("help", "command", "usage", "what", "how", *"能会帮命怎如使")
"""Of which one stands in such a question; else there is nothing to compile."""
_OVER_HINTS = (
    *"clear remove delete archive clean purge hide drop rid 清 删除 归档 移除".split(),  # noqa: SIM905 - reads as words
)
_MODEL_HINTS = ("model", "source", "llm", "模型", "来源")


def topic_of(text: str) -> Topic:
    """Return what a normalised message asks about the queue itself, "" for others. Pure."""
    words = text.strip()
    if words and len(words) <= _SHORT and not words.strip("?"):
        return "help"
    if len(words) > _LONGEST:
        return ""
    if any(hint in words for hint in _HINTS) and _ASKS.compiled.fullmatch(words):
        return "help"
    if any(hint in words for hint in _MODEL_HINTS) and _MODELS.compiled.fullmatch(
        words
    ):
        return "models"
    if any(hint in words for hint in _OVER_HINTS) and _ARCHIVE.compiled.fullmatch(
        words
    ):
        return "archive"
    return ""
