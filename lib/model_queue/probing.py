"""Asks model servers whether they are there, and which models they have.

``GET {endpoint}/models`` as OpenAI has it, or ``/api/tags`` of an Ollama. Nothing is
started, loaded or paid for by either.
"""

from __future__ import annotations

import http
import http.client
import json
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple
from urllib.parse import urlsplit

from model_queue import __version__
from model_queue.model import JsonObject, JsonValue
from model_queue.openai_session import connect_to

LIMIT_S = 2.0
"""For one server, all requests together; all servers are asked at the same time."""
_TAGS = "/api/tags"
_LONGEST_BODY = 8 << 20
"""Bytes of a list; the longest one of a vendor has less than 2 MiB."""


class Trouble(StrEnum):
    """What keeps a server from being used, or its list from being read."""

    REFUSED = "refused"
    UNKNOWN_HOST = "unknown_host"
    UNREACHABLE = "unreachable"
    SILENT = "silent"
    TLS = "tls"
    KEY = "key"
    PAGE = "page"
    MOVED = "moved"
    STATUS = "status"


_NOT_THERE = frozenset(
    {Trouble.REFUSED, Trouble.UNKNOWN_HOST, Trouble.UNREACHABLE, Trouble.SILENT}
)
_FINAL = _NOT_THERE | {Trouble.TLS, Trouble.KEY}
"""After these another path of the same server has nothing else to say."""


class Target(NamedTuple):
    """One server to ask."""

    endpoint: str
    """Base URL without a slash at its end (``…/v1``)."""
    key: str = ""
    """Goes to the server alone; "" for none."""


class Found(NamedTuple):
    """What was learnt of one server."""

    models: tuple[str, ...] | None = None
    """By the server's own names, in its order; None when it lists none."""
    is_ollama: bool = False
    unfit: tuple[str, ...] = ()
    """Those of ``models`` that an Ollama's own list shows to be no local chat models:
    for embeddings, or run by somebody else's machine for money."""
    trouble: Trouble | None = None
    detail: str = ""
    """Of the trouble: the system's sentence, the status, where it was moved."""

    @property
    def is_reachable(self) -> bool:
        """Report whether a server answered, well or not."""
        return self.trouble not in _NOT_THERE and self.trouble is not Trouble.TLS


def ask(target: Target, environment: Mapping[str, str]) -> Found:
    """Ask one server, in the one way and then in the other. Never raises."""
    addresses = (f"{target.endpoint}/models", _beside_v1(target, _TAGS))
    return _first_list(target, addresses, environment)


def ask_ollama(target: Target, environment: Mapping[str, str]) -> Found:
    """Ask what should be an Ollama, whose own list tells more. Never raises."""
    addresses = (_beside_v1(target, _TAGS), f"{target.endpoint}/models")
    return _first_list(target, addresses, environment)


def ask_all(
    targets: Mapping[str, Target],
    environment: Mapping[str, str],
    ask_one: Callable[[Target, Mapping[str, str]], Found] = ask,
) -> dict[str, Found]:
    """Ask every server at the same time; return what is known after ``LIMIT_S``.

    Args:
        targets: by any name.
        environment: for ``https_proxy`` and ``no_proxy``.
        ask_one: ``ask`` or ``ask_ollama``.
    """
    found: dict[str, Found] = {}

    def keep(name: str, target: Target) -> None:
        found[name] = ask_one(target, environment)

    # Daemons: a look-up of a name has no limit of its own and must not keep us.
    threads = [
        threading.Thread(target=keep, args=pair, daemon=True)
        for pair in targets.items()
    ]
    for thread in threads:
        thread.start()
    until = time.monotonic() + LIMIT_S + 0.2
    for thread in threads:
        thread.join(max(until - time.monotonic(), 0.0))
    silent = Found(trouble=Trouble.SILENT)
    return {name: found.get(name, silent) for name in targets}


def _first_list(
    target: Target, addresses: Sequence[str], environment: Mapping[str, str]
) -> Found:
    """Return the first list that comes, else what came of the first address."""
    until = time.monotonic() + LIMIT_S
    first = _list_at(target, addresses[0], environment, until)
    if first.models is not None or first.trouble in _FINAL:
        return first
    # An Ollama that is older than its /v1, or an endpoint with a path of its own.
    second = _list_at(target, addresses[1], environment, until)
    return second if second.models is not None else first


def version_of_ollama(endpoint: str, environment: Mapping[str, str]) -> str:
    """Return what an Ollama calls its version, "" when none answers there."""
    until = time.monotonic() + LIMIT_S
    target = Target(endpoint)
    address = _beside_v1(target, "/api/version")
    try:
        _, _, body = _get(target, address, environment, until)
        found: JsonValue = json.loads(body)
    except (OSError, ValueError, RecursionError, http.client.HTTPException):
        return ""
    version = found.get("version") if isinstance(found, dict) else None
    return version if isinstance(version, str) and version.isprintable() else ""


