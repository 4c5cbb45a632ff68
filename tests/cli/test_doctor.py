"""Doctor, whole: settings, sources, queues and problems, each with its remedy."""

from __future__ import annotations

import fcntl
import json
import os
import shlex
import signal
import stat
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from chat import validator
from fake_openai import FakeOpenAI, Reply, a_list, an_error, an_ollama
from model_queue import lock_holders
from model_queue.launchers.session_files import LOCK
from model_queue.messages.folding import width_of
from model_queue.model import JsonObject
from model_queue.probing import Found, Trouble
from programs import InProcess, Programs, Ran
from waiting import eventually

HOSTED = "MODEL_SOURCE_HOSTED=agent/big\n"
HOSTED_TOML = '[sources.hosted]\nlauncher = "host"\n'


@pytest.fixture
def mq(tmp_path: Path) -> Programs:
    programs = InProcess(home=tmp_path)
    programs.configure(HOSTED, HOSTED_TOML)
    return programs


def problems(ran: Ran) -> dict[object, JsonObject]:
    """The problems of a doctor's answer by their code, of which each is there once."""
    validator("commands/doctor.schema.json").validate(ran.json)
    listed = ran.objects("problems")
    found: dict[object, JsonObject] = {each["code"]: each for each in listed}
    assert len(found) == len(listed)
    return found


def look(mq: Programs, **environment: str) -> dict[object, JsonObject]:
    return problems(mq.cli("doctor", "--json", **environment))


def with_server(
    mq: Programs,
    endpoint: str,
    models: str = "ollama/qwen2.5",
    more: str = "",
) -> Programs:
    """Configure one source at a server."""
    toml = f'[sources.box]\nlauncher = "openai"\nendpoint = "{endpoint}"\n{more}'
    mq.configure(f"MODEL_SOURCE_BOX={models}\n", toml)
    return mq


def asked(
    mq: Programs,
    listing: Mapping[str, Reply],
    models: str = "ollama/qwen2.5",
    more: str = "",
    **environment: str,
) -> Ran:
    """Let doctor look at a source whose server has a listing."""
    with FakeOpenAI(listing=listing) as fake:
        with_server(mq, fake.endpoint, models, more)
        return mq.cli("doctor", "--json", **environment)


# Sources.


def test_source_that_answers_and_has_its_models_is_no_problem(mq: Programs) -> None:
    ran = asked(mq, an_ollama("qwen2.5:latest", "llama3:8b"))

    assert (ran.code, problems(ran)) == (0, {})
    [source] = ran.objects("sources")
    assert source["name"] == "box"
    assert (source["launcher"], source["reachable"]) == ("openai", True)
    assert source["models"] == ["ollama/qwen2.5"]
    assert source["available"] == ["qwen2.5:latest", "llama3:8b"]
    assert (source["missing"], source["trouble"]) == ([], None)


@pytest.mark.parametrize(
    ("models", "has", "missing"),
    [
        ("ollama/qwen2.5", ["qwen2.5:latest"], []),
        ("ollama/qwen2.5:latest", ["qwen2.5"], []),
        ("ollama/Qwen2.5", ["qwen2.5:latest"], []),
        ("ollama/qwen2.5", ["qwen2.5:7b"], ["qwen2.5"]),
        ("ollama/qwen2.5:7b,ollama/llama3", ["llama3:latest"], ["qwen2.5:7b"]),
        ("nvidia/z-ai/glm5", ["z-ai/glm5"], []),
        ("nvidia/z-ai/glm5", ["z-ai/glm4"], ["z-ai/glm5"]),
    ],
)
def test_models_are_compared_as_those_of_sessions_are(
    mq: Programs, models: str, has: list[str], missing: list[str]
) -> None:
    ran = asked(mq, {"/v1/models": a_list(*has)}, models)

    [source] = ran.objects("sources")
    assert source["missing"] == missing
    assert ("model_missing" in problems(ran)) is bool(missing)
    assert ran.code == 0


def test_missing_model_of_an_ollama_is_to_be_pulled(mq: Programs) -> None:
    ran = asked(mq, an_ollama("llama3:8b"), "ollama/qwen2.5,ollama/mistral")

    problem = problems(ran)["model_missing"]
    text = "the server of box does not have qwen2.5, mistral: such tasks will fail"
    assert problem["text"] == text
    pulls = "ollama pull qwen2.5 && ollama pull mistral"
    assert problem["hint"] == f"Run `{pulls}` there."


