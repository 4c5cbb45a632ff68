"""What is learnt of a model server by looking: its models, or what is wrong with it."""

from __future__ import annotations

import contextlib
import json
import shutil
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from fake_openai import FakeOpenAI, Reply, a_list, an_error, an_ollama
from model_queue import probing
from model_queue.probing import Found, Target, Trouble, ask, ask_all, ask_ollama

NO_PROXY: Mapping[str, str] = {}
PAGE = Reply(body="<!doctype html><p>Welcome", content_type="text/html")


def ask_one(listing: Mapping[str, Reply], key: str = "") -> Found:
    with FakeOpenAI(listing=listing) as fake:
        return ask(Target(fake.endpoint, key), NO_PROXY)


@pytest.fixture
def free_port() -> Iterator[int]:
    """A port that nothing listens on."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]


@pytest.mark.parametrize(
    ("listing", "models", "is_ollama"),
    [
        pytest.param({"/v1/models": a_list("m-1", "m-2")}, ("m-1", "m-2"), False, id="OpenAI"),
        pytest.param(an_ollama("a:7b", "b:latest"), ("a:7b", "b:latest"), True, id="Ollama"),
        pytest.param(
            {"/api/tags": an_ollama("a:7b")["/api/tags"]}, ("a:7b",), True, id="old Ollama"
        ),
        pytest.param(an_ollama(), (), False, id="Ollama without a model"),
        pytest.param(
            {"/v1/models": Reply(body='[{"id": "bare"}]')}, ("bare",), False, id="bare list"
        ),
        pytest.param({"/v1/models": PAGE} | {"/api/tags": an_ollama("a")["/api/tags"]}, ("a",), True, id="page, then tags"),
    ],
)  # fmt: skip
def test_models_are_read_from_every_form_of_list(
    listing: Mapping[str, Reply], models: tuple[str, ...], is_ollama: bool
) -> None:
    found = ask_one(listing)

    assert found == Found(models=models, is_ollama=is_ollama)
    assert found.is_reachable


@pytest.mark.parametrize(
    ("reply", "trouble", "detail"),
    [
        pytest.param(an_error(401, "no key"), Trouble.KEY, "401", id="401"),
        pytest.param(an_error(403, "no"), Trouble.KEY, "403", id="403"),
        pytest.param(PAGE, Trouble.PAGE, "", id="page"),
        pytest.param(Reply(body="not json"), Trouble.PAGE, "", id="text"),
        pytest.param(Reply(body="[" * 100_000), Trouble.PAGE, "", id="deep"),
        pytest.param(
            Reply(status=308, body="", headers={"Location": "https://x.example/v1"}),
            Trouble.MOVED,
            "https://x.example/v1",
            id="moved",
        ),
        pytest.param(an_error(500, "oops"), Trouble.STATUS, "500", id="500"),
        pytest.param(an_error(404, "no"), Trouble.STATUS, "404", id="404"),
        pytest.param(Reply(drops=True), Trouble.UNREACHABLE, None, id="cut"),
    ],
)
def test_trouble_is_told_apart(
    reply: Reply, trouble: Trouble, detail: str | None
) -> None:
    found = ask_one({"/v1/models": reply})

    assert (found.models, found.trouble) == (None, trouble)
    assert detail is None or found.detail == detail


def test_list_in_an_unknown_form_is_no_trouble() -> None:
    assert ask_one({"/v1/models": Reply(body='{"object": "thing"}')}) == Found()


def test_server_that_does_not_run_refuses(free_port: int) -> None:
    found = ask(Target(f"http://127.0.0.1:{free_port}/v1"), NO_PROXY)

    assert found.trouble is Trouble.REFUSED
    assert not found.is_reachable


def test_host_without_an_address_is_told() -> None:
    found = ask(Target("http://no-such-host.invalid/v1"), NO_PROXY)

    assert found.trouble in {Trouble.UNKNOWN_HOST, Trouble.SILENT}


def test_server_without_tls_is_told() -> None:
    with FakeOpenAI() as fake:
        secure = fake.endpoint.replace("http:", "https:")
        found = ask(Target(secure), NO_PROXY)

    assert (found.trouble, found.detail) == (Trouble.TLS, "it does not speak TLS")


@pytest.fixture
def self_signed(tmp_path: Path) -> Iterator[str]:
    """The endpoint of a server whose certificate nobody has signed but itself."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("no openssl to make a certificate with")
    key, certificate = tmp_path / "key.pem", tmp_path / "cert.pem"
    what = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1"]
    where = ["-subj", "/CN=localhost", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run([openssl, *what, *where], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            with contextlib.suppress(OSError):
                connection, _ = server.accept()
                context.wrap_socket(connection, server_side=True).close()

        thread = threading.Thread(target=serve)
        thread.start()
        yield f"https://127.0.0.1:{server.getsockname()[1]}/v1"
        thread.join()


@pytest.mark.slow
def test_certificate_that_nobody_signed_is_told(self_signed: str) -> None:
    found = ask(Target(self_signed), NO_PROXY)

    assert (found.trouble, found.is_reachable) == (Trouble.TLS, False)
    assert "self" in found.detail
    assert "signed" in found.detail


def test_key_goes_to_the_server_as_a_bearer() -> None:
    with FakeOpenAI(listing={"/v1/models": a_list("m")}) as fake:
        ask(Target(fake.endpoint, "k-1"), NO_PROXY)
        ask(Target(fake.endpoint), NO_PROXY)

    first, second = fake.looks
    assert first.headers["authorization"] == "Bearer k-1"
    assert "authorization" not in second.headers


def test_key_that_no_header_can_hold_is_told_without_it() -> None:
    found = ask_one({}, key="k\n1")

    assert found.trouble is Trouble.KEY
    assert "k\n1" not in found.detail


def test_servers_are_asked_at_once_and_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(probing, "LIMIT_S", 0.3)
    silent = Reply(waits="start", body="{}")
    fakes = [FakeOpenAI(listing={"/v1/models": silent}) for _ in range(4)]
    for fake in fakes:
        fake.__enter__()
    try:
        targets = {str(n): Target(fake.endpoint) for n, fake in enumerate(fakes)}
        began = time.monotonic()

        found = ask_all(targets, NO_PROXY)

        assert time.monotonic() - began < 1.2
    finally:
        for fake in fakes:
            fake.__exit__(None, None, None)
    assert [each.trouble for each in found.values()] == [Trouble.SILENT] * 4


def test_ollamas_own_list_tells_what_is_no_local_chat_model() -> None:
    rows = [
        {"model": "qwen2.5:7b", "details": {"family": "qwen2"}},
        {"model": "nomic-embed-text:latest", "details": {"family": "nomic-bert"}},
        {"model": "all-minilm:latest", "details": {"family": "bert"}},
        {"model": "gpt-oss:120b-cloud", "remote_host": "https://ollama.com"},
    ]
    tags = Reply(body=json.dumps({"models": rows}))
    with FakeOpenAI(listing={"/api/tags": tags}) as fake:
        found = ask_ollama(Target(fake.endpoint), NO_PROXY)

    assert found.models is not None
    assert found.models[0] == "qwen2.5:7b"
    assert found.unfit == found.models[1:]


def test_version_of_an_ollama_is_told_and_of_others_not() -> None:
    with FakeOpenAI(listing=an_ollama(version="0.12.3")) as fake:
        assert probing.version_of_ollama(fake.endpoint, NO_PROXY) == "0.12.3"
    with FakeOpenAI() as fake:
        assert probing.version_of_ollama(fake.endpoint, NO_PROXY) == ""
