"""The store on a PostgreSQL server keeps the contract of every store; always against a real server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing

import pytest

from smartbrain.config import BrainConfig, StorePolicy
from smartbrain.ports import Storage
from smartbrain.stores import open_storage
from smartbrain.testing.storage_contract import ForgettingContract, StorageContract, TransactionsContract

SECURED = BrainConfig.load({"store": {"durability": "normal", "postgres": {"row_level_security": True}}}).store
PARTED = BrainConfig.load({"store": {"postgres": {"partitions": 16}}}).store


@pytest.fixture(scope="class")
def parted(new_database: Callable[[], str]) -> Iterator[str]:
    """A store in 16 partitions whose tables belong to another role than the one that works with them."""
    psycopg = pytest.importorskip("psycopg")
    from smartbrain.stores.postgres import shipped_sql

    url = new_database()
    open_storage(url, PARTED).close()
    with psycopg.connect(url, autocommit=True) as owner:
        owner.execute("DROP ROLE IF EXISTS worker")
        owner.execute("CREATE ROLE worker LOGIN")
        owner.execute(shipped_sql("row_level_security"))
        owner.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO worker")
        owner.execute("REVOKE ALL ON tenant_roles FROM worker")
        yield url
        owner.execute("DROP OWNED BY worker")
        owner.execute("DROP ROLE worker")


@pytest.fixture
def secured(parted: str) -> str:
    """The same, empty, by the URL of the role that works with it."""
    import psycopg

    with psycopg.connect(parted, autocommit=True) as owner:
        names = owner.execute("SELECT relname FROM pg_class WHERE relkind = 'p'").fetchall()
        owner.execute(";".join(f"DELETE FROM {name}" for (name,) in names))
        owner.execute("DELETE FROM meta WHERE name IN ('erasures', 'scrub_due')")
    return f"{parted}&user=worker"


class TestPostgres(StorageContract):
    @pytest.fixture
    def storage(self, postgres_url: str) -> Iterator[Storage]:
        with closing(open_storage(postgres_url, StorePolicy(durability="normal"))) as storage:
            yield storage


@pytest.mark.slow
class TestPostgresThroughPgBouncer(StorageContract):
    """In transaction mode: no statement stays prepared, and nothing is left to a session."""

    @pytest.fixture
    def storage(self, pgbouncer: str, postgres_url: str) -> Iterator[Storage]:
        with closing(open_storage(pgbouncer, StorePolicy(durability="normal"))) as storage:
            yield storage


class TestPostgresInPartitions(ForgettingContract, TransactionsContract):
    """With 16 partitions, and row-level security as the store's own role meets it."""

    @pytest.fixture
    def storage(self, secured: str) -> Iterator[Storage]:
        with closing(open_storage(secured, SECURED)) as storage:
            yield storage

    def test_scrubbing_is_done_at_once_when_nobody_reads(self, storage: Storage) -> None:
        pytest.skip("a role that does not own the tables may not clean them; test_postgres_sharing has what it is told")
