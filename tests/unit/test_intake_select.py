from __future__ import annotations

import pytest

from intake_samples import CATALOG, a_context, read, texts
from model_queue.intake import Catalog

LOCAL, REMOTE, CLOUD = "ollama-local", "ollama-remote", "cloud-nvidia"


@pytest.mark.parametrize(
    ("message", "text", "queue", "model"),
    [
        pytest.param(
            "用 qwen2.5 分析销售数据", "分析销售数据", LOCAL, "ollama/qwen2.5", id="用"
        ),
        pytest.param(
            "用 qwen3.5 分析这个",
            "分析这个",
            REMOTE,
            "ollama-remote/qwen3.5:27b",
            id="用 part",
        ),
        pytest.param(
            "用远程模型处理：打标签", "打标签", REMOTE, None, id="用远程模型处理"
        ),
        pytest.param(
            "用本地的 llama3 改写文案",
            "改写文案",
            LOCAL,
            "ollama/llama3",
            id="narrowed zh",
        ),
        pytest.param("让 glm5 写摘要", "写摘要", CLOUD, "nvidia/z-ai/glm5", id="让"),
        pytest.param("丢给 cloud 去跑：写摘要", "写摘要", CLOUD, None, id="丢给"),
        pytest.param(
            "send this to remote: sort the mail",
            "sort the mail",
            REMOTE,
            None,
            id="send to remote",
        ),
        pytest.param(
            "send to remote: sort the mail",
            "sort the mail",
            REMOTE,
            None,
            id="send to, bare",
        ),
        pytest.param(
            "use mistral to sort the mail",
            "sort the mail",
            LOCAL,
            "ollama/mistral",
            id="use",
        ),
        pytest.param(
            "have glm5 sort the mail",
            "sort the mail",
            CLOUD,
            "nvidia/z-ai/glm5",
            id="have",
        ),
        pytest.param(
            "sort the mail with mistral",
            "sort the mail",
            LOCAL,
            "ollama/mistral",
            id="with",
        ),
        pytest.param(
            "sort the mail using nvidia/llama3",
            "sort the mail",
            CLOUD,
            "nvidia/llama3",
            id="using",
        ),
        pytest.param(
            "sort the mail on the local queue",
            "sort the mail",
            LOCAL,
            None,
            id="on the queue",
        ),
        pytest.param(
            "sort the mail (glm)",
            "sort the mail",
            CLOUD,
            "nvidia/z-ai/glm5",
            id="brackets",
        ),
        pytest.param(
            "On nvidia, sort the mail", "sort the mail", CLOUD, None, id="on source"
        ),
        pytest.param(
            "run on cloud-nvidia: sort the mail",
            "sort the mail",
            CLOUD,
            None,
            id="run on",
        ),
        pytest.param(
            "use the 70b to sort the mail",
            "sort the mail",
            REMOTE,
            "ollama-remote/llama3:70b",
            id="the 70b",
        ),
        pytest.param(
            "sort the mail with llama3 on nvidia",
            "sort the mail",
            CLOUD,
            "nvidia/llama3",
            id="narrowed",
        ),
    ],
)
def test_a_selection_phrase_selects(
    message: str, text: str, queue: str, model: str | None
) -> None:
    (task,) = read(message).tasks

    assert (task.text, task.queue, task.model, task.ask) == (text, queue, model, None)


@pytest.mark.parametrize(
    "message",
    [
        "Write a comparison of llama3 and mistral",
        "Write questions for local bakeries",
        "Draft a note about cloud costs",
        "Write a report on nvidia",
        "Compare our app with mistral",
        "写一篇介绍 qwen 模型历史的文章",
        "用本地配置文件启动服务",
        "给 qwen2.5 写一个客户端",
        "Use the llama3 tokenizer in count_tokens()",
        "Deploy it on the local server",
    ],
)
def test_a_name_as_topic_does_not_select(message: str) -> None:
    (task,) = read(message).tasks

    assert (task.text, task.queue, task.model, task.ask) == (
        message,
        REMOTE,
        None,
        None,
    )


@pytest.mark.parametrize(
    ("message", "candidates"),
    [
        pytest.param(
            "use llama3 to sort it", ("ollama/llama3", "nvidia/llama3"), id="two exact"
        ),
        pytest.param(
            "用 qwen 写介绍",
            ("ollama/qwen2.5", "ollama-remote/qwen3.5:27b"),
            id="two parts",
        ),
        pytest.param("use gpt-4o to sort it", (), id="in no source"),
        pytest.param("用 deepseek 总结它", (), id="in no source, zh"),
    ],
)
def test_several_candidates_or_none_are_asked(
    message: str, candidates: tuple[str, ...]
) -> None:
    parsed = read(message)

    assert parsed.mode == "ask"
    assert (parsed.tasks[0].ask, parsed.tasks[0].candidates) == ("model", candidates)


@pytest.mark.parametrize(
    ("message", "queues"),
    [
        pytest.param("On nvidia:\n- write a\n- write b", [CLOUD, CLOUD], id="heading"),
        pytest.param(
            "- write a\n- write b\nAll of it on ollama-local please.",
            [LOCAL, LOCAL],
            id="sentence",
        ),
        pytest.param("都用本地：1）写稿 2）写文案", [LOCAL, LOCAL], id="都用"),
        pytest.param(
            "Use mistral to write a, then plot b", [LOCAL, REMOTE], id="clause"
        ),
        pytest.param(
            "With mistral: write a, then plot b", [LOCAL, LOCAL], id="set off"
        ),
        pytest.param(
            "Write a and then plot b. Use mistral for the first and glm5 for the second.",
            [LOCAL, CLOUD],
            id="by position",
        ),
        pytest.param(
            "前两个用 local，最后一个用 glm5：\n1. 写 a\n2. 写 b\n3. 写 c",
            [LOCAL, LOCAL, CLOUD],
            id="by position zh",
        ),
        pytest.param(
            "- write a (qwen2.5)\n- write b (nvidia)\n- write c",
            [LOCAL, CLOUD, REMOTE],
            id="brackets",
        ),
    ],
)
def test_scope_of_a_selection(message: str, queues: list[str]) -> None:
    assert [task.queue for task in read(message).tasks] == queues


