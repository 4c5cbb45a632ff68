"""Plays a conversation that is written down, and compares each answer with what stands there.

A transcript reads like a chat. A turn is one line that says who does what, then the whole
answer::

    # A comment. Empty lines part the turns for the eye only.
    you> use qwen2.5 to analyze the sales data
    bot> 📋 Added T-001 to queue [ollama-local]
       > Model: ollama/qwen2.5
       > Task: analyze the sales data
       > Queue position: 1

    host> done T-001: Sales are up.
    bot> ✅ T-001 done — Sales are up.
       > Queue: ollama-local | Duration: 20s

    tick> +5m
    bot> HEARTBEAT_OK

- A line that begins with ``   >`` goes on with what stands above it, an answer or a message.
- ``bot>`` alone is an empty answer: the message was not for the queue.
- ``you>`` is on-intake in scope ``addressed``, ``you+5m>`` five minutes after the turn before
  it; ``chat>`` is a message in scope ``ambient``. Without a time a turn comes 20 seconds after
  the one before it. The first is at 2026-12-01T09:00:00Z, a Tuesday.
- ``host>`` is on-subagent-exit for a task's present session: ``done T-001: REPORT``,
  ``failed T-001: ERROR``, ``cancelled T-001``, ``timeout T-001``, ``blocked T-001: REASON``; the
  word says the status. ``ended T-001`` reports the end of a session that was asked to stop.
- ``tick>`` is on-heartbeat, with every session that runs, after ``+5m`` (``+20s`` without).
- ``set> timezone Asia/Shanghai`` (or ``locale zh-CN``) holds for the calls that follow; it has
  no answer.

Every source is started by the host, which starts a session for each ``spawn`` at once and
attaches it; ``ollama-local`` has one slot, ``ollama-remote`` one, ``cloud-nvidia`` two. After each
turn the queue files must parse and hold no more sessions than that; at the end nothing may
be left unfinished.

With ``MODEL_QUEUE_TRANSCRIPTS=write`` in the environment the answers are written into the file
instead of compared: for authors, who then read every one of them.
"""

from __future__ import annotations

import datetime as dt
import difflib
import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import chdir
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from chat import TOOLS
from model_queue.fields import format_time
from model_queue.hook_calls import carry_out
from model_queue.hook_calls.call import Call
from model_queue.hosts.generic import payload_of
from model_queue.jsontext import dumps
from model_queue.model import JsonObject, JsonValue
from programs import Programs

START = dt.datetime(2026, 12, 1, 9, 0, tzinfo=dt.UTC)
STEP = dt.timedelta(seconds=20)
"""Between two turns that name no time."""
SLOTS = {"ollama-local": 1, "ollama-remote": 1, "cloud-nvidia": 2}
TOML = "".join(
    f'[sources.{source}]\nlauncher = "host"\nmax_concurrent = {slots}\n'
    for source, slots in SLOTS.items()
)
UNFINISHED = frozenset(("pending", "waiting", "running", "paused", "blocked"))
WRITE = os.environ.get("MODEL_QUEUE_TRANSCRIPTS") == "write"

_HEAD = re.compile(r"(you|chat|host|tick|set|bot)(\+\d+[smhd])?> ?(.*)")
_MORE = re.compile(r" {3}> ?(.*)")
_WAIT = re.compile(r"\+(\d+)([smhd])")
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}
_HOST = re.compile(r"(\w+) (\S+?)(?:: (.*))?", re.DOTALL)

Hook = Callable[[str, JsonObject], JsonObject]
"""Calls a hook with one JSON object and returns its answer."""


class Turn(NamedTuple):
    """What somebody does, and the answer that stands in the transcript."""

    line: int
    who: str
    after: dt.timedelta
    said: str
    answer: str


