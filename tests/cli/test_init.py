"""Init: what is found on a machine becomes lines of TOOLS.md, once."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from chat import Chat, validator
from fake_openai import FakeOpenAI, Reply, an_ollama
from model_queue.model import JsonObject
from programs import InProcess, Programs

NOWHERE = "127.0.0.1:1"
"""Where no Ollama listens."""
BLOCK = """\
## Model Queue Configuration

MODEL_QUEUES_DIR=~/.openclaw/model-queues/
MODEL_QUEUE_MAX_RETRIES=3
MODEL_QUEUE_ARCHIVE_DAYS=7

# Model Source Mappings (REQUIRED)
# Format: MODEL_SOURCE_{NAME}=model1,model2,model3
MODEL_SOURCE_OLLAMA_LOCAL=ollama/qwen2.5:7b,ollama/llama3

# Default model source when not specified (optional)
DEFAULT_MODEL_SOURCE=ollama-local
"""
"""The seed's form."""


@pytest.fixture(autouse=True)
def _no_ollama_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = "model_queue.commands.initializing.OLLAMA_DEFAULT"
    monkeypatch.setattr(usual, f"http://{NOWHERE}/v1")


@pytest.fixture
def ollama() -> Iterator[FakeOpenAI]:
    with FakeOpenAI(listing=an_ollama("qwen2.5:7b", "llama3:latest")) as fake:
        yield fake


@pytest.fixture
def mq(tmp_path: Path, ollama: FakeOpenAI) -> Programs:
    """A machine with an Ollama and nothing configured."""
    host = ollama.endpoint.removeprefix("http://").removesuffix("/v1")
    return InProcess(home=tmp_path, environment={"OLLAMA_HOST": host})


@pytest.fixture
def bare(tmp_path: Path) -> Programs:
    """A machine without an Ollama."""
    return InProcess(home=tmp_path, environment={"OLLAMA_HOST": NOWHERE})


def tools(mq: Programs) -> Path:
    return mq.home / "TOOLS.md"


def answer(mq: Programs, *words: str, **environment: str) -> JsonObject:
    """What init answers in one object, whose form is checked."""
    found = mq.cli("init", *words, "--json", **environment).json
    validator("commands/init.schema.json").validate(found)
    return found


def with_program(mq: Programs, *names: str) -> Programs:
    folder = mq.home / "bin"
    folder.mkdir()
    for name in names:
        (folder / name).write_text("#!/bin/sh\nexit 9\n", encoding="utf-8")
        (folder / name).chmod(0o755)
    return replace(mq, path=f"{folder}:/usr/bin:/bin")


def test_lines_for_an_ollama_are_proposed_in_the_seeds_form(mq: Programs) -> None:
    told = mq.cli("init")

    assert told.code == 0
    assert told.out.startswith("Found Ollama 0.12.3 at http://127.0.0.1:")
    assert "with 2 models: qwen2.5:7b, llama3:latest." in told.out
    assert f"Add these lines to {tools(mq)}, or let" in told.out
    assert BLOCK in told.out
    assert 'model-queue intake "use qwen2.5:7b to write a haiku' in told.out
    assert not tools(mq).exists()


def test_proposal_is_told_in_one_object(mq: Programs, ollama: FakeOpenAI) -> None:
    found = answer(mq)

    assert found["ok"] is True
    assert found["ollama"] == {
        "endpoint": ollama.endpoint,
        "version": "0.12.3",
        "models": ["qwen2.5:7b", "llama3:latest"],
    }
    assert (found["lines"], found["path"]) == (BLOCK, str(tools(mq)))
    assert (found["written"], found["queues"]) == (False, [])


