from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intake_samples import read, texts


def _depends(message: str) -> list[list[int | str]]:
    return [list(task.depends_on) for task in read(message).tasks]


@pytest.mark.parametrize(
    "message",
    [
        pytest.param("1. write a\n2. write b\n3. write c", id="1."),
        pytest.param("1) write a\n2) write b\n3) write c", id="1)"),
        pytest.param("1、write a\n2、write b\n3、write c", id="1、"),
        pytest.param("(1) write a\n(2) write b\n(3) write c", id="(1)"),
        pytest.param(
            "（1）write a\n（2）write b\n（3）write c", id="full-width brackets"
        ),
        pytest.param("① write a\n② write b\n③ write c", id="circled"),
        pytest.param("❶ write a\n❷ write b\n❸ write c", id="black circled"),
        pytest.param("一、write a\n二、write b\n三、write c", id="一、"),
        pytest.param("a) write a\nb) write b\nc) write c", id="a)"),
        pytest.param("- write a\n- write b\n- write c", id="dash"),
        pytest.param("* write a\n* write b\n* write c", id="star"),
        pytest.param("• write a\n• write b\n• write c", id="bullet"),
        pytest.param("- [ ] write a\n- [ ] write b\n- [ ] write c", id="check boxes"),
        pytest.param(
            "🔹 write a\n🔹 write b\n🔹 write c", id="any other repeated symbol"
        ),
        pytest.param("1️⃣ write a\n2️⃣ write b\n3️⃣ write c", id="keycaps"),
        pytest.param("Do: 1) write a 2) write b 3) write c", id="inline"),
        pytest.param("三件事：①write a ②write b ③write c", id="inline circled"),
        pytest.param(
            "Firstly, write a. Secondly, write b. Thirdly, write c.", id="ordinals"
        ),
        pytest.param("第一，write a；第二，write b；第三，write c", id="ordinals zh"),
        pytest.param("Three things: write a; write b; write c", id="counted clauses"),
        pytest.param("tasks:\nwrite a\nwrite b\nwrite c", id="bare lines"),
        pytest.param("待办：\nwrite a\nwrite b\nwrite c", id="bare lines zh"),
        pytest.param(
            "Hi!\n\n- write a\n- write b\n- write c\n\nThanks!",
            id="greeting and thanks",
        ),
        pytest.param(
            "- [x] write z\n- write a\n- write b\n- write c", id="ticked is done"
        ),
        pytest.param("Write a. Also, write b. In addition, write c.", id="additives"),
        pytest.param("write a，另外 write b，顺便 write c", id="additives zh"),
    ],
)
def test_items_are_independent_tasks(message: str) -> None:
    parsed = read(message)

    assert [t.lower() for t in texts(parsed)] == ["write a", "write b", "write c"]
    assert all(task.depends_on == () for task in parsed.tasks)


@pytest.mark.parametrize(
    "connective",
    [
        ", then ",
        " and then ",
        ". After that, ",
        ", and afterwards ",
        ". Next, ",
        "; once that's done, ",
        "; when finished, ",
        " and, based on that, ",
        ". Finally, ",
        "，然后",
        "，接着",
        "，之后",
        "，再",
        "，最后",
        "，做完后",
        "，基于此",
        "，基于这个结果",
    ],
)
def test_a_connective_makes_a_chain(connective: str) -> None:
    parsed = read(f"Download the file{connective}write a report")

    assert texts(parsed) == ["Download the file", "write a report"]
    assert [task.depends_on for task in parsed.tasks] == [(), (0,)]


@pytest.mark.parametrize(
    "message",
    [
        pytest.param("Write a migration guide for the next version", id="next"),
        pytest.param("Document what the then-current pricing was", id="then-current"),
        pytest.param(
            "Write a script that, if the disk is full, then sends a mail", id="if then"
        ),
        pytest.param(
            "Write a script to fetch the file and then unzip it", id="behaviour"
        ),
        pytest.param("Describe the page after the login page", id="after"),
        pytest.param("Compare France and then Germany", id="name follows"),
        pytest.param("写一封再见邮件", id="再见"),
        pytest.param("再次核对账单", id="再次"),
        pytest.param("把最后一页改成两列", id="最后一页"),
        pytest.param("检查之后三个月的排班表", id="之后三个月"),
        pytest.param("总结《然后呢》", id="title"),
        pytest.param("Collect and rank the ten posts, and add links", id="plain and"),
        pytest.param(
            "Write a plan. Keep it short. Use headings.", id="further sentences"
        ),
        pytest.param("Write a plan.\n\nIt covers three teams.", id="paragraphs"),
        pytest.param("Summarise v2.0 and qwen2.5 notes", id="names with dots"),
    ],
)
def test_near_misses_do_not_split(message: str) -> None:
    assert len(read(message).tasks) == 1


