from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from chat import Chat
from hosting import Host


@pytest.fixture
def chat(tmp_path: Path) -> Iterator[Chat]:
    """A chat with the sources of the seed; its sessions are over before the test is."""
    found = Chat.open(tmp_path)
    yield found
    found.wait_for_sessions()


@pytest.fixture
def host(tmp_path: Path) -> Host:
    """An agent runtime with the sources of the seed and no queue directory yet."""
    return Host.open(tmp_path)
