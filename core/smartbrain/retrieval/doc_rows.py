"""Where in the matrix of a space the vectors of each document stand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from smartbrain.ports import VectorView
from smartbrain.retrieval.growing import Growing

Numbers = NDArray[np.int64]
_KEPT = 64


@dataclass(frozen=True, slots=True, eq=False)
class DocRows:
    """``ords``: the documents that have vectors; ``first`` and ``windows``, by ordinal: the row of a document's first
    window, -1 for none, and how many windows it has. A document's rows stand together."""

    ords: Numbers
    first: Numbers
    windows: Numbers

    def firsts(self, ords: Numbers) -> Numbers:
        """The row of the first window of each document, -1 for those without."""
        found: Numbers = np.where(ords < len(self.first), self.first[np.minimum(ords, len(self.first) - 1)], -1)
        return found

    def rows(self, ords: Numbers) -> tuple[Numbers, Numbers]:
        """All rows of documents that have vectors, one document after the other, and where each document begins."""
        windows = self.windows[ords]
        begins = np.cumsum(windows) - windows
        return np.repeat(self.first[ords] - begins, windows) + np.arange(int(windows.sum())), begins


def doc_rows_of(view: VectorView) -> DocRows:
    """Where the documents of a space stand; kept from the question before where nothing changed."""
    return _kept.of(view.ords, lambda _: _made(view.ords))


def _made(ords: NDArray[np.uint32]) -> DocRows:
    starts = np.flatnonzero(np.diff(ords, prepend=ords[:1] + 1))
    size = int(ords.max(initial=0)) + 1
    first, windows = np.full(size, -1, dtype=np.int64), np.zeros(size, dtype=np.int64)
    first[ords[starts]] = starts
    windows[ords[starts]] = np.diff(starts, append=len(ords))
    return DocRows(ords[starts].astype(np.int64), first, windows)


_kept: Growing[DocRows] = Growing(_KEPT)
