from __future__ import annotations

import pytest

from intake_samples import read
from model_queue.intake import Command


def _only(message: str) -> Command:
    parsed = read(message)
    assert parsed.tasks == ()
    (command,) = parsed.commands
    return command


@pytest.mark.parametrize(
    ("message", "command", "ids"),
    [
        ("cancel T-001", "cancel", ["T-001"]),
        ("cancle T-012 pls", "cancel", ["T-012"]),
        ("drop T-031, we changed our minds", "cancel", ["T-031"]),
        ("I don't need T-003 anymore", "cancel", ["T-003"]),
        ("取消 T-002 和 T-005", "cancel", ["T-002", "T-005"]),
        ("任务 12 不要了", "cancel", ["T-012"]),
        ("could you please cancel task 9?", "cancel", ["T-009"]),
        ("cancel #9", "cancel", ["T-009"]),
        ("cancel ollama-local/T-001", "cancel", ["ollama-local/T-001"]),
        ("retry T-002", "retry", ["T-002"]),
        ("retry t3 please", "retry", ["T-003"]),
        ("retry T003", "retry", ["T-003"]),
        ("retry T-003 to T-005", "retry", ["T-003", "T-004", "T-005"]),
        ("T-006 再试一次", "retry", ["T-006"]),
        ("give T-018 another shot", "retry", ["T-018"]),
        ("重试 T-010 到 T-012", "retry", ["T-010", "T-011", "T-012"]),
        ("skip T-003", "skip", ["T-003"]),
        ("把 T-011 跳过吧", "skip", ["T-011"]),
        ("skip tasks 4, 5 and 8", "skip", ["T-004", "T-005", "T-008"]),
        ("put T-009 on hold", "pause", ["T-009"]),
        ("T-021 先停一下", "pause", ["T-021"]),
        ("resume T-004", "resume", ["T-004"]),
        ("恢复 T-004、T-006", "resume", ["T-004", "T-006"]),
        ("unblock T-007", "unblock", ["T-007"]),
        ("解除 T-007 的阻塞", "unblock", ["T-007"]),
        ("show T-003", "show", ["T-003"]),
        ("why is T-007 blocked?", "show", ["T-007"]),
        ("is T-005 done?", "show", ["T-005"]),
        ("T-015 做完了吗？", "show", ["T-015"]),
        ("cancel T-003 if possible", "cancel", ["T-003"]),
        ("cancel tasks 3 through 5", "cancel", ["T-003", "T-004", "T-005"]),
        ("do T-001 again", "retry", ["T-001"]),
        ("let me know when T-002 finishes", "show", ["T-002"]),
        ("what does T-007 depend on?", "show", ["T-007"]),
    ],
)
def test_commands_with_ids(message: str, command: str, ids: list[str]) -> None:
    found = _only(message)

    assert (found.command, list(found.ids), found.all, found.queue) == (
        command,
        ids,
        False,
        None,
    )


@pytest.mark.parametrize(
    ("message", "command", "everything", "queue"),
    [
        ("cancel everything", "cancel", True, None),
        ("全部取消", "cancel", True, None),
        ("retry all failed tasks", "retry", True, None),
        ("pause ollama-local", "pause", False, "ollama-local"),
        ("暂停云端队列", "pause", False, "cloud-nvidia"),
        ("resume remote", "resume", False, "ollama-remote"),
        ("clear the queue", "clear", True, None),
        ("清空队列", "clear", True, None),
        ("clear ollama-local", "clear", False, "ollama-local"),
        ("task status", "status", False, None),
        ("show queue", "status", False, None),
        ("show status", "status", False, None),
        ("队列状态", "status", False, None),
        ("what is running?", "status", False, None),
        ("list all tasks", "status", False, None),
        ("show queue ollama-local", "status", False, "ollama-local"),
        (
            "how many tasks are pending on cloud-nvidia?",
            "status",
            False,
            "cloud-nvidia",
        ),
        ("现在有几个任务在跑？", "status", False, None),
        ("undo", "undo", False, None),
        ("undo that", "undo", False, None),
        ("撤销", "undo", False, None),
        ("undo the last one", "undo", False, None),
        ("take that back", "undo", False, None),
        ("show all", "status", False, None),
        ("show the last task", "status", False, None),
        ("clear", "clear", True, None),
        ("resume ollama local", "resume", False, "ollama-local"),
        ("why is nothing running?", "status", False, None),
        ("what are you waiting for?", "status", False, None),
    ],
)
def test_commands_without_ids(
    message: str, command: str, everything: bool, queue: str | None
) -> None:
    found = _only(message)

    assert (found.command, found.ids, found.all, found.queue) == (
        command,
        (),
        everything,
        queue,
    )


