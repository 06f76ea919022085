"""The rows of the vectors of one space, bound to an open transaction: read as one matrix, written a row a document."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterable
from typing import NamedTuple

from smartbrain.ports import VectorModel, VectorView
from smartbrain.stores.sql.connection import Connection, chunks, marks
from smartbrain.stores.vectors import KeptVectors, VectorBuffer, VectorCache, VectorRow, empty_view, language_code

_HEAD = (
    "SELECT number, last_seq, done_to, epoch FROM vector_spaces"
    " WHERE scope_id = ? AND space = ? AND model = ? AND dimension = ?"
)
_PUT_HEAD = (
    "INSERT INTO vector_spaces (scope_id, space, model, dimension, number, last_seq, done_to, epoch)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (scope_id, space, model, dimension) DO UPDATE"
    " SET number = excluded.number, last_seq = excluded.last_seq, done_to = excluded.done_to, epoch = excluded.epoch"
)
_ROWS = (
    "SELECT seq, ord, language, nonce, block FROM vectors"
    " WHERE scope_id = ? AND space = ? AND number = ? AND seq > ? ORDER BY seq"
)
_NONCE = "SELECT nonce FROM vectors WHERE scope_id = ? AND space = ? AND number = ? AND seq = ?"
_INSERT = (
    "INSERT INTO vectors (scope_id, space, number, seq, ord, language, nonce, block) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
)
_FORGET = "DELETE FROM vectors WHERE scope_id = ? AND space = ? AND number = ? AND ord = ?"
_FORGET_ALL = "DELETE FROM vectors WHERE scope_id = ? AND space = ? AND number = ? AND ord IN"


class VectorHead(NamedTuple):
    """How far the vectors of a space by one model have come; see the tables' own words."""

    number: int
    last_seq: int = 0
    done_to: int = 0
    epoch: int = 0


class VectorRows:
    """The vectors of one space by every model that made some."""

    def __init__(self, connection: Connection, cache: VectorCache, scope_id: int, space: int) -> None:
        self._db = connection
        self._cache = cache
        self._space = (scope_id, space)

    def head(self, model: VectorModel) -> VectorHead | None:
        """None while the model has made none."""
        row = self._db.one(_HEAD, (*self._space, model.name, model.dimension))
        return VectorHead(*row) if row else None

    def view(self, model: VectorModel) -> VectorView:
        """All vectors by this model; the same object as long as nothing changed."""
        head = self.head(model)
        if head is None:
            return empty_view(model.dimension)
        key = (*self._space, head.number)
        while True:
            kept = self._cache.get(key)
            if kept is None or not self._continues(kept, head, key):
                kept = None
            elif kept.seq == head.last_seq:
                return kept.view
            rows = [VectorRow(*row) for row in self._db.all(_ROWS, (*key, kept.seq if kept else 0))]
            with self._cache.lock:
                if kept is not None and self._cache.get(key) is not kept:
                    continue  # another thread added to the same matrix meanwhile
                buffer = kept.buffer if kept else VectorBuffer(model.dimension)
                seq, nonce = (rows[-1].seq, rows[-1].nonce) if rows else (0, 0)
                grown = KeptVectors(head.epoch, seq, nonce, buffer, buffer.append(rows))
                self._cache.put(key, grown)
                return grown.view

    def _continues(self, kept: KeptVectors, head: VectorHead, key: tuple[int, int, int]) -> bool:
        """Whether this snapshot begins with what is kept: nothing was taken out, and its last row is the same one."""
        if kept.epoch != head.epoch or kept.seq > head.last_seq:
            return False
        return self._db.one(_NONCE, (*key, kept.seq)) == (kept.nonce,)

    def new_head(self) -> VectorHead:
        """The head of a model that has made none yet."""
        row = self._db.one("SELECT max(number) FROM vector_spaces WHERE scope_id = ? AND space = ?", self._space)
        return VectorHead((row[0] if row and row[0] else 0) + 1, epoch=secrets.randbits(62) + 1)

    def add(self, head: VectorHead, docs: Iterable[tuple[int, str, bytes]], had: Collection[int]) -> VectorHead:
        """Writes vectors (ordinal, language, block) in place of those that documents had, of which none but ``had`` can
        have any; the head that follows, which is still to be put."""
        nonce = secrets.randbits(62) + 1
        fresh, replaced = {ord_: (language, block) for ord_, language, block in docs}, 0
        for part in chunks(fresh.keys() & had):
            sql = f"{_FORGET_ALL} ({marks(part)})"
            replaced += self._db.run(sql, (*self._space, head.number, *part)).rowcount
        self._db.many(
            _INSERT,
            (
                (*self._space, head.number, seq, ord_, language_code(language), nonce, block)
                for seq, (ord_, (language, block)) in enumerate(fresh.items(), head.last_seq + 1)
            ),
        )
        return head._replace(last_seq=head.last_seq + len(fresh), epoch=nonce if replaced else head.epoch)

    def put_head(self, model: VectorModel, head: VectorHead) -> None:
        """Writes the head, new or not."""
        self._db.run(
            _PUT_HEAD,
            (*self._space, model.name, model.dimension, head.number, head.last_seq, head.done_to, head.epoch),
        )

    def forget(self, ords: Collection[int]) -> None:
        """Takes out the vectors of documents that are no more, of every model."""
        for number in self._numbers():
            gone = sum(self._db.run(_FORGET, (*self._space, number, ord_)).rowcount for ord_ in ords)
            if gone:
                self._db.run(
                    "UPDATE vector_spaces SET epoch = ? WHERE scope_id = ? AND space = ? AND number = ?",
                    (secrets.randbits(62) + 1, *self._space, number),
                )

    def clear(self, number: int | None = None) -> None:
        """Drops the vectors of one model by its number, or of all."""
        for one in self._numbers() if number is None else [number]:
            for table in ("vectors", "vector_spaces"):
                self._db.run(
                    f"DELETE FROM {table} WHERE scope_id = ? AND space = ? AND number = ?", (*self._space, one)
                )

    def _numbers(self) -> list[int]:
        rows = self._db.all("SELECT number FROM vector_spaces WHERE scope_id = ? AND space = ?", self._space)
        return [row[0] for row in rows]
