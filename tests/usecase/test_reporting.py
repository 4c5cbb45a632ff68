"""What a chat is shown when somebody asks for the report or the log of a task."""

from __future__ import annotations

from pathlib import Path

from cores import a_core, add, end, tick
from fakes import START, a_task
from model_queue import control
from model_queue.core import Core
from model_queue.intake import Command
from model_queue.model import Outcome
from model_queue.reporting import CHAT_LIMIT


def shown(core: Core, word: str, lang: str = "en") -> str:
    command = Command(command="show", ids=("T-001",), verb="show", word=word)
    return control.execute_all(core, [command], lang=lang, now=START).text


def a_done_task(tmp_path: Path, report: str, summary: str) -> Core:
    core = a_core(tmp_path)
    add(core, a_task(""))
    tick(core)
    end(core, "T-001", Outcome(result_status="success", result=report, summary=summary))
    return core


def test_a_report_stands_below_what_is_told_of_its_task(tmp_path: Path) -> None:
    core = a_done_task(tmp_path, "East: up.\nSouth: flat.", "Up.")

    assert shown(core, "report") == (shown(core, "") + "\n\nEast: up.\nSouth: flat.")


def test_a_report_that_is_its_summary_is_not_told_twice(tmp_path: Path) -> None:
    core = a_done_task(tmp_path, "Up.\n", "Up.")

    assert shown(core, "report") == shown(core, "")
    assert "Summary: Up." in shown(core, "")


def test_a_long_report_is_cut_and_its_file_named(tmp_path: Path) -> None:
    core = a_done_task(tmp_path, "x" * (CHAT_LIMIT + 1), "Long.")

    head, _, report = shown(core, "report").partition("\n\n")

    assert report == "x" * (CHAT_LIMIT - 1) + "…"
    assert "Report: results/T-001.md" in head


def test_a_task_without_a_report_is_told_of_as_it_is(tmp_path: Path) -> None:
    core = a_core(tmp_path)
    add(core, a_task(""))

    assert shown(core, "report") == shown(core, "")


def test_the_command_that_prints_a_log_is_named(tmp_path: Path) -> None:
    core = a_core(tmp_path)
    add(core, a_task(""))

    assert shown(core, "log") == shown(core, "") + "\nLog: `model-queue logs T-001`"
    assert shown(core, "log", "zh").endswith("\n日志：`model-queue logs T-001`")
