"""The session process of launcher ``openai``: one streamed chat completion.

Started by a supervisor as ``entry.py openai SESSION_DIR``, the prompt on stdin. The
answer goes to stdout as it arrives, a model's thoughts to stderr, and what else the
endpoint said to ``receipt.json``, written once at the end. Exit 0 means that the
answer came to its end; ``launchers.openai_reading`` makes an outcome of it.
"""

from __future__ import annotations

import http
import http.client
import json
import os
import socket
import sys
from base64 import b64encode
from collections.abc import Iterator, Mapping
from typing import BinaryIO, NamedTuple
from urllib.parse import SplitResult, unquote, urlsplit

from model_queue import __version__
from model_queue.launchers.finished import SessionPlan
from model_queue.launchers.session_files import PLAN, RECEIPT
from model_queue.model import JsonObject, JsonValue

CONNECT_S = 30.0
"""Longest time for a connection; a host that takes longer is not there."""
LONGEST_LINE = 1 << 20
LONGEST_BODY = 1 << 16
"""Bytes of an error's body that are kept."""
AFTERWORD_S = 10.0
"""Longest wait for usage figures after the answer's end."""
HTTPS_PORT = 443
_KEPT_HEADERS = (
    "retry-after",
    "x-ratelimit",
    "anthropic-ratelimit",
    "date",
    "location",
)
"""Beginnings of the header names that tell when, or where, to try again."""


class Wanted(NamedTuple):
    """One request."""

    endpoint: str
    model: str
    prompt: str
    max_tokens: int
    key: str | None
    start_timeout_s: float
    """Until the first piece of the answer."""
    stall_timeout_s: float
    """Between two pieces."""


class Exchange:
    """One request and what came of it; filled while it runs."""

    def __init__(self, wanted: Wanted, *, answer: BinaryIO, thoughts: BinaryIO) -> None:
        self._wanted = wanted
        self._answer = answer
        self._thoughts = thoughts
        self._options: JsonObject = {
            "max_tokens": wanted.max_tokens,
            "stream_options": {"include_usage": True},
        }
        self._stage = "connect"
        self.receipt: JsonObject = {"is_complete": False, "has_key": bool(wanted.key)}
        """``is_complete``, ``has_key``, and what came: ``status``, ``headers``, ``body``
        of an error, ``error`` of the connection, ``model``, ``usage``,
        ``finish_reason``."""

    def run(self, environment: Mapping[str, str]) -> bool:
        """Ask, and copy the answer out; return whether it came to its end.

        Never raises for anything that network or endpoint do: the receipt says it.
        """
        try:
            while self._ask(environment):
                pass
        except TimeoutError:
            self.receipt["error"] = self._silence()
        except (OSError, http.client.HTTPException, ValueError) as error:
            kind = type(error).__name__
            self.receipt["error"] = f"{kind}: {error} ({self._wanted.endpoint})"
        return bool(self.receipt["is_complete"])

    def _silence(self) -> str:
        wanted = self._wanted
        said = {
            "connect": f"{wanted.endpoint} was not reached within {CONNECT_S:g} s",
            "start": f"{wanted.endpoint} did not begin to answer within "
            f"{wanted.start_timeout_s:g} s (start_timeout_s)",
            "answer": f"the answer stopped for {wanted.stall_timeout_s:g} s",
        }
        return f"TimeoutError: {said[self._stage]}"

    def _ask(self, environment: Mapping[str, str]) -> bool:
        """Send the request once; return whether it must be sent again, adapted."""
        address = f"{self._wanted.endpoint}/chat/completions"
        connection = connect_to(address, environment)
        try:
            self._stage = "connect"
            connection.connect()
            sock: socket.socket = connection.sock
            sock.settimeout(self._wanted.start_timeout_s)
            self._stage = "start"
            target = urlsplit(address).path
            connection.request("POST", target, self._body(), self._headers())
            with connection.getresponse() as response:
                return self._receive(response, sock)
        finally:
            connection.close()

    def _receive(self, response: http.client.HTTPResponse, sock: socket.socket) -> bool:
        """Copy the answer out; return whether the request must be sent again."""
        self.receipt["status"] = response.status
        self.receipt["headers"] = _kept(response)
        if response.status != http.HTTPStatus.OK:
            body = response.read(LONGEST_BODY).decode("utf-8", "replace")
            is_refused = response.status == http.HTTPStatus.BAD_REQUEST
            if is_refused and self._adapt(body):
                return True
            self.receipt["body"] = body
            return False
        for piece in _pieces(response):
            self._stage = "answer"
            self._take(piece)
            is_over = bool(self.receipt["is_complete"])
            sock.settimeout(AFTERWORD_S if is_over else self._wanted.stall_timeout_s)
        if not self.receipt["is_complete"] and "body" not in self.receipt:
            self.receipt["error"] = "ConnectionError: the answer broke off"
        return False

    def _body(self) -> bytes:
        request: JsonObject = {
            "model": self._wanted.model,
            "messages": [{"role": "user", "content": self._wanted.prompt}],
            "stream": True,
            **self._options,
        }
        return json.dumps(request).encode()

    def _headers(self) -> dict[str, str]:
        headers = {
            "Content-Type": "application/json",
            "Accept": "text/event-stream",
            "User-Agent": f"model-queue/{__version__}",
            "Connection": "close",
        }
        if self._wanted.key:
            headers["Authorization"] = f"Bearer {self._wanted.key}"
        return headers

    def _adapt(self, body: str) -> bool:
        """Change the request where an endpoint names what it cannot take.

        Servers differ in two options: some old ones refuse ``stream_options``, some
        models take the limit as ``max_completion_tokens``.
        """
        options = self._options
        if "stream_options" in body and "stream_options" in options:
            del options["stream_options"]
            return True
        if "max_completion_tokens" in body and "max_tokens" in options:
            options["max_completion_tokens"] = options.pop("max_tokens")
            return True
        return False

    def _take(self, piece: JsonObject) -> None:
        """Use one piece of the answer."""
        receipt = self.receipt
        if piece.get("error"):
            receipt["is_complete"] = False
            receipt["body"] = json.dumps(piece, ensure_ascii=False)
            receipt["status"] = _code(piece["error"])
            return
        for key in ("model", "usage"):
            if piece.get(key):
                receipt[key] = piece[key]
        choices = piece.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, dict):
            return
        message = choice.get("delta") or choice.get("message")
        if isinstance(message, dict):
            _put(self._thoughts, message.get("reasoning_content"))
            _put(self._thoughts, message.get("reasoning"))
            _put(self._answer, message.get("content"))
        if isinstance(choice.get("finish_reason"), str):
            receipt["finish_reason"] = choice["finish_reason"]
            receipt["is_complete"] = "body" not in receipt