def test_other_size_of_the_model_is_named(mq: Programs) -> None:
    ran = asked(mq, an_ollama("qwen2.5:7b", "llama3:8b"))

    hint = str(problems(ran)["model_missing"]["hint"])
    assert "`ollama pull qwen2.5`" in hint
    assert hint.endswith("write what it has into MODEL_SOURCE_BOX: qwen2.5:7b.")


def test_missing_model_of_another_server_is_to_be_corrected(mq: Programs) -> None:
    ran = asked(mq, {"/v1/models": a_list("glm-4", "glm-4-air")}, "zai/glm-5")

    hint = str(problems(ran)["model_missing"]["hint"])
    assert "Correct MODEL_SOURCE_BOX" in hint
    assert hint.endswith("The server has glm-4, glm-4-air.")


def test_model_is_looked_for_under_the_name_of_its_runtime(mq: Programs) -> None:
    more = 'model_names = { "ollama/qwen2.5" = "qwen2.5:7b" }\n'

    ran = asked(mq, an_ollama("qwen2.5:7b"), more=more)

    assert problems(ran) == {}


@pytest.mark.parametrize(
    ("reply", "code", "hint"),
    [
        pytest.param(
            Reply(body="<html>", content_type="text/html"),
            "server_page",
            "base URL of its API",
            id="page",
        ),
        pytest.param(an_error(500, "oops"), "server_status", "own log", id="500"),
        pytest.param(an_error(404, "no"), "server_status", "end with /v1", id="404"),
        pytest.param(
            Reply(status=301, body="", headers={"Location": "https://x.example/v1"}),
            "server_moved",
            "into endpoint under [sources.box]",
            id="moved",
        ),
    ],
)
def test_fault_of_a_server_is_a_note_with_a_remedy(
    mq: Programs, reply: Reply, code: str, hint: str
) -> None:
    ran = asked(mq, {"/v1/models": reply})

    assert ran.code == 0
    [problem] = ran.objects("problems")
    assert problem["code"] == code
    assert hint in str(problem["hint"])
    [source] = ran.objects("sources")
    assert source["reachable"] is True


def test_ollama_that_does_not_run_is_to_be_started(mq: Programs) -> None:
    with FakeOpenAI() as fake:
        endpoint = fake.endpoint
    with_server(mq, endpoint)

    ran = mq.cli("doctor", "--json")

    assert ran.code == 0
    problem = problems(ran)["server_refused"]
    assert endpoint in str(problem["text"])
    assert problem["hint"] == "Start it: `ollama serve`."
    [source] = ran.objects("sources")
    assert (source["reachable"], source["available"]) == (False, None)


def test_other_server_that_does_not_run_is_to_be_started(mq: Programs) -> None:
    with FakeOpenAI() as fake:
        with_server(mq, fake.endpoint, "acme/large")

    assert "Start that server" in str(look(mq)["server_refused"]["hint"])


