"""A chat message becomes tasks and commands: the stages of the intake, in order."""

from __future__ import annotations

import datetime as dt

from model_queue.intake import ambient, helping, marks, pieces
from model_queue.intake.assignment import Assignment, places
from model_queue.intake.context import Context
from model_queue.intake.findings import Findings, Piece
from model_queue.intake.marks import Marks
from model_queue.intake.names import Names, Ref
from model_queue.intake.normalize import Normal, compressed, normalize
from model_queue.intake.phrases import Phrases, phrases_of
from model_queue.intake.protect import MASK, protect
from model_queue.intake.values import (
    Ask,
    Catalog,
    Command,
    Mode,
    Parsed,
    ParsedTask,
    Scope,
)


def parse(
    message: str,
    *,
    catalog: Catalog,
    scope: Scope = "addressed",
    now: dt.datetime,
    zone: dt.tzinfo,
    explains: bool = False,
) -> Parsed:
    """Read a chat message. Pure, never raises, linear in the message's length.

    - ``addressed``: every request in it is work. ``ambient``: only an explicit trigger,
      a selection for a piece of work or a command with a queue target is taken; all
      else has mode ``none``.
    - Each task's text is a verbatim part of the message; protected material in it
      (code, quotations, pasted text) is never scanned.
    - Whether an id exists, or a task depends on itself, is not looked at.
    - ``explains``: each task says why it is as it is.

    Source: SPEC 3; intake-guide.md, ambient-guide.md.
    """
    normal = normalize(message)
    language = language_of(normal.text)
    if scope == "ambient" and not ambient.may_be_ours(normal.text, catalog):
        return Parsed(mode="none", language=language)
    prefix = ambient.prefix_end(normal.text)
    triggers = tuple(normalize(words).text for words in catalog.triggers)
    phrases = phrases_of(normal.text, triggers)
    names = _names(catalog, phrases)
    text = " " * prefix + protect(normal.text[prefix:], phrases)
    normal, text = compressed(normal, text, MASK)
    asked = helping.topic_of(text) if prefix or scope == "addressed" else ""
    if asked:
        return Parsed(mode="none", topic=asked, language=language)
    ctx = Context(names=names, phrases=phrases, now=now, zone=zone)
    if scope == "ambient":
        found = ambient.find(text, ctx, prefix=prefix)
    else:
        found = pieces.find(text, prefix, len(text), ctx)
    if found is None:
        return Parsed(mode="none", language=language)
    tasks = _Builder(normal, text, found, ctx).tasks(explains=explains)
    mode = _mode(tasks, found.commands)
    return Parsed(
        mode=mode,
        tasks=tasks,
        commands=merged(found.commands),
        chosen=_chosen(found) if mode == "none" and scope == "addressed" else "",
        topic=found.topic if scope == "addressed" else "",
        language=language,
    )


def _names(catalog: Catalog, phrases: Phrases) -> Names:
    """Return the names of a catalog, prepared once for the messages of a process."""
    for known in _prepared:
        if known[0] is catalog and known[1] is phrases:
            return known[2]
    names = Names(catalog, phrases)
    _prepared[:] = [(catalog, phrases, names), *_prepared[:3]]
    return names


_prepared: list[tuple[Catalog, Phrases, Names]] = []


def _chosen(found: Findings) -> str:
    """Return the one model or source that a message without work selects."""
    refs = [marks.ref for marks in found.shared if marks.ref]
    for assignment in found.assignments:
        refs += [value for value, _ in assignment.pairs if isinstance(value, Ref)]
    if len(refs) != 1:
        return ""
    (ref,) = refs
    if ref.kind == "source":
        return ref.source or ""
    return ref.models[0][1] if len(ref.models) == 1 else ""


def language_of(text: str) -> str:
    """Return ``zh`` when Chinese characters carry the message, else ``en``."""
    han = kana = latin = 0
    for char in text[:2000]:
        if "\u4e00" <= char <= "\u9fff":
            han += 1
        elif "\u3040" <= char <= "\u30ff":
            kana += 1
        elif char.isascii() and char.isalpha():
            latin += 1
    return "zh" if han and not kana and han * 5 >= latin else "en"


def merged(commands: list[Command]) -> tuple[Command, ...]:
    """Join neighbouring commands of one kind that name ids."""
    joined: list[Command] = []
    ids: dict[str, None] = {}
    for command in commands:
        if joined and ids and command.ids and _same_kind(joined[-1], command):
            ids.update(dict.fromkeys(command.ids))
            continue
        _close(joined, ids)
        joined.append(command)
        ids = dict.fromkeys(command.ids)
    _close(joined, ids)
    return tuple(joined)


def _same_kind(one: Command, other: Command) -> bool:
    return (one.command, one.value, one.verb) == (
        other.command,
        other.value,
        other.verb,
    )


def _close(joined: list[Command], ids: dict[str, None]) -> None:
    if joined and len(ids) > len(joined[-1].ids):
        joined[-1] = joined[-1]._replace(ids=tuple(ids))


def _mode(tasks: tuple[ParsedTask, ...], commands: list[Command]) -> Mode:
    if any(task.ask for task in tasks):
        return "ask"
    acting = [c for c in commands if c.command not in {"status", "show"}]
    if any(not (c.ids or c.all or c.queue or c.command == "undo") for c in acting):
        return "ask"
    if tasks:
        return "intake"
    if acting:
        return "control"
    return "status" if commands else "none"


