"""Chinese as people type it to an agent: commands, questions, times, talk."""

from __future__ import annotations

import datetime as dt

import pytest

from intake_samples import read, texts
from model_queue.intake import Command


def _only(message: str) -> Command:
    parsed = read(message)
    assert parsed.tasks == ()
    (command,) = parsed.commands
    return command


@pytest.mark.parametrize(
    ("message", "verb", "ids"),
    [
        ("把 T-003 和 T-005 都取消", "cancel", ["T-003", "T-005"]),
        ("取消 3 到 5 号", "cancel", ["T-003", "T-004", "T-005"]),
        ("取消3号到5号", "cancel", ["T-003", "T-004", "T-005"]),
        ("取消第3个到第5个任务", "cancel", ["T-003", "T-004", "T-005"]),
        ("取消任务3到任务5", "cancel", ["T-003", "T-004", "T-005"]),
        ("取消3、5、7号", "cancel", ["T-003", "T-005", "T-007"]),
        ("取消 T-003~T-005", "cancel", ["T-003", "T-004", "T-005"]),
        ("T-003 别跑了", "cancel", ["T-003"]),
        ("别跑 T-003 了", "cancel", ["T-003"]),
        ("不要 T-003 了", "cancel", ["T-003"]),
        ("不要跑 T-003", "cancel", ["T-003"]),
        ("T-003 不用跑了", "cancel", ["T-003"]),
        ("取肖 Ｔ－００３", "cancel", ["T-003"]),
        ("T-003 取肖", "cancel", ["T-003"]),
        ("挑过 T-003", "skip", ["T-003"]),
        ("重式 t3", "retry", ["T-003"]),
        ("暂庭 T-003", "pause", ["T-003"]),
        ("灰复 T-003", "resume", ["T-003"]),
        ("接触 T-003 的阻塞", "unblock", ["T-003"]),
        ("T-006 再试一次", "retry", ["T-006"]),
        ("重新运行 T-003", "rerun", ["T-003"]),
        ("重新执行 T-003", "rerun", ["T-003"]),
        ("再来一次 T-003", "rerun", ["T-003"]),
        ("重试 2~4 号任务", "retry", ["T-002", "T-003", "T-004"]),
        ("T-003 怎么样了", "show", ["T-003"]),
        ("T-003", "show", ["T-003"]),
        ("给我看 T-003 的报告", "show", ["T-003"]),
        ("显示 T-003 的日志", "show", ["T-003"]),
        ("T-003 花了多少钱", "show", ["T-003"]),
        ("T-005 排第几", "show", ["T-005"]),
        ("为什么 T-007 没动", "explain", ["T-007"]),
        ("T-007 怎么不动", "explain", ["T-007"]),
        ("T-007 怎么还没开始", "explain", ["T-007"]),
        ("T-007 怎么卡住了", "explain", ["T-007"]),
        ("T-003 怎么回事", "explain", ["T-003"]),
        ("T-003 出什么问题了", "explain", ["T-003"]),
        ("T-003 失败的原因", "explain", ["T-003"]),
        ("解释一下 T-007", "explain", ["T-007"]),
    ],
)
def test_a_command_or_question_about_tasks(
    message: str, verb: str, ids: list[str]
) -> None:
    found = _only(message)

    assert (found.verb, list(found.ids)) == (verb, ids)


@pytest.mark.parametrize(
    ("message", "value"),
    [
        ("把 T-005 提前", 5),
        ("T-005 优先", 5),
        ("T-005 插个队", 10),
        ("把 T-005 调到最前面", 10),
        ("T-005 不急，往后排", -5),
        ("T-005 优先级调到 8", 8),
        ("T-005 优先级改成高", 5),
    ],
)
def test_a_place_in_the_line(message: str, value: int) -> None:
    found = _only(message)

    assert (found.command, found.ids, found.value) == ("priority", ("T-005",), value)


