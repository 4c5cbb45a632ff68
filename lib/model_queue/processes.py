"""Which process is which, for good.

A pid alone proves nothing: numbers are used again. An ``Identity`` adds the start time
and the boot, so that a signal never reaches a stranger, also after a restart.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import NamedTuple

_PROC = "/proc"
_INIT = 1
_DEAD = frozenset("ZX")


class Process(NamedTuple):
    """One line of the process table."""

    pid: int
    group: int
    session: int
    """0 where the system does not tell."""
    state: str
    started: str
    """As the system writes it; only ever compared."""

    @property
    def is_dead(self) -> bool:
        """A zombie has ended; only its parent has not looked yet."""
        return self.state[:1] in _DEAD


class Identity(NamedTuple):
    """Which process is meant, for good."""

    pid: int
    group: int
    """Process group; the pid of its leader."""
    session: int
    started: str
    boot: str

    @property
    def is_usable(self) -> bool:
        """Report whether it can be one of ours.

        To ``killpg`` group 0 is the caller's own and 1 is init's; the kernel's own
        threads are all in group 0.
        """
        return self.pid > _INIT and self.group > _INIT


def boot_id() -> str:
    """Return what this start of the machine (and this container) is called.

    Numbers of another boot, or of another container's process table, mean nothing here.
    """
    try:
        with open(f"{_PROC}/sys/kernel/random/boot_id", encoding="ascii") as file:
            boot = file.read().strip()
        return f"{boot} {os.readlink(f'{_PROC}/self/ns/pid')}"
    except OSError:
        return _output(["sysctl", "-n", "kern.bootsessionuuid"]).strip()


def find_process(pid: int) -> Process | None:
    """Return the process with that number, None when there is none."""
    if os.path.isdir(f"{_PROC}/self"):
        try:
            with open(f"{_PROC}/{pid}/stat", "rb") as file:
                return parse_stat(file.read())
        except OSError:
            return None
    found = parse_ps(_output([*_PS, "-p", str(pid)]))
    return found[0] if found else None


def group_members(group: int) -> list[Process]:
    """Return the processes of a group, zombies included."""
    if os.path.isdir(f"{_PROC}/self"):
        listed = [find_process(pid) for pid in _pids()]
    else:
        listed = [*parse_ps(_output([*_PS, "-A"]))]
    return [each for each in listed if each is not None and each.group == group]


def _pids() -> list[int]:
    try:
        return [int(name) for name in os.listdir(_PROC) if name.isdigit()]
    except OSError:
        return []


def parse_stat(line: bytes) -> Process:
    """Read ``/proc/<pid>/stat``; the name in brackets may hold anything.

    >>> parse_stat(b"7 (a) b) S 1 7 5 " + b"0 " * 15 + b"99 0").started
    '99'
    """
    pid = int(line[: line.index(b" ")])
    fields = line[line.rindex(b")") + 2 :].split()
    return Process(
        pid=pid,
        group=int(fields[2]),
        session=int(fields[3]),
        state=fields[0].decode(),
        started=fields[19].decode(),
    )


_PS = ("ps", "-o", "pid=,pgid=,stat=,lstart=")


def parse_ps(text: str) -> list[Process]:
    """Read the lines of ``ps -o pid=,pgid=,stat=,lstart=``, for systems without /proc.

    >>> parse_ps(" 70 69 Ss   Wed Mar  4 16:51:00 2026")[0].started
    'Wed Mar 4 16:51:00 2026'
    """
    found: list[Process] = []
    for line in text.splitlines():
        pid, group, state, *started = line.split()
        found.append(Process(int(pid), int(group), 0, state, " ".join(started)))
    return found


def _output(argv: Sequence[str]) -> str:
    # Imported here: only systems without /proc pay the 20 ms.
    import subprocess  # noqa: PLC0415

    try:
        done = subprocess.run(  # noqa: S603 - fixed words of this module
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={"PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL": "C"},
            check=False,
        )
    except OSError:
        return ""
    return done.stdout.decode("utf-8", "replace")


def identify(pid: int) -> Identity | None:
    """Return the identity of a process that exists now, None when there is none."""
    found = find_process(pid)
    if found is None:
        return None
    return Identity(pid, found.group, found.session, found.started, boot_id())


def group_is_alive(identity: Identity) -> bool:
    """Report whether any process of the group led by ``identity`` still runs.

    Zombies count as gone. The number of a group is not given to a new process while
    the group has members; so a stranger under the leader's number proves it empty.
    """
    if not identity.is_usable or identity.boot != boot_id():
        return False
    leader = find_process(identity.pid)
    if leader is not None and (leader.group, leader.started) != (
        identity.group,
        identity.started,
    ):
        return False
    if leader is not None and not leader.is_dead:
        return True
    return any(
        not member.is_dead and member.session == identity.session
        for member in group_members(identity.group)
    )


def kill_group(identity: Identity, number: signal.Signals) -> bool:
    """Send a signal to the group if it still is the one meant.

    Returns: whether anything of the group ran just before.
    """
    if not group_is_alive(identity):
        return False
    try:
        os.killpg(identity.group, number)
    except ProcessLookupError:
        return False
    except PermissionError:
        # A member changed its user; the others have got the signal.
        return True
    return True


def has_environments() -> bool:
    """Report whether this system tells what environment a process was started with."""
    return os.path.exists(f"{_PROC}/self/environ")


def with_variable(name: str, is_meant: Callable[[str], bool]) -> list[Process]:
    """Return the living processes of this user that have a variable of such a value.

    As it was when the process's program was started, and so in all that it started
    itself, whatever group or session they have moved to. Not this process itself.

    Returns: [] where the system tells no environments.
    """
    mark = f"{name}=".encode()
    found: list[Process] = []
    for pid in _pids():
        value = None if pid == os.getpid() else _value(pid, mark)
        if value is not None and is_meant(os.fsdecode(value)):
            process = find_process(pid)
            if process is not None and not process.is_dead:
                found.append(process)
    return found


def variable_of(pid: int, name: str) -> str | None:
    """Return a variable of the environment that a process was started with.

    Returns: None without it, for a process that is gone or a zombie, and where the
        system tells no environments.
    """
    value = _value(pid, f"{name}=".encode())
    return None if value is None else os.fsdecode(value)


def _value(pid: int, mark: bytes) -> bytes | None:
    try:
        with open(f"{_PROC}/{pid}/environ", "rb") as file:
            variables = file.read()
    except OSError:
        # Somebody else's, or gone.
        return None
    if mark not in variables:
        return None
    for line in variables.split(b"\0"):
        if line.startswith(mark):
            return line[len(mark) :]
    return None


def kill_each(members: Iterable[Process], number: signal.Signals) -> None:
    """Send a signal to single processes that are still the ones that were looked at."""
    for each in members:
        found = find_process(each.pid) if each.pid > _INIT else None
        if found is not None and found.started == each.started:
            # Ended just now, or its user was changed.
            with suppress(ProcessLookupError, PermissionError):
                os.kill(each.pid, number)
