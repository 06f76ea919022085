"""The rows of the lexical index of one space, bound to an open transaction."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

from smartbrain.ports import SpaceKind
from smartbrain.stores.index.rows import IndexHead
from smartbrain.stores.sql.connection import Connection, chunks, marks

SPACES: dict[SpaceKind, int] = {"events": 0, "memory": 1}

_HEAD = (
    "SELECT n_docs, n_flushed, total_length, generation, parent, moving, moved, coming, mark FROM index_heads"
    " WHERE scope_id = ? AND space = ?"
)
_PUT_HEAD = (
    "INSERT INTO index_heads (scope_id, space, n_docs, n_flushed, total_length, generation, parent, moving, moved,"
    " coming, mark) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    " ON CONFLICT (scope_id, space) DO UPDATE SET n_docs = excluded.n_docs, n_flushed = excluded.n_flushed,"
    " total_length = excluded.total_length, generation = excluded.generation, parent = excluded.parent,"
    " moving = excluded.moving, moved = excluded.moved, coming = excluded.coming, mark = excluded.mark"
)
_POSTINGS = (
    "SELECT term, base, block FROM index_postings WHERE scope_id = ? AND space = ? AND term IN ({}) ORDER BY term, base"
)
_LAST = (
    "SELECT base, block FROM index_postings WHERE scope_id = ? AND space = ? AND term = ? ORDER BY base DESC LIMIT 1"
)
_PUT_POSTING = (
    "INSERT INTO index_postings (scope_id, space, term, base, block) VALUES (?, ?, ?, ?, ?)"
    " ON CONFLICT (scope_id, space, term, base) DO UPDATE SET block = excluded.block"
)
_DROP_POSTING = "DELETE FROM index_postings WHERE scope_id = ? AND space = ? AND term = ? AND base = ?"
_COLUMNS = "SELECT base, block FROM index_columns WHERE scope_id = ? AND space = ? AND base >= ? ORDER BY base"
_PUT_COLUMNS = (
    "INSERT INTO index_columns (scope_id, space, base, block) VALUES (?, ?, ?, ?)"
    " ON CONFLICT (scope_id, space, base) DO UPDATE SET block = excluded.block"
)
_TAIL = "SELECT ord, block FROM index_tail WHERE scope_id = ? AND space = ? ORDER BY ord"
_TAIL_FROM = (
    "SELECT ord, block FROM index_tail WHERE scope_id = ? AND space = ? AND ord >= COALESCE((SELECT max(ord)"
    " FROM index_tail WHERE scope_id = ? AND space = ? AND ord <= ?), 0) ORDER BY ord"
)
_CLEAR_TAIL = "DELETE FROM index_tail WHERE scope_id = ? AND space = ? AND ord >= ? AND ord < ?"
_PIECES = "SELECT piece, block FROM index_moves WHERE scope_id = ? AND space = ? ORDER BY piece LIMIT ?"
_PUT_PIECE = "INSERT INTO index_moves (scope_id, space, piece, block) VALUES (?, ?, ?, ?)"
_DROP_PIECES = "DELETE FROM index_moves WHERE scope_id = ? AND space = ? AND piece <= ?"
_PUT_TAIL = (
    "INSERT INTO index_tail (scope_id, space, ord, block) VALUES (?, ?, ?, ?)"
    " ON CONFLICT (scope_id, space, ord) DO UPDATE SET block = excluded.block"
)


class SpaceRows:
    """See ``smartbrain.stores.index.rows.IndexRows``, which says what each method is for."""

    def __init__(self, connection: Connection, scope_id: int, space: int) -> None:
        self._db = connection
        self._key = (scope_id, space)

    @property
    def space(self) -> Hashable:
        return self._key

    def head(self) -> IndexHead:
        row = self._db.one(_HEAD, self._key)
        return IndexHead(*row) if row else IndexHead()

    def put_head(self, head: IndexHead) -> None:
        counts = (head.n_docs, head.n_flushed, head.total_length)
        move = (head.moving, head.moved, head.coming, head.mark)
        self._db.run(_PUT_HEAD, (*self._key, *counts, head.generation, head.parent, *move))

    def postings(self, terms: Sequence[str]) -> Iterator[tuple[str, int, bytes]]:
        for part in chunks(dict.fromkeys(terms)):
            yield from self._db.all(_POSTINGS.format(marks(part)), (*self._key, *part))

    def last_postings(self, terms: Sequence[str]) -> Mapping[str, tuple[int, bytes]]:
        found = self._db.each(_LAST, [(*self._key, term) for term in terms])
        return {term: (rows[0][0], rows[0][1]) for term, rows in zip(terms, found, strict=True) if rows}

    def put_postings(self, rows: Iterable[tuple[str, int, bytes]]) -> None:
        self._db.many(_PUT_POSTING, ((*self._key, *row) for row in rows))

    def delete_postings(self, keys: Iterable[tuple[str, int]]) -> None:
        self._db.many(_DROP_POSTING, ((*self._key, *key) for key in keys))

    def columns(self, from_base: int = 0) -> Iterator[tuple[int, bytes]]:
        return ((base, block) for base, block in self._db.all(_COLUMNS, (*self._key, from_base)))

    def put_columns(self, rows: Iterable[tuple[int, bytes]]) -> None:
        self._db.many(_PUT_COLUMNS, ((*self._key, *row) for row in rows))

    def tail(self, first: int = 0) -> Sequence[tuple[int, bytes]]:
        found = self._db.all(_TAIL_FROM, (*self._key, *self._key, first)) if first else self._db.all(_TAIL, self._key)
        return [(ordinal, block) for ordinal, block in found]

    def add_tail(self, rows: Iterable[tuple[int, bytes]]) -> None:
        self._db.many(_PUT_TAIL, ((*self._key, *row) for row in rows))

    def clear_tail(self, first: int, end: int) -> None:
        self._db.run(_CLEAR_TAIL, (*self._key, first, end))

    def pieces(self, limit: int) -> Sequence[tuple[int, bytes]]:
        return [(piece, block) for piece, block in self._db.all(_PIECES, (*self._key, limit))]

    def put_pieces(self, rows: Iterable[tuple[int, bytes]]) -> None:
        self._db.many(_PUT_PIECE, ((*self._key, *row) for row in rows))

    def drop_pieces(self, last: int) -> None:
        self._db.run(_DROP_PIECES, (*self._key, last))

    def clear(self) -> None:
        """Empties the space; the next document gets the ordinal 0."""
        for table in ("index_heads", "index_postings", "index_columns", "index_tail", "index_moves"):
            self._db.run(f"DELETE FROM {table} WHERE scope_id = ? AND space = ?", self._key)


class SqlRows(SpaceRows):
    """The rows of a space of memory, by its name."""

    def __init__(self, connection: Connection, scope_id: int, kind: SpaceKind) -> None:
        super().__init__(connection, scope_id, SPACES[kind])