def test_write_adds_the_lines_makes_the_queues_and_names_the_next_step(
    mq: Programs,
) -> None:
    told = mq.cli("init", "--write")

    assert (told.code, told.err) == (0, "")
    assert tools(mq).read_text(encoding="utf-8") == BLOCK
    queues = mq.home / ".openclaw" / "model-queues"
    assert [path.name for path in queues.glob("*.json")] == ["ollama-local.json"]
    assert f"Ready: 1 queue (ollama-local) in {queues}." in told.out
    assert 'Next: `model-queue intake "use qwen2.5:7b' in told.out
    assert mq.cli("status").code == 0


@pytest.mark.parametrize(
    "text",
    [
        b"# Mine\n\nnotes\n",
        b"# Mine\r\nnotes\r\n",
        b"# Mine",
        b"\xef\xbb\xbf# Mine\n",
        b"# caf\xe9\n",
        b"",
    ],
)
def test_write_keeps_the_users_text_and_changes_nothing_twice(
    mq: Programs, text: bytes
) -> None:
    tools(mq).write_bytes(text)

    first = answer(mq, "--write")
    after = tools(mq).read_bytes()
    second = answer(mq, "--write")

    assert (first["ok"], second["ok"]) == (True, True)
    assert (first["written"], second["written"]) == (True, False)
    assert after.startswith(text)
    assert BLOCK in after.decode("utf-8", "replace").replace("\r\n", "\n")
    assert tools(mq).read_bytes() == after
    assert f"{tools(mq)} has every line" in str(second["reply"])


def test_write_at_once_by_many_adds_the_lines_once(mq: Programs) -> None:
    script = str(mq.root / "scripts" / "model-queue")
    started = [
        subprocess.Popen(
            [script, "init", "--write"],
            cwd=mq.home,
            env=mq.surroundings(),
            stdout=subprocess.DEVNULL,
        )
        for _ in range(4)
    ]

    assert [one.wait() for one in started] == [0] * 4
    assert tools(mq).read_text(encoding="utf-8") == BLOCK


def test_settings_that_are_there_are_left_as_they_are(mq: Programs) -> None:
    mq.configure("MODEL_QUEUE_MAX_RETRIES=5\nMODEL_SOURCE_HOSTED=agent/big\n")
    before = tools(mq).read_text(encoding="utf-8")

    assert mq.cli("init", "--write").code == 0

    added = tools(mq).read_text(encoding="utf-8").removeprefix(before)
    names = [line.partition("=")[0] for line in added.splitlines() if "=" in line]
    names = [name for name in names if not name.startswith("#")]
    assert names == ["MODEL_QUEUE_ARCHIVE_DAYS", "MODEL_SOURCE_OLLAMA_LOCAL"]
    queues = [path.name for path in mq.queues.glob("*.json")]
    assert sorted(queues) == ["hosted.json", "ollama-local.json"]


def test_other_line_of_the_source_is_never_overwritten(mq: Programs) -> None:
    mq.configure("- MODEL_SOURCE_OLLAMA_LOCAL=ollama/mistral # mine\n")
    before = tools(mq).read_bytes()

    refused = mq.cli("init", "--write")

    assert (refused.code, refused.out) == (5, "")
    assert "has MODEL_SOURCE_OLLAMA_LOCAL=ollama/mistral already" in refused.err
    assert "MODEL_SOURCE_OLLAMA_LOCAL=ollama/qwen2.5:7b,ollama/llama3" in refused.err
    assert tools(mq).read_bytes() == before


def test_source_of_another_file_is_never_doubled(mq: Programs) -> None:
    mq.configure("MODEL_SOURCE_OLLAMA_LOCAL=ollama/mistral\n")

    refused = mq.cli("init", "--write", str(mq.home / "other" / "TOOLS.md"))

    assert refused.code == 5
    assert str(tools(mq)) in refused.err
    assert not (mq.home / "other").exists()