@pytest.mark.parametrize(
    "message",
    [
        "T-003 取消了吗",
        "T-003 跳过了吗？",
        "T-003 不跑了吗",
        "T-003 暂停了没",
        "T-003 重试了没有",
        "取消了 T-003 吗",
        "T-003 是不是取消了",
        "T-003 被取消了？",
        "T-003 已取消",
    ],
)
def test_a_question_whether_it_was_done_does_not_do_it(message: str) -> None:
    assert _only(message).command == "show"


@pytest.mark.parametrize(
    "message", ["本地队列暂停了吗", "队列清空了吗", "队列取消了没"]
)
def test_a_question_whether_a_queue_was_stopped_does_not_stop_it(message: str) -> None:
    assert _only(message).command == "status"


@pytest.mark.parametrize(
    "message",
    ["能取消 T-003 吗", "可以取消T-003吗？", "取消 T-003 好吗", "把 T-003 取消了行吗"],
)
def test_a_polite_request_is_carried_out(message: str) -> None:
    assert _only(message).command == "cancel"


@pytest.mark.parametrize(
    "message",
    [
        "不要取消T-003",
        "先别取消 T-003",
        "不用取消 T-003",
        "T-003 别取消",
        "如果取消 T-003 会怎样",
        "T-003 失败了会怎么样",
        "怎么取消任务",
        "我昨天取消了 T-003",
        "不要",
        "不用了",
        "算了",
        "不",
        "随便",
        "都行",
        "帮助",
        "你能做什么",
        "你能帮我做什么",
    ],
)
def test_talk_is_neither_a_command_nor_work(message: str) -> None:
    assert read(message).mode == "none"


@pytest.mark.parametrize(
    ("message", "word"),
    [
        ("取消的任务有哪些", "取消"),
        ("已取消的任务有哪些？", "取消"),
        ("失败的任务有哪些", "失败"),
        ("失败的有哪些", "失败"),
        ("哪些失败了", "失败"),
        ("有失败的吗", "失败"),
        ("看看失败的任务", "失败"),
        ("列一下失败的", "失败"),
        ("显示已取消的任务", "取消"),
        ("哪些任务在跑", "跑"),
        ("排队的有哪些", "排队"),
        ("暂停的任务有哪些", "暂停"),
        ("卡住的任务有哪些", "卡住"),
        ("有卡住的吗", "卡住"),
        ("完成了几个", "完成"),
        ("未完成的任务有哪些", "未完成"),
        ("等待中的任务", "等待"),
    ],
)
def test_a_list_of_tasks_in_one_state(message: str, word: str) -> None:
    found = _only(message)

    assert (found.command, found.verb, found.word) == ("status", "list", word)


@pytest.mark.parametrize(
    "message",
    [
        "还剩几个",
        "还剩多少",
        "还有几个没跑",
        "还要多久",
        "什么时候能跑完",
        "都跑完了吗",
        "跑完了吗",
        "现在有任务吗",
        "为什么都不动",
        "怎么都不跑",
        "上一个任务怎么样了",
        "刚才那个怎么样了",
        "刚才的任务好了吗",
        "现在什么情况",
    ],
)
def test_a_question_about_all(message: str) -> None:
    found = _only(message)

    assert (found.command, found.ids, found.queue) == ("status", (), None)


@pytest.mark.parametrize(
    "message", ["本地队列还有几个", "为什么本地队列不动", "本地队列状态"]
)
def test_a_question_about_one_queue(message: str) -> None:
    assert _only(message).queue == "ollama-local"


@pytest.mark.parametrize(
    ("message", "command"),
    [
        ("取消 3、5、7", "cancel"),
        ("取消3到5", "cancel"),
        ("继续", "resume"),
        ("继续吧", "resume"),
        ("先停一下", "pause"),
        ("再试一次", "retry"),
        ("跳过吧", "skip"),
        ("不要这个任务了", "cancel"),
    ],
)
def test_a_command_without_a_task_is_asked_back(message: str, command: str) -> None:
    parsed = read(message)

    assert parsed.mode == "ask"
    assert [each.command for each in parsed.commands] == [command]
    assert parsed.commands[0].ids == ()


