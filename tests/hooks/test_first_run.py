"""The first run: once, whoever comes first, and the person's own text as it was."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from chat import Chat
from model_queue import first_run
from model_queue.model import JsonObject
from programs import ROOT, Programs

N_CALLS = 8
GREETING = "⚙️ Model Queue initialized. 3 queues ready."
USER_TEXTS = {
    "lf": b"# Mine\n\nLook at the mail.\n",
    "crlf": b"# Mine\r\n\r\nLook at the mail.\r\n",
    "no line end": b"# Mine\n\nLook at the mail.",
    "mark of UTF-8": b"\xef\xbb\xbf# Mine\n",
    "UTF-16": "\ufeff# Mine\nLook at the mail, 你好.\n".encode("utf-16-le"),
    "no UTF-8": b"# caf\xe9\n\xff\xfe\x00 odd\n",
    "empty": b"",
    "blank lines": b"\n\n\n",
}
ENCODINGS = {"UTF-16": "utf-16-le"}


def kinds(answer: JsonObject) -> list[object]:
    actions = answer["actions"]
    assert isinstance(actions, list)
    return [action["type"] for action in actions if isinstance(action, dict)]


def entries(data: bytes, encoding: str = "utf-8") -> int:
    return data.count("Model Queue Dispatcher".encode(encoding))


def heartbeat_of(chat: Chat) -> Path:
    return chat.programs.home / "HEARTBEAT.md"


def say_at_once(chats: Sequence[Chat]) -> list[JsonObject]:
    """Let every chat say the same at the same time; return the answers."""
    started = [
        subprocess.Popen(
            [ROOT / "hooks" / "on-intake"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=chat.programs.home,
            env=chat.programs.surroundings(),
        )
        for chat in chats
    ]
    for one in started:
        assert one.stdin is not None
        one.stdin.write('{"message": "show status"}')
        one.stdin.close()
    answers: list[JsonObject] = []
    for one in started:
        with one:
            assert one.stdout is not None
            answers.append(json.loads(one.stdout.read()))
        assert one.returncode == 0
    return answers


@pytest.mark.parametrize("name", USER_TEXTS)
def test_entry_follows_the_users_text_which_stays_byte_for_byte(
    chat: Chat, name: str
) -> None:
    text, encoding = USER_TEXTS[name], ENCODINGS.get(name, "utf-8")
    heartbeat_of(chat).write_bytes(text)

    chat.say("show status")
    after = heartbeat_of(chat).read_bytes()
    chat.say("show status")

    assert after.startswith(text)
    assert entries(after, encoding) == 1
    assert heartbeat_of(chat).read_bytes() == after
    added = after.removeprefix(text).decode(encoding)
    entry = first_run.heartbeat_entry(str(chat.programs.queues))
    assert added.replace("\r\n", "\n").removeprefix("\n").removeprefix("\n") == entry
    assert ("\r\n" in added) is (name == "crlf")


def test_first_run_of_many_calls_at_once_is_one(chat: Chat) -> None:
    heartbeat_of(chat).write_bytes(USER_TEXTS["no line end"])

    answers = say_at_once([chat] * N_CALLS)

    replies = [str(answer["reply"]) for answer in answers]
    assert sum(GREETING in reply for reply in replies) == 1
    assert [kind for answer in answers for kind in kinds(answer)] == ["cron"]
    assert all("📊 Queue Status" in reply for reply in replies)
    data = heartbeat_of(chat).read_bytes()
    assert data.startswith(USER_TEXTS["no line end"])
    assert entries(data) == 1
    assert len(list(chat.programs.queues.glob("*.json"))) == 3


def test_two_queue_directories_that_share_a_file_add_one_entry(chat: Chat) -> None:
    heartbeat_of(chat).write_bytes(USER_TEXTS["lf"])
    home = chat.programs.home
    places = [{"MODEL_QUEUES_DIR": f"{home}/q{n}"} for n in range(N_CALLS)]
    others = [Chat(Programs(home=home, environment=place)) for place in places]

    answers = say_at_once(others)

    assert all(str(answer["reply"]).startswith(GREETING) for answer in answers)
    assert entries(heartbeat_of(chat).read_bytes()) == 1


def test_second_run_changes_nothing_and_asks_for_nothing(chat: Chat) -> None:
    heartbeat_of(chat).write_bytes(USER_TEXTS["lf"])
    first = chat.say("show status")
    before = {path: path.read_bytes() for path in chat.programs.queues.glob("*.json")}

    second = chat.say("show status")

    assert (kinds(first), kinds(second)) == (["cron"], [])
    assert str(second["reply"]).startswith("📊 Queue Status")
    after = {path: path.read_bytes() for path in chat.programs.queues.glob("*.json")}
    assert after == before


def test_cron_is_asked_for_under_one_key(chat: Chat) -> None:
    first = chat.say("show status")
    shutil.rmtree(chat.programs.queues)

    again = chat.say("show status")

    assert first["actions"] == again["actions"]
    assert kinds(first) == ["cron"]


def test_file_keeps_its_mode_and_its_other_name(chat: Chat) -> None:
    path, other = heartbeat_of(chat), chat.programs.home / "linked.md"
    path.write_bytes(USER_TEXTS["lf"])
    path.chmod(0o664)
    other.hardlink_to(path)

    chat.say("show status")

    assert stat.S_IMODE(path.stat().st_mode) == 0o664
    assert path.samefile(other)
    assert entries(other.read_bytes()) == 1


def test_symbolic_link_is_written_through(chat: Chat) -> None:
    real = chat.programs.home / "notes" / "beat.md"
    real.parent.mkdir()
    real.write_bytes(USER_TEXTS["crlf"])
    heartbeat_of(chat).symlink_to(real)

    chat.say("show status")

    assert heartbeat_of(chat).is_symlink()
    assert real.read_bytes().startswith(USER_TEXTS["crlf"])
    assert entries(real.read_bytes()) == 1


def test_link_that_leads_nowhere_stays_one(chat: Chat) -> None:
    heartbeat_of(chat).symlink_to(chat.programs.home / "nowhere.md")

    chat.say("show status")

    assert heartbeat_of(chat).is_symlink()
    assert not (chat.programs.home / "nowhere.md").exists()


def test_file_that_cannot_be_written_is_told_once_and_keeps_no_work_back(
    chat: Chat,
) -> None:
    path = heartbeat_of(chat)
    path.write_bytes(USER_TEXTS["lf"])

    with unwritable(path):
        first = chat.say("add task: use glm5 to translate the page")
        second = chat.say("show status")

    reply = str(first["reply"])
    assert reply.startswith(f"{GREETING}\n⚠️ {path} cannot be written: ")
    assert "📋 Added T-001 to queue [cloud-nvidia]" in reply
    assert "cron" in kinds(first)
    assert "HEARTBEAT.md" not in str(second["reply"])
    assert path.read_bytes() == USER_TEXTS["lf"]


@contextmanager
def unwritable(path: Path) -> Iterator[None]:
    """Keep everybody from writing a file, root as well."""
    if os.geteuid() != 0:
        path.chmod(0o444)
        yield
        return
    mount, umount = shutil.which("mount"), shutil.which("umount")
    if mount is None or umount is None:
        pytest.skip("root can write everywhere, and there is no mount")
    if subprocess.run([mount, "--bind", path, path], check=False).returncode:
        pytest.skip("root can write everywhere, and may not mount")
    try:
        options = "remount,ro,bind"
        subprocess.run([mount, "-o", options, path], check=True)
        yield
    finally:
        subprocess.run([umount, "--lazy", path], check=True)


def test_source_that_is_added_later_gets_its_queue(chat: Chat) -> None:
    chat.say("show status")
    tools = (chat.programs.home / "TOOLS.md").read_text(encoding="utf-8")
    (chat.programs.home / "TOOLS.md").write_text(
        f"{tools}MODEL_SOURCE_CLOUD_ZAI=zai/glm6\n", encoding="utf-8"
    )

    added = chat.say("add task: use glm6 to translate the page")

    assert "📋 Added T-001 to queue [cloud-zai]" in str(added["reply"])
    assert chat.queue("cloud-zai")["models"] == ["zai/glm6"]
    assert kinds(added) == ["spawn"]


def test_source_that_is_removed_keeps_its_queue(chat: Chat) -> None:
    chat.say("show status")
    before = (chat.programs.queues / "cloud-nvidia.json").read_bytes()
    chat.programs.configure("MODEL_SOURCE_OLLAMA_LOCAL=ollama/llama3\n")

    chat.say("show status")

    assert (chat.programs.queues / "cloud-nvidia.json").read_bytes() == before