def test_source_that_stands_for_the_server_keeps_its_name(
    mq: Programs, ollama: FakeOpenAI
) -> None:
    mq.configure("MODEL_SOURCE_BOX=ollama/qwen2.5:7b,ollama/llama3\n")

    told = answer(mq, "--write")

    assert "MODEL_SOURCE_BOX=ollama/qwen2.5:7b,ollama/llama3" in tools(mq).read_text()
    assert "OLLAMA_LOCAL" not in tools(mq).read_text(encoding="utf-8")
    assert told["toml"] == f'[sources.box]\nendpoint = "{ollama.endpoint}"\n'


def test_write_to_a_folder_writes_its_tools_and_says_how_it_is_read(
    mq: Programs,
) -> None:
    folder = mq.home / "elsewhere"
    folder.mkdir()

    told = mq.cli("init", "--write", str(folder))

    path = folder / "TOOLS.md"
    assert path.read_text(encoding="utf-8") == BLOCK
    assert f"MODEL_QUEUE_TOOLS_MD={path}" in told.out
    assert not (mq.home / ".openclaw").exists()


def test_usual_place_is_the_users_own(mq: Programs) -> None:
    found = answer(mq, MODEL_QUEUE_TOOLS_MD="")

    assert found["path"] == str(mq.home / ".openclaw" / "workspace" / "TOOLS.md")


def test_agents_md_that_is_there_is_taken(mq: Programs) -> None:
    path = mq.home / ".openclaw" / "workspace" / "AGENTS.md"
    path.parent.mkdir(parents=True)
    path.write_text("# Agents\n", encoding="utf-8")

    assert mq.cli("init", "--write", MODEL_QUEUE_TOOLS_MD="").code == 0

    assert path.read_text(encoding="utf-8") == f"# Agents\n\n{BLOCK}"


def test_unusual_address_is_put_into_the_toml(mq: Programs, ollama: FakeOpenAI) -> None:
    told = mq.cli("init")

    lines = f'[sources.ollama-local]\nendpoint = "{ollama.endpoint}"\n'
    assert lines in told.out
    assert str(mq.home / "task-queue.toml") in told.out


def test_models_that_cannot_be_asked_are_left_out(tmp_path: Path) -> None:
    rows: list[Mapping[str, object]] = [
        {"model": "nomic-embed-text:latest", "details": {"family": "nomic-bert"}},
        {"model": "qwen2.5:7b"},
        {"model": "gpt-oss:120b-cloud", "remote_host": "https://ollama.com"},
    ]
    tags = Reply(body=json.dumps({"models": rows}))
    with FakeOpenAI(listing={"/api/tags": tags}) as fake:
        mq = InProcess(home=tmp_path, environment={"OLLAMA_HOST": fake.endpoint})
        told = mq.cli("init")

    assert "MODEL_SOURCE_OLLAMA_LOCAL=ollama/qwen2.5:7b\n" in told.out
    assert "Left out: nomic-embed-text:latest, gpt-oss:120b-cloud" in told.out


def test_without_an_ollama_it_says_how_to_get_one(bare: Programs) -> None:
    told = bare.cli("init")

    assert told.code == 0
    assert f"No Ollama answers at http://{NOWHERE}." in told.out
    assert "https://ollama.com/download" in told.out
    assert "MODEL_SOURCE_OLLAMA_LOCAL=ollama/llama3,ollama/qwen2.5" in told.out
    assert answer(bare)["ollama"] is None


def test_without_a_model_nothing_is_written(bare: Programs) -> None:
    refused = bare.cli("init", "--write")

    assert answer(bare, "--write")["ok"] is False
    assert (refused.code, refused.out) == (5, "")
    assert refused.err.startswith("Nothing was written: No Ollama answers at ")
    assert "https://ollama.com/download" in refused.err
    assert not tools(bare).exists()


def test_ollama_without_a_model_is_told_what_to_pull(tmp_path: Path) -> None:
    with FakeOpenAI(listing=an_ollama()) as fake:
        mq = InProcess(home=tmp_path, environment={"OLLAMA_HOST": fake.endpoint})
        told, refused = mq.cli("init"), mq.cli("init", "--write")

    assert "has no model yet" in told.out
    assert "`ollama pull qwen2.5`" in told.out
    assert refused.code == 5


