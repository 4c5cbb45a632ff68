"""The demo with real hooks and real fronts; only the model behind them is a stand-in."""

from __future__ import annotations

import contextlib
import functools
import subprocess
import sys
import threading
from collections.abc import Generator, Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from fake_openai import FakeOpenAI, a_text
from model_queue import demo
from model_queue.demo_server import Front
from model_queue.demo_servers import Server


@contextlib.contextmanager
def fronts(
    names: Mapping[str, str],
    *,
    folder: str,
    environment: Mapping[str, str],
    knows: str = "",
) -> Generator[Sequence[Server]]:
    """Run the demo's fronts before a scripted endpoint; ``knows`` another model."""
    del environment
    with contextlib.ExitStack() as stack:
        text = a_text("Light scatters.\n\nSummary: it scatters\n", model="any")
        upstream = urlsplit(stack.enter_context(FakeOpenAI(text)).endpoint).netloc
        servers: list[Server] = []
        for source, model in names.items():
            log_path = str(Path(folder) / f"{source}.jsonl")
            known = knows or model
            front = Front(model=known, upstream=upstream, log_path=log_path)
            thread = threading.Thread(
                target=front.serve_forever, kwargs={"poll_interval": 0.01}
            )
            thread.start()
            stack.callback(front.server_close)
            stack.callback(thread.join)
            stack.callback(front.shutdown)
            servers.append(a_server(source, model, front.url, log_path))
        yield servers


def a_server(source: str, model: str, url: str, log_path: str) -> Server:
    process = subprocess.Popen([sys.executable, "-c", ""], text=True)
    process.wait()
    return Server(
        source=source,
        model=model,
        url=url,
        log_path=log_path,
        native_log=log_path,
        process=process,
    )


@pytest.fixture(autouse=True)
def _stand_ins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "running", fronts)
    monkeypatch.setattr("signal.signal", lambda *_: None)


def test_tasks_of_two_queues_are_done_by_their_own_servers(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code = demo.run()

    shown = capsys.readouterr().out
    assert code == 0, shown
    assert "📋 Added 3 tasks to 2 queues:" in shown
    assert "(depends on T-001)" in shown
    assert shown.count("done — it scatters") == 3
    assert "desk (smollm2-desk): T-001\n" in shown
    assert "3 of 3 tasks are done." in shown


def test_message_without_work_ends_at_once_with_a_hint(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code = demo.run("good morning")

    assert code == 5
    assert "Nothing was queued" in capsys.readouterr().out


def test_task_that_fails_makes_the_demo_fail_and_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(demo, "running", functools.partial(fronts, knows="another"))

    code = demo.run("use smollm2-desk to name three trees")

    assert code == 1
    assert "T-001 is failed: " in capsys.readouterr().out
