"""Opening a PostgreSQL store: ten at once, an older schema, and everything that can be wrong with a URL or a server."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from smartbrain.config import BrainConfig, StorePolicy
from smartbrain.errors import MissingExtraError, StoreError, StoreOpenError, StoreVersionError
from smartbrain.stores import open_storage
from smartbrain.testing.storage_contract import READS, fill
from smartbrain.testing.storage_values import HERE, append, make_turn

psycopg = pytest.importorskip("psycopg", reason="needs the extra postgres")

from smartbrain.stores.postgres.migrate import migrate, shipped  # noqa: E402
from smartbrain.stores.postgres.storage import PostgresStorage  # noqa: E402
from smartbrain.stores.sql.steps import Migration  # noqa: E402

QUICK = StorePolicy(durability="normal")
HASTY = BrainConfig.load({"store": {"busy_timeout_ms": 200, "postgres": {"connect_timeout_s": 2}}}).store
NewDatabase = Callable[[], str]

COLUMNS = (
    "SELECT table_name, column_name, data_type, collation_name, is_nullable, column_default"
    " FROM information_schema.columns WHERE table_schema = 'public'"
)
INDEXES = "SELECT tablename, indexdef, '', '', '', '' FROM pg_indexes WHERE schemaname = 'public'"


def schema(url: str) -> list[tuple[str, ...]]:
    with psycopg.connect(url) as connection:
        return sorted(map(str, connection.execute(f"{COLUMNS} UNION ALL {INDEXES}").fetchall()))


def run(url: str, *statements: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement)


def test_ten_workers_that_start_at_once_make_one_schema(new_database: NewDatabase) -> None:
    url = new_database()
    gate = threading.Barrier(10)

    def start(number: int) -> None:
        gate.wait()
        with closing(open_storage(url, QUICK)) as storage:
            append(storage, make_turn(f"t{number}", "hello", seq=number))

    with ThreadPoolExecutor(10) as workers:
        list(workers.map(start, range(1, 11)))
    with psycopg.connect(url) as connection:
        versions = connection.execute("SELECT version FROM migrations ORDER BY 1").fetchall()
        assert versions == [(step.version,) for step in shipped()]
    with closing(open_storage(url)) as storage, storage.read() as reader:
        assert reader.turn_count([HERE]) == 10


@pytest.mark.parametrize("partitions", [0, 3])
def test_a_schema_made_step_by_step_is_a_fresh_one(new_database: NewDatabase, partitions: int) -> None:
    fresh, grown = new_database(), new_database()
    with psycopg.connect(fresh, autocommit=True) as connection:
        migrate(connection, shipped(), partitions)
    for number in range(1, len(shipped()) + 1):
        with psycopg.connect(grown, autocommit=True) as connection:
            # Later steps follow the first, whatever the option says by then.
            migrate(connection, shipped()[:number], partitions if number == 1 else 0)
    assert len(schema(fresh)) > 100
    assert schema(grown) == schema(fresh)
    with closing(open_storage(grown)) as storage:
        fill(storage)
        with storage.read() as reader:
            assert all(READS[method](reader, [HERE]) for method in READS)


def test_a_step_that_fails_leaves_the_schema_as_it_was(new_database: NewDatabase) -> None:
    url = new_database()
    open_storage(url).close()
    before = schema(url)
    bad = Migration(len(shipped()) + 1, "bad", "CREATE TABLE more (domain TEXT);\nCREATE TABLE more (domain TEXT);\n")
    with pytest.raises(StoreOpenError):
        PostgresStorage(url, QUICK, (*shipped(), bad))
    assert schema(url) == before
    open_storage(url).close()


def test_a_store_of_a_newer_version_is_refused(new_database: NewDatabase) -> None:
    url = new_database()
    open_storage(url).close()
    run(url, "INSERT INTO migrations (version, name) VALUES (99, 'later')")
    with pytest.raises(StoreVersionError, match="newer SmartBrain"):
        open_storage(url)


def test_tables_of_another_program_are_left_alone(new_database: NewDatabase) -> None:
    url = new_database()
    run(url, "CREATE TABLE sessions (id INT)")
    before = schema(url)
    with pytest.raises(StoreOpenError, match="another program"):
        open_storage(url)
    assert schema(url) == before


def test_no_server_is_said_without_the_password(tmp_path: Path) -> None:
    with pytest.raises(StoreOpenError, match=r"postgresql://me@.*no server answers") as refused:
        open_storage(f"postgresql://me:secret@/db?host={tmp_path}", HASTY)
    assert "secret" not in str(refused.value)


def test_a_missing_database_is_said(postgres_server: str) -> None:
    from psycopg.conninfo import make_conninfo

    parts = psycopg.conninfo.conninfo_to_dict(make_conninfo(postgres_server, dbname="nowhere"))
    url = "postgresql:///nowhere?" + "&".join(f"{name}={value}" for name, value in parts.items() if name != "dbname")
    with pytest.raises(StoreOpenError, match="there is no such database"):
        open_storage(url, HASTY)


def test_a_wrong_password_is_said(new_database: NewDatabase) -> None:
    url = new_database()
    with psycopg.connect(url, autocommit=True) as admin:
        row = admin.execute("SHOW hba_file").fetchone()
        rules = Path(row[0]) if row else Path()
        if not os.access(rules, os.W_OK):
            pytest.skip("the server's pg_hba.conf cannot be changed from here")
        before = rules.read_text()
        admin.execute("CREATE ROLE guarded LOGIN PASSWORD 'right'")
        try:
            rules.write_text(f"local all guarded scram-sha-256\nhost all guarded all scram-sha-256\n{before}")
            admin.execute("SELECT pg_reload_conf()")
            with pytest.raises(StoreOpenError, match="the user or the password is wrong") as refused:
                open_storage(f"{url}&user=guarded&password=secret", HASTY)
            assert "secret" not in str(refused.value)
        finally:
            rules.write_text(before)
            admin.execute("SELECT pg_reload_conf()")
            admin.execute("DROP ROLE guarded")


@pytest.mark.parametrize("made", [True, False])
def test_a_read_only_database_is_said(new_database: NewDatabase, made: bool) -> None:
    url = new_database()
    if made:
        open_storage(url).close()
    name = psycopg.conninfo.conninfo_to_dict(url)["dbname"]
    run(url, f'ALTER DATABASE "{name}" SET default_transaction_read_only = on')
    with pytest.raises(StoreOpenError, match="read-only"):
        open_storage(url)


def test_a_role_that_may_not_make_tables_is_told_so(new_database: NewDatabase) -> None:
    url = new_database()
    run(url, "DROP ROLE IF EXISTS guest", "CREATE ROLE guest LOGIN")
    with pytest.raises(StoreOpenError, match="may not make the tables"):
        open_storage(f"{url}&user=guest")
    run(url, "DROP ROLE guest")


def test_a_url_that_cannot_be_read_is_refused_without_its_password() -> None:
    with pytest.raises(StoreOpenError, match="cannot be read") as refused:
        open_storage("postgresql://me:secret@host:port/db?nonsense=1")
    assert "secret" not in str(refused.value)


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "smartbrain.stores.postgres.storage", raising=False)
    for name in [name for name in sys.modules if name.startswith("smartbrain.stores.postgres")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtraError, match=r"smartbrain\[postgres\]"):
        open_storage("postgresql:///db")


def test_a_connection_that_broke_in_the_pool_is_replaced(postgres_url: str) -> None:
    with closing(open_storage(postgres_url, QUICK)) as storage:
        append(storage, make_turn("t1", "hello"))
        run(postgres_url, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
            " AND pid <> pg_backend_pid()")  # fmt: skip
        append(storage, make_turn("t2", "again", seq=2))
        with storage.read() as reader:
            assert reader.turn_count([HERE]) == 2


def test_a_server_that_goes_away_in_a_write_loses_the_write_and_says_so(postgres_url: str) -> None:
    with closing(open_storage(postgres_url, QUICK)) as storage:

        def cut() -> None:
            with storage.write() as writer:
                writer.append_turn(make_turn("t1", "hello"))
                run(postgres_url, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()")  # fmt: skip
                writer.append_turn(make_turn("t2", "again", seq=2))

        with pytest.raises(StoreError, match="server"):
            cut()
        with storage.read() as reader:
            assert reader.turn_count([HERE]) == 0


def test_words_that_were_cut_otherwise_are_indexed_anew_once(
    new_database: NewDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = new_database()
    with closing(open_storage(url, QUICK)) as storage:
        append(storage, make_turn("t1", "apples"))
    monkeypatch.setattr("smartbrain.text.terms.ANALYZER_ID", "other")
    monkeypatch.setattr("smartbrain.text.terms.term_counts", lambda text: {text[:2]: 1})
    for _ in range(2):
        with closing(open_storage(url, QUICK)) as storage, storage.read() as reader:
            postings = reader.lexical(HERE, "events", ["ap", "appl"]).postings
            assert [len(postings[term].ords) for term in ("ap", "appl")] == [1, 0]
            assert reader.generation([HERE]) == 2


def test_only_the_owner_of_all_tenants_indexes_them_anew(new_database: NewDatabase) -> None:
    url = new_database()
    with closing(open_storage(url, QUICK)) as storage:
        append(storage, make_turn("t1", "apples"))
    run(url, "UPDATE meta SET value = 'sb-2' WHERE name = 'analyzer'")
    guarded = BrainConfig.load({"store": {"postgres": {"row_level_security": True}}}).store
    with pytest.raises(StoreOpenError, match="open the store once as the owner"):
        open_storage(url, guarded)
    open_storage(url, QUICK).close()
    open_storage(url, guarded).close()
