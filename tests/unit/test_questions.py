"""What is said when a message cannot be carried out as it is."""

from __future__ import annotations

import pytest

from fakes import START, a_task
from model_queue import errors, messages
from model_queue.errors import ModelQueueError
from model_queue.messages import texts

EARLIER = errors.Earlier("/q/.state/backup/x.json", 3, 1, START)
UNSETTLED = (
    "⚠️ /q/x.json 在写入过程中被修改，原本要写入的内容在 /q/.state/x.json；"
    "选定其一之前该队列停止运行。"
)
NOTHING = "Answer with a number or a name; nothing was added yet."
OPEN = "Answer with it; nothing was added yet."


def test_step_3_no_source_named() -> None:
    text = messages.ask_source(["ollama-local", "cloud-nvidia"])

    assert text == (
        "Which model/source should handle this task?\n"
        "1. ollama-local\n"
        "2. cloud-nvidia\n"
        f"{NOTHING}"
    )


def test_step_3_model_in_several_sources() -> None:
    text = messages.ask_model(
        "llama3",
        ["ollama/llama3", "nvidia/llama3"],
        task_text="Write the report",
    )

    assert text == (
        '"llama3" fits several models. Which model/source should handle this task?\n'
        "Task: Write the report\n"
        "1. ollama/llama3\n"
        "2. nvidia/llama3\n"
        f"{NOTHING}"
    )


def test_step_3_model_in_no_source() -> None:
    text = messages.ask_model("gpt-4o", ["ollama/llama3"], is_known=False)

    assert text.startswith(
        'No source has a model "gpt-4o". Which model/source should handle this task?\n'
        "1. ollama/llama3\n"
    )


def test_step_4_dependency_on_nothing_in_the_message() -> None:
    text = messages.ask_dependency(["T-004"])

    assert text == f"This task depends on which previous task?\n1. T-004\n{NOTHING}"


def test_a_date_that_cannot_be_read_is_asked_back() -> None:
    text = messages.ask_date("the day after never")

    assert '"the day after never"' in text
    assert '"2026-12-01 09:00"' in text


def test_a_command_without_a_target_is_asked_back() -> None:
    english = messages.ask_target("cancel")
    chinese = messages.ask_target("cancel", lang="zh")
    unknown = messages.ask_target("frob")

    assert english == "Which task do you want to cancel? Answer with a number or an id."
    assert chinese == "要取消哪个任务？请回复序号或任务编号。"
    assert "to frob?" in unknown


def test_retry_of_a_done_task_asks_back() -> None:
    text = messages.ask_rerun(a_task())

    assert text == 'T-001 is done. Run it again? Answer "yes", or say "rerun T-001".'


def test_stopping_several_sessions_is_asked_first() -> None:
    text = messages.ask_stop(["T-001", "T-004"], say_this="cancel T-001 T-004")

    assert text == (
        "That would stop 2 tasks now running: T-001, T-004. "
        'To go ahead, answer "yes", or say "cancel T-001 T-004"'
    )


def test_no_source_configured_shows_the_lines_of_the_seed() -> None:
    text = messages.not_configured(path="/home/me/TOOLS.md")

    head, _, lines = text.partition("\n\n")
    assert "nothing was queued" in head
    assert "/home/me/TOOLS.md" in head
    assert lines == (
        "## Model Queue Configuration\n"
        "\n"
        "MODEL_QUEUES_DIR=~/.openclaw/model-queues/\n"
        "MODEL_QUEUE_MAX_RETRIES=3\n"
        "MODEL_QUEUE_ARCHIVE_DAYS=7\n"
        "\n"
        "# Model Source Mappings (REQUIRED)\n"
        "# Format: MODEL_SOURCE_{NAME}=model1,model2,model3\n"
        "MODEL_SOURCE_OLLAMA_LOCAL=ollama/llama3,ollama/qwen2.5,ollama/mistral\n"
        "MODEL_SOURCE_OLLAMA_REMOTE="
        "ollama-remote/qwen3.5:27b,ollama-remote/llama3:70b\n"
        "MODEL_SOURCE_CLOUD_NVIDIA=nvidia/z-ai/glm5,nvidia/llama3\n"
        "\n"
        "# Default model source when not specified (optional)\n"
        "DEFAULT_MODEL_SOURCE=ollama-remote"
    )