def _put(stream: BinaryIO, text: JsonValue) -> None:
    if isinstance(text, str) and text:
        stream.write(text.encode("utf-8", "replace"))
        stream.flush()


def _code(error: JsonValue) -> JsonValue:
    code = error.get("code") if isinstance(error, dict) else None
    return code if isinstance(code, int) else None


def _kept(response: http.client.HTTPResponse) -> JsonObject:
    return {
        name.lower(): value
        for name, value in response.getheaders()
        if name.lower().startswith(_KEPT_HEADERS)
    }


def _pieces(response: http.client.HTTPResponse) -> Iterator[JsonObject]:
    """Yield the pieces of an answer: events of a stream, or one whole object.

    Lines that are no data (comments, names of events) are passed over.

    Raises:
        ValueError: a line is no JSON, or has no end.
    """
    kind = response.getheader("Content-Type", "")
    if kind.startswith("application/json"):
        yield _object(response.read().decode())
        return
    while line := response.readline(LONGEST_LINE + 1):
        if len(line) > LONGEST_LINE:
            too_long = f"a line of the answer is longer than {LONGEST_LINE} bytes"
            raise ValueError(too_long)
        field, _, value = line.decode("utf-8", "replace").strip().partition(":")
        data = value.strip()
        if field == "data" and data == "[DONE]":
            return
        if field == "data" and data:
            yield _object(data)


def _object(text: str) -> JsonObject:
    found: JsonValue = json.loads(text)
    return found if isinstance(found, dict) else {}


def connect_to(
    address: str, environment: Mapping[str, str]
) -> http.client.HTTPConnection:
    """Return a connection to a URL's host that is not open yet.

    A proxy (``https_proxy``, ``no_proxy``) is used for https alone: a plain endpoint is
    a machine of one's own.
    """
    url = urlsplit(address)
    host = url.hostname or ""
    if url.scheme != "https":
        return http.client.HTTPConnection(host, url.port, timeout=CONNECT_S)
    proxy = _proxy(host, environment)
    if proxy is None:
        return http.client.HTTPSConnection(host, url.port, timeout=CONNECT_S)
    tunnel = http.client.HTTPSConnection(
        proxy.hostname or "", proxy.port, timeout=CONNECT_S
    )
    headers: dict[str, str] = {}
    if proxy.username:
        pair = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}"
        headers["Proxy-Authorization"] = f"Basic {b64encode(pair.encode()).decode()}"
    tunnel.set_tunnel(host, url.port or HTTPS_PORT, headers)
    return tunnel


def _proxy(host: str, environment: Mapping[str, str]) -> SplitResult | None:
    named = environment.get("https_proxy") or environment.get("HTTPS_PROXY")
    without = environment.get("no_proxy") or environment.get("NO_PROXY") or ""
    names = [name.strip().lstrip(".") for name in without.split(",")]
    is_direct = any(f".{host}".endswith(f".{name}") for name in names if name)
    if not named or is_direct or "*" in names:
        return None
    return urlsplit(named if "://" in named else f"http://{named}")


def wanted_from(
    plan: SessionPlan, prompt: str, environment: Mapping[str, str]
) -> Wanted:
    """Return the request that a session's plan describes."""
    facts = plan.facts
    variable = facts.get("api_key_env")
    return Wanted(
        endpoint=str(facts["endpoint"]).rstrip("/"),
        model=plan.runtime_model,
        prompt=prompt,
        max_tokens=int(str(facts["max_tokens"])),
        key=environment.get(str(variable)) if variable else None,
        start_timeout_s=float(str(facts["start_timeout_s"])),
        stall_timeout_s=float(str(facts["stall_timeout_s"])),
    )


def main(argv: list[str]) -> int:
    """Carry out the session whose folder is named; 0 when the answer is whole."""
    folder = argv[0]
    environment = dict(os.environ)
    with open(os.path.join(folder, PLAN), encoding="utf-8") as file:
        plan = SessionPlan.from_json(file.read())
    prompt = sys.stdin.buffer.read().decode("utf-8", "replace")
    exchange = Exchange(
        wanted_from(plan, prompt, environment),
        answer=sys.stdout.buffer,
        thoughts=sys.stderr.buffer,
    )
    is_complete = exchange.run(environment)
    path = os.path.join(folder, RECEIPT)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with open(descriptor, "w", encoding="utf-8") as file:
        json.dump(exchange.receipt, file, ensure_ascii=False, indent=1)
    return 0 if is_complete else 1