def read(text: str) -> Iterator[Turn]:
    """Yield the turns of a transcript.

    Raises:
        ValueError: a line is neither a turn, its answer, nor a comment.
    """
    begun: list[tuple[int, str, str, list[str]]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        head, more = _HEAD.fullmatch(line), _MORE.fullmatch(line)
        if head:
            begun.append((number, head[1], head[2] or "", [head[3]]))
        elif more and begun:
            begun[-1][3].append(more[1])
        elif line.strip() and not line.startswith("#"):
            message = f"line {number} is no part of a transcript: {line!r}"
            raise ValueError(message)
    for index, (number, who, after, said) in enumerate(begun):
        if who == "bot":
            continue
        has_answer = index + 1 < len(begun) and begun[index + 1][1] == "bot"
        answer = "\n".join(begun[index + 1][3]) if has_answer else ""
        words = "\n".join(said)
        wait = after or (words if who == "tick" else "")
        yield Turn(number, who, _span(wait), words, answer)


def _span(words: str) -> dt.timedelta:
    found = _WAIT.fullmatch(words)
    if found is None:
        return STEP
    return dt.timedelta(**{_UNITS[found[2]]: int(found[1])})


@dataclass
class Play:
    """A conversation that goes on: the host with its sessions, the clock, the chat."""

    programs: Programs
    hook: Hook
    now: dt.datetime = START - STEP
    context: JsonObject = field(default_factory=dict)
    sessions: dict[str, str] = field(default_factory=dict)
    """Task by the label of each session that runs."""

    def play(self, turn: Turn) -> str:
        """Let a turn happen and return the answer; check what must hold after it."""
        self.now += turn.after
        if turn.who == "set":
            name, _, value = turn.said.partition(" ")
            self.context[name] = value
            return ""
        answer = self._call(turn)
        assert answer["ok"] is True, answer
        self._carry_out(answer)
        self._check()
        return str(answer["reply"])

    def _common(self) -> JsonObject:
        """Return what every call says."""
        return {
            "version": 1,
            "now": format_time(self.now),
            "host": "transcript",
            "channel": "chat",
            "timezone": "UTC",
            **self.context,
        }

    def _call(self, turn: Turn) -> JsonObject:
        common = self._common()
        chat = {**common, "session_id": "s-1"}
        match turn.who:
            case "host":
                return self.hook("on-subagent-exit", common | self._end(turn.said))
            case "tick":
                return self.hook("on-heartbeat", chat | {"sessions": self._running()})
            case _:
                scope = "ambient" if turn.who == "chat" else "addressed"
                return self.hook(
                    "on-intake", chat | {"message": turn.said, "scope": scope}
                )

    def _end(self, said: str) -> JsonObject:
        found = _HOST.fullmatch(said)
        assert found, said
        word, task_id, rest = found.groups()
        running = {task: label for label, task in self.sessions.items()}
        assert task_id in running, f"{said}: only {sorted(running)} run"
        label = running[task_id]
        del self.sessions[label]
        status = "cancelled" if word == "ended" else word
        member = "result" if status == "done" else "error"
        end: JsonObject = {"label": label, "session_id": f"s-{label}", "status": status}
        return end | ({member: rest} if rest else {})

    def _carry_out(self, answer: JsonObject) -> None:
        """Start the sessions that the answer asks for, as an agent runtime does."""
        actions = answer["actions"]
        assert isinstance(actions, list)
        for action in actions:
            assert isinstance(action, dict)
            if action["type"] == "spawn":
                self.sessions[str(action["label"])] = str(action["task_id"])
                self._tell_of_sessions()

    def _tell_of_sessions(self) -> None:
        """Say what runs, apart from the chat, whose notices stay for its next turn."""
        apart: JsonObject = {"session_id": "timer", "sessions": self._running()}
        self.hook("on-heartbeat", self._common() | apart)

    def _running(self) -> list[JsonValue]:
        return [
            {"label": label, "session_id": f"s-{label}", "status": "running"}
            for label in self.sessions
        ]

    def tasks(self) -> Iterator[JsonObject]:
        """Yield every task of the queue files, which must parse."""
        for path in self.programs.queues.glob("*.json"):
            queue = json.loads(path.read_text(encoding="utf-8"))
            yield from queue["tasks"]

    def _check(self) -> None:
        held = dict.fromkeys(SLOTS, 0)
        for task in self.tasks():
            claim = task.get("claim")
            is_stopping = isinstance(claim, dict) and "stopping" in claim
            if task["status"] == "running" or is_stopping:
                held[str(task["queue"])] += 1
        assert all(held[source] <= SLOTS[source] for source in SLOTS), held


def opened(home: Path) -> Programs:
    """Return an unpacked model-queue with the sources of the transcripts."""
    programs = Programs(home=home)
    programs.configure(TOOLS, TOML)
    return programs


def called(programs: Programs) -> Hook:
    """Return the hooks as functions of this process: many times as fast."""

    def hook(name: str, payload: JsonObject) -> JsonObject:
        data = dumps(payload).encode()
        with (
            mock.patch.dict(os.environ, programs.surroundings(), clear=True),
            chdir(programs.home),
        ):
            done = carry_out(Call(name, payload_of(name, data), began=0.0))
            if done.afterwards:
                done.afterwards()
        return done.answer

    return hook


def started(programs: Programs) -> Hook:
    """Return the real executables, one process a call."""

    def hook(name: str, payload: JsonObject) -> JsonObject:
        ran = programs.hook(name, **payload)
        assert (ran.code, ran.err) == (0, ""), ran
        return ran.json

    return hook


def play(path: Path, programs: Programs, hook: Hook) -> tuple[str, str]:
    """Play a transcript to its end; return its turns as written and as they went."""
    text = path.read_text(encoding="utf-8")
    going = Play(programs, hook)
    turns: list[tuple[Turn, str]] = []
    try:
        turns.extend((turn, going.play(turn)) for turn in read(text))
    finally:
        if WRITE:
            path.write_text(_rewritten(text, turns), encoding="utf-8")
    left = {task["id"]: task["status"] for task in going.tasks()}
    assert going.sessions == {}
    assert [task for task, status in left.items() if status in UNFINISHED] == []
    written = "\n\n".join(_shown(turn, turn.answer) for turn, _ in turns)
    played = "\n\n".join(_shown(turn, answer) for turn, answer in turns)
    return written, played


def difference(written: str, played: str) -> str:
    """Return where two texts of ``play`` differ, with the turns around; "" nowhere."""
    lines = difflib.unified_diff(
        written.splitlines(), played.splitlines(), "written", "played", lineterm=""
    )
    return "\n".join(lines)


def _shown(turn: Turn, answer: str) -> str:
    return f"[line {turn.line}] {turn.who}> {turn.said}\n{_block('bot', answer)}"


def _block(who: str, words: str) -> str:
    first, *rest = words.split("\n")
    lines = [f"{who}> {first}".rstrip(), *(f"   > {line}".rstrip() for line in rest)]
    return "\n".join(lines)


def _rewritten(text: str, turns: list[tuple[Turn, str]]) -> str:
    """Return the transcript with the answers that were given, as far as it was played."""
    answers = {turn.line: (turn, turn.answer) for turn in read(text)}
    answers |= {turn.line: (turn, answer) for turn, answer in turns}
    lines: list[str] = []
    pending: str | None = None
    is_old = False
    for number, line in enumerate(text.splitlines(), start=1):
        head, more = _HEAD.fullmatch(line), _MORE.fullmatch(line)
        is_old = line.startswith("bot>") or (is_old and more is not None)
        if is_old:
            continue
        if pending is not None and more is None:
            lines.append(pending)
            pending = None
        lines.append(line)
        if head and number in answers and answers[number][0].who != "set":
            pending = _block("bot", answers[number][1])
    if pending is not None:
        lines.append(pending)
    return "\n".join(lines) + "\n"