def test_nothing_to_act_on() -> None:
    assert messages.nothing_to("cancel") == "There is nothing to cancel."
    assert messages.nothing_to("clear", lang="zh") == "没有可以清空的任务。"


def test_what_is_not_understood_is_answered_with_help() -> None:
    command = messages.unknown_command("frob T-001")
    message = messages.no_task()

    assert command.startswith('I do not know the command "frob T-001".\nSay what')
    assert message.startswith("I found no task and no command in that message.\nSay")


REFUSALS = [
    pytest.param(
        errors.TaskNotFound(ref="T-009", nearest=["T-008", "T-010"]),
        "⚠️ 没有任务 T-009；最接近的是 T-008、T-010。",
        id="task not found",
    ),
    pytest.param(
        errors.TaskNotFound(ref="T-009"),
        "⚠️ 没有任务 T-009。",
        id="task not found, none near",
    ),
    pytest.param(
        errors.TaskRefError(seen="x"),
        "⚠️ “x”不是任务编号；请写成 T-001 或 ollama-local/T-001。",
        id="malformed id",
    ),
    pytest.param(
        errors.TaskRefError(seen="T-001", candidates=["a/T-001", "b/T-001"]),
        "⚠️ “T-001”对应多个任务；请写明 a/T-001、b/T-001。",
        id="doubled id",
    ),
    pytest.param(
        errors.IllegalTransition(
            ref="T-002", status="blocked", event="retry", hint="say `unblock T-002`"
        ),
        "⚠️ T-002 处于“已阻塞”状态，不能重试。\nSay `unblock T-002`",
        id="illegal transition",
    ),
    pytest.param(
        errors.IllegalTransition(ref="T-002", status="odd", event="renew"),
        "⚠️ T-002 处于“odd”状态，不能renew。",
        id="illegal transition, words without a translation",
    ),
    pytest.param(
        errors.DependencyCycle(path=["T-001", "T-002", "T-001"]),
        "⚠️ 依赖形成了循环：T-001 → T-002 → T-001；没有添加任何任务。",
        id="cycle",
    ),
    pytest.param(
        errors.UnknownDependency(ref="T-009", nearest=["T-008"]),
        "⚠️ 它依赖的 T-009 不存在；没有添加任何任务；最接近的是 T-008。",
        id="unknown dependency",
    ),
    pytest.param(
        errors.UnknownSource(name="x", known=["a", "b"]),
        "⚠️ 没有名为 x 的来源；可用：a、b。",
        id="unknown source",
    ),
    pytest.param(
        errors.UnknownModel(name="x", known=[]),
        "⚠️ 没有名为 x 的模型；TOOLS.md 中还没有配置模型。",
        id="unknown model, none known",
    ),
    pytest.param(
        errors.ConfigError(key="jitter", value="2", allowed="0 to 1"),
        "⚠️ jitter 的值是 2，但必须是 0 to 1。",
        id="setting",
    ),
    pytest.param(
        errors.StaleTask(ref="T-001"),
        "⚠️ T-001 刚刚被改动；请重新查看后再试。",
        id="stale task",
    ),
    pytest.param(
        errors.LostClaim(ref="T-001", label="mq-t-001-a1-0"),
        "⚠️ mq-t-001-a1-0 已不再持有 T-001；请停止处理。",
        id="lost claim",
    ),
    pytest.param(
        errors.StoreBusy(path="/q", waited_s=5),
        "⚠️ 队列目录 /q 正被占用；请稍后再试。",
        id="busy",
    ),
    pytest.param(
        errors.CorruptQueueFile(path="/q/x.json", line=3, column=4, why="no brace"),
        "⚠️ /q/x.json 在第 3 行第 4 列无法解析；文件保持原样，修复之前该队列停止运行。",
        id="corrupt file",
    ),
    pytest.param(
        errors.LaunchError(label="mq-t-001-a1-0", why="no such program"),
        "⚠️ 无法启动会话 mq-t-001-a1-0：no such program。",
        id="launch",
    ),
    pytest.param(
        errors.CorruptQueueFile(
            path="/q/x.json", line=3, column=4, why="no brace", source="x"
        ),
        "⚠️ /q/x.json 在第 3 行第 4 列无法解析；文件保持原样，修复之前该队列停止运行。\n"
        "请修复或移走该文件；没有可以恢复的旧版本",
        id="corrupt file without a version",
    ),
    pytest.param(
        errors.MissingQueueFile(path="/q/x.json", source="x", earlier=EARLIER),
        "⚠️ /q/x.json 已不存在，而最后的版本中有 3 个任务（1 个未完成），"
        "截至 2026-03-04 16:51 UTC；文件恢复之前该队列停止运行。\n"
        "运行 `model-queue doctor --restore x` 可恢复 3 个任务（1 个未完成），"
        '截至 2026-03-04 16:51 UTC；若要从空队列开始，请写入 {"tasks": []}',
        id="missing file",
    ),
    pytest.param(
        errors.UnsettledFile(path="/q/x.json", kept="/q/.state/x.json", source="x"),
        f"{UNSETTLED}\n两份都无法解析：请修复 /q/x.json，然后删除 /q/.state/x.json",
        id="unsettled file, neither parses",
    ),
    pytest.param(
        errors.UnsettledFile(
            path="/q/x.json", kept="/q/.state/x.json", source="x", edit=EARLIER
        ),
        f"{UNSETTLED}\n运行 `model-queue doctor --restore x` 保留修改（3 个任务"
        "（1 个未完成），截至 2026-03-04 16:51 UTC）；另一份会另存",
        id="unsettled file, the edit parses",
    ),
    pytest.param(
        errors.UnsettledFile(
            path="/q/x.json",
            kept="/q/.state/x.json",
            source="x",
            edit=EARLIER,
            commit=EARLIER,
        ),
        f"{UNSETTLED}\n运行 `model-queue doctor --restore x` 保留修改（3 个任务"
        "（1 个未完成），截至 2026-03-04 16:51 UTC），或运行 "
        "`model-queue doctor --restore x --take commit` 采用另一份（3 个任务"
        "（1 个未完成），截至 2026-03-04 16:51 UTC）；未采用的一份会另存",
        id="unsettled file",
    ),
    pytest.param(
        errors.NumbersUsedUp(number=9999999, last=9999999, held_by="/q/x.json"),
        "⚠️ /q/x.json 中有任务编号 9999999，而编号最大为 T-9999999，无法再分配；"
        "没有添加任何任务。\n"
        "如果编号有误，请在 /q/x.json 中改小，或移走该文件，然后重试",
        id="numbers used up",
    ),
    pytest.param(
        errors.MissingPackage(package="PyYAML", command="pip install PyYAML"),
        "⚠️ 未安装软件包 PyYAML；请运行：pip install PyYAML。",
        id="missing package",
    ),
    pytest.param(
        errors.StoreError("the disk is full"),
        "⚠️ 磁盘已满。",
        id="no translation",
    ),
]


