"""An OpenAI-compatible endpoint on loopback that answers as a test says."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self

from model_queue.model import JsonObject

USAGE: JsonObject = {"prompt_tokens": 7, "completion_tokens": 5, "total_tokens": 12}


@dataclass(frozen=True, kw_only=True)
class Reply:
    """One scripted answer."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    body: str | None = None
    """Sent instead of a stream."""
    content_type: str = "application/json"
    """Of ``body``; a stream has its own."""
    deltas: Sequence[JsonObject] = ()
    finish: str | None = "stop"
    """None: the stream has no last piece."""
    usage: JsonObject | None = field(default_factory=lambda: USAGE)
    model: str = "qwen2.5:7b"
    done: bool = True
    """The stream ends with ``[DONE]``."""
    extra: Sequence[str] = ()
    """Lines sent as they are before the pieces."""
    waits: str = ""
    """``start`` or ``answer``: falls silent there until the server is closed."""
    drops: bool = False
    """The connection is cut instead of ended."""


def a_text(*words: str, **fields: object) -> Reply:
    """An answer that streams these words."""
    deltas: list[JsonObject] = [{"content": word} for word in words]
    return Reply(deltas=deltas, **fields)  # type: ignore[arg-type] # the test's


def an_error(status: int, message: str, **headers: str) -> Reply:
    body = json.dumps({"error": {"message": message, "type": "error"}})
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(status=status, body=body, headers=named)


def a_list(*models: str, owner: str = "acme") -> Reply:
    """What ``/v1/models`` answers; an Ollama's owner is ``library``."""
    rows = [{"id": model, "object": "model", "owned_by": owner} for model in models]
    return Reply(body=json.dumps({"object": "list", "data": rows or None}))


def an_ollama(*models: str, version: str = "0.12.3") -> dict[str, Reply]:
    """What an Ollama answers to those who look, by path."""
    rows = [{"name": model, "model": model, "details": {}} for model in models]
    return {
        "/v1/models": a_list(*models, owner="library"),
        "/api/tags": Reply(body=json.dumps({"models": rows})),
        "/api/version": Reply(body=json.dumps({"version": version})),
    }


@dataclass(frozen=True)
class Request:
    path: str
    headers: Mapping[str, str]
    """Names in lower case."""
    body: JsonObject


class FakeOpenAI:
    """Serves the replies in order, the last one for ever.

    To those who only look (GET) it answers by ``listing``, by path, else 404.
    """

    def __init__(
        self, *replies: Reply, listing: Mapping[str, Reply] | None = None
    ) -> None:
        self.replies = list(replies) or [a_text("Six percent more.")]
        self.requests: list[Request] = []
        self.listing = dict(listing or {})
        self.looks: list[Request] = []
        self.is_closing = threading.Event()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.fake = self
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}
        )

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.is_closing.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def take(self, request: Request) -> Reply:
        self.requests.append(request)
        return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]

    def look(self, request: Request) -> Reply:
        self.looks.append(request)
        nothing = Reply(
            status=404, body="404 page not found", content_type="text/plain"
        )
        return self.listing.get(request.path, nothing)


class _Server(ThreadingHTTPServer):
    daemon_threads = False
    fake: FakeOpenAI


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_GET(self) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        reply = self.server.fake.look(Request(self.path, headers, {}))
        if reply.waits:
            self.server.fake.is_closing.wait()
        if reply.drops:
            self.close_connection = True
            return
        self._send_whole(reply, (reply.body or "").encode())

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        headers = {name.lower(): value for name, value in self.headers.items()}
        body = json.loads(self.rfile.read(length))
        reply = self.server.fake.take(Request(self.path, headers, body))
        if reply.waits == "start":
            self.server.fake.is_closing.wait()
        if reply.body is not None:
            self._send_whole(reply, reply.body.encode())
        else:
            self._stream(reply)

    def _send_whole(self, reply: Reply, body: bytes) -> None:
        self.send_response(reply.status)
        self.send_header("Content-Type", reply.content_type)
        self.send_header("Content-Length", str(len(body)))
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def _stream(self, reply: Reply) -> None:
        self.send_response(reply.status)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.send_header("Connection", "close")
        self.end_headers()
        for line in reply.extra:
            self._chunk(line)
        for delta in reply.deltas:
            self._piece(reply, choices=[{"index": 0, "delta": delta}])
        if reply.waits == "answer":
            self.server.fake.is_closing.wait()
        if reply.drops:
            self.close_connection = True
            return
        if reply.finish:
            last: JsonObject = {"delta": {}, "finish_reason": reply.finish}
            self._piece(reply, choices=[last])
        if reply.usage:
            self._piece(reply, choices=[], usage=reply.usage)
        if reply.done:
            self._chunk("data: [DONE]\n\n")
        self.wfile.write(b"0\r\n\r\n")

    def _piece(self, reply: Reply, **fields: object) -> None:
        whole = {"object": "chat.completion.chunk", "model": reply.model, **fields}
        self._chunk(f"data: {json.dumps(whole)}\n\n")

    def _chunk(self, text: str) -> None:
        data = text.encode()
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name
        """Say nothing."""
