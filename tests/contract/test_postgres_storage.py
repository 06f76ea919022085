"""The store on a PostgreSQL server keeps the contract of every store; always against a real server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from smartbrain.config import StorePolicy
from smartbrain.ports import Storage
from smartbrain.stores import open_storage
from smartbrain.testing.storage_contract import StorageContract


class TestPostgres(StorageContract):
    @pytest.fixture
    def storage(self, postgres_url: str) -> Iterator[Storage]:
        with closing(open_storage(postgres_url, StorePolicy(durability="normal"))) as storage:
            yield storage
