"""Where in the matrix of a space the vectors of each document stand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from smartbrain.ports import VectorView
from smartbrain.retrieval.growing import Growing, Tape

Numbers = NDArray[np.int64]
_KEPT = 64


@dataclass(frozen=True, slots=True, eq=False)
class DocRows:
    """Of the first ``count`` rows. ``known``: the documents that have vectors; ``first`` and ``windows``, by ordinal:
    the row of a document's first window, -1 for none, and how many windows it has. A document's rows stand together.
    """

    count: int
    known: Tape
    first: Tape
    windows: Tape

    @classmethod
    def empty(cls) -> DocRows:
        """Of no rows."""
        return cls(0, Tape.empty(np.int64), Tape.empty(np.int64), Tape.empty(np.int64))

    @property
    def ords(self) -> Numbers:
        """The documents that have vectors, in the order of their rows."""
        return self.known.array

    @property
    def single(self) -> bool:
        """Whether every document has one window."""
        return len(self.ords) == self.count

    def firsts(self, ords: Numbers) -> Numbers:
        """The row of the first window of each document, -1 for those without."""
        first = self.first.array
        if int(ords.max(initial=-1)) < len(first):
            return first[ords]
        if not len(first):
            return np.full(len(ords), -1, dtype=np.int64)
        found: Numbers = np.where(ords < len(first), first[np.minimum(ords, len(first) - 1)], -1)
        return found

    def seen(self, allowed: NDArray[np.bool_]) -> int:
        """How many documents with vectors may be seen; where that is nearly all, only the others are looked at."""
        hidden = np.flatnonzero(~allowed)
        return len(self.ords) - int(np.count_nonzero(self.firsts(hidden) >= 0))

    def rows(self, ords: Numbers) -> tuple[Numbers, Numbers]:
        """All rows of documents that have vectors, one document after the other, and where each document begins."""
        if self.single:
            return self.first.array[ords], np.arange(len(ords))
        windows = self.windows.array[ords]
        begins = np.cumsum(windows) - windows
        return np.repeat(self.first.array[ords] - begins, windows) + np.arange(int(windows.sum())), begins

    def grown(self, ords: NDArray[np.uint32]) -> DocRows:
        """Of all rows, when they begin with those that are known."""
        begin, size = self.count, len(self.first.array)
        fresh = ords[begin:]
        if int(fresh.min(initial=size)) < size:  # older documents got their vectors late
            return DocRows.empty().grown(ords)
        starts = np.flatnonzero(np.diff(fresh, prepend=fresh[:1] + 1))
        found = fresh[starts].astype(np.int64)
        more = int(fresh.max(initial=0)) + 1 - size if len(fresh) else 0
        first, windows = np.full(more, -1, dtype=np.int64), np.zeros(more, dtype=np.int64)
        first[found - size] = starts + begin
        windows[found - size] = np.diff(starts, append=len(fresh))
        return DocRows(len(ords), self.known.longer(found), self.first.longer(first), self.windows.longer(windows))


def doc_rows_of(view: VectorView) -> DocRows:
    """Where the documents of a space stand: kept from the question before, and only added to where it grew."""
    return _kept.of(view.ords, lambda known: (known or DocRows.empty()).grown(view.ords))


_kept: Growing[DocRows] = Growing(_KEPT)
