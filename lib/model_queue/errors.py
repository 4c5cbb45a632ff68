"""The errors a caller can meet, as one tree with stable codes.

::

    ModelQueueError                     code, exit_code; str() is one sentence for a person
      InputError                 (3)    the caller can fix it
        MessageError                    nothing in the message is a task
        HookInputError                  the JSON does not match the schema
        TaskRefError                    malformed or ambiguous reference
      ConfigError                (4)    TOOLS.md, TOML or environment
        UnknownSource                   no source of that name is configured
        UnknownModel                    no configured source has that model
        MissingPackage                  an optional part that is needed is not installed
      StateError                 (5)    the request is well formed and refused
        TaskNotFound
          TaskUnreadable                its id is in an archive file that does not parse
        IllegalTransition               the table has no row for this status and event
        DependencyCycle                 the task would wait for itself
        UnknownDependency               the task would wait for an id that nobody has
        NothingToRestore                the queue is whole
        NoEarlierVersion                no text of a queue parses that could be restored
      ConflictError              (6)    someone else was faster; safe to repeat
        StaleTask                       the task changed since it was read
        LostClaim                       the label is not the current claim's
        StoreBusy                       the lock was not obtained within its limit
      StoreError                 (7)    the backend failed; ``__cause__`` is kept
        CorruptQueueFile                a file does not parse; it is never overwritten
        UnsettledFile                   a file was edited in the middle of a commit
        MissingQueueFile                a file is gone that held unfinished tasks
        UnusableQueueFile               what lies in a queue's place cannot be read
        NumbersUsedUp                   the last task id there can be is taken
      LaunchError                (8)    the session could not be started

Exit code 1 is an internal error. 2 is never used: some hosts block a person's message
on it. Agents match ``code``, never the sentence. Each class takes its facts as keyword
arguments and builds the sentence itself: what was refused, the value seen, the next
step.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import ClassVar, NamedTuple


class ModelQueueError(Exception):
    """Any refusal or failure that model-queue can explain."""

    code: ClassVar[str] = "error"
    exit_code: ClassVar[int] = 1

    def __init__(self, sentence: str, *, hint: str = "") -> None:
        super().__init__(sentence)
        self.hint = hint
        """What to do next, one sentence; empty when the message already says it."""
        self.occasion = ""
        """Tells this trouble from the same one at another time, where that matters."""


class InputError(ModelQueueError):
    """The caller sent something that cannot be used and can fix it."""

    code = "input"
    exit_code = 3


class MessageError(InputError):
    """Nothing in the message is a task or a command."""

    code = "no_task"


class HookInputError(InputError):
    """The JSON on a hook's stdin does not match its schema.

    Attributes:
        problems: one sentence per problem, each naming the field and the value seen.
    """

    code = "hook_input"

    def __init__(self, *, problems: Sequence[str], hint: str = "") -> None:
        super().__init__(
            "the hook's input was refused: " + "; ".join(problems), hint=hint
        )
        self.problems = tuple(problems)


class TaskRefError(InputError):
    """A task reference is malformed or names more than one task."""

    code = "task_ref"

    def __init__(self, *, seen: str, candidates: Sequence[str] = ()) -> None:
        if candidates:
            forms = " or ".join(candidates)
            sentence = f"{seen!r} names more than one task; say {forms}"
        else:
            sentence = f"{seen!r} is no task id; write T-001 or ollama-local/T-001"
        super().__init__(sentence)
        self.seen = seen
        self.candidates = tuple(candidates)


class ConfigError(ModelQueueError):
    """A setting has a value of the wrong kind or range.

    Attributes:
        key: the setting's name. value: what was found. allowed: what would do.
    """

    code = "config"
    exit_code = 4

    def __init__(
        self, *, key: str, value: str, allowed: str, origin: str = "", hint: str = ""
    ) -> None:
        where = f" in {origin}" if origin else ""
        super().__init__(f"{key}{where} is {value!r}, but must be {allowed}", hint=hint)
        self.key = key
        self.value = value
        self.allowed = allowed
        self.origin = origin


class UnknownSource(ConfigError):
    """No source of that name is configured."""

    code = "unknown_source"

    def __init__(self, *, name: str, known: Sequence[str]) -> None:
        allowed = "one of " + ", ".join(known) if known else "configured in TOOLS.md"
        super().__init__(key="source", value=name, allowed=allowed)


class UnknownModel(ConfigError):
    """No configured source has that model."""

    code = "unknown_model"

    def __init__(self, *, name: str, known: Sequence[str]) -> None:
        allowed = "one of " + ", ".join(known) if known else "configured in TOOLS.md"
        super().__init__(key="model", value=name, allowed=allowed)


class MissingPackage(ConfigError):
    """A part that is needed now comes with a package that is not installed.

    Attributes:
        package: its name in the registry. command: what installs it.
    """

    code = "missing_package"

    def __init__(self, *, package: str, command: str) -> None:
        super().__init__(key=package, value="", allowed="installed")
        self.args = (f"the package {package} is not installed; run: {command}",)
        self.package = package
        self.command = command


class StateError(ModelQueueError):
    """The request is well formed and refused in the present state."""

    code = "state"
    exit_code = 5


class TaskNotFound(StateError):
    """No task has that id, in the queues or the archive."""

    code = "task_not_found"

    def __init__(self, *, ref: str, nearest: Sequence[str] = ()) -> None:
        near = f"; the nearest are {', '.join(nearest)}" if nearest else ""
        super().__init__(f"there is no task {ref}{near}")
        self.ref = ref
        self.nearest = tuple(nearest)


class TaskUnreadable(TaskNotFound):
    """The id occurs in a file of the archive that does not parse.

    Attributes:
        ref: the task. path, line, column: where the file cannot be read. why: in words.
    """

    code = "task_unreadable"

    def __init__(
        self, *, ref: str, path: str, line: int, column: int, why: str
    ) -> None:
        super().__init__(ref=ref)
        place = f"line {line}, column {column} ({why})"
        sentence = (
            f"{ref} cannot be read: {path}, its archive, does not parse at {place}"
        )
        self.args = (sentence,)
        self.hint = "Mend that file; nothing else stands still for it."
        self.path = path
        self.line = line
        self.column = column
        self.why = why


class IllegalTransition(StateError):
    """The transition table has no row for this status and event.

    Attributes:
        ref: the task. status: its present status. event: what was asked of it.
    """

    code = "illegal_transition"

    def __init__(self, *, ref: str, status: str, event: str, hint: str = "") -> None:
        super().__init__(f"{ref} is {status}, so you cannot {event} it", hint=hint)
        self.ref = ref
        self.status = status
        self.event = event


class DependencyCycle(StateError):
    """The task would wait for itself.

    Attributes:
        path: the ids along the cycle, first and last the same.
    """

    code = "dependency_cycle"

    def __init__(self, *, path: Sequence[str]) -> None:
        super().__init__(
            f"the dependencies go round in a circle: {' -> '.join(path)}; nothing was added"
        )
        self.path = tuple(path)


class UnknownDependency(StateError):
    """The task would wait for an id that no queue and no archive has."""

    code = "unknown_dependency"

    def __init__(self, *, ref: str, nearest: Sequence[str] = ()) -> None:
        near = f"; the nearest are {', '.join(nearest)}" if nearest else ""
        super().__init__(
            f"it depends on {ref}, which does not exist{near}; nothing was added"
        )
        self.ref = ref
        self.nearest = tuple(nearest)


class NothingToRestore(StateError):
    """The queue is whole, so that no earlier version is put in its place."""

    code = "nothing_to_restore"

    def __init__(self, *, source: str) -> None:
        super().__init__(f"{source} is whole; nothing to restore")
        self.source = source


class NoEarlierVersion(StateError):
    """A queue stands still, and no text of it parses that could take its place."""

    code = "no_earlier_version"

    def __init__(self, *, source: str, why: str) -> None:
        super().__init__(
            f"no earlier version of {source} parses, so that nothing was restored: {why}",
            hint="Mend the file there, or move it away: its queue then begins anew, and "
            "no task id is given twice.",
        )
        self.source = source
        self.why = why
        """What is wrong with the file, one sentence."""


class ConflictError(ModelQueueError):
    """Someone else was faster; the call is safe to repeat."""

    code = "conflict"
    exit_code = 6


class StaleTask(ConflictError):
    """The stored task is not the one that the change was computed from."""

    code = "stale_task"

    def __init__(self, *, ref: str) -> None:
        super().__init__(f"{ref} changed in the meantime; read it again and repeat")
        self.ref = ref


class LostClaim(ConflictError):
    """The label is not the one of the task's current claim."""

    code = "lost_claim"

    def __init__(self, *, ref: str, label: str) -> None:
        super().__init__(f"{label} no longer holds {ref}; stop working on it")
        self.ref = ref
        self.label = label