@pytest.mark.parametrize(
    ("message", "command", "word"),
    [
        ("全部暂停", "pause", ""),
        ("都停了吧", "pause", ""),
        ("全部继续", "resume", ""),
        ("失败的重试", "retry", "失败"),
        ("失败的都重试一下", "retry", "失败"),
        ("清空队列", "clear", ""),
        ("清空", "clear", ""),
        ("清空一下", "clear", ""),
        ("清一下队列", "clear", ""),
    ],
)
def test_a_command_on_all(message: str, command: str, word: str) -> None:
    found = _only(message)

    assert (found.command, found.all, found.word) == (command, True, word)


@pytest.mark.parametrize(
    "message",
    ["撤销", "撤消", "撤回", "取消刚才的操作", "取消上一步", "不对，撤销", "反悔了"],
)
def test_the_last_thing_is_taken_back(message: str) -> None:
    assert _only(message).command == "undo"


@pytest.mark.parametrize(
    "message",
    [
        "把服务停掉再重启",
        "取消订单的接口写一下单元测试",
        "写一份重试策略的说明",
        "解释一下这段代码",
        "看看日志里失败的请求",
        "列出公司去年完成的项目",
        "把失败的测试修好",
        "统计取消的订单有多少",
    ],
)
def test_the_same_words_in_work_are_work(message: str) -> None:
    parsed = read(message)

    assert parsed.commands == ()
    assert len(parsed.tasks) >= 1


@pytest.mark.parametrize(
    "message",
    [
        "继续",
        "先停一下",
        "再试一次",
        "清空",
        "失败的任务有哪些",
        "跑完了吗",
        "为什么都不动",
        "取消 3 到 5 号",
        "随便",
        "回复 T-003",
    ],
)
def test_what_may_be_meant_for_the_agent_is_left_to_it(message: str) -> None:
    assert read(message, scope="ambient").mode == "none"


@pytest.mark.parametrize(
    ("message", "model"),
    [
        ("让远程的 llama3 总结这篇文章", "ollama-remote/llama3:70b"),
        ("用 llama3（远程）写首诗", "ollama-remote/llama3:70b"),
        ("用云端的 llama3 写首诗", "nvidia/llama3"),
        ("用本地的 llama3 写首诗", "ollama/llama3"),
    ],
)
def test_a_source_narrows_the_search_for_a_model(message: str, model: str) -> None:
    (task,) = read(message).tasks

    assert (task.model, task.ask) == (model, None)


def test_a_model_that_the_named_source_lacks_is_asked_back() -> None:
    (task,) = read("用本地的 glm5 写首诗").tasks

    assert (task.ask, task.asked_name, task.text) == ("model", "本地的 glm5", "写首诗")


@pytest.mark.parametrize(
    ("message", "chosen"),
    [
        ("用远程模型处理", "ollama-remote"),
        ("用远程模型处理这个", "ollama-remote"),
        ("交给 glm5 处理", "nvidia/z-ai/glm5"),
        ("用 qwen2.5 跑", "ollama/qwen2.5"),
        ("用 llama3 处理", ""),
        ("你好", ""),
    ],
)
def test_a_choice_without_work_is_known(message: str, chosen: str) -> None:
    parsed = read(message)

    assert (parsed.mode, parsed.chosen) == ("none", chosen)


@pytest.mark.parametrize(
    ("message", "text", "delay"),
    [
        ("半小时后再抓取一次汇率", "抓取一次汇率", dt.timedelta(minutes=30)),
        ("两天后再检查一遍证书", "检查一遍证书", dt.timedelta(days=2)),
    ],
)
def test_again_behind_a_time_is_no_dependency(
    message: str, text: str, delay: dt.timedelta
) -> None:
    parsed = read(message)

    assert texts(parsed) == [text]
    assert parsed.tasks[0].ask is None
    assert (
        parsed.tasks[0].not_before
        == dt.datetime(2026, 11, 30, 20, tzinfo=dt.UTC) + delay
    )


