"""What holds for every hook: input, output, exit code, time. Source: SPEC 7."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from chat import TOML, TOOLS, Chat, answer_of, checked, error_of
from model_queue.guard import MAX_INPUT
from programs import ROOT, Programs, Ran

HOOKS = ("on-intake", "on-heartbeat", "on-subagent-exit", "on-checkpoint")
VALID: Mapping[str, Mapping[str, object]] = {
    "on-intake": {"message": "hello"},
    "on-heartbeat": {},
    "on-subagent-exit": {"label": "of-others", "status": "done"},
    "on-checkpoint": {"task_id": "T-001"},
}


def raw(chat: Chat, hook: str, stdin: str, *flags: str, **environment: str) -> Ran:
    """Call a hook with any stdin and flags."""
    program = str(chat.programs.root / "hooks" / hook)
    return chat.programs.run([program, *flags], stdin, **environment)


@pytest.mark.parametrize(
    ("stdin", "told"),
    [
        pytest.param("", "stdin is empty", id="nothing"),
        pytest.param(" \n", "stdin is empty", id="white space"),
        pytest.param("add a task", "stdin is not JSON", id="no JSON"),
        pytest.param('{"message": "hi"', "stdin is not JSON", id="unfinished"),
        pytest.param('{"version": 1} {}', "stdin is not JSON", id="two objects"),
        pytest.param("[" * 100_000, "stdin is not JSON", id="nested too deep"),
        pytest.param('["hi"]', "not an object", id="a list"),
        pytest.param('{"version": 2}', "version is 2", id="unknown version"),
        pytest.param('{"version": "1"}', 'version is "1"', id="version as text"),
        pytest.param('{"now": "soon"}', 'now is "soon"', id="no time"),
        pytest.param(
            '{"now": "9999-12-31T23:59:59Z"}', "from 1970 to 2999", id="end of time"
        ),
        pytest.param('{"cwd": "here"}', 'cwd is "here"', id="relative path"),
        pytest.param('{"timezone": "Mars/Base"}', "Mars/Base", id="no such zone"),
        pytest.param('{"host": 5}', "host is 5", id="number for a text"),
    ],
)
def test_input_that_cannot_be_used_is_refused_with_the_reason(
    chat: Chat, stdin: str, told: str
) -> None:
    # Read in one place for all hooks; one each is enough.
    hook = HOOKS[len(stdin) % len(HOOKS)]

    ran = raw(chat, hook, stdin)

    error = error_of(hook, ran)
    assert (ran.code, error["code"]) == (3, "hook_input")
    assert told in str(error["message"])
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize("hook", HOOKS)
def test_empty_input_is_answered_with_what_to_send(chat: Chat, hook: str) -> None:
    error = error_of(hook, raw(chat, hook, ""))

    example = str(error["hint"]).removeprefix("Send one JSON object, such as ")
    assert isinstance(json.JSONDecoder().raw_decode(example)[0], dict)


def test_input_that_is_not_utf8_is_refused(chat: Chat) -> None:
    program = str(ROOT / "hooks" / "on-intake")
    done = subprocess.run(
        [program], input=b'{"message": "\xff"}', capture_output=True, check=False,
        env={"PATH": chat.programs.path, "HOME": str(chat.programs.home)},
    )  # fmt: skip

    ran = Ran(done.returncode, done.stdout.decode(), done.stderr.decode())
    assert "not UTF-8" in str(error_of("on-intake", ran)["message"])


def test_all_problems_are_told_at_once(chat: Chat) -> None:
    ran = raw(chat, "on-subagent-exit", '{"usage": {"cost_usd": -1}, "channel": []}')

    message = str(error_of("on-subagent-exit", ran)["message"])
    for problem in ("label or session_id or task_id", "status", "cost_usd", "channel"):
        assert problem in message


@pytest.mark.parametrize("hook", HOOKS)
def test_unknown_members_are_ignored_and_null_is_absent(chat: Chat, hook: str) -> None:
    chat.say("add task: count the files")
    fields = {**VALID[hook], "later": {"x": [1]}, "now": None, "cwd": None}

    ran = chat.programs.hook(hook, **fields)

    assert answer_of(hook, ran)["ok"] is True


@pytest.mark.parametrize("hook", HOOKS)
def test_missing_version_counts_as_1(chat: Chat, hook: str) -> None:
    chat.say("add task: count the files")

    ran = raw(chat, hook, json.dumps(VALID[hook]))

    assert answer_of(hook, ran)["version"] == 1


@pytest.mark.slow
def test_message_of_2_megabytes_is_taken(chat: Chat) -> None:
    text = "add task: summarize this text. " + "word " * 400_000

    answer = chat.say(text)

    assert answer["mode"] == "intake"


def test_input_above_the_limit_is_refused(chat: Chat) -> None:
    ran = raw(chat, "on-intake", json.dumps({"message": "x" * MAX_INPUT}))

    assert "more than 16,777,216 bytes" in str(error_of("on-intake", ran)["message"])


def test_half_a_surrogate_pair_is_no_fault(chat: Chat) -> None:
    answer = chat.say("add task: count \ud83d files")

    assert answer["mode"] == "intake"


@pytest.mark.parametrize("hook", HOOKS)
def test_file_in_place_of_the_queue_directory_is_a_store_error(
    chat: Chat, hook: str
) -> None:
    chat.programs.queues.write_text("mine", encoding="utf-8")
    fields = {**VALID[hook], **({"message": "add task: x"} if "intake" in hook else {})}

    ran = chat.programs.hook(hook, **fields)

    error = error_of(hook, ran)
    assert (ran.code, error["code"]) == (7, "store")
    assert str(chat.programs.queues) in str(error["message"])
    assert chat.programs.queues.read_text(encoding="utf-8") == "mine"


def test_setting_without_a_usable_value_is_a_configuration_error(
    tmp_path: Path,
) -> None:
    chat = Chat.open(tmp_path, tools=TOOLS + "MODEL_QUEUE_MAX_RETRIES=many\n")

    ran = chat.programs.hook("on-heartbeat")

    error = error_of("on-heartbeat", ran)
    assert (ran.code, error["code"]) == (4, "config")
    assert "MODEL_QUEUE_MAX_RETRIES" in str(error["message"])


def test_lock_that_stays_held_makes_the_hook_busy(chat: Chat) -> None:
    chat.say("show status")
    code = (
        f"import functools, sys, time; sys.path.append({str(ROOT / 'lib')!r})\n"
        "from model_queue import hooks, stores\n"
        "wait = functools.partial(stores.FilesStore, lock_timeout_s=0.2)\n"
        "stores.FilesStore = wait\n"
        "hooks.main('on-heartbeat', b'{}', [], time.time())\n"
    )
    with (chat.programs.queues / ".state" / "lock").open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)

        ran = chat.programs.run([sys.executable, "-I", "-S", "-c", code])

    assert (ran.code, error_of("on-heartbeat", ran)["code"]) == (6, "busy")


def test_call_that_takes_too_long_is_given_up(chat: Chat) -> None:
    chat.say("show status")
    code = (
        f"import sys, time; sys.path.append({str(ROOT / 'lib')!r})\n"
        "from model_queue import hooks\n"
        "hooks.LIMIT_S = 0.2\n"
        "hooks.main('on-heartbeat', b'{}', [], time.time())\n"
    )
    with (chat.programs.queues / ".state" / "lock").open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)

        ran = chat.programs.run([sys.executable, "-I", "-S", "-c", code])

    assert (ran.code, error_of("on-heartbeat", ran)["code"]) == (6, "conflict")


def test_fault_of_ours_is_logged_and_told_in_one_sentence(tmp_path: Path) -> None:
    root = tmp_path / "broken"
    ignored = shutil.ignore_patterns("__pycache__")
    for folder in ("hooks", "lib"):
        shutil.copytree(ROOT / folder, root / folder, ignore=ignored)
    module = root / "lib" / "model_queue" / "planning.py"
    text = module.read_text(encoding="utf-8")
    module.write_text(text + "\ncounts = None  # type: ignore\n", encoding="utf-8")
    programs = Programs(home=tmp_path, root=root)
    programs.configure(TOOLS, TOML)
    programs.queues.mkdir()

    ran = programs.hook("on-heartbeat")

    error = error_of("on-heartbeat", ran)
    assert (ran.code, error["code"]) == (1, "internal")
    log = programs.queues / ".state" / "log"
    assert str(log) in str(error["message"])
    assert "Traceback" in log.read_text(encoding="utf-8")


@pytest.mark.parametrize("hook", HOOKS)
def test_library_that_is_damaged_is_told_without_a_traceback(
    tmp_path: Path, hook: str
) -> None:
    """As in the middle of an update."""
    package = tmp_path / "half" / "lib" / "model_queue"
    package.mkdir(parents=True)
    for name in ("__init__.py", "guard.py"):
        shutil.copy(ROOT / "lib" / "model_queue" / name, package)
    (package / "hooks.py").write_text('raise ImportError("\\"no\\"\\n")', "utf-8")
    shutil.copytree(ROOT / "hooks", tmp_path / "half" / "hooks")
    programs = Programs(home=tmp_path, root=tmp_path / "half")

    ran = programs.hook(hook)
    runtime = programs.run([str(programs.root / "hooks" / hook), "--runtime", "codex"])

    assert error_of(hook, ran)["message"] == (
        "model-queue cannot start: ImportError: no"
    )
    assert ran.code == 1
    assert (runtime.code, runtime.out, runtime.err) == (0, "{}\n", "")


def test_host_that_does_not_read_the_answer_gets_its_notices_again(chat: Chat) -> None:
    chat.say("add task: count the files")
    chat.wait_for("T-001")
    chat.wait_for_sessions()
    reading, writing = os.pipe()
    os.close(reading)

    gone = subprocess.run(
        [ROOT / "hooks" / "on-heartbeat"],
        input=b"{}",
        stdout=writing,
        stderr=subprocess.PIPE,
        env=chat.programs.surroundings(),
        cwd=chat.programs.home,
        check=False,
    )
    os.close(writing)

    assert (gone.returncode, gone.stderr) == (1, b"")
    assert chat.heartbeat()["reply"] == "HEARTBEAT_OK"
    later = chat.heartbeat(now="2199-01-01T00:00:00Z")
    assert "✅ T-001 done" in str(later["reply"])


@pytest.mark.parametrize("hook", HOOKS)
@pytest.mark.parametrize(
    ("stdin", "flags"),
    [
        pytest.param("", ("--runtime", "claude-code"), id="no input"),
        pytest.param("[[", ("--runtime=other",), id="no JSON, unknown runtime"),
    ],
)
def test_with_a_runtime_every_exit_is_0(
    chat: Chat, hook: str, stdin: str, flags: tuple[str, ...]
) -> None:
    ran = raw(chat, hook, stdin, *flags)

    assert (ran.code, ran.json, ran.err) == (0, {}, "")


def test_runtime_that_is_not_understood_is_logged(chat: Chat) -> None:
    chat.say("show status")

    raw(chat, "on-intake", "{}", "--runtime", "codex")

    log = (chat.programs.queues / ".state" / "log").read_text(encoding="utf-8")
    assert "--runtime codex" in log


@pytest.mark.parametrize("hook", HOOKS)
def test_flag_that_no_hook_has_is_refused(chat: Chat, hook: str) -> None:
    ran = raw(chat, hook, "{}", "--wait", "5")

    assert (ran.code, error_of(hook, ran)["code"]) == (3, "hook_input")


def test_python_that_is_too_old_is_told(chat: Chat) -> None:
    code = (
        f"import sys; sys.path.append({str(ROOT / 'lib')!r})\n"
        "from model_queue import guard\n"
        "sys.version_info = (3, 8)\n"
        "guard.let_through('on-intake')\n"
    )

    ran = chat.programs.run([sys.executable, "-I", "-S", "-c", code], "{}")

    assert ran.code == 1
    assert "Python 3.11" in str(checked("on-intake", ran)["error"])


@pytest.mark.slow
def test_stdin_that_stays_open_is_given_up(chat: Chat) -> None:
    reading, writing = os.pipe()
    try:
        done = subprocess.run(
            [ROOT / "hooks" / "on-heartbeat"],
            stdin=reading,
            capture_output=True,
            text=True,
            env=chat.programs.surroundings(),
            timeout=10,
            check=False,
        )
    finally:
        os.close(reading)
        os.close(writing)

    error = error_of("on-heartbeat", Ran(done.returncode, done.stdout, done.stderr))
    assert "stdin was not closed" in str(error["message"])
