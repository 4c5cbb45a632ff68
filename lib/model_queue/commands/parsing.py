"""What `parse` shows of a message: what it would do, and why."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from model_queue.commands.call import Reply
from model_queue.intake.values import Command, Parsed, ParsedTask, Why
from model_queue.model import JsonObject, JsonValue

_SPLITS: Mapping[str, str] = {
    "message": "where the request begins",
    "item": "{phrase} begins an item of the list",
    "line": "a line below a heading that announces tasks",
    "clause": "a clause behind a heading that announces several",
    "link": "{phrase} begins another request",
    "arrow": "an arrow leads to another request",
    "behind": "{phrase} is another request, behind the one before",
    "turn": "the next request is for another model",
}
_SAYS: Mapping[str, str] = {
    "phrase": "{phrase} says so",
    "heading": "{phrase} holds for all tasks",
    "position": "{phrase} is given to it by its place",
    "order": "{phrase} puts the tasks in order",
    "default": "no words choose one",
}
_NAMES: Mapping[str, str] = {
    "split": "split",
    "trigger": "trigger",
    "model": "model",
    "depends_on": "depends on",
    "not_before": "starts",
    "priority": "priority",
    "on_depends_fail": "on failure",
}


def described(corpus: JsonObject) -> str:
    """Return the corpus form as lines for a person."""
    lines = [f"mode: {corpus.get('mode')}"]
    tasks = corpus.get("tasks")
    for number, task in enumerate(tasks if isinstance(tasks, list) else []):
        if isinstance(task, dict):
            lines.append(f"task {number}: {task.get('text')}")
            lines += [
                f"  {name}: {json.dumps(value, ensure_ascii=False)}"
                for name, value in task.items()
                if name != "text" and value not in (None, [], "block", 0)
            ]
    if corpus.get("control"):
        lines.append(f"control: {json.dumps(corpus['control'], ensure_ascii=False)}")
    return "\n".join(lines)


def explained(parsed: Parsed, corpus: JsonObject) -> Reply:
    """Return the corpus form with the reasons: ``why`` of each task in the payload."""
    tasks = corpus.get("tasks")
    rows = tasks if isinstance(tasks, list) else []
    lines = [f"mode: {parsed.mode}"]
    if not parsed.tasks and not parsed.commands:
        lines.append("nothing in it is work or a command for the queue")
    for number, (task, row) in enumerate(zip(parsed.tasks, rows, strict=True)):
        lines += [f"task {number}: {task.text}", *map(_line_of(task), task.why)]
        if isinstance(row, dict):
            row["why"] = [_object_of(why) for why in task.why]
    lines += [f"command: {_command_words(command)}" for command in parsed.commands]
    return Reply(text="\n".join(lines), payload=corpus)


def _object_of(why: Why) -> JsonValue:
    return {"what": why.what, "how": why.how, "phrase": why.phrase}


def _line_of(task: ParsedTask) -> Callable[[Why], str]:
    values = {
        "model": task.model or task.queue or f"to be asked ({task.ask})",
        "depends_on": ", ".join(map(str, task.depends_on)) or "nothing before it",
        "not_before": task.not_before_text or "",
        "priority": str(task.priority),
        "on_depends_fail": task.on_depends_fail,
    }

    def line(why: Why) -> str:
        texts = _SPLITS if why.what == "split" else _SAYS
        phrase = json.dumps(why.phrase, ensure_ascii=False)
        reason = texts[why.how].format(phrase=phrase if why.phrase else "a sentence")
        value = values.get(why.what)
        shown = f"{value}: " if value else ""
        return f"  {_NAMES[why.what]}: {shown}{reason}"

    return line


def _command_words(command: Command) -> str:
    target = " ".join(command.ids) or command.queue or ("all" if command.all else "")
    value = "" if command.value is None else f" to {command.value}"
    return f"{command.verb or command.command} {target}{value}".strip()