@pytest.mark.parametrize(("error", "chinese"), REFUSALS)
def test_a_refusal_in_chinese_goes_by_its_code(
    error: ModelQueueError, chinese: str
) -> None:
    assert messages.refused(error, lang="zh") == chinese


@pytest.mark.parametrize(
    ("error", "english"),
    [
        pytest.param(
            errors.StateError("there is no task T-009"),
            "⚠️ There is no task T-009.",
            id="a word",
        ),
        pytest.param(
            errors.StateError("T-002 is blocked", hint="say `unblock T-002`"),
            "⚠️ T-002 is blocked.\nSay `unblock T-002`",
            id="an id, and a hint",
        ),
        pytest.param(
            errors.ConfigError(key="jitter", value="2", allowed="0 to 1"),
            "⚠️ jitter is '2', but must be 0 to 1.",
            id="a setting",
        ),
        pytest.param(
            errors.MissingPackage(package="PyYAML", command="pip install PyYAML"),
            "⚠️ The package PyYAML is not installed; run: pip install PyYAML.",
            id="a package",
        ),
    ],
)
def test_a_refusal_in_english_is_the_errors_own_sentence(
    error: ModelQueueError, english: str
) -> None:
    assert messages.refused(error) == english


def codes_under(cls: type[ModelQueueError]) -> set[str]:
    found = {cls.code}
    for sub in cls.__subclasses__():
        found |= codes_under(sub)
    return found


def test_chinese_refusals_are_for_codes_that_exist() -> None:
    known = codes_under(ModelQueueError)
    kinds = ("several", "none", "edit", "commit")
    variants = {f"{code}_{kind}" for code in known for kind in kinds}

    assert set(texts.CHINESE_REFUSALS) <= known | variants
    assert set(texts.CHINESE_HINTS) <= known | variants
