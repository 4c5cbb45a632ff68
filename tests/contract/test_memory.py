"""The memory store keeps the contract."""

from __future__ import annotations

import pytest

from contract.store_contract import StoreContract
from fakes import SequentialIds
from model_queue.store import Store
from model_queue.stores.memory import MemoryStore


class TestMemoryStore(StoreContract):
    @pytest.fixture
    def bare_store(self) -> Store:
        return MemoryStore(ids=SequentialIds())