@pytest.mark.parametrize(
    ("message", "value"),
    [
        ("priority T-003 high", 5),
        ("make T-010 high priority", 5),
        ("set the priority of T-003 to 7", 7),
        ("bump T-027 to the top", 10),
        ("lower the priority of T-003", -5),
        ("T-003 is urgent", 10),
        ("把 T-030 的优先级调到最高", 10),
        ("T-010 加急", 10),
        ("降低 T-010 的优先级", -5),
    ],
)
def test_priority_commands(message: str, value: int) -> None:
    found = _only(message)

    assert (found.command, found.value) == ("priority", value)


@pytest.mark.parametrize(
    ("message", "verb"),
    [
        ("rerun T-003", "rerun"),
        ("run T-003 again", "rerun"),
        ("retry T-003", "retry"),
        ("explain T-003", "explain"),
        ("why is T-007 blocked?", "explain"),
        ("show T-003", "show"),
        ("list all tasks", "list"),
        ("show queue", "status"),
    ],
)
def test_the_verb_keeps_apart_what_one_command_covers(message: str, verb: str) -> None:
    assert _only(message).verb == verb


def test_a_status_word_narrows_all() -> None:
    assert _only("retry all failed tasks").word == "failed"


@pytest.mark.parametrize(
    "message", ["cancel that one", "重试一下那个任务", "取消它", "retry"]
)
def test_a_command_that_points_asks_which(message: str) -> None:
    parsed = read(message)

    assert parsed.mode == "ask"
    assert parsed.commands[0].ids == ()


@pytest.mark.parametrize(
    "message",
    [
        "Cancel my magazine subscription",
        "Show sales by month as a bar chart",
        "Write a status report for the committee",
        "写一个脚本，自动清空回收站",
        "Fix ticket AT-003 in the billing module",
        "Order part T-1000-B",
        "Retry the failed requests with backoff",
        "Skip the introduction and shorten the rest of the speech",
        "Summarise T-003",
        "翻译 T-003 的结果",
    ],
)
def test_the_same_verbs_with_other_objects_are_work(message: str) -> None:
    parsed = read(message)

    assert parsed.mode == "intake"
    assert parsed.commands == ()


@pytest.mark.parametrize(
    "message",
    [
        "I accidentally cancelled T-003 yesterday",
        "How do I retry a failed task?",
        "Don't cancel T-004 yet",
        "What happens if I type `cancel all` here?",
        "should I cancel T-003?",
        "我昨天取消了 T-008",
        "怎么取消一个任务？",
        "别取消 T-004",
        "这个队列功能挺好用的",
    ],
)
def test_talk_about_commands_is_none(message: str) -> None:
    assert read(message).mode == "none"


@pytest.mark.parametrize(
    "message",
    [
        "Cancel T-003 and add a new task: rewrite the intro",
        "rewrite the intro and cancel T-003",
        "Cancel T-003. Rewrite the intro.",
    ],
)
def test_work_and_a_command_are_both_read(message: str) -> None:
    parsed = read(message)

    assert parsed.mode == "intake"
    assert [task.text.lower() for task in parsed.tasks] == ["rewrite the intro"]
    assert [c.command for c in parsed.commands] == ["cancel"]


def test_two_commands_in_one_sentence() -> None:
    parsed = read("cancel T-003 and retry T-004")

    assert [(c.command, c.ids) for c in parsed.commands] == [
        ("cancel", ("T-003",)),
        ("retry", ("T-004",)),
    ]


