"""Every error that can reach a chat, told to readers of Chinese."""

from __future__ import annotations

import datetime as dt
import errno
import itertools
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from fakes import START, a_task
from model_queue import errors, messages
from model_queue.atomic import explained
from model_queue.errors import Earlier, ModelQueueError
from model_queue.messages import stored_texts, texts
from model_queue.messages.stored import in_chinese
from model_queue.model import Claim, Status
from model_queue.transitions import Event, Facts, step

EARLIER = Earlier(path="/q/old.json", n_tasks=12, n_open=3, as_of=START)
KNOWN = ("ollama-local", "cloud-nvidia")
QUEUE = "/q/ollama-local.json"

SAMPLES: tuple[ModelQueueError, ...] = (
    errors.MessageError("nothing in the message is a task"),
    errors.TaskRefError(seen="x"),
    errors.TaskRefError(seen="T-001", candidates=("a/T-001", "b/T-001")),
    errors.ConfigError(key="MODEL_QUEUE_MAX_RETRIES", value="many", allowed="a number"),
    errors.UnknownSource(name="gpu", known=KNOWN),
    errors.UnknownSource(name="gpu", known=()),
    errors.UnknownModel(name="gpt-4o", known=KNOWN),
    errors.UnknownModel(name="gpt-4o", known=()),
    errors.MissingPackage(package="PyYAML", command="pip install PyYAML"),
    errors.TaskNotFound(ref="T-404"),
    errors.TaskNotFound(ref="T-404", nearest=("T-040", "T-004")),
    errors.TaskUnreadable(
        ref="T-001", path="/q/archive/a.json", line=1, column=2, why="torn"
    ),
    errors.IllegalTransition(ref="T-001", status="done", event="cancel"),
    errors.DependencyCycle(path=("T-001", "T-002", "T-001")),
    errors.UnknownDependency(ref="T-404", nearest=("T-040",)),
    errors.NothingToRestore(source="ollama-local"),
    errors.NoEarlierVersion(source="ollama-local", why="torn"),
    errors.StaleTask(ref="T-001"),
    errors.LostClaim(ref="T-001", label="mq-t-001-a1-00000001"),
    errors.StoreBusy(path="/q", waited_s=5),
    errors.CorruptQueueFile(
        path=QUEUE, line=3, column=4, why="torn", source="ollama-local"
    ),
    errors.CorruptQueueFile(
        path=QUEUE, line=3, column=4, why="torn", source="ollama-local", earlier=EARLIER
    ),
    errors.MissingQueueFile(path=QUEUE, source="ollama-local", earlier=EARLIER),
    errors.UnusableQueueFile(path=QUEUE, why="is no file", source="ollama-local"),
    errors.UnusableQueueFile(
        path=QUEUE, why="is no file", source="ollama-local", earlier=EARLIER
    ),
    errors.UnsettledFile(path=QUEUE, kept="/q/kept", source="ollama-local"),
    errors.UnsettledFile(
        path=QUEUE, kept="/q/kept", source="ollama-local", edit=EARLIER
    ),
    errors.UnsettledFile(
        path=QUEUE, kept="/q/kept", source="ollama-local", commit=EARLIER
    ),
    errors.UnsettledFile(
        path=QUEUE, kept="/q/kept", source="ollama-local", edit=EARLIER, commit=EARLIER
    ),
    errors.NumbersUsedUp(number=9_999_999, last=9_999_999, held_by=QUEUE),
    errors.LaunchError(
        label="mq-t-001-a1-00000001",
        why="source a has launcher openai, but no endpoint",
        hint="Set endpoint under [sources.a] in task-queue.toml.",
    ),
)
NAMES = [f"{n} {type(error).__name__}" for n, error in enumerate(SAMPLES)]
NOT_IN_CHAT = {"HookInputError"}
"""Told to the program that called the hook."""


def _leaves(kind: type[ModelQueueError]) -> Iterator[type[ModelQueueError]]:
    below = kind.__subclasses__()
    if not kind.__name__.startswith("_") and "code" in vars(kind):
        yield kind
    for each in below:
        yield from _leaves(each)


def _english_in(text: str) -> list[str]:
    """Two English words in a row, apart from code, paths and names."""
    bare = re.sub(r"`[^`]*`|\S*[/_]\S*|\[[^\]]*\]|\{[^}]*\}", " ", text)
    bare = bare.replace("pip install PyYAML", " ").replace("a number", " ")
    return re.findall(r"[A-Za-z]{2,} [A-Za-z]{2,}", bare)


def test_every_kind_of_error_has_a_sample() -> None:
    """The abstract ones are told by sentences of their own, see the store's below."""
    abstract = {"ModelQueueError", "InputError", "StateError", "ConflictError"}
    named = {type(error).__name__ for error in SAMPLES}
    found = {kind.__name__ for kind in _leaves(ModelQueueError)}

    assert found - named - abstract - NOT_IN_CHAT == {"StoreError"}


