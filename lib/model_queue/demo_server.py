"""One loopback model server of the demo: one model name, 404 for any other.

llama.cpp's server answers under whatever name it is asked for, so that a task on the
wrong source would go unnoticed. This front compares the name, writes one JSON line per
request to the server's own log, and passes the rest on.

Run as ``python -m model_queue.demo_server GGUF NAME LOG``. The first line on stdout is
the address; the process ends when its stdin closes, so that it never outlives the demo.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import sys
import threading
from http.client import HTTPConnection, HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import cast
from urllib.parse import urlsplit

from model_queue.model import JsonObject, JsonValue
from model_queue.ports import SystemClock

CONTEXT_TOKENS = 4096
"""Prompt and answer together; a prompt of the demo has a few hundred tokens."""
BODY_LIMIT = 4_000_000
"""Bytes of a request that are read; a prompt is far shorter."""
ANSWER_LIMIT_S = 120
"""The longest silence of the model that a request waits through."""
SERVERS = 2
"""How many share the machine."""
HUNG_UP = 499
"""Logged when the asker left before the answer: a cancelled session does that."""
_CHUNK = 65_536
_TASK = re.compile(r"executing task (T-\d+)")


class Front(ThreadingHTTPServer):
    """A server on a free loopback port in front of one model's own server."""

    daemon_threads = True

    def __init__(self, *, model: str, upstream: str, log_path: str) -> None:
        super().__init__(("127.0.0.1", 0), FrontHandler)
        self.model = model
        """The only name that is answered."""
        self.upstream = upstream
        """``host:port`` of the model's server."""
        self._log_path = log_path
        self._log_lock = threading.Lock()

    @property
    def url(self) -> str:
        """The base address for an OpenAI-compatible client."""
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def log(self, *, model: str, prompt: str, status: int) -> None:
        """Append one line: time, model, the task named in the prompt, HTTP status."""
        task = _TASK.search(prompt)
        line: JsonObject = {
            "time": SystemClock().now().isoformat(timespec="milliseconds"),
            "model": model,
            "task": task.group(1) if task else None,
            "status": status,
        }
        with self._log_lock, open(self._log_path, "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


class FrontHandler(BaseHTTPRequestHandler):
    """Compares the model's name and passes the request on."""

    @property
    def front(self) -> Front:
        """The server that this request came to, with its own type."""
        return cast("Front", self.server)

    def do_GET(self) -> None:
        """Pass a read on: health, the list of models."""
        self._pass_on(b"")

    def do_POST(self) -> None:
        """Pass a completion on if it asks for this server's model."""
        length = min(int(self.headers.get("content-length") or 0), BODY_LIMIT)
        body = self.rfile.read(length)
        model = _model_of(body)
        prompt = body.decode(errors="replace")
        if model == self.front.model:
            status = self._pass_on(body)
            self.front.log(model=model, prompt=prompt, status=status)
        else:
            self.front.log(model=model, prompt=prompt, status=404)
            says = f"model {model!r} not found, only {self.front.model!r} is here"
            self._refuse(404, "not_found_error", says)

    def _refuse(self, status: int, kind: str, says: str) -> None:
        error = {"message": says, "type": kind, "code": status}
        body = json.dumps({"error": error}).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _pass_on(self, body: bytes) -> int:
        """Relay a request and its answer as it streams; return the HTTP status."""
        link = HTTPConnection(self.front.upstream, timeout=ANSWER_LIMIT_S)
        try:
            headers = {"content-type": "application/json"}
            link.request(self.command or "GET", self.path, body or None, headers)
            answer = link.getresponse()
            self.send_response(answer.status)
            kind = answer.getheader("content-type") or "application/json"
            self.send_header("content-type", kind)
            self.end_headers()
            while chunk := answer.read1(_CHUNK):
                self.wfile.write(chunk)
                self.wfile.flush()
        except (BrokenPipeError, ConnectionResetError):
            return HUNG_UP
        except (OSError, HTTPException) as error:
            self._refuse(502, "server_error", str(error))
            return 502
        else:
            return answer.status
        finally:
            link.close()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - inherited name
        """Say nothing: the server's log is its own file."""


def _model_of(body: bytes) -> str:
    try:
        asked: JsonValue = json.loads(body)
    except ValueError:
        return ""
    return str(asked.get("model") or "") if isinstance(asked, dict) else ""


def main(argv: list[str]) -> int:
    """Serve one model until stdin closes."""
    gguf, name, log_path = argv
    # By name: the package is optional and has no types.
    native = importlib.import_module("xllamacpp")
    params = native.CommonParams()
    params.model.path = gguf
    params.model_alias = {name}
    params.n_ctx = CONTEXT_TOKENS
    # Threads wait for each other in busy loops: more of them than cores, on a machine
    # that does other things too, made one answer take 30 s instead of 3.
    threads = max(1, (os.cpu_count() or 1) // SERVERS)
    params.cpuparams.n_threads = threads
    params.cpuparams_batch.n_threads = threads
    params.port = 0
    server = native.Server(params)
    upstream = urlsplit(str(server.listening_address)).netloc
    front = Front(model=name, upstream=upstream, log_path=log_path)
    threading.Thread(target=front.serve_forever, daemon=True).start()
    sys.stdout.write(front.url + "\n")
    sys.stdout.flush()
    sys.stdin.read()
    front.shutdown()
    front.server_close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