def test_neighbouring_commands_of_one_kind_are_joined() -> None:
    parsed = read("cancel T-003, and also cancel T-004")

    assert [(c.command, c.ids) for c in parsed.commands] == [
        ("cancel", ("T-003", "T-004"))
    ]


@pytest.mark.parametrize(
    ("message", "command", "ids", "everything", "value"),
    [
        ("取消所有任务", "cancel", [], True, None),
        ("取消全部任务", "cancel", [], True, None),
        ("暂停所有任务", "pause", [], True, None),
        ("恢复暂停任务", "resume", [], True, None),
        ("取消任务 10", "cancel", ["T-010"], False, None),
        ("T-009 怎么了", "show", ["T-009"], False, None),
        ("show logs of T-001", "show", ["T-001"], False, None),
        ("list", "status", [], False, None),
        ("show", "status", [], False, None),
        ("set priority of T-014 to 999999", "priority", ["T-014"], False, 999999),
    ],
)
def test_short_commands_are_no_work(
    message: str, command: str, ids: list[str], everything: bool, value: int | None
) -> None:
    found = _only(message)

    assert (found.command, list(found.ids), found.all, found.value) == (
        command,
        ids,
        everything,
        value,
    )


@pytest.mark.parametrize(
    ("message", "command"),
    [
        ("cancel 10", "cancel"),
        ("please stop", "cancel"),
        ("停", "pause"),
        ("取消任务", "cancel"),
        ("pause nosuch", "pause"),
        ("retry nosuch", "retry"),
    ],
)
def test_a_verb_with_nothing_clear_to_act_on_asks_which(
    message: str, command: str
) -> None:
    parsed = read(message)

    assert parsed.mode == "ask"
    assert [(c.command, c.ids, c.all) for c in parsed.commands] == [
        (command, (), False)
    ]


@pytest.mark.parametrize(
    "message",
    [
        "cancel my subscription",
        "取消订阅",
        "resume building",
        "list files",
        "show sales by month",
        "- pause nosuch\n- retry other",
    ],
)
def test_a_verb_with_another_object_stays_work(message: str) -> None:
    parsed = read(message)

    assert (parsed.mode, parsed.commands) == ("intake", ())


@pytest.mark.parametrize(
    "message",
    [
        "T-005 完成后用 glm5 总结，T-005 失败就跳过",
        "fix the login; if T-004 fails, skip T-005",
    ],
)
def test_what_to_do_on_failure_is_no_command(message: str) -> None:
    parsed = read(message)

    assert parsed.commands == ()
    assert [task.on_depends_fail for task in parsed.tasks] == ["skip"]


def test_a_selection_behind_a_verb_of_showing_is_work() -> None:
    parsed = read("Use glm5 to write a poem. Then print it with ollama-local.")

    assert parsed.commands == ()
    assert [task.queue for task in parsed.tasks] == ["cloud-nvidia", "ollama-local"]


@pytest.mark.parametrize(
    ("message", "command", "ids"),
    [
        ("T-003 failed again, so skip T-004", "skip", ("T-004",)),
        (
            "T-003 and T-005 are stuck, cancel T-006 and T-007",
            "cancel",
            ("T-006", "T-007"),
        ),
        ("T-003 失败了，所以跳过 T-004", "skip", ("T-004",)),
        ("T-003 完成了，重试 T-004", "retry", ("T-004",)),
        ("T-003 failed, retry it", "retry", ("T-003",)),
        ("T-001 and T-002 failed, retry both", "retry", ("T-001", "T-002")),
    ],
)
def test_what_is_told_of_one_task_is_no_command_on_it(
    message: str, command: str, ids: tuple[str, ...]
) -> None:
    parsed = read(message)

    assert [(c.command, c.ids) for c in parsed.commands] == [(command, ids)]


@pytest.mark.parametrize(
    "message",
    ["When T-004 fails, cancel T-005 and T-006", "if T-003 failed, skip T-004"],
)
def test_a_condition_is_no_fact_that_commands_now(message: str) -> None:
    commands = {c.command for c in read(message).commands}

    assert not commands & {"cancel", "skip"}


