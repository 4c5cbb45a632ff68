"""Commands that take a person's words: intake, parse."""

from __future__ import annotations

import argparse
import datetime as dt
import json
import sys
from collections.abc import Iterator, Sequence

from model_queue import adding, codec, first_run, messages, submit, wiring
from model_queue.commands.call import (
    HOST,
    Call,
    Command,
    Reply,
    absolute,
    not_configured,
    notice_objects,
    read_text,
    refusal_of,
    refuse_inside_session,
    waiting_notices,
)
from model_queue.commands.parsing import described, explained
from model_queue.commands.steering import one_pass
from model_queue.core import Core
from model_queue.errors import InputError, MessageError
from model_queue.hook_calls.intake import DISPATCH_EVENT
from model_queue.intake import Parsed, parse, predict_line, to_corpus
from model_queue.messages import questions
from model_queue.model import JsonObject, JsonValue, Status, Task
from model_queue.settings import Settings
from model_queue.zones import zone_named

_ANSWERED = frozenset(("help", "models"))
"""Topics whose answer is all that was wanted."""
SCOPES = ("addressed", "ambient")


def _zone_flag(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--timezone",
        metavar="ZONE",
        help="such as Asia/Shanghai; default: this machine's",
    )


def _scope_flag(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--scope",
        choices=SCOPES,
        default="addressed",
        help="addressed: every request is work; ambient: only what is marked as such",
    )


def _zone(call: Call) -> dt.tzinfo:
    name = call.args.timezone
    if not name:
        return call.zone
    zone = zone_named(name)
    if zone is None:
        sentence = (
            f"--timezone is {name!r}, but must be a zone like Europe/Paris or +08:00"
        )
        raise InputError(sentence)
    return zone


def _message(call: Call) -> str:
    message = str(call.args.message)
    return read_text("-", is_message=True) if message == "-" else message


def _intake_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("message", metavar="MESSAGE", help="the text, or - for stdin")
    _scope_flag(parser)
    parser.add_argument(
        "--message-id", default="", metavar="ID", help="taken once per id"
    )
    parser.add_argument("--session", default="", help="chat session it comes from")
    parser.add_argument("--channel", default="", help="channel it comes from")
    parser.add_argument("--host", default=HOST, help="agent runtime it comes from")
    parser.add_argument("--cwd", metavar="DIR", help="where its sessions work")
    parser.add_argument("--locale", default="", help="language of the answer: en, zh")
    _zone_flag(parser)


def intake(call: Call) -> Reply:
    """Carry out one message as a chat would: add tasks, run commands, answer.

    Raises:
        ConfigError: no source is configured.
        StateError: called inside a session.
    """
    refuse_inside_session(call)
    args = call.args
    message = adding.Message(
        text=_message(call),
        scope=args.scope,
        host=args.host,
        channel=args.channel,
        session=args.session,
        message_id=args.message_id,
        cwd=absolute(args.cwd) or call.seen.cwd,
        lang=args.locale[:2].lower(),
        zone=_zone(call),
        has_timer=args.json or args.host != HOST,
    )
    if message.text.lstrip().startswith(DISPATCH_EVENT):
        return one_pass(call, carries_actions=False)
    settings = call.settings()
    parsed = submit.understand(settings, message, now=call.now)
    if not submit.is_for_us(settings, parsed, now=call.now):
        asked = submit.unasked(settings, parsed, message)
        return _not_ours(call, parsed, asked=asked)
    if not settings.sources:
        raise not_configured(message.lang or parsed.language)
    core = wiring.open_core(call.seen, settings)
    answer = submit.intake(core, message, parsed=parsed, now=call.now)
    if answer.mode == "none":
        return _not_ours(call, parsed, asked=answer.text)
    done = call.run_pass(core, shows_notices=True)
    chat = (args.host, args.channel, args.session)
    notices, seen = waiting_notices(core, call, chat, done)
    here = not_from_here(core, answer.tasks, lang=answer.lang)
    texts = [answer.text, *here, *(notice.text for notice in notices)]

    def said() -> None:
        seen()
        if answer.is_first_run:
            close = first_run.finish if message.has_timer else first_run.leave_open
            close(core)

    exit_code, code = refusal_of(answer.fault, is_refused=answer.is_refused)
    return Reply(
        text="\n\n".join(text for text in texts if text),
        payload={
            "mode": answer.mode,
            "tasks": [codec.encode_task(core.store.get(t.ref)) for t in answer.tasks],
            "control": [*answer.control],
            "notices": [*notice_objects(notices)],
            "actions": [*answer.actions, *done.actions],
        },
        exit_code=exit_code,
        code=code,
        after=said,
    )