@pytest.mark.parametrize(
    ("message", "depends"),
    [
        pytest.param(
            "1. get a\n2. then plot it\n3. write c",
            [[], [0], []],
            id="connective in an item",
        ),
        pytest.param("Step 1: get a\nStep 2: plot it", [[], [0]], id="steps"),
        pytest.param("第一步，收集周报；第二步，合并", [[], [0]], id="steps zh"),
        pytest.param(
            "Do these in order:\n1. stop a\n2. start b", [[], [0]], id="in order"
        ),
        pytest.param("按顺序：\n1. 停 a\n2. 启动 b", [[], [0]], id="in order zh"),
        pytest.param("In parallel:\n1. stop a\n2. start b", [[], []], id="in parallel"),
        pytest.param(
            "- get a\n- get b\nAfter both are done, merge them",
            [[], [], [0, 1]],
            id="after both",
        ),
        pytest.param(
            "- 分析 a\n- 分析 b\n都完成后写结论", [[], [], [0, 1]], id="都完成后"
        ),
        pytest.param(
            "1. get a\n2. get b\n3. get c\n4. based on 1 and 2, write d",
            [[], [], [], [0, 1]],
            id="named",
        ),
        pytest.param(
            "1. get a\n2. get b\n3. upload it (depends on 1)",
            [[], [], [0]],
            id="in brackets",
        ),
        pytest.param(
            "1. get a\n2. get b\n3. get c\n4. after the first two, write d",
            [[], [], [], [0, 1]],
            id="first two",
        ),
        pytest.param(
            "1. get a\n2. get b\n3. merge all the results",
            [[], [], [0, 1]],
            id="merge all",
        ),
        pytest.param(
            "1. 查 a\n2. 查 b\n3. 汇总以上结果", [[], [], [0, 1]], id="汇总以上"
        ),
        pytest.param("Write it, depends on T-002", [["T-002"]], id="depends on"),
        pytest.param("Once T-005 is done, publish it", [["T-005"]], id="once done"),
        pytest.param("写报表，依赖 T-014", [["T-014"]], id="依赖"),
        pytest.param("T-008 完成后，导入数据", [["T-008"]], id="完成后"),
        pytest.param(
            "Send it after t-12 and T-013", [["T-012", "T-013"]], id="two ids"
        ),
        pytest.param(
            "Send it after ollama-local/T-001",
            [["ollama-local/T-001"]],
            id="doubled form",
        ),
        pytest.param("Write a note about T-002", [[]], id="content is no dependency"),
        pytest.param("Send it in 2 hours after lunch", [[]], id="after lunch"),
    ],
)
def test_dependencies(message: str, depends: list[list[int | str]]) -> None:
    assert _depends(message) == depends


def test_sub_bullets_belong_to_their_item() -> None:
    parsed = read("1. Prepare it\n   - revenue\n   - costs\n2. Draft the agenda")

    assert texts(parsed) == ["Prepare it\n   - revenue\n   - costs", "Draft the agenda"]


def test_a_heading_that_is_the_request_keeps_its_names() -> None:
    message = "Compare these three in one table:\n- Hetzner\n- OVH\n- Scaleway"

    assert texts(read(message)) == [message]


_WORDS = st.lists(
    st.sampled_from(["write a", "plot it", "check b", "draft c"]),
    min_size=1,
    max_size=6,
)


@given(_WORDS)
def test_a_numbered_list_gives_its_items_whatever_they_are(items: list[str]) -> None:
    message = "\n".join(f"{n}. {item}" for n, item in enumerate(items, start=1))

    assert texts(read(message)) == items


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (
            "use remote to react with 👍, then use local to nap",
            ["react with 👍", "nap"],
        ),
        ("fix the build 🙏", ["fix the build"]),
    ],
)
def test_a_sign_at_the_end_stays_when_the_job_is_about_it(
    message: str, expected: list[str]
) -> None:
    assert texts(read(message)) == expected