def test_ollama_of_another_machine_is_to_be_started_there(
    mq: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = {"box": Found(trouble=Trouble.REFUSED, detail="Connection refused")}
    monkeypatch.setattr(
        "model_queue.commands.reaching.ask_all", lambda *_: dict(refused)
    )
    with_server(mq, "http://gpu-box:11434/v1")

    hint = str(look(mq)["server_refused"]["hint"])

    assert hint.startswith("Start it on gpu-box: `OLLAMA_HOST=0.0.0.0 ollama serve`")


def test_wrong_host_is_named(mq: Programs) -> None:
    with_server(mq, "http://no-such-host.invalid/v1")

    [problem] = mq.cli("doctor", "--json").objects("problems")

    # Where no name can be looked up at all, that takes longer than the limit.
    assert problem["code"] in {"server_unknown_host", "server_silent"}
    assert "no-such-host.invalid" in str(problem["text"])


def test_server_without_tls_is_told(mq: Programs) -> None:
    with FakeOpenAI() as fake:
        with_server(mq, fake.endpoint.replace("http:", "https:"))
        problem = look(mq)["server_tls"]

    assert str(problem["text"]).endswith("it does not speak TLS")
    assert "http://" in str(problem["hint"])


@pytest.mark.parametrize("status", [401, 403])
def test_refused_key_is_a_note_and_a_missing_one_an_error(
    mq: Programs, status: int
) -> None:
    listing = {"/v1/models": an_error(status, "no key")}
    named = 'api_key_env = "BOX_KEY"\n'

    refused = asked(mq, listing, more=named, BOX_KEY="k-1")
    unset = asked(mq, listing, more=named)
    unnamed = asked(mq, listing)

    assert refused.code == 0
    assert "the key in BOX_KEY" in str(problems(refused)["key_refused"]["text"])
    assert "k-1" not in refused.out
    assert (unset.code, unnamed.code) == (4, 4)
    assert list(problems(unset)) == ["key_missing"]
    assert "BOX_KEY is not set" in str(problems(unset)["key_missing"]["text"])
    assert "into BOX_KEY" in str(problems(unset)["key_missing"]["hint"])
    assert "Set api_key_env" in str(problems(unnamed)["key_missing"]["hint"])


def test_key_is_sent(mq: Programs) -> None:
    with FakeOpenAI(listing=an_ollama("qwen2.5")) as fake:
        with_server(mq, fake.endpoint, more='api_key_env = "BOX_KEY"\n')
        mq.cli("doctor", BOX_KEY="k-1")

    assert fake.looks[0].headers["authorization"] == "Bearer k-1"


def test_offline_asks_nobody(mq: Programs) -> None:
    with FakeOpenAI(listing=an_ollama("llama3")) as fake:
        with_server(mq, fake.endpoint)
        told = mq.cli("doctor", "--offline")
        ran = mq.cli("doctor", "--offline", "--json")

    assert fake.looks == []
    assert (ran.code, problems(ran)) == (0, {})
    [source] = ran.objects("sources")
    assert (source["reachable"], source["available"]) == (None, None)
    assert "was not asked (--offline)" in told.out


def test_source_of_a_host_or_a_command_is_not_asked(mq: Programs) -> None:
    toml = HOSTED_TOML + '[sources.here]\nlauncher = "command"\ncommand = ["sh"]\n'
    mq.configure(HOSTED + "MODEL_SOURCE_HERE=local/sh\n", toml)

    told = mq.cli("doctor")
    hosted, here = mq.cli("doctor", "--json").objects("sources")

    assert (hosted["launcher"], hosted["reachable"]) == ("host", None)
    assert str(here["program"]).endswith("/sh")
    assert "host: is started by your agent runtime" in told.out
    assert f"command: runs {here['program']}" in told.out


# The page.


@pytest.mark.parametrize(
    ("lang", "groups"),
    [
        ("C.UTF-8", ["Settings", "Sources", "Queues", "Problems"]),
        ("zh_CN.UTF-8", ["设置", "模型来源", "队列", "问题"]),
    ],
)
def test_page_is_grouped_and_fits_80_columns(
    mq: Programs, lang: str, groups: list[str]
) -> None:
    mq.configure(HOSTED + "MODEL_SOURCE_BOX=ollama/qwen2.5\nMODEL_QUEUE_WAKRE=on\n")
    mq.cli("intake", "use big to write the will")

    told = mq.cli("doctor", LANG=lang, OLLAMA_HOST="127.0.0.1:1")

    lines = told.out.splitlines()
    # A path has no blank to break at.
    wide = [line for line in lines if width_of(line) > 80 and "/" not in line]
    assert wide == []
    assert [line for line in lines if line and not line.startswith(" ")] == groups
    assert "`ollama serve`" in told.out


def test_queues_are_counted_and_the_last_pass_is_told(mq: Programs) -> None:
    mq.cli("intake", "use big to write the will")

    told = mq.cli("doctor")

    out = " ".join(told.out.split())
    assert "hosted: 1 pending" in out
    assert "last pass 0s ago by" in out
    assert "waker off" in out
    assert "no heartbeat entry" in out
    timer = mq.cli("doctor", "--json").json["timer"]
    assert isinstance(timer, dict)
    assert (timer["waker"], timer["heartbeat_entries"]) == ("off", [])


def test_defaults_of_several_sources_stand_there_once(mq: Programs) -> None:
    mq.configure(HOSTED + "MODEL_SOURCE_OTHER=agent/small\n")

    told = mq.cli("doctor").out

    assert told.count(".lease_s") == 1
    assert "sources.*.lease_s" in told


def test_heartbeat_entry_and_crontab_are_found(mq: Programs) -> None:
    programs = mq.home / "bin"
    programs.mkdir()
    crontab = programs / "crontab"
    crontab.write_text("#!/bin/sh\necho '*/15 * * * * model-queue tick'\n")
    crontab.chmod(0o755)
    heartbeat = mq.home / "HEARTBEAT.md"
    heartbeat.write_text("# Mine\n", encoding="utf-8")
    mq.cli("intake", "use big to write the will")

    ran = mq.cli("doctor", "--json", PATH=f"{programs}:{mq.path}")

    timer = ran.json["timer"]
    assert isinstance(timer, dict)
    assert timer["heartbeat_entries"] == [str(heartbeat)]
    assert timer["crons"] == ["crontab"]


# Passes.


def note_pass(mq: Programs, *, hours_ago: float) -> None:
    stamp = time.time() - hours_ago * 3600  # noqa: TID251 - the program's own clock
    (mq.queues / ".state" / "pass").write_text(f"{stamp:.3f} on-heartbeat\n")


@pytest.mark.parametrize(("hours_ago", "is_told"), [(2.9, False), (3.1, True)])
def test_three_hours_without_a_pass_are_told_while_tasks_could_run(
    mq: Programs, hours_ago: float, is_told: bool
) -> None:
    mq.cli("intake", "use big to write the will")
    note_pass(mq, hours_ago=hours_ago)

    found = look(mq)

    assert ("no_pass" in found) is is_told
    if is_told:
        text = str(found["no_pass"]["text"])
        assert text == "1 task could run, and nothing has run a pass for 3h 6m"
        assert "`model-queue tick`" in str(found["no_pass"]["hint"])


def test_old_pass_is_no_problem_while_nothing_could_run(mq: Programs) -> None:
    mq.cli("intake", "use big to write the will")
    mq.cli("intake", "pause T-001")
    note_pass(mq, hours_ago=30)

    assert look(mq) == {}


def test_waker_that_should_be_there_is_missed(mq: Programs) -> None:
    mq.cli("intake", "use big to write the will")
    stamp = time.time() - 600  # noqa: TID251 - the program's own clock
    (mq.queues / ".state" / "due").write_text(f"{stamp:.3f}\n")

    assert look(mq) == {}
    assert "waker_missing" in look(mq, MODEL_QUEUE_WAKER="on")


# Sessions.

SLEEP = '[sources.here]\nlauncher = "command"\ncommand = ["sleep", "60"]\n'


def running(mq: Programs) -> tuple[Path, str]:
    """Return the folder and the label of a session that runs."""
    mq.configure("MODEL_SOURCE_HERE=local/sleeper\n", SLEEP)
    assert mq.cli("intake", "use sleeper to count the files").code == 0
    [folder] = (mq.queues / "sessions").iterdir()
    assert eventually((folder / "process.json").exists)
    return folder, folder.name


def kill(folder: Path) -> None:
    """Kill a session and its supervisor at once, as a power cut does."""
    supervisor = lock_holders.holder_of(str(folder / LOCK))
    assert supervisor not in {None, os.getpid(), os.getppid()}
    assert supervisor is not None
    process = json.loads((folder / "process.json").read_text(encoding="utf-8"))
    os.kill(supervisor, signal.SIGKILL)
    os.killpg(process["session"]["group"], signal.SIGKILL)
    assert eventually(lambda: not lock_holders.is_held(str(folder / LOCK)))


def test_session_that_runs_is_no_problem_and_a_dead_one_is_named(mq: Programs) -> None:
    folder, _ = running(mq)
    alive = look(mq)

    kill(folder)
    dead = look(mq)

    assert (list(alive), list(dead)) == ([], ["session_gone"])
    assert str(dead["session_gone"]["text"]).startswith("T-001 counts as running")
    assert not (folder / "outcome.json").exists()


def test_session_whose_result_nobody_took_is_named(mq: Programs) -> None:
    folder, _ = running(mq)
    kill(folder)
    outcome = {"written_by": "model-queue", "result_status": "success"}
    (folder / "outcome.json").write_text(json.dumps(outcome), encoding="utf-8")

    found = look(mq)

    assert list(found) == ["session_unsettled"]
    assert "`model-queue tick`" in str(found["session_unsettled"]["hint"])


def test_session_that_no_task_holds_is_named(mq: Programs) -> None:
    folder, label = running(mq)
    path = mq.queues / "here.json"
    queue = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(queue | {"tasks": []}), encoding="utf-8")

    found = look(mq)
    kill(folder)

    assert sorted(map(str, found)) == ["session_stray", "task_taken_out"]
    assert label in str(found["session_stray"]["text"])
    assert "(pid " in str(found["session_stray"]["text"])