def test_without_an_ollama_what_is_configured_gets_its_queues(bare: Programs) -> None:
    bare.configure("MODEL_SOURCE_HOSTED=agent/big\n")
    before = tools(bare).read_bytes()

    told = answer(bare, "--write")

    assert (told["ok"], told["queues"]) == (True, ["hosted"])
    assert tools(bare).read_bytes() == before


def test_agent_programs_on_the_path_are_named(bare: Programs) -> None:
    mq = with_program(bare, "codex", "claude")

    told, found = mq.cli("init"), answer(mq)

    assert "Found claude, codex." in told.out
    assert "MODEL_SOURCE_CLAUDE=anthropic/<model>" in told.out
    folder = mq.home / "bin"
    assert found["programs"] == [
        {"name": "claude", "path": f"{folder}/claude"},
        {"name": "codex", "path": f"{folder}/codex"},
    ]


def test_setting_of_the_wrong_kind_keeps_it_from_writing(mq: Programs) -> None:
    refused = mq.cli("init", "--write", MODEL_QUEUE_MAX_RETRIES="many")

    assert refused.code == 4
    assert not tools(mq).exists()


def test_session_writes_no_settings(mq: Programs) -> None:
    assert mq.cli("init", "--write", MODEL_QUEUE_WORKER="1").code == 5
    assert not tools(mq).exists()


def test_answer_is_chinese_where_the_machine_is(mq: Programs) -> None:
    told = mq.cli("init", "--write", LANG="zh_CN.UTF-8")

    assert "有 2 个模型" in told.out
    assert "下一步：" in told.out
    assert BLOCK in told.out


def test_entry_of_the_heartbeat_is_added_and_the_host_still_asked(mq: Programs) -> None:
    """The queues are there then, but no host was ever asked for its timer."""
    heartbeat = mq.home / "HEARTBEAT.md"
    heartbeat.write_text("# Mine\n", encoding="utf-8")
    # It lies beside a file that is read, which must be there before it is looked for.
    tools(mq).write_text("", encoding="utf-8")

    assert mq.cli("init", "--write").code == 0
    first = Chat(mq).say("show status")
    second = Chat(mq).say("show status")

    assert heartbeat.read_text(encoding="utf-8").count("Model Queue Dispatcher") == 1
    assert str(first["reply"]).startswith("⚙️ Model Queue initialized. 1 queue ready.")
    actions = [first["actions"], second["actions"]]
    assert [len(each) for each in actions if isinstance(each, list)] == [1, 0]


def test_first_message_in_a_shell_leaves_the_timer_to_the_host_that_comes(
    tmp_path: Path,
) -> None:
    programs = InProcess(home=tmp_path)
    programs.configure("MODEL_SOURCE_HOSTED=x/alpha\n")
    greeted = programs.cli("intake", "count the files").out
    again = programs.cli("intake", "sort the files").out

    first = programs.cli("tick", "--actions", "--json").objects("actions")
    second = programs.cli("tick", "--actions", "--json").objects("actions")

    assert greeted.startswith("⚙️ Model Queue initialized. 1 queue ready.")
    assert "initialized" not in again
    assert [action["type"] for action in first] == ["cron", "spawn"]
    assert "cron" not in [action["type"] for action in second]


def test_first_message_of_an_agent_that_reads_the_actions_asks_for_the_timer_once(
    tmp_path: Path,
) -> None:
    programs = InProcess(home=tmp_path)
    programs.configure("MODEL_SOURCE_HOSTED=x/alpha\n")

    first = programs.cli("intake", "count the files", "--json").objects("actions")
    later = programs.cli("tick", "--actions", "--json").objects("actions")

    assert [action["type"] for action in first] == ["cron"]
    assert [action["type"] for action in later] == ["spawn"]