def test_a_question_and_a_command_keep_their_own_ids() -> None:
    parsed = read("show T-003, then skip T-005")

    assert [(c.command, c.ids) for c in parsed.commands] == [
        ("show", ("T-003",)),
        ("skip", ("T-005",)),
    ]


@pytest.mark.parametrize(
    "message",
    [
        "T-003 失败了，请重试 T-003",
        "T-003失败了，直接重试",
        "T-003 failed, retry T-003",
    ],
)
def test_a_failure_that_is_told_as_a_fact_leaves_the_command(message: str) -> None:
    found = _only(message)

    assert (found.command, found.ids) == ("retry", ("T-003",))


@pytest.mark.parametrize(
    ("message", "word"),
    [
        ("show failed", "failed"),
        ("show me what failed", "failed"),
        ("list everything that failed", "failed"),
        ("failed tasks", "failed"),
        ("which failed?", "failed"),
        ("any failures?", "fail"),
        ("did anything fail?", "fail"),
        ("how many failed?", "failed"),
        ("show pending tasks please", "pending"),
        ("what's on hold?", "hold"),
        ("is anything blocked?", "blocked"),
        ("what's left?", "left"),
    ],
)
def test_tasks_of_a_state_are_listed(message: str, word: str) -> None:
    found = _only(message)

    assert (found.command, found.verb, found.word) == ("status", "list", word)


@pytest.mark.parametrize(
    ("message", "verb", "word"),
    [
        ("show T-003", "show", ""),
        ("show T-003's result", "show", "report"),
        ("read T-003's report", "show", "report"),
        ("what did T-003 find?", "show", "report"),
        ("show me the log of T-003", "show", "log"),
        ("T-003 的结果呢", "show", "report"),
        ("what is T-003 waiting for?", "explain", ""),
        ("what's holding up T-003?", "explain", ""),
        ("when will T-003 start?", "explain", ""),
        ("when will T-003 be done?", "show", ""),
    ],
)
def test_what_of_a_task_is_asked_for(message: str, verb: str, word: str) -> None:
    found = _only(message)

    assert (found.command, found.ids) == ("show", ("T-003",))
    assert (found.verb, found.word) == (verb, word)


@pytest.mark.parametrize(
    "message",
    ["summarize T-003's report", "send me the report of T-003", "show sales by month"],
)
def test_work_on_a_report_is_work(message: str) -> None:
    assert [task.text for task in read(message).tasks] == [message]


@pytest.mark.parametrize(
    ("message", "command", "word"),
    [
        ("retry failed", "retry", "failed"),
        ("unblock blocked please", "unblock", "blocked"),
        ("cancel pending", "cancel", "pending"),
    ],
)
def test_a_state_alone_narrows_a_command(message: str, command: str, word: str) -> None:
    found = _only(message)

    assert (found.command, found.all, found.word) == (command, True, word)


@pytest.mark.parametrize(
    ("message", "command"),
    [("unpause", "resume"), ("continue", "resume"), ("try again", "retry")],
)
def test_a_verb_alone_asks_which_task(message: str, command: str) -> None:
    parsed = read(message)

    assert parsed.mode == "ask"
    assert [(c.command, c.ids) for c in parsed.commands] == [(command, ())]


@pytest.mark.parametrize(
    "message", ["go ahead", "sure, go ahead", "hold on", "wait a minute", "thanks!"]
)
def test_talk_is_no_work(message: str) -> None:
    assert read(message).mode == "none"


@pytest.mark.parametrize(
    ("message", "verb"),
    [
        ("skip 2 and 3", "skip"),
        ("retry 4, 5 and 6", "retry"),
        ("cancel 3 to 5", "cancel"),
        ("取消 3 到 5", "cancel"),
    ],
)
def test_bare_numbers_after_a_verb_ask_which_and_are_no_work(
    message: str, verb: str
) -> None:
    """C1 has "task 9" and "#9" for ids, not 9."""
    assert read(message).mode == "ask"
    assert (_only(message).verb, _only(message).ids) == (verb, ())


def test_bare_numbers_after_a_verb_pass_in_an_ambient_chat() -> None:
    assert read("skip 2 and 3", scope="ambient").mode == "none"
