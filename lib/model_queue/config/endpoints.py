"""Base URLs of model servers, as people write them."""

from __future__ import annotations

OLLAMA_DEFAULT = "http://127.0.0.1:11434/v1"
_SCHEMES = ("http", "https")


def base_url(text: str) -> str | None:
    """Return the URL that requests are built on, None when it cannot be one.

    A bare server gets ``/v1``; a path is kept, because some vendors have another.
    A URL with a password is refused: it would be printed and logged.

    >>> base_url("http://127.0.0.1:11434/"), base_url("https://api.z.ai/api/paas/v4")
    ('http://127.0.0.1:11434/v1', 'https://api.z.ai/api/paas/v4')
    """
    scheme, _, rest = text.strip().partition("://")
    rest = rest.rstrip("/").removesuffix("/chat/completions")
    host, slash, _ = rest.partition("/")
    if scheme.lower() not in _SCHEMES or not _is_host(host) or not _is_plain(rest):
        return None
    return f"{scheme.lower()}://{rest}" + ("" if slash else "/v1")


def ollama_url(text: str) -> str | None:
    """Return the base URL for a value of ``OLLAMA_HOST``, None when it has none.

    Read as Ollama's own client reads it: ``host``, ``host:port``, ``:port`` or a URL;
    the port is 11434 unless a scheme is given. The address of a server that listens
    everywhere is the loopback address to its client.
    Source: https://github.com/ollama/ollama/blob/main/envconfig/config.go, ``Host``.

    >>> ollama_url("gpu-box"), ollama_url("https://ollama.example/")
    ('http://gpu-box:11434/v1', 'https://ollama.example/v1')
    """
    scheme, has_scheme, rest = text.strip().rpartition("://")
    address, _, path = rest.rstrip("/").partition("/")
    host, port = _host_and_port(address)
    if not port and not has_scheme:
        port = "11434"
    parts = [part for part in path.split("/") if part]
    if parts[-1:] != ["v1"]:
        parts.append("v1")
    authority = f"{host}:{port}" if port else host
    return base_url(f"{scheme or 'http'}://{authority}/{'/'.join(parts)}")


def _host_and_port(address: str) -> tuple[str, str]:
    if address.startswith("["):
        name, _, port = address.partition("]")
        host = f"{name}]"
        port = port.removeprefix(":")
    elif address.count(":") > 1:
        host, port = f"[{address}]", ""
    else:
        host, _, port = address.partition(":")
    host = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "[::]": "[::1]"}.get(host, host)  # noqa: S104 - read, not bound to
    return host, port


def _is_host(text: str) -> bool:
    """Report whether a text can stand between ``://`` and the path."""
    name, colon, port = text.rpartition(":")
    if colon and not text.endswith("]"):
        is_port = port.isascii() and port.isdigit() and int(port[:6]) < 1 << 16
        return bool(name) and is_port
    return bool(text)


def _is_plain(text: str) -> bool:
    """Report whether a URL has nothing but a host and a path."""
    return text.isprintable() and not any(char in " @?#\\" for char in text)