class StoreBusy(ConflictError):
    """The store's lock was not obtained within its limit."""

    code = "busy"

    def __init__(self, *, path: str, waited_s: float) -> None:
        super().__init__(
            f"the queue directory {path} was locked by others for {waited_s:g} s; try again"
        )
        self.path = path


class StoreError(ModelQueueError):
    """The backend failed: disk full, read-only, not a directory, I/O error."""

    code = "store"
    exit_code = 7


class Earlier(NamedTuple):
    """A version of a queue that parses, as far as a person must know it to choose it."""

    path: str
    """Where it lies, absolute."""
    n_tasks: int
    n_open: int
    """Of those the ones that are not finished."""
    as_of: dt.datetime
    """When it was written, aware UTC."""

    @property
    def counts(self) -> str:
        """``12 tasks (3 open)``."""
        return f"{self.n_tasks} task{'s' * (self.n_tasks != 1)} ({self.n_open} open)"

    @property
    def moment(self) -> str:
        """``2026-03-04 10:42 UTC``."""
        return f"{self.as_of:%Y-%m-%d %H:%M} UTC"


_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")


def restore_command(source: str, *, take: str = "") -> str:
    """Return the command line that restores a queue, safe to paste into a shell."""
    word = source
    if not source or not _PLAIN.issuperset(source):
        # The only character that ends such a word stands between two of them.
        word = "'" + source.replace("'", "'\"'\"'") + "'"
    # A word that begins with a dash would be taken for a flag.
    flag = f"--restore={word}" if source.startswith("-") else f"--restore {word}"
    return f"model-queue doctor {flag}" + (f" --take {take}" if take else "")


