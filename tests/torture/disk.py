"""A disk that is full, read-only or broken, at each write of each kind of call.

Each case starts from the same directory, lets one call fail at its n-th write, looks
whether the failure was told in one sentence and the directory still reads as before or
after the call, then lets the same call run on a disk that works. What stands at the end
must be what the call leaves without any fault. Source: SPEC 5, STYLE 3.4.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from model_queue.model import JsonObject, JsonValue, Task, TaskRef
from model_queue.ports import RandomIds
from model_queue.store import Query
from model_queue.stores.files import FilesStore
from programs import ROOT, Programs, Ran
from torture.disk_faults import KINDS

PROGRAM = str(Path(__file__).with_name("disk_faults.py"))
SOURCES = ("src-a", "src-b")
TOOLS = (
    "MODEL_SOURCE_SRC_A=prov/alpha1\nMODEL_SOURCE_SRC_B=prov/beta2\n"
    "DEFAULT_MODEL_SOURCE=src-a\nMODEL_QUEUE_ARCHIVE_DAYS=1\n"
)
TOML = "".join(
    f'[sources.{source}]\nlauncher = "host"\nbackoff_s = [0]\n' for source in SOURCES
)
HEARTBEAT = "# Mine\n\nLook at the mail.\n"
CHAIN = "use alpha1 to summarize the sales, then use beta2 to write a report"
WORKERS = 2


class Call(NamedTuple):
    """One call of a hook or a command, at a fixed time."""

    name: str
    payload: Mapping[str, object] = {}
    at: str = "2026-03-04T16:00:00Z"
    words: tuple[str, ...] = ()
    """Of the command line; then ``name`` is a command."""

    def argv(self, root: Path) -> list[str]:
        """Return what is run."""
        if self.name.startswith("on-"):
            return [str(root / "hooks" / self.name)]
        return [str(root / "scripts" / "model-queue"), self.name, *self.words]

    @property
    def stdin(self) -> str:
        """Return what the program reads."""
        if not self.name.startswith("on-"):
            return ""
        return json.dumps({"version": 1, "now": self.at, **self.payload})


def say(message: str, **fields: object) -> Call:
    """Return a message that a person types."""
    return Call("on-intake", {"message": message, "message_id": message, **fields})


BEAT = Call("on-heartbeat")
NEXT_DAY = BEAT._replace(at="2026-03-05T16:00:00Z")
DONE = {"status": "done", "result": "All of it.\n\nSummary: done with it"}
END = Call("on-subagent-exit", {"task_id": "T-001", **DONE})
LABEL = "the attempt's"
"""Stands for the label of T-001 when the call is made."""
SAVE = Call("on-checkpoint", {"task_id": "T-001", "percent_complete": 40})


class Scenario(NamedTuple):
    """What has happened before, and the call that meets the fault."""

    before: tuple[Call, ...]
    call: Call


SCENARIOS: Mapping[str, Scenario] = {
    "first run": Scenario((), say(CHAIN)),
    "intake": Scenario((say("use beta2 to list files"),), say(CHAIN)),
    "claim": Scenario(
        (say("tomorrow at 9am use alpha1 to summarize the sales report"),), NEXT_DAY
    ),
    "completion": Scenario((say(CHAIN), BEAT), END),
    "failure": Scenario(
        (say(CHAIN), BEAT), END._replace(payload={"label": LABEL, "status": "failed"})
    ),
    "late result": Scenario(
        (say(CHAIN), say("cancel T-001")),
        END._replace(payload={**END.payload, "label": "mq-t-001-a0-00000000"}),
    ),
    "checkpoint": Scenario((say(CHAIN), BEAT), SAVE),
    "notices": Scenario(
        (
            say(CHAIN, channel="one"),
            END._replace(payload={**END.payload, "channel": "two"}),
        ),
        BEAT._replace(payload={"channel": "one"}),
    ),
    "cancel": Scenario((say(CHAIN),), say("cancel T-001")),
    "rerun": Scenario((say(CHAIN), END, BEAT), say("rerun T-001")),
}


@dataclass
class Place:
    """A home with its queue directory."""

    programs: Programs

    @classmethod
    def open(cls, home: Path, root: Path) -> Place:
        """Return a place that is configured, with a file that a first run extends."""
        home.mkdir(parents=True)
        (home / "HEARTBEAT.md").write_text(HEARTBEAT, encoding="utf-8")
        programs = Programs(home=home, root=root)
        programs.configure(TOOLS, TOML)
        return cls(programs)

    def copy(self, home: Path) -> Place:
        """Return the same in another home."""
        shutil.copytree(self.programs.home, home)
        programs = Programs(home=home, root=self.programs.root)
        programs.configure(TOOLS, TOML)
        return Place(programs)

    def call(self, call: Call) -> Ran:
        """Make a call on a disk that works."""
        return self.programs.run(call.argv(self.programs.root), call.stdin)

    def fail(self, call: Call, kind: str, at: int) -> tuple[Ran, list[str]]:
        """Make a call whose disk fails; return also the writes that it met."""
        log = self.programs.home.with_suffix(".writes")
        log.unlink(missing_ok=True)
        head = [sys.executable, "-I", "-S", PROGRAM, str(self.programs.home), str(log)]
        argv = [*head, kind, str(at), *call.argv(self.programs.root)]
        ran = self.programs.run(argv, call.stdin)
        return ran, log.read_text("utf-8").splitlines() if log.exists() else []

    def labelled(self, call: Call) -> Call:
        """Return a call with the label of the attempt that it is about."""
        if call.payload.get("label") != LABEL:
            return call
        store = FilesStore(str(self.programs.queues), ids=RandomIds())
        label = store.get(TaskRef.parse("T-001")).label
        return call._replace(payload={**call.payload, "label": label})

    def picture(self) -> JsonObject:
        """Return all that must come out alike, without what chance decides."""
        store = FilesStore(str(self.programs.queues), ids=RandomIds())
        tasks = store.select(Query())
        results = self.programs.queues.glob("results/*")
        heartbeat = (self.programs.home / "HEARTBEAT.md").read_text("utf-8")
        # A call that comes again may log again what has changed nothing.
        events: list[JsonValue] = [
            f"{e.event} {e.task_id} {e.before} {e.after}"
            for e in store.events(limit=1000)
            if e.before != e.after or e.after is None
        ]
        checkpoints = self.programs.queues.glob("checkpoints/*")
        return {
            "tasks": [about(task) for task in tasks],
            "queues": [meta.last_id for meta in store.queues()],
            "events": events,
            "files": {
                path.name: path.read_text("utf-8")
                for path in [*results, *checkpoints]
                if not path.name.startswith(".")
            },
            "heartbeat": heartbeat.replace(str(self.programs.home), "~"),
        }

    def litter(self) -> list[str]:
        """Return files of writers that gave up."""
        home = self.programs.home
        return [str(path.relative_to(home)) for path in home.rglob(".*.tmp")]


def about(task: Task) -> str:
    """Return what must be the same of a task, on one line."""
    return (
        f"{task.queue} {task.id} {task.status.value} a{task.attempt} r{task.retries} "
        f"l{task.losses} {task.description!r} {task.depends_on} {task.result_summary!r}"
    )


def answer_of(ran: Ran) -> JsonObject:
    """Return the JSON object that a program printed, {} without one."""
    try:
        found = json.loads(ran.out)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def told_in(rans: Sequence[Ran]) -> list[str]:
    """Return the texts of the notices in some answers; one that comes again counts once.

    It is the same as long as its id is: when the disk fails right after an answer, that
    it was given cannot be noted.
    """
    found: dict[object, str] = {}
    for ran in rans:
        notices = answer_of(ran).get("notices")
        for notice in notices if isinstance(notices, list) else ():
            assert isinstance(notice, dict)
            found[notice["id"]] = str(notice["text"])
    return sorted(found.values())


class Base(NamedTuple):
    """A scenario up to its call, and what follows without any fault."""

    place: Place
    call: Call
    picture: JsonObject
    """After the call."""
    notices: list[str]
    """That the chat sees from the call on."""


def base_of(home: Path, scenario: Scenario, root: Path) -> Base:
    """Play a scenario without any fault."""
    place = Place.open(home, root)
    for call in scenario.before:
        ran = place.call(call)
        assert ran.code == 0, (call, ran)
    call = place.labelled(scenario.call)
    after = place.copy(home.with_name(home.name + "-after"))
    rans = [after.call(call), after.call(call), *tell(after)]
    assert rans[0].code == 0, (call, rans[0])
    return Base(place, call, after.picture(), told_in(rans))


def tell(place: Place) -> Iterator[Ran]:
    """Let the heartbeat tell what is left to be told, after a minute."""
    yield place.call(BEAT._replace(at="2026-03-05T16:01:30Z"))


@dataclass
class Case:
    """One fault in one scenario."""

    name: str
    base: Base
    kind: str
    at: int
    violations: list[str] = field(default_factory=list[str])

    def run(self, home: Path) -> list[str]:
        """Play it; return what is wrong, [] when nothing is."""
        place = self.base.place.copy(home)
        try:
            ran, writes = place.fail(self.base.call, self.kind, self.at)
            self.look_at(ran)
            self._read_meanwhile(place)
            rans = [ran, place.call(self.base.call), *tell(place)]
            self.compare(place, rans)
        finally:
            shutil.rmtree(home)
        where = writes[self.at - 1] if len(writes) >= self.at else "?"
        head = f"{self.name}, {self.kind} at {self.at} ({where})"
        return [f"{head}: {violation}" for violation in self.violations]

    def look_at(self, ran: Ran) -> None:
        """A failure is one sentence; a call that could do without the write is none."""
        if ran.code not in {0, 7}:
            self.violations.append(f"exit {ran.code}: {ran.out}{ran.err}")
        if "Traceback" in ran.err:
            self.violations.append(f"a traceback: {ran.err}")
        error = answer_of(ran).get("error")
        if ran.code and not (isinstance(error, dict) and error["code"] == "store"):
            self.violations.append(f"no clear error: {ran.out}{ran.err}")

    def _read_meanwhile(self, place: Place) -> None:
        """While the disk is as it is, the directory still reads, as before or after."""
        if not list(self.base.place.programs.queues.glob("*.json")):
            # Before the first run there is nothing to read.
            return
        status = Call("status", words=("--json",))
        ran, _ = place.fail(status, self.kind, 1)
        if not KINDS[self.kind].is_lasting:
            ran = place.call(status)
        if ran.code:
            self.violations.append(f"it does not read: {ran.out}{ran.err}")

    def compare(self, place: Place, rans: Sequence[Ran]) -> None:
        """What stands in the end, and was told by then, is as without the fault."""
        if rans[1].code:
            self.violations.append(f"again: {rans[1].out}{rans[1].err}")
        found, expected = place.picture(), self.base.picture
        for name, value in expected.items():
            if found[name] != value:
                self.violations.append(f"{name}: {found[name]}, not {value}")
        said = told_in(rans)
        if said != self.base.notices:
            self.violations.append(f"told {said}, not {self.base.notices}")
        # Where nothing can be removed, a later sweep has to do it.
        if place.litter() and "remove" not in KINDS[self.kind].refuses:
            self.violations.append(f"left {place.litter()}")


class Plan(NamedTuple):
    """All cases, and how many writes each kind of call has."""

    cases: list[Case]
    n_points: dict[str, int]


def plan(
    home: Path, kinds: Sequence[str], names: Sequence[str], every: int, root: Path
) -> Plan:
    """Play each scenario once without a fault, and list its faults.

    Of ``every`` writes one fails, another one in each scenario.
    """
    cases: list[Case] = []
    n_points: dict[str, int] = {}
    for number, name in enumerate(names):
        base = base_of(home / f"base-{number}", SCENARIOS[name], root)
        for kind in kinds:
            dry = base.place.copy(home / f"dry-{number}-{kind}")
            ran, writes = dry.fail(base.call, kind, 0)
            assert ran.code == 0, (name, ran)
            n_points[f"{name}, {kind}"] = len(writes)
            cases += [
                Case(name, base, kind, at)
                for at in range(1 + number % every, len(writes) + 1, every)
            ]
    return Plan(cases, n_points)


def run(
    home: Path,
    *,
    kinds: Sequence[str] = tuple(KINDS),
    names: Sequence[str] = tuple(SCENARIOS),
    every: int = 1,
    root: Path = ROOT,
) -> tuple[Plan, list[str]]:
    """Play all cases; return them, and what was wrong."""
    planned = plan(home, kinds, names, every, root)

    def play(numbered: tuple[int, Case]) -> list[str]:
        number, case = numbered
        return case.run(home / f"case-{number}")

    with ThreadPoolExecutor(WORKERS) as pool:
        found = list(pool.map(play, enumerate(planned.cases)))
    return planned, [violation for each in found for violation in each]


def main(argv: Sequence[str]) -> int:
    """Run with the arguments of the command line; return 1 after a violation."""
    parser = argparse.ArgumentParser(prog="torture disk", description=__doc__)
    parser.add_argument("--kind", choices=KINDS, action="append")
    parser.add_argument("--call", choices=SCENARIOS, action="append")
    parser.add_argument("--every", type=int, default=1, metavar="N")
    args = parser.parse_args(argv)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        planned, violations = run(
            Path(home),
            kinds=args.kind or tuple(KINDS),
            names=args.call or tuple(SCENARIOS),
            every=args.every,
        )
    for name, n in planned.n_points.items():
        print(f"{n:4} writes: {name}")
    kinds = Counter(case.kind for case in planned.cases)
    print(f"disk: {len(planned.cases)} faults {dict(kinds)}")
    for violation in violations:
        print(f"VIOLATION {violation}")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
