"""What the lexical index asks of a store: six kinds of rows per space, inside one open transaction."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class IndexHead:
    """The one row that says how far the index of a space has come.

    n_docs: ordinals given out (documents, deleted ones included). n_flushed: how many of them, from 0, stand in
    posting and column blocks; the rest is the tail. total_length: terms in all documents that are not deleted.
    generation: fingerprint (63 bits) of everything that was ever done to the flushed part; equal fingerprints
    mean equal blocks, also after a rollback or a restored backup. parent: the generation before it if the last
    change only appended documents, else equal to ``generation``.

    While a beginning of the tail is on its way into the blocks, term by term in their order: moving is where it ends
    (an ordinal, above n_flushed; at most n_flushed when nothing moves), moved the last term that has arrived ("" for
    none), coming the generation there will be when all have.

    mark: fingerprint of every document that ever came to the tail, one after the other, and of what was taken out of
    it; with equal marks and n_flushed the tails are equal.
    """

    n_docs: int = 0
    n_flushed: int = 0
    total_length: int = 0
    generation: int = 0
    parent: int = 0
    moving: int = 0
    moved: str = ""
    coming: int = 0
    mark: int = 0

    @property
    def settled(self) -> int:
        """The ordinal from which on no document is moving."""
        return max(self.n_flushed, self.moving)

    def blocks_of(self, term: str) -> tuple[int, int]:
        """The generation of a term's blocks, and the ordinal up to which they hold it."""
        if self.moving > self.n_flushed and term <= self.moved:
            return self.coming, self.moving
        return self.generation, self.n_flushed


@dataclass(frozen=True, slots=True)
class IndexLimits:
    """When the index moves and splits rows. Values may change between calls; what was written stays readable.

    tail_max: documents in the tail at which it begins to move into blocks (>= 1). step: documents that come between two
    parts of a move (>= 1). block_postings: postings of one block (1..16383); 512 keep a block under the 1,002 bytes
    that SQLite stores inside a 4 KiB page.
    """

    tail_max: int = 512
    block_postings: int = 512
    step: int = 128


class IndexRows(Protocol):
    """The rows of one space, bound to an open transaction (a snapshot for reading, exclusive for writing)."""

    @property
    def space(self) -> Hashable:
        """Key of this space, unique among all stores that share a cache."""

    def head(self) -> IndexHead:
        """The head row, ``IndexHead()`` while the space is new."""

    def put_head(self, head: IndexHead) -> None:
        """Write the head row, new or not."""

    def postings(self, terms: Sequence[str]) -> Iterable[tuple[str, int, bytes]]:
        """All blocks (term, base, blob) of the terms: those of a term together, base ascending."""

    def last_postings(self, terms: Sequence[str]) -> Mapping[str, tuple[int, bytes]]:
        """The block with the highest base of every term that has one."""

    def put_postings(self, rows: Iterable[tuple[str, int, bytes]]) -> None:
        """Insert or replace blocks by (term, base); they come sorted by term and base."""

    def delete_postings(self, keys: Iterable[tuple[str, int]]) -> None:
        """Delete blocks by (term, base)."""

    def columns(self, from_base: int = 0) -> Iterable[tuple[int, bytes]]:
        """Column blocks (base, blob) with base >= ``from_base``, ascending."""

    def put_columns(self, rows: Iterable[tuple[int, bytes]]) -> None:
        """Insert or replace column blocks by base."""

    def tail(self, first: int = 0) -> Sequence[tuple[int, bytes]]:
        """(ordinal, blob) of the documents not flushed yet, ascending, from the row that begins at ``first`` or last
        before it; a blob may hold several documents."""

    def add_tail(self, rows: Iterable[tuple[int, bytes]]) -> None:
        """Insert tail rows."""

    def clear_tail(self, first: int, end: int) -> None:
        """Delete the tail rows that begin at ``first`` or later and before ``end``."""

    def pieces(self, limit: int) -> Sequence[tuple[int, bytes]]:
        """The first (number, blob) of what is still to move, ascending."""

    def put_pieces(self, rows: Iterable[tuple[int, bytes]]) -> None:
        """Insert what is to move."""

    def drop_pieces(self, last: int) -> None:
        """Delete the pieces up to the number ``last``."""