def edit_claim(mq: Programs, source: str, **fields: str) -> None:
    path = mq.queues / f"{source}.json"
    queue = json.loads(path.read_text(encoding="utf-8"))
    queue["tasks"][0]["claim"] |= fields
    path.write_text(json.dumps(queue), encoding="utf-8")


def test_claim_without_a_session_is_named_once_its_lease_is_over(mq: Programs) -> None:
    folder, _ = running(mq)
    kill(folder)
    folder.rename(mq.home / "gone")

    within = look(mq)
    edit_claim(mq, "here", lease_until="2026-01-01T00:00:00Z")
    after = look(mq)

    assert (list(within), list(after)) == ([], ["claim_without_session"])


def test_task_that_its_host_never_started_is_named(mq: Programs) -> None:
    mq.cli("intake", "use big to write the will")
    mq.cli("tick", "--actions")

    within = look(mq)
    edit_claim(mq, "hosted", lease_until="2026-01-01T00:00:00Z")
    after = look(mq)

    assert (list(within), list(after)) == ([], ["spawn_unanswered"])
    assert "model-queue fail T-001" in str(after["spawn_unanswered"]["hint"])


# The place.


def test_queues_that_others_can_read_are_named_with_the_command(mq: Programs) -> None:
    mq.cli("intake", "use big to write the will")
    mq.queues.chmod(0o755)
    (mq.queues / "hosted.json").chmod(0o644)

    problem = look(mq)["permissions"]
    assert "hosted.json" in str(problem["text"])
    command = str(problem["hint"]).removeprefix("Run `").removesuffix("`.")
    subprocess.run(shlex.split(command), check=True)

    assert look(mq) == {}
    assert stat.S_IMODE(mq.queues.stat().st_mode) == 0o700


