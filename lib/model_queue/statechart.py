"""The transition table as a page, a chart and a status table for the documentation.

``python -m model_queue.statechart > references/state-machine.md`` writes the page; a
test compares the two.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

from model_queue.model import LIVE_STATUSES, Status
from model_queue.transitions import LATE, TABLE, Effect, Event, Guard, Row

MEANINGS: Mapping[Status, tuple[str, str]] = {
    Status.PENDING: (
        "may run when a slot is free and `not_before` is past",
        "`claimed` before the first start, `retry` after it",
    ),
    Status.WAITING: ("a dependency is not settled", "`claimed`"),
    Status.RUNNING: ("a session holds it", "`active`"),
    Status.PAUSED: (
        "suspended by a person or a policy",
        "`paused` when it was running, else the word it had",
    ),
    Status.BLOCKED: (
        "needs a dependency or a person",
        "`blocked`; `claimed` when it never started",
    ),
    Status.DONE: ("finished; `result_status` is success or partial", "`done`"),
    Status.FAILED: ("no attempt left, or not worth retrying", "`cancelled`"),
    Status.SKIPPED: ("skipped by a person or by policy", "`cancelled`"),
    Status.CANCELLED: ("cancelled by a person or a policy", "`cancelled`"),
}
"""What each status says, and its word in the workspace queue. Source: SPEC 2.2."""

GUARD_WORDS: Mapping[Guard, str] = {
    Guard.ALWAYS: "always",
    Guard.NO_DEPENDENCY: "it depends on nothing",
    Guard.KNOWN_DEPENDENCIES: "all ids are known and none leads back to it",
    Guard.BAD_DEPENDENCY: "an unknown id, itself, or a circle",
    Guard.POLICY_BLOCK: "`on_depends_fail` is `block`",
    Guard.POLICY_SKIP: "`on_depends_fail` is `skip`",
    Guard.POLICY_CONTINUE: "`on_depends_fail` is `continue`",
    Guard.NEVER_STARTED: "`started_at` is not set",
    Guard.HAS_STARTED: "`started_at` is set",
    Guard.CLAIMABLE: "not over the limit, due, no session left of an earlier attempt, "
    "queue not held, day budget left, a slot free or its own",
    Guard.NOT_CLAIMABLE: "not over the limit, and not claimable",
    Guard.OVER_LIMIT: "`retries` > `maxRetries`: the limit was lowered meanwhile",
    Guard.RETRY_LEFT: "`retries` < `maxRetries`, and the type is retried",
    Guard.RETRY_LEFT_FIRST_INVALID: "the same, and the failed attempt before this one "
    "was not `invalid_report`",
    Guard.RETRY_LEFT_SECOND_INVALID: "the same, and it was `invalid_report`",
    Guard.RETRIES_SPENT: "`retries` >= `maxRetries`, and the type is retried",
    Guard.NEVER_RETRIED: "a workspace queue's task type that is never retried",
    Guard.FALLBACK_OPEN: "a fallback source is set that is not itself waiting",
    Guard.NO_FALLBACK: "no such source",
    Guard.CHECKPOINTS_REQUIRED: "a workspace queue",
    Guard.CHECKPOINTS_NOT_REQUIRED: "a model queue",
    Guard.LOSSES_SPENT: "this is the fifth loss since the last retry",
    Guard.LOSSES_LEFT_RUN_AGAIN: "fewer losses, and neither of the next two",
    Guard.LOSSES_LEFT_CHECKPOINT_FRESH: "fewer losses, a workspace queue, and a fresh "
    "checkpoint",
    Guard.LOSSES_LEFT_NEVER_RETRIED: "fewer losses, a workspace queue, no fresh "
    "checkpoint, and a type that is never retried",
    Guard.FROM_PENDING: "`paused_from` is `pending`",
    Guard.FROM_WAITING: "`paused_from` is `waiting`",
    Guard.FROM_RUNNING_SLOT_HELD: "`paused_from` is `running`, its slot is kept, and its "
    "session is gone",
    Guard.FROM_RUNNING_SLOT_RELEASED: "`paused_from` is `running`, else",
    Guard.FROM_RUNNING_STILL_STOPPING: "`paused_from` is `running`, a workspace queue, "
    "and its session is not gone yet",
    Guard.STARTED_SLOT_HELD: "it has started, its slot is kept, and its session is gone",
    Guard.STARTED_SLOT_RELEASED: "it has started, else",
    Guard.STARTED_STILL_STOPPING: "it has started, a workspace queue, and its session is "
    "not gone yet",
    Guard.WORKSPACE_QUEUE: "a workspace queue: dispatch it again",
    Guard.PARENTS_DONE: "a model queue, and all dependencies are done",
    Guard.PARENTS_NOT_DONE: "a model queue, and not all are",
    Guard.OLD_AND_UNNEEDED: "older than the archive days, and no live task depends on it",
    Guard.YOUNG_OR_NEEDED: "else",
}
"""When each guard holds, in words."""

_COMMANDS = (
    Event.PAUSE,
    Event.RESUME,
    Event.UNBLOCK,
    Event.CANCEL,
    Event.SKIP,
    Event.RETRY,
    Event.RERUN,
)
_NEVER_WITHOUT_POLICY = frozenset(
    {
        Guard.FROM_RUNNING_SLOT_HELD,
        Guard.FROM_RUNNING_STILL_STOPPING,
        Guard.STARTED_SLOT_HELD,
        Guard.STARTED_STILL_STOPPING,
        Guard.LOSSES_LEFT_CHECKPOINT_FRESH,
        Guard.LOSSES_LEFT_NEVER_RETRIED,
    }
)
"""Guards that hold under the slot policy ``until-terminal`` only."""


def slot_words(row: Row) -> tuple[str, str]:
    """Return what a row does to the task's slot: policy running, then until-terminal.

    ``take``: holds one afterwards. ``release``: holds none, as soon as a session that
    was told to stop is seen gone. ``keep``: as before. ``n/a``: the row cannot occur.
    """
    return _slot_while_running(row), _slot_until_terminal(row)


def _slot_while_running(row: Row) -> str:
    if row.guard in _NEVER_WITHOUT_POLICY:
        return "n/a"
    was, is_ = row.before is Status.RUNNING, row.after is Status.RUNNING
    if was == is_ or row.after is None:
        return "keep"
    return "take" if is_ else "release"


def _slot_until_terminal(row: Row) -> str:
    if row.event is Event.CLAIM and row.after is Status.RUNNING:
        return "take"
    may_have_held = row.before in LIVE_STATUSES and row.before is not Status.WAITING
    has_ended = row.after is not None and row.after.is_terminal
    is_moved = Effect.MOVE_TO_FALLBACK in row.effects
    return "release" if may_have_held and (has_ended or is_moved) else "keep"


def illegal_events(before: Status | None) -> tuple[Event, ...]:
    """Return the events that are refused in a status (None: a draft), in table order.

    A session's events are never refused to a stored task: at worst they are late.
    """
    legal = {row.event for row in TABLE if row.before is before}
    if before is not None:
        legal |= set(LATE)
    return tuple(event for event in Event if event not in legal)


def status_table() -> str:
    """Return the nine statuses as a Markdown table."""
    rows = [
        (f"`{status}`", *MEANINGS[status], "yes" if status.is_terminal else "")
        for status in Status
    ]
    return _table(("status", "meaning", "workspace word", "terminal"), rows)


def chart() -> str:
    """Return the table as a Mermaid state diagram, without a fence.

    What is possible in each live status is drawn once, from ``live``. Events that leave
    the status as it is are left out.
    """
    edges: dict[tuple[str, str], list[str]] = {}
    for row in TABLE:
        if row.after is None or (row.before, row.event) in _DRAWN_ONCE:
            continue
        if row.before is not row.after:
            edge = (row.before or "[*]", row.after)
            _add(edges.setdefault(edge, []), row.event)
        elif Effect.MOVE_TO_ARCHIVE in row.effects:
            _add(edges.setdefault((row.after, "[*]"), []), row.event)
    for after, event in _FROM_ALL_LIVE:
        _add(edges.setdefault(("live", after), []), event)
    lines = ["stateDiagram-v2", f"    live : {_listed(LIVE_STATUSES, 'or')}"]
    lines += [
        f"    {before} --> {after} : {', '.join(events)}"
        for (before, after), events in edges.items()
    ]
    return "\n".join(lines) + "\n"


def _add(events: list[str], event: Event) -> None:
    """Add an event's short name once: the kinds of failure are one word."""
    name = "failure" if event.startswith("fail_") else event.value
    if name not in events:
        events.append(name)


