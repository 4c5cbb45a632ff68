"""What is said when a message cannot be carried out as it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from model_queue.errors import (
    ConfigError,
    CorruptQueueFile,
    Earlier,
    ModelQueueError,
    TaskRefError,
    UnknownModel,
    UnknownSource,
    UnsettledFile,
    UnusableQueueFile,
)
from model_queue.messages import texts
from model_queue.messages.wording import (
    counted,
    is_chinese,
    listed,
    one_line,
    say,
    told,
)
from model_queue.model import Status, Task


def ask_source(sources: Sequence[str], *, task_text: str = "", lang: str = "en") -> str:
    """Ask which model or source is meant when the message names none.

    ``task_text`` is the task in question, when the message holds several.
    Source: seed 003 Step 3.
    """
    return _question(say(texts.ASK_SOURCE, lang), sources, task_text, lang)


def ask_work(name: str, *, lang: str = "en") -> str:
    """Ask what the model or source is to do that a message names without any work."""
    return say(texts.ASK_WORK, lang, name=one_line(name))


def ask_model(
    name: str,
    candidates: Sequence[str],
    *,
    is_known: bool = True,
    task_text: str = "",
    lang: str = "en",
) -> str:
    """Ask which model is meant by a name that fits several.

    With ``is_known`` False no source has such a model, and ``candidates`` are what
    could be used instead.
    """
    text = texts.ASK_MODEL_SEVERAL if is_known else texts.ASK_MODEL_UNKNOWN
    question = say(text, lang, name=one_line(name)) + say(texts.ASK_SOURCE, lang)
    return _question(question, candidates, task_text, lang)


def ask_dependency(
    ids: Sequence[str] = (), *, task_text: str = "", lang: str = "en"
) -> str:
    """Ask for the previous task that the message only points at. Source: seed 003 Step 4."""
    return _question(say(texts.ASK_DEPENDENCY, lang), ids, task_text, lang)


def ask_date(seen: str, *, task_text: str = "", lang: str = "en") -> str:
    """Ask for a start time that cannot be read."""
    question = say(texts.ASK_DATE, lang, seen=one_line(seen))
    return _question(question, (), task_text, lang)


def ask_target(command: str, choices: Sequence[str] = (), *, lang: str = "en") -> str:
    """Ask which task a command is for; ``choices`` are those that it could act on."""
    question = say(texts.ASK_TARGET, lang, verb=_verb(command, lang))
    return "\n".join([question, *numbered(choices)])


def numbered(choices: Sequence[str]) -> list[str]:
    """Return the choices of a question as its lines."""
    return [f"{n}. {choice}" for n, choice in enumerate(choices, start=1)]


def choice(task: Task, *, lang: str = "en") -> str:
    """Return a task as a choice: its id up to the first blank, then its text."""
    return say(texts.CHOICE, lang, id=task.id, description=one_line(task.description))


def order_of(command: str, ids: Sequence[str], *, lang: str = "en") -> str:
    """Return the words that give a command on tasks: ``cancel T-001, T-002``."""
    return f"{_verb(command, lang)} {listed(ids, lang=lang)}"


def no_such_choice(number: int, question: str, *, lang: str = "en") -> str:
    """Say that no choice has the number, and ask again."""
    return f"{say(texts.NO_SUCH_CHOICE, lang, n=number)}\n{question}"


def question_dropped(*, lang: str = "en") -> str:
    """Confirm that what was asked about is not done."""
    return say(texts.QUESTION_DROPPED, lang)


def no_question(*, lang: str = "en") -> str:
    """Say that a bare number answers nothing."""
    return say(texts.NO_QUESTION, lang)


def ask_rerun(task: Task, *, lang: str = "en") -> str:
    """Ask whether a done task shall run again. Source: SPEC 2.3."""
    return say(texts.ASK_RERUN, lang, id=task.id)


def ask_stop(ids: Sequence[str], *, say_this: str, lang: str = "en") -> str:
    """Ask before a command that would stop several running sessions.

    ``say_this`` are the words that carry it out.
    """
    tasks = counted(len(ids), texts.ONE_TASK, texts.MANY_TASKS, lang=lang)
    shown = listed(ids, lang=lang)
    return say(texts.ASK_STOP, lang, tasks=tasks, ids=shown, say=say_this)


def not_configured(*, path: str = "TOOLS.md", lang: str = "en") -> str:
    """Say that no source is configured, with the lines to add. Source: SPEC 1."""
    return f"{say(texts.NOT_CONFIGURED, lang, path=path)}\n\n{texts.CONFIGURATION}"


def nothing_to(command: str, *, lang: str = "en") -> str:
    """Say that a command found nothing to act on."""
    return say(texts.NOTHING_TO, lang, verb=_verb(command, lang))


def no_task(*, lang: str = "en") -> str:
    """Say that a message holds neither a task nor a command, and what does."""
    return f"{say(texts.NO_TASK_IN_MESSAGE, lang)}\n{say(texts.HELP, lang)}"


def unknown_command(seen: str, *, lang: str = "en") -> str:
    """Say that a command is not known, and which are."""
    head = say(texts.UNKNOWN_COMMAND, lang, seen=one_line(seen))
    return f"{head}\n{say(texts.HELP, lang)}"


def refused(error: ModelQueueError, *, lang: str = "en") -> str:
    """Say why something was refused, and what to do instead.

    English is the error's own sentence; Chinese goes by its code and falls back on the
    sentence. A hint stands on a line of its own.
    """
    sentence, hint = explained(error, lang=lang)
    is_translated = sentence != str(error)
    stop = texts.FULL_STOP[1 if is_translated else 0]
    # The name of a setting keeps its spelling.
    is_setting = isinstance(error, ConfigError) and sentence.startswith(error.key)
    if not is_translated and not is_setting:
        sentence = _capitalized(sentence)
    text = f"⚠️ {sentence}{stop}"
    return f"{text}\n{_capitalized(hint)}" if hint else text


def explained(error: ModelQueueError, *, lang: str = "en") -> tuple[str, str]:
    """Return an error's sentence without its full stop, and its hint, "" without one."""
    return _in_chinese(error) if is_chinese(lang) else (str(error), error.hint)