def test_file_of_an_editor_in_a_closed_directory_is_no_problem(mq: Programs) -> None:
    mq.cli("intake", "use big to write the will")
    (mq.queues / "hosted.json").chmod(0o644)

    assert look(mq) == {}


def test_litter_of_killed_writers_is_named(mq: Programs) -> None:
    mq.cli("intake", "use big to write the will")
    litter = mq.queues / ".hosted.json.0a1b2c3d.tmp"
    litter.write_text("{", encoding="utf-8")
    fresh = look(mq)
    os.utime(litter, (0, 0))

    assert (list(fresh), list(look(mq))) == ([], ["litter"])


def test_clock_that_was_set_back_is_told(mq: Programs) -> None:
    mq.cli("intake", "use big to write the will")
    note_pass(mq, hours_ago=-24.1)

    text = str(look(mq)["clock_set_back"]["text"])

    assert text.startswith("the last pass is stamped 1d ")


@pytest.mark.parametrize("folder", ["Dropbox", "OneDrive - Work", "Google Drive"])
def test_synced_folder_is_told_before_anything_lies_there(
    mq: Programs, folder: str
) -> None:
    ran = mq.cli("doctor", "--json", "--queues-dir", str(mq.home / folder / "q"))

    problem = problems(ran)["synced_folder"]
    assert folder in str(problem["text"])
    assert "MODEL_QUEUES_DIR" in str(problem["hint"])
    assert ran.code == 0


def test_network_file_system_is_told(
    mq: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = f"host:/x {mq.home} nfs4 rw 0 0\n"
    monkeypatch.setattr("model_queue.file_systems.read_mounts", lambda: table)

    assert "(nfs4)" in str(look(mq)["network_folder"]["text"])


def test_low_disk_is_told(mq: Programs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("model_queue.commands.places.free_bytes", lambda _: 50 << 20)

    assert "only 50 MiB" in str(look(mq)["disk_low"]["text"])


@pytest.mark.slow
def test_process_that_holds_the_lock_is_named(mq: Programs) -> None:
    mq.cli("intake", "use big to write the will")
    with (mq.queues / ".state" / "lock").open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)

        ran = mq.cli("doctor", "--json")

    problem = problems(ran)["busy"]
    assert ran.code == 4
    assert f"pid {os.getpid()}" in str(problem["text"])
    assert f"`kill {os.getpid()}`" in str(problem["hint"])