_NOTHING = Marks()


class _Builder:
    """Turns findings into tasks: dependencies, scope of attributes, questions."""

    __slots__ = ("_ctx", "_found", "_kept", "_normal", "_refs", "_text", "_values")

    def __init__(
        self, normal: Normal, text: str, found: Findings, ctx: Context
    ) -> None:
        self._normal = normal
        self._text = text
        self._found = found
        self._ctx = ctx
        self._refs: dict[int, tuple[Ref, bool]] = {}
        self._values: dict[int, int] = {}
        self._kept: dict[int, tuple[int, int]] = {}

    def tasks(self, *, explains: bool) -> tuple[ParsedTask, ...]:
        """Return the tasks in the order of the message."""
        count = len(self._found.pieces)
        for assignment in self._found.assignments:
            self._assign(assignment, count)
        numbered = list(enumerate(self._found.pieces))
        tasks = tuple(self._task(i, piece) for i, piece in numbered)
        if not explains:
            return tasks
        # Imported here: only ``parse --explain`` asks for them.
        from model_queue.intake.reasons import Reasons  # noqa: PLC0415

        reasons = Reasons(self._normal, self._found, self._refs, self._kept)
        return tuple(
            tasks[i]._replace(why=reasons.of(i, piece, tasks[i]))
            for i, piece in numbered
        )

    def _assign(self, assignment: Assignment, count: int) -> None:
        taken: set[int] = set()
        ordered = sorted(
            assignment.pairs, key=lambda pair: any(k == "rest" for k, _ in pair[1])
        )
        for value, spec in ordered:
            chosen = places(spec, count, taken)
            taken |= chosen
            for index in chosen:
                if isinstance(value, Ref):
                    self._refs[index] = value, not spec
                else:
                    self._values[index] = value

    def _shared(self, name: str) -> Marks:
        """Return the marks that give an attribute to all tasks, empty ones without."""
        for found in self._found.shared:
            if name in found.shared and getattr(found, name) is not None:
                return found
        return _NOTHING

    def _task(self, index: int, piece: Piece) -> ParsedTask:
        core, own = piece.core, piece.marks
        placed = self._refs[index][0] if index in self._refs else None
        ref = own.ref or placed or self._shared("ref").ref
        depends, unknown = self._depends(index, piece)
        queue, model, ask, candidates = self._resolved(ref)
        asks: list[Ask] = [ask] if ask else []
        if unknown:
            asks.append("dependency")
        wish = own.wish or self._shared("wish").wish
        if wish is not None and wish.at is None:
            asks.append("date")
        goal = marks.goal(self._text, core.start, core.end)
        return ParsedTask(
            text=self._normal.verbatim(core.start, core.end),
            goal=self._normal.verbatim(*goal) if goal else None,
            queue=queue,
            model=model,
            depends_on=depends,
            on_depends_fail=own.policy or self._shared("policy").policy or "block",
            priority=self._priority(index, own),
            not_before=wish.at if wish else None,
            shift=wish.shift if wish else "",
            not_before_text=self._wish_text(own),
            ask=asks[0] if asks else None,
            also_ask=tuple(asks[1:]),
            candidates=candidates,
            asked_name=(
                self._normal.verbatim(ref.start, ref.end)
                if ref is not None and ask == "model"
                else ""
            ),
            budget_usd=marks.budget(self._text, core.start, core.end),
        )

    def _priority(self, index: int, own: Marks) -> int:
        if own.priority is not None:
            return own.priority
        if index in self._values:
            return self._values[index]
        return self._shared("priority").priority or 0

    def _wish_text(self, own: Marks) -> str | None:
        holder = own if own.wish else self._shared("wish")
        if holder.wish is None or holder.wish_words is None:
            return None
        return holder.wish.form or self._normal.verbatim(*holder.wish_words)

    def _resolved(
        self, ref: Ref | None
    ) -> tuple[str | None, str | None, Ask | None, tuple[str, ...]]:
        if ref is None:
            default = self._ctx.names.default
            return default, None, None if default else "source", ()
        if ref.kind == "source":
            return ref.source, None, None, ()
        if len(ref.models) == 1:
            return ref.models[0][0], ref.models[0][1], None, ()
        return None, None, "model", tuple(model for _, model in ref.models)

    def _depends(self, index: int, piece: Piece) -> tuple[tuple[int | str, ...], bool]:
        """Return what a task waits for, and whether it points at nothing."""
        own = piece.marks
        found: list[int | str] = []
        if own.fan_in:
            named = (
                marks.named_indices(own.fan_names, index)
                if own.fan_names
                else list(range(index))
            )
            found.extend(named or range(index))
        elif self._keeps_fan_in(index, piece):
            found.extend(range(index))
        elif (own.is_chained and index) or (
            self._found.in_order and not self._found.in_parallel and index
        ):
            found.append(index - 1)
        found.extend(own.ids)
        points = (own.is_chained or own.fan_in) and not found
        return tuple(found), points and not self._found.commands

    def _keeps_fan_in(self, index: int, piece: Piece) -> bool:
        core = piece.core
        hit = self._ctx.at("fan_in", self._text, core.start, core.end)
        if hit is None or hit.kind != "keep" or index <= 1:
            return False
        self._kept[index] = (hit.start, hit.end)
        return True