def test_without_a_default_the_source_is_asked() -> None:
    catalog = Catalog(sources=CATALOG.sources, aliases=CATALOG.aliases, default=None)

    parsed = read("sort the mail", catalog=catalog)

    assert (parsed.mode, parsed.tasks[0].ask, parsed.tasks[0].queue) == (
        "ask",
        "source",
        None,
    )


def test_an_only_source_needs_no_default() -> None:
    catalog = Catalog(sources={"box": ("ollama/x",)}, aliases={})

    assert read("sort the mail", catalog=catalog).tasks[0].queue == "box"


@pytest.mark.parametrize(
    ("token", "count"),
    [
        ("qwen2.5", 1),
        ("qwen", 2),
        ("llama", 3),
        ("lama", 0),
        ("5", 0),
        ("27b", 1),
        ("7b", 0),
        ("qwe", 0),
    ],
)
def test_a_part_of_a_name_begins_at_a_boundary(token: str, count: int) -> None:
    assert len(a_context().names.models_for(token)) == count


def test_the_selection_is_no_part_of_the_text() -> None:
    assert texts(read("先用本地模型脱敏，然后用 glm5 写报告")) == ["脱敏", "写报告"]


WORKSHOP = Catalog(
    sources={"workshop": ("echo/one",), "fake-ai": ("fake/glm5", "fake/qwen2.5")},
    aliases={},
    default="workshop",
)
GLM, QWEN = "fake/glm5", "fake/qwen2.5"


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("glm5, write a poem", [("write a poem", GLM)]),
        ("glm5，帮我写诗", [("写诗", GLM)]),
        ("glm5 should write a poem", [("write a poem", GLM)]),
        ("write a poem, model glm5", [("write a poem", GLM)]),
        (
            "Goal: all tests green. Use glm5 to fix the tests",
            [("Goal: all tests green. Use glm5 to fix the tests", GLM)],
        ),
        ("报告用 glm5 总结一下", [("报告用 glm5 总结一下", GLM)]),
        ("把报告交给 glm5 总结", [("把报告交给 glm5 总结", GLM)]),
        ("請用 glm5 寫詩", [("寫詩", GLM)]),
        ("让glm5写诗，让qwen2.5写歌", [("写诗", GLM), ("写歌", QWEN)]),
        (
            "Use glm5 to write a poem. Use qwen2.5 to write a song.",
            [("write a poem", GLM), ("write a song", QWEN)],
        ),
        (
            "1. Use workshop to clean 2. Use glm5 to write 3. Use qwen2.5 to test",
            [("clean", None), ("write", GLM), ("test", QWEN)],
        ),
        ("1. 用workshop清理 2. 用glm5写诗", [("清理", None), ("写诗", GLM)]),
    ],
)
def test_each_way_to_name_a_model_selects_it_for_its_job(
    message: str, expected: list[tuple[str, str | None]]
) -> None:
    parsed = read(message, catalog=WORKSHOP)

    assert [(task.text, task.model) for task in parsed.tasks] == expected


@pytest.mark.parametrize(
    "message",
    [
        "write a poem about glm5",
        "glm5 should be faster",
        "write about the language model glm5",
        "Goal: all tests green. Compare glm5 with qwen2.5",
        "教我用 glm5 写诗",
        "写一篇介绍用 glm5 写诗的文章",
        "glm5 和 qwen2.5 写个对比",
    ],
)
def test_a_model_that_the_work_is_about_stays_content(message: str) -> None:
    (task,) = read(message, catalog=WORKSHOP).tasks

    assert (task.text, task.queue, task.model) == (message, "workshop", None)


def test_a_fallback_to_another_model_is_no_second_task() -> None:
    parsed = read(
        "Use glm5 to write a poem. If it fails, use qwen2.5 to write it.",
        catalog=WORKSHOP,
    )

    assert [task.model for task in parsed.tasks] == [GLM]


def test_a_model_addressed_by_name_leaves_an_ambient_message_to_the_agent() -> None:
    parsed = read("glm5, write a poem", catalog=WORKSHOP, scope="ambient")

    assert parsed.mode == "none"


def test_an_alias_in_traditional_characters_selects() -> None:
    catalog = Catalog(
        sources={"a": ("x/one",), "b": ("x/two",)},
        aliases={"b": ("後台",)},
        default="a",
    )

    (task,) = read("用後台写诗", catalog=catalog).tasks

    assert task.queue == "b"


@pytest.mark.parametrize(
    ("message", "text", "queue"),
    [
        ("use cloud-nvidia to do job number 1", "do job number 1", "cloud-nvidia"),
        ("use ollama local to write a poem", "write a poem", "ollama-local"),
        ("have the cloud count the lines", "count the lines", "cloud-nvidia"),
        ("ask the cloud to count the lines", "count the lines", "cloud-nvidia"),
        ("send this to the cloud: count the lines", "count the lines", "cloud-nvidia"),
    ],
)
def test_a_source_is_selected_as_people_name_it(
    message: str, text: str, queue: str
) -> None:
    (task,) = read(message).tasks

    assert (task.text, task.queue) == (text, queue)


def test_a_name_spelled_apart_is_too_loose_for_an_ambient_message() -> None:
    assert read("use ollama local to write a poem", scope="ambient").mode == "none"
