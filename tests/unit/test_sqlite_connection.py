"""One connection to SQLite: many rows in one call."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smartbrain.config import StorePolicy
from smartbrain.errors import InputError, StoreError
from smartbrain.stores.sqlite.connection import Connection, connect

TEXTS = st.text(st.characters(exclude_categories=()), max_size=3)


@pytest.fixture
def connection() -> Iterator[Connection]:
    connection = _table()
    yield connection
    connection.close()


def _table() -> Connection:
    connection = connect(":memory:", StorePolicy())
    connection.run("CREATE TABLE t (number INTEGER PRIMARY KEY, text TEXT UNIQUE)")
    return connection


PUT = "INSERT INTO t (number, text) VALUES (?, ?)"


@given(st.lists(st.one_of(TEXTS, st.sampled_from(["\ud800", "\udfff1"])), unique=True))
def test_rows_of_any_texts_are_written_once_each_and_come_back(texts: list[str]) -> None:
    connection = _table()
    connection.many(PUT, enumerate(texts))
    assert connection.all("SELECT number, text FROM t ORDER BY number") == list(enumerate(texts))
    connection.close()


def test_a_row_that_cannot_be_is_told_in_words(connection: Connection) -> None:
    with pytest.raises(InputError, match="too large"):
        connection.many(PUT, [(1, "a"), (1 << 70, "b")])
    with pytest.raises(StoreError, match="UNIQUE"):
        connection.many(PUT, [(2, "c"), (2, "d")])


def test_no_row_is_written_when_the_transaction_was_ended_by_the_database(connection: Connection) -> None:
    connection.run("BEGIN")
    connection.within = True
    connection.raw.execute("ROLLBACK")
    with pytest.raises(StoreError, match="begin it anew"):
        connection.many(PUT, [(1, "a")])
    assert connection.raw.execute("SELECT count(*) FROM t").fetchone() == (0,)


def test_what_is_asked_for_each_of_several_texts_is_answered_in_their_order(connection: Connection) -> None:
    texts = ["a", "\ud800", "b", "none", "\udfff1"]
    connection.many(PUT, enumerate(text for text in texts if text != "none"))
    for asked in (texts, ["b", "a"], []):
        found = connection.each("SELECT text FROM t WHERE text = ?", [(text,) for text in asked])
        assert list(found) == [[] if text == "none" else [(text,)] for text in asked]