def _question(question: str, choices: Sequence[str], task_text: str, lang: str) -> str:
    lines = [question]
    if task_text:
        lines.append(say(texts.ASK_TASK, lang, description=one_line(task_text)))
    lines += numbered(choices)
    lines.append(say(texts.ANSWER_CHOICE if choices else texts.ANSWER_OPEN, lang))
    return "\n".join(lines)


def _verb(command: str, lang: str) -> str:
    return say(texts.VERBS.get(command, (command, command)), lang)


def _capitalized(sentence: str) -> str:
    """Begin with a capital, unless the first word is an id, a path or a command."""
    is_word = sentence.partition(" ")[0].isalpha()
    return sentence[0].upper() + sentence[1:] if is_word else sentence


def _in_chinese(error: ModelQueueError) -> tuple[str, str]:
    """Return sentence and hint by the error's code, else by their English."""
    facts = {name: _fact(name, value) for name, value in vars(error).items()}
    sentence = texts.CHINESE_REFUSALS.get(_variant(error), "").format(**facts)
    if sentence and facts.get("nearest"):
        sentence += texts.CHINESE_NEAREST.format(**facts)
    sentence = sentence or told(str(error), lang="zh", columns=_SENTENCE_COLUMNS)
    hint = texts.CHINESE_HINTS.get(_hint_variant(error), "") if error.hint else ""
    return sentence, hint.format(**facts) or told(
        error.hint, lang="zh", columns=_SENTENCE_COLUMNS
    )


def _variant(error: ModelQueueError) -> str:
    """Return the code, told apart where one class builds two sentences."""
    if isinstance(error, TaskRefError) and error.candidates:
        return f"{error.code}_several"
    if isinstance(error, UnknownSource | UnknownModel) and not error.allowed.startswith(
        _ONE_OF
    ):
        return f"{error.code}_none"
    return error.code


def _hint_variant(error: ModelQueueError) -> str:
    """Return the code, told apart by which texts of a queue file parse."""
    if isinstance(error, UnsettledFile):
        texts_there = {"edit": error.edit, "commit": error.commit}
        there = [name for name, earlier in texts_there.items() if earlier]
        suffix = "_none" if not there else f"_{there[0]}"
        return error.code if len(there) == len(texts_there) else error.code + suffix
    if isinstance(error, CorruptQueueFile | UnusableQueueFile) and not error.earlier:
        return f"{error.code}_none"
    return error.code


def _fact(name: str, value: object) -> str:
    """Return an error's attribute as Chinese text."""
    if isinstance(value, Earlier):
        n_tasks, n_open = value.n_tasks, value.n_open
        return f"{n_tasks} 个任务（{n_open} 个未完成），截至 {value.moment}"
    if isinstance(value, tuple):
        ids = cast("tuple[object, ...]", value)
        return (" → " if name == "path" else "、").join(map(str, ids))
    text = told(str(value), lang="zh") if name == "why" else str(value)
    if name == "status" and text in list(Status):
        return texts.STATUS_WORDS[Status(text)][1]
    if name == "event":
        return texts.VERBS.get(text, (text, text))[1]
    is_list = name == "allowed" and text.startswith(_ONE_OF)
    return text.removeprefix(_ONE_OF).replace(", ", "、") if is_list else text


_SENTENCE_COLUMNS = 4_000
"""A refusal is told whole: it may name a long path, or many names."""
_ONE_OF = "one of "
"""How the errors begin a list of what would do."""