def _common_to_live() -> dict[tuple[Status, Event], set[Status | None]]:
    found: dict[tuple[Status, Event], set[Status | None]] = {}
    for row in TABLE:
        if row.after is not None:
            found.setdefault((row.after, row.event), set()).add(row.before)
    return found


_FROM_ALL_LIVE = tuple(
    move for move, befores in _common_to_live().items() if befores >= set(LIVE_STATUSES)
)
_DRAWN_ONCE = frozenset(
    (status, event) for status in LIVE_STATUSES for _, event in _FROM_ALL_LIVE
)


def state_machine_md() -> str:
    """Return the page ``references/state-machine.md``."""
    commands = [
        (f"`{status}`", *(_answer(status, command) for command in _COMMANDS))
        for status in Status
    ]
    guards = [(f"`{guard}`", GUARD_WORDS[guard]) for guard in Guard]
    late = [
        (", ".join(f"`{event}`" for event in LATE if LATE[event] is effect), effect)
        for effect in dict.fromkeys(LATE.values())
    ]
    illegal = [
        f"- {_name(before)}: {', '.join(illegal_events(before))}"
        for before in (None, *Status)
    ]
    return _PAGE.format(
        statuses=status_table(),
        chart=chart(),
        commands=_table(("status", *_COMMANDS), commands),
        rows=_rows(),
        late=_table(("event", "what is done"), late),
        guards=_table(("guard", "holds when"), guards),
        illegal="\n".join(illegal) + "\n",
    )