class _Standing(StoreError):
    """What stops one queue until a person acts; has no code of its own.

    Attributes:
        source: the queue, "" where none is known. earlier: what a restore would bring
            back, None when nothing parses. command: the line that does it.
    """

    def __init__(
        self,
        sentence: str,
        *,
        source: str,
        earlier: Earlier | None,
        otherwise: str = "Mend the file",
    ) -> None:
        command = restore_command(source)
        if earlier is not None:
            hint = (
                f"{otherwise}, or run `{command}`, which would bring back "
                f"{earlier.counts} as of {earlier.moment}."
            )
        elif source:
            hint = f"{otherwise}, or move it away; no earlier version of it parses."
        else:
            hint = ""
        super().__init__(sentence, hint=hint)
        self.occasion = str(earlier.as_of) if earlier else ""
        self.source = source
        self.earlier = earlier
        self.command = command


class CorruptQueueFile(_Standing):
    """A file does not parse. It is reported and never written over.

    Attributes:
        path: the file. line, column: 1-based position of the first bad character.
    """

    code = "corrupt_queue_file"

    def __init__(
        self,
        *,
        path: str,
        line: int,
        column: int,
        why: str,
        source: str = "",
        earlier: Earlier | None = None,
    ) -> None:
        super().__init__(
            f"{path} does not parse at line {line}, column {column} ({why}); "
            "it was left as it is and its queue stands still until the file is mended",
            source=source,
            earlier=earlier,
        )
        self.path = path
        self.line = line
        self.column = column
        self.why = why


