"""The vectors of a space beside a question, asked by document."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from smartbrain.ports import LANGUAGES, VectorView
from smartbrain.retrieval.centring import Vector
from smartbrain.retrieval.doc_rows import DocRows

Ords = NDArray[np.int64]

_WINDOWS = 400
"""Of the stretches whose directions are asked for, about so many windows are read."""
_TINY = 1e-6


@dataclass(frozen=True, slots=True)
class Space:
    """``of_rows``: the cosines of some rows; ``every``: those of all rows, or about them; ``alike``: what a sketch says
    of each row, where there is one; ``means``: of each language. ``allowed`` says of each ordinal whether it may be
    seen."""

    view: VectorView
    docs: DocRows
    allowed: NDArray[np.bool_]
    every: Callable[[], Vector]
    of_rows: Callable[[Ords], Vector]
    means: Callable[[], Vector]
    alike: NDArray[np.uint8] | None = None

    def cosines(self, ords: Ords) -> Vector:
        """Of each document the best window's cosine, NaN where it has none or may not be seen."""
        firsts, seen = self._seen(ords)
        if self.docs.single and seen.all():
            return self.of_rows(firsts)
        found = np.full(len(ords), np.nan, dtype=np.float32)
        rows, begins = self.docs.rows(ords[seen])
        if len(rows):
            found[seen] = best_of(self.of_rows(rows), begins)
        return found

    def directions(self, stretches: NDArray[np.uint32], ords: Ords, count: int) -> Vector:
        """The mean direction of each stretch's windows less their language's mean, of length 1; 0 where it has none.

        ``ords`` are the documents of ``count`` stretches, one stretch after the other; of very many windows only every
        so many are read.
        """
        starts = np.flatnonzero(np.diff(stretches[ords].astype(np.int64), prepend=-1))
        place = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(ords)))
        _, seen = self._seen(ords)
        rows, begins = self.docs.rows(ords[seen])
        windows = np.repeat(place[seen], np.diff(begins, append=len(rows)))
        every = 1 + len(rows) // _WINDOWS
        rows, windows = rows[::every], windows[::every]
        found = np.zeros((count, self.view.vectors.shape[1]), dtype=np.float32)
        if len(rows):
            held = np.flatnonzero(np.diff(windows, prepend=-1))
            less = self.view.vectors[rows]
            less -= self.means()[self.view.languages[rows]]
            sums = np.add.reduceat(less, held)
            found[windows[held]] = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), _TINY)
        return found

    def seeming(self, ords: Ords) -> NDArray[np.uint16]:
        """What a sketch says of each document's best window, from 256 x the place of its language on; ``UNSEEN`` where
        it has none, may not be seen, or there is no sketch."""
        found = np.full(len(ords), UNSEEN, dtype=np.uint16)
        if self.alike is None:
            return found
        firsts, seen = self._seen(ords)
        all_seen = bool(seen.all())
        if self.docs.single:
            rows = firsts if all_seen else firsts[seen]
            best = self.alike.take(rows)
        else:
            rows, begins = self.docs.rows(ords[seen])
            best = best_of(self.alike.take(rows), begins)
            rows = rows[begins]
        told = self.view.languages.take(rows).astype(np.uint16)
        told <<= 8
        told |= best
        if all_seen:
            return told
        found[seen] = told
        return found

    def _seen(self, ords: Ords) -> tuple[Ords, NDArray[np.bool_]]:
        """The row of each document's first window, and whether it has one and may be seen."""
        firsts = self.docs.firsts(ords)
        return firsts, self.allowed.take(ords) & (firsts >= 0)

    def languages(self, ords: Ords) -> NDArray[np.uint8]:
        """Of each document the place of its language; 0, which is unknown, for those without vectors."""
        first = self.docs.firsts(ords)
        found: NDArray[np.uint8] = self.view.languages[first]
        found[first < 0] = 0
        return found


UNSEEN = 256 * len(LANGUAGES)


def best_of(values: NDArray[Any], begins: Ords) -> NDArray[Any]:
    """Of each document the best window's, where the documents begin at these places."""
    return values if len(begins) == len(values) else np.maximum.reduceat(values, begins)
