"""Tenants apart: what statements may look at, who waits for whom, and roles that want to see too much."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import pytest

from smartbrain.config import BrainConfig, StorePolicy
from smartbrain.errors import ConflictError, StoreBusyError, StoreError
from smartbrain.model import Changes, Scope
from smartbrain.ports import Doomed, Storage
from smartbrain.stores import open_storage
from smartbrain.testing.storage_contract import READS, fill, use_everything
from smartbrain.testing.storage_values import HERE, append, found, make_commit, make_item, make_turn

psycopg = pytest.importorskip("psycopg", reason="needs the extra postgres")

from smartbrain.stores.postgres import shipped_sql  # noqa: E402
from smartbrain.stores.postgres.connection import PostgresConnection, WritingConnection, scope_number  # noqa: E402
from smartbrain.stores.postgres.dialect import SHARED, ScopeNumber, bound, translated  # noqa: E402

QUICK = StorePolicy(durability="normal")
HASTY = BrainConfig.load({"store": {"durability": "normal", "busy_timeout_ms": 100}}).store
PARTED = BrainConfig.load({"store": {"durability": "normal", "postgres": {"partitions": 16}}}).store
THERE = Scope("other", "project", "p1")


@pytest.fixture
def storage(postgres_url: str) -> Iterator[Storage]:
    with closing(open_storage(postgres_url, QUICK)) as storage:
        yield storage


# -- statements ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def parted(new_database: Callable[[], str]) -> str:
    """The URL of a store in 16 partitions."""
    url = new_database()
    open_storage(url, PARTED).close()
    return url


@pytest.fixture(scope="module")
def statements(parted: str) -> dict[str, list[Any]]:
    """Every statement that one use of everything sends to the server, with its parameters."""
    seen: dict[str, list[Any]] = {}
    execute, many = PostgresConnection._execute, PostgresConnection._many

    def note(self: PostgresConnection, sql: str, params: Any = None) -> Any:
        seen[sql] = list(params or ())
        return execute(self, sql, params)

    def note_many(self: PostgresConnection, statement: Any, rows: Any, *, returning: bool) -> Any:
        if rows:
            seen[statement.sql] = bound(statement, rows[0], 1)
        return many(self, statement, rows, returning=returning)

    with pytest.MonkeyPatch.context() as patch, closing(open_storage(parted, PARTED)) as storage:
        patch.setattr(PostgresConnection, "_execute", note)
        patch.setattr(PostgresConnection, "_many", note_many)
        use_everything(storage)
        with storage.write() as writer:
            for doomed in (Doomed(turns=frozenset({("s1", "t1")})), Doomed(items=frozenset({"i1"}))):
                writer.forget([HERE], doomed)
        with storage.write() as writer:
            writer.forget([HERE], Doomed(everything=True))
        storage.scopes("acme")
        patch.undo()
        fill(storage)  # so that there is something to look into
    return {sql: params for sql, params in seen.items() if re.match("SELECT|INSERT|UPDATE|DELETE", sql)}


def tables_of(sql: str) -> set[str]:
    return set(re.findall(r"(?:FROM|JOIN|INTO|UPDATE) ([a-z_]+)", sql)) - {"set"}


def test_every_statement_is_led_by_its_tenant(statements: dict[str, list[Any]]) -> None:
    assert len(statements) > 80
    for sql in statements:
        if tables_of(sql) <= SHARED:
            continue
        if sql.startswith("INSERT"):
            assert re.match(r"INSERT INTO \w+ \(domain\b", sql), sql
        else:
            # Each mention of a scope stands behind its tenant, and a tenant is given from outside at least once.
            assert len(re.findall(r"\bscope_id = ", sql)) <= len(re.findall(r"\bdomain = ", sql)), sql
            assert re.search(r"\bdomain = %s", sql), sql


def test_every_statement_looks_into_one_partition_of_sixteen(parted: str, statements: dict[str, list[Any]]) -> None:
    with psycopg.connect(parted, cursor_factory=psycopg.ClientCursor) as connection:
        for sql, params in statements.items():
            if tables_of(sql) <= SHARED or sql.startswith("INSERT"):
                continue
            plan = connection.execute(f"EXPLAIN (ANALYZE, COSTS OFF) {sql}", params).fetchall()
            connection.rollback()
            done = " ".join(line for (line,) in plan if "never executed" not in line)
            parts = set(re.findall(r"_p(\d+)\b", done))
            assert len(parts) <= 1, (sql, plan)


def test_a_statement_without_a_tenant_never_runs() -> None:
    for sql in (
        "SELECT payload FROM messages",
        "DELETE FROM turns WHERE turn_pk = ?",
        "SELECT 1 FROM meta, turns JOIN items ON items.ord = turns.first_ord",
        "UPDATE items SET status = ? WHERE id = ?",
    ):
        with pytest.raises(StoreError, match="names no tenant"):
            translated(sql)


def test_a_scope_without_its_domain_is_never_bound(storage: Storage) -> None:
    with storage.read() as reader, pytest.raises(StoreError, match="without its domain"):
        reader._db.all("SELECT payload FROM messages WHERE scope_id = ?", (7,))  # type: ignore[attr-defined]


def test_a_statement_is_translated_with_its_tenant() -> None:
    made = translated("UPDATE sessions SET last_seq = max(last_seq, ?) WHERE scope_id = ? AND session_pk = ?")
    assert made.sql == (
        "UPDATE sessions SET last_seq = GREATEST(last_seq, %s) WHERE domain = %s AND scope_id = %s AND session_pk = %s"
    )
    assert bound(made, (3, ScopeNumber(7, "acme"), 9), 0) == [3, "acme", 7, 9]


def test_every_table_and_index_is_led_by_the_tenant(parted: str) -> None:
    with psycopg.connect(parted) as connection:
        first = connection.execute(
            "SELECT table_name, column_name FROM information_schema.columns"
            " WHERE table_schema = 'public' AND ordinal_position = 1"
        ).fetchall()
        indexes = connection.execute(
            "SELECT tablename, indexdef FROM pg_indexes WHERE schemaname = 'public'"
        ).fetchall()
        sequences = connection.execute("SELECT count(*) FROM pg_class WHERE relkind = 'S'").fetchone()
        parts = connection.execute("SELECT inhparent::regclass::text, count(*) FROM pg_inherits i JOIN pg_class c"
                                   " ON c.oid = inhrelid AND c.relkind = 'r' GROUP BY 1").fetchall()  # fmt: skip
    assert {column for table, column in first if table not in SHARED} == {"domain"}
    assert [sql for table, sql in indexes if table not in SHARED and not re.search(r"\(domain\b", sql)] == []
    assert sequences == (0,)
    assert {count for _, count in parts} == {16}
    assert {name for name, _ in parts} == {t for t, _ in first if t not in SHARED and not re.search(r"_p\d+$", t)}


def test_the_sql_for_citus_distributes_every_table_by_its_tenant(parted: str) -> None:
    sql = shipped_sql("citus")
    distributed = re.findall(r"create_distributed_table\('(\w+)', 'domain'", sql)
    with psycopg.connect(parted) as connection:
        tables = {name for (name,) in connection.execute("SELECT relname FROM pg_class WHERE relkind = 'p'")}
    assert sorted(distributed) == sorted(tables)
    assert set(re.findall(r"create_reference_table\('(\w+)'", sql)) == SHARED


# -- waiting ------------------------------------------------------------------------------------------------------


def test_tenants_do_not_wait_for_each_other(postgres_url: str) -> None:
    with closing(open_storage(postgres_url, HASTY)) as storage, ThreadPoolExecutor(1) as other:
        with storage.write() as writer:
            writer.append_turn(make_turn("t1", "hello"))
            other.submit(append, storage, make_turn("t1", "hello", scope=THERE)).result()
            with pytest.raises(StoreBusyError, match="try again"):
                other.submit(append, storage, make_turn("t2", "hello", seq=2)).result()
        append(storage, make_turn("t2", "hello", seq=2))
        with storage.read() as reader:
            assert reader.turn_count([HERE]) == 2
            assert reader.turn_count([THERE]) == 1


def test_a_tenant_stays_held_after_a_step_that_failed(postgres_url: str) -> None:
    with closing(open_storage(postgres_url, HASTY)) as storage, ThreadPoolExecutor(1) as other:
        with storage.write() as writer:
            batch = (make_item("a"), make_item("a"))
            with pytest.raises(ConflictError):  # the very first step of this tenant
                writer.apply(Changes(inserts=batch), make_commit())
            assert writer.next_seq(HERE, "s1") == 1  # it looks, and must not be overtaken from here on
            with pytest.raises(StoreBusyError):
                other.submit(append, storage, make_turn("t2", "hello", seq=2)).result()
            writer.append_turn(make_turn("t1", "hello"))
        append(storage, make_turn("t2", "hello", seq=2))
        with storage.read() as reader:
            assert found(reader, "hello") == [0, 1]


def test_writes_to_two_tenants_that_meet_crosswise_end_with_one_given_up(storage: Storage) -> None:
    gate = threading.Barrier(2)

    def both(first: Scope, second: Scope) -> str:
        try:
            with storage.write() as writer:
                writer.append_turn(make_turn("t1", "hello", scope=first))
                gate.wait()
                writer.append_turn(make_turn("t1", "hello", scope=second))
        except StoreBusyError:
            return "given up"
        return "done"

    with ThreadPoolExecutor(2) as threads:
        ends = [threads.submit(both, HERE, THERE), threads.submit(both, THERE, HERE)]
        assert sorted(end.result() for end in ends) == ["done", "given up"]
    with storage.read() as reader:
        assert reader.turn_count([HERE]) == reader.turn_count([THERE]) == 1


def test_a_write_inside_a_write_is_refused(storage: Storage) -> None:
    with storage.write(), pytest.raises(StoreError, match="inside a write"), storage.write():
        raise AssertionError("it was begun")


def test_more_threads_than_connections_lose_no_write(postgres_url: str) -> None:
    config = BrainConfig.load({"store": {"durability": "normal", "postgres": {"pool_size": 2}}}).store
    with closing(open_storage(postgres_url, config)) as storage:

        def commit(number: int) -> None:
            scope = (HERE, THERE)[number % 2]
            with storage.write() as writer:
                writer.append_turn(make_turn(f"t{number}", "common", scope=scope, seq=writer.next_seq(scope, "s1")))

        with ThreadPoolExecutor(20) as threads:
            list(threads.map(commit, range(60)))
        with storage.read() as reader:
            for scope in (HERE, THERE):
                assert [turn.seq for turn in reader.turns([scope])] == list(range(1, 31))
                assert found(reader, "common", scope) == list(range(30))


def test_when_all_is_forgotten_not_even_the_tenants_name_is_left(storage: Storage, postgres_url: str) -> None:
    fill(storage)
    fill(storage, THERE)
    with storage.write() as writer:
        writer.forget([HERE], Doomed(everything=True))
    assert storage.scrub() == ""
    with psycopg.connect(postgres_url) as connection:
        names = connection.execute(
            "SELECT relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'domain'"
            " WHERE c.relkind = 'r'"
        ).fetchall()
        for (name,) in names:
            assert connection.execute(f"SELECT DISTINCT domain FROM {name} WHERE domain <> 'other'").fetchall() == []
    fill(storage)
    with storage.read() as reader:
        assert all(READS[method](reader, [HERE]) for method in READS)


def test_scopes_have_numbers_of_their_own() -> None:
    scopes = [Scope(d, t, i) for d in ("a", "ab") for t in ("project", "task") for i in ("b", "", "ab")]
    numbers = {scope_number(scope) for scope in scopes}
    assert len(numbers) == len(scopes)
    assert all(0 < number < 1 << 63 for number in numbers)
    assert WritingConnection.scope_key is PostgresConnection.scope_key


# -- roles --------------------------------------------------------------------------------------------------------

ATTACKS = (
    "SELECT payload FROM {table}",
    "SELECT payload FROM {table} WHERE domain = 'other'",
    "SELECT set_config('smartbrain.domain', 'other', false); SELECT payload FROM {table}",
    "SELECT payload FROM {table} WHERE domain = 'other' OR true",
    "DELETE FROM {table} WHERE domain = 'other' RETURNING payload",
    "UPDATE {table} SET payload = '{{}}' WHERE domain = 'other' RETURNING payload",
)


@pytest.fixture
def guarded(new_database: Callable[[], str]) -> Iterator[str]:
    """A store with two tenants and row-level security, and a role that is bound to the first of them."""
    url = new_database()
    with closing(open_storage(url, PARTED)) as storage:
        append(storage, make_turn("t1", "mine"), make_turn("t1", "theirs", scope=THERE))
    with psycopg.connect(url, autocommit=True) as owner:
        owner.execute("DROP ROLE IF EXISTS hostile")
        owner.execute("CREATE ROLE hostile LOGIN")
        owner.execute(shipped_sql("row_level_security"))
        owner.execute(shipped_sql("row_level_security"))  # again, as after an upgrade
        owner.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO hostile")
        owner.execute("REVOKE ALL ON tenant_roles FROM hostile")
        owner.execute("INSERT INTO tenant_roles (domain, role) VALUES (%s, 'hostile')", [HERE.domain])
        yield url
        owner.execute("DROP OWNED BY hostile")
        owner.execute("DROP ROLE hostile")


def theirs(connection: Any, attack: str) -> list[str]:
    """What an attack shows of the other tenant, on the table and on each of its partitions."""
    shown = []
    for table in ("messages", *(f"messages_p{part}" for part in range(16))):
        cursor = connection.execute(attack.format(table=table))
        while cursor.nextset():
            pass
        shown += [payload for (payload,) in cursor.fetchall() if "theirs" in payload]
        connection.rollback()
    return shown


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_hostile_role_sees_and_changes_nothing_of_another_tenant(guarded: str, attack: str) -> None:
    with psycopg.connect(f"{guarded}&user=hostile") as connection:
        assert theirs(connection, attack) == []
    with psycopg.connect(guarded) as owner:
        assert theirs(owner, ATTACKS[0]) != []


def test_a_hostile_role_writes_nothing_for_another_tenant_and_reads_its_own(guarded: str) -> None:
    with psycopg.connect(f"{guarded}&user=hostile") as connection:
        assert connection.execute("SELECT count(*) FROM messages").fetchone() == (1,)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("INSERT INTO messages (domain, scope_id, ord, turn_pk, payload)"
                               " VALUES ('other', 1, 9, 9, '{}')")  # fmt: skip
        connection.rollback()
        for forbidden in ("SELECT * FROM tenant_roles", "ALTER TABLE messages DISABLE ROW LEVEL SECURITY",
                          "DROP POLICY by_tenant ON messages", "SET row_security = off; SELECT payload FROM messages"):  # fmt: skip
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(forbidden)
            connection.rollback()


def test_a_role_that_names_no_tenant_sees_nothing(guarded: str) -> None:
    with psycopg.connect(guarded, autocommit=True) as owner:
        owner.execute("DELETE FROM tenant_roles")
    with psycopg.connect(f"{guarded}&user=hostile") as connection:
        assert connection.execute("SELECT count(*) FROM messages").fetchone() == (0,)
        connection.execute("SELECT set_config('smartbrain.domain', 'other', true)")
        assert connection.execute("SELECT count(*) FROM messages").fetchone() == (1,)


def test_a_role_that_may_not_clean_up_says_so(guarded: str) -> None:
    config = BrainConfig.load({"store": {"postgres": {"row_level_security": True}}}).store
    with closing(open_storage(f"{guarded}&user=hostile", config)) as storage:
        with storage.write() as writer:
            writer.forget([HERE], Doomed(everything=True))
        assert "does not own them" in storage.scrub()
    with closing(open_storage(guarded)) as storage:
        assert storage.scrub() == ""  # opening it as the owner did it
        with storage.read() as reader:
            assert reader.turn_count([HERE]) == 0
            assert reader.turn_count([THERE]) == 1
