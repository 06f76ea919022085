"""Decoded parts of the index kept between calls, bounded by bytes."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable

from smartbrain.ports import Postings
from smartbrain.stores.index.columns import ColumnBuffer
from smartbrain.stores.index.tail import Tail

_TAIL = "\n"  # no term holds one
_ENTRY_BYTES = 200  # what a small entry costs besides its arrays


class ColumnCache:
    """Least recently used columns and postings of flushed documents; safe for threads.

    An entry is served only for the space and the generation it was read at. The generation is a fingerprint of
    the content, so neither a rollback nor another process nor a restored file can make an entry stale. A tail has its
    mark in its place.
    max_bytes: upper bound of what is kept (20 bytes a document of a space, 6 a posting).
    """

    def __init__(self, max_bytes: int = 48 << 20) -> None:
        self.lock = threading.RLock()
        self._max_bytes = max_bytes
        self._bytes = 0
        self._entries: OrderedDict[tuple[Hashable, str], tuple[int, int, ColumnBuffer | Postings | Tail]] = (
            OrderedDict()
        )

    @property
    def nbytes(self) -> int:
        """Bytes held now."""
        return self._bytes

    def columns(self, space: Hashable) -> tuple[int, ColumnBuffer] | None:
        """The last columns of a space and the generation they were read at."""
        with self.lock:
            entry = self._entries.get((space, ""))
            if entry is None or not isinstance(entry[2], ColumnBuffer):
                return None
            self._entries.move_to_end((space, ""))
            return entry[0], entry[2]

    def put_columns(self, space: Hashable, generation: int, buffer: ColumnBuffer) -> None:
        """Keep columns instead of those kept for the space before."""
        self._put((space, ""), generation, buffer.nbytes, buffer)

    def tail(self, space: Hashable) -> tuple[int, Tail] | None:
        """The last tail of a space and its mark, whatever became of it since."""
        with self.lock:
            entry = self._entries.get((space, _TAIL))
            if entry is None or not isinstance(entry[2], Tail):
                return None
            self._entries.move_to_end((space, _TAIL))
            return entry[0], entry[2]

    def put_tail(self, space: Hashable, mark: int, tail: Tail) -> None:
        """Keep a tail instead of the one kept for the space before."""
        self._put((space, _TAIL), mark, tail.nbytes, tail)

    def postings(self, space: Hashable, generation: int, term: str) -> Postings | None:
        """The flushed postings of a term, if read at this generation."""
        with self.lock:
            entry = self._entries.get((space, term))
            if entry is None or entry[0] != generation or not isinstance(entry[2], Postings):
                return None
            self._entries.move_to_end((space, term))
            return entry[2]

    def put_postings(self, space: Hashable, generation: int, term: str, postings: Postings) -> None:
        """Keep the flushed postings of a term instead of those kept before."""
        self._put((space, term), generation, postings.ords.nbytes + postings.tfs.nbytes, postings)

    def clear(self) -> None:
        """Forget everything, for instance after documents were taken out for good."""
        with self.lock:
            self._entries.clear()
            self._bytes = 0

    def _put(
        self, key: tuple[Hashable, str], generation: int, nbytes: int, value: ColumnBuffer | Postings | Tail
    ) -> None:
        size = nbytes + _ENTRY_BYTES
        with self.lock:
            old = self._entries.pop(key, None)
            self._bytes -= old[1] if old else 0
            if size > self._max_bytes:
                return
            self._entries[key] = (generation, size, value)
            self._bytes += size
            while self._bytes > self._max_bytes:
                _, (_, dropped, _) = self._entries.popitem(last=False)
                self._bytes -= dropped