class MissingQueueFile(_Standing):
    """A queue file is gone, and its last known version held unfinished tasks."""

    code = "missing_queue_file"

    def __init__(self, *, path: str, source: str, earlier: Earlier) -> None:
        super().__init__(
            f"{path} is gone, and its last known version had {earlier.counts}; its "
            "queue stands still until the file is there again",
            source=source,
            earlier=earlier,
            otherwise='Write {"tasks": []} into it to begin with an empty queue',
        )
        self.path = path


class UnusableQueueFile(_Standing):
    """What lies in a queue file's place cannot be read: a directory, a pipe, no right."""

    code = "unusable_queue_file"

    def __init__(
        self, *, path: str, why: str, source: str = "", earlier: Earlier | None = None
    ) -> None:
        super().__init__(
            f"{path} {why}; its queue stands still until it is moved away",
            source=source,
            earlier=earlier,
            otherwise="Put that right",
        )
        self.path = path
        self.why = why


class UnsettledFile(StoreError):
    """A file was edited while a commit was being written. Neither text is dropped.

    Attributes:
        path: the file, as the person left it. kept: what the commit would have written.
        edit, commit: what each holds, None for one that does not parse.
        command: the line that lets the edit stay. take_command: takes the other one.
    """

    code = "unsettled_file"

    def __init__(
        self,
        *,
        path: str,
        kept: str,
        source: str = "",
        edit: Earlier | None = None,
        commit: Earlier | None = None,
    ) -> None:
        super().__init__(
            f"{path} was edited in the middle of a commit, and what the commit would "
            f"have written lies in {kept}; its queue stands still until one of the two "
            f"is chosen"
        )
        self.path = path
        self.kept = kept
        self.source = source
        self.edit = edit
        self.commit = commit
        # The edit's own time would make each saving of it another trouble.
        self.occasion = str(commit.as_of) if commit else ""
        self.command = restore_command(source)
        self.take_command = restore_command(source, take="commit")
        if edit is not None:
            self.hint = f"Run `{self.command}` to go on with the edit, {edit.counts}"
            if commit is not None:
                self.hint += f", or `{self.take_command}` to take the other text, {commit.counts}"
            self.hint += "; the one that is not taken is kept."
        elif commit is not None:
            self.hint = (
                f"The edit does not parse: mend it, or run `{self.command}`, which takes "
                f"the other text, {commit.counts}, and keeps the edit beside."
            )
        else:
            self.hint = f"Neither parses: mend {path}, then delete {kept}."


class NumbersUsedUp(StoreError):
    """No id is left for a new task, since one of the highest numbers is taken.

    Attributes:
        number: the highest one. last: the last there can be. held_by: the file with it.
    """

    code = "numbers_used_up"

    def __init__(self, *, number: int, last: int, held_by: str) -> None:
        super().__init__(
            f"{held_by} holds the task number {number}, and ids end at T-{last}, "
            "so that no new task can get one; nothing was added",
            hint=f"Put a smaller number into {held_by} if it is a mistake, or move the "
            "file away, then repeat.",
        )
        self.number = number
        self.last = last
        self.held_by = held_by


class LaunchError(ModelQueueError):
    """The session could not be started."""

    code = "launch"
    exit_code = 8

    def __init__(
        self, *, label: str, why: str, hint: str = "", is_fatal: bool = False
    ) -> None:
        super().__init__(f"the session {label} could not be started: {why}", hint=hint)
        self.label = label
        self.why = why
        self.is_fatal = is_fatal
        """Trying again cannot help: the configuration must change first."""
