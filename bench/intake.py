"""What reading a message costs in a warm process, and how it grows with its length.

Each figure is the median of the rounds. Growth compares two lengths of one shape, taken
in turn: a ratio near 2 for twice the text is linear.

    python bench/intake.py [--rounds N]
"""
# ruff: noqa: INP001, T201 - a script that prints

from __future__ import annotations

import argparse
import datetime as dt
import statistics
import sys
import time
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "lib"))

from model_queue.intake import Catalog, parse  # noqa: E402 - found by the line before
from model_queue.intake.values import Scope  # noqa: E402 - as above

NOW = dt.datetime(2026, 11, 30, 20, 0, tzinfo=dt.UTC)
CATALOG = Catalog(
    sources={
        "ollama-local": ("ollama/llama3", "ollama/qwen2.5", "ollama/mistral"),
        "ollama-remote": ("ollama-remote/qwen3.5:27b", "ollama-remote/llama3:70b"),
        "cloud-nvidia": ("nvidia/z-ai/glm5", "nvidia/llama3"),
    },
    aliases={
        "ollama-local": ("local", "本地"),
        "ollama-remote": ("remote", "远程"),
        "cloud-nvidia": ("cloud", "nvidia", "云端"),
    },
    default="ollama-remote",
)
SHORT: Mapping[str, str] = {
    "300 characters, English": (
        "Hi! Could you please summarise the interviews with glm5, then group the complaints "
        "by theme and, once that's done, write a recommendation memo for the board. Also "
        "translate the one-pager into Polish with qwen2.5, high priority. If the summary "
        "fails, skip the memo. Start tomorrow at 9:30am, thanks a lot!"
    ),
    "300 characters, Chinese": (
        "麻烦帮我先把上个月的客户访谈整理成文字，然后按主题归类，归类完成之后写一份给管理层的建议，要求不超过两页。"
        "另外用 glm5 把产品手册第三章翻译成英文，加急处理。如果归类失败就跳过建议。明天上午九点开始跑，都用远程模型。"
    )
    * 2,
    "300 characters, German": (
        "Hallo! Bitte fasse zuerst die Protokolle der letzten Woche zusammen, danach ordne die "
        "Beschwerden nach Themen und erstelle anschließend eine Empfehlung für den Vorstand. "
        "Übersetze außerdem die Kurzfassung mit qwen2.5 ins Englische, hohe Priorität. Beginne "
        "morgen um 9 Uhr, vielen Dank!"
    ),
    "300 characters, ambient, not ours": (
        "Please fix the flaky login test: it waits for the email, then reads the token and "
        "compares it with the stored one. I think the job of the worker is to refresh it, so "
        "look at src/auth/session.ts first and tell me what you would change before you touch "
        "anything. Keep the diff small, thanks a lot!!"
    ),
}
SHAPES: Mapping[str, str] = {
    "list": "- count the files in the folder\n",
    "numbered list": "1. count the files, then sort them\n",
    "one line": "count the files in the folder and sort them by name, ",
    "brackets": "(",
    "closed brackets": "(a) ",
    "quotes": '"',
    "然后": "然后",
    "然后 with work": "写报告，然后",
    "then": "then ",
    "digits": "1234567890",
    "ids": "T-001, ",
    "blanks": "   \n",
    "combining marks": "e\u0301",
    "paths": "/a",
    "kana": "これを要約して、その後",
}


def read_ms(message: str, scope: Scope) -> float:
    """Return the milliseconds that one reading takes."""
    began = time.perf_counter()
    parse(message, catalog=CATALOG, scope=scope, now=NOW, zone=dt.UTC)
    return (time.perf_counter() - began) * 1000


def median_ms(message: str, rounds: int, scope: Scope = "addressed") -> float:
    """Return the median of some rounds, after one that warms up."""
    read_ms(message, scope)
    return statistics.median(read_ms(message, scope) for _ in range(rounds))


def of_length(unit: str, n_characters: int) -> str:
    """Return a shape repeated to a length."""
    return (unit * (n_characters // len(unit) + 1))[:n_characters]


def growth(unit: str, n_characters: int, rounds: int) -> tuple[float, float]:
    """Return the milliseconds of a length, and how many times those of its half."""
    whole, half = of_length(unit, n_characters), of_length(unit, n_characters // 2)
    read_ms(whole, "addressed")
    pairs = [
        (read_ms(whole, "addressed"), read_ms(half, "addressed")) for _ in range(rounds)
    ]
    return (
        statistics.median(w for w, _ in pairs),
        statistics.median(w / h for w, h in pairs),
    )


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    for name, message in SHORT.items():
        scope: Scope = "ambient" if "ambient" in name else "addressed"
        print(f"{median_ms(message, rounds * 5, scope):8.2f} ms  {name}")
    prose = "".join(SHORT.values())
    print(f"{median_ms(of_length(prose, 20_000), rounds):8.2f} ms  20 kB of prose")
    print("       20 kB (x its half)        1 MB (x its half)")
    for name, unit in SHAPES.items():
        small = growth(unit, 20_000, rounds)
        large = growth(unit, 1_000_000, max(3, rounds // 3))
        print(
            f"{small[0]:8.1f} ms ({small[1]:4.1f}x) {large[0]:12.1f} ms ({large[1]:4.1f}x)  {name}"
        )


if __name__ == "__main__":
    main()