def not_from_here(core: Core, added: Sequence[Task], *, lang: str) -> Sequence[str]:
    """Say which of the added tasks wait for an agent runtime, by source."""
    waiting: dict[str, list[str]] = {}
    for task in map(core.store.get, [task.ref for task in added]):
        launcher = core.launchers.get(task.queue)
        if launcher and launcher.is_host and task.status is Status.PENDING:
            waiting.setdefault(task.queue, []).append(task.id)
    return [messages.host_only(name, ids, lang=lang) for name, ids in waiting.items()]


def _not_ours(call: Call, parsed: Parsed, *, asked: str) -> Reply:
    """Return the answer to a message without work: silence where nobody asked us."""
    payload: JsonObject = {"mode": "none", "tasks": [], "control": []}
    if call.args.scope == "ambient":
        return Reply(payload=payload)
    if asked and parsed.topic in _ANSWERED:
        return Reply(text=asked, payload=payload)
    text = asked or questions.no_task(lang=call.args.locale or parsed.language)
    return Reply(text=text, payload=payload, exit_code=5, code=MessageError.code)


def _parse_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "message", metavar="MESSAGE", nargs="?", help="the text, or - for stdin"
    )
    parser.add_argument(
        "--jsonl",
        action="store_true",
        help="read lines with id and message on stdin, print one prediction a line",
    )
    parser.add_argument(
        "--explain",
        action="store_true",
        help="say for each task why it begins there, and which words chose what",
    )
    _scope_flag(parser)
    parser.add_argument("--now", metavar="T", help="stands for the clock (RFC 3339)")
    _zone_flag(parser)


def parse_message(call: Call) -> Reply:
    """Print what a message would do, and touch nothing."""
    settings = call.settings()
    now = _moment(call.args.now) if call.args.now else call.now
    if call.args.jsonl:
        return Reply(lines=_predictions(call, settings))
    if call.args.message is None:
        sentence = "parse needs a message, or --jsonl with lines on stdin"
        raise InputError(sentence)
    parsed = parse(
        _message(call),
        catalog=submit.catalog_of(settings),
        scope=call.args.scope,
        now=now,
        zone=_zone(call),
        explains=call.args.explain,
    )
    corpus = to_corpus(parsed)
    if call.args.explain:
        return explained(parsed, corpus)
    return Reply(text=described(corpus), payload=corpus)


def _moment(text: str) -> dt.datetime:
    try:
        return codec.parse_time(text)
    except ValueError as error:
        sentence = f"--now is {text!r}, but must be a time such as 2026-12-01T09:00:00Z"
        raise InputError(sentence) from error


def _predictions(call: Call, settings: Settings) -> Iterator[JsonObject]:
    """Yield the prediction for each corpus line; the flags fill in what a line lacks."""
    catalog = submit.catalog_of(settings)
    flags = {name: getattr(call.args, name) for name in ("scope", "now", "timezone")}
    given: JsonObject = {name: value for name, value in flags.items() if value}
    for number, line in enumerate(sys.stdin, start=1):
        if not line.strip():
            continue
        try:
            row: JsonValue = json.loads(line)
        except ValueError:
            row = None
        if not isinstance(row, dict) or not isinstance(row.get("message"), str):
            sentence = f"line {number} of stdin is no JSON object with a message"
            raise InputError(sentence)
        yield predict_line({**given, **row}, catalog=catalog)


COMMANDS: Sequence[Command] = (
    Command(
        name="intake",
        help="carry out one chat message: add its tasks, run its commands",
        example='model-queue intake "use qwen2.5 to summarize notes.md, then translate it"',
        run=intake,
        flags=_intake_flags,
    ),
    Command(
        name="parse",
        help="print what a message would do, and touch nothing",
        example='model-queue parse --json "1. list the files 2. then count them"',
        run=parse_message,
        flags=_parse_flags,
    ),
)
