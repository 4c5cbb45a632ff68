"""The guard answers what the full way would, and knows when it cannot. PERF.md goal 1."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from chat import Chat
from programs import ROOT, Ran
from waiting import eventually

pytestmark = pytest.mark.slow

ORDINARY = "Please fix the broken build in src/app.py"
AMBIENT = {"message": ORDINARY, "scope": "ambient"}
_LIBRARY = f"import sys, time; sys.path.append({str(ROOT / 'lib')!r})\n"
GUARD_ONLY = _LIBRARY + (
    "from model_queue import guard\n"
    "guard.let_through(sys.argv.pop())\n"
    "print('let through')\n"
)
"""Ends where the full way would begin, so that it shows who answered."""
FULL_WAY = _LIBRARY + (
    "from model_queue import hooks\n"
    "hooks.main(sys.argv.pop(), sys.stdin.buffer.read(), [], time.time())\n"
)


def run(chat: Chat, code: str, hook: str, payload: object, **more: str) -> Ran:
    # As hosts write it: an escape of ASCII characters goes the full way.
    text = json.dumps(payload, ensure_ascii=False)
    stdin = payload if isinstance(payload, str) else text
    argv = [sys.executable, "-I", "-S", "-c", code, hook]
    return chat.programs.run(argv, stdin, **more)


def is_guarded(chat: Chat, hook: str, payload: object, **more: str) -> bool:
    """Report whether the guard answers a call."""
    return run(chat, GUARD_ONLY, hook, payload, **more).out != "let through\n"


def learn(chat: Chat, hook: str, payload: object, **more: str) -> None:
    """Call a hook until the guard has learned the answer.

    Not the first time: what was changed a moment ago may have changed after it was read.
    """

    def has_learned() -> bool:
        full = run(chat, FULL_WAY, hook, payload, **more)
        assert full.code == 0, full
        return is_guarded(chat, hook, payload, **more)

    eventually(has_learned, within_s=5)


@pytest.fixture
def idle(chat: Chat) -> Chat:
    """A chat whose idle heartbeat the guard has learned."""
    chat.say("show status")
    learn(chat, "on-heartbeat", {})
    return chat


@pytest.fixture(scope="module")
def ambient(tmp_path_factory: pytest.TempPathFactory) -> Chat:
    """A chat of which the guard has learned what is not for the queue; only looked at."""
    chat = Chat.open(tmp_path_factory.mktemp("ambient"))
    learn(chat, "on-intake", AMBIENT)
    return chat


@pytest.fixture(scope="module")
def still(tmp_path_factory: pytest.TempPathFactory) -> Chat:
    """A chat whose idle heartbeat the guard has learned; only looked at."""
    chat = Chat.open(tmp_path_factory.mktemp("still"))
    chat.say("show status")
    learn(chat, "on-heartbeat", {})
    learn(chat, "on-intake", AMBIENT)
    return chat


@pytest.mark.parametrize("hook", ["on-intake", "on-heartbeat"])
def test_inside_a_session_of_ours_the_answer_is_empty(chat: Chat, hook: str) -> None:
    payload = {"message": "add task: count the files"}

    ran = run(chat, GUARD_ONLY, hook, payload, MODEL_QUEUE_WORKER="1")

    assert ran.json["ok"] is True
    assert ran.json["reply"] == ""
    assert not chat.programs.queues.exists()


@pytest.mark.parametrize("hook", ["on-subagent-exit", "on-checkpoint"])
def test_inside_a_session_of_ours_the_other_hooks_work(chat: Chat, hook: str) -> None:
    assert not is_guarded(chat, hook, {}, MODEL_QUEUE_WORKER="1")


@pytest.mark.parametrize(
    "payload",
    [
        pytest.param(AMBIENT, id="as learned"),
        pytest.param({**AMBIENT, "message": "Thanks!"}, id="another message"),
        pytest.param({**AMBIENT, "message": "帮我看看，谢谢！"}, id="chinese"),
        pytest.param({**AMBIENT, "message": 'say "hi" {x: [1]}'}, id="quotes"),
        pytest.param({**AMBIENT, "message": "a\nb\tc/d"}, id="escapes"),
        pytest.param({**AMBIENT, "version": 1, "session_id": "s"}, id="more members"),
        pytest.param({**AMBIENT, "later": "x", "cwd": "/srv"}, id="unknown member"),
    ],
)
def test_ambient_message_without_our_words_is_answered(
    ambient: Chat, payload: object
) -> None:
    guarded = run(ambient, GUARD_ONLY, "on-intake", payload)

    assert guarded.out == run(ambient, FULL_WAY, "on-intake", payload).out
    assert guarded.json["mode"] == "none"


@pytest.mark.parametrize(
    "payload",
    [
        pytest.param({**AMBIENT, "message": "add task: x"}, id="trigger"),
        pytest.param({**AMBIENT, "message": "TASK"}, id="upper case"),
        pytest.param({**AMBIENT, "message": "retry t-3"}, id="id"),
        pytest.param({**AMBIENT, "message": "with qwen2.5 …"}, id="model"),
        pytest.param({**AMBIENT, "message": "ｔａｓｋ"}, id="full-width"),
        pytest.param({**AMBIENT, "message": "ta\u200bsk"}, id="invisible character"),
        pytest.param({"message": ORDINARY}, id="no scope"),
        pytest.param({"message": ORDINARY, "scope": "addressed"}, id="addressed"),
        pytest.param({**AMBIENT, "scope": None}, id="scope null"),
        pytest.param({"scope": "ambient"}, id="no message"),
        pytest.param({**AMBIENT, "cwd": "here"}, id="bad path"),
        pytest.param({**AMBIENT, "timezone": "UTC"}, id="zone"),
        pytest.param({**AMBIENT, "version": 2}, id="unknown version"),
        pytest.param({**AMBIENT, "host": 1}, id="wrong type"),
        pytest.param({"payload": AMBIENT, "message": ORDINARY}, id="nested scope"),
        pytest.param('{"message": "\\u0074ask", "scope": "ambient"}', id="escape"),
        pytest.param('{"message": "hi", "scope": "ambient"', id="unfinished"),
        pytest.param("", id="nothing"),
    ],
)
def test_unsure_message_goes_the_full_way(ambient: Chat, payload: object) -> None:
    assert not is_guarded(ambient, "on-intake", payload)


def test_idle_heartbeat_is_answered(still: Chat) -> None:
    guarded = run(still, GUARD_ONLY, "on-heartbeat", {"version": 1})

    assert guarded.out == run(still, FULL_WAY, "on-heartbeat", {"version": 1}).out
    assert guarded.json["reply"] == "HEARTBEAT_OK"


@pytest.mark.parametrize(
    "payload",
    [
        pytest.param({"sessions": []}, id="sessions"),
        pytest.param({"sessions_complete": True}, id="complete"),
        pytest.param({"now": "2026-03-04T16:51:00Z"}, id="other time"),
        pytest.param({"delivery_id": "d-1"}, id="delivery"),
        pytest.param({"version": 2}, id="unknown version"),
    ],
)
def test_heartbeat_with_something_in_it_goes_the_full_way(
    still: Chat, payload: object
) -> None:
    assert not is_guarded(still, "on-heartbeat", payload)


def add_line(path: str) -> Callable[[Chat], None]:
    """Return what appends a line to a file below the home."""

    def change(chat: Chat) -> None:
        with (chat.programs.home / path).open("a", encoding="utf-8") as file:
            file.write("\n")

    return change


def move_aside(chat: Chat) -> None:
    chat.programs.queues.rename(chat.programs.home / "elsewhere")


def add_queue(chat: Chat) -> None:
    (chat.programs.queues / "hand-made.json").write_text(
        '{"tasks": []}', encoding="utf-8"
    )


def leave_a_journal(chat: Chat) -> None:
    (chat.programs.queues / ".state" / "journal").write_text("", encoding="utf-8")


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(add_line("TOOLS.md"), id="configuration"),
        pytest.param(add_line("task-queue.toml"), id="TOML"),
        pytest.param(add_line("queues/ollama-local.json"), id="hand edit"),
        pytest.param(add_queue, id="new queue file"),
        pytest.param(move_aside, id="queues gone"),
        pytest.param(leave_a_journal, id="commit cut off"),
    ],
)
def test_any_change_sends_the_heartbeat_the_full_way(
    idle: Chat, change: Callable[[Chat], None]
) -> None:
    change(idle)

    assert not is_guarded(idle, "on-heartbeat", {})


@pytest.mark.parametrize(
    "more",
    [
        {"MODEL_QUEUES_DIR": "/srv/queues"},
        {"MODEL_SOURCE_MORE": "a/b"},
        {"DEFAULT_MODEL_SOURCE": "more"},
        {"OLLAMA_HOST": "http://gpu:11434"},
        {"HOME": "/srv"},
    ],
)
def test_other_environment_sends_both_the_full_way(
    still: Chat, more: dict[str, str]
) -> None:
    assert not is_guarded(still, "on-heartbeat", {}, **more)
    assert not is_guarded(still, "on-intake", AMBIENT, **more)


def test_new_source_is_a_word_at_once(chat: Chat) -> None:
    learn(chat, "on-intake", AMBIENT)
    tools = chat.programs.home / "TOOLS.md"
    lines = tools.read_text(encoding="utf-8") + "MODEL_SOURCE_NEW=x/failing\n"

    tools.write_text(lines, encoding="utf-8")

    assert not is_guarded(chat, "on-intake", AMBIENT)


def test_idle_answer_ends_when_the_next_task_is_due(chat: Chat) -> None:
    chat.say("add task: in 1 hour, count the files")
    learn(chat, "on-heartbeat", {})
    [sidecar] = (chat.programs.home / ".cache" / "model-queue").glob("idle-*")
    head, rest = sidecar.read_text(encoding="utf-8").split("\n", 1)
    times, rest = rest.split("\n", 1)
    began, until = map(float, times.split())
    assert 3500 < until - began < 3700

    sidecar.write_text(f"{head}\n{began} {began}\n{rest}", encoding="utf-8")

    assert not is_guarded(chat, "on-heartbeat", {})


def test_clock_set_back_sends_the_heartbeat_the_full_way(idle: Chat) -> None:
    [sidecar] = (idle.programs.home / ".cache" / "model-queue").glob("idle-*")
    head, rest = sidecar.read_text(encoding="utf-8").split("\n", 1)
    _, rest = rest.split("\n", 1)

    sidecar.write_text(f"{head}\n9e9 9.1e9\n{rest}", encoding="utf-8")

    assert not is_guarded(idle, "on-heartbeat", {})


@pytest.mark.parametrize("rest", ["", "\n", "x", "\x00" * 50, "('0.1.0',\n1 2\n\n{}"])
def test_damaged_sidecar_does_not_count(idle: Chat, rest: str) -> None:
    [sidecar] = (idle.programs.home / ".cache" / "model-queue").glob("idle-*")

    sidecar.write_text(rest, encoding="utf-8")

    assert not is_guarded(idle, "on-heartbeat", {})


def test_notice_that_waits_is_not_kept_back(chat: Chat) -> None:
    chat.say("add task: count the files", channel="telegram")
    chat.wait_for("T-001")
    chat.wait_for_sessions()
    run(chat, FULL_WAY, "on-heartbeat", {"channel": "other"})

    assert not is_guarded(chat, "on-heartbeat", {})
    assert "✅ T-001 done" in str(chat.heartbeat(channel="telegram")["reply"])


def test_running_task_is_looked_at(chat: Chat) -> None:
    chat.say("add task: use glm5 to translate the page")
    run(chat, FULL_WAY, "on-heartbeat", {})

    assert not is_guarded(chat, "on-heartbeat", {})


def test_without_a_home_the_sidecars_lie_beside_the_queues(tmp_path: Path) -> None:
    chat = Chat.open(tmp_path)
    more = {"HOME": "", "MODEL_QUEUES_DIR": str(chat.programs.queues)}

    learn(chat, "on-intake", AMBIENT, **more)

    assert list((chat.programs.queues / ".state").glob("words-*"))


def test_sidecars_are_private(still: Chat) -> None:
    [sidecar] = (still.programs.home / ".cache" / "model-queue").glob("idle-*")

    assert sidecar.stat().st_mode & 0o777 == 0o600
    assert sidecar.parent.stat().st_mode & 0o777 == 0o700


def test_the_answer_to_an_open_question_is_let_through(chat: Chat) -> None:
    answer = {"message": "1", "scope": "ambient", "session_id": "s-1"}
    learn(chat, "on-intake", answer)
    where = {"scope": "ambient", "session_id": "s-1"}
    asked = chat.say("/mq use llama3 to list the invoices", **where)
    assert asked["mode"] == "ask"

    assert not is_guarded(chat, "on-intake", answer)
    told = chat.call("on-intake", answer)

    assert str(told["reply"]).startswith("📋 Added T-001")