@pytest.mark.parametrize(
    "message", ["基于那个写总结", "等那个做完再写总结", "然后发给团队"]
)
def test_work_that_points_at_an_earlier_one_is_asked_back(message: str) -> None:
    (task,) = read(message).tasks

    assert task.ask == "dependency"


@pytest.mark.parametrize(
    ("message", "text", "at"),
    [
        ("下个月1号统计账单", "统计账单", "2026-12-01T09:00:00Z"),
        ("下个月 3 号上午10点统计账单", "统计账单", "2026-12-03T10:00:00Z"),
        ("5号下午三点整理资料", "整理资料", "2026-12-05T15:00:00Z"),
        ("1号上午9点统计账单", "统计账单", "2026-12-01T09:00:00Z"),
        ("12 月 5 日部署文档站", "部署文档站", "2026-12-05T09:00:00Z"),
        ("晚上跑备份", "跑备份", "2026-12-01T18:00:00Z"),
        ("中午整理发票", "整理发票", "2026-12-01T12:00:00Z"),
    ],
)
def test_when_work_shall_start(message: str, text: str, at: str) -> None:
    (task,) = read(message).tasks

    assert task.text == text
    assert task.not_before == dt.datetime.fromisoformat(at)


@pytest.mark.parametrize(
    "message",
    [
        "下午茶菜单写一份",
        "上午的会议纪要整理一下",
        "晚上活动的方案写一下",
        "夜间模式修一下",
    ],
)
def test_a_part_of_the_day_in_a_name_is_no_time(message: str) -> None:
    (task,) = read(message).tasks

    assert (task.text, task.not_before) == (message, None)


@pytest.mark.parametrize(
    ("message", "usd"),
    [
        ("写一篇产品介绍，预算不超过5美元", 5),
        ("预算5美元以内，写一份行业分析", 5),
        ("写行业分析，预算十美元", 10),
        ("写行业分析，五美元封顶", 5),
        ("写行业分析，花费控制在 2 美元内", 2),
        ("写行业分析，别超过2刀", 2),
        ("写行业分析，最多花 $3", 3),
    ],
)
def test_what_work_may_cost(message: str, usd: float) -> None:
    (task,) = read(message).tasks

    assert task.budget_usd == usd


@pytest.mark.parametrize(
    ("message", "text", "ids"),
    [
        ("用 T-001 的输出画图", "画图", ("T-001",)),
        ("根据 T-001 的结果写报告", "写报告", ("T-001",)),
        ("T-002 和 T-003 都完成后合并成一份报告", "合并成一份报告", ("T-002", "T-003")),
    ],
)
def test_work_on_the_result_of_a_task_waits_for_it(
    message: str, text: str, ids: tuple[str, ...]
) -> None:
    (task,) = read(message).tasks

    assert (task.text, task.depends_on) == (text, ids)


@pytest.mark.parametrize(
    ("traditional", "simplified"),
    [
        ("佇列狀態", "队列状态"),
        ("暫停本地佇列", "暂停本地队列"),
        ("為什麼 T-007 沒動", "为什么 T-007 没动"),
        ("失敗的任務有哪些", "失败的任务有哪些"),
        ("還剩幾個", "还剩几个"),
        ("T-003 取消了嗎", "T-003 取消了吗"),
        ("撤銷", "撤销"),
    ],
)
def test_traditional_characters_mean_the_same(
    traditional: str, simplified: str
) -> None:
    assert read(traditional) == read(simplified)


def test_traditional_work_keeps_its_characters() -> None:
    assert texts(read("用 qwen2.5 分析銷售數據，然後寫一份報告")) == [
        "分析銷售數據",
        "寫一份報告",
    ]