@pytest.mark.parametrize("error", SAMPLES, ids=NAMES)
def test_a_refusal_is_chinese_whole(error: ModelQueueError) -> None:
    text = messages.refused(error, lang="zh-CN")
    sentence, *hint = text.split("\n")

    assert sentence.startswith("⚠️ ")
    assert sentence.endswith("。")
    assert _english_in(text) == []
    assert bool(hint) == bool(error.hint)
    assert not re.search(r"[\u4e00-\u9fff][,;:!?]", text)


@pytest.mark.parametrize("error", SAMPLES, ids=NAMES)
def test_a_refusal_keeps_the_facts(error: ModelQueueError) -> None:
    chinese = messages.refused(error, lang="zh")
    ids = set(re.findall(r"\bT-\d{3,7}\b|/q/[\w./-]+", f"{error} {error.hint}"))

    assert {each for each in ids if each.rstrip(".") not in chinese} == set()


def _refusals() -> Iterator[tuple[str, ModelQueueError]]:
    """What the transition table refuses a person, over all that a task can be."""
    asked = ("cancel", "skip", "retry", "rerun", "pause", "resume", "unblock")
    stopping = Claim(label="mq-t-001-a1-00000001", lease_until=START, stopping=START)
    for status, event, claim, parent in itertools.product(
        Status, asked, (None, stopping), (None, "T-009")
    ):
        task = a_task(
            status=status,
            claim=claim,
            started_at=START if claim else None,
            attempt=1 if claim else 0,
        )
        facts = Facts(now=START + dt.timedelta(hours=1), failed_dependency=parent)
        try:
            step(replace(task, paused_from=Status.RUNNING), Event(event), facts)
        except ModelQueueError as error:
            yield f"{status} {event} {bool(claim)} {parent}", error


def test_what_the_table_refuses_is_told_in_chinese_with_what_to_do() -> None:
    left = {
        name: text
        for name, error in _refusals()
        if _english_in(text := messages.refused(error, lang="zh")) or "\n" not in text
    }

    assert len(dict(_refusals())) > 20
    assert left == {}


@pytest.mark.parametrize(
    "number",
    [
        errno.ENOSPC,
        errno.EDQUOT,
        errno.EROFS,
        errno.EACCES,
        errno.ENOTDIR,
        errno.ENOLCK,
    ],
)
def test_what_the_machine_refuses_is_told_in_chinese(number: int) -> None:
    with pytest.raises(errors.StoreError) as caught, explained("/q"):
        raise OSError(number, "system's own words", "/q/ollama-local.json")

    text = messages.refused(caught.value, lang="zh")

    assert "/q/ollama-local.json" in text
    assert _english_in(text) == []
    assert "\n请" in text


@pytest.mark.parametrize(
    ("stored", "expected"),
    [
        ("exit code 1: No such file", "退出码 1：No such file"),
        ("killed by signal 9", "被信号 9 终止"),
        ("the budget of $2.50 is used up", "2.50 美元的预算已用完"),
        (
            "/q/a b.json could not be written: the disk is full",
            "无法写入 /q/a b.json：磁盘已满",
        ),
        (
            "the file out.md is missing; the file b.md is empty",
            "缺少文件 out.md；文件 b.md 是空的",
        ),
        ("The build failed; see the log", "The build failed; see the log"),
        ("Dependency on the moon failed", "Dependency on the moon failed"),
        ("", ""),
    ],
)
def test_a_stored_sentence_is_translated_where_it_is_ours(
    stored: str, expected: str
) -> None:
    assert in_chinese(stored) == expected


def test_a_sentence_of_ours_is_found_by_its_own_template_only() -> None:
    """No template takes what another one is for."""
    filled = {"limit": "30", "code": "1", "signal": "9", "usd": "2.00", "id": "T-001"}
    pairs = (
        *stored_texts.ENDINGS,
        *stored_texts.ACCEPTANCE,
        *stored_texts.CAUSES,
        *stored_texts.TROUBLES,
        *stored_texts.NEXT_STEPS,
    )
    for english, chinese in pairs:
        names = set(re.findall(r"\{(\w+)\}", english))
        facts = {name: filled.get(name, "x") for name in names}

        assert in_chinese(english.format(**facts)) == chinese.format(**facts)


def test_the_words_of_a_notice_are_chinese_whole() -> None:
    task = a_task(
        description="分析销售数据",
        status=Status.FAILED,
        error_message="exit code 1",
        completed_at=START,
    )

    text = messages.failed(task, 4, lang="zh", hint=texts.HINT_OFFLINE[0])

    assert text == (
        "❌ T-001 失败，共 4 次尝试\n"
        "队列：ollama-local\n"
        "错误：退出码 1\n"
        f"提示：{texts.HINT_OFFLINE[1]}\n"
        "\n"
        "要重试，请说：“重试 T-001”"
    )
