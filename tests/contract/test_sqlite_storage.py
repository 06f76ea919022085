"""The embedded store keeps the contract of every store, in a file and in memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from smartbrain.config import StorePolicy
from smartbrain.ports import Storage
from smartbrain.stores import open_storage
from smartbrain.testing.storage_contract import StorageContract


class TestSqliteFile(StorageContract):
    @pytest.fixture
    def storage(self, tmp_path: Path) -> Iterator[Storage]:
        with closing(open_storage(tmp_path / "brain.db", StorePolicy(durability="normal"))) as storage:
            yield storage


class TestSqliteInMemory(StorageContract):
    @pytest.fixture
    def storage(self) -> Iterator[Storage]:
        with closing(open_storage(":memory:")) as storage:
            yield storage