def _beside_v1(target: Target, path: str) -> str:
    """Return the address of a part of Ollama's own interface, beside its ``/v1``."""
    return target.endpoint.removesuffix("/v1") + path


def _list_at(
    target: Target, address: str, environment: Mapping[str, str], until: float
) -> Found:
    try:
        status, head, body = _get(target, address, environment, until)
    except (OSError, http.client.HTTPException, ValueError) as error:
        return _trouble_of(error)
    return _read(status, head, body)


def _get(
    target: Target, address: str, environment: Mapping[str, str], until: float
) -> tuple[int, Mapping[str, str], bytes]:
    """Return status, headers in lower case and body."""
    connection = connect_to(address, environment)
    connection.timeout = max(until - time.monotonic(), 0.05)
    try:
        headers = {
            "Accept": "application/json",
            "User-Agent": f"model-queue/{__version__}",
            "Connection": "close",
        }
        if target.key:
            headers["Authorization"] = f"Bearer {target.key}"
        connection.request("GET", urlsplit(address).path, headers=headers)
        with connection.getresponse() as response:
            head = {name.lower(): value for name, value in response.getheaders()}
            return response.status, head, response.read(_LONGEST_BODY)
    finally:
        connection.close()


def _trouble_of(error: Exception) -> Found:
    """Return what an exception of the connection means."""
    match error:
        case socket.gaierror():
            trouble = Trouble.UNKNOWN_HOST
        case ssl.SSLError():
            return Found(trouble=Trouble.TLS, detail=_plain_reason(error))
        case TimeoutError():
            trouble = Trouble.SILENT
        case ConnectionRefusedError():
            trouble = Trouble.REFUSED
        case OSError():
            trouble = Trouble.UNREACHABLE
        case http.client.HTTPException():
            return Found(trouble=Trouble.PAGE)
        case _:
            # A key with a character that no header can hold; not shown.
            return Found(trouble=Trouble.KEY, detail="no header can hold it")
    detail = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return Found(trouble=trouble, detail=str(detail))


def _plain_reason(error: ssl.SSLError) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return error.verify_message
    reason = error.reason or str(error)
    if reason in {"WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE"}:
        return "it does not speak TLS"
    return reason.replace("_", " ").lower()


def _read(status: int, head: Mapping[str, str], body: bytes) -> Found:
    """Return what an answer says."""
    if status in {http.HTTPStatus.UNAUTHORIZED, http.HTTPStatus.FORBIDDEN}:
        return Found(trouble=Trouble.KEY, detail=str(status))
    if http.HTTPStatus.MULTIPLE_CHOICES <= status < http.HTTPStatus.BAD_REQUEST:
        return Found(trouble=Trouble.MOVED, detail=head.get("location", ""))
    is_page = "html" in head.get("content-type", "") or body.lstrip()[:1] == b"<"
    if is_page:
        return Found(trouble=Trouble.PAGE)
    if status != http.HTTPStatus.OK:
        return Found(trouble=Trouble.STATUS, detail=str(status))
    try:
        found: JsonValue = json.loads(body)
    except (ValueError, RecursionError):
        return Found(trouble=Trouble.PAGE)
    return _read_list(found)


def _read_list(found: JsonValue) -> Found:
    """Return the models of a list, in any of the forms that servers have."""
    if isinstance(found, dict) and "models" in found and "data" not in found:
        rows = _rows(found["models"])
        names = [row.get("model") or row.get("name") for row in rows]
        unfit = [row.get("model") or row.get("name") for row in rows if _is_unfit(row)]
        return Found(models=_texts(names), is_ollama=True, unfit=_texts(unfit))
    if isinstance(found, dict) and found.get("object", "list") == "list":
        # An Ollama without a model answers "data": null.
        rows = _rows(found.get("data"))
        is_ollama = any(row.get("owned_by") == "library" for row in rows)
        names = [row.get("id") for row in rows]
        return Found(models=_texts(names), is_ollama=is_ollama)
    if isinstance(found, list):
        return Found(models=_texts([row.get("id") for row in _rows(found)]))
    return Found()


def _is_unfit(row: JsonObject) -> bool:
    details = row.get("details")
    family = details.get("family") if isinstance(details, dict) else None
    name = str(row.get("model") or row.get("name"))
    is_embedding = "embed" in name or "bert" in str(family)
    return is_embedding or bool(row.get("remote_host")) or name.endswith("-cloud")


def _rows(value: JsonValue) -> list[JsonObject]:
    rows = value if isinstance(value, list) else []
    return [row for row in rows if isinstance(row, dict)]


def _texts(values: Sequence[JsonValue]) -> tuple[str, ...]:
    return tuple(
        value for value in values if isinstance(value, str) and value.isprintable()
    )