def _answer(status: Status, command: Event) -> str:
    """Return where a command leads, "" when it is refused."""
    afters = {
        row.after: None
        for row in TABLE
        if (row.before, row.event) == (status, command) and row.after is not None
    }
    return _listed(list(afters), "or")


def _rows() -> str:
    """Return the table, rows that differ in status or event only drawn together."""
    merged: dict[tuple[str, ...], tuple[dict[str, None], dict[str, None]]] = {}
    for row in TABLE:
        after = _after(row)
        notice = row.notice or ""
        rest = (row.guard, after, "; ".join(row.effects), *slot_words(row), notice)
        group = row.event.value if row.before is not Status.RUNNING else _family(row)
        befores, events = merged.setdefault((group, *rest), ({}, {}))
        befores[_name(row.before)] = None
        events[f"`{row.event}`"] = None
    cells = [
        (", ".join(befores), ", ".join(events), f"`{guard}`", *rest)
        for (_, guard, *rest), (befores, events) in merged.items()
    ]
    heads = ("before", "event", "guard", "after", "effects", "slot: running")
    return _table((*heads, "slot: until-terminal", "notice"), cells)


def _family(row: Row) -> str:
    return "failure" if row.event.startswith("fail_") else row.event.value


def _after(row: Row) -> str:
    if row.after is None:
        return "refused"
    if row.after is row.before:
        return "="
    return f"`{row.after}`"


def _name(status: Status | None) -> str:
    return "(none)" if status is None else f"`{status}`"


def _listed(words: Sequence[str], last: str) -> str:
    first = ", ".join(words[:-1])
    return f"{first} {last} {words[-1]}" if first else "".join(words)


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


_PAGE = """\
# The state machine of a task

Made from `lib/model_queue/transitions/table.py` by `python -m model_queue.statechart`; change
the table there, not this page.

## Statuses

{statuses}
## Chart

```mermaid
{chart}```

## What a person can ask for

Where each command leads; an empty cell is refused, and the answer says what to do
instead.

{commands}
- `rerun` of a task that has failed, was skipped or cancelled is a `retry`.
- In a workspace queue `retry` and `rerun` are refused: dispatch the task again.
- A queue is paused and resumed as a whole by a flag on the queue; no task moves then.

## Transitions

Exactly one guard of a status and event holds. `=`: the status stays. Slot words: *take*
holds a slot afterwards, *keep* as before, *release* holds none afterwards, or none as
soon as the session is seen gone where the row says `stop session`; *n/a* cannot occur
under that policy.

{rows}
`start`: attempt + 1, a new label, a lease; written before anything is spawned. `stop
session`: the claim gets `stopping`, keeps its slot and cannot be claimed over until the
session is seen gone. `reset counters`: retries, losses, error, reasons, result and times
are cleared; `attempt` only grows. An outcome's spending is added to the task whatever the
row.

## Late events

A session holds a task while its label is the current claim's and it was not told to
stop; one that is being paused may still attach, renew and save a checkpoint. What any
other session says is late in every status and changes nothing:

{late}
## Guards

{guards}
## Refused events

{illegal}"""


def main() -> None:
    """Print the page."""
    sys.stdout.write(state_machine_md())


if __name__ == "__main__":
    main()
