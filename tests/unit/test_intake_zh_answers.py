"""What people answer to a question in Chinese."""

from __future__ import annotations

import pytest

from model_queue.intake.answers import Said, read

MODELS = ["ollama/llama3", "nvidia/llama3"]
TASKS = ["T-004 写首诗", "T-003 整理发票", "T-001 分析销售数据"]


@pytest.mark.parametrize(
    ("message", "place"),
    [
        ("第一个", 0),
        ("第一个吧", 0),
        ("第２个", 1),
        ("2号", 1),
        ("二", 1),
        ("①", 0),
        ("选第二个", 1),
        ("就用第一个吧", 0),
        ("那就第二个吧", 1),
        ("好的，第一个", 0),
        ("第一个，谢谢", 0),
        ("前者", 0),
        ("后者", 1),
        ("后面那个", 1),
        ("前一个", 0),
        ("最后一个", 1),
        ("nvidia 的", 1),
        ("用nvidia的", 1),
        ("用 ollama 那个", 0),
    ],
)
def test_a_choice(message: str, place: int) -> None:
    assert read(message, MODELS) == Said("choice", place)


@pytest.mark.parametrize(
    ("message", "place"),
    [
        ("T-003", 1),
        ("t3", 1),
        ("Ｔ－００１", 2),
        ("写首诗", 0),
        ("整理发票那个", 1),
        ("最后一个", 2),
    ],
)
def test_a_task_is_chosen_by_id_or_text(message: str, place: int) -> None:
    assert read(message, TASKS) == Said("choice", place)


@pytest.mark.parametrize(
    "message",
    "是 是的 是啊 好 好的 好吧 行吧 可以的 嗯 嗯嗯 对的 没错 确定 没问题 就它了 继续吧".split(),  # noqa: SIM905 - reads as words
)
def test_yes(message: str) -> None:
    assert read(message, ()) == Said("yes")


@pytest.mark.parametrize(
    "message",
    "不 不要 不用了 不用了谢谢 算了 算了吧 还是算了 先不要 不行 别 取消 都不是 放弃吧".split(),  # noqa: SIM905 - reads as words
)
def test_no(message: str) -> None:
    assert read(message, MODELS) == Said("no")


@pytest.mark.parametrize("message", ["第三个", "3", "7号"])
def test_a_number_that_is_not_there(message: str) -> None:
    said = read(message, MODELS)

    assert said is not None
    assert said.kind == "number"


@pytest.mark.parametrize(
    "message",
    ["写一首关于冬天的诗", "队列状态", "取消 T-003", "前者和后者有什么区别", "随便"],
)
def test_no_answer(message: str) -> None:
    assert read(message, MODELS) is None


def test_former_and_latter_are_of_two() -> None:
    assert read("后者", TASKS) is None
